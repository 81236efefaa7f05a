//! Jobs and attempts are brought here as 1.2.1 does it: places, modes, configuration.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use configuration::Configuration;
use storage::{LocalFileSystem, Storage};
use tasktracker::localizer::{LocalDirs, LocalizeError, Localizer};
use tasktracker::user_logs::UserLogs;
use types::{Credentials, Task, TaskAttemptId, TaskDetail, TaskSplitIndex, TaskStatus, Token};

const ATTEMPT: &str = "attempt_202611302130_0001_m_000000_0";
const JOB: &str = "job_202611302130_0001";

struct Fixture {
    root: tempfile::TempDir,
    localizer: Localizer,
    site: Configuration,
    storage: Arc<Storage>,
    dirs: Arc<LocalDirs>,
    logs: Arc<UserLogs>,
}

fn fixture_with(site: &[(&str, &str)]) -> Fixture {
    let root = tempfile::tempdir().unwrap();
    let local = root.path().join("local");
    fs::create_dir(&local).unwrap();
    let mut conf = Configuration::new();
    site.iter().for_each(|(name, value)| conf.set(*name, *value));
    let storage = Arc::new(Storage::local(LocalFileSystem::new()));
    let dirs = Arc::new(LocalDirs::new(vec![local]));
    let logs = Arc::new(UserLogs::new(&root.path().join("logs"), dirs.clone()).unwrap());
    let localizer = Localizer::new(conf.clone(), storage.clone(), dirs.clone(), logs.clone()).unwrap();
    localizer.wipe().unwrap();
    Fixture { root, localizer, site: conf, storage, dirs, logs }
}

impl Fixture {
    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Submits a job with these keys; answers its first map.
    fn submit(&self, pairs: &[(&str, String)]) -> Task {
        let mut credentials = Credentials::default();
        let token = Token { password: b"password".to_vec(), kind: "mapreduce.job".into(), ..Token::default() };
        credentials.set_token(Credentials::JOB_TOKEN, token);
        self.write(&format!("system/{JOB}/jobToken"), &wire::credentials::write_storage(&credentials));
        let mut conf = Configuration::new();
        pairs.iter().for_each(|(name, value)| conf.set(*name, value.clone()));
        self.write("staging/job.xml", &conf.to_xml());
        let attempt: TaskAttemptId = ATTEMPT.parse().unwrap();
        Task {
            job_file: format!("file:{}", self.path("staging/job.xml").display()),
            status: TaskStatus::unassigned(attempt.clone(), 1),
            attempt,
            partition: 0,
            slots_required: 1,
            skip_ranges: Default::default(),
            skipping: false,
            job_cleanup: None,
            job_setup: false,
            write_skip_records: false,
            task_cleanup: false,
            user: "alice".into(),
            detail: TaskDetail::Map(TaskSplitIndex { split_location: String::new(), start_offset: 0 }),
        }
    }

    fn system(&self) -> storage::Path {
        storage::Path::local(self.path("system"))
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap_or_else(|_| panic!("{name} is missing")).permissions().mode() & 0o7777
    }

    /// All that is below a folder, without what is on its way out.
    fn tree(&self, name: &str) -> Vec<String> {
        fn walk(root: &Path, dir: &Path, out: &mut Vec<String>) {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                out.push(path.strip_prefix(root).unwrap().display().to_string());
                if path.is_dir() && !path.is_symlink() && !path.ends_with("toBeDeleted") {
                    walk(root, &path, out);
                }
            }
        }
        let mut out = Vec::new();
        walk(&self.path(name), &self.path(name), &mut out);
        out.retain(|path| path != "toBeDeleted");
        out.sort();
        out
    }
}

fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
    use std::io::Write;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, data) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(data.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn modified_ms(path: &Path) -> i64 {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    i64::try_from(modified.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

#[test]
fn a_job_and_its_attempt_lie_where_hadoop_puts_them() {
    let f = fixture_with(&[]);
    let jar = f.write("staging/job.jar", &zip(&[("lib/a.jar", "not read"), ("x/Y.class", "y")]));
    let pairs = [("mapred.jar", format!("file:{}", jar.display())), ("mapred.mapper.class", "x.Y".to_owned())];
    let task = f.submit(&pairs);
    let job = f.localizer.localize_job(&task, &f.system()).unwrap();
    let attempt = f.localizer.localize_task(&job, &task).unwrap();
    let of_job = format!("taskTracker/alice/jobcache/{JOB}");
    let expected = [
        "taskTracker".to_owned(),
        "taskTracker/alice".into(),
        "taskTracker/alice/distcache".into(),
        "taskTracker/alice/jobcache".into(),
        of_job.clone(),
        format!("{of_job}/{ATTEMPT}"),
        format!("{of_job}/{ATTEMPT}/work"),
        format!("{of_job}/job.xml"),
        format!("{of_job}/jobToken"),
        format!("{of_job}/jars"),
        format!("{of_job}/jars/job.jar"),
        format!("{of_job}/jars/lib"),
        format!("{of_job}/jars/lib/a.jar"),
        format!("{of_job}/jars/x"),
        format!("{of_job}/jars/x/Y.class"),
        format!("{of_job}/work"),
        "tt_log_tmp".into(),
        "ttprivate".into(),
        "ttprivate/taskTracker".into(),
        "ttprivate/taskTracker/alice".into(),
        "ttprivate/taskTracker/alice/jobcache".into(),
        format!("ttprivate/{of_job}"),
        format!("ttprivate/{of_job}/job.xml"),
        format!("ttprivate/{of_job}/jobToken"),
        "userlogs".into(),
        format!("userlogs/{JOB}"),
        format!("userlogs/{JOB}/{ATTEMPT}"),
    ];
    let mut expected: Vec<_> = expected.into();
    expected.sort();
    assert_eq!(f.tree("local"), expected);
    for (name, mode) in [
        ("taskTracker".to_owned(), 0o755),
        ("ttprivate".into(), 0o700),
        ("tt_log_tmp".into(), 0o755),
        ("userlogs".into(), 0o755),
        ("taskTracker/alice".into(), 0o700),
        ("taskTracker/alice/distcache".into(), 0o700),
        (of_job.clone(), 0o700),
        (format!("{of_job}/job.xml"), 0o640),
        (format!("{of_job}/{ATTEMPT}"), 0o700),
        (format!("userlogs/{JOB}/{ATTEMPT}"), 0o700),
    ] {
        assert_eq!(f.mode(&format!("local/{name}")), mode, "{name}");
    }
    assert_eq!(f.mode(&format!("logs/userlogs/{JOB}")), 0o710);
    assert_eq!(f.mode(&format!("logs/userlogs/{JOB}/job-acls.xml")), 0o640);
    assert!(attempt.log_dir.is_symlink());
    assert_eq!(attempt.task.job_file, job.job_xml.display().to_string());
    assert!(attempt.script.ends_with(format!("ttprivate/{of_job}/{ATTEMPT}/taskjvm.sh")));
    assert_eq!(job.secret(), b"password");
    assert_eq!(f.localizer.secrets().get(&job.id).unwrap().user, "alice");
}

#[test]
fn the_jobs_configuration_gains_the_keys_that_hadoop_adds() {
    let f = fixture_with(&[("mapred.local.dir", "ignored"), ("site.only", "s")]);
    let jar = f.write("staging/job.jar", &zip(&[("x/Y.class", "y")]));
    let task = f.submit(&[
        ("mapred.jar", format!("file:{}", jar.display())),
        ("mapred.job.reuse.jvm.num.tasks", "-1".into()),
        ("keep.failed.task.files", "true".into()),
    ]);
    let job = f.localizer.localize_job(&task, &f.system()).unwrap();
    let local = Configuration::from_bytes("job.xml", &fs::read(&job.job_xml).unwrap()).unwrap();
    let found: BTreeMap<_, _> = local.iter().map(|entry| (entry.name.as_str(), entry.value.as_str())).collect();
    let dir = f.path("local").display().to_string();
    let job_dir = format!("{dir}/taskTracker/alice/jobcache/{JOB}");
    let expected = BTreeMap::from([
        ("job.local.dir", format!("{job_dir}/work")),
        ("keep.failed.task.files", "true".into()),
        ("mapred.jar", format!("{job_dir}/jars/job.jar")),
        ("mapred.job.local.dir", format!("{dir}/taskTracker/alice")),
        ("mapred.job.reuse.jvm.num.tasks", "1".into()),
        ("mapred.local.dir", dir),
        ("mapreduce.job.jobTokenFile", format!("{job_dir}/jobToken")),
        ("site.only", "s".into()),
        ("user.name", "alice".into()),
    ]);
    let expected: BTreeMap<_, _> = expected.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn cache_entries_are_here_once_linked_and_on_the_class_path() {
    let f = fixture_with(&[]);
    let file = f.write("in/words.txt", b"words");
    let library = f.write("in/lib.jar", &zip(&[("p/C.class", "c")]));
    let task = f.submit(&[
        ("mapred.cache.files", format!("file:{}#w", file.display())),
        ("mapred.cache.files.timestamps", modified_ms(&file).to_string()),
        ("mapreduce.job.cache.files.visibilities", "true".into()),
        ("mapred.cache.archives", format!("file:{}", library.display())),
        ("mapred.cache.archives.timestamps", modified_ms(&library).to_string()),
        ("mapreduce.job.cache.archives.visibilities", "false".into()),
        ("mapred.job.classpath.archives", library.display().to_string()),
        ("mapred.create.symlink", "yes".into()),
        ("mapred.mapper.class", "org.apache.hadoop.mapred.lib.IdentityMapper".into()),
    ]);
    let job = f.localizer.localize_job(&task, &f.system()).unwrap();
    let [words, lib] = &job.resources[..] else { panic!("two resources") };
    assert_eq!(fs::read(&words.path).unwrap(), b"words");
    assert!(words.path.starts_with(f.path("local/taskTracker/distcache")));
    assert!(lib.path.starts_with(f.path("local/taskTracker/alice/distcache")));
    assert_eq!(job.cache_class_path, std::slice::from_ref(&lib.path));
    assert!(lib.path.join("p/C.class").is_file() && lib.path.join("lib.jar").is_file());
    let text = |name: &str| job.conf.text(name).unwrap().unwrap();
    assert_eq!(text("mapred.cache.localFiles"), words.path.display().to_string());
    assert_eq!(text("mapred.cache.localArchives"), lib.path.display().to_string());
    assert_eq!(words.link.as_deref(), Some("w"));
    assert!(Arc::ptr_eq(&job, &f.localizer.localize_job(&task, &f.system()).unwrap()));
}

#[test]
fn what_was_half_done_is_gone_and_can_be_done_again() {
    let f = fixture_with(&[]);
    let file = f.write("in/words.txt", b"words");
    let mut pairs = vec![
        ("mapred.cache.files", format!("file:{}", file.display())),
        ("mapred.cache.files.timestamps", "1".to_owned()),
    ];
    let task = f.submit(&pairs);
    let error = f.localizer.localize_job(&task, &f.system()).unwrap_err();
    assert!(matches!(error, LocalizeError::Changed { .. }) && error.to_string().contains("changed"), "{error}");
    assert!(!f.path(&format!("local/taskTracker/alice/jobcache/{JOB}")).exists());
    assert!(f.localizer.secrets().get(task.attempt.job()).is_none());
    pairs[1].1 = modified_ms(&file).to_string();
    let task = f.submit(&pairs);
    f.localizer.localize_job(&task, &f.system()).unwrap();
}

#[test]
fn a_job_whose_disk_is_lost_is_brought_again_and_what_is_elsewhere_stays() {
    let f = fixture_with(&[]);
    let (kept, lost) = (f.path("local"), f.path("lost"));
    f.dirs.set(vec![lost.clone(), kept.clone()]);
    f.localizer.disk_back(&lost).unwrap();
    let jar = f.write("staging/job.jar", &zip(&[("lib/x", "y")]));
    let task = f.submit(&[("mapred.jar", format!("file:{}", jar.display()))]);
    let job = f.localizer.localize_job(&task, &f.system()).unwrap();
    f.localizer.localize_task(&job, &task).unwrap();
    assert!([&job.job_xml, &job.token_file, &job.work_dir].iter().any(|path| path.starts_with(&lost)), "{job:?}");
    let attempt = kept.join("taskTracker/alice/jobcache").join(JOB).join(ATTEMPT);
    fs::create_dir_all(attempt.join("output")).unwrap();

    fs::remove_dir_all(&lost).unwrap();
    f.dirs.set(vec![kept.clone()]);
    assert_eq!(f.localizer.disks_lost(std::slice::from_ref(&lost)), [JOB.parse().unwrap()]);
    assert!(f.localizer.job(&JOB.parse().unwrap()).is_none());
    let again = f.localizer.localize_job(&task, &f.system()).unwrap();
    for path in [&again.job_xml, &again.token_file, &again.work_dir, again.jars_dir.as_ref().unwrap()] {
        assert!(path.starts_with(&kept) && path.exists(), "{}", path.display());
    }
    assert!(attempt.join("output").exists(), "the output of a map that is done is gone");
    assert_eq!(f.localizer.disks_lost(std::slice::from_ref(&lost)), []);

    // It comes back with what another job left there.
    let stale = lost.join("taskTracker/alice/jobcache/job_202611302130_0077");
    fs::create_dir_all(&stale).unwrap();
    f.localizer.disk_back(&lost).unwrap();
    assert!(!stale.exists() && lost.join("ttprivate").is_dir());
}

#[test]
fn a_directory_that_takes_no_folder_of_an_attempt_is_set_aside() {
    let f = fixture_with(&[]);
    let (kept, broken) = (f.path("local"), f.path("broken"));
    let task = f.submit(&[]);
    let job = f.localizer.localize_job(&task, &f.system()).unwrap();
    f.write("broken", b"a file");
    f.dirs.set(vec![broken, kept.clone()]);
    let local = f.localizer.localize_task(&job, &task).unwrap();
    assert!(local.work_dir.starts_with(&kept));
    assert_eq!(*f.dirs.all(), [kept]);
}

#[test]
fn broken_parts_are_told_by_name() {
    let f = fixture_with(&[]);
    let no_jar = f.write("staging/job.jar", b"no jar at all");
    let task = f.submit(&[("mapred.jar", format!("file:{}", no_jar.display()))]);
    let text = f.localizer.localize_job(&task, &f.system()).unwrap_err().to_string();
    assert!(text.contains("job.jar") && text.contains("no zip or jar"), "{text}");
    fs::remove_file(f.path(&format!("system/{JOB}/jobToken"))).unwrap();
    let text = f.localizer.localize_job(&task, &f.system()).unwrap_err().to_string();
    assert!(text.contains("jobToken"), "{text}");
    let task = Task { user: "../root".into(), ..f.submit(&[]) };
    let error = f.localizer.localize_job(&task, &f.system()).unwrap_err();
    assert!(matches!(error, LocalizeError::Name { .. }), "{error}");
    f.write("staging/job.xml", b"<configuration><property>");
    let task = Task { user: "alice".into(), ..task };
    assert!(matches!(f.localizer.localize_job(&task, &f.system()), Err(LocalizeError::Configuration(_))));
}

#[test]
fn nothing_of_a_job_is_left_but_its_logs_and_the_cache() {
    let f = fixture_with(&[]);
    let task = f.submit(&[]);
    let job = f.localizer.localize_job(&task, &f.system()).unwrap();
    f.localizer.localize_task(&job, &task).unwrap();
    f.localizer.clean_attempt("alice", &task.attempt, false);
    let of_job = format!("local/taskTracker/alice/jobcache/{JOB}");
    assert!(f.path(&of_job).is_dir() && !f.path(&format!("{of_job}/{ATTEMPT}")).exists());
    f.localizer.clean_job("alice", &job.id);
    assert!(!f.path(&of_job).exists());
    assert!(!f.path(&format!("local/ttprivate/taskTracker/alice/jobcache/{JOB}")).exists());
    assert!(f.localizer.job(&job.id).is_none() && f.localizer.secrets().get(&job.id).is_none());
    f.localizer.deletion().wait();
    assert_eq!(fs::read_dir(f.path("local/toBeDeleted")).unwrap().count(), 0);
    assert!(f.path(&format!("logs/userlogs/{JOB}/{ATTEMPT}")).exists());
}

#[test]
fn a_restart_finds_clean_directories_and_keeps_logs() {
    let f = fixture_with(&[]);
    let task = f.submit(&[]);
    let job = f.localizer.localize_job(&task, &f.system()).unwrap();
    f.localizer.localize_task(&job, &task).unwrap();
    let again = Localizer::new(f.site.clone(), f.storage.clone(), f.dirs.clone(), f.logs.clone()).unwrap();
    again.wipe().unwrap();
    again.deletion().wait();
    assert_eq!(
        f.tree("local"),
        ["taskTracker", "tt_log_tmp", "ttprivate", "userlogs", "userlogs/job_202611302130_0001"]
            .into_iter()
            .map(str::to_owned)
            .chain([format!("userlogs/{JOB}/{ATTEMPT}")])
            .collect::<Vec<_>>()
    );
}

/// A sequence file's header as Hadoop writes it, without records.
fn sequence_file(version: u8, codec: Option<&str>) -> Vec<u8> {
    let mut out = hadoop_io::DataOutput::new();
    out.bytes(b"SEQ");
    out.u8(version);
    out.text("org.apache.hadoop.io.LongWritable");
    out.text("org.apache.hadoop.io.Text");
    out.bool(codec.is_some());
    out.bool(false);
    codec.into_iter().for_each(|class| out.text(class));
    out.int(0);
    out.bytes(&[7; 16]);
    out.into_bytes()
}

/// An input format, the names and contents of its files, and what the reason for Java's child must say.
type Case<'a> = (&'a str, &'a [(&'a str, &'a [u8])], Option<&'a str>);

#[test]
fn the_files_of_the_splits_have_a_say_in_the_choice_of_the_child() {
    let sequence = "org.apache.hadoop.mapred.SequenceFileInputFormat";
    let gzip = sequence_file(6, Some("org.apache.hadoop.io.compress.GzipCodec"));
    let lzo = sequence_file(6, Some("com.hadoop.compression.lzo.LzoCodec"));
    let cases: [Case<'_>; 4] = [
        ("", &[("a.txt", b"a\n"), ("b.bz2", b"")], None),
        (sequence, &[("a.bz2", &sequence_file(6, None)), ("b", &gzip)], None),
        (sequence, &[("a", &gzip), ("b", &lzo)], Some("LzoCodec")),
        (sequence, &[("a", &sequence_file(3, None))], Some("version 3")),
    ];
    for (format, files, reason) in cases {
        let f = fixture_with(&[]);
        let mut splits = wire::splits::SplitWriter::new();
        for (name, bytes) in files {
            let path = format!("file:{}", f.write(&format!("in/{name}"), bytes).display());
            splits.push(&wire::splits::FileSplit { path, start: 0, length: 1 }.store_old());
        }
        f.write("staging/job.split", &splits.into_bytes());
        let mut pairs = vec![
            ("mapreduce.job.dir", format!("file:{}", f.path("staging").display())),
            (
                "io.compression.codecs",
                "org.apache.hadoop.io.compress.GzipCodec,org.apache.hadoop.io.compress.BZip2Codec".to_owned(),
            ),
        ];
        if !format.is_empty() {
            pairs.push(("mapred.input.format.class", format.to_owned()));
            pairs.push(("mapred.output.format.class", "org.apache.hadoop.mapred.SequenceFileOutputFormat".to_owned()));
        }
        let job = f.localizer.localize_job(&f.submit(&pairs), &f.system()).unwrap();
        match (&job.child, reason) {
            (twins::Choice::Native, None) => {}
            (twins::Choice::Java(why), Some(part)) if why.contains(part) => {}
            (found, wanted) => panic!("{format} {files:?}: {found:?}; wanted {wanted:?}"),
        }
        assert!(job.setup_cleanup_child.is_native());
    }
}
