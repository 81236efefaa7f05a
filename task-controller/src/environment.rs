//! The environment of the programs that are started: the TaskTracker's, without what makes loaders and shells do other
//! things than they are told.
//!
//! Values that children rely on, `JAVA_HOME` or what `hadoop-env.sh` exports, come through as with Hadoop's program.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::system::Account;

/// Variables of the loader and of shells' imported functions.
const PREFIXES: [&str; 2] = ["LD_", "BASH_FUNC_"];
/// Variables that change how a shell reads its script, or where the C library looks for things.
const NAMES: [&str; 23] = [
    "BASHOPTS",
    "BASH_ENV",
    "CDPATH",
    "ENV",
    "GCONV_PATH",
    "GETCONF_DIR",
    "GLIBC_TUNABLES",
    "GLOBIGNORE",
    "HOSTALIASES",
    "IFS",
    "LOCALDOMAIN",
    "LOCPATH",
    "MALLOC_CHECK_",
    "MALLOC_TRACE",
    "NIS_PATH",
    "NLSPATH",
    "PROMPT_COMMAND",
    "PS4",
    "RESOLV_HOST_CONF",
    "RES_OPTIONS",
    "SHELLOPTS",
    "TMPDIR",
    "TZDIR",
];
/// Where programs are looked for if `PATH` names no folder.
const PATH_DEFAULT: &str = "/usr/local/bin:/usr/bin:/bin";

/// The variables for a program of the user's.
pub(crate) fn clean(
    inherited: impl Iterator<Item = (OsString, OsString)>,
    account: &Account,
) -> Vec<(OsString, OsString)> {
    let mut variables: Vec<_> = inherited.filter(|(name, value)| is_harmless(name, value)).collect();
    let mut set = |name: &str, value: OsString| {
        variables.retain(|(known, _)| known != name);
        variables.push((name.into(), value));
    };
    let user = OsString::from_vec(account.name.to_bytes().to_vec());
    set("USER", user.clone());
    set("LOGNAME", user);
    set("HOME", account.home.clone());
    let path = variables.iter().find(|(name, _)| name == "PATH").map(|(_, value)| absolute_folders(value));
    let path = path.filter(|path| !path.is_empty()).unwrap_or_else(|| PATH_DEFAULT.into());
    variables.retain(|(known, _)| known != "PATH");
    variables.push(("PATH".into(), path));
    variables
}

fn is_harmless(name: &OsStr, value: &OsStr) -> bool {
    let name = name.as_bytes();
    let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte));
    is_name
        && !PREFIXES.iter().any(|prefix| name.starts_with(prefix.as_bytes()))
        && !NAMES.iter().any(|known| name == known.as_bytes())
        && !value.as_bytes().starts_with(b"() {")
}

/// The folders of a `PATH` that do not depend on the working directory.
fn absolute_folders(path: &OsStr) -> OsString {
    let folders = path.as_bytes().split(|byte| *byte == b':').filter(|folder| folder.starts_with(b"/"));
    OsString::from_vec(folders.collect::<Vec<_>>().join(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(variables: &[(&str, &str)]) -> Vec<(String, String)> {
        let account = Account { name: c"al".to_owned(), uid: 1000, gid: 1000, home: "/home/al".into() };
        let inherited = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let text = |text: OsString| text.into_string().unwrap();
        let mut found: Vec<_> = clean(inherited, &account).into_iter().map(|(n, v)| (text(n), text(v))).collect();
        found.sort();
        found
    }

    fn check(variables: &[(&str, &str)], expected: &[(&str, &str)]) {
        let found = cleaned(variables);
        let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn hostile_variables_go_and_the_trackers_own_stay() {
        let user = [("HOME", "/home/al"), ("LOGNAME", "al"), ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("USER", "al")];
        let hostile = [
            ("LD_PRELOAD", "/x.so"),
            ("LD_LIBRARY_PATH", "/x"),
            ("IFS", "/"),
            ("BASH_ENV", "/x"),
            ("BASH_FUNC_ls%%", "() { id; }"),
            ("x", "() { :;}; id"),
            ("PATH", ".:bin"),
            ("USER", "tracker"),
        ];
        check(&hostile, &user);
        check(
            &[("JAVA_HOME", "/java"), ("PATH", "/a:.::/b")],
            &[("HOME", "/home/al"), ("JAVA_HOME", "/java"), ("LOGNAME", "al"), ("PATH", "/a:/b"), ("USER", "al")],
        );
    }
}
