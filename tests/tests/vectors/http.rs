//! Requests for map output as Hadoop's reduces send them and its TaskTrackers answer them.

use serde_json::Value;
use wire::shuffle::{self, MapOutputRequest};

use super::{hex, text, unhex, vector_json};

fn captures() -> Vec<Value> {
    vector_json("captures/raw-http.json").as_array().expect("an array").clone()
}

fn event(capture: &Value, dir: &str) -> String {
    let events = capture["events"].as_array().expect("events");
    let event = events.iter().find(|event| text(event, "dir") == dir).expect("an event");
    String::from_utf8_lossy(&hex(event, "hex")).into_owned()
}

fn header<'a>(message: &'a str, name: &str) -> Option<&'a str> {
    message.lines().filter_map(|line| line.split_once(": ")).find(|(key, _)| *key == name).map(|(_, value)| value)
}

#[test]
fn hashes_equal_hadoops() {
    let inputs = captures().into_iter().find(|capture| capture["msg"].is_string()).expect("the inputs of hashes");
    let password = unhex(text(&inputs, "jobTokenPassword"));
    let message = text(&inputs, "msg");
    let (port, uri) = message.split_at(message.find('/').expect("a path"));
    let proof = shuffle::url_hash(&password, port.parse().expect("a port"), uri);
    assert_eq!(proof, text(&inputs, "urlHash"));
    assert_eq!(shuffle::reply_hash(&password, &proof), text(&inputs, "replyHash"));
}

#[test]
fn requests_are_read_and_written_back_or_refused_in_hadoops_words() {
    let mut read = 0;
    for capture in captures().iter().filter(|capture| capture["events"].is_array()) {
        let name = text(capture, "name");
        let (request, reply) = (event(capture, "C"), event(capture, "S"));
        let uri = request.split(' ').nth(1).expect("a request line");
        let Some(query) = uri.strip_prefix(shuffle::PATH) else { continue };
        let query = query.strip_prefix('?').expect("a query");
        match MapOutputRequest::parse_query(query) {
            Ok(request) => {
                assert_eq!(request.uri(), uri, "{name}");
                read += 1;
            }
            Err(error) => {
                let status = reply.lines().next().unwrap_or_default();
                assert_eq!(status, format!("HTTP/1.1 500 {error}"), "{name}");
            }
        }
        if name == "mapOutput_ok" {
            check_reply_headers(query, &reply);
        }
    }
    assert_eq!(read, 5);
}

fn check_reply_headers(query: &str, reply: &str) {
    let request = MapOutputRequest::parse_query(query).expect("a request");
    assert_eq!(header(reply, shuffle::FROM_MAP_TASK), Some(request.map.to_string().as_str()));
    assert_eq!(header(reply, shuffle::FOR_REDUCE_TASK), Some("0"));
    assert_eq!(header(reply, shuffle::RAW_LENGTH), Some("1502"));
    assert_eq!(header(reply, shuffle::PART_LENGTH), Some("1506"));
    assert!(header(reply, shuffle::REPLY_HASH).is_some());
}
