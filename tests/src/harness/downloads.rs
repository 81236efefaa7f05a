//! Programs of the public registries that tests run against clusters, kept in `target/applications`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::Install;

/// Maven's own folder is not meant for several at a time.
static MAVEN: Mutex<()> = Mutex::new(());

/// The jars of Maven artifacts and all that they need at run time, but Hadoop's; in name order. Each artifact is
/// `group:name:version`, or `group:name:version:classifier`.
pub fn maven(install: &Install, name: &str, artifacts: &[&str]) -> Vec<PathBuf> {
    let folder = kept(install, name, artifacts, |work| {
        let _alone = MAVEN.lock().unwrap_or_else(PoisonError::into_inner);
        let pom = work.join("pom.xml");
        fs::write(&pom, project(artifacts)).unwrap_or_else(|error| panic!("{}: {error}", pom.display()));
        let mut command = Command::new("mvn");
        command.args(["-B", "-q", "dependency:copy-dependencies", "-DincludeScope=runtime", "-f"]).arg(&pom);
        command.arg(format!("-DoutputDirectory={}", work.join("jars").display()));
        insist(command);
    });
    let jars = fs::read_dir(folder.join("jars")).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut jars: Vec<PathBuf> = jars.map(|entry| entry.expect("a directory entry").path()).collect();
    jars.sort();
    jars
}

/// The folder of a Python environment that has these packages; its programs stand in `bin`.
pub fn python(install: &Install, name: &str, packages: &[&str]) -> PathBuf {
    // Programs of an environment name its path, so that it is made where it stays.
    kept(install, name, packages, |work| {
        let mut command = Command::new("python3");
        insist({
            command.args(["-m", "venv"]).arg(work.join("environment"));
            command
        });
        let mut command = Command::new(work.join("environment/bin/python"));
        insist({
            command.args(["-m", "pip", "install", "-q"]).args(packages);
            command
        });
    })
    .join("environment")
}

/// The folder in which `make` has put what is wanted, now or in an earlier run.
fn kept(install: &Install, name: &str, wanted: &[&str], make: impl FnOnce(&Path)) -> PathBuf {
    let folder = install.root.join("target/applications").join(name);
    let list = folder.join("complete");
    let wanted = wanted.join("\n");
    if fs::read_to_string(&list).is_ok_and(|text| text == wanted) {
        return folder;
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    }
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    make(&folder);
    fs::write(&list, wanted).unwrap_or_else(|error| panic!("{}: {error}", list.display()));
    folder
}

fn project(artifacts: &[&str]) -> String {
    let mut xml = String::from(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>local</groupId><artifactId>application</artifactId><version>1</version><packaging>pom</packaging>\n\
         <dependencies>\n",
    );
    for artifact in artifacts {
        let words: Vec<&str> = artifact.split(':').collect();
        let (Some(group), Some(name), Some(version)) = (words.first(), words.get(1), words.get(2)) else {
            panic!("{artifact} is no group:name:version");
        };
        let classifier = words.get(3).map(|word| format!("<classifier>{word}</classifier>")).unwrap_or_default();
        writeln!(
            xml,
            "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>{classifier}\
             <exclusions><exclusion><groupId>org.apache.hadoop</groupId><artifactId>*</artifactId></exclusion></exclusions>\
             </dependency>"
        )
        .expect("a string grows");
    }
    xml.push_str("</dependencies></project>\n");
    xml
}

fn insist(mut command: Command) {
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("{shown}: {error}"));
    let (said, erred) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{shown}: {}\n{said}\n{erred}", output.status);
}
