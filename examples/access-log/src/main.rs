//! How many bytes each host was sent, by a web server's access log: a job in Rust (docs/native.md).
//!
//! `hadoop native target/release/access-log -input LOGS -output OUT`

#![forbid(unsafe_code)]

use std::process::ExitCode;

use child::job::{CounterHandle, Job, Long, Mapper, Output, Reducer, Result, TaskContext, Text, TextBytes, Values};

/// Host and bytes of each line.
struct Hits {
    malformed: CounterHandle,
}

impl Hits {
    fn new(ctx: &TaskContext) -> Result<Hits> {
        Ok(Hits { malformed: ctx.reporter.counter("Access log", "Malformed lines") })
    }
}

impl Mapper for Hits {
    type InKey = Long;
    type InValue = Text;
    type OutKey = TextBytes;
    type OutValue = Long;

    fn map(
        &mut self,
        _offset: i64,
        line: std::borrow::Cow<'_, str>,
        output: &mut Output<'_, TextBytes, Long>,
    ) -> Result<()> {
        match host_and_bytes(&line) {
            Some((host, bytes)) => output.put(host.as_bytes(), &bytes),
            None => {
                self.malformed.add(1);
                Ok(())
            }
        }
    }
}

/// First and last word of a line in the Common Log Format; `-` stands for no bytes.
fn host_and_bytes(line: &str) -> Option<(&str, i64)> {
    let mut words = line.split_ascii_whitespace();
    let (host, bytes) = (words.next()?, words.next_back()?);
    let bytes = if bytes == "-" { 0 } else { bytes.parse().ok()? };
    Some((host, bytes))
}

/// The sum of a host's bytes.
struct Sum;

impl Reducer for Sum {
    type InKey = TextBytes;
    type InValue = Long;
    type OutKey = TextBytes;
    type OutValue = Long;

    fn reduce(
        &mut self,
        host: &[u8],
        bytes: &mut Values<'_, Long>,
        output: &mut Output<'_, TextBytes, Long>,
    ) -> Result<()> {
        let mut sum = 0;
        while let Some(bytes) = bytes.next()? {
            sum += bytes;
        }
        output.put(host, &sum)
    }
}

fn main() -> ExitCode {
    Job::map("bytes by host", Hits::new).combine(|_| Ok(Sum)).reduce(|_| Ok(Sum)).main()
}
