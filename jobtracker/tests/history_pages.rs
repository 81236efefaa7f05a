//! The pages about jobs that are over, found from the list of them, and nothing but histories.

mod support;

use support::{FakeTracker, JobFiles, assert_succeeded, client, get, site, start, submit};

/// Every address in a page that begins like this.
fn links(page: &str, begin: &str) -> Vec<String> {
    let found = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    found.filter(|link| link.starts_with(begin)).map(|link| format!("/{}", link.replace("&amp;", "&"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_the_list_of_jobs_to_an_attempts_counters() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let job = submit(&client, &JobFiles::new(2, 1).set("mapred.job.name", "<i>count & sort")).await.unwrap().job;
    let mut tracker = FakeTracker::new(daemon.rpc_address(), "host-a");
    assert_succeeded(&tracker.beat_until_over(&client, &job).await);

    // The file is moved in the background.
    let end = std::time::Instant::now() + support::DEADLINE;
    let details = loop {
        let (status, home) = get(&daemon, "/jobhistoryhome.jsp?search=ann:count").await;
        assert_eq!(status, 200);
        assert!(!home.contains("<i>"), "{home}");
        if let Some(link) = links(&home, "jobdetailshistory.jsp").pop() {
            break link;
        }
        assert!(std::time::Instant::now() < end, "{job} is not listed: {home}");
        tokio::task::yield_now().await;
    };
    let (_, none) = get(&daemon, "/jobhistoryhome.jsp?search=bob").await;
    assert!(links(&none, "jobdetailshistory.jsp").is_empty(), "{none}");

    let (status, page) = get(&daemon, &details).await;
    assert_eq!(status, 200, "{details}: {page}");
    let title = format!("Hadoop Job {job} on History Viewer");
    for fact in [title.as_str(), "ann", "&lt;i&gt;count &amp; sort", "SUCCESS", "done"] {
        assert!(page.contains(fact), "{fact:?} is not in {page}");
    }
    let mut maps = links(&page, "jobtaskshistory.jsp");
    maps.retain(|link| link.contains("taskType=MAP&status=SUCCESS"));
    let (_, tasks) = get(&daemon, &maps[0]).await;
    let attempts = links(&tasks, "taskdetailshistory.jsp");
    assert_eq!(attempts.len(), 2, "{tasks}");
    let (_, attempts) = get(&daemon, &attempts[0]).await;
    assert!(attempts.contains("host-a") && attempts.contains("/tasklog?attemptid=attempt_"), "{attempts}");
    let (_, counters) = get(&daemon, &links(&attempts, "taskstatshistory.jsp")[0]).await;
    assert!(counters.contains("Counters for attempt_") && counters.contains("done"), "{counters}");
    let (_, analysis) = get(&daemon, &links(&page, "analysejobhistory.jsp")[0]).await;
    for fact in ["Time in map", "Time in shuffle", "Time in reduce", "Best performing task"] {
        assert!(analysis.contains(fact), "{fact:?} is not in {analysis}");
    }
    let (_, conf) = get(&daemon, &links(&page, "jobconf_history.jsp")[0]).await;
    assert!(conf.contains("mapred.reduce.tasks"), "{conf}");
    let (_, file) = get(&daemon, &links(&page, "historyfile")[0]).await;
    assert!(file.starts_with("Meta VERSION=\"1\" .\n"), "{file}");
    let (status, _) = get(&daemon, &format!("/gethistory.jsp?jobid={job}")).await;
    assert_eq!(status, 303);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_histories_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    std::fs::write(dir.path().join("secret"), "secret").unwrap();
    let logs = dir.path().join("logs/history");
    for file in [
        "/etc/passwd".to_owned(),
        dir.path().join("secret").display().to_string(),
        format!("file:{}/../../secret", logs.display()),
        format!("file:{}x/secret", logs.display()),
        "hdfs://elsewhere/secret".to_owned(),
    ] {
        let address = format!("/historyfile?logFile={}", wire::history::url_encode(&file));
        let (status, body) = get(&daemon, &address).await;
        assert!(matches!(status, 404 | 500) && !body.contains("secret\n") && !body.contains("root:"), "{file}: {body}");
    }
    for (address, status) in [
        ("/jobdetailshistory.jsp", 500),
        ("/gethistory.jsp?jobid=job_202611302334_9999", 400),
        ("/jobhistory.jsp", 303),
        ("/jobhistoryhome.jsp?pageno=99999999999999999999&search=%3Cb%3E", 200),
    ] {
        let (got, body) = get(&daemon, address).await;
        assert_eq!(got, status, "{address}: {body}");
        assert!(!body.contains("<b>B") && !body.contains("only <b>"), "{body}");
    }
}
