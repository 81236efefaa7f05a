//! Jobs that many cases share: each runs once per cell, when a case or a worker first asks for it.
//!
//! Scripts of streaming jobs stand still at gates, files that a scene writes when it has seen enough, so that nothing
//! depends on how fast a machine is.

mod endings;
mod gated;
pub(crate) mod guarded;
mod lost;
pub(crate) mod rarer;
mod rules;
mod streamed;
mod unhealthy;
mod word_count;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use howdah_tests::harness::Run;
use types::JobId;

use crate::bench::{Bench, Tool, shown};
use crate::case::caught;
use crate::files::write;
use crate::job::Job;

pub(crate) use endings::{Failed, Killed, Retried};
pub(crate) use gated::Gated;
pub(crate) use guarded::Guarded;
pub(crate) use lost::Lost;
pub(crate) use streamed::Streamed;
pub(crate) use unhealthy::Unhealthy;
pub(crate) use word_count::WordCount;

type Scene<T> = OnceLock<Result<T, ()>>;

/// The scenes of a cell.
#[derive(Default)]
pub(crate) struct Scenes {
    word_count: Scene<WordCount>,
    streamed: Scene<Streamed>,
    retried: Scene<Retried>,
    failed: Scene<Failed>,
    killed: Scene<Killed>,
    gated: Scene<Gated>,
    lost: Scene<Lost>,
    shaped: Scene<Ran>,
    sorted: Scene<Ran>,
    combined: Scene<Ran>,
    lenient: Scene<Ran>,
    surroundings: Scene<Ran>,
    tolerated: Scene<Ran>,
    counted: Scene<Ran>,
    silent: Scene<Ran>,
    setupless: Scene<Ran>,
    reduce_retried: Scene<Ran>,
    debugged: Scene<Ran>,
    reused: Scene<Ran>,
    skipped: Scene<Ran>,
    profiled: Scene<Ran>,
    overtaken: Scene<Ran>,
    piped: Scene<Ran>,
    guarded: Scene<Guarded>,
    unhealthy: Scene<Unhealthy>,
}

/// A job that its client ran to its end.
pub(crate) struct Ran {
    pub(crate) run: Run,
    pub(crate) id: JobId,
}

impl Ran {
    fn of(run: Run) -> Ran {
        let ids = run.job_ids();
        let id = ids.first().unwrap_or_else(|| panic!("no job was run: {run:#?}"));
        Ran { id: id.parse().expect("a job's id"), run }
    }

    pub(crate) fn job<'a>(&self, bench: &'a Bench) -> Job<'a> {
        Job { bench, id: self.id.clone() }
    }
}

fn once<'a, T>(name: &str, scene: &'a Scene<T>, bench: &Bench, play: fn(&Bench) -> T) -> &'a T {
    let played = scene.get_or_init(|| {
        let played = caught(|| play(bench));
        if let Err(problem) = &played {
            println!("  the shared job {name} went wrong: {problem}");
        }
        played.map_err(|_| ())
    });
    played.as_ref().unwrap_or_else(|()| panic!("the shared job {name} went wrong"))
}

macro_rules! scenes {
    ($($name:ident: $type:ty = $play:path;)*) => {
        impl Bench {
            $(pub(crate) fn $name(&self) -> &$type {
                once(stringify!($name), &self.scenes.$name, self, $play)
            })*
        }
    };
}

scenes! {
    word_count: WordCount = word_count::play;
    streamed: Streamed = streamed::play;
    retried: Retried = endings::play_retried;
    failed: Failed = endings::play_failed;
    killed: Killed = endings::play_killed;
    gated: Gated = gated::play;
    lost: Lost = lost::play;
    shaped: Ran = rules::play_shaped;
    sorted: Ran = rules::play_sorted;
    combined: Ran = rules::play_combined;
    lenient: Ran = rules::play_lenient;
    surroundings: Ran = rules::play_surroundings;
    tolerated: Ran = rules::play_tolerated;
    counted: Ran = rules::play_counted;
    silent: Ran = rules::play_silent;
    setupless: Ran = rules::play_setupless;
    reduce_retried: Ran = rules::play_reduce_retried;
    debugged: Ran = rules::play_debugged;
    reused: Ran = rules::play_reused;
    skipped: Ran = rarer::play_skipped;
    profiled: Ran = rarer::play_profiled;
    overtaken: Ran = rarer::play_overtaken;
    piped: Ran = rarer::play_piped;
    guarded: Guarded = guarded::play;
    unhealthy: Unhealthy = unhealthy::play;
}

