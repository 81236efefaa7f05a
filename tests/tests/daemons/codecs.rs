//! Compressed input, map output and output through whole jobs of our own client, for codecs that Hadoop 1.2.1 cannot
//! read without its native library, or does not have; and input that is cut.

use std::fs;
use std::io::{Read, Write};

use hadoop_io::Codec;
use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, part_files};

const TEXT: &str = "b a b\nc\nb a\n";

fn packed(codec: Codec, text: &str) -> Vec<u8> {
    let mut writer = codec.writer(Vec::new());
    writer.write_all(text.as_bytes()).expect("memory");
    writer.finish().expect("memory")
}

fn unpacked(codec: Codec, bytes: &[u8]) -> String {
    let mut text = String::new();
    codec.reader(bytes).read_to_string(&mut text).expect("a whole stream");
    text
}

fn word_count(cluster: &Cluster, codec: Codec, output: &str) -> howdah_tests::harness::Run {
    let class = codec.class_name();
    let settings = [
        format!("-Dio.compression.codecs={class}"),
        "-Dmapred.compress.map.output=true".to_owned(),
        format!("-Dmapred.map.output.compression.codec={class}"),
        "-Dmapred.output.compress=true".to_owned(),
        format!("-Dmapred.output.compression.codec={class}"),
        "-Dmapred.map.max.attempts=1".to_owned(),
    ];
    let mut args = vec!["examples", "wordcount"];
    args.extend(settings.iter().map(String::as_str));
    args.extend(["in", output]);
    cluster.hadoop(&args)
}

#[test]
fn a_word_count_in_each_codec_and_one_of_cut_files() {
    let cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
    let input = cluster.dir().join("in");
    for codec in [Codec::Snappy, Codec::Lz4, Codec::Zstandard, Codec::BZip2] {
        fs::create_dir_all(&input).expect("a folder");
        let file = format!("text{}", codec.extension());
        let bytes = packed(codec, TEXT);
        fs::write(input.join(&file), &bytes).expect("a file");
        let output = format!("out{}", codec.extension());
        let run = word_count(&cluster, codec, &output).expect_success();
        assert!(cluster.ran_natively(&run.job_ids()[0]), "{codec:?}");
        let parts = part_files(&cluster.dir().join(&output));
        let part = &parts[&format!("part-r-00000{}", codec.extension())];
        assert_eq!(unpacked(codec, &fs::read(part).expect("the output")), "a\t2\nb\t3\nc\t1\n", "{codec:?}");

        fs::write(input.join(&file), &bytes[..bytes.len() - 5]).expect("a file");
        let run = word_count(&cluster, codec, "never");
        assert_eq!(run.code, Some(1), "{run:#?}");
        let told = run.stderr.contains(&file) && run.stderr.contains("near byte ");
        assert!(told, "neither file nor place on the console: {run:#?}");
        fs::remove_dir_all(&input).expect("our folder");
        fs::remove_dir_all(cluster.dir().join("never")).ok();
    }
}
