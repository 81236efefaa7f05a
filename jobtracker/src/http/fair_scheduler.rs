//! `/scheduler` under the fair scheduler: pools and running jobs with their shares, and, where the site allows private
//! actions, a job's pool and priority to be changed (Hadoop 1.2.1: FairSchedulerServlet).

use std::collections::BTreeMap;

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use chrono::{Local, TimeZone};
use configuration::keys;
use jobtracker_core::{Caller, FairJobView, FairShareView, FairView, JobView, PoolMode, PoolShareView, PoolView};
use types::{JobId, JobPriority, JobState};

use super::html::{Cell, Choice, Page, link};
use super::{NoPage, PageResult, html_answer};
use crate::state::Shared;

const POOL_HEAD: &[&str] = &[
    "Pool",
    "Running Jobs",
    "Map Min Share",
    "Map Max Share",
    "Running Maps",
    "Map Fair Share",
    "Reduce Min Share",
    "Reduce Max Share",
    "Running Reduces",
    "Reduce Fair Share",
    "Scheduling Mode",
];
const ADDRESS: &str = "/scheduler";
const DEFAULT_POOL: &str = "default";

/// Where a share is given to no tenth.
const NO_SHARE: &str = "NA";

/// What the page tells.
struct Facts {
    fair: FairView,
    /// Running jobs, and what the scheduler knows of them.
    jobs: Vec<(FairJobView, JobView)>,
}

/// Answers `/scheduler`; nothing if another scheduler is at work.
pub(super) async fn page(shared: &Shared, parameters: &BTreeMap<String, String>) -> Option<PageResult> {
    let facts = shared.core.ask(|core, now| {
        let fair = core.fair_view(now)?;
        let runs = |job: &FairJobView| core.job_view(&job.job).filter(|view| view.status.state == JobState::Running);
        let jobs = fair.jobs.iter().filter_map(|job| Some((job.clone(), runs(job)?))).collect();
        Some(Facts { fair, jobs })
    });
    let facts = match facts.await {
        Ok(facts) => facts?,
        Err(stopped) => return Some(Err(stopped.into())),
    };
    let form = Form {
        advanced: parameters.contains_key("advanced"),
        actions: shared.conf().get_or(&keys::WEBINTERFACE_PRIVATE_ACTIONS, false),
    };
    Some(match form.action(parameters) {
        Some(action) => act(shared, &facts, action, parameters, form).await,
        None => html_answer(show(shared, &facts, form)),
    })
}

/// How the page is shown.
#[derive(Clone, Copy)]
struct Form {
    /// With weights.
    advanced: bool,
    /// Pool and priority may be changed.
    actions: bool,
}

/// What somebody wants changed.
enum Action {
    Pool(String),
    Priority(String),
}

impl Form {
    fn action(self, parameters: &BTreeMap<String, String>) -> Option<Action> {
        let pool = || parameters.get("setPool").cloned().map(Action::Pool);
        let priority = || parameters.get("setPriority").cloned().map(Action::Priority);
        if self.actions { pool().or_else(priority) } else { None }
    }
}

/// Changes a running job and sends the browser back to the page; an unknown job is ignored, as in Hadoop.
async fn act(
    shared: &Shared,
    facts: &Facts,
    action: Action,
    parameters: &BTreeMap<String, String>,
    form: Form,
) -> PageResult {
    let asked = parameters.get("jobid").and_then(|job| job.parse::<JobId>().ok());
    let job = asked.filter(|asked| facts.jobs.iter().any(|(job, _)| job.job == *asked));
    let priority = match &action {
        Action::Pool(_) => None,
        Action::Priority(name) => Some(JobPriority::from_name(name).ok_or_else(|| {
            let text = format!("{name} is not a priority; priorities are VERY_LOW, LOW, NORMAL, HIGH and VERY_HIGH");
            NoPage::Status(StatusCode::INTERNAL_SERVER_ERROR, text)
        })?),
    };
    if let Some(job) = job {
        let caller = Caller::named(&shared.identity.user);
        let change = move |core: &mut jobtracker_core::JobTracker, now| match (action, priority) {
            (_, Some(priority)) => {
                core.set_job_priority(now, &caller, &job, priority).map_err(|error| error.to_string())
            }
            (Action::Pool(pool), _) => {
                core.set_fair_pool(now, &job, &pool);
                Ok(())
            }
            (Action::Priority(_), None) => Ok(()),
        };
        shared.core.ask(change).await?.map_err(NoPage::Sentence)?;
    }
    let back = if form.advanced { format!("{ADDRESS}?advanced") } else { ADDRESS.to_owned() };
    Ok((StatusCode::FOUND, [(header::LOCATION, back)]).into_response())
}

