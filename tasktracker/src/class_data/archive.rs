//! The archive of the classes that children of one Java and class path load: noted down by the first map and the first
//! reduce, made by a Java in the background, used by all that follow.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use types::{JvmId, TaskKind};

use super::class_path::{self, Sorted};
use super::{JavaChild, Quickened};
use crate::localizer::{layout, make_dirs};

/// The largest list of classes that is believed: some hundred thousand.
const LIST_BYTES_MAX: u64 = 64 << 20;

/// The archives in one directory, of which one is in use.
#[derive(Debug)]
pub(super) struct Archives {
    dir: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// For which program and class path, once that is known to be possible.
    base: Option<Arc<Base>>,
    ready: bool,
    building: bool,
    /// The kinds of children whose classes are or are being noted down.
    noted: BTreeSet<TaskKind>,
    /// Children that note their classes down, and where.
    noting: HashMap<JvmId, (TaskKind, PathBuf)>,
    lists: BTreeMap<TaskKind, PathBuf>,
}

#[derive(Debug)]
struct Base {
    java: PathBuf,
    given: Vec<String>,
    sorted: Sorted,
    serial: Option<&'static str>,
    name: String,
}

impl Archives {
    pub(super) fn new(dir: PathBuf) -> Self {
        Archives { dir, state: Mutex::default() }
    }

    /// Finds out whether there is an archive, and whether there can be one.
    pub(super) fn prepare(self: &Arc<Self>, java: &Path, class_path: &[String], serial: Option<&'static str>) {
        let Some(mut sorted) = class_path::sort(class_path) else {
            tracing::info!("no class-data archive: the class path has no jars, or folders with too many files");
            return;
        };
        if let Err(error) = make_dirs(&self.dir, layout::MODE_PUBLIC) {
            tracing::warn!(%error, "no class-data archive: its directory cannot be made");
            return;
        }
        let name = name_of(java, &sorted);
        if !sorted.first.is_empty() {
            let jar = self.dir.join(format!("{name}-first.jar"));
            // Java checks that it is the very file of the archive, so it is written once.
            if !jar.is_file()
                && let Err(error) = class_path::write_first(&sorted.first, &jar)
            {
                tracing::warn!(%error, jar = %jar.display(), "no class-data archive: a jar for it cannot be written");
                return;
            }
            sorted.jars.insert(0, jar.display().to_string());
        }
        let base = Arc::new(Base { java: java.to_owned(), given: class_path.to_vec(), sorted, serial, name });
        let mut state = self.lock();
        state.ready = self.archive(&base).is_file();
        for kind in TaskKind::BOTH {
            let list = self.list(&base, kind);
            if list.is_file() {
                state.noted.insert(kind);
                state.lists.insert(kind, list);
            }
        }
        state.base = Some(base);
        drop(state);
        self.build_if_needed();
    }

    /// Adds what lets a child use the archive, or note down its classes.
    pub(super) fn add_to(&self, child: JavaChild<'_>, quickened: &mut Quickened) {
        let mut state = self.lock();
        let Some(base) = state.base.clone() else { return };
        if base.java != child.java || base.given != child.class_path {
            return;
        }
        if state.ready {
            quickened.options.push("-Xshare:auto".into());
            quickened.options.push("-Xlog:cds*=off".into());
            quickened.options.push(format!("-XX:SharedArchiveFile={}", self.archive(&base).display()));
            quickened.class_path = base.sorted.all();
        }
        let kind = child.task.kind();
        if child.task.is_map_or_reduce() && state.noted.insert(kind) {
            let list = self.dir.join(format!("{}-{}.noting", base.name, child.jvm));
            quickened.options.push(format!("-XX:DumpLoadedClassList={}", list.display()));
            // In this order, so that classes come from the same jars as later.
            quickened.class_path = base.sorted.all();
            state.noting.insert(child.jvm.clone(), (kind, list));
        }
    }

