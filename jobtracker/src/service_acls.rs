//! Which users may use which protocol, where `hadoop.security.authorization` is on (Hadoop 1.2.1:
//! security.authorize.ServiceAuthorizationManager, mapred.MapReducePolicyProvider).

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use configuration::{ConfigError, Configuration, Key, keys};
use rpc::server::Caller;
use types::{AccessControlList, ExceptionKind, RemoteException};
use wire::mapred::{admin, inter_tracker, job_submission, refresh_authorization_policy, refresh_user_mappings};

use crate::groups::Groups;
use crate::state::short_name;

const POLICY_FILE: &str = "hadoop-policy.xml";

type Policy = Vec<(&'static str, AccessControlList)>;

/// The protocols of this daemon and the keys of their lists.
fn protocols() -> [(&'static str, &'static Key<String>); 5] {
    [
        (job_submission::NAME, &keys::SECURITY_JOB_SUBMISSION_PROTOCOL_ACL),
        (inter_tracker::NAME, &keys::SECURITY_INTER_TRACKER_PROTOCOL_ACL),
        (admin::NAME, &keys::SECURITY_ADMIN_OPERATIONS_PROTOCOL_ACL),
        (refresh_authorization_policy::NAME, &keys::SECURITY_REFRESH_POLICY_PROTOCOL_ACL),
        (refresh_user_mappings::NAME, &keys::SECURITY_REFRESH_USERTOGROUPS_MAPPINGS_PROTOCOL_ACL),
    ]
}

/// The lists that count now; none where authorization is off.
pub(crate) struct ServiceAcls {
    policy: RwLock<Option<Arc<Policy>>>,
}

impl ServiceAcls {
    /// Lets everybody in.
    pub(crate) fn off() -> ServiceAcls {
        ServiceAcls { policy: RwLock::new(None) }
    }

    /// Reads the site's policy file over its configuration; if anything is wrong the old lists stay.
    pub(crate) fn read(&self, conf: &Configuration, conf_dir: Option<&Path>) -> Result<(), ConfigError> {
        let mut conf = conf.clone();
        if let Some(file) = conf_dir.map(|dir| dir.join(POLICY_FILE)).filter(|file| file.exists()) {
            conf.add_file(&file)?;
        }
        let lists =
            protocols().map(|(protocol, key)| conf.get(key).map(|text| (protocol, AccessControlList::parse(&text))));
        let policy = lists.into_iter().collect::<Result<Policy, ConfigError>>()?;
        *self.policy.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(policy));
        Ok(())
    }

    /// Whether the caller may use the protocol of his connection.
    pub(crate) async fn authorize(&self, groups: &Groups, caller: &Caller) -> Result<(), RemoteException> {
        let policy = self.policy.read().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(policy) = policy else { return Ok(()) };
        let list = policy.iter().find(|(protocol, _)| *protocol == caller.protocol).map(|(_, list)| list);
        let user = short_name(&caller.user);
        let allowed = match list {
            Some(list) if list.everybody || list.users.iter().any(|name| name == user) => true,
            Some(list) => list.allows(user, &groups.of(user).await),
            None => false,
        };
        if allowed {
            return Ok(());
        }
        Err(RemoteException::new(
            ExceptionKind::Authorization,
            format!("User {user} (auth:SIMPLE) is not authorized for protocol interface {}", caller.protocol),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    async fn may(acls: &ServiceAcls, user: &str, protocol: &str) -> bool {
        let caller = Caller {
            user: user.into(),
            real_user: None,
            protocol: protocol.into(),
            by_token: false,
            address: "127.0.0.1:1".parse().unwrap(),
        };
        acls.authorize(&Groups::new(Duration::ZERO), &caller).await.is_ok()
    }

    #[tokio::test]
    async fn the_policy_file_names_who_may_use_a_protocol() {
        let dir = tempfile::tempdir().unwrap();
        let policy = "<configuration><property><name>security.admin.operations.protocol.acl</name>\
                      <value>ann root</value></property></configuration>";
        std::fs::write(dir.path().join(POLICY_FILE), policy).unwrap();
        let acls = ServiceAcls::off();
        assert!(may(&acls, "eve", admin::NAME).await);
        acls.read(&Configuration::new(), Some(dir.path())).unwrap();
        assert!(may(&acls, "ann", admin::NAME).await);
        assert!(may(&acls, "root", admin::NAME).await, "by group");
        assert!(!may(&acls, "eve", admin::NAME).await);
        assert!(may(&acls, "eve", job_submission::NAME).await);
    }
}
