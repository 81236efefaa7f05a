//! Frames of Hadoop RPC version 4: how a connection begins, what a call and a reply are, what SASL exchanges before
//! (Hadoop 1.2.1: ipc.Client, ipc.Server, ipc.ConnectionHeader, security.SaslRpcServer). Sockets are `rpc`'s.

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::RemoteException;

use crate::Writable;
use crate::exceptions::ErrorText;
use crate::invocation::{self, CallError, Invocation};
use crate::object_writable::{self, ObjectWritable};

/// The first bytes of a connection.
pub const MAGIC: &[u8; 4] = b"hrpc";
/// The version that follows them.
pub const VERSION: u8 = 4;
/// A ping: a length of -1 and no body.
pub const PING: [u8; 4] = [0xff; 4];
/// The call id of a fatal reply that answers no call.
pub const NO_CALL: i32 = -1;
/// In place of a SASL token's length: go on without authentication.
pub const SWITCH_TO_SIMPLE: i32 = -88;

/// A method of a protocol: its parameters are the fields of the type.
pub trait Method: Sized + Send + Sync + 'static {
    /// Its Java name.
    const NAME: &'static str;
    /// The Java name of its protocol; of `getProtocolVersion`, which every protocol has, VersionedProtocol.
    const PROTOCOL: &'static str;
    /// What it returns.
    type Reply: ObjectWritable + Send + 'static;

    /// The Invocation.
    fn encode(&self) -> Vec<u8>;

    /// Reads the parameters.
    fn decode(invocation: &mut Invocation<'_>) -> Result<Self, CallError>;

    /// A successful reply's body, the ObjectWritable.
    fn encode_reply(reply: &Self::Reply) -> Vec<u8> {
        object_writable::to_bytes(reply)
    }

    /// Reads a successful reply's body.
    fn decode_reply(input: &mut DataInput<'_>) -> Result<Self::Reply, DecodeError> {
        object_writable::read_or_fail(input)
    }
}

/// The version handshake that every protocol has (Hadoop 1.2.1: ipc.VersionedProtocol).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetProtocolVersion {
    /// The protocol's Java name; need not be the connection's.
    pub protocol: String,
    /// The version that the client speaks.
    pub client_version: i64,
}

impl Method for GetProtocolVersion {
    const NAME: &'static str = "getProtocolVersion";
    const PROTOCOL: &'static str = "org.apache.hadoop.ipc.VersionedProtocol";
    type Reply = i64;

    fn encode(&self) -> Vec<u8> {
        let mut out = invocation::begin(Self::NAME, 2);
        object_writable::write(&self.protocol, &mut out);
        object_writable::write(&self.client_version, &mut out);
        out.into_bytes()
    }

    fn decode(invocation: &mut Invocation<'_>) -> Result<Self, CallError> {
        invocation.expect_count(2)?;
        Ok(GetProtocolVersion { protocol: invocation.parameter()?, client_version: invocation.parameter()? })
    }
}

/// How a peer proves who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    /// It says who it is.
    Simple,
    /// SASL GSSAPI.
    Kerberos,
    /// SASL DIGEST-MD5, with a token.
    Digest,
}

impl AuthMethod {
    /// The byte that stands for it.
    pub fn code(self) -> u8 {
        match self {
            AuthMethod::Simple => 80,
            AuthMethod::Kerberos => 81,
            AuthMethod::Digest => 82,
        }
    }

    /// The method of that byte.
    pub fn from_code(code: u8) -> Option<Self> {
        [AuthMethod::Simple, AuthMethod::Kerberos, AuthMethod::Digest].into_iter().find(|auth| auth.code() == code)
    }
}

/// The six bytes before everything else.
pub fn preamble(auth: AuthMethod) -> [u8; 6] {
    let [a, b, c, d] = *MAGIC;
    [a, b, c, d, VERSION, auth.code()]
}

/// Who connects, and for which protocol.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConnectionHeader {
    /// The Java name of the protocol; empty for none.
    pub protocol: String,
    /// The user; absent with DIGEST.
    pub user: Option<String>,
    /// The user who impersonates `user`; not written without one.
    pub real_user: Option<String>,
}

