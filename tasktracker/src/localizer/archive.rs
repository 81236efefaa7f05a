//! Unpacks jars, zips and tars into a folder that nothing of them leaves (Hadoop 1.2.1: RunJar.unJar, FileUtil.unZip,
//! FileUtil.unTar).
//!
//! An archive is a stranger's. A name with `..`, an absolute one, a link that leads out of the folder, a device: the
//! archive is refused with the entry's name. Nothing is ever written through a link.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use super::Result;
use super::error::LocalizeError;

/// The most entries of one archive.
const ENTRIES_MAX: usize = 4 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Zip,
    Tar,
    TarGz,
}

/// The form that a name's end tells, in any case.
fn form_of(name: &str) -> Option<Form> {
    let name = name.to_ascii_lowercase();
    let ends = |end: &str| name.ends_with(end);
    if ends(".jar") || ends(".zip") {
        Some(Form::Zip)
    } else if ends(".tgz") || ends(".tar.gz") {
        Some(Form::TarGz)
    } else if ends(".tar") {
        Some(Form::Tar)
    } else {
        None
    }
}

/// Unpacks an archive of the cache by its name's end; one with another end stays as it is, with a warning in the log.
pub(super) fn unpack_by_name(archive: &Path, into: &Path) -> Result<()> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    match form_of(&name) {
        Some(form) => unpack(archive, into, form),
        None => {
            tracing::warn!(archive = %archive.display(), "this archive is not unpacked: its name ends as no archive's");
            Ok(())
        }
    }
}

/// Unpacks a job's jar.
pub(super) fn unpack_jar(jar: &Path, into: &Path) -> Result<()> {
    unpack(jar, into, Form::Zip)
}

fn unpack(archive: &Path, into: &Path, form: Form) -> Result<()> {
    let refuse = |reason: String| LocalizeError::Archive { path: archive.to_owned(), reason };
    let file = BufReader::new(File::open(archive).map_err(LocalizeError::local("open", archive))?);
    match form {
        Form::Zip => unzip(file, into),
        Form::Tar => untar(file, into),
        Form::TarGz => untar(flate2::bufread::MultiGzDecoder::new(file), into),
    }
    .map_err(|reason| refuse(reason.0))
}

/// Why an archive is not unpacked.
struct Refusal(String);

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal(error.to_string())
    }
}

impl From<zip::result::ZipError> for Refusal {
    fn from(error: zip::result::ZipError) -> Self {
        Refusal(format!("it is no zip or jar: {error}"))
    }
}

fn unzip(file: BufReader<File>, into: &Path) -> std::result::Result<(), Refusal> {
    let mut zip = zip::ZipArchive::new(file)?;
    if zip.len() > ENTRIES_MAX {
        return Err(Refusal(format!("it has {} entries; at most {ENTRIES_MAX} are unpacked", zip.len())));
    }
    for at in 0..zip.len() {
        let mut entry = zip.by_index(at)?;
        let name = inside(entry.name())?;
        if entry.is_dir() {
            make_dir(into, &name)?;
        } else {
            // A link of a zip becomes a file that holds its target, as Java writes it.
            write_file(into, &name, &mut entry, 0)?;
        }
    }
    Ok(())
}

fn untar(reader: impl Read, into: &Path) -> std::result::Result<(), Refusal> {
    let mut tar = tar::Archive::new(reader);
    for (at, entry) in tar.entries()?.enumerate() {
        let mut entry = entry?;
        if at >= ENTRIES_MAX {
            return Err(Refusal(format!("it has more than {ENTRIES_MAX} entries")));
        }
        let text = entry.path()?.to_string_lossy().into_owned();
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() || kind.is_pax_local_extensions() {
            continue;
        }
        let name = inside(&text)?;
        let target = entry.link_name()?.map(|target| target.into_owned());
        match (kind, target) {
            (tar::EntryType::Directory, _) => make_dir(into, &name)?,
            (tar::EntryType::Symlink, Some(target)) => make_symlink(into, &name, &target)?,
            (tar::EntryType::Link, Some(target)) => make_hard_link(into, &name, &target)?,
            (tar::EntryType::Regular | tar::EntryType::Continuous | tar::EntryType::GNUSparse, _) => {
                let mode = entry.header().mode().unwrap_or(0);
                write_file(into, &name, &mut entry, mode)?;
            }
            _ => return Err(Refusal(format!("its entry {text:?} is no file, folder or link"))),
        }
    }
    Ok(())
}

