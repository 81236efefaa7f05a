//! An attempt has failed or was killed (Hadoop 1.2.1: JobInProgress.failedTask).

use types::{Now, TaskState, counter_names};

use super::completion::other;
use super::state::JobEvent;
use super::update::Before;
use super::{JobInProgress, TaskRef};
use crate::cluster::Cluster;
use crate::effect::{HistoryRecord, TaskType};

/// The most of an attempt's words that a job's failure repeats.
const CAUSE_LETTERS_MAX: usize = 300;

impl JobInProgress {
    /// Takes the failure of an attempt: books it, has the task run again, and gives the task or the job up if need be.
    pub(super) fn attempt_failed(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        task: TaskRef,
        number: i32,
        before: Before,
    ) {
        let host = self.attempt_host(cluster, task, number);
        let state = self.task_mut(task).attempt_ended(now, number, host);
        self.suspect_attempts(cluster, task);
        if self.task(task).attempt(number).is_some_and(|attempt| attempt.counted) {
            self.count_failure(cluster, task, state);
            self.stop_counting(task, number);
        }
        if before.active {
            self.meter(task, number, before.report_start);
        }
        self.make_runnable_again(cluster, task, before);
        self.recount(cluster, task);
        self.record_failure(cluster, task, number, state);
        self.count_failed_attempt(task, state);
        if state == TaskState::Failed {
            self.flaky.add_failure(host);
        }
        self.mark_ended(cluster, task, number);
        if !before.killed && self.task(task).is_killed() {
            self.task_gave_up(now, cluster, task, number);
        }
    }

    fn count_failure(&mut self, cluster: &mut Cluster, task: TaskRef, state: TaskState) {
        let totals = &mut cluster.totals;
        let total = match (task.kind.is_map(), state == TaskState::Killed) {
            (true, false) => &mut totals.maps_failed,
            (true, true) => &mut totals.maps_killed,
            (false, false) => &mut totals.reduces_failed,
            (false, true) => &mut totals.reduces_killed,
        };
        *total += 1;
    }

    fn count_failed_attempt(&mut self, task: TaskRef, state: TaskState) {
        if self.task(task).is_map_or_reduce() {
            let counts = self.counts_mut(task.kind);
            match state {
                TaskState::Killed => counts.killed_attempts += 1,
                _ => counts.failed_attempts += 1,
            }
        }
    }

    fn make_runnable_again(&mut self, cluster: &Cluster, task: TaskRef, before: Before) {
        let tip = self.task(task);
        let (running, complete, runnable) = (tip.is_running(), tip.is_complete(), tip.is_runnable());
        let stopped = before.running && !running;
        match tip.spec.task_type {
            TaskType::Setup if stopped => self.launched_setup = false,
            TaskType::Cleanup if stopped => self.launched_cleanup = false,
            TaskType::Setup | TaskType::Cleanup => {}
            TaskType::Map | TaskType::Reduce => {
                let lost = before.complete && !complete;
                if stopped && !complete {
                    self.retire(cluster, task);
                }
                if (stopped && !complete || lost) && runnable {
                    self.retry(task);
                }
            }
        }
    }

    fn record_failure(&self, cluster: &mut Cluster, task: TaskRef, number: i32, state: TaskState) {
        self.record_start(cluster, task, number);
        let tip = self.task(task);
        let Some(attempt) = tip.attempt(number) else { return };
        let host = cluster.topology.host_name(cluster.trackers.host(attempt.tracker)).to_string();
        cluster.history(HistoryRecord::AttemptUnsuccessful {
            attempt: tip.attempt_id(&self.id, number),
            task_type: tip.spec.task_type,
            killed: state != TaskState::Failed,
            finish_time: attempt.status.as_ref().map_or(0, |status| status.finish_time),
            host,
            error: attempt.diagnostics.join(","),
        });
    }

    /// Has an ended attempt unregistered once its tracker has got its next answer.
    fn mark_ended(&mut self, cluster: &mut Cluster, task: TaskRef, number: i32) {
        let id = self.task(task).attempt_id(&self.id, number);
        let entry = self.task(task).attempt(number).and_then(|attempt| attempt.entry);
        let restoring = cluster.journal.is_restoring();
        match entry.and_then(|tracker| cluster.trackers.get_mut(tracker)) {
            // There is no answer to wait for while a state is made from records.
            Some(tracker) if !restoring => tracker.ended.push(id),
            _ => self.unregister(cluster, task, number),
        }
    }

