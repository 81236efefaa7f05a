//! What the kernel says of this process: processor time and memory (Hadoop 1.2.1: util.ProcfsBasedProcessTree).

/// Readings of `/proc/self/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    /// Processor time in milliseconds, that of ended children included.
    pub(crate) cpu_ms: i64,
    /// Resident bytes.
    pub(crate) resident: i64,
    /// Virtual bytes.
    pub(crate) virtual_size: i64,
}

/// This process now; zeros where there is no `/proc`.
pub(crate) fn usage() -> Usage {
    std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| parse(&stat)).unwrap_or_default()
}

fn parse(stat: &str) -> Option<Usage> {
    // The name stands in parentheses and may hold anything; the rest are numbers from field 3 on.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<i64>().ok();
    let ticks = field(14)? + field(15)? + field(16)? + field(17)?;
    let per_second = system(nix::unistd::SysconfVar::CLK_TCK, 100);
    let page_len = system(nix::unistd::SysconfVar::PAGE_SIZE, 4096);
    Some(Usage { cpu_ms: ticks * 1000 / per_second, virtual_size: field(23)?, resident: field(24)? * page_len })
}

fn system(variable: nix::unistd::SysconfVar, otherwise: i64) -> i64 {
    nix::unistd::sysconf(variable).ok().flatten().filter(|value| *value > 0).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_behind_any_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 5 6 7 8 20 0 1 0 100 8192 3 18446744073709551615 1 1";
        let page_len = system(nix::unistd::SysconfVar::PAGE_SIZE, 4096);
        let usage = parse(stat).unwrap();
        assert_eq!((usage.virtual_size, usage.resident), (8192, 3 * page_len));
        assert_eq!(usage.cpu_ms, 26 * 1000 / system(nix::unistd::SysconfVar::CLK_TCK, 100));
        assert!(super::usage().resident > 0);
    }
}
