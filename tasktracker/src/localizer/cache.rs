//! The distributed cache of this machine: one copy of each file for all who may see it (Hadoop 1.2.1:
//! filecache.TrackerDistributedCacheManager).

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use configuration::{Configuration, keys};
use storage::Storage;
use types::JobId;

use super::cache_list::CacheEntry;
use super::error::LocalizeError;
use super::{Deletion, LocalDirs, Result, archive, files, layout};
use crate::launch_spec::{ResourceKind, Visibility};

/// Files of the cache; private ones are protected by their user's folder.
const MODE_FILE: u32 = 0o755;

/// What two wishes must have in common to share a copy.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct CacheKey {
    kind: ResourceKind,
    relative: PathBuf,
    timestamp: i64,
    /// Nobody for the public cache.
    user: Option<String>,
}

#[derive(Debug, Default)]
struct Copy {
    state: Mutex<CopyState>,
}

#[derive(Debug, Default)]
struct CopyState {
    /// The file, or the folder of an archive, once it is here.
    path: Option<PathBuf>,
}

#[derive(Debug)]
struct Held {
    copy: Arc<Copy>,
    jobs: BTreeSet<JobId>,
    /// The local directory and the folder in it, which holds nothing else.
    place: Option<(PathBuf, PathBuf)>,
    size: u64,
    last_used: u64,
}

/// The copies that are here.
#[derive(Debug)]
pub(super) struct Cache {
    dirs: Arc<LocalDirs>,
    deletion: Arc<Deletion>,
    held: Mutex<HashMap<CacheKey, Held>>,
    clock: AtomicU64,
    limits: Limits,
}

#[derive(Debug, Clone, Copy)]
struct Limits {
    bytes: u64,
    folders: usize,
    keep: f64,
}

impl Cache {
    /// An empty cache with the limits of the configuration.
    pub(super) fn new(conf: &Configuration, dirs: Arc<LocalDirs>, deletion: Arc<Deletion>) -> Result<Self> {
        let limits = Limits {
            bytes: u64::try_from(conf.get(&keys::LOCAL_CACHE_SIZE)?).unwrap_or(0),
            folders: usize::try_from(conf.get(&keys::MAPREDUCE_TASKTRACKER_LOCAL_CACHE_NUMBERDIRECTORIES)?)
                .unwrap_or(0),
            keep: f64::from(conf.get(&keys::MAPREDUCE_TASKTRACKER_CACHE_LOCAL_KEEP_PCT)?),
        };
        Ok(Cache { dirs, deletion, held: Mutex::default(), clock: AtomicU64::new(0), limits })
    }

    /// Brings one entry here, unless it is here already, and holds it for the job.
    pub(super) fn obtain(&self, storage: &Storage, entry: &CacheEntry, user: &str, job: &JobId) -> Result<PathBuf> {
        let key = CacheKey {
            kind: entry.kind,
            relative: relative(storage, &entry.path),
            timestamp: entry.timestamp,
            user: (entry.visibility != Visibility::Public).then(|| user.to_owned()),
        };
        let copy = self.hold(&key, job);
        // Only those who want this very file wait for it.
        let mut state = copy.state.lock().unwrap_or_else(PoisonError::into_inner);
        check_timestamp(storage, entry)?;
        if let Some(path) = &state.path {
            return Ok(path.clone());
        }
        let here = self.download(storage, entry, &key)?;
        if let Some(held) = self.lock().get_mut(&key) {
            held.size = files::disk_use(&here.root.join(&here.folder));
            held.place = Some((here.root, here.folder));
        }
        state.path = Some(here.path.clone());
        drop(state);
        self.evict();
        Ok(here.path)
    }

    /// Gives back all that a job holds. The copies stay for the next job.
    pub(super) fn release(&self, job: &JobId) {
        let mut held = self.lock();
        for entry in held.values_mut() {
            entry.jobs.remove(job);
        }
        // What never came is no copy.
        held.retain(|_, entry| entry.place.is_some() || !entry.jobs.is_empty());
        drop(held);
        self.evict();
    }

