//! The memory watch: which attempts use more than they may, by what `/proc` said of their processes (Hadoop 1.2.1:
//! TaskMemoryManagerThread, util.ProcfsBasedProcessTree).
//!
//! An attempt over its own limit fails, with its process tree in the diagnostics. When all together use more than the
//! node's slots have, those with the least progress are killed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use types::{Now, TaskAttemptId, TaskKind};

use crate::TaskTracker;
use crate::attempt::Stage;
use crate::child::RunId;

/// A process as `/proc` told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: i32,
    /// Who started it.
    pub parent: i32,
    /// Its group.
    pub group: i32,
    /// Its session.
    pub session: i32,
    /// The program's name.
    pub name: String,
    /// When it started, in whatever unit; tells it from an earlier process of the same id.
    pub started: u64,
    /// Time in user mode.
    pub user_ms: u64,
    /// Time in the kernel.
    pub system_ms: u64,
    /// Address space.
    pub virtual_bytes: u64,
    /// Pages in memory.
    pub resident_pages: u64,
    /// Its arguments; empty if they could not be read.
    pub command_line: String,
}

/// Processes of one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProcessTable {
    processes: BTreeMap<i32, Process>,
    page_bytes: u64,
}

impl ProcessTable {
    /// A table of these processes on a machine with such pages.
    pub fn new(processes: impl IntoIterator<Item = Process>, page_bytes: u64) -> Self {
        let processes = processes.into_iter().map(|process| (process.pid, process)).collect();
        ProcessTable { processes, page_bytes }
    }

    /// The ids of these processes and of all below them.
    pub fn below(&self, roots: &[i32]) -> BTreeSet<i32> {
        let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
        for process in self.processes.values() {
            children.entry(process.parent).or_default().push(process.pid);
        }
        let mut found = BTreeSet::new();
        let mut open: Vec<i32> = roots.iter().copied().filter(|pid| self.processes.contains_key(pid)).collect();
        while let Some(pid) = open.pop() {
            if found.insert(pid) {
                open.extend(children.get(&pid).into_iter().flatten());
            }
        }
        found
    }

    /// Leaves only these processes, and gives each its arguments.
    pub fn keep(&mut self, pids: &BTreeSet<i32>, mut command_line: impl FnMut(i32) -> String) {
        self.processes.retain(|pid, _| pids.contains(pid));
        self.processes.values_mut().for_each(|process| process.command_line = command_line(process.pid));
    }

    fn tree(&self, root: i32) -> Vec<&Process> {
        self.below(&[root]).iter().filter_map(|pid| self.processes.get(pid)).collect()
    }
}

/// The most that one attempt may use; nothing for no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryLimits {
    /// Address space of all its processes together, in bytes.
    pub virtual_bytes: Option<u64>,
    /// Memory of all its processes together, in bytes.
    pub resident_bytes: Option<u64>,
}

/// How often each process of an attempt was seen, by id and start.
pub(crate) type Ages = BTreeMap<(i32, u64), u32>;

/// What a tree of processes uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Usage {
    virtual_bytes: u64,
    resident_bytes: u64,
}

/// A limit that was passed.
struct Excess {
    what: &'static str,
    used: u64,
    limit: u64,
}

/// Over twice the limit, or over it with processes alone that were there a round ago: a JVM that starts a program counts
/// double for a moment (TaskMemoryManagerThread.isProcessTreeOverLimit).
fn over(used: u64, used_by_aged: u64, limit: Option<u64>) -> Option<u64> {
    limit.filter(|limit| used > limit.saturating_mul(2) || used_by_aged > *limit)
}

fn excess(all: Usage, aged: Usage, limits: MemoryLimits) -> Option<Excess> {
    let virtual_bytes = over(all.virtual_bytes, aged.virtual_bytes, limits.virtual_bytes).map(|limit| Excess {
        what: "memory-limits",
        used: all.virtual_bytes,
        limit,
    });
    virtual_bytes.or_else(|| {
        over(all.resident_bytes, aged.resident_bytes, limits.resident_bytes).map(|limit| Excess {
            what: "physical memory-limits",
            used: all.resident_bytes,
            limit,
        })
    })
}

impl TaskTracker {
    /// The roots of the process trees that are to be looked at: children with an attempt that some limit concerns.
    pub fn watched_processes(&self) -> Vec<i32> {
        self.watched().into_iter().map(|(_, pid, _)| pid).collect()
    }

    fn watched(&self) -> Vec<(RunId, i32, MemoryLimits)> {
        let launched = self.runs.iter().filter_map(|(id, run)| match &run.stage {
            Stage::Launched { jvm } => Some((*id, run, self.children.get(jvm)?.pid?)),
            _ => None,
        });
        launched
            .map(|(id, run, pid)| (id, pid, self.limits_of(&run.task.attempt)))
            .filter(|(_, _, limits)| self.settings.memory_total.is_some() || *limits != MemoryLimits::default())
            .collect()
    }

