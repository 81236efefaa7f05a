//! Makes Java children start sooner, without a word in the job's configuration: the serial collector, the second
//! compiler later, and an archive of the classes that children load.
//!
//! Nothing is added that the user's options already decide, and nothing that this Java does not know. An archive that
//! does not fit is ignored by Java itself.

mod archive;
mod class_path;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use types::{JvmId, Task};

use archive::Archives;

/// One thread collects: a child's heap is small, and its cores are other children's too.
const SERIAL: &[&str] = &["-XX:+UseSerialGC"];
/// No second compiler, for attempts that only set up or clean up.
const FIRST_COMPILER: &[&str] = &["-XX:TieredStopAtLevel=1"];
/// The second compiler takes only what runs ten times as often as by default: in a child that is over after a second it
/// costs more than it brings, and in a long one what is hot gets there all the same.
const LATE_COMPILER: &[&str] = &[
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
];
/// What using an archive needs; the file need not be there.
const ARCHIVE: &[&str] = &["-Xshare:auto", "-Xlog:cds*=off", "-XX:SharedArchiveFile=/nonexistent"];

/// Where archives are kept, below a local directory: a restart finds them again.
pub const CLASS_DATA: &str = "howdah/class-data";

/// What was found out about the Java of this machine, and the archive of its children's classes.
#[derive(Debug)]
pub struct ClassData {
    enabled: bool,
    known: Mutex<HashMap<(PathBuf, &'static str), bool>>,
    archives: Option<Arc<Archives>>,
}

/// What a child gets beside its own options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quickened {
    /// Options that come before all others.
    pub options: Vec<String>,
    /// The tracker's part of the class path.
    pub class_path: Vec<String>,
}

/// A child that is to be made to start sooner.
#[derive(Debug, Clone, Copy)]
pub struct JavaChild<'a> {
    /// Its program.
    pub java: &'a Path,
    /// The tracker's part of its class path.
    pub class_path: &'a [String],
    /// Its options so far.
    pub options: &'a [String],
    /// The attempt it is started for.
    pub task: &'a Task,
    /// The child.
    pub jvm: &'a JvmId,
    /// Whether the job's part of the class path comes first.
    pub user_first: bool,
}

impl ClassData {
    /// With `howdah.tasktracker.class.data` off nothing is ever added. Archives are kept in `dir`; without one there are
    /// none.
    pub fn new(enabled: bool, dir: Option<PathBuf>) -> Self {
        let archives = dir.filter(|_| enabled).map(|dir| Arc::new(Archives::new(dir)));
        ClassData { enabled, known: Mutex::default(), archives }
    }

    /// Asks in the background what this Java knows, and whether there is an archive for this class path or can be one.
    pub fn prepare(self: &Arc<Self>, java: &Path, class_path: &[String]) {
        if !self.enabled {
            return;
        }
        let (own, java, class_path) = (Arc::clone(self), java.to_owned(), class_path.to_vec());
        let look = move || {
            for options in [FIRST_COMPILER, LATE_COMPILER] {
                own.knows(&java, options);
            }
            let serial = own.knows(&java, SERIAL).then_some(SERIAL[0]);
            if let Some(archives) = own.archives.as_ref().filter(|_| own.knows(&java, ARCHIVE)) {
                archives.prepare(&java, &class_path, serial);
            }
        };
        if let Err(error) = thread::Builder::new().name("class-data".into()).spawn(look) {
            tracing::warn!(%error, "Java children start as slowly as ever: there is no thread to look for better");
        }
    }

    /// The options and the class path for a child.
    pub fn quicken(&self, child: JavaChild<'_>) -> Quickened {
        let JavaChild { java, class_path, options: user, task, .. } = child;
        let mut quickened = Quickened { options: Vec::new(), class_path: class_path.to_vec() };
        if !self.enabled {
            return quickened;
        }
        let mut add = |wanted: bool, options: &'static [&'static str]| {
            if wanted && self.knows(java, options) {
                quickened.options.extend(options.iter().map(|option| (*option).to_owned()));
            }
        };
        add(!chooses_collector(user), SERIAL);
        let short = !task.is_map_or_reduce();
        add(!chooses_compiler(user), if short { FIRST_COMPILER } else { LATE_COMPILER });
        if let Some(archives) = self.archives.as_ref().filter(|_| !child.user_first && !chooses_archive(user)) {
            archives.add_to(child, &mut quickened);
        }
        quickened
    }

    /// A child has ended: if its classes were noted down, an archive is made of them in the background.
    pub fn child_ended(&self, jvm: &JvmId, code: i32) {
        if let Some(archives) = &self.archives {
            archives.child_ended(jvm, code);
        }
    }

    /// Asks a Java once whether it starts with these options.
    fn knows(&self, java: &Path, options: &'static [&'static str]) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry((java.to_owned(), options[0])).or_insert_with(|| {
            let mut command = Command::new(java);
            command.args(options).arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        })
    }
}

/// Whether the user's options name a collector: two are an error that ends the child.
fn chooses_collector(user: &[String]) -> bool {
    user.iter().any(|option| {
        option == "-Xincgc"
            || option == "-XX:+AggressiveHeap"
            || (option.starts_with("-XX:") && option.ends_with("GC") && option.contains("Use"))
    })
}

/// Whether the user's options say when what is compiled.
fn chooses_compiler(user: &[String]) -> bool {
    let parts = ["Tier", "CompileThreshold", "JVMCI", "-Xint", "-Xcomp", "CICompilerCount"];
    user.iter().any(|option| parts.iter().any(|part| option.contains(part)))
}

/// Whether the user's options say something about archives.
fn chooses_archive(user: &[String]) -> bool {
    let parts = ["-Xshare", "SharedArchive", "SharedClassList", "DumpLoadedClassList", "-Xbootclasspath", "-Xlog"];
    user.iter().any(|option| parts.iter().any(|part| option.contains(part)))
}

#[cfg(test)]
mod tests;
