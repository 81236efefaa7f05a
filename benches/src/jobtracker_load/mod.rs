//! What a JobTracker costs: the same simulated TaskTrackers against ours and Hadoop's, through the real protocol, the
//! daemon on one core and the generator on the other.

mod generator;
mod job;
mod tracker;

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make};
use types::JobId;
use wire::mapred::job_submission::GetJobStatus;

use crate::machine;
use crate::sample::Sample;
use generator::{Generator, Pace, Until};

/// Nodes of the large clusters.
const NODES: usize = 2_000;
/// Nodes of the small one.
const FEW_NODES: usize = 500;
/// Maps of the large job.
const MAPS: usize = 20_000;
/// Maps that take some time.
const SLOW_MAPS: usize = 2_000;
const SLOW_MAP: Duration = Duration::from_secs(3);
/// Connections that heartbeats go through.
const WORKERS: usize = 16;
const IDLE_TIME: Duration = Duration::from_secs(5);
const DEADLINE: Duration = Duration::from_secs(120);

/// One line of the table.
struct Figure {
    what: &'static str,
    unit: &'static str,
    wanted: &'static str,
    hadoop: Sample,
    ours: Sample,
    /// Whether more is better.
    rate: bool,
}

const FIGURES: [(&str, &str, &str, bool); 14] = [
    ("500 idle trackers, CPU per heartbeat", "µs", "≤ 0.15", false),
    ("500 idle trackers, p99", "ms", "≤ 0.25", false),
    ("2,000 idle trackers, heartbeats", "/s", "", true),
    ("2,000 idle trackers, CPU per heartbeat", "µs", "≤ 0.15", false),
    ("2,000 idle trackers, p99", "ms", "≤ 0.25", false),
    ("registering 2,000 trackers", "s", "≤ 0.3 s", false),
    ("submitting 20,000 maps", "s", "≤ 0.5 s", false),
    ("20,000 instant maps, CPU per task", "µs", "≤ 0.12", false),
    ("20,000 instant maps, tasks", "/s", "≥ 5", true),
    ("20,000 instant maps, p99.9", "ms", "≤ 20 ms", false),
    ("20,000 instant maps, worst heartbeat", "ms", "", false),
    ("20,000 instant maps, the generator's CPU share", "%", "", false),
    ("2,000 trackers at 1/s, 2,000 maps of 3 s, p99", "ms", "≤ 0.15", false),
    ("resident memory after 40,000 tasks", "MiB", "≤ 80 MiB", false),
];

