//! Who may do a thing: users and groups, or everybody (Hadoop 1.2.1: security.authorize.AccessControlList).

use std::fmt;

/// A list of users and of groups, or everybody.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccessControlList {
    /// Everybody is let in; the lists are empty then.
    pub everybody: bool,
    /// User names.
    pub users: Vec<String>,
    /// Group names.
    pub groups: Vec<String>,
}

impl AccessControlList {
    /// The list that lets everybody in, written `*`.
    pub fn everybody() -> Self {
        AccessControlList { everybody: true, ..Self::default() }
    }

    /// Reads `users groups`: two comma lists with one space between, or `*`. A leading space means no users.
    pub fn parse(text: &str) -> Self {
        if text.contains('*') && text.trim() == "*" {
            return Self::everybody();
        }
        let list = |part: Option<&str>| {
            part.into_iter()
                .flat_map(|names| names.split(','))
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let mut halves = text.splitn(2, ' ');
        AccessControlList { everybody: false, users: list(halves.next()), groups: list(halves.next()) }
    }

    /// Whether a user of these groups is let in.
    pub fn allows(&self, user: &str, groups: &[String]) -> bool {
        self.everybody || self.users.iter().any(|u| u == user) || self.groups.iter().any(|g| groups.contains(g))
    }
}

/// Writes the form that [`AccessControlList::parse`] reads; nobody is a single space.
impl fmt::Display for AccessControlList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.everybody {
            return f.write_str("*");
        }
        write!(f, "{} {}", self.users.join(","), self.groups.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_hadoops_text() {
        for text in ["*", " ", "alice,bob users", "alice ", " users"] {
            assert_eq!(AccessControlList::parse(text).to_string(), text);
        }
        let list = AccessControlList::parse("alice,bob staff");
        assert!(list.allows("bob", &[]));
        assert!(list.allows("carol", &["staff".into()]));
        assert!(!list.allows("carol", &["other".into()]));
        assert!(!AccessControlList::parse(" ").allows("root", &["root".into()]));
    }
}
