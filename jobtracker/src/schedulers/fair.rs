//! The fair scheduler's keys, and its allocation file: read at start, and again whenever it has changed
//! (Hadoop 1.2.1: FairScheduler.start, PoolManager).

mod allocations;
mod file;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use configuration::{ConfigError, Configuration, Key, keys};
use jobtracker_core::{FairSettings, LocalityDelays, NewJobBoost, SchedulerKind};

use crate::state::Shared;
use daemon_shell::wall_millis;

pub(crate) use file::AllocationFile;

/// Java classes with which the scheduler could be extended, and what they are here.
const LOAD_MANAGER: &str = "org.apache.hadoop.mapred.CapBasedLoadManager";
const TASK_SELECTOR: &str = "org.apache.hadoop.mapred.DefaultTaskSelector";
const JOB_SCHEDULABLE: &str = "org.apache.hadoop.mapred.JobSchedulable";
const NEW_JOB_WEIGHT_BOOSTER: &str = "org.apache.hadoop.mapred.NewJobWeightBooster";
/// Updates come no closer than this, whatever the site says.
const UPDATE_INTERVAL_MIN: Duration = Duration::from_millis(10);

/// Reads the keys; the allocations come from [`AllocationFile`].
pub(super) fn read(conf: &Configuration) -> Result<FairSettings, ConfigError> {
    only(conf, &keys::MAPRED_FAIRSCHEDULER_LOADMANAGER, LOAD_MANAGER)?;
    only(conf, &keys::MAPRED_FAIRSCHEDULER_TASKSELECTOR, TASK_SELECTOR)?;
    only(conf, &keys::MAPRED_JOBTRACKER_JOB_SCHEDULABLE, JOB_SCHEDULABLE)?;
    Ok(FairSettings {
        undeclared_pools: conf.get(&keys::MAPRED_FAIRSCHEDULER_ALLOW_UNDECLARED_POOLS)?,
        assign_multiple: conf.get(&keys::MAPRED_FAIRSCHEDULER_ASSIGNMULTIPLE)?,
        maps_max: most(conf, &keys::MAPRED_FAIRSCHEDULER_ASSIGNMULTIPLE_MAPS)?,
        reduces_max: most(conf, &keys::MAPRED_FAIRSCHEDULER_ASSIGNMULTIPLE_REDUCES)?,
        size_based_weight: conf.get(&keys::MAPRED_FAIRSCHEDULER_SIZEBASEDWEIGHT)?,
        new_job_boost: new_job_boost(conf)?,
        preemption: conf.get(&keys::MAPRED_FAIRSCHEDULER_PREEMPTION)?,
        preemption_only_told: conf.get(&keys::MAPRED_FAIRSCHEDULER_PREEMPTION_ONLY_LOG)?,
        preemption_interval: millis(conf.get(&keys::MAPRED_FAIRSCHEDULER_PREEMPTION_INTERVAL)?),
        update_interval: millis(conf.get(&keys::MAPRED_FAIRSCHEDULER_UPDATE_INTERVAL)?).max(UPDATE_INTERVAL_MIN),
        update_at_once: conf.get(&keys::HOWDAH_FAIRSCHEDULER_UPDATE_AT_ONCE)?,
        locality_delays: locality_delays(conf)?,
        load_difference_max: conf.get(&keys::MAPRED_FAIRSCHEDULER_LOAD_MAX_DIFF)?,
        ..FairSettings::default()
    })
}

fn millis(number: i64) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

/// Refuses a Java class that would have to run here.
fn only(conf: &Configuration, key: &Key<String>, class: &str) -> Result<(), ConfigError> {
    match conf.get(key)? == class {
        true => Ok(()),
        false => Err(conf.refuse(key, &format!("{class}; other classes cannot run here"))),
    }
}

/// A number of tasks; none if negative.
fn most(conf: &Configuration, key: &Key<i32>) -> Result<Option<i32>, ConfigError> {
    Ok(Some(conf.get(key)?).filter(|most| *most >= 0))
}

fn new_job_boost(conf: &Configuration) -> Result<Option<NewJobBoost>, ConfigError> {
    let key = &keys::MAPRED_FAIRSCHEDULER_WEIGHTADJUSTER;
    match conf.get_optional(key)?.as_deref() {
        None | Some("") => Ok(None),
        Some(NEW_JOB_WEIGHT_BOOSTER) => Ok(Some(NewJobBoost {
            factor: f64::from(conf.get(&keys::MAPRED_NEWJOBWEIGHTBOOSTER_FACTOR)?),
            duration: millis(conf.get(&keys::MAPRED_NEWJOBWEIGHTBOOSTER_DURATION)?),
        })),
        Some(_) => Err(conf.refuse(key, &format!("{NEW_JOB_WEIGHT_BOOSTER}; other classes cannot run here"))),
    }
}

