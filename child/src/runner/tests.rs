//! Small jobs through the parts alone, with a sort in memory in place of the engine. The expected outputs are those of
//! Hadoop 1.2.1's own programs on the same input.

use std::sync::Arc;

use configuration::Configuration;
use storage::{LocalFileSystem, Path, Storage};

use super::library;
use crate::api::{
    Collector, FileSplit, Groups, InputSplit, Library, RawComparator, RecordWriter, Reporter, Result, TaskContext,
};

/// One file, as wordcount and streaming were given it.
const TEXT: &[u8] = b"the quick brown fox\r\njumps over\tthe lazy dog\n\xc3\xa9t\xc3\xa9 \xff bad\xe2\x82 utf\n\n  spaces  and the end\rmac line\nlast line without end";

type Record = (Vec<u8>, Vec<u8>);

#[derive(Default)]
struct Collected(Vec<Record>);

impl Collector for Collected {
    fn collect(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.0.push((key.to_vec(), value.to_vec()));
        Ok(())
    }
}

struct ToWriter<'a>(&'a mut dyn RecordWriter);

impl Collector for ToWriter<'_> {
    fn collect(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.0.write(key, value)
    }
}

/// Groups of a sorted list; both places count from 1 once they are in.
struct Sorted {
    groups: Vec<Vec<Record>>,
    group: usize,
    value: usize,
}

impl Sorted {
    fn new(mut records: Vec<Record>, order: &dyn RawComparator) -> Self {
        records.sort_by(|a, b| order.prefix(&a.0).cmp(&order.prefix(&b.0)).then_with(|| order.sort(&a.0, &b.0)));
        let mut groups: Vec<Vec<Record>> = Vec::new();
        for record in records {
            match groups.last_mut() {
                Some(group) if order.same_group(&group[group.len() - 1].0, &record.0) => group.push(record),
                _ => groups.push(vec![record]),
            }
        }
        Sorted { groups, group: 0, value: 0 }
    }
}

impl Groups for Sorted {
    fn next_group(&mut self) -> Result<bool> {
        self.group += 1;
        self.value = 0;
        Ok(self.group <= self.groups.len())
    }

    fn next_value(&mut self) -> Result<bool> {
        let more = self.value < self.groups[self.group - 1].len();
        self.value += usize::from(more);
        Ok(more)
    }

    fn key(&self) -> &[u8] {
        &self.groups[self.group - 1][self.value.max(1) - 1].0
    }

    fn value(&self) -> &[u8] {
        &self.groups[self.group - 1][self.value - 1].1
    }
}

/// A job of one map for each split and of the configured reduces.
struct Job {
    directory: tempfile::TempDir,
    conf: Configuration,
    reporter: Reporter,
}

