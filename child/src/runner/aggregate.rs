//! Sums, extremes, distinct counts and histograms of values, chosen by what stands before the `:` of the key.
//!
//! Hadoop 1.2.1: mapred.lib.aggregate.ValueAggregatorReducer, ValueAggregatorCombiner and the aggregators they make.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use configuration::keys;

use super::data::{put_text, text_body};
use super::words::text_to_string;
use crate::api::{Collector, GroupReducer, Result, TaskContext, TaskError, Values};

const TYPE_SEPARATOR: char = ':';

/// Reports on the values of each key.
pub(super) struct Aggregate {
    distinct_max: u64,
}

impl Aggregate {
    pub(super) fn new(ctx: &TaskContext) -> Result<Self> {
        let max = ctx.conf.get_optional(&keys::AGGREGATE_MAX_NUM_UNIQUE_VALUES)?;
        // Quirk: as many as 0 and fewer mean no limit (Hadoop 1.2.1: UniqValueCount).
        Ok(Aggregate {
            distinct_max: max.and_then(|max| u64::try_from(max).ok()).filter(|&max| max > 0).unwrap_or(u64::MAX),
        })
    }
}

impl GroupReducer for Aggregate {
    fn reduce(&mut self, key: &[u8], values: &mut Values<'_>, output: &mut dyn Collector) -> Result<()> {
        let text = key_text(key)?;
        let (kind, id) = split(&text)?;
        let mut aggregator = Aggregator::of(kind, self.distinct_max)?;
        aggregator.add_all(values)?;
        let (mut key, mut value) = (Vec::new(), Vec::new());
        put_text(&mut key, id.as_bytes());
        put_text(&mut value, aggregator.report().as_bytes());
        output.collect(&key, &value)
    }
}

/// Hands on what a reduce needs to report on the values of several maps. It knows no limit of distinct values.
pub(super) struct Combine;

impl GroupReducer for Combine {
    fn reduce(&mut self, key: &[u8], values: &mut Values<'_>, output: &mut dyn Collector) -> Result<()> {
        let text = key_text(key)?;
        let (kind, _) = split(&text)?;
        let mut aggregator = Aggregator::of(kind, u64::MAX)?;
        aggregator.add_all(values)?;
        let mut value = Vec::new();
        for part in aggregator.parts() {
            value.clear();
            put_text(&mut value, part.as_bytes());
            output.collect(key, &value)?;
        }
        Ok(())
    }
}

fn key_text(key: &[u8]) -> Result<Cow<'_, str>> {
    text_body(key).map(text_to_string).map_err(TaskError::decode("the aggregate's key"))
}

fn split(key: &str) -> Result<(&str, &str)> {
    key.split_once(TYPE_SEPARATOR).ok_or_else(|| TaskError::Failed {
        exception: "java.lang.StringIndexOutOfBoundsException",
        message: format!("the key {key:?} has no {TYPE_SEPARATOR} after the name of an aggregator"),
    })
}

/// A text in the order of Java's strings: by its UTF-16 units.
#[derive(PartialEq, Eq)]
struct JavaString(String);

impl Ord for JavaString {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.encode_utf16().cmp(other.0.encode_utf16())
    }
}

impl PartialOrd for JavaString {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

enum Aggregator {
    LongSum(i64),
    DoubleSum(f64),
    LongMax(i64),
    LongMin(i64),
    StringMax(Option<JavaString>),
    StringMin(Option<JavaString>),
    Distinct { values: BTreeSet<JavaString>, max: u64 },
    Histogram(BTreeMap<JavaString, i64>),
}

impl Aggregator {
    fn of(kind: &str, distinct_max: u64) -> Result<Self> {
        // Java compares by the upper case of each character; the names are ASCII.
        Ok(match kind.to_ascii_lowercase().as_str() {
            "longvaluesum" => Aggregator::LongSum(0),
            "doublevaluesum" => Aggregator::DoubleSum(0.0),
            "longvaluemax" => Aggregator::LongMax(i64::MIN),
            "longvaluemin" => Aggregator::LongMin(i64::MAX),
            "stringvaluemax" => Aggregator::StringMax(None),
            "stringvaluemin" => Aggregator::StringMin(None),
            "uniqvaluecount" => Aggregator::Distinct { values: BTreeSet::new(), max: distinct_max },
            "valuehistogram" => Aggregator::Histogram(BTreeMap::new()),
            _ => {
                return Err(TaskError::Failed {
                    exception: "java.lang.NullPointerException",
                    message: format!("{kind:?} is no aggregator"),
                });
            }
        })
    }