/// What may run side by side, in an order that keeps the slots busy. `lost`, which kills a TaskTracker, comes last and
/// alone.
pub(crate) const SIDE_BY_SIDE: &[fn(&Bench)] = &[
    |bench| _ = bench.gated(),
    |bench| _ = bench.killed(),
    |bench| _ = bench.retried(),
    |bench| _ = bench.word_count(),
    |bench| _ = bench.failed(),
    |bench| _ = bench.streamed(),
];

/// What cases outside the core share.
pub(crate) const MORE_SIDE_BY_SIDE: &[fn(&Bench)] = &[
    |bench| _ = bench.overtaken(),
    |bench| _ = bench.silent(),
    |bench| _ = bench.skipped(),
    |bench| _ = bench.shaped(),
    |bench| _ = bench.sorted(),
    |bench| _ = bench.combined(),
    |bench| _ = bench.lenient(),
    |bench| _ = bench.surroundings(),
    |bench| _ = bench.tolerated(),
    |bench| _ = bench.counted(),
    |bench| _ = bench.setupless(),
    |bench| _ = bench.reduce_retried(),
    |bench| _ = bench.debugged(),
    |bench| _ = bench.reused(),
    |bench| _ = bench.profiled(),
    |bench| _ = bench.piped(),
    |bench| _ = bench.guarded(),
    |bench| _ = bench.unhealthy(),
];

/// The gates of one job.
struct Gates {
    dir: PathBuf,
}

impl Gates {
    fn new(bench: &Bench, job: &str) -> Gates {
        let dir = bench.path(&format!("gates/{job}"));
        std::fs::create_dir_all(&dir).expect("a folder");
        Gates { dir }
    }

    /// Lets the attempts of a task go on.
    fn open(&self, gate: &str) {
        write(&self.dir.join(gate), "");
    }

    /// A command that waits at the gate of its task, `KIND-NUMBER`, and then copies its input. It ends too when the
    /// cluster is gone.
    fn command(&self, kind: &str) -> String {
        let gates = shown(&self.dir);
        let script = self.dir.with_extension(format!("{kind}.sh"));
        write(
            &script,
            &format!(
                "#!/bin/sh\ngate={gates}/{kind}-$mapred_task_partition\n\
                 while [ -d {gates} ] && [ ! -e $gate ]; do sleep 0.2; done\nexec cat\n"
            ),
        );
        format!("sh {}", shown(&script))
    }
}

/// Writes as many files of one line, each of which becomes a map, and gives their folder.
pub(crate) fn write_lines(bench: &Bench, job: &str, files: usize) -> PathBuf {
    let dir = bench.path(&format!("in/{job}"));
    for number in 0..files {
        write(&dir.join(format!("{number}.txt")), &format!("line of {number}\n"));
    }
    dir
}

/// What the client of a streaming job printed, once it has ended.
pub(crate) fn client_log(bench: &Bench, name: &str) -> PathBuf {
    bench.path(&format!("clients/{name}.txt"))
}

/// Runs a streaming job whose name is its output folder's, one map per input file.
fn stream(bench: &Bench, name: &str, input: &Path, properties: &[&str], options: &[&str]) -> Run {
    let (input, output) = (shown(input), shown(&bench.path(&format!("out/{name}"))));
    let job_name = format!("mapred.job.name={name}");
    let mut args = vec!["-D", &job_name, "-D", "mapred.map.tasks=1"];
    for property in properties {
        args.extend(["-D", property]);
    }
    args.extend(["-input", &input, "-output", &output]);
    args.extend(options);
    let run = bench.hadoop(Tool::Streaming, &args);
    write(&client_log(bench, name), &format!("{run:#?}\n"));
    run
}
