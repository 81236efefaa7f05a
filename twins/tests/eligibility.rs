//! Whole jobs, as clients submit them, against the choice of their child.

use std::collections::BTreeMap;
use std::io::Write;

use twins::{Choice, ClassIndex, DataType, Mapper, Reducer, eligibility, jar_index, plan, setup_cleanup_native};

type Conf = BTreeMap<&'static str, String>;

/// What every 1.2.1 client sends: the default files' values that matter here.
fn defaults() -> Conf {
    conf(&[
        ("fs.default.name", "file:///"),
        ("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem"),
        ("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization"),
        (
            "io.compression.codecs",
            "org.apache.hadoop.io.compress.DefaultCodec,org.apache.hadoop.io.compress.GzipCodec,\
             org.apache.hadoop.io.compress.BZip2Codec,org.apache.hadoop.io.compress.SnappyCodec",
        ),
        ("mapred.output.compression.codec", "org.apache.hadoop.io.compress.DefaultCodec"),
        ("mapred.map.output.compression.codec", "org.apache.hadoop.io.compress.DefaultCodec"),
        ("map.sort.class", "org.apache.hadoop.util.QuickSort"),
        ("mapred.child.java.opts", "-Xmx200m"),
        ("mapred.skip.map.max.skip.records", "0"),
        ("mapred.skip.reduce.max.skip.groups", "0"),
        ("mapred.task.profile", "false"),
        ("keep.failed.task.files", "false"),
        ("mapred.reduce.tasks", "1"),
    ])
}

