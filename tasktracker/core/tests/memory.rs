//! Attempts that use more memory than they may.

mod support;

use support::{at, beat, info, map_number, running, settings};
use tasktracker_core::{Effect, JobInfo, MemoryLimits, Process, ProcessTable, Settings, Signal, TaskTracker};
use types::{JvmId, Phase, TaskState, TaskStatus};

const MB: u64 = 1 << 20;

fn running_maps(settings: Settings, info: JobInfo, count: i32) -> (TaskTracker, Vec<JvmId>) {
    running(settings, info, (0..count).map(map_number).collect())
}

fn process(pid: i32, parent: i32, virtual_bytes: u64) -> Process {
    Process {
        pid,
        parent,
        group: 4711,
        session: 4711,
        name: "java".into(),
        started: 5,
        user_ms: 20,
        system_ms: 10,
        virtual_bytes,
        resident_pages: virtual_bytes / 4096 / 2,
        command_line: "java -cp x".into(),
    }
}

fn table(processes: impl IntoIterator<Item = Process>) -> ProcessTable {
    ProcessTable::new(processes, 4096)
}

/// One map with a limit of 100 MB of address space.
fn one_map() -> TaskTracker {
    let limits = MemoryLimits { virtual_bytes: Some(100 * MB), resident_bytes: None };
    let settings = Settings { memory_total: Some(1000 * MB), ..settings() };
    let (core, _) = running_maps(settings, JobInfo { map_memory: limits, ..info() }, 1);
    assert_eq!(core.watched_processes(), [4711]);
    core
}

/// What the next heartbeat tells of the attempts.
fn told(core: &mut TaskTracker) -> Vec<TaskStatus> {
    beat(core, at(9000), 2, Vec::new())
}

fn is_running(core: &mut TaskTracker) -> bool {
    told(core).iter().all(|status| status.state == TaskState::Running)
}

#[test]
fn processes_that_were_not_there_a_round_ago_may_be_over_the_limit() {
    let mut core = one_map();
    let tree = || table([process(4711, 1, 60 * MB), process(4800, 4711, 50 * MB), process(9, 1, 999 * MB)]);
    core.memory_seen(at(5000), &tree());
    assert!(is_running(&mut core), "its processes are new");
    core.memory_seen(at(10_000), &table([process(4711, 1, 60 * MB), process(4801, 4711, 50 * MB)]));
    assert!(is_running(&mut core), "another program was started");
    let restarted = Process { started: 6, ..process(4801, 4711, 50 * MB) };
    core.memory_seen(at(15_000), &table([process(4711, 1, 60 * MB), restarted]));
    assert!(is_running(&mut core), "another program under the same id");
    core.memory_seen(at(20_000), &table([process(4711, 1, 101 * MB)]));
    let told = told(&mut core);
    assert_eq!(told[0].state, TaskState::FailedUnclean);
}

#[test]
fn twice_the_limit_fails_at_once_with_the_tree_and_both_numbers() {
    let mut core = one_map();
    core.take_effects();
    core.memory_seen(at(5000), &table([process(4711, 1, 150 * MB), process(4800, 4711, 51 * MB)]));
    assert_eq!(core.broken_invariant(), None);
    let signalled = core
        .take_effects()
        .into_iter()
        .any(|effect| matches!(effect, Effect::SignalChild { pid: 4711, signal: Signal::Term, .. }));
    assert!(signalled, "its processes live on");
    let told = told(&mut core);
    assert_eq!((told[0].state, told[0].phase), (TaskState::FailedUnclean, Phase::Map));
    assert_eq!(
        told[0].diagnostics,
        "TaskTree [pid=4711,tipID=attempt_1_0001_m_000000_0] is running beyond memory-limits. Current usage : \
         210763776bytes. Limit : 104857600bytes. Killing task. \nDump of the process-tree for \
         attempt_1_0001_m_000000_0 : \n\t|- PID PPID PGRPID SESSID CMD_NAME USER_MODE_TIME(MILLIS) \
         SYSTEM_TIME(MILLIS) VMEM_USAGE(BYTES) RSSMEM_USAGE(PAGES) FULL_CMD_LINE\n\
         \t|- 4711 1 4711 4711 (java) 20 10 157286400 19200 java -cp x\n\
         \t|- 4800 4711 4711 4711 (java) 20 10 53477376 6528 java -cp x\n"
    );
}

#[test]
fn exactly_the_limit_is_within_it() {
    let mut core = one_map();
    for round in 1..=3 {
        core.memory_seen(at(5000 * round), &table([process(4711, 1, 100 * MB)]));
    }
    assert!(is_running(&mut core));
}

#[test]
fn without_sizes_of_slots_only_real_memory_is_limited() {
    let limits = MemoryLimits { virtual_bytes: Some(MB), resident_bytes: None };
    let (core, _) = running_maps(settings(), JobInfo { map_memory: limits, ..info() }, 1);
    assert_eq!(core.watched_processes(), []);
    let limits = MemoryLimits { virtual_bytes: Some(MB), resident_bytes: Some(100 * MB) };
    let (mut core, _) = running_maps(settings(), JobInfo { map_memory: limits, ..info() }, 1);
    assert_eq!(core.watched_processes(), [4711]);
    core.memory_seen(at(5000), &table([process(4711, 1, 300 * MB)]));
    assert!(is_running(&mut core), "150 MB of 100 MB, but new");
    core.memory_seen(at(9000), &table([process(4711, 1, 300 * MB)]));
    let told = told(&mut core);
    assert_eq!(told[0].state, TaskState::FailedUnclean);
    let start = "TaskTree [pid=4711,tipID=attempt_1_0001_m_000000_0] is running beyond physical memory-limits. \
                 Current usage : 157286400bytes. Limit : 104857600bytes.";
    assert!(told[0].diagnostics.starts_with(start), "{}", told[0].diagnostics);
}

#[test]
fn what_the_node_has_not_is_taken_from_those_with_the_least_progress() {
    let settings = Settings { map_slots: 3, memory_total: Some(500 * MB), ..settings() };
    let (mut core, children) = running_maps(settings, info(), 3);
    for (number, progress) in [(0, 0.9), (1, 0.1), (2, 0.5)] {
        let attempt = map_number(number).attempt;
        let mut report = TaskStatus::unassigned(attempt.clone(), 1);
        (report.state, report.progress, report.phase) = (TaskState::Running, progress, Phase::Map);
        assert!(core.status_update(at(2), &attempt, report, &children[number as usize]));
    }
    let each = |bytes| table([4711, 4712, 4713].map(|pid| process(pid, 1, bytes)));
    core.memory_seen(at(5000), &each(166 * MB));
    assert!(is_running(&mut core));
    core.memory_seen(at(10_000), &each(167 * MB));
    let told = told(&mut core);
    let states: Vec<TaskState> = told.iter().map(|status| status.state).collect();
    assert_eq!(states, [TaskState::Running, TaskState::KilledUnclean, TaskState::Running]);
    assert_eq!(
        told[1].diagnostics,
        "Killing one of the least progress tasks - attempt_1_0001_m_000001_0, as the cumulative memory usage of all \
         the tasks on the TaskTracker h exceeds virtual memory limit 524288000."
    );
    assert_eq!(core.watched_processes(), [4711, 4713]);
}
