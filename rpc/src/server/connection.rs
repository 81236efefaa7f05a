//! One connection from its first byte to its last.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::Semaphore;

use super::frames::{Frame, FrameReader};
use super::handshake::{Refusal, shake_hands};
use super::replies::Replies;
use super::{Caller, Outcome, Shared};

/// Beyond so many connections idle ones are closed (Hadoop 1.2.1: ipc.client.idlethreshold).
const CONNECTIONS_CROWDED: usize = 4000;
/// After so long (Hadoop 1.2.1: twice ipc.client.connection.maxidletime).
const IDLE_MAX: Duration = Duration::from_secs(20);
/// How long the calls of a peer that sends no more are waited for.
const LAST_REPLIES_MAX: Duration = Duration::from_secs(5);

/// Serves one connection until either side ends it.
pub(super) async fn serve(stream: TcpStream, address: SocketAddr, shared: &Arc<Shared>) {
    // Replies are small and waited for; without this they would wait for the peer's acknowledgements.
    let _ = stream.set_nodelay(true);
    let (input, output) = stream.into_split();
    let options = &shared.options;
    let mut reader =
        FrameReader::new(input, options.stall_timeout, options.frame_bytes_max, shared.large_frames.clone());
    let replies = Arc::new(Replies::new(output));
    match shake_hands(&mut reader, &replies, address, shared).await {
        Ok(caller) => serve_calls(&mut reader, &replies, Arc::new(caller), shared).await,
        Err(Refusal::Silent(reason)) => tracing::debug!(%address, reason, "closed a connection"),
        Err(Refusal::Told(reason)) => {
            tracing::info!(%address, reason, "refused a connection");
            replies.finish().await;
            reader.drain().await;
        }
    }
    replies.close();
}

async fn serve_calls(
    reader: &mut FrameReader<OwnedReadHalf>,
    replies: &Arc<Replies>,
    caller: Arc<Caller>,
    shared: &Arc<Shared>,
) {
    let places = shared.options.calls_per_connection_max;
    let in_work = Arc::new(Semaphore::new(places));
    loop {
        // The semaphore is never closed.
        let Ok(place) = in_work.clone().acquire_owned().await else { return };
        let idle = || in_work.available_permits() == places - 1;
        let (id, invocation, share) = match next_frame(reader, replies, shared, idle).await {
            Some(Frame::Ping) => continue,
            Some(Frame::Call { id, invocation, share }) => (id, invocation, share),
            None => {
                drop(place);
                return finish(&in_work, places, replies).await;
            }
        };
        let (shared, caller, replies) = (shared.clone(), caller.clone(), replies.clone());
        tokio::spawn(async move {
            let _guard = CloseOnPanic(&replies);
            let outcome = shared.service.call(caller, invocation).await;
            match outcome {
                Outcome::Reply(value) => replies.success(id, value).await,
                Outcome::Error(error) => replies.error(id, &error).await,
                Outcome::Close => replies.close(),
            }
            drop((place, share));
        });
    }
}

/// A peer that sends no more may still read: what is in work is answered, if that does not take long.
async fn finish(in_work: &Semaphore, places: usize, replies: &Replies) {
    let all = in_work.acquire_many(u32::try_from(places).unwrap_or(u32::MAX));
    tokio::select! {
        _ = all => (),
        () = replies.closed() => (),
        () = tokio::time::sleep(LAST_REPLIES_MAX) => (),
    }
}

/// The next frame; nothing once the connection is to end.
async fn next_frame(
    reader: &mut FrameReader<OwnedReadHalf>,
    replies: &Replies,
    shared: &Shared,
    idle: impl Fn() -> bool,
) -> Option<Frame> {
    let next = reader.next();
    tokio::pin!(next);
    loop {
        tokio::select! {
            frame = &mut next => return frame.unwrap_or_else(|error| {
                tracing::debug!(%error, "closed a connection");
                replies.close();
                None
            }),
            () = replies.closed() => return None,
            () = tokio::time::sleep(IDLE_MAX) => {
                if idle() && shared.connections.load(Ordering::Relaxed) > CONNECTIONS_CROWDED {
                    return None;
                }
            }
        }
    }
}

/// A call that panics would leave its caller waiting for ever; closing tells it.
struct CloseOnPanic<'a>(&'a Replies);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}
