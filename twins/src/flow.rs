//! The types of records on their way from input to output, as far as the configuration tells them.
//!
//! Java finds a mismatch at the first record and fails the task. Such a job stays with Java, so that it fails in
//! Java's own words; types that only a SequenceFile's header tells are checked by `child` when it opens the file.

use crate::{Comparator, DataType, InputFormat, InputWriter, Mapper, OutputFormat, Partitioner, Plan, Reason, Reducer};

/// Key and value type of a record.
pub type Record = (DataType, DataType);

/// The types that an input format's reader gives; `None` where the file decides.
pub fn input_record(format: InputFormat) -> Option<Record> {
    use DataType::{Int, Long, Null, Text};
    match format {
        InputFormat::Text | InputFormat::NLine => Some((Long, Text)),
        InputFormat::KeyValueText | InputFormat::Stream | InputFormat::Tera => Some((Text, Text)),
        InputFormat::SequenceFile => None,
        InputFormat::Sleep => Some((Int, Int)),
        InputFormat::TeraGen => Some((Long, Null)),
        InputFormat::PipesNonJava => Some((DataType::Float, Null)),
    }
}

/// The types that the plan's mapper puts out.
///
/// # Errors
/// What the mapper wants instead of `input`.
pub fn map_record(plan: &Plan, input: Option<Record>) -> Result<Option<Record>, Reason> {
    use DataType::{Boolean, Int, IntPair, Long, Null, Text};
    let wants_text_value = || match input {
        Some((_, value)) if value != Text => {
            Err(format!("the mapper wants values of {}, not {}", Text.class_name(), value.class_name()))
        }
        _ => Ok(()),
    };
    let wants = |record: Record| match input {
        Some(input) if input != record => Err(format!(
            "the mapper wants records of {} and {}, not {} and {}",
            record.0.class_name(),
            record.1.class_name(),
            input.0.class_name(),
            input.1.class_name()
        )),
        _ => Ok(()),
    };
    Ok(match plan.mapper {
        Mapper::Identity => input,
        Mapper::Inverse => input.map(|(key, value)| (value, key)),
        Mapper::TokenCount | Mapper::Regex => wants_text_value().map(|()| Some((Text, Long)))?,
        Mapper::TokenCounter => wants_text_value().map(|()| Some((Text, Int)))?,
        Mapper::Streaming => Some(both(plan.streams.map_output.data_type())),
        Mapper::Sleep => wants((Int, Int)).map(|()| Some((Int, Null)))?,
        Mapper::Pi => wants((Long, Long)).map(|()| Some((Boolean, Long)))?,
        Mapper::TeraGen => wants((Long, Null)).map(|()| Some((Text, Text)))?,
        Mapper::TeraValidate => wants((Text, Text)).map(|()| Some((Text, Text)))?,
        Mapper::SecondarySort => wants_text_value().map(|()| Some((IntPair, Int)))?,
        // Quirk: what a program puts out is read as the job's output, of a map too (Hadoop 1.2.1: PipesMapRunner.run).
        Mapper::Pipes => Some((plan.output_key, plan.output_value)),
        Mapper::Own if plan.with_reduces => Some((plan.map_output_key, plan.map_output_value)),
        Mapper::Own => Some((plan.output_key, plan.output_value)),
    })
}

/// The types that a reducer or combiner puts out; `None` if it never puts anything out.
///
/// # Errors
/// What the reducer wants instead of the map's output.
pub fn reduce_record(plan: &Plan, reducer: Reducer) -> Result<Option<Record>, Reason> {
    use DataType::{Boolean, Int, IntPair, Long, Null, Text};
    let (key, value) = (plan.map_output_key, plan.map_output_value);
    let wants = |wanted: DataType, found: DataType| {
        if wanted == found {
            Ok(())
        } else {
            Err(format!("the reducer wants {}, not {}", wanted.class_name(), found.class_name()))
        }
    };
    let (wanted_key, wanted_value, output) = match reducer {
        Reducer::Identity => (key, value, Some((key, value))),
        Reducer::LongSum => (key, Long, Some((key, Long))),
        Reducer::IntSum => (key, Int, Some((key, Int))),
        Reducer::Streaming | Reducer::StreamingCombiner => {
            (key, value, Some(both(plan.streams.reduce_output.data_type())))
        }
        Reducer::Sleep => (Int, Null, None),
        Reducer::Pi => (Boolean, Long, None),
        Reducer::TeraValidate => (Text, Text, Some((Text, Text))),
        Reducer::SecondarySort => (IntPair, Int, Some((Text, Int))),
        Reducer::Pipes | Reducer::Own => (key, value, Some((plan.output_key, plan.output_value))),
        Reducer::Aggregate | Reducer::AggregateCombiner => (Text, Text, Some((Text, Text))),
        Reducer::OwnCombiner => (key, value, Some((key, value))),
    };
    wants(wanted_key, key).and_then(|()| wants(wanted_value, value)).map(|()| output)
}

