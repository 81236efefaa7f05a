//! `/mapOutput`: a partition of a map's output for a reduce that knows the job's password (Hadoop 1.2.1:
//! TaskTracker.MapOutputServlet).
//!
//! What cannot be read is answered with 410, and the tracker is told that the map must run again. Once the first byte is
//! out, an error breaks the connection off: a reduce never takes a part, or an error page, for data.

mod index_cache;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use configuration::{ConfigError, keys};
use hadoop_io::spill_index::IndexRecord;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Request, Response, StatusCode};
use types::JobId;
use wire::shuffle::{self, MapOutputRequest, QueryError};

use crate::http::reply::{Content, Ended, FileStream, Reply, error};
use crate::http::{Services, Tracker};
use crate::localizer::{JobSecret, JobSecrets, LocalDirs, layout};
use crate::user_logs::{UserLogs, open_owned};
use index_cache::IndexCache;

/// A partition up to this size is read with the index, in one go.
const AT_ONCE_BYTES_MAX: u64 = 256 << 10;
/// The names of the two files of a map's output.
const DATA: &str = "file.out";
const INDEX: &str = "file.out.index";

/// Both ends of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peers {
    /// Ours.
    pub(crate) local: SocketAddr,
    /// The reduce's.
    pub(crate) remote: SocketAddr,
}

/// Serves map outputs.
pub(crate) struct ShuffleServer {
    tracker: Arc<dyn Tracker>,
    secrets: Arc<JobSecrets>,
    dirs: Arc<LocalDirs>,
    logs: Arc<UserLogs>,
    indexes: Arc<IndexCache>,
}

impl std::fmt::Debug for ShuffleServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShuffleServer").finish_non_exhaustive()
    }
}

/// A partition that was found.
struct Found {
    record: IndexRecord,
    /// All of it, if it is small.
    bytes: Option<Bytes>,
    /// The file at its start, otherwise.
    file: Option<File>,
}

/// Why a fetch is refused.
pub(crate) struct Refused {
    pub(crate) status: StatusCode,
    pub(crate) reason: String,
}

/// A part on its way out.
pub(crate) struct Part {
    /// The shuffle's own headers.
    pub(crate) headers: [(&'static str, String); 5],
    pub(crate) record: IndexRecord,
    /// All of it, if it is small.
    pub(crate) bytes: Option<Bytes>,
    /// The file at its start, otherwise.
    pub(crate) file: Option<File>,
    /// To be told how it went.
    pub(crate) ended: Ended,
}

/// What every answer with data says it is, as Hadoop's server does.
pub(crate) const DATA_TYPE: &str = "text/html; charset=utf-8";

impl Part {
    fn into_reply(self) -> Reply {
        let remaining = if self.file.is_some() { self.record.part_len } else { 0 };
        let file = self.file.map(tokio::fs::File::from_std);
        let stream = FileStream { first: self.bytes, file, remaining, ended: Some(self.ended), taken: 0 };
        let mut reply = Response::new(Content::Stream(Box::new(stream)));
        reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(DATA_TYPE));
        self.headers.iter().for_each(|(name, value)| add_header(reply.headers_mut(), name, value));
        reply
    }
}

impl ShuffleServer {
    /// A server for these services.
    pub(crate) fn new(services: &Services) -> Result<Self, ConfigError> {
        let megabytes = services.conf.get(&keys::MAPRED_TASKTRACKER_INDEXCACHE_MB)?;
        let bytes = usize::try_from(megabytes).unwrap_or(0) << 20;
        Ok(ShuffleServer {
            tracker: Arc::clone(&services.tracker),
            secrets: Arc::clone(&services.secrets),
            dirs: Arc::clone(&services.dirs),
            logs: Arc::clone(&services.logs),
            indexes: Arc::new(IndexCache::new(bytes)),
        })
    }

    /// Forgets the indexes of a job's maps.
    pub(crate) fn forget_job(&self, job: &JobId) {
        self.indexes.forget_job(job);
    }

    /// Answers a request that came through the general server.
    pub(crate) async fn answer(&self, peers: Peers, request: &Request<Incoming>) -> Reply {
        // The proof covers path and query as they were sent.
        let sent = request.uri().path_and_query().map_or("", |sent| sent.as_str());
        let proof = request.headers().get(shuffle::URL_HASH).and_then(|proof| proof.to_str().ok()).unwrap_or("");
        match self.look_up(peers, sent, proof).await {
            Ok(part) => part.into_reply(),
            Err(refused) => error(refused.status, shuffle::PATH, &refused.reason),
        }
    }

