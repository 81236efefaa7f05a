//! Values with their Java class before them, as parameters and results of calls (Hadoop 1.2.1: io.ObjectWritable).

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{
    AccessControlList, ClusterStatus, Counters, Credentials, HeartbeatResponse, JobId, JobProfile, JobQueueInfo,
    JobStatus, JvmContext, JvmTask, MapTaskCompletionEventsUpdate, QueueAclsInfo, SafeModeAction, SortedRange,
    TaskAttemptId, TaskCompletionEvent, TaskId, TaskKind, TaskReport, TaskStatus, TaskTrackerStatus, Token,
};

use crate::Writable;
use crate::task::{read_task_status, write_task_status};

const WRITABLE: &str = "org.apache.hadoop.io.Writable";
const NULL_INSTANCE: &str = "org.apache.hadoop.io.ObjectWritable$NullInstance";
/// Arrays within arrays are followed so deep and no deeper.
const DEPTH_MAX: usize = 8;

/// A type that stands for a Java class in calls.
pub trait ObjectWritable: Sized {
    /// The class that a method declares for it, as `Class.getName` spells it.
    const CLASS: &'static str;
    /// The class of an array of it; empty where none crosses a protocol.
    const ARRAY: &'static str;

    /// Writes what follows the declared class.
    fn write_body(&self, out: &mut DataOutput);

    /// Reads what follows the declared class.
    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError>;

    /// Whether this is Java's null.
    fn is_null(&self) -> bool {
        false
    }

    /// Java's null, where the type has room for it.
    fn null() -> Option<Self> {
        None
    }
}

/// Why an object could not be read as the type that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// It has another declared class.
    OtherClass(String),
    /// It is null where the type has no room for null.
    Null,
    /// The bytes are wrong, or name a class that nobody knows.
    Undecodable(DecodeError),
}

impl From<DecodeError> for ReadError {
    fn from(error: DecodeError) -> Self {
        ReadError::Undecodable(error)
    }
}

/// Writes declared class and value.
pub fn write<T: ObjectWritable>(value: &T, out: &mut DataOutput) {
    if value.is_null() {
        out.utf8(WRITABLE);
        out.utf8(NULL_INSTANCE);
        out.utf8(T::CLASS);
    } else {
        out.utf8(T::CLASS);
        value.write_body(out);
    }
}

/// Declared class and value as bytes.
pub fn to_bytes<T: ObjectWritable>(value: &T) -> Vec<u8> {
    let mut out = DataOutput::new();
    write(value, &mut out);
    out.into_bytes()
}

/// Reads an object whose declared class must be `T`'s.
pub fn read<T: ObjectWritable>(input: &mut DataInput<'_>) -> Result<T, ReadError> {
    let declared = input.utf8()?;
    if declared == T::CLASS {
        return Ok(T::read_body(input)?);
    }
    if declared != WRITABLE {
        return Err(ReadError::OtherClass(declared));
    }
    match read_null(input)? {
        declared if declared == T::CLASS => T::null().ok_or(ReadError::Null),
        declared => Err(ReadError::OtherClass(declared)),
    }
}

/// Reads an object where a wrong class cannot be answered, as in a reply.
pub fn read_or_fail<T: ObjectWritable>(input: &mut DataInput<'_>) -> Result<T, DecodeError> {
    match read(input) {
        Ok(value) => Ok(value),
        Err(ReadError::Undecodable(error)) => Err(error),
        Err(ReadError::OtherClass(class)) => {
            Err(input.error("object", format!("its class is {class}; expected {}", T::CLASS)))
        }
        Err(ReadError::Null) => Err(input.error("object", format!("is null; expected a {}", T::CLASS))),
    }
}

/// Reads the rest of a null; its declared class.
fn read_null(input: &mut DataInput<'_>) -> Result<String, DecodeError> {
    let actual = input.utf8()?;
    if actual != NULL_INSTANCE {
        return Err(input.error("object", format!("{actual} cannot be declared as a plain Writable")));
    }
    input.utf8()
}

/// Reads over an object of any known class; its declared class.
pub fn skip(input: &mut DataInput<'_>) -> Result<String, DecodeError> {
    skip_within(input, DEPTH_MAX)
}

