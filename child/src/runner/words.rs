//! Java's `StringTokenizer` with its default delimiters, and `String` made from bytes.

use std::borrow::Cow;

/// The words of a text: runs without blank, tab, line feed, carriage return and form feed.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\n', '\r', '\x0c']).filter(|word| !word.is_empty())
}

/// `Text.toString`: what is not UTF-8 becomes U+FFFD.
pub(super) fn text_to_string(body: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(body)
}

#[cfg(test)]
mod tests {
    #[test]
    fn other_blanks_are_part_of_words() {
        let found: Vec<&str> = super::words(" a\tb\u{a0}c\x0b d\x0ce\r\n").collect();
        assert_eq!(found, ["a", "b\u{a0}c\x0b", "d", "e"]);
    }
}
