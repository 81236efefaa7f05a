//! The system calls that std has no safe form of, each as a thin wrapper: the only unsafe code of this program.
//!
//! Nothing here decides anything. Every wrapper turns a failed call into an error.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// What a process is to the kernel: real, effective and saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ids {
    pub(crate) real: u32,
    pub(crate) effective: u32,
    pub(crate) saved: u32,
}

/// An account.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) name: CString,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) home: OsString,
}

/// What is known of a file, links not followed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Status {
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) device: u64,
}

impl Status {
    pub(crate) fn is_dir(&self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFDIR
    }
}

/// The largest answer of the account database that is waited for.
const DATABASE_BYTES_MAX: usize = 1 << 20;

fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))
}

/// Sets the mask of modes of new files.
pub(crate) fn set_umask(mask: u32) {
    // SAFETY: takes and returns plain numbers, and cannot fail.
    unsafe { libc::umask(mask) };
}

/// The user who started the program.
pub(crate) fn real_uid() -> u32 {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::getuid() }
}

/// Real, effective and saved user.
pub(crate) fn user_ids() -> io::Result<Ids> {
    let (mut real, mut effective, mut saved) = (0, 0, 0);
    // SAFETY: three valid places for numbers, which live through the call.
    check(unsafe { libc::getresuid(&raw mut real, &raw mut effective, &raw mut saved) })?;
    Ok(Ids { real, effective, saved })
}

/// Real, effective and saved group.
pub(crate) fn group_ids() -> io::Result<Ids> {
    let (mut real, mut effective, mut saved) = (0, 0, 0);
    // SAFETY: three valid places for numbers, which live through the call.
    check(unsafe { libc::getresgid(&raw mut real, &raw mut effective, &raw mut saved) })?;
    Ok(Ids { real, effective, saved })
}

/// Sets all three users.
pub(crate) fn set_user_ids(ids: Ids) -> io::Result<()> {
    // SAFETY: takes plain numbers.
    check(unsafe { libc::setresuid(ids.real, ids.effective, ids.saved) }).map(drop)
}

/// Sets all three groups.
pub(crate) fn set_group_ids(ids: Ids) -> io::Result<()> {
    // SAFETY: takes plain numbers.
    check(unsafe { libc::setresgid(ids.real, ids.effective, ids.saved) }).map(drop)
}

/// Takes the groups that the account database gives an account.
pub(crate) fn take_groups_of(account: &Account) -> io::Result<()> {
    // SAFETY: the name ends with a zero byte and lives through the call.
    check(unsafe { libc::initgroups(account.name.as_ptr(), account.gid) }).map(drop)
}

/// Gives up all supplementary groups.
pub(crate) fn drop_groups() -> io::Result<()> {
    // SAFETY: no group is read from a list of length 0.
    check(unsafe { libc::setgroups(0, std::ptr::null()) }).map(drop)
}

/// Looks an account up; `None` if there is none of that name.
pub(crate) fn account(name: &OsStr) -> io::Result<Option<Account>> {
    let wanted = c_string(name)?;
    let mut buffer = vec![0_u8; 4096];
    loop {
        // SAFETY: all zero bytes are a valid passwd: numbers and null pointers.
        let mut entry: libc::passwd = unsafe { std::mem::zeroed() };
        let mut found = std::ptr::null_mut();
        // SAFETY: every pointer is valid for the call, and the length is the buffer's own.
        let code = unsafe {
            libc::getpwnam_r(wanted.as_ptr(), &raw mut entry, buffer.as_mut_ptr().cast(), buffer.len(), &raw mut found)
        };
        match code {
            0 if found.is_null() => return Ok(None),
            0 => {
                // SAFETY: on success the entry's texts are zero-terminated and lie in `buffer`, which is still there.
                let (name, home) = unsafe { (CStr::from_ptr(entry.pw_name), CStr::from_ptr(entry.pw_dir)) };
                let home = OsString::from_vec(home.to_bytes().to_vec());
                return Ok(Some(Account { name: name.to_owned(), uid: entry.pw_uid, gid: entry.pw_gid, home }));
            }
            libc::ERANGE if buffer.len() < DATABASE_BYTES_MAX => buffer.resize(buffer.len() * 2, 0),
            code => return Err(io::Error::from_raw_os_error(code)),
        }
    }
}