fn skip_within(input: &mut DataInput<'_>, depth: usize) -> Result<String, DecodeError> {
    let declared = input.utf8()?;
    if declared == WRITABLE {
        return read_null(input);
    }
    if declared.starts_with('[') {
        if depth == 0 {
            return Err(input.error("object", format!("arrays nested more than {DEPTH_MAX} deep")));
        }
        for _ in 0..input.count(2, "array length")? {
            skip_within(input, depth - 1)?;
        }
        return Ok(declared);
    }
    match SKIPS.iter().find(|(class, _)| *class == declared) {
        Some((_, skip)) => skip(input)?,
        None => return Err(input.error("object", format!("unknown class {declared}"))),
    }
    Ok(declared)
}

type Skip = fn(&mut DataInput<'_>) -> Result<(), DecodeError>;

fn over<T: ObjectWritable>(input: &mut DataInput<'_>) -> Result<(), DecodeError> {
    T::read_body(input).map(drop)
}

/// Builds the table of [`skip`].
macro_rules! skips {
    ($($type:ty),* $(,)?) => { &[$((<$type as ObjectWritable>::CLASS, over::<$type>),)*] };
}

const SKIPS: &[(&str, Skip)] = skips![
    bool,
    i8,
    i16,
    i32,
    i64,
    f32,
    f64,
    JavaChar,
    String,
    Text,
    SafeModeAction,
    JobId,
    NewApiJobId,
    TaskId,
    TaskAttemptId,
    JvmContext,
    JvmTask,
    Counters,
    JobStatus,
    JobProfile,
    ClusterStatus,
    TaskReport,
    TaskCompletionEvent,
    JobQueueInfo,
    QueueAclsInfo,
    AccessControlList,
    Token,
    Credentials,
    SortedRange,
    TaskStatus,
    TaskTrackerStatus,
    HeartbeatResponse,
    MapTaskCompletionEventsUpdate,
];

/// Java's primitives: keyword and raw bytes.
macro_rules! primitives {
    ($($type:ty, $keyword:literal, $array:literal, $method:ident;)*) => {$(
        impl ObjectWritable for $type {
            const CLASS: &'static str = $keyword;
            const ARRAY: &'static str = $array;

            fn write_body(&self, out: &mut DataOutput) {
                out.$method(*self);
            }

            fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
                input.$method()
            }
        }
    )*};
}

primitives! {
    bool, "boolean", "[Z", bool;
    i16, "short", "[S", short;
    i32, "int", "[I", int;
    i64, "long", "[J", long;
    f32, "float", "[F", float;
    f64, "double", "[D", double;
}

impl ObjectWritable for i8 {
    const CLASS: &'static str = "byte";
    const ARRAY: &'static str = "[B";

    fn write_body(&self, out: &mut DataOutput) {
        out.u8(*self as u8);
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(input.u8()? as i8)
    }
}

/// Java's `char`: one UTF-16 unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JavaChar(pub u16);

impl ObjectWritable for JavaChar {
    const CLASS: &'static str = "char";
    const ARRAY: &'static str = "[C";

    fn write_body(&self, out: &mut DataOutput) {
        out.u16(self.0);
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(JavaChar(input.u16()?))
    }
}

/// The result of a void method: always null.
impl ObjectWritable for () {
    const CLASS: &'static str = "void";
    const ARRAY: &'static str = "";

    fn write_body(&self, _: &mut DataOutput) {}

    fn read_body(_: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(())
    }

    fn is_null(&self) -> bool {
        true
    }

    fn null() -> Option<Self> {
        Some(())
    }
}

impl ObjectWritable for String {
    const CLASS: &'static str = "java.lang.String";
    const ARRAY: &'static str = "[Ljava.lang.String;";

    fn write_body(&self, out: &mut DataOutput) {
        out.utf8(self);
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        input.utf8()
    }
}

impl ObjectWritable for SafeModeAction {
    const CLASS: &'static str = "org.apache.hadoop.mapred.JobTracker$SafeModeAction";
    const ARRAY: &'static str = "";

    fn write_body(&self, out: &mut DataOutput) {
        out.utf8(self.name());
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let name = input.utf8()?;
        Self::from_name(&name).ok_or_else(|| input.error("safe mode action", format!("{name:?} is none of its names")))
    }
}

/// What may be null.
impl<T: ObjectWritable> ObjectWritable for Option<T> {
    const CLASS: &'static str = T::CLASS;
    const ARRAY: &'static str = T::ARRAY;

    fn write_body(&self, out: &mut DataOutput) {
        if let Some(value) = self {
            value.write_body(out);
        }
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        T::read_body(input).map(Some)
    }

    fn is_null(&self) -> bool {
        self.is_none()
    }

    fn null() -> Option<Self> {
        Some(None)
    }
}

