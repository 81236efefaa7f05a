//! Which codec a file's name asks for, and the stream that undoes it.
//!
//! Hadoop 1.2.1: CompressionCodecFactory.getCodec, over the classes of `io.compression.codecs`.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use configuration::{Configuration, keys};
use hadoop_io::Codec;
use storage::Path;

use crate::api::{Result, TaskError};

/// Hadoop's codecs without a twin, and the suffixes of their files.
const WITHOUT_TWIN: &[(&str, &str)] =
    &[("org.apache.hadoop.io.compress.BZip2Codec", ".bz2"), ("org.apache.hadoop.io.compress.SnappyCodec", ".snappy")];

/// The codec by which a file is compressed; none for plain files.
///
/// # Errors
/// If the codec has no native twin.
pub(super) fn codec_of(path: &Path, conf: &Configuration) -> Result<Option<Codec>> {
    let classes = conf.get_optional(&keys::IO_COMPRESSION_CODECS)?;
    let classes =
        classes.unwrap_or_else(|| vec![Codec::Gzip.class_name().to_owned(), Codec::Default.class_name().to_owned()]);
    for class in &classes {
        if let Ok(codec) = Codec::of_class(class)
            && path.name().ends_with(codec.extension())
        {
            return Ok(Some(codec));
        }
        if WITHOUT_TWIN.iter().any(|(name, suffix)| class == name && path.name().ends_with(suffix)) {
            return Err(TaskError::io_exception(format!(
                "{path}: {class} has no native twin; set {} to never",
                keys::HOWDAH_CHILD_NATIVE.name()
            )));
        }
    }
    Ok(None)
}

/// Counts how far the stream below was read.
pub(super) struct Counted<R> {
    source: R,
    position: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    /// The stream, and where to look for its position.
    pub(super) fn new(source: R) -> (Self, Arc<AtomicU64>) {
        let position = Arc::new(AtomicU64::new(0));
        (Counted { source, position: position.clone() }, position)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.position.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Moves to where a split starts.
pub(super) fn seek(source: &mut impl Seek, start: u64) -> io::Result<()> {
    source.seek(SeekFrom::Start(start)).map(|_| ())
}
