//! Keys seen as fields with a separator: the partitioner and the comparator that streaming jobs use.
//!
//! Hadoop 1.2.1: mapred.lib.KeyFieldHelper, KeyFieldBasedPartitioner and KeyFieldBasedComparator. Offsets follow Java's
//! to the byte, oddities included, because the partition of a key is visible in a job's output.

use std::cmp::Ordering;

/// One `-k` specification: from a character of a field to a character of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeySpec {
    begin_field: i32,
    begin_char: i32,
    end_field: i32,
    end_char: i32,
    numeric: bool,
    reverse: bool,
}

impl KeySpec {
    const WHOLE: KeySpec =
        KeySpec { begin_field: 1, begin_char: 1, end_field: 0, end_char: 0, numeric: false, reverse: false };
}

/// The specifications of a job, and its separator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyFields {
    separator: Vec<u8>,
    specs: Vec<KeySpec>,
    spec_seen: bool,
}

impl KeyFields {
    /// Reads options like `-k1,2 -k3.2nr` (Hadoop 1.2.1: KeyFieldHelper.parseOption).
    ///
    /// # Errors
    /// The specification that cannot be read.
    pub(super) fn parse(options: Option<&str>, separator: &str) -> Result<Self, String> {
        let mut fields = KeyFields { separator: separator.as_bytes().to_vec(), specs: Vec::new(), spec_seen: false };
        let options = options.unwrap_or_default();
        if options.is_empty() {
            return Ok(fields);
        }
        let mut global = KeySpec::WHOLE;
        let mut words = options.split([' ', '\t', '\n', '\r', '\x0c']).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            match word {
                "-n" => global.numeric = true,
                "-r" => global.reverse = true,
                "-nr" => (global.numeric, global.reverse) = (true, true),
                "-k" => fields.specs.extend(words.next().map(parse_spec).transpose()?),
                _ => fields.specs.extend(word.strip_prefix("-k").map(parse_spec).transpose()?),
            }
        }
        fields.spec_seen = !fields.specs.is_empty();
        for spec in &mut fields.specs {
            if !(spec.reverse || spec.numeric) {
                (spec.reverse, spec.numeric) = (global.reverse, global.numeric);
            }
        }
        if fields.specs.is_empty() {
            fields.specs.push(global);
        }
        Ok(fields)
    }

    /// The first `count` fields (the deprecated `num.key.fields.for.partition`).
    pub(super) fn first(count: i32, separator: &str) -> Self {
        let mut fields = KeyFields { separator: separator.as_bytes().to_vec(), specs: Vec::new(), spec_seen: false };
        if count >= 1 {
            fields.specs.push(KeySpec { end_field: count, ..KeySpec::WHOLE });
            fields.spec_seen = true;
        }
        fields
    }

    /// The hash of the chosen fields of a key's text; `None` if nothing was specified, so that the whole text counts.
    pub(super) fn hash(&self, key: &[u8]) -> Option<i32> {
        if self.specs.is_empty() {
            return None;
        }
        if key.is_empty() {
            return Some(0);
        }
        let lengths = self.field_lengths(key);
        let mut hash = 0i32;
        for spec in &self.specs {
            if let Some(start) = self.start(key, &lengths, spec) {
                let end = self.end(key, &lengths, spec);
                for at in start as i64..=end {
                    // Java would fail on an offset outside the key; the specification cannot produce one.
                    let byte = key.get(at as usize).copied().unwrap_or_default();
                    hash = hash.wrapping_mul(31).wrapping_add(i32::from(byte as i8));
                }
            }
        }
        Some(hash)
    }

    /// Orders two keys' texts by the chosen fields.
    pub(super) fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        if self.specs.is_empty() {
            return a.cmp(b);
        }
        let (lengths_a, lengths_b) = (self.field_lengths(a), self.field_lengths(b));
        for spec in &self.specs {
            let part = |key, lengths: &[usize]| {
                let start = self.start(key, lengths, spec)?;
                Some((start, self.end(key, lengths, spec)))
            };
            let order = match (part(a, &lengths_a), part(b, &lengths_b)) {
                (None, _) => flip(Ordering::Less, spec.reverse),
                (_, None) => flip(Ordering::Greater, spec.reverse),
                (Some(in_a), Some(in_b)) => {
                    let (a, b) = (Part::new(a, in_a), Part::new(b, in_b));
                    flip(if spec.numeric { a.cmp_as_numbers(&b) } else { a.cmp_as_bytes(&b) }, spec.reverse)
                }
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    /// Lengths of the fields, with their number in front (Hadoop 1.2.1: KeyFieldHelper.getWordLengths).
    fn field_lengths(&self, key: &[u8]) -> Vec<usize> {
        if !self.spec_seen {
            return vec![1];
        }
        let mut lengths = vec![0];
        let mut start = 0;
        while let Some(at) = find(&key[start..], &self.separator) {
            lengths.push(at);
            // Quirk: goes on one byte after the separator's start, however long the separator is.
            start += at + 1;
        }
        lengths.push(key.len() - start);
        lengths[0] = lengths.len() - 1;
        lengths
    }

    fn offset_of(&self, lengths: &[usize], field: i32) -> usize {
        (1..field.max(1) as usize).map(|i| lengths.get(i).copied().unwrap_or(0) + self.separator.len()).sum()
    }

    fn start(&self, key: &[u8], lengths: &[usize], spec: &KeySpec) -> Option<usize> {
        if i64::from(spec.begin_field) > lengths[0] as i64 {
            return None;
        }
        let position = self.offset_of(lengths, spec.begin_field) as i64 + i64::from(spec.begin_char);
        (1..=key.len() as i64).contains(&position).then_some((position - 1) as usize)
    }

    /// The last byte, inclusive; before the start if the field is empty.
    fn end(&self, key: &[u8], lengths: &[usize], spec: &KeySpec) -> i64 {
        let last = key.len() as i64 - 1;
        if spec.end_field == 0 || (lengths[0] as i64) < i64::from(spec.end_field) {
            return last;
        }
        let mut position = self.offset_of(lengths, spec.end_field) as i64 + i64::from(spec.end_char);
        if spec.end_char == 0 {
            position += lengths.get(spec.end_field.max(1) as usize).copied().unwrap_or(0) as i64;
        }
        if position <= key.len() as i64 { position - 1 } else { last }
    }
}

/// The chosen part of a key. A specification that ends before it starts chooses less than nothing, and Java counts that.
struct Part<'a> {
    /// From the part's first byte to the end of the key; never empty.
    from: &'a [u8],
    len: i64,
}

