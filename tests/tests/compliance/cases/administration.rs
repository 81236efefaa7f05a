//! Submissions that are refused for what is in them, tokens, and what only administrators may do. Safe mode stops the
//! cluster, so these cases come when no job runs.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use rpc::ClientOptions;
use rpc::blocking::Client;
use types::{Credentials, ExceptionKind, JobId, JobState, SafeModeAction};
use wire::mapred::job_submission::{
    self, CancelDelegationToken, GetDelegationToken, GetJobStatus, GetNewJobId, GetStagingAreaDir, KillJob,
    RenewDelegationToken, SubmitJob,
};
use wire::mapred::{admin, refresh_authorization_policy, refresh_user_mappings};
use wire::object_writable::Text;

use crate::bench::{Bench, Tool, shown};
use crate::case::Case;
use crate::cell::Part;
use crate::files::{files_below, write};
use crate::job::refusal;
use crate::scenes::write_lines;

const SUBMISSION: &str = "refused submissions";
const TOKENS: &str = "delegation tokens";
const ADMIN: &str = "administration";

pub(super) const CASES: &[Case] = &[
    Case::more(SUBMISSION, "to submit a known job again tells its status", |bench| {
        let job = bench.word_count().ran.id.clone();
        let status = submit(&bench.rpc(), job.clone(), "file:/nowhere").expect("a status");
        assert_eq!((status.job, status.state), (job, JobState::Succeeded));
    }),
    Case::more(SUBMISSION, "a job without its file is refused", |bench| {
        let (job, dir) = staged(bench, None);
        let error = refusal(submit(&bench.rpc(), job.clone(), &dir));
        assert!(error.message.contains("job.xml"), "{error:?}");
        assert_unknown(bench, &job);
    }),
    Case::more(SUBMISSION, "a job in another user's name is refused", |bench| {
        let named = "<property><name>user.name</name><value>root-or-so</value></property></configuration>";
        let conf = configuration_of(bench).replace("</configuration>", named);
        let (job, dir) = staged(bench, Some(&conf));
        let error = refusal(submit(&client(bench, "somebody-else"), job.clone(), &dir));
        let wanted = "The username root-or-so obtained from the conf doesn't match the username somebody-else";
        assert!(error.message.contains(wanted), "{error:?}");
        assert_unknown(bench, &job);
    }),
    Case::more(SUBMISSION, "a file of more than five mebibytes is refused", |bench| {
        let conf = configuration_of(bench)
            .replace("</configuration>", &format!("<!--{}--></configuration>", "x".repeat(5 << 20)));
        let (job, dir) = staged(bench, Some(&conf));
        let error = refusal(submit(&bench.rpc(), job.clone(), &dir));
        assert!(
            error.message.contains("Exceeded max jobconf size: ") && error.message.contains(" limit: 5242880"),
            "{error:?}"
        );
        assert_unknown(bench, &job);
    }),
    Case::more(TOKENS, "a token can be had, renewed by its renewer, and cancelled", |bench| {
        let rpc = bench.rpc();
        let user = bench.word_count().ran.job(bench).profile().user;
        let token = rpc.call(&GetDelegationToken { renewer: Text(user) }).expect("an answer").expect("a token");
        assert_eq!(token.kind, "MAPREDUCE_DELEGATION_TOKEN");
        let expiry = rpc.call(&RenewDelegationToken { token: token.clone() }).expect("an expiry");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64;
        let day = 86_400_000;
        assert!((now..=now + day).contains(&expiry) && expiry > now + day / 2, "{expiry} at {now}");
        rpc.call(&CancelDelegationToken { token: token.clone() }).expect("no error");
        let error = refusal(rpc.call(&RenewDelegationToken { token }));
        assert_eq!(error.kind, ExceptionKind::InvalidToken, "{error:?}");
    }),
    Case::more(TOKENS, "nobody but its renewer renews a token", |bench| {
        let rpc = bench.rpc();
        let token = rpc
            .call(&GetDelegationToken { renewer: Text("somebody".to_owned()) })
            .expect("an answer")
            .expect("a token");
        let error = refusal(rpc.call(&RenewDelegationToken { token: token.clone() }));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
        client(bench, "somebody").call(&RenewDelegationToken { token }).expect("an expiry");
    }),
    Case::more(TOKENS, "nobody but owner and renewer cancels a token", |bench| {
        let token = bench.rpc().call(&GetDelegationToken { renewer: Text("somebody".to_owned()) });
        let token = token.expect("an answer").expect("a token");
        let error = refusal(client(bench, "a-third").call(&CancelDelegationToken { token }));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
    }),
    Case::more(ADMIN, "queues, nodes and user mappings can be refreshed", |bench| {
        let run = |args: &[&str]| bench.hadoop(Tool::MrAdmin, args).expect_success();
        run(&["-refreshQueues"]);
        run(&["-refreshNodes"]);
        run(&["-refreshUserToGroupsMappings"]);
        run(&["-refreshSuperUserGroupsConfiguration"]);
    }),
    Case::more(ADMIN, "access lists of services cannot be refreshed while they are off", |bench| {
        let rpc = protocol_client(bench, refresh_authorization_policy::NAME, None);
        let error = refusal(rpc.call(&refresh_authorization_policy::RefreshServiceAcl {}));
        assert_eq!(error.kind, ExceptionKind::Authorization, "{error:?}");
    }),
    Case::more(ADMIN, "user mappings are refreshed by a direct call", |bench| {
        let rpc = protocol_client(bench, refresh_user_mappings::NAME, None);
        rpc.call(&refresh_user_mappings::RefreshUserToGroupsMappings {}).expect("no error");
        rpc.call(&refresh_user_mappings::RefreshSuperUserGroupsConfiguration {}).expect("no error");
    }),
    Case::more(ADMIN, "only administrators refresh the nodes", |bench| {
        let error = refusal(protocol_client(bench, admin::NAME, Some("alice")).call(&admin::RefreshNodes {}));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
        assert!(error.message.contains("alice is not authorized to refresh nodes."), "{error:?}");
    }),
    Case::more(ADMIN, "only administrators refresh the queues", |bench| {
        let error = refusal(protocol_client(bench, admin::NAME, Some("alice")).call(&admin::RefreshQueues {}));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
    })
    .only_ours(Part::JobTracker, "1.2.1 forgot to ask who refreshes the queues"),
    Case::more(ADMIN, "anybody asks for safe mode, only administrators set it", |bench| {
        let alice = protocol_client(bench, admin::NAME, Some("alice"));
        let get = admin::SetSafeMode { action: SafeModeAction::Get };
        assert_eq!(alice.call(&get).ok(), Some(false));
        let error = refusal(alice.call(&admin::SetSafeMode { action: SafeModeAction::Enter }));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
    }),
    Case::more(ADMIN, "in safe mode jobs are refused and queries answered", |bench| {
        let job = bench.word_count().ran.id.clone();
        let mode = |word: &str| bench.hadoop(Tool::MrAdmin, &["-safemode", word]).expect_success().stdout;
        assert_eq!(mode("enter"), "Safe mode is ON\n");
        let input = shown(&write_lines(bench, "safe", 1));
        let run = bench.hadoop(Tool::Examples, &["wordcount", &input, &shown(&bench.path("out/safe"))]);
        let status = bench.rpc().call(&GetJobStatus { job: job.clone() });
        let killed = bench.rpc().call(&KillJob { job });
        let system = bench.rpc().call(&job_submission::GetSystemDir {});
        assert_eq!(mode("get"), "Safe mode is ON\n");
        assert_eq!(mode("leave"), "Safe mode is OFF\n");
        assert!(run.code != Some(0) && run.stderr.contains("SafeModeException"), "{run:#?}");
        assert_eq!(status.expect("an answer").expect("a known job").state, JobState::Succeeded);
        assert_eq!(refusal(killed).kind, ExceptionKind::SafeMode);
        assert_eq!(system.ok(), Some(None), "the system directory is null in safe mode");
    }),
];

