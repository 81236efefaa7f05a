//! What `capacity-scheduler.xml` says, as plain values, and the limits that follow from it
//! (Hadoop 1.2.1: CapacitySchedulerConf, CapacitySchedulerQueue.initializeQueue). The daemon reads and checks the file.

/// The capacity scheduler's settings.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacitySettings {
    /// The queues.
    pub queues: Vec<CapacityQueueSettings>,
    /// Jobs that are initialised at a time, in all queues together (`maximum-system-jobs`).
    pub system_jobs_max: i32,
    /// Maps that one heartbeat brings at most (`maximum-tasks-per-heartbeat`).
    pub tasks_per_heartbeat_max: i32,
    /// Maps that may follow, near their data, after one from another rack (`maximum-tasks-after-offswitch`).
    pub tasks_after_offswitch_max: i32,
}

/// One queue's settings (`mapred.capacity-scheduler.queue.<name>.*`).
#[derive(Debug, Clone, PartialEq)]
pub struct CapacityQueueSettings {
    /// Its name.
    pub name: String,
    /// Its share of the cluster in percent (`capacity`).
    pub capacity: f32,
    /// Its ceiling in percent, if it has one (`maximum-capacity`).
    pub capacity_max: Option<f32>,
    /// The share of the queue in percent that a user gets however many there are (`minimum-user-limit-percent`).
    pub user_limit_percent: i32,
    /// The most that one user may take, in capacities of the queue (`user-limit-factor`).
    pub user_limit_factor: f32,
    /// Whether urgent jobs go first (`supports-priority`); fixed once the queue is there.
    pub supports_priority: bool,
    /// Tasks of jobs that are initialised at a time (`maximum-initialized-active-tasks`).
    pub tasks_max: i32,
    /// Likewise of one user, and of one job (`maximum-initialized-active-tasks-per-user`).
    pub tasks_per_user_max: i32,
    /// How many times the jobs that may be initialised are accepted (`init-accept-jobs-factor`).
    pub accept_factor: i32,
}

impl Default for CapacitySettings {
    fn default() -> Self {
        CapacitySettings {
            queues: vec![CapacityQueueSettings::new("default", 100.0)],
            system_jobs_max: 5000,
            tasks_per_heartbeat_max: i32::from(i16::MAX),
            tasks_after_offswitch_max: 0,
        }
    }
}

impl CapacityQueueSettings {
    /// A queue with Hadoop's defaults.
    pub fn new(name: impl Into<String>, capacity: f32) -> Self {
        CapacityQueueSettings {
            name: name.into(),
            capacity,
            capacity_max: None,
            user_limit_percent: 100,
            user_limit_factor: 1.0,
            supports_priority: false,
            tasks_max: 200_000,
            tasks_per_user_max: 100_000,
            accept_factor: 10,
        }
    }

    /// The limits on numbers of jobs that follow.
    pub fn job_limits(&self, system_jobs_max: i32) -> JobLimits {
        // The product is of single precision, as Hadoop computes it, the quotients are not.
        let share = f64::from(system_jobs_max as f32 * self.capacity) / 100.0;
        let init = share.ceil() as i32;
        // Quirk: not a share of the rounded number.
        let init_per_user = (share * f64::from(self.user_limit_percent) / 100.0).ceil() as i32;
        JobLimits {
            init,
            init_per_user,
            accept: init.saturating_mul(self.accept_factor),
            accept_per_user: init_per_user.saturating_mul(self.accept_factor),
        }
    }
}

/// How many jobs a queue initialises and accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobLimits {
    /// Initialised at a time.
    pub init: i32,
    /// Likewise of one user.
    pub init_per_user: i32,
    /// Waiting, being initialised and running.
    pub accept: i32,
    /// Likewise of one user.
    pub accept_per_user: i32,
}
