//! Input formats: from a split to its records, as the Java classes of the same purpose read them.
//!
//! Choosing splits is the client's business; the engine counts, this reads.

#[cfg(test)]
mod codec_tests;
mod compressed;
mod line_reader;
mod lines;
mod pipes;
mod sequence;
mod sleep;
mod tera;
mod xml;

use configuration::keys;
use storage::Path;
use twins::{InputFormat, Plan, flow};

pub use line_reader::LineReader;

use crate::api::{FileSplit, InputSplit, OpenInput, RecordReader, Result, TaskContext, TaskError};
use crate::runner::Classes;

/// Opens the split of a map, and says of which classes its records are.
///
/// # Errors
/// If the split is not one of this input format's, or its file cannot be read.
pub fn open(plan: &Plan, split: &InputSplit, ctx: &TaskContext) -> Result<(OpenInput, Classes)> {
    let mut classes = flow::input_record(plan.input_format)
        .map(|(key, value)| (key.class_name().to_owned(), value.class_name().to_owned()))
        .unwrap_or_default();
    // The old interface's file formats say what they read, but TeraSort's does not, nor one that reads nothing.
    let silent = plan.new_mapper || matches!(plan.input_format, InputFormat::Tera | InputFormat::PipesNonJava);
    if let (false, Some(file)) = (silent, &split.file) {
        ctx.reporter.set_status(format!("{}:{}+{}", file.path, file.start, file.length));
    }
    let mut split_len = 0;
    let reader: Box<dyn RecordReader> = match plan.input_format {
        InputFormat::Text | InputFormat::NLine => Box::new(lines::Lines::open(file(split)?, plan.new_mapper, ctx)?),
        InputFormat::Stream if !by_lines(ctx)? => Box::new(xml::Marked::open(file(split)?, ctx)?),
        InputFormat::KeyValueText | InputFormat::Stream => {
            let key = if plan.new_mapper {
                &keys::MAPREDUCE_INPUT_KEYVALUELINERECORDREADER_KEY_VALUE_SEPARATOR
            } else {
                &keys::KEY_VALUE_SEPARATOR_IN_INPUT_LINE
            };
            Box::new(lines::KeyValueLines::open(file(split)?, plan.new_mapper, &ctx.conf.get(key)?, ctx)?)
        }
        InputFormat::SequenceFile => {
            let records = sequence::Records::open(file(split)?, ctx)?;
            classes = records.classes();
            Box::new(records)
        }
        InputFormat::TeraGen => {
            let (rows, taken) = tera::Rows::open(split)?;
            split_len = taken;
            Box::new(rows)
        }
        InputFormat::Tera => Box::new(tera::TeraLines::open(file(split)?, ctx)?),
        InputFormat::PipesNonJava => Box::new(pipes::Progress::default()),
        InputFormat::Sleep => Box::new(sleep::SleepRecords::open(ctx)?),
    };
    Ok((OpenInput { reader, split_len }, classes))
}

/// Whether streaming's own format reads lines; `twins` knows its only other reader.
fn by_lines(ctx: &TaskContext) -> Result<bool> {
    let reader = ctx.conf.get_optional(&keys::STREAM_RECORDREADER_CLASS)?;
    Ok(reader.is_none_or(|class| class.contains("LineRecordReader")))
}

fn file(split: &InputSplit) -> Result<&FileSplit> {
    split.file.as_ref().ok_or_else(|| TaskError::Failed {
        exception: "java.lang.ClassCastException",
        message: format!("{} cannot be cast to org.apache.hadoop.mapred.FileSplit", split.class),
    })
}

/// Wraps an I/O error with the file it is about.
fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> TaskError {
    TaskError::io(format!("read {path}"))
}
