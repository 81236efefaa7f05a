//! Sidecars as Java writes and reads them, and the rules for names, modes and times.

use std::io::{Read, Seek, SeekFrom, Write};

use super::*;
use crate::error::ChecksumError;

struct Dir {
    temp: tempfile::TempDir,
    local: LocalFileSystem,
}

impl Dir {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let local = LocalFileSystem::new().at(temp.path());
        Dir { temp, local }
    }

    fn path(name: &str) -> Path {
        Path::parse(name).unwrap()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        self.local.write_all(&Self::path(name), bytes, CreateOptions::OVERWRITE).unwrap();
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        self.local.read_to_vec(&Self::path(name), 1 << 20)
    }

    fn os(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn listing(&self, dir: &str) -> String {
        let files = self.local.list(&Self::path(dir)).unwrap();
        files.iter().map(|file| file.path.name().to_owned()).collect::<Vec<_>>().join(" ")
    }
}

/// The offset that a failed read names.
fn bad_offset(error: &io::Error) -> Option<u64> {
    error.get_ref()?.downcast_ref::<ChecksumError>().map(|error| error.offset)
}

#[test]
fn a_sidecar_has_javas_bytes() {
    let dir = Dir::new();
    dir.write("a", b"123456789");
    // CBF43926 is the check value of CRC-32.
    assert_eq!(fs::read(dir.os(".a.crc")).unwrap(), b"crc\0\0\0\x02\0\xcb\xf4\x39\x26");
    dir.write("b", &[0; 1024]);
    assert_eq!(fs::read(dir.os(".b.crc")).unwrap().len(), 8 + 2 * 4);
    dir.write("c", b"");
    assert_eq!(fs::read(dir.os(".c.crc")).unwrap(), b"crc\0\0\0\x02\0");
    // What Hadoop 1.2.1's LocalFileSystem wrote beside the same 513 bytes.
    let java = [0x63, 0x72, 0x63, 0x00, 0x00, 0x00, 0x02, 0x00, 0x1f, 0x9a, 0xb5, 0x51, 0xd2, 0x02, 0xef, 0x8d];
    dir.write("d", &(0..513u32).map(|n| (n * 7) as u8).collect::<Vec<_>>());
    assert_eq!(fs::read(dir.os(".d.crc")).unwrap(), java);
    fs::remove_file(dir.os("d")).unwrap();
    fs::remove_file(dir.os(".d.crc")).unwrap();
    assert_eq!(dir.listing("."), "a b c");
    let raw = LocalFileSystem::raw().at(dir.temp.path());
    assert_eq!(raw.list(&Dir::path(".")).unwrap().len(), 6);
    raw.write_all(&Dir::path("d"), b"x", CreateOptions::EXCLUSIVE).unwrap();
    assert!(!dir.os(".d.crc").exists());
}

#[test]
fn a_changed_byte_is_found_where_it_is() {
    let dir = Dir::new();
    let bytes: Vec<u8> = (0..200_000u32).map(|n| n as u8).collect();
    dir.write("a", &bytes);
    assert_eq!(dir.read("a").unwrap(), bytes);
    let mut changed = bytes.clone();
    changed[100_000] ^= 1;
    fs::write(dir.os("a"), &changed).unwrap();
    let mut input = dir.local.open(&Dir::path("a")).unwrap();
    let mut out = Vec::new();
    let error = input.read_to_end(&mut out).unwrap_err();
    assert_eq!(bad_offset(&error), Some(100_000 / 512 * 512));
    assert!(out.len() <= 100_000 && bytes.starts_with(&out));
    input.seek(SeekFrom::Start(150_000)).unwrap();
    out.clear();
    input.read_to_end(&mut out).unwrap();
    assert_eq!(out, bytes[150_000..]);
    let raw = LocalFileSystem::raw().at(dir.temp.path());
    assert_eq!(raw.read_to_vec(&Dir::path("a"), 1 << 20).unwrap(), changed);
}

#[test]
fn a_file_longer_than_its_sidecar_is_bad_and_one_without_is_not_checked() {
    let dir = Dir::new();
    dir.write("a", &[7; 512]);
    fs::write(dir.os("a"), [7; 600]).unwrap();
    let error = dir.local.open(&Dir::path("a")).unwrap().read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(bad_offset(&error), Some(512));
    fs::remove_file(dir.os(".a.crc")).unwrap();
    assert_eq!(dir.read("a").unwrap(), [7; 600]);
    fs::write(dir.os(".a.crc"), b"no checksums").unwrap();
    assert_eq!(dir.read("a").unwrap(), [7; 600]);
}

#[test]
fn writing_in_any_pieces_gives_the_same_sidecar() {
    let dir = Dir::new();
    let bytes: Vec<u8> = (0..5000u32).map(|n| (n * 7) as u8).collect();
    dir.write("whole", &bytes);
    for piece in [1, 3, 511, 512, 513, 1025] {
        let mut output = dir.local.create(&Dir::path("pieces"), CreateOptions::OVERWRITE).unwrap();
        for part in bytes.chunks(piece) {
            output.write_all(part).unwrap();
        }
        output.close().unwrap();
        assert_eq!(fs::read(dir.os(".pieces.crc")).unwrap(), fs::read(dir.os(".whole.crc")).unwrap(), "{piece}");
    }
}

