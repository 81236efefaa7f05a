//! Where the partitions of a map output file lie (Hadoop 1.2.1: mapred.SpillRecord, IndexRecord).

use crate::checksum::crc32;
use crate::format::{FormatError, Result};
use crate::{DataInput, DataOutput};

/// Bytes per partition in the file.
pub const INDEX_RECORD_LEN: usize = 24;

/// One partition's segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexRecord {
    /// Where the segment starts in the file.
    pub start: u64,
    /// Its length before compression, end mark included, checksum not.
    pub raw_len: u64,
    /// Its length on disk, checksum included.
    pub part_len: u64,
}

/// Writes an index.
pub fn encode(records: &[IndexRecord]) -> Vec<u8> {
    let mut out = DataOutput::with_capacity(records.len() * INDEX_RECORD_LEN + 8);
    for record in records {
        out.long(record.start as i64);
        out.long(record.raw_len as i64);
        out.long(record.part_len as i64);
    }
    let crc = crc32(out.as_bytes());
    out.long(i64::from(crc));
    out.into_bytes()
}

/// Reads an index and checks its checksum.
///
/// # Errors
/// If the length is none, the checksum is wrong, or a number is negative.
pub fn decode(bytes: &[u8]) -> Result<Vec<IndexRecord>> {
    let body_len = bytes.len().checked_sub(8).filter(|len| len % INDEX_RECORD_LEN == 0);
    let body_len = body_len.ok_or(FormatError::Length {
        what: "a spill index's length",
        value: bytes.len() as i64,
        expected: "24 per partition, and 8",
    })?;
    let (body, stored) = bytes.split_at(body_len);
    let (stored, computed) = (DataInput::new(stored).long()?, crc32(body));
    if stored != i64::from(computed) {
        return Err(FormatError::Checksum { what: "a spill index", stored: stored as u32, computed });
    }
    let mut input = DataInput::new(body);
    (0..body_len / INDEX_RECORD_LEN).map(|_| record(&mut input)).collect()
}

fn record(input: &mut DataInput<'_>) -> Result<IndexRecord> {
    let mut number = |what| -> Result<u64> {
        let value = input.long()?;
        u64::try_from(value).map_err(|_| FormatError::Length { what, value, expected: "0 or more" })
    };
    Ok(IndexRecord {
        start: number("a segment's start")?,
        raw_len: number("a segment's raw length")?,
        part_len: number("a segment's part length")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_what_hadoop_wrote() {
        let bytes = include_bytes!("../tests/data/spill-two.index");
        let records = decode(bytes).unwrap();
        let expected =
            [IndexRecord { start: 0, raw_len: 22, part_len: 26 }, IndexRecord { start: 26, raw_len: 2, part_len: 6 }];
        assert_eq!(records, expected);
        assert_eq!(encode(&records), bytes);
    }

    #[test]
    fn damage_is_found() {
        let bytes = encode(&[IndexRecord { start: 0, raw_len: 2, part_len: 6 }]);
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(decode(&bad).is_err(), "byte {at}");
        }
        assert!(decode(&bytes[1..]).is_err());
        assert!(decode(&[]).is_err());
    }
}
