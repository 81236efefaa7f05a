//! Whole attempts: real child processes against a tracker in this process.

mod tracker;

use configuration::keys;
use tracker::{Ran, Tracker};
use types::{JobState, Phase, TaskDetail, TaskKind, TaskSplitIndex, TaskState};
use wire::mapred::task_umbilical::Call;

/// The old interface's word count: TokenCountMapper, and LongSumReducer as combiner and reducer.
fn word_count(reduces: i32) -> Tracker {
    let mut tracker = Tracker::start();
    configure_word_count(&mut tracker, reduces);
    tracker
}

fn configure_word_count(tracker: &mut Tracker, reduces: i32) {
    let conf = &mut tracker.conf;
    conf.set_key(&keys::MAPRED_MAPPER_CLASS, "org.apache.hadoop.mapred.lib.TokenCountMapper");
    conf.set_key(&keys::MAPRED_COMBINER_CLASS, "org.apache.hadoop.mapred.lib.LongSumReducer");
    conf.set_key(&keys::MAPRED_REDUCER_CLASS, "org.apache.hadoop.mapred.lib.LongSumReducer");
    conf.set_key(&keys::MAPRED_OUTPUT_KEY_CLASS, "org.apache.hadoop.io.Text");
    conf.set_key(&keys::MAPRED_OUTPUT_VALUE_CLASS, "org.apache.hadoop.io.LongWritable");
    conf.set_key(&keys::MAPRED_REDUCE_TASKS, reduces);
}

fn succeeded(ran: Ran) -> Ran {
    assert_eq!(ran.code, Some(0), "{}", ran.syslog);
    assert!(matches!(ran.calls.last(), Some(Call::Done(_))), "{:?}\n{}", ran.calls, ran.syslog);
    ran
}

fn setup(tracker: &Tracker) -> Ran {
    let index = TaskSplitIndex { split_location: String::new(), start_offset: 0 };
    let mut task = tracker.task(TaskKind::Map, 9, TaskDetail::Map(index));
    task.job_setup = true;
    succeeded(tracker.run([task]))
}

fn cleanup(tracker: &Tracker, state: JobState) -> Ran {
    let index = TaskSplitIndex { split_location: String::new(), start_offset: 0 };
    let mut task = tracker.task(TaskKind::Map, 8, TaskDetail::Map(index));
    task.job_cleanup = Some(state);
    succeeded(tracker.run([task]))
}

#[test]
fn a_word_count_from_setup_to_cleanup() {
    let tracker = word_count(2);
    let ran = setup(&tracker);
    assert_eq!(ran.call_names(), ["statusUpdate", "done"]);
    assert_eq!(ran.status().state_string, "setup");
    assert!(tracker.path("out/_temporary").is_dir());

    let texts = ["the cat and the dog\nand the bird\n", "a dog\n"];
    for (number, text) in texts.iter().enumerate() {
        let task = tracker.map(number as i32, text.as_bytes());
        let attempt = task.attempt.clone();
        let ran = succeeded(tracker.run([task]));
        tracker.completed(&attempt);
        assert_eq!(ran.call_names(), ["statusUpdate", "done"]);
        let status = ran.status();
        assert_eq!((status.state, status.phase, status.progress), (TaskState::Running, Phase::Map, 1.0));
        let output = std::fs::metadata(tracker.attempt_dir(&attempt).join("output/file.out")).unwrap();
        assert_eq!(status.output_size, output.len() as i64);
        assert_eq!(ran.counter("MAP_OUTPUT_MATERIALIZED_BYTES"), Some(output.len() as i64));
        if number == 0 {
            for (name, expected) in [
                ("MAP_INPUT_RECORDS", 2),
                ("MAP_INPUT_BYTES", text.len() as i64),
                ("BYTES_READ", text.len() as i64),
                ("MAP_OUTPUT_RECORDS", 8),
                // Each: one length, the word, eight bytes of count.
                ("MAP_OUTPUT_BYTES", 8 * 9 + 25),
                ("COMBINE_INPUT_RECORDS", 8),
                ("COMBINE_OUTPUT_RECORDS", 5),
                ("SPILLED_RECORDS", 5),
            ] {
                assert_eq!(ran.counter(name), Some(expected), "{name}");
            }
        }
    }

    let mut lines = Vec::new();
    let (mut groups, mut records) = (0, 0);
    for number in 0..2 {
        tracker.told().commit_refusals = 2;
        let ran = succeeded(tracker.run([tracker.reduce(number, 2)]));
        let names: Vec<_> =
            ran.call_names().into_iter().filter(|name| !["getMapCompletionEvents", "ping"].contains(name)).collect();
        assert_eq!(names, ["statusUpdate", "commitPending", "canCommit", "statusUpdate", "done"]);
        assert_eq!(ran.status().state, TaskState::CommitPending);
        assert_eq!(ran.status().phase, Phase::Reduce);
        groups += ran.counter("REDUCE_INPUT_GROUPS").unwrap();
        records += ran.counter("REDUCE_INPUT_RECORDS").unwrap();
        assert_eq!(ran.counter("SPILLED_RECORDS"), ran.counter("REDUCE_INPUT_RECORDS"));
        assert_eq!(ran.counter("COMBINE_INPUT_RECORDS"), Some(0));
        let text = tracker.output(&format!("part-0000{number}"));
        let sidecar = 8 + 4 * text.len().div_ceil(512);
        assert_eq!(ran.counter("BYTES_WRITTEN"), Some((text.len() + sidecar) as i64));
        lines.extend(text.lines().map(str::to_owned));
    }
    lines.sort();
    assert_eq!(lines, ["a\t1", "and\t2", "bird\t1", "cat\t1", "dog\t2", "the\t3"]);
    assert_eq!((groups, records), (6, 7));

    let ran = cleanup(&tracker, JobState::Succeeded);
    assert_eq!(ran.status().phase, Phase::Cleanup);
    assert!(tracker.path("out/_SUCCESS").is_file());
    assert!(!tracker.path("out/_temporary").exists());
}