impl Job {
    fn new(pairs: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut conf = Configuration::new();
        for (name, value) in pairs {
            conf.set(*name, *value);
        }
        std::fs::create_dir(directory.path().join("tmp")).unwrap();
        Job { directory, conf, reporter: Reporter::new() }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> FileSplit {
        let path = self.directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        FileSplit { path: Path::local(path), start: 0, length: bytes.len() as u64 }
    }

    fn context(&self, attempt: &str, partition: u32) -> TaskContext {
        TaskContext {
            conf: Arc::new(self.conf.clone()),
            storage: Arc::new(Storage::local(LocalFileSystem::new())),
            attempt: attempt.parse().unwrap(),
            partition,
            secret: Arc::from(&b"secret"[..]),
            work_dir: self.directory.path().to_path_buf(),
            output_dir: Some(Path::local(self.directory.path().join("out"))),
            reporter: self.reporter.clone(),
        }
    }

    fn run(&self, splits: &[FileSplit], reduces: u32) -> Result<()> {
        let library = library(&self.conf)?;
        let mut partitions = vec![Vec::new(); reduces as usize];
        for (number, split) in splits.iter().enumerate() {
            let ctx = self.context("attempt_202612010000_0001_m_000000_0", number as u32);
            let split = InputSplit { class: String::new(), bytes: Vec::new(), file: Some(split.clone()) };
            let mut input = library.open_input(&split, &ctx)?.reader;
            let mut runner = library.map_runner(&ctx)?;
            if reduces == 0 {
                let mut writer = library.writer(&ctx)?;
                runner.run(&mut *input, &mut ToWriter(&mut *writer), &ctx)?;
                writer.close()?;
                continue;
            }
            let mut mapped = Collected::default();
            runner.run(&mut *input, &mut mapped, &ctx)?;
            let (partitioner, order) = (library.partitioner(&ctx)?, library.comparator(&ctx)?);
            let mut cut = vec![Vec::new(); reduces as usize];
            for (key, value) in mapped.0 {
                let to = if reduces == 1 { 0 } else { partitioner.partition(&key, &value, reduces) };
                cut[usize::try_from(to).unwrap()].push((key, value));
            }
            for (to, records) in cut.into_iter().enumerate() {
                if library.has_combiner() {
                    let mut combined = Collected::default();
                    let mut groups = Sorted::new(records, &*order);
                    library.combiner(&ctx)?.run(&mut groups, &mut combined, &ctx)?;
                    partitions[to].extend(combined.0);
                } else {
                    partitions[to].extend(records);
                }
            }
        }
        for (number, records) in partitions.into_iter().enumerate() {
            self.reduce(&library, number as u32, records)?;
        }
        Ok(())
    }

    fn reduce(&self, library: &dyn Library, number: u32, records: Vec<Record>) -> Result<()> {
        let ctx = self.context("attempt_202612010000_0001_r_000000_0", number);
        let order = library.comparator(&ctx)?;
        let mut writer = library.writer(&ctx)?;
        let mut groups = Sorted::new(records, &*order);
        library.reducer(&ctx)?.run(&mut groups, &mut ToWriter(&mut *writer), &ctx)?;
        writer.close()
    }

    fn output(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.directory.path().join("out").join(name)).unwrap()
    }

    fn text_output(&self, name: &str) -> String {
        String::from_utf8(self.output(name)).unwrap()
    }
}

const NEW_API: [(&str, &str); 2] = [("mapred.mapper.new-api", "true"), ("mapred.reducer.new-api", "true")];

fn word_count() -> Vec<(&'static str, &'static str)> {
    [
        &NEW_API[..],
        &[
            ("mapreduce.map.class", "org.apache.hadoop.examples.WordCount$TokenizerMapper"),
            ("mapreduce.combine.class", "org.apache.hadoop.examples.WordCount$IntSumReducer"),
            ("mapreduce.reduce.class", "org.apache.hadoop.examples.WordCount$IntSumReducer"),
            ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
            ("mapred.output.value.class", "org.apache.hadoop.io.IntWritable"),
        ],
    ]
    .concat()
}

#[test]
fn word_count_counts_as_hadoop_does() {
    let job = Job::new(&word_count());
    let split = job.put("a.txt", TEXT);
    job.run(&[split], 1).unwrap();
    let expected = "and\t1\nbad\u{fffd}\t1\nbrown\t1\ndog\t1\nend\t2\nfox\t1\njumps\t1\nlast\t1\nlazy\t1\nline\t2\nmac\t1\n\
                    over\t1\nquick\t1\nspaces\t1\nthe\t3\nutf\t1\nwithout\t1\nété\t1\n\u{fffd}\t1\n";
    assert_eq!(job.text_output("part-r-00000"), expected);
}

#[test]
fn every_cut_of_a_file_gives_each_line_once() {
    let whole = TEXT.len() as u64;
    for cut in 1..whole {
        let job = Job::new(&[("mapred.reduce.tasks", "0"), ("io.file.buffer.size", "8")]);
        let file = job.put("a.txt", TEXT);
        let first = FileSplit { length: cut, ..file.clone() };
        let second = FileSplit { start: cut, length: whole - cut, ..file };
        job.run(&[first, second], 0).unwrap();
        let lines = [job.output("part-00000"), job.output("part-00001")].concat();
        let expected: &[u8] =
            b"0\tthe quick brown fox\n21\tjumps over\tthe lazy dog\n45\t\xc3\xa9t\xc3\xa9 \xff bad\xe2\x82 utf\n\
            63\t\n64\t  spaces  and the end\n86\tmac line\n95\tlast line without end\n";
        assert_eq!(lines, expected, "cut at {cut}");
    }
}

