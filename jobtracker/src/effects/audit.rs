//! Lines that operators' tools read: the audit log and the job summaries (Hadoop 1.2.1: AuditLogger,
//! JobInProgress.JobSummary).

use jobtracker_core::{AuditRecord, JobEnded};

const AUDIT: &str = "org.apache.hadoop.mapred.AuditLogger";
const SUMMARY: &str = "org.apache.hadoop.mapred.JobInProgress$JobSummary";

/// Writes a line of the audit log.
pub(super) fn log(record: &AuditRecord) {
    let line = audit_line(record);
    match record.refused {
        Some(_) => tracing::warn!(target: AUDIT, "{line}"),
        None => tracing::info!(target: AUDIT, "{line}"),
    }
}

/// Writes a job's summary.
pub(super) fn log_summary(ended: &JobEnded) {
    tracing::info!(target: SUMMARY, "{}", summary_line(ended));
}

fn audit_line(record: &AuditRecord) -> String {
    let AuditRecord { user, address, operation, target, refused } = record;
    let address = if address.is_empty() { String::new() } else { format!("IP={address}\t") };
    let start = format!("USER={user}\t{address}OPERATION={operation}\tTARGET={target}\tRESULT=");
    match refused {
        None => format!("{start}SUCCESS"),
        Some(why) => format!("{start}FAILURE\tDESCRIPTION={}\tPERMISSIONS={}", why.description, why.permissions),
    }
}

fn summary_line(ended: &JobEnded) -> String {
    let summary = &ended.summary;
    let pairs = [
        ("jobId", ended.job.to_string()),
        ("submitTime", summary.submit_time.to_string()),
        ("launchTime", summary.launch_time.to_string()),
        ("firstMapTaskLaunchTime", summary.first_map_launch.to_string()),
        ("firstReduceTaskLaunchTime", summary.first_reduce_launch.to_string()),
        ("firstJobSetupTaskLaunchTime", summary.first_setup_launch.to_string()),
        ("firstJobCleanupTaskLaunchTime", summary.first_cleanup_launch.to_string()),
        ("finishTime", summary.finish_time.to_string()),
        ("numMaps", summary.maps.to_string()),
        ("numSlotsPerMap", summary.slots_per_map.to_string()),
        ("numReduces", summary.reduces.to_string()),
        ("numSlotsPerReduce", summary.slots_per_reduce.to_string()),
        ("user", summary.user.clone()),
        ("queue", summary.queue.clone()),
        ("status", ended.state.name().to_owned()),
        ("mapSlotSeconds", summary.map_slot_seconds.to_string()),
        ("reduceSlotsSeconds", summary.reduce_slot_seconds.to_string()),
        ("clusterMapCapacity", summary.cluster_map_slots.to_string()),
        ("clusterReduceCapacity", summary.cluster_reduce_slots.to_string()),
        ("jobName", summary.name.clone()),
    ];
    let pairs = pairs.map(|(key, value)| {
        // Launch times that never came are left out, as in 1.2.1.
        let absent = key.starts_with("first") && value == "0";
        (!absent).then(|| format!("{key}={}", escape(&value)))
    });
    pairs.into_iter().flatten().collect::<Vec<_>>().join(",")
}

/// A backslash before commas, equals signs and backslashes (Hadoop 1.2.1: JobSummary.SummaryBuilder).
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ',' | '=' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobtracker_core::AuditRefusal;

    #[test]
    fn audit_lines_are_hadoops() {
        let mut record = AuditRecord {
            user: "ann".into(),
            address: "10.0.0.1".into(),
            operation: "KILL_JOB",
            target: "job_1_0001 in queue default".into(),
            refused: None,
        };
        let success = "USER=ann\tIP=10.0.0.1\tOPERATION=KILL_JOB\tTARGET=job_1_0001 in queue default\tRESULT=SUCCESS";
        assert_eq!(audit_line(&record), success);
        record.refused = Some(AuditRefusal { permissions: "bob".into(), description: "Unauthorized user".into() });
        assert!(audit_line(&record).ends_with("RESULT=FAILURE\tDESCRIPTION=Unauthorized user\tPERMISSIONS=bob"));
    }

    #[test]
    fn summaries_escape_what_separates() {
        assert_eq!(escape("a=b,c\\d\ne"), "a\\=b\\,c\\\\d\\ne");
    }
}
