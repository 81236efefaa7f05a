//! Files in memory, for tests: the same rules as on disk, no checksums, and a fault can be set for a path.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Result;
use crate::error::StorageError;
use crate::file_system::{CreateOptions, FileStatus, FileSystem, Input, Output, Statistics};
use crate::path::Path;

#[derive(Debug, Clone)]
struct Node {
    /// Missing for a directory.
    bytes: Option<Arc<Vec<u8>>>,
    mode: u32,
    owner: String,
    group: String,
    modified_ms: i64,
    accessed_ms: i64,
}

#[derive(Debug, Default)]
struct State {
    /// By path without a trailing slash; the root is not kept.
    nodes: BTreeMap<String, Node>,
    failing: BTreeSet<String>,
}

/// A file system in memory; clones share it.
#[derive(Debug, Clone)]
pub struct MemoryFileSystem {
    state: Arc<Mutex<State>>,
    statistics: Arc<Statistics>,
    block_size: u64,
    hosts: Vec<String>,
}

impl Default for MemoryFileSystem {
    fn default() -> Self {
        MemoryFileSystem {
            state: Arc::default(),
            statistics: Arc::default(),
            block_size: 64 << 20,
            hosts: vec!["localhost".to_owned()],
        }
    }
}

impl MemoryFileSystem {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same files in blocks of another size on other hosts.
    pub fn with_blocks(&self, block_size: u64, hosts: &[&str]) -> Self {
        MemoryFileSystem { block_size, hosts: hosts.iter().map(|host| (*host).to_owned()).collect(), ..self.clone() }
    }

    /// Makes every later open or creation of this path fail, or no longer.
    pub fn set_failing(&self, path: &Path, fails: bool) {
        let mut state = self.lock();
        match fails {
            true => state.failing.insert(path.path().to_owned()),
            false => state.failing.remove(path.path()),
        };
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key(&self, path: &Path) -> String {
        self.qualify(path).path().trim_end_matches('/').to_owned()
    }

    fn status_of(&self, key: &str, node: &Node) -> FileStatus {
        FileStatus {
            path: self.qualify(&Path::local(format!("/{key}")).without_scheme()),
            length: node.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
            is_dir: node.bytes.is_none(),
            replication: 1,
            block_size: self.block_size,
            modified_ms: node.modified_ms,
            accessed_ms: node.accessed_ms,
            mode: node.mode,
            owner: node.owner.clone(),
            group: node.group.clone(),
        }
    }

    fn change(&self, path: &Path, change: impl FnOnce(&mut Node)) -> Result<()> {
        match self.lock().nodes.get_mut(&self.key(path)) {
            Some(node) => {
                change(node);
                Ok(())
            }
            None => Err(StorageError::NotFound { path: path.clone() }),
        }
    }

    fn start_output(&self, path: &Path, bytes: Vec<u8>) -> Box<dyn Output> {
        let (state, statistics) = (self.state.clone(), self.statistics.clone());
        Box::new(MemoryOutput { state, statistics, key: self.key(path), bytes })
    }
}

fn new_node(bytes: Option<Vec<u8>>, mode: u32) -> Node {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let (owner, group) = ("memory".to_owned(), "memory".to_owned());
    Node { bytes: bytes.map(Arc::new), mode, owner, group, modified_ms: now, accessed_ms: now }
}

fn parent_of(key: &str) -> &str {
    key.rfind('/').map_or("", |at| &key[..at])
}

impl State {
    fn is_dir(&self, key: &str) -> bool {
        key.is_empty() || self.nodes.get(key).is_some_and(|node| node.bytes.is_none())
    }

    /// Makes a directory and those above it; false if a file is in the way.
    fn make_dirs(&mut self, key: &str) -> bool {
        if self.is_dir(key) {
            return true;
        }
        if self.nodes.contains_key(key) || !self.make_dirs(parent_of(key)) {
            return false;
        }
        self.nodes.insert(key.to_owned(), new_node(None, 0o755));
        true
    }

