//! Jobs that do not simply succeed: an attempt that fails once, a job that fails, a job that is killed.

use types::{JobState, TaskKind};

use crate::bench::Bench;
use crate::files::{await_that, write};
use crate::job::Job;
use crate::scenes::{Gates, Ran, stream, write_lines};

use howdah_tests::harness::Run;

/// A job of maps alone whose first map fails once, after it has written.
pub(crate) struct Retried {
    pub(crate) ran: Ran,
}

/// A job whose maps always fail.
pub(crate) struct Failed {
    pub(crate) ran: Ran,
}

/// A job that was killed while its maps ran.
pub(crate) struct Killed {
    pub(crate) ran: Ran,
    /// What `hadoop job -kill` said.
    pub(crate) kill: Run,
    pub(crate) had_temporary_output: bool,
    pub(crate) state: JobState,
}

pub(super) fn play_retried(bench: &Bench) -> Retried {
    let script = bench.path("scripts/fail-once.sh");
    write(
        &script,
        "#!/bin/sh\ncase $mapred_task_id in\n*_m_000000_0) echo written-in-vain; echo why-it-failed >&2; exit 3 ;;\n\
         esac\nexec cat\n",
    );
    let input = write_lines(bench, "retried", 2);
    let mapper = format!("sh {}", script.display());
    let run = stream(bench, "retried", &input, &["mapred.reduce.tasks=0"], &["-mapper", &mapper]);
    Retried { ran: Ran::of(run) }
}

pub(super) fn play_failed(bench: &Bench) -> Failed {
    let script = bench.path("scripts/fail.sh");
    write(&script, "#!/bin/sh\ncat > /dev/null\necho never-kept\nexit 7\n");
    let input = write_lines(bench, "failed", 1);
    let mapper = format!("sh {}", script.display());
    let properties = ["mapred.reduce.tasks=0", "mapred.map.max.attempts=2"];
    let run = stream(bench, "failed", &input, &properties, &["-mapper", &mapper]);
    Failed { ran: Ran::of(run) }
}

pub(super) fn play_killed(bench: &Bench) -> Killed {
    let gates = Gates::new(bench, "killed");
    let mapper = gates.command("map");
    let input = write_lines(bench, "killed", 2);
    std::thread::scope(|scope| {
        let client = scope.spawn(|| stream(bench, "killed", &input, &["mapred.reduce.tasks=0"], &["-mapper", &mapper]));
        let job = Job::await_named(bench, "killed");
        for task in 0..2 {
            job.await_child(&job.attempt(TaskKind::Map, task, 0));
        }
        let temporary = bench.path("out/killed/_temporary");
        await_that("the attempts have temporary output", || temporary.is_dir());
        let kill = bench.job(&["-kill", &job.id.to_string()]);
        let state = job.await_end();
        let run = client.join().expect("the client");
        Killed { ran: Ran { run, id: job.id }, kill, had_temporary_output: true, state }
    })
}
