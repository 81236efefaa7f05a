//! Merges sorted segments in passes of at most `io.sort.factor`, the smallest first.
//!
//! Hadoop 1.2.1: mapred.Merger and util.PriorityQueue, whose choices decide in which order equal keys come out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hadoop_io::Codec;
use hadoop_io::ifile;

use crate::api::{RawComparator, Result, TaskError};
use crate::disk::Disks;
use crate::reporter::{CounterHandle, Reporter};
use crate::sorted::Sorted;

/// Where a segment's records are.
pub(crate) enum Source {
    /// In a file, from `offset` on.
    Disk {
        /// Which file.
        path: PathBuf,
        /// Where it starts.
        offset: u64,
        /// Whether the file goes when it was read.
        delete: bool,
    },
    /// In memory: plain records and the end mark. What comes with them is dropped when they were read.
    Memory(Vec<u8>, Option<Box<dyn Send>>),
    /// In another merge.
    Stream(Box<dyn Sorted>),
}

/// One sorted run of records.
pub(crate) struct Segment {
    source: Source,
    /// Bytes as stored, by which segments are ordered.
    len: u64,
    /// Bytes before compression, by which progress is told.
    raw_len: u64,
}

impl Segment {
    pub(crate) fn new(source: Source, len: u64, raw_len: u64) -> Self {
        Segment { source, len, raw_len }
    }

    /// Bytes before compression.
    pub(crate) fn raw_len(&self) -> u64 {
        self.raw_len
    }
}

enum Records {
    Disk { reader: ifile::Reader, path: PathBuf, delete: bool },
    Memory(ifile::MemoryReader),
    Stream(Box<dyn Sorted>),
}

/// A segment that is being read.
struct Cursor {
    records: Records,
    prefix: u64,
    raw_len: u64,
    read: u64,
    held: Option<Box<dyn Send>>,
}

impl Cursor {
    fn next(&mut self, settings: &Settings) -> Result<bool> {
        let found = match &mut self.records {
            Records::Disk { reader, path, .. } => {
                reader.next().map_err(|source| TaskError::Format { what: path.display().to_string(), source })?
            }
            Records::Memory(reader) => {
                reader.next().map_err(|source| TaskError::Format { what: "map output in memory".to_owned(), source })?
            }
            Records::Stream(stream) => stream.next()?,
        };
        if found {
            self.read += 1;
            self.prefix = settings.comparator.prefix(self.key());
        }
        Ok(found)
    }

    fn key(&self) -> &[u8] {
        match &self.records {
            Records::Disk { reader, .. } => reader.key(),
            Records::Memory(reader) => reader.key(),
            Records::Stream(stream) => stream.key(),
        }
    }

    fn value(&self) -> &[u8] {
        match &self.records {
            Records::Disk { reader, .. } => reader.value(),
            Records::Memory(reader) => reader.value(),
            Records::Stream(stream) => stream.value(),
        }
    }

    fn consumed(&self) -> u64 {
        match &self.records {
            Records::Disk { reader, .. } => reader.consumed(),
            Records::Memory(reader) => reader.consumed(),
            Records::Stream(stream) => (stream.progress() * self.raw_len as f32) as u64,
        }
    }

    /// Counts what was read, and deletes what was read for the last time.
    fn close(self, settings: &Settings) {
        if let Records::Disk { path, delete, .. } = self.records {
            if let Some(reads) = &settings.disk_reads {
                reads.add(self.read as i64);
            }
            if delete {
                let _ = std::fs::remove_file(path);
            }
        }
        drop(self.held);
    }
}

/// What all passes of a merge share.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) comparator: Arc<dyn RawComparator>,
    pub(crate) disks: Disks,
    pub(crate) codec: Option<Codec>,
    /// Segments in one pass.
    pub(crate) factor: usize,
    /// Names intermediate files.
    pub(crate) temporary: String,
    pub(crate) reporter: Reporter,
    /// Counts records read from disk.
    pub(crate) disk_reads: Option<CounterHandle>,
    /// Counts records written by intermediate passes.
    pub(crate) disk_writes: Option<CounterHandle>,
}

