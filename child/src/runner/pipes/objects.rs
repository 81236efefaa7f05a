//! Keys and values between a task and its program: texts and byte arrays go as their bytes alone, all else in its
//! serialized form (Hadoop 1.2.1: BinaryProtocol.writeObject, UplinkReaderThread.readObject).

use std::io::{self, Read, Write};

use hadoop_io::DataOutput;
use twins::DataType;
use wire::pipes::{Receiver, Sender};

use super::super::data;
use super::failed_to_send;
use crate::api::{Result, TaskError};

/// Sends a serialized value, its length before it.
pub(super) fn send<W: Write>(kind: DataType, serialized: &[u8], link: &mut Sender<W>) -> Result<()> {
    let sent = match kind {
        // A text's serialized form already is its length and its bytes.
        DataType::Text => link.raw(serialized),
        DataType::Bytes | DataType::TypedBytes => {
            link.bytes(data::bytes_body(serialized).map_err(TaskError::decode("a value for the pipes program"))?)
        }
        _ => link.bytes(serialized),
    };
    sent.map_err(failed_to_send)
}

/// Takes a value, in place of what `serialized` holds.
///
/// Quirk: only texts and byte arrays are as long as the program says; of all else the type knows the length.
pub(super) fn receive<R: Read>(kind: DataType, link: &mut Receiver<R>, serialized: &mut Vec<u8>) -> io::Result<()> {
    serialized.clear();
    match kind {
        DataType::Text => {
            let mut body = Vec::new();
            link.bytes(&mut body)?;
            data::put_text(serialized, &body);
            return Ok(());
        }
        DataType::Bytes | DataType::TypedBytes => {
            link.bytes(serialized)?;
            // No more than 31 bits could be announced.
            let len = (serialized.len() as i32).to_be_bytes();
            serialized.splice(0..0, len);
            return Ok(());
        }
        _ => {}
    }
    link.int()?;
    match kind {
        DataType::VInt | DataType::VLong => {
            let value = if kind == DataType::VInt { i64::from(link.int()?) } else { link.long()? };
            let mut out = DataOutput::with_capacity(9);
            out.vlong(value);
            serialized.extend_from_slice(out.as_bytes());
            Ok(())
        }
        DataType::Null => Ok(()),
        DataType::Byte => link.raw(1, serialized),
        DataType::Boolean => {
            link.raw(1, serialized)?;
            serialized[0] = u8::from(serialized[0] != 0);
            Ok(())
        }
        DataType::Int | DataType::Float => link.raw(4, serialized),
        DataType::Text
        | DataType::Bytes
        | DataType::TypedBytes
        | DataType::Long
        | DataType::Double
        | DataType::IntPair => link.raw(8, serialized),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is sent for a serialized value, and what is made of it when the program sends it back.
    fn check(kind: DataType, serialized: &[u8], sent: &[u8]) {
        let mut link = Sender::new(Vec::new());
        send(kind, serialized, &mut link).unwrap();
        assert_eq!(link.sink(), sent, "{kind:?}");
        let mut back = vec![9];
        receive(kind, &mut Receiver::new(sent), &mut back).unwrap();
        assert_eq!(back, serialized, "{kind:?}");
    }

    #[test]
    fn texts_and_bytes_go_bare_and_all_else_with_its_length() {
        check(DataType::Text, &[2, b'a', b'b'], &[2, b'a', b'b']);
        check(DataType::Bytes, &[0, 0, 0, 2, 1, 2], &[2, 1, 2]);
        check(DataType::Int, &[0, 0, 1, 0], &[4, 0, 0, 1, 0]);
        check(DataType::Long, &[0, 0, 0, 0, 0, 0, 1, 0], &[8, 0, 0, 0, 0, 0, 0, 1, 0]);
        check(DataType::VInt, &[0x8f, 0x80], &[2, 0x8f, 0x80]);
        check(DataType::Boolean, &[1], &[1, 1]);
        check(DataType::Null, &[], &[0]);
    }
}
