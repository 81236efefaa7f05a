//! Round trips, streams that are cut or damaged, and the frames of blocks byte by byte.

use std::io::Cursor;

use proptest::prelude::*;

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

fn unpacked(codec: Codec, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    codec.reader(bytes).read_to_end(&mut read).map(|_| read)
}

/// Text that compresses, with something new now and then; more than any block of any codec.
fn long_text() -> Vec<u8> {
    (0..100_000u32)
        .flat_map(|n| format!("{} of {}\n", n % 113, n.wrapping_mul(2_654_435_761) >> 20).into_bytes())
        .collect()
}

fn frames(codec: Codec) -> bool {
    matches!(codec, Codec::Snappy | Codec::Lz4)
}

#[test]
fn streams_in_a_row_read_as_one() {
    let long = long_text();
    for codec in Codec::ALL {
        let bytes = packed(codec, &[b"one ", b"", &long, b"two"]);
        assert!(unpacked(codec, &bytes).unwrap() == [b"one ", &long[..], b"two"].concat(), "{codec:?}");
        assert!(bytes.len() < long.len() * 2 / 3, "{codec:?}: {} of {} bytes", bytes.len(), long.len());
    }
}

#[test]
fn a_cut_stream_is_an_error_that_says_where() {
    for codec in Codec::ALL {
        let bytes = packed(codec, &[b"some text that is long enough to be cut"]);
        for len in usize::from(frames(codec))..bytes.len() {
            let error = unpacked(codec, &bytes[..len]).expect_err("a cut stream");
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{codec:?} cut at {len}: {error}");
            let place: u64 =
                error.to_string().split("near byte ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
            assert!(place <= len as u64, "{codec:?} cut at {len}: {error}");
        }
    }
}

#[test]
fn a_flipped_bit_is_found_where_the_format_has_a_checksum() {
    let text = b"some text, and some more text, that a checksum covers";
    for codec in [Codec::Default, Codec::Gzip, Codec::BZip2, Codec::Zstandard] {
        let bytes = packed(codec, &[text]);
        for bit in 0..bytes.len() * 8 {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            // Some bits of the headers mean nothing to a reader (a gzip file's time).
            assert!(unpacked(codec, &bad).map_or(true, |read| read == text), "{codec:?}, bit {bit}");
        }
    }
}

/// Laid out by hand after Hadoop 1.2.1's BlockCompressorStream and the two formats' descriptions.
#[test]
fn blocks_stand_in_hadoops_frame() {
    let snappy: &[u8] = b"\0\0\0\x05\0\0\0\x07\x05\x10hello";
    let lz4: &[u8] = b"\0\0\0\x05\0\0\0\x06\x50hello";
    for (codec, bytes) in [(Codec::Snappy, snappy), (Codec::Lz4, lz4)] {
        assert_eq!(packed(codec, &[b"hello"]), bytes);
        assert_eq!(packed(codec, &[b""]), [0; 4]);
        assert_eq!(unpacked(codec, b"").unwrap(), b"");
    }
    // A block of two chunks, one of no bytes, and one more: what Hadoop writes for one long array of bytes.
    let two = b"\0\0\0\x0a\0\0\0\x07\x05\x10hello\0\0\0\x07\x05\x10world\0\0\0\0\0\0\0\x01\0\0\0\x03\x01\0!";
    assert_eq!(unpacked(Codec::Snappy, two).unwrap(), b"helloworld!");
    // A snappy copy: "ab" and four more bytes from two back.
    assert_eq!(unpacked(Codec::Snappy, b"\0\0\0\x06\0\0\0\x06\x06\x04ab\x01\x02").unwrap(), b"ababab");
}

#[test]
fn lengths_of_blocks_claim_no_memory() {
    let cases: [(Codec, &[u8], &str); 6] = [
        (Codec::Snappy, b"\xff\xff\xff\xff", "block's length"),
        (Codec::Snappy, b"\0\0\0\x05\x7f\xff\xff\xff", "chunk's length"),
        (Codec::Snappy, b"\0\0\0\x05\0\0\0\x07\x06\x14hello!", "6 bytes where at most 5"),
        (Codec::Snappy, b"\x7f\xff\xff\xff\0\0\0\x06\xff\xff\xff\xff\x07a", "where at most 132"),
        (Codec::Snappy, b"\0\0\0\x05\0\0\0\x01\0", "chunk of nothing"),
        (Codec::Lz4, b"\0\0\0\x04\0\0\0\x06\x50hello", "lz4"),
    ];
    for (codec, bytes, expected) in cases {
        let error = unpacked(codec, bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}; expected {expected}");
    }
}

/// See tests/data/README.md.
#[test]
fn reads_what_the_programs_of_the_formats_wrote() {
    let text = include_bytes!("../../tests/data/words.txt");
    let gz: &[u8] = include_bytes!("../../tests/data/words.gz");
    let bz2: &[u8] = include_bytes!("../../tests/data/words.bz2");
    let zst: &[u8] = include_bytes!("../../tests/data/words.zst");
    let snappy: &[u8] = include_bytes!("../../tests/data/words.snappy");
    let lz4: &[u8] = include_bytes!("../../tests/data/words.lz4");
    let all = [gz, bz2, zst, snappy, lz4];
    for (codec, bytes) in [Codec::Gzip, Codec::BZip2, Codec::Zstandard, Codec::Snappy, Codec::Lz4].into_iter().zip(all)
    {
        assert!(unpacked(codec, bytes).unwrap() == text, "{codec:?}");
    }
    let long = unpacked(Codec::Lz4, include_bytes!("../../tests/data/long.lz4")).unwrap();
    assert_eq!(long.len(), 700_001);
    assert!(long.chunks(17).all(|line| b"0123456789abcdef\n".starts_with(line)));
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

fn split(bytes: &[u8], start: u64) -> io::Result<(u64, Vec<u8>)> {
    let mut reader = Bzip2Split::open(Cursor::new(bytes), start)?;
    let mut read = Vec::new();
    reader.read_to_end(&mut read)?;
    Ok((reader.start(), read))
}

/// Three blocks of 100 kB, an empty stream, and a stream of one more block.
const BLOCKS: &[u8] = include_bytes!("../../tests/data/blocks.bz2");
/// Where the blocks' marks end in the file, and where their bytes start.
const MARKS: [(u64, usize); 5] = [(10, 0), (3266, 99_981), (6661, 199_962), (8429, 249957), (u64::MAX, 279_968)];

#[test]
fn a_bzip2_file_may_be_entered_at_any_byte() {
    let (_, whole) = split(BLOCKS, 0).unwrap();
    assert!(whole == unpacked(Codec::BZip2, BLOCKS).unwrap());
    for pair in MARKS.windows(2) {
        let (mark, from, behind) = (pair[0].0, pair[0].1, pair[1].1);
        // A split that starts where a mark ends is behind it.
        for (start, from) in [(mark - 1, from), (mark, behind), (mark + 1, behind)] {
            assert!(split(BLOCKS, start).unwrap().1 == whole[from..], "from byte {start}");
        }
    }
}

/// A file of zeros without an end, and how much of it was read.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        buf.fill(0);
        self.0 += buf.len() as u64;
        Ok(buf.len())
    }
}