#[test]
fn logs_and_their_index_are_as_the_pages_expect_them() {
    let tracker = word_count(1);
    let ran = succeeded(tracker.run([tracker.map(0, b"x\n")]));
    let line = ran.syslog.lines().find(|line| line.contains("numReduceTasks")).unwrap();
    let (stamp, rest) = line.split_at(23);
    assert!(stamp.as_bytes()[19] == b',' && stamp[20..].bytes().all(|byte| byte.is_ascii_digit()), "{line}");
    assert_eq!(rest, " INFO org.apache.hadoop.mapred.MapTask: numReduceTasks: 1");
    let dir = tracker.path("logs/attempt_1_0001_m_000000_0");
    let index = std::fs::read_to_string(dir.join("log.index")).unwrap();
    assert_eq!(index, format!("LOG_DIR:{}\nstdout:0 -1\nstderr:0 -1\nsyslog:0 -1\n", dir.display()));
}

#[test]
fn a_reused_child_runs_what_it_is_given_and_shares_its_logs_out() {
    let mut tracker = word_count(1);
    tracker.conf.set_key(&keys::MAPRED_JOB_REUSE_JVM_NUM_TASKS, -1);
    let tasks: Vec<_> = (0..3).map(|number| tracker.map(number, b"one two\n")).collect();
    let ran = succeeded(tracker.run(tasks));
    assert_eq!(ran.calls.iter().filter(|call| matches!(call, Call::Done(_))).count(), 3);
    assert_eq!(ran.counter("MAP_INPUT_RECORDS"), Some(1));
    let index = |number: i32| {
        std::fs::read_to_string(tracker.path(&format!("logs/attempt_1_0001_m_00000{number}_0/log.index")))
    };
    let ranges: Vec<_> =
        (0..3).map(|number| wire::task_log::LogIndex::parse(&index(number).unwrap()).unwrap()).collect();
    for pair in ranges.windows(2) {
        let [before, after] = [0, 1].map(|at| pair[at].range("syslog").unwrap());
        assert_eq!(before.start + before.length, after.start);
    }
}

#[test]
fn a_child_may_run_only_as_many_attempts_as_the_job_says() {
    let mut tracker = word_count(1);
    tracker.conf.set_key(&keys::MAPRED_JOB_REUSE_JVM_NUM_TASKS, 2);
    let tasks: Vec<_> = (0..3).map(|number| tracker.map(number, b"x\n")).collect();
    succeeded(tracker.run(tasks));
    assert_eq!(tracker.told().tasks.len(), 1);
}