fn show(shared: &Shared, facts: &Facts, form: Form) -> String {
    let title = format!("{} Fair Scheduler Administration", shared.identity.host);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    if let Some(problem) = shared.allocation_problem() {
        page.heading(2, "The allocation file cannot be used; the allocations are as they were before");
        page.fact("Reason", problem);
    }
    page.heading(2, "Pools");
    let mut pools: Vec<&PoolView> = facts.fair.pools.iter().collect();
    pools.sort_by_key(|pool| (pool.name == DEFAULT_POOL, pool.name.clone()));
    page.table(POOL_HEAD, pools.iter().map(|pool| pool_row(pool)).collect());
    if pools.iter().any(|pool| is_inverted(pool.maps) || is_inverted(pool.reduces)) {
        page.fact("*", "the pool's most is less than its minimum, and counts for both");
    }
    page.heading(2, "Running Jobs");
    let names: Vec<&str> = facts.fair.pools.iter().map(|pool| pool.name.as_str()).collect();
    let rows = facts.jobs.iter().map(|(fair, job)| {
        let mode = pools.iter().find(|pool| pool.name == fair.pool).map_or(PoolMode::Fair, |pool| pool.mode);
        job_row(fair, job, mode, &names, form)
    });
    page.table(&job_head(form), rows.collect());
    let other = match form.advanced {
        true => (ADDRESS, "Basic view"),
        false => ("/scheduler?advanced", "Advanced view"),
    };
    page.finish(&[other, ("jobtracker.jsp", "Go back to JobTracker")])
}

fn is_inverted(shares: PoolShareView) -> bool {
    shares.max_share.is_some_and(|most| most < shares.min_share)
}

fn pool_row(pool: &PoolView) -> Vec<Cell> {
    let shares = |shares: PoolShareView| -> [Cell; 4] {
        let most = shares.max_share.map_or_else(|| "-".to_owned(), |most| most.to_string());
        let star = if is_inverted(shares) { "*" } else { "" };
        let fair = format!("{:.1}", shares.fair_share);
        [shares.min_share.into(), format!("{most}{star}").into(), shares.running.into(), fair.into()]
    };
    let mut row: Vec<Cell> = vec![(&pool.name).into(), pool.jobs.into()];
    row.extend(shares(pool.maps));
    row.extend(shares(pool.reduces));
    row.push(pool.mode.name().into());
    row
}

fn job_head(form: Form) -> Vec<&'static str> {
    let mut head = vec!["Submitted", "JobID", "User", "Name", "Pool", "Priority"];
    for [finished, running, share, weight] in [
        ["Finished Maps", "Running Maps", "Map Fair Share", "Map Weight"],
        ["Finished Reduces", "Running Reduces", "Reduce Fair Share", "Reduce Weight"],
    ] {
        head.extend([finished, running, share]);
        head.extend(form.advanced.then_some(weight));
    }
    head
}

fn job_row(fair: &FairJobView, job: &JobView, mode: PoolMode, pools: &[&str], form: Form) -> Vec<Cell> {
    let status = &job.status;
    let submitted = Local.timestamp_millis_opt(status.start_time).earliest();
    let mut row: Vec<Cell> = vec![
        submitted.map(|time| time.format("%b %d, %H:%M").to_string()).unwrap_or_default().into(),
        link(format!("jobdetails.jsp?jobid={}", fair.job), &fair.job),
        (&status.user).into(),
        (&job.profile.name).into(),
        choice("setPool", pools, &fair.pool, fair, form),
        choice("setPriority", &PRIORITIES.map(JobPriority::name), status.priority.name(), fair, form),
    ];
    for (counts, shares) in [(&job.maps, fair.maps), (&job.reduces, fair.reduces)] {
        row.push(format!("{} / {}", counts.finished, counts.total).into());
        row.push(shares.running.into());
        row.push(share(shares, mode).into());
        row.extend(form.advanced.then(|| Cell::from(format!("{:.1}", shares.weight))));
    }
    row
}

/// In a FIFO pool jobs have no shares.
fn share(shares: FairShareView, mode: PoolMode) -> String {
    match mode {
        PoolMode::Fair => format!("{:.1}", shares.fair_share),
        PoolMode::Fifo => NO_SHARE.to_owned(),
    }
}

const PRIORITIES: [JobPriority; 5] =
    [JobPriority::VeryLow, JobPriority::Low, JobPriority::Normal, JobPriority::High, JobPriority::VeryHigh];

/// A text, or what it may be changed to.
fn choice(name: &str, values: &[&str], current: &str, job: &FairJobView, form: Form) -> Cell {
    if !form.actions {
        return current.into();
    }
    let advanced = form.advanced.then(|| ("advanced".to_owned(), String::new()));
    Cell::Choice(Choice {
        address: ADDRESS.to_owned(),
        name: name.to_owned(),
        values: values.iter().map(ToString::to_string).collect(),
        current: current.to_owned(),
        beside: [("jobid".to_owned(), job.job.to_string())].into_iter().chain(advanced).collect(),
    })
}
