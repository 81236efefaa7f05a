//! What a client sends before its first call, and how it reads the server's side of a SASL exchange; both clients' own
//! part is only the reading and writing.

use hadoop_io::{DataInput, DataOutput};
use wire::Writable;
use wire::ipc::{AuthMethod, ConnectionHeader, SaslReply};

use crate::call::{CallError, lost};
use crate::options::ClientOptions;

/// The least bytes of a SASL message: status and length.
const SASL_HEAD_BYTES: usize = 8;
/// The most bytes of a SASL message.
const SASL_BYTES_MAX: usize = 64 << 10;

/// The unframed beginning: magic, version, authentication.
pub(crate) fn preamble(options: &ClientOptions) -> Vec<u8> {
    let auth = if options.token.is_some() { AuthMethod::Digest } else { AuthMethod::Simple };
    wire::ipc::preamble(auth).to_vec()
}

/// The framed connection header. Where a token spoke, the header names no user.
pub(crate) fn header_frame(protocol: &str, options: &ClientOptions, by_token: bool) -> Vec<u8> {
    let (user, real_user) =
        if by_token { (None, None) } else { (Some(options.user.clone()), options.real_user.clone()) };
    let mut header = DataOutput::new();
    ConnectionHeader { protocol: protocol.to_owned(), user, real_user }.write(&mut header);
    wire::ipc::frame(header.as_bytes())
}

/// Reads a whole SASL message at the beginning of `bytes`. `Ok(Err(n))` means that at least `n` bytes are missing, which
/// never reach beyond the message's end.
pub(crate) fn sasl_reply(bytes: &[u8], address: &str) -> Result<Result<SaslReply, usize>, CallError> {
    if bytes.len() < SASL_HEAD_BYTES {
        return Ok(Err(SASL_HEAD_BYTES - bytes.len()));
    }
    let mut input = DataInput::new(bytes);
    match SaslReply::read(&mut input) {
        Ok(SaslReply::Refused(error)) => {
            Err(CallError::Refused { address: address.to_owned(), error: error.to_exception() })
        }
        Ok(reply) => Ok(Ok(reply)),
        Err(error) => match input.missing() {
            Some(missing) if bytes.len().saturating_add(missing) <= SASL_BYTES_MAX => Ok(Err(missing)),
            _ => Err(lost(address, format!("no SASL message: {error}"))),
        },
    }
}

/// Whether a client that offered a token may go on without.
pub(crate) fn may_fall_back(options: &ClientOptions, address: &str) -> Result<(), CallError> {
    if options.fallback_to_simple {
        return Ok(());
    }
    Err(lost(
        address,
        "the server has no security, but this client offered a token and \
         ipc.client.fallback-to-simple-auth-allowed is not true",
    ))
}
