//! Jobs that do nothing, or next to nothing: what a cluster adds to any job. And what its daemons weigh when idle.

use std::fs;

use anyhow::{Result, anyhow};
use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, Run};

use crate::machine;
use crate::sample::Sample;

const SLEEP: [&str; 9] = ["sleep", "-m", "1", "-r", "1", "-mt", "1", "-rt", "1"];
const NEVER: &str = "-Dhowdah.child.native=never";
const JAVA_CHILDREN: &str = "Java client, Java children";

/// One way to run one job.
struct Way {
    job: &'static str,
    how: &'static str,
    hadoop: bool,
    limit: &'static str,
    sample: Sample,
}

impl Way {
    fn new(job: &'static str, how: &'static str, hadoop: bool, limit: &'static str) -> Self {
        Way { job, how, hadoop, limit, sample: Sample::default() }
    }
}

/// Runs every way `runs` times, in turn, and prints the table.
pub(crate) fn run(runs: usize) -> Result<()> {
    let install = Install::find().map_err(|message| anyhow!(message))?;
    let hadoop = Cluster::start(&install, &ClusterOptions::of(Make::Hadoop));
    let ours = Cluster::start(&install, &ClusterOptions::of(Make::Howdah));
    let memory = idle_memory(&hadoop, &ours);
    let input = ours.dir().join("input");
    fs::create_dir_all(&input)?;
    for (name, text) in [("a", "the quick brown fox\n"), ("b", "jumps over\n"), ("c", "the lazy dog\n")] {
        fs::write(input.join(name), text)?;
    }
    let input = input.display().to_string();

    let mut ways = [
        Way::new("sleep", JAVA_CHILDREN, true, ""),
        Way::new("sleep", JAVA_CHILDREN, false, "0.6"),
        Way::new("sleep", "Java client, native children", false, "0.25"),
        Way::new("sleep", "our client, native children", false, "0.4 s"),
        Way::new("word count", JAVA_CHILDREN, true, ""),
        Way::new("word count", JAVA_CHILDREN, false, "0.5"),
        Way::new("word count", "Java client, native children", false, "0.15"),
        Way::new("word count", "our client, native children", false, ""),
    ];
    // The first round warms files and class-data archives up and does not count.
    for round in 0..=runs {
        for (number, way) in ways.iter_mut().enumerate() {
            let cluster = if way.hadoop { &hadoop } else { &ours };
            let output = format!("out-{round}-{number}");
            let mut args: Vec<&str> = match way.job {
                "sleep" => SLEEP.to_vec(),
                _ => vec!["wordcount", &input, &output],
            };
            if way.how == JAVA_CHILDREN && !way.hadoop {
                args.insert(1, NEVER);
            }
            let run = if way.how.starts_with("our client") {
                args.insert(0, "examples");
                cluster.hadoop(&args)
            } else {
                cluster.java_jar("hadoop-examples", &args)
            };
            let run: Run = run.expect_success();
            if round > 0 {
                way.sample.add_time(run.elapsed);
            }
        }
    }
    print_table(&ways, &memory, runs);
    Ok(())
}

fn idle_memory(hadoop: &Cluster, ours: &Cluster) -> [[f64; 2]; 2] {
    [hadoop, ours].map(|cluster| {
        [&cluster.jobtracker, &cluster.tasktrackers[0]]
            .map(|daemon| machine::resident_mib(daemon.pid()).unwrap_or(f64::NAN))
    })
}

fn print_table(ways: &[Way], memory: &[[f64; 2]; 2], runs: usize) {
    println!("{}", machine::describe());
    println!("Whole client processes, from start to end; median of {runs} runs (least–greatest).\n");
    println!("| job | how | daemons | time | ratio | wanted |");
    println!("|---|---|---|---|---|---|");
    for way in ways {
        let rival = ways.iter().find(|other| other.hadoop && other.job == way.job).expect("Hadoop ran each job");
        let ratio = way.sample.median() / rival.sample.median();
        let ratio = if way.hadoop { "1".to_owned() } else { format!("{ratio:.3}") };
        let daemons = if way.hadoop { "Hadoop 1.2.1" } else { "Howdah" };
        let wanted = if way.limit.is_empty() { String::new() } else { format!("≤ {}", way.limit) };
        println!("| {} | {} | {daemons} | {} | {ratio} | {wanted} |", way.job, way.how, way.sample.show("s"));
    }
    println!("\n| idle resident memory | Hadoop 1.2.1 | Howdah | wanted |");
    println!("|---|---|---|---|");
    for (at, (daemon, wanted)) in [("JobTracker", 20), ("TaskTracker", 15)].into_iter().enumerate() {
        println!("| {daemon} | {:.1} MiB | {:.1} MiB | ≤ {wanted} MiB |", memory[0][at], memory[1][at]);
    }
}
