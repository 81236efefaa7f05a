//! What clients and pages are told of queues and jobs: texts that clients print as they come
//! (Hadoop 1.2.1: CapacitySchedulerQueue.toString, CapacityTaskScheduler.getJobQueueSchedInfo).

use std::fmt::Write as _;

use types::TaskKind;

use super::queue::Queue;
use super::usage::Usage;
use super::{Capacity, Member};
use crate::views::{CapacityQueueView, SlotsView};

impl Member {
    /// What its tasks hold and what is kept free for it.
    pub(super) fn info(&self) -> String {
        let part = |kind: TaskKind, what: &str| {
            let (tasks, slots) = (self.holding(kind).tasks, self.slots.get(kind));
            let (held, reserved) = (tasks * slots, self.reserved.get(kind) * slots);
            format!("{tasks} running {what} tasks using {held} {what} slots. {reserved} additional slots reserved.")
        };
        format!("{} {}", part(TaskKind::Map, "map"), part(TaskKind::Reduce, "reduce"))
    }
}

impl Queue {
    /// Which limit keeps a job of so many tasks from being initialised, if one does.
    pub(super) fn why_held_back(&self, user: &str, tasks: i32) -> Option<String> {
        let name = &self.settings.name;
        if !self.may_init(tasks) {
            return Some(format!(
                "queue {name} initialises {} jobs and {} tasks at a time, and has {} and {}",
                self.limits.init,
                self.settings.tasks_max,
                self.counts.running + self.counts.initializing,
                self.counts.active_tasks,
            ));
        }
        (!self.may_init_for(user, tasks)).then(|| {
            format!(
                "queue {name} initialises {} jobs and {} tasks of user {user} at a time, who has as many",
                self.limits.init_per_user, self.settings.tasks_per_user_max,
            )
        })
    }

    /// Which limit keeps a user from so many more slots, if one does.
    pub(super) fn why_limited(&self, kind: TaskKind, user: &str, slots: i32) -> Option<String> {
        let (name, usage) = (&self.settings.name, self.usage(kind));
        let what = if kind.is_map() { "map" } else { "reduce" };
        if !usage.is_below_max(slots) {
            let (used, max) = (usage.slots, usage.capacity_max);
            return Some(format!("queue {name} uses {used} of the {max} {what} slots that are its maximum capacity"));
        }
        (!usage.is_below_user_limit(user, slots, &self.settings)).then(|| {
            let limit = usage.user_limit(slots, &self.settings);
            let held = usage.users().find(|(holder, _)| *holder == user).map_or(0, |(_, held)| held);
            format!("user {user} may have {limit} {what} slots in queue {name}, has {held}, and a task takes {slots}")
        })
    }

    /// What the queue may use and uses.
    pub(super) fn info(&self) -> String {
        let settings = &self.settings;
        let yes_or_no = if settings.supports_priority { "YES" } else { "NO" };
        format!(
            "Queue configuration\nCapacity Percentage: {:?}%\nUser Limit: {}%\nPriority Supported: {yes_or_no}\n\
             -------------\nMap tasks\n{}-------------\nReduce tasks\n{}-------------\nJob info\n\
             Number of Waiting Jobs: {}\nNumber of Initializing Jobs: {}\n\
             Number of users who have submitted jobs: {}\n",
            settings.capacity,
            settings.user_limit_percent,
            slots_info(self.usage(TaskKind::Map)),
            slots_info(self.usage(TaskKind::Reduce)),
            self.counts.waiting,
            self.counts.initializing,
            self.users(),
        )
    }
}

fn slots_info(usage: &Usage) -> String {
    let mut text = format!("Capacity: {} slots\n", usage.capacity);
    if usage.capacity_max >= 0 {
        let _ = writeln!(text, "Maximum capacity: {} slots", usage.capacity_max);
    }
    let share = if usage.capacity == 0 { 0.0 } else { usage.slots as f32 * 100.0 / usage.capacity as f32 };
    let _ = writeln!(text, "Used capacity: {} ({share:.1}% of Capacity)", usage.slots);
    let _ = writeln!(text, "Running tasks: {}", usage.tasks);
    if usage.slots != 0 {
        text.push_str("Active users:\n");
        for (user, slots) in usage.users() {
            let share = slots as f32 * 100.0 / usage.slots as f32;
            let _ = writeln!(text, "User '{user}': {slots} ({share:.1}% of used capacity)");
        }
    }
    text
}

impl Capacity {
    /// All queues, by name.
    pub(super) fn queue_views(&self) -> Vec<CapacityQueueView> {
        let view = |queue: &Queue| CapacityQueueView {
            name: queue.settings.name.clone(),
            capacity: queue.settings.capacity,
            capacity_max: queue.settings.capacity_max,
            user_limit_percent: queue.settings.user_limit_percent,
            supports_priority: queue.settings.supports_priority,
            maps: slots_view(queue.usage(TaskKind::Map)),
            reduces: slots_view(queue.usage(TaskKind::Reduce)),
            waiting_jobs: queue.counts.waiting,
            initializing_jobs: queue.counts.initializing,
            running_jobs: queue.counts.running,
            users: queue.users(),
        };
        self.by_name.values().map(|at| view(&self.queues[*at])).collect()
    }
}

fn slots_view(usage: &Usage) -> SlotsView {
    SlotsView { capacity: usage.capacity, capacity_max: usage.capacity_max, used: usage.slots, running: usage.tasks }
}
