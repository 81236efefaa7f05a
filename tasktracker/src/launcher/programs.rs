//! Where the programs of children are: Java with its class path, and our own child.

use std::path::{Path, PathBuf};

/// The variable in which `bin/hadoop` hands on the class path of Java children.
const CLASS_PATH: &str = "HOWDAH_CHILD_CLASSPATH";
/// Hadoop's own variable for more of the class path.
const HADOOP_CLASS_PATH: &str = "HADOOP_CLASSPATH";
/// Our root.
const HOME: &str = "HOWDAH_HOME";
/// The native child's name.
const NATIVE_CHILD: &str = "child";

/// A program or its parts that are not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MissingProgram {
    /// Java, where `JAVA_HOME` says.
    #[error("JAVA_HOME is {home}, but {home}/bin/java is no program; set JAVA_HOME to a Java installation")]
    JavaHome {
        /// Its value.
        home: String,
    },
    /// Java, anywhere.
    #[error("there is no java on the PATH and JAVA_HOME is not set; set JAVA_HOME to a Java installation")]
    Java,
    /// Hadoop's jars.
    #[error(
        "the class path of Java children is empty: HOWDAH_CHILD_CLASSPATH and HADOOP_CLASSPATH are not set; run \
         bin/get-hadoop-jars, or set HADOOP_PREFIX to an installation of Hadoop 1.2.1, and start the TaskTracker by bin/hadoop"
    )]
    ClassPath,
    /// The native child.
    #[error(
        "the program `child` is neither beside the TaskTracker's own ({beside}) nor in HOWDAH_HOME/libexec; build or install it"
    )]
    NativeChild {
        /// Where it was looked for first.
        beside: String,
    },
}

/// The programs that children are, found once.
#[derive(Debug, Clone)]
pub struct Programs {
    java: Result<PathBuf, MissingProgram>,
    class_path: Vec<String>,
    native_child: Result<PathBuf, MissingProgram>,
    library_path: Option<String>,
}

impl Programs {
    /// Looks for them as the environment says. What is missing is an error only for the attempts that need it.
    pub fn find() -> Self {
        Self::find_with(
            &|name| std::env::var(name).ok().filter(|value| !value.is_empty()),
            std::env::current_exe().ok(),
        )
    }

    pub(super) fn find_with(variable: &dyn Fn(&str) -> Option<String>, own: Option<PathBuf>) -> Self {
        Programs {
            java: find_java(variable),
            class_path: find_class_path(variable),
            native_child: find_native_child(variable, own.as_deref()),
            library_path: variable("JAVA_LIBRARY_PATH").or_else(|| variable("LD_LIBRARY_PATH")),
        }
    }

    /// The `java` program.
    ///
    /// # Errors
    /// If it is not where it should be.
    pub fn java(&self) -> Result<&Path, MissingProgram> {
        self.java.as_deref().map_err(Clone::clone)
    }

    /// The class path that every Java child has: configuration and Hadoop's jars.
    ///
    /// # Errors
    /// If there is none.
    pub fn class_path(&self) -> Result<&[String], MissingProgram> {
        if self.class_path.is_empty() { Err(MissingProgram::ClassPath) } else { Ok(&self.class_path) }
    }

    /// The native child.
    ///
    /// # Errors
    /// If it is not where it should be.
    pub fn native_child(&self) -> Result<&Path, MissingProgram> {
        self.native_child.as_deref().map_err(Clone::clone)
    }

    /// Where a Java child looks for native libraries.
    pub(super) fn library_path(&self, work_dir: &Path) -> String {
        let work_dir = work_dir.display();
        self.library_path.as_ref().map_or_else(|| work_dir.to_string(), |path| format!("{path}:{work_dir}"))
    }
}

