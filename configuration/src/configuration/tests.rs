//! Finals, names old and new, order, variables, lenient and strict readers, and Java's own file.

use super::*;
use crate::keys;

fn resource(conf: &mut Configuration, source: &str, properties: &[(&str, &str, bool)]) {
    let mut text = String::from("<configuration>");
    for (name, value, is_final) in properties {
        let mark = if *is_final { "<final>true</final>" } else { "" };
        text += &format!("<property><name>{name}</name><value>{value}</value>{mark}</property>");
    }
    text += "</configuration>";
    conf.add_resource(source, text.as_bytes()).unwrap();
}

#[test]
fn final_holds_against_resources_and_not_against_code() {
    let mut conf = Configuration::new();
    resource(&mut conf, "mapred-site.xml", &[("io.sort.mb", "50", true), ("io.sort.factor", "20", false)]);
    resource(&mut conf, "job.xml", &[("io.sort.mb", "99", false), ("io.sort.factor", "30", false)]);
    resource(&mut conf, "job.xml", &[("mapreduce.task.io.sort.mb", "98", false)]);
    assert_eq!(conf.get(&keys::IO_SORT_MB).unwrap(), 50);
    assert_eq!(conf.get(&keys::IO_SORT_FACTOR).unwrap(), 30);
    conf.set("io.sort.mb", "7");
    assert_eq!(conf.get(&keys::IO_SORT_MB).unwrap(), 7);
}

#[test]
fn a_final_later_name_holds_against_the_old_one() {
    let mut conf = Configuration::new();
    resource(&mut conf, "mapred-site.xml", &[("mapreduce.task.io.sort.mb", "50", true)]);
    resource(&mut conf, "job.xml", &[("io.sort.mb", "99", false)]);
    assert_eq!(conf.get(&keys::IO_SORT_MB).unwrap(), 50);
}

#[test]
fn both_names_work_and_the_old_one_wins() {
    let mut conf = Configuration::new();
    conf.set("mapreduce.task.timeout", "5000");
    assert_eq!(conf.get(&keys::MAPRED_TASK_TIMEOUT).unwrap(), 5000);
    conf.set("mapred.task.timeout", "7000");
    assert_eq!(conf.get(&keys::MAPRED_TASK_TIMEOUT).unwrap(), 7000);
    assert_eq!(conf.text("mapred.task.timeout").unwrap().as_deref(), Some("7000"));
}

#[test]
fn a_default_files_value_does_not_hide_a_later_name() {
    let text = b"<configuration><property><!--Loaded from mapred-default.xml--><name>io.sort.mb</name><value>100</value></property>\
        <property><!--Loaded from Unknown--><name>mapreduce.task.io.sort.mb</name><value>40</value></property></configuration>";
    let conf = Configuration::from_bytes("job.xml", text).unwrap();
    assert_eq!(conf.get(&keys::IO_SORT_MB).unwrap(), 40);
}

#[test]
fn what_children_must_read_alike_changes_name_at_submission_only() {
    let mut conf = Configuration::new();
    conf.set("mapreduce.job.reduces", "3");
    assert_eq!(conf.get(&keys::MAPRED_REDUCE_TASKS).unwrap(), 1);
    conf.use_old_names();
    assert_eq!(conf.get(&keys::MAPRED_REDUCE_TASKS).unwrap(), 3);
    conf.set("mapreduce.job.reduces", "4");
    conf.use_old_names();
    assert_eq!(conf.get(&keys::MAPRED_REDUCE_TASKS).unwrap(), 3);
}

#[test]
fn variables_look_at_system_properties_first() {
    let mut conf = Configuration::new();
    conf.set("user.name", "from.conf");
    assert_eq!(conf.get(&keys::HADOOP_TMP_DIR).unwrap(), "/tmp/hadoop-from.conf");
    conf.set_system_property("user.name", "ada");
    assert_eq!(conf.get(&keys::MAPRED_SYSTEM_DIR).unwrap(), "/tmp/hadoop-ada/mapred/system");
    conf.set("a", "${b}");
    conf.set("b", "${a}");
    let message = conf.text("a").unwrap_err().to_string();
    assert!(message.contains("a is \"${b}\"") && message.contains("name each other"), "{message}");
}