#[test]
fn sidecars_go_where_their_files_go() {
    let dir = Dir::new();
    dir.write("a", b"one");
    dir.write("b", b"two");
    dir.local.rename(&Dir::path("a"), &Dir::path("b")).unwrap();
    assert_eq!(dir.read("b").unwrap(), b"one");
    assert!(!dir.os(".a.crc").exists());

    // Another program wrote c, so that there is no sidecar to move; the stale one of b must not stay.
    fs::write(dir.os("c"), b"three").unwrap();
    dir.local.rename(&Dir::path("c"), &Dir::path("b")).unwrap();
    assert_eq!(dir.read("b").unwrap(), b"three");

    dir.local.mkdirs(&Dir::path("d"), None).unwrap();
    dir.write("e", b"four");
    dir.local.rename(&Dir::path("e"), &Dir::path("d")).unwrap();
    assert_eq!(dir.read("d/e").unwrap(), b"four");
    assert!(dir.os("d/.e.crc").exists());

    assert!(dir.local.delete(&Dir::path("d/e"), false).unwrap());
    assert!(!dir.os("d/.e.crc").exists());
    assert!(!dir.local.delete(&Dir::path("d/e"), false).unwrap());
    assert_eq!(dir.listing("."), "b d");
}

#[test]
fn directories_move_and_go() {
    let dir = Dir::new();
    dir.write("x/y/z", b"1");
    dir.local.rename(&Dir::path("x"), &Dir::path("w")).unwrap();
    assert_eq!(dir.read("w/y/z").unwrap(), b"1");
    dir.write("v/full", b"2");
    dir.local.rename(&Dir::path("w"), &Dir::path("v")).unwrap();
    assert_eq!(dir.read("v/w/y/z").unwrap(), b"1");
    assert!(matches!(dir.local.delete(&Dir::path("v"), false), Err(StorageError::NotEmpty { .. })));
    assert!(dir.local.delete(&Dir::path("v"), true).unwrap());
    assert!(dir.local.rename(&Dir::path("v"), &Dir::path("u")).unwrap_err().is_not_found());
}

#[test]
fn exclusive_creation_keeps_what_is_there() {
    let dir = Dir::new();
    dir.write("a", b"kept");
    let again = dir.local.create(&Dir::path("a"), CreateOptions::EXCLUSIVE);
    assert!(matches!(again, Err(StorageError::AlreadyExists { .. })));
    assert_eq!(dir.read("a").unwrap(), b"kept");
    dir.local.mkdirs(&Dir::path("d"), None).unwrap();
    assert!(dir.local.create(&Dir::path("d"), CreateOptions::OVERWRITE).is_err());
    assert!(matches!(dir.local.open(&Dir::path("d")), Err(StorageError::IsADirectory { .. })));
    assert!(matches!(dir.local.mkdirs(&Dir::path("a"), None), Err(StorageError::NotADirectory { .. })));
    assert!(dir.local.status(&Dir::path("a/b")).unwrap_err().is_not_found());
    assert!(dir.local.append(&Dir::path("a")).is_err());
}

#[test]
fn modes_and_times_are_as_told() {
    let dir = Dir::new();
    let options = CreateOptions::EXCLUSIVE.with_mode(0o600);
    dir.local.write_all(&Dir::path("secret"), b"s", options).unwrap();
    dir.local.mkdirs(&Dir::path("p/q"), Some(0o1777)).unwrap();
    dir.local.set_times(&Dir::path("secret"), Some(1_600_000_000_123), None).unwrap();
    let status = dir.local.status(&Dir::path("secret")).unwrap();
    assert_eq!((status.mode, status.length, status.modified_ms, status.is_dir), (0o600, 1, 1_600_000_000_123, false));
    assert_eq!(status.path, Path::local(dir.os("secret")));
    assert_eq!(dir.local.status(&Dir::path("p/q")).unwrap().mode, 0o1777);
    assert_eq!(dir.local.status(&Dir::path("secret")).unwrap().block_size, 33_554_432);
    dir.local.set_permission(&Dir::path("secret"), 0o640).unwrap();
    assert_eq!(dir.local.status(&Dir::path("secret")).unwrap().mode, 0o640);
}

#[test]
fn counts_what_goes_through_with_its_checksums() {
    let dir = Dir::new();
    dir.write("a", &[1; 1000]);
    assert_eq!(dir.local.statistics().bytes_written(), 1000 + 8 + 2 * 4);
    dir.read("a").unwrap();
    assert_eq!(dir.local.statistics().bytes_read(), 1000 + 8 + 2 * 4);
}

#[test]
fn bounds_and_seeks() {
    let dir = Dir::new();
    dir.write("a", &[1; 100]);
    assert!(matches!(dir.local.read_to_vec(&Dir::path("a"), 99), Err(StorageError::TooLong { limit: 99, .. })));
    let mut input = dir.local.open(&Dir::path("a")).unwrap();
    assert!(input.seek(SeekFrom::Start(101)).is_err());
    assert_eq!(input.seek(SeekFrom::End(-1)).unwrap(), 99);
    assert_eq!(input.read(&mut [0; 8]).unwrap(), 1);
    assert_eq!(input.read(&mut [0; 8]).unwrap(), 0);
    assert!(dir.local.open(&Path::parse("hdfs://nn/a").unwrap()).is_err());
}

/// What a reader of a split reads ahead shows in the job's counters: one buffer of data, and one of sums, as in Java.
#[test]
fn no_more_is_read_ahead_than_one_buffer() {
    let dir = Dir::new();
    dir.write("ahead", &[7; 100_000]);
    let before = dir.local.statistics().bytes_read();
    let mut input = dir.local.open(&Dir::path("ahead")).unwrap();
    let mut some = [0; 100];
    input.seek(SeekFrom::Start(50_000)).unwrap();
    input.read_exact(&mut some).unwrap();
    // All 196 sums of four bytes and their header, and the buffer that begins with the stretch of byte 50,000.
    assert_eq!(dir.local.statistics().bytes_read() - before, 8 + 4 * 196 + 4096);
}
