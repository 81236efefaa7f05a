//! Fetches one map's output from its tracker, into memory or to disk.
//!
//! Hadoop 1.2.1: ReduceTask.MapOutputCopier.getMapOutput, shuffleInMemory, shuffleToDisk.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use hadoop_io::Codec;
use hadoop_io::checksum::ChecksumReader;
use types::TaskAttemptId;
use wire::shuffle::{self, MapOutputRequest};

use super::http::{self, Body, HttpError, Response, Timeouts};
use super::memory::{Memory, Reservation};
use crate::api::TaskError;
use crate::disk::Disks;
use crate::map::OUTPUT_DIR;
use crate::reporter::Reporter;

/// Where a map's output is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Location {
    /// Which attempt.
    pub(crate) map: TaskAttemptId,
    /// The host's name, which counts for penalties.
    pub(crate) host: String,
    /// `host:port`.
    pub(crate) address: String,
    /// The port, which is part of the proof.
    pub(crate) port: u16,
}

impl Location {
    /// Reads a tracker's address: `http://host:port`.
    pub(crate) fn new(map: TaskAttemptId, tracker: &str) -> Option<Self> {
        let address = tracker.strip_prefix("http://")?.split('/').next()?;
        let (host, port) = address.rsplit_once(':')?;
        if host.is_empty() {
            return None;
        }
        Some(Location { map, host: host.to_owned(), address: address.to_owned(), port: port.parse().ok()? })
    }
}

/// A map's output that was fetched.
#[derive(Debug)]
pub(crate) enum Fetched {
    /// Plain records and the end mark.
    Memory {
        /// The records.
        bytes: Vec<u8>,
        /// The memory they take.
        reservation: Reservation,
    },
    /// A segment in a file.
    Disk {
        /// Which file.
        path: PathBuf,
        /// Its length before compression.
        raw_len: u64,
    },
}

/// Why an output was not fetched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    /// The tracker was reached and did not give it; told to the JobTracker at once.
    #[error("{0}")]
    Read(String),
    /// Anything else; tried again.
    #[error("{0}")]
    Other(String),
    /// The attempt itself cannot go on.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// The shuffle is over.
    #[error("the shuffle is over")]
    Closed,
}

/// What all fetches of a reduce share.
#[derive(Clone)]
pub(crate) struct Fetcher {
    pub(crate) reduce: i32,
    pub(crate) password: Vec<u8>,
    pub(crate) timeouts: Timeouts,
    pub(crate) codec: Option<Codec>,
    pub(crate) memory: Memory,
    pub(crate) disks: Disks,
    pub(crate) reporter: Reporter,
}

/// A response whose head was found right.
struct Opened {
    body: Body,
    raw_len: u64,
    part_len: u64,
}

impl Fetcher {
    /// Fetches; returns the output and how many bytes travelled.
    pub(crate) fn fetch(&self, location: &Location) -> Result<(Fetched, u64), FetchError> {
        let mut opened = self.open(location)?;
        if !self.memory.limits().fits(opened.raw_len) {
            return self.to_disk(location, opened);
        }
        let reservation = match self.memory.try_reserve(opened.raw_len) {
            Some(reservation) => reservation,
            None => {
                // No connection stays open while memory is awaited.
                let raw_len = opened.raw_len;
                drop(opened);
                let reservation = self.memory.reserve(raw_len).ok_or(FetchError::Closed)?;
                opened = self.open(location)?;
                if opened.raw_len != raw_len {
                    return Err(FetchError::Other(format!("the output of {} has changed", location.map)));
                }
                reservation
            }
        };
        self.to_memory(location, opened, reservation)
    }

    fn open(&self, location: &Location) -> Result<Opened, FetchError> {
        let map = &location.map;
        let request = MapOutputRequest { job: map.job().clone(), map: map.clone(), reduce: self.reduce };
        let uri = request.uri();
        let proof = shuffle::url_hash(&self.password, location.port, &uri);
        let response = http::get(&location.address, &uri, &[(shuffle::URL_HASH, &proof)], self.timeouts);
        let response = response.map_err(|error| match error {
            HttpError::Connect { .. } => FetchError::Other(error.to_string()),
            HttpError::Read { .. } => FetchError::Read(error.to_string()),
        })?;
        self.check(location, &proof, response)
    }

