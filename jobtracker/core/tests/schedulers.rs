//! Decisions of Hadoop 1.2.1's own schedulers, replayed: same cluster, same steps, same assignments
//! (`tests/vectors/schedulers/`, whose README says what each field means).

mod bench;
mod capacity;
mod fair;

use std::collections::{BTreeMap, BTreeSet};

use bench::{Bench, TaskTracker, WALL, short};
use jobtracker_core::{Caller, Effect, HostLists, SchedulerKind, Settings, SplitWithRacks, Submission};
use serde::Deserialize;
use types::{JobId, JobPriority, JobState, Phase, SplitMeta, TaskAttemptId, TaskKind, TaskState, TaskTrackerAction};

#[derive(Deserialize)]
struct Vectors {
    scenarios: Vec<Scenario>,
}

#[derive(Deserialize)]
struct Scenario {
    /// Of the capacity scheduler: keys of its file.
    #[serde(default)]
    capacity: BTreeMap<String, String>,
    #[serde(flatten)]
    fair: fair::FairScenario,
    name: String,
    rule: String,
    #[serde(default)]
    conf: BTreeMap<String, String>,
    hosts: BTreeMap<String, String>,
    trackers: Vec<Tracker>,
    jobs: Vec<Job>,
    #[serde(default)]
    full: bool,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Tracker {
    id: String,
    host: String,
    maps: i32,
    reduces: i32,
}

#[derive(Deserialize)]
struct Job {
    id: i32,
    maps: Vec<Vec<String>>,
    reduces: i32,
    user: Option<String>,
    queue: Option<String>,
    pool: Option<String>,
    #[serde(default)]
    conf: BTreeMap<String, String>,
    priority: Option<String>,
}

#[derive(Deserialize)]
struct Step {
    t: u64,
    #[serde(rename = "do")]
    what: String,
    tracker: Option<String>,
    job: Option<i32>,
    priority: Option<String>,
    #[serde(default)]
    ok: Vec<String>,
    #[serde(default)]
    failed: Vec<String>,
    #[serde(default)]
    killed: Vec<String>,
    #[serde(default)]
    failed_unclean: Vec<String>,
    #[serde(default)]
    killed_unclean: Vec<String>,
    #[serde(default)]
    progress: BTreeMap<String, f32>,
    #[serde(default)]
    jobs_done: Vec<i32>,
    #[serde(default)]
    running: Vec<i32>,
    /// Of the capacity scheduler: jobs that wait, by queue.
    #[serde(default)]
    waiting: BTreeMap<String, Vec<i32>>,
    /// By tracker and kind, the job for which it is kept free.
    #[serde(default)]
    reserved: BTreeMap<String, BTreeMap<String, i32>>,
    /// By queue: map capacity, map slots used, reduce capacity, reduce slots used.
    queues: Option<BTreeMap<String, [i32; 4]>>,
    /// Why a submission was refused: class and text.
    rejected: Option<String>,
    /// Of each assignment: node, rack, off-switch map, reduce; setup, job cleanup, attempt cleanup.
    loc: Option<String>,
    #[serde(default)]
    assign: Vec<String>,
    #[serde(default)]
    kill: Vec<String>,
    #[serde(flatten)]
    fair: fair::FairStep,
}

/// `2m5.1`: the second attempt of map 5 of job 2.
fn spell(id: &TaskAttemptId) -> String {
    format!("{}{}{}.{}", id.job().number, id.kind().letter(), id.task.number, id.number)
}

struct Replay<'a> {
    scenario: &'a Scenario,
    bench: Bench,
    trackers: BTreeMap<String, TaskTracker>,
    jobs: BTreeMap<i32, JobId>,
    done: BTreeSet<i32>,
    running: BTreeSet<i32>,
    told_to_kill: BTreeSet<(String, String)>,
    /// Of each job, how many maps started on a node and in a rack with their data.
    near: BTreeMap<i32, (i64, i64)>,
    /// Slots that were taken back, not yet looked at.
    preemptions: Vec<Effect>,
    /// The trackers that are kept free, for which job.
    reserved: BTreeMap<String, BTreeMap<String, i32>>,
}

