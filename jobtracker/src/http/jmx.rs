//! `/jmx`: what monitoring reads of a JobTracker of Hadoop's, as far as it is not the JVM's (Hadoop 1.2.1: JMXJsonServlet,
//! JobTracker as JobTrackerMXBean).

use axum::extract::{Query, State};
use axum::http::StatusCode;
use jobtracker_core::{Totals, TrackerView};
use serde_json::{Map, Value, json};
use types::{ClusterStatus, JobQueueInfo};

use super::{NoPage, PageResult, Parameters, Site, json_answer};
use crate::state::{Shared, VERSION};

const NAME: &str = "Hadoop:service=JobTracker,name=JobTrackerInfo";

/// Answers `/jmx`; `qry` chooses beans by a pattern with `*` and `?`.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let pattern = parameters.get("qry").map_or("*:*", String::as_str);
    let (domain, properties) = pattern.split_once(':').ok_or_else(|| {
        NoPage::Status(StatusCode::BAD_REQUEST, format!("{pattern:?} is no pattern of names: domain:name"))
    })?;
    let (own_domain, own_properties) = NAME.split_once(':').unwrap_or_default();
    if !matches(domain, own_domain) || !properties_match(properties, own_properties) {
        return json_answer(json!({ "beans": [] }));
    }
    let (cluster, trackers, queues, totals) = shared
        .core
        .ask(|core, _| (core.cluster_status(false), core.tracker_views(), core.queues(), core.totals()))
        .await?;
    json_answer(json!({ "beans": [bean(&shared, &cluster, &trackers, &queues, &totals)] }))
}

/// Whether a text is one that a pattern with `*` and `?` stands for.
fn matches(pattern: &str, text: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => text.is_empty(),
        Some('*') => {
            text.char_indices().map(|(at, _)| at).chain([text.len()]).any(|at| matches(rest.as_str(), &text[at..]))
        }
        Some(one) => {
            let mut text = text.chars();
            text.next().is_some_and(|c| (one == '?' || one == c) && matches(rest.as_str(), text.as_str()))
        }
    }
}

/// Whether `key=pattern,…` fits the properties, in any order; `*` at its end lets others be there.
fn properties_match(pattern: &str, properties: &str) -> bool {
    let parts: Vec<&str> = pattern.split(',').collect();
    let open = parts.contains(&"*");
    let named: Vec<&str> = parts.into_iter().filter(|part| *part != "*").collect();
    let fits = |part: &&str| properties.split(',').any(|property| matches(part, property));
    named.iter().all(fits) && (open || named.len() == properties.split(',').count())
}

fn bean(
    shared: &Shared,
    cluster: &ClusterStatus,
    trackers: &[TrackerView],
    queues: &[JobQueueInfo],
    totals: &Totals,
) -> Value {
    let used = |of: fn(&TrackerView) -> i32| -> i32 { trackers.iter().map(of).sum() };
    let summary = json!({
        "nodes": cluster.active_count + cluster.blacklisted_count,
        "alive": cluster.active_count,
        "blacklisted": cluster.blacklisted_count,
        "graylisted": cluster.graylisted_count,
        "slots": slots(
            (cluster.map_slots, used(|tracker| tracker.occupied_map_slots)),
            (cluster.reduce_slots, used(|tracker| tracker.occupied_reduce_slots)),
        ),
        "jobs": totals.jobs_submitted,
    });
    let listed = |is_listed: fn(&TrackerView) -> bool| -> Vec<Value> {
        trackers.iter().filter(|tracker| is_listed(tracker)).map(unhealthy).collect()
    };
    let alive: Vec<Value> = trackers.iter().filter(|tracker| !tracker.blacklisted).map(node).collect();
    let queues: Map<String, Value> = queues
        .iter()
        .map(|queue| (queue.name.clone(), json!({ "state": queue.state, "info": queue.scheduling_info })))
        .collect();
    json!({
        "name": NAME,
        "modelerType": "org.apache.hadoop.mapred.JobTracker",
        "Version": VERSION,
        "Hostname": shared.identity.host,
        "ConfigVersion": "default",
        "ThreadCount": threads(),
        "SummaryJson": summary.to_string(),
        "AliveNodesInfoJson": Value::from(alive).to_string(),
        "BlacklistedNodesInfoJson": Value::from(listed(|tracker| tracker.blacklisted)).to_string(),
        "GraylistedNodesInfoJson": Value::from(listed(|tracker| tracker.graylisted)).to_string(),
        "QueueInfoJson": Value::from(queues).to_string(),
    })
}

fn slots(maps: (i32, i32), reduces: (i32, i32)) -> Value {
    json!({
        "map_slots": maps.0,
        "map_slots_used": maps.1,
        "reduce_slots": reduces.0,
        "reduce_slots_used": reduces.1,
    })
}

fn node(tracker: &TrackerView) -> Value {
    let status = &tracker.status;
    json!({
        "hostname": status.host,
        "last_seen": tracker.last_seen,
        "health": if status.health.healthy { "OK" } else { "" },
        "slots": slots(
            (status.max_map_slots, tracker.occupied_map_slots),
            (status.max_reduce_slots, tracker.occupied_reduce_slots),
        ),
        "failures": status.task_failures,
        "dir_failures": status.dir_failures,
    })
}

fn unhealthy(tracker: &TrackerView) -> Value {
    json!({
        "hostname": tracker.status.host,
        "last_seen": tracker.last_seen,
        "reason": tracker.status.health.report,
    })
}

/// Threads of this process; 0 where the system does not tell.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_chosen_by_patterns() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("H*p", "Hadoop", true),
            ("Had??p", "Hadoop", true),
            ("Had", "Hadoop", false),
            ("*x*", "abc", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
        let own = "service=JobTracker,name=JobTrackerInfo";
        for pattern in ["*", "name=JobTrackerInfo,service=JobTracker", "name=Job*,*", "service=*,name=*"] {
            assert!(properties_match(pattern, own), "{pattern}");
        }
        for pattern in ["name=JobTrackerInfo", "none=x", "name=Task*,*", ""] {
            assert!(!properties_match(pattern, own), "{pattern}");
        }
    }
}
