//! The TaskTracker's folders: the good local directories that it names, and its folder of logs. Users' and jobs' own
//! folders are made in them.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use crate::configuration::{Configuration, LOG_DIR, split_list};
use crate::directory::{Dir, walk};
use crate::exit::{Code, Context, Failure, Result};
use crate::privileges::{Tracker, as_tracker};
use crate::system::{Account, Status};

/// The folder of users' files in a local directory.
const TASK_TRACKER: &str = "taskTracker";
/// The folder of logs in a local directory, and in the folder of logs.
pub(crate) const USERLOGS: &str = "userlogs";
/// A user's own top folders: readable for the TaskTracker's group, which new files in them inherit.
const MODE_USER_DIR: u32 = 0o2750;
/// Only entries' owners may take them out of such a folder.
const STICKY: u32 = 0o1000;

/// A good local directory.
#[derive(Debug)]
pub(crate) struct LocalDir {
    /// As the TaskTracker names it.
    pub(crate) path: PathBuf,
    dir: Dir,
    tracker: Tracker,
}

/// The names of the good local directories.
pub(crate) fn names(list: &OsStr) -> Result<Vec<OsString>> {
    let names = split_list(list);
    if names.is_empty() {
        return Err(Failure::new(Code::InvalidTrackerRoot, "the list of good local directories is empty"));
    }
    Ok(names)
}

impl LocalDir {
    /// Opens a good local directory, or the folder of logs.
    pub(crate) fn open(path: &OsStr, tracker: Tracker) -> Result<LocalDir> {
        let path = PathBuf::from(path);
        if !path.is_absolute() {
            let text = format!("{} is not an absolute path; name the local directory in full", path.display());
            return Err(Failure::new(Code::InvalidTrackerRoot, text));
        }
        // Links above the local directory are the administrator's; the TaskTracker's own rights must do to follow them.
        let real = as_tracker(tracker, || std::fs::canonicalize(&path))?;
        let real = real.or_fail(Code::InvalidTrackerRoot, || format!("cannot find {}", path.display()))?;
        let dir = walk(&real, |at, status| if at == real { trackers_own(at, status, tracker) } else { Ok(()) })?;
        Ok(LocalDir { path, dir, tracker })
    }

    /// The folder of logs.
    pub(crate) fn open_logs(conf: &Configuration, tracker: Tracker) -> Result<LocalDir> {
        let missing = || Failure::new(Code::Failed, format!("{LOG_DIR} is not configured in taskcontroller.cfg"));
        LocalDir::open(conf.get(LOG_DIR).ok_or_else(missing)?, tracker)
    }

    /// The folder in which users have theirs.
    pub(crate) fn task_tracker(&self) -> Result<Dir> {
        self.inner(TASK_TRACKER)
    }

    /// The folder in which jobs have their logs.
    pub(crate) fn userlogs(&self) -> Result<Dir> {
        self.inner(USERLOGS)
    }

    fn inner(&self, name: &str) -> Result<Dir> {
        let at = self.path.join(name);
        let dir = self.dir.open(OsStr::new(name)).or_fail(Code::InvalidTrackerRoot, || cannot("open", &at))?;
        let status = dir.status().or_fail(Code::InvalidTrackerRoot, || cannot("look at", &at))?;
        trackers_own(&at, &status, self.tracker)?;
        Ok(dir)
    }
}

/// The TaskTracker's or root's, and nothing that others could take away or put in: neither users nor groups that are
/// not the TaskTracker's own.
fn trackers_own(at: &Path, status: &Status, tracker: Tracker) -> Result<()> {
    if status.uid != 0 && status.uid != tracker.uid {
        let text = format!("{} is owned by {}; expected the TaskTracker's user or root", at.display(), status.uid);
        return Err(Failure::new(Code::ForeignOwner, text));
    }
    let groups = [0, tracker.gid].contains(&status.gid);
    let others_write = status.mode & 0o002 != 0 || status.mode & 0o020 != 0 && !groups;
    if others_write && status.mode & STICKY == 0 {
        let text = format!(
            "{} has mode {:o}; others must not write there, or they could swap what is in it",
            at.display(),
            status.mode & 0o7777
        );
        return Err(Failure::new(Code::InvalidTrackerRoot, text));
    }
    Ok(())
}

/// Makes a folder that is the user's, in one of the TaskTracker's, or takes one that is there already. It answers to
/// nobody else's wishes: no link is followed, and a stranger's folder is refused (Hadoop 1.2.1:
/// create_directory_for_user, which gives whatever stands there to the user).
pub(crate) fn make_for_user(parent: &Dir, name: &OsStr, user: &Account, tracker: Tracker) -> Result<Dir> {
    let failed = |what: &'static str| move || format!("cannot {what} the folder {name:?} for the user");
    let dir = parent.make(name, 0o700).or_fail(Code::Failed, failed("make"))?;
    let owner = dir.status().or_fail(Code::Failed, failed("look at"))?.uid;
    if ![0, tracker.uid, user.uid].contains(&owner) {
        return Err(Failure::new(Code::ForeignOwner, format!("the folder {name:?} is owned by {owner}, a stranger")));
    }
    dir.give_to(user.uid, tracker.gid, MODE_USER_DIR).or_fail(Code::Failed, failed("give away"))?;
    Ok(dir)
}

fn cannot(what: &str, at: &Path) -> String {
    format!("cannot {what} {}", at.display())
}

/// Whether something is not there, as opposed to not in order.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