fn find_java(variable: &dyn Fn(&str) -> Option<String>) -> Result<PathBuf, MissingProgram> {
    if let Some(home) = variable("JAVA_HOME") {
        let java = Path::new(&home).join("bin/java");
        return if is_program(&java) { Ok(java) } else { Err(MissingProgram::JavaHome { home }) };
    }
    let path = variable("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|dir| dir.join("java")).find(|java| is_program(java)).ok_or(MissingProgram::Java)
}

/// The jars one by one, in the order in which they were given: a wildcard would be expanded in the disk's order.
fn find_class_path(variable: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let text = variable(CLASS_PATH).or_else(|| variable(HADOOP_CLASS_PATH)).unwrap_or_default();
    text.split(':').filter(|entry| !entry.is_empty()).flat_map(expand).collect()
}

fn expand(entry: &str) -> Vec<String> {
    let Some(dir) = entry.strip_suffix("/*") else { return vec![entry.to_owned()] };
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut jars: Vec<_> = entries.flatten().map(|entry| entry.path().display().to_string()).collect();
    jars.retain(|jar| jar.ends_with(".jar") || jar.ends_with(".JAR"));
    jars.sort();
    jars
}

fn find_native_child(variable: &dyn Fn(&str) -> Option<String>, own: Option<&Path>) -> Result<PathBuf, MissingProgram> {
    let beside = own.and_then(Path::parent).map(|dir| dir.join(NATIVE_CHILD));
    let installed = variable(HOME).map(|home| Path::new(&home).join("libexec").join(NATIVE_CHILD));
    let missing = || MissingProgram::NativeChild {
        beside: beside.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
    };
    [beside.clone(), installed].into_iter().flatten().find(|path| is_program(path)).ok_or_else(missing)
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn java_is_that_of_java_home_or_of_the_path() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().display().to_string();
        let only_home = |name: &str| (name == "JAVA_HOME").then(|| home.clone());
        let wrong = MissingProgram::JavaHome { home: home.clone() };
        assert_eq!(Programs::find_with(&only_home, None).java(), Err(wrong.clone()));
        assert!(wrong.to_string().contains("set JAVA_HOME"), "{wrong}");
        program(&root.path().join("bin/java"));
        assert_eq!(Programs::find_with(&only_home, None).java(), Ok(&*root.path().join("bin/java")));
        let only_path = |name: &str| (name == "PATH").then(|| format!("/nowhere:{home}/bin"));
        assert_eq!(Programs::find_with(&only_path, None).java(), Ok(&*root.path().join("bin/java")));
        assert_eq!(Programs::find_with(&|_| None, None).java(), Err(MissingProgram::Java));
    }

    #[test]
    fn the_native_child_is_beside_us_or_installed() {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("bin/tasktracker");
        let home = |name: &str| (name == "HOWDAH_HOME").then(|| root.path().display().to_string());
        assert!(Programs::find_with(&home, Some(own.clone())).native_child().is_err());
        program(&root.path().join("libexec/child"));
        let installed = root.path().join("libexec/child");
        assert_eq!(Programs::find_with(&home, Some(own.clone())).native_child(), Ok(&*installed));
        program(&root.path().join("bin/child"));
        assert_eq!(Programs::find_with(&home, Some(own)).native_child(), Ok(&*root.path().join("bin/child")));
    }

    #[test]
    fn wildcards_are_written_out_in_name_order() {
        let root = tempfile::tempdir().unwrap();
        for name in ["b.jar", "a.jar", "c.txt"] {
            fs::write(root.path().join(name), "").unwrap();
        }
        let text = format!("/conf::{}/*:/z.jar", root.path().display());
        let programs = Programs::find_with(&|name| (name == CLASS_PATH).then(|| text.clone()), None);
        let dir = root.path().display();
        let expected = ["/conf".to_owned(), format!("{dir}/a.jar"), format!("{dir}/b.jar"), "/z.jar".to_owned()];
        assert_eq!(programs.class_path().unwrap(), expected);
        assert_eq!(Programs::find_with(&|_| None, None).class_path(), Err(MissingProgram::ClassPath));
    }
}