/// The key type that a named order can compare.
pub fn compared(comparator: Comparator) -> DataType {
    match comparator {
        Comparator::LongDecreasing | Comparator::Long => DataType::Long,
        Comparator::Text | Comparator::KeyField | Comparator::NewKeyField => DataType::Text,
        Comparator::Int => DataType::Int,
        Comparator::Bytes => DataType::Bytes,
        Comparator::FirstOfPair => DataType::IntPair,
    }
}

/// Fails with the first place where records do not fit.
pub(crate) fn check(plan: &Plan) -> Result<(), Reason> {
    let between = (plan.map_output_key, plan.map_output_value);
    let read = input_record(plan.input_format);
    let mapped = map_record(plan, read)?;
    let shows_all = !plan.with_reduces && mapped.is_none() && plan.map_output_format == OutputFormat::Text;
    if read.is_none() && (shows_all || plan.mapper == Mapper::Streaming) {
        return Err("only the input's files tell which classes have to be shown as text".to_owned());
    }
    if !plan.with_reduces {
        return mapped.map_or(Ok(()), |record| check_output(plan, plan.map_output_format, record));
    }
    if let Some(mapped) = mapped
        && mapped != between
    {
        return Err(format!("maps put out {}, but the job declares {}", shown(mapped), shown(between)));
    }
    let commands = [Some(plan.reducer), plan.combiner];
    let in_commands =
        commands.contains(&Some(Reducer::Streaming)) || commands.contains(&Some(Reducer::StreamingCombiner));
    let as_lines = in_commands && plan.streams.reduce_input == InputWriter::Text;
    if (as_lines && (is_float(between.0) || is_float(between.1)))
        || (plan.partitioner == Partitioner::KeyField && needs_javas_text(between.0))
    {
        return Err(FLOATS.to_owned());
    }
    for comparator in [plan.sort_comparator, plan.grouping_comparator].into_iter().flatten() {
        if compared(comparator) != between.0 {
            return Err(format!(
                "the comparator wants {}, not {}",
                compared(comparator).class_name(),
                between.0.class_name()
            ));
        }
    }
    let partitioned = match plan.partitioner {
        Partitioner::Hash | Partitioner::KeyField | Partitioner::TotalOrder => between.0,
        Partitioner::Sleep => DataType::Int,
        Partitioner::FirstOfPair => DataType::IntPair,
        Partitioner::TeraSort => DataType::Text,
    };
    if partitioned != between.0 {
        return Err(format!("the partitioner wants {}, not {}", partitioned.class_name(), between.0.class_name()));
    }
    if plan.partitioner == Partitioner::TotalOrder && plan.sort_comparator.is_some() {
        return Err("the total order of another comparator has no native twin".to_owned());
    }
    if let Some(combiner) = plan.combiner {
        let combined = reduce_record(plan, combiner)?.unwrap_or(between);
        if combined != between {
            return Err(format!("the combiner puts out {}, but the job declares {}", shown(combined), shown(between)));
        }
    }
    match reduce_record(plan, plan.reducer)? {
        Some(reduced) => check_output(plan, plan.output_format, reduced),
        None => Ok(()),
    }
}

fn check_output(plan: &Plan, format: OutputFormat, record: Record) -> Result<(), Reason> {
    let declared = (plan.output_key, plan.output_value);
    match format {
        OutputFormat::SequenceFile if record != declared => {
            Err(format!("the output is {}, but the job declares {}", shown(record), shown(declared)))
        }
        OutputFormat::Text if [record.0, record.1].into_iter().any(needs_javas_text) => Err(FLOATS.to_owned()),
        OutputFormat::Tera if record != (DataType::Text, DataType::Text) => {
            Err(format!("the output format wants texts, not {}", shown(record)))
        }
        OutputFormat::SequenceFile if plan.with_reduces && plan.reducer == Reducer::SecondarySort => {
            Err("the reducer puts out nulls, which no SequenceFile takes".to_owned())
        }
        _ => Ok(()),
    }
}

const FLOATS: &str = "how a floating-point number looks as text depends on the JVM";

/// Whether only the user's own JVM knows the text of such values: JDK 19 changed it. Any of the typed bytes may be one.
fn needs_javas_text(kind: DataType) -> bool {
    is_float(kind) || kind == DataType::TypedBytes
}

fn is_float(kind: DataType) -> bool {
    matches!(kind, DataType::Float | DataType::Double)
}

fn both(kind: DataType) -> Record {
    (kind, kind)
}

fn shown((key, value): Record) -> String {
    format!("{} and {}", key.class_name(), value.class_name())
}
