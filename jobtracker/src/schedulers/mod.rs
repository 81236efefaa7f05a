//! Which scheduler the site chooses, and what its keys say; a scheduler that has a file of its own has a file here.

mod capacity;
pub(crate) mod fair;

use configuration::{ConfigError, Configuration, keys};
use jobtracker_core::SchedulerKind;

const FIFO: &str = "org.apache.hadoop.mapred.JobQueueTaskScheduler";
const CAPACITY: &str = "org.apache.hadoop.mapred.CapacityTaskScheduler";
const FAIR: &str = "org.apache.hadoop.mapred.FairScheduler";
const LIMIT: &str = "org.apache.hadoop.mapred.LimitTasksPerJobTaskScheduler";

/// Reads the scheduler's name and its settings.
pub(crate) fn read(conf: &Configuration) -> Result<SchedulerKind, ConfigError> {
    match conf.get(&keys::MAPRED_JOBTRACKER_TASK_SCHEDULER)?.as_str() {
        FIFO => Ok(SchedulerKind::Fifo),
        CAPACITY => capacity::read(conf).map(SchedulerKind::Capacity),
        FAIR => Ok(SchedulerKind::Fair(Box::new(fair::read(conf)?))),
        LIMIT => {
            let limit = conf.get_optional(&keys::MAPRED_JOBTRACKER_TASK_SCHEDULER_MAX_RUNNING_TASKS_PER_JOB)?;
            Ok(SchedulerKind::LimitTasksPerJob { running_tasks_max: limit.filter(|limit| *limit < i64::MAX) })
        }
        _ => {
            let expected = format!("{FIFO}, {CAPACITY}, {FAIR} or {LIMIT}");
            Err(conf.refuse(&keys::MAPRED_JOBTRACKER_TASK_SCHEDULER, &expected))
        }
    }
}

/// The file beside the site's from which the chosen scheduler's settings come, if it has one.
pub(crate) fn file(conf: &Configuration) -> Option<&'static str> {
    (conf.get(&keys::MAPRED_JOBTRACKER_TASK_SCHEDULER).is_ok_and(|name| name == CAPACITY)).then_some(capacity::FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(properties: &[(&str, &str)]) -> Configuration {
        let mut conf = Configuration::new();
        for (name, value) in properties {
            conf.set_from(*name, *value, "mapred-site.xml");
        }
        conf
    }

    #[test]
    fn the_class_chooses_the_scheduler() {
        assert_eq!(read(&site(&[])).unwrap(), SchedulerKind::Fifo);
        let limited = |limit: &str| {
            read(&site(&[
                ("mapred.jobtracker.taskScheduler", LIMIT),
                ("mapred.jobtracker.taskScheduler.maxRunningTasksPerJob", limit),
            ]))
        };
        assert_eq!(limited("7").unwrap(), SchedulerKind::LimitTasksPerJob { running_tasks_max: Some(7) });
        let unlimited = read(&site(&[("mapred.jobtracker.taskScheduler", LIMIT)])).unwrap();
        assert_eq!(unlimited, SchedulerKind::LimitTasksPerJob { running_tasks_max: None });
        // Hadoop's own aborts its start by these.
        for bad in ["0", "-1", "many"] {
            let error = limited(bad).unwrap_err().to_string();
            assert!(error.contains("maxRunningTasksPerJob"), "{error}");
        }
    }
}