/// A name as a path below the folder.
fn inside(name: &str) -> std::result::Result<PathBuf, Refusal> {
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err(Refusal(format!("its entry {name:?} would leave the folder it is unpacked into"))),
        }
    }
    if name.contains('\0') {
        return Err(Refusal(format!("its entry {name:?} has a NUL in its name")));
    }
    Ok(path)
}

/// Makes a folder and those above it, each a real one.
fn make_dir(root: &Path, name: &Path) -> std::result::Result<(), Refusal> {
    let mut dir = root.to_owned();
    for part in name.components() {
        dir.push(part);
        match fs::symlink_metadata(&dir) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                return Err(Refusal(format!("its entry {name:?} goes through {}, which is no folder", dir.display())));
            }
            Err(_) => fs::create_dir(&dir)?,
        }
    }
    Ok(())
}

/// Makes the folders above an entry and takes away what is in its place, so that it is new.
fn clear_place(root: &Path, name: &Path) -> std::result::Result<PathBuf, Refusal> {
    make_dir(root, name.parent().unwrap_or(Path::new("")))?;
    let place = root.join(name);
    match fs::symlink_metadata(&place) {
        Ok(metadata) if metadata.is_dir() => Err(Refusal(format!("its entry {name:?} is a folder and then none"))),
        Ok(_) => {
            fs::remove_file(&place)?;
            Ok(place)
        }
        Err(_) => Ok(place),
    }
}