/// Quirk: the automatic wait replaces both unless the general key or both others are set
/// (Hadoop 1.2.1: FairScheduler.start).
fn locality_delays(conf: &Configuration) -> Result<Option<LocalityDelays>, ConfigError> {
    let general = conf.get(&keys::MAPRED_FAIRSCHEDULER_LOCALITY_DELAY)?;
    let node = conf.get_optional(&keys::MAPRED_FAIRSCHEDULER_LOCALITY_DELAY_NODE)?.unwrap_or(general);
    let rack = conf.get_optional(&keys::MAPRED_FAIRSCHEDULER_LOCALITY_DELAY_RACK)?.unwrap_or(general);
    let automatic = general == -1 && (node == -1 || rack == -1);
    Ok((!automatic).then(|| LocalityDelays { node: millis(node), rack: millis(rack) }))
}

/// Puts the allocations into the scheduler's settings, if the fair scheduler is chosen: the file that the site names or
/// the one beside the site files. A file that is named must be there, and one that is there must be sound.
pub(crate) fn add_allocations(
    conf: &Configuration,
    conf_dir: Option<&Path>,
    scheduler: &mut SchedulerKind,
) -> Result<Option<AllocationFile>, ConfigError> {
    let SchedulerKind::Fair(settings) = scheduler else { return Ok(None) };
    let Some(mut file) = AllocationFile::find(conf, conf_dir)? else {
        tracing::warn!(
            "there is no fair-scheduler.xml beside the site files, and {} names no other; pools have no allocations",
            keys::MAPRED_FAIRSCHEDULER_ALLOCATION_FILE.name()
        );
        return Ok(None);
    };
    settings.allocations = file.load()?;
    Ok(Some(file))
}

/// Reads the allocation file again whenever it has changed. One that is broken leaves the old allocations in force.
pub(crate) async fn watch(shared: Arc<Shared>, mut file: AllocationFile) {
    loop {
        tokio::time::sleep(file::CHECK_INTERVAL).await;
        let looked = tokio::task::spawn_blocking(move || {
            let found = file.look(wall_millis());
            (file, found)
        });
        let Ok((back, found)) = looked.await else { return };
        file = back;
        match found {
            None => {}
            Some(Ok(allocations)) => {
                tracing::info!(file = %file.path().display(), "the fair scheduler's allocations are read again");
                shared.set_allocation_problem(None);
                shared.core.tell(move |core, now| {
                    core.set_fair_allocations(now, allocations);
                });
            }
            Some(Err(error)) => {
                let problem = crate::effects::chain(&error);
                if shared.set_allocation_problem(Some(problem.clone())) {
                    tracing::error!(problem, "the fair scheduler's allocations stay as they were");
                }
            }
        }
    }
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
    fn defaults_are_hadoops() {
        assert_eq!(read(&site(&[])).unwrap(), FairSettings::default());
    }

    #[test]
    fn the_general_wait_stands_in_for_the_others() {
        let delays = |properties: &[(&str, &str)]| {
            let named: Vec<_> = properties
                .iter()
                .map(|(name, value)| (format!("mapred.fairscheduler.locality.delay{name}"), *value))
                .collect();
            let named: Vec<_> = named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let found = read(&site(&named)).unwrap().locality_delays;
            found.map(|delays| (delays.node.as_millis(), delays.rack.as_millis()))
        };
        assert_eq!(delays(&[(".node", "9000")]), None);
        assert_eq!(delays(&[(".node", "2000"), (".rack", "3000")]), Some((2000, 3000)));
        assert_eq!(delays(&[("", "1000"), (".node", "4000")]), Some((4000, 1000)));
        assert_eq!(delays(&[("", "0")]), Some((0, 0)));
    }

    #[test]
    fn classes_that_cannot_run_here_are_refused() {
        for key in ["loadmanager", "taskselector", "weightadjuster"] {
            let key = format!("mapred.fairscheduler.{key}");
            let error = read(&site(&[(&key, "org.example.Own")])).unwrap_err().to_string();
            assert!(error.contains(&key) && error.contains("org.example.Own"), "{error}");
        }
        let boosted = site(&[
            ("mapred.fairscheduler.weightadjuster", NEW_JOB_WEIGHT_BOOSTER),
            ("mapred.newjobweightbooster.factor", "2.5"),
        ]);
        let boost = NewJobBoost { factor: 2.5, duration: Duration::from_secs(300) };
        assert_eq!(read(&boosted).unwrap().new_job_boost, Some(boost));
    }
}