#[test]
fn grep_searches_and_sorts_by_decreasing_count() {
    let job = Job::new(&[
        ("mapred.mapper.class", "org.apache.hadoop.mapred.lib.RegexMapper"),
        ("mapred.mapper.regex", "[a-z]*o[a-z]"),
        ("mapred.combiner.class", "org.apache.hadoop.mapred.lib.LongSumReducer"),
        ("mapred.reducer.class", "org.apache.hadoop.mapred.lib.LongSumReducer"),
        ("mapred.output.format.class", "org.apache.hadoop.mapred.SequenceFileOutputFormat"),
        ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
        ("mapred.output.value.class", "org.apache.hadoop.io.LongWritable"),
    ]);
    let split = job.put("a.txt", TEXT);
    job.run(&[split], 1).unwrap();
    let found = job.output("part-00000");
    let sort = Job::new(&[
        ("mapred.input.format.class", "org.apache.hadoop.mapred.SequenceFileInputFormat"),
        ("mapred.mapper.class", "org.apache.hadoop.mapred.lib.InverseMapper"),
        ("mapred.output.key.comparator.class", "org.apache.hadoop.io.LongWritable$DecreasingComparator"),
    ]);
    let split = sort.put("part-00000", &found);
    sort.run(&[split], 1).unwrap();
    assert_eq!(sort.text_output("part-00000"), "1\tbrow\n1\tdog\n1\tfox\n1\tov\n1\twithou\n");
}

#[test]
fn a_sequence_file_of_other_classes_fails_in_hadoops_words() {
    let job = Job::new(&[
        ("mapred.output.format.class", "org.apache.hadoop.mapred.SequenceFileOutputFormat"),
        ("mapred.reduce.tasks", "0"),
    ]);
    let split = job.put("a.txt", TEXT);
    job.run(&[split], 0).unwrap();
    let sort = Job::new(&[
        ("mapred.input.format.class", "org.apache.hadoop.mapred.SequenceFileInputFormat"),
        ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
    ]);
    let split = sort.put("part-00000", &job.output("part-00000"));
    let failure = sort.run(&[split], 1).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "Type mismatch in key from map: expected org.apache.hadoop.io.Text, recieved org.apache.hadoop.io.LongWritable"
    );
    assert_eq!(failure.java_class(), "java.io.IOException");
}

#[test]
fn secondary_sort_groups_by_the_first_number() {
    let settings = [
        &NEW_API[..],
        &[
            ("mapreduce.map.class", "org.apache.hadoop.examples.SecondarySort$MapClass"),
            ("mapreduce.reduce.class", "org.apache.hadoop.examples.SecondarySort$Reduce"),
            ("mapreduce.partitioner.class", "org.apache.hadoop.examples.SecondarySort$FirstPartitioner"),
            ("mapred.output.value.groupfn.class", "org.apache.hadoop.examples.SecondarySort$FirstGroupingComparator"),
            ("mapred.mapoutput.key.class", "org.apache.hadoop.examples.SecondarySort$IntPair"),
            ("mapred.mapoutput.value.class", "org.apache.hadoop.io.IntWritable"),
            ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
            ("mapred.output.value.class", "org.apache.hadoop.io.IntWritable"),
        ],
    ]
    .concat();
    let job = Job::new(&settings);
    let split = job.put("n.txt", b"3 4\n-1 2\n3 -7 9\n\n10\n-1 -2147483648\n3 4\n");
    job.run(&[split], 1).unwrap();
    let ruler = "-".repeat(48);
    let expected = format!("{ruler}\n-1\t-2147483648\n-1\t2\n{ruler}\n3\t-7\n3\t4\n3\t4\n{ruler}\n10\t0\n");
    assert_eq!(job.text_output("part-r-00000"), expected);
}

fn streaming(mapper: &'static str) -> Vec<(&'static str, &'static str)> {
    vec![
        ("mapred.mapper.class", "org.apache.hadoop.streaming.PipeMapper"),
        ("mapred.map.runner.class", "org.apache.hadoop.streaming.PipeMapRunner"),
        ("stream.map.streamprocessor", mapper),
        ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
        ("mapred.output.value.class", "org.apache.hadoop.io.Text"),
    ]
}

