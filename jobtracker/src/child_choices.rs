//! Which child each job's maps and reduces run in, and why, for the pages. TaskTrackers choose for themselves; this is the
//! same choice from the same rule, made once after the submission, without the look at the input files that they take.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use types::JobId;

use crate::state::Shared;
use crate::submission;

/// So many jobs are remembered; the oldest are forgotten first.
const REMEMBERED_MAX: usize = 10_000;

/// What was found, by job.
#[derive(Debug, Default)]
pub(crate) struct ChildChoices(Mutex<BTreeMap<JobId, twins::Choice>>);

impl ChildChoices {
    fn choices(&self) -> MutexGuard<'_, BTreeMap<JobId, twins::Choice>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, job: JobId, choice: twins::Choice) {
        let mut choices = self.choices();
        choices.insert(job, choice);
        if choices.len() > REMEMBERED_MAX {
            choices.pop_first();
        }
    }

    /// The child of a job in words; nothing for a job that this JobTracker did not take itself.
    pub(crate) fn describe(&self, job: &JobId) -> Option<String> {
        self.choices().get(job).map(|choice| match choice.reason() {
            None => "native".to_owned(),
            Some(reason) => format!("Java: {reason}"),
        })
    }
}

/// Looks at a job that was taken, in the background: its jars may be large and far away.
pub(crate) fn look(shared: &Arc<Shared>, job: JobId) {
    let shared = shared.clone();
    tokio::task::spawn_blocking(move || {
        // A job that is over already has nobody to read of it.
        let Some(files) = shared.job_files(&job) else { return };
        let mut conf = (*shared.conf()).clone();
        if conf.add_resource("job.xml", &files.conf).is_ok() {
            let choice = submission::child_of(&shared, &conf, &files.submit_dir);
            shared.child_choices.remember(job, choice);
        }
    });
}
