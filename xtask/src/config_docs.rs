//! `cargo xtask config-docs`: docs/configuration.md out of the registry of keys. With `--check`, whether it is so.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use configuration::{Effect, KeyInfo, Limits, Unit, keys};

const FILE: &str = "docs/configuration.md";

/// Writes the file.
pub(crate) fn write(root: &Path) -> Result<()> {
    fs::write(root.join(FILE), render()).with_context(|| format!("cannot write {FILE}"))
}

/// Fails if the file is not what [`write`] would write.
pub(crate) fn check(root: &Path) -> Result<()> {
    let found = fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    if found != render() {
        bail!("{FILE} is not what the keys say; run: cargo xtask config-docs");
    }
    Ok(())
}

fn render() -> String {
    let mut out = String::from(HEAD);
    for (title, rows) in keys::FAMILIES {
        let _ = write!(out, "\n## {title}\n\n| key | default | allowed | read by | what |\n|---|---|---|---|---|\n");
        for row in *rows {
            out.push_str(&line(row));
        }
    }
    out
}

const HEAD: &str = "\
# Configuration

Written by `cargo xtask config-docs` from the rows in `configuration/src/keys/`; do not edit it here.

Keys are Hadoop 1.2.1's and stand in `core-site.xml` and `mapred-site.xml`; those of our own start with `howdah.`. The
names that Hadoop 2 gave them work as well, and where both are set the old one wins. A value that is not allowed stops a
daemon at its start; in a job it counts as the default, as in Hadoop. *Java only* keys are read by the user's Java code or
by Hadoop's jars; our programs carry them and do not look at them.
";

fn line(row: &KeyInfo) -> String {
    let name = match row.new_names {
        [] => format!("`{}`", row.name),
        later => {
            format!("`{}` ({})", row.name, later.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    let default = match row.default {
        None => String::new(),
        Some("") => "empty".to_owned(),
        Some(" ") => "a blank".to_owned(),
        Some("\t") => "a tab".to_owned(),
        Some(text) => format!("`{text}`"),
    };
    let only = if row.effect == Effect::JavaOnly { " *Java only.*" } else { "" };
    let cells = [name, default, allowed(row), row.scope.replace(',', ", "), format!("{}{only}", row.about)];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

fn allowed(row: &KeyInfo) -> String {
    let unit = match row.unit {
        Unit::None => "",
        Unit::Millis => ", milliseconds",
        Unit::Seconds => ", seconds",
        Unit::Minutes => ", minutes",
        Unit::Hours => ", hours",
        Unit::Bytes => ", bytes",
        Unit::KiloBytes => ", KB",
        Unit::MegaBytes => ", MB",
        Unit::Percent => ", percent",
    };
    let limits = match row.limits {
        Limits::Any => row.expected.to_owned(),
        Limits::Whole(low, high) if high >= i64::from(i32::MAX) => format!("{low} or more"),
        Limits::Whole(low, high) => format!("{low} to {high}"),
        Limits::Real(low, high) => format!("{low} to {high}"),
        Limits::Words(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
    };
    format!("{limits}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_line() {
        let text = render();
        for row in configuration::all_keys() {
            assert!(text.contains(&format!("| `{}`", row.name)), "{}", row.name);
        }
        assert!(text.contains("| `io.sort.mb` (`mapreduce.task.io.sort.mb`) | `100` | 1 to 2047, MB | child |"));
    }

    #[test]
    fn a_changed_file_is_noticed() {
        let root = tempfile::tempdir().unwrap();
        assert!(check(root.path()).is_err());
        fs::create_dir(root.path().join("docs")).unwrap();
        write(root.path()).unwrap();
        check(root.path()).unwrap();
        fs::write(root.path().join(FILE), "old").unwrap();
        assert!(check(root.path()).unwrap_err().to_string().contains("cargo xtask config-docs"));
    }
}
