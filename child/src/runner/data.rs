//! What Java's key and value types do, on their serialized bytes: hash, order, text.
//!
//! A record travels as bytes from reader to writer; only these functions look inside. Serialized forms are those of
//! `Writable.write`. Knows nothing of jobs or files.

use std::cmp::Ordering;

use hadoop_io::{DataInput, DataOutput, DecodeError};
use twins::DataType;

/// The bytes inside a serialized `Text`.
///
/// # Errors
/// If there are fewer or more bytes than the length says.
pub fn text_body(serialized: &[u8]) -> Result<&[u8], DecodeError> {
    let mut input = DataInput::new(serialized);
    let len = input.vcount(1, "text")?;
    let body = input.bytes(len, "text")?;
    input.expect_end("text")?;
    Ok(body)
}

/// Appends a serialized `Text` of these bytes.
pub fn put_text(out: &mut Vec<u8>, body: &[u8]) {
    put_vlong(out, body.len() as i64);
    out.extend_from_slice(body);
}

/// Appends a serialized `BytesWritable` of these bytes.
pub fn put_bytes(out: &mut Vec<u8>, body: &[u8]) {
    out.extend_from_slice(&(body.len() as i32).to_be_bytes());
    out.extend_from_slice(body);
}

fn put_vlong(out: &mut Vec<u8>, value: i64) {
    let mut encoded = DataOutput::with_capacity(9);
    encoded.vlong(value);
    out.extend_from_slice(encoded.as_bytes());
}

/// The bytes inside a serialized `BytesWritable`.
pub fn bytes_body(serialized: &[u8]) -> Result<&[u8], DecodeError> {
    let mut input = DataInput::new(serialized);
    let len = input.count(1, "bytes")?;
    let body = input.bytes(len, "bytes")?;
    input.expect_end("bytes")?;
    Ok(body)
}

/// The number in a serialized `IntWritable`.
///
/// # Errors
/// If there are fewer or more than four bytes.
pub fn int(serialized: &[u8]) -> Result<i32, DecodeError> {
    whole(serialized, "int", DataInput::int)
}

/// The number in a serialized `LongWritable`.
///
/// # Errors
/// If there are fewer or more than eight bytes.
pub fn long(serialized: &[u8]) -> Result<i64, DecodeError> {
    whole(serialized, "long", DataInput::long)
}

/// The two numbers of a serialized `SecondarySort.IntPair`, each written with its sign bit flipped.
///
/// # Errors
/// If there are fewer or more than eight bytes.
pub fn int_pair(serialized: &[u8]) -> Result<(i32, i32), DecodeError> {
    whole(serialized, "pair of ints", |input| Ok((input.int()? ^ i32::MIN, input.int()? ^ i32::MIN)))
}

/// Appends a serialized `SecondarySort.IntPair`.
pub fn put_int_pair(out: &mut Vec<u8>, (first, second): (i32, i32)) {
    out.extend_from_slice(&(first ^ i32::MIN).to_be_bytes());
    out.extend_from_slice(&(second ^ i32::MIN).to_be_bytes());
}

fn whole<'a, T>(
    serialized: &'a [u8],
    what: &'static str,
    read: impl FnOnce(&mut DataInput<'a>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let mut input = DataInput::new(serialized);
    let value = read(&mut input)?;
    input.expect_end(what)?;
    Ok(value)
}

/// Checks that bytes are one whole value of the type.
///
/// # Errors
/// Says what is wrong with them.
pub fn check(kind: DataType, serialized: &[u8]) -> Result<(), DecodeError> {
    match kind {
        DataType::Text => text_body(serialized).map(|_| ()),
        DataType::Bytes | DataType::TypedBytes => bytes_body(serialized).map(|_| ()),
        DataType::Int => int(serialized).map(|_| ()),
        DataType::Long => long(serialized).map(|_| ()),
        DataType::VInt => whole(serialized, "vint", DataInput::vint).map(|_| ()),
        DataType::VLong => whole(serialized, "vlong", DataInput::vlong).map(|_| ()),
        DataType::Byte => whole(serialized, "byte", DataInput::u8).map(|_| ()),
        DataType::Boolean => whole(serialized, "boolean", DataInput::bool).map(|_| ()),
        DataType::Float => whole(serialized, "float", DataInput::float).map(|_| ()),
        DataType::Double => whole(serialized, "double", DataInput::double).map(|_| ()),
        DataType::Null => DataInput::new(serialized).expect_end("null"),
        DataType::IntPair => int_pair(serialized).map(|_| ()),
    }
}

