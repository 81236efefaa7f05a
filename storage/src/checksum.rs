//! The `.NAME.crc` sidecar of a local file (Hadoop 1.2.1: fs.ChecksumFileSystem): `crc` and a zero byte, the stretch
//! length as an int, then the CRC-32 of each stretch of the file, big-endian.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use crate::error::ChecksumError;
use crate::file_system::{Output, Statistics};
use crate::path::Path;

const MAGIC: [u8; 4] = *b"crc\0";
const HEADER_BYTES: u64 = 8;
/// The longest stretch that a sidecar may claim; the buffer for one is made before a byte of it is seen.
const STRETCH_BYTES_MAX: u32 = 64 << 20;
/// How much is written at once.
const WRITE_BYTES: usize = 64 << 10;

/// A file whose bytes count when they are read from the disk, ahead of need or not.
struct CountedFile {
    file: File,
    statistics: Arc<Statistics>,
}

impl Read for CountedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.statistics.add_read(read as u64);
        Ok(read)
    }
}

impl Seek for CountedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The checksums of a file that is being read.
pub(crate) struct Sums {
    file: BufReader<CountedFile>,
    /// The position in `file`.
    at: u64,
    stretch: usize,
}

impl Sums {
    /// Reads a sidecar's header; `None` if it is none. Quirk: ChecksumFSInputChecker then reads unchecked.
    pub(crate) fn open(file: File, statistics: &Arc<Statistics>, buffer_bytes: usize) -> Option<Sums> {
        let mut file = BufReader::with_capacity(buffer_bytes, CountedFile { file, statistics: statistics.clone() });
        let mut header = [0; HEADER_BYTES as usize];
        file.read_exact(&mut header).ok()?;
        let stretch = u32::from_be_bytes(header[4..].try_into().ok()?);
        if header[..4] != MAGIC || stretch == 0 || stretch > STRETCH_BYTES_MAX {
            return None;
        }
        Some(Sums { file, at: HEADER_BYTES, stretch: stretch as usize })
    }

    /// The sums of `count` stretches from the one numbered `first` on; fewer if the sidecar ends.
    fn read(&mut self, first: u64, count: usize) -> io::Result<Vec<u32>> {
        let wanted = HEADER_BYTES + 4 * first;
        self.file.seek_relative(wanted.wrapping_sub(self.at) as i64)?;
        self.at = wanted;
        let mut bytes = vec![0; 4 * count];
        let read = read_fully(&mut self.file, &mut bytes)?;
        self.at += read as u64;
        Ok(bytes[..read].chunks_exact(4).map(|sum| u32::from_be_bytes([sum[0], sum[1], sum[2], sum[3]])).collect())
    }
}

