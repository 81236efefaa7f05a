//! How much memory this process uses, for cluster status and pages.

/// Bytes that are resident now, and bytes that the machine has: where a JVM would tell its heap.
pub(crate) fn used_and_most() -> (i64, i64) {
    (resident().unwrap_or(0), machine().unwrap_or(0))
}

fn resident() -> Option<i64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

fn machine() -> Option<i64> {
    kilobytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The value of a line `NAME: 123 kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<i64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<i64>().ok().map(|kb| kb << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_some_of_the_machines_memory() {
        let (used, most) = used_and_most();
        assert!(1 << 20 < used && used < most, "{used} of {most}");
        assert_eq!(kilobytes("A: 1 kB\nVmRSS:\t  12 kB\n", "VmRSS:"), Some(12 << 10));
    }
}