#[test]
fn a_tracker_with_security_is_called_by_token() {
    let mut tracker = Tracker::start_secure();
    configure_word_count(&mut tracker, 1);
    succeeded(tracker.run([tracker.map(0, b"x\n")]));
    assert_eq!(tracker.told().callers, [("job_1_0001".to_owned(), true)]);
}

#[test]
fn a_tracker_without_security_sees_the_job_as_user() {
    let tracker = word_count(1);
    succeeded(tracker.run([tracker.map(0, b"x\n")]));
    assert_eq!(tracker.told().callers, [("job_1_0001".to_owned(), false)]);
}

/// Lines of the old interface's identity sort: offset and text, 40,000 of them, through a sort buffer of 1 MB.
#[test]
fn many_spills_merge_into_one_sorted_output() {
    for (codec, factor, passes) in [(None, 10, 1), (Some("org.apache.hadoop.io.compress.GzipCodec"), 2, 2)] {
        let mut tracker = Tracker::start();
        tracker.conf.set_key(&keys::IO_SORT_MB, 1);
        tracker.conf.set_key(&keys::IO_SORT_FACTOR, factor);
        if let Some(codec) = codec {
            tracker.conf.set_key(&keys::MAPRED_COMPRESS_MAP_OUTPUT, true);
            tracker.conf.set_key(&keys::MAPRED_MAP_OUTPUT_COMPRESSION_CODEC, codec);
        }
        setup(&tracker);
        let text: String = (0..40_000).map(|line| format!("{:08}\n", (line * 7_919) % 40_000)).collect();
        let task = tracker.map(0, text.as_bytes());
        let attempt = task.attempt.clone();
        let ran = succeeded(tracker.run([task]));
        assert_eq!(ran.counter("MAP_OUTPUT_RECORDS"), Some(40_000));
        // 5 % of 1 MB is 3,276 records of accounting, 80 % of which start a spill.
        let spills = ran.syslog.matches("Finished spill").count();
        assert_eq!(spills, 40_000usize.div_ceil(2_620), "{}", ran.syslog);
        let spilled = ran.counter("SPILLED_RECORDS").unwrap();
        if passes == 1 {
            assert!((80_000..120_000).contains(&spilled), "{spilled}");
        } else {
            assert!(spilled > 120_000, "{spilled}");
        }
        tracker.completed(&attempt);
        let ran = succeeded(tracker.run([tracker.reduce(0, 1)]));
        assert_eq!(ran.counter("REDUCE_OUTPUT_RECORDS"), Some(40_000));
        let output = tracker.output("part-00000");
        let found: Vec<&str> = output.lines().map(|line| line.split_once('\t').unwrap().1).collect();
        assert_eq!(found, text.lines().collect::<Vec<_>>());
    }
}

#[test]
fn a_record_larger_than_the_buffer_goes_to_disk_alone() {
    let mut tracker = Tracker::start();
    tracker.conf.set_key(&keys::IO_SORT_MB, 1);
    setup(&tracker);
    let text = format!("small\n{}\nlast\n", "x".repeat(3 << 20));
    let task = tracker.map(0, text.as_bytes());
    let attempt = task.attempt.clone();
    let ran = succeeded(tracker.run([task]));
    assert_eq!(ran.counter("MAP_OUTPUT_RECORDS"), Some(3));
    tracker.completed(&attempt);
    succeeded(tracker.run([tracker.reduce(0, 1)]));
    let output = tracker.output("part-00000");
    let lengths: Vec<_> = output.lines().map(|line| line.split_once('\t').unwrap().1.len()).collect();
    assert_eq!(lengths, [5, 3 << 20, 4]);
}

#[test]
fn a_job_without_reduces_writes_and_commits_from_its_maps() {
    let tracker = word_count(0);
    setup(&tracker);
    let ran = succeeded(tracker.run([tracker.map(0, b"b a\nb\n")]));
    assert!(ran.call_names().contains(&"commitPending"));
    assert_eq!(tracker.output("part-00000"), "b\t1\na\t1\nb\t1\n");
    assert_eq!(ran.counter("MAP_OUTPUT_RECORDS"), Some(3));
    assert_eq!(ran.counter("MAP_OUTPUT_BYTES"), None);
    assert_eq!(ran.status().output_size, -1);
}

