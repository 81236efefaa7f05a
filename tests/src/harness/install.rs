//! Where our programs and Hadoop's jars are.

use std::path::{Path, PathBuf};

/// Our checkout, and the real Hadoop 1.2.1 that `bin/get-hadoop-jars` fetched into its `lib/`.
#[derive(Debug, Clone)]
pub struct Install {
    /// The root of the checkout: what `HOWDAH_HOME` is to its scripts.
    pub root: PathBuf,
    jars: Vec<PathBuf>,
}

impl Install {
    /// Finds both, or says what is missing and how to get it.
    pub fn find() -> Result<Install, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout's root").to_owned();
        let lib = root.join("lib");
        let listing = std::fs::read_dir(&lib)
            .map_err(|error| format!("{}: {error}; run bin/get-hadoop-jars first", lib.display()))?;
        let mut jars: Vec<PathBuf> = listing
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "jar"))
            .collect();
        // In name order: another order lets two JSP compilers meet, and Hadoop's JobTracker dies of it.
        jars.sort();
        let install = Install { root, jars };
        install.jar("hadoop-core")?;
        Ok(install)
    }

    /// Our checkout alone, for clusters and clients that need no Java.
    pub fn without_java() -> Install {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the checkout's root").to_owned();
        Install { root, jars: Vec::new() }
    }

    /// The jar whose file name starts with `name`.
    pub fn jar(&self, name: &str) -> Result<&Path, String> {
        let starts = |path: &&PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name));
        self.jars
            .iter()
            .find(starts)
            .map(PathBuf::as_path)
            .ok_or_else(|| format!("{}/lib has no {name}-*.jar; run bin/get-hadoop-jars", self.root.display()))
    }

    /// The class path of a Java daemon or client: its configuration folder first, then each jar but Hadoop's examples,
    /// streaming, tools and tests, which `hadoop` does not put there either: they would hide a user's own classes.
    pub fn class_path(&self, conf_dir: &Path) -> String {
        let mut path = conf_dir.display().to_string();
        let is_for_all = |jar: &&PathBuf| {
            let name = jar.file_name().unwrap_or_default().to_string_lossy();
            !name.starts_with("hadoop-") || name.starts_with("hadoop-core-")
        };
        for jar in self.jars.iter().filter(is_for_all) {
            path.push(':');
            path.push_str(&jar.display().to_string());
        }
        path
    }

    /// A script of ours.
    pub fn script(&self, name: &str) -> PathBuf {
        self.root.join("bin").join(name)
    }
}
