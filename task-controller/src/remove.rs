//! Deletes trees by descriptor: no link is followed, no other file system entered, and no depth is too deep.
//!
//! Only ever called after the privileges are gone: what may be deleted is the kernel's affair.

use std::ffi::{OsStr, OsString};
use std::io;

use crate::directory::Dir;
use crate::local_dirs::is_missing;
use crate::system;

/// So deep down, folders are moved up to the top before they are emptied: descriptors and stack stay bounded.
const DEPTH_MAX: usize = 128;
/// How many names are read at a time.
const NAMES_MAX: usize = 4096;
/// How often a folder is read anew: somebody may put in new files while we take them out.
const PASSES_MAX: usize = 10_000;

/// A tree that is being deleted.
struct Removal<'a> {
    top: &'a Dir,
    device: u64,
    moved_up: u64,
}

/// Deletes what a path of plain names below a folder names: a file, a link, or a folder with all in it. What is not
/// there is no error.
pub(crate) fn remove_below(base: &Dir, names: &[&OsStr]) -> io::Result<()> {
    let Some((last, above)) = names.split_last() else { return Ok(()) };
    let mut at = base.again()?;
    for name in above {
        at = match at.open(name) {
            Err(error) if is_missing(&error) => return Ok(()),
            opened => opened?,
        };
    }
    let status = match system::status_at(at.fd(), last) {
        Err(error) if is_missing(&error) => return Ok(()),
        status => status?,
    };
    if !status.is_dir() {
        return system::remove_file_at(at.fd(), last);
    }
    empty(&open_up(&at, last, status.mode)?)?;
    system::remove_dir_at(at.fd(), last)
}

/// Deletes all that is in a folder, and leaves the folder.
pub(crate) fn empty(top: &Dir) -> io::Result<()> {
    let device = top.status()?.device;
    Removal { top, device, moved_up: 0 }.empty(top, 0)
}

/// Opens a folder that its owner may have made unreadable.
fn open_up(parent: &Dir, name: &OsStr, mode: u32) -> io::Result<Dir> {
    if mode & 0o700 != 0o700 {
        // If it cannot be changed, opening it says so.
        let _ = system::set_mode_at(parent.fd(), name, 0o700);
    }
    parent.open(name)
}

impl Removal<'_> {
    /// As much as can be; answers the first error.
    fn empty(&mut self, dir: &Dir, depth: usize) -> io::Result<()> {
        for _ in 0..PASSES_MAX {
            let names = system::names_in(dir.fd(), NAMES_MAX)?;
            if names.is_empty() {
                return Ok(());
            }
            let mut first = Ok(());
            for name in names {
                let removed = self.remove(dir, &name, depth);
                first = first.and(removed);
            }
            first?;
        }
        Err(io::Error::other("files are put in as fast as they are taken out"))
    }

    fn remove(&mut self, parent: &Dir, name: &OsStr, depth: usize) -> io::Result<()> {
        let status = match system::status_at(parent.fd(), name) {
            Err(error) if is_missing(&error) => return Ok(()),
            status => status?,
        };
        if !status.is_dir() {
            return system::remove_file_at(parent.fd(), name);
        }
        if status.device != self.device {
            return Err(io::Error::other("another file system is mounted in it"));
        }
        if depth >= DEPTH_MAX {
            self.moved_up += 1;
            let new_name = OsString::from(format!(".howdah-deep-{}-{}", std::process::id(), self.moved_up));
            return system::rename_at(parent.fd(), name, self.top.fd(), &new_name);
        }
        let dir = open_up(parent, name, status.mode)?;
        self.empty(&dir, depth + 1)?;
        system::remove_dir_at(parent.fd(), name)
    }
}
