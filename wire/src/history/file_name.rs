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
