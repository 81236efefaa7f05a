//! Runs cells and cases, prints a table per cell, and tells whether all is as expected.

use std::process::ExitCode;
use std::time::Instant;

use howdah_tests::harness::Install;

use crate::bench::Bench;
use crate::case::{Case, Expectation, caught, keep_panics_quiet};
use crate::cell::{AXES, Cell};
use crate::report;
use crate::scenes::{MORE_SIDE_BY_SIDE, SIDE_BY_SIDE};

/// How many shared jobs a cell runs at a time.
const WORKERS: usize = 3;

/// What to run.
pub(crate) struct Plan {
    is_full: bool,
    words: Vec<String>,
    report: Option<String>,
}

/// What became of a case in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    /// As its gap says.
    FailedAsKnown(&'static str),
    NotAsked(&'static str),
    /// Fails, or passes although a gap is claimed.
    Wrong(String),
}

/// What became of a cell.
pub(crate) struct CellResult {
    pub(crate) cell: Cell,
    pub(crate) outcomes: Vec<(&'static Case, Outcome)>,
}

impl Plan {
    pub(crate) fn read(args: impl Iterator<Item = String>) -> Result<Plan, String> {
        let mut plan = Plan { is_full: false, words: Vec::new(), report: None };
        let mut args = args;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--full" => plan.is_full = true,
                "--report" => plan.report = Some(args.next().ok_or("--report needs a file")?),
                // What cargo's own harness understands is of no use here, and no mistake.
                "--nocapture" | "--include-ignored" => {}
                other if other.starts_with("--test-threads") => {}
                other if other.starts_with('-') => {
                    return Err(format!("{other} is no option; there are --full, --report"));
                }
                word => plan.words.push(word.to_owned()),
            }
        }
        Ok(plan)
    }

    pub(crate) fn run(&self) -> ExitCode {
        let install = match Install::find() {
            Ok(install) => install,
            Err(problem) => {
                eprintln!("compliance: {problem}");
                return ExitCode::FAILURE;
            }
        };
        if let Some(gap) = unlisted_gap(&install) {
            eprintln!("compliance: the gap {gap} has no row in docs/gaps.md");
            return ExitCode::FAILURE;
        }
        keep_panics_quiet();
        let start = Instant::now();
        let results: Vec<CellResult> = self.cells().into_iter().map(|cell| self.run_cell(&install, cell)).collect();
        println!("{} cells in {:.0} s", results.len(), start.elapsed().as_secs_f64());
        if let Some(path) = &self.report {
            std::fs::write(path, report::page(&install, &results)).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        let wrong =
            |result: &CellResult| result.outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Wrong(_)));
        if results.is_empty() || results.iter().any(wrong) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    fn cells(&self) -> Vec<Cell> {
        let chosen = AXES.iter().any(|axis| std::env::var(axis).is_ok());
        let cells = if self.is_full || chosen { Cell::all() } else { Cell::of_ci() };
        let is_wanted =
            |cell: &Cell| AXES.iter().all(|axis| std::env::var(axis).map_or(true, |v| v == cell.axis(axis)));
        cells.into_iter().filter(is_wanted).collect()
    }

    fn wants(&self, case: &Case) -> bool {
        let is_named =
            self.words.iter().any(|word| case.name.contains(word.as_str()) || case.group.contains(word.as_str()));
        if self.words.is_empty() { self.is_full || case.is_core } else { is_named }
    }

    fn run_cell(&self, install: &Install, cell: Cell) -> CellResult {
        println!("{cell}");
        let start = Instant::now();
        let cases: Vec<&'static Case> = crate::cases::all().filter(|case| self.wants(case)).collect();
        let outcomes = match caught(|| Bench::start(install, cell)) {
            Ok(mut bench) => {
                let outcomes = self.run_cases(&bench, &cases);
                bench.cluster.keep_logs_if(outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Wrong(_))));
                outcomes
            }
            Err(problem) => {
                println!("  WRONG  the cluster does not start: {problem}");
                cases.into_iter().map(|case| (case, Outcome::Wrong(problem.clone()))).collect()
            }
        };
        let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|(_, outcome)| wanted(outcome)).count();
        println!(
            "  {} passed, {} gaps, {} not asked, {} wrong; {:.0} s",
            count(|outcome| *outcome == Outcome::Passed),
            count(|outcome| matches!(outcome, Outcome::FailedAsKnown(_))),
            count(|outcome| matches!(outcome, Outcome::NotAsked(_))),
            count(|outcome| matches!(outcome, Outcome::Wrong(_))),
            start.elapsed().as_secs_f64()
        );
        CellResult { cell, outcomes }
    }

    fn run_cases(&self, bench: &Bench, cases: &[&'static Case]) -> Vec<(&'static Case, Outcome)> {
        std::thread::scope(|scope| {
            if self.words.is_empty() {
                let more = if self.is_full { MORE_SIDE_BY_SIDE } else { &[] };
                let queue = std::sync::Mutex::new(SIDE_BY_SIDE.iter().chain(more));
                let queue = std::sync::Arc::new(queue);
                for _ in 0..WORKERS {
                    let queue = queue.clone();
                    scope.spawn(move || {
                        loop {
                            let next = queue.lock().expect("no holder panics").next();
                            let Some(scene) = next else { break };
                            // The cases that need it report what went wrong.
                            let _ = caught(|| scene(bench));
                        }
                    });
                }
            }
            cases.iter().map(|case| (*case, run_case(bench, case))).collect()
        })
    }
}

/// A gap that a case names and `docs/gaps.md` does not.
fn unlisted_gap(install: &Install) -> Option<&'static str> {
    let path = install.root.join("docs/gaps.md");
    let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    crate::cases::all().filter_map(Case::gap_name).find(|gap| !page.contains(&format!("\n| {gap} |")))
}

fn run_case(bench: &Bench, case: &Case) -> Outcome {
    let start = Instant::now();
    let expectation = case.expectation(&bench.cell);
    let outcome = match expectation {
        Expectation::NotAsked(reason) => Outcome::NotAsked(reason),
        Expectation::Passes => caught(|| (case.check)(bench)).map_or_else(Outcome::Wrong, |()| Outcome::Passed),
        Expectation::Fails(gap) => match caught(|| (case.check)(bench)) {
            Ok(()) => Outcome::Wrong(format!("it passes: take the gap {gap} from it and from docs/gaps.md")),
            Err(_) => Outcome::FailedAsKnown(gap),
        },
    };
    let (word, reason) = match &outcome {
        Outcome::Passed => ("ok", String::new()),
        Outcome::FailedAsKnown(gap) => ("gap", format!(": {gap}")),
        Outcome::NotAsked(reason) => ("-", format!(": not asked, {reason}")),
        Outcome::Wrong(problem) => ("WRONG", format!(": {problem}")),
    };
    println!("  {word:<5}  {:5.1} s  {} / {}{reason}", start.elapsed().as_secs_f64(), case.group, case.name);
    outcome
}
