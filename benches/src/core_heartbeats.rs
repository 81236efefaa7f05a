//! What a heartbeat costs the JobTracker's core alone under each scheduler, as the cluster grows: 100 jobs of 10,000
//! tasks each, every slot taken, every attempt over at its second report. Messages are made beforehand and answers
//! obeyed afterwards, so that only the core's own processor time counts, its deadlines and records included.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, ensure};
use jobtracker_core::{
    CapacityQueueSettings, CapacitySettings, Effect, FairSettings, Heartbeat, Identity, JobTracker, QueueSettings,
    SchedulerKind, Settings, SplitWithRacks, Submission,
};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use types::{
    HeartbeatResponse, JobId, Now, ResourceStatus, SplitMeta, TaskAttemptId, TaskState, TaskStatus, TaskTrackerAction,
    TaskTrackerHealthStatus, TaskTrackerStatus,
};

const JOBS: i32 = 100;
const MAPS: i32 = 9_900;
const REDUCES: i32 = 100;
const USERS: i32 = 10;
const QUEUES: i32 = 5;
const TRACKERS: [usize; 4] = [1_000, 5_000, 10_000, 20_000];
const RACK: usize = 40;
/// Heartbeats between two looks at the processor's time.
const BATCH: usize = 500;
const WALL_START: i64 = 1_385_900_000_000;

/// Prints the table.
pub(crate) fn run(runs: usize) -> Result<()> {
    println!("{}\n", crate::machine::describe());
    println!("| scheduler | trackers | CPU per heartbeat | p99 | p99.9 | worst | tasks per heartbeat |");
    println!("|---|---|---|---|---|---|---|");
    for (name, kind) in schedulers() {
        for trackers in TRACKERS {
            let mut measured: Vec<Measured> =
                (0..runs.max(1)).map(|_| measure(kind(), trackers)).collect::<Result<_>>()?;
            measured.sort_by(|a, b| a.cpu_us.total_cmp(&b.cpu_us));
            let middle = &measured[measured.len() / 2];
            println!(
                "| {name} | {trackers} | {:.1} µs | {:.0} µs | {:.0} µs | {:.1} ms | {:.2} |",
                middle.cpu_us,
                middle.at(0.99),
                middle.at(0.999),
                middle.at(1.0) / 1000.0,
                middle.tasks_per_heartbeat,
            );
        }
    }
    Ok(())
}

