//! The generic options, which stand before a command's own: `-D -conf -fs -jt -files -libjars -archives
//! -tokenCacheFile` (Hadoop 1.2.1: util.GenericOptionsParser).

use std::path::PathBuf;

use configuration::Overrides;

/// The text about generic options that commands print with their usage.
pub(crate) const GENERIC_USAGE: &str = "\
Generic options supported are
-conf <configuration file>     specify an application configuration file
-D <property=value>            use value for given property
-fs <local|namenode:port>      specify a namenode
-jt <local|jobtracker:port>    specify a job tracker
-files <comma separated list of files>    specify comma separated files to be copied to the map reduce cluster
-libjars <comma separated list of jars>    specify comma separated jar files to include in the classpath.
-archives <comma separated list of archives>    specify comma separated archives to be unarchived on the compute machines.

The general command line syntax is
bin/hadoop command [genericOptions] [commandOptions]

";

/// What the generic options say.
#[derive(Debug, Default)]
pub(crate) struct GenericOptions {
    pub(crate) fs: Option<String>,
    pub(crate) jt: Option<String>,
    pub(crate) conf: Vec<PathBuf>,
    pub(crate) properties: Vec<(String, String)>,
    pub(crate) files: Option<String>,
    pub(crate) libjars: Option<String>,
    pub(crate) archives: Option<String>,
    pub(crate) token_cache_file: Option<String>,
}

impl GenericOptions {
    /// Reads the options at the front; what is left belongs to the command. A property without `=` is ignored, as
    /// Hadoop ignores it.
    pub(crate) fn parse(args: &[String]) -> (Self, &[String]) {
        let mut options = GenericOptions::default();
        let mut rest = args;
        while let Some((first, after)) = rest.split_first() {
            if let Some(joined) = first.strip_prefix("-D").filter(|joined| !joined.is_empty()) {
                options.property(joined);
                rest = after;
                continue;
            }
            let Some((value, after)) = after.split_first() else { break };
            match first.as_str() {
                "-D" => options.property(value),
                "-fs" => options.fs = Some(value.clone()),
                "-jt" => options.jt = Some(value.clone()),
                "-conf" => options.conf.push(value.into()),
                "-files" => options.files = Some(value.clone()),
                "-libjars" => options.libjars = Some(value.clone()),
                "-archives" => options.archives = Some(value.clone()),
                "-tokenCacheFile" => options.token_cache_file = Some(value.clone()),
                _ => break,
            }
            rest = after;
        }
        (options, rest)
    }

    fn property(&mut self, text: &str) {
        if let Some((name, value)) = text.split_once('=') {
            self.properties.push((name.to_owned(), value.to_owned()));
        }
    }

    /// What of this goes into the configuration as it is loaded. A file of `-conf` that is not there is ignored, as
    /// Hadoop ignores it.
    pub(crate) fn overrides(&self, fs_key: &str, jt_key: &str) -> Overrides {
        let named = [(fs_key, &self.fs), (jt_key, &self.jt)];
        let named = named.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)));
        Overrides {
            files: self.conf.iter().filter(|file| file.exists()).cloned().collect(),
            properties: named.chain(self.properties.iter().cloned()).collect(),
            system: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn generic_options_end_at_the_first_that_is_none() {
        let args = words("-D a=b=c -Dd=e -D nonsense -jt h:1 -files x,y -list -D f=g");
        let (options, rest) = GenericOptions::parse(&args);
        assert_eq!(rest, words("-list -D f=g"));
        assert_eq!(options.properties, [("a".into(), "b=c".into()), ("d".into(), "e".into())]);
        assert_eq!(options.files.as_deref(), Some("x,y"));
        let overrides = options.overrides("fs", "jt");
        assert_eq!(overrides.properties[0], ("jt".into(), "h:1".into()));
    }

    #[test]
    fn an_option_without_its_value_is_left_to_the_command() {
        let args = words("-D a=b -fs");
        let (options, rest) = GenericOptions::parse(&args);
        assert_eq!((options.fs, rest), (None, &args[2..]));
    }
}
