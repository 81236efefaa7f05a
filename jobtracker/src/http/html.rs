//! HTML by hand: a page is built from headings, facts and tables, and every text goes in escaped. Numbers, times and
//! durations are written as in Hadoop's reports.

pub(super) use job_history::grouped;
use job_history::{Zone, time_difference, time_with_difference};
use types::Millis;

/// A page that is being written.
pub(super) struct Page {
    out: String,
}

/// What a table's cell holds.
pub(super) enum Cell {
    /// A text.
    Text(String),
    /// A text that keeps its line breaks.
    Lines(String),
    /// Links: address and text.
    Links(Vec<(String, String)>),
    /// A text that may be changed.
    Choice(Choice),
}

/// A text with what it may be changed to. Choosing asks for `address` with the choice as parameter `name`, and with
/// those `beside` it.
pub(super) struct Choice {
    pub(super) address: String,
    pub(super) name: String,
    pub(super) values: Vec<String>,
    pub(super) current: String,
    pub(super) beside: Vec<(String, String)>,
}

impl<T: ToString> From<T> for Cell {
    fn from(value: T) -> Cell {
        Cell::Text(value.to_string())
    }
}

/// One link.
pub(super) fn link(address: impl Into<String>, text: impl ToString) -> Cell {
    Cell::Links(vec![(address.into(), text.to_string())])
}

/// Escapes what means something in HTML.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

impl Page {
    /// Starts a page; one that shows something running loads itself again after so many seconds.
    pub(super) fn new(title: &str, refresh_s: Option<u32>) -> Page {
        let title = escape(title);
        let refresh = refresh_s.map(|s| format!("<meta http-equiv=\"refresh\" content=\"{s}\">\n")).unwrap_or_default();
        Page {
            out: format!(
                "<!DOCTYPE html>\n<html>\n<head>\n{refresh}<title>{title}</title>\n\
                 <link rel=\"stylesheet\" type=\"text/css\" href=\"/static/hadoop.css\">\n</head>\n<body>\n"
            ),
        }
    }

    /// A heading.
    pub(super) fn heading(&mut self, level: u8, text: &str) {
        self.out.push_str(&format!("<h{level}>{}</h{level}>\n", escape(text)));
    }

    /// A heading that a link may point at.
    pub(super) fn section(&mut self, id: &str, text: &str) {
        self.out.push_str(&format!("<h2 id=\"{}\">{}</h2>\n", escape(id), escape(text)));
    }

    /// A line `Name: value`.
    pub(super) fn fact(&mut self, name: &str, value: impl Into<Cell>) {
        self.out.push_str(&format!("<b>{}:</b> ", escape(name)));
        self.cell(&value.into());
        self.out.push_str("<br>\n");
    }

    /// A table, or the word `none` where it has no rows.
    pub(super) fn table(&mut self, head: &[&str], rows: Vec<Vec<Cell>>) {
        if rows.is_empty() {
            self.out.push_str("<p>none</p>\n");
            return;
        }
        self.out.push_str("<table border=\"1\" cellpadding=\"5\" cellspacing=\"0\">\n<tr>");
        for name in head {
            self.out.push_str(&format!("<th>{}</th>", escape(name)));
        }
        self.out.push_str("</tr>\n");
        for row in rows {
            self.out.push_str("<tr>");
            for cell in row {
                self.out.push_str("<td>");
                self.cell(&cell);
                self.out.push_str("</td>");
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</table>\n");
    }

    fn cell(&mut self, cell: &Cell) {
        match cell {
            Cell::Text(text) => self.out.push_str(&escape(text)),
            Cell::Lines(text) if text.is_empty() => (),
            Cell::Lines(text) => self.out.push_str(&format!("<pre>{}</pre>", escape(text))),
            Cell::Choice(choice) => self.choice(choice),
            Cell::Links(links) => {
                let links = links.iter().map(|(to, text)| format!("<a href=\"{}\">{}</a>", escape(to), escape(text)));
                self.out.push_str(&links.collect::<Vec<_>>().join("<br>"));
            }
        }
    }

    fn choice(&mut self, choice: &Choice) {
        self.out.push_str(&format!("<form method=\"get\" action=\"{}\">", escape(&choice.address)));
        for (name, value) in &choice.beside {
            let (name, value) = (escape(name), escape(value));
            self.out.push_str(&format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">"));
        }
        let name = escape(&choice.name);
        self.out.push_str(&format!("<select name=\"{name}\" onchange=\"this.form.submit()\">"));
        for value in &choice.values {
            let selected = if *value == choice.current { " selected" } else { "" };
            let value = escape(value);
            self.out.push_str(&format!("<option value=\"{value}\"{selected}>{value}</option>"));
        }
        self.out.push_str("</select></form>");
    }

    /// Ends the page, with links back.
    pub(super) fn finish(mut self, back: &[(&str, &str)]) -> String {
        for (address, text) in back {
            self.out.push_str(&format!("<p><a href=\"{}\">{}</a></p>\n", escape(address), escape(text)));
        }
        self.out.push_str("<hr>\n<p>Howdah, a JobTracker compatible with Hadoop 1.2.1</p>\n</body>\n</html>\n");
        self.out
    }
}

/// `12.34%` of a share between 0 and 1.
pub(super) fn percent(share: f32) -> String {
    format!("{:.2}%", share * 100.0)
}

/// `30-Nov-2026 23:38:20`; nothing for a time that did not come yet.
pub(super) fn time(at: Millis) -> String {
    time_and_duration(at, 0)
}

/// `1hrs, 2mins, 3sec`.
pub(super) fn duration(ms: Millis) -> String {
    time_difference(0, ms.max(0))
}

/// A time and how long it took to get there: `30-Nov-2026 23:38:23 (3sec)`.
pub(super) fn time_and_duration(at: Millis, since: Millis) -> String {
    time_with_difference(Zone::Local, at.max(0), since.max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let mut page = Page::new("<b>", None);
        page.fact("a<", "\"&'");
        page.table(&["<h>"], vec![vec![Cell::Lines("<i>".into()), link("x?a=1&b='", "<u>")]]);
        let html = page.finish(&[]);
        for bad in ["<b>\n", "<i>", "<u>", "<h>", "b='"] {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
        assert!(html.contains("&quot;&amp;&#39;"), "{html}");
    }

    #[test]
    fn numbers_and_durations_are_hadoops() {
        assert_eq!(duration(16_999), "16sec");
        assert_eq!(duration(62_000), "1mins, 2sec");
        assert_eq!(duration(3_600_000), "1hrs, 0sec");
        assert_eq!(percent(0.1056), "10.56%");
        assert_eq!(time(0), "");
    }
}
