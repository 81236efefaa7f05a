//! The distributed cache, and what streaming promises to scripts.

use crate::case::Case;

const CACHE: &str = "cache";
const STREAMING: &str = "streaming";

pub(super) const CASES: &[Case] = &[
    Case::core(CACHE, "a cached file stands in the working directory", |bench| {
        assert_eq!(bench.streamed().told("cached"), ["from the cache"; 2]);
    }),
    Case::core(CACHE, "a cached file has the name of its fragment", |bench| {
        assert_eq!(bench.streamed().told("renamed"), ["under another name"; 2]);
    }),
    Case::core(CACHE, "a cached archive is unpacked", |bench| {
        assert_eq!(bench.streamed().told("archived"), ["from the archive"; 2]);
    }),
    Case::core(STREAMING, "a script finds the job's keys in its environment", |bench| {
        let scene = bench.streamed();
        let mut attempts = scene.told("attempt");
        attempts.sort_unstable();
        let attempt = |number: i32| format!("{}_m_{number:06}_0", scene.ran.id.to_string().replace("job_", "attempt_"));
        assert_eq!(attempts, [attempt(0), attempt(1)]);
        assert_eq!(scene.told("job name"), ["streamed"; 2]);
        assert_eq!(scene.told("user key"), ["its value"; 2]);
        let mut partitions = scene.told("partition");
        partitions.sort_unstable();
        assert_eq!(partitions, ["0", "1"]);
        assert!(scene.told("input file").iter().all(|file| file.contains("/in/streamed/")));
    }),
    Case::core(STREAMING, "a script finds the variables of the command line", |bench| {
        assert_eq!(bench.streamed().told("given"), ["by-the-command"; 2]);
    }),
    Case::core(STREAMING, "a script counts by a line of standard error", |bench| {
        assert_eq!(bench.streamed().ran.job(bench).counter("Mine", "lines"), Some(14));
    }),
    Case::core(STREAMING, "a script has a folder for temporary files", |bench| {
        assert_eq!(bench.streamed().told("temporary folder"), ["there"; 2]);
    }),
];
