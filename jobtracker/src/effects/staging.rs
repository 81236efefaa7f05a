//! Removes a job's staging directory once the job is over (Hadoop 1.2.1: JobInProgress.cleanupJob).

use storage::{Path, Storage};
use types::JobId;

/// Removes the directory if it is the job's. A client names the directory, and this process may be allowed to remove
/// more than the client is: so only a directory that is called as the job is goes.
pub(crate) fn remove(storage: &Storage, job: &JobId, directory: &str) {
    let path = match Path::parse(directory) {
        Ok(path) if path.name() == job.to_string() => path,
        _ => {
            tracing::warn!(%job, directory, "kept the staging directory, which does not bear the job's name");
            return;
        }
    };
    if let Err(error) = storage.for_path(&path).and_then(|file_system| file_system.delete(&path, true)) {
        tracing::warn!(%job, %path, %error, "cannot remove the staging directory");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use storage::LocalFileSystem;

    #[test]
    fn only_a_directory_of_the_jobs_name_goes() {
        let dir = tempfile::tempdir().unwrap();
        let storage = Storage::local(LocalFileSystem::new());
        let job = JobId::new("1", 2);
        for (name, stays) in [("job_1_0002", false), ("job_1_0003", true), ("precious", true)] {
            let path = dir.path().join(name);
            std::fs::create_dir(&path).unwrap();
            std::fs::write(path.join("job.xml"), "x").unwrap();
            remove(&storage, &job, &format!("file:{}", path.display()));
            assert_eq!(path.exists(), stays, "{name}");
        }
    }
}
