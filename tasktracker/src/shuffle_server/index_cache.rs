//! Indexes of map outputs in memory, up to a limit (Hadoop 1.2.1: mapred.IndexCache).

use std::collections::{HashMap, VecDeque};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use hadoop_io::spill_index::{self, INDEX_RECORD_LEN, IndexRecord};
use types::{JobId, TaskAttemptId};

/// The largest index that is believed: two and a half million partitions.
const INDEX_BYTES_MAX: u64 = 64 << 20;

/// Indexes by map attempt; the oldest go first.
#[derive(Debug)]
pub(super) struct IndexCache {
    bytes_max: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    indexes: HashMap<TaskAttemptId, Arc<[IndexRecord]>>,
    order: VecDeque<TaskAttemptId>,
    bytes: usize,
}

impl IndexCache {
    /// A cache of at most so many bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        IndexCache { bytes_max, held: Mutex::default() }
    }

    /// Where a partition lies. The file is looked for and read if the index is not here.
    pub(super) fn record(
        &self,
        map: &TaskAttemptId,
        partition: i32,
        find: impl FnOnce() -> io::Result<PathBuf>,
    ) -> io::Result<IndexRecord> {
        let known = self.lock().indexes.get(map).cloned();
        let index = match known {
            Some(index) => index,
            None => {
                let index: Arc<[IndexRecord]> = load(&find()?)?.into();
                self.lock().put(map, &index, self.bytes_max);
                index
            }
        };
        let record = usize::try_from(partition).ok().and_then(|partition| index.get(partition)).copied();
        record.ok_or_else(|| {
            let text =
                format!("Invalid request  Map Id = {map} Reducer = {partition} Index Info Length = {}", index.len());
            io::Error::new(io::ErrorKind::InvalidInput, text)
        })
    }

    /// Forgets the indexes of a job.
    pub(super) fn forget_job(&self, job: &JobId) {
        let mut held = self.lock();
        let held = &mut *held;
        held.order.retain(|map| {
            let stays = map.job() != job;
            if !stays && let Some(index) = held.indexes.remove(map) {
                held.bytes -= size_of(&index);
            }
            stays
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn put(&mut self, map: &TaskAttemptId, index: &Arc<[IndexRecord]>, bytes_max: usize) {
        let size = size_of(index);
        if size > bytes_max || self.indexes.insert(map.clone(), Arc::clone(index)).is_some() {
            return;
        }
        self.order.push_back(map.clone());
        self.bytes += size;
        while self.bytes > bytes_max {
            let Some(oldest) = self.order.pop_front() else { break };
            if let Some(index) = self.indexes.remove(&oldest) {
                self.bytes -= size_of(&index);
            }
        }
    }
}

fn size_of(index: &[IndexRecord]) -> usize {
    index.len() * INDEX_RECORD_LEN
}

fn load(path: &std::path::Path) -> io::Result<Vec<IndexRecord>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(INDEX_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INDEX_BYTES_MAX {
        let text = format!("{} has more than {INDEX_BYTES_MAX} bytes", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    let broken = |error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()));
    spill_index::decode(&bytes).map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(number: i32) -> TaskAttemptId {
        JobId::new("1", 1).task(types::TaskKind::Map, number).attempt(0)
    }

    #[test]
    fn indexes_are_read_once_and_the_oldest_go() {
        let root = tempfile::tempdir().unwrap();
        let record = IndexRecord { start: 5, raw_len: 6, part_len: 7 };
        let path = root.path().join("file.out.index");
        std::fs::write(&path, spill_index::encode(&[record, record])).unwrap();
        let cache = IndexCache::new(2 * 2 * INDEX_RECORD_LEN);
        let ask = |number, partition| cache.record(&map(number), partition, || Ok(path.clone()));
        let known = |number| cache.record(&map(number), 0, || Err(io::Error::other("asked for the file"))).is_ok();
        for number in 0..3 {
            assert_eq!(ask(number, 1).unwrap(), record);
        }
        assert!(!known(0) && known(1) && known(2));
        for partition in [-1, 2] {
            let error = ask(1, partition).unwrap_err().to_string();
            assert!(error.starts_with("Invalid request  Map Id = attempt_1_0001_m_000001_0 Reducer = "), "{error}");
        }
        cache.forget_job(&JobId::new("1", 1));
        assert!(!known(1) && !known(2));
        assert_eq!(cache.lock().bytes, 0);
    }

    #[test]
    fn a_broken_index_is_an_error_and_not_remembered() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("file.out.index");
        std::fs::write(&path, [1; 32]).unwrap();
        let cache = IndexCache::new(1 << 20);
        assert!(cache.record(&map(0), 0, || Ok(path.clone())).is_err());
        std::fs::write(&path, spill_index::encode(&[IndexRecord::default()])).unwrap();
        assert!(cache.record(&map(0), 0, || Ok(path.clone())).is_ok());
    }
}
