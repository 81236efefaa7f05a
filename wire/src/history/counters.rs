//! Counters in one line: `{(group)(display)[(counter)(display)(value)]…}…`, with a backslash before each of `{}[]()` and
//! each backslash (Hadoop 1.2.1: Counters.makeEscapedCompactString, Counters.fromEscapedCompactString).

use types::{Counter, CounterGroup, Counters};

use super::record::{escape_chars, unescape_chars};

const SPECIAL: [char; 6] = ['{', '}', '[', ']', '(', ')'];

/// The counters in one line.
pub fn counters_to_text(counters: &Counters) -> String {
    counters.groups.iter().map(group_to_text).collect()
}

fn group_to_text(group: &CounterGroup) -> String {
    let counters: String = group.counters.iter().map(counter_to_text).collect();
    format!("{{({})({}){counters}}}", escape_chars(&group.name, &SPECIAL), escape_chars(&group.display, &SPECIAL))
}

fn counter_to_text(counter: &Counter) -> String {
    let (name, display) = (escape_chars(&counter.name, &SPECIAL), escape_chars(&counter.display, &SPECIAL));
    format!("[({name})({display})({})]", counter.value)
}

/// A text that stands for no counters, and where it goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("counters at byte {offset}: expected {expected}")]
pub struct CountersTextError {
    /// Offset within the text.
    pub offset: usize,
    /// What should stand there.
    pub expected: &'static str,
}

/// Reads what [`counters_to_text`] writes.
pub fn counters_from_text(text: &str) -> Result<Counters, CountersTextError> {
    let mut reader = Reader { text, at: 0 };
    let mut counters = Counters::new();
    while reader.at < text.len() {
        reader.expect('{', "{")?;
        let name = reader.unit()?;
        let display = reader.unit()?;
        let mut group = CounterGroup { name, display, counters: Vec::new() };
        while reader.takes('[') {
            group.counters.push(reader.counter()?);
            reader.expect(']', "]")?;
        }
        reader.expect('}', "}")?;
        counters.groups.push(group);
    }
    Ok(counters)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn takes(&mut self, c: char) -> bool {
        let found = self.text[self.at..].starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn expect(&mut self, c: char, expected: &'static str) -> Result<(), CountersTextError> {
        if self.takes(c) { Ok(()) } else { Err(CountersTextError { offset: self.at, expected }) }
    }

    /// `(…)`, unescaped.
    fn unit(&mut self) -> Result<String, CountersTextError> {
        self.expect('(', "(")?;
        let mut escaped = false;
        let len = self.text[self.at..].bytes().position(|byte| {
            let closes = byte == b')' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let len = len.ok_or(CountersTextError { offset: self.at, expected: ")" })?;
        let unit = unescape_chars(&self.text[self.at..self.at + len]);
        self.at += len + 1;
        Ok(unit)
    }

    fn counter(&mut self) -> Result<Counter, CountersTextError> {
        let name = self.unit()?;
        let display = self.unit()?;
        let offset = self.at;
        let value = self.unit()?.parse().map_err(|_| CountersTextError { offset, expected: "a whole number" })?;
        Ok(Counter { name, display, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_round_trip() {
        let mut counters = Counters::new();
        counters.set("g(1)", "a[b]{c}\\d", 5);
        counters.set("g(1)", "", -1);
        counters.set("ü", "x", i64::MAX);
        assert_eq!(counters_from_text(&counters_to_text(&counters)), Ok(counters));
        assert_eq!(counters_from_text(""), Ok(Counters::new()));
    }

    #[test]
    fn broken_text_is_refused_where_it_breaks() {
        for (text, offset) in [("x", 0), ("{(a)(b)", 7), ("{(a)(b)[(c)(d)(e)]}", 14), ("{(a)(b", 5), ("{(a\\)(b)}", 8)]
        {
            assert_eq!(counters_from_text(text).unwrap_err().offset, offset, "{text}");
        }
    }
}
