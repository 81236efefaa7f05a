//! The command of a streaming job: how it is written in the configuration, found on disk, and given its environment.
//!
//! Hadoop 1.2.1: streaming.PipeMapRed.configure, splitArgs and addJobConfToEnvironment, PathFinder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Undoes Java's `URLEncoder`.
///
/// # Errors
/// The place of a `%` without two hexadecimal digits.
pub(super) fn url_decode(text: &str) -> Result<String, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'+' => out.push(b' '),
            b'%' => {
                let digits = text.get(at + 1..at + 3);
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                out.push(byte.ok_or_else(|| format!("\"{text}\" has no two hexadecimal digits after its % at {at}"))?);
                at += 2;
            }
            byte => out.push(byte),
        }
        at += 1;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Cuts a command into its words: at blanks, with single and double quotes and no escapes (PipeMapRed.splitArgs).
///
/// Quirk: a quote also ends the word before it, and an empty quoted word is dropped.
pub(super) fn split_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut quote = None;
    let mut start = 0;
    for (at, c) in command.char_indices() {
        let ends = match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                true
            }
            ('\'' | '"', Some(open)) if open == c => {
                quote = None;
                true
            }
            (' ', None) => true,
            _ => false,
        };
        if ends {
            if at > start {
                words.push(command[start..at].to_owned());
            }
            start = at + 1;
        }
    }
    if command.len() > start {
        words.push(command[start..].to_owned());
    }
    words
}

/// Finds a program: an absolute one as it is, another in `directory`, then along `path`. A program in `directory` is made
/// executable first, since files of a job come without that bit.
pub(super) fn find_program(program: &str, directory: &Path, path: Option<&OsString>) -> PathBuf {
    if Path::new(program).is_absolute() {
        return PathBuf::from(program);
    }
    let own = directory.join(program);
    if let Ok(metadata) = std::fs::metadata(&own) {
        let mode = metadata.permissions().mode();
        // Failing to do so shows when the program is started.
        let _ = std::fs::set_permissions(&own, std::fs::Permissions::from_mode(mode | 0o111));
    }
    let searched = path.map(|path| std::env::split_paths(path).collect::<Vec<_>>()).unwrap_or_default();
    std::iter::once(directory.to_path_buf())
        .chain(searched)
        .map(|directory| directory.join(program))
        .find(|candidate| candidate.is_file() && std::fs::File::open(candidate).is_ok())
        .unwrap_or_else(|| PathBuf::from(program))
}

/// What a command finds in its environment beside the child's own: the job's configuration, `-cmdenv` pairs, `TMPDIR`.
pub(super) fn environment(
    job: impl Iterator<Item = (String, String)>,
    additions: Option<&str>,
    temporary: &Path,
) -> BTreeMap<String, OsString> {
    let mut environment = BTreeMap::new();
    for (name, value) in job {
        // The system takes no NUL in a variable.
        if !value.contains('\0') {
            environment.insert(safe_name(&name), value.into());
        }
    }
    for pair in additions.unwrap_or_default().split(' ') {
        if let Some((name, value)) = pair.split_once('=')
            && !name.is_empty()
        {
            environment.insert(name.to_owned(), value.into());
        }
    }
    environment.insert("TMPDIR".to_owned(), temporary.as_os_str().to_owned());
    environment
}

/// Every UTF-16 unit that is no ASCII letter or digit becomes `_`.
fn safe_name(name: &str) -> String {
    name.encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '_',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_at_blanks_and_quotes() {
        for (command, words) in [
            ("/bin/cat", &["/bin/cat"][..]),
            ("  awk '{print $1, \"x\"}'  f ", &["awk", "{print $1, \"x\"}", "f"]),
            ("a\"b c\"d ''", &["a", "b c", "d"]),
            ("sh -c 'unclosed x", &["sh", "-c", "unclosed x"]),
            ("", &[]),
        ] {
            assert_eq!(split_words(command), words, "{command}");
        }
    }

    #[test]
    fn url_encoding_is_undone() {
        assert_eq!(url_decode("awk+%27%7Bprint+%241%7D%27+%C3%A9%2B").unwrap(), "awk '{print $1}' é+");
        assert!(url_decode("50%").is_err());
        assert!(url_decode("%é").is_err());
    }

    #[test]
    fn the_job_stands_in_the_environment() {
        let job = [("mapred.job.id".to_owned(), "job_1".to_owned()), ("a-b".to_owned(), "1".to_owned())];
        let found = environment(job.into_iter(), Some("X=1=2 bad Y="), Path::new("/t"));
        let shown: Vec<_> = found.iter().map(|(k, v)| format!("{k}={}", v.to_string_lossy())).collect();
        assert_eq!(shown, ["TMPDIR=/t", "X=1=2", "Y=", "a_b=1", "mapred_job_id=job_1"]);
    }

    #[test]
    fn a_file_of_the_job_comes_before_the_path_and_becomes_executable() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("cat");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        let path = OsString::from("/bin:/usr/bin");
        assert_eq!(find_program("cat", directory.path(), Some(&path)), script);
        assert_eq!(std::fs::metadata(&script).unwrap().permissions().mode() & 0o111, 0o111);
        assert!(find_program("sh", directory.path(), Some(&path)).is_absolute());
        assert_eq!(find_program("no-such-program", directory.path(), Some(&path)), Path::new("no-such-program"));
    }
}