#[test]
fn streaming_hands_lines_to_commands_and_takes_lines_back() {
    let mut settings = streaming("%2Fbin%2Fcat");
    settings.push(("mapred.reducer.class", "org.apache.hadoop.streaming.PipeReducer"));
    settings.push(("stream.reduce.streamprocessor", "wc+-lc"));
    let job = Job::new(&settings);
    let split = job.put("a.txt", TEXT);
    job.run(&[split], 1).unwrap();
    assert_eq!(job.text_output("part-00000"), "      7     122\t\n");
}

#[test]
fn streaming_sorts_by_fields_as_hadoop_does() {
    let mut settings = streaming("%2Fbin%2Fcat");
    settings.extend([
        ("stream.num.map.output.key.fields", "2"),
        ("stream.map.output.field.separator", "."),
        ("map.output.key.field.separator", "."),
        ("mapred.output.key.comparator.class", "org.apache.hadoop.mapred.lib.KeyFieldBasedComparator"),
        ("mapred.text.key.comparator.options", "-k2,2nr -k1,1"),
    ]);
    let job = Job::new(&settings);
    let split = job.put("k.txt", b"a.9.x\nb.10.y\nc.10.\nd\ne.007.q\nf.7.z\ng.-1.n\na.9\n");
    job.run(&[split], 1).unwrap();
    assert_eq!(job.text_output("part-00000"), "b.10\ty\nc.10\t\na.9\tx\na.9\t\nf.7\tz\ne.007\tq\ng.-1\tn\nd\t\n");
}

#[test]
fn streaming_sends_keys_of_other_inputs_and_hears_reports() {
    let mut settings = streaming(
        "sh+-c+%22echo+reporter%3Acounter%3Ag%2Cn%2C2+%3E%262%3B+echo+reporter%3Astatus%3Ahello+%3E%262%3B+cat%22",
    );
    settings.push(("mapred.input.format.class", "org.apache.hadoop.streaming.StreamInputFormat"));
    settings.push(("mapred.reduce.tasks", "0"));
    let job = Job::new(&settings);
    let split = job.put("a.txt", TEXT);
    job.run(&[split], 0).unwrap();
    let expected: &[u8] =
        b"the quick brown fox\t\njumps over\tthe lazy dog\n\xc3\xa9t\xc3\xa9 \xff bad\xe2\x82 utf\t\n\t\n  \
        spaces  and the end\t\nmac line\t\nlast line without end\t\n";
    assert_eq!(job.output("part-00000"), expected);
    assert_eq!(job.reporter.counters().get("g", "n"), Some(2));
    assert_eq!(job.reporter.status(), "hello");
}

#[test]
fn a_command_finds_the_job_in_its_environment_and_its_exit_code_fails_the_task() {
    let mut settings = streaming("sh+-c+%27echo+%22%24my_own_key%22%3B+exit+3%27");
    settings.extend([("my.own-key", "${mapred.reduce.tasks}x"), ("mapred.reduce.tasks", "0")]);
    let job = Job::new(&settings);
    let split = job.put("a.txt", b"");
    let failure = job.run(&[split], 0).unwrap_err();
    assert_eq!(failure.to_string(), "PipeMapRed.waitOutputThreads(): subprocess failed with code 3");
    assert_eq!(failure.java_class(), "java.lang.RuntimeException");
    settings.push(("stream.non.zero.exit.is.failure", "false"));
    let job = Job::new(&settings);
    let split = job.put("a.txt", b"");
    job.run(&[split], 0).unwrap();
    assert_eq!(job.text_output("part-00000"), "0x\t\n");
}

