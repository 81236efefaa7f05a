//! `job-acls.xml`: who may read a job's logs after the job is gone (Hadoop 1.2.1: JobLocalizer.writeJobACLs).

use std::path::Path;

use configuration::{Configuration, keys};

use super::files::write_file;
use super::{Result, layout};

/// Writes the job's rights into its folder of logs.
pub(super) fn write(conf: &Configuration, user: &str, job_log_dir: &Path) -> Result<()> {
    let text = acl_conf(conf, user)?.to_xml();
    write_file(&job_log_dir.join(layout::ACLS_FILE), &text, layout::MODE_JOB_FILE)
}

fn acl_conf(conf: &Configuration, user: &str) -> Result<Configuration> {
    // A right that nobody was given is a single blank, and not nothing: readers tell them apart.
    const NOBODY: &str = " ";
    let mut acls = Configuration::new();
    let view = conf.text(keys::MAPREDUCE_JOB_ACL_VIEW_JOB.name())?;
    acls.set_key(&keys::MAPREDUCE_JOB_ACL_VIEW_JOB, view.as_deref().unwrap_or(NOBODY));
    let queue = conf.get(&keys::MAPRED_JOB_QUEUE_NAME)?;
    acls.set_key(&keys::MAPRED_JOB_QUEUE_NAME, &queue);
    let administer = keys::MAPRED_QUEUE_ACL_ADMINISTER_JOBS.name_for(&queue);
    let administrators = conf.text(&administer)?;
    acls.set(administer, administrators.as_deref().unwrap_or(NOBODY));
    acls.set_key(&keys::USER_NAME, user);
    Ok(acls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_are_those_that_hadoop_writes() {
        let mut conf = Configuration::new();
        conf.set("mapred.queue.default.acl-administer-jobs", "alice,bob users");
        let acls = acl_conf(&conf, "root").unwrap();
        let mut found: Vec<_> = acls.iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect();
        found.sort();
        let expected = [
            ("mapred.job.queue.name", "default"),
            ("mapred.queue.default.acl-administer-jobs", "alice,bob users"),
            ("mapreduce.job.acl-view-job", " "),
            ("user.name", "root"),
        ];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
