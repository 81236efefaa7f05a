//! When class-data archives are made, used and thrown away.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use types::{JobId, TaskDetail, TaskKind};

use super::*;
use crate::test_data::map_task;

/// A Java that knows all options but one, and makes an archive of the list that it is given.
const FAKE_JAVA: &str = r#"#!/bin/bash
for option in "$@"; do
  case $option in
    -XX:TieredStopAtLevel=1) exit 1 ;;
    -XX:SharedClassListFile=*) list=${option#*=} ;;
    -XX:SharedArchiveFile=*) archive=${option#*=} ;;
  esac
done
[ "${list:-}" ] && cp "$list" "$archive"
exit 0
"#;

struct Fixture {
    root: tempfile::TempDir,
    java: PathBuf,
    class_path: Vec<String>,
    data: Arc<ClassData>,
}

fn jar(path: &Path, entry: &str) {
    let mut writer = zip::ZipWriter::new(fs::File::create(path).unwrap());
    writer.start_file(entry, zip::write::SimpleFileOptions::default()).unwrap();
    writer.finish().unwrap();
}

fn fixture() -> Fixture {
    let root = tempfile::tempdir().unwrap();
    let java = root.path().join("java");
    fs::write(&java, FAKE_JAVA).unwrap();
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir(root.path().join("conf")).unwrap();
    fs::write(root.path().join("conf/core-site.xml"), "").unwrap();
    jar(&root.path().join("a.jar"), "x/A.class");
    let class_path = ["conf", "a.jar"].map(|name| root.path().join(name).display().to_string()).into();
    let data = Arc::new(ClassData::new(true, Some(root.path().join("archives"))));
    Fixture { root, java, class_path, data }
}

impl Fixture {
    fn quicken(&self, user: &[&str], kind: TaskKind, number: i32) -> Quickened {
        let mut task = map_task();
        if kind == TaskKind::Reduce {
            task.detail = TaskDetail::Reduce { maps: 1 };
        }
        self.quicken_task(user, &task, &self.jvm(kind, number))
    }

    fn quicken_task(&self, user: &[&str], task: &Task, jvm: &JvmId) -> Quickened {
        let options: Vec<String> = user.iter().map(|option| (*option).to_owned()).collect();
        let (java, class_path) = (&*self.java, &*self.class_path);
        self.data.quicken(JavaChild { java, class_path, options: &options, task, jvm, user_first: false })
    }

    fn jvm(&self, kind: TaskKind, number: i32) -> JvmId {
        JvmId { job: JobId::new("1", 1), kind, number }
    }

    /// The file that a child is told to note its classes in.
    fn list(&self, quickened: &Quickened) -> Option<PathBuf> {
        quickened.options.iter().find_map(|option| option.strip_prefix("-XX:DumpLoadedClassList=").map(PathBuf::from))
    }

    fn archive(&self, quickened: &Quickened) -> Option<PathBuf> {
        quickened.options.iter().find_map(|option| option.strip_prefix("-XX:SharedArchiveFile=").map(PathBuf::from))
    }
}

fn wait_for<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = condition() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} never came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn what_the_user_decides_is_left_alone() {
    type Chooses = fn(&[String]) -> bool;
    let cases: [(Chooses, &[&str], &[&str]); 3] = [
        (
            chooses_collector,
            &["-XX:+UseG1GC", "-XX:-UseParallelGC", "-XX:+UseConcMarkSweepGC", "-Xincgc"],
            &["-Xmx200m", "-Dx=GC", "-XX:MaxPermSize=64m", "-XX:+PrintGC"],
        ),
        (chooses_compiler, &["-Xint", "-XX:-TieredCompilation", "-XX:CompileThreshold=1"], &["-Xmx200m"]),
        (chooses_archive, &["-Xshare:off", "-XX:SharedArchiveFile=/x"], &["-Xmx200m", "-XX:+UseG1GC"]),
    ];
    for (chooses, yes, no) in cases {
        yes.iter().for_each(|option| assert!(chooses(&[(*option).to_owned()]), "{option}"));
        no.iter().for_each(|option| assert!(!chooses(&[(*option).to_owned()]), "{option}"));
    }
}

#[test]
fn options_that_this_java_does_not_know_are_not_given() {
    let f = fixture();
    let options = |user: &[&str], setup| {
        let task = Task { job_setup: setup, ..map_task() };
        f.quicken_task(user, &task, &f.jvm(TaskKind::Map, 1)).options
    };
    assert_eq!(options(&["-Xmx1m"], true), ["-XX:+UseSerialGC"]);
    assert_eq!(options(&["-Xmx1m"], false), [SERIAL, LATE_COMPILER].concat());
    assert_eq!(options(&["-XX:+UseG1GC", "-Xint"], false), [""; 0]);
    let off = ClassData::new(false, Some(f.root.path().join("archives")));
    let (task, jvm) = (map_task(), f.jvm(TaskKind::Map, 1));
    let child =
        JavaChild { java: &f.java, class_path: &f.class_path, options: &[], task: &task, jvm: &jvm, user_first: false };
    let quickened = off.quicken(child);
    assert_eq!((quickened.options.len(), quickened.class_path), (0, f.class_path.clone()));
}

