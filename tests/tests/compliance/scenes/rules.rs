//! Jobs that show one rule each: of streaming, of failures that are allowed, of limits, of children that are used again.

use crate::bench::Bench;
use crate::files::write;
use crate::scenes::{Ran, stream, write_lines};

pub(super) fn script(bench: &Bench, name: &str, text: &str) -> String {
    let path = bench.path(&format!("scripts/{name}.sh"));
    write(&path, &format!("#!/bin/sh\n{text}\n"));
    format!("sh {}", path.display())
}

/// Keys of two fields that dots separate; one reduce per first field.
pub(super) fn play_shaped(bench: &Bench) -> Ran {
    let input = bench.path("in/shaped");
    write(&input.join("lines.txt"), "b.2.x y\na.10.z\nb.1\na.9.p.q\nc.5.r\nplain\n");
    let properties = [
        "stream.map.output.field.separator=.",
        "stream.num.map.output.key.fields=2",
        "map.output.key.field.separator=.",
        "mapred.text.key.partitioner.options=-k1,1",
        "mapred.reduce.tasks=3",
    ];
    let partitioner = "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner";
    let options = ["-mapper", "cat", "-reducer", "cat", "-partitioner", partitioner];
    Ran::of(stream(bench, "shaped", &input, &properties, &options))
}

/// Numbers sorted as numbers, backwards.
pub(super) fn play_sorted(bench: &Bench) -> Ran {
    let input = bench.path("in/sorted");
    write(&input.join("lines.txt"), "9\n100\n-3\n20\n");
    let properties = [
        "mapred.output.key.comparator.class=org.apache.hadoop.mapred.lib.KeyFieldBasedComparator",
        "mapred.text.key.comparator.options=-nr",
        "mapred.reduce.tasks=1",
    ];
    Ran::of(stream(bench, "sorted", &input, &properties, &["-mapper", "cat", "-reducer", "cat"]))
}

/// A mapper that exits with 9 where that is no failure.
pub(super) fn play_lenient(bench: &Bench) -> Ran {
    let mapper = script(bench, "lenient", "cat; exit 9");
    let input = write_lines(bench, "lenient", 1);
    let properties = ["stream.non.zero.exit.is.failure=false", "mapred.reduce.tasks=0"];
    Ran::of(stream(bench, "lenient", &input, &properties, &["-mapper", &mapper]))
}

/// One of two maps fails for good, and half of them may.
pub(super) fn play_tolerated(bench: &Bench) -> Ran {
    let mapper = script(bench, "tolerated", "read line\n[ \"$line\" = 'line of 0' ] && exit 1\necho \"$line\"");
    let input = write_lines(bench, "tolerated", 2);
    let properties = ["mapred.map.max.attempts=2", "mapred.max.map.failures.percent=50", "mapred.reduce.tasks=1"];
    Ran::of(stream(bench, "tolerated", &input, &properties, &["-mapper", &mapper, "-reducer", "cat"]))
}

/// A mapper with more counters than a job may have.
pub(super) fn play_counted(bench: &Bench) -> Ran {
    let text = "cat > /dev/null\ni=0\nwhile [ $i -lt 130 ]; do echo reporter:counter:Many,c$i,1 >&2; i=$((i+1)); done";
    let mapper = script(bench, "counted", text);
    let input = write_lines(bench, "counted", 1);
    let properties = ["mapred.map.max.attempts=1", "mapred.reduce.tasks=0"];
    Ran::of(stream(bench, "counted", &input, &properties, &["-mapper", &mapper]))
}

/// A mapper that says nothing for longer than it may.
pub(super) fn play_silent(bench: &Bench) -> Ran {
    let dir = bench.cluster.dir().display();
    let mapper = script(bench, "silent", &format!("while [ -d {dir} ]; do sleep 0.2; done"));
    let input = write_lines(bench, "silent", 1);
    let properties = ["mapred.task.timeout=15000", "mapred.map.max.attempts=2", "mapred.reduce.tasks=0"];
    Ran::of(stream(bench, "silent", &input, &properties, &["-mapper", &mapper]))
}

