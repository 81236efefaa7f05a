//! The protocol between a task and a Pipes program, version 0: messages down to the program, messages up from it, and
//! the digests by which both prove that they know the job's token (Hadoop 1.2.1: mapred.pipes.BinaryProtocol,
//! Application).
//!
//! Both streams are read as they come and have no frames: a message's length follows from its fields. Whose turn it is
//! and what a message means is `child`'s business.

use std::io::{self, Read, Write};

use hadoop_io::DataOutput;

use crate::shuffle;

/// The protocol's version, sent with `START`.
pub const VERSION: i32 = 0;

/// The file of the password, in the program's directory.
pub const SECRET_FILE: &str = "jobTokenPassword";
/// The file that keeps what went down, in the program's directory.
pub const COMMAND_FILE: &str = "downlink.data";

/// Codes of messages to the program.
pub mod down {
    /// Version follows.
    pub const START: i32 = 0;
    /// The count of strings follows, then names and values in turn.
    pub const SET_JOB_CONF: i32 = 1;
    /// Class names of keys and values.
    pub const SET_INPUT_TYPES: i32 = 2;
    /// Split, count of reduces, whether records follow.
    pub const RUN_MAP: i32 = 3;
    /// Key and value.
    pub const MAP_ITEM: i32 = 4;
    /// The reduce's number, whether its output is wanted.
    pub const RUN_REDUCE: i32 = 5;
    /// A group's key.
    pub const REDUCE_KEY: i32 = 6;
    /// A group's next value.
    pub const REDUCE_VALUE: i32 = 7;
    /// No more input.
    pub const CLOSE: i32 = 8;
    /// Something failed: end at once.
    pub const ABORT: i32 = 9;
    /// Digest and challenge.
    pub const AUTHENTICATION_REQ: i32 = 10;
}

/// Codes of messages from the program.
pub mod up {
    /// Key and value.
    pub const OUTPUT: i32 = 50;
    /// Reduce, key and value.
    pub const PARTITIONED_OUTPUT: i32 = 51;
    /// A text.
    pub const STATUS: i32 = 52;
    /// A float, 0 to 1.
    pub const PROGRESS: i32 = 53;
    /// The end.
    pub const DONE: i32 = 54;
    /// Id, group and name.
    pub const REGISTER_COUNTER: i32 = 55;
    /// Id and amount.
    pub const INCREMENT_COUNTER: i32 = 56;
    /// The digest of the digest that was sent.
    pub const AUTHENTICATION_RESP: i32 = 57;
}

/// What proves the knowledge of a password: of the challenge to the program, of that digest back to the task.
pub fn digest(password: &[u8], text: &str) -> String {
    shuffle::reply_hash(password, text)
}

/// Whether a digest is right; takes the same time whatever the answer.
pub fn verify_digest(password: &[u8], text: &str, digest: &str) -> bool {
    shuffle::verify_reply_hash(password, text, digest)
}

/// Writes messages, in either direction. Nothing is flushed but by [`Sender::flush`].
#[derive(Debug)]
pub struct Sender<W> {
    sink: W,
    scratch: DataOutput,
}

impl<W: Write> Sender<W> {
    /// Messages go to `sink`, which should be buffered.
    pub fn new(sink: W) -> Self {
        Sender { sink, scratch: DataOutput::with_capacity(16) }
    }

    /// A code, a number or a flag.
    pub fn int(&mut self, value: i32) -> io::Result<()> {
        self.long(i64::from(value))
    }

    /// A number.
    pub fn long(&mut self, value: i64) -> io::Result<()> {
        self.scratch.clear();
        self.scratch.vlong(value);
        self.sink.write_all(self.scratch.as_bytes())
    }

    /// A float.
    pub fn float(&mut self, value: f32) -> io::Result<()> {
        self.sink.write_all(&value.to_be_bytes())
    }

    /// A text, or any bytes with their length before them.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.long(bytes.len() as i64)?;
        self.sink.write_all(bytes)
    }

    /// Bytes that say their length themselves.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sink.write_all(bytes)
    }

    /// The whole configuration: `SET_JOB_CONF`.
    pub fn job_conf<'a>(&mut self, pairs: impl ExactSizeIterator<Item = (&'a str, &'a str)>) -> io::Result<()> {
        self.int(down::SET_JOB_CONF)?;
        self.long(2 * pairs.len() as i64)?;
        for (name, value) in pairs {
            self.bytes(name.as_bytes())?;
            self.bytes(value.as_bytes())?;
        }
        Ok(())
    }

    /// Sends what is buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }

    /// Where messages go.
    pub fn sink(&self) -> &W {
        &self.sink
    }
}

/// Reads messages, in either direction, believing no length before its bytes are there.
#[derive(Debug)]
pub struct Receiver<R> {
    source: R,
}

