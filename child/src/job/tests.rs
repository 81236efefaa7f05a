//! Hadoop's types in Rust, against the bytes of their Java classes.

use std::fmt::Debug;

use super::*;

fn put<W: Writable>(value: &W::Put) -> Vec<u8> {
    let mut out = Vec::new();
    W::put(value, &mut out);
    out
}

fn read<W: Writable>(serialized: &[u8]) -> W::Read<'_> {
    W::read(serialized).expect("a value")
}

#[test]
fn values_have_the_bytes_of_javas() {
    assert_eq!(put::<Int>(&-2), [0xff, 0xff, 0xff, 0xfe]);
    assert_eq!(put::<Long>(&258), [0, 0, 0, 0, 0, 0, 1, 2]);
    // IEEE-754: 1.5 is 1.1 binary, exponent 0.
    assert_eq!(put::<Float>(&1.5), [0x3f, 0xc0, 0, 0]);
    assert_eq!(put::<Double>(&1.5), [0x3f, 0xf8, 0, 0, 0, 0, 0, 0]);
    assert_eq!(put::<Text>("aé"), [3, b'a', 0xc3, 0xa9]);
    assert_eq!(put::<TextBytes>(&[0xff]), [1, 0xff]);
    assert_eq!(put::<Bytes>(&[7, 8]), [0, 0, 0, 2, 7, 8]);
    assert_eq!(put::<Null>(&()), []);
}

#[test]
fn values_are_read_back() {
    assert_eq!(read::<Int>(&[0xff, 0xff, 0xff, 0xfe]), -2);
    assert_eq!(read::<Long>(&[0, 0, 0, 0, 0, 0, 1, 2]), 258);
    assert_eq!(read::<Double>(&[0x3f, 0xf8, 0, 0, 0, 0, 0, 0]).to_bits(), 1.5f64.to_bits());
    assert_eq!(read::<Float>(&[0x3f, 0xc0, 0, 0]).to_bits(), 1.5f32.to_bits());
    assert_eq!(read::<Text>(&[1, 0xff]), "\u{fffd}");
    assert_eq!(read::<TextBytes>(&[1, 0xff]), [0xff]);
    assert_eq!(read::<Bytes>(&[0, 0, 0, 2, 7, 8]), [7, 8]);
    read::<Null>(&[]);
}

#[test]
fn bytes_of_another_length_are_refused() {
    fn refuses<'a, W: Writable>(serialized: &'a [u8])
    where
        W::Read<'a>: Debug,
    {
        assert!(W::read(serialized).is_err(), "{serialized:?}");
    }
    refuses::<Int>(&[0; 3]);
    refuses::<Int>(&[0; 5]);
    refuses::<Long>(&[0; 4]);
    refuses::<Text>(&[2, b'a']);
    refuses::<TextBytes>(&[1, b'a', b'b']);
    refuses::<Bytes>(&[0x7f, 0xff, 0xff, 0xff, 1]);
    refuses::<Null>(&[0]);
}

#[test]
fn a_mapper_of_other_records_fails_as_in_java() {
    use twins::DataType;
    parts::check_input("org.apache.hadoop.io.Text", DataType::Text).expect("the same");
    let error = parts::check_input("org.apache.hadoop.io.LongWritable", DataType::Text).expect_err("another");
    assert_eq!(error.java_class(), "java.lang.ClassCastException");
    assert_eq!(error.to_string(), "org.apache.hadoop.io.LongWritable cannot be cast to org.apache.hadoop.io.Text");
}
