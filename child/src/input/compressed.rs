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

/// The codec by which a file is compressed; none for plain files.
///
/// # Errors
/// If one of the job's codecs has no native twin.
pub(super) fn codec_of(path: &Path, conf: &Configuration) -> Result<Option<Codec>> {
    let Some(classes) = conf.get_optional(&keys::IO_COMPRESSION_CODECS)? else {
        return Ok([Codec::Gzip, Codec::Default].into_iter().find(|codec| is_named_by(path, *codec)));
    };
    for class in classes.iter().map(|class| class.trim()).filter(|class| !class.is_empty()) {
        let codec = Codec::of_class(class)
            .map_err(|source| TaskError::Format { what: keys::IO_COMPRESSION_CODECS.name().to_owned(), source })?;
        if is_named_by(path, codec) {
            return Ok(Some(codec));
        }
    }
    Ok(None)
}

fn is_named_by(path: &Path, codec: Codec) -> bool {
    path.name().ends_with(codec.extension())
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