fn client(bench: &Bench, user: &str) -> Client {
    protocol_client(bench, job_submission::NAME, Some(user))
}

/// A client of one of the JobTracker's protocols, as that user or as the tests' own.
fn protocol_client(bench: &Bench, protocol: &str, user: Option<&str>) -> Client {
    let own = || bench.word_count().ran.job(bench).profile().user;
    let user = user.map_or_else(own, str::to_owned);
    let options = ClientOptions { call_timeout: Some(crate::files::DEADLINE), ..ClientOptions::for_user(user) };
    Client::new(format!("127.0.0.1:{}", bench.cluster.rpc_port), protocol, options)
}

fn submit(rpc: &Client, job: JobId, dir: &str) -> Result<types::JobStatus, rpc::CallError> {
    rpc.call(&SubmitJob { job, submit_dir: dir.to_owned(), credentials: Credentials::default() })
}

/// A new job's id and its staging directory, with that configuration in it.
fn staged(bench: &Bench, conf: Option<&str>) -> (JobId, String) {
    let job = bench.rpc().call(&GetNewJobId {}).expect("an id");
    let area = bench.rpc().call(&GetStagingAreaDir {}).expect("a directory");
    let dir = format!("{area}/{job}");
    let path = PathBuf::from(dir.trim_start_matches("file:"));
    std::fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if let Some(conf) = conf {
        write(&path.join("job.xml"), conf);
    }
    (job, dir)
}

/// The configuration of a job that ran, as the history has it.
fn configuration_of(bench: &Bench) -> String {
    let id = &bench.word_count().ran.id;
    let _ = super::logs_and_history::history(bench, id);
    let name = format!("{id}_conf.xml");
    let path =
        files_below(&bench.history_done()).into_iter().find(|path| path.ends_with(&name)).expect("its configuration");
    std::fs::read_to_string(path).expect("a configuration")
}

fn assert_unknown(bench: &Bench, job: &JobId) {
    assert_eq!(bench.rpc().call(&GetJobStatus { job: job.clone() }).expect("an answer"), None);
}