#[test]
fn the_first_map_and_the_first_reduce_make_the_archive_that_later_children_use() {
    let f = fixture();
    f.data.prepare(&f.java, &f.class_path);
    let (first, list) = wait_for("the first list", || {
        let quickened = f.quicken(&[], TaskKind::Map, 1);
        let list = f.list(&quickened)?;
        Some((quickened, list))
    });
    assert_eq!(f.archive(&first), None);
    assert_eq!(f.list(&f.quicken(&[], TaskKind::Map, 2)), None, "one child of a kind is enough");
    fs::write(&list, "# a comment\nx/A\njava/lang/Object\n").unwrap();
    f.data.child_ended(&f.jvm(TaskKind::Map, 1), 0);
    let (used, archive) = wait_for("the archive", || {
        let quickened = f.quicken(&[], TaskKind::Map, 3);
        let archive = f.archive(&quickened)?;
        Some((quickened, archive))
    });
    assert_eq!(fs::read_to_string(&archive).unwrap(), "java/lang/Object\nx/A\n");
    assert_eq!(used.class_path, [f.class_path[1].clone(), f.class_path[0].clone()], "jars come first");
    let list = f.list(&f.quicken(&[], TaskKind::Reduce, 4)).unwrap();
    fs::write(&list, "x/B\n").unwrap();
    f.data.child_ended(&f.jvm(TaskKind::Reduce, 4), 0);
    wait_for("the second archive", || {
        fs::read_to_string(&archive).ok().filter(|text| text == "java/lang/Object\nx/A\nx/B\n")
    });
    let again = Arc::new(ClassData::new(true, Some(f.root.path().join("archives"))));
    again.prepare(&f.java, &f.class_path);
    let (task, jvm) = (map_task(), f.jvm(TaskKind::Map, 1));
    let child =
        JavaChild { java: &f.java, class_path: &f.class_path, options: &[], task: &task, jvm: &jvm, user_first: false };
    let found = wait_for("the archive after a restart", || f.archive(&again.quicken(child)));
    assert_eq!(found, archive);
    assert_eq!(f.archive(&again.quicken(JavaChild { user_first: true, ..child })), None);
    let own = ["-Xshare:off".to_owned()];
    assert_eq!(f.archive(&again.quicken(JavaChild { options: &own, ..child })), None);
    let other = ["/other.jar".to_owned()];
    assert_eq!(f.archive(&again.quicken(JavaChild { class_path: &other, ..child })), None);
}

#[test]
fn a_child_that_fails_leaves_its_list_to_the_next() {
    let f = fixture();
    f.data.prepare(&f.java, &f.class_path);
    let list = wait_for("the first list", || f.list(&f.quicken(&[], TaskKind::Map, 1)));
    fs::write(&list, "x/A\n").unwrap();
    f.data.child_ended(&f.jvm(TaskKind::Map, 1), 1);
    assert!(!list.exists());
    assert!(f.list(&f.quicken(&[], TaskKind::Map, 2)).is_some());
}

#[test]
fn what_a_folder_holds_before_a_jar_is_still_found_first() {
    let f = fixture();
    let file = |name: &str| f.root.path().join(name).display().to_string();
    fs::write(file("conf/log4j.properties"), "the site's").unwrap();
    jar(Path::new(&file("b.jar")), "log4j.properties");
    jar(Path::new(&file("c.jar")), "core-site.xml");
    let first = |entries: &[&str]| {
        let entries: Vec<String> = entries.iter().map(|name| file(name)).collect();
        class_path::sort(&entries).unwrap().first.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(first(&["conf", "a.jar"]), [""; 0]);
    assert_eq!(first(&["conf", "a.jar", "b.jar", "c.jar"]), ["core-site.xml", "log4j.properties"]);
    assert_eq!(first(&["b.jar", "conf", "c.jar"]), ["core-site.xml"], "the jar before the folder wins as before");
    assert_eq!(first(&["b.jar", "c.jar", "conf"]), [""; 0]);
    assert_eq!(class_path::sort(&[file("conf")]), None);
    let sorted = class_path::sort(&[file("conf"), file("b.jar")]).unwrap();
    let made = f.root.path().join("first.jar");
    class_path::write_first(&sorted.first, &made).unwrap();
    let mut zip = zip::ZipArchive::new(fs::File::open(made).unwrap()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut zip.by_name("log4j.properties").unwrap(), &mut text).unwrap();
    assert_eq!(text, "the site's");
}
