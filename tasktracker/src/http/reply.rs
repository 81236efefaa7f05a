//! Answers: pages, errors as Hadoop's server words them, files.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::{Response, StatusCode};
use tokio::io::{AsyncRead, ReadBuf};

/// Every answer of the server.
pub(crate) type Reply = Response<Content>;

/// Bytes read from a file at a time.
const READ_BYTES: usize = 128 << 10;

/// The body of an answer.
pub(crate) enum Content {
    /// All of it is here; the answer says how much it is.
    Whole(Option<Bytes>),
    /// Some of it is here and the rest is read from a file. The answer is sent in chunks, without its length, as
    /// Hadoop's server does.
    Stream(Box<FileStream>),
}

/// Told the bytes that were taken, and the error if a file could not be read to its end.
pub(crate) type Ended = Box<dyn FnOnce(u64, Option<&io::Error>) + Send + Sync>;

/// A piece of a file on its way out.
pub(crate) struct FileStream {
    /// What goes before the file.
    pub(crate) first: Option<Bytes>,
    /// The file, at the place where the piece starts.
    pub(crate) file: Option<tokio::fs::File>,
    /// How much of it is still to be read.
    pub(crate) remaining: u64,
    /// Called once, at the end.
    pub(crate) ended: Option<Ended>,
    /// How much was taken so far.
    pub(crate) taken: u64,
}

impl FileStream {
    fn end(&mut self, error: Option<&io::Error>) {
        self.file = None;
        if let Some(ended) = self.ended.take() {
            ended(self.taken, error);
        }
    }

    fn poll_data(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if let Some(first) = self.first.take().filter(|first| !first.is_empty()) {
            self.taken += first.len() as u64;
            return Poll::Ready(Some(Ok(first)));
        }
        let Some(file) = self.file.as_mut().filter(|_| self.remaining > 0) else {
            self.end(None);
            return Poll::Ready(None);
        };
        let wanted = usize::try_from(self.remaining).unwrap_or(READ_BYTES).min(READ_BYTES);
        let mut space = vec![0; wanted];
        let mut buffer = ReadBuf::new(&mut space);
        let outcome = match Pin::new(file).poll_read(context, &mut buffer) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Ok(())) if buffer.filled().is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            Poll::Ready(outcome) => outcome,
        };
        if let Err(error) = outcome {
            // The connection breaks off, so that the reader does not take a part for the whole.
            self.end(Some(&error));
            return Poll::Ready(Some(Err(error)));
        }
        let length = buffer.filled().len();
        space.truncate(length);
        self.remaining -= length as u64;
        self.taken += length as u64;
        Poll::Ready(Some(Ok(space.into())))
    }
}

impl Drop for FileStream {
    /// The reader went away: what was read so far is all there is to tell.
    fn drop(&mut self) {
        self.end(None);
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.get_mut() {
            Content::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Content::Stream(stream) => stream.poll_data(context).map(|data| data.map(|data| data.map(Frame::data))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Content::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Content::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Content::Stream(_) => SizeHint::default(),
        }
    }
}

/// A page that is here as a whole.
pub(crate) fn page(content_type: &'static str, text: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Content::Whole(Some(text.into())));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    reply
}

/// An HTML page.
pub(crate) fn html(text: String) -> Reply {
    page("text/html; charset=utf-8", text)
}

/// The way to another address of this server.
pub(crate) fn redirect(to: &'static str) -> Reply {
    let mut reply = html(String::new());
    *reply.status_mut() = StatusCode::FOUND;
    reply.headers_mut().insert(LOCATION, HeaderValue::from_static(to));
    reply
}

/// An error. Its text is the reason in the status line too, where Hadoop's clients find it.
pub(crate) fn error(status: StatusCode, path: &str, reason: &str) -> Reply {
    let code = status.as_u16();
    let text = escape(reason);
    let body = format!(
        "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; charset=ISO-8859-1\"/>\n\
         <title>Error {code} {text}</title>\n</head>\n<body><h2>HTTP ERROR {code}</h2>\n\
         <p>Problem accessing {}. Reason:\n<pre>    {text}</pre></p></body>\n</html>\n",
        escape(path)
    );
    let mut reply = page("text/html; charset=iso-8859-1", latin(&body));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("must-revalidate,no-cache,no-store"));
    let line: Vec<u8> = latin(reason).into_iter().map(|byte| if byte < b' ' { b' ' } else { byte }).collect();
    if let Ok(reason) = hyper::ext::ReasonPhrase::try_from(line) {
        reply.extensions_mut().insert(reason);
    }
    reply
}

/// ISO 8859-1, with `?` for what it does not have.
fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

/// Text within HTML (Hadoop 1.2.1: HtmlQuoting.quoteHtmlChars).
pub(crate) fn escape(text: &str) -> String {
    String::from_utf8_lossy(&escape_bytes(text.as_bytes())).into_owned()
}

/// Bytes of a text within HTML.
pub(crate) fn escape_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'\'' => out.extend_from_slice(b"&apos;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            byte => out.push(*byte),
        }
    }
    out
}

/// The value of a parameter of a query, without its escapes; the first one of that name.
pub(crate) fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.find(|(key, _)| unescape(key) == name).map(|(_, value)| unescape(value))
}

fn unescape(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match (first, escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                rest = &after[2..];
            }
            (b'+', _) => {
                out.push(b' ');
                rest = after;
            }
            (byte, _) => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_lose_their_escapes() {
        let query = "a=1&b=x%20y+z%2&a=2&c";
        assert_eq!(parameter(query, "a").as_deref(), Some("1"));
        assert_eq!(parameter(query, "b").as_deref(), Some("x y z%2"));
        assert_eq!(parameter(query, "c").as_deref(), Some(""));
        assert_eq!(parameter(query, "d"), None);
    }

    #[test]
    fn errors_stand_in_the_status_line_without_line_breaks() {
        let reply = error(StatusCode::GONE, "/mapOutput", "failed :\n<x>");
        let reason = reply.extensions().get::<hyper::ext::ReasonPhrase>().unwrap();
        assert_eq!(reason.as_bytes(), b"failed : <x>");
    }
}
