//! DELETE_AS_USER and DELETE_LOG_AS_USER: trees of the user's, in every good local directory. A folder that lies in one
//! of the TaskTracker's own is emptied as the user and then removed as the TaskTracker.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::Request;
use crate::directory::{Dir, plain_names};
use crate::exit::{Code, Context, Failure, Result};
use crate::local_dirs::{LocalDir, is_missing};
use crate::privileges;
use crate::remove::{empty, remove_below};
use crate::system;

/// One of the TaskTracker's folders, and the folder of the user's in it.
struct Place {
    trackers: Dir,
    users: OsString,
}

/// Argument: a path below `taskTracker/<user>`; the empty one is all of it.
pub(super) fn files(request: &Request) -> Result<()> {
    let arguments = request.at_least(1, "delete as user")?;
    let names = plain_names(Path::new(&arguments[0]))?;
    let mut places = Vec::new();
    for root in &request.roots {
        if let Some(trackers) = there(request, root, LocalDir::task_tracker)? {
            places.push(Place { trackers, users: request.user_name().to_owned() });
        }
    }
    delete(request, &places, &names)
}

/// Argument: a job's id, or a path that begins with one, below each `userlogs`.
pub(super) fn logs(request: &Request) -> Result<()> {
    let arguments = request.at_least(1, "delete log")?;
    let names = plain_names(Path::new(&arguments[0]))?;
    let Some((job, below)) = names.split_first() else {
        return Err(Failure::new(Code::RelativePathComponents, "the folder of all jobs' logs is not one user's"));
    };
    let mut places = vec![Place {
        trackers: LocalDir::open_logs(&request.conf, request.tracker)?.userlogs()?,
        users: (*job).to_owned(),
    }];
    for root in &request.roots {
        if let Some(trackers) = there(request, root, LocalDir::userlogs)? {
            places.push(Place { trackers, users: (*job).to_owned() });
        }
    }
    delete(request, &places, below)
}

/// A folder of a local directory; `None` if the disk or the folder is gone, so that there is nothing to delete.
fn there(request: &Request, root: &OsStr, inner: impl Fn(&LocalDir) -> Result<Dir>) -> Result<Option<Dir>> {
    match LocalDir::open(root, request.tracker).and_then(|local| inner(&local)) {
        Ok(dir) => Ok(Some(dir)),
        Err(failure) if failure.code == Code::InvalidTrackerRoot => {
            crate::say(&failure.to_string());
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn delete(request: &Request, places: &[Place], names: &[&OsStr]) -> Result<()> {
    if !names.is_empty() {
        privileges::drop_to(&request.user)?;
        return delete_as_user(request, places, names);
    }
    // Two users have to act, and whoever gives up privileges has none to give up again: so two processes.
    let code = system::in_a_child(|| {
        let emptied = privileges::drop_to(&request.user).and_then(|()| delete_as_user(request, places, names));
        emptied.map_or_else(crate::tell, |()| 0)
    });
    let code = code.or_fail(Code::Failed, || "cannot start a process to delete in".to_owned())?;
    privileges::drop_to_tracker(request.tracker)?;
    let mut ended = if code == 0 { Ok(()) } else { Err(Failure::new(Code::Failed, "not all could be deleted")) };
    for place in places {
        match system::remove_dir_at(place.trackers.fd(), &place.users) {
            Err(error) if !is_missing(&error) => {
                let text = format!("cannot remove the folder {:?}: {error}", place.users);
                ended = Err(Failure::new(Code::Failed, text));
            }
            _ => {}
        }
    }
    ended
}

/// As much as can be; an error if something stays.
fn delete_as_user(request: &Request, places: &[Place], names: &[&OsStr]) -> Result<()> {
    let mut ended = Ok(());
    for place in places {
        let deleted = delete_in(request, place, names);
        // A stranger's folder is the graver news.
        if deleted.is_err() {
            ended = deleted;
        }
    }
    ended
}

fn delete_in(request: &Request, place: &Place, names: &[&OsStr]) -> Result<()> {
    let failed = || format!("cannot delete in the folder {:?}", place.users);
    let dir = match place.trackers.open(&place.users) {
        Err(error) if is_missing(&error) => return Ok(()),
        dir => dir.or_fail(Code::Failed, failed)?,
    };
    let owner = dir.status().or_fail(Code::Failed, failed)?.uid;
    if owner != request.user.uid {
        let text = format!("the folder {:?} is owned by {owner}, who is not the user", place.users);
        return Err(Failure::new(Code::ForeignOwner, text));
    }
    let deleted: io::Result<()> = if names.is_empty() { empty(&dir) } else { remove_below(&dir, names) };
    deleted.or_fail(Code::Failed, failed)
}
