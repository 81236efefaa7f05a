//! Writes replies to one peer, each whole, in the order in which calls end.

use tokio::io::AsyncWriteExt;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::{Mutex, watch};
use types::RemoteException;
use wire::ipc::Response;

/// The writing side of one connection, shared by the calls in work.
pub(super) struct Replies {
    /// Gone once the connection is closed.
    half: Mutex<Option<OwnedWriteHalf>>,
    closed: watch::Sender<bool>,
}

impl Replies {
    pub(super) fn new(half: OwnedWriteHalf) -> Replies {
        Replies { half: Mutex::new(Some(half)), closed: watch::Sender::new(false) }
    }

    /// Ends the connection: writes under way are given up, later ones do nothing, and the reader is told.
    pub(super) fn close(&self) {
        self.closed.send_replace(true);
        // Where a write holds the lock it sees the mark and drops the half itself.
        if let Ok(mut half) = self.half.try_lock() {
            half.take();
        }
    }

    /// Waits until the connection is closed from this side.
    pub(super) async fn closed(&self) {
        let _ = self.closed.subscribe().wait_for(|closed| *closed).await;
    }

    /// Writes bytes as they are; a peer that is gone closes the connection.
    pub(super) async fn raw(&self, bytes: &[u8]) {
        let mut half = self.half.lock().await;
        let Some(stream) = half.as_mut() else { return };
        let written = tokio::select! {
            biased;
            () = self.closed() => false,
            result = stream.write_all(bytes) => result.is_ok(),
        };
        if !written {
            half.take();
            self.closed.send_replace(true);
        }
    }

    /// Tells the peer that nothing more comes, once all that was written is on its way.
    pub(super) async fn finish(&self) {
        if let Some(mut half) = self.half.lock().await.take() {
            let _ = half.shutdown().await;
        }
    }

    pub(super) async fn success(&self, id: i32, value: Vec<u8>) {
        self.raw(&Response::Success { id, value }.to_bytes()).await;
    }

    pub(super) async fn error(&self, id: i32, error: &RemoteException) {
        self.raw(&Response::Error { id, error: error.clone() }.to_bytes()).await;
    }

    /// The last word on a connection that is refused; call id -1, and the message alone, as Hadoop sends it.
    pub(super) async fn fatal(&self, error: &RemoteException) {
        self.raw(&Response::Fatal { id: -1, error: error.clone() }.to_bytes()).await;
    }
}