    pub(super) fn child_ended(self: &Arc<Self>, jvm: &JvmId, code: i32) {
        let mut state = self.lock();
        let Some((kind, noted)) = state.noting.remove(jvm) else { return };
        let list = state.base.as_ref().map(|base| self.list(base, kind));
        match list {
            Some(list) if code == 0 && fs::rename(&noted, &list).is_ok() => {
                state.lists.insert(kind, list);
                state.ready &= state.building;
            }
            _ => {
                // The next child of the kind tries again.
                state.noted.remove(&kind);
                let _ = fs::remove_file(&noted);
                return;
            }
        }
        drop(state);
        self.build_if_needed();
    }

    /// Starts to make the archive unless it is there or being made.
    fn build_if_needed(self: &Arc<Self>) {
        let mut state = self.lock();
        if state.building || state.ready || state.lists.is_empty() {
            return;
        }
        let Some(base) = state.base.clone() else { return };
        let lists: Vec<PathBuf> = state.lists.values().cloned().collect();
        state.building = true;
        drop(state);
        let own = Arc::clone(self);
        let build = move || {
            let outcome = own.build(&base, &lists);
            let mut state = own.lock();
            state.building = false;
            // Lists that came in the meantime are for one more turn.
            let again = state.lists.len() > lists.len();
            match outcome {
                Ok(()) => state.ready = !again,
                Err(error) => {
                    tracing::warn!(%error, "no class-data archive: it cannot be made");
                    state.lists.clear();
                }
            }
            drop(state);
            own.build_if_needed();
        };
        if let Err(error) = thread::Builder::new().name("class-data".into()).spawn(build) {
            self.lock().building = false;
            tracing::warn!(%error, "no class-data archive: there is no thread to make it");
        }
    }

    fn build(&self, base: &Base, lists: &[PathBuf]) -> io::Result<()> {
        let mut classes = BTreeSet::new();
        for list in lists {
            if fs::metadata(list)?.len() > LIST_BYTES_MAX {
                return Err(io::Error::other(format!("{} has more than {LIST_BYTES_MAX} bytes", list.display())));
            }
            let text = fs::read(list)?;
            let text = String::from_utf8_lossy(&text).into_owned();
            classes.extend(text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned));
        }
        let all = self.dir.join(format!("{}.classes", base.name));
        let made = self.dir.join(format!("{}.making", base.name));
        fs::write(&all, classes.into_iter().collect::<Vec<_>>().join("\n") + "\n")?;
        let _ = fs::remove_file(&made);
        let status = Command::new("nice")
            .args(["-n", "19"])
            .arg(&base.java)
            .args(base.serial)
            .arg("-Xshare:dump")
            .arg(format!("-XX:SharedClassListFile={}", all.display()))
            .arg(format!("-XX:SharedArchiveFile={}", made.display()))
            .args(["-cp", &base.sorted.jars.join(":")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        let _ = fs::remove_file(&all);
        if !status.success() || !made.is_file() {
            return Err(io::Error::other(format!("{} -Xshare:dump ended with {status}", base.java.display())));
        }
        // Children that use an older one keep it open.
        fs::rename(&made, self.archive(base))?;
        self.forget_others(base);
        tracing::info!(path = %self.archive(base).display(), "Java children start from a class-data archive");
        Ok(())
    }

    /// Archives of other class paths or programs are not used any more.
    fn forget_others(&self, base: &Base) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if !name.to_string_lossy().starts_with(&base.name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn archive(&self, base: &Base) -> PathBuf {
        self.dir.join(format!("{}.jsa", base.name))
    }

    fn list(&self, base: &Base, kind: TaskKind) -> PathBuf {
        self.dir.join(format!("{}-{}.list", base.name, kind.letter()))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name that changes with the Java program, with every jar, and with every file that must be found first.
fn name_of(java: &Path, sorted: &Sorted) -> String {
    let mut hasher = DefaultHasher::new();
    let java = fs::canonicalize(java).unwrap_or_else(|_| java.to_owned());
    for path in [java.as_path()].into_iter().chain(sorted.jars.iter().map(Path::new)) {
        path.hash(&mut hasher);
        let metadata = fs::metadata(path).ok();
        metadata.as_ref().map(fs::Metadata::len).hash(&mut hasher);
        metadata.and_then(|metadata| metadata.modified().ok()).hash(&mut hasher);
    }
    for (name, file) in &sorted.first {
        (name, fs::read(file).ok()).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}