fn write_file(root: &Path, name: &Path, from: &mut dyn Read, mode: u32) -> std::result::Result<(), Refusal> {
    let place = clear_place(root, name)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(&place)?;
    io::copy(from, &mut file)?;
    if mode & 0o111 != 0 {
        file.set_permissions(fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// A link's target may climb only at its start, and not above the folder: each folder above the link is a real one, and
/// each link below obeys the same rule, so what it leads to is inside.
fn make_symlink(root: &Path, name: &Path, target: &Path) -> std::result::Result<(), Refusal> {
    let leads_out = || Refusal(format!("its link {name:?} leads to {target:?}, out of the folder it is unpacked into"));
    let mut climbs = 0;
    let mut names = 0;
    for component in target.components() {
        match component {
            Component::ParentDir if names == 0 => climbs += 1,
            Component::Normal(_) => names += 1,
            Component::CurDir => {}
            _ => return Err(leads_out()),
        }
    }
    let depth = name.components().count().saturating_sub(1);
    if climbs > depth || name.as_os_str().is_empty() {
        return Err(leads_out());
    }
    symlink(target, clear_place(root, name)?)?;
    Ok(())
}

fn make_hard_link(root: &Path, name: &Path, target: &Path) -> std::result::Result<(), Refusal> {
    let inner = inside(&target.to_string_lossy())?;
    let mut path = root.to_owned();
    for part in inner.components() {
        path.push(part);
        if fs::symlink_metadata(&path)?.is_symlink() {
            return Err(Refusal(format!("its link {name:?} goes through the link {}", path.display())));
        }
    }
    fs::hard_link(path, clear_place(root, name)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// One entry of a tar that a test makes.
    enum Entry<'a> {
        File(&'a str, &'a str),
        Link(&'a str, &'a str),
        Hard(&'a str, &'a str),
        Device(&'a str),
    }

    /// Names are written raw: the library would refuse to write the bad ones.
    fn tar(entries: &[Entry<'_>]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for entry in entries {
            let (name, kind, target, data) = match *entry {
                Entry::File(name, data) => (name, tar::EntryType::Regular, "", data),
                Entry::Link(name, target) => (name, tar::EntryType::Symlink, target, ""),
                Entry::Hard(name, target) => (name, tar::EntryType::Link, target, ""),
                Entry::Device(name) => (name, tar::EntryType::Char, "", ""),
            };
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(data.len() as u64);
            header.set_mode(0o644);
            let old = header.as_old_mut();
            old.name[..name.len()].copy_from_slice(name.as_bytes());
            old.linkname[..target.len()].copy_from_slice(target.as_bytes());
            header.set_cksum();
            builder.append(&header, data.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, data) in entries {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(data.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn unpack_bytes(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf, Result<()>) {
        let root = tempfile::tempdir().unwrap();
        let into = root.path().join("in/to");
        fs::create_dir_all(&into).unwrap();
        let archive = root.path().join(name);
        fs::write(&archive, bytes).unwrap();
        let outcome = unpack_by_name(&archive, &into);
        (root, into, outcome)
    }

    #[test]
    fn archives_of_every_form_are_unpacked() {
        use Entry::{File, Hard, Link};
        let plain = tar(&[File("a/b", "x"), Link("a/c", "../a/b"), Hard("d", "a/b"), Link("e", "a")]);
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&plain).unwrap();
        let gz = gz.finish().unwrap();
        for (name, bytes) in [("x.tar", &plain), ("x.tgz", &gz), ("x.TAR.GZ", &gz)] {
            let (_root, into, outcome) = unpack_bytes(name, bytes);
            outcome.unwrap();
            for file in ["a/b", "a/c", "d", "e/b"] {
                assert_eq!(fs::read_to_string(into.join(file)).unwrap(), "x", "{name} {file}");
            }
        }
        for name in ["x.zip", "x.jar"] {
            let (_root, into, outcome) = unpack_bytes(name, &zip(&[("a/b", "x"), ("d/", "")]));
            outcome.unwrap();
            assert_eq!(fs::read_to_string(into.join("a/b")).unwrap(), "x");
            assert!(into.join("d").is_dir());
        }
        let (_root, into, outcome) = unpack_bytes("x.dat", b"anything");
        outcome.unwrap();
        assert_eq!(fs::read_dir(into).unwrap().count(), 0);
    }

    #[test]
    fn nothing_leaves_the_folder() {
        use Entry::{Device, File, Hard, Link};
        let attacks: [&[Entry<'_>]; 12] = [
            &[File("../evil", "x")],
            &[File("a/../../evil", "x")],
            &[File("/evil", "x")],
            &[Link("l", "../evil")],
            &[Link("l", "/etc/passwd")],
            &[Link("a/b/l", "../../../x")],
            // A link to the folder itself, and one that climbs behind it.
            &[Link("a/b/l", "../.."), Link("a/b/m", "l/../x")],
            &[Link("l", "a"), File("l/evil", "x")],
            &[Link("l", "missing"), File("l/../../evil", "x")],
            &[Hard("h", "../evil")],
            &[Link("l", "a"), Hard("h", "l/x")],
            &[Device("null")],
        ];
        for (number, attack) in attacks.iter().enumerate() {
            let (root, _into, outcome) = unpack_bytes("x.tar", &tar(attack));
            assert!(matches!(outcome, Err(LocalizeError::Archive { .. })), "attack {number}: {outcome:?}");
            assert!(!root.path().join("evil").exists() && !root.path().join("in/evil").exists(), "attack {number}");
        }
        for name in ["../evil", "/evil", "a/../../evil"] {
            let (root, _into, outcome) = unpack_bytes("x.zip", &zip(&[(name, "x")]));
            assert!(matches!(outcome, Err(LocalizeError::Archive { .. })), "{name}: {outcome:?}");
            assert!(!root.path().join("in/evil").exists());
        }
    }

    #[test]
    fn a_file_in_a_links_place_replaces_the_link() {
        let (root, into, outcome) = unpack_bytes("x.tar", &tar(&[Entry::Link("a", "b"), Entry::File("a", "new")]));
        outcome.unwrap();
        assert!(!into.join("b").exists());
        assert_eq!(fs::read_to_string(into.join("a")).unwrap(), "new");
        drop(root);
    }

    #[test]
    fn broken_archives_are_refused_with_their_name() {
        for name in ["x.zip", "x.jar", "x.tgz", "x.tar"] {
            let (_root, _into, outcome) = unpack_bytes(name, &[b'#'; 700]);
            let text = outcome.unwrap_err().to_string();
            assert!(text.contains(name), "{text}");
        }
    }
}
