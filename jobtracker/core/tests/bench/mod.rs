//! A JobTracker core with hand-driven TaskTrackers: short names in, short names out, invariants after each step.
#![allow(dead_code)]

use std::collections::BTreeMap;

use jobtracker_core::{
    Caller, Effect, Heartbeat, HeartbeatError, HistoryRecord, Identity, JobEnded, JobTracker, Settings, SplitWithRacks,
    Submission,
};
use types::{
    Counters, HeartbeatResponse, JobId, JobState, JobStatus, Now, Phase, ResourceStatus, SplitMeta, Task,
    TaskAttemptId, TaskState, TaskStatus, TaskTrackerAction, TaskTrackerHealthStatus, TaskTrackerStatus,
};

pub(crate) const WALL: i64 = 1_385_900_000_000;

/// The core under test and all it wished for.
pub(crate) struct Bench {
    pub(crate) jt: JobTracker,
    pub(crate) millis: u64,
    pub(crate) effects: Vec<Effect>,
    pub(crate) history: Vec<HistoryRecord>,
    pub(crate) ended: Vec<JobEnded>,
    /// The task that was handed out last.
    pub(crate) last_task: Option<Task>,
    /// The state that the last cleanup handed out is to end in.
    pub(crate) cleanup_state: Option<JobState>,
}

/// A TaskTracker that does what it is told by hand.
#[derive(Debug, Clone)]
pub(crate) struct TaskTracker {
    pub(crate) host: String,
    pub(crate) port: i32,
    pub(crate) rack: String,
    pub(crate) slots: (i32, i32),
    pub(crate) healthy: bool,
    pub(crate) response_id: i16,
    pub(crate) attempts: BTreeMap<String, TaskStatus>,
}

/// `m_000001_0`: an attempt of the first job; `2:m_000001_0`: one of the second.
pub(crate) fn short(id: &TaskAttemptId) -> String {
    let job = match id.job().number {
        1 => String::new(),
        number => format!("{number}:"),
    };
    format!("{job}{}_{:06}_{}", id.kind().letter(), id.task.number, id.number)
}

impl TaskTracker {
    pub(crate) fn new(host: &str, maps: i32, reduces: i32) -> Self {
        let rack = "/default-rack".to_owned();
        TaskTracker {
            host: host.to_owned(),
            port: 40001,
            rack,
            slots: (maps, reduces),
            healthy: true,
            response_id: -1,
            attempts: BTreeMap::new(),
        }
    }

    pub(crate) fn name(&self) -> String {
        format!("tracker_{}:localhost/127.0.0.1:{}", self.host, self.port)
    }

    pub(crate) fn has(&self, short: &str) -> bool {
        self.attempts.contains_key(short)
    }

    pub(crate) fn set(&mut self, short: &str, state: TaskState) {
        self.attempts.get_mut(short).unwrap_or_else(|| panic!("no {short}")).state = state;
    }

    /// Ends an attempt; the next heartbeat reports it for the last time.
    pub(crate) fn finish(&mut self, short: &str, state: TaskState) {
        self.set(short, state);
    }

    pub(crate) fn count(&mut self, short: &str, names: &[&str]) {
        let counters = self.attempts.get_mut(short).unwrap().counters.get_or_insert_with(Counters::new);
        names.iter().for_each(|name| counters.increment("group", name, 1));
    }

    pub(crate) fn complain(&mut self, reduce: &str, map: &str) {
        let status = self.attempts.get_mut(reduce).unwrap();
        let (kind, number, attempt) = parse(map);
        let map = status.attempt.job().task(kind, number).attempt(attempt);
        status.reduce.as_mut().unwrap().failed_fetches.push(map);
    }

    pub(crate) fn forget(&mut self, short: &str) {
        self.attempts.remove(short);
    }

    pub(crate) fn status(&self) -> TaskTrackerStatus {
        TaskTrackerStatus {
            name: self.name(),
            host: self.host.clone(),
            http_port: 50060,
            task_failures: 0,
            dir_failures: 0,
            max_map_slots: self.slots.0,
            max_reduce_slots: self.slots.1,
            resources: ResourceStatus::default(),
            tasks: self.attempts.values().cloned().collect(),
            health: TaskTrackerHealthStatus {
                healthy: self.healthy,
                report: if self.healthy { String::new() } else { "ERROR by test".to_owned() },
                last_reported: 1,
            },
        }
    }

    /// What a TaskTracker does after an answer: forgets what it reported as ended, starts what it is to start.
    pub(crate) fn obey(&mut self, now: Now, response: &HeartbeatResponse) {
        self.response_id = response.response_id;
        self.attempts.retain(|_, status| {
            let live = matches!(status.state, TaskState::Running | TaskState::Unassigned | TaskState::CommitPending);
            live || (status.phase == Phase::Cleanup && status.state.is_unclean())
        });
        for status in self.attempts.values_mut() {
            if let Some(reduce) = &mut status.reduce {
                reduce.failed_fetches.clear();
            }
        }
        for action in &response.actions {
            if let TaskTrackerAction::Launch(task) = action {
                let mut status = task.status.clone();
                status.start_time = now.wall.0;
                if task.task_cleanup {
                    status.phase = Phase::Cleanup;
                } else {
                    status.state = TaskState::Running;
                }
                status.counters = Some(Counters::new());
                self.attempts.insert(short(&task.attempt), status);
            }
        }
    }
}

fn parse(short: &str) -> (types::TaskKind, i32, i32) {
    let parts: Vec<&str> = short.split('_').collect();
    (types::TaskKind::from_is_map(parts[0] == "m"), parts[1].parse().unwrap(), parts[2].parse().unwrap())
}