/// A scheduler's name, and what makes its settings.
type Named = (&'static str, fn() -> SchedulerKind);

fn schedulers() -> [Named; 4] {
    [
        ("Fair", || SchedulerKind::Fair(Box::<FairSettings>::default())),
        ("Capacity", || {
            let queue = |number| CapacityQueueSettings {
                user_limit_percent: 25,
                tasks_max: i32::MAX,
                tasks_per_user_max: i32::MAX,
                ..CapacityQueueSettings::new(format!("queue{number}"), 100.0 / QUEUES as f32)
            };
            SchedulerKind::Capacity(CapacitySettings {
                queues: (0..QUEUES).map(queue).collect(),
                ..CapacitySettings::default()
            })
        }),
        ("JobQueueTaskScheduler", || SchedulerKind::Fifo),
        ("LimitTasksPerJob", || SchedulerKind::LimitTasksPerJob { running_tasks_max: Some(50) }),
    ]
}

/// One run's figures.
struct Measured {
    cpu_us: f64,
    /// Time of each heartbeat in microseconds, sorted.
    each_us: Vec<f64>,
    tasks_per_heartbeat: f64,
}

impl Measured {
    fn at(&self, part: f64) -> f64 {
        let last = self.each_us.len() - 1;
        self.each_us[(last as f64 * part) as usize]
    }
}

/// A TaskTracker, as far as the core can tell.
struct Tracker {
    host: String,
    rack: String,
    response_id: i16,
    /// Its attempts, and how often each was reported.
    attempts: BTreeMap<TaskAttemptId, u32>,
}

fn measure(scheduler: SchedulerKind, number: usize) -> Result<Measured> {
    let mut bench = Bench::new(scheduler, number);
    bench.submit()?;
    // The cluster fills up, and the first attempts end.
    bench.beats(number * 3);
    (bench.cpu_us, bench.launched) = (0.0, 0);
    bench.each_us.clear();
    let beats = number.max(20_000);
    bench.beats(beats);
    let mut each_us = std::mem::take(&mut bench.each_us);
    each_us.sort_by(f64::total_cmp);
    let measured = each_us.len() as f64;
    Ok(Measured { cpu_us: bench.cpu_us / measured, each_us, tasks_per_heartbeat: bench.launched as f64 / measured })
}

struct Bench {
    jt: JobTracker,
    trackers: Vec<Tracker>,
    /// Jobs are spread over queues.
    by_queue: bool,
    /// Microseconds since the beginning.
    now_us: u64,
    interval_ms: i32,
    next: usize,
    cpu_us: f64,
    each_us: Vec<f64>,
    launched: u64,
}

impl Bench {
    fn new(scheduler: SchedulerKind, number: usize) -> Self {
        let queues = match &scheduler {
            SchedulerKind::Capacity(settings) => {
                settings.queues.iter().map(|queue| QueueSettings::open(queue.name.clone())).collect()
            }
            _ => vec![QueueSettings::open("default")],
        };
        let by_queue = queues.len() > 1;
        let settings = Settings { scheduler, queues, journal: true, ..Settings::default() };
        let identity =
            Identity { identifier: "201312011200".into(), user: "mapred".into(), started: WALL_START, first_job: 1 };
        let tracker = |at: usize| Tracker {
            host: format!("node{at}"),
            rack: format!("/rack{}", at / RACK),
            response_id: -1,
            attempts: BTreeMap::new(),
        };
        Bench {
            jt: JobTracker::new(settings, identity, Now::at_millis(0, WALL_START)),
            trackers: (0..number).map(tracker).collect(),
            by_queue,
            now_us: 0,
            interval_ms: 300,
            next: 0,
            cpu_us: 0.0,
            each_us: Vec::new(),
            launched: 0,
        }
    }

    fn now(&self) -> Now {
        Now::at_millis(self.now_us / 1000, WALL_START + (self.now_us / 1000) as i64)
    }

    /// All trackers register, all jobs run.
    fn submit(&mut self) -> Result<()> {
        self.beats(self.trackers.len());
        for number in 0..JOBS {
            let id = self.jt.new_job_id();
            let mut submission = Submission {
                setup_and_cleanup: false,
                slow_start: Some(0.05),
                ..Submission::new(id, format!("user{}", number % USERS), MAPS, REDUCES)
            };
            if self.by_queue {
                submission.queue = format!("queue{}", number % QUEUES);
            }
            let now = self.now();
            self.jt.submit_job(now, submission)?;
            self.take_effects();
        }
        self.now_us += 1_000_000;
        self.take_effects();
        ensure!(self.jt.waiting_tasks() > 0, "no job runs");
        Ok(())
    }

    /// Does what the core wants done: reads splits.
    fn take_effects(&mut self) {
        for effect in self.jt.take_effects() {
            if let Effect::ReadSplits { job, .. } = effect {
                let splits = self.splits(&job);
                let now = self.now();
                self.jt.splits_read(now, &job, Ok(splits));
            }
        }
        self.jt.take_records();
    }

    /// Three hosts for each map, spread by a multiplier that hits all.
    fn splits(&self, job: &JobId) -> Vec<SplitWithRacks> {
        let number = self.trackers.len() as u64;
        let split = |map: u64| {
            let at = |replica: u64| {
                let mixed = (job.number as u64 * 1_000_003 + map * 3 + replica).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                &self.trackers[((mixed >> 33) % number) as usize]
            };
            SplitWithRacks {
                split: SplitMeta {
                    locations: (0..3).map(|replica| at(replica).host.clone()).collect(),
                    start_offset: 0,
                    input_length: 64 << 20,
                },
                racks: (0..3).map(|replica| at(replica).rack.clone()).collect(),
            }
        };
        (0..MAPS as u64).map(split).collect()
    }

    /// So many heartbeats, tracker after tracker, at the pace that the core asks for.
    fn beats(&mut self, number: usize) {
        let mut left = number;
        while left > 0 {
            let batch = left.min(BATCH).min(self.trackers.len());
            left -= batch;
            let first = self.next;
            let all = self.trackers.len();
            let step_us = (self.interval_ms as u64 * 1000 / all as u64).max(1);
            let beats: Vec<(Now, Heartbeat)> = (0..batch)
                .map(|at| {
                    self.now_us += step_us;
                    let now = self.now();
                    (now, self.trackers[(first + at) % all].heartbeat(now))
                })
                .collect();
            let before = cpu_us();
            let answers = self.time(beats);
            self.cpu_us += cpu_us() - before;
            for (at, answer) in answers.into_iter().enumerate() {
                self.interval_ms = answer.interval_ms;
                self.launched += self.trackers[(first + at) % all].obey(answer);
            }
            self.next = (first + batch) % all;
            self.take_effects();
        }
    }

    fn time(&mut self, beats: Vec<(Now, Heartbeat)>) -> Vec<HeartbeatResponse> {
        let answer = |(now, beat): (Now, Heartbeat)| {
            let began = Instant::now();
            while self.jt.next_deadline().is_some_and(|at| at <= now.mono) {
                self.jt.deadline_reached(now);
            }
            let answer = self.jt.heartbeat(now, beat).expect("all hosts may take part");
            drop(self.jt.take_records());
            self.each_us.push(began.elapsed().as_secs_f64() * 1e6);
            answer
        };
        beats.into_iter().map(answer).collect()
    }
}

/// Processor time of this thread in microseconds.
fn cpu_us() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).expect("the kernel counts a thread's time");
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64
}