/// Merges; the first `in_memory` segments do not count towards the first pass's factor.
pub(crate) fn merge(mut segments: Vec<Segment>, in_memory: usize, settings: Settings) -> Result<MergedStream> {
    let mut count = segments.len();
    let mut pass = 1;
    loop {
        let mut factor = pass_factor(settings.factor, pass, count.saturating_sub(in_memory));
        if pass == 1 {
            factor += in_memory;
        }
        let mut cursors = Vec::new();
        let mut wanted = factor;
        loop {
            let taken: Vec<Segment> = segments.drain(..wanted.min(segments.len())).collect();
            for segment in taken {
                let mut cursor = open(segment, &settings)?;
                if cursor.next(&settings)? {
                    cursors.push(cursor);
                } else {
                    cursor.close(&settings);
                    count -= 1;
                }
            }
            if cursors.len() == factor || segments.is_empty() {
                break;
            }
            wanted = factor - cursors.len();
        }
        let stream = MergedStream::new(cursors, settings.clone());
        if count <= factor {
            return Ok(stream);
        }
        segments.push(intermediate(stream, pass)?);
        count = segments.len();
        // Stable, as Java's: segments of one length keep their order.
        segments.sort_by_key(|segment| segment.len);
        pass += 1;
    }
}

/// Orders segments by length, for a merge of files.
pub(crate) fn smallest_first(segments: &mut [Segment]) {
    segments.sort_by_key(|segment| segment.len);
}

/// The first pass takes so many that the later ones are full (Hadoop 1.2.1: Merger.getPassFactor).
fn pass_factor(factor: usize, pass: u32, count: usize) -> usize {
    if pass > 1 || count <= factor || factor == 1 {
        return factor;
    }
    match (count - 1) % (factor - 1) {
        0 => factor,
        rest => rest + 1,
    }
}

fn open(segment: Segment, settings: &Settings) -> Result<Cursor> {
    let mut held = None;
    let records = match segment.source {
        Source::Disk { path, offset, delete } => {
            let file = settings.disks.open(&path, offset)?;
            let reader = ifile::Reader::new(file, segment.len, settings.codec)
                .map_err(|source| TaskError::Format { what: path.display().to_string(), source })?;
            Records::Disk { reader, path, delete }
        }
        Source::Memory(bytes, guard) => {
            held = guard;
            Records::Memory(ifile::MemoryReader::new(bytes))
        }
        Source::Stream(stream) => Records::Stream(stream),
    };
    Ok(Cursor { records, prefix: 0, raw_len: segment.raw_len, read: 0, held })
}

fn intermediate(mut stream: MergedStream, pass: u32) -> Result<Segment> {
    let settings = stream.settings.clone();
    let size = stream.cursors.iter().flatten().map(|cursor| cursor.raw_len).sum();
    let path = settings.disks.for_write(&format!("{}/intermediate.{pass}", settings.temporary), size)?;
    let mut writer = ifile::Writer::new(settings.disks.create(&path)?, settings.codec);
    let written =
        write_all(&mut stream, &mut writer, &path, &settings.reporter).and_then(|()| finish(writer, &path))?;
    if let Some(writes) = &settings.disk_writes {
        writes.add(written.records as i64);
    }
    Ok(Segment::new(Source::Disk { path, offset: 0, delete: true }, written.part_len, written.raw_len))
}

/// Writes a whole stream into a segment of the file at `path` (Hadoop 1.2.1: Merger.writeFile).
pub(crate) fn write_all<W: std::io::Write>(
    stream: &mut dyn Sorted,
    writer: &mut ifile::Writer<W>,
    path: &Path,
    reporter: &Reporter,
) -> Result<()> {
    while stream.next()? {
        writer.append(stream.key(), stream.value()).map_err(TaskError::disk(path))?;
        reporter.alive();
    }
    Ok(())
}