impl Replay<'_> {
    fn step(&mut self, step: &Step) {
        self.bench.millis = step.t;
        match step.what.as_str() {
            "join" => self.join(step),
            "submit" => self.submit(step),
            "hb" => self.heartbeat(step),
            "priority" => {
                let priority = JobPriority::from_name(step.priority.as_ref().unwrap()).unwrap();
                let job = &self.jobs[&step.job.unwrap()];
                self.bench.jt.set_job_priority(self.bench.now(), &Caller::named("mapred"), job, priority).unwrap();
            }
            "lost" => self.lose(step),
            "update" => fair::update(self, step),
            "preempt" => fair::check_preemption(self, step),
            "setpool" => fair::set_pool(self, step),
            "init" => self.bench.jt.initialize_jobs(),
            other => panic!("no step {other}"),
        }
        self.bench.after();
        self.initialize_jobs();
        self.check_running(step);
        capacity::check_waiting(self, step);
        capacity::check_reservations(self, step);
    }

    /// Answers what the core has asked for: the splits of the jobs that are to be initialised.
    fn initialize_jobs(&mut self) {
        for effect in std::mem::take(&mut self.bench.effects) {
            let Effect::ReadSplits { job } = effect else {
                self.preemptions.extend(matches!(effect, Effect::Preemption(_)).then_some(effect));
                continue;
            };
            let spec = self.scenario.jobs.iter().find(|spec| spec.id == job.number).unwrap();
            let split = |hosts: &Vec<String>| SplitWithRacks {
                racks: hosts.iter().map(|host| self.scenario.hosts[host].clone()).collect(),
                split: SplitMeta { locations: hosts.clone(), start_offset: 0, input_length: 1 },
            };
            let splits = spec.maps.iter().map(split).collect();
            self.bench.jt.splits_read(self.bench.now(), &job, Ok(splits));
        }
    }

    /// Jobs that have begun to run by the end of this step. Those that are framed by a setup are not told.
    fn check_running(&mut self, step: &Step) {
        if self.scenario.full {
            return;
        }
        let began = self.jobs.iter().filter(|(_, job)| self.bench.status(job).state != JobState::Prep);
        let began: BTreeSet<i32> = began.map(|(number, _)| *number).collect();
        let newly: Vec<i32> = began.difference(&self.running).copied().collect();
        assert_eq!(newly, step.running, "jobs that run, {} at {}", self.scenario.name, step.t);
        self.running = began;
    }

    fn join(&mut self, step: &Step) {
        let id = step.tracker.as_ref().unwrap();
        let spec = self.scenario.trackers.iter().find(|tracker| tracker.id == *id).unwrap();
        let mut tracker = TaskTracker::new(&spec.host, spec.maps, spec.reduces);
        tracker.rack.clone_from(&self.scenario.hosts[&spec.host]);
        self.bench.join(&mut tracker);
        self.trackers.insert(id.clone(), tracker);
    }

    /// An expired tracker is removed as one of an excluded host is.
    fn lose(&mut self, step: &Step) {
        let tracker = self.trackers.remove(step.tracker.as_ref().unwrap()).unwrap();
        let exclude = BTreeSet::from([tracker.host]);
        for exclude in [exclude, BTreeSet::new()] {
            let lists = HostLists { include: BTreeSet::new(), exclude };
            self.bench.jt.refresh_hosts(self.bench.now(), &Caller::named("mapred"), lists).unwrap();
        }
    }

    fn submit(&mut self, step: &Step) {
        let spec = self.scenario.jobs.iter().find(|job| Some(job.id) == step.job).unwrap();
        let id = JobId::new("201312011200", spec.id);
        let user = spec.user.as_deref().unwrap_or("u");
        let get = |key: &str| spec.conf.get(key).map(String::as_str);
        let submission = Submission {
            priority: spec.priority.as_ref().map_or(JobPriority::Normal, |p| JobPriority::from_name(p).unwrap()),
            slow_start: get("mapred.reduce.slowstart.completed.maps").map(|share| share.parse().unwrap()),
            map_speculation: get("mapred.map.tasks.speculative.execution") == Some("true"),
            reduce_speculation: get("mapred.reduce.tasks.speculative.execution") == Some("true"),
            tracker_failures_max: get("mapred.max.tracker.failures").map_or(4, |most| most.parse().unwrap()),
            setup_and_cleanup: self.scenario.full,
            pool: fair::pool_of(self.scenario, spec),
            queue: spec.queue.clone().unwrap_or_else(|| "default".to_owned()),
            map_memory_mb: get("mapred.job.map.memory.mb").map_or(-1, |mb| mb.parse().unwrap()),
            reduce_memory_mb: get("mapred.job.reduce.memory.mb").map_or(-1, |mb| mb.parse().unwrap()),
            locality_wait_factor: get("mapreduce.job.locality.wait.factor").map_or(1.0, |f| f.parse().unwrap()),
            ..Submission::new(id.clone(), user, spec.maps.len() as i32, spec.reduces)
        };
        if let Some(refusal) = &step.rejected {
            let error = self.bench.jt.submit_job(self.bench.now(), submission).unwrap_err().to_string();
            let expected = refusal.split_once(": ").unwrap().1.replace("job_200707121733_", "job_201312011200_");
            assert_eq!(error, expected, "refusals, {} at {}", self.scenario.name, step.t);
            return;
        }
        self.bench.submit_it(submission);
        self.jobs.insert(spec.id, id);
    }

    fn heartbeat(&mut self, step: &Step) {
        let id = step.tracker.as_ref().unwrap();
        let mut tracker = self.trackers.remove(id).unwrap();
        for status in tracker.attempts.values_mut() {
            let name = spell(&status.attempt);
            let ends = [
                (&step.ok, TaskState::Succeeded),
                (&step.failed, TaskState::Failed),
                (&step.killed, TaskState::Killed),
                (&step.failed_unclean, TaskState::FailedUnclean),
                (&step.killed_unclean, TaskState::KilledUnclean),
            ];
            let end = ends.into_iter().find(|(list, _)| list.contains(&name));
            if let Some((_, state)) = end {
                // A cleanup that succeeds ends its attempt the way it was to end.
                status.state = match (status.phase == Phase::Cleanup, status.state) {
                    (true, TaskState::FailedUnclean) => TaskState::Failed,
                    (true, TaskState::KilledUnclean) => TaskState::Killed,
                    _ => state,
                };
                status.finish_time = WALL + step.t as i64;
                status.output_size = if status.kind() == TaskKind::Map { 0 } else { -1 };
            }
            status.progress = step.progress.get(&name).copied().unwrap_or(0.0);
        }
        let answer = self.bench.raw_beat(&tracker);
        tracker.obey(self.bench.now(), &answer);
        let mut assigned = Vec::new();
        let mut killed = Vec::new();
        for action in &answer.actions {
            match action {
                TaskTrackerAction::Launch(task) => {
                    // Attempts begin one after another, so that none is as young as another.
                    let index = assigned.len() as i64;
                    tracker.attempts.get_mut(&short(&task.attempt)).unwrap().start_time += index;
                    assigned.push(spell(&task.attempt));
                }
                // Attempts that have ended are told to go, too; the scenarios leave those out.
                TaskTrackerAction::KillTask(attempt) if tracker.has(&short(attempt)) => {
                    let name = spell(attempt);
                    if self.told_to_kill.insert((id.clone(), name.clone())) {
                        killed.push(name);
                    }
                }
                _ => {}
            }
        }
        capacity::check_queues(self, step);
        fair::check_delays(self, step);
        self.trackers.insert(id.clone(), tracker);
        let at = format!("{} at {} on {id} ({})", self.scenario.name, step.t, self.scenario.rule);
        assert_eq!(assigned, step.assign, "assignments, {at}");
        assert_eq!(killed, step.kill, "kills, {at}");
        self.check_locality(step, &at);
        let jobs = self.jobs.iter().filter(|(_, job)| self.bench.status(job).state == JobState::Succeeded);
        let done: BTreeSet<i32> = jobs.map(|(number, _)| *number).collect();
        let newly: Vec<i32> = done.difference(&self.done).copied().collect();
        assert_eq!(newly, step.jobs_done, "finished jobs, {at}");
        self.done = done;
    }
}

