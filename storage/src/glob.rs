//! Paths with wildcards (Hadoop 1.2.1: FileSystem.globStatus, GlobPattern): `*`, `?`, `[a-c]`, `[^a]`, `{a,b}` and
//! `\` before a plain character. A wildcard never matches a slash; braces may hold some.

use thiserror::Error;

use crate::Result;
use crate::error::StorageError;
use crate::file_system::{FileStatus, FileSystem};
use crate::path::Path;

/// How many plain patterns braces may stand for.
const ALTERNATIVES_MAX: usize = 4096;

/// A pattern that cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("\"{pattern}\" is not a file pattern: {problem}")]
pub struct GlobError {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Plain(char),
    AnyOne,
    AnyMany,
    /// Ranges, and whether the character must be outside of them.
    Set(Vec<(char, char)>, bool),
}

/// A pattern for one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    tokens: Vec<Token>,
}

impl Pattern {
    /// Reads a pattern without braces and slashes.
    pub fn parse(text: &str) -> std::result::Result<Self, GlobError> {
        let error = |problem| GlobError { pattern: text.to_owned(), problem };
        let mut tokens = Vec::new();
        let mut rest = text.chars();
        while let Some(character) = rest.next() {
            tokens.push(match character {
                '*' => Token::AnyMany,
                '?' => Token::AnyOne,
                '\\' => Token::Plain(rest.next().ok_or_else(|| error("nothing follows the backslash"))?),
                '[' => {
                    read_set(&mut rest).ok_or_else(|| error("a bracket is not closed, or its range runs backwards"))?
                }
                plain => Token::Plain(plain),
            });
        }
        Ok(Pattern { tokens })
    }

    /// Whether the pattern has no wildcard, and then the name it stands for.
    pub fn plain(&self) -> Option<String> {
        let plain = |token: &Token| match token {
            Token::Plain(character) => Some(*character),
            _ => None,
        };
        self.tokens.iter().map(plain).collect()
    }

    /// Whether a name fits. Linear in name times pattern, whatever the stars.
    pub fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let (mut token, mut at) = (0, 0);
        let mut star = None;
        while at < name.len() {
            match self.tokens.get(token) {
                Some(Token::AnyMany) => {
                    star = Some((token, at));
                    token += 1;
                }
                Some(one) if one.fits(name[at]) => {
                    token += 1;
                    at += 1;
                }
                _ => match star {
                    Some((star_token, star_at)) => {
                        star = Some((star_token, star_at + 1));
                        (token, at) = (star_token + 1, star_at + 1);
                    }
                    None => return false,
                },
            }
        }
        self.tokens[token..].iter().all(|token| *token == Token::AnyMany)
    }
}

impl Token {
    fn fits(&self, character: char) -> bool {
        match self {
            Token::Plain(plain) => *plain == character,
            Token::AnyOne => true,
            Token::AnyMany => false,
            Token::Set(ranges, outside) => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&character)) != *outside
            }
        }
    }
}

fn read_set(rest: &mut std::str::Chars<'_>) -> Option<Token> {
    let mut characters = Vec::new();
    let mut outside = false;
    loop {
        match rest.next()? {
            '^' if characters.is_empty() && !outside => outside = true,
            ']' if !characters.is_empty() => break,
            '\\' => characters.push((rest.next()?, true)),
            character => characters.push((character, false)),
        }
    }
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let low = characters[at].0;
        if characters.get(at + 1) == Some(&('-', false)) && at + 2 < characters.len() {
            let high = characters[at + 2].0;
            if high < low {
                return None;
            }
            ranges.push((low, high));
            at += 3;
        } else {
            ranges.push((low, low));
            at += 1;
        }
    }
    Some(Token::Set(ranges, outside))
}

/// Takes braces apart: `a{b,c}d` is `abd` and `acd`.
fn expand_braces(text: &str) -> std::result::Result<Vec<String>, GlobError> {
    let error = |problem| GlobError { pattern: text.to_owned(), problem };
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(pattern) = open.pop() {
        match first_braces(&pattern).ok_or_else(|| error("a brace is not closed"))? {
            None => done.push(pattern),
            Some((from, to, commas)) => {
                let mut start = from + 1;
                let mut parts = Vec::new();
                for end in commas.into_iter().chain([to]) {
                    parts.push(format!("{}{}{}", &pattern[..from], &pattern[start..end], &pattern[to + 1..]));
                    start = end + 1;
                }
                open.extend(parts.into_iter().rev());
            }
        }
        if done.len() + open.len() > ALTERNATIVES_MAX {
            return Err(error("its braces stand for too many names"));
        }
    }
    Ok(done)
}

