//! `jobhistoryhome.jsp`: the jobs that are over, newest first, page by page, by user, words of their names, and day.

use std::collections::BTreeMap;

use axum::extract::{Query, State};
use chrono::{Local, TimeZone};
use storage::Path;
use types::Millis;
use wire::history::{HistoryFileName, parse_job_file_name, url_encode};

use super::super::html::{Cell, Page, link};
use super::super::{PageResult, Parameters, Site, html_answer};
use super::files::{blocking, done_files};
use super::history_link;

/// Jobs on a page.
const PAGE_JOBS: usize = 100;

/// What is looked for: `[user][:words of the job's name][;MM/DD/YYYY]`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Search {
    user: String,
    words: Vec<String>,
    day: String,
}

impl Search {
    fn parse(text: &str) -> Search {
        let (rest, day) = text.split_once(';').unwrap_or((text, ""));
        let (user, words) = rest.split_once(':').unwrap_or((rest, ""));
        let words = words.split_whitespace().map(str::to_lowercase).collect();
        Search { user: user.trim().to_owned(), words, day: day.trim().to_owned() }
    }

    fn finds(&self, file: &HistoryFileName) -> bool {
        let name = file.job_name.to_lowercase();
        (self.user.is_empty() || self.user.eq_ignore_ascii_case(&file.user))
            && self.words.iter().all(|word| name.contains(word))
            && (self.day.is_empty() || self.day == local(file.submit_time, "%m/%d/%Y"))
    }
}

fn local(time: Millis, format: &str) -> String {
    let date = Local.timestamp_millis_opt(time).earliest();
    date.map(|date| date.format(format).to_string()).unwrap_or_default()
}

/// Answers the page.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let search = parameters.get("search").cloned().unwrap_or_default();
    let files = {
        let shared = shared.clone();
        blocking(move || done_files(&shared)).await?
    };
    let named = files.into_iter().filter_map(|path| Some((parse_job_file_name(path.name())?, path)));
    let wanted = Search::parse(&search);
    let mut jobs: Vec<(HistoryFileName, Path)> = named.filter(|(name, _)| wanted.finds(name)).collect();
    jobs.sort_by(|(one, _), (other, _)| (other.submit_time, &other.job).cmp(&(one.submit_time, &one.job)));
    let title = format!("{} Hadoop Map/Reduce History Viewer", shared.identity.host);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    page.fact("Filter", "[user][:jobname keyword(s)][;MM/DD/YYYY], for example smith:sort;07/04/2010");
    if !search.is_empty() {
        page.fact("Shown", format!("only {search}"));
    }
    let shown = shown_part(&parameters, jobs.len());
    page.heading(2, "Available Jobs in History");
    let (first, last) = (if jobs.is_empty() { 0 } else { shown.start + 1 }, shown.end);
    page.fact("Displaying", format!("{} jobs from {first} to {last} out of {} jobs", shown.len(), jobs.len()));
    page.fact("Pages", pages(jobs.len(), &search));
    let rows = jobs[shown].iter().map(|(name, path)| row(name, &path.to_string())).collect();
    page.table(&["Job submit time", "Job Id", "Name", "User"], rows);
    html_answer(page.finish(&[("jobtracker.jsp", "Go back to JobTracker")]))
}

/// Which of the jobs: page `pageno` from 1, or all with -1, as 1.2.1's "show in one page" has it.
fn shown_part(parameters: &BTreeMap<String, String>, jobs: usize) -> std::ops::Range<usize> {
    let number: i64 = parameters.get("pageno").and_then(|text| text.parse().ok()).unwrap_or(1);
    if number == -1 {
        return 0..jobs;
    }
    let last_page = jobs.div_ceil(PAGE_JOBS).max(1);
    let index = usize::try_from(number - 1).unwrap_or(0).min(last_page - 1);
    index * PAGE_JOBS..((index + 1) * PAGE_JOBS).min(jobs)
}

fn pages(jobs: usize, search: &str) -> Cell {
    let to = |number: i64| format!("jobhistoryhome.jsp?pageno={number}&search={}", url_encode(search));
    let mut links: Vec<(String, String)> =
        (1..=jobs.div_ceil(PAGE_JOBS).max(1)).map(|n| (to(n as i64), n.to_string())).collect();
    links.push((to(-1), "show in one page".to_owned()));
    Cell::Links(links)
}

fn row(name: &HistoryFileName, log_file: &str) -> Vec<Cell> {
    vec![
        local(name.submit_time, "%a %b %d %H:%M:%S %Y").into(),
        history_link("jobdetailshistory.jsp", log_file, "", &name.job),
        (&name.job_name).into(),
        link(format!("jobhistoryhome.jsp?pageno=1&search={}", url_encode(&name.user)), &name.user),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_has_a_user_words_and_a_day_each_of_which_may_be_left_out() {
        let name = parse_job_file_name("job_202611302334_0001_1796081897938_root_word+count").unwrap();
        let day = local(name.submit_time, "%m/%d/%Y");
        for text in ["", "root", "ROOT:count Word", ":word", &format!(";{day}"), &format!("root:word;{day}")] {
            assert!(Search::parse(text).finds(&name), "{text:?}");
        }
        for text in ["bob", "root:sort", ":word sort", ";07/04/2010", "roo"] {
            assert!(!Search::parse(text).finds(&name), "{text:?}");
        }
    }

    #[test]
    fn pages_hold_a_hundred_jobs() {
        let of = |page: &str, jobs| shown_part(&BTreeMap::from([("pageno".to_owned(), page.to_owned())]), jobs);
        assert_eq!((of("1", 250), of("3", 250), of("9", 250)), (0..100, 200..250, 200..250));
        assert_eq!((of("-1", 250), of("x", 5), of("1", 0), of("0", 5)), (0..250, 0..5, 0..0, 0..5));
    }
}