/// Ends a segment that is a file of its own.
pub(crate) fn finish<W: std::io::Write>(
    writer: ifile::Writer<std::io::BufWriter<W>>,
    path: &Path,
) -> Result<ifile::Written> {
    let (mut file, written) = writer.finish().map_err(TaskError::disk(path))?;
    std::io::Write::flush(&mut file).map_err(TaskError::disk(path))?;
    Ok(written)
}

/// The records of several segments in order.
pub(crate) struct MergedStream {
    /// Emptied as they end.
    cursors: Vec<Option<Cursor>>,
    /// Positions in `cursors`, the smallest key at 1; 0 is not used.
    heap: Vec<usize>,
    settings: Settings,
    started: bool,
    done_len: u64,
    total_len: u64,
}

impl MergedStream {
    fn new(cursors: Vec<Cursor>, settings: Settings) -> Self {
        let total_len = cursors.iter().map(|cursor| cursor.raw_len).sum();
        let mut stream = MergedStream {
            heap: vec![0],
            cursors: cursors.into_iter().map(Some).collect(),
            settings,
            started: false,
            done_len: 0,
            total_len,
        };
        (0..stream.cursors.len()).for_each(|cursor| stream.put(cursor));
        stream
    }

    fn cursor(&self, at: usize) -> &Cursor {
        self.cursors[at].as_ref().expect("the heap names open segments only")
    }

    fn less(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.cursor(a), self.cursor(b));
        match a.prefix.cmp(&b.prefix) {
            std::cmp::Ordering::Equal => self.settings.comparator.sort(a.key(), b.key()).is_lt(),
            decided => decided.is_lt(),
        }
    }

    /// Adds at the bottom and lets it rise past what is greater.
    fn put(&mut self, cursor: usize) {
        self.heap.push(cursor);
        let mut at = self.heap.len() - 1;
        while at > 1 && self.less(cursor, self.heap[at / 2]) {
            self.heap[at] = self.heap[at / 2];
            at /= 2;
        }
        self.heap[at] = cursor;
    }

    /// Lets the top sink below what is smaller.
    fn sink(&mut self) {
        let Some(&top) = self.heap.get(1) else { return };
        let mut at = 1;
        loop {
            let mut child = at * 2;
            if child + 1 < self.heap.len() && self.less(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if child >= self.heap.len() || !self.less(self.heap[child], top) {
                break;
            }
            self.heap[at] = self.heap[child];
            at = child;
        }
        self.heap[at] = top;
    }

    /// Moves the top segment on, or takes it out when it has ended.
    fn advance_top(&mut self) -> Result<()> {
        let top = self.heap[1];
        let cursor = self.cursors[top].as_mut().expect("the heap names open segments only");
        if !cursor.next(&self.settings)? {
            let ended = self.cursors[top].take().expect("the heap names open segments only");
            self.done_len += ended.raw_len;
            ended.close(&self.settings);
            let last = self.heap.pop().expect("the heap holds the top");
            if self.heap.len() > 1 {
                self.heap[1] = last;
            }
        }
        self.sink();
        Ok(())
    }
}

impl Sorted for MergedStream {
    fn next(&mut self) -> Result<bool> {
        if self.started && self.heap.len() > 1 {
            self.advance_top()?;
        }
        self.started = true;
        Ok(self.heap.len() > 1)
    }

    fn key(&self) -> &[u8] {
        self.cursor(self.heap[1]).key()
    }

    fn value(&self) -> &[u8] {
        self.cursor(self.heap[1]).value()
    }

    fn progress(&self) -> f32 {
        if self.total_len == 0 {
            return 1.0;
        }
        let open: u64 = self.cursors.iter().flatten().map(Cursor::consumed).sum();
        ((self.done_len + open) as f32 / self.total_len as f32).min(1.0)
    }
}

#[cfg(test)]
mod tests;
