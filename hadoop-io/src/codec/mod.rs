//! Compression of whole streams, as Hadoop's codec classes do it, and of several streams in a row.
//!
//! One enum knows the codecs; the formats that no crate reads as a stream have files of their own.

mod blocks;
mod bzip2;
mod bzip2_bits;
mod bzip2_split;
mod input;
#[cfg(test)]
mod tests;
mod zlib;
mod zstd;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

use ::bzip2::write::BzEncoder;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::format::{FormatError, Result};
use blocks::{Algorithm, BlockReader, BlockWriter};
use input::Input;

pub use bzip2_split::Bzip2Split;

/// What is read of a compressed stream at once.
const BUFFER_LEN: usize = 64 << 10;

/// A codec with a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Codec {
    /// `org.apache.hadoop.io.compress.DefaultCodec`: zlib.
    Default,
    /// `org.apache.hadoop.io.compress.GzipCodec`.
    Gzip,
    /// `org.apache.hadoop.io.compress.BZip2Codec`.
    BZip2,
    /// `org.apache.hadoop.io.compress.SnappyCodec`: snappy in Hadoop's own frame of blocks.
    Snappy,
    /// `org.apache.hadoop.io.compress.Lz4Codec` of later Hadoops, in the same frame.
    Lz4,
    /// `org.apache.hadoop.io.compress.ZStandardCodec` of later Hadoops.
    Zstandard,
}

impl Codec {
    /// Every codec: first those of 1.2.1's `io.compression.codecs`, in its order.
    pub const ALL: [Codec; 6] =
        [Codec::Default, Codec::Gzip, Codec::BZip2, Codec::Snappy, Codec::Lz4, Codec::Zstandard];

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
            Codec::BZip2 => "org.apache.hadoop.io.compress.BZip2Codec",
            Codec::Snappy => "org.apache.hadoop.io.compress.SnappyCodec",
            Codec::Lz4 => "org.apache.hadoop.io.compress.Lz4Codec",
            Codec::Zstandard => "org.apache.hadoop.io.compress.ZStandardCodec",
        }
    }

    /// What it adds to a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Codec::Default => ".deflate",
            Codec::Gzip => ".gz",
            Codec::BZip2 => ".bz2",
            Codec::Snappy => ".snappy",
            Codec::Lz4 => ".lz4",
            Codec::Zstandard => ".zst",
        }
    }

    /// The codec of a file, by the end of its name (Hadoop 1.2.1: CompressionCodecFactory.getCodec).
    pub fn of_file(name: &str) -> Option<Self> {
        Codec::ALL.into_iter().find(|codec| name.ends_with(codec.extension()))
    }

    /// Whether a text file of it can be read from any place (Hadoop 1.2.1: SplittableCompressionCodec).
    pub fn is_splittable(self) -> bool {
        self == Codec::BZip2
    }

    /// Compresses into `sink`.
    pub fn writer<W: Write>(self, sink: W) -> Compressor<W> {
        Compressor(match self {
            Codec::Default => Kind::Zlib(ZlibEncoder::new(sink, Compression::default())),
            Codec::Gzip => Kind::Gzip(GzEncoder::new(sink, Compression::default())),
            Codec::BZip2 => Kind::BZip2(BzEncoder::new(sink, ::bzip2::Compression::best())),
            Codec::Snappy => Kind::Blocks(BlockWriter::new(sink, Algorithm::Snappy)),
            Codec::Lz4 => Kind::Blocks(BlockWriter::new(sink, Algorithm::Lz4)),
            Codec::Zstandard => Kind::Zstd(zstd::Writer::new(sink)),
        })
    }

    /// Decompresses `source` to its end. A stream that is cut is an error; one of no bytes too, unless the codec may
    /// write such streams.
    pub fn reader<R: Read>(self, source: R) -> Decompressor<BufReader<R>> {
        self.buffered_reader(BufReader::with_capacity(BUFFER_LEN, source))
    }

    /// The same over a source that has a buffer.
    pub fn buffered_reader<R: BufRead>(self, source: R) -> Decompressor<R> {
        let input = Input::new(source);
        Decompressor(match self {
            Codec::Default => Source::Zlib(zlib::Reader::new(input)),
            Codec::Gzip => Source::Gzip(Box::new(MultiGzDecoder::new(input))),
            Codec::BZip2 => Source::BZip2(bzip2::Reader::new(input)),
            Codec::Snappy => Source::Blocks(BlockReader::new(input, Algorithm::Snappy)),
            Codec::Lz4 => Source::Blocks(BlockReader::new(input, Algorithm::Lz4)),
            Codec::Zstandard => Source::Zstd(Box::new(zstd::Reader::new(input))),
        })
    }
}

enum Kind<W: Write> {
    Zlib(ZlibEncoder<W>),
    Gzip(GzEncoder<W>),
    BZip2(BzEncoder<W>),
    Blocks(BlockWriter<W>),
    Zstd(zstd::Writer<W>),
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
            Kind::BZip2(encoder) => encoder.finish(),
            Kind::Blocks(writer) => writer.finish(),
            Kind::Zstd(writer) => writer.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Zlib(encoder) => encoder.write(bytes),
            Kind::Gzip(encoder) => encoder.write(bytes),
            Kind::BZip2(encoder) => encoder.write(bytes),
            Kind::Blocks(writer) => writer.write(bytes),
            Kind::Zstd(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Zlib(encoder) => encoder.flush(),
            Kind::Gzip(encoder) => encoder.flush(),
            Kind::BZip2(encoder) => encoder.flush(),
            Kind::Blocks(writer) => writer.flush(),
            Kind::Zstd(writer) => writer.flush(),
        }
    }
}

enum Source<R> {
    Zlib(zlib::Reader<R>),
    Gzip(Box<MultiGzDecoder<Input<R>>>),
    BZip2(bzip2::Reader<R>),
    Blocks(BlockReader<R>),
    Zstd(Box<zstd::Reader<R>>),
}

/// A stream that decompresses what is read. Its errors say how far into the compressed bytes they are.
pub struct Decompressor<R>(Source<R>);

impl<R> fmt::Debug for Decompressor<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decompressor")
    }
}

impl<R: BufRead> Decompressor<R> {
    /// How many compressed bytes were used up.
    pub fn position(&self) -> u64 {
        match &self.0 {
            Source::Zlib(reader) => reader.position(),
            Source::Gzip(decoder) => decoder.get_ref().position(),
            Source::BZip2(reader) => reader.position(),
            Source::Blocks(reader) => reader.position(),
            Source::Zstd(reader) => reader.position(),
        }
    }
}

impl<R: BufRead> Read for Decompressor<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.0 {
            Source::Zlib(reader) => reader.read(buf),
            Source::Gzip(decoder) => decoder.read(buf),
            Source::BZip2(reader) => reader.read(buf),
            Source::Blocks(reader) => reader.read(buf),
            Source::Zstd(reader) => reader.read(buf),
        };
        read.map_err(|error| input::at(error, self.position()))
    }
}
