//! What became of the programs that tests run, for `docs/compatibility.md`: a line in a file each, in
//! `target/compatibility`.

use std::fs;
use std::process::Command;

use super::Install;

/// What kind of program it is: a table of the page each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of those that Hadoop 1.2.1 brings to test a cluster.
    TestProgram,
    /// What people run on clusters.
    Application,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::TestProgram => "test-program",
            Kind::Application => "application",
        }
    }
}

/// A row of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The program and its version.
    pub program: String,
    /// What it did.
    pub work: String,
    /// What was held against what.
    pub proof: String,
    /// `passes`, or another word.
    pub outcome: String,
    /// The day.
    pub day: String,
}

/// Runs a test and records that it passed, or that it did not.
pub fn recorded<T>(
    install: &Install,
    kind: Kind,
    program: &str,
    work: &str,
    proof: &str,
    test: impl FnOnce() -> T,
) -> T {
    let write = |outcome: &str| {
        let folder = install.root.join("target/compatibility");
        let file: String = program.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let path = folder.join(format!("{}-{file}", kind.name()));
        let line = [program, work, proof, outcome, &today()].join("\t");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, line))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    };
    write("FAILS");
    let value = test();
    write("passes");
    value
}

/// The rows of one kind that there are, in the order of their programs' names.
pub fn rows(install: &Install, kind: Kind) -> Vec<Row> {
    let Ok(listing) = fs::read_dir(install.root.join("target/compatibility")) else { return Vec::new() };
    let start = format!("{}-", kind.name());
    let of_kind = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&start);
    let mut rows: Vec<Row> = listing
        .filter_map(Result::ok)
        .filter(of_kind)
        .filter_map(|entry| row(&fs::read_to_string(entry.path()).ok()?))
        .collect();
    rows.sort_by_key(|row| row.program.to_lowercase());
    rows
}

fn row(line: &str) -> Option<Row> {
    let mut words = line.split('\t').map(str::to_owned);
    let mut next = || words.next();
    Some(Row { program: next()?, work: next()?, proof: next()?, outcome: next()?, day: next()? })
}

/// Today's date, as `date` has it.
pub fn today() -> String {
    let output = Command::new("date").args(["-u", "+%Y-%m-%d"]).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}
