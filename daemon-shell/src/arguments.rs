//! Java's system properties among the arguments: scripts of Hadoop's pass them to every daemon.

/// The name and value of `-Dname=value`; a property without a value has an empty one. `None` for another word.
pub fn system_property(argument: &str) -> Option<(String, String)> {
    let property = argument.strip_prefix("-D")?;
    let (name, value) = property.split_once('=').unwrap_or((property, ""));
    Some((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_may_lack_a_value_and_have_an_equals_sign_in_it() {
        let property = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        assert_eq!(system_property("-Da=b=c"), property("a", "b=c"));
        assert_eq!(system_property("-Dproc_jobtracker"), property("proc_jobtracker", ""));
        assert_eq!(system_property("org.apache.hadoop.mapred.JobTracker"), None);
    }
}
