//! Writes a sequence file, record by record.

use std::fmt;
use std::io::{self, Write};

use super::{BLOCK_SIZE, Compression, Header, SYNC_ESCAPE, SYNC_INTERVAL, Sync, pack};
use crate::stream::CountingWriter;
use crate::{Codec, DataOutput};

/// Records that wait for their block to be full.
#[derive(Default)]
struct Block {
    records: i32,
    key_lens: DataOutput,
    keys: DataOutput,
    value_lens: DataOutput,
    values: DataOutput,
}

impl Block {
    fn parts(&self) -> [&DataOutput; 4] {
        [&self.key_lens, &self.keys, &self.value_lens, &self.values]
    }

    fn clear(&mut self) {
        self.records = 0;
        for part in [&mut self.key_lens, &mut self.keys, &mut self.value_lens, &mut self.values] {
            part.clear();
        }
    }
}

/// Writes a sequence file. The stream below should be buffered.
pub struct Writer<W: Write> {
    sink: CountingWriter<W>,
    compression: Compression,
    sync: Sync,
    last_sync: u64,
    block: Block,
    block_size: usize,
    packed: Vec<u8>,
}

impl<W: Write> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("written", &self.sink.count).finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Writes the header. `sync` is [`super::random_sync`]'s, but for tests.
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn new(sink: W, header: &Header, sync: Sync) -> io::Result<Self> {
        let mut sink = CountingWriter { inner: sink, count: 0 };
        sink.write_all(&header.encode(&sync))?;
        Ok(Writer {
            sink,
            compression: header.compression,
            sync,
            last_sync: 0,
            block: Block::default(),
            block_size: BLOCK_SIZE,
            packed: Vec::new(),
        })
    }

    /// Cuts blocks at this many bytes of keys and values (`io.seqfile.compress.blocksize`).
    pub fn with_block_size(self, block_size: usize) -> Self {
        Writer { block_size, ..self }
    }

    /// Appends a record.
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn append(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        match self.compression {
            Compression::None => self.append_single(key, value),
            Compression::Record(codec) => {
                let mut packed = std::mem::take(&mut self.packed);
                pack(codec, value, &mut packed)?;
                let appended = self.append_single(key, &packed);
                self.packed = packed;
                appended
            }
            Compression::Block(codec) => self.append_to_block(codec, key, value),
        }
    }

    fn append_single(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        if self.sink.count >= self.last_sync + SYNC_INTERVAL {
            self.write_sync()?;
        }
        let record_len = len_as_int(key.len() + value.len())?;
        self.sink.write_all(&record_len.to_be_bytes())?;
        self.sink.write_all(&(key.len() as i32).to_be_bytes())?;
        self.sink.write_all(key)?;
        self.sink.write_all(value)
    }

    fn append_to_block(&mut self, codec: Codec, key: &[u8], value: &[u8]) -> io::Result<()> {
        len_as_int(key.len().max(value.len()))?;
        let block = &mut self.block;
        block.key_lens.vlong(key.len() as i64);
        block.keys.bytes(key);
        block.value_lens.vlong(value.len() as i64);
        block.values.bytes(value);
        block.records += 1;
        if block.keys.len() + block.values.len() >= self.block_size {
            self.write_block(codec)?;
        }
        Ok(())
    }

    fn write_block(&mut self, codec: Codec) -> io::Result<()> {
        self.write_sync()?;
        let mut head = DataOutput::new();
        head.vint(self.block.records);
        self.sink.write_all(head.as_bytes())?;
        for part in self.block.parts() {
            pack(codec, part.as_bytes(), &mut self.packed)?;
            head.clear();
            head.vint(len_as_int(self.packed.len())?);
            self.sink.write_all(head.as_bytes())?;
            self.sink.write_all(&self.packed)?;
        }
        self.block.clear();
        Ok(())
    }

    fn write_sync(&mut self) -> io::Result<()> {
        if self.last_sync != self.sink.count {
            self.sink.write_all(&SYNC_ESCAPE.to_be_bytes())?;
            self.sink.write_all(&self.sync)?;
            self.last_sync = self.sink.count;
        }
        Ok(())
    }

    /// Bytes written so far.
    pub fn written(&self) -> u64 {
        self.sink.count
    }

    /// Writes the last block and gives back the stream below, flushed.
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn finish(mut self) -> io::Result<W> {
        if let Compression::Block(codec) = self.compression
            && self.block.records > 0
        {
            self.write_block(codec)?;
        }
        self.sink.flush()?;
        Ok(self.sink.inner)
    }
}

fn len_as_int(len: usize) -> io::Result<i32> {
    i32::try_from(len).map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("a record of {len} bytes; expected at most 2147483647"))
    })
}
