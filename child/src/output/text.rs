//! Records as lines: key, separator, value, line feed.
//!
//! Hadoop 1.2.1: mapred.TextOutputFormat and mapreduce.lib.output.TextOutputFormat.

use std::io::{self, Write};

use configuration::keys;
use hadoop_io::codec::Compressor;
use storage::{Output, Path};
use twins::{DataType, Plan};

use super::{codec, writing};
use crate::api::{RecordWriter, Result, TaskContext, TaskError};
use crate::runner::{InputTypes, data, data_type};

/// Bytes go to the file in pieces of this size.
const BUFFER_BYTES: usize = 64 * 1024;

/// A file, maybe compressed.
enum Sink {
    Plain(Box<dyn Output>),
    Compressed(Box<Compressor<Box<dyn Output>>>),
}

impl Sink {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Sink::Plain(file) => file.write_all(bytes),
            Sink::Compressed(file) => file.write_all(bytes),
        }
    }

    fn close(self) -> io::Result<()> {
        match self {
            Sink::Plain(file) => file.close(),
            Sink::Compressed(file) => file.finish()?.close(),
        }
    }
}

/// See the module.
pub(super) struct LineWriter {
    path: Path,
    sink: Option<Sink>,
    pending: Vec<u8>,
    separator: Vec<u8>,
    line_end: &'static [u8],
    /// Known at the first record: a map's input may tell.
    record: Option<(DataType, DataType)>,
    plan: Plan,
    types: InputTypes,
}

impl LineWriter {
    pub(super) fn new(
        plan: &Plan,
        types: &InputTypes,
        path: Path,
        file: Box<dyn Output>,
        ctx: &TaskContext,
    ) -> Result<Self> {
        let sink = match plan.output_codec {
            None => Sink::Plain(file),
            Some(twin) => Sink::Compressed(Box::new(codec(twin).writer(file))),
        };
        let separator = ctx.conf.get(&keys::MAPRED_TEXTOUTPUTFORMAT_SEPARATOR)?.into_bytes();
        let pending = Vec::with_capacity(BUFFER_BYTES + 1024);
        let (plan, types) = (plan.clone(), types.clone());
        let (sink, line_end) = (Some(sink), &b"\n"[..]);
        Ok(LineWriter { path, sink, pending, separator, line_end, record: None, plan, types })
    }

    /// TeraSort's rows: nothing between key and value, and a line end of two bytes; never compressed.
    pub(super) fn of_rows(plan: &Plan, types: &InputTypes, path: Path, file: Box<dyn Output>) -> Self {
        let pending = Vec::with_capacity(BUFFER_BYTES + 1024);
        LineWriter {
            path,
            sink: Some(Sink::Plain(file)),
            pending,
            separator: Vec::new(),
            line_end: b"\r\n",
            record: None,
            plan: plan.clone(),
            types: types.clone(),
        }
    }

    fn record(&mut self) -> Result<(DataType, DataType)> {
        if let Some(record) = self.record {
            return Ok(record);
        }
        let (key, value) = self.types.written(&self.plan)?;
        let record = (data_type(&key)?, data_type(&value)?);
        self.record = Some(record);
        Ok(record)
    }

    fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.sink {
            sink.write_all(&self.pending).map_err(writing(&self.path))?;
        }
        self.pending.clear();
        Ok(())
    }
}

/// Java's null, which has no serialized form and travels as no bytes, or a NullWritable.
fn is_null(kind: DataType, serialized: &[u8]) -> bool {
    kind == DataType::Null || serialized.is_empty()
}

impl RecordWriter for LineWriter {
    fn write(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let (key_type, value_type) = self.record()?;
        let (with_key, with_value) = (!is_null(key_type, key), !is_null(value_type, value));
        if !with_key && !with_value {
            return Ok(());
        }
        let out = &mut self.pending;
        if with_key {
            data::put_line_part(key_type, key, out).map_err(TaskError::decode("output key"))?;
        }
        if with_key && with_value {
            out.extend_from_slice(&self.separator);
        }
        if with_value {
            data::put_line_part(value_type, value, out).map_err(TaskError::decode("output value"))?;
        }
        out.extend_from_slice(self.line_end);
        if self.pending.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    fn close(&mut self) -> Result<()> {
        self.flush()?;
        match self.sink.take() {
            Some(sink) => sink.close().map_err(writing(&self.path)),
            None => Ok(()),
        }
    }
}