#[test]
fn strict_readers_refuse_what_lenient_ones_pass_over() {
    let mut conf = Configuration::new();
    conf.set_from("mapred.map.max.attempts", "many", "job.xml");
    assert_eq!(conf.get_or(&keys::MAPRED_MAP_MAX_ATTEMPTS, 9), 4);
    let message = conf.get(&keys::MAPRED_MAP_MAX_ATTEMPTS).unwrap_err().to_string();
    assert_eq!(message, "job.xml: mapred.map.max.attempts is \"many\"; expected a whole number, 1 or more");
    conf.set("mapred.map.max.attempts", " 6 ");
    assert_eq!(conf.get(&keys::MAPRED_MAP_MAX_ATTEMPTS).unwrap(), 6);
    assert_eq!(conf.get_or(&keys::MAPRED_MAP_MAX_ATTEMPTS, 9), 4);
    let message = conf.get(&keys::MAPRED_JAR).unwrap_err().to_string();
    assert_eq!(message, "mapred.jar is not set; set it in mapred-site.xml to a path");
}

#[test]
fn times_and_sizes_know_their_units() {
    let mut conf = Configuration::new();
    assert_eq!(conf.duration(&keys::MAPRED_USERLOG_RETAIN_HOURS).unwrap(), Duration::from_secs(24 * 3600));
    assert_eq!(conf.duration(&keys::MAPRED_TASK_TIMEOUT).unwrap(), Duration::from_secs(600));
    assert_eq!(conf.bytes(&keys::IO_SORT_MB).unwrap(), 100 << 20);
    assert_eq!(conf.bytes(&keys::MAPRED_CLUSTER_MAP_MEMORY_MB).unwrap(), -1);
    conf.set_key(&keys::IPC_CLIENT_CONNECTION_MAXIDLETIME, -5);
    let message = conf.duration(&keys::IPC_CLIENT_CONNECTION_MAXIDLETIME).unwrap_err().to_string();
    assert!(message.ends_with("is \"-5\"; expected a whole number, 0 or more"), "{message}");
}

#[test]
fn keys_with_a_part_of_the_users() {
    let mut conf = Configuration::new();
    conf.set("mapred.queue.prod.state", "STOPPED");
    assert_eq!(conf.get_for(&keys::MAPRED_QUEUE_STATE, "prod").unwrap().as_deref(), Some("STOPPED"));
    assert_eq!(conf.get_for(&keys::MAPRED_QUEUE_STATE, "test").unwrap().as_deref(), Some("RUNNING"));
}

#[test]
fn writes_the_bytes_that_java_writes() {
    let vector = include_bytes!("../../tests/conf.xml");
    assert_eq!(Configuration::from_bytes("conf.xml", vector).unwrap().to_xml(), vector);
    let mut conf = Configuration::new();
    for (name, value) in [("c", "5"), ("b.key", "plain"), ("a.key", "1 < 2 & \"q\"")] {
        conf.set(name, value);
    }
    assert_eq!(String::from_utf8(conf.to_xml()).unwrap(), String::from_utf8(vector.to_vec()).unwrap());
}

#[test]
fn order_survives_a_removal() {
    let mut conf = Configuration::new();
    for name in ["a", "b", "c"] {
        conf.set(name, name);
    }
    conf.unset("a");
    conf.set("c", "3");
    conf.set("a", "1");
    let stored: Vec<_> = conf.iter().map(|entry| (entry.name.as_str(), entry.value.as_str())).collect();
    assert_eq!(stored, [("b", "b"), ("c", "3"), ("a", "1")]);
}

#[test]
fn untyped_readers_see_the_default_files_and_no_more() {
    let conf = Configuration::new();
    assert_eq!(conf.raw("io.sort.mb"), Some("100"));
    assert_eq!(conf.raw("mapred.mapper.class"), None);
    assert!(conf.with_defaults().any(|(name, _, source)| name == "io.sort.mb" && source == "mapred-default.xml"));
    assert!(conf.with_defaults().any(|(name, _, source)| name == "fs.default.name" && source == "core-default.xml"));
}

#[test]
fn a_job_file_may_not_include_files() {
    let text = b"<configuration><include href=\"/etc/shadow\"/></configuration>";
    let message = Configuration::from_bytes("job.xml", text).unwrap_err().to_string();
    assert!(message.contains("only site files may include"), "{message}");
}
