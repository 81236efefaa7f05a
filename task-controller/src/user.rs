//! Whether a user may run tasks (Hadoop 1.2.1: task-controller.c, check_user).

use std::ffi::{OsStr, OsString};

use crate::configuration::{BANNED_USERS, Configuration, MIN_USER_ID};
use crate::directory::plain_name;
use crate::exit::{Code, Context, Failure, Result};
use crate::system::{self, Account};

/// The lowest user id, where the configuration says nothing.
const MIN_USER_ID_DEFAULT: u32 = 1000;
/// The banned, where the configuration says nothing.
const BANNED_DEFAULT: [&str; 3] = ["mapred", "hdfs", "bin"];

/// The account of a user who may run tasks.
pub(crate) fn find(conf: &Configuration, name: &OsStr) -> Result<Account> {
    let refuse = |why: String| Err(Failure::new(Code::Failed, why));
    let shown = name.to_string_lossy();
    if name == "root" {
        return refuse("running as root is not allowed".into());
    }
    plain_name("the user", name).map_err(|failure| Failure::new(Code::Failed, failure.to_string()))?;
    let min = min_user_id(conf)?;
    let account = system::account(name).or_fail(Code::Failed, || format!("cannot look up user {shown}"))?;
    let Some(account) = account else { return refuse(format!("user {shown} not found")) };
    if account.uid == 0 {
        return refuse(format!("user {shown} is root by another name"));
    }
    if account.uid < min {
        return refuse(format!(
            "user {shown} has id {}, which is below the least allowed, {min} ({MIN_USER_ID})",
            account.uid
        ));
    }
    if banned(conf).iter().any(|banned| banned == name) {
        return refuse(format!("user {shown} is banned ({BANNED_USERS})"));
    }
    Ok(account)
}

fn min_user_id(conf: &Configuration) -> Result<u32> {
    let Some(text) = conf.get(MIN_USER_ID) else { return Ok(MIN_USER_ID_DEFAULT) };
    let parsed = text.to_str().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| Failure::new(Code::Failed, format!("{MIN_USER_ID} is {text:?}; expected a number, 0 or more")))
}

fn banned(conf: &Configuration) -> Vec<OsString> {
    conf.list(BANNED_USERS).unwrap_or_else(|| BANNED_DEFAULT.map(OsString::from).into())
}
