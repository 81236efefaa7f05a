//! What 1.2.1's command line printed (`tests/vectors/cli`), asked of our program again. Behind it stands a server that
//! answers as that JobTracker did.

mod server;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use server::{RecordedJobTracker, text};

/// Entries that differ by intention, and how.
const DIFFERENT: &[(&str, &str)] = &[
    ("job-history-all-failed", "needs its file; the report is compared in job-history"),
    ("job-history-all-good", "likewise"),
    ("job-history-failed", "likewise"),
    ("job-history-good", "likewise"),
    ("job-history-maponly", "likewise"),
    ("job-submit", "has a test of its own"),
];

fn recorded() -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/cli/cli.json");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).expect("JSON")
}

fn user() -> String {
    let output = Command::new("id").arg("-un").output().expect("id runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A configuration directory that names a JobTracker.
fn conf_dir(dir: &Path, job_tracker: &str) {
    let property = |name: &str, value: &str| format!("<property><name>{name}</name><value>{value}</value></property>");
    let core = property("hadoop.tmp.dir", &dir.join("tmp").display().to_string());
    let mapred = property("mapred.job.tracker", job_tracker);
    std::fs::write(dir.join("core-site.xml"), format!("<configuration>{core}</configuration>")).expect("writes");
    std::fs::write(dir.join("mapred-site.xml"), format!("<configuration>{mapred}</configuration>")).expect("writes");
}

struct Ran {
    stdout: String,
    /// Without log lines and stack frames.
    stderr: Vec<String>,
    /// All of it.
    log: String,
    exit: i32,
}

fn run(conf: &Path, args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_hadoop"))
        .args(args)
        .env("HADOOP_CONF_DIR", conf)
        .current_dir(conf)
        .output()
        .expect("the program runs");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: plain_lines(&log, is_log_line),
        log,
        exit: output.status.code().expect("an exit code"),
    }
}

fn is_log_line(_: usize, line: &str) -> bool {
    [" INFO ", " WARN ", " ERROR "].iter().any(|level| line.get(17..).is_some_and(|rest| rest.starts_with(level)))
}

/// Lines that the program itself printed: no log lines and no stack frames.
fn plain_lines(text: &str, is_log: impl Fn(usize, &str) -> bool) -> Vec<String> {
    let plain = |line: &str| {
        !["\tat ", "\t... ", "Caused by: "].iter().any(|start| line.starts_with(start)) && !line.trim().is_empty()
    };
    let lines = text.lines().enumerate().filter(|(number, line)| !is_log(*number, line) && plain(line));
    lines.map(|(_, line)| line.to_owned()).collect()
}

#[test]
fn answers_equal_the_recorded_ones() {
    let server = RecordedJobTracker::start();
    let dir = tempfile::tempdir().expect("a directory");
    conf_dir(dir.path(), &server.address());
    let user = user();
    let mut replayed = 0;
    for entry in recorded() {
        let name = text(&entry, "name").to_owned();
        let is_ours = ["job-", "queue-", "mradmin-"].iter().any(|command| name.starts_with(command));
        if !is_ours || DIFFERENT.iter().any(|(start, _)| name.starts_with(start)) {
            continue;
        }
        server.recall(&entry);
        let args: Vec<&str> = entry["args"].as_array().expect("args").iter().filter_map(Value::as_str).collect();
        let ran = run(dir.path(), &args);
        let stdout =
            text(&entry, "stdout").replace("Queue acls for user :  root", &format!("Queue acls for user :  {user}"));
        assert_eq!(ran.stdout, stdout, "{name}: standard output; errors: {}", ran.log);
        let logged: Vec<u64> =
            entry["stderr_log_lines"].as_array().expect("numbers").iter().filter_map(Value::as_u64).collect();
        let stderr = plain_lines(text(&entry, "stderr"), |number, _| logged.contains(&(number as u64)));
        assert_eq!(ran.stderr, stderr, "{name}: standard error");
        assert_eq!(i64::from(ran.exit), entry["exit"].as_i64().expect("a number"), "{name}: exit code");
        replayed += 1;
    }
    assert!(replayed >= 100, "only {replayed} entries");
}

#[test]
fn wrong_words_of_streaming_and_examples_are_refused_as_recorded() {
    let dir = tempfile::tempdir().expect("a directory");
    conf_dir(dir.path(), "127.0.0.1:1");
    let mut replayed = 0;
    for entry in recorded() {
        let name = text(&entry, "name");
        let command = match name {
            "streaming-bad-inputformat"
            | "streaming-file-missing"
            | "streaming-no-args"
            | "streaming-unknown"
            | "streaming-no-input"
            | "streaming-no-output"
            | "streaming-help" => "streaming",
            "jar-examples-sleep-no-args" | "jar-examples-wordcount-no-args" => "examples",
            _ => continue,
        };
        let words = entry["args"].as_array().expect("args").iter().filter_map(Value::as_str).skip(2);
        let ran = run(dir.path(), &[command].into_iter().chain(words).collect::<Vec<_>>());
        assert_eq!(i64::from(ran.exit), entry["exit"].as_i64().expect("a number"), "{name}: exit code");
        assert_eq!(ran.stdout, text(&entry, "stdout"), "{name}: standard output");
        let logged: Vec<u64> =
            entry["stderr_log_lines"].as_array().expect("numbers").iter().filter_map(Value::as_u64).collect();
        let stderr = plain_lines(text(&entry, "stderr"), |number, _| logged.contains(&(number as u64)));
        assert_eq!(ran.stderr, stderr, "{name}: standard error");
        for line in text(&entry, "stderr").lines().filter(|line| is_log_line(0, line)) {
            assert!(ran.log.contains(&line[17..]), "{name}: {line} is not in {}", ran.log);
        }
        replayed += 1;
    }
    assert_eq!(replayed, 9);
}

#[test]
fn jobs_that_cannot_start_are_refused_as_recorded() {
    let server = RecordedJobTracker::start();
    let dir = tempfile::tempdir().expect("a directory");
    conf_dir(dir.path(), &server.address());
    server.stage_in(dir.path());
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (input, missing, output) = (path("in"), path("missing"), path("out"));
    std::fs::create_dir(&input).expect("makes");
    std::fs::write(path("in/a.txt"), "the end\n").expect("writes");
    std::fs::create_dir(&output).expect("makes");

    let ran = run(dir.path(), &["examples", "wordcount", &missing, &path("new")]);
    let problem = format!("Input path does not exist: file:{missing}");
    let class = "org.apache.hadoop.mapreduce.lib.input.InvalidInputException";
    assert_eq!((ran.exit, ran.stderr.as_slice()), (255, [format!("{class}: {problem}")].as_slice()));
    let ran = run(dir.path(), &["examples", "wordcount", &input, &output]);
    let problem = format!("Output directory {output} already exists");
    let class = "org.apache.hadoop.mapred.FileAlreadyExistsException";
    assert_eq!((ran.exit, ran.stderr.as_slice()), (255, [format!("{class}: {problem}")].as_slice()));

    let streaming = |input: &str, output: &str| {
        run(dir.path(), &["streaming", "-input", input, "-output", output, "-mapper", "/bin/cat"])
    };
    let ran = streaming(&missing, &path("new"));
    assert_eq!(ran.exit, 5);
    let line = format!(" ERROR streaming.StreamJob: Error Launching job : Input path does not exist: file:{missing}");
    assert!(ran.log.contains(&line), "{}", ran.log);
    let ran = streaming(&input, &output);
    assert_eq!((ran.exit, ran.stderr.as_slice()), (4, ["Streaming Command Failed!".to_owned()].as_slice()));
    let line =
        format!("Error launching job , Output path already exists : Output directory file:{output} already exists");
    assert!(ran.log.contains(&line), "{}", ran.log);

    let ran = run(dir.path(), &["job", "-submit", &path("no-such.xml")]);
    let line = "Exception in thread \"main\" org.apache.hadoop.mapred.InvalidJobConfException: Output directory not set \
                in JobConf.";
    assert_eq!((ran.exit, ran.stderr.as_slice()), (1, [line.to_owned()].as_slice()));
    assert!(server.submissions().is_empty());
}

#[test]
fn a_word_count_is_submitted_as_javas_client_submits_it() {
    let server = RecordedJobTracker::start();
    let dir = tempfile::tempdir().expect("a directory");
    conf_dir(dir.path(), &server.address());
    server.stage_in(dir.path());
    let path = |name: &str| dir.path().join(name).display().to_string();
    std::fs::create_dir(path("in")).expect("makes");
    std::fs::write(path("in/small"), "the end\n").expect("writes");
    std::fs::write(path("in/large"), "a word more than the other file\n").expect("writes");
    std::fs::write(path("in/_hidden"), "not counted\n").expect("writes");
    let ran = run(dir.path(), &["examples", "wordcount", "-D", "mapreduce.job.reduces=2", &path("in"), &path("out")]);
    assert_eq!(ran.exit, 0, "{}", ran.log);
    assert!(ran.log.contains(" INFO input.FileInputFormat: Total input paths to process : 2"), "{}", ran.log);
    assert!(ran.log.contains(" INFO mapred.JobClient: Job complete: job_202611302334_0001"), "{}", ran.log);

    let submissions = server.submissions();
    let [submission] = submissions.as_slice() else { panic!("{} submissions", submissions.len()) };
    let staging = Path::new(submission.strip_prefix("file:").expect("a local directory"));
    let conf = configuration::Configuration::from_bytes(
        "job.xml",
        &std::fs::read(staging.join("job.xml")).expect("job.xml is there"),
    )
    .expect("job.xml reads");
    let raw = |name: &str| conf.raw(name).map(str::to_owned).unwrap_or_default();
    assert_eq!(raw("mapreduce.map.class"), "org.apache.hadoop.examples.WordCount$TokenizerMapper");
    assert_eq!(raw("mapreduce.combine.class"), "org.apache.hadoop.examples.WordCount$IntSumReducer");
    assert_eq!(raw("mapred.input.dir"), format!("file:{}", path("in")));
    assert_eq!(raw("mapred.output.dir"), path("out"));
    assert_eq!((raw("mapred.map.tasks"), raw("mapred.reduce.tasks")), ("2".to_owned(), "2".to_owned()));
    assert_eq!(raw("mapred.working.dir"), format!("file:{}", dir.path().display()));
    assert_eq!(raw("mapred.queue.default.acl-administer-jobs"), "*");
    assert_eq!(raw("io.sort.mb"), "100", "defaults are written, as Java's client writes them");

    let meta = std::fs::read(staging.join("job.splitmetainfo")).expect("meta is there");
    let splits = std::fs::read(staging.join("job.split")).expect("splits are there");
    let read: Vec<_> = wire::splits::read_meta(&meta)
        .expect("meta reads")
        .into_iter()
        .map(|meta| {
            assert_eq!(meta.locations, ["localhost"]);
            let mut input = hadoop_io::DataInput::new(&splits[meta.start_offset as usize..]);
            match wire::splits::read_split(&mut input).expect("a split") {
                wire::splits::Split::File(split) => (split.path, split.start, split.length),
                other => panic!("{other:?}"),
            }
        })
        .collect();
    let file = |name: &str| format!("file:{}", path(name));
    assert_eq!(read, [(file("in/large"), 0, 32), (file("in/small"), 0, 8)], "the largest comes first");
}
