//! Who may act for whom (Hadoop 1.2.1: security.authorize.ProxyUsers).

use std::net::{IpAddr, SocketAddr};

use configuration::{Configuration, keys};
use rpc::server::Caller;
use types::{ExceptionKind, RemoteException};

use crate::groups::Groups;
use crate::state::short_name;

fn refused(message: String) -> Result<(), RemoteException> {
    Err(RemoteException::new(ExceptionKind::Authorization, message))
}

/// Lets a caller in who speaks for himself, or whom the site allows to speak for members of a group, from a host.
pub(crate) async fn authorize(conf: &Configuration, groups: &Groups, caller: &Caller) -> Result<(), RemoteException> {
    let Some(real) = caller.real_user.as_deref() else { return Ok(()) };
    let listed = |key| conf.get_for::<Vec<String>>(key, short_name(real)).ok().flatten().unwrap_or_default();
    let allowed_groups = listed(&keys::HADOOP_PROXYUSER_GROUPS);
    let member = match allowed_groups.as_slice() {
        [] => false,
        [any] if any == "*" => true,
        some => groups.of(short_name(&caller.user)).await.iter().any(|group| some.contains(group)),
    };
    if !member {
        return refused(format!("User: {real} is not allowed to impersonate {}", caller.user));
    }
    let address = caller.address.ip();
    let hosts = listed(&keys::HADOOP_PROXYUSER_HOSTS);
    for host in &hosts {
        if host == "*" || is_address_of(host, address).await {
            return Ok(());
        }
    }
    refused(format!("Unauthorized connection for super-user: {real} from IP {address}"))
}

async fn is_address_of(host: &str, address: IpAddr) -> bool {
    match tokio::net::lookup_host((host, 0)).await {
        Ok(mut found) => found.any(|found: SocketAddr| found.ip() == address),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    async fn check(properties: &[(&str, &str)], real: Option<&str>) -> Result<(), String> {
        let mut conf = Configuration::new();
        for (name, value) in properties {
            conf.set(*name, *value);
        }
        let caller = Caller {
            user: "root".into(),
            real_user: real.map(str::to_owned),
            protocol: "p".into(),
            by_token: false,
            address: "127.0.0.1:1".parse().unwrap(),
        };
        authorize(&conf, &Groups::new(Duration::ZERO), &caller).await.map_err(|error| error.message)
    }

    #[tokio::test]
    async fn only_who_is_allowed_speaks_for_others() {
        let groups = ("hadoop.proxyuser.oozie.groups", "root,users");
        let hosts = ("hadoop.proxyuser.oozie.hosts", "localhost");
        assert_eq!(check(&[], None).await, Ok(()));
        assert_eq!(check(&[groups, hosts], Some("oozie")).await, Ok(()));
        let not_allowed = "User: mallory is not allowed to impersonate root";
        assert_eq!(check(&[groups, hosts], Some("mallory")).await.unwrap_err(), not_allowed);
        let from = "Unauthorized connection for super-user: oozie from IP 127.0.0.1";
        assert_eq!(check(&[groups], Some("oozie")).await.unwrap_err(), from);
        assert_eq!(
            check(&[groups, ("hadoop.proxyuser.oozie.hosts", "10.1.1.1")], Some("oozie")).await.unwrap_err(),
            from
        );
    }
}