impl Tracker {
    /// Reports everything; what was reported once before is over.
    fn heartbeat(&mut self, now: Now) -> Heartbeat {
        let tasks = self.attempts.iter_mut().map(|(id, reports)| {
            *reports += 1;
            let over = *reports > 1;
            TaskStatus {
                state: if over { TaskState::Succeeded } else { TaskState::Running },
                progress: if over { 1.0 } else { 0.5 },
                start_time: now.wall.0 - 1000,
                finish_time: if over { now.wall.0 } else { 0 },
                output_size: if id.kind().is_map() { 1 << 20 } else { -1 },
                ..TaskStatus::unassigned(id.clone(), 1)
            }
        });
        let tasks = tasks.collect();
        self.attempts.retain(|_, reports| *reports < 2);
        Heartbeat {
            status: TaskTrackerStatus {
                name: format!("tracker_{}:localhost/127.0.0.1:40000", self.host),
                host: self.host.clone(),
                http_port: 50_060,
                task_failures: 0,
                dir_failures: 0,
                max_map_slots: 2,
                max_reduce_slots: 2,
                resources: ResourceStatus { available_space: i64::MAX, ..ResourceStatus::default() },
                tasks,
                health: TaskTrackerHealthStatus { healthy: true, report: String::new(), last_reported: 1 },
            },
            restarted: false,
            initial_contact: self.response_id < 0,
            accept_new_tasks: true,
            response_id: self.response_id,
            rack: self.rack.clone(),
        }
    }

    /// Takes what it is given; the number of tasks.
    fn obey(&mut self, answer: HeartbeatResponse) -> u64 {
        self.response_id = answer.response_id;
        let mut launched = 0;
        for action in answer.actions {
            match action {
                TaskTrackerAction::Launch(task) => {
                    launched += 1;
                    self.attempts.insert(task.attempt.clone(), 0);
                }
                TaskTrackerAction::KillTask(id) => drop(self.attempts.remove(&id)),
                _ => {}
            }
        }
        launched
    }
}