    /// An attempt's limits. What a job says of address space counts only where the site watches it.
    fn limits_of(&self, attempt: &TaskAttemptId) -> MemoryLimits {
        let info = self.jobs.get(attempt.job()).and_then(|job| job.info());
        let mut limits = info.map_or_else(MemoryLimits::default, |info| match attempt.kind() {
            TaskKind::Map => info.map_memory,
            TaskKind::Reduce => info.reduce_memory,
        });
        if self.settings.memory_total.is_none() {
            limits.virtual_bytes = None;
        }
        limits
    }

    /// Ends what uses too much. The table holds the processes of [`TaskTracker::watched_processes`] and all below them.
    pub fn memory_seen(&mut self, now: Now, table: &ProcessTable) {
        let watched = self.watched();
        self.ages.retain(|id, _| watched.iter().any(|(watched, _, _)| watched == id));
        let mut used = BTreeMap::new();
        for (id, root, limits) in watched {
            let tree = table.tree(root);
            let (all, aged) = self.grow_older(id, &tree, table.page_bytes);
            match excess(all, aged, limits) {
                Some(excess) => self.fail_for_memory(now, id, root, &excess, &tree),
                None => {
                    used.insert(id, all.virtual_bytes);
                }
            }
        }
        self.kill_for_memory(now, used);
    }

    /// What the whole tree uses, and what those of its processes use that an earlier round saw.
    fn grow_older(&mut self, id: RunId, tree: &[&Process], page_bytes: u64) -> (Usage, Usage) {
        let before = self.ages.remove(&id).unwrap_or_default();
        let (mut all, mut aged, mut ages) = (Usage::default(), Usage::default(), Ages::new());
        for process in tree {
            let key = (process.pid, process.started);
            let age = before.get(&key).map_or(1, |age| age + 1);
            ages.insert(key, age);
            for usage in [Some(&mut all), (age > 1).then_some(&mut aged)].into_iter().flatten() {
                usage.virtual_bytes += process.virtual_bytes;
                usage.resident_bytes += process.resident_pages * page_bytes;
            }
        }
        self.ages.insert(id, ages);
        (all, aged)
    }

    fn fail_for_memory(&mut self, now: Now, id: RunId, root: i32, excess: &Excess, tree: &[&Process]) {
        let attempt = self.run(id).task.attempt.clone();
        let Excess { what, used, limit } = excess;
        let text = format!(
            "TaskTree [pid={root},tipID={attempt}] is running beyond {what}. Current usage : {used}bytes. \
             Limit : {limit}bytes. Killing task. \nDump of the process-tree for {attempt} : \n{}",
            dump(tree)
        );
        self.end_attempt(now, &attempt, true, &text);
    }

    /// Kills attempts with the least progress until the others fit (TaskMemoryManagerThread.killTasksWithLeastProgress).
    fn kill_for_memory(&mut self, now: Now, mut used: BTreeMap<RunId, u64>) {
        let Some(total) = self.settings.memory_total else { return };
        let mut sum: u64 = used.values().sum();
        while sum > total {
            let Some(id) = self.least_worth(|id| used.contains_key(&id)) else { return };
            sum -= used.remove(&id).unwrap_or(0);
            let (attempt, host) = (self.run(id).task.attempt.clone(), &self.settings.host);
            let text = format!(
                "Killing one of the least progress tasks - {attempt}, as the cumulative memory usage of all the tasks \
                 on the TaskTracker {host} exceeds virtual memory limit {total}."
            );
            self.end_attempt(now, &attempt, false, &text);
        }
    }
}

/// The tree as operators know it (ProcfsBasedProcessTree.getProcessTreeDump).
fn dump(tree: &[&Process]) -> String {
    let mut text = String::from(
        "\t|- PID PPID PGRPID SESSID CMD_NAME USER_MODE_TIME(MILLIS) SYSTEM_TIME(MILLIS) VMEM_USAGE(BYTES) \
         RSSMEM_USAGE(PAGES) FULL_CMD_LINE\n",
    );
    for process in tree {
        let Process { pid, parent, group, session, name, user_ms, system_ms, .. } = process;
        let command_line = if process.command_line.is_empty() { "N/A" } else { &process.command_line };
        let _ = writeln!(
            text,
            "\t|- {pid} {parent} {group} {session} ({name}) {user_ms} {system_ms} {} {} {command_line}",
            process.virtual_bytes, process.resident_pages
        );
    }
    text
}