fn conf(pairs: &[(&'static str, &str)]) -> Conf {
    pairs.iter().map(|(key, value)| (*key, (*value).to_owned())).collect()
}

fn with(mut base: Conf, pairs: &[(&'static str, &str)]) -> Conf {
    base.extend(conf(pairs));
    base
}

fn choose(conf: &Conf, jars: &ClassIndex) -> Choice {
    eligibility(&|key: &str| conf.get(key).cloned(), jars)
}

fn word_count() -> Conf {
    with(
        defaults(),
        &[
            ("mapred.mapper.new-api", "true"),
            ("mapred.reducer.new-api", "true"),
            ("mapreduce.map.class", "org.apache.hadoop.examples.WordCount$TokenizerMapper"),
            ("mapreduce.combine.class", "org.apache.hadoop.examples.WordCount$IntSumReducer"),
            ("mapreduce.reduce.class", "org.apache.hadoop.examples.WordCount$IntSumReducer"),
            ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
            ("mapred.output.value.class", "org.apache.hadoop.io.IntWritable"),
            ("mapred.input.dir", "file:/in"),
            ("mapred.output.dir", "file:/out"),
        ],
    )
}

fn grep_search(pattern: &str) -> Conf {
    with(
        defaults(),
        &[
            ("mapred.mapper.class", "org.apache.hadoop.mapred.lib.RegexMapper"),
            ("mapred.mapper.regex", pattern),
            ("mapred.combiner.class", "org.apache.hadoop.mapred.lib.LongSumReducer"),
            ("mapred.reducer.class", "org.apache.hadoop.mapred.lib.LongSumReducer"),
            ("mapred.output.format.class", "org.apache.hadoop.mapred.SequenceFileOutputFormat"),
            ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
            ("mapred.output.value.class", "org.apache.hadoop.io.LongWritable"),
        ],
    )
}

fn jar_with(entries: &[(&str, &[u8])]) -> (tempfile::TempDir, ClassIndex) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("job.jar");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, bytes) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
    let index = jar_index::index(&[path]);
    (directory, index)
}

#[test]
fn library_classes_run_natively_and_the_plan_names_their_twins() {
    let conf = grep_search("dfs[a-z.]+");
    assert_eq!(choose(&conf, &ClassIndex::new()), Choice::Native);
    let plan = plan(&|key: &str| conf.get(key).cloned()).unwrap();
    assert_eq!((plan.mapper, plan.reducer, plan.combiner), (Mapper::Regex, Reducer::LongSum, Some(Reducer::LongSum)));
    assert_eq!((plan.map_output_key, plan.map_output_value), (DataType::Text, DataType::Long));
}

/// As `hadoop pipes -program` makes it, without options.
fn pipes() -> Conf {
    with(
        defaults(),
        &[
            ("mapred.map.runner.class", "org.apache.hadoop.mapred.pipes.PipesMapRunner"),
            ("mapred.reducer.class", "org.apache.hadoop.mapred.pipes.PipesReducer"),
            ("mapred.partitioner.class", "org.apache.hadoop.mapred.pipes.PipesPartitioner"),
            ("hadoop.pipes.partitioner", "org.apache.hadoop.mapred.lib.HashPartitioner"),
            ("mapred.input.format.class", "org.apache.hadoop.mapred.pipes.PipesNonJavaInputFormat"),
            ("mapred.pipes.user.inputformat", "org.apache.hadoop.mapred.TextInputFormat"),
            ("mapred.output.format.class", "org.apache.hadoop.mapred.lib.NullOutputFormat"),
            ("mapred.mapoutput.key.class", "org.apache.hadoop.io.Text"),
            ("mapred.mapoutput.value.class", "org.apache.hadoop.io.Text"),
            ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
            ("mapred.output.value.class", "org.apache.hadoop.io.Text"),
        ],
    )
}

#[test]
fn pipes_jobs_run_natively_where_their_java_parts_have_twins() {
    let plan = plan(&|key: &str| pipes().get(key).cloned()).unwrap();
    assert_eq!((plan.mapper, plan.reducer, plan.pipes_partitioner), (Mapper::Pipes, Reducer::Pipes, true));
    let no_jar = ClassIndex::new();
    assert_eq!(choose(&pipes(), &no_jar), Choice::Native);
    let reads = [
        ("hadoop.pipes.java.recordreader", "true"),
        ("mapred.input.format.class", "org.apache.hadoop.mapred.TextInputFormat"),
    ];
    assert_eq!(choose(&with(pipes(), &reads), &no_jar), Choice::Native);
    for (key, value, why) in [
        ("hadoop.pipes.partitioner", "a.Partitioner", "hadoop.pipes.partitioner"),
        ("mapred.pipes.user.inputformat", "a.Format", "mapred.pipes.user.inputformat"),
        ("hadoop.pipes.java.recordreader", "true", "do not fit"),
        // The program's records are read as the job's output, which the map's is not then.
        ("mapred.mapoutput.value.class", "org.apache.hadoop.io.IntWritable", "maps put out"),
    ] {
        let choice = choose(&with(pipes(), &[(key, value)]), &no_jar);
        assert!(matches!(&choice, Choice::Java(reason) if reason.contains(why)), "{key}: {choice:?}");
    }
}

#[test]
fn a_pattern_that_means_something_else_natively_runs_in_java() {
    assert!(matches!(choose(&grep_search("a++"), &ClassIndex::new()), Choice::Java(why) if why.contains("possessive")));
}

#[test]
fn an_edited_word_count_of_the_same_name_runs_in_java() {
    let (_directory, index) = jar_with(&[
        ("org/apache/hadoop/examples/WordCount.class", b"edited"),
        ("org/apache/hadoop/examples/WordCount$TokenizerMapper.class", b"edited"),
        ("org/apache/hadoop/examples/WordCount$IntSumReducer.class", b"edited"),
    ]);
    let choice = choose(&with(word_count(), &[("mapred.jar", "job.jar")]), &index);
    assert!(matches!(choice, Choice::Java(why) if why.contains("WordCount") && why.contains("job.jar")));
}

#[test]
fn a_job_class_that_shadows_one_of_hadoops_runs_in_java() {
    let (_directory, index) = jar_with(&[("org/apache/hadoop/mapred/lib/LongSumReducer.class", b"mine")]);
    assert!(
        matches!(choose(&grep_search("a"), &index), Choice::Java(why) if why.contains("brings a class of that name"))
    );
    let mut inner = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    inner.start_file("org/apache/hadoop/io/Text.class", zip::write::SimpleFileOptions::default()).unwrap();
    let inner = inner.finish().unwrap().into_inner();
    let (_directory, index) = jar_with(&[("lib/fat.jar", &inner)]);
    assert!(matches!(choose(&grep_search("a"), &index), Choice::Java(why) if why.contains("lib/fat.jar")));
}

#[test]
fn a_jar_that_does_not_bring_the_class_or_is_no_jar_runs_in_java() {
    let (directory, index) = jar_with(&[("a/B.class", b"x")]);
    assert!(matches!(choose(&word_count(), &index), Choice::Java(why) if why.contains("no jar of the job brings")));
    let broken = directory.path().join("broken.jar");
    std::fs::write(&broken, b"no zip").unwrap();
    assert!(
        matches!(choose(&grep_search("a"), &jar_index::index(&[broken])), Choice::Java(why) if why.contains("broken"))
    );
}

#[test]
fn examples_without_any_jar_exist_natively_only() {
    assert_eq!(choose(&word_count(), &ClassIndex::new()), Choice::Native);
    let never = with(word_count(), &[("howdah.child.native", "never")]);
    assert!(matches!(choose(&never, &ClassIndex::new()), Choice::Refused(why) if why.contains("exists natively only")));
    let never = with(grep_search("a"), &[("howdah.child.native", "never")]);
    assert!(matches!(choose(&never, &ClassIndex::new()), Choice::Java(_)));
}

#[test]
fn always_refuses_with_the_first_reason() {
    let always = with(word_count(), &[("howdah.child.native", "always"), ("mapreduce.map.class", "my.Mapper")]);
    assert!(matches!(choose(&always, &ClassIndex::new()), Choice::Refused(why) if why.contains("my.Mapper")));
    let wrong = with(word_count(), &[("howdah.child.native", "sometimes")]);
    assert!(matches!(choose(&wrong, &ClassIndex::new()), Choice::Refused(why) if why.contains("sometimes")));
}

#[test]
fn wishes_that_only_a_jvm_grants_mean_java() {
    for (key, value) in [
        ("mapred.child.java.opts", "-Xmx200m -Dmy.property=1"),
        ("mapred.map.child.java.opts", "-javaagent:x.jar"),
        ("mapred.reduce.child.java.opts", "-verbose:gc"),
        ("mapred.task.profile", "true"),
        ("keep.task.files.pattern", ".*_m_000001_0"),
        ("keep.failed.task.files", "true"),
        ("mapred.skip.map.max.skip.records", "1"),
    ] {
        let conf = with(word_count(), &[(key, value)]);
        assert!(matches!(choose(&conf, &ClassIndex::new()), Choice::Java(why) if why.contains(key)), "{key}");
    }
    let sized = with(word_count(), &[("mapred.child.java.opts", "-server -Xmx1g -XX:+UseSerialGC -Xss256k")]);
    assert_eq!(choose(&sized, &ClassIndex::new()), Choice::Native);
    // The TaskTracker runs it, whatever child it was.
    let looked_at = with(word_count(), &[("mapred.map.task.debug.script", "./debug.sh")]);
    assert_eq!(choose(&looked_at, &ClassIndex::new()), Choice::Native);
}

#[test]
fn each_class_that_a_job_can_name_counts() {
    for key in [
        "mapred.mapper.class",
        "mapred.reducer.class",
        "mapred.combiner.class",
        "mapred.partitioner.class",
        "mapred.map.runner.class",
        "mapred.input.format.class",
        "mapred.output.format.class",
        "mapred.output.committer.class",
        "mapred.output.key.comparator.class",
        "mapred.output.value.groupfn.class",
        "mapred.output.key.class",
        "mapred.mapoutput.value.class",
        "mapred.input.pathFilter.class",
        "io.serializations",
        "io.compression.codecs",
        "fs.file.impl",
    ] {
        let conf = with(grep_search("a"), &[(key, "my.own.Class")]);
        assert!(
            matches!(choose(&conf, &ClassIndex::new()), Choice::Java(why) if why.contains("my.own.Class")),
            "{key}"
        );
    }
    let hdfs = with(grep_search("a"), &[("mapred.input.dir", "/a,hdfs://nn/b")]);
    assert!(matches!(choose(&hdfs, &ClassIndex::new()), Choice::Java(why) if why.contains("hdfs")));
}

#[test]
fn records_that_would_not_fit_stay_with_java_which_says_so() {
    let conf = with(grep_search("a"), &[("mapred.mapper.class", "org.apache.hadoop.mapred.lib.IdentityMapper")]);
    assert!(matches!(choose(&conf, &ClassIndex::new()), Choice::Java(why) if why.contains("maps put out")));
}

#[test]
fn codecs_with_a_twin_may_stand_at_each_place() {
    for codec in ["DefaultCodec", "GzipCodec", "BZip2Codec", "SnappyCodec", "Lz4Codec", "ZStandardCodec"] {
        let class = format!("org.apache.hadoop.io.compress.{codec}");
        let conf = with(
            word_count(),
            &[
                ("mapred.compress.map.output", "true"),
                ("mapred.map.output.compression.codec", &class),
                ("mapred.output.compress", "true"),
                ("mapred.output.compression.codec", &class),
                ("io.compression.codecs", &class),
            ],
        );
        assert_eq!(choose(&conf, &ClassIndex::new()), Choice::Native, "{codec}");
        let plan = plan(&|key: &str| conf.get(key).cloned()).unwrap();
        assert_eq!(plan.output_codec.unwrap().class_name(), class);
        assert_eq!(plan.output_codec, plan.map_output_codec);
    }
    let lzo = with(word_count(), &[("io.compression.codecs", "com.hadoop.compression.lzo.LzoCodec")]);
    assert!(matches!(choose(&lzo, &ClassIndex::new()), Choice::Java(why) if why.contains("LzoCodec")));
}

#[test]
fn floating_point_numbers_are_shown_by_java() {
    let floats = with(
        defaults(),
        &[
            ("mapred.input.format.class", "org.apache.hadoop.mapred.SequenceFileInputFormat"),
            ("mapred.output.key.class", "org.apache.hadoop.io.DoubleWritable"),
        ],
    );
    assert!(matches!(choose(&floats, &ClassIndex::new()), Choice::Java(why) if why.contains("floating-point")));
    let kept = with(floats, &[("mapred.output.format.class", "org.apache.hadoop.mapred.SequenceFileOutputFormat")]);
    assert_eq!(choose(&kept, &ClassIndex::new()), Choice::Native);
}

#[test]
fn setup_and_cleanup_are_native_in_a_java_job_too() {
    let native = |conf: &Conf| setup_cleanup_native(&|key: &str| conf.get(key).cloned(), &ClassIndex::new());
    let java = [("mapreduce.map.class", "my.Mapper"), ("mapred.child.java.opts", "-Dmy.property=1")];
    assert_eq!(native(&with(word_count(), &java)), Choice::Native);
    let mine = with(word_count(), &[("mapreduce.outputformat.class", "my.OutputFormat")]);
    assert!(matches!(native(&mine), Choice::Java(why) if why.contains("my.OutputFormat")));
    let mine = with(grep_search("a"), &[("mapred.output.committer.class", "my.Committer")]);
    assert!(matches!(native(&mine), Choice::Java(why) if why.contains("my.Committer")));
    let never = with(word_count(), &[("mapreduce.map.class", "my.Mapper"), ("howdah.child.native", "never")]);
    assert_eq!(native(&never), Choice::Native);
}

/// A job whose parts are in an executable of its own.
fn own() -> Conf {
    with(
        word_count(),
        &[
            ("howdah.job.executable", "my-job"),
            ("mapreduce.map.class", "org.howdah.job.Mapper"),
            ("mapreduce.combine.class", "org.howdah.job.Combiner"),
            ("mapreduce.reduce.class", "org.howdah.job.Reducer"),
        ],
    )
}

#[test]
fn a_job_with_an_executable_of_its_own_runs_in_it_or_not_at_all() {
    let none = ClassIndex::default();
    assert_eq!(choose(&own(), &none), Choice::Native);
    // What only a JVM understands does not matter to it.
    assert_eq!(choose(&with(own(), &[("mapred.child.java.opts", "-Dx=y")]), &none), Choice::Native);
    for (pairs, told) in [
        (("howdah.child.native", "never"), "howdah.child.native is never"),
        (("mapred.skip.map.max.skip.records", "1"), "mapred.skip.map.max.skip.records is set"),
        (("mapreduce.partitioner.class", "com.example.P"), "com.example.P, which has no native twin"),
        (("mapreduce.map.class", "org.apache.hadoop.mapreduce.Mapper"), "maps put out"),
        (("howdah.job.executable", " "), "howdah.job.executable is not set"),
    ] {
        let choice = choose(&with(own(), &[pairs]), &none);
        assert!(choice.reason().is_some_and(|reason| reason.contains(told)), "{pairs:?}: {choice:?}");
        assert_eq!(matches!(choice, Choice::Refused(_)), pairs.1 != " ", "{choice:?}");
    }
    let choice = choose(&with(word_count(), &[("howdah.job.executable", "my-job")]), &none);
    assert!(choice.reason().is_some_and(|reason| reason.contains("the job names no part of it")), "{choice:?}");
}

#[test]
fn the_documentation_names_every_class_with_a_twin() {
    let text = include_str!("../../docs/native.md");
    for class in twins::classes() {
        assert!(text.contains(&format!("`{class}`")), "docs/native.md does not name {class}");
    }
}