/// Measures both makes `runs` times, in turn, and prints the table.
pub(crate) fn run(runs: usize) -> Result<()> {
    let install = Install::find().map_err(|message| anyhow!(message))?;
    // Before this process has but one core.
    let on_what = machine::describe();
    pin(std::process::id(), 1)?;
    let mut figures = FIGURES.map(|(what, unit, wanted, rate)| Figure {
        what,
        unit,
        wanted,
        rate,
        hadoop: Sample::default(),
        ours: Sample::default(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for _ in 0..runs {
        for make in [Make::Hadoop, Make::Howdah] {
            let measured = runtime.block_on(measure(&install, make))?;
            for (figure, value) in figures.iter_mut().zip(measured) {
                let sample = if make == Make::Hadoop { &mut figure.hadoop } else { &mut figure.ours };
                sample.add(value);
            }
        }
    }
    print_table(&figures, runs, &on_what);
    Ok(())
}

/// The figures of one fresh daemon, in the order of [`FIGURES`].
async fn measure(install: &Install, make: Make) -> Result<[f64; FIGURES.len()]> {
    let step = |what: &str| eprintln!("{make:?}: {what}");
    step("500 idle trackers");
    let mut few = daemon(install, make)?;
    let mut generator = Generator::new(few.rpc_port, FEW_NODES, WORKERS);
    generator.run(Pace::Closed, Until::OneRound, Duration::ZERO).await?;
    let (few_cpu, few_idle) = idle(&mut generator, &few).await?;
    few.jobtracker.stop();

    step("2,000 idle trackers");
    let cluster = daemon(install, make)?;
    let pid = cluster.jobtracker.pid();
    let mut generator = Generator::new(cluster.rpc_port, NODES, WORKERS);
    let registered = generator.run(Pace::Closed, Until::OneRound, Duration::ZERO).await?;
    let (cpu, idle) = idle(&mut generator, &cluster).await?;

    step("20,000 instant maps");
    let begin = Instant::now();
    let job = submit(&cluster, MAPS)?;
    let submitted = begin.elapsed().as_secs_f64();
    let (before, own_before) = (machine::cpu_seconds(pid)?, machine::cpu_seconds(std::process::id())?);
    let instant = generator.run(Pace::Closed, Until::Maps(MAPS), Duration::ZERO).await?;
    let (after, own_after) = (machine::cpu_seconds(pid)?, machine::cpu_seconds(std::process::id())?);
    finish(&mut generator, &cluster, &job).await?;

    step("2,000 maps of 3 s");
    let slow = submit(&cluster, SLOW_MAPS)?;
    let every = Pace::Every(Duration::from_secs(1));
    let paced = generator.run(every, Until::Maps(SLOW_MAPS), SLOW_MAP).await?;
    finish(&mut generator, &cluster, &slow).await?;

    step("20,000 instant maps more");
    let again = submit(&cluster, MAPS)?;
    generator.run(Pace::Closed, Until::Maps(MAPS), Duration::ZERO).await?;
    finish(&mut generator, &cluster, &again).await?;
    let memory = machine::resident_mib(pid).context("the JobTracker's memory")?;

    Ok([
        few_cpu,
        few_idle.percentile_ms(0.99),
        idle.latencies.len() as f64 / idle.elapsed,
        cpu,
        idle.percentile_ms(0.99),
        registered.elapsed,
        submitted,
        (after - before) * 1e6 / MAPS as f64,
        MAPS as f64 / instant.elapsed,
        instant.percentile_ms(0.999),
        instant.percentile_ms(1.0),
        (own_after - own_before) * 100.0 / instant.elapsed,
        paced.percentile_ms(0.99),
        memory,
    ])
}

/// A JobTracker alone, on the first core.
fn daemon(install: &Install, make: Make) -> Result<Cluster> {
    let cluster = Cluster::start(install, &ClusterOptions::of(make).trackers(0));
    pin(cluster.jobtracker.pid(), 0)?;
    Ok(cluster)
}

/// CPU microseconds per heartbeat, and the heartbeats.
async fn idle(generator: &mut Generator, cluster: &Cluster) -> Result<(f64, generator::Outcome)> {
    let pid = cluster.jobtracker.pid();
    // The first rounds warm a JVM up and do not count.
    generator.run(Pace::Closed, Until::Time(IDLE_TIME), Duration::ZERO).await?;
    let before = machine::cpu_seconds(pid)?;
    let outcome = generator.run(Pace::Closed, Until::Time(IDLE_TIME), Duration::ZERO).await?;
    let cpu = machine::cpu_seconds(pid)? - before;
    Ok((cpu * 1e6 / outcome.latencies.len() as f64, outcome))
}

fn submit(cluster: &Cluster, maps: usize) -> Result<JobId> {
    job::submit(&mut cluster.rpc_client(), maps, NODES)
}

/// Goes on with heartbeats until the job is over, and checks that it was whole.
async fn finish(generator: &mut Generator, cluster: &Cluster, job: &JobId) -> Result<()> {
    let begin = Instant::now();
    loop {
        let status = cluster.rpc_client().call(&GetJobStatus { job: job.clone() })?.context("the job")?;
        if status.state.is_complete() {
            if status.state != types::JobState::Succeeded {
                bail!("{job} ended as {}", status.state.name());
            }
            return Ok(());
        }
        if begin.elapsed() > DEADLINE {
            bail!("{job} is {} after {DEADLINE:?}", status.state.name());
        }
        generator.run(Pace::Closed, Until::OneRound, Duration::ZERO).await?;
    }
}

/// Binds all threads of a process to a core.
fn pin(pid: u32, core: usize) -> Result<()> {
    let pinned = Command::new("taskset").args(["-a", "-c", "-p", &core.to_string(), &pid.to_string()]).output();
    let output = pinned.context("taskset (Debian: util-linux)")?;
    if !output.status.success() {
        bail!("taskset: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn print_table(figures: &[Figure], runs: usize, on_what: &str) {
    println!("{on_what}");
    println!("The JobTracker on one core, the generator on the other; median of {runs} runs (least–greatest).\n");
    println!("| what | Hadoop 1.2.1 | Howdah | ratio | wanted |");
    println!("|---|---|---|---|---|");
    for figure in figures {
        let ratio = figure.ours.median() / figure.hadoop.median();
        let (hadoop, ours) = (figure.hadoop.show(figure.unit), figure.ours.show(figure.unit));
        let shown = if figure.rate { format!("{ratio:.1}") } else { format!("{ratio:.3}") };
        println!("| {} | {hadoop} | {ours} | {shown} | {} |", figure.what, figure.wanted);
    }
}
