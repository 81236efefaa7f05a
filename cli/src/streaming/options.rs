//! The options of a streaming job (Hadoop 1.2.1: StreamJob.setupOptions, parseArgv).

use std::path::Path;

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) inputs: Vec<String>,
    pub(super) output: String,
    pub(super) mapper: Option<String>,
    pub(super) combiner: Option<String>,
    pub(super) reducer: Option<String>,
    pub(super) files: Vec<String>,
    pub(super) input_format: Option<String>,
    pub(super) output_format: Option<String>,
    pub(super) partitioner: Option<String>,
    pub(super) reduces: Option<String>,
    pub(super) input_reader: Option<String>,
    pub(super) environment: Vec<String>,
    pub(super) map_debug: Option<String>,
    pub(super) reduce_debug: Option<String>,
    pub(super) io: Option<String>,
    pub(super) properties: Vec<(String, String)>,
    pub(super) cache_files: Vec<String>,
    pub(super) cache_archives: Vec<String>,
    pub(super) conf_file: Option<String>,
    pub(super) default_fs: Option<String>,
    pub(super) job_tracker: Option<String>,
    /// What to say about options that are out of use.
    pub(super) deprecated: Vec<&'static str>,
}

/// Why there is no job.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The usage is to be shown.
    Arguments(String),
    /// The message is enough.
    File(String),
}

/// Options that take all words up to the next option.
const MANY: [&str; 4] = ["-input", "-file", "-cacheFile", "-cacheArchive"];
const FLAGS: [&str; 4] = ["-verbose", "-info", "-help", "-debug"];

impl Options {
    /// Reads the command line.
    pub(super) fn parse(args: &[String]) -> Result<Self, Problem> {
        let mut options = Options::default();
        let mut output = None;
        let mut words = args.iter().map(String::as_str).peekable();
        while let Some(word) = words.next() {
            let unrecognized = || Problem::Arguments(format!("Unrecognized option: {word}"));
            if FLAGS.contains(&word) {
                continue;
            }
            if !word.starts_with('-') || word == "-" {
                continue; // Words that belong to no option are ignored, as Hadoop ignores them.
            }
            if !MANY.contains(&word) && !takes_one(word) {
                return Err(unrecognized());
            }
            let value = words
                .next()
                .ok_or_else(|| Problem::Arguments(format!("Missing argument for option: {}", &word[1..])))?;
            options.take(word, value, &mut output);
            while MANY.contains(&word) {
                match words.next_if(|next| !next.starts_with('-')) {
                    Some(next) => options.take(word, next, &mut output),
                    None => break,
                }
            }
        }
        options.require(output)?;
        options.check_files()?;
        Ok(options)
    }

    fn take(&mut self, word: &str, value: &str, output: &mut Option<String>) {
        let value = value.to_owned();
        match word {
            "-input" => self.inputs.push(value),
            "-output" => *output = Some(value),
            "-mapper" => self.mapper = Some(value),
            "-combiner" => self.combiner = Some(value),
            "-reducer" => self.reducer = Some(value),
            "-file" => self.files.push(value),
            "-inputformat" => self.input_format = Some(value),
            "-outputformat" => self.output_format = Some(value),
            "-partitioner" => self.partitioner = Some(value),
            "-numReduceTasks" => self.reduces = Some(value),
            "-inputreader" => self.input_reader = Some(value),
            "-cmdenv" => self.environment.push(value),
            "-mapdebug" => self.map_debug = Some(value),
            "-reducedebug" => self.reduce_debug = Some(value),
            "-io" => self.io = Some(value),
            "-jobconf" => {
                self.deprecate("-jobconf option is deprecated, please use -D instead.");
                let (name, value) = value.split_once('=').unwrap_or((&value, ""));
                self.properties.push((name.to_owned(), value.to_owned()));
            }
            "-cacheFile" => {
                self.deprecate("-cacheFile option is deprecated, please use -files instead.");
                self.cache_files.push(value);
            }
            "-cacheArchive" => {
                self.deprecate("-cacheArchive option is deprecated, please use -archives instead.");
                self.cache_archives.push(value);
            }
            "-additionalconfspec" => {
                self.deprecate("-additionalconfspec option is deprecated, please use -conf instead.");
                self.conf_file = Some(value);
            }
            "-dfs" => {
                self.deprecate("-dfs option is deprecated, please use -fs instead.");
                self.default_fs = Some(value);
            }
            _ => self.job_tracker = Some(value),
        }
    }

    fn deprecate(&mut self, text: &'static str) {
        if !self.deprecated.contains(&text) {
            self.deprecated.push(text);
        }
    }

    fn require(&mut self, output: Option<String>) -> Result<(), Problem> {
        let missing: Vec<&str> = [("input", self.inputs.is_empty()), ("output", output.is_none())]
            .into_iter()
            .filter_map(|(name, missing)| missing.then_some(name))
            .collect();
        self.output = output.unwrap_or_default();
        match missing.len() {
            0 => Ok(()),
            1 => Err(Problem::Arguments(format!("Missing required option: {}", missing[0]))),
            _ => Err(Problem::Arguments(format!("Missing required options: {}", missing.join(", ")))),
        }
    }

    fn check_files(&self) -> Result<(), Problem> {
        match self.files.iter().find(|file| !is_readable(Path::new(file))) {
            None => Ok(()),
            Some(file) => {
                let path = std::path::absolute(file).unwrap_or_else(|_| file.into());
                Err(Problem::File(format!("File: {} does not exist, or is not readable.", path.display())))
            }
        }
    }
}

fn is_readable(path: &Path) -> bool {
    if path.is_dir() { path.read_dir().is_ok() } else { std::fs::File::open(path).is_ok() }
}

fn takes_one(word: &str) -> bool {
    matches!(
        word,
        "-output"
            | "-mapper"
            | "-combiner"
            | "-reducer"
            | "-inputformat"
            | "-outputformat"
            | "-partitioner"
            | "-numReduceTasks"
            | "-inputreader"
            | "-cmdenv"
            | "-mapdebug"
            | "-reducedebug"
            | "-io"
            | "-jobconf"
            | "-additionalconfspec"
            | "-dfs"
            | "-jt"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, Problem> {
        Options::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_as_hadoop_reads_them() {
        let options = parse("-input a b -input c -output o -mapper cat -verbose -cmdenv X=1 -jobconf k=v=w").unwrap();
        assert_eq!(options.inputs, ["a", "b", "c"]);
        assert_eq!((options.output.as_str(), options.mapper.as_deref()), ("o", Some("cat")));
        assert_eq!(options.environment, ["X=1"]);
        assert_eq!(options.properties, [("k".into(), "v=w".into())]);
        assert_eq!(options.deprecated.len(), 1);
    }

    #[test]
    fn what_is_missing_or_unknown_is_named_as_recorded() {
        let problem = |line: &str| match parse(line).unwrap_err() {
            Problem::Arguments(problem) | Problem::File(problem) => problem,
        };
        assert_eq!(problem("-help"), "Missing required options: input, output");
        assert_eq!(problem("-output x -mapper cat"), "Missing required option: input");
        assert_eq!(problem("-input x -mapper cat"), "Missing required option: output");
        assert_eq!(problem("-foo"), "Unrecognized option: -foo");
        assert_eq!(
            problem("-input x -output y -file /no/such/file"),
            "File: /no/such/file does not exist, or is not readable."
        );
    }
}
