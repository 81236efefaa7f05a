//! Any bytes are read or refused by every decoder; none panics, and none takes memory that the bytes do not fill.

use hadoop_io::DataInput;
use proptest::prelude::*;
use types::{
    ClusterStatus, Counters, Credentials, DelegationTokenIdentifier, HeartbeatResponse, JobStatus, JvmTask,
    MapTaskCompletionEventsUpdate, QueueAclsInfo, TaskCompletionEvent, TaskReport, TaskTrackerStatus, Token,
};
use wire::ipc::{ConnectionHeader, Method, ResponseHeader, SaslReply};
use wire::mapred::{
    admin, inter_tracker, job_submission, refresh_authorization_policy, refresh_user_mappings, task_umbilical,
};
use wire::{Writable, history, object_writable, shuffle, splits, task_log};

use super::{hex, text, vector_file, vector_json};

/// Hands the bytes to every decoder.
fn read_as_everything(bytes: &[u8]) {
    fn read<T: Writable>(bytes: &[u8]) {
        if let Ok(value) = T::from_bytes(bytes) {
            // What was read can be written, and the copy read again.
            assert!(T::from_bytes(&value.to_bytes()).is_ok());
        }
    }
    read::<JobStatus>(bytes);
    read::<ClusterStatus>(bytes);
    read::<TaskReport>(bytes);
    read::<TaskCompletionEvent>(bytes);
    read::<QueueAclsInfo>(bytes);
    read::<Counters>(bytes);
    read::<TaskTrackerStatus>(bytes);
    read::<HeartbeatResponse>(bytes);
    read::<JvmTask>(bytes);
    read::<MapTaskCompletionEventsUpdate>(bytes);
    read::<Token>(bytes);
    read::<Credentials>(bytes);
    read::<DelegationTokenIdentifier>(bytes);
    read::<ConnectionHeader>(bytes);
    read::<ResponseHeader>(bytes);
    read::<SaslReply>(bytes);
    read::<wire::job_info::JobInfo>(bytes);
    let _ = wire::credentials::read_storage(bytes);
    let _ = splits::read_meta(bytes);
    let _ = splits::check_split_header(bytes);
    let _ = splits::read_split(&mut DataInput::new(bytes));
    let _ = object_writable::skip(&mut DataInput::new(bytes));
    let _ = job_submission::GetAllJobs::decode_reply(&mut DataInput::new(bytes));
    let _ = inter_tracker::Heartbeat::decode_reply(&mut DataInput::new(bytes));
    read_as_calls(bytes);
    read_as_text(&String::from_utf8_lossy(bytes));
}

fn read_as_calls(bytes: &[u8]) {
    let _ = job_submission::Call::decode(bytes);
    let _ = inter_tracker::Call::decode(bytes);
    let _ = task_umbilical::Call::decode(bytes);
    let _ = admin::Call::decode(bytes);
    let _ = refresh_user_mappings::Call::decode(bytes);
    let _ = refresh_authorization_policy::Call::decode(bytes);
}

fn read_as_text(text: &str) {
    let _ = history::parse(text);
    let _ = history::counters_from_text(text);
    let _ = history::unescape(text);
    let _ = task_log::LogIndex::parse(text);
    let _ = shuffle::MapOutputRequest::parse_query(text);
    let _ = wire::exceptions::from_reply("java.io.IOException", text);
    let _ = wire::credentials::from_url_string(text);
}

/// Real bytes: entries, calls and files, which random bytes alone never come near.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for entry in vector_json("vectors.json").as_array().expect("an array") {
        if entry["hex"].is_string() {
            seeds.push(hex(entry, "hex"));
        }
    }
    for name in ["client-wordcount.json", "child-reduce.json", "tasktracker-reinit.json"] {
        for event in vector_json(&format!("captures/{name}"))["events"].as_array().expect("events") {
            let bytes = hex(event, "hex");
            let head = if text(event, "dir") == "C" { 8 } else { 8.min(bytes.len()) };
            seeds.extend(bytes.get(head..).map(<[u8]>::to_vec));
        }
    }
    seeds.push(vector_file("files/submit-job.splitmetainfo"));
    seeds.push(vector_file("files/local-jobToken"));
    seeds
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..512)) {
        read_as_everything(&bytes);
    }

    #[test]
    fn damaged_real_bytes_never_panic(
        pick in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let seeds = seeds();
        let mut bytes = pick.get(&seeds).clone();
        if !bytes.is_empty() {
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let keep = bytes.len() - cut.index(bytes.len()) / 2;
            bytes.truncate(keep);
        }
        read_as_everything(&bytes);
    }
}

#[test]
fn every_cut_of_a_real_heartbeat_is_refused() {
    let capture = vector_json("captures/tasktracker-jobtracker.json");
    let events = capture["events"].as_array().expect("events");
    let beats =
        events.iter().filter(|event| event["gloss"]["kind"] == "call" && event["gloss"]["method"] == "heartbeat");
    let longest = beats.map(|event| hex(event, "hex")).max_by_key(Vec::len).expect("a heartbeat");
    let invocation = &longest[8..];
    assert!(inter_tracker::Call::decode(invocation).is_ok());
    for len in 0..invocation.len() {
        assert!(inter_tracker::Call::decode(&invocation[..len]).is_err(), "cut at {len}");
    }
}
