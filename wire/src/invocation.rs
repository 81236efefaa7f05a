//! The body of a call: method name and parameters (Hadoop 1.2.1: ipc.RPC.Invocation), and what a server answers to one
//! that fits no method.

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::RemoteException;

use crate::object_writable::{self, ObjectWritable, ReadError};

/// Why a call fits no method of its protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The protocol has no method of that name and those parameter classes; the peer is told so.
    #[error("java.lang.NoSuchMethodException: {0}")]
    NoSuchMethod(String),
    /// A parameter is null where the method has no use for null; the peer is told what Java would throw.
    #[error("java.lang.NullPointerException")]
    NullParameter,
    /// The bytes are wrong, or name an unknown class: the connection is closed without a word.
    #[error(transparent)]
    Undecodable(DecodeError),
}

impl CallError {
    /// The error to answer with; nothing if the connection is to be closed without a word.
    pub fn reply(&self) -> Option<RemoteException> {
        match self {
            CallError::Undecodable(_) => None,
            told => Some(RemoteException::io(told.to_string())),
        }
    }
}

impl From<DecodeError> for CallError {
    fn from(error: DecodeError) -> Self {
        CallError::Undecodable(error)
    }
}

/// Starts the body of a call with so many parameters.
pub fn begin(method: &str, parameters: usize) -> DataOutput {
    let mut out = DataOutput::new();
    out.utf8(method);
    out.int(parameters as i32);
    out
}

/// Reads the body of a call: the method's name, then its parameters one by one.
#[derive(Debug)]
pub struct Invocation<'a> {
    protocol: &'static str,
    method: String,
    count: usize,
    input: DataInput<'a>,
    parameters: DataInput<'a>,
}

impl<'a> Invocation<'a> {
    /// Reads the method's name and the number of parameters.
    pub fn new(protocol: &'static str, bytes: &'a [u8]) -> Result<Self, CallError> {
        let mut input = DataInput::new(bytes);
        let method = input.utf8()?;
        let count = input.count(2, "parameters of a call")?;
        Ok(Invocation { protocol, method, count, parameters: input.clone(), input })
    }

    /// The method's name.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Fails unless there are so many parameters.
    pub fn expect_count(&self, count: usize) -> Result<(), CallError> {
        if self.count == count { Ok(()) } else { Err(self.no_such_method()) }
    }

    /// The next parameter.
    pub fn parameter<T: ObjectWritable>(&mut self) -> Result<T, CallError> {
        object_writable::read(&mut self.input).map_err(|error| match error {
            ReadError::OtherClass(_) => self.no_such_method(),
            ReadError::Null => CallError::NullParameter,
            ReadError::Undecodable(error) => CallError::Undecodable(error),
        })
    }

    /// The error for a method that does not exist; reads all parameters anew, since their classes are part of the
    /// answer and an unknown class among them closes the connection instead.
    pub fn no_such_method(&self) -> CallError {
        let mut input = self.parameters.clone();
        let classes: Result<Vec<String>, DecodeError> =
            (0..self.count).map(|_| object_writable::skip(&mut input)).collect();
        match classes {
            Ok(classes) => CallError::NoSuchMethod(format!("{}.{}({})", self.protocol, self.method, classes.join(","))),
            Err(error) => CallError::Undecodable(error),
        }
    }
}
