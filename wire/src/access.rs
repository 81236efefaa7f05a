//! Access lists as one Text (Hadoop 1.2.1: security.authorize.AccessControlList).

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::AccessControlList;

use crate::Writable;

impl Writable for AccessControlList {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.to_string());
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(AccessControlList::parse(&input.text()?))
    }
}
