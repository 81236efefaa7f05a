//! Merges of many segments give all records in order, whatever the passes.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::*;

struct Bytes;

impl RawComparator for Bytes {
    fn sort(&self, a: &[u8], b: &[u8]) -> Ordering {
        a.cmp(b)
    }

    fn prefix(&self, key: &[u8]) -> u64 {
        key.first().copied().unwrap_or(0).into()
    }
}

fn settings(dir: &std::path::Path, factor: usize) -> (Settings, CounterHandle, CounterHandle) {
    let reporter = Reporter::new();
    let (reads, writes) = (reporter.counter("g", "reads"), reporter.counter("g", "writes"));
    let local = Arc::new(storage::LocalFileSystem::new());
    let settings = Settings {
        comparator: Arc::new(Bytes),
        disks: Disks::new(vec![dir.to_path_buf()], local),
        codec: None,
        factor,
        temporary: "temporary".to_owned(),
        reporter,
        disk_reads: Some(reads.clone()),
        disk_writes: Some(writes.clone()),
    };
    (settings, reads, writes)
}

fn segment(settings: &Settings, number: usize, keys: &[u16]) -> Segment {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    let mut writer = ifile::Writer::new(Vec::new(), None);
    for key in keys {
        writer.append(&key.to_be_bytes(), &[number as u8]).unwrap();
    }
    let (bytes, written) = writer.finish().unwrap();
    if number.is_multiple_of(2) {
        let records = bytes[..bytes.len() - 4].to_vec();
        return Segment::new(Source::Memory(records, None), written.raw_len, written.raw_len);
    }
    let path = settings.disks.for_write(&format!("segment{number}"), 0).unwrap();
    std::fs::write(&path, bytes).unwrap();
    Segment::new(Source::Disk { path, offset: 0, delete: true }, written.part_len, written.raw_len)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn all_records_come_out_in_order(
        runs in proptest::collection::vec(proptest::collection::vec(0u16..50, 0..30), 0..25),
        factor in 2usize..12,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let (settings, _, _) = settings(dir.path(), factor);
        let segments = runs.iter().enumerate().map(|(at, keys)| segment(&settings, at, keys)).collect();
        let mut stream = merge(segments, 0, settings).unwrap();
        let mut found = Vec::new();
        while stream.next().unwrap() {
            found.push(u16::from_be_bytes(stream.key().try_into().unwrap()));
        }
        let mut expected: Vec<u16> = runs.concat();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
        prop_assert!((stream.progress() - 1.0).abs() < 0.01 || runs.concat().is_empty());
    }
}

/// Five files by a factor of three: one pass of three, then the last with three.
#[test]
fn records_of_intermediate_passes_count_and_their_files_go() {
    let dir = tempfile::tempdir().unwrap();
    let (settings, reads, writes) = settings(dir.path(), 3);
    let segments = (0..5).map(|at| segment(&settings, 2 * at + 1, &[1, 2])).collect();
    let mut stream = merge(segments, 0, settings).unwrap();
    assert_eq!(writes.get(), 6);
    assert_eq!(reads.get(), 6);
    while stream.next().unwrap() {}
    assert_eq!(reads.get(), 16);
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["temporary"]);
    assert_eq!(std::fs::read_dir(dir.path().join("temporary")).unwrap().count(), 0);
}
