//! Who the program is at each moment: root at first, the TaskTracker's user for moments, the job's user for good.
//!
//! Every change is looked at afterwards. A change that did not happen ends the program.

use std::io;

use crate::exit::{Code, Context, Failure, Result};
use crate::system::{self, Account, Ids};

/// The TaskTracker: the user who started the program, and the configured group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tracker {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

fn all(id: u32) -> Ids {
    Ids { real: id, effective: id, saved: id }
}

/// Becomes root whole, in the TaskTracker's group: from here on the caller cannot signal this process.
pub(crate) fn become_root(tracker: Tracker) -> Result<()> {
    let become_it = || -> io::Result<()> {
        system::set_group_ids(all(tracker.gid))?;
        system::set_user_ids(all(0))
    };
    become_it().or_fail(Code::SetUserFailed, || "cannot become root; is the program set-user-id root?".to_owned())
}

/// Does something with the TaskTracker's own rights, as files are opened that it names.
pub(crate) fn as_tracker<T>(tracker: Tracker, work: impl FnOnce() -> T) -> Result<T> {
    let set = |effective| system::set_user_ids(Ids { real: 0, effective, saved: 0 });
    set(tracker.uid).or_fail(Code::SetUserFailed, || format!("cannot act as user {}", tracker.uid))?;
    let done = work();
    set(0).or_fail(Code::SetUserFailed, || "cannot be root again".to_owned())?;
    Ok(done)
}

/// Becomes the job's user, for good.
pub(crate) fn drop_to(account: &Account) -> Result<()> {
    let user = account.name.to_string_lossy();
    let groups = system::take_groups_of(account);
    groups.or_fail(Code::SetUserFailed, || format!("cannot take the groups of {user}"))?;
    drop_for_good(account.uid, account.gid)
}

/// Becomes the TaskTracker's user, for good.
pub(crate) fn drop_to_tracker(tracker: Tracker) -> Result<()> {
    system::drop_groups().or_fail(Code::SetUserFailed, || "cannot give up groups".to_owned())?;
    drop_for_good(tracker.uid, tracker.gid)
}

fn drop_for_good(uid: u32, gid: u32) -> Result<()> {
    system::set_group_ids(all(gid)).or_fail(Code::SetUserFailed, || format!("cannot become group {gid}"))?;
    system::set_user_ids(all(uid)).or_fail(Code::SetUserFailed, || format!("cannot become user {uid}"))?;
    let now = |ids: io::Result<Ids>| ids.or_fail(Code::SetUserFailed, || "cannot tell who this is".to_owned());
    let dropped = now(system::user_ids())? == all(uid) && now(system::group_ids())? == all(gid);
    // A TaskTracker that is root itself has nothing to give up.
    let regained =
        uid != 0 && (system::set_user_ids(all(0)).is_ok() || system::set_group_ids(all(0)).is_ok() && gid != 0);
    if dropped && !regained {
        return Ok(());
    }
    Err(Failure::new(Code::SetUserFailed, format!("privileges are not gone after becoming user {uid}, group {gid}")))
}
