//! Error kinds and Java's exception classes, in one table, and errors as replies carry them (Hadoop 1.2.1:
//! ipc.RemoteException, ipc.Server.setupResponse).

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{ExceptionKind, RemoteException};

use crate::Writable;

const TABLE: &[(ExceptionKind, &str)] = &[
    (ExceptionKind::Io, "java.io.IOException"),
    (ExceptionKind::AccessControl, "org.apache.hadoop.security.AccessControlException"),
    (ExceptionKind::Authorization, "org.apache.hadoop.security.authorize.AuthorizationException"),
    (ExceptionKind::DisallowedTaskTracker, "org.apache.hadoop.mapred.DisallowedTaskTrackerException"),
    (ExceptionKind::SafeMode, "org.apache.hadoop.mapred.SafeModeException"),
    (ExceptionKind::UndeclaredPool, "org.apache.hadoop.mapred.UndeclaredPoolException"),
    (ExceptionKind::NotYetInitialized, "org.apache.hadoop.mapred.JobTrackerNotYetInitializedException"),
    (ExceptionKind::VersionMismatch, "org.apache.hadoop.ipc.RPC$VersionMismatch"),
    (ExceptionKind::Sasl, "javax.security.sasl.SaslException"),
    (ExceptionKind::InvalidToken, "org.apache.hadoop.security.token.SecretManager$InvalidToken"),
];

/// The Java class of a kind.
pub fn class_of(kind: &ExceptionKind) -> &str {
    match kind {
        ExceptionKind::Other(class) => class,
        kind => TABLE.iter().find(|(known, _)| known == kind).map_or("java.io.IOException", |(_, class)| class),
    }
}

/// The kind of a Java class.
pub fn kind_of(class: &str) -> ExceptionKind {
    let known = TABLE.iter().find(|(_, known)| *known == class);
    known.map_or_else(|| ExceptionKind::Other(class.to_owned()), |(kind, _)| kind.clone())
}

/// An error as it stands in a reply: class and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorText {
    /// The Java class. `None` is Java's null string.
    pub class: Option<String>,
    /// For an error a whole stack trace, for a fatal one the message alone.
    pub text: Option<String>,
}

impl ErrorText {
    /// The text of an error reply: Java's stack trace with no frames, since clients read its first line.
    pub fn of_error(error: &RemoteException) -> Self {
        let class = class_of(&error.kind);
        ErrorText { class: Some(class.to_owned()), text: Some(format!("{class}: {}\n", error.message)) }
    }

    /// The text of a fatal reply.
    pub fn of_fatal(error: &RemoteException) -> Self {
        ErrorText { class: Some(class_of(&error.kind).to_owned()), text: Some(error.message.clone()) }
    }

    /// The error, without stack trace.
    pub fn to_exception(&self) -> RemoteException {
        from_reply(self.class.as_deref().unwrap_or_default(), self.text.as_deref().unwrap_or_default())
    }
}

impl Writable for ErrorText {
    fn write(&self, out: &mut DataOutput) {
        out.wstring(self.class.as_deref());
        out.wstring(self.text.as_deref());
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(ErrorText { class: input.wstring()?, text: input.wstring()? })
    }
}

/// The error that a reply's class and text stand for: the text without the class before it and the frames after it.
pub fn from_reply(class: &str, text: &str) -> RemoteException {
    let end = text.find("\n\tat ").unwrap_or(text.len());
    let message = text[..end].trim_end_matches('\n');
    let message = match message.strip_prefix(class) {
        Some("") => "",
        Some(rest) => rest.strip_prefix(": ").unwrap_or(message),
        None => message,
    };
    RemoteException::new(kind_of(class), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_class_and_back() {
        for (kind, class) in TABLE {
            assert_eq!(class_of(kind), *class);
            assert_eq!(kind_of(class), *kind);
        }
        assert_eq!(kind_of("a.B"), ExceptionKind::Other("a.B".into()));
        assert_eq!(class_of(&ExceptionKind::Other("a.B".into())), "a.B");
    }

    #[test]
    fn stack_traces_are_cut_from_messages() {
        let trace = "java.io.IOException: two\nlines\n\tat a.B.c(B.java:1)\n\tat d.E.f(E.java:2)\n";
        assert_eq!(from_reply("java.io.IOException", trace), RemoteException::io("two\nlines"));
        let fatal = "User: x is not allowed to impersonate y";
        assert_eq!(from_reply("java.io.IOException", fatal).message, fatal);
        assert_eq!(from_reply("java.io.IOException", "java.io.IOException\n\tat a.B.c(B.java:1)\n").message, "");
        let error = RemoteException::new(ExceptionKind::SafeMode, "JobTracker is in safe mode");
        assert_eq!(ErrorText::of_error(&error).to_exception(), error);
        assert_eq!(ErrorText::of_fatal(&error).to_exception(), error);
    }
}