/// Looks a group's number up; `None` if there is none of that name.
pub(crate) fn group(name: &OsStr) -> io::Result<Option<u32>> {
    let wanted = c_string(name)?;
    let mut buffer = vec![0_u8; 4096];
    loop {
        // SAFETY: all zero bytes are a valid group: a number and null pointers.
        let mut entry: libc::group = unsafe { std::mem::zeroed() };
        let mut found = std::ptr::null_mut();
        // SAFETY: every pointer is valid for the call, and the length is the buffer's own.
        let code = unsafe {
            libc::getgrnam_r(wanted.as_ptr(), &raw mut entry, buffer.as_mut_ptr().cast(), buffer.len(), &raw mut found)
        };
        match code {
            0 if found.is_null() => return Ok(None),
            0 => return Ok(Some(entry.gr_gid)),
            libc::ERANGE if buffer.len() < DATABASE_BYTES_MAX => buffer.resize(buffer.len() * 2, 0),
            code => return Err(io::Error::from_raw_os_error(code)),
        }
    }
}

/// Opens an entry of a folder, with these flags and the mode of a new file; a link is never followed and the new
/// descriptor never inherited.
pub(crate) fn open_at(dir: BorrowedFd<'_>, name: &OsStr, flags: i32, mode: u32) -> io::Result<OwnedFd> {
    let name = c_string(name)?;
    let flags = flags | libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NOCTTY;
    // SAFETY: the descriptor is open, the name ends with a zero byte and lives through the call.
    let fd = check(unsafe { libc::openat(dir.as_raw_fd(), name.as_ptr(), flags, mode) })?;
    // SAFETY: the descriptor was just opened, so nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// What is known of an entry of a folder, links not followed.
pub(crate) fn status_at(dir: BorrowedFd<'_>, name: &OsStr) -> io::Result<Status> {
    let name = c_string(name)?;
    // SAFETY: all zero bytes are a valid stat: numbers.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the descriptor is open, the name ends with a zero byte, the place for the answer is valid.
    check(unsafe { libc::fstatat(dir.as_raw_fd(), name.as_ptr(), &raw mut stat, libc::AT_SYMLINK_NOFOLLOW) })?;
    Ok(Status { mode: stat.st_mode, uid: stat.st_uid, gid: stat.st_gid, device: stat.st_dev })
}

/// What is known of an open file or folder.
pub(crate) fn status(fd: BorrowedFd<'_>) -> io::Result<Status> {
    // SAFETY: all zero bytes are a valid stat: numbers.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the descriptor is open, the place for the answer is valid.
    check(unsafe { libc::fstat(fd.as_raw_fd(), &raw mut stat) })?;
    Ok(Status { mode: stat.st_mode, uid: stat.st_uid, gid: stat.st_gid, device: stat.st_dev })
}

/// Makes a folder in a folder.
pub(crate) fn make_dir_at(dir: BorrowedFd<'_>, name: &OsStr, mode: u32) -> io::Result<()> {
    let name = c_string(name)?;
    // SAFETY: the descriptor is open, the name ends with a zero byte and lives through the call.
    check(unsafe { libc::mkdirat(dir.as_raw_fd(), name.as_ptr(), mode) }).map(drop)
}

/// Makes a symbolic link in a folder.
pub(crate) fn link_at(target: &OsStr, dir: BorrowedFd<'_>, name: &OsStr) -> io::Result<()> {
    let (target, name) = (c_string(target)?, c_string(name)?);
    // SAFETY: both texts end with a zero byte and live through the call, the descriptor is open.
    check(unsafe { libc::symlinkat(target.as_ptr(), dir.as_raw_fd(), name.as_ptr()) }).map(drop)
}

/// Removes an entry of a folder that is no folder.
pub(crate) fn remove_file_at(dir: BorrowedFd<'_>, name: &OsStr) -> io::Result<()> {
    unlink_at(dir, name, 0)
}

/// Removes an empty folder from a folder.
pub(crate) fn remove_dir_at(dir: BorrowedFd<'_>, name: &OsStr) -> io::Result<()> {
    unlink_at(dir, name, libc::AT_REMOVEDIR)
}

fn unlink_at(dir: BorrowedFd<'_>, name: &OsStr, flags: i32) -> io::Result<()> {
    let name = c_string(name)?;
    // SAFETY: the descriptor is open, the name ends with a zero byte and lives through the call.
    check(unsafe { libc::unlinkat(dir.as_raw_fd(), name.as_ptr(), flags) }).map(drop)
}

/// Moves an entry of one folder into another.
pub(crate) fn rename_at(from: BorrowedFd<'_>, name: &OsStr, to: BorrowedFd<'_>, new_name: &OsStr) -> io::Result<()> {
    let (name, new_name) = (c_string(name)?, c_string(new_name)?);
    // SAFETY: both descriptors are open, both names end with a zero byte and live through the call.
    check(unsafe { libc::renameat(from.as_raw_fd(), name.as_ptr(), to.as_raw_fd(), new_name.as_ptr()) }).map(drop)
}

/// Sets the mode of an entry of a folder. A link in its place would be followed: only ever called without privileges.
pub(crate) fn set_mode_at(dir: BorrowedFd<'_>, name: &OsStr, mode: u32) -> io::Result<()> {
    let name = c_string(name)?;
    // SAFETY: the descriptor is open, the name ends with a zero byte and lives through the call.
    check(unsafe { libc::fchmodat(dir.as_raw_fd(), name.as_ptr(), mode, 0) }).map(drop)
}

/// The names in a folder, without `.` and `..`, at most so many of them.
pub(crate) fn names_in(dir: BorrowedFd<'_>, max: usize) -> io::Result<Vec<OsString>> {
    // A descriptor of its own, whose place in the folder is at the start.
    let own = open_at(dir, OsStr::new("."), libc::O_RDONLY | libc::O_DIRECTORY, 0)?;
    // SAFETY: the descriptor is an open folder; the stream takes it over if it comes to be.
    let stream = unsafe { libc::fdopendir(own.as_raw_fd()) };
    if stream.is_null() {
        return Err(io::Error::last_os_error());
    }
    std::mem::forget(own);
    let mut names = Vec::new();
    let ended = loop {
        if names.len() >= max {
            break Ok(());
        }
        // SAFETY: errno of this thread is always there to be written.
        unsafe { *libc::__errno_location() = 0 };
        // SAFETY: the stream is open.
        let entry = unsafe { libc::readdir(stream) };
        if entry.is_null() {
            let error = io::Error::last_os_error();
            break if error.raw_os_error() == Some(0) { Ok(()) } else { Err(error) };
        }
        // SAFETY: the entry is valid until the next call with this stream, and its name ends with a zero byte.
        let name = unsafe { CStr::from_ptr((&raw const (*entry).d_name).cast()) }.to_bytes();
        if name != b"." && name != b".." {
            names.push(OsString::from_vec(name.to_vec()));
        }
    };
    // SAFETY: the stream is open and not used after this; its descriptor goes with it.
    unsafe { libc::closedir(stream) };
    ended.map(|()| names)
}

/// Makes a folder the working directory.
pub(crate) fn enter(dir: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: the descriptor is open.
    check(unsafe { libc::fchdir(dir.as_raw_fd()) }).map(drop)
}

/// Makes a file the standard input.
pub(crate) fn read_standard_input_from(file: &File) -> io::Result<()> {
    // SAFETY: both descriptors are open, and nothing here holds the old standard input.
    check(unsafe { libc::dup2(file.as_raw_fd(), 0) }).map(drop)
}

/// Lets no descriptor above the standard three be inherited by the next program.
pub(crate) fn inherit_no_descriptors() {
    // SAFETY: takes plain numbers, and only marks descriptors.
    let marked = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if marked == 0 {
        return;
    }
    // A kernel before 5.11: one after the other. What is not open answers with an error, which is as good.
    for fd in 3..65_536 {
        // SAFETY: takes plain numbers, and only marks a descriptor.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Signals a process, or with a negative number a process group.
pub(crate) fn signal(target: i32, number: i32) -> io::Result<()> {
    // SAFETY: takes plain numbers.
    check(unsafe { libc::kill(target, number) }).map(drop)
}

/// Runs `work` in a process of its own, and answers with that process's exit code. This program has one thread.
pub(crate) fn in_a_child(work: impl FnOnce() -> i32) -> io::Result<i32> {
    // SAFETY: there is no other thread whose locks the child could miss.
    let child = check(unsafe { libc::fork() })?;
    if child == 0 {
        std::process::exit(work());
    }
    let mut status = 0;
    loop {
        // SAFETY: the place for the status is valid.
        match check(unsafe { libc::waitpid(child, &raw mut status, 0) }) {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if libc::WIFEXITED(status) { Ok(libc::WEXITSTATUS(status)) } else { Ok(255) }
}
