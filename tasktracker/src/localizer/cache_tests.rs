//! The distributed cache: one copy per resource, time stamps, hostile archives, eviction.

use super::*;
use crate::localizer::cache_list;
use configuration::keys;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};
use storage::LocalFileSystem;

struct Fixture {
    root: tempfile::TempDir,
    storage: Storage,
    cache: Arc<Cache>,
    deletion: Arc<Deletion>,
}

fn fixture(limits: &[(&str, &str)]) -> Fixture {
    let root = tempfile::tempdir().unwrap();
    let local = root.path().join("local");
    fs::create_dir(&local).unwrap();
    let mut conf = Configuration::new();
    limits.iter().for_each(|(name, value)| conf.set(*name, *value));
    let deletion = Arc::new(Deletion::start().unwrap());
    let dirs = Arc::new(LocalDirs::new(vec![local]));
    let cache = Arc::new(Cache::new(&conf, dirs, Arc::clone(&deletion)).unwrap());
    Fixture { root, storage: Storage::local(LocalFileSystem::new()), cache, deletion }
}

impl Fixture {
    fn source(&self, name: &str, bytes: &[u8]) -> (PathBuf, i64) {
        let path = self.root.path().join(name);
        fs::write(&path, bytes).unwrap();
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let ms = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
        (path, i64::try_from(ms).unwrap())
    }

    fn entry(&self, path: &Path, timestamp: i64, public: bool, archive: bool) -> CacheEntry {
        let what = if archive { "archives" } else { "files" };
        let mut conf = Configuration::new();
        conf.set(format!("mapred.cache.{what}"), format!("file:{}#link", path.display()));
        conf.set(format!("mapred.cache.{what}.timestamps"), timestamp.to_string());
        conf.set(format!("mapreduce.job.cache.{what}.visibilities"), public.to_string());
        cache_list::entries(&conf).unwrap().remove(0)
    }

    fn obtain(&self, entry: &CacheEntry, user: &str, job: i32) -> Result<PathBuf> {
        self.cache.obtain(&self.storage, entry, user, &JobId::new("1", job))
    }
}

#[test]
fn one_copy_serves_all_jobs_of_those_who_may_see_it() {
    let f = fixture(&[]);
    let (path, time) = f.source("a.txt", b"hello");
    let public = f.entry(&path, time, true, false);
    let first = f.obtain(&public, "alice", 1).unwrap();
    assert_eq!(f.obtain(&public, "bob", 2).unwrap(), first);
    let local = f.root.path().join("local");
    assert!(first.starts_with(local.join("taskTracker/distcache")), "{first:?}");
    assert!(first.ends_with(format!("file{}", path.display())), "{first:?}");
    assert_eq!(fs::read(&first).unwrap(), b"hello");
    for dir in first.ancestors().take_while(|dir| dir.starts_with(local.join("taskTracker"))) {
        assert_eq!(fs::metadata(dir).unwrap().permissions().mode() & 0o7777, 0o755, "{dir:?}");
    }
    let private = f.entry(&path, time, false, false);
    let of_alice = f.obtain(&private, "alice", 3).unwrap();
    assert!(of_alice.starts_with(local.join("taskTracker/alice/distcache")), "{of_alice:?}");
    assert_ne!(f.obtain(&private, "bob", 4).unwrap(), of_alice);
}

#[test]
fn many_at_once_download_once() {
    let f = fixture(&[]);
    let (path, time) = f.source("a.txt", &vec![7; 1 << 20]);
    let entry = f.entry(&path, time, true, false);
    let paths: BTreeSet<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|job| {
                scope.spawn({
                    let (f, entry) = (&f, &entry);
                    move || f.obtain(entry, "u", job).unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(paths.len(), 1);
    let folders = fs::read_dir(f.root.path().join("local/taskTracker/distcache")).unwrap().count();
    assert_eq!(folders, 1);
}

#[test]
fn archives_are_unpacked_beside_their_copy() {
    let f = fixture(&[]);
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    header.set_mode(0o600);
    tar.append_data(&mut header, "dir/file", &b"x"[..]).unwrap();
    let (path, time) = f.source("a.tar", &tar.into_inner().unwrap());
    let folder = f.obtain(&f.entry(&path, time, true, true), "u", 1).unwrap();
    assert!(folder.is_dir() && folder.ends_with("a.tar"), "{folder:?}");
    assert!(folder.join("a.tar").is_file());
    assert_eq!(fs::read(folder.join("dir/file")).unwrap(), b"x");
    assert_eq!(fs::metadata(folder.join("dir/file")).unwrap().permissions().mode() & 0o555, 0o555);
}

#[test]
fn a_file_that_changed_is_refused_and_nothing_is_left() {
    let f = fixture(&[]);
    let (path, time) = f.source("a.txt", b"hello");
    let error = f.obtain(&f.entry(&path, time - 1000, true, false), "u", 1).unwrap_err();
    assert!(error.to_string().contains("changed during the job from"), "{error}");
    let entry = f.entry(&path, time, true, false);
    f.obtain(&entry, "u", 1).unwrap();
    fs::File::open(&path).unwrap().set_modified(SystemTime::now() + Duration::from_secs(9)).unwrap();
    assert!(matches!(f.obtain(&entry, "u", 2), Err(LocalizeError::Changed { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(f.obtain(&entry, "u", 3), Err(LocalizeError::Fetch { .. })));
}

#[test]
fn a_bad_archive_leaves_nothing() {
    let f = fixture(&[]);
    let (path, time) = f.source("a.zip", b"this is no archive");
    let entry = f.entry(&path, time, true, true);
    assert!(matches!(f.obtain(&entry, "u", 1), Err(LocalizeError::Archive { .. })));
    f.deletion.wait();
    assert_eq!(fs::read_dir(f.root.path().join("local/taskTracker/distcache")).unwrap().count(), 0);
}

#[test]
fn what_no_job_holds_goes_oldest_first_once_there_is_too_much() {
    let f = fixture(&[(keys::MAPREDUCE_TASKTRACKER_LOCAL_CACHE_NUMBERDIRECTORIES.name(), "2")]);
    let entries: Vec<_> = ["a", "b", "c"]
        .map(|name| {
            let (path, time) = f.source(name, name.as_bytes());
            f.entry(&path, time, true, false)
        })
        .into();
    let first = f.obtain(&entries[0], "u", 1).unwrap();
    let second = f.obtain(&entries[1], "u", 2).unwrap();
    f.cache.release(&JobId::new("1", 2));
    assert!(second.exists(), "two folders are not too many");
    let third = f.obtain(&entries[2], "u", 3).unwrap();
    f.deletion.wait();
    assert!(first.exists() && !second.exists() && third.exists());
    let again = f.obtain(&entries[1], "u", 4).unwrap();
    assert!(again.exists() && again != second);
}

#[test]
fn hashes_of_names_are_javas() {
    assert_eq!(java_hash("hello"), 99_162_322);
    assert_eq!(
        java_hash("file:///user/a.txt"),
        "file:///user/a.txt".bytes().fold(0i32, |h, b| h.wrapping_mul(31).wrapping_add(i32::from(b)))
    );
}