/// A committer that does not exist: the setup cannot work.
pub(super) fn play_setupless(bench: &Bench) -> Ran {
    let input = write_lines(bench, "setupless", 1);
    let properties = ["mapred.output.committer.class=no.such.Committer", "mapred.map.max.attempts=1"];
    Ran::of(stream(bench, "setupless", &input, &properties, &["-mapper", "cat", "-reducer", "cat"]))
}

/// Eight maps that tell the process that started them, children to be used again.
pub(super) fn play_reused(bench: &Bench) -> Ran {
    let mapper = script(bench, "reused", "cat > /dev/null\necho $PPID");
    let input = write_lines(bench, "reused", 8);
    let properties = ["mapred.job.reuse.jvm.num.tasks=-1", "mapred.reduce.tasks=0"];
    Ran::of(stream(bench, "reused", &input, &properties, &["-mapper", &mapper]))
}

/// A reduce that fails once after it has written.
pub(super) fn play_reduce_retried(bench: &Bench) -> Ran {
    let text = "case $mapred_task_id in\n*_r_000000_0) echo in-vain; exit 4 ;;\nesac\nexec cat";
    let reducer = script(bench, "reduce-retried", text);
    let input = write_lines(bench, "reduce_retried", 2);
    Ran::of(stream(
        bench,
        "reduce_retried",
        &input,
        &["mapred.reduce.tasks=1"],
        &["-mapper", "cat", "-reducer", &reducer],
    ))
}

/// A failing map with a script that looks at what it left.
pub(super) fn play_debugged(bench: &Bench) -> Ran {
    let mapper = script(bench, "debugged", "echo last-words >&2\nexit 2");
    let debug = bench.path("scripts/look.sh");
    write(&debug, "#!/bin/sh\necho looked-at $#\ngrep last-words $2\n");
    let input = write_lines(bench, "debugged", 1);
    let properties = ["mapred.map.max.attempts=1", "mapred.reduce.tasks=0"];
    let look = format!("sh {}", debug.display());
    let options = ["-mapper", &mapper, "-mapdebug", &look];
    Ran::of(stream(bench, "debugged", &input, &properties, &options))
}

/// A combiner that is a command.
pub(super) fn play_combined(bench: &Bench) -> Ran {
    let input = bench.path("in/combined");
    write(&input.join("lines.txt"), "b\na\nb\nb\na\n");
    let options = ["-mapper", "cat", "-combiner", "uniq", "-reducer", "cat"];
    Ran::of(stream(bench, "combined", &input, &["mapred.reduce.tasks=1"], &options))
}

/// A map whose environment, open files and standard streams are looked at.
pub(super) fn play_surroundings(bench: &Bench) -> Ran {
    let text = "cat > /dev/null\nprintf 'folder\\t%s\\n' \"$(basename $(pwd))\"\nprintf 'jobs folder\\t%s\\n' \"$job_local_dir\"\n\
                printf 'tokens\\t%s\\n' \"$(test -r $HADOOP_TOKEN_FILE_LOCATION && echo readable)\"\n\
                printf 'set by the job\\t%s\\n' \"$SET_BY_THE_JOB\"\nprintf 'home\\t%s\\n' \"$HOME\"\n\
                printf 'jar\\t%s\\n' \"$mapred_jar\"\nprintf 'maps\\t%s\\n' \"$mapred_map_tasks\"";
    let mapper = script(bench, "surroundings", text);
    let input = write_lines(bench, "surroundings", 1);
    let properties = ["mapred.reduce.tasks=0", "mapred.child.env=SET_BY_THE_JOB=yes"];
    Ran::of(stream(bench, "surroundings", &input, &properties, &["-mapper", &mapper]))
}
