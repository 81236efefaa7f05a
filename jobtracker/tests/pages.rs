//! The pages of a JobTracker that ran a job.

mod support;

use support::{FakeTracker, JobFiles, assert_succeeded, client, get, site, start, submit};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_tell_the_truth_at_hadoops_addresses() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let files = JobFiles::new(2, 1).set("mapred.job.name", "<script>alert(1)</script>");
    let job = submit(&client, &files).await.unwrap().job;
    let mut tracker = FakeTracker::new(daemon.rpc_address(), "host-a");
    assert_succeeded(&tracker.beat_until_over(&client, &job).await);

    let task = format!("{}_m_000000", job.to_string().replace("job", "task"));
    let (job_link, conf_copy) = (format!("jobdetails.jsp?jobid={job}&amp;refresh=30"), format!("{job}_conf.xml"));
    let pages = [
        ("/jobtracker.jsp", vec!["RUNNING", "Completed Jobs", &job_link]),
        ("/machines.jsp?type=active", vec![tracker.name.as_str(), "host-a", "/default-rack"]),
        ("/jobqueue_details.jsp?queueName=default", vec!["State:</b> running", "N/A"]),
        (&format!("/jobdetails.jsp?jobid={job}"), vec!["Succeeded", "Job Setup:</b> Successful", "ann", "<td>3</td>"]),
        (&format!("/jobtasks.jsp?jobid={job}&type=map&pagenum=1"), vec![&task, "100.00%"]),
        (&format!("/taskdetails.jsp?tipid={task}"), vec!["SUCCEEDED", "tasklog?attemptid=attempt_", "host-a"]),
        (&format!("/taskstats.jsp?tipid={task}"), vec!["done"]),
        (&format!("/jobfailures.jsp?jobid={job}"), vec!["none"]),
        (&format!("/jobconf.jsp?jobid={job}"), vec!["mapred.reduce.tasks"]),
        ("/conf", vec!["mapred.job.tracker.http.address", "mapred-default.xml"]),
        ("/logs/", vec![&conf_copy]),
    ];
    for (address, facts) in pages {
        let (status, body) = get(&daemon, address).await;
        assert_eq!(status, 200, "{address}: {body}");
        assert!(!body.contains("<script>"), "{address}: {body}");
        for fact in facts {
            assert!(body.contains(fact), "{fact:?} is not in {address}: {body}");
        }
    }
    let (_, body) = get(&daemon, &format!("/jobdetails.jsp?format=json&jobid={job}")).await;
    let details: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(details["metaInfo"]["jobStatus"], "Succeeded");
    assert_eq!(details["mapTaskSummary"]["taskStats"]["numFinishedTasks"], 2);
    let (_, body) = get(&daemon, "/jobtracker.jsp?format=json").await;
    let overview: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(overview["completedJobsSummaryInfo"][0]["jobId"], job.to_string());
    assert_eq!(overview["clusterSummary"]["mapTaskCapacity"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn monitoring_reads_of_the_cluster_what_it_reads_of_hadoops() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    FakeTracker::new(daemon.rpc_address(), "host-a").beat().await;
    let beans = |body: String| serde_json::from_str::<serde_json::Value>(&body).unwrap()["beans"].clone();
    for query in ["", "?qry=Hadoop:*", "?qry=Hadoop:service=JobTracker,name=JobTrackerInfo"] {
        let (status, body) = get(&daemon, &format!("/jmx{query}")).await;
        assert_eq!(status, 200, "{query}: {body}");
        let bean = beans(body)[0].clone();
        assert_eq!(bean["name"], "Hadoop:service=JobTracker,name=JobTrackerInfo", "{query}");
        let inner = |name: &str| serde_json::from_str::<serde_json::Value>(bean[name].as_str().unwrap()).unwrap();
        let slots = serde_json::json!(
            { "map_slots": 2, "map_slots_used": 0, "reduce_slots": 2, "reduce_slots_used": 0 }
        );
        assert_eq!((&inner("SummaryJson")["alive"], &inner("SummaryJson")["slots"]), (&1.into(), &slots));
        assert_eq!(inner("AliveNodesInfoJson")[0]["hostname"], "host-a");
        assert_eq!(inner("QueueInfoJson")["default"]["state"], "running");
        assert_eq!(inner("BlacklistedNodesInfoJson"), serde_json::json!([]));
    }
    let (_, none) = get(&daemon, "/jmx?qry=No:none=x").await;
    assert_eq!(beans(none), serde_json::json!([]));
    assert_eq!(get(&daemon, "/jmx?qry=%5B").await.0, 400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_of_a_job_says_which_child_runs_it_and_why() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let own_class = JobFiles::new(1, 0).set("mapred.mapper.class", "org.example.OwnMapper");
    for (files, fact) in [(JobFiles::new(1, 0), "Child:</b> native"), (own_class, "org.example.OwnMapper")] {
        let job = submit(&client, &files).await.unwrap().job;
        let end = std::time::Instant::now() + support::DEADLINE;
        loop {
            let (_, body) = get(&daemon, &format!("/jobdetails.jsp?jobid={job}")).await;
            if body.contains("Child:</b>") {
                assert!(body.contains(fact), "{fact:?} is not in {body}");
                break;
            }
            assert!(std::time::Instant::now() < end, "no child in {body}");
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_there_is_answered_as_hadoop_answers_it() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    for (address, status, fact) in [
        ("/jobdetails.jsp", 200, "Missing &#39;jobid&#39;!"),
        ("/jobdetails.jsp?jobid=job_1_0001", 200, "Job job_1_0001 not known!"),
        ("/jobdetails.jsp?jobid=%3Cb%3E", 500, "is not properly formed"),
        ("/jobdetails.jsp?format=json", 400, "4100"),
        ("/jobdetails.jsp?format=json&jobid=job_1_0001", 404, "4101"),
        ("/jobtracker.jsp?format=xml", 501, "xml"),
        ("/taskdetails.jsp", 200, "tipid sent is not valid."),
        ("/jobconf.jsp?jobid=job_1_0001", 200, "not found"),
        ("/jobqueue_details.jsp?queueName=%3Cb%3E", 200, "&lt;b&gt;"),
        ("/conf?format=foo", 400, "Bad format: foo"),
        ("/nothing.jsp", 404, ""),
        ("/logs/..%2fsecret", 404, "no log file"),
        ("/", 303, ""),
    ] {
        let (got, body) = get(&daemon, address).await;
        assert_eq!(got, status, "{address}: {body}");
        assert!(body.contains(fact), "{fact:?} is not in {address}: {body}");
        assert!(status == 500 || !body.contains("<b>\""), "{address}: {body}");
    }
}
