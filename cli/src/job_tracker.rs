//! The JobTracker as its clients see it: connected, its version checked, its errors told apart.

use std::time::Duration;

use configuration::keys;
use rpc::blocking::Client;
use rpc::{CallError, ClientOptions};
use types::ExceptionKind;
use wire::ipc::{GetProtocolVersion, Method};
use wire::mapred::job_submission;

use crate::error::CliError;
use crate::session::Session;

/// What `mapred.job.tracker` says where there is no JobTracker.
const LOCAL: &str = "local";

/// How often a question is asked: through a restart that waits a minute for its file system, and no endless loop with a
/// JobTracker that dies of the question.
const ASKED_MAX: u32 = 64;
const PAUSE_MIN: Duration = Duration::from_millis(20);
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// One protocol of a JobTracker.
pub(crate) struct JobTracker {
    client: Client,
}

/// Whether the configuration names no JobTracker.
pub(crate) fn is_local(session: &Session) -> Result<bool, CliError> {
    Ok(session.conf.get(&keys::MAPRED_JOB_TRACKER)? == LOCAL)
}

impl JobTracker {
    /// Connects for the protocol of jobs.
    pub(crate) fn connect(session: &Session) -> Result<JobTracker, CliError> {
        Self::connect_for(session, job_submission::NAME, job_submission::VERSION)
    }

    /// Connects for a protocol and checks its version.
    pub(crate) fn connect_for(session: &Session, protocol: &'static str, ours: i64) -> Result<JobTracker, CliError> {
        if is_local(session)? {
            return Err(CliError::NoJobTracker);
        }
        let address = session.conf.get(&keys::MAPRED_JOB_TRACKER)?;
        let client = Client::new(&address, protocol, client_options(session)?);
        let theirs = client.call(&GetProtocolVersion { protocol: protocol.to_owned(), client_version: ours })?;
        if theirs != ours {
            return Err(CliError::Version { address, protocol, ours, theirs });
        }
        Ok(JobTracker { client })
    }

    /// `host:port`.
    pub(crate) fn address(&self) -> &str {
        self.client.address()
    }

    /// Calls a method.
    pub(crate) fn call<M: Method>(&self, method: &M) -> Result<M::Reply, CliError> {
        Ok(self.client.call(method)?)
    }

    /// Asks a question, which changes nothing and is asked again when the JobTracker goes away before it answers or has
    /// just come back: a client that watches a job outlives the JobTracker's restart, as Hadoop's does under
    /// `mapreduce.jobclient.retry.policy.enabled`. How long a JobTracker may stay away, the options for connecting say.
    pub(crate) fn ask<M: Method>(&self, question: &M) -> Result<M::Reply, CliError> {
        let mut pause = PAUSE_MIN;
        for _ in 1..ASKED_MAX {
            match self.client.call(question) {
                Err(error) if is_of_a_restart(&error) => std::thread::sleep(pause),
                answer => return Ok(answer?),
            }
            pause = PAUSE_MAX.min(pause * 2);
        }
        self.call(question)
    }
}

/// Whether a JobTracker that restarts gives this.
fn is_of_a_restart(error: &CallError) -> bool {
    match error {
        CallError::Lost { .. } => true,
        CallError::Remote(error) => error.kind == ExceptionKind::NotYetInitialized,
        _ => false,
    }
}

fn client_options(session: &Session) -> Result<ClientOptions, CliError> {
    let conf = &session.conf;
    let mut options = ClientOptions::for_user(&session.user);
    options.connect_retries = conf.get(&keys::IPC_CLIENT_CONNECT_MAX_RETRIES)?.try_into().unwrap_or(0);
    options.ping_interval = conf.duration(&keys::IPC_PING_INTERVAL)?.max(Duration::from_secs(1));
    Ok(options)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use types::RemoteException;
    use wire::ipc::Response;

    use super::*;

    const QUESTION: GetProtocolVersion = GetProtocolVersion { protocol: String::new(), client_version: 0 };

    /// A JobTracker that restarts under `losses` calls, then says that it is not ready yet, and then tells its version.
    fn tracker_that_loses(losses: i32) -> (JobTracker, std::thread::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address").to_string();
        let answers = std::thread::spawn(move || {
            for _ in 0..losses {
                let (mut stream, _) = listener.accept().expect("a connection");
                read_call(&mut stream);
            }
            let (mut stream, _) = listener.accept().expect("a connection");
            let error = RemoteException::new(ExceptionKind::NotYetInitialized, "JobTracker is not yet RUNNING");
            let value = GetProtocolVersion::encode_reply(&61);
            for reply in [Response::Error { id: losses, error }, Response::Success { id: losses + 1, value }] {
                read_call(&mut stream);
                stream.write_all(&reply.to_bytes()).expect("a reply is taken");
            }
            // Until the client is done.
            let _ = stream.read_to_end(&mut Vec::new());
        });
        let client = Client::new(address, job_submission::NAME, ClientOptions::for_user("u"));
        (JobTracker { client }, answers)
    }

    /// Reads until the call has come whole: its last argument is eight bytes of zero.
    fn read_call(stream: &mut TcpStream) {
        let (mut bytes, mut chunk) = (Vec::new(), [0; 512]);
        let name = GetProtocolVersion::NAME.as_bytes();
        while !(bytes.windows(name.len()).any(|part| part == name) && bytes.ends_with(&[0; 8])) {
            let read = stream.read(&mut chunk).expect("a call");
            assert!(read > 0, "the client left within its call");
            bytes.extend_from_slice(&chunk[..read]);
        }
    }

    #[test]
    fn a_question_is_asked_again_while_the_jobtracker_restarts() {
        let (tracker, answers) = tracker_that_loses(2);
        assert_eq!(tracker.ask(&QUESTION).expect("an answer"), 61);
        drop(tracker);
        answers.join().expect("the JobTracker's thread ends");
    }

    #[test]
    fn a_command_is_not_given_twice() {
        let (tracker, answers) = tracker_that_loses(1);
        let error = tracker.call(&QUESTION).expect_err("the connection broke");
        assert!(error.to_string().contains("broke"), "{error}");
        assert_eq!(tracker.ask(&QUESTION).expect("an answer"), 61);
        drop(tracker);
        answers.join().expect("the JobTracker's thread ends");
    }
}