#[test]
fn a_sleep_job_spreads_its_keys_over_the_reduces() {
    let job = Job::new(&[
        ("mapred.mapper.class", "org.apache.hadoop.examples.SleepJob"),
        ("mapred.reducer.class", "org.apache.hadoop.examples.SleepJob"),
        ("mapred.partitioner.class", "org.apache.hadoop.examples.SleepJob"),
        ("mapred.input.format.class", "org.apache.hadoop.examples.SleepJob$SleepInputFormat"),
        ("mapred.output.format.class", "org.apache.hadoop.mapred.lib.NullOutputFormat"),
        ("mapred.mapoutput.key.class", "org.apache.hadoop.io.IntWritable"),
        ("mapred.mapoutput.value.class", "org.apache.hadoop.io.NullWritable"),
        ("mapred.reduce.tasks", "2"),
        ("sleep.job.map.sleep.count", "2"),
        ("sleep.job.map.sleep.time", "2"),
        ("sleep.job.reduce.sleep.count", "3"),
        ("sleep.job.reduce.sleep.time", "3"),
    ]);
    let library = library(&job.conf).unwrap();
    let ctx = job.context("attempt_202612010000_0001_m_000000_0", 0);
    let split = InputSplit { class: String::new(), bytes: Vec::new(), file: None };
    let mut input = library.open_input(&split, &ctx).unwrap().reader;
    let mut mapped = Collected::default();
    library.map_runner(&ctx).unwrap().run(&mut *input, &mut mapped, &ctx).unwrap();
    let keys: Vec<i32> = mapped.0.iter().map(|(key, _)| i32::from_be_bytes(key[..].try_into().unwrap())).collect();
    assert_eq!(keys, [0, 1, 2, 3, 4, 5]);
    assert_eq!(job.reporter.status(), "Sleeping... (1) ms left");
    let partitioner = library.partitioner(&ctx).unwrap();
    assert_eq!(mapped.0.iter().map(|(k, v)| partitioner.partition(k, v, 2)).collect::<Vec<_>>(), [0, 1, 0, 1, 0, 1]);
}

#[test]
fn compressed_text_is_read_and_written() {
    let job = Job::new(&[
        ("mapred.reduce.tasks", "0"),
        ("mapred.output.compress", "true"),
        ("mapred.output.compression.codec", "org.apache.hadoop.io.compress.GzipCodec"),
    ]);
    let split = job.put("a.txt", b"one\ntwo\n");
    job.run(&[split], 0).unwrap();
    let packed = job.output("part-00000.gz");
    let again = Job::new(&[("mapred.reduce.tasks", "0")]);
    let split = again.put("a.gz", &packed);
    again.run(&[split], 0).unwrap();
    assert_eq!(again.text_output("part-00000"), "0\t0\tone\n6\t4\ttwo\n");
}

fn tera(extra: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    let mut settings = vec![
        ("mapred.output.format.class", "org.apache.hadoop.examples.terasort.TeraOutputFormat"),
        ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
        ("mapred.output.value.class", "org.apache.hadoop.io.Text"),
    ];
    settings.extend(extra);
    settings
}

/// Runs TeraGen's map over rows from `first` on.
fn generate(first: i64, count: i64) -> Vec<u8> {
    let job = Job::new(&tera(&[
        ("mapred.mapper.class", "org.apache.hadoop.examples.terasort.TeraGen$SortGenMapper"),
        ("mapred.input.format.class", "org.apache.hadoop.examples.terasort.TeraGen$RangeInputFormat"),
        ("mapred.reduce.tasks", "0"),
    ]));
    let library = library(&job.conf).unwrap();
    let ctx = job.context("attempt_202612010000_0001_m_000000_0", 0);
    let mut split = hadoop_io::DataOutput::new();
    split.vlong(first);
    split.vlong(count);
    split.bytes(b"what follows");
    let split_len = split.len() - 12;
    let split = InputSplit { class: String::new(), bytes: split.into_bytes(), file: None };
    let mut input = library.open_input(&split, &ctx).unwrap();
    assert_eq!(input.split_len, split_len);
    let mut writer = library.writer(&ctx).unwrap();
    library.map_runner(&ctx).unwrap().run(&mut *input.reader, &mut ToWriter(&mut *writer), &ctx).unwrap();
    writer.close().unwrap();
    job.output("part-00000")
}

#[test]
fn teragen_makes_hadoops_rows_wherever_it_starts() {
    let rows = generate(0, 50);
    let first: &[u8] =
        b".t^#\\|v$2\\         0AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDEEEEEEEEEEFFFFFFFFFFGGGGGGGGGGHHHHHHHH\r\n";
    assert_eq!(rows[..100], *first);
    assert_eq!((rows.len(), crc32fast::hash(&rows)), (5000, 0x3b95_8e38));
    assert_eq!([generate(0, 20), generate(20, 30)].concat(), rows);
}

