//! Reads `/proc` (Hadoop 1.2.1: util.ProcfsBasedProcessTree.constructProcessInfo, getCmdLine).

use std::fs;
use std::io::Read;
use std::path::Path;

use nix::unistd::{SysconfVar, sysconf};
use tasktracker_core::{Process, ProcessTable};

/// So much of a process's arguments is told; a class path can be longer than all the rest of a report.
const COMMAND_LINE_BYTES_MAX: u64 = 4096;

/// These processes and all below them, as they are now.
pub(crate) fn read(roots: &[i32]) -> ProcessTable {
    read_from(Path::new("/proc"), roots)
}

fn read_from(proc: &Path, roots: &[i32]) -> ProcessTable {
    let ticks = system(SysconfVar::CLK_TCK, 100);
    let entries = fs::read_dir(proc).into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // A process that ends meanwhile is not there any more.
    let all = pids.filter_map(|pid| parse(&fs::read_to_string(proc.join(format!("{pid}/stat"))).ok()?, ticks));
    let mut table = ProcessTable::new(all, system(SysconfVar::PAGE_SIZE, 4096));
    let kept = table.below(roots);
    table.keep(&kept, |pid| command_line(&proc.join(format!("{pid}/cmdline"))));
    table
}

fn system(variable: SysconfVar, otherwise: u64) -> u64 {
    let value = sysconf(variable).ok().flatten().and_then(|value| u64::try_from(value).ok());
    value.filter(|value| *value > 0).unwrap_or(otherwise)
}

/// A line of `stat`. The name stands in parentheses and may hold anything; the rest are numbers from field 4 on.
fn parse(stat: &str, ticks_per_second: u64) -> Option<Process> {
    let (pid, rest) = stat.split_once(" (")?;
    let (name, rest) = rest.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    let id = |number| field(number)?.parse::<i32>().ok();
    let count = |number| field(number)?.parse::<u64>().ok();
    let millis = |number| Some(count(number)?.saturating_mul(1000) / ticks_per_second);
    Some(Process {
        pid: pid.parse().ok()?,
        parent: id(4)?,
        group: id(5)?,
        session: id(6)?,
        name: name.to_owned(),
        started: count(22)?,
        user_ms: millis(14)?,
        system_ms: millis(15)?,
        virtual_bytes: count(23)?,
        resident_pages: count(24)?,
        command_line: String::new(),
    })
}

fn command_line(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(COMMAND_LINE_BYTES_MAX).read_to_end(&mut bytes));
    if read.is_err() {
        return String::new();
    }
    let words = bytes.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_behind_any_name() {
        let stat = "7 (a) b) S 1 8 9 0 -1 4194304 100 0 0 0 50 60 7 8 20 0 1 0 777 8192 3 18446744073709551615 1 1";
        let process = parse(stat, 100).unwrap();
        assert_eq!((process.pid, process.parent, process.group, process.session), (7, 1, 8, 9));
        assert_eq!((process.name.as_str(), process.started), ("a) b", 777));
        assert_eq!((process.user_ms, process.system_ms), (500, 600));
        assert_eq!((process.virtual_bytes, process.resident_pages), (8192, 3));
        assert_eq!(parse("7 (a", 100), None);
    }

    #[test]
    fn this_test_and_its_child_are_a_tree() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let (own, below) = (std::process::id() as i32, child.id() as i32);
        let table = read(&[own]);
        assert_eq!(table.below(&[below]), [below].into());
        assert!(table.below(&[own]).contains(&below));
        assert_eq!(read(&[below]).below(&[own]), [].into(), "what is not below a root is left out");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn arguments_are_words() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"java\0-cp\0/a b\0").unwrap();
        assert_eq!(command_line(file.path()), "java -cp /a b");
        assert_eq!(command_line(Path::new("/no/such/file")), "");
    }
}
