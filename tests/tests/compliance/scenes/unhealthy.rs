//! A TaskTracker of the cell's make whose health script says for a while that something is wrong.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use howdah_tests::harness::{Cluster, ClusterOptions};
use types::ClusterStatus;
use wire::mapred::job_submission::GetClusterStatus;

use crate::bench::{Bench, shown};
use crate::files::{await_some, write};

pub(crate) struct Unhealthy {
    /// Before, while and after the script complained.
    pub(crate) statuses: [ClusterStatus; 3],
}

pub(super) fn play(bench: &Bench) -> Unhealthy {
    let (path, sick) = (bench.path("health/look.sh"), bench.path("health/sick"));
    write(&path, &format!("#!/bin/sh\n[ -e {} ] && echo ERROR the disk is on fire\nexit 0\n", shown(&sick)));
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("the script's mode");
    let mut options = ClusterOptions::of(bench.cell.jobtracker)
        .set("mapred.healthChecker.script.path", &shown(&path))
        .set("mapred.healthChecker.interval", "1000");
    options.tasktrackers = vec![bench.cell.tasktracker];
    let cluster = Cluster::start(bench.cluster.install(), &options);
    let await_blacklisted = |count: i32| {
        await_some(&format!("{count} TaskTrackers are blacklisted"), || {
            let status = cluster.rpc_client().call(&GetClusterStatus { detailed: true }).ok()?;
            (status.blacklisted_count == count).then_some(status)
        })
    };
    let before = await_blacklisted(0);
    write(&sick, "");
    let while_sick = await_blacklisted(1);
    fs::remove_file(&sick).expect("it was written");
    Unhealthy { statuses: [before, while_sick, await_blacklisted(0)] }
}
