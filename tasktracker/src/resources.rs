//! Memory and processors of this machine, as heartbeats report them (Hadoop 1.2.1: util.LinuxResourceCalculatorPlugin).

use std::fs;
use std::time::{Duration, Instant};

use types::ResourceStatus;

/// Processor use is averaged over at least this long.
const CPU_AVERAGED_OVER: Duration = Duration::from_millis(500);
/// What `/proc/stat` counts in: the kernel's USER_HZ, 100 on every Linux.
const MILLIS_PER_TICK: i64 = 10;

/// Reads the machine.
#[derive(Debug)]
pub(crate) struct Resources {
    map_slot_mb: i64,
    reduce_slot_mb: i64,
    processors: i32,
    frequency_khz: i64,
    last: Option<(Instant, i64)>,
    cpu_usage: f32,
}

impl Resources {
    /// Reads what does not change. The slot sizes are the site's.
    pub(crate) fn new(map_slot_mb: i64, reduce_slot_mb: i64) -> Resources {
        let (processors, frequency_khz) = processors(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default());
        Resources { map_slot_mb, reduce_slot_mb, processors, frequency_khz, last: None, cpu_usage: -1.0 }
    }

    /// Reads what does; `free_space` is that of the local directories.
    pub(crate) fn measure(&mut self, free_space: u64) -> ResourceStatus {
        let memory = Memory::read(&fs::read_to_string("/proc/meminfo").unwrap_or_default());
        let cpu_ms = cpu_millis(&fs::read_to_string("/proc/stat").unwrap_or_default());
        self.average(cpu_ms);
        ResourceStatus {
            total_virtual: memory.total + memory.swap_total,
            total_physical: memory.total,
            available_virtual: memory.available + memory.swap_free,
            available_physical: memory.available,
            map_slot_mb: self.map_slot_mb,
            reduce_slot_mb: self.reduce_slot_mb,
            available_space: i64::try_from(free_space).unwrap_or(i64::MAX),
            cumulative_cpu_ms: cpu_ms,
            cpu_frequency_khz: self.frequency_khz,
            processors: self.processors,
            cpu_usage: self.cpu_usage,
        }
    }

    fn average(&mut self, cpu_ms: i64) {
        let now = Instant::now();
        match self.last {
            Some((at, before)) if now - at >= CPU_AVERAGED_OVER => {
                let elapsed = (now - at).as_millis() as f32 * self.processors.max(1) as f32;
                self.cpu_usage = ((cpu_ms - before) as f32 * 100.0 / elapsed).clamp(0.0, 100.0);
                self.last = Some((now, cpu_ms));
            }
            Some(_) => (),
            None => self.last = Some((now, cpu_ms)),
        }
    }
}

/// Bytes of memory.
#[derive(Debug, PartialEq, Eq)]
struct Memory {
    total: i64,
    available: i64,
    swap_total: i64,
    swap_free: i64,
}

impl Memory {
    /// Of `/proc/meminfo`. Available is what Hadoop counts: free and inactive.
    fn read(text: &str) -> Memory {
        let bytes = |name: &str| {
            let line = text.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')));
            let kb = line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kb| kb.parse::<i64>().ok());
            kb.unwrap_or(0) << 10
        };
        Memory {
            total: bytes("MemTotal"),
            available: bytes("MemFree") + bytes("Inactive"),
            swap_total: bytes("SwapTotal"),
            swap_free: bytes("SwapFree"),
        }
    }
}

/// How many, and the first one's frequency in kHz; -1 where unknown.
fn processors(cpuinfo: &str) -> (i32, i64) {
    let count = cpuinfo.lines().filter(|line| line.starts_with("processor")).count();
    let mhz = cpuinfo.lines().find(|line| line.starts_with("cpu MHz")).and_then(|line| line.split(':').nth(1));
    let khz = mhz.and_then(|mhz| mhz.trim().parse::<f64>().ok()).map_or(-1, |mhz| (mhz * 1000.0) as i64);
    (i32::try_from(count).ok().filter(|count| *count > 0).unwrap_or(-1), khz)
}

/// Time spent in user, nice and system mode since boot.
fn cpu_millis(stat: &str) -> i64 {
    let Some(line) = stat.lines().find(|line| line.starts_with("cpu ")) else { return -1 };
    let ticks = line.split_whitespace().skip(1).take(3).filter_map(|ticks| ticks.parse::<i64>().ok());
    ticks.sum::<i64>() * MILLIS_PER_TICK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_tables() {
        let meminfo = "MemTotal:       1000 kB\nMemFree:         300 kB\nInactive:        200 kB\nInactive(anon):   5 kB\n\
                       SwapTotal:       50 kB\nSwapFree:         40 kB\n";
        let expected = Memory { total: 1000 << 10, available: 500 << 10, swap_total: 50 << 10, swap_free: 40 << 10 };
        assert_eq!(Memory::read(meminfo), expected);
        let cpuinfo = "processor\t: 0\ncpu MHz\t\t: 2399.998\nprocessor\t: 1\ncpu MHz\t\t: 2399.998\n";
        assert_eq!(processors(cpuinfo), (2, 2_399_998));
        assert_eq!(processors(""), (-1, -1));
        assert_eq!(cpu_millis("cpu  10 20 30 4000 5\ncpu0 1 2 3\n"), 600);
        assert_eq!(cpu_millis(""), -1);
    }

    #[test]
    fn measures_this_machine() {
        let status = Resources::new(-1, 512).measure(77);
        assert!(status.total_physical > 0 && status.available_physical <= status.total_physical);
        assert!(status.total_virtual >= status.total_physical);
        assert!(status.cumulative_cpu_ms > 0 && status.processors > 0);
        assert_eq!((status.map_slot_mb, status.reduce_slot_mb, status.available_space), (-1, 512, 77));
    }
}
