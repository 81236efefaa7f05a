//! Names of files as Hadoop writes them (Hadoop 1.2.1: fs.Path): a URI whose characters are not escaped.

use std::fmt;
use std::str::FromStr;

use crate::Result;
use crate::error::StorageError;

/// A path with an optional scheme and authority, normalized.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
}

impl Path {
    /// Reads a path: `/x`, `x/y`, `file:/x`, `hdfs://host:port/x`. Double slashes, `.` and inner `..` go.
    pub fn parse(text: &str) -> Result<Self> {
        let bad = |problem| StorageError::BadPath { text: text.to_owned(), problem };
        if text.is_empty() {
            return Err(bad("it is empty"));
        }
        if text.contains('\0') {
            return Err(bad("it holds a zero character"));
        }
        let (scheme, rest) = match (text.find(':'), text.find('/')) {
            (Some(colon), slash) if slash.is_none_or(|slash| colon < slash) => {
                (Some(&text[..colon]), &text[colon + 1..])
            }
            _ => (None, text),
        };
        let (authority, path) = match rest.strip_prefix("//").filter(|after| !after.is_empty()) {
            Some(after) => after.split_at(after.find('/').unwrap_or(after.len())),
            None => ("", rest),
        };
        if let Some(scheme) = scheme {
            if !is_scheme(scheme) {
                return Err(bad("what stands before the colon is no scheme"));
            }
            if !path.starts_with('/') && (authority.is_empty() || !path.is_empty()) {
                return Err(bad("a path after a scheme must start with a slash"));
            }
        }
        Ok(Path {
            scheme: scheme.map(str::to_owned),
            authority: (!authority.is_empty()).then(|| authority.to_owned()),
            path: normalize(path),
        })
    }

    /// The path of a file of this machine, `file:/…`; one that is relative stays relative and has no scheme.
    pub fn local(path: impl AsRef<std::path::Path>) -> Self {
        let path = path.as_ref().to_string_lossy();
        let scheme = path.starts_with('/').then(|| "file".to_owned());
        Path { scheme, authority: None, path: normalize(&path) }
    }

    /// The scheme, if it has one.
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// Host and port, if it has them.
    pub fn authority(&self) -> Option<&str> {
        self.authority.as_deref()
    }

    /// The path alone.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The path alone, for the operating system.
    pub fn as_local(&self) -> &std::path::Path {
        std::path::Path::new(&self.path)
    }

    /// Whether the path starts at the root.
    pub fn is_absolute(&self) -> bool {
        self.path.starts_with('/')
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or("")
    }

    /// The path without its last part; `None` at the root, and empty for a single relative part.
    pub fn parent(&self) -> Option<Path> {
        if self.path.is_empty() || self.path == "/" {
            return None;
        }
        let parent = match self.path.rfind('/') {
            None => "",
            Some(0) => "/",
            Some(at) => &self.path[..at],
        };
        Some(Path { path: parent.to_owned(), ..self.clone() })
    }

    /// A file or directory in this one, by its plain name.
    pub fn child(&self, name: &str) -> Path {
        let slash = if self.path.is_empty() || self.path.ends_with('/') { "" } else { "/" };
        Path { path: normalize(&format!("{}{slash}{name}", self.path)), ..self.clone() }
    }

    /// The same directory's file with something added to the name.
    pub fn suffix(&self, suffix: &str) -> Path {
        Path { path: format!("{}{suffix}", self.path), ..self.clone() }
    }

    /// Another path as seen from here: one with a scheme or a leading slash stands for itself.
    pub fn resolve(&self, other: &Path) -> Path {
        if other.scheme.is_some() {
            return other.clone();
        }
        if other.authority.is_some() {
            return Path { scheme: self.scheme.clone(), ..other.clone() };
        }
        if other.is_absolute() {
            return Path { path: other.path.clone(), ..self.clone() };
        }
        if other.path.is_empty() { self.clone() } else { self.child(&other.path) }
    }

    /// Reads another path and resolves it.
    pub fn join(&self, other: &str) -> Result<Path> {
        Ok(self.resolve(&Path::parse(other)?))
    }

    /// The whole name: what is missing comes from a file system's root and a working directory
    /// (Hadoop 1.2.1: Path.makeQualified).
    pub fn qualify(&self, root: &Path, working_directory: &Path) -> Path {
        let absolute = if self.is_absolute() { self.clone() } else { working_directory.resolve(self) };
        if absolute.scheme.is_some() && (absolute.authority.is_some() || root.authority.is_none()) {
            return absolute;
        }
        Path {
            scheme: absolute.scheme.or_else(|| root.scheme.clone()),
            authority: absolute.authority.or_else(|| root.authority.clone()),
            path: absolute.path,
        }
    }

    /// The path without scheme and authority.
    pub fn without_scheme(&self) -> Path {
        Path { scheme: None, authority: None, path: self.path.clone() }
    }

