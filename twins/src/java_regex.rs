//! The part of Java's regular expressions that means the same in the `regex` crate, rewritten for it.
//!
//! Java's classes are ASCII, its dot excludes five line ends, its possessive quantifiers and look-around have no twin.
//! What is not surely the same is refused, and the job runs in Java.

use regex::Regex;

/// Compiles a Java pattern of which group `group` will be asked for.
///
/// # Errors
/// Says what has no twin.
pub fn compile(pattern: &str, group: usize) -> Result<Regex, String> {
    let translated = translate(pattern, group)?;
    let regex = Regex::new(&translated).map_err(|_| "not a pattern that has a native twin".to_owned())?;
    if group >= regex.captures_len() {
        return Err(format!("there is no group {group}"));
    }
    if regex.is_match("") {
        return Err("the pattern can match nothing at all".to_owned());
    }
    Ok(regex)
}

const DOT: &str = r"[^\n\r\x{85}\x{2028}\x{2029}]";

fn translate(pattern: &str, group: usize) -> Result<String, String> {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern.chars().peekable();
    let mut repeatable = false;
    let mut after_group = false;
    while let Some(c) = rest.next() {
        let ends_group = c == ')';
        match c {
            '\\' => {
                out.push_str(&escape(rest.next(), false)?);
                repeatable = true;
            }
            '.' => {
                out.push_str(DOT);
                repeatable = true;
            }
            '[' => {
                out.push_str(&class(&mut rest)?);
                repeatable = true;
            }
            '(' => {
                if rest.peek() == Some(&'?') {
                    rest.next();
                    if rest.next() != Some(':') {
                        return Err("(?…) groups other than (?:…) have no twin".to_owned());
                    }
                    out.push_str("(?:");
                } else {
                    out.push('(');
                }
                repeatable = false;
            }
            ')' => {
                out.push(')');
                repeatable = true;
            }
            '|' => {
                out.push('|');
                repeatable = false;
            }
            '^' => {
                out.push('^');
                repeatable = false;
            }
            '$' => return Err("$ has no twin".to_owned()),
            '*' | '+' | '?' | '{' => {
                if !repeatable {
                    return Err(format!("{c} follows nothing that can be repeated"));
                }
                if after_group && group > 0 {
                    return Err("a repeated group, while a group is asked for, has no twin".to_owned());
                }
                out.push(c);
                if c == '{' {
                    out.push_str(&bounds(&mut rest)?);
                }
                match rest.peek() {
                    Some('?') => {
                        rest.next();
                        out.push('?');
                    }
                    Some('+') => return Err("possessive quantifiers have no twin".to_owned()),
                    _ => {}
                }
                repeatable = false;
            }
            c => {
                out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
                repeatable = true;
            }
        }
        after_group = ends_group;
    }
    Ok(out)
}

fn escape(c: Option<char>, in_class: bool) -> Result<String, String> {
    let (open, close) = if in_class { ("", "") } else { ("[", "]") };
    Ok(match c {
        Some('d') => format!("{open}0-9{close}"),
        Some('w') => format!("{open}a-zA-Z_0-9{close}"),
        Some('s') => format!(r"{open} \t\n\x0B\f\r{close}"),
        Some('D') if !in_class => "[^0-9]".to_owned(),
        Some('W') if !in_class => "[^a-zA-Z_0-9]".to_owned(),
        Some('S') if !in_class => r"[^ \t\n\x0B\f\r]".to_owned(),
        Some('t') => r"\t".to_owned(),
        Some('n') => r"\n".to_owned(),
        Some('r') => r"\r".to_owned(),
        Some('f') => r"\f".to_owned(),
        Some(c) if c.is_ascii_punctuation() => {
            if in_class {
                format!(r"\x{:02x}", u32::from(c))
            } else {
                regex::escape(c.encode_utf8(&mut [0; 4]))
            }
        }
        Some(c) => return Err(format!("\\{c} has no twin")),
        None => return Err("a lone \\ at the end".to_owned()),
    })
}

/// The inside of `[…]`: characters, ranges and simple escapes.
fn class(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, String> {
    let mut out = String::from("[");
    if rest.peek() == Some(&'^') {
        rest.next();
        out.push('^');
    }
    let mut first = true;
    loop {
        match rest.next() {
            None => return Err("a [ without ]".to_owned()),
            Some(']') if !first => return Ok(out + "]"),
            Some('[' | ']' | '&' | '~') => return Err("nested or combined classes have no twin".to_owned()),
            Some('-') if first || rest.peek() == Some(&']') => out.push_str(r"\x2d"),
            Some('-') => {
                if rest.peek().is_none_or(|c| !c.is_ascii_alphanumeric()) {
                    return Err("a range that does not end in a letter or digit has no twin".to_owned());
                }
                out.push('-');
            }
            Some('\\') => {
                let escaped = escape(rest.next(), true)?;
                if rest.peek() == Some(&'-') {
                    return Err("a range from an escape has no twin".to_owned());
                }
                out.push_str(&escaped);
            }
            Some(c) if c.is_ascii_alphanumeric() => out.push(c),
            Some(c) if c.is_ascii() => out.push_str(&format!(r"\x{:02x}", u32::from(c))),
            Some(c) => out.push(c),
        }
        first = false;
    }
}

/// `n}`, `n,}` or `n,m}`.
fn bounds(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, String> {
    let mut out = String::new();
    for c in rest.by_ref() {
        out.push(c);
        match c {
            '}' => {
                let inner = &out[..out.len() - 1];
                let parts: Vec<&str> = inner.split(',').collect();
                let numbers = parts
                    .iter()
                    .enumerate()
                    .all(|(at, part)| part.parse::<u16>().is_ok() || (at == 1 && part.is_empty()));
                return if parts.len() <= 2 && numbers { Ok(out) } else { Err("a { without bounds".to_owned()) };
            }
            '0'..='9' | ',' => {}
            _ => break,
        }
    }
    Err("a { without bounds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::compile;

    #[test]
    fn java_classes_stay_ascii_and_the_dot_stops_at_line_ends() {
        assert!(!compile(r"\w+", 0).unwrap().is_match("é"));
        assert!(!compile(r"\d", 0).unwrap().is_match("٣"));
        assert!(!compile(r"a.b", 0).unwrap().is_match("a\u{85}b"));
        assert!(compile(r"a.b", 0).unwrap().is_match("a😀b"));
        assert_eq!(compile(r"dfs[a-z.]+", 0).unwrap().find("xdfs.name.dir!").unwrap().as_str(), "dfs.name.dir");
        assert_eq!(&compile(r"(\w+)=([^ ]*?);", 2).unwrap().captures("k=v w; ").map(|c| c[2].to_owned()), &None);
        assert_eq!(compile(r"[\]\-x]{2}", 0).unwrap().find("a]-").unwrap().as_str(), "]-");
    }

    #[test]
    fn what_may_differ_is_refused() {
        for pattern in [
            "a$",
            "a++",
            r"(a)\1",
            "(?i)a",
            "[a-z&&[^b]]",
            r"\bx",
            r"\p{L}",
            "a*",
            "*a",
            "[a",
            r"\Qa\E",
            "a{x}",
            "",
            "a|",
        ] {
            assert!(compile(pattern, 0).is_err(), "{pattern}");
        }
        assert!(compile("(a|b)*c", 1).is_err());
        assert!(compile("(a)c", 2).is_err());
    }
}
