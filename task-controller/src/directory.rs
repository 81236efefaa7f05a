//! Folders by descriptor: every step looks one name up, follows no link, and keeps what it found whatever happens to
//! the path afterwards.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use crate::exit::{Code, Failure, Result};
use crate::system::{self, Status};

/// Write permission for anybody but the owner.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// An open folder.
#[derive(Debug)]
pub(crate) struct Dir {
    fd: OwnedFd,
}

impl Dir {
    /// The root of all.
    pub(crate) fn root() -> io::Result<Dir> {
        Ok(Dir { fd: File::open("/")?.into() })
    }

    /// A folder in this one. A link in its place is an error.
    pub(crate) fn open(&self, name: &OsStr) -> io::Result<Dir> {
        self.open_as(name, libc::O_RDONLY)
    }

    /// A folder that is only passed through: needs no permission to read it.
    fn pass(&self, name: &OsStr) -> io::Result<Dir> {
        self.open_as(name, libc::O_PATH)
    }

    fn open_as(&self, name: &OsStr, how: i32) -> io::Result<Dir> {
        Ok(Dir { fd: system::open_at(self.fd(), name, how | libc::O_DIRECTORY, 0)? })
    }

    /// An existing file in this folder, to be read; it must be a plain file.
    pub(crate) fn read_file(&self, name: &OsStr) -> io::Result<File> {
        // A pipe in its place must not make us wait for a writer.
        let fd = system::open_at(self.fd(), name, libc::O_RDONLY | libc::O_NONBLOCK, 0)?;
        let file = File::from(fd);
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no plain file")) }
    }

    /// A new file in this folder.
    pub(crate) fn new_file(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
        Ok(File::from(system::open_at(self.fd(), name, flags, mode)?))
    }

    /// Makes a folder in this one, unless there is one.
    pub(crate) fn make(&self, name: &OsStr, mode: u32) -> io::Result<Dir> {
        match system::make_dir_at(self.fd(), name, mode) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => self.open(name),
        }
    }

    /// Makes all folders of a path of plain names below this one.
    pub(crate) fn make_all<'a>(&self, names: impl IntoIterator<Item = &'a OsStr>, mode: u32) -> io::Result<Dir> {
        let mut at = self.again()?;
        for name in names {
            at = at.make(name, mode)?;
        }
        Ok(at)
    }

    /// A second descriptor of this folder.
    pub(crate) fn again(&self) -> io::Result<Dir> {
        Ok(Dir { fd: self.fd.try_clone()? })
    }

    /// Owner, mode and device of this folder.
    pub(crate) fn status(&self) -> io::Result<Status> {
        system::status(self.fd())
    }

    /// The descriptor.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Gives this folder to an owner, with a mode.
    pub(crate) fn give_to(&self, uid: u32, gid: u32, mode: u32) -> io::Result<()> {
        // The owner first: a change of owner takes the set-group-id bit away.
        std::os::unix::fs::fchown(&self.fd, Some(uid), Some(gid))?;
        let file = File::from(self.fd.try_clone()?);
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
    }
}

/// Walks an absolute path whose every folder, the root included, must please `check`.
pub(crate) fn walk(path: &Path, check: impl Fn(&Path, &Status) -> Result<()>) -> Result<Dir> {
    let failed = |at: &Path, error: io::Error| {
        Failure::new(Code::ErrorResolvingPath, format!("cannot open {}: {error}", at.display()))
    };
    let mut at = Path::new("/").to_owned();
    let mut dir = Dir::root().map_err(|error| failed(&at, error))?;
    let status = |dir: &Dir, at: &Path| dir.status().map_err(|error| failed(at, error));
    check(&at, &status(&dir, &at)?)?;
    let names = plain_names(path)?;
    for (index, name) in names.iter().enumerate() {
        at.push(name);
        let last = index + 1 == names.len();
        dir = if last { dir.open(name) } else { dir.pass(name) }.map_err(|error| failed(&at, error))?;
        check(&at, &status(&dir, &at)?)?;
    }
    Ok(dir)
}

/// The names of a path. `..` in it is an error; a leading slash and doubled ones say nothing.
pub(crate) fn plain_names(path: &Path) -> Result<Vec<&OsStr>> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir | Component::Prefix(_) => {
                let text = format!("{:?} holds \"..\"; name the folder itself", path.display());
                return Err(Failure::new(Code::RelativePathComponents, text));
            }
        }
    }
    Ok(names)
}

/// A name that is one folder's: no slash in it, and not one of the two that stand for other folders.
pub(crate) fn plain_name<'a>(what: &str, name: &'a OsStr) -> Result<&'a OsStr> {
    match plain_names(Path::new(name))?.as_slice() {
        [one] if *one == name => Ok(name),
        _ => Err(Failure::new(Code::RelativePathComponents, format!("{what} is {name:?}, which is no folder's name"))),
    }
}

/// Only root may change what lies here.
pub(crate) fn only_root_writes(path: &Path, status: &Status) -> Result<()> {
    let refuse = |why: String| Err(Failure::new(Code::InvalidConfiguration, format!("{} {why}", path.display())));
    if status.uid != 0 {
        return refuse(format!("must be owned by root, but is owned by {}", status.uid));
    }
    if status.mode & WRITABLE_BY_OTHERS != 0 {
        return refuse(format!("must not be writable by group or others, but has mode {:o}", status.mode & 0o7777));
    }
    Ok(())
}
