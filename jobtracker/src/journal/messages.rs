//! The journal's messages, whose field numbers never change their meaning: a later version may read what an earlier one
//! wrote. What Hadoop has an encoding for (an attempt's status) stands in it.

use prost::{Message, Oneof};

/// The format; a journal of another one is set aside.
pub(super) const FORMAT: u32 = 1;

/// One frame of a journal.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Entry {
    /// Milliseconds since the epoch.
    #[prost(int64, tag = "1")]
    pub(super) at: i64,
    #[prost(oneof = "Kind", tags = "2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 25, 26")]
    pub(super) kind: Option<Kind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Kind {
    #[prost(message, tag = "2")]
    Header(Header),
    #[prost(message, boxed, tag = "3")]
    Submitted(Box<Submitted>),
    #[prost(message, tag = "4")]
    Inited(Inited),
    #[prost(message, tag = "5")]
    Launched(Launched),
    #[prost(message, tag = "6")]
    CleanupLaunched(Launched),
    #[prost(message, tag = "7")]
    Reported(Status),
    #[prost(message, tag = "8")]
    Ended(Status),
    #[prost(message, tag = "9")]
    Lost(Attempt),
    #[prost(message, tag = "10")]
    HostPenalized(Penalty),
    #[prost(message, tag = "11")]
    KillWished(Attempt),
    #[prost(bool, tag = "12")]
    Killed(bool),
    #[prost(string, tag = "13")]
    Failed(String),
    #[prost(string, tag = "14")]
    Priority(String),
    /// What follows a job's end was done.
    #[prost(bool, tag = "15")]
    Closed(bool),
    /// Whoever wanted to know of the job's end was told, or is given up.
    #[prost(bool, tag = "16")]
    Notified(bool),
    #[prost(message, tag = "20")]
    Tracker(Tracker),
    #[prost(string, tag = "21")]
    TrackerGone(String),
    #[prost(message, tag = "22")]
    Faults(Faults),
    #[prost(string, tag = "23")]
    NoFaults(String),
    #[prost(message, tag = "24")]
    TokenKeys(TokenKeys),
    #[prost(message, tag = "25")]
    Token(Token),
    #[prost(int32, tag = "26")]
    TokenGone(i32),
}

