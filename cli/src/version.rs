//! `version`: five lines of which tools read the first (Hadoop 1.2.1: util.VersionInfo).

use crate::console::Console;

/// Prints the version of Hadoop that this speaks, and of this program.
pub(crate) fn print(console: &mut Console<'_>) {
    let program = std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
    console.out("Hadoop 1.2.1");
    console.out("Subversion https://svn.apache.org/repos/asf/hadoop/common/branches/branch-1.2 -r 1503152");
    console.out(format_args!("Spoken by Howdah {}", env!("CARGO_PKG_VERSION")));
    console.out("From source with checksum 6923c86528809c4e7e6f493b6b413a9a");
    console.out(format_args!("This command was run using {program}"));
}
