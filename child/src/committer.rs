//! Where an attempt's output waits, and how it becomes the job's.
//!
//! Hadoop 1.2.1: mapred.FileOutputCommitter and mapreduce.lib.output.FileOutputCommitter, which do the same. A job
//! without an output directory commits nothing.

use std::sync::Arc;

use configuration::{Configuration, keys};
use storage::{CreateOptions, FileSystem, Path, Storage};
use twins::{Api, OutputFormat};
use types::TaskAttemptId;

use crate::api::{Result, TaskError};

/// The directory of all that is not committed yet.
const TEMPORARY: &str = "_temporary";

/// The empty file of a job that succeeded.
const SUCCESS: &str = "_SUCCESS";

/// Commits the output of one job, and of one attempt of it.
pub(crate) struct Committer {
    output: Option<Output>,
    mark_success: bool,
}

struct Output {
    file_system: Arc<dyn FileSystem>,
    dir: Path,
    /// The attempt's own directory.
    work: Path,
}

impl Committer {
    /// The committer of the old interface, or that of the new interface's output format.
    pub(crate) fn new(conf: &Configuration, storage: &Storage, attempt: &TaskAttemptId, new_api: bool) -> Result<Self> {
        let mark_success = conf.get_or(&keys::MAPREDUCE_FILEOUTPUTCOMMITTER_MARKSUCCESSFULJOBS, true);
        let output = match conf.get_optional(&keys::MAPRED_OUTPUT_DIR)?.filter(|dir| !dir.is_empty()) {
            Some(_) if new_api && writes_nothing(conf) => None,
            None => None,
            Some(dir) => {
                let dir = Path::parse(&dir)?;
                let file_system = storage.find(keys::MAPRED_OUTPUT_DIR.name(), &dir)?;
                let dir = file_system.qualify(&dir);
                let work = dir.child(TEMPORARY).child(&format!("_{attempt}"));
                Some(Output { file_system, dir, work })
            }
        };
        Ok(Committer { output, mark_success })
    }

    /// The job's output directory.
    pub(crate) fn output_dir(&self) -> Option<&Path> {
        self.output.as_ref().map(|output| &output.dir)
    }

    /// Where the attempt writes (`mapred.work.output.dir`).
    pub(crate) fn work_dir(&self) -> Option<&Path> {
        self.output.as_ref().map(|output| &output.work)
    }

    /// Makes the temporary directory.
    pub(crate) fn setup_job(&self) -> Result<()> {
        match &self.output {
            Some(output) => Ok(output.file_system.mkdirs(&output.dir.child(TEMPORARY), None)?),
            None => Ok(()),
        }
    }

    /// Ends a job that succeeded.
    pub(crate) fn commit_job(&self) -> Result<()> {
        self.abort_job()?;
        if let Some(output) = self.output.as_ref().filter(|_| self.mark_success)
            && output.file_system.exists(&output.dir)?
        {
            output.file_system.write_all(&output.dir.child(SUCCESS), &[], CreateOptions::OVERWRITE)?;
        }
        Ok(())
    }

    /// Ends a job that did not.
    pub(crate) fn abort_job(&self) -> Result<()> {
        if let Some(output) = &self.output {
            output.file_system.delete(&output.dir.child(TEMPORARY), true)?;
        }
        Ok(())
    }

    /// Whether the attempt has output: its directory is made with the first file.
    pub(crate) fn needs_task_commit(&self) -> Result<bool> {
        match &self.output {
            Some(output) => Ok(output.file_system.exists(&output.work)?),
            None => Ok(false),
        }
    }

    /// Moves the attempt's files into the output directory.
    pub(crate) fn commit_task(&self) -> Result<()> {
        let Some(output) = &self.output else { return Ok(()) };
        if output.file_system.exists(&output.work)? {
            output.move_into(&output.work, &output.dir)?;
            output.file_system.delete(&output.work, true)?;
        }
        Ok(())
    }

    /// Throws the attempt's files away.
    pub(crate) fn abort_task(&self) -> Result<()> {
        if let Some(output) = &self.output {
            output.file_system.delete(&output.work, true)?;
        }
        Ok(())
    }
}

/// NullOutputFormat of the new interface brings a committer that does nothing, whatever the output directory.
fn writes_nothing(conf: &Configuration) -> bool {
    let class = conf.get_or(&keys::MAPREDUCE_OUTPUTFORMAT_CLASS, String::new());
    OutputFormat::of_class(class.trim(), Api::New) == Some(OutputFormat::Null)
}

