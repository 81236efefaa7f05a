//! Hadoop's unmodified client classes in one JVM that stays: a JVM per command would cost the compliance tests minutes.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Run;

/// How long any command may take.
const DEADLINE: Duration = Duration::from_secs(300);

/// A JVM that runs `tests/java/ClientShell.java`.
#[derive(Debug)]
pub struct JavaClient {
    child: Mutex<Child>,
    commands: Mutex<Option<ChildStdin>>,
    answers: Arc<Answers>,
    next: AtomicU64,
}

#[derive(Debug, Default)]
struct Answers {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: HashMap<u64, String>,
    /// Whether the JVM is gone.
    ended: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JavaClient {
    /// Starts the JVM: `command` is `java` with the class path and properties of a client.
    pub fn start(mut command: Command, log: &Path) -> JavaClient {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/ClientShell.java");
        let log = std::fs::File::create(log).unwrap_or_else(|error| panic!("{}: {error}", log.display()));
        let mut child = command
            .arg("-Djava.security.manager=allow")
            .arg(source)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| panic!("java: {error}"));
        let answers = Arc::new(Answers::default());
        let (commands, stdout) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let shared = answers.clone();
        std::thread::spawn(move || shared.read(stdout));
        JavaClient { child: Mutex::new(child), commands: Mutex::new(commands), answers, next: AtomicU64::new(0) }
    }

    /// Runs a class's main method to its end.
    pub fn run(&self, class: &str, args: &[&str]) -> Run {
        let start = Instant::now();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut line = format!("{number}\t{class}");
        for arg in args {
            assert!(!arg.contains(['\t', '\n']), "{arg:?} does not fit a line");
            line.push('\t');
            line.push_str(arg);
        }
        line.push('\n');
        lock(&self.commands).as_mut().expect("the client runs").write_all(line.as_bytes()).expect("a command is taken");
        let answer = self.answers.wait(number);
        let answer = answer.unwrap_or_else(|| panic!("{class} {args:?} did not end within {DEADLINE:?}"));
        let words: Vec<&str> = answer.split('\t').collect();
        Run {
            command: format!("{class} {}", args.join(" ")),
            code: words[1].parse().ok(),
            stdout: text(words[2]),
            stderr: text(words[3]),
            elapsed: start.elapsed(),
        }
    }
}

impl Drop for JavaClient {
    fn drop(&mut self) {
        // With its input closed the JVM ends; a command that hangs in it must not hold the tests up.
        lock(&self.commands).take();
        let mut child = lock(&self.child);
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Answers {
    fn read(&self, stdout: ChildStdout) {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let Some(number) = line.split('\t').next().and_then(|number| number.parse().ok()) else { continue };
            lock(&self.state).lines.insert(number, line);
            self.changed.notify_all();
        }
        lock(&self.state).ended = true;
        self.changed.notify_all();
    }

    fn wait(&self, number: u64) -> Option<String> {
        let waits = |state: &mut State| !state.lines.contains_key(&number) && !state.ended;
        let guard = lock(&self.state);
        let (mut state, _) =
            self.changed.wait_timeout_while(guard, DEADLINE, waits).unwrap_or_else(PoisonError::into_inner);
        state.lines.remove(&number)
    }
}

/// Base 64 to text.
fn text(encoded: &str) -> String {
    let mut bytes = Vec::with_capacity(encoded.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for digit in encoded.bytes().filter(|digit| *digit != b'=') {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn base_64_is_read() {
        // RFC 4648, section 10.
        let vectors = [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")];
        for (encoded, plain) in vectors {
            assert_eq!(text(encoded), plain);
        }
    }
}