#[test]
fn terasort_sorts_in_ranges_and_teravalidate_finds_nothing() {
    let job = Job::new(&tera(&[
        ("mapred.input.format.class", "org.apache.hadoop.examples.terasort.TeraInputFormat"),
        ("mapred.partitioner.class", "org.apache.hadoop.examples.terasort.TeraSort$TotalOrderPartitioner"),
        ("mapred.reduce.tasks", "3"),
    ]));
    let mut list = Vec::new();
    let header = hadoop_io::sequence_file::Header {
        key_class: "org.apache.hadoop.io.Text".to_owned(),
        value_class: "org.apache.hadoop.io.NullWritable".to_owned(),
        compression: hadoop_io::sequence_file::Compression::None,
        metadata: std::collections::BTreeMap::new(),
    };
    let mut writer = hadoop_io::sequence_file::Writer::new(&mut list, &header, [7; 16]).unwrap();
    writer.append(b"\x01A", b"").unwrap();
    writer.append(b"\x02a0", b"").unwrap();
    writer.finish().unwrap();
    job.put("_partition.lst", &list);
    let rows = generate(0, 50);
    let split = job.put("rows", &rows);
    job.run(&[split], 3).unwrap();
    let parts = ["part-00000", "part-00001", "part-00002"].map(|name| job.output(name));
    assert!(parts.iter().all(|part| !part.is_empty()));
    let mut sorted: Vec<&[u8]> = rows.chunks(100).collect();
    sorted.sort();
    assert_eq!(parts.concat(), sorted.concat());
    assert_eq!(validate(&[&parts[0], &parts[1], &parts[2]]), "");
}

/// TeraValidate's report.
fn validate(files: &[&[u8]]) -> String {
    let mut mapped = Vec::new();
    let settings = [
        ("mapred.mapper.class", "org.apache.hadoop.examples.terasort.TeraValidate$ValidateMapper"),
        ("mapred.reducer.class", "org.apache.hadoop.examples.terasort.TeraValidate$ValidateReducer"),
        ("mapred.input.format.class", "org.apache.hadoop.examples.terasort.TeraInputFormat"),
        ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
        ("mapred.output.value.class", "org.apache.hadoop.io.Text"),
    ];
    for (number, file) in files.iter().enumerate() {
        let mut job = Job::new(&settings);
        let name = format!("part-{number:05}");
        let split = job.put(&name, file);
        job.conf.set("map.input.file", format!("file:/somewhere/{name}"));
        let library = library(&job.conf).unwrap();
        let ctx = job.context("attempt_202612010000_0001_m_000000_0", 0);
        let split = InputSplit { class: String::new(), bytes: Vec::new(), file: Some(split) };
        let mut input = library.open_input(&split, &ctx).unwrap().reader;
        let mut collected = Collected::default();
        library.map_runner(&ctx).unwrap().run(&mut *input, &mut collected, &ctx).unwrap();
        mapped.extend(collected.0);
    }
    let job = Job::new(&settings);
    job.reduce(&library(&job.conf).unwrap(), 0, mapped).unwrap();
    job.text_output("part-00000")
}

#[test]
fn teravalidate_reports_disorder_in_hadoops_words() {
    assert_eq!(
        validate(&[b"bbbbbbbbbbrest\r\naaaaaaaaaaxx\r\nshort\r\n", b"aaaa\xff\r\n"]),
        "error\tmisorder in part-00000 last: 'bbbbbbbbbb' current: 'aaaaaaaaaa'\n\
         error\tmisordered keys last: part-00000:end 'short' current: part-00001:begin 'aaaa\u{fffd}'\n"
    );
}