/// Opens a journal.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Header {
    #[prost(uint32, tag = "1")]
    pub(super) format: u32,
    /// The restart count of `jobtracker.info` when it was written.
    #[prost(int32, tag = "2")]
    pub(super) restarts: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Submitted {
    #[prost(string, tag = "1")]
    pub(super) user: String,
    #[prost(string, repeated, tag = "2")]
    pub(super) groups: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) address: String,
    #[prost(string, optional, tag = "4")]
    pub(super) user_name: Option<String>,
    #[prost(string, tag = "5")]
    pub(super) name: String,
    #[prost(string, tag = "6")]
    pub(super) job_file: String,
    #[prost(string, tag = "7")]
    pub(super) split_file: String,
    #[prost(string, tag = "8")]
    pub(super) url: String,
    #[prost(string, tag = "9")]
    pub(super) staging_dir: String,
    #[prost(string, tag = "10")]
    pub(super) queue: String,
    #[prost(string, tag = "11")]
    pub(super) priority: String,
    #[prost(int32, tag = "12")]
    pub(super) maps: i32,
    #[prost(int32, tag = "13")]
    pub(super) reduces: i32,
    #[prost(int32, tag = "14")]
    pub(super) map_attempts_max: i32,
    #[prost(int32, tag = "15")]
    pub(super) reduce_attempts_max: i32,
    #[prost(float, tag = "16")]
    pub(super) locality_wait_factor: f32,
    #[prost(int32, tag = "17")]
    pub(super) map_failures_percent: i32,
    #[prost(int32, tag = "18")]
    pub(super) reduce_failures_percent: i32,
    #[prost(bool, tag = "19")]
    pub(super) map_speculation: bool,
    #[prost(bool, tag = "20")]
    pub(super) reduce_speculation: bool,
    #[prost(float, optional, tag = "21")]
    pub(super) slow_start: Option<f32>,
    #[prost(int32, tag = "22")]
    pub(super) tracker_failures_max: i32,
    #[prost(int64, tag = "23")]
    pub(super) map_memory_mb: i64,
    #[prost(int64, tag = "24")]
    pub(super) reduce_memory_mb: i64,
    #[prost(int64, optional, tag = "25")]
    pub(super) reduce_input_limit: Option<i64>,
    #[prost(int32, tag = "26")]
    pub(super) skip_attempts_to_start: i32,
    #[prost(int64, tag = "27")]
    pub(super) skip_map_records_max: i64,
    #[prost(int64, tag = "28")]
    pub(super) skip_reduce_groups_max: i64,
    #[prost(message, repeated, tag = "29")]
    pub(super) acls: Vec<Acl>,
    #[prost(message, optional, tag = "30")]
    pub(super) notification: Option<Notification>,
    /// Id, name, node name, adjacencies, tags.
    #[prost(string, repeated, tag = "31")]
    pub(super) workflow: Vec<String>,
    #[prost(bool, tag = "32")]
    pub(super) keep_files: bool,
    #[prost(bool, tag = "33")]
    pub(super) cancel_tokens: bool,
    #[prost(bool, tag = "34")]
    pub(super) setup_and_cleanup: bool,
    #[prost(bool, tag = "35")]
    pub(super) restart_recover: bool,
    #[prost(bool, tag = "36")]
    pub(super) recovered: bool,
    #[prost(string, tag = "37")]
    pub(super) pool: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Acl {
    #[prost(string, tag = "1")]
    pub(super) acl: String,
    /// As `AccessControlList` spells it.
    #[prost(string, tag = "2")]
    pub(super) list: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Notification {
    #[prost(string, tag = "1")]
    pub(super) url: String,
    #[prost(int32, tag = "2")]
    pub(super) retries: i32,
    #[prost(int64, tag = "3")]
    pub(super) interval_ms: i64,
    #[prost(int64, tag = "4")]
    pub(super) timeout_ms: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Inited {
    #[prost(message, repeated, tag = "1")]
    pub(super) splits: Vec<Split>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Split {
    #[prost(string, repeated, tag = "1")]
    pub(super) locations: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) racks: Vec<String>,
    #[prost(int64, tag = "3")]
    pub(super) start_offset: i64,
    #[prost(int64, tag = "4")]
    pub(super) input_length: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Place {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) host: String,
    #[prost(string, tag = "3")]
    pub(super) rack: String,
    #[prost(int32, tag = "4")]
    pub(super) http_port: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Launched {
    #[prost(bool, tag = "1")]
    pub(super) is_map: bool,
    #[prost(int32, tag = "2")]
    pub(super) task: i32,
    /// Of a cleanup.
    #[prost(int32, tag = "3")]
    pub(super) number: i32,
    #[prost(message, optional, tag = "4")]
    pub(super) tracker: Option<Place>,
    #[prost(uint64, tag = "5")]
    pub(super) cluster_size: u64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Status {
    /// As trackers write it.
    #[prost(bytes = "vec", tag = "1")]
    pub(super) status: Vec<u8>,
    #[prost(bool, tag = "2")]
    pub(super) safe_mode: bool,
    #[prost(uint64, tag = "3")]
    pub(super) cluster_size: u64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Attempt {
    #[prost(bool, tag = "1")]
    pub(super) is_map: bool,
    #[prost(int32, tag = "2")]
    pub(super) task: i32,
    #[prost(int32, tag = "3")]
    pub(super) number: i32,
    #[prost(string, tag = "4")]
    pub(super) reason: String,
    #[prost(bool, tag = "5")]
    pub(super) fail: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Penalty {
    #[prost(string, tag = "1")]
    pub(super) host: String,
    #[prost(uint64, tag = "2")]
    pub(super) cluster_size: u64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Tracker {
    #[prost(message, optional, tag = "1")]
    pub(super) place: Option<Place>,
    #[prost(int32, tag = "2")]
    pub(super) map_slots: i32,
    #[prost(int32, tag = "3")]
    pub(super) reduce_slots: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Faults {
    #[prost(string, tag = "1")]
    pub(super) host: String,
    #[prost(int32, repeated, tag = "2")]
    pub(super) buckets: Vec<i32>,
    #[prost(int64, tag = "3")]
    pub(super) rotated: i64,
    #[prost(string, optional, tag = "4")]
    pub(super) unhealthy: Option<String>,
    #[prost(string, optional, tag = "5")]
    pub(super) graylisted: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TokenKeys {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) job_tokens: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) delegation_tokens: Vec<u8>,
    /// The number of the last token.
    #[prost(int32, tag = "3")]
    pub(super) last_number: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Token {
    #[prost(int32, tag = "1")]
    pub(super) number: i32,
    /// Milliseconds since the epoch.
    #[prost(int64, tag = "2")]
    pub(super) expiry: i64,
}
