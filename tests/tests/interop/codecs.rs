//! Compressed files of Hadoop's own classes read here, and ours read there: SequenceFiles, map output and text, in the
//! codecs that need no native library.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::process::Command;

use hadoop_io::sequence_file::{self, Compression, Header};
use hadoop_io::{Codec, DataOutput, ifile};
use howdah_tests::harness::Install;

const RECORDS: usize = 200;
/// Their names in Java, which the files are called by.
const CODECS: [(Codec, &str); 2] = [(Codec::Default, "DefaultCodec"), (Codec::BZip2, "BZip2Codec")];
const TEXTS: [Codec; 3] = [Codec::Default, Codec::Gzip, Codec::BZip2];

type Records = Vec<(Vec<u8>, Vec<u8>)>;

/// As the Java program makes them.
fn texts() -> Vec<(String, String)> {
    (0..RECORDS).map(|n| (format!("key {n}"), format!("value {} and some more text", n * 7919 % 1000))).collect()
}

fn records() -> Records {
    let stored = |text: &str| {
        let mut out = DataOutput::new();
        out.text(text);
        out.into_bytes()
    };
    texts().iter().map(|(key, value)| (stored(key), stored(value))).collect()
}

fn lines() -> String {
    texts().iter().map(|(key, value)| format!("{key}\t{value}\n")).collect()
}

fn sequence_files(codec: Codec, name: &str) -> [(String, Compression); 2] {
    [(format!("RECORD-{name}"), Compression::Record(codec)), (format!("BLOCK-{name}"), Compression::Block(codec))]
}

fn java(install: &Install, dir: &Path, verb: &str, files: &Path) -> String {
    let class_path = install.class_path(&dir.join("classes"));
    let mut command = Command::new("java");
    command.arg("-cp").arg(class_path).arg("org.apache.hadoop.mapred.Codecs").arg(verb).arg(files);
    let output = command.output().expect("java starts");
    assert!(output.status.success(), "{verb}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn compile(install: &Install, dir: &Path) {
    let classes = dir.join("classes");
    fs::create_dir_all(&classes).expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/Codecs.java");
    let mut command = Command::new("javac");
    command.arg("-cp").arg(install.class_path(&classes)).arg("-d").arg(&classes).arg(source);
    let output = command.output().expect("javac starts");
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}

fn read_here(dir: &Path) {
    for (codec, name) in CODECS {
        for (file, compression) in sequence_files(codec, name) {
            let bytes = fs::read(dir.join(&file)).expect("a SequenceFile of Hadoop's");
            let len = bytes.len() as u64;
            let mut reader = sequence_file::Reader::new(Cursor::new(bytes), len).expect("its header");
            assert_eq!(reader.header().compression, compression, "{file}");
            let (mut key, mut value, mut found) = (Vec::new(), Vec::new(), Records::new());
            while reader.next(&mut key, &mut value).unwrap_or_else(|error| panic!("{file}: {error}")) {
                found.push((key.clone(), value.clone()));
            }
            assert!(found == records(), "{file}: {} records", found.len());
        }
        let bytes = fs::read(dir.join(format!("segment-{name}"))).expect("a segment of Hadoop's");
        let len = bytes.len() as u64;
        let mut reader = ifile::Reader::new(Cursor::new(bytes), len, Some(codec)).expect("a segment");
        let mut found = Records::new();
        while reader.next().unwrap_or_else(|error| panic!("{name}: {error}")) {
            found.push((reader.key().to_vec(), reader.value().to_vec()));
        }
        assert!(found == records(), "segment-{name}: {} records", found.len());
    }
    for codec in TEXTS {
        let bytes = fs::read(dir.join(format!("text{}", codec.extension()))).expect("a text of Hadoop's");
        let mut text = String::new();
        codec.reader(&bytes[..]).read_to_string(&mut text).unwrap_or_else(|error| panic!("{codec:?}: {error}"));
        assert!(text == lines(), "{codec:?}");
    }
}

fn write_here(dir: &Path) {
    fs::create_dir_all(dir).expect("a folder");
    let class = "org.apache.hadoop.io.Text".to_owned();
    for (codec, name) in CODECS {
        for (file, compression) in sequence_files(codec, name) {
            let (key_class, value_class) = (class.clone(), class.clone());
            let header = Header { key_class, value_class, compression, metadata: Default::default() };
            let mut writer =
                sequence_file::Writer::new(Vec::new(), &header, sequence_file::random_sync()).expect("memory");
            for (key, value) in records() {
                writer.append(&key, &value).expect("memory");
            }
            fs::write(dir.join(file), writer.finish().expect("memory")).expect("a file");
        }
        let mut writer = ifile::Writer::new(Vec::new(), Some(codec));
        for (key, value) in records() {
            writer.append(&key, &value).expect("memory");
        }
        fs::write(dir.join(format!("segment-{name}")), writer.finish().expect("memory").0).expect("a file");
    }
    for codec in TEXTS {
        let mut writer = codec.writer(Vec::new());
        writer.write_all(lines().as_bytes()).expect("memory");
        fs::write(dir.join(format!("text{}", codec.extension())), writer.finish().expect("memory")).expect("a file");
    }
}

#[test]
fn compressed_files_are_read_on_both_sides() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let dir = tempfile::tempdir().expect("a temporary directory");
    compile(&install, dir.path());
    let (theirs, ours) = (dir.path().join("theirs"), dir.path().join("ours"));
    fs::create_dir_all(&theirs).expect("a folder");
    java(&install, dir.path(), "write", &theirs);
    read_here(&theirs);
    write_here(&ours);
    // Hadoop finds the same in our files as in its own.
    let told = java(&install, dir.path(), "read", &ours);
    assert_eq!(told, java(&install, dir.path(), "read", &theirs));
    assert_eq!(told.lines().filter(|line| line.contains(&format!("\t{RECORDS}\t"))).count(), 9, "{told}");
}