/// Java's `hashCode` of a value.
///
/// # Errors
/// If the bytes are no value of the type.
pub fn hash_code(kind: DataType, serialized: &[u8]) -> Result<i32, DecodeError> {
    Ok(match kind {
        DataType::Text => hash_bytes(text_body(serialized)?),
        DataType::Bytes | DataType::TypedBytes => hash_bytes(bytes_body(serialized)?),
        DataType::Int => int(serialized)?,
        DataType::Long => long(serialized)? as i32,
        DataType::VInt => whole(serialized, "vint", DataInput::vint)?,
        DataType::VLong => whole(serialized, "vlong", DataInput::vlong)? as i32,
        DataType::Byte => i32::from(whole(serialized, "byte", DataInput::u8)? as i8),
        // Quirk: Hadoop 1.2.1's BooleanWritable.hashCode is 0 for true and 1 for false.
        DataType::Boolean => i32::from(!whole(serialized, "boolean", DataInput::bool)?),
        DataType::Float => java_float_bits(whole(serialized, "float", DataInput::float)?),
        DataType::Double => java_double_bits(whole(serialized, "double", DataInput::double)?) as i32,
        DataType::Null => 0,
        DataType::IntPair => {
            let (first, second) = int_pair(serialized)?;
            first.wrapping_mul(157).wrapping_add(second)
        }
    })
}

/// Hadoop 1.2.1: WritableComparator.hashBytes.
pub fn hash_bytes(bytes: &[u8]) -> i32 {
    bytes.iter().fold(1i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(*byte as i8)))
}

/// Java's `String.hashCode`, over UTF-16 units.
pub fn string_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

fn java_float_bits(value: f32) -> i32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() as i32 }
}

fn java_double_bits(value: f64) -> i64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() as i64 }
}

/// The order in which keys of the type are sorted: that of its raw comparator. Bytes that are no such value sort as
/// they come; whoever reads the value finds out.
pub fn compare_raw(kind: DataType, a: &[u8], b: &[u8]) -> Ordering {
    match kind {
        DataType::Text => body_after_vint(a).cmp(body_after_vint(b)),
        DataType::Bytes | DataType::TypedBytes => a.get(4..).unwrap_or_default().cmp(b.get(4..).unwrap_or_default()),
        DataType::Int | DataType::Long | DataType::Byte => compare_signed(a, b),
        // Quirk: Hadoop 1.2.1's BooleanWritable.Comparator reads four bytes where one was written, so that no two
        // booleans ever differ for it.
        DataType::Boolean => Ordering::Equal,
        DataType::IntPair => a.cmp(b),
        DataType::Null => Ordering::Equal,
        DataType::VInt | DataType::VLong | DataType::Float | DataType::Double => compare_values(kind, a, b),
    }
}

/// The order of values as Java's `compareTo` has it, by which the old interface groups keys.
pub fn compare_values(kind: DataType, a: &[u8], b: &[u8]) -> Ordering {
    match kind {
        DataType::Boolean => (a.first() != Some(&0)).cmp(&(b.first() != Some(&0))),
        DataType::VInt | DataType::VLong => {
            let value = |bytes: &[u8]| DataInput::new(bytes).vlong().unwrap_or_default();
            value(a).cmp(&value(b))
        }
        DataType::Float => {
            let value = |bytes: &[u8]| DataInput::new(bytes).float().unwrap_or_default();
            compare_floats(f64::from(value(a)), f64::from(value(b)))
        }
        DataType::Double => {
            let value = |bytes: &[u8]| DataInput::new(bytes).double().unwrap_or_default();
            compare_floats(value(a), value(b))
        }
        other => compare_raw(other, a, b),
    }
}

/// Quirk: like Hadoop's comparators, NaN is larger than everything, and than itself.
fn compare_floats(a: f64, b: f64) -> Ordering {
    if a < b {
        Ordering::Less
    } else if a == b {
        Ordering::Equal
    } else {
        Ordering::Greater
    }
}

fn compare_signed(a: &[u8], b: &[u8]) -> Ordering {
    match (a.split_first(), b.split_first()) {
        (Some((a0, a)), Some((b0, b))) => (*a0 as i8).cmp(&(*b0 as i8)).then_with(|| a.cmp(b)),
        _ => a.len().cmp(&b.len()),
    }
}

/// What follows the vint at the start.
pub fn body_after_vint(serialized: &[u8]) -> &[u8] {
    let Some(first) = serialized.first() else { return serialized };
    let first = *first as i8;
    let len = match first {
        -112.. => 1,
        -120..=-113 => (-111 - i32::from(first)) as usize,
        _ => (-119 - i32::from(first)) as usize,
    };
    serialized.get(len..).unwrap_or_default()
}

