//! Peers that speak something else: another RPC version is told so in that version's own format, a web browser gets a
//! 404. Hadoop 1.2.1 closed without a word and left people to guess.

use tokio::io::AsyncRead;
use types::{ExceptionKind, RemoteException};
use wire::exceptions::class_of;
use wire::ipc::{NO_CALL, Response, VERSION};

use super::frames::FrameReader;
use super::handshake::Refusal;
use super::replies::Replies;

/// Answers a browser.
pub(super) async fn answer_http<R: AsyncRead + Unpin>(
    reader: &mut FrameReader<R>,
    replies: &Replies,
    about: &str,
) -> Refusal {
    reader.skip_past(b"\r\n\r\n", 8192).await;
    let body = format!("{about} It does not speak HTTP.\n");
    let head = "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n";
    replies.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await;
    Refusal::Told("an HTTP request".to_owned())
}

/// Answers a client of another RPC version.
pub(super) async fn answer_version(replies: &Replies, version: u8, about: &str) -> Refusal {
    let text = format!("server speaks RPC version {VERSION}, client came with version {version}: {about}");
    match version {
        0..=2 => return Refusal::Silent(text),
        3..=8 => replies.raw(&old_fatal(&text)).await,
        _ => replies.raw(&protobuf_fatal(&text)).await,
    }
    Refusal::Told(text)
}

/// Versions 3 to 8: this version's fatal reply (Hadoop 3.4: Server.setupResponseOldVersionFatal).
fn old_fatal(text: &str) -> Vec<u8> {
    let error = RemoteException::new(ExceptionKind::VersionMismatch, text);
    Response::Fatal { id: NO_CALL, error }.to_bytes()
}

/// Version 9: an RpcResponseHeaderProto with status FATAL, as one length-delimited message in one frame.
fn protobuf_fatal(text: &str) -> Vec<u8> {
    const FATAL: u64 = 2;
    const FATAL_VERSION_MISMATCH: u64 = 14;
    let mut header = Vec::new();
    number_field(&mut header, 1, u64::from(u32::MAX));
    number_field(&mut header, 2, FATAL);
    number_field(&mut header, 3, u64::from(VERSION));
    bytes_field(&mut header, 4, class_of(&ExceptionKind::VersionMismatch).as_bytes());
    bytes_field(&mut header, 5, text.as_bytes());
    number_field(&mut header, 6, FATAL_VERSION_MISMATCH);
    bytes_field(&mut header, 7, &[]);
    let mut message = Vec::new();
    varint(&mut message, header.len() as u64);
    message.extend(header);
    let mut frame = (message.len() as u32).to_be_bytes().to_vec();
    frame.extend(message);
    frame
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn number_field(out: &mut Vec<u8>, number: u8, value: u64) {
    out.push(number << 3);
    varint(out, value);
}

fn bytes_field(out: &mut Vec<u8>, number: u8, value: &[u8]) {
    out.push(number << 3 | 2);
    varint(out, value.len() as u64);
    out.extend(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_protobuf_reply_is_framed_and_names_both_versions() {
        let frame = protobuf_fatal("hi");
        let len = u32::from_be_bytes(frame[..4].try_into().unwrap()) as usize;
        assert_eq!(len, frame.len() - 4);
        assert_eq!(frame[4] as usize, frame.len() - 5);
        let start = [0x08, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x10, 0x02, 0x18, 0x04, 0x22, 0x29];
        assert_eq!(&frame[5..17], start);
        assert_eq!(&frame[frame.len() - 8..], [0x2a, 0x02, b'h', b'i', 0x30, 0x0e, 0x3a, 0x00]);
    }
}
