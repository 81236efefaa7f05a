//! One journal's file: frames are appended where the last whole one ends, so that one that was written in part is
//! overwritten. What follows the last whole frame of a file that is found is set aside.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prost::Message;

use super::frame;
use super::messages::Entry;

const MODE: u32 = 0o600;
/// Bytes that wait for room on the disk at most, in one file.
const WAITING_MAX: usize = 64 << 20;

/// A file of frames.
pub(super) struct LogFile {
    file: Arc<File>,
    path: PathBuf,
    /// Where the last whole frame ends.
    length: u64,
    /// Frames that could not be written yet.
    waiting: Vec<u8>,
    /// Too much waits; what stands in the file is all that a restart will know.
    given_up: bool,
}

impl LogFile {
    /// Makes a new, empty file, in place of any that is there.
    pub(super) fn create(path: &Path) -> io::Result<LogFile> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(path)?;
        Ok(LogFile { file: Arc::new(file), path: path.to_owned(), length: 0, waiting: Vec::new(), given_up: false })
    }

    /// Opens a file and reads its entries; `None` if there is no such file.
    pub(super) fn read(path: &Path) -> io::Result<Option<(LogFile, Vec<Entry>)>> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        let (entries, length) = entries(&bytes);
        let file = OpenOptions::new().write(true).open(path)?;
        if length < bytes.len() {
            let aside = set_aside(path, &bytes[length..])?;
            tracing::warn!(
                journal = %path.display(),
                whole = length,
                cut_off = bytes.len() - length,
                set_aside = %aside.display(),
                "the journal's last record that is whole counts; what follows it is set aside"
            );
            file.set_len(length as u64)?;
        }
        let (file, path, length) = (Arc::new(file), path.to_owned(), length as u64);
        Ok(Some((LogFile { file, path, length, waiting: Vec::new(), given_up: false }, entries)))
    }

    /// Appends entries; those that cannot be written wait for the next call.
    pub(super) fn append<'a>(&mut self, entries: impl IntoIterator<Item = &'a Entry>) -> io::Result<()> {
        if self.given_up {
            return Ok(());
        }
        for entry in entries {
            frame::append(&mut self.waiting, &entry.encode_to_vec());
        }
        let written = self.write_waiting();
        if written.is_err() && self.waiting.len() > WAITING_MAX {
            tracing::error!(journal = %self.path.display(), "too much waits for room; what follows will not survive a restart");
            self.given_up = true;
            self.waiting = Vec::new();
        }
        written
    }

    /// Writes what waits.
    pub(super) fn write_waiting(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.file.write_all_at(&self.waiting, self.length)?;
        self.length += self.waiting.len() as u64;
        self.waiting.clear();
        self.waiting.shrink_to(1 << 16);
        Ok(())
    }

    /// The file itself, to be synced.
    pub(super) fn file(&self) -> Arc<File> {
        self.file.clone()
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Notes that the file has another name now.
    pub(super) fn renamed(&mut self, path: &Path) {
        self.path = path.to_owned();
    }
}

/// The entries at the start of `bytes`, and where the last whole one ends.
fn entries(bytes: &[u8]) -> (Vec<Entry>, usize) {
    let (mut entries, mut at) = (Vec::new(), 0);
    while let Some((message, length)) = frame::first(&bytes[at..]) {
        let Ok(entry) = Entry::decode(message) else { break };
        entries.push(entry);
        at += length;
    }
    (entries, at)
}

/// Keeps bytes beside a journal under a name that nothing has yet.
fn set_aside(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    for number in 1.. {
        let aside = PathBuf::from(format!("{}.bad.{number}", path.display()));
        match OpenOptions::new().write(true).create_new(true).mode(MODE).open(&aside) {
            Ok(file) => {
                file.write_all_at(bytes, 0)?;
                return Ok(aside);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("numbers end before names do")
}