    fn add_all(&mut self, values: &mut Values<'_>) -> Result<()> {
        while let Some(value) = values.next()? {
            let value = text_body(value).map_err(TaskError::decode("a value to aggregate"))?;
            self.add(&text_to_string(value))?;
        }
        Ok(())
    }

    fn add(&mut self, value: &str) -> Result<()> {
        match self {
            Aggregator::LongSum(sum) => *sum = sum.wrapping_add(long(value)?),
            Aggregator::DoubleSum(sum) => *sum += double(value)?,
            Aggregator::LongMax(max) => *max = (*max).max(long(value)?),
            Aggregator::LongMin(min) => *min = (*min).min(long(value)?),
            Aggregator::StringMax(max) => {
                let value = JavaString(value.to_owned());
                if max.as_ref().is_none_or(|max| *max < value) {
                    *max = Some(value);
                }
            }
            Aggregator::StringMin(min) => {
                let value = JavaString(value.to_owned());
                if min.as_ref().is_none_or(|min| *min > value) {
                    *min = Some(value);
                }
            }
            // Quirk: one more than the limit is taken (Hadoop 1.2.1: UniqValueCount.addNextValue).
            Aggregator::Distinct { values, max } => {
                if values.len() as u64 <= *max {
                    values.insert(JavaString(value.to_owned()));
                }
            }
            Aggregator::Histogram(counts) => {
                let (value, count) = match value.rsplit_once('\t') {
                    Some((value, count)) => (value, long(count)?),
                    None => (value, 1),
                };
                let sum = counts.entry(JavaString(value.to_owned())).or_insert(0);
                *sum = sum.wrapping_add(count);
            }
        }
        Ok(())
    }

    /// What the reduce puts out.
    fn report(&self) -> String {
        match self {
            Aggregator::LongSum(value) | Aggregator::LongMax(value) | Aggregator::LongMin(value) => value.to_string(),
            Aggregator::DoubleSum(sum) => java_double(*sum),
            Aggregator::StringMax(value) | Aggregator::StringMin(value) => {
                value.as_ref().map(|value| value.0.clone()).unwrap_or_default()
            }
            Aggregator::Distinct { values, .. } => values.len().to_string(),
            Aggregator::Histogram(counts) => histogram(counts.values().copied().collect()),
        }
    }

