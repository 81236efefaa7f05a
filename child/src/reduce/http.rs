//! One GET over HTTP/1.1 on a plain socket: what a fetch of map output needs, and no more.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The most that a response's head may take.
const HEAD_LEN_MAX: usize = 16 << 10;

/// The most headers that are read.
const HEADERS_MAX: usize = 64;

/// One attempt to connect takes at most so long (Hadoop 1.2.1: MapOutputCopier.UNIT_CONNECT_TIMEOUT).
const CONNECT_UNIT: Duration = Duration::from_secs(30);

/// How long a fetch may take to get going.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// For connecting, over all attempts.
    pub(crate) connect: Duration,
    /// For each read.
    pub(crate) read: Duration,
}

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    /// Nobody answers.
    #[error("cannot connect to {address}: {source}")]
    Connect { address: String, source: io::Error },
    /// The connection broke, or what came is no HTTP.
    #[error("cannot read the answer of {address}: {source}")]
    Read { address: String, source: io::Error },
}

/// Status, headers and body of a response.
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    body: Body,
}

impl Response {
    /// A header's value, whatever the case of its name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body.
    pub(crate) fn into_body(self) -> Body {
        self.body
    }
}

/// Asks `host:port` for a URI.
pub(crate) fn get(
    address: &str,
    uri: &str,
    headers: &[(&str, &str)],
    timeouts: Timeouts,
) -> Result<Response, HttpError> {
    let stream =
        connect(address, timeouts).map_err(|source| HttpError::Connect { address: address.to_owned(), source })?;
    exchange(stream, address, uri, headers, timeouts.read)
        .map_err(|source| HttpError::Read { address: address.to_owned(), source })
}

fn connect(address: &str, timeouts: Timeouts) -> io::Result<TcpStream> {
    let deadline = Instant::now() + timeouts.connect;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let unit = left.min(CONNECT_UNIT).max(Duration::from_millis(1));
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, unit) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        // Only a host that says nothing may yet come; one that refuses will be asked again after its penalty.
        if last.kind() != io::ErrorKind::TimedOut || Instant::now() >= deadline {
            return Err(last);
        }
    }
}

fn exchange(
    stream: TcpStream,
    address: &str,
    uri: &str,
    headers: &[(&str, &str)],
    read_timeout: Duration,
) -> io::Result<Response> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(read_timeout).filter(|timeout| !timeout.is_zero()))?;
    let mut request = format!("GET {uri} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept: */*\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    (&stream).write_all(request.as_bytes())?;
    let mut stream = BufReader::with_capacity(64 << 10, stream);
    loop {
        let (status, headers) = read_head(&mut stream)?;
        // 1xx responses come before the real one.
        if status >= 200 {
            let framing = framing(&headers)?;
            return Ok(Response { status, headers, body: Body { stream, framing } });
        }
    }
}

type Head = (u16, Vec<(String, String)>);

fn read_head(stream: &mut impl BufRead) -> io::Result<Head> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") && !bytes.ends_with(b"\n\n") {
        let room = (HEAD_LEN_MAX - bytes.len()) as u64;
        if stream.by_ref().take(room).read_until(b'\n', &mut bytes)? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the answer ends inside its head"));
        }
    }
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut response = httparse::Response::new(&mut headers);
    response.parse(&bytes).map_err(|error| invalid(format!("the answer is no HTTP: {error}")))?;
    let status = response.code.ok_or_else(|| invalid("the answer has no status"))?;
    let headers = response
        .headers
        .iter()
        .map(|header| (header.name.to_owned(), String::from_utf8_lossy(header.value).into_owned()));
    Ok((status, headers.collect()))
}

fn framing(headers: &[(String, String)]) -> io::Result<Framing> {
    let find = |name: &str| headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    if find("Transfer-Encoding").is_some_and(|coding| coding.to_ascii_lowercase().contains("chunked")) {
        return Ok(Framing::Chunked { left: 0, first: true, ended: false });
    }
    match find("Content-Length") {
        Some(length) => {
            let left = length.trim().parse().map_err(|_| invalid(format!("a Content-Length of {length}")))?;
            Ok(Framing::Length { left })
        }
        None => Ok(Framing::Close),
    }
}

fn invalid(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}

enum Framing {
    Length { left: u64 },
    Chunked { left: u64, first: bool, ended: bool },
    Close,
}

/// The bytes of a response. An end before its time is an error.
pub(crate) struct Body {
    stream: BufReader<TcpStream>,
    framing: Framing,
}

impl Read for Body {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let left = match &mut self.framing {
            Framing::Close => return self.stream.read(buf),
            Framing::Length { left } => left,
            Framing::Chunked { left, first, ended } => {
                if *left == 0 && !*ended {
                    *left = next_chunk(&mut self.stream, *first)?;
                    *first = false;
                    *ended = *left == 0;
                }
                left
            }
        };
        if *left == 0 {
            return Ok(0);
        }
        let room = buf.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        let read = self.stream.read(&mut buf[..room])?;
        if read == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the answer ends inside its body"));
        }
        *left -= read as u64;
        Ok(read)
    }
}

/// Reads the line before a chunk; its length is hexadecimal.
fn next_chunk(stream: &mut impl BufRead, first: bool) -> io::Result<u64> {
    let mut line = Vec::new();
    let mut read_line = |line: &mut Vec<u8>| stream.by_ref().take(256).read_until(b'\n', line);
    if !first {
        read_line(&mut line)?;
        line.clear();
    }
    read_line(&mut line)?;
    let text = String::from_utf8_lossy(&line);
    let digits = text.trim_end().split(';').next().unwrap_or("").trim();
    u64::from_str_radix(digits, 16).map_err(|_| invalid(format!("a chunk of length {digits:?}")))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    const TIMEOUTS: Timeouts = Timeouts { connect: Duration::from_secs(5), read: Duration::from_secs(5) };

    fn answer(bytes: &'static [u8]) -> (Result<Response, HttpError>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while !request.ends_with(b"\r\n\r\n") {
                reader.read_until(b'\n', &mut request).unwrap();
            }
            stream.write_all(bytes).unwrap();
            String::from_utf8(request).unwrap()
        });
        let response = get(&address, "/x?y=1", &[("UrlHash", "h")], TIMEOUTS);
        (response, server.join().unwrap())
    }

    fn body(bytes: &'static [u8]) -> io::Result<String> {
        let mut text = String::new();
        answer(bytes).0.unwrap().into_body().read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn bodies_of_every_framing_are_read() {
        let chunked =
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na;x=y\r\n0123456789\r\n0\r\n\r\n";
        assert_eq!(body(chunked).unwrap(), "abc0123456789");
        assert_eq!(body(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc").unwrap(), "ab");
        assert_eq!(body(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc").unwrap(), "abc");
    }

    #[test]
    fn cut_bodies_are_errors() {
        assert!(body(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc").is_err());
        assert!(body(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc").is_err());
        assert!(body(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno\r\nabc").is_err());
    }

    #[test]
    fn status_and_headers_are_told_and_asked() {
        let (response, request) = answer(b"HTTP/1.1 410 Gone\r\nreplyhash: r\r\n\r\n");
        let response = response.unwrap();
        assert_eq!(response.status, 410);
        assert_eq!(response.header("ReplyHash"), Some("r"));
        assert!(request.starts_with("GET /x?y=1 HTTP/1.1\r\n"), "{request}");
        assert!(request.contains("\r\nUrlHash: h\r\n"), "{request}");
        assert!(answer(b"hrpc\r\n\r\n").0.is_err());
    }
}
