//! Text to values by Java's rules (Hadoop 1.2.1: Configuration.getInt, getLong, getFloat, getBoolean, getStrings,
//! IntegerRanges), and what a row allows beyond its type.

use crate::registry::{KeyInfo, Limits};

/// A type that a configuration value can have.
pub trait Value: Sized {
    /// What a user should write, for error messages: `a whole number`.
    const EXPECTED: &'static str;

    /// Reads a value by Java's rules; `None` where Java would fall back to the default.
    fn read(text: &str) -> Option<Self>;
}

/// The digits after `0x`, with the sign put back (Configuration.getHexDigits).
fn hex_digits(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let digits = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"))?;
    Some(format!("{sign}{digits}"))
}

impl Value for i32 {
    const EXPECTED: &'static str = "a whole number";

    fn read(text: &str) -> Option<Self> {
        match hex_digits(text) {
            Some(digits) => i32::from_str_radix(&digits, 16).ok(),
            None => text.parse().ok(),
        }
    }
}

impl Value for i64 {
    const EXPECTED: &'static str = "a whole number";

    fn read(text: &str) -> Option<Self> {
        match hex_digits(text) {
            Some(digits) => i64::from_str_radix(&digits, 16).ok(),
            None => text.parse().ok(),
        }
    }
}

impl Value for f32 {
    const EXPECTED: &'static str = "a number";

    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if let "NaN" | "Infinity" | "+Infinity" | "-Infinity" = text {
            return text.parse().ok();
        }
        let digits = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
        // Rust also reads `inf` and `nan`, Java does not.
        if digits.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')) {
            return None;
        }
        digits.parse().ok()
    }
}

impl Value for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(text: &str) -> Option<Self> {
        match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}

impl Value for String {
    const EXPECTED: &'static str = "text";

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Value for Vec<String> {
    const EXPECTED: &'static str = "a list with commas between";

    fn read(text: &str) -> Option<Self> {
        Some(split_list(text).map(str::to_owned).collect())
    }
}

/// The parts of a comma list: trimmed, and without empty ones. Java's getStrings does not trim; a blank after a comma
/// then made a name that nothing matched.
pub fn split_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Sets of whole numbers like `2-3,5,7-` (Configuration.IntegerRanges), as pairs of first and last.
pub type Ranges = Vec<(i32, i32)>;

impl Value for Ranges {
    const EXPECTED: &'static str = "ranges of whole numbers such as 2-3,5,7-";

    fn read(text: &str) -> Option<Self> {
        text.split(',').filter(|part| !part.is_empty()).map(read_range).collect()
    }
}

fn read_range(part: &str) -> Option<(i32, i32)> {
    let bound = |text: &str, open: i32| match text.trim() {
        "" => Some(open),
        digits => digits.parse().ok(),
    };
    let (first, last) = match part.trim().split_once('-') {
        None => {
            let only = bound(part, 0)?;
            (only, only)
        }
        Some((first, last)) => (bound(first, 0)?, bound(last, i32::MAX)?),
    };
    (first <= last).then_some((first, last))
}

/// Whether a number lies in one of the ranges.
pub fn is_in_ranges(ranges: &Ranges, number: i32) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&number))
}

/// Whether a row allows a text, by type and by limits.
pub(crate) fn allowed(row: &KeyInfo, text: &str) -> bool {
    of_type(row.expected, text) && within(&row.limits, text)
}

fn of_type(expected: &str, text: &str) -> bool {
    match expected {
        <i64 as Value>::EXPECTED => i64::read(text).is_some(),
        <f32 as Value>::EXPECTED => f32::read(text).is_some(),
        <bool as Value>::EXPECTED => bool::read(text).is_some(),
        <Ranges as Value>::EXPECTED => Ranges::read(text).is_some(),
        _ => true,
    }
}

/// Whether a text of the right type keeps to the limits.
pub(crate) fn within(limits: &Limits, text: &str) -> bool {
    match *limits {
        Limits::Any => true,
        Limits::Whole(low, high) => i64::read(text).is_some_and(|n| (low..=high).contains(&n)),
        Limits::Real(low, high) => f32::read(text).is_some_and(|n| (low..=high).contains(&f64::from(n))),
        Limits::Words(words) => words.contains(&text),
    }
}

/// What a user should write, with the limits.
pub(crate) fn expectation(row: &KeyInfo) -> String {
    match row.limits {
        Limits::Any => row.expected.to_owned(),
        Limits::Whole(low, high) if high >= i64::from(i32::MAX) => format!("{}, {low} or more", row.expected),
        Limits::Whole(low, high) => format!("{} from {low} to {high}", row.expected),
        Limits::Real(low, high) if high == f64::INFINITY => format!("{}, {low} or more", row.expected),
        Limits::Real(low, high) => format!("{} from {low} to {high}", row.expected),
        Limits::Words(words) => format!("one of {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Value + PartialEq + std::fmt::Debug>(text: &str, expected: Option<T>) {
        assert_eq!(T::read(text), expected, "{text:?}");
    }

    #[test]
    fn whole_numbers_are_javas() {
        check("12", Some(12i32));
        check("+12", Some(12i32));
        check("-0x1F", Some(-31i32));
        check("0X10", Some(16i64));
        check::<i32>(" 12", None);
        check::<i32>("12L", None);
        check::<i32>("2147483648", None);
        check("2147483648", Some(2_147_483_648i64));
        check::<i32>("0x80000000", None);
        check::<i32>("", None);
    }

    #[test]
    fn real_numbers_are_javas() {
        check(" 0.5 ", Some(0.5f32));
        check("1e3", Some(1000f32));
        check("0.05f", Some(0.05f32));
        check("Infinity", Some(f32::INFINITY));
        check::<f32>("inf", None);
        check::<f32>("half", None);
        check::<f32>("0x10", None);
    }

    #[test]
    fn only_lower_case_words_are_booleans() {
        check("true", Some(true));
        check("false", Some(false));
        check::<bool>("TRUE", None);
        check::<bool>("yes", None);
    }

    #[test]
    fn lists_drop_what_is_empty() {
        check("a, b,,c", Some(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
        check("", Some(Vec::<String>::new()));
    }

    #[test]
    fn ranges_may_be_open() {
        check("2-3,5, 7-", Some(vec![(2, 3), (5, 5), (7, i32::MAX)]));
        check("-4", Some(vec![(0, 4)]));
        check::<Ranges>("4-2", None);
        check::<Ranges>("1-2-3", None);
        assert!(is_in_ranges(&vec![(2, 3), (7, i32::MAX)], 9));
        assert!(!is_in_ranges(&vec![(2, 3), (7, i32::MAX)], 4));
    }
}