/// An array: its length, then each element as a complete object.
impl<T: ObjectWritable> ObjectWritable for Vec<T> {
    const CLASS: &'static str = T::ARRAY;
    const ARRAY: &'static str = "";

    fn write_body(&self, out: &mut DataOutput) {
        out.int(self.len() as i32);
        self.iter().for_each(|element| write(element, out));
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        (0..input.count(2, "array length")?).map(|_| read_or_fail(input)).collect()
    }
}

/// An `org.apache.hadoop.io.Text` as a parameter; the other strings are Java's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(pub String);

impl Writable for Text {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.0);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(Text(input.text()?))
    }
}

fn expect_class(input: &mut DataInput<'_>, expected: &[&str]) -> Result<String, DecodeError> {
    let actual = input.utf8()?;
    if expected.contains(&actual.as_str()) {
        return Ok(actual);
    }
    Err(input.error("object", format!("an instance of {actual}; expected {}", expected.join(" or "))))
}

/// Writables whose actual class is the declared one.
macro_rules! writables {
    ($($type:ty, $class:literal;)*) => {$(
        impl ObjectWritable for $type {
            const CLASS: &'static str = $class;
            const ARRAY: &'static str = concat!("[L", $class, ";");

            fn write_body(&self, out: &mut DataOutput) {
                out.utf8($class);
                self.write(out);
            }

            fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
                expect_class(input, &[$class])?;
                Self::read(input)
            }
        }
    )*};
}

writables! {
    Text, "org.apache.hadoop.io.Text";
    JobId, "org.apache.hadoop.mapred.JobID";
    TaskId, "org.apache.hadoop.mapred.TaskID";
    TaskAttemptId, "org.apache.hadoop.mapred.TaskAttemptID";
    JvmContext, "org.apache.hadoop.mapred.JvmContext";
    JvmTask, "org.apache.hadoop.mapred.JvmTask";
    Counters, "org.apache.hadoop.mapred.Counters";
    JobStatus, "org.apache.hadoop.mapred.JobStatus";
    JobProfile, "org.apache.hadoop.mapred.JobProfile";
    ClusterStatus, "org.apache.hadoop.mapred.ClusterStatus";
    TaskReport, "org.apache.hadoop.mapred.TaskReport";
    TaskCompletionEvent, "org.apache.hadoop.mapred.TaskCompletionEvent";
    JobQueueInfo, "org.apache.hadoop.mapred.JobQueueInfo";
    QueueAclsInfo, "org.apache.hadoop.mapred.QueueAclsInfo";
    AccessControlList, "org.apache.hadoop.security.authorize.AccessControlList";
    Token, "org.apache.hadoop.security.token.Token";
    Credentials, "org.apache.hadoop.security.Credentials";
    SortedRange, "org.apache.hadoop.mapred.SortedRanges$Range";
    TaskTrackerStatus, "org.apache.hadoop.mapred.TaskTrackerStatus";
    HeartbeatResponse, "org.apache.hadoop.mapred.HeartbeatResponse";
    MapTaskCompletionEventsUpdate, "org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate";
}

/// Declared by the base class; the actual class tells map from reduce.
impl ObjectWritable for TaskStatus {
    const CLASS: &'static str = "org.apache.hadoop.mapred.TaskStatus";
    const ARRAY: &'static str = "";

    fn write_body(&self, out: &mut DataOutput) {
        out.utf8(if self.kind().is_map() { MAP_TASK_STATUS } else { REDUCE_TASK_STATUS });
        write_task_status(self, out);
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let actual = expect_class(input, &[MAP_TASK_STATUS, REDUCE_TASK_STATUS])?;
        read_task_status(input, TaskKind::from_is_map(actual == MAP_TASK_STATUS))
    }
}

const MAP_TASK_STATUS: &str = "org.apache.hadoop.mapred.MapTaskStatus";
const REDUCE_TASK_STATUS: &str = "org.apache.hadoop.mapred.ReduceTaskStatus";

/// A job id that a method declares by the new API's class; Hadoop itself passes the old API's, which extends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewApiJobId(pub JobId);

impl ObjectWritable for NewApiJobId {
    const CLASS: &'static str = "org.apache.hadoop.mapreduce.JobID";
    const ARRAY: &'static str = "";

    fn write_body(&self, out: &mut DataOutput) {
        out.utf8(JobId::CLASS);
        self.0.write(out);
    }

    fn read_body(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        expect_class(input, &[JobId::CLASS, Self::CLASS])?;
        Ok(NewApiJobId(JobId::read(input)?))
    }
}
