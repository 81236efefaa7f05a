//! Queues: whether they take jobs, and who may do what in them (Hadoop 1.2.1: QueueManager).

use types::{AccessControlList, JobQueueInfo, QueueAclsInfo};

use crate::settings::QueueSettings;
use crate::submission::Caller;

/// The queues, in configured order.
#[derive(Debug)]
pub(crate) struct Queues {
    queues: Vec<QueueSettings>,
}

impl Queues {
    pub(crate) fn new(queues: Vec<QueueSettings>) -> Self {
        Queues { queues }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&QueueSettings> {
        self.queues.iter().find(|queue| queue.name == name)
    }

    /// Takes new settings. None of the old queues may be missing; the name of one that is, is the error.
    pub(crate) fn refresh(&mut self, queues: Vec<QueueSettings>) -> Result<(), String> {
        if let Some(gone) = self.queues.iter().find(|old| !queues.iter().any(|new| new.name == old.name)) {
            return Err(gone.name.clone());
        }
        // Quirk: a new queue takes no jobs until the next refresh (QueueManager.checkQueuesForDeletion).
        let known = |name: &str| self.get(name).is_some();
        let queues =
            queues.into_iter().map(|queue| QueueSettings { running: queue.running && known(&queue.name), ..queue });
        self.queues = queues.collect();
        Ok(())
    }

    pub(crate) fn infos(&self) -> Vec<JobQueueInfo> {
        self.queues.iter().map(info).collect()
    }

    pub(crate) fn info(&self, name: &str) -> Option<JobQueueInfo> {
        self.get(name).map(info)
    }

    /// Who administers a queue; nobody if it is unknown.
    pub(crate) fn administrators(&self, name: &str) -> AccessControlList {
        self.get(name).map(|queue| queue.administrators.clone()).unwrap_or_default()
    }

    /// What a caller may do in which queue; queues in which it may do nothing are left out.
    pub(crate) fn acls(&self, caller: &Caller, acls_enabled: bool) -> Vec<QueueAclsInfo> {
        let allowed = |list: &AccessControlList| !acls_enabled || list.allows(&caller.user, &caller.groups);
        let operations = |queue: &QueueSettings| {
            let submit = allowed(&queue.submitters).then(|| Some("acl-submit-job".to_owned()));
            let administer = allowed(&queue.administrators).then(|| Some("acl-administer-jobs".to_owned()));
            submit.into_iter().chain(administer).collect::<Vec<_>>()
        };
        let infos =
            self.queues.iter().map(|queue| QueueAclsInfo { queue: queue.name.clone(), operations: operations(queue) });
        infos.filter(|info| !info.operations.is_empty()).collect()
    }
}

fn info(queue: &QueueSettings) -> JobQueueInfo {
    JobQueueInfo {
        name: queue.name.clone(),
        state: if queue.running { "running" } else { "stopped" }.to_owned(),
        scheduling_info: "N/A".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_adds_stopped_queues_and_removes_none() {
        let mut queues = Queues::new(vec![QueueSettings::open("default")]);
        assert_eq!(queues.refresh(vec![QueueSettings::open("other")]), Err("default".to_owned()));
        let both = || vec![QueueSettings::open("default"), QueueSettings::open("new")];
        queues.refresh(both()).unwrap();
        assert_eq!(queues.info("new").unwrap().state, "stopped");
        assert_eq!(queues.info("default").unwrap().state, "running");
        queues.refresh(both()).unwrap();
        assert_eq!(queues.info("new").unwrap().state, "running");
    }

    #[test]
    fn acls_tell_what_a_caller_may_do() {
        let closed = QueueSettings { submitters: AccessControlList::parse("alice"), ..QueueSettings::open("q") };
        let closed = QueueSettings { administrators: AccessControlList::default(), ..closed };
        let queues = Queues::new(vec![closed]);
        assert_eq!(queues.acls(&Caller::named("alice"), true)[0].operations, [Some("acl-submit-job".to_owned())]);
        assert!(queues.acls(&Caller::named("bob"), true).is_empty());
        assert_eq!(queues.acls(&Caller::named("bob"), false)[0].operations.len(), 2);
        assert_eq!(queues.administrators("nowhere"), AccessControlList::default());
    }
}
