//! Which Java classes have a native twin, and whether a job may run natively.
//!
//! A pure function of the job's configuration and of the classes that its jars bring (`jar_index` reads the jars). What
//! a twin *does* is `child`'s affair; this crate only promises that `child` does what the Java class would do.

#![forbid(unsafe_code)]

mod class_index;
mod digests;
pub mod flow;
pub mod jar_index;
pub mod java_regex;
mod key;
mod names;
mod options;
mod plan;
mod shadow;

pub use class_index::{ClassIndex, Digest};
pub use names::{
    Api, Codec, Committer, Comparator, DataType, FileSystem, InputFormat, InputWriter, MapRunner, Mapper, OutputFormat,
    OutputReader, Partitioner, PathFilter, Reducer, Serialization,
};
pub use plan::{Named, Plan, Reason, Streams, plan};

/// Looks up a key of the job's configuration, variables already substituted.
pub type Lookup<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Which child runs a job's attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The native child.
    Native,
    /// Java's own child, and why.
    Java(Reason),
    /// Neither may or can: the job is refused, or its attempts fail, with this reason.
    Refused(Reason),
}

impl Choice {
    /// Whether the native child runs it.
    pub fn is_native(&self) -> bool {
        *self == Choice::Native
    }

    /// Why it is not the native child.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Choice::Native => None,
            Choice::Java(reason) | Choice::Refused(reason) => Some(reason),
        }
    }
}

/// Chooses the child for a job's maps and reduces (DESIGN.md, D5).
///
/// `jars` is what `jar_index` found in the job's jar, its libjars, its class-path archives and its cache's class-path
/// entries. A job whose classes no jar of the job brings, and which Hadoop's own class path does not have either (the
/// native `hadoop examples` and `hadoop streaming`), can run in no JVM: with `howdah.child.native=never` it is refused.
pub fn eligibility(conf: &Lookup<'_>, jars: &ClassIndex) -> Choice {
    let verdict = options::check(conf)
        .and_then(|()| plan(conf))
        .and_then(|plan| shadow::check(&plan.named, conf, jars).map(|origin| (plan, origin)));
    match (options::wish(conf), verdict) {
        (_, Err(reason)) if plan::is_own(conf) => {
            Choice::Refused(format!("{} names the child, but {reason}", key::EXECUTABLE))
        }
        (options::Wish::Never, Ok(_)) if plan::is_own(conf) => {
            Choice::Refused(format!("{} is never, and {} names a child of the job's own", key::NATIVE, key::EXECUTABLE))
        }
        (options::Wish::Auto | options::Wish::Always, Ok(_)) => Choice::Native,
        (options::Wish::Auto, Err(reason)) => Choice::Java(reason),
        (options::Wish::Always, Err(reason)) => Choice::Refused(format!("{} is always, but {reason}", key::NATIVE)),
        (options::Wish::Never, Ok((_, shadow::Origin::NativeOnly(class)))) => Choice::Refused(format!(
            "{} is never, but {class} exists natively only: submit the job with Java's client and its jar",
            key::NATIVE
        )),
        (options::Wish::Never, _) => Choice::Java(format!("{} is never", key::NATIVE)),
        (options::Wish::Unknown(word), _) => {
            Choice::Refused(format!("{} is {word}; expected auto, never or always", key::NATIVE))
        }
    }
}

/// Chooses the child for a job's setup and cleanup attempts, also those of a Java job: native wherever the committer has
/// a twin, and for the new programming interface wherever the output format is one (its committer comes from it). What the
/// user asks of the JVM does not matter to them, nor does `howdah.child.native=never`: they run none of the user's code.
pub fn setup_cleanup_native(conf: &Lookup<'_>, jars: &ClassIndex) -> Choice {
    if options::wish(conf) == options::Wish::Never
        && let Choice::Refused(reason) = eligibility(conf, jars)
    {
        return Choice::Refused(reason);
    }
    let verdict = plan::committers(conf).and_then(|named| shadow::check(&named, conf, jars));
    match verdict {
        Ok(_) => Choice::Native,
        Err(reason) => Choice::Java(reason),
    }
}

/// Every class that has a native twin, by role.
pub fn classes() -> impl Iterator<Item = &'static str> {
    fn of<T>(classes: &'static [(&'static str, Api, T)]) -> impl Iterator<Item = &'static str> {
        classes.iter().map(|(class, _, _)| *class)
    }
    of(InputFormat::CLASSES)
        .chain(of(MapRunner::CLASSES))
        .chain(of(Mapper::CLASSES))
        .chain(of(Reducer::CLASSES))
        .chain(of(InputWriter::CLASSES))
        .chain(of(OutputReader::CLASSES))
        .chain(of(Partitioner::CLASSES))
        .chain(of(Comparator::CLASSES))
        .chain(of(OutputFormat::CLASSES))
        .chain(of(Committer::CLASSES))
        .chain(of(Codec::CLASSES))
        .chain(of(DataType::CLASSES))
        .chain(of(PathFilter::CLASSES))
        .chain(of(Serialization::CLASSES))
        .chain(of(FileSystem::CLASSES))
}

/// Whether a job that may run natively reads SequenceFiles: their own headers name more classes.
pub fn reads_sequence_files(conf: &Lookup<'_>) -> bool {
    plan(conf).is_ok_and(|plan| plan.input_format == InputFormat::SequenceFile)
}
