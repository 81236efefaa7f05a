//! Reads the pages of running daemons.

use std::io::{Read, Write};
use std::net::TcpStream;

/// A page that must be there, with its headers.
pub(crate) fn get(port: u16, path: &str) -> String {
    let answer = answer_of(port, path);
    assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    answer
}

/// Whatever is answered, with its headers.
pub(crate) fn answer_of(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the pages' port");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// The port of the tracker's pages, from the link that a task's page has to its log.
pub(crate) fn tracker_port(page: &str) -> u16 {
    let at = page.find("/tasklog?").expect("a link to a task's log");
    let digits = page[..at].rsplit(':').next().expect("a port");
    digits.parse().unwrap_or_else(|_| panic!("{digits:?} is no port in {page}"))
}
