//! One plain GET, for the logs of failed attempts.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long a TaskTracker may take to answer (Hadoop 1.2.1: mapreduce.client.tasklog.timeout).
const TIMEOUT: Duration = Duration::from_secs(60);

/// The most bytes of a log that are shown.
const BODY_BYTES_MAX: u64 = 16 << 20;

/// The body behind an `http://` address, if the server answers 200. HTTP 1.0, so that it ends where the stream ends.
pub(crate) fn get(url: &str) -> io::Result<Vec<u8>> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidInput, format!("{url} is no http address"));
    let (authority, path) = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).ok_or_else(invalid)?;
    let address = authority.to_socket_addrs()?.next().ok_or_else(invalid)?;
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(format!("GET /{path} HTTP/1.0\r\nHost: {authority}\r\n\r\n").as_bytes())?;
    let mut reader = BufReader::new(stream.take(BODY_BYTES_MAX));
    let mut line = String::new();
    reader.read_line(&mut line)?;
    if line.split(' ').nth(1) != Some("200") {
        return Err(io::Error::other(format!("Server returned {} for URL: {url}", line.trim_end())));
    }
    while line.trim_end() != "" {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            break;
        }
    }
    let mut body = Vec::new();
    reader.read_to_end(&mut body)?;
    Ok(body)
}
