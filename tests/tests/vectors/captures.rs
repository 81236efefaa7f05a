//! Conversations between Hadoop's own programs: each side's bytes are read as frames, each frame's content as what it
//! is, and all is written back.

use std::collections::BTreeMap;

use hadoop_io::{DataInput, DecodeError};
use serde_json::Value;
use wire::exceptions::ErrorText;
use wire::ipc::{self, AuthMethod, ConnectionHeader, Method, ResponseHeader, SaslReply, Status};
use wire::mapred::{
    admin, inter_tracker, job_submission, refresh_authorization_policy, refresh_user_mappings, task_umbilical,
};
use wire::{CallError, Writable};

use super::{assert_same, hex, text, vector_json};

/// Conversations of frames that the JobTracker refuses, and what it is about each.
const REFUSED: &[(&str, &str)] = &[
    ("unknown_protocol_header", "the header names a protocol that nobody knows"),
    ("unknown_class_param", "a parameter's class is unknown"),
    ("http_get", "the peer speaks HTTP"),
    ("bad_version", "the peer speaks another version of the RPC"),
    ("bad_auth", "the byte of the authentication is unknown"),
];

/// Makes the enum of all calls that were captured, and how a call's reply is read and written back.
macro_rules! protocols {
    ($($protocol:ident { $($method:ident),* $(,)? })*) => {
        /// A call of any protocol.
        #[allow(non_camel_case_types, reason = "the names are those of the modules")]
        enum AnyCall { $($protocol($protocol::Call),)* }

        impl AnyCall {
            fn decode(protocol: &str, bytes: &[u8]) -> Result<AnyCall, CallError> {
                match protocol {
                    $($protocol::NAME => $protocol::Call::decode(bytes).map(AnyCall::$protocol),)*
                    _ => panic!("protocol {protocol} is unknown here"),
                }
            }

            fn encode(&self) -> Vec<u8> {
                match self { $(AnyCall::$protocol(call) => call.encode(),)* }
            }

            fn recode_reply(&self, input: &mut DataInput<'_>) -> Result<Vec<u8>, DecodeError> {
                match self {
                    $(AnyCall::$protocol($protocol::Call::GetProtocolVersion(_)) => {
                        recode_reply::<ipc::GetProtocolVersion>(input)
                    })*
                    $($(AnyCall::$protocol($protocol::Call::$method(_)) => {
                        recode_reply::<$protocol::$method>(input)
                    })*)*
                }
            }
        }
    };
}

protocols! {
    job_submission {
        GetNewJobId, SubmitJob, GetClusterStatus, GetQueueAdmins, KillJob, SetJobPriority, KillTask, GetJobProfile,
        GetJobStatus, GetJobCounters, GetMapTaskReports, GetReduceTaskReports, GetCleanupTaskReports,
        GetSetupTaskReports, GetFilesystemName, JobsToComplete, GetAllJobs, GetTaskCompletionEvents,
        GetTaskDiagnostics, GetSystemDir, GetStagingAreaDir, GetQueues, GetQueueInfo, GetJobsFromQueue,
        GetQueueAclsForCurrentUser, GetDelegationToken, RenewDelegationToken, CancelDelegationToken,
    }
    inter_tracker {
        Heartbeat, GetFilesystemName, ReportTaskTrackerError, GetTaskCompletionEvents, GetSystemDir, GetBuildVersion,
        GetViVersion,
    }
    task_umbilical {
        GetTask, StatusUpdate, ReportDiagnosticInfo, ReportNextRecordRange, Ping, Done, CommitPending, CanCommit,
        ShuffleError, FsError, FatalError, GetMapCompletionEvents, UpdatePrivateDistributedCacheSizes,
    }
    admin { RefreshQueues, RefreshNodes, SetSafeMode }
    refresh_user_mappings { RefreshUserToGroupsMappings, RefreshSuperUserGroupsConfiguration }
    refresh_authorization_policy { RefreshServiceAcl }
}

fn recode_reply<M: Method>(input: &mut DataInput<'_>) -> Result<Vec<u8>, DecodeError> {
    M::decode_reply(input).map(|reply| M::encode_reply(&reply))
}

