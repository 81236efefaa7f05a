//! Bytes that unmodified Hadoop 1.2.1 wrote (`tests/vectors`, see the note of origin there) are read and written back
//! alike: every entry, every frame, every file. What cannot be is listed with its reason, and the list is kept true.

mod arbitrary;
mod captures;
mod entries;
mod files;
mod http;
mod records;

use std::path::PathBuf;

use serde_json::Value;

/// A file of the vectors.
fn vector_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name)
}

fn vector_file(name: &str) -> Vec<u8> {
    let path = vector_path(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn vector_json(name: &str) -> Value {
    serde_json::from_slice(&vector_file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The text of a member that must be there.
fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_else(|| panic!("no text {member} in {value}"))
}

/// The bytes of a member in hexadecimal.
fn hex(value: &Value, member: &str) -> Vec<u8> {
    unhex(text(value, member))
}

fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "{text:?} has an odd length");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal")).collect()
}

/// What became of reading bytes and writing them back.
type Recoded = Result<Vec<u8>, String>;

/// Fails unless `recoded` equals `bytes`.
fn assert_same(what: &str, bytes: &[u8], recoded: Recoded) {
    match recoded {
        Ok(recoded) if recoded == bytes => (),
        Ok(recoded) => {
            let at = bytes.iter().zip(&recoded).position(|(a, b)| a != b).unwrap_or(bytes.len().min(recoded.len()));
            panic!("{what}: differs at byte {at}: {:02x?} became {:02x?}", &bytes[at..], &recoded[at..]);
        }
        Err(error) => panic!("{what}: {error}"),
    }
}
