//! `capacity-scheduler.xml`: the queues' shares and limits, checked as Hadoop checks them at start and at each refresh
//! (Hadoop 1.2.1: CapacitySchedulerConf, CapacityTaskScheduler.parseQueues).

use configuration::{ConfigError, Configuration, Key, Value, keys};
use jobtracker_core::{CapacityQueueSettings, CapacitySettings};

/// Where the settings stand, beside the site files.
pub(super) const FILE: &str = "capacity-scheduler.xml";

/// Reads the settings of all queues.
pub(super) fn read(conf: &Configuration) -> Result<CapacitySettings, ConfigError> {
    let system_jobs_max = positive(conf, &keys::MAPRED_CAPACITY_SCHEDULER_MAXIMUM_SYSTEM_JOBS)?;
    // Jobs are initialised as soon as limits allow and splits are read side by side, so that these need only be sound.
    positive(conf, &keys::MAPRED_CAPACITY_SCHEDULER_INIT_POLL_INTERVAL)?;
    positive(conf, &keys::MAPRED_CAPACITY_SCHEDULER_INIT_WORKER_THREADS)?;
    let names = conf.get(&keys::MAPRED_QUEUE_NAMES)?;
    let queues = names.iter().map(|name| queue(conf, name)).collect::<Result<Vec<_>, _>>()?;
    let total: f32 = queues.iter().map(|queue| queue.capacity).sum();
    if total.floor() != 100.0 {
        let last = names.last().map_or("", String::as_str);
        let expected = format!("a share with which those of all queues add up to 100 percent; they add up to {total}");
        return Err(conf.refuse_for(&keys::MAPRED_CAPACITY_SCHEDULER_QUEUE_CAPACITY, last, &expected));
    }
    Ok(CapacitySettings {
        queues,
        system_jobs_max,
        tasks_per_heartbeat_max: conf.get(&keys::MAPRED_CAPACITY_SCHEDULER_MAXIMUM_TASKS_PER_HEARTBEAT)?,
        tasks_after_offswitch_max: conf.get(&keys::MAPRED_CAPACITY_SCHEDULER_MAXIMUM_TASKS_AFTER_OFFSWITCH)?,
    })
}

fn positive<T: Value + Copy + Into<i64>>(conf: &Configuration, key: &Key<T>) -> Result<T, ConfigError> {
    let number = conf.get(key)?;
    if number.into() > 0 { Ok(number) } else { Err(conf.refuse(key, "a whole number, 1 or more")) }
}

fn queue(conf: &Configuration, name: &str) -> Result<CapacityQueueSettings, ConfigError> {
    use keys::{
        MAPRED_CAPACITY_SCHEDULER_QUEUE_INIT_ACCEPT_JOBS_FACTOR as ACCEPT_FACTOR,
        MAPRED_CAPACITY_SCHEDULER_QUEUE_MAXIMUM_INITIALIZED_ACTIVE_TASKS as TASKS_MAX,
        MAPRED_CAPACITY_SCHEDULER_QUEUE_MAXIMUM_INITIALIZED_ACTIVE_TASKS_PER_USER as TASKS_PER_USER_MAX,
        MAPRED_CAPACITY_SCHEDULER_QUEUE_MINIMUM_USER_LIMIT_PERCENT as USER_LIMIT_PERCENT,
        MAPRED_CAPACITY_SCHEDULER_QUEUE_USER_LIMIT_FACTOR as USER_LIMIT_FACTOR,
    };
    let queue = Queue { conf, name };
    let capacity = queue.capacity()?;
    let settings = CapacityQueueSettings {
        capacity_max: queue.capacity_max(capacity)?,
        user_limit_percent: queue
            .get(&USER_LIMIT_PERCENT, &keys::MAPRED_CAPACITY_SCHEDULER_DEFAULT_MINIMUM_USER_LIMIT_PERCENT)?,
        user_limit_factor: queue.get(&USER_LIMIT_FACTOR, &keys::MAPRED_CAPACITY_SCHEDULER_DEFAULT_USER_LIMIT_FACTOR)?,
        supports_priority: queue.get(
            &keys::MAPRED_CAPACITY_SCHEDULER_QUEUE_SUPPORTS_PRIORITY,
            &keys::MAPRED_CAPACITY_SCHEDULER_DEFAULT_SUPPORTS_PRIORITY,
        )?,
        tasks_max: queue.get(&TASKS_MAX, &keys::MAPRED_CAPACITY_SCHEDULER_DEFAULT_MAXIMUM_ACTIVE_TASKS_PER_QUEUE)?,
        tasks_per_user_max: queue
            .get(&TASKS_PER_USER_MAX, &keys::MAPRED_CAPACITY_SCHEDULER_DEFAULT_MAXIMUM_ACTIVE_TASKS_PER_USER)?,
        accept_factor: queue.get(&ACCEPT_FACTOR, &keys::MAPRED_CAPACITY_SCHEDULER_DEFAULT_INIT_ACCEPT_JOBS_FACTOR)?,
        ..CapacityQueueSettings::new(name, capacity)
    };
    if !(1..=100).contains(&settings.user_limit_percent) {
        return Err(conf.refuse_for(&USER_LIMIT_PERCENT, name, "a percentage from 1 to 100"));
    }
    if !settings.user_limit_factor.is_finite() {
        return Err(conf.refuse_for(&USER_LIMIT_FACTOR, name, "a number"));
    }
    if settings.accept_factor <= 0 {
        return Err(conf.refuse_for(&ACCEPT_FACTOR, name, "a whole number, 1 or more"));
    }
    if settings.tasks_max < settings.tasks_per_user_max {
        let expected = format!("no fewer than the {} of one user", settings.tasks_per_user_max);
        return Err(conf.refuse_for(&TASKS_MAX, name, &expected));
    }
    Ok(settings)
}