    fn check(&self, location: &Location, proof: &str, response: Response) -> Result<Opened, FetchError> {
        let address = &location.address;
        if response.status >= 400 {
            return Err(FetchError::Read(format!("{address} answers {} for {}", response.status, location.map)));
        }
        let reply = response.header(shuffle::REPLY_HASH);
        if !reply.is_some_and(|reply| shuffle::verify_reply_hash(&self.password, proof, reply)) {
            return Err(FetchError::Other(format!("{address} does not prove that it knows the job's token")));
        }
        if response.status != 200 {
            return Err(FetchError::Other(format!("{address} answers {} for {}", response.status, location.map)));
        }
        let wrong = |name: &str, expected: &dyn std::fmt::Display| {
            let value = response.header(name).unwrap_or("missing");
            FetchError::Other(format!("{name} of {address} is {value}; expected {expected}"))
        };
        if response.header(shuffle::FROM_MAP_TASK) != Some(&location.map.to_string()) {
            return Err(wrong(shuffle::FROM_MAP_TASK, &location.map));
        }
        let length = |name: &str| response.header(name).and_then(|value| value.trim().parse::<u64>().ok());
        let raw_len = length(shuffle::RAW_LENGTH).ok_or_else(|| wrong(shuffle::RAW_LENGTH, &"0 or more"))?;
        let part_len = length(shuffle::PART_LENGTH).ok_or_else(|| wrong(shuffle::PART_LENGTH, &"0 or more"))?;
        if response.header(shuffle::FOR_REDUCE_TASK) != Some(&self.reduce.to_string()) {
            return Err(wrong(shuffle::FOR_REDUCE_TASK, &self.reduce));
        }
        Ok(Opened { body: response.into_body(), raw_len, part_len })
    }

    fn to_memory(
        &self,
        location: &Location,
        opened: Opened,
        reservation: Reservation,
    ) -> Result<(Fetched, u64), FetchError> {
        let failed = |problem: &dyn std::fmt::Display| {
            FetchError::Read(format!("cannot read the output of {} from {}: {problem}", location.map, location.host))
        };
        let Opened { body, raw_len, part_len } = opened;
        let checked = ChecksumReader::new(Watched { body, reporter: &self.reporter }, part_len);
        let checked = checked.map_err(|error| failed(&error))?;
        let bytes = match self.codec {
            None => read_exactly(checked, raw_len),
            Some(codec) => read_exactly(codec.reader(checked), raw_len),
        };
        let bytes = bytes.map_err(|error| failed(&error))?;
        Ok((Fetched::Memory { bytes, reservation }, part_len))
    }

    fn to_disk(&self, location: &Location, opened: Opened) -> Result<(Fetched, u64), FetchError> {
        let Opened { body, raw_len, part_len } = opened;
        let name = format!("{OUTPUT_DIR}/map_{}.out", location.map.task.number);
        let path = self.disks.for_write(&name, part_len)?;
        let temporary = path.with_extension(format!("out-{}", location.map.number));
        let mut file = self.disks.create(&temporary)?;
        let mut body = Watched { body, reporter: &self.reporter };
        let copied = copy(&mut body, &mut file, part_len);
        let done = match copied {
            Ok(()) => file.flush().and_then(|()| std::fs::rename(&temporary, &path)).map_err(CopyError::Disk),
            failed => failed,
        };
        match done {
            Ok(()) => Ok((Fetched::Disk { path, raw_len }, part_len)),
            Err(error) => {
                let _ = std::fs::remove_file(&temporary);
                Err(match error {
                    CopyError::Source(error) => {
                        FetchError::Read(format!("cannot read the output of {}: {error}", location.map))
                    }
                    CopyError::Disk(error) => FetchError::Task(TaskError::disk(&path)(error)),
                })
            }
        }
    }
}

/// Each read that succeeds is a sign of life.
struct Watched<'a> {
    body: Body,
    reporter: &'a Reporter,
}

impl Read for Watched<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buf)?;
        self.reporter.alive();
        Ok(read)
    }
}

/// Reads `len` bytes and finds the end behind them, and the checksum right.
fn read_exactly(mut source: impl Read, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(len as usize);
    source.by_ref().take(len).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("{} bytes instead of {len}", bytes.len())));
    }
    if source.read(&mut [0])? > 0 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("more than {len} bytes")));
    }
    Ok(bytes)
}

enum CopyError {
    Source(io::Error),
    Disk(io::Error),
}

/// Copies `len` bytes and finds the end behind them.
fn copy(source: &mut impl Read, file: &mut impl Write, len: u64) -> Result<(), CopyError> {
    let mut buffer = vec![0; 64 << 10];
    let mut copied = 0;
    loop {
        let read = source.read(&mut buffer).map_err(CopyError::Source)?;
        if read == 0 {
            break;
        }
        copied += read as u64;
        file.write_all(&buffer[..read]).map_err(CopyError::Disk)?;
    }
    if copied == len {
        return Ok(());
    }
    let problem = format!("{copied} bytes instead of {len}");
    Err(CopyError::Source(io::Error::new(io::ErrorKind::UnexpectedEof, problem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trackers_address_is_taken_apart() {
        let map: TaskAttemptId = "attempt_1_0001_m_000000_0".parse().unwrap();
        let location = Location::new(map.clone(), "http://node-1:50060").unwrap();
        assert_eq!((location.host.as_str(), location.port), ("node-1", 50060));
        assert_eq!(location.address, "node-1:50060");
        for bad in ["node-1:50060", "http://:50060", "http://node-1", "http://node-1:x"] {
            assert_eq!(Location::new(map.clone(), bad), None, "{bad}");
        }
    }
}
