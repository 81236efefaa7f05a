//! The fetches of a connection, past the general server: the kernel copies a map's output from its file to the socket.
//!
//! A request is looked at before it is taken from the socket. What is no plain fetch stays there for the general server.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use nix::errno::Errno;
use nix::sys::sendfile::sendfile;
use tokio::io::{AsyncReadExt, AsyncWriteExt, Interest};
use tokio::net::TcpStream;

use super::reply::{self, Content, Reply};
use super::{HEAD_TIMEOUT, WRITE_TIMEOUT};
use crate::shuffle_server::{DATA_TYPE, Part, Peers, Refused, ShuffleServer};

/// What a fetch starts with.
const START: &[u8] = b"GET /mapOutput?";
/// A fetch with a longer head is the general server's.
const HEAD_BYTES_MAX: usize = 4096;
/// As many headers as a fetch may have here.
const HEADERS_MAX: usize = 32;
/// What one call of the kernel may copy; it may wait for the disk meanwhile, on a thread that may wait.
const COPY_BYTES_MAX: usize = 1 << 20;
/// What ends an answer that is sent in chunks.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

/// A request that was looked at.
struct Fetch {
    head_len: usize,
    sent: String,
    proof: String,
    close: bool,
}

/// Serves fetches for as long as nothing else comes; gives the connection back when something does.
pub(super) async fn serve(mut stream: TcpStream, peers: Peers, shuffle: &ShuffleServer) -> Option<TcpStream> {
    let mut head = vec![0; HEAD_BYTES_MAX];
    loop {
        let waiting = tokio::time::timeout(HEAD_TIMEOUT, stream.peek(&mut head)).await;
        let Ok(Ok(seen @ 1..)) = waiting else { return None };
        let Some(fetch) = look_at(&head[..seen]) else { return Some(stream) };
        stream.read_exact(&mut head[..fetch.head_len]).await.ok()?;
        let answered = match shuffle.look_up(peers, &fetch.sent, &fetch.proof).await {
            Ok(part) => send(&mut stream, part).await,
            Err(refused) => refuse(&mut stream, refused).await,
        };
        if answered.is_err() || fetch.close {
            // The peer finds the end of the stream, never a part that looks whole.
            let _ = stream.shutdown().await;
            return None;
        }
    }
}

/// The fetch at the beginning of these bytes, if it is there as a whole and wants nothing unusual.
fn look_at(bytes: &[u8]) -> Option<Fetch> {
    if !bytes.starts_with(START) {
        return None;
    }
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head_len) = request.parse(bytes).ok()? else { return None };
    let mut fetch = Fetch { head_len, sent: request.path?.to_owned(), proof: String::new(), close: false };
    if request.version? != 1 {
        return None;
    }
    for header in request.headers.iter() {
        let value = std::str::from_utf8(header.value).ok()?;
        if header.name.eq_ignore_ascii_case(wire::shuffle::URL_HASH) {
            value.clone_into(&mut fetch.proof);
        } else if header.name.eq_ignore_ascii_case("Connection") {
            fetch.close = value.eq_ignore_ascii_case("close");
        } else if ["Content-Length", "Transfer-Encoding", "Expect", "Upgrade"]
            .iter()
            .any(|name| header.name.eq_ignore_ascii_case(name))
        {
            return None;
        }
    }
    Some(fetch)
}

/// Sends a part in one chunk, as its length is known.
async fn send(stream: &mut TcpStream, mut part: Part) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 200 OK\r\nContent-Type: {DATA_TYPE}\r\n");
    for (name, value) in &part.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("Transfer-Encoding: chunked\r\n\r\n");
    let length = part.record.part_len;
    if length > 0 {
        head.push_str(&format!("{length:x}\r\n"));
    }
    let last = if length > 0 { LAST_CHUNK } else { &LAST_CHUNK[2..] };
    let (mut sent, mut unreadable) = (0, None);
    let outcome = match part.file.take() {
        Some(file) => {
            let head = write(stream, head.as_bytes()).await;
            match head {
                Ok(()) => copy(stream, file, part.record.start, length, &mut sent, &mut unreadable).await,
                Err(error) => Err(error),
            }
        }
        None => {
            let bytes = part.bytes.take().unwrap_or_default();
            sent = bytes.len() as u64;
            return finish(part, sent, None, write(stream, &[head.as_bytes(), &bytes, last].concat()).await);
        }
    };
    let outcome = match outcome {
        Ok(()) => write(stream, last).await,
        Err(error) => Err(error),
    };
    finish(part, sent, unreadable.as_ref(), outcome)
}

fn finish(part: Part, sent: u64, unreadable: Option<&io::Error>, outcome: io::Result<()>) -> io::Result<()> {
    (part.ended)(sent, unreadable);
    outcome
}