    /// Forgets everything; the files are deleted with the folders that they are in.
    pub(super) fn forget_all(&self) {
        self.lock().clear();
    }

    /// Forgets the copies in these local directories.
    pub(super) fn forget_below(&self, lost: &[PathBuf]) {
        self.lock().retain(|_, held| held.place.as_ref().is_none_or(|(root, _)| !lost.contains(root)));
    }

    fn hold(&self, key: &CacheKey, job: &JobId) -> Arc<Copy> {
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        let mut held = self.lock();
        let entry = held.entry(key.clone()).or_insert_with(|| Held {
            copy: Arc::default(),
            jobs: BTreeSet::new(),
            place: None,
            size: 0,
            last_used: now,
        });
        entry.jobs.insert(job.clone());
        entry.last_used = now;
        Arc::clone(&entry.copy)
    }

    fn download(&self, storage: &Storage, entry: &CacheEntry, key: &CacheKey) -> Result<Here> {
        let base = layout::cache_dir(key.user.as_deref());
        let folder = base.join(folder_name(entry));
        let size = size_of(storage, &entry.path)?;
        let place = self.dirs.place(&folder, size).map_err(LocalizeError::local("find room for", &folder))?;
        let root = self.root_of(&place)?;
        let target = place.join(&key.relative);
        let outcome = match entry.kind {
            ResourceKind::File => fetch_file(storage, entry, &target),
            ResourceKind::Archive => fetch_archive(storage, entry, &target),
        };
        if let Err(error) = outcome {
            self.deletion.delete(&root, &place);
            return Err(error);
        }
        tracing::info!(uri = entry.uri, path = %target.display(), "cached");
        Ok(Here { root, folder, path: target })
    }

    fn root_of(&self, place: &Path) -> Result<PathBuf> {
        let root = self.dirs.all().iter().find(|root| place.starts_with(root)).cloned();
        root.ok_or_else(|| {
            LocalizeError::local("find the local directory of", place)(std::io::ErrorKind::NotFound.into())
        })
    }

