//! Rack paths of hosts, by the site's script, remembered (Hadoop 1.2.1: net.ScriptBasedMapping,
//! CachedDNSToSwitchMapping). Without a script, and where the script fails, every host is in the default rack.

use std::collections::{BTreeSet, HashMap};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// Where a host is that nobody placed.
pub(crate) const DEFAULT_RACK: &str = "/default-rack";

/// Hosts that are remembered.
const HOSTS_MAX: usize = 100_000;

/// Looks racks up.
#[derive(Clone)]
pub(crate) struct Racks {
    script: Option<Arc<str>>,
    hosts_per_call: usize,
    remembered: Arc<Mutex<HashMap<String, String>>>,
}

impl Racks {
    pub(crate) fn new(script: Option<String>, hosts_per_call: usize) -> Racks {
        let script = script.filter(|script| !script.is_empty()).map(Arc::from);
        Racks { script, hosts_per_call: hosts_per_call.max(1), remembered: Arc::default() }
    }

    /// Whether finding a rack may run the script, and so must not happen on the runtime's threads.
    pub(crate) fn must_ask(&self, host: &str) -> bool {
        self.script.is_some() && !self.lock().contains_key(host)
    }

    /// The rack of one host; runs the script if it must.
    pub(crate) fn of(&self, host: &str) -> String {
        self.of_all(&[host.to_owned()]).pop().unwrap_or_else(|| DEFAULT_RACK.to_owned())
    }

    /// The racks of hosts, in their order; runs the script if it must.
    pub(crate) fn of_all(&self, hosts: &[String]) -> Vec<String> {
        let Some(script) = &self.script else { return vec![DEFAULT_RACK.to_owned(); hosts.len()] };
        let unknown: Vec<String> = {
            let known = self.lock();
            let unknown: BTreeSet<&String> = hosts.iter().filter(|host| !known.contains_key(*host)).collect();
            unknown.into_iter().cloned().collect()
        };
        for some in unknown.chunks(self.hosts_per_call) {
            if let Some(racks) = run(script, some) {
                let mut known = self.lock();
                if known.len() + some.len() > HOSTS_MAX {
                    known.clear();
                }
                known.extend(some.iter().cloned().zip(racks));
            }
        }
        let known = self.lock();
        hosts.iter().map(|host| known.get(host).cloned().unwrap_or_else(|| DEFAULT_RACK.to_owned())).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One call of the script: as many racks as hosts, or nothing.
fn run(script: &str, hosts: &[String]) -> Option<Vec<String>> {
    let output = Command::new(script).args(hosts).stdin(Stdio::null()).output();
    let output = match output {
        Ok(output) if output.status.success() => output,
        Ok(output) => {
            tracing::warn!(script, status = %output.status, "the rack script failed; its hosts are in the default rack");
            return None;
        }
        Err(error) => {
            tracing::warn!(script, %error, "cannot run the rack script; its hosts are in the default rack");
            return None;
        }
    };
    let racks: Vec<String> = String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect();
    if racks.len() != hosts.len() {
        tracing::warn!(script, hosts = hosts.len(), racks = racks.len(), "the rack script gave too few or many racks");
        return None;
    }
    Some(racks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn without_a_script_all_are_in_the_default_rack() {
        let racks = Racks::new(None, 100);
        assert!(!racks.must_ask("a"));
        assert_eq!(racks.of_all(&["a".into(), "b".into()]), [DEFAULT_RACK, DEFAULT_RACK]);
    }

    #[test]
    fn the_script_is_asked_once_per_host() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("racks");
        std::fs::write(
            &script,
            format!("#!/bin/sh\nfor h in \"$@\"; do echo /r$h; echo $h >> {}/asked; done\n", dir.path().display()),
        )
        .unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let racks = Racks::new(Some(script.display().to_string()), 2);
        assert!(racks.must_ask("1"));
        assert_eq!(racks.of_all(&["1".into(), "2".into(), "3".into(), "1".into()]), ["/r1", "/r2", "/r3", "/r1"]);
        assert_eq!(racks.of("2"), "/r2");
        assert_eq!(std::fs::read_to_string(dir.path().join("asked")).unwrap().lines().count(), 3);
    }

    #[test]
    fn a_script_that_fails_leaves_the_default() {
        let racks = Racks::new(Some("/no/such/script".into()), 2);
        assert_eq!(racks.of("a"), DEFAULT_RACK);
    }
}