impl<'a> Part<'a> {
    fn new(key: &'a [u8], (start, end): (usize, i64)) -> Self {
        Part { from: &key[start..], len: end - start as i64 + 1 }
    }

    fn bytes(&self) -> &'a [u8] {
        &self.from[..(self.len.max(0) as usize).min(self.from.len())]
    }

    /// Hadoop 1.2.1: WritableComparator.compareBytes.
    fn cmp_as_bytes(&self, other: &Part<'_>) -> Ordering {
        if self.len < 0 || other.len < 0 { self.len.cmp(&other.len) } else { self.bytes().cmp(other.bytes()) }
    }

    fn cmp_as_numbers(&self, other: &Part<'_>) -> Ordering {
        super::numeric_order::compare((self.from[0], self.bytes()), (other.from[0], other.bytes()))
    }
}

fn flip(order: Ordering, reverse: bool) -> Ordering {
    if reverse { order.reverse() } else { order }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    match wanted {
        [] => (!bytes.is_empty()).then_some(0),
        [one] => bytes.iter().position(|byte| byte == one),
        _ => bytes.windows(wanted.len()).position(|window| window == wanted),
    }
}

/// `f[.c][nr][,f[.c][nr]]`.
fn parse_spec(text: &str) -> Result<KeySpec, String> {
    let mut spec = KeySpec::WHOLE;
    let (first, second) = match text.split_once(',') {
        Some((first, second)) => (first, Some(second)),
        None => (text, None),
    };
    (spec.begin_field, spec.begin_char) = parse_position(first, &mut spec, 1, text)?;
    if let Some(second) = second {
        (spec.end_field, spec.end_char) = parse_position(second, &mut spec, 0, text)?;
    }
    Ok(spec)
}

