//! AdminOperationsProtocol: what administrators change while the daemon runs.

use std::sync::Arc;

use configuration::{Configuration, Overrides};
use rpc::server::Caller;
use types::{ExceptionKind, RemoteException, SafeModeAction};
use wire::mapred::admin::Call;

use super::{Answer, protocol_version, reply};
use crate::effects::chain;
use crate::state::Shared;
use crate::{schedulers, settings};

/// Answers one call.
pub(super) async fn answer(shared: &Arc<Shared>, caller: &Caller, call: Call) -> Answer {
    match call {
        Call::GetProtocolVersion(call) => protocol_version(&call),
        Call::RefreshQueues(call) => {
            let asking = shared.caller(caller).await;
            tracing::info!(user = asking.user, "queues are read anew");
            let refreshed = refresh_queues(shared, asking).await;
            match refreshed {
                Ok(()) => shared.set_queue_problem(None),
                Err(error) => {
                    tracing::warn!("the queues stay as they are: {}", error.message);
                    if error.kind != ExceptionKind::AccessControl {
                        shared.set_queue_problem(Some(error.message.clone()));
                    }
                    return Err(error);
                }
            }
            reply(&call, ())
        }
        Call::RefreshNodes(call) => {
            let asking = shared.caller(caller).await;
            tracing::info!(user = asking.user, "host lists are read anew");
            let hosts = reread(shared, settings::hosts).await?;
            let taken = shared.core.ask(move |core, now| core.refresh_hosts(now, &asking, hosts)).await?;
            taken.map_err(|error| error.exception())?;
            reply(&call, ())
        }
        Call::SetSafeMode(call) => reply(&call, safe_mode(shared, caller, call.action).await?),
    }
}

async fn refresh_queues(shared: &Arc<Shared>, asking: jobtracker_core::Caller) -> Result<(), RemoteException> {
    let part = |conf: &_| Ok((settings::queues(conf)?, schedulers::read(conf)?));
    let (queues, scheduler) = reread(shared, part).await?;
    let taken = shared.core.ask(move |core, _| core.refresh_queues(&asking, queues, &scheduler)).await?;
    taken.map_err(|error| error.exception())
}

async fn safe_mode(shared: &Shared, caller: &Caller, action: SafeModeAction) -> Result<bool, RemoteException> {
    let asking = shared.caller(caller).await;
    let on = match action {
        SafeModeAction::Get => return Ok(shared.core.ask(|core, _| core.safe_mode()).await?),
        SafeModeAction::Enter => true,
        SafeModeAction::Leave => false,
    };
    tracing::info!(user = asking.user, on, "safe mode");
    let set = shared.core.ask(move |core, _| core.set_safe_mode(&asking, on)).await?;
    set.map_err(|error| error.exception())
}

/// Reads the site's files again, takes a part from them, and keeps them; if anything is wrong the old ones stay.
async fn reread<T: Send + 'static>(
    shared: &Arc<Shared>,
    part: fn(&Configuration) -> Result<T, configuration::ConfigError>,
) -> Result<T, RemoteException> {
    let reading = shared.clone();
    let read = tokio::task::spawn_blocking(move || {
        let Some(conf_dir) = &reading.conf_dir else { return part(&reading.conf()) };
        let mut conf = configuration::load(conf_dir, &Overrides::default())?;
        settings::add_queue_files(&mut conf, conf_dir)?;
        let taken = part(&conf)?;
        reading.set_conf(conf);
        Ok(taken)
    });
    let read = read.await.map_err(|_| RemoteException::io("reading the configuration was given up"))?;
    read.map_err(|error| RemoteException::io(chain(&error)))
}