    /// A task has used up its attempts; so has the job, if it does not allow that.
    fn task_gave_up(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32) {
        let (task_type, id) = (self.task(task).spec.task_type, self.task(task).id(&self.id));
        let (too_many, reason) = match task_type {
            TaskType::Cleanup => (true, format!("JobCleanup Task Failure, Task: {id}")),
            TaskType::Setup => (true, format!("JobSetup Task Failure, Task: {id}")),
            TaskType::Map => {
                self.failed_map_tips += 1;
                let limit = i64::from(self.submission.map_failures_percent) * i64::from(self.submission.maps);
                let reason = too_many_failed("Map", self.failed_map_tips, &id);
                (i64::from(self.failed_map_tips) * 100 > limit, reason)
            }
            TaskType::Reduce => {
                self.failed_reduce_tips += 1;
                let limit = i64::from(self.submission.reduce_failures_percent) * i64::from(self.submission.reduces);
                let reason = too_many_failed("Reduce", self.failed_reduce_tips, &id);
                (i64::from(self.failed_reduce_tips) * 100 > limit, reason)
            }
        };
        if too_many {
            self.give_up(now, cluster, task, number, reason);
        }
        let counter = match task_type {
            TaskType::Map => "NUM_FAILED_MAPS",
            TaskType::Reduce => "NUM_FAILED_REDUCES",
            TaskType::Setup | TaskType::Cleanup => return,
        };
        self.counters.increment(counter_names::JOB, counter, 1);
    }

    fn give_up(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32, reason: String) {
        let tip = self.task(task);
        let task_type = tip.spec.task_type;
        let attempt = tip.attempt(number);
        let reason = with_cause(reason, attempt.map_or(&[], |attempt| &attempt.diagnostics));
        cluster.history(HistoryRecord::TaskFailed {
            task: tip.id(&self.id),
            task_type,
            finish_time: attempt.and_then(|a| a.status.as_ref()).map_or(0, |status| status.finish_time),
            error: attempt.map(|attempt| attempt.diagnostics.join(",")).unwrap_or_default(),
            failed_by: None,
        });
        match task_type {
            TaskType::Cleanup => {
                let twin = self.cleanup_task(other(task.kind));
                self.kill_task(now, cluster, twin);
                self.status.failure_info = reason;
                self.terminate(now, cluster, JobEvent::Fail);
            }
            TaskType::Setup => {
                let twin = self.setup_task(other(task.kind));
                self.kill_task(now, cluster, twin);
                self.fail(now, cluster, reason);
            }
            TaskType::Map | TaskType::Reduce => self.fail(now, cluster, reason),
        }
    }
}

fn too_many_failed(kind: &str, count: i32, last: &types::TaskId) -> String {
    format!("# of failed {kind} Tasks exceeded allowed limit. FailedCount: {count}. LastFailedTask: {last}")
}

/// The reason with what the last attempt died of, in one line: a client that polls too seldom to see the attempt fail
/// still prints why the job did.
fn with_cause(reason: String, diagnostics: &[String]) -> String {
    let lines = || diagnostics.iter().flat_map(|text| text.lines()).map(str::trim).filter(|line| !line.is_empty());
    // The innermost cause of a Java trace; else the first line, with the second where the first only announces it.
    let innermost = lines().filter_map(|line| line.strip_prefix("Caused by: ")).next_back().map(str::to_owned);
    let cause = innermost.or_else(|| {
        let first = lines().next()?;
        let announced = if first.ends_with(':') { lines().nth(1) } else { None };
        Some(announced.map_or_else(|| first.to_owned(), |second| format!("{first} {second}")))
    });
    match cause {
        Some(cause) => format!("{reason}. Cause: {}", cause.chars().take(CAUSE_LETTERS_MAX).collect::<String>()),
        None => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_one_line_and_bounded() {
        let cause = |diagnostics: &[&str]| {
            let owned: Vec<String> = diagnostics.iter().map(|text| (*text).to_owned()).collect();
            with_cause("it failed".to_owned(), &owned)
        };
        assert_eq!(cause(&[]), "it failed");
        assert_eq!(cause(&["\n", "java.io.IOException: x\n\tat Y.z()\n"]), "it failed. Cause: java.io.IOException: x");
        let nested =
            "java.lang.RuntimeException: a\n\tat Y.z()\nCaused by: b\n\t... 9 more\nCaused by: c: d\n\tat Z.a()";
        assert_eq!(cause(&[nested]), "it failed. Cause: c: d");
        assert_eq!(cause(&["Error initializing x:\nno zip\nmore"]), "it failed. Cause: Error initializing x: no zip");
        let long = cause(&["é".repeat(1000).as_str()]);
        assert_eq!(long.chars().count(), "it failed. Cause: ".len() + CAUSE_LETTERS_MAX);
    }
}