/// Has the kernel copy a piece of the file. `unreadable` gets the error if it was the file's.
async fn copy(
    stream: &TcpStream,
    file: File,
    start: u64,
    length: u64,
    sent: &mut u64,
    unreadable: &mut Option<io::Error>,
) -> io::Result<()> {
    let socket: Arc<OwnedFd> = Arc::new(stream.as_fd().try_clone_to_owned()?);
    let file = Arc::new(file);
    while *sent < length {
        let (to, from, at) = (Arc::clone(&socket), Arc::clone(&file), start + *sent);
        let most = usize::try_from(length - *sent).unwrap_or(COPY_BYTES_MAX).min(COPY_BYTES_MAX);
        let copying = tokio::task::spawn_blocking(move || {
            let mut at = i64::try_from(at).map_err(|_| Errno::EOVERFLOW)?;
            sendfile(&*to, &*from, Some(&mut at), most)
        });
        match copying.await.map_err(io::Error::other)? {
            Ok(0) => {
                *unreadable = Some(io::Error::new(io::ErrorKind::UnexpectedEof, "the file was cut while it was read"));
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Ok(copied) => *sent += copied as u64,
            Err(Errno::EAGAIN) => wait_until_writable(stream).await?,
            Err(Errno::EINTR) => (),
            Err(error @ (Errno::EPIPE | Errno::ECONNRESET | Errno::ENOTCONN | Errno::ETIMEDOUT)) => {
                return Err(error.into());
            }
            Err(error) => {
                *unreadable = Some(error.into());
                return Err(error.into());
            }
        }
    }
    Ok(())
}

/// Waits for room in the socket, but not for ever for a peer that takes nothing.
async fn wait_until_writable(stream: &TcpStream) -> io::Result<()> {
    // The runtime does not know that there was no room, as the call was not made through it.
    let full = stream.try_io(Interest::WRITABLE, || Err::<(), _>(io::ErrorKind::WouldBlock.into()));
    debug_assert!(full.is_err());
    tokio::time::timeout(WRITE_TIMEOUT, stream.writable()).await.map_err(|_| io::ErrorKind::TimedOut)?
}

async fn write(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    tokio::time::timeout(WRITE_TIMEOUT, stream.write_all(bytes)).await.map_err(|_| io::ErrorKind::TimedOut)?
}

async fn refuse(stream: &mut TcpStream, refused: Refused) -> io::Result<()> {
    let reply = reply::error(refused.status, wire::shuffle::PATH, &refused.reason);
    write(stream, &whole(reply)).await
}

/// An answer that is here as a whole, as bytes.
fn whole(mut reply: Reply) -> Vec<u8> {
    let body = match reply.body_mut() {
        Content::Whole(bytes) => bytes.take().unwrap_or_default(),
        Content::Stream(_) => Default::default(),
    };
    let reason = reply.extensions().get::<hyper::ext::ReasonPhrase>().map(|reason| reason.as_bytes().to_vec());
    let mut bytes = format!("HTTP/1.1 {} ", reply.status().as_u16()).into_bytes();
    bytes.extend(reason.unwrap_or_else(|| reply.status().canonical_reason().unwrap_or_default().into()));
    for (name, value) in reply.headers() {
        bytes.extend([b"\r\n", name.as_str().as_bytes(), b": ", value.as_bytes()].concat());
    }
    bytes.extend(format!("\r\ncontent-length: {}\r\n\r\n", body.len()).bytes());
    bytes.extend(body);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_and_whole_fetches_are_taken() {
        let fetch = "GET /mapOutput?job=j HTTP/1.1\r\nHost: x\r\nurlhash: abc=\r\n";
        let found = look_at(format!("{fetch}\r\nGET /").as_bytes()).unwrap();
        assert_eq!((found.sent.as_str(), found.proof.as_str(), found.close), ("/mapOutput?job=j", "abc=", false));
        assert_eq!(found.head_len, fetch.len() + 2);
        assert!(look_at(format!("{fetch}Connection: Close\r\n\r\n").as_bytes()).unwrap().close);
        for other in [
            fetch.to_owned(),
            format!("{fetch}Content-Length: 3\r\n\r\n"),
            format!("{fetch}Expect: 100-continue\r\n\r\n"),
            fetch.replace("1.1", "1.0") + "\r\n",
            fetch.replace("GET", "POST") + "\r\n",
            fetch.replace("mapOutput", "tasklog") + "\r\n",
            "GET /mapOutput?\0\r\n\r\n".to_owned(),
        ] {
            assert!(look_at(other.as_bytes()).is_none(), "{other}");
        }
    }
}
