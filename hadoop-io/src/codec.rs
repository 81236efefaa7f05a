//! Compression of whole streams: zlib (`DefaultCodec`) and gzip (`GzipCodec`), each also of several streams in a row.
//!
//! Other codecs of Hadoop's have no twin yet.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::format::{FormatError, Result};

/// A codec with a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Codec {
    /// `org.apache.hadoop.io.compress.DefaultCodec`.
    Default,
    /// `org.apache.hadoop.io.compress.GzipCodec`.
    Gzip,
}

impl Codec {
    /// Every codec, in the order of `io.compression.codecs`.
    pub const ALL: [Codec; 2] = [Codec::Default, Codec::Gzip];

    /// The codec of this Java class.
    ///
    /// # Errors
    /// If the class has no twin.
    pub fn of_class(class: &str) -> Result<Self> {
        let found = Codec::ALL.into_iter().find(|codec| codec.class_name() == class);
        found.ok_or_else(|| FormatError::UnknownCodec(class.to_owned()))
    }

    /// Its Java class.
    pub fn class_name(self) -> &'static str {
        match self {
            Codec::Default => "org.apache.hadoop.io.compress.DefaultCodec",
            Codec::Gzip => "org.apache.hadoop.io.compress.GzipCodec",
        }
    }

    /// What it adds to a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Codec::Default => ".deflate",
            Codec::Gzip => ".gz",
        }
    }

    /// The codec of a file, by the end of its name (Hadoop 1.2.1: CompressionCodecFactory.getCodec).
    pub fn of_file(name: &str) -> Option<Self> {
        Codec::ALL.into_iter().find(|codec| name.ends_with(codec.extension()))
    }

    /// Compresses into `sink`.
    pub fn writer<W: Write>(self, sink: W) -> Compressor<W> {
        Compressor(match self {
            Codec::Default => Kind::Zlib(ZlibEncoder::new(sink, Compression::default())),
            Codec::Gzip => Kind::Gzip(GzEncoder::new(sink, Compression::default())),
        })
    }

    /// Decompresses `source` to its end. A stream that is cut is an error, one of no bytes too.
    pub fn reader<R: Read>(self, source: R) -> Decompressor<R> {
        let source = BufReader::with_capacity(64 << 10, source);
        Decompressor(match self {
            Codec::Default => Source::Zlib(Some(Box::new(ZlibDecoder::new(source)))),
            Codec::Gzip => Source::Gzip(Box::new(MultiGzDecoder::new(source))),
        })
    }
}

enum Kind<W: Write> {
    Zlib(ZlibEncoder<W>),
    Gzip(GzEncoder<W>),
}

/// A stream that compresses what is written.
pub struct Compressor<W: Write>(Kind<W>);

impl<W: Write> fmt::Debug for Compressor<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compressor")
    }
}

impl<W: Write> Compressor<W> {
    /// Ends the compressed stream and gives back the one below.
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Kind::Zlib(encoder) => encoder.finish(),
            Kind::Gzip(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Zlib(encoder) => encoder.write(bytes),
            Kind::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Zlib(encoder) => encoder.flush(),
            Kind::Gzip(encoder) => encoder.flush(),
        }
    }
}

enum Source<R> {
    Zlib(Option<Box<ZlibDecoder<BufReader<R>>>>),
    Gzip(Box<MultiGzDecoder<BufReader<R>>>),
}

/// A stream that decompresses what is read.
pub struct Decompressor<R>(Source<R>);

impl<R> fmt::Debug for Decompressor<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decompressor")
    }
}

impl<R: Read> Read for Decompressor<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let stream = match &mut self.0 {
            Source::Gzip(decoder) => return decoder.read(buf),
            Source::Zlib(stream) => stream,
        };
        while let Some(decoder) = stream {
            let read = decoder.read(buf)?;
            if read > 0 {
                return Ok(read);
            }
            if decoder.total_in() == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a compressed stream of no bytes"));
            }
            // Hadoop 1.2.1: DecompressorStream goes on with the next stream behind the one that ended.
            let mut rest = stream.take().map(|decoder| decoder.into_inner()).expect("a stream was just read");
            if !rest.fill_buf()?.is_empty() {
                *stream = Some(Box::new(ZlibDecoder::new(rest)));
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(codec: Codec, parts: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in parts {
            let mut writer = codec.writer(Vec::new());
            writer.write_all(part).unwrap();
            bytes.extend(writer.finish().unwrap());
        }
        bytes
    }

    #[test]
    fn streams_in_a_row_read_as_one() {
        for codec in Codec::ALL {
            let bytes = packed(codec, &[b"one ", b"", b"two"]);
            let mut text = String::new();
            codec.reader(&bytes[..]).read_to_string(&mut text).unwrap();
            assert_eq!(text, "one two");
        }
    }

    #[test]
    fn a_cut_stream_is_an_error() {
        for codec in Codec::ALL {
            let bytes = packed(codec, &[b"some text that is long enough to be cut"]);
            for len in [0, 1, 5, bytes.len() - 1] {
                let read = codec.reader(&bytes[..len]).read_to_end(&mut Vec::new());
                assert!(read.is_err(), "{codec:?} cut at {len}");
            }
        }
    }

    #[test]
    fn zlib_begins_as_javas_does() {
        assert_eq!(packed(Codec::Default, &[b"x"])[..2], [0x78, 0x9c]);
    }

    #[test]
    fn a_file_name_tells_its_codec() {
        assert_eq!(Codec::of_file("a.gz"), Some(Codec::Gzip));
        assert_eq!(Codec::of_file("a.deflate"), Some(Codec::Default));
        assert_eq!(Codec::of_file("a.txt"), None);
        assert!(Codec::of_class("org.example.Codec").is_err());
    }
}
