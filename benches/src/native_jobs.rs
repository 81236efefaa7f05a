//! Jobs over real input: Hadoop's Java children, our native ones, and the machine's own tools over the same bytes.
//!
//! Hadoop's runs take a minute each, so it runs once for every three of ours.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, Run};

use crate::machine;
use crate::sample::Sample;

const OUR_RUNS_PER_RIVALS: usize = 3;
/// Bytes of a row of TeraSort.
const ROW: u64 = 100;
/// Of map output; what Hadoop's default is, said outright because GNU sort gets as much in all.
const SORT_MB: &str = "io.sort.mb=100";

/// Who runs a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Hadoop,
    JavaClient,
    OurClient,
    Tools,
}

impl Who {
    const fn name(self) -> &'static str {
        match self {
            Who::Hadoop => "Hadoop 1.2.1",
            Who::JavaClient => "Howdah, Java client",
            Who::OurClient => "Howdah, our client",
            Who::Tools => "tools",
        }
    }
}

/// A job and the ways to run it.
struct Job {
    name: &'static str,
    /// Of Hadoop's examples or of streaming, with `IN` and `OUT` in their places; ours takes the same words.
    jar: &'static str,
    args: Vec<String>,
    /// Whether `hadoop examples` and `hadoop streaming` know it.
    our_client: bool,
    /// The same by the machine's own tools: a shell's line.
    tools: &'static str,
    input: PathBuf,
    samples: [Sample; 4],
}

/// Runs every job every way, and prints the table; `mib` is the size of each input.
pub(crate) fn run(runs: usize, mib: u64) -> Result<()> {
    let install = Install::find().map_err(|message| anyhow!(message))?;
    let hadoop = Cluster::start(&install, &ClusterOptions::of(Make::Hadoop));
    let ours = Cluster::start(&install, &ClusterOptions::of(Make::Howdah));
    let inputs = Inputs::make(ours.dir(), mib, &ours)?;
    let mut jobs = jobs(&inputs);
    for round in 0..runs {
        for (number, job) in jobs.iter_mut().enumerate() {
            for (at, who) in [Who::Hadoop, Who::JavaClient, Who::OurClient, Who::Tools].into_iter().enumerate() {
                let unasked =
                    who == Who::OurClient && !job.our_client || who == Who::Hadoop && round % OUR_RUNS_PER_RIVALS != 0;
                if unasked {
                    continue;
                }
                let cluster = if who == Who::Hadoop { &hadoop } else { &ours };
                let output = cluster.dir().join(format!("out-{round}-{number}-{at}"));
                let seconds = one_run(job, who, cluster, &output)?;
                eprintln!("{} / {}: {seconds:.2} s", job.name, who.name());
                job.samples[at].add(seconds);
                if output.is_dir() {
                    fs::remove_dir_all(&output).with_context(|| output.display().to_string())?;
                }
            }
        }
    }
    print_table(&jobs, runs, mib);
    Ok(())
}

/// The files that jobs read, each in its folder.
struct Inputs {
    text: PathBuf,
    rows: PathBuf,
    quarter: PathBuf,
    scripts: PathBuf,
}

impl Inputs {
    fn make(dir: &Path, mib: u64, cluster: &Cluster) -> Result<Inputs> {
        let [text, quarter, scripts] = ["text", "quarter", "scripts"].map(|name| dir.join(name));
        for folder in [&text, &quarter, &scripts] {
            fs::create_dir_all(folder)?;
        }
        write_words(&text.join("words"), mib << 20)?;
        // Two maps' worth for commands, which are slow.
        for part in ["a", "b"] {
            write_words(&quarter.join(part), (mib << 20) / 8)?;
        }
        for (name, script) in [("map.py", MAP_PY), ("reduce.py", REDUCE_PY)] {
            fs::write(scripts.join(name), script)?;
        }
        let rows = dir.join("rows");
        let count = ((mib << 20) / ROW).to_string();
        cluster.java_jar("hadoop-examples", &["teragen", &count, &rows.display().to_string()]).expect_success();
        Ok(Inputs { text, rows, quarter, scripts })
    }
}

const MAP_PY: &str =
    "import sys\nfor line in sys.stdin:\n    for word in line.split():\n        print(word + '\\t1')\n";
const REDUCE_PY: &str = "import sys\nlast, total = None, 0\nfor line in sys.stdin:\n    word, count = line.split('\\t')\n    if \
                         word != last:\n        if last is not None:\n            print(last + '\\t' + str(total))\n        last, \
                         total = word, 0\n    total += int(count)\nif last is not None:\n    print(last + '\\t' + str(total))\n";

/// Lines of ten words out of twenty thousand, the frequent ones more often, the same ones in each run.
fn write_words(path: &Path, bytes: u64) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut written = 0;
    let mut line = String::new();
    while written < bytes {
        line.clear();
        for word in 0..10 {
            // The smaller of three dice: small numbers come up often.
            let number = (0..3).map(|_| next() % 20_000).min().unwrap_or(0);
            line.push_str(if word == 0 { "" } else { " " });
            line.push_str(&format!("w{number}"));
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
    }
    Ok(out.flush()?)
}