/// Fills the buffer or reads to the end.
fn read_fully(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A local file that is read and, if it has a sidecar, checked.
pub(crate) struct LocalInput {
    path: Path,
    data: File,
    sums: Option<Sums>,
    statistics: Arc<Statistics>,
    length: u64,
    /// Where the reader stands.
    position: u64,
    /// Where `data` stands.
    data_at: u64,
    buffer: Vec<u8>,
    buffer_at: u64,
    /// How much is read and checked at once: how far a split's reader reads beyond its end shows in a job's counters.
    buffer_bytes: usize,
}

impl LocalInput {
    pub(crate) fn new(
        path: Path,
        data: File,
        sums: Option<Sums>,
        statistics: Arc<Statistics>,
        buffer_bytes: usize,
    ) -> io::Result<Self> {
        let length = data.metadata()?.len();
        Ok(LocalInput {
            path,
            data,
            sums,
            statistics,
            length,
            position: 0,
            data_at: 0,
            buffer: Vec::new(),
            buffer_at: 0,
            buffer_bytes,
        })
    }

    /// Reads whole stretches from the one that holds `position` on, and checks them.
    fn fill(&mut self) -> io::Result<()> {
        let stretch = self.sums.as_ref().map_or(1, |sums| sums.stretch);
        let first = self.position / stretch as u64;
        let start = first * stretch as u64;
        if start != self.data_at {
            self.data.seek(SeekFrom::Start(start))?;
            self.data_at = start;
        }
        let count = (self.buffer_bytes / stretch).max(1);
        self.buffer.resize(count * stretch, 0);
        let read = read_fully(&mut self.data, &mut self.buffer)?;
        self.buffer.truncate(read);
        self.buffer_at = start;
        self.data_at += read as u64;
        self.statistics.add_read(read as u64);
        if let Some(sums) = &mut self.sums {
            let stretches = read.div_ceil(stretch);
            let expected = sums.read(first, stretches)?;
            if let Some(bad) = first_bad(&self.buffer, stretch, &expected) {
                self.buffer.clear();
                let error = ChecksumError { path: self.path.clone(), offset: start + (bad * stretch) as u64 };
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
        }
        Ok(())
    }
}

/// The first stretch whose sum is missing or another.
fn first_bad(bytes: &[u8], stretch: usize, expected: &[u32]) -> Option<usize> {
    bytes
        .chunks(stretch)
        .enumerate()
        .find_map(|(number, bytes)| (expected.get(number) != Some(&crc32fast::hash(bytes))).then_some(number))
}

impl Read for LocalInput {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let buffered = self.buffer_at..self.buffer_at + self.buffer.len() as u64;
        if !buffered.contains(&self.position) {
            // A stretch that was cut short was the last one.
            let stretch = self.sums.as_ref().map_or(1, |sums| sums.stretch as u64);
            if self.position == buffered.end && buffered.end % stretch != 0 {
                return Ok(0);
            }
            self.fill()?;
        }
        let skip = usize::try_from(self.position - self.buffer_at).unwrap_or(usize::MAX);
        let available = self.buffer.get(skip..).unwrap_or_default();
        let count = available.len().min(out.len());
        out[..count].copy_from_slice(&available[..count]);
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for LocalInput {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => i128::from(at),
            SeekFrom::Current(by) => i128::from(self.position) + i128::from(by),
            SeekFrom::End(by) => i128::from(self.length) + i128::from(by),
        };
        match u64::try_from(target) {
            Ok(target) if target <= self.length => {
                self.position = target;
                Ok(target)
            }
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{}: cannot seek to {target} in a file of {} bytes", self.path, self.length),
            )),
        }
    }
}

/// A local file that is written, with its sidecar if it gets one.
pub(crate) struct LocalOutput {
    data: BufWriter<File>,
    sums: Option<SumWriter>,
    statistics: Arc<Statistics>,
}

/// The sidecar of a file that is being written.
pub(crate) struct SumWriter {
    file: BufWriter<File>,
    stretch: usize,
    hasher: crc32fast::Hasher,
    /// Bytes of the stretch that is not full yet.
    pending: usize,
}

impl SumWriter {
    pub(crate) fn new(file: File, stretch: u32, statistics: &Statistics) -> io::Result<Self> {
        let mut file = BufWriter::new(file);
        file.write_all(&MAGIC)?;
        file.write_all(&stretch.to_be_bytes())?;
        statistics.add_written(HEADER_BYTES);
        Ok(SumWriter { file, stretch: stretch as usize, hasher: crc32fast::Hasher::new(), pending: 0 })
    }

    fn update(&mut self, mut bytes: &[u8], statistics: &Statistics) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = bytes.len().min(self.stretch - self.pending);
            self.hasher.update(&bytes[..count]);
            self.pending += count;
            bytes = &bytes[count..];
            if self.pending == self.stretch {
                self.end_stretch(statistics)?;
            }
        }
        Ok(())
    }

    fn end_stretch(&mut self, statistics: &Statistics) -> io::Result<()> {
        let sum = std::mem::take(&mut self.hasher).finalize();
        self.pending = 0;
        statistics.add_written(4);
        self.file.write_all(&sum.to_be_bytes())
    }

    fn close(mut self, statistics: &Statistics) -> io::Result<()> {
        if self.pending > 0 {
            self.end_stretch(statistics)?;
        }
        self.file.flush()
    }
}

impl LocalOutput {
    pub(crate) fn new(data: File, sums: Option<SumWriter>, statistics: Arc<Statistics>) -> Self {
        LocalOutput { data: BufWriter::with_capacity(WRITE_BYTES, data), sums, statistics }
    }
}

impl Write for LocalOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.data.write(bytes)?;
        self.statistics.add_written(count as u64);
        if let Some(sums) = &mut self.sums {
            sums.update(&bytes[..count], &self.statistics)?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.data.flush()?;
        self.sums.as_mut().map_or(Ok(()), |sums| sums.file.flush())
    }
}

impl Output for LocalOutput {
    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.data.flush()?;
        match self.sums.take() {
            Some(sums) => sums.close(&self.statistics),
            None => Ok(()),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.data.get_ref().sync_data()?;
        self.sums.as_ref().map_or(Ok(()), |sums| sums.file.get_ref().sync_data())
    }
}