/// A queue's part of the file.
struct Queue<'a> {
    conf: &'a Configuration,
    name: &'a str,
}

impl Queue<'_> {
    /// The queue's own value, else the one for all queues.
    fn get<T: Value>(&self, own: &Key<T>, for_all: &Key<T>) -> Result<T, ConfigError> {
        let own_value = match self.conf.entry(&own.name_for(self.name)) {
            Some(_) => self.conf.get_for(own, self.name)?,
            None => None,
        };
        own_value.map_or_else(|| self.conf.get(for_all), Ok)
    }

    fn capacity(&self) -> Result<f32, ConfigError> {
        const EXPECTED: &str = "the queue's share of the cluster, from 0 to 100 percent";
        let key = &keys::MAPRED_CAPACITY_SCHEDULER_QUEUE_CAPACITY;
        match self.conf.get_for(key, self.name)? {
            Some(capacity) if (0.0..=100.0).contains(&capacity) => Ok(capacity),
            Some(_) => Err(self.conf.refuse_for(key, self.name, EXPECTED)),
            None => {
                Err(ConfigError::Missing { key: key.name_for(self.name), set_in: FILE, expected: EXPECTED.to_owned() })
            }
        }
    }

    /// The ceiling; none if it is not set, or not above 0.
    fn capacity_max(&self, capacity: f32) -> Result<Option<f32>, ConfigError> {
        let key = &keys::MAPRED_CAPACITY_SCHEDULER_QUEUE_MAXIMUM_CAPACITY;
        let max = self.conf.get_for(key, self.name)?.filter(|max| *max > 0.0 || max.is_nan());
        match max {
            Some(max) if !(capacity..=100.0).contains(&max) => {
                let expected = format!("-1 for no ceiling, or from {capacity}, its capacity, to 100 percent");
                Err(self.conf.refuse_for(key, self.name, &expected))
            }
            max => Ok(max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(names: &str, properties: &[(&str, &str)]) -> Result<CapacitySettings, String> {
        let mut conf = Configuration::new();
        conf.set_from("mapred.queue.names", names, "mapred-site.xml");
        for (name, value) in properties {
            conf.set_from(format!("mapred.capacity-scheduler.{name}"), *value, FILE);
        }
        read(&conf).map_err(|error| error.to_string())
    }

    #[test]
    fn a_queue_has_its_own_value_else_the_one_for_all() {
        let settings = file(
            "a,b",
            &[
                ("queue.a.capacity", "30.5"),
                ("queue.b.capacity", "69.5"),
                ("queue.a.maximum-capacity", "50"),
                ("queue.b.maximum-capacity", "-1"),
                ("default-minimum-user-limit-percent", "25"),
                ("queue.b.minimum-user-limit-percent", "50"),
                ("queue.b.supports-priority", "true"),
                ("maximum-system-jobs", "10"),
            ],
        );
        let a = CapacityQueueSettings {
            capacity_max: Some(50.0),
            user_limit_percent: 25,
            ..CapacityQueueSettings::new("a", 30.5)
        };
        let b = CapacityQueueSettings {
            user_limit_percent: 50,
            supports_priority: true,
            ..CapacityQueueSettings::new("b", 69.5)
        };
        let expected = CapacitySettings { queues: vec![a, b], system_jobs_max: 10, ..CapacitySettings::default() };
        assert_eq!(settings, Ok(expected));
    }

    #[test]
    fn what_cannot_be_names_file_key_and_way_out() {
        let bad = |properties: &[(&str, &str)]| file("a,b", properties).unwrap_err();
        let (half_a, half_b) = (("queue.a.capacity", "50"), ("queue.b.capacity", "50"));
        assert_eq!(
            bad(&[half_a]),
            "mapred.capacity-scheduler.queue.b.capacity is not set; set it in capacity-scheduler.xml to the queue's \
             share of the cluster, from 0 to 100 percent"
        );
        let error = bad(&[half_a, ("queue.b.capacity", "40")]);
        assert!(error.starts_with("capacity-scheduler.xml: mapred.capacity-scheduler.queue.b.capacity is \"40\""));
        assert!(error.ends_with("they add up to 90"), "{error}");
        for (key, value) in [
            ("queue.a.capacity", "-5"),
            ("queue.a.capacity", "101"),
            ("queue.a.capacity", "NaN"),
            ("queue.a.maximum-capacity", "49"),
            ("queue.a.maximum-capacity", "101"),
            ("queue.a.minimum-user-limit-percent", "0"),
            ("queue.a.minimum-user-limit-percent", "101"),
            ("queue.a.user-limit-factor", "NaN"),
            ("queue.a.init-accept-jobs-factor", "0"),
            ("queue.a.maximum-initialized-active-tasks", "99999"),
            ("maximum-system-jobs", "0"),
            ("init-poll-interval", "0"),
            ("init-worker-threads", "-1"),
        ] {
            let mut properties = vec![half_a, half_b];
            properties.retain(|(name, _)| *name != key);
            properties.push((key, value));
            let error = bad(&properties);
            let start = format!("capacity-scheduler.xml: mapred.capacity-scheduler.{key} is \"{value}\"; expected");
            assert!(error.starts_with(&start), "{error}");
        }
        // The sum of shares counts in whole percents.
        assert!(file("a,b", &[half_a, ("queue.b.capacity", "50.9")]).is_ok());
    }
}