/// What is known of a conversation so far.
#[derive(Default)]
struct Conversation {
    name: String,
    protocol: String,
    calls: BTreeMap<i32, AnyCall>,
    /// Calls that fit no method, with the text that the server must answer.
    refused: BTreeMap<i32, String>,
    frames: usize,
}

impl Conversation {
    /// Reads one side's preamble; the authentication that it names.
    fn preamble(&mut self, input: &mut DataInput<'_>) -> Result<AuthMethod, String> {
        let bytes = input.bytes(6, "preamble").map_err(|error| error.to_string())?;
        let auth = AuthMethod::from_code(bytes[5]).ok_or("an unknown authentication")?;
        if ipc::preamble(auth) != bytes {
            return Err("another preamble".to_owned());
        }
        self.frames += 1;
        Ok(auth)
    }

    fn header(&mut self, input: &mut DataInput<'_>) {
        let frame = next_frame(input);
        let header = ConnectionHeader::from_bytes(frame).expect("a connection header");
        assert_same(&format!("{}: header", self.name), frame, Ok(header.to_bytes()));
        self.protocol = header.protocol;
        self.frames += 1;
    }

    /// Reads all calls that are left.
    fn calls(&mut self, input: &mut DataInput<'_>) -> Result<(), String> {
        while input.remaining() > 0 {
            self.frames += 1;
            if input.rest().starts_with(&ipc::PING) {
                input.bytes(4, "ping").expect("four bytes");
                continue;
            }
            let frame = next_frame(input);
            let (id, invocation) = frame.split_at(4);
            let id = i32::from_be_bytes(id.try_into().expect("four bytes"));
            match AnyCall::decode(&self.protocol, invocation) {
                Ok(call) => {
                    assert_same(&format!("{}: call {id}", self.name), invocation, Ok(call.encode()));
                    self.calls.insert(id, call);
                }
                Err(error) => match error.reply() {
                    Some(told) => drop(self.refused.insert(id, told.message)),
                    None => return Err(error.to_string()),
                },
            }
        }
        Ok(())
    }

    /// Reads all replies that are left.
    fn replies(&mut self, input: &mut DataInput<'_>) {
        while input.remaining() > 0 {
            self.frames += 1;
            let what = format!("{}: reply at byte {}", self.name, input.position());
            let before = input.rest();
            let start = input.position();
            let header = ResponseHeader::read(input).unwrap_or_else(|error| panic!("{what}: {error}"));
            let mut recoded = header.to_bytes();
            match header.status {
                Status::Success => {
                    let call = self.calls.get(&header.id).unwrap_or_else(|| panic!("{what}: no call {}", header.id));
                    recoded.extend(call.recode_reply(input).unwrap_or_else(|error| panic!("{what}: {error}")));
                }
                Status::Error | Status::Fatal => {
                    let error = ErrorText::read(input).unwrap_or_else(|error| panic!("{what}: {error}"));
                    if let Some(message) = self.refused.get(&header.id) {
                        assert_eq!(&error.to_exception().message, message, "{what}");
                    }
                    recoded.extend(error.to_bytes());
                }
            }
            assert_same(&what, &before[..input.position() - start], Ok(recoded));
        }
    }
}

fn next_frame<'a>(input: &mut DataInput<'a>) -> &'a [u8] {
    let len = input.count(1, "frame").expect("a frame's length");
    input.bytes(len, "frame").expect("a whole frame")
}

/// All bytes of one side.
fn side(conversation: &Value, side: &str) -> Vec<u8> {
    let events = conversation["events"].as_array().expect("events");
    events.iter().filter(|event| text(event, "dir") == side).flat_map(|event| hex(event, "hex")).collect()
}

#[test]
fn every_frame_between_hadoops_programs_is_read_and_written_back() {
    let mut frames = 0;
    for entry in std::fs::read_dir(super::vector_path("captures")).expect("captures") {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        let capture = vector_json(&format!("captures/{name}"));
        if capture.is_array() {
            continue; // Collections of short conversations have tests of their own.
        }
        let mut conversation = Conversation { name, ..Conversation::default() };
        let (client, server) = (side(&capture, "C"), side(&capture, "S"));
        let mut input = DataInput::new(&client);
        assert_eq!(conversation.preamble(&mut input).expect("a preamble"), AuthMethod::Simple);
        conversation.header(&mut input);
        conversation.calls(&mut input).expect("calls");
        conversation.replies(&mut DataInput::new(&server));
        let events = capture["events"].as_array().expect("events").len();
        assert_eq!(conversation.frames, events, "{}: an event is a frame", conversation.name);
        frames += events;
    }
    assert!(frames >= 800, "only {frames} frames");
}