    /// In each local directory that holds too much, deletes what no job holds, the longest unused first
    /// (TrackerDistributedCacheManager.CleanupThread, BaseDirManager.checkAndCleanup).
    fn evict(&self) {
        let mut held = self.lock();
        for root in self.dirs.all().iter() {
            let mut here: Vec<_> = held
                .iter()
                .filter(|(_, entry)| entry.place.as_ref().is_some_and(|(of, _)| of == root))
                .map(|(key, entry)| (entry.last_used, key.clone(), entry.size, entry.jobs.is_empty()))
                .collect();
            let mut bytes: u64 = here.iter().map(|(_, _, size, _)| size).sum();
            let mut folders = here.len();
            if bytes <= self.limits.bytes && folders <= self.limits.folders {
                continue;
            }
            let keep_bytes = (self.limits.bytes as f64 * self.limits.keep) as u64;
            let keep_folders = (self.limits.folders as f64 * self.limits.keep) as usize;
            here.sort_unstable();
            for (_, key, size, free) in here {
                if bytes <= keep_bytes && folders <= keep_folders {
                    break;
                }
                if free && let Some((root, folder)) = held.remove(&key).and_then(|entry| entry.place) {
                    self.deletion.delete(&root, &root.join(folder));
                    bytes -= size;
                    folders -= 1;
                }
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<CacheKey, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Brings one entry to a place that nobody else uses, for one job alone.
pub(super) fn fetch_entry(storage: &Storage, entry: &CacheEntry, target: &Path) -> Result<()> {
    check_timestamp(storage, entry)?;
    match entry.kind {
        ResourceKind::File => fetch_file(storage, entry, target),
        ResourceKind::Archive => fetch_archive(storage, entry, target),
    }
}

/// A folder for one entry, and the entry's place in it.
pub(super) fn folder_for(storage: &Storage, entry: &CacheEntry) -> PathBuf {
    folder_name(entry).join(relative(storage, &entry.path))
}

/// The bytes of an entry, before it is brought here.
pub(super) fn size_of_entry(storage: &Storage, entry: &CacheEntry) -> Result<u64> {
    size_of(storage, &entry.path)
}

/// A new name in the form of Hadoop's.
fn folder_name(entry: &CacheEntry) -> PathBuf {
    let number = fastrand::u64(..) >> 1;
    format!("{number}_{}_{}", java_hash(&entry.uri), entry.timestamp.rem_euclid(0x7fff_ffff)).into()
}

/// A copy that has just come.
struct Here {
    root: PathBuf,
    folder: PathBuf,
    path: PathBuf,
}

/// Host and path of a file, as a path below the cache's folder (TrackerDistributedCacheManager.makeRelative).
fn relative(storage: &Storage, path: &storage::Path) -> PathBuf {
    let qualified = storage.qualify(path).unwrap_or_else(|_| path.clone());
    let host = qualified.authority().map(|authority| authority.split(':').next().unwrap_or(authority));
    let first = host.filter(|host| layout::is_plain_name(host)).or(qualified.scheme()).unwrap_or("file");
    let mut relative = PathBuf::from(first);
    // A parsed path has no `..` left, except where it would climb above the root.
    relative.extend(qualified.path().split('/').filter(|part| layout::is_plain_name(part)));
    relative
}

fn check_timestamp(storage: &Storage, entry: &CacheEntry) -> Result<()> {
    let status = storage.for_path(&entry.path).and_then(|system| system.status(&entry.path));
    let now_ms = status.map_err(|source| LocalizeError::Fetch { what: entry.uri.clone(), source })?.modified_ms;
    if now_ms == entry.timestamp {
        return Ok(());
    }
    Err(LocalizeError::Changed { uri: entry.uri.clone(), submitted_ms: entry.timestamp, now_ms })
}

fn size_of(storage: &Storage, path: &storage::Path) -> Result<u64> {
    let status = storage.for_path(path).and_then(|system| system.status(path));
    Ok(status.map_err(|source| LocalizeError::Fetch { what: path.to_string(), source })?.length)
}

/// Copies a file, or a directory with all in it, into a folder of its own that then gets its name.
fn fetch_file(storage: &Storage, entry: &CacheEntry, target: &Path) -> Result<()> {
    let folder = target.parent().unwrap_or(target);
    let work = begin(folder)?;
    let name = target.file_name().unwrap_or_default();
    fetch_all(storage, &entry.path, &work.join(name))?;
    // It may have changed while it was copied.
    check_timestamp(storage, entry)?;
    fs::rename(&work, folder).map_err(LocalizeError::local("rename a new cache file to", folder))
}

/// Copies an archive into the folder that gets its name, and unpacks it there.
fn fetch_archive(storage: &Storage, entry: &CacheEntry, target: &Path) -> Result<()> {
    let work = begin(target)?;
    let archive = work.join(target.file_name().unwrap_or_default());
    fetch_all(storage, &entry.path, &archive)?;
    check_timestamp(storage, entry)?;
    archive::unpack_by_name(&archive, &work)?;
    files::add_mode(&work, 0o555)?;
    fs::rename(&work, target).map_err(LocalizeError::local("rename a new cache archive to", target))
}

/// Makes the folder beside `folder` in which a copy is made.
fn begin(folder: &Path) -> Result<PathBuf> {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(format!("-work-{}", fastrand::u64(..) >> 1));
    let work = folder.with_file_name(name);
    files::make_open_dirs(&work, layout::MODE_PUBLIC)?;
    Ok(work)
}

fn fetch_all(storage: &Storage, from: &storage::Path, to: &Path) -> Result<()> {
    let fail = |source| LocalizeError::Fetch { what: from.to_string(), source };
    let system = storage.for_path(from).map_err(fail)?;
    if !system.is_dir(from).map_err(fail)? {
        return files::fetch(storage, from, to, MODE_FILE).map(drop);
    }
    files::make_dirs(to, layout::MODE_PUBLIC)?;
    for inner in system.list(from).map_err(fail)? {
        fetch_all(storage, &inner.path, &to.join(inner.path.name()))?;
    }
    Ok(())
}

/// Java's hash of a string, as it stands in the names of cache folders.
fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