impl<R: Read> Receiver<R> {
    /// Messages come from `source`, which should be buffered.
    pub fn new(source: R) -> Self {
        Receiver { source }
    }

    /// A code, a number or a flag.
    ///
    /// # Errors
    /// If the source fails or ends, or the number has more than 32 bits.
    pub fn int(&mut self) -> io::Result<i32> {
        let value = self.long()?;
        i32::try_from(value).map_err(|_| invalid(format!("{value} where a number of 32 bits is expected")))
    }

    /// A number.
    ///
    /// # Errors
    /// If the source fails or ends.
    pub fn long(&mut self) -> io::Result<i64> {
        let mut first = [0];
        self.source.read_exact(&mut first)?;
        let first = i8::from_be_bytes(first);
        if first >= -112 {
            return Ok(i64::from(first));
        }
        let (len, negative) =
            if first < -120 { (-(i32::from(first) + 120), true) } else { (-(i32::from(first) + 112), false) };
        let mut value = 0i64;
        for _ in 0..len {
            let mut byte = [0];
            self.source.read_exact(&mut byte)?;
            value = (value << 8) | i64::from(byte[0]);
        }
        Ok(if negative { !value } else { value })
    }

    /// A float.
    ///
    /// # Errors
    /// If the source fails or ends.
    pub fn float(&mut self) -> io::Result<f32> {
        let mut bytes = [0; 4];
        self.source.read_exact(&mut bytes)?;
        Ok(f32::from_be_bytes(bytes))
    }

    /// Bytes with their length before them, in place of what `bytes` holds.
    ///
    /// # Errors
    /// If the source fails or ends, or the length is negative.
    pub fn bytes(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let len = self.int()?;
        let len = u64::try_from(len).map_err(|_| invalid(format!("a length of {len}")))?;
        bytes.clear();
        self.raw(len, bytes)
    }

    /// So many bytes, behind what `bytes` holds.
    ///
    /// # Errors
    /// If the source fails or ends.
    pub fn raw(&mut self, len: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let read = self.source.by_ref().take(len).read_to_end(bytes)?;
        if read as u64 == len { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// A text.
    ///
    /// # Errors
    /// If the source fails or ends, or the text is no UTF-8.
    pub fn text(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.bytes(&mut bytes)?;
        String::from_utf8(bytes).map_err(|error| invalid(error.to_string()))
    }
}

fn invalid(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receiver(bytes: &[u8]) -> Receiver<&[u8]> {
        Receiver::new(bytes)
    }

    #[test]
    fn digests_are_hmac_sha1_in_base64() {
        // RFC 2202, test case 2.
        assert_eq!(digest(b"Jefe", "what do ya want for nothing?"), "7/zfauXrL6LSdBbV8YTfnCWafHk=");
        assert!(verify_digest(b"Jefe", "what do ya want for nothing?", "7/zfauXrL6LSdBbV8YTfnCWafHk="));
        assert!(!verify_digest(b"Jefe", "what do ya want for nothing", "7/zfauXrL6LSdBbV8YTfnCWafHk="));
    }

    #[test]
    fn numbers_are_hadoops_vints() {
        // WritableUtils.writeVLong: one byte from -112 to 127, else a byte of sign and length before the magnitude.
        for (value, bytes) in [
            (0, &[0u8][..]),
            (127, &[0x7f]),
            (-112, &[0x90]),
            (128, &[0x8f, 0x80]),
            (-113, &[0x87, 0x70]),
            (65536, &[0x8d, 1, 0, 0]),
            (i64::MAX, &[0x88, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            (i64::MIN, &[0x80, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ] {
            let mut sent = Vec::new();
            Sender::new(&mut sent).long(value).unwrap();
            assert_eq!(sent, bytes, "{value}");
            assert_eq!(receiver(bytes).long().unwrap(), value);
        }
    }

    #[test]
    fn a_configuration_is_a_count_of_strings_and_the_strings() {
        let mut sent = Vec::new();
        Sender::new(&mut sent).job_conf([("a", "b"), ("c", "")].into_iter()).unwrap();
        assert_eq!(sent, [1, 4, 1, b'a', 1, b'b', 1, b'c', 0]);
    }

    #[test]
    fn what_is_cut_or_absurd_is_an_error() {
        let mut bytes = Vec::new();
        assert_eq!(receiver(&[]).int().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(receiver(&[5, 1, 2]).bytes(&mut bytes).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        // A length of 2 GiB without its bytes, a negative one, a number that is too large.
        assert!(receiver(&[0x8c, 0x7f, 0xff, 0xff, 0xff, 1]).bytes(&mut bytes).is_err());
        assert!(receiver(&[0xff]).bytes(&mut bytes).is_err());
        assert!(receiver(&[0x8b, 1, 0, 0, 0, 0]).int().is_err());
        assert!(receiver(&[1, 0xff]).text().is_err());
    }
}
