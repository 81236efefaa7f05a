//! An unmodified TaskTracker with LinuxTaskController runs jobs of two users through our set-user-id program.

use std::fs;
use std::os::unix::fs::MetadataExt;

use howdah_tests::harness::{AsUsers, Install, Make};

#[test]
fn hadoops_tasktracker_runs_jobs_of_two_users_through_our_program() {
    let install = Install::find().unwrap_or_else(|error| panic!("{error}"));
    let Some(users) = AsUsers::new(&install) else { return };
    let cluster = users.cluster(&install, Make::Hadoop);
    for (user, name) in [(&users.alice, "alice"), (&users.bob, "bob")] {
        let dir = cluster.dir().join(name);
        fs::write(dir.join("in"), "b a b\n").expect("the input");
        let (input, output) = (dir.join("in").display().to_string(), dir.join("out").display().to_string());
        cluster.java_jar_as(user, "hadoop-examples", &["wordcount", &input, &output]).expect_success();
        let part = dir.join("out/part-r-00000");
        assert_eq!(fs::read_to_string(&part).expect("the output"), "a\t1\nb\t2\n");
        assert_eq!(fs::metadata(&part).expect("the output").uid(), user.uid, "it ran as somebody else");
    }
}
