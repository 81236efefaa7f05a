//! Reads frames from a peer that may be slow, hostile or gone: memory grows only with bytes that came, and a peer that
//! stops inside a frame is given up.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Frames of up to so many bytes need no share of the server's memory for large ones.
const SMALL_FRAME_BYTES: usize = 1 << 20;

/// The most bytes of a connection header or SASL token.
const SETUP_FRAME_BYTES_MAX: usize = 64 << 10;

/// What a peer sends between its calls and as its calls.
pub(super) enum Frame {
    /// The length -1: a sign of life.
    Ping,
    /// A call, and its share of the server's memory for large frames.
    Call { id: i32, invocation: Vec<u8>, share: Option<OwnedSemaphorePermit> },
}

/// Reads from one peer.
pub(super) struct FrameReader<R> {
    input: BufReader<R>,
    stall_timeout: Duration,
    frame_bytes_max: usize,
    large_frames: Arc<Semaphore>,
}

fn malformed(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    pub(super) fn new(
        input: R,
        stall_timeout: Duration,
        frame_bytes_max: usize,
        large_frames: Arc<Semaphore>,
    ) -> FrameReader<R> {
        let input = BufReader::with_capacity(4096, input);
        FrameReader { input, stall_timeout, frame_bytes_max, large_frames }
    }

    /// Appends up to `want` bytes, at least one.
    async fn some(&mut self, into: &mut Vec<u8>, want: usize) -> io::Result<()> {
        let read = (&mut self.input).take(want as u64).read_buf_into(into);
        match tokio::time::timeout(self.stall_timeout, read).await {
            Ok(Ok(0)) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Exactly `len` bytes.
    async fn body(&mut self, len: usize) -> io::Result<Vec<u8>> {
        let mut body = Vec::with_capacity(len.min(4096));
        while body.len() < len {
            let want = len - body.len();
            self.some(&mut body, want).await?;
        }
        Ok(body)
    }

    /// Exactly `N` bytes of the connection's beginning.
    pub(super) async fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let body = self.body(N).await?;
        let mut array = [0; N];
        array.copy_from_slice(&body);
        Ok(array)
    }

    /// A connection header or a SASL token.
    pub(super) async fn setup_frame(&mut self) -> io::Result<Vec<u8>> {
        let len = i32::from_be_bytes(self.array().await?);
        match usize::try_from(len) {
            Ok(len) if len <= SETUP_FRAME_BYTES_MAX => self.body(len).await,
            _ => Err(malformed(format!("a set-up frame of {len} bytes"))),
        }
    }

    /// The next ping or call; waits for its first byte without limit. Nothing at the end of the stream.
    pub(super) async fn next(&mut self) -> io::Result<Option<Frame>> {
        let mut first = [0; 1];
        if self.input.read(&mut first).await? == 0 {
            return Ok(None);
        }
        let [second, third, fourth] = self.array().await?;
        let len = i32::from_be_bytes([first[0], second, third, fourth]);
        if len == -1 {
            return Ok(Some(Frame::Ping));
        }
        let len = match usize::try_from(len) {
            Ok(len) if (4..=self.frame_bytes_max).contains(&len) => len,
            _ => return Err(malformed(format!("a frame of {len} bytes; at most {} are taken", self.frame_bytes_max))),
        };
        let share = self.share(len).await;
        let id = i32::from_be_bytes(self.array().await?);
        let invocation = self.body(len - 4).await?;
        Ok(Some(Frame::Call { id, invocation, share }))
    }

    async fn share(&self, len: usize) -> Option<OwnedSemaphorePermit> {
        if len <= SMALL_FRAME_BYTES {
            return None;
        }
        // The semaphore is never closed, so this only waits.
        self.large_frames.clone().acquire_many_owned((len >> 10) as u32).await.ok()
    }

    /// Reads and drops, for a moment, what the peer still sends, so that closing does not destroy a reply on its way.
    pub(super) async fn drain(&mut self) {
        let dropping = async {
            let mut dropped = vec![0; 4096];
            while matches!(self.input.read(&mut dropped).await, Ok(len) if len > 0) {}
        };
        let _ = tokio::time::timeout(Duration::from_secs(2), dropping).await;
    }

    /// Reads on until `end` was seen or `max` bytes came; whatever came is dropped.
    pub(super) async fn skip_past(&mut self, end: &[u8], max: usize) {
        let mut seen = Vec::new();
        while seen.len() < max && !seen.windows(end.len()).any(|window| window == end) {
            if self.some(&mut seen, 1024).await.is_err() {
                return;
            }
        }
    }
}

/// `read_buf` on a limited reader, for a plain vector that grows by what came.
trait ReadInto {
    async fn read_buf_into(self, into: &mut Vec<u8>) -> io::Result<usize>;
}

impl<R: AsyncRead + Unpin> ReadInto for tokio::io::Take<R> {
    async fn read_buf_into(mut self, into: &mut Vec<u8>) -> io::Result<usize> {
        self.read_buf(into).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(bytes: &[u8]) -> FrameReader<&[u8]> {
        FrameReader::new(bytes, Duration::from_secs(5), 1 << 20, Arc::new(Semaphore::new(1 << 10)))
    }

    #[tokio::test]
    async fn pings_and_calls_come_in_order() {
        let bytes = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 6, 0, 0, 0, 9, 1, 2];
        let mut reader = reader(&bytes);
        assert!(matches!(reader.next().await, Ok(Some(Frame::Ping))));
        match reader.next().await {
            Ok(Some(Frame::Call { id: 9, invocation, share: None })) => assert_eq!(invocation, [1, 2]),
            _ => panic!("no call"),
        }
        assert!(matches!(reader.next().await, Ok(None)));
    }

    #[tokio::test]
    async fn a_cut_or_impossible_frame_is_an_error() {
        let whole = [0, 0, 0, 6, 0, 0, 0, 9, 1, 2];
        for cut in 1..whole.len() {
            assert!(reader(&whole[..cut]).next().await.is_err(), "cut at {cut}");
        }
        for len in [-2, i32::MIN, 3, 0, i32::MAX, (1 << 20) + 1] {
            assert!(reader(&i32::to_be_bytes(len)).next().await.is_err(), "length {len}");
        }
    }
}
