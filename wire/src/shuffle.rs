//! The shuffle's request and reply: address, headers, and the hashes by which both sides prove that they know the job's
//! token (Hadoop 1.2.1: TaskTracker.MapOutputServlet, ReduceTask.MapOutputCopier, mapreduce.security.SecureShuffleUtils).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha1::Sha1;
use types::{JobId, TaskAttemptId};

/// The path of map output.
pub const PATH: &str = "/mapOutput";
/// The request's proof.
pub const URL_HASH: &str = "UrlHash";
/// The reply's proof.
pub const REPLY_HASH: &str = "ReplyHash";
/// The attempt whose output is sent.
pub const FROM_MAP_TASK: &str = "from-map-task";
/// The length before compression.
pub const RAW_LENGTH: &str = "Raw-Map-Output-Length";
/// The length of what is sent.
pub const PART_LENGTH: &str = "Map-Output-Length";
/// The partition that is sent.
pub const FOR_REDUCE_TASK: &str = "for-reduce-task";

/// What a reduce asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapOutputRequest {
    /// The job.
    pub job: JobId,
    /// The map attempt.
    pub map: TaskAttemptId,
    /// The partition.
    pub reduce: i32,
}

/// Why a query asks for no map output; the text is what a TaskTracker answers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There is no `job`.
    #[error("job parameter is required")]
    NoJob,
    /// There is no `map` or no `reduce`.
    #[error("map and reduce parameters are required")]
    NoMapOrReduce,
    /// A value is not what it should be.
    #[error("{name} is {value:?}; expected {expected}")]
    Malformed {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}

impl MapOutputRequest {
    /// Path and query; the order of parameters is Hadoop's.
    pub fn uri(&self) -> String {
        format!("{PATH}?job={}&map={}&reduce={}", self.job, self.map, self.reduce)
    }

    /// Reads a query, in any order of parameters.
    pub fn parse_query(query: &str) -> Result<Self, QueryError> {
        let value = |name: &str| {
            query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, v)| v)
        };
        let job = value("job").ok_or(QueryError::NoJob)?;
        let (map, reduce) = value("map").zip(value("reduce")).ok_or(QueryError::NoMapOrReduce)?;
        let malformed = |name, value: &str, expected| QueryError::Malformed { name, value: value.to_owned(), expected };
        Ok(MapOutputRequest {
            job: job.parse().map_err(|_| malformed("job", job, "a job id"))?,
            map: map.parse().map_err(|_| malformed("map", map, "an attempt id"))?,
            reduce: reduce.parse().map_err(|_| malformed("reduce", reduce, "a partition number"))?,
        })
    }
}

/// What the hash of a request covers: the server's port, then path and query as they were sent, with nothing between.
pub fn hash_message(port: u16, uri: &str) -> String {
    format!("{port}{uri}")
}

/// The proof of a request.
pub fn url_hash(token_password: &[u8], port: u16, uri: &str) -> String {
    STANDARD.encode(keyed(token_password, hash_message(port, uri).as_bytes()).finalize().into_bytes())
}

/// The proof of a reply: over the characters of the request's proof.
pub fn reply_hash(token_password: &[u8], url_hash: &str) -> String {
    STANDARD.encode(keyed(token_password, url_hash.as_bytes()).finalize().into_bytes())
}

/// Whether a request's proof is right; takes the same time whatever the answer.
pub fn verify_url_hash(token_password: &[u8], port: u16, uri: &str, proof: &str) -> bool {
    verify(token_password, hash_message(port, uri).as_bytes(), proof)
}

/// Whether a reply's proof is right; takes the same time whatever the answer.
pub fn verify_reply_hash(token_password: &[u8], url_hash: &str, proof: &str) -> bool {
    verify(token_password, url_hash.as_bytes(), proof)
}

fn verify(key: &[u8], message: &[u8], proof: &str) -> bool {
    STANDARD.decode(proof).is_ok_and(|proof| keyed(key, message).verify_slice(&proof).is_ok())
}

fn keyed(key: &[u8], message: &[u8]) -> Hmac<Sha1> {
    // HMAC takes keys of any length, so the error of the trait's general constructor cannot happen.
    let mut mac = <Hmac<Sha1> as Mac>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(message);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read_in_any_order_and_refused_in_hadoops_words() {
        let request =
            MapOutputRequest { job: JobId::new("1", 1), map: "attempt_1_0001_m_000000_0".parse().unwrap(), reduce: 3 };
        let uri = request.uri();
        assert_eq!(uri, "/mapOutput?job=job_1_0001&map=attempt_1_0001_m_000000_0&reduce=3");
        assert_eq!(MapOutputRequest::parse_query(uri.split_once('?').unwrap().1), Ok(request.clone()));
        let turned = "reduce=3&map=attempt_1_0001_m_000000_0&job=job_1_0001";
        assert_eq!(MapOutputRequest::parse_query(turned), Ok(request));
        assert_eq!(MapOutputRequest::parse_query("map=x&reduce=1"), Err(QueryError::NoJob));
        assert_eq!(MapOutputRequest::parse_query("job=job_1_0001&map=x"), Err(QueryError::NoMapOrReduce));
        assert!(MapOutputRequest::parse_query("job=job_1_0001&map=x&reduce=1").is_err());
    }

    #[test]
    fn proofs_verify_and_others_do_not() {
        let proof = url_hash(b"secret", 50060, "/mapOutput?x");
        assert!(verify_url_hash(b"secret", 50060, "/mapOutput?x", &proof));
        assert!(!verify_url_hash(b"secret", 50061, "/mapOutput?x", &proof));
        assert!(!verify_url_hash(b"secreT", 50060, "/mapOutput?x", &proof));
        assert!(!verify_url_hash(b"secret", 50060, "/mapOutput?x", "no base64"));
        assert!(verify_reply_hash(b"secret", &proof, &reply_hash(b"secret", &proof)));
    }
}
