//! The two refresh protocols: user mappings and the authorization policy.

use configuration::Overrides;
use rpc::server::Caller;
use types::{ExceptionKind, RemoteException};
use wire::mapred::{refresh_authorization_policy, refresh_user_mappings};

use super::{Answer, protocol_version, reply};
use crate::effects::chain;
use crate::settings;
use crate::state::Shared;

/// Answers a call of RefreshUserMappingsProtocol.
pub(super) fn user_mappings(shared: &Shared, caller: &Caller, call: refresh_user_mappings::Call) -> Answer {
    use refresh_user_mappings::Call;
    match call {
        Call::GetProtocolVersion(call) => protocol_version(&call),
        Call::RefreshUserToGroupsMappings(call) => {
            tracing::info!(user = caller.user, "groups are forgotten");
            shared.groups.refresh();
            reply(&call, ())
        }
        Call::RefreshSuperUserGroupsConfiguration(call) => {
            tracing::info!(user = caller.user, "proxy users are read anew");
            if let Some(conf_dir) = &shared.conf_dir {
                let mut conf = configuration::load(conf_dir, &Overrides::default()).map_err(unreadable)?;
                settings::add_queue_files(&mut conf, conf_dir).map_err(unreadable)?;
                shared.set_conf(conf);
            }
            reply(&call, ())
        }
    }
}

fn unreadable(error: configuration::ConfigError) -> RemoteException {
    RemoteException::io(chain(&error))
}

/// Answers a call of RefreshAuthorizationPolicyProtocol.
pub(super) fn authorization_policy(shared: &Shared, call: refresh_authorization_policy::Call) -> Answer {
    use refresh_authorization_policy::Call;
    match call {
        Call::GetProtocolVersion(call) => protocol_version(&call),
        Call::RefreshServiceAcl(_) if !shared.settings.authorization => {
            Err(RemoteException::new(ExceptionKind::Authorization, "Service Level Authorization not enabled!"))
        }
        Call::RefreshServiceAcl(call) => {
            shared.service_acls.read(&shared.conf(), shared.conf_dir.as_deref()).map_err(unreadable)?;
            reply(&call, ())
        }
    }
}
