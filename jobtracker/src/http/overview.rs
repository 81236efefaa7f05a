//! `jobtracker.jsp`: the cluster, the queues, the jobs.

use axum::extract::{Query, State};
use jobtracker_core::{Totals, TrackerView};
use serde_json::json;
use types::{ClusterStatus, JobQueueInfo, JobState};

use super::html::{Cell, Page, link, time};
use super::job_list::{HEAD, JobLine, lines};
use super::{Format, PageResult, Parameters, Site, format, html_answer, json_answer};
use crate::memory;
use crate::state::{BUILD_VERSION, Shared, VERSION};

/// Jobs that 1.2.1 shows as retired.
const RETIRED_MAX: usize = 100;

struct Overview {
    cluster: ClusterStatus,
    trackers: Vec<TrackerView>,
    queues: Vec<JobQueueInfo>,
    totals: Totals,
    /// Map and reduce slots that are kept free for a job.
    reserved: (i32, i32),
    safe_mode: bool,
    jobs: Vec<JobLine>,
    running: bool,
}

impl Overview {
    fn occupied(&self) -> (i32, i32) {
        let sum = |of: fn(&TrackerView) -> i32| self.trackers.iter().map(of).sum();
        (sum(|tracker| tracker.occupied_map_slots), sum(|tracker| tracker.occupied_reduce_slots))
    }

    fn nodes(&self) -> i32 {
        self.cluster.active_count + self.cluster.blacklisted_count
    }

    fn tasks_per_node(&self) -> f64 {
        match self.nodes() {
            0 => 0.0,
            nodes => f64::from(self.cluster.map_slots + self.cluster.reduce_slots) / f64::from(nodes),
        }
    }

    fn state(&self) -> &'static str {
        if self.running { "RUNNING" } else { "INITIALIZING" }
    }

    fn jobs_in(&self, states: &[JobState]) -> Vec<&JobLine> {
        self.jobs.iter().filter(|job| !job.retired && states.contains(&job.status.state)).collect()
    }
}

/// Answers `jobtracker.jsp`.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let form = format(&parameters)?;
    let running = shared.is_running();
    let overview = shared
        .core
        .ask(move |core, _| Overview {
            cluster: core.cluster_status(false),
            trackers: core.tracker_views(),
            queues: core.queues(),
            totals: core.totals(),
            reserved: core.reserved_slots(),
            safe_mode: core.safe_mode(),
            jobs: lines(core, core.all_jobs()),
            running,
        })
        .await?;
    match form {
        Format::Html => html_answer(to_html(&shared, &overview)),
        Format::Json => json_answer(to_json(&shared, &overview)),
    }
}

const SUMMARY: &[&str] = &[
    "Running Map Tasks",
    "Running Reduce Tasks",
    "Total Submissions",
    "Nodes",
    "Occupied Map Slots",
    "Occupied Reduce Slots",
    "Reserved Map Slots",
    "Reserved Reduce Slots",
    "Map Task Capacity",
    "Reduce Task Capacity",
    "Avg. Tasks/Node",
    "Blacklisted Nodes",
    "Graylisted Nodes",
    "Excluded Nodes",
];

