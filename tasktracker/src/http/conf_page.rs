//! `/conf`: the daemon's configuration (Hadoop 1.2.1: conf.ConfServlet).

use configuration::Configuration;
use hyper::StatusCode;

use super::reply::{Reply, error, page, parameter};

/// Answers a request: XML, or JSON with `format=json`.
pub(super) fn answer(conf: &Configuration, query: &str) -> Reply {
    match parameter(query, "format").as_deref() {
        None | Some("xml") => page("text/xml; charset=utf-8", conf.to_xml_with_defaults()),
        Some("json") => page("application/json; charset=utf-8", json(conf)),
        Some(other) => error(StatusCode::BAD_REQUEST, "/conf", &format!("Bad format: {other}")),
    }
}

fn json(conf: &Configuration) -> String {
    let properties = conf.with_defaults().map(|(name, raw, source)| {
        let value = conf.expand(raw).unwrap_or_else(|_| raw.to_owned());
        let is_final = conf.is_final(name);
        let [name, value, source] = [name, &value, source].map(quoted);
        format!("{{\"key\":{name},\"value\":{value},\"isFinal\":{is_final},\"resource\":{source}}}")
    });
    format!("{{\"properties\":[{}]}}", properties.collect::<Vec<_>>().join(","))
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_expanded_in_json_and_raw_in_xml() {
        let mut conf = Configuration::new();
        conf.set("a", "say \"hi\"\n");
        conf.set("b", "${a}");
        let text = json(&conf);
        assert!(
            text.contains(r#"{"key":"b","value":"say \"hi\"\u000a","isFinal":false,"resource":"Unknown"}"#),
            "{text}"
        );
        assert_eq!(answer(&conf, "format=foo").status(), StatusCode::BAD_REQUEST);
    }
}