/// Appends a value as Java's `toString` shows it, in UTF-8.
///
/// # Errors
/// If the bytes are no value of the type.
pub fn put_shown(kind: DataType, serialized: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
    match kind {
        DataType::Text => {
            let text = String::from_utf8_lossy(text_body(serialized)?);
            out.extend_from_slice(text.as_bytes());
        }
        DataType::Int => put_decimal(out, i64::from(int(serialized)?)),
        DataType::Long => put_decimal(out, long(serialized)?),
        DataType::VInt | DataType::VLong => put_decimal(out, whole(serialized, "vlong", DataInput::vlong)?),
        DataType::Byte => put_decimal(out, i64::from(whole(serialized, "byte", DataInput::u8)? as i8)),
        DataType::Boolean => {
            let shown = if whole(serialized, "boolean", DataInput::bool)? { "true" } else { "false" };
            out.extend_from_slice(shown.as_bytes());
        }
        // `twins` keeps jobs that need these with Java: how a floating-point number looks depends on the JVM.
        DataType::Float | DataType::Double | DataType::TypedBytes => {
            return Err(DataInput::new(serialized).error("floating-point number", "its text is the JVM's affair"));
        }
        DataType::Bytes => {
            for (at, byte) in bytes_body(serialized)?.iter().enumerate() {
                if at > 0 {
                    out.push(b' ');
                }
                out.extend_from_slice(format!("{byte:02x}").as_bytes());
            }
        }
        DataType::Null => out.extend_from_slice(b"(null)"),
        DataType::IntPair => {
            // Java's Object.toString.
            let hash = hash_code(kind, serialized)?;
            out.extend_from_slice(format!("{}@{hash:x}", kind.class_name()).as_bytes());
        }
    }
    Ok(())
}

/// Appends a value as TextOutputFormat writes it: texts byte for byte, all else as Java shows it.
///
/// # Errors
/// If the bytes are no value of the type.
pub fn put_line_part(kind: DataType, serialized: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
    match kind {
        DataType::Text => {
            out.extend_from_slice(text_body(serialized)?);
            Ok(())
        }
        _ => put_shown(kind, serialized, out),
    }
}

/// Appends a value as streaming hands it to a command: texts and bytes as they are, all else as Java shows it.
///
/// # Errors
/// If the bytes are no value of the type.
pub fn put_stream_part(kind: DataType, serialized: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
    match kind {
        DataType::Bytes | DataType::TypedBytes => {
            out.extend_from_slice(bytes_body(serialized)?);
            Ok(())
        }
        _ => put_line_part(kind, serialized, out),
    }
}

fn put_decimal(out: &mut Vec<u8>, value: i64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(s: &str) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, s.as_bytes());
        out
    }

    fn shown(kind: DataType, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        put_shown(kind, bytes, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hashes_are_those_of_java() {
        // Text("hello").hashCode() and Text("é").hashCode() of Hadoop 1.2.1: 31-polynomials that start at 1.
        assert_eq!(hash_code(DataType::Text, &text("hello")).unwrap(), 127_791_473);
        assert_eq!(hash_code(DataType::Text, &text("é")).unwrap(), (31 - 61) * 31 - 87);
        assert_eq!(hash_code(DataType::Text, &text("")).unwrap(), 1);
        assert_eq!(hash_code(DataType::Long, &0x1_0000_0002i64.to_be_bytes()).unwrap(), 2);
        assert_eq!(hash_code(DataType::Boolean, &[1]).unwrap(), 0);
        assert_eq!(string_hash("hello"), 99_162_322);
    }

    #[test]
    fn orders_are_those_of_the_raw_comparators() {
        let int = |v: i32| v.to_be_bytes();
        assert_eq!(compare_raw(DataType::Int, &int(-1), &int(1)), Ordering::Less);
        assert_eq!(compare_raw(DataType::Int, &int(-1), &int(-2)), Ordering::Greater);
        assert_eq!(compare_raw(DataType::Text, &text("a"), &text("ab")), Ordering::Less);
        assert_eq!(compare_raw(DataType::Text, &text("b"), &text(&"a".repeat(300))), Ordering::Greater);
        assert_eq!(compare_raw(DataType::Boolean, &[0], &[1]), Ordering::Equal);
        assert_eq!(compare_values(DataType::Boolean, &[0], &[1]), Ordering::Less);
        assert_eq!(compare_raw(DataType::Float, &f32::NAN.to_be_bytes(), &1f32.to_be_bytes()), Ordering::Greater);
    }

    #[test]
    fn values_are_shown_as_java_shows_them() {
        assert_eq!(shown(DataType::Long, &i64::MIN.to_be_bytes()), "-9223372036854775808");
        assert_eq!(shown(DataType::Int, &0i32.to_be_bytes()), "0");
        assert_eq!(shown(DataType::Bytes, &[0, 0, 0, 2, 0x0a, 0xff]), "0a ff");
        assert_eq!(shown(DataType::Text, &[2, b'a', 0xff]), "a\u{fffd}");
        assert_eq!(shown(DataType::Null, &[]), "(null)");
        assert!(put_shown(DataType::Text, &[5, b'a'], &mut Vec::new()).is_err());
        assert!(put_shown(DataType::Double, &[0; 8], &mut Vec::new()).is_err());
    }

    #[test]
    fn pairs_keep_their_order_as_bytes() {
        let mut low = Vec::new();
        let mut high = Vec::new();
        put_int_pair(&mut low, (-5, 7));
        put_int_pair(&mut high, (3, i32::MIN));
        assert_eq!(int_pair(&low).unwrap(), (-5, 7));
        assert_eq!(compare_raw(DataType::IntPair, &low, &high), Ordering::Less);
        assert_eq!(hash_code(DataType::IntPair, &low).unwrap(), -5 * 157 + 7);
    }
}
