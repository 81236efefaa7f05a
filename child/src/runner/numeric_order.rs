//! The numeric order of KeyFieldBasedComparator (Hadoop 1.2.1: numericalCompare): sign, digits, decimal part, without
//! turning the text into a number. What is no digit ends a number.

use std::cmp::Ordering;

/// Orders two texts as numbers. Each comes with the byte at its start, which for an empty text is whatever follows it.
pub(super) fn compare((first_a, a): (u8, &[u8]), (first_b, b): (u8, &[u8])) -> Ordering {
    fn rest(text: &[u8]) -> &[u8] {
        text.get(1..).unwrap_or_default()
    }
    match (first_a == b'-', first_b == b'-') {
        (true, false) => one_negative(rest(a), b),
        (false, true) => one_negative(rest(b), a).reverse(),
        (true, true) => unsigned(rest(a), rest(b), b'-', b'-').reverse(),
        (false, false) => unsigned(a, b, first_a, first_b),
    }
}

fn is_digit(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_digit)
}

/// Quirk: where a number has nothing left, Hadoop compares its very first byte, so that 007 comes before 7.
fn unsigned(a: &[u8], b: &[u8], first_a: u8, first_b: u8) -> Ordering {
    let zeros = |bytes: &[u8]| bytes.iter().take_while(|byte| **byte == b'0').count();
    let (a, b) = (&a[zeros(a)..], &b[zeros(b)..]);
    let same = a.iter().zip(b).take_while(|(x, y)| x.is_ascii_digit() && x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let byte_a = a.first().copied().unwrap_or(first_a);
    let byte_b = b.first().copied().unwrap_or(first_b);
    let a_ends = byte_a == b'.' && (!byte_b.is_ascii_digit() || b.is_empty());
    let b_ends = byte_b == b'.' && (!byte_a.is_ascii_digit() || a.is_empty());
    if a_ends || b_ends {
        return decimals(a, b);
    }
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits(a).cmp(&digits(b)).then_with(|| (byte_a as i8).cmp(&(byte_b as i8)))
}

fn decimals(a: &[u8], b: &[u8]) -> Ordering {
    match (a.split_first(), b.split_first()) {
        (None, None) => Ordering::Equal,
        (None, Some((_, rest))) => fraction_counts(rest).reverse(),
        (Some((_, rest)), None) => fraction_counts(rest),
        (Some((b'.', rest_a)), Some((b'.', rest_b))) => {
            let same = rest_a.iter().zip(rest_b).take_while(|(x, y)| x == y).count();
            let (rest_a, rest_b) = (&rest_a[same..], &rest_b[same..]);
            match (rest_a.first(), rest_b.first()) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => fraction_counts(rest_b).reverse(),
                (Some(_), None) => fraction_counts(rest_a),
                (Some(x), Some(y)) => match (x.is_ascii_digit(), y.is_ascii_digit()) {
                    (true, true) => x.cmp(y),
                    (true, false) => Ordering::Greater,
                    (false, true) => Ordering::Less,
                    (false, false) => Ordering::Equal,
                },
            }
        }
        (Some((b'.', rest)), Some(_)) => fraction_counts(rest),
        (Some(_), Some((b'.', rest))) => fraction_counts(rest).reverse(),
        _ => Ordering::Equal,
    }
}

/// Greater if a digit other than zero comes before anything else.
fn fraction_counts(bytes: &[u8]) -> Ordering {
    let first = bytes.iter().find(|byte| **byte != b'0');
    if is_digit(first) { Ordering::Greater } else { Ordering::Equal }
}

/// `a` had a minus sign and `b` had none.
fn one_negative(a: &[u8], b: &[u8]) -> Ordering {
    if is_zero(a) && is_zero(b) { Ordering::Equal } else { Ordering::Less }
}

fn is_zero(bytes: &[u8]) -> bool {
    let zeros = |bytes: &[u8]| bytes.iter().take_while(|byte| **byte == b'0').count();
    let rest = &bytes[zeros(bytes)..];
    if is_digit(rest.first()) {
        return false;
    }
    match rest.split_first() {
        Some((b'.', fraction)) => !is_digit(fraction[zeros(fraction)..].first()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::compare;
    use std::cmp::Ordering::{self, Equal, Greater, Less};

    fn check(a: &'static str, b: &'static str, expected: Ordering) {
        let part = |text: &'static str| (text.as_bytes()[0], text.as_bytes());
        assert_eq!(compare(part(a), part(b)), expected, "{a} against {b}");
        assert_eq!(compare(part(b), part(a)), expected.reverse(), "{b} against {a}");
    }

    #[test]
    fn texts_sort_as_numbers() {
        check("9", "10", Less);
        check("-9", "-10", Greater);
        check("-1", "1", Less);
        check("-0.0", "0.0", Equal);
        check("007", "7", Less);
        check("07", "07", Equal);
        check("1.5", "1.25", Greater);
        check(".4444", ".444400004", Less);
        check("2.0", "2", Equal);
        check("123.1", "123.2", Less);
        check("-123.1", "-123.2", Greater);
        check("12", "12a", Less);
    }
}