/// The first outermost braces: where they open and close and where their own commas stand. The outer `None` means that
/// they do not close.
fn first_braces(text: &str) -> Option<Option<(usize, usize, Vec<usize>)>> {
    let (mut depth, mut from, mut commas, mut escaped) = (0usize, 0, Vec::new(), false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => {
                if depth == 0 {
                    from = at;
                }
                depth += 1;
            }
            b',' if depth == 1 => commas.push(at),
            b'}' if depth == 1 => return Some(Some((from, at, commas))),
            b'}' if depth > 1 => depth -= 1,
            _ => {}
        }
    }
    (depth == 0).then_some(None)
}

/// What a path with wildcards stands for, in name order; `None` if the path has no wildcard and nothing is there, as
/// Java tells the two apart.
pub fn glob(file_system: &dyn FileSystem, pattern: &Path) -> Result<Option<Vec<FileStatus>>> {
    let bad = |error: GlobError| StorageError::BadPath { text: error.pattern, problem: error.problem };
    let absolute = file_system.qualify(pattern);
    let mut found = Vec::new();
    let mut wild = false;
    for text in expand_braces(absolute.path()).map_err(bad)? {
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
        let parts = parts.into_iter().map(Pattern::parse).collect::<std::result::Result<Vec<_>, _>>().map_err(bad)?;
        wild |= parts.iter().any(|part| part.plain().is_none());
        let root = absolute.resolve(&Path::local("/").without_scheme());
        walk(file_system, root, &parts, &mut found)?;
    }
    wild |= absolute.path().contains('{');
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|a, b| a.path == b.path);
    Ok((wild || !found.is_empty()).then_some(found))
}

fn walk(file_system: &dyn FileSystem, at: Path, parts: &[Pattern], found: &mut Vec<FileStatus>) -> Result<()> {
    let Some((part, rest)) = parts.split_first() else {
        match file_system.status(&at) {
            Ok(status) => found.push(status),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
        return Ok(());
    };
    if let Some(name) = part.plain() {
        return walk(file_system, at.child(&name), rest, found);
    }
    if !file_system.is_dir(&at)? {
        return Ok(());
    }
    for inner in file_system.list(&at)? {
        if part.matches(inner.path.name()) {
            walk(file_system, at.child(inner.path.name()), rest, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_system::CreateOptions;
    use crate::memory::MemoryFileSystem;

    fn check(pattern: &str, fits: &[&str], not: &[&str]) {
        let parsed = Pattern::parse(pattern).unwrap();
        for name in fits {
            assert!(parsed.matches(name), "{pattern} {name}");
        }
        for name in not {
            assert!(!parsed.matches(name), "{pattern} {name}");
        }
    }

    #[test]
    fn wildcards() {
        check("part-*", &["part-", "part-00000"], &["apart-0"]);
        check("*a*b*", &["ab", "xaxbx"], &["ba", ""]);
        check("?", &["a", "é"], &["", "ab"]);
        check("[a-c1]x", &["ax", "1x"], &["dx", "x"]);
        check("[^a-c]", &["d"], &["b"]);
        check("\\*", &["*"], &["a"]);
        check("[\\]a]", &["]", "a"], &["\\"]);
        check(&"*a".repeat(200), &[], &["b".repeat(5000).as_str()]);
        for bad in ["[a", "[z-a]", "a\\"] {
            assert!(Pattern::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn braces() {
        let names = |text: &str| expand_braces(text).unwrap().join(" ");
        assert_eq!(names("a{b,c{d,e}}f"), "abf acdf acef");
        assert_eq!(names("{a/b,c}/x"), "a/b/x c/x");
        assert_eq!(names("a\\{b"), "a\\{b");
        assert!(expand_braces("a{b").is_err());
        assert!(expand_braces(&"{a,b}".repeat(20)).is_err());
    }

    #[test]
    fn finds_files() {
        let memory = MemoryFileSystem::new();
        for name in ["/in/2024/a.txt", "/in/2025/b.txt", "/in/2025/c.log", "/other"] {
            memory.write_all(&Path::parse(name).unwrap(), b"x", CreateOptions::EXCLUSIVE).unwrap();
        }
        let found = |pattern: &str| {
            let files = glob(&memory, &Path::parse(pattern).unwrap()).unwrap();
            files.map(|files| files.iter().map(|file| file.path.path().to_owned()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(found("/in/*/*.txt").unwrap(), "/in/2024/a.txt /in/2025/b.txt");
        assert_eq!(found("/{other,in/2025/c.*}").unwrap(), "/in/2025/c.log /other");
        assert_eq!(found("/in/20[^4]*").unwrap(), "/in/2024 /in/2025");
        assert_eq!(found("/none*").unwrap(), "");
        assert_eq!(found("/none"), None);
        assert_eq!(found("/other/*").unwrap(), "");
    }
}