#[test]
fn small_shuffle_memory_goes_over_disk_with_the_same_result() {
    let mut tracker = word_count(1);
    tracker.conf.set_key(&keys::MAPRED_JOB_REDUCE_TOTAL_MEM_BYTES, 2_000);
    tracker.conf.set_key(&keys::IO_SORT_FACTOR, 2);
    setup(&tracker);
    for number in 0..12 {
        // Every third output is larger than a quarter of the memory.
        let words = if number % 3 == 0 { 60 } else { 8 };
        let text: String = (0..words).map(|word| format!("w{word} ")).collect();
        let task = tracker.map(number, text.as_bytes());
        let attempt = task.attempt.clone();
        succeeded(tracker.run([task]));
        tracker.completed(&attempt);
    }
    let ran = succeeded(tracker.run([tracker.reduce(0, 12)]));
    let output = tracker.output("part-00000");
    let mut expected: Vec<String> = (0..60).map(|word| format!("w{word}\t{}", if word < 8 { 12 } else { 4 })).collect();
    expected.sort();
    assert_eq!(output.lines().collect::<Vec<_>>(), expected);
    assert_eq!(ran.counter("REDUCE_INPUT_GROUPS"), Some(60));
    assert!(ran.counter("SPILLED_RECORDS") > ran.counter("REDUCE_INPUT_RECORDS"));
}

#[test]
fn a_task_that_fails_is_cleaned_up_and_its_error_told() {
    let tracker = word_count(1);
    let mut task = tracker.map(0, b"x\n");
    std::fs::remove_file(tracker.path("in/0")).unwrap();
    task.status.start_time = 5;
    let ran = tracker.run([task]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.call_names(), ["statusUpdate", "reportDiagnosticInfo"]);
    assert_eq!(ran.status().phase, Phase::Cleanup);
    let Some(Call::ReportDiagnosticInfo(told)) = ran.calls.last() else { panic!("{:?}", ran.calls) };
    assert!(told.trace.starts_with("java.io") && told.trace.contains("in/0"), "{}", told.trace);
}

#[test]
fn a_full_disk_is_told_as_one() {
    let tracker = word_count(1);
    let task = tracker.map(0, b"x\n");
    let output = tracker.attempt_dir(&task.attempt).join("output");
    std::fs::create_dir_all(&output).unwrap();
    std::os::unix::fs::symlink("/dev/full", output.join("spill0.out")).unwrap();
    let ran = tracker.run([task]);
    let Some(Call::FsError(told)) = ran.calls.last() else { panic!("{:?}", ran.calls) };
    assert!(told.message.contains("spill0.out: No space left on device"), "{}", told.message);
}

#[test]
fn the_cleanup_of_an_attempt_throws_its_output_away() {
    let tracker = word_count(1);
    let work = tracker.path("out/_temporary/_attempt_1_0001_r_000000_0");
    std::fs::create_dir_all(&work).unwrap();
    let mut task = tracker.reduce(0, 1);
    task.task_cleanup = true;
    task.status.state = TaskState::FailedUnclean;
    let ran = succeeded(tracker.run([task]));
    assert!(!work.exists());
    assert_eq!((ran.status().state, ran.status().phase), (TaskState::FailedUnclean, Phase::Cleanup));
    assert!(tracker.path("logs/attempt_1_0001_r_000000_0.cleanup/log.index").is_file());
}

#[test]
fn a_reduce_that_starts_early_follows_the_events() {
    let tracker = word_count(1);
    setup(&tracker);
    let (first, second) = (tracker.map(0, b"x\n"), tracker.map(1, b"x y\n"));
    let attempts = [first.attempt.clone(), second.attempt.clone()];
    succeeded(tracker.run([first]));
    succeeded(tracker.run([second]));
    let asked = || {
        let told = tracker.told();
        told.calls.iter().filter(|call| matches!(call, Call::GetMapCompletionEvents(_))).count()
    };
    let wait_for_calls = |count: usize| {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
        while asked() < count {
            assert!(std::time::Instant::now() < deadline, "the reduce does not ask for events");
            std::thread::yield_now();
        }
    };
    let ran = std::thread::scope(|scope| {
        let reduce = scope.spawn(|| tracker.run([tracker.reduce(0, 2)]));
        wait_for_calls(2);
        tracker.completed(&attempts[1]);
        wait_for_calls(asked() + 2);
        tracker.completed(&attempts[0]);
        reduce.join().unwrap()
    });
    let ran = succeeded(ran);
    assert_eq!(tracker.output("part-00000"), "x\t2\ny\t1\n");
    assert_eq!(ran.counter("REDUCE_INPUT_RECORDS"), Some(3));
}

