//! `${name}` in values (Hadoop 1.2.1: Configuration.substituteVars): the leftmost variable first, at most 20 times;
//! one that nobody knows ends the work and stays as it is.

/// Java's limit: Configuration.MAX_SUBST.
pub(crate) const DEPTH_MAX: usize = 20;

/// A value that needs more rounds than [`DEPTH_MAX`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooDeep;

/// Puts in what `lookup` knows. The work is bounded: each round adds one raw value.
pub(crate) fn substitute(text: &str, lookup: impl Fn(&str) -> Option<String>) -> Result<String, TooDeep> {
    let mut text = text.to_owned();
    for _ in 0..DEPTH_MAX {
        let Some((from, to)) = first_variable(&text) else { return Ok(text) };
        let Some(value) = lookup(&text[from + 2..to - 1]) else { return Ok(text) };
        text.replace_range(from..to, &value);
    }
    Err(TooDeep)
}

/// The leftmost `${name}` whose name has neither `}`, `$` nor a blank.
fn first_variable(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(found) = text[at..].find("${") {
        let from = at + found;
        let name = &text[from + 2..];
        let end = name.find(['}', '$', ' ']).unwrap_or(name.len());
        if end > 0 && name[end..].starts_with('}') {
            return Some((from, from + 2 + end + 1));
        }
        at = from + 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(name: &str) -> Option<String> {
        match name {
            "a" => Some("1".into()),
            "b" => Some("${a}${a}".into()),
            "loop" => Some("${loop}".into()),
            _ => None,
        }
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(substitute(text, lookup).as_deref(), Ok(expected), "{text}");
    }

    #[test]
    fn as_java_does() {
        check("plain", "plain");
        check("x${b}y", "x11y");
        check("${unknown}/${a}", "${unknown}/${a}");
        check("${a}/${unknown}", "1/${unknown}");
        check("${ a}${}${a", "${ a}${}${a");
        check("${x${a}}", "${x1}");
        assert_eq!(substitute("${loop}", lookup), Err(TooDeep));
    }

    #[test]
    fn nineteen_variables_are_allowed_twenty_are_not() {
        assert_eq!(substitute(&"${a}".repeat(19), lookup).unwrap(), "1".repeat(19));
        assert_eq!(substitute(&"${a}".repeat(20), lookup), Err(TooDeep));
    }
}