fn to_html(shared: &Shared, overview: &Overview) -> String {
    let identity = &shared.identity;
    let title = format!("{} Hadoop Map/Reduce Administration", identity.host);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    page.fact("State", overview.state());
    page.fact("Started", time(identity.started));
    page.fact("Version", BUILD_VERSION);
    page.fact("Identifier", &identity.identifier);
    page.fact("SafeMode", if overview.safe_mode { "ON" } else { "OFF" });
    let (used, most) = memory::used_and_most();
    page.section("cluster", &format!("Cluster Summary (memory used is {} MB of {} MB)", used >> 20, most >> 20));
    page.table(SUMMARY, vec![summary_row(overview)]);
    page.section("scheduling_info", "Scheduling Information");
    let queues = overview.queues.iter().map(|queue| {
        let details = link(format!("jobqueue_details.jsp?queueName={}", encoded(&queue.name)), &queue.name);
        vec![details, (&queue.state).into(), (&queue.scheduling_info).into()]
    });
    page.table(&["Queue Name", "State", "Scheduling Information"], queues.collect());
    let sections: [(&str, &str, &[JobState]); 3] = [
        ("running_jobs", "Running Jobs", &[JobState::Running, JobState::Prep]),
        ("completed_jobs", "Completed Jobs", &[JobState::Succeeded]),
        ("failed_jobs", "Failed Jobs", &[JobState::Failed, JobState::Killed]),
    ];
    for (id, heading, states) in sections {
        page.section(id, heading);
        page.table(HEAD, overview.jobs_in(states).into_iter().map(JobLine::row).collect());
    }
    page.section("retired_jobs", "Retired Jobs");
    page.table(
        HEAD,
        overview.jobs.iter().rev().filter(|job| job.retired).take(RETIRED_MAX).map(JobLine::row).collect(),
    );
    page.section("local_logs", "Local Logs");
    page.finish(&[("jobhistoryhome.jsp", "Job Tracker History"), ("logs/", "Log directory"), ("conf", "Configuration")])
}

fn summary_row(overview: &Overview) -> Vec<Cell> {
    let cluster = &overview.cluster;
    let (maps, reduces) = overview.occupied();
    let machines = |number: i32, kind: &str| link(format!("machines.jsp?type={kind}"), number);
    vec![
        cluster.running_maps.into(),
        cluster.running_reduces.into(),
        overview.totals.jobs_submitted.into(),
        machines(overview.nodes(), "active"),
        maps.into(),
        reduces.into(),
        overview.reserved.0.into(),
        overview.reserved.1.into(),
        cluster.map_slots.into(),
        cluster.reduce_slots.into(),
        format!("{:.2}", overview.tasks_per_node()).into(),
        machines(cluster.blacklisted_count, "blacklisted"),
        machines(cluster.graylisted_count, "graylisted"),
        machines(cluster.excluded_count, "excluded"),
    ]
}

/// A parameter's value within an address.
pub(super) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

fn to_json(shared: &Shared, overview: &Overview) -> serde_json::Value {
    let (identity, cluster) = (&shared.identity, &overview.cluster);
    let (used, most) = memory::used_and_most();
    let (maps, reduces) = overview.occupied();
    let jobs = |states: &[JobState]| match overview.jobs_in(states) {
        jobs if jobs.is_empty() => serde_json::Value::Null,
        jobs => jobs.into_iter().map(JobLine::json).collect(),
    };
    json!({
        "metaInfo": {
            "jobTrackerName": identity.host,
            "status": overview.state(),
            "startTimestamp": time(identity.started),
            "version": format!("{VERSION}, revision 1503152"),
            "compilationInfo": BUILD_VERSION,
            "identifier": &*identity.identifier,
            "safeModeStatus": if overview.safe_mode { "ON" } else { "OFF" },
            "hasRestarted": false,
            "hasRecovered": true,
            "recoveryDurationSecs": 0,
        },
        "clusterSummary": {
            "usedHeapMemoryBytes": used,
            "totalHeapMemoryBytes": most,
            "numTotalTaskTrackers": overview.nodes(),
            "numBlackListedTaskTrackers": cluster.blacklisted_count,
            "numGrayListedTaskTrackers": cluster.graylisted_count,
            "numDecommissionedTaskTrackers": cluster.excluded_count,
            "runningMapTasks": cluster.running_maps,
            "runningReduceTasks": cluster.running_reduces,
            "totalJobSubmissions": overview.totals.jobs_submitted,
            "occupiedMapSlots": maps,
            "occupiedReduceSlots": reduces,
            "reservedMapSlots": 0,
            "reservedReduceSlots": 0,
            "mapTaskCapacity": cluster.map_slots,
            "reduceTaskCapacity": cluster.reduce_slots,
            "avgTasksPerTaskTracker": overview.tasks_per_node(),
        },
        "runningJobsSummaryInfo": jobs(&[JobState::Running, JobState::Prep]),
        "completedJobsSummaryInfo": jobs(&[JobState::Succeeded]),
        "failedJobsSummaryInfo": jobs(&[JobState::Failed, JobState::Killed]),
    })
}