impl Bench {
    pub(crate) fn new(settings: Settings) -> Self {
        let identity =
            Identity { identifier: "201312011200".into(), user: "mapred".into(), started: WALL, first_job: 1 };
        let now = Now::at_millis(1000, WALL);
        Bench {
            jt: JobTracker::new(settings, identity, now),
            millis: 1000,
            effects: Vec::new(),
            history: Vec::new(),
            ended: Vec::new(),
            last_task: None,
            cleanup_state: None,
        }
    }

    pub(crate) fn now(&self) -> Now {
        Now::at_millis(self.millis, WALL + self.millis as i64)
    }

    pub(crate) fn advance(&mut self, millis: u64) {
        self.millis += millis;
        while self.jt.next_deadline().is_some_and(|at| at <= self.now().mono) {
            self.jt.deadline_reached(self.now());
            self.after();
        }
    }

    pub(crate) fn after(&mut self) {
        self.jt.check_invariants().unwrap();
        for effect in self.jt.take_effects() {
            match &effect {
                Effect::History(record) => self.history.push(record.clone()),
                Effect::JobEnded(ended) => self.ended.push((**ended).clone()),
                _ => {}
            }
            self.effects.push(effect);
        }
    }

    pub(crate) fn submission(&mut self, maps: i32, reduces: i32) -> Submission {
        Submission::new(self.jt.new_job_id(), "alice", maps, reduces)
    }

    pub(crate) fn submit_only(&mut self, maps: i32, reduces: i32) -> JobId {
        let submission = self.submission(maps, reduces);
        self.submit_it(submission)
    }

    pub(crate) fn submit_it(&mut self, submission: Submission) -> JobId {
        let job = submission.job.clone();
        self.jt.submit_job(self.now(), submission).unwrap();
        self.after();
        job
    }

    /// Submits a job whose splits lie on a host without a tracker, in another rack.
    pub(crate) fn submit(&mut self, maps: i32, reduces: i32) -> JobId {
        let submission = self.submission(maps, reduces);
        self.submit_with_splits(submission)
    }

    pub(crate) fn submit_with_splits(&mut self, submission: Submission) -> JobId {
        let maps = submission.maps;
        let job = self.submit_it(submission);
        let split = |_| SplitWithRacks {
            split: SplitMeta { locations: vec!["far".to_owned()], start_offset: 0, input_length: 1 },
            racks: vec!["/far-rack".to_owned()],
        };
        self.jt.splits_read(self.now(), &job, Ok((0..maps).map(split).collect()));
        self.after();
        job
    }

    pub(crate) fn kill(&mut self, job: &JobId) {
        self.jt.kill_job(self.now(), &Caller::named("alice"), job).unwrap();
        self.after();
    }

    pub(crate) fn status(&self, job: &JobId) -> JobStatus {
        self.jt.job_status(job).unwrap()
    }

    pub(crate) fn join(&mut self, tracker: &mut TaskTracker) {
        let answer = self.send(tracker, true, false);
        assert!(answer.actions.is_empty(), "{answer:?}");
        tracker.obey(self.now(), &answer);
    }

    pub(crate) fn send(
        &mut self,
        tracker: &TaskTracker,
        initial_contact: bool,
        accept_new_tasks: bool,
    ) -> HeartbeatResponse {
        let beat = Heartbeat {
            status: tracker.status(),
            restarted: false,
            initial_contact,
            accept_new_tasks,
            response_id: tracker.response_id,
            rack: tracker.rack.clone(),
        };
        let answer = self.jt.heartbeat(self.now(), beat).unwrap();
        self.after();
        answer
    }

    pub(crate) fn try_beat(&mut self, tracker: &TaskTracker) -> Result<HeartbeatResponse, HeartbeatError> {
        let beat = Heartbeat {
            status: tracker.status(),
            restarted: false,
            initial_contact: false,
            accept_new_tasks: true,
            response_id: tracker.response_id,
            rack: tracker.rack.clone(),
        };
        self.jt.heartbeat(self.now(), beat)
    }

    pub(crate) fn raw_beat(&mut self, tracker: &TaskTracker) -> HeartbeatResponse {
        self.send(tracker, false, true)
    }

    /// A heartbeat a little later; its orders in short.
    pub(crate) fn beat(&mut self, tracker: &mut TaskTracker) -> Vec<String> {
        self.advance(300);
        for status in tracker.attempts.values_mut() {
            let live = matches!(status.state, TaskState::Running | TaskState::Unassigned | TaskState::CommitPending);
            if !live && status.finish_time == 0 && status.phase != Phase::Cleanup {
                status.finish_time = WALL + self.millis as i64;
            }
        }
        let answer = self.raw_beat(tracker);
        tracker.obey(self.now(), &answer);
        answer.actions.iter().map(|action| self.describe(action)).collect()
    }

    fn describe(&mut self, action: &TaskTrackerAction) -> String {
        match action {
            TaskTrackerAction::Launch(task) => {
                self.cleanup_state = task.job_cleanup.or(self.cleanup_state);
                self.last_task = Some((**task).clone());
                format!("launch {}{}", short(&task.attempt), if task.task_cleanup { " cleanup" } else { "" })
            }
            TaskTrackerAction::KillTask(id) => format!("kill {}", short(id)),
            TaskTrackerAction::KillJob(_) => "kill job".to_owned(),
            TaskTrackerAction::CommitTask(id) => format!("commit {}", short(id)),
            TaskTrackerAction::Reinit => "reinit".to_owned(),
        }
    }
}