impl Output {
    /// Moves the contents of `from` to `to`, directory by directory; files that are there are replaced.
    fn move_into(&self, from: &Path, to: &Path) -> Result<()> {
        self.file_system.mkdirs(to, None)?;
        for entry in self.file_system.list(from)? {
            let target = to.child(entry.path.name());
            if entry.is_dir {
                self.move_into(&entry.path, &target)?;
            } else {
                self.move_file(&entry.path, &target)?;
            }
        }
        Ok(())
    }

    fn move_file(&self, from: &Path, to: &Path) -> Result<()> {
        // A directory in the way would take the file into itself.
        if self.file_system.is_dir(to)? {
            self.file_system.delete(to, true)?;
        }
        self.file_system
            .rename(from, to)
            .map_err(|error| TaskError::io_exception(format!("Failed to save output of task: {from} to {to}: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixture {
        _dir: tempfile::TempDir,
        out: std::path::PathBuf,
        conf: Configuration,
        storage: Storage,
        attempt: TaskAttemptId,
    }

    fn fixture() -> Fixture {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let mut conf = Configuration::new();
        conf.set_key(&keys::MAPRED_OUTPUT_DIR, out.display());
        let storage = Storage::local(storage::LocalFileSystem::new());
        Fixture { out, conf, storage, attempt: "attempt_1_0001_r_000000_0".parse().unwrap(), _dir: dir }
    }

    impl Fixture {
        fn committer(&self) -> Committer {
            Committer::new(&self.conf, &self.storage, &self.attempt, true).unwrap()
        }

        fn names(&self) -> Vec<String> {
            let entries = std::fs::read_dir(&self.out).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    #[test]
    fn a_task_is_committed_with_its_side_files_and_a_job_is_marked() {
        let fixture = fixture();
        let committer = fixture.committer();
        committer.setup_job().unwrap();
        assert!(!committer.needs_task_commit().unwrap());
        let work = committer.work_dir().unwrap().clone();
        assert_eq!(work.path(), fixture.out.join("_temporary/_attempt_1_0001_r_000000_0").to_str().unwrap());
        let file_system = fixture.storage.for_path(&work).unwrap();
        for name in ["part-00000", "side/a"] {
            file_system.write_all(&work.join(name).unwrap(), name.as_bytes(), CreateOptions::EXCLUSIVE).unwrap();
        }
        assert!(committer.needs_task_commit().unwrap());
        committer.commit_task().unwrap();
        committer.commit_job().unwrap();
        assert_eq!(fixture.names(), ["._SUCCESS.crc", ".part-00000.crc", "_SUCCESS", "part-00000", "side"]);
        assert_eq!(std::fs::read(fixture.out.join("side/a")).unwrap(), b"side/a");
    }

    #[test]
    fn what_is_aborted_leaves_nothing() {
        let fixture = fixture();
        let committer = fixture.committer();
        committer.setup_job().unwrap();
        let work = committer.work_dir().unwrap().clone();
        let file_system = fixture.storage.for_path(&work).unwrap();
        file_system.write_all(&work.child("part-00000"), b"x", CreateOptions::EXCLUSIVE).unwrap();
        committer.abort_task().unwrap();
        assert!(!committer.needs_task_commit().unwrap());
        committer.abort_job().unwrap();
        assert!(fixture.names().is_empty());
    }

    #[test]
    fn a_job_can_do_without_the_mark_and_without_output() {
        let mut fixture = fixture();
        fixture.conf.set_key(&keys::MAPREDUCE_FILEOUTPUTCOMMITTER_MARKSUCCESSFULJOBS, false);
        fixture.committer().setup_job().unwrap();
        fixture.committer().commit_job().unwrap();
        assert!(fixture.names().is_empty());
        fixture.conf.unset(keys::MAPRED_OUTPUT_DIR.name());
        let committer = fixture.committer();
        assert!(committer.work_dir().is_none());
        committer.setup_job().and_then(|()| committer.commit_job()).unwrap();
        assert!(!committer.needs_task_commit().unwrap());
    }

    #[test]
    fn the_new_interfaces_null_output_makes_no_directory() {
        let mut fixture = fixture();
        fixture
            .conf
            .set_key(&keys::MAPREDUCE_OUTPUTFORMAT_CLASS, "org.apache.hadoop.mapreduce.lib.output.NullOutputFormat");
        let committer = fixture.committer();
        committer.setup_job().and_then(|()| committer.commit_job()).unwrap();
        assert!(!fixture.out.exists());
    }
}