    /// What a combiner puts out: values from which another aggregator of the same kind comes to the same report.
    fn parts(&self) -> Vec<String> {
        match self {
            Aggregator::Distinct { values, .. } => values.iter().map(|value| value.0.clone()).collect(),
            Aggregator::Histogram(counts) => {
                counts.iter().map(|(value, count)| format!("{}\t{count}", value.0)).collect()
            }
            _ => vec![self.report()],
        }
    }
}

/// Distinct values, least, median and greatest count, mean and standard deviation.
fn histogram(mut counts: Vec<i64>) -> String {
    counts.sort_unstable();
    let (Some(least), Some(greatest)) = (counts.first(), counts.last()) else { return "0".to_owned() };
    let len = counts.len() as f64;
    let sum = counts.iter().fold(0i64, |sum, count| sum.wrapping_add(*count));
    let mean = sum as f64 / len;
    let squares: f64 = counts.iter().map(|count| *count as f64 - mean).fold(0.0, |sum, off| sum + off * off);
    let deviation = (squares / len).sqrt();
    let median = counts[counts.len() / 2];
    format!("{}\t{least}\t{median}\t{greatest}\t{}\t{}", counts.len(), java_double(mean), java_double(deviation))
}

fn number_format(value: &str) -> TaskError {
    TaskError::Failed {
        exception: "java.lang.NumberFormatException",
        message: format!("For input string: \"{value}\""),
    }
}

/// `Long.parseLong`.
fn long(value: &str) -> Result<i64> {
    value.parse().map_err(|_| number_format(value))
}

/// `Double.parseDouble`, but for hexadecimal numbers.
fn double(value: &str) -> Result<f64> {
    let trimmed = value.trim_matches(|c: char| c <= ' ');
    let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    let negative = trimmed.starts_with('-');
    let read = match unsigned {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        _ => {
            let number = unsigned.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(unsigned);
            let is_number = number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            number.parse().ok().filter(|_| is_number)
        }
    };
    let read = read.ok_or_else(|| number_format(value))?;
    Ok(if negative { -read } else { read })
}

/// `Double.toString` as of JDK 19, which writes the fewest digits that tell the number apart.
fn java_double(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    let size = value.abs();
    if size == 0.0 {
        return format!("{sign}0.0");
    }
    if (1e-3..1e7).contains(&size) {
        let text = size.to_string();
        return if text.contains('.') { format!("{sign}{text}") } else { format!("{sign}{text}.0") };
    }
    let text = format!("{size:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    format!("{sign}{digits}{point}E{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(kind: &str, max: u64, values: &[&str]) -> String {
        let mut aggregator = Aggregator::of(kind, max).expect("an aggregator");
        values.iter().for_each(|value| aggregator.add(value).expect("a value"));
        aggregator.report()
    }

    #[test]
    fn reports_are_javas() {
        for (kind, values, expected) in [
            ("LongValueSum", vec!["1", "-3", "+4"], "2"),
            ("longVALUEsum", vec!["9223372036854775807", "1"], "-9223372036854775808"),
            ("LongValueMax", vec!["1", "-3", "2"], "2"),
            ("LongValueMin", vec!["1", "-3", "2"], "-3"),
            ("StringValueMax", vec!["a", "b", "B"], "b"),
            ("StringValueMin", vec!["a", "b", "B"], "B"),
            // U+FFFF is one unit, U+10000 two of which the first is smaller.
            ("StringValueMax", vec!["\u{ffff}", "\u{10000}"], "\u{ffff}"),
            ("UniqValueCount", vec!["a", "b", "a"], "2"),
            ("DoubleValueSum", vec!["1.5", " 2 ", "1e7d"], "1.00000035E7"),
            // Counts 1, 2, 3: mean 2, variance 2/3.
            ("ValueHistogram", vec!["a", "b\t2", "c", "c\t2"], "3\t1\t2\t3\t2.0\t0.816496580927726"),
        ] {
            assert_eq!(report(kind, u64::MAX, &values), expected, "{kind} {values:?}");
        }
    }

    #[test]
    fn one_more_than_the_limit_of_distinct_values_is_counted() {
        assert_eq!(report("UniqValueCount", 2, &["a", "b", "c", "d"]), "3");
    }

    #[test]
    fn parts_add_up_to_the_same_report() {
        for (kind, values) in [
            ("UniqValueCount", vec!["a", "b", "a"]),
            ("ValueHistogram", vec!["a", "b\t2", "c", "c\t2"]),
            ("DoubleValueSum", vec!["0.5", "0.25"]),
            ("LongValueMax", vec!["4", "5"]),
        ] {
            let mut first = Aggregator::of(kind, u64::MAX).expect("an aggregator");
            values.iter().for_each(|value| first.add(value).expect("a value"));
            let parts = first.parts();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            assert_eq!(report(kind, u64::MAX, &parts), first.report(), "{kind}");
        }
    }

    #[test]
    fn what_is_no_number_fails_as_in_java() {
        for (kind, value) in
            [("LongValueSum", "1.0"), ("LongValueMax", " 1"), ("DoubleValueSum", "inf"), ("DoubleValueSum", "")]
        {
            let error = Aggregator::of(kind, 1).expect("an aggregator").add(value).expect_err("no number");
            assert_eq!(error.java_class(), "java.lang.NumberFormatException", "{kind} {value:?}");
            assert_eq!(error.to_string(), format!("For input string: \"{value}\""));
        }
        let error = Aggregator::of("Sum", 1).err().expect("no aggregator");
        assert_eq!(error.java_class(), "java.lang.NullPointerException");
        assert_eq!(split("abc").expect_err("no separator").java_class(), "java.lang.StringIndexOutOfBoundsException");
        assert_eq!(split("a:b:c").expect("a key"), ("a", "b:c"));
    }

    #[test]
    fn doubles_look_as_in_java() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-2.5, "-2.5"),
            (0.001, "0.001"),
            (0.0001, "1.0E-4"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1.25e-7, "1.25E-7"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(java_double(value), text);
        }
    }
}