impl Writable for ConnectionHeader {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.protocol);
        out.bool(self.user.is_some());
        let Some(user) = &self.user else { return };
        out.modified_utf(user);
        out.bool(self.real_user.is_some());
        if let Some(real_user) = &self.real_user {
            out.modified_utf(real_user);
        }
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let mut header = ConnectionHeader { protocol: input.text()?, user: None, real_user: None };
        if input.bool()? {
            header.user = Some(input.modified_utf()?);
            if input.bool()? {
                header.real_user = Some(input.modified_utf()?);
            }
        }
        Ok(header)
    }
}

/// `bytes` with their length before them.
pub fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut out = DataOutput::with_capacity(4 + bytes.len());
    out.int(bytes.len() as i32);
    out.bytes(bytes);
    out.into_bytes()
}

/// The frame of a call: length, id, Invocation.
pub fn call_frame(id: i32, invocation: &[u8]) -> Vec<u8> {
    let mut out = DataOutput::with_capacity(8 + invocation.len());
    out.int(invocation.len() as i32 + 4);
    out.int(id);
    out.bytes(invocation);
    out.into_bytes()
}

/// A reply as a server writes it; there is no length before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// The call went well.
    Success {
        /// The call's id.
        id: i32,
        /// The ObjectWritable.
        value: Vec<u8>,
    },
    /// The call failed.
    Error {
        /// The call's id.
        id: i32,
        /// What went wrong.
        error: RemoteException,
    },
    /// The server closes the connection.
    Fatal {
        /// The call's id, or [`NO_CALL`].
        id: i32,
        /// Why.
        error: RemoteException,
    },
}

impl Response {
    /// The reply's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = DataOutput::new();
        match self {
            Response::Success { id, value } => {
                ResponseHeader { id: *id, status: Status::Success }.write(&mut out);
                out.bytes(value);
            }
            Response::Error { id, error } => {
                ResponseHeader { id: *id, status: Status::Error }.write(&mut out);
                ErrorText::of_error(error).write(&mut out);
            }
            Response::Fatal { id, error } => {
                ResponseHeader { id: *id, status: Status::Fatal }.write(&mut out);
                ErrorText::of_fatal(error).write(&mut out);
            }
        }
        out.into_bytes()
    }
}

/// What a call came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// 0: an ObjectWritable follows.
    Success,
    /// 1: an [`ErrorText`] follows.
    Error,
    /// -1: an [`ErrorText`] follows, then the end of the stream.
    Fatal,
}

/// The beginning of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseHeader {
    /// The call's id, or [`NO_CALL`].
    pub id: i32,
    /// What the call came to.
    pub status: Status,
}

impl Writable for ResponseHeader {
    fn write(&self, out: &mut DataOutput) {
        out.int(self.id);
        out.int(match self.status {
            Status::Success => 0,
            Status::Error => 1,
            Status::Fatal => -1,
        });
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let id = input.int()?;
        let status = match input.int()? {
            0 => Status::Success,
            1 => Status::Error,
            -1 => Status::Fatal,
            other => return Err(input.error("reply status", format!("{other} is none of 0, 1, -1"))),
        };
        Ok(ResponseHeader { id, status })
    }
}

/// What a server sends during a SASL exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaslReply {
    /// A token: a challenge, or the last word.
    Token(Vec<u8>),
    /// Go on without authentication.
    SwitchToSimple,
    /// Refused; the connection ends.
    Refused(ErrorText),
}

impl Writable for SaslReply {
    fn write(&self, out: &mut DataOutput) {
        match self {
            SaslReply::Token(token) => {
                out.int(0);
                out.int(token.len() as i32);
                out.bytes(token);
            }
            SaslReply::SwitchToSimple => {
                out.int(0);
                out.int(SWITCH_TO_SIMPLE);
            }
            SaslReply::Refused(error) => {
                out.int(1);
                error.write(out);
            }
        }
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        if input.int()? != 0 {
            return Ok(SaslReply::Refused(ErrorText::read(input)?));
        }
        let mut ahead = input.clone();
        if ahead.int()? == SWITCH_TO_SIMPLE {
            *input = ahead;
            return Ok(SaslReply::SwitchToSimple);
        }
        let len = input.count(1, "SASL token")?;
        Ok(SaslReply::Token(input.bytes(len, "SASL token")?.to_vec()))
    }
}