#[test]
fn a_fetch_that_is_refused_is_reported_at_once_and_tried_again() {
    let tracker = word_count(1);
    setup(&tracker);
    let task = tracker.map(0, b"x\n");
    let attempt = task.attempt.clone();
    succeeded(tracker.run([task]));
    tracker.completed(&attempt);
    tracker.told().fetch_refusals = 1;
    let ran = succeeded(tracker.run([tracker.reduce(0, 1)]));
    let failed: Vec<_> = ran
        .calls
        .iter()
        .filter_map(|call| match call {
            Call::StatusUpdate(update) => Some(update.status.reduce.as_ref()?.failed_fetches.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(failed, [attempt]);
    assert_eq!(tracker.output("part-00000"), "x\t1\n");
}

#[test]
fn an_unknown_attempt_ends_its_child_with_66() {
    let tracker = word_count(1);
    tracker.told().unknown = true;
    let ran = tracker.run([tracker.map(0, b"x\n")]);
    assert_eq!(ran.code, Some(66));
}

#[test]
fn a_tracker_that_answers_no_pings_ends_its_child_with_65() {
    let mut tracker = Tracker::start();
    for key in [&keys::MAPRED_MAPPER_CLASS, &keys::MAPRED_REDUCER_CLASS, &keys::MAPRED_PARTITIONER_CLASS] {
        tracker.conf.set_key(key, "org.apache.hadoop.examples.SleepJob");
    }
    tracker.conf.set_key(&keys::MAPRED_INPUT_FORMAT_CLASS, "org.apache.hadoop.examples.SleepJob$SleepInputFormat");
    tracker.conf.set_key(&keys::MAPRED_MAPOUTPUT_KEY_CLASS, "org.apache.hadoop.io.IntWritable");
    tracker.conf.set_key(&keys::MAPRED_MAPOUTPUT_VALUE_CLASS, "org.apache.hadoop.io.NullWritable");
    tracker.conf.set_key(&keys::SLEEP_JOB_MAP_SLEEP_TIME, 600_000);
    tracker.told().deaf = vec!["statusUpdate", "ping"];
    let ran = tracker.run([tracker.map(0, b"x\n")]);
    assert_eq!(ran.code, Some(65), "{}", ran.syslog);
    assert_eq!(ran.calls.len(), 3, "a tick each: {:?}", ran.calls);
}

#[test]
fn a_tracker_that_cannot_be_told_of_output_ends_its_child_with_67() {
    let tracker = word_count(0);
    setup(&tracker);
    tracker.told().deaf = vec!["commitPending"];
    let ran = tracker.run([tracker.map(0, b"x\n")]);
    assert_eq!(ran.code, Some(67), "{}", ran.syslog);
    assert_eq!(ran.calls.iter().filter(|call| call.method() == "commitPending").count(), 10);
    assert!(!tracker.path("out/part-00000").exists());
}

#[test]
fn a_tracker_that_cannot_be_asked_for_leave_ends_its_child_with_68() {
    let tracker = word_count(0);
    setup(&tracker);
    tracker.told().deaf = vec!["canCommit"];
    let ran = tracker.run([tracker.map(0, b"x\n")]);
    assert_eq!(ran.code, Some(68), "{}", ran.syslog);
    assert_eq!(ran.calls.iter().filter(|call| call.method() == "canCommit").count(), 10);
    assert!(!tracker.path("out/_temporary/_attempt_1_0001_m_000000_0").exists(), "its output is thrown away");
}

#[test]
fn a_wrong_command_line_is_told_in_one_line() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_child")).arg("x").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let expected = "child: usage: child HOST PORT ATTEMPT LOGDIR JVMID; got 1 arguments\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
}
