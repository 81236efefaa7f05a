//! The groups of users, by `id -Gn` as Hadoop finds them, remembered for a while (Hadoop 1.2.1: security.Groups,
//! ShellBasedUnixGroupsMapping).

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::process::Command;

/// Names that are remembered; a client can invent any number of them.
const USERS_MAX: usize = 10_000;
/// After so long the shell is not waited for.
const SHELL_MAX: Duration = Duration::from_secs(10);

/// When a user was looked up, and the groups that were found.
type Remembered = HashMap<String, (Instant, Vec<String>)>;

/// Looks groups up.
#[derive(Clone)]
pub(crate) struct Groups {
    remembered: Arc<Mutex<Remembered>>,
    keep: Duration,
}

impl Groups {
    pub(crate) fn new(keep: Duration) -> Groups {
        Groups { remembered: Arc::default(), keep }
    }

    /// The groups of a user; none if there is no such user.
    pub(crate) async fn of(&self, user: &str) -> Vec<String> {
        if let Some(groups) = self.remembered(user) {
            return groups;
        }
        let groups = ask_system(user).await;
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered.len() >= USERS_MAX {
            remembered.clear();
        }
        remembered.insert(user.to_owned(), (Instant::now(), groups.clone()));
        groups
    }

    /// Forgets everything, as an administrator asked.
    pub(crate) fn refresh(&self) {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn remembered(&self, user: &str) -> Option<Vec<String>> {
        let remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let (when, groups) = remembered.get(user)?;
        (when.elapsed() < self.keep).then(|| groups.clone())
    }
}

async fn ask_system(user: &str) -> Vec<String> {
    if user.is_empty() || user.starts_with('-') {
        return Vec::new();
    }
    let asked = Command::new("id").args(["-Gn", "--", user]).stdin(Stdio::null()).stderr(Stdio::null()).output();
    match tokio::time::timeout(SHELL_MAX, asked).await {
        Ok(Ok(output)) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect()
        }
        Ok(Ok(_)) => Vec::new(),
        Ok(Err(error)) => {
            tracing::warn!(user, %error, "cannot run id to find groups");
            Vec::new()
        }
        Err(_) => {
            tracing::warn!(user, "id did not answer; the user counts as without groups");
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn root_is_in_group_root_and_nobody_invents_groups() {
        let groups = Groups::new(Duration::from_secs(60));
        assert!(groups.of("root").await.contains(&"root".to_owned()));
        assert!(groups.of("no such user").await.is_empty());
        assert!(groups.of("--help").await.is_empty());
        groups.refresh();
        assert!(groups.remembered("root").is_none());
    }
}
