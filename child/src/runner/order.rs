//! How keys are sorted and grouped.
//!
//! Hadoop sorts by raw bytes. The new interface groups by them too; the old one groups by whole values
//! (Task.ValuesIterator), which for some classes is another order.

use std::cmp::Ordering;
use std::sync::Arc;

use configuration::{Key, keys};
use twins::{Comparator as Twin, DataType, Plan};

use super::data;
use super::key_field::KeyFields;
use super::partition::refused;
use crate::api::{RawComparator, Result, TaskContext, TaskError};

/// The orders that a plan names.
pub(super) fn comparator(plan: &Plan, ctx: &TaskContext) -> Result<Arc<dyn RawComparator>> {
    let sort = Order::new(plan.sort_comparator, plan.map_output_key, ctx)?;
    let group = match plan.grouping_comparator {
        None => None,
        named => Some(Order::new(named, plan.map_output_key, ctx)?),
    };
    Ok(Arc::new(Orders { sort, group, by_value: !plan.new_reducer, key: plan.map_output_key }))
}

/// The failure of a `-k` that cannot be read.
pub(super) fn bad_key_option(message: String) -> TaskError {
    refused(message)
}

enum Order {
    Natural(DataType),
    LongDecreasing,
    Fields(KeyFields),
    FirstOfPair,
}

impl Order {
    fn new(twin: Option<Twin>, key: DataType, ctx: &TaskContext) -> Result<Self> {
        let fields = |separator: &Key<String>, options: &Key<String>| {
            let options = ctx.conf.get_optional(options)?;
            let fields = KeyFields::parse(options.as_deref(), &ctx.conf.get(separator)?).map_err(bad_key_option)?;
            Ok::<_, TaskError>(Order::Fields(fields))
        };
        Ok(match twin {
            None | Some(Twin::Text | Twin::Int | Twin::Long | Twin::Bytes) => Order::Natural(key),
            Some(Twin::LongDecreasing) => Order::LongDecreasing,
            Some(Twin::FirstOfPair) => Order::FirstOfPair,
            Some(Twin::KeyField) => {
                fields(&keys::MAP_OUTPUT_KEY_FIELD_SEPARATOR, &keys::MAPRED_TEXT_KEY_COMPARATOR_OPTIONS)?
            }
            Some(Twin::NewKeyField) => fields(
                &keys::MAPREDUCE_MAP_OUTPUT_KEY_FIELD_SEPARATOR,
                &keys::MAPREDUCE_PARTITION_KEYCOMPARATOR_OPTIONS,
            )?,
        })
    }

    fn raw(&self, a: &[u8], b: &[u8]) -> Ordering {
        match self {
            Order::Natural(key) => data::compare_raw(*key, a, b),
            Order::LongDecreasing => data::compare_raw(DataType::Long, b, a),
            Order::Fields(fields) => fields.compare(data::body_after_vint(a), data::body_after_vint(b)),
            Order::FirstOfPair => a.get(..4).cmp(&b.get(..4)),
        }
    }

    /// Whether whole values count as equal (Hadoop 1.2.1: WritableComparator.compare of two objects).
    fn same_value(&self, key: DataType, a: &[u8], b: &[u8]) -> bool {
        match self {
            Order::FirstOfPair => a.get(..4) == b.get(..4),
            // Quirk: KeyFieldBasedComparator only overrides the raw order, so it groups by whole keys.
            Order::Natural(_) | Order::LongDecreasing | Order::Fields(_) => {
                data::compare_values(key, a, b) == Ordering::Equal
            }
        }
    }
}

struct Orders {
    sort: Order,
    group: Option<Order>,
    by_value: bool,
    key: DataType,
}

impl RawComparator for Orders {
    fn sort(&self, a: &[u8], b: &[u8]) -> Ordering {
        self.sort.raw(a, b)
    }

    fn same_group(&self, a: &[u8], b: &[u8]) -> bool {
        let order = self.group.as_ref().unwrap_or(&self.sort);
        if self.by_value { order.same_value(self.key, a, b) } else { order.raw(a, b) == Ordering::Equal }
    }

    fn prefix(&self, key: &[u8]) -> u64 {
        let leading = |bytes: &[u8]| {
            let mut prefix = [0; 8];
            let len = bytes.len().min(8);
            prefix[..len].copy_from_slice(&bytes[..len]);
            u64::from_be_bytes(prefix)
        };
        const SIGN: u64 = 1 << 63;
        match &self.sort {
            Order::Natural(DataType::Text) => leading(data::body_after_vint(key)),
            Order::Natural(DataType::Bytes | DataType::TypedBytes) => leading(key.get(4..).unwrap_or_default()),
            Order::Natural(DataType::IntPair) => leading(key),
            Order::Natural(DataType::Int | DataType::Long | DataType::Byte) => leading(key) ^ SIGN,
            Order::LongDecreasing => !(leading(key) ^ SIGN),
            Order::Natural(_) | Order::Fields(_) | Order::FirstOfPair => 0,
        }
    }
}