impl Replay<'_> {
    /// The job's counters say how near their data its maps started.
    fn check_locality(&mut self, step: &Step, at: &str) {
        for (name, letter) in step.assign.iter().zip(step.loc.iter().flat_map(|letters| letters.chars())) {
            let job: i32 = name[..name.find(['m', 'r']).unwrap()].parse().unwrap();
            let near = self.near.entry(job).or_default();
            near.0 += i64::from(letter == 'N');
            near.1 += i64::from(letter == 'R');
        }
        for (number, near) in &self.near {
            let counters = self.bench.jt.job_counters(&Caller::named("mapred"), &self.jobs[number]).unwrap().unwrap();
            let get = |name| counters.get(types::counter_names::JOB, name).unwrap_or(0);
            assert_eq!((get("DATA_LOCAL_MAPS"), get("RACK_LOCAL_MAPS")), *near, "locality of job {number}, {at}");
        }
    }
}

/// Replays a file of scenarios with the scheduler that `scheduler` makes of a scenario; how many there were.
fn replay(file: &str, scheduler: fn(&Scenario) -> SchedulerKind) -> usize {
    let path = format!("{}/../../tests/vectors/schedulers/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let vectors: Vectors = serde_json::from_str(&text).unwrap();
    for scenario in &vectors.scenarios {
        let pad = scenario.conf.get("mapred.jobtracker.taskalloc.capacitypad");
        let settings = Settings {
            early_reduces: false,
            capacity_pad: pad.map_or(0.01, |pad| pad.parse().unwrap()),
            scheduler: scheduler(scenario),
            ..capacity::settings(scenario)
        };
        let mut replay = Replay {
            scenario,
            bench: Bench::new(settings),
            trackers: BTreeMap::new(),
            jobs: BTreeMap::new(),
            done: BTreeSet::new(),
            running: BTreeSet::new(),
            told_to_kill: BTreeSet::new(),
            near: BTreeMap::new(),
            preemptions: Vec::new(),
            reserved: BTreeMap::new(),
        };
        for step in &scenario.steps {
            replay.step(step);
        }
    }
    vectors.scenarios.len()
}

#[test]
fn fifo_decides_as_hadoops_does() {
    assert_eq!(replay("fifo.json", |_| SchedulerKind::Fifo), 69);
}

#[test]
fn the_limit_of_tasks_per_job_works_as_hadoops() {
    let limit = |scenario: &Scenario| {
        let limit = scenario.conf.get("mapred.jobtracker.taskScheduler.maxRunningTasksPerJob");
        SchedulerKind::LimitTasksPerJob { running_tasks_max: limit.map(|limit| limit.parse().unwrap()) }
    };
    assert_eq!(replay("limit.json", limit), 21);
}

#[test]
fn capacity_decides_as_hadoops_does() {
    assert_eq!(replay("capacity.json", capacity::scheduler), 73);
}

#[test]
fn the_fair_scheduler_decides_as_hadoops_does() {
    assert_eq!(replay("fair.json", fair::scheduler), 96);
}
