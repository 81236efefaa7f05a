//! A job of the new API: the word count of Hadoop's examples, with somebody to be told of its end.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

use crate::bench::{Bench, Tool, shown};
use crate::files::write;
use crate::scenes::Ran;

pub(crate) struct WordCount {
    pub(crate) ran: Ran,
    /// What the output must be.
    pub(crate) counts: BTreeMap<String, usize>,
    pub(crate) lines: usize,
    pub(crate) words: usize,
    /// The first line of the request that told of the job's end.
    pub(crate) notified: Option<String>,
}

const FILES: usize = 3;
/// How long the notification may come after the client has ended.
const NOTIFICATION_DEADLINE: Duration = Duration::from_secs(60);

pub(super) fn play(bench: &Bench) -> WordCount {
    let mut dice = fastrand::Rng::with_seed(11);
    let mut counts = BTreeMap::new();
    let (mut lines, mut words) = (0, 0);
    for file in 0..FILES {
        let mut text = String::new();
        for _ in 0..40 {
            let line: Vec<String> = (0..dice.usize(0..9)).map(|_| format!("w{}", dice.u8(0..30))).collect();
            for word in &line {
                *counts.entry(word.clone()).or_insert(0) += 1;
            }
            words += line.len();
            lines += 1;
            text.push_str(&line.join(" "));
            text.push('\n');
        }
        write(&bench.path(&format!("in/words/{file}.txt")), &text);
    }
    let (told, notified) = mpsc::channel();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    std::thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return };
        let mut request = [0; 4096];
        let read = stream.read(&mut request).unwrap_or(0);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let text = String::from_utf8_lossy(&request[..read]).into_owned();
        // Nobody may wait for it any more.
        let _ = told.send(text.lines().next().unwrap_or_default().to_owned());
    });
    let notify = format!("-Djob.end.notification.url=http://127.0.0.1:{port}/ended?id=$jobId&how=$jobStatus");
    let (input, output) = (shown(&bench.path("in/words")), shown(&bench.path("out/words")));
    let args = ["wordcount", "-Dmapred.reduce.tasks=2", &notify, &input, &output];
    let run = bench.hadoop(Tool::Examples, &args);
    let notified = notified.recv_timeout(NOTIFICATION_DEADLINE).ok();
    WordCount { ran: Ran::of(run), counts, lines, words, notified }
}
