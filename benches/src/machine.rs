//! On what, with what and when a bench ran.

use std::fs;
use std::process::Command;

/// One line for the head of a table.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        })
        .unwrap_or_else(|| "unknown processor".to_owned());
    let memory = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| text.lines().next()?.split_whitespace().nth(1)?.parse::<u64>().ok())
        .unwrap_or(0);
    let java = Command::new("java").arg("-version").output().map_or_else(
        |_| "no java".to_owned(),
        |output| String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("java").to_owned(),
    );
    format!(
        "{}: {cores} cores ({model}), {} GiB; Howdah {}; Hadoop 1.2.1 on {java}.",
        chrono::Local::now().format("%Y-%m-%d"),
        memory.div_ceil(1024 * 1024),
        env!("CARGO_PKG_VERSION"),
    )
}

/// Resident memory of a process in MiB.
pub(crate) fn resident_mib(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// CPU seconds that a process has taken so far, its own and the system's for it.
pub(crate) fn cpu_seconds(pid: u32) -> anyhow::Result<f64> {
    /// Of the kernel's clock, to which `/proc` counts on every Linux.
    const TICKS_PER_SECOND: f64 = 100.0;
    let path = format!("/proc/{pid}/stat");
    let text = fs::read_to_string(&path)?;
    // The name in parentheses may hold anything.
    let fields = text.rsplit_once(") ").map(|(_, rest)| rest).unwrap_or_default();
    let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<f64>).sum::<Result<f64, _>>();
    Ok(ticks.map_err(|error| anyhow::anyhow!("{path}: {error}"))? / TICKS_PER_SECOND)
}
