//! What of the last update and the last heartbeat keeps a job from a slot, for `hadoop job -explain`.

use types::TaskKind;

use super::Fair;
use super::job::{Level, Over};
use crate::explain::WhyNot;
use crate::job::JobInProgress;

impl Fair {
    /// The limit of its user or pool that keeps a job from being run.
    pub(super) fn limit_of_jobs(&self, job: &JobInProgress) -> Option<String> {
        let known = self.jobs.get(self.jobs.key(&job.id)?)?;
        let allocations = &self.settings.allocations;
        let (whose, most) = match known.over? {
            Over::User => (format!("user {}", known.user), allocations.user_jobs_max(&known.user)),
            Over::Pool => (format!("pool {}", known.pool), allocations.pool_jobs_max(&known.pool)),
        };
        Some(format!("{whose} may run {most} jobs at a time, and that many come before this one"))
    }

    /// What keeps a job that runs from one more slot.
    pub(super) fn limit_of_slots(&self, job: &JobInProgress, kind: TaskKind) -> Option<String> {
        let known = self.jobs.get(self.jobs.key(&job.id)?)?;
        if !known.runnable {
            let next = || "the fair scheduler has not looked at the job since it began to run".to_owned();
            return Some(self.limit_of_jobs(job).unwrap_or_else(next));
        }
        let most = self.settings.allocations.max_share(&known.pool, kind)?;
        let running = self.pools.get(&known.pool)?.side(kind).running;
        let name = if kind.is_map() { "map" } else { "reduce" };
        (running >= most).then(|| format!("pool {} may have {most} {name} slots, and has {running}", known.pool))
    }

    /// How long a job goes on to wait for a place near its data, as it stood at the last heartbeat.
    pub(super) fn locality_delay(&self, job: &JobInProgress) -> Option<WhyNot> {
        let key = self.jobs.key(&job.id)?;
        let delay = self.jobs.get(key)?.delay;
        let until = match self.allowed_level(self.last_heartbeat.unwrap_or(self.last_update), key, job) {
            Level::Any => return None,
            _ if delay.level == Level::Rack => self.delays.rack,
            _ => self.delays.node + self.delays.rack,
        };
        Some(WhyNot::LocalityDelay { waited: delay.waited, until })
    }
}
