//! What a job's configuration says of its distributed cache (Hadoop 1.2.1: filecache.DistributedCache,
//! TaskDistributedCacheManager.CacheFile.makeCacheFiles).

use configuration::{Configuration, Key, keys};

use super::Result;
use super::error::LocalizeError;
use crate::launch_spec::{ResourceKind, Visibility};

/// A file or archive that the job wants on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CacheEntry {
    /// As the job names it.
    pub uri: String,
    /// Where it lies.
    pub path: storage::Path,
    /// File or archive.
    pub kind: ResourceKind,
    /// Who may see it.
    pub visibility: Visibility,
    /// When it was last changed as the job was submitted, ms since 1970.
    pub timestamp: i64,
    /// Whether it is on the children's class path.
    pub on_class_path: bool,
    /// The name of its link, whether or not the job wants links.
    pub fragment: Option<String>,
}

struct Lists {
    kind: ResourceKind,
    uris: &'static Key<Vec<String>>,
    timestamps: &'static Key<Vec<String>>,
    visibilities: &'static Key<Vec<String>>,
    class_path: &'static Key<Vec<String>>,
}

static FILES: Lists = Lists {
    kind: ResourceKind::File,
    uris: &keys::MAPRED_CACHE_FILES,
    timestamps: &keys::MAPRED_CACHE_FILES_TIMESTAMPS,
    visibilities: &keys::MAPREDUCE_JOB_CACHE_FILES_VISIBILITIES,
    class_path: &keys::MAPRED_JOB_CLASSPATH_FILES,
};

static ARCHIVES: Lists = Lists {
    kind: ResourceKind::Archive,
    uris: &keys::MAPRED_CACHE_ARCHIVES,
    timestamps: &keys::MAPRED_CACHE_ARCHIVES_TIMESTAMPS,
    visibilities: &keys::MAPREDUCE_JOB_CACHE_ARCHIVES_VISIBILITIES,
    class_path: &keys::MAPRED_JOB_CLASSPATH_ARCHIVES,
};

/// All entries, files first.
pub(super) fn entries(conf: &Configuration) -> Result<Vec<CacheEntry>> {
    let mut entries = of(conf, &FILES)?;
    entries.extend(of(conf, &ARCHIVES)?);
    Ok(entries)
}

/// Whether the job wants links in its working directories (DistributedCache.getSymlink).
pub(super) fn wants_links(conf: &Configuration) -> Result<bool> {
    Ok(conf.get(&keys::MAPRED_CREATE_SYMLINK)? == "yes")
}

fn of(conf: &Configuration, lists: &Lists) -> Result<Vec<CacheEntry>> {
    let uris = conf.get_optional(lists.uris)?.unwrap_or_default();
    if uris.is_empty() {
        return Ok(Vec::new());
    }
    let timestamps = conf.get_optional(lists.timestamps)?.unwrap_or_default();
    let visibilities = conf.get_optional(lists.visibilities)?.unwrap_or_default();
    same_length(lists.timestamps, timestamps.len(), lists.uris, uris.len())?;
    if !visibilities.is_empty() {
        same_length(lists.visibilities, visibilities.len(), lists.uris, uris.len())?;
    }
    let class_path = conf.text(lists.class_path.name())?.unwrap_or_default();
    let class_path: Vec<&str> = class_path.split(':').collect();
    let mut entries = Vec::with_capacity(uris.len());
    for (at, uri) in uris.into_iter().enumerate() {
        let timestamp = timestamps[at].parse().map_err(|_| LocalizeError::ListValue {
            key: lists.timestamps.name(),
            value: timestamps[at].clone(),
            expected: "milliseconds since 1970",
        })?;
        let (path, fragment) = parse_uri(&uri, lists.uris.name())?;
        entries.push(CacheEntry {
            kind: lists.kind,
            // What nobody called public is not shown to everybody.
            visibility: match visibilities.get(at).map(String::as_str) {
                Some("true") => Visibility::Public,
                _ => Visibility::Private,
            },
            timestamp,
            on_class_path: class_path.contains(&path.path()),
            fragment,
            path,
            uri,
        });
    }
    Ok(entries)
}

fn same_length(key: &Key<Vec<String>>, count: usize, of: &Key<Vec<String>>, expected: usize) -> Result<()> {
    if count == expected {
        return Ok(());
    }
    Err(LocalizeError::Lists { key: key.name(), count, of: of.name(), expected })
}

/// The path and the fragment of a URI, both without its escapes.
fn parse_uri(uri: &str, key: &'static str) -> Result<(storage::Path, Option<String>)> {
    let bad = |expected| LocalizeError::ListValue { key, value: uri.to_owned(), expected };
    let (path, fragment) = match uri.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (uri, None),
    };
    let path = storage::Path::parse(&unescape(path)).map_err(|_| bad("the URI of a file"))?;
    let fragment = fragment.map(unescape).filter(|fragment| !fragment.is_empty());
    if let Some(name) = &fragment {
        // It becomes a path below the working directory and must stay there.
        let inside = !name.starts_with('/') && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !inside || name.contains('\0') {
            return Err(bad("a link's name below the working directory after #"));
        }
    }
    Ok((path, fragment))
}

/// Takes `%20` and its like out. What is no escape stays.
fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conf(pairs: &[(&str, &str)]) -> Configuration {
        let mut conf = Configuration::new();
        pairs.iter().for_each(|(name, value)| conf.set(*name, *value));
        conf
    }

    #[test]
    fn entries_are_read_as_the_client_writes_them() {
        let conf = conf(&[
            ("mapred.cache.files", "file:/in/a%20b.txt#link,hdfs://nn:9000/c"),
            ("mapred.cache.files.timestamps", "1,2"),
            ("mapreduce.job.cache.files.visibilities", "true,false"),
            ("mapred.cache.archives", "file:/lib/x.jar"),
            ("mapred.cache.archives.timestamps", "3"),
            ("mapred.job.classpath.archives", "/other.jar:/lib/x.jar"),
        ]);
        let entries = entries(&conf).unwrap();
        assert_eq!(entries.len(), 3);
        assert_eq!(entries[0].path.path(), "/in/a b.txt");
        assert_eq!(entries[0].fragment.as_deref(), Some("link"));
        assert_eq!(entries[0].visibility, Visibility::Public);
        assert!(!entries[0].on_class_path);
        assert_eq!(entries[1].path.authority(), Some("nn:9000"));
        assert_eq!((entries[1].timestamp, entries[1].visibility), (2, Visibility::Private));
        assert_eq!(entries[2].kind, ResourceKind::Archive);
        assert!(entries[2].on_class_path);
    }

    #[test]
    fn lists_that_do_not_match_are_refused_by_name() {
        let error = entries(&conf(&[("mapred.cache.files", "/a,/b"), ("mapred.cache.files.timestamps", "1")]));
        let text = error.unwrap_err().to_string();
        assert!(text.contains("mapred.cache.files.timestamps has 1 values"), "{text}");
        let error = entries(&conf(&[("mapred.cache.files", "/a"), ("mapred.cache.files.timestamps", "soon")]));
        assert!(error.unwrap_err().to_string().contains("\"soon\""));
    }

    #[test]
    fn links_cannot_leave_the_working_directory() {
        for name in ["../x", "/x", "a/../../x", "%2e%2e/x"] {
            let uri = format!("/a#{name}");
            let conf = conf(&[("mapred.cache.files", &uri), ("mapred.cache.files.timestamps", "1")]);
            assert!(entries(&conf).is_err(), "{name}");
        }
    }
}
