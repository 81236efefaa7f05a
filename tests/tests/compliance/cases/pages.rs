//! Pages of the daemons that programs read.

use crate::case::Case;
use crate::cell::Part;
use crate::files::get;

const GROUP: &str = "pages";

pub(super) const CASES: &[Case] = &[
    Case::more(GROUP, "/jmx tells what the JobTracker's beans have", |bench| {
        let page = get(bench.cluster.http_port, "/jmx");
        assert!(page.contains("Hadoop:service=JobTracker,name=JobTrackerInfo"), "{page}");
    }),
    Case::more(GROUP, "/logLevel tells how much a part of the JobTracker logs", |bench| {
        let page = get(bench.cluster.http_port, "/logLevel?log=org.apache.hadoop.mapred.JobTracker");
        assert!(page.contains("Effective level: "), "{page}");
    })
    .gap(Part::JobTracker, "pages"),
    Case::more(GROUP, "the page of a queue that does not exist says so", |bench| {
        let page = get(bench.cluster.http_port, "/jobqueue_details.jsp?queueName=nowhere");
        assert!(page.contains("does not exist"), "{page}");
    })
    .only_ours(Part::JobTracker, "1.2.1 shows all jobs as that queue's"),
];
