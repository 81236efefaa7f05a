//! Records into a SequenceFile.
//!
//! Hadoop 1.2.1: mapred.SequenceFileOutputFormat and mapreduce.lib.output.SequenceFileOutputFormat.

use std::io::BufWriter;

use configuration::keys;
use hadoop_io::sequence_file::{Compression, Header, Writer as SequenceWriter, random_sync};
use storage::{Output, Path};
use twins::{Codec, Plan};

use super::{codec, writing};
use crate::api::{RecordWriter, Result, TaskContext, TaskError};
use crate::runner::{Classes, InputTypes};

/// See the module.
pub(super) struct Writer {
    path: Path,
    writer: Option<SequenceWriter<BufWriter<Box<dyn Output>>>>,
    declared: Classes,
    checked: bool,
    plan: Plan,
    types: InputTypes,
}

impl Writer {
    pub(super) fn new(
        plan: &Plan,
        types: &InputTypes,
        path: Path,
        file: Box<dyn Output>,
        ctx: &TaskContext,
    ) -> Result<Self> {
        let declared = (plan.output_key.class_name().to_owned(), plan.output_value.class_name().to_owned());
        let header = Header {
            key_class: declared.0.clone(),
            value_class: declared.1.clone(),
            compression: compression(plan.output_codec, ctx)?,
            metadata: std::collections::BTreeMap::new(),
        };
        let sink = BufWriter::with_capacity(64 << 10, file);
        let block_size = usize::try_from(ctx.conf.get_or(&keys::IO_SEQFILE_COMPRESS_BLOCKSIZE, 1_000_000)).unwrap_or(0);
        let writer = SequenceWriter::new(sink, &header, random_sync()).map_err(writing(&path))?;
        let writer = Some(writer.with_block_size(block_size));
        Ok(Writer { path, writer, declared, checked: false, plan: plan.clone(), types: types.clone() })
    }

    /// Hadoop 1.2.1: SequenceFile.Writer.append.
    fn check(&mut self) -> Result<()> {
        let found = self.types.written(&self.plan)?;
        for (what, found, declared) in [("key", &found.0, &self.declared.0), ("value", &found.1, &self.declared.1)] {
            if found != declared {
                return Err(TaskError::io_exception(format!("wrong {what} class: {found} is not class {declared}")));
            }
        }
        self.checked = true;
        Ok(())
    }
}

fn compression(twin: Option<Codec>, ctx: &TaskContext) -> Result<Compression> {
    let Some(twin) = twin else { return Ok(Compression::None) };
    let kind = ctx.conf.get(&keys::MAPRED_OUTPUT_COMPRESSION_TYPE)?;
    match kind.as_str() {
        "NONE" => Ok(Compression::None),
        "RECORD" => Ok(Compression::Record(codec(twin))),
        "BLOCK" => Ok(Compression::Block(codec(twin))),
        other => Err(TaskError::Failed {
            exception: "java.lang.IllegalArgumentException",
            message: format!("No enum constant org.apache.hadoop.io.SequenceFile.CompressionType.{other}"),
        }),
    }
}

impl RecordWriter for Writer {
    fn write(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        if !self.checked {
            self.check()?;
        }
        match &mut self.writer {
            Some(writer) => writer.append(key, value).map_err(writing(&self.path)),
            None => Err(TaskError::io_exception(format!("{} is closed", self.path))),
        }
    }

    fn close(&mut self) -> Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.finish().and_then(|sink| sink.into_inner().map_err(|error| error.into_error()));
        file.and_then(|file| file.close()).map_err(writing(&self.path))
    }
}
