//! A streaming job, so of the old API, whose scripts tell what they see: environment, cache, arguments; and that talks
//! to its reporter.

use std::process::Command;

use crate::bench::{Bench, shown};
use crate::files::{output_lines, write};
use crate::scenes::{Ran, stream, write_lines};

pub(crate) struct Streamed {
    pub(crate) ran: Ran,
    output: Vec<String>,
}

impl Streamed {
    /// The values that the scripts told under a key.
    pub(crate) fn told(&self, key: &str) -> Vec<&str> {
        self.output.iter().filter_map(|line| line.split_once('\t')).filter(|(k, _)| *k == key).map(|(_, v)| v).collect()
    }
}

const MAPPER: &str = "\
#!/bin/sh
cat > /dev/null
echo said-by-the-mapper >&2
echo reporter:counter:Mine,lines,3 >&2
echo reporter:counter:Mine,lines,4 >&2
echo reporter:status:nearly there >&2
printf 'attempt\\t%s\\n' \"$mapred_task_id\"
printf 'job name\\t%s\\n' \"$mapred_job_name\"
printf 'is map\\t%s\\n' \"$mapred_task_is_map\"
printf 'partition\\t%s\\n' \"$mapred_task_partition\"
printf 'given\\t%s\\n' \"$GIVEN\"
printf 'user key\\t%s\\n' \"$my_own_key\"
printf 'input file\\t%s\\n' \"$map_input_file\"
printf 'cached\\t%s\\n' \"$(cat cached.txt)\"
printf 'renamed\\t%s\\n' \"$(cat renamed)\"
printf 'archived\\t%s\\n' \"$(cat unpacked/inner/in.txt)\"
printf 'temporary folder\\t%s\\n' \"$(test -d tmp && echo there)\"
printf 'no tab\\n'
";

pub(super) fn play(bench: &Bench) -> Streamed {
    let scripts = bench.path("scripts");
    write(&scripts.join("tell.sh"), MAPPER);
    write(&scripts.join("cached.txt"), "from the cache\n");
    write(&scripts.join("other.txt"), "under another name\n");
    write(&scripts.join("tree/inner/in.txt"), "from the archive\n");
    let archive = scripts.join("tree.tgz");
    let tar = Command::new("tar").arg("czf").arg(&archive).arg("-C").arg(scripts.join("tree")).arg("inner").status();
    assert!(tar.is_ok_and(|status| status.success()), "tar failed");
    let input = write_lines(bench, "streamed", 2);
    let tell = shown(&scripts.join("tell.sh"));
    let cached = format!("file://{}", shown(&scripts.join("cached.txt")));
    let renamed = format!("file://{}#renamed", shown(&scripts.join("other.txt")));
    let archived = format!("file://{}#unpacked", shown(&archive));
    let cached = format!("{cached}#cached.txt");
    let run = stream(
        bench,
        "streamed",
        &input,
        &["mapred.reduce.tasks=2", "my.own.key=its value"],
        &[
            "-mapper",
            "sh tell.sh",
            "-reducer",
            "cat",
            "-file",
            &tell,
            "-cacheFile",
            &cached,
            "-cacheFile",
            &renamed,
            "-cacheArchive",
            &archived,
            "-cmdenv",
            "GIVEN=by-the-command",
        ],
    );
    let run = run.expect_success();
    let output = output_lines(&bench.path("out/streamed"));
    Streamed { ran: Ran::of(run), output }
}
