//! Which reduce a record goes to.

use configuration::keys;
use twins::{DataType, Partitioner as Twin, Plan};

use super::data;
use super::key_field::KeyFields;
use super::order;
use super::total_order::{TeraSort, TotalOrder};
use crate::api::{Partitioner, Result, TaskContext, TaskError};

/// The partitioner that a plan names.
pub(super) fn partitioner(plan: &Plan, ctx: &TaskContext) -> Result<Box<dyn Partitioner>> {
    let key = plan.map_output_key;
    Ok(match plan.partitioner {
        Twin::Hash => Box::new(Hash(key)),
        Twin::KeyField => Box::new(FieldHash { key, fields: fields(plan, ctx)? }),
        Twin::TotalOrder => Box::new(TotalOrder::new(plan, ctx)?),
        Twin::TeraSort => Box::new(TeraSort::new(ctx)?),
        Twin::Sleep => Box::new(Modulo),
        Twin::FirstOfPair => Box::new(FirstOfPair),
    })
}

/// Java's `(hash & Integer.MAX_VALUE) % partitions`.
fn by_hash(hash: i32, partitions: u32) -> i32 {
    ((hash & i32::MAX) as u32 % partitions.max(1)) as i32
}

struct Hash(DataType);

impl Partitioner for Hash {
    fn partition(&self, key: &[u8], _value: &[u8], partitions: u32) -> i32 {
        // Keys were made by a mapper of ours: broken bytes cannot come here, and -1 is refused by the engine.
        data::hash_code(self.0, key).map_or(-1, |hash| by_hash(hash, partitions))
    }
}

/// Quirk: both interfaces still read the deprecated count of fields, and then nothing else.
fn fields(plan: &Plan, ctx: &TaskContext) -> Result<KeyFields> {
    let conf = &ctx.conf;
    let (separator, options) = if plan.new_mapper {
        (&keys::MAPREDUCE_MAP_OUTPUT_KEY_FIELD_SEPARATOR, &keys::MAPREDUCE_PARTITION_KEYPARTITIONER_OPTIONS)
    } else {
        (&keys::MAP_OUTPUT_KEY_FIELD_SEPARATOR, &keys::MAPRED_TEXT_KEY_PARTITIONER_OPTIONS)
    };
    let separator = conf.get(separator)?;
    if conf.is_set(&keys::NUM_KEY_FIELDS_FOR_PARTITION) {
        return Ok(KeyFields::first(conf.get_or(&keys::NUM_KEY_FIELDS_FOR_PARTITION, 0), &separator));
    }
    let options = conf.get_optional(options)?;
    KeyFields::parse(options.as_deref(), &separator).map_err(order::bad_key_option)
}

struct FieldHash {
    key: DataType,
    fields: KeyFields,
}

impl Partitioner for FieldHash {
    fn partition(&self, key: &[u8], _value: &[u8], partitions: u32) -> i32 {
        let mut text = Vec::new();
        if data::put_shown(self.key, key, &mut text).is_err() {
            return -1;
        }
        let hash = self.fields.hash(&text).unwrap_or_else(|| data::string_hash(&String::from_utf8_lossy(&text)));
        by_hash(hash, partitions)
    }
}

/// The sleep job's: the key itself.
struct Modulo;

impl Partitioner for Modulo {
    fn partition(&self, key: &[u8], _value: &[u8], partitions: u32) -> i32 {
        data::int(key).map_or(-1, |key| key.wrapping_rem(partitions.max(1) as i32))
    }
}

/// Hadoop 1.2.1: examples.SecondarySort.FirstPartitioner.
struct FirstOfPair;

impl Partitioner for FirstOfPair {
    fn partition(&self, key: &[u8], _value: &[u8], partitions: u32) -> i32 {
        let Ok((first, _)) = data::int_pair(key) else { return -1 };
        first.wrapping_mul(127).wrapping_abs().wrapping_rem(partitions.max(1) as i32)
    }
}

/// The failure of an option that Java refuses.
pub(super) fn refused(message: String) -> TaskError {
    TaskError::Failed { exception: "java.lang.IllegalArgumentException", message }
}
