//! What must hold of the books after every event: they say what the jobs say.

use types::TaskKind;

use super::queue::Stage;
use super::{Capacity, may_give};
use crate::scheduler::Jobs;

impl Capacity {
    /// Adds everything up anew; the error says what differs.
    pub(super) fn check_books(&self, jobs: &Jobs) -> Result<(), String> {
        for (id, member) in &self.members {
            let Some(job) = jobs.get(id).filter(|job| !job.is_over()) else {
                return Err(format!("{id} is over and still in its queue"));
            };
            let running = member.stage == Stage::Running;
            if running != job.is_running() {
                return Err(format!("{id} is {:?} and stands among the {:?}", job.status.state, member.stage));
            }
            for kind in TaskKind::BOTH {
                let (kept, now) = (member.holding(kind), member.holding_of(kind, job));
                if kept != now {
                    return Err(format!("{id} holds {now:?} of {kind:?} slots, {kept:?} is counted"));
                }
                let reserved = self.reservations.count(kind, id);
                if reserved != member.reserved.get(kind) {
                    return Err(format!("{reserved} trackers are kept free for {id}, not as counted"));
                }
                let gives = self.queues[member.queue].is_giver(kind, &member.place);
                let may_give = may_give(kind, job, member.slots.get(kind), self.reduce_input_limit);
                if gives != (running && may_give) {
                    return Err(format!("{id} is wrong among those that give {kind:?} tasks"));
                }
            }
        }
        self.check_sums()
    }

    fn check_sums(&self) -> Result<(), String> {
        for (at, queue) in self.queues.iter().enumerate() {
            for kind in TaskKind::BOTH {
                let of_queue = self.members.values().filter(|member| member.queue == at);
                let slots: i32 = of_queue.map(|member| member.holding(kind).slots).sum();
                let counted = queue.usage(kind).slots;
                if slots != counted {
                    let name = &queue.settings.name;
                    return Err(format!("queue {name} uses {slots} {kind:?} slots, {counted} are counted"));
                }
            }
        }
        let needed: i64 = self.members.values().map(|member| member.needed_reduce_slots).sum();
        match needed == self.needed_reduce_slots {
            true => Ok(()),
            false => Err(format!("reduces need {needed} slots, {} are counted", self.needed_reduce_slots)),
        }
    }
}