    /// The same path under another scheme.
    pub fn with_scheme(&self, scheme: &str) -> Path {
        Path { scheme: Some(scheme.to_owned()), ..self.clone() }
    }

    /// How many parts stand below the root.
    pub fn depth(&self) -> usize {
        self.path.split('/').filter(|part| !part.is_empty()).count()
    }

    /// Whether this is the other path or lies below it; both must be on the same file system.
    pub fn starts_with(&self, other: &Path) -> bool {
        self.scheme == other.scheme
            && self.authority == other.authority
            && self.as_local().starts_with(other.as_local())
    }

    /// The path as a URI: characters that a URI may not hold are escaped.
    pub fn to_uri(&self) -> String {
        let plain = Path { path: String::new(), ..self.clone() }.to_string();
        let mut uri = plain;
        for character in self.path.chars() {
            let fits = character.is_ascii_alphanumeric() || "_-!.~'()*,;:$&+=@/".contains(character);
            // Java leaves letters beyond ASCII as they are, and escapes blanks and controls.
            if fits || (!character.is_ascii() && !character.is_control() && !character.is_whitespace()) {
                uri.push(character);
            } else {
                let mut bytes = [0; 4];
                for byte in character.encode_utf8(&mut bytes).bytes() {
                    uri.push_str(&format!("%{byte:02X}"));
                }
            }
        }
        uri
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Takes out empty parts, `.`, and `..` with the part before it (java.net.URI.normalize).
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Writes the form that clients and job files hold: nothing is escaped.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(authority) = &self.authority {
            write!(f, "//{authority}")?;
        }
        f.write_str(&self.path)
    }
}

impl FromStr for Path {
    type Err = StorageError;

    fn from_str(text: &str) -> Result<Self> {
        Path::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        Path::parse(text).unwrap()
    }

    #[test]
    fn writes_what_java_writes() {
        // Input, Path.toString, Path.toUri: golden vectors of Hadoop 1.2.1, then readings of its source.
        let vectors = [
            ("/", "/", "/"),
            ("/a/b", "/a/b", "/a/b"),
            ("hdfs://nn:8020/a b", "hdfs://nn:8020/a b", "hdfs://nn:8020/a%20b"),
            ("file:/x", "file:/x", "file:/x"),
            ("file:///x", "file:/x", "file:/x"),
            ("hdfs://nn", "hdfs://nn", "hdfs://nn"),
            ("/a//b///c/", "/a/b/c", "/a/b/c"),
            ("/a/./b/../c", "/a/c", "/a/c"),
            ("../x", "../x", "../x"),
            ("x#y%z", "x#y%z", "x%23y%25z"),
            ("/time/12:30", "/time/12:30", "/time/12:30"),
        ];
        for (text, string, uri) in vectors {
            assert_eq!((path(text).to_string().as_str(), path(text).to_uri().as_str()), (string, uri), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_path() {
        for text in ["", "12:30", "hdfs:relative", "file:", "a\0b"] {
            assert!(Path::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn takes_paths_apart_and_puts_them_together() {
        assert_eq!(path("hdfs://nn/a/b").parent(), Some(path("hdfs://nn/a")));
        assert_eq!(path("/a").parent(), Some(path("/")));
        assert_eq!(path("/").parent(), None);
        assert_eq!(path("a").parent().unwrap().to_string(), "");
        assert_eq!(path("a").parent().unwrap().child("b"), path("b"));
        assert_eq!(path("/a/b.txt").name(), "b.txt");
        assert_eq!(path("/a").child("b").suffix(".crc"), path("/a/b.crc"));
        assert_eq!(path("hdfs://nn/a").join("b/c").unwrap(), path("hdfs://nn/a/b/c"));
        assert_eq!(path("hdfs://nn/a").join("/b").unwrap(), path("hdfs://nn/b"));
        assert_eq!(path("hdfs://nn/a").join("file:/b").unwrap(), path("file:/b"));
        assert_eq!(path("/a").join(".").unwrap(), path("/a"));
        assert_eq!((path("/").depth(), path("/a/b").depth()), (0, 2));
        assert!(path("file:/a/b").starts_with(&path("file:/a")));
        assert!(!path("file:/ab").starts_with(&path("file:/a")));
    }

    #[test]
    fn qualifies_as_java_does() {
        let root = path("file:///");
        let here = path("file:/home/ada");
        assert_eq!(path("in").qualify(&root, &here), path("file:/home/ada/in"));
        assert_eq!(path("/in").qualify(&root, &here), path("file:/in"));
        assert_eq!(path("hdfs://nn/in").qualify(&root, &here), path("hdfs://nn/in"));
        assert_eq!(path("hdfs:/in").qualify(&path("hdfs://nn:1"), &here), path("hdfs://nn:1/in"));
    }
}