#[test]
fn pi_counts_the_points_that_hadoop_counts() {
    let mut job = Job::new(&[
        ("mapred.mapper.class", "org.apache.hadoop.examples.PiEstimator$PiMapper"),
        ("mapred.reducer.class", "org.apache.hadoop.examples.PiEstimator$PiReducer"),
        ("mapred.input.format.class", "org.apache.hadoop.mapred.SequenceFileInputFormat"),
        ("mapred.output.format.class", "org.apache.hadoop.mapred.SequenceFileOutputFormat"),
        ("mapred.output.key.class", "org.apache.hadoop.io.BooleanWritable"),
        ("mapred.output.value.class", "org.apache.hadoop.io.LongWritable"),
    ]);
    job.conf.set("mapred.working.dir", Path::local(job.directory.path()).to_string());
    let long = "org.apache.hadoop.io.LongWritable".to_owned();
    let header = hadoop_io::sequence_file::Header {
        key_class: long.clone(),
        value_class: long,
        compression: hadoop_io::sequence_file::Compression::None,
        metadata: std::collections::BTreeMap::new(),
    };
    let splits: Vec<FileSplit> = (0..4i64)
        .map(|map| {
            let mut file = Vec::new();
            let mut writer = hadoop_io::sequence_file::Writer::new(&mut file, &header, [7; 16]).unwrap();
            writer.append(&(map * 1000).to_be_bytes(), &1000i64.to_be_bytes()).unwrap();
            writer.finish().unwrap();
            job.put(&format!("part{map}"), &file)
        })
        .collect();
    job.run(&splits, 1).unwrap();
    let result = std::fs::read(job.directory.path().join("PiEstimator_TMP_3_141592654/out/reduce-out")).unwrap();
    let mut reader = hadoop_io::sequence_file::Reader::new(std::io::Cursor::new(&result), result.len() as u64).unwrap();
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    assert!(reader.next(&mut inside, &mut outside).unwrap());
    let counts = [inside, outside].map(|bytes| i64::from_be_bytes(bytes[..].try_into().unwrap()));
    // The program's answer for 4 maps of 1000 points is 3.14.
    assert_eq!(counts, [3140, 860]);
}

#[test]
fn a_total_order_puts_a_cut_point_after_its_cut() {
    let job = Job::new(&[
        ("mapred.partitioner.class", "org.apache.hadoop.mapred.lib.TotalOrderPartitioner"),
        ("mapred.reduce.tasks", "3"),
    ]);
    let mut list = Vec::new();
    let header = hadoop_io::sequence_file::Header {
        key_class: "org.apache.hadoop.io.LongWritable".to_owned(),
        value_class: "org.apache.hadoop.io.NullWritable".to_owned(),
        compression: hadoop_io::sequence_file::Compression::None,
        metadata: std::collections::BTreeMap::new(),
    };
    let mut writer = hadoop_io::sequence_file::Writer::new(&mut list, &header, [7; 16]).unwrap();
    for point in [-5i64, 10] {
        writer.append(&point.to_be_bytes(), b"").unwrap();
    }
    writer.finish().unwrap();
    job.put("_partition.lst", &list);
    let ctx = job.context("attempt_202612010000_0001_m_000000_0", 0);
    let partitioner = library(&job.conf).unwrap().partitioner(&ctx).unwrap();
    let found = [-6i64, -5, 9, 10, 11].map(|key| partitioner.partition(&key.to_be_bytes(), &[], 3));
    assert_eq!(found, [0, 1, 1, 2, 2]);
}
#[test]
fn lines_equal_those_of_hadoops_readers() {
    let unhex = |hex: &str| -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    };
    let cases = include_str!("line_cases.tsv").lines().filter(|line| !line.starts_with('#'));
    for case in cases {
        let columns: Vec<&str> = case.split('\t').collect();
        for new_api in [false, true] {
            let mut settings =
                vec![("io.file.buffer.size", columns[1]), ("mapred.linerecordreader.maxlength", columns[2])];
            settings.extend(NEW_API.iter().filter(|_| new_api));
            let job = Job::new(&settings);
            let (start, length) = (columns[3].parse().unwrap(), columns[4].parse().unwrap());
            let split = FileSplit { start, length, ..job.put("a.txt", &unhex(columns[0])) };
            let ctx = job.context("attempt_202612010000_0001_m_000000_0", 0);
            let split = InputSplit { class: String::new(), bytes: Vec::new(), file: Some(split) };
            let mut reader = library(&job.conf).unwrap().open_input(&split, &ctx).unwrap().reader;
            let (mut key, mut value, mut read) = (Vec::new(), Vec::new(), String::new());
            while reader.next(&mut key, &mut value).unwrap() {
                let offset = i64::from_be_bytes(key[..].try_into().unwrap());
                let line: String = value[1..].iter().map(|byte| format!("{byte:02x}")).collect();
                read += &format!("{offset}:{line},");
            }
            if !new_api {
                read += &format!("@{}", reader.position());
            }
            assert_eq!(read, columns[if new_api { 6 } else { 5 }], "{case}");
        }
    }
}
