//! User and group names and their numbers, from the machine's own lists. A number without a name stands for itself.

use std::fs;

/// The name of a user.
pub(crate) fn user_name(uid: u32) -> String {
    name_of("/etc/passwd", uid).unwrap_or_else(|| uid.to_string())
}

/// The name of a group.
pub(crate) fn group_name(gid: u32) -> String {
    name_of("/etc/group", gid).unwrap_or_else(|| gid.to_string())
}

/// The number of a user, by name or as a number.
pub(crate) fn user_id(name: &str) -> Option<u32> {
    id_of("/etc/passwd", name)
}

/// The number of a group, by name or as a number.
pub(crate) fn group_id(name: &str) -> Option<u32> {
    id_of("/etc/group", name)
}

/// Both lists hold `name:…:number:…`.
fn entries(list: &str) -> Vec<(String, u32)> {
    let text = fs::read_to_string(list).unwrap_or_default();
    let entry = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        Some((name, fields.nth(1)?.parse().ok()?))
    };
    text.lines().filter_map(entry).collect()
}

fn name_of(list: &str, id: u32) -> Option<String> {
    entries(list).into_iter().find(|entry| entry.1 == id).map(|entry| entry.0)
}

fn id_of(list: &str, name: &str) -> Option<u32> {
    let listed = entries(list).into_iter().find(|entry| entry.0 == name).map(|entry| entry.1);
    listed.or_else(|| name.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_known_everywhere() {
        assert_eq!((user_name(0).as_str(), user_id("root")), ("root", Some(0)));
        assert_eq!((group_name(0).as_str(), group_id("root")), ("root", Some(0)));
        assert_eq!((user_name(4_000_000_001).as_str(), user_id("4000000001")), ("4000000001", Some(4_000_000_001)));
        assert_eq!(user_id("no such user"), None);
    }
}
