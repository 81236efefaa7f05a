//! Patterns that count as the same natively find what Java finds.

use twins::java_regex;

#[test]
fn matches_equal_javas() {
    let cases = include_str!("regex_cases.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut compared = 0;
    for case in cases {
        let columns: Vec<String> = case.split('\t').map(|column| column.replace("\\u000a", "\n")).collect();
        let group = columns[1].parse().unwrap();
        let Ok(pattern) = java_regex::compile(&columns[0], group) else { continue };
        let found = pattern.captures_iter(&columns[2]).map(|captures| {
            let text = captures.get(group).map_or("null", |found| found.as_str());
            format!("<{text}>")
        });
        assert_eq!(found.collect::<String>(), columns[3], "{case}");
        compared += 1;
    }
    assert!(compared > 100, "only {compared} patterns have a twin");
}