#[test]
fn odd_conversations_are_read_or_refused_as_hadoop_refuses_them() {
    let captures = vector_json("captures/raw-ipc.json");
    for capture in captures.as_array().expect("an array") {
        let name = text(capture, "name");
        let read = read_odd(name, capture);
        match REFUSED.iter().find(|(listed, _)| *listed == name) {
            None => assert!(read.is_ok(), "{name}: {read:?}"),
            Some((_, why)) => {
                assert!(read.is_err(), "{name} is read now, though {why}");
                assert!(side(capture, "S").is_empty() && capture["server_closed"] == true, "{name}");
            }
        }
    }
}

fn read_odd(name: &str, capture: &Value) -> Result<(), String> {
    let mut conversation = Conversation { name: name.to_owned(), ..Conversation::default() };
    let (client, server) = (side(capture, "C"), side(capture, "S"));
    let (mut input, mut replies) = (DataInput::new(&client), DataInput::new(&server));
    let auth = conversation.preamble(&mut input)?;
    if auth != AuthMethod::Simple {
        assert!(next_frame(&mut input).is_empty(), "{name}: the first token of DIGEST-MD5 is empty");
        let reply = SaslReply::read(&mut replies).map_err(|error| error.to_string())?;
        assert_eq!(reply, SaslReply::SwitchToSimple);
        assert_same(name, &server[..replies.position()], Ok(reply.to_bytes()));
    }
    conversation.header(&mut input);
    if !conversation.protocol.starts_with("org.apache.hadoop.") {
        return Err(format!("unknown protocol {}", conversation.protocol));
    }
    conversation.calls(&mut input)?;
    conversation.replies(&mut replies);
    Ok(())
}

/// What follows the exchange with these settings is wrapped, which is not read so far.
const WRAPPED: &[(&str, &str)] =
    &[("integrity", "auth-int wraps frames with a MAC"), ("privacy", "auth-conf wraps frames encrypted")];

#[test]
fn sasl_exchanges_are_read_and_written_back() {
    let captures = vector_json("captures/sasl-digest-md5.json");
    let mut exchanges = 0;
    for capture in captures.as_array().expect("an array") {
        let name = text(capture, "name");
        let (client, server) = (side(capture, "C"), side(capture, "S"));
        let (mut input, mut replies) = (DataInput::new(&client), DataInput::new(&server));
        let mut conversation = Conversation { name: name.to_owned(), ..Conversation::default() };
        if conversation.preamble(&mut input).expect("a preamble") == AuthMethod::Simple {
            conversation.replies(&mut replies); // The fatal reply.
            continue;
        }
        exchanges += 1;
        assert!(next_frame(&mut input).is_empty(), "{name}: the first token is empty");
        next_token(name, &mut replies, &server);
        let response = next_frame(&mut input).to_vec();
        let start = input.position() - response.len() - 4;
        assert_same(name, &client[start..input.position()], Ok(ipc::frame(&response)));
        if matches!(next_token(name, &mut replies, &server), SaslReply::Refused(_)) {
            assert_eq!((input.remaining(), replies.remaining()), (0, 0), "{name}: the end");
            continue;
        }
        match WRAPPED.iter().find(|(protection, _)| *protection == text(capture, "hadoop_rpc_protection")) {
            None => {
                conversation.header(&mut input);
                conversation.calls(&mut input).expect("calls");
                conversation.replies(&mut replies);
            }
            Some((_, why)) => {
                let wrapped = next_frame(&mut input);
                let bare = ConnectionHeader::from_bytes(wrapped);
                assert!(bare.is_err(), "{name}: the header is bare, though {why}");
            }
        }
    }
    assert_eq!(exchanges, 6);
}

fn next_token(name: &str, replies: &mut DataInput<'_>, server: &[u8]) -> SaslReply {
    let start = replies.position();
    let reply = SaslReply::read(replies).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_same(name, &server[start..replies.position()], Ok(reply.to_bytes()));
    reply
}