fn jobs(inputs: &Inputs) -> Vec<Job> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (map_py, reduce_py) = (inputs.scripts.join("map.py"), inputs.scripts.join("reduce.py"));
    let python = |script: &Path| format!("python3 {}", script.display());
    let job = |name, jar, args, our_client, tools, input: &Path| Job {
        name,
        jar,
        args,
        our_client,
        tools,
        input: input.to_owned(),
        samples: Default::default(),
    };
    let mut python_args = words("-D mapred.reduce.tasks=2 -input IN -output OUT -mapper");
    python_args.extend([python(&map_py), "-reducer".to_owned(), python(&reduce_py)]);
    let streaming = |rest: &str| words(&format!("-D {SORT_MB} {rest}"));
    vec![
        job(
            "word count, combiner, 1 reduce",
            "hadoop-examples",
            words(&format!("wordcount -D{SORT_MB} IN OUT")),
            true,
            "awk '{ for (i = 1; i <= NF; i++) n[$i]++ } END { for (w in n) print w \"\\t\" n[w] }' IN/* > OUT",
            &inputs.text,
        ),
        job(
            "TeraSort, 4 reduces",
            "hadoop-examples",
            words(&format!("terasort -D{SORT_MB} -Dmapred.reduce.tasks=4 IN OUT")),
            false,
            "LC_ALL=C sort -S 200M -T . IN/part-* > OUT",
            &inputs.rows,
        ),
        job(
            "streaming `cat`, maps alone",
            "hadoop-streaming",
            streaming("-D mapred.reduce.tasks=0 -input IN -output OUT -mapper cat"),
            true,
            "cat IN/* | cat > OUT",
            &inputs.text,
        ),
        job(
            "streaming `cat`, `wc`, 1 reduce",
            "hadoop-streaming",
            streaming("-D mapred.reduce.tasks=1 -input IN -output OUT -mapper cat -reducer wc"),
            true,
            "cat IN/* | wc > OUT",
            &inputs.text,
        ),
        job(
            "streaming word count in Python, a quarter of the input, 2 reduces",
            "hadoop-streaming",
            python_args,
            true,
            "cat IN/* | python3 IN/../scripts/map.py | LC_ALL=C sort -S 200M -T . | python3 IN/../scripts/reduce.py > OUT",
            &inputs.quarter,
        ),
        job(
            "grep (two jobs)",
            "hadoop-examples",
            words("grep IN OUT w1[0-9]+"),
            true,
            "grep -hoE 'w1[0-9]+' IN/* | LC_ALL=C sort -S 200M -T . | uniq -c | sort -rn > OUT",
            &inputs.text,
        ),
    ]
}

/// Runs a job once, to its success; how many seconds it took.
fn one_run(job: &Job, who: Who, cluster: &Cluster, output: &Path) -> Result<f64> {
    let (input, output) = (job.input.display().to_string(), output.display().to_string());
    if who == Who::Tools {
        let line = job.tools.replace("IN", &input).replace("OUT", &format!("{output}.tools"));
        let began = Instant::now();
        let status = Command::new("sh").args(["-c", &line]).current_dir(cluster.dir()).stdin(Stdio::null()).status()?;
        ensure!(status.success(), "{line} ended with {status}");
        return Ok(began.elapsed().as_secs_f64());
    }
    let args: Vec<&str> = job
        .args
        .iter()
        .map(|word| match word.as_str() {
            "IN" => input.as_str(),
            "OUT" => output.as_str(),
            other => other,
        })
        .collect();
    let run: Run = if who == Who::OurClient {
        let command = if job.jar == "hadoop-streaming" { "streaming" } else { "examples" };
        cluster.hadoop(&[&[command], &args[..]].concat())
    } else {
        // TeraSort looks for its cut points in the client's working directory.
        cluster.java_jar_in(job.jar, &args, &job.input)
    };
    Ok(run.expect_success().elapsed.as_secs_f64())
}

fn print_table(jobs: &[Job], runs: usize, mib: u64) {
    println!("{}", machine::describe());
    println!(
        "Inputs of {mib} MiB; whole client processes, from start to end; median of {runs} runs (least–greatest), Hadoop's of {}.\n",
        runs.div_ceil(OUR_RUNS_PER_RIVALS)
    );
    println!(
        "| job | Hadoop 1.2.1 | Howdah, Java client | ratio | Howdah, our client | ratio | tools | ours to tools |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for Job { name, samples, .. } in jobs {
        let [hadoop, java, our, tools] = samples;
        let ratio = |one: &Sample, other: &Sample| {
            let ratio = one.median() / other.median();
            if ratio.is_finite() { format!("{ratio:.2}") } else { "–".to_owned() }
        };
        let best = if our.median().is_finite() { our } else { java };
        let shown = [hadoop.show("s"), java.show("s"), ratio(hadoop, java), our.show("s"), ratio(hadoop, our)];
        println!("| {name} | {} | {} | {} |", shown.join(" | "), tools.show("s"), ratio(best, tools));
    }
}
