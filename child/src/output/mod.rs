//! Output formats: records into a file of the attempt's own directory, or nowhere.
//!
//! The committer moves the files into place; the engine counts.

mod sequence;
mod text;

use configuration::keys;
use storage::{CreateOptions, Output, Path};
use twins::{Codec, OutputFormat, Plan};
use types::TaskKind;

use crate::runner::InputTypes;

use crate::api::{RecordWriter, Result, TaskContext, TaskError};

/// Opens the attempt's output: of a map if the job has no reduces, else of a reduce.
///
/// # Errors
/// If the file cannot be made, or the job has no output directory.
pub fn open(plan: &Plan, types: &InputTypes, ctx: &TaskContext) -> Result<Box<dyn RecordWriter>> {
    let (format, new_api) = if plan.with_reduces {
        (plan.output_format, plan.new_reducer)
    } else {
        (plan.map_output_format, plan.new_mapper)
    };
    match format {
        OutputFormat::Text => {
            let suffix = plan.output_codec.map_or("", Codec::suffix);
            let (path, file) = create(&file_name(new_api, suffix, ctx)?, !new_api, ctx)?;
            Ok(Box::new(text::LineWriter::new(plan, types, path, file, ctx)?))
        }
        OutputFormat::SequenceFile => {
            let (path, file) = create(&file_name(new_api, "", ctx)?, !new_api, ctx)?;
            Ok(Box::new(sequence::Writer::new(plan, types, path, file, ctx)?))
        }
        OutputFormat::Tera => {
            let (path, file) = create(&file_name(new_api, "", ctx)?, true, ctx)?;
            Ok(Box::new(text::LineWriter::of_rows(plan, types, path, file)))
        }
        OutputFormat::Null => Ok(Box::new(Nowhere)),
    }
}

/// `part-00000` for the old interface, `part-m-00000` or `part-r-00000` with a base name of choice for the new one.
fn file_name(new_api: bool, suffix: &str, ctx: &TaskContext) -> Result<String> {
    let number = ctx.partition;
    if !new_api {
        return Ok(format!("part-{number:05}{suffix}"));
    }
    let base = ctx.conf.get(&keys::MAPREDUCE_OUTPUT_BASENAME)?;
    let kind = if ctx.attempt.task.kind == TaskKind::Map { 'm' } else { 'r' };
    Ok(format!("{base}-{kind}-{number:05}{suffix}"))
}

/// Makes a file in the attempt's output directory. The old interface replaces a file that is there, the new one does not.
fn create(name: &str, overwrite: bool, ctx: &TaskContext) -> Result<(Path, Box<dyn Output>)> {
    let directory = ctx.output_dir.as_ref().ok_or_else(|| TaskError::io_exception("Undefined job output-path"))?;
    let path = directory.join(name)?;
    let options = if overwrite { CreateOptions::OVERWRITE } else { CreateOptions::EXCLUSIVE };
    let file = ctx.storage.for_path(&path)?.create(&path, options)?;
    Ok((path, file))
}

/// Wraps an I/O error with the file it is about.
fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> TaskError {
    TaskError::io(format!("write {path}"))
}

/// NullOutputFormat.
struct Nowhere;

impl RecordWriter for Nowhere {
    fn write(&mut self, _key: &[u8], _value: &[u8]) -> Result<()> {
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

fn codec(twin: Codec) -> hadoop_io::Codec {
    match twin {
        Codec::Default => hadoop_io::Codec::Default,
        Codec::Gzip => hadoop_io::Codec::Gzip,
        Codec::BZip2 => hadoop_io::Codec::BZip2,
        Codec::Snappy => hadoop_io::Codec::Snappy,
        Codec::Lz4 => hadoop_io::Codec::Lz4,
        Codec::Zstandard => hadoop_io::Codec::Zstandard,
    }
}
