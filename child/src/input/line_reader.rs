//! Lines out of bytes, cut as Hadoop cuts them: at LF, CR or CR LF.
//!
//! Hadoop 1.2.1: util.LineReader. It reads in buffers of `io.file.buffer.size`, and how far an over-long line at the
//! start of a split is skipped depends on that size, so the size is kept.

use std::io::{self, Read};

/// Reads lines from a stream.
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    whole_buffers: bool,
}

/// What one look into the buffer found.
enum Found {
    /// The end of the line, of so many bytes.
    End(usize),
    /// A CR as the buffer's last byte: what follows decides.
    HangingCr,
    /// No end yet.
    Nothing,
}

impl<R: Read> LineReader<R> {
    /// Reads a file in whole buffers of `buffer_size` bytes.
    pub fn new(source: R, buffer_size: usize) -> Self {
        LineReader { source, buffer: vec![0; buffer_size.max(1)], at: 0, filled: 0, whole_buffers: true }
    }

    /// Reads a pipe or its like, in buffers of at most `buffer_size` bytes: what is there is read at once.
    pub fn of_pipe(source: R, buffer_size: usize) -> Self {
        LineReader { whole_buffers: false, ..Self::new(source, buffer_size) }
    }

    /// Whether the next line, or part of it, was read already.
    pub fn holds_more(&self) -> bool {
        self.at < self.filled
    }

    /// The stream below.
    pub fn source(&self) -> &R {
        &self.source
    }

    /// Puts the next line, without its end, into `line`, and returns how many bytes it took; 0 at the end of the stream.
    ///
    /// No more than `line_max` bytes are kept. Once `consume_max` bytes were read, the line counts as finished even
    /// without an end.
    ///
    /// # Errors
    /// What the stream fails with.
    pub fn read_line(&mut self, line: &mut Vec<u8>, line_max: usize, consume_max: u64) -> io::Result<u64> {
        line.clear();
        let mut consumed = 0u64;
        let mut hanging_cr = false;
        loop {
            if self.at >= self.filled {
                consumed += u64::from(hanging_cr);
                self.fill()?;
                if self.filled == 0 {
                    return Ok(consumed);
                }
            }
            let start = self.at;
            let found = self.search(hanging_cr);
            let mut read = self.at - start;
            let end_len = match found {
                Found::End(len) => len,
                Found::HangingCr => {
                    hanging_cr = true;
                    read -= 1;
                    0
                }
                Found::Nothing => 0,
            };
            consumed += read as u64;
            let keep = read.saturating_sub(end_len).min(line_max - line.len().min(line_max));
            line.extend_from_slice(&self.buffer[start..start + keep]);
            if end_len > 0 || consumed >= consume_max {
                return Ok(consumed);
            }
        }
    }

    /// Moves to the end of the line or of the buffer.
    fn search(&mut self, hanging_cr: bool) -> Found {
        let rest = &self.buffer[self.at..self.filled];
        if hanging_cr {
            if rest[0] == b'\n' {
                self.at += 1;
                return Found::End(2);
            }
            return Found::End(1);
        }
        let Some(found) = memchr::memchr2(b'\n', b'\r', rest) else {
            self.at = self.filled;
            return Found::Nothing;
        };
        if rest[found] == b'\n' {
            self.at += found + 1;
            return Found::End(1);
        }
        match rest.get(found + 1) {
            Some(b'\n') => {
                self.at += found + 2;
                Found::End(2)
            }
            Some(_) => {
                self.at += found + 1;
                Found::End(1)
            }
            None => {
                self.at = self.filled;
                Found::HangingCr
            }
        }
    }

    /// Fills the buffer as far as a file goes, as Hadoop's checksummed streams do.
    fn fill(&mut self) -> io::Result<()> {
        (self.at, self.filled) = (0, 0);
        while self.filled < self.buffer.len() {
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(0) => break,
                Ok(read) => {
                    self.filled += read;
                    if !self.whole_buffers {
                        break;
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::LineReader;

    fn lines(text: &[u8], buffer_size: usize) -> Vec<(Vec<u8>, u64)> {
        let mut reader = LineReader::new(text, buffer_size);
        let mut found = Vec::new();
        let mut line = Vec::new();
        loop {
            let read = reader.read_line(&mut line, usize::MAX, u64::MAX).unwrap();
            if read == 0 {
                return found;
            }
            found.push((line.clone(), read));
        }
    }

    #[test]
    fn every_line_end_counts_at_every_buffer_size() {
        let text = b"a\nbb\r\n\r\rccc\r\r\n\nlast";
        let expected: Vec<(Vec<u8>, u64)> =
            [("a", 2), ("bb", 4), ("", 1), ("", 1), ("ccc", 4), ("", 2), ("", 1), ("last", 4)]
                .map(|(line, read)| (line.as_bytes().to_vec(), read))
                .to_vec();
        for size in 1..text.len() + 2 {
            assert_eq!(lines(text, size), expected, "buffers of {size}");
        }
    }

    #[test]
    fn a_carriage_return_may_be_the_last_byte() {
        for size in 1..4 {
            assert_eq!(lines(b"a\r", size), [(b"a".to_vec(), 2)], "buffers of {size}");
        }
    }

    #[test]
    fn a_long_line_is_cut_and_a_hint_ends_it_at_a_buffer() {
        let mut line = Vec::new();
        let mut reader = LineReader::new(&b"0123456789\nx\n"[..], 4);
        assert_eq!(reader.read_line(&mut line, 3, u64::MAX).unwrap(), 11);
        assert_eq!(line, b"012");
        let mut reader = LineReader::new(&b"0123456789\nx\n"[..], 4);
        assert_eq!(reader.read_line(&mut line, 0, 5).unwrap(), 8);
    }
}