    /// The part that `sent`, a path with its query, asks for, if its proof holds.
    pub(crate) async fn look_up(&self, peers: Peers, sent: &str, proof: &str) -> Result<Part, Refused> {
        let refuse = |status, reason: String| Err(Refused { status, reason });
        let query = sent.split_once('?').map_or("", |(_, query)| query);
        let wish = match MapOutputRequest::parse_query(query) {
            Ok(wish) => wish,
            Err(reason @ QueryError::Malformed { .. }) => return refuse(StatusCode::BAD_REQUEST, reason.to_string()),
            Err(reason) => return refuse(StatusCode::INTERNAL_SERVER_ERROR, reason.to_string()),
        };
        let Some(secret) = self.secrets.get(&wish.job) else {
            let reason = format!("Can't find job token for job {} !!", wish.job);
            return refuse(StatusCode::INTERNAL_SERVER_ERROR, reason);
        };
        if !shuffle::verify_url_hash(&secret.password, peers.local.port(), sent, proof) {
            return refuse(StatusCode::UNAUTHORIZED, "UNAUTHORIZED".to_owned());
        }
        let started = Instant::now();
        match self.find(&secret, &wish).await {
            Ok(found) => Ok(self.part(&secret, proof, wish, found, peers, started)),
            Err(cause) => {
                let reason = self.lost(&wish, &cause);
                trace(peers, 0, &wish, started);
                refuse(StatusCode::GONE, reason)
            }
        }
    }

    async fn find(&self, secret: &JobSecret, wish: &MapOutputRequest) -> io::Result<Found> {
        let relative = layout::output_dir(&secret.user, &wish.map);
        let (dirs, indexes, wish) = (Arc::clone(&self.dirs), Arc::clone(&self.indexes), wish.clone());
        let logs = Arc::clone(&self.logs);
        let finding = tokio::task::spawn_blocking(move || {
            let place = |name: &str| -> io::Result<PathBuf> {
                let path = relative.join(name);
                let text = format!("{} is in none of the local directories", path.display());
                dirs.find(&path).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, text))
            };
            let owner = logs.owner(&wish.job)?;
            let record = indexes.record(&wish.map, wish.reduce, || place(INDEX))?;
            read(&place(DATA)?, record, owner)
        });
        finding.await.map_err(io::Error::other)?
    }

    fn part(
        &self,
        secret: &JobSecret,
        proof: &str,
        wish: MapOutputRequest,
        found: Found,
        peers: Peers,
        started: Instant,
    ) -> Part {
        let record = found.record;
        let headers = [
            (shuffle::REPLY_HASH, shuffle::reply_hash(&secret.password, proof)),
            (shuffle::FROM_MAP_TASK, wish.map.to_string()),
            (shuffle::RAW_LENGTH, record.raw_len.to_string()),
            (shuffle::PART_LENGTH, record.part_len.to_string()),
            (shuffle::FOR_REDUCE_TASK, wish.reduce.to_string()),
        ];
        let tracker = Arc::clone(&self.tracker);
        let ended: Ended = Box::new(move |sent, cause: Option<&io::Error>| {
            if let Some(cause) = cause {
                tell_lost(&*tracker, &wish, cause);
            }
            trace(peers, sent, &wish, started);
        });
        Part { headers, record, bytes: found.bytes, file: found.file, ended }
    }

    fn lost(&self, wish: &MapOutputRequest, cause: &io::Error) -> String {
        tell_lost(&*self.tracker, wish, cause)
    }
}

fn tell_lost(tracker: &dyn Tracker, wish: &MapOutputRequest, cause: &io::Error) -> String {
    let reason = format!("getMapOutput({},{}) failed :\njava.io.IOException: {cause}", wish.map, wish.reduce);
    tracing::warn!(map = %wish.map, reduce = wish.reduce, error = %cause, "a map output cannot be read: it is lost");
    tracker.map_output_lost(wish.map.clone(), reason.clone());
    reason
}

/// Names and values are ours: none can be malformed.
fn add_header(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}

fn read(path: &std::path::Path, record: IndexRecord, owner: Option<u32>) -> io::Result<Found> {
    let mut file = open_owned(path, owner)?;
    let length = file.metadata()?.len();
    if record.start.checked_add(record.part_len).is_none_or(|end| end > length) {
        let text = format!(
            "{} has {length} bytes, but its index has a part of {} bytes at {}",
            path.display(),
            record.part_len,
            record.start
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    file.seek(SeekFrom::Start(record.start))?;
    if record.part_len > AT_ONCE_BYTES_MAX {
        return Ok(Found { record, bytes: None, file: Some(file) });
    }
    let mut bytes = vec![0; record.part_len as usize];
    file.read_exact(&mut bytes)?;
    Ok(Found { record, bytes: Some(bytes.into()), file: None })
}

/// The line that tools which watch transfers parse (Hadoop 1.2.1: TaskTracker.MR_CLIENTTRACE_FORMAT).
fn trace(peers: Peers, sent: u64, wish: &MapOutputRequest, started: Instant) {
    let Peers { local, remote } = peers;
    let line = format!(
        "src: {}:{}, dest: {}:{}, bytes: {sent}, op: MAPRED_SHUFFLE, cliID: {}, duration: {}",
        local.ip(),
        local.port(),
        remote.ip(),
        remote.port(),
        wish.map,
        started.elapsed().as_nanos()
    );
    tracing::info!(target: "org.apache.hadoop.mapred.TaskTracker.clienttrace", "{line}");
}