impl io::Seek for Endless {
    fn seek(&mut self, _to: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_bzip2_file_that_is_cut_or_none_is_an_error() {
    let bytes = packed(Codec::BZip2, &[b"text of one block\n", b"text of another\n"]);
    assert_eq!(split(b"", 0).unwrap(), (0, Vec::new()));
    assert_eq!(split(&packed(Codec::BZip2, &[b""]), 0).unwrap().1, b"");
    let first = packed(Codec::BZip2, &[b"text of one block\n"]).len();
    for len in (1..bytes.len()).filter(|len| !(first - 4..first + 10).contains(len)) {
        // What follows a stream's end mark is looked through for a block only, as in Hadoop.
        let cut = split(&bytes[..len], 0);
        assert!(cut.is_err() || len >= bytes.len() - 4, "cut at {len}: {cut:?}");
    }
    assert!(split(b"this is no bzip2 file at all", 0).unwrap_err().to_string().contains("no bzip2 block"));
    let mut endless = Endless(0);
    assert!(Bzip2Split::open(&mut endless, 1 << 40).is_err());
    assert!(endless.0 < 4 << 20, "{} bytes were read", endless.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_written_is_read(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..3000), 0..4)) {
        for codec in Codec::ALL {
            let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            let bytes = packed(codec, &parts);
            if !bytes.is_empty() {
                prop_assert_eq!(unpacked(codec, &bytes).unwrap(), parts.concat());
            }
        }
    }

    #[test]
    fn damaged_streams_end(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let text: Vec<u8> = (0..600u32).flat_map(|n| format!("{} ", n * n % 1013).into_bytes()).collect();
        for codec in Codec::ALL {
            let mut bytes = packed(codec, &[&text, b"more"]);
            for (at, value) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            bytes.truncate(bytes.len() - cut.index(bytes.len()) / 4);
            let read = unpacked(codec, &bytes).unwrap_or_default();
            prop_assert!(read.len() <= 1 << 20);
            if codec == Codec::BZip2 {
                for start in [0, 5, bytes.len() as u64 / 2] {
                    let _ = split(&bytes, start);
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for codec in Codec::ALL {
            let _ = unpacked(codec, &bytes);
        }
        let _ = split(&bytes, 0);
    }
}
