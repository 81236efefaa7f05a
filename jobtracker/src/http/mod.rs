//! The web server.

use std::sync::Arc;

use axum::Router;
use tokio::net::TcpListener;

use crate::state::Shared;

/// Serves until the task is dropped.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    let router: Router<()> = Router::new().with_state(shared);
    if let Err(error) = axum::serve(listener, router).await {
        tracing::error!(%error, "the pages are no longer served");
    }
}
