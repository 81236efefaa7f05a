//! Frames of a journal: the length and the CRC-32 of a message, four bytes each with the most significant first, and
//! the message. A frame counts if it is whole.

const HEAD: usize = 8;

/// Appends a frame.
pub(super) fn append(out: &mut Vec<u8>, message: &[u8]) {
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    out.extend(length.to_be_bytes());
    out.extend(crc32fast::hash(message).to_be_bytes());
    out.extend(message);
}

/// The first message of `bytes` and the length of its frame; `None` if there is no whole frame.
pub(super) fn first(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let word = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (length, sum) = (usize::try_from(word(0)?).ok()?, word(4)?);
    let message = bytes.get(HEAD..HEAD.checked_add(length)?)?;
    (crc32fast::hash(message) == sum).then_some((message, HEAD + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_back_and_no_part_of_one_is() {
        let mut bytes = Vec::new();
        append(&mut bytes, b"123456789");
        // The check value of CRC-32 as its catalogue gives it.
        assert_eq!(bytes[..8], [0, 0, 0, 9, 0xcb, 0xf4, 0x39, 0x26]);
        append(&mut bytes, b"");
        assert_eq!(first(&bytes), Some((&b"123456789"[..], 17)));
        assert_eq!(first(&bytes[17..]), Some((&b""[..], 8)));
        for end in 0..17 {
            assert_eq!(first(&bytes[..end]), None, "{end} bytes");
        }
        bytes[10] ^= 1;
        assert_eq!(first(&bytes), None);
        assert_eq!(first(&[0xff; 64]), None);
    }
}
