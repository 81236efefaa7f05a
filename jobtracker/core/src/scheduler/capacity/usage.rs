//! What a queue may use and does use of one kind of slots, and how much of it one user may have
//! (Hadoop 1.2.1: CapacitySchedulerQueue.SlotsUsage, assignSlotsToQueue, assignSlotsToJob). Hadoop adds it up anew from
//! all jobs at each heartbeat; here each job's part is replaced when the job changes.

use std::collections::BTreeMap;

use super::settings::CapacityQueueSettings;

/// What one running job holds of a kind of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Holding {
    /// Running tasks.
    pub(super) tasks: i32,
    /// Slots of its running tasks and of the trackers reserved for it.
    pub(super) slots: i32,
    /// Whether tasks of it wait, so that its user counts among those who share the queue.
    pub(super) waits: bool,
}

/// What a user holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct UserHolding {
    slots: i32,
    waiting_jobs: i32,
}

/// One kind of slots of one queue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Usage {
    /// The queue's part of the cluster's slots.
    pub(super) capacity: i32,
    /// Its ceiling; none if 0 or less.
    pub(super) capacity_max: i32,
    pub(super) tasks: i32,
    pub(super) slots: i32,
    users: BTreeMap<String, UserHolding>,
    active_users: i32,
}

impl Usage {
    /// Follows the cluster's size.
    pub(super) fn set_capacity(&mut self, settings: &CapacityQueueSettings, cluster_slots: i32) {
        self.capacity = part_of(cluster_slots, settings.capacity);
        // Quirk: a ceiling of less than one slot is none.
        self.capacity_max = settings.capacity_max.map_or(-1, |percent| part_of(cluster_slots, percent));
    }

    /// How full the queue is; one without a slot counts as full.
    pub(super) fn fullness(&self) -> f64 {
        if self.capacity == 0 { 1.0 } else { f64::from(self.slots) / f64::from(self.capacity) }
    }

    /// Replaces what a job of a user holds.
    pub(super) fn replace(&mut self, user: &str, old: Holding, new: Holding) {
        self.tasks += new.tasks - old.tasks;
        self.slots += new.slots - old.slots;
        if !self.users.contains_key(user) {
            self.users.insert(user.to_owned(), UserHolding::default());
        }
        let Some(holding) = self.users.get_mut(user) else { return };
        holding.slots += new.slots - old.slots;
        let was_active = holding.waiting_jobs > 0;
        holding.waiting_jobs += i32::from(new.waits) - i32::from(old.waits);
        self.active_users += i32::from(holding.waiting_jobs > 0) - i32::from(was_active);
        if *holding == UserHolding::default() {
            self.users.remove(user);
        }
    }

    /// Whether the queue's ceiling leaves room for so many slots.
    pub(super) fn is_below_max(&self, slots: i32) -> bool {
        self.capacity_max <= 0 || self.slots + slots <= self.capacity_max
    }

    /// Whether a user may take so many slots more.
    pub(super) fn is_below_user_limit(&self, user: &str, slots: i32, settings: &CapacityQueueSettings) -> bool {
        let held = self.users.get(user).map_or(0, |holding| holding.slots);
        // Quirk: where one task needs more slots than a user may have, it never gets them, free as they may be.
        i64::from(held) + i64::from(slots) <= self.user_limit(slots, settings)
    }

    /// The most slots that a user may have if one of them asks for so many.
    pub(super) fn user_limit(&self, slots: i32, settings: &CapacityQueueSettings) -> i64 {
        let capacity = self.capacity.max(slots);
        let wanted = self.slots + slots;
        let shared = i64::from(if wanted <= capacity { capacity } else { wanted });
        let users = i64::from(self.active_users.max(1));
        let equal = divide_up(shared, users);
        let least = divide_up(i64::from(settings.user_limit_percent) * shared, 100);
        let most = (capacity as f32 * settings.user_limit_factor) as i64;
        equal.max(least).min(most)
    }

    /// Users and the slots that they hold, where they hold any.
    pub(super) fn users(&self) -> impl Iterator<Item = (&str, i32)> {
        let holders = self.users.iter().filter(|(_, holding)| holding.slots > 0);
        holders.map(|(user, holding)| (user.as_str(), holding.slots))
    }
}

/// Whole slots, computed in single precision as Hadoop does.
fn part_of(slots: i32, percent: f32) -> i32 {
    (percent * slots as f32 / 100.0) as i32
}

fn divide_up(a: i64, b: i64) -> i64 {
    (a + b - 1) / b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(capacity: i32, holders: &[(&str, i32, bool)]) -> Usage {
        let mut usage = Usage { capacity, ..Usage::default() };
        for (user, slots, waits) in holders {
            usage.replace(user, Holding::default(), Holding { tasks: *slots, slots: *slots, waits: *waits });
        }
        usage
    }

    #[test]
    fn users_share_what_the_queue_has_down_to_their_least_share() {
        let quarter = CapacityQueueSettings { user_limit_percent: 25, ..CapacityQueueSettings::new("q", 50.0) };
        let limit = |users: i32| {
            let names: Vec<String> = (0..users).map(|n| n.to_string()).collect();
            let holders: Vec<_> = names.iter().map(|name| (name.as_str(), 1, true)).collect();
            usage(20, &holders).user_limit(1, &quarter)
        };
        assert_eq!([1, 2, 3, 4, 5, 8].map(limit), [20, 10, 7, 5, 5, 5]);
    }

    #[test]
    fn beyond_its_capacity_a_user_gets_what_the_factor_allows() {
        let twice = CapacityQueueSettings { user_limit_factor: 2.0, ..CapacityQueueSettings::new("q", 50.0) };
        let full = usage(4, &[("a", 7, true)]);
        assert_eq!(full.user_limit(1, &twice), 8);
        assert!(full.is_below_user_limit("a", 1, &twice));
        assert!(!full.is_below_user_limit("a", 2, &twice));
        assert!(usage(0, &[]).is_below_user_limit("a", 3, &CapacityQueueSettings::new("q", 1.0)));
    }

    #[test]
    fn a_user_without_slots_or_waiting_tasks_is_forgotten() {
        let mut usage = usage(4, &[("a", 2, true)]);
        usage.replace("a", Holding { tasks: 2, slots: 2, waits: true }, Holding::default());
        assert_eq!(usage, Usage { capacity: 4, ..Usage::default() });
    }

    #[test]
    fn parts_of_the_cluster_are_whole_slots() {
        let mut usage = Usage::default();
        let settings = CapacityQueueSettings { capacity_max: Some(5.0), ..CapacityQueueSettings::new("q", 33.3) };
        usage.set_capacity(&settings, 10);
        assert_eq!((usage.capacity, usage.capacity_max), (3, 0));
        assert!(usage.is_below_max(100));
    }
}