    /// The keys below a directory.
    fn below(&self, key: &str) -> Vec<String> {
        let head = format!("{key}/");
        let inner = self.nodes.range(head.clone()..).take_while(|(name, _)| name.starts_with(&head));
        inner.map(|(name, _)| name.clone()).collect()
    }
}

/// A file being written; each flush shows what is there so far.
struct MemoryOutput {
    state: Arc<Mutex<State>>,
    statistics: Arc<Statistics>,
    key: String,
    bytes: Vec<u8>,
}

impl Write for MemoryOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        self.statistics.add_written(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.nodes.get_mut(&self.key) {
            Some(node) => {
                node.bytes = Some(Arc::new(self.bytes.clone()));
                Ok(())
            }
            None => Err(io::Error::new(io::ErrorKind::NotFound, "the file was deleted while it was written")),
        }
    }
}

impl Output for MemoryOutput {
    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl FileSystem for MemoryFileSystem {
    fn root(&self) -> Path {
        Path::local("/").with_scheme("memory")
    }

    fn working_directory(&self) -> Path {
        self.root()
    }

    fn home_directory(&self) -> Path {
        self.root()
    }

    fn open(&self, path: &Path) -> Result<Box<dyn Input>> {
        let key = self.key(path);
        let state = self.lock();
        if state.failing.contains(path.path()) {
            let source = io::Error::other("a fault set by a test");
            return Err(StorageError::Io { path: path.clone(), operation: "open", source });
        }
        match state.nodes.get(&key).map(|node| &node.bytes) {
            Some(Some(bytes)) => {
                self.statistics.add_read(bytes.len() as u64);
                Ok(Box::new(Cursor::new(bytes.to_vec())))
            }
            Some(None) => Err(StorageError::IsADirectory { path: path.clone() }),
            None => Err(StorageError::NotFound { path: path.clone() }),
        }
    }

    fn create(&self, path: &Path, options: CreateOptions) -> Result<Box<dyn Output>> {
        let key = self.key(path);
        let mut state = self.lock();
        if state.failing.contains(path.path()) {
            let source = io::Error::other("a fault set by a test");
            return Err(StorageError::Io { path: path.clone(), operation: "create", source });
        }
        if state.is_dir(&key) {
            return Err(StorageError::IsADirectory { path: path.clone() });
        }
        if !options.overwrite && state.nodes.contains_key(&key) {
            return Err(StorageError::AlreadyExists { path: path.clone() });
        }
        if !state.make_dirs(parent_of(&key)) {
            return Err(StorageError::NotADirectory { path: path.clone() });
        }
        state.nodes.insert(key, new_node(Some(Vec::new()), options.mode.unwrap_or(0o644)));
        drop(state);
        Ok(self.start_output(path, Vec::new()))
    }

    fn append(&self, path: &Path) -> Result<Box<dyn Output>> {
        let key = self.key(path);
        let state = self.lock();
        match state.nodes.get(&key).and_then(|node| node.bytes.clone()) {
            Some(bytes) => {
                drop(state);
                Ok(self.start_output(path, bytes.to_vec()))
            }
            None => Err(StorageError::NotFound { path: path.clone() }),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let (source, mut target) = (self.key(from), self.key(to));
        let mut state = self.lock();
        if !state.nodes.contains_key(&source) {
            return Err(StorageError::NotFound { path: from.clone() });
        }
        if source != target && state.is_dir(&target) {
            target = format!("{target}/{}", from.name());
        }
        let mut moved = state.below(&source);
        moved.push(source.clone());
        if target.starts_with(&format!("{source}/")) || !state.is_dir(parent_of(&target)) {
            return Err(StorageError::NotFound { path: to.clone() });
        }
        for key in moved {
            if let Some(node) = state.nodes.remove(&key) {
                state.nodes.insert(format!("{target}{}", &key[source.len()..]), node);
            }
        }
        Ok(())
    }

    fn delete(&self, path: &Path, recursive: bool) -> Result<bool> {
        let key = self.key(path);
        let mut state = self.lock();
        let below = state.below(&key);
        if !below.is_empty() && !recursive {
            return Err(StorageError::NotEmpty { path: path.clone() });
        }
        for inner in below {
            state.nodes.remove(&inner);
        }
        Ok(state.nodes.remove(&key).is_some())
    }

    fn mkdirs(&self, path: &Path, mode: Option<u32>) -> Result<()> {
        let key = self.key(path);
        let mut state = self.lock();
        if !state.make_dirs(&key) {
            return Err(StorageError::NotADirectory { path: path.clone() });
        }
        if let (Some(node), Some(mode)) = (state.nodes.get_mut(&key), mode) {
            node.mode = mode;
        }
        Ok(())
    }

    fn status(&self, path: &Path) -> Result<FileStatus> {
        let key = self.key(path);
        if key.is_empty() {
            return Ok(self.status_of("", &new_node(None, 0o755)));
        }
        match self.lock().nodes.get(&key) {
            Some(node) => Ok(self.status_of(&key, node)),
            None => Err(StorageError::NotFound { path: path.clone() }),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<FileStatus>> {
        let own = self.status(path)?;
        if !own.is_dir {
            return Ok(vec![own]);
        }
        let key = self.key(path);
        let state = self.lock();
        let inner = state.below(&key).into_iter().filter(|name| parent_of(name) == key);
        Ok(inner.filter_map(|name| Some(self.status_of(&name, state.nodes.get(&name)?))).collect())
    }

    fn set_permission(&self, path: &Path, mode: u32) -> Result<()> {
        self.change(path, |node| node.mode = mode)
    }

    fn set_times(&self, path: &Path, modified_ms: Option<i64>, accessed_ms: Option<i64>) -> Result<()> {
        self.change(path, |node| {
            node.modified_ms = modified_ms.unwrap_or(node.modified_ms);
            node.accessed_ms = accessed_ms.unwrap_or(node.accessed_ms);
        })
    }

    fn set_owner(&self, path: &Path, owner: Option<&str>, group: Option<&str>) -> Result<()> {
        self.change(path, |node| {
            node.owner = owner.map_or_else(|| node.owner.clone(), str::to_owned);
            node.group = group.map_or_else(|| node.group.clone(), str::to_owned);
        })
    }

    fn block_locations(
        &self,
        status: &FileStatus,
        start: u64,
        length: u64,
    ) -> Result<Vec<crate::file_system::BlockLocation>> {
        let end = status.length.min(start.saturating_add(length));
        let size = self.block_size.max(1);
        let blocks = (start / size..end.div_ceil(size)).map(|number| crate::file_system::BlockLocation {
            hosts: self.hosts.clone(),
            offset: number * size,
            length: size.min(status.length - number * size),
        });
        Ok(blocks.collect())
    }

    fn default_block_size(&self) -> u64 {
        self.block_size
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        Path::parse(text).unwrap()
    }

    #[test]
    fn keeps_the_rules_of_a_disk() {
        let memory = MemoryFileSystem::new();
        memory.write_all(&path("/a/b"), b"12345", CreateOptions::EXCLUSIVE).unwrap();
        assert!(memory.write_all(&path("/a/b/c"), b"", CreateOptions::EXCLUSIVE).is_err());
        assert!(memory.write_all(&path("/a/b"), b"", CreateOptions::EXCLUSIVE).is_err());
        assert!(memory.delete(&path("/a"), false).is_err());
        memory.mkdirs(&path("/d"), Some(0o700)).unwrap();
        memory.rename(&path("/a"), &path("/d")).unwrap();
        assert_eq!(memory.read_to_vec(&path("memory:/d/a/b"), 10).unwrap(), b"12345");
        assert_eq!(memory.list(&path("/")).unwrap().len(), 1);
        assert_eq!(memory.status(&path("/d")).unwrap().mode, 0o700);
        let mut output = memory.append(&path("/d/a/b")).unwrap();
        output.write_all(b"6").unwrap();
        output.close().unwrap();
        assert_eq!(memory.status(&path("/d/a/b")).unwrap().length, 6);
        memory.set_failing(&path("/d/a/b"), true);
        assert!(memory.open(&path("/d/a/b")).is_err());
        assert!(memory.delete(&path("/d"), true).unwrap());
        assert!(memory.list(&path("/")).unwrap().is_empty());
    }

    #[test]
    fn blocks_lie_where_they_were_put() {
        let memory = MemoryFileSystem::new().with_blocks(10, &["h1", "h2"]);
        memory.write_all(&path("/a"), &[0; 25], CreateOptions::EXCLUSIVE).unwrap();
        let status = memory.status(&path("/a")).unwrap();
        let blocks = memory.block_locations(&status, 12, 100).unwrap();
        let spans: Vec<_> = blocks.iter().map(|block| (block.offset, block.length)).collect();
        assert_eq!(spans, [(10, 10), (20, 5)]);
        assert_eq!(blocks[0].hosts, ["h1", "h2"]);
    }
}
