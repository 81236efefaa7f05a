//! Jobs that show what few jobs ask for: bad records skipped, profiles, slow attempts overtaken, Pipes programs.

use std::fmt::Write as _;

use crate::bench::{Bench, Tool, shown};
use crate::files::write;
use crate::scenes::rules::script;
use crate::scenes::{Ran, client_log, stream, write_lines};

/// A mapper that dies of one record, and tells of each that it is done with, as skipping asks of a command.
pub(super) fn play_skipped(bench: &Bench) -> Ran {
    let text = "while read line; do\n[ \"$line\" = bad ] && exit 5\necho \"$line\"\n\
                echo reporter:counter:SkippingTaskCounters,MapProcessedRecords,1 >&2\ndone";
    let mapper = script(bench, "skipped", text);
    let input = bench.path("in/skipped");
    write(&input.join("lines.txt"), "one\ntwo\nbad\nfour\nfive\n");
    let properties = [
        "mapred.skip.attempts.to.start.skipping=1",
        "mapred.skip.map.max.skip.records=1",
        "mapred.skip.map.auto.incr.proc.count=false",
        "mapred.skip.out.dir=none",
        "mapred.map.max.attempts=10",
        "mapred.reduce.tasks=0",
    ];
    Ran::of(stream(bench, "skipped", &input, &properties, &["-mapper", &mapper]))
}

/// A word count whose first map is watched by its JVM.
pub(super) fn play_profiled(bench: &Bench) -> Ran {
    let (input, output) = (shown(&write_lines(bench, "profiled", 2)), shown(&bench.path("out/profiled")));
    // The profiler that Hadoop has in mind is not in today's Java; any option that names the file will do.
    let args = [
        "wordcount",
        "-Dmapred.task.profile=true",
        "-Dmapred.task.profile.maps=0",
        "-Dmapred.task.profile.reduces=9",
        "-Dmapred.task.profile.params=-Xlog:gc*:file=%s",
        &input,
        &output,
    ];
    let run = bench.hadoop(Tool::Examples, &args);
    write(&client_log(bench, "profiled"), &format!("{run:#?}\n"));
    Ran::of(run.expect_success())
}

/// Three maps, the first of which stands still in its first attempt, at the start of a long input.
pub(super) fn play_overtaken(bench: &Bench) -> Ran {
    let dir = bench.cluster.dir().display();
    let text = format!(
        "case $mapred_task_id in\n*_m_000000_0) while [ -d {dir} ]; do sleep 0.2; done; exit 1 ;;\nesac\nexec cat"
    );
    let mapper = script(bench, "overtaken", &text);
    let input = write_lines(bench, "overtaken", 3);
    // The longest input is the first map's.
    let mut long = String::new();
    for line in 0..OVERTAKEN_LINES {
        writeln!(long, "{line:099}").expect("a string grows");
    }
    write(&input.join("0.txt"), &long);
    let properties = ["mapred.map.tasks.speculative.execution=true", "mapred.reduce.tasks=0"];
    Ran::of(stream(bench, "overtaken", &input, &properties, &["-mapper", &mapper]))
}

/// How many lines the slow map has, of a hundred bytes each.
pub(crate) const OVERTAKEN_LINES: usize = 30_000;

/// A program of the Pipes protocol counts words, in one map and one reduce.
pub(super) fn play_piped(bench: &Bench) -> Ran {
    let input = bench.path("in/piped");
    write(&input.join("text"), "b a b\na b c\n");
    // With the default file system local, 1.2.1 leaves the password where its client stood, not where the program looks.
    let secret = format!("mapred.child.env=PEER_SECRET_DIR={}", bench.cluster.dir().display());
    let program = format!("file:{}", env!("CARGO_BIN_EXE_pipes-word-count"));
    let (secret, input, output) = (format!("-D{secret}"), shown(&input), shown(&bench.path("out/piped")));
    let args = [
        &*secret,
        "-Dmapred.map.tasks=1",
        "-input",
        &input,
        "-output",
        &output,
        "-program",
        &program,
        "-reduces",
        "1",
        "-inputformat",
        "org.apache.hadoop.mapred.TextInputFormat",
        "-writer",
        "org.apache.hadoop.mapred.TextOutputFormat",
    ];
    let run = bench.hadoop(Tool::Pipes, &args);
    write(&client_log(bench, "piped"), &format!("{run:#?}\n"));
    Ran::of(run.expect_success())
}