fn parse_position(part: &str, spec: &mut KeySpec, default_char: i32, whole: &str) -> Result<(i32, i32), String> {
    let flags_at = part.find(['n', 'r']).unwrap_or(part.len());
    let (numbers, flags) = part.split_at(flags_at);
    for flag in flags.chars() {
        match flag {
            'n' => spec.numeric = true,
            'r' => spec.reverse = true,
            _ => return Err(format!("-k{whole}: expected the form f[.c][nr],f[.c][nr]")),
        }
    }
    let number = |digits: &str| digits.parse().map_err(|_| format!("-k{whole}: \"{digits}\" is not a number"));
    match numbers.split_once('.') {
        Some((field, character)) => Ok((number(field)?, number(character)?)),
        None => Ok((number(numbers)?, default_char)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(options: &str, separator: &str) -> KeyFields {
        KeyFields::parse(Some(options), separator).unwrap()
    }

    fn poly(text: &str) -> i32 {
        text.bytes().fold(0i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(byte)))
    }

    #[test]
    fn hashes_the_chosen_fields_alone() {
        assert_eq!(fields("-k1,2", ".").hash(b"11.12.1.2"), Some(poly("11.12")));
        assert_eq!(fields("-k2,2", ".").hash(b"11.12.1.2"), Some(poly("12")));
        assert_eq!(fields("-k2.2,2", ".").hash(b"11.12.1.2"), Some(poly("2")));
        assert_eq!(fields("-k9", ".").hash(b"11.12"), Some(0));
        assert_eq!(fields("", ".").hash(b"11.12"), None);
        assert_eq!(KeyFields::first(2, ".").hash(b"11.12.1"), Some(poly("11.12")));
        assert_eq!(fields("-k1,1 -k3,3", ".").hash(b"a.b.c"), Some(poly("ac")));
    }

    #[test]
    fn sorts_by_fields_numbers_and_backwards() {
        let by_second = fields("-k2,2nr", "\t");
        assert_eq!(by_second.compare(b"a\t9", b"b\t10"), Ordering::Greater);
        assert_eq!(by_second.compare(b"a\t10", b"b\t10"), Ordering::Equal);
        let global = fields("-k1,1 -r", "\t");
        assert_eq!(global.compare(b"a", b"b"), Ordering::Greater);
        assert_eq!(fields("-n", "\t").compare(b"9", b"10"), Ordering::Less);
        // A key without the field comes first.
        assert_eq!(fields("-k2", "\t").compare(b"a", b"a\tb"), Ordering::Less);
    }

    #[test]
    fn refuses_what_java_refuses() {
        for bad in ["-kx", "-k1x", "-k1,", "-k1.y"] {
            assert!(KeyFields::parse(Some(bad), "\t").is_err(), "{bad}");
        }
    }

    #[test]
    fn answers_equal_hadoops() {
        let unhex = |hex: &str| -> Vec<u8> {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        };
        let cases = include_str!("key_field_cases.tsv").lines().filter(|line| !line.starts_with('#'));
        for case in cases {
            let columns: Vec<&str> = case.split('\t').collect();
            let fields = fields(columns[1], columns[2]);
            let key = unhex(columns[3]);
            let answer = if columns[0] == "P" {
                let text = String::from_utf8_lossy(&key);
                let hash = fields.hash(text.as_bytes()).unwrap_or_else(|| crate::runner::data::string_hash(&text));
                (hash & i32::MAX) % 7919
            } else {
                fields.compare(&key, &unhex(columns[4])) as i32
            };
            assert_eq!(answer.to_string(), columns[columns.len() - 1], "{case}");
        }
    }
}
