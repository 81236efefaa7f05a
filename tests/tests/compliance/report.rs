//! Writes `docs/compatibility.md` from the results.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use howdah_tests::harness::Install;
use howdah_tests::harness::results::{Kind, rows, today};

use crate::case::Case;
use crate::cell::AXES;
use crate::run::{CellResult, Outcome};

/// The page.
pub(crate) fn page(install: &Install, results: &[CellResult]) -> String {
    let mut page = String::from(
        "# Compatibility\n\n\
         Which mixtures of Hadoop 1.2.1's daemons, children and clients with Howdah's work together, and which programs run on\n\
         Howdah's. Written by `bin/check --full` from the results of its tests (`tests/tests/compliance`,\n\
         `tests/tests/interop`); not by hand.\n\n",
    );
    let java = first_line("java", &["-version"]);
    let _ = writeln!(page, "Run on {}: Howdah {}, Apache Hadoop 1.2.1, {java}.\n", today(), env!("CARGO_PKG_VERSION"));
    page.push_str(
        "`hadoop` and `java` are Apache Hadoop 1.2.1's, unmodified; `ours` and `native` are Howdah's. A native child needs\n\
         our TaskTracker.\n\n",
    );
    page.push_str("| JobTracker | TaskTracker | child | client | core | all | gaps | not asked | wrong |\n");
    page.push_str("|---|---|---|---|---|---|---|---|---|\n");
    for result in results {
        let axes = AXES.map(|axis| result.cell.axis(axis)).join(" | ");
        let passed = |core: bool| {
            let of = |(case, _): &&(&Case, Outcome)| case.is_core || !core;
            let asked = |outcome: &Outcome| !matches!(outcome, Outcome::NotAsked(_));
            let all = result.outcomes.iter().filter(of).filter(|(_, outcome)| asked(outcome)).count();
            let passed = result.outcomes.iter().filter(of).filter(|(_, outcome)| *outcome == Outcome::Passed).count();
            format!("{passed} of {all}")
        };
        let count = |is: fn(&Outcome) -> bool| result.outcomes.iter().filter(|(_, outcome)| is(outcome)).count();
        let _ = writeln!(
            page,
            "| {axes} | {} | {} | {} | {} | {} |",
            passed(true),
            passed(false),
            count(|outcome| matches!(outcome, Outcome::FailedAsKnown(_))),
            count(|outcome| matches!(outcome, Outcome::NotAsked(_))),
            count(|outcome| matches!(outcome, Outcome::Wrong(_))),
        );
    }
    page.push_str(&programs(install));
    page.push_str("\n## Cases\n");
    let mut group = "";
    for (number, (case, _)) in results.first().map(|result| &result.outcomes[..]).unwrap_or_default().iter().enumerate()
    {
        if case.group != group {
            group = case.group;
            let _ = writeln!(page, "\n**{group}**\n");
        }
        let core = if case.is_core { "" } else { " (not in the core)" };
        let _ = writeln!(page, "- {}{core}{}", case.name, remarks(results, number));
    }
    page
}

/// What is not a plain pass in every cell.
fn remarks(results: &[CellResult], number: usize) -> String {
    let mut cells: BTreeMap<String, usize> = BTreeMap::new();
    for result in results {
        let remark = match &result.outcomes[number].1 {
            Outcome::Passed => continue,
            Outcome::FailedAsKnown(gap) => format!("gap `{gap}`"),
            Outcome::NotAsked(reason) => format!("not asked, {reason}"),
            Outcome::Wrong(_) => "WRONG".to_owned(),
        };
        *cells.entry(remark).or_default() += 1;
    }
    let all = results.len();
    let remarks: Vec<String> =
        cells.into_iter().map(|(remark, count)| format!("{remark} ({count} of {all} cells)")).collect();
    if remarks.is_empty() { String::new() } else { format!(": {}", remarks.join("; ")) }
}

/// The tables of programs that other tests ran.
fn programs(install: &Install) -> String {
    let mut text = String::new();
    for (title, kind, words) in [
        (
            "Hadoop's own test programs",
            Kind::TestProgram,
            "From `hadoop-test-1.2.1.jar` and `hadoop-examples-1.2.1.jar`, unmodified.",
        ),
        (
            "Applications",
            Kind::Application,
            "From Maven Central and PyPI, on Howdah's daemons; their output was held against the same work elsewhere.",
        ),
    ] {
        let rows = rows(install, kind);
        if rows.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {title}\n\n{words}\n\n| program | what it did | held against | result | run on |\n|---|---|---|---|---|\n"
        );
        for row in rows {
            let _ =
                writeln!(text, "| {} | {} | {} | {} | {} |", row.program, row.work, row.proof, row.outcome, row.day);
        }
    }
    text
}

/// The first line that a program prints, on either stream.
fn first_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let Ok(output) = output else { return format!("no {program}") };
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned()
}
