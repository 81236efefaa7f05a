//! Names of history files: parts joined by underscores, underscores within parts as `%5F`, the whole URL-encoded as Java
//! does (Hadoop 1.2.1: JobHistory.JobInfo.getNewJobHistoryFileName, encodeJobHistoryFileName).

use std::fmt::Write;

use types::{JobId, Millis};

const UNDERSCORE: &str = "%5F";
/// So many characters of a job's name go into the file's.
const JOB_NAME_CHARS: usize = 50;

/// The name of a job's history file.
pub fn job_file_name(job: &JobId, submit_time: Millis, user: &str, job_name: &str) -> String {
    let job_name: String = job_name.chars().take(JOB_NAME_CHARS).collect();
    let [user, job_name] = [user, &job_name].map(|part| part.replace('_', UNDERSCORE));
    encode_file_name(&format!("{job}_{submit_time}_{user}_{job_name}"))
}

/// URL-encodes a name as Java does, but leaves each `%5F` alone.
pub fn encode_file_name(name: &str) -> String {
    name.split(UNDERSCORE).map(url_encode).collect::<Vec<_>>().join(UNDERSCORE)
}

/// Java's URLEncoder: letters, digits and `*-._` stay, a space becomes `+`.
pub fn url_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => out.push(byte as char),
            b' ' => out.push('+'),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_and_escaped() {
        let job = JobId::new("202611302130", 2);
        assert_eq!(
            job_file_name(&job, 1796074392181, "a_b", "Sleep job"),
            "job_202611302130_0002_1796074392181_a%5Fb_Sleep+job"
        );
        let long = job_file_name(&job, 1, "u", &"x".repeat(80));
        assert!(long.ends_with(&format!("_u_{}", "x".repeat(50))));
    }
}

/// What the name of a history file tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryFileName {
    /// Which job.
    pub job: JobId,
    /// When it was submitted.
    pub submit_time: Millis,
    /// Whose it is.
    pub user: String,
    /// The beginning of its name.
    pub job_name: String,
}

/// Reads a name that [`job_file_name`] made; `None` for another.
pub fn parse_job_file_name(name: &str) -> Option<HistoryFileName> {
    let mut parts = name.splitn(6, '_');
    let (kind, identifier, number) = (parts.next()?, parts.next()?, parts.next()?);
    let job = format!("{kind}_{identifier}_{number}").parse().ok()?;
    let submit_time = parts.next()?.parse().ok()?;
    let (user, job_name) = (url_decode(parts.next()?), url_decode(parts.next()?));
    Some(HistoryFileName { job, submit_time, user, job_name })
}

/// Undoes [`url_encode`]; what is no escape stays.
fn url_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match (bytes[at], hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod parse_tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_were_made() {
        let job: JobId = "job_202611302334_0001".parse().unwrap();
        for (user, job_name) in [("root", "word count"), ("a_b", "50% of_x+y"), ("u", "é")] {
            let name = job_file_name(&job, 1_796_081_897_938, user, job_name);
            let read = parse_job_file_name(&name).unwrap();
            assert_eq!((read.user.as_str(), read.job_name.as_str()), (user, job_name), "{name}");
            assert_eq!((read.job, read.submit_time), (job.clone(), 1_796_081_897_938));
        }
        for other in ["job_202611302334_0001_conf.xml", "x", "", "job_1_1_x_u_n", ".job_202611302334_0001_1_u_n.crc"] {
            assert_eq!(parse_job_file_name(other), None, "{other}");
        }
    }
}
