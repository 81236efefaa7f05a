//! File systems, files and codecs.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "Default file system."
    FS_DEFAULT_NAME: String as "a URI" = "fs.default.name", Some("file:///"), true, None, Limits::Any,
        ["fs.defaultFS"], "common", Behaviour, "CommonConfigurationKeys";
    "File system class by scheme."
    FS_IMPL: String as "a Java class name" = "fs.<scheme>.impl", None, false, None, Limits::Any,
        [], "common", Behaviour, "FsShell";
    "Local file system."
    FS_FILE_IMPL: String as "a Java class name" = "fs.file.impl", Some("org.apache.hadoop.fs.LocalFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FsUrlStreamHandlerFactory";
    "HDFS client."
    FS_HDFS_IMPL: String as "a Java class name" = "fs.hdfs.impl", Some("org.apache.hadoop.hdfs.DistributedFileSystem"), true, None, Limits::Any,
        [], "common", Behaviour, "FileSystem";
    "Read-only HTTP HDFS."
    FS_HFTP_IMPL: String as "a Java class name" = "fs.hftp.impl", Some("org.apache.hadoop.hdfs.HftpFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "Read-only HTTPS HDFS."
    FS_HSFTP_IMPL: String as "a Java class name" = "fs.hsftp.impl", Some("org.apache.hadoop.hdfs.HsftpFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "REST HDFS."
    FS_WEBHDFS_IMPL: String as "a Java class name" = "fs.webhdfs.impl", Some("org.apache.hadoop.hdfs.web.WebHdfsFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "Archives."
    FS_HAR_IMPL: String as "a Java class name" = "fs.har.impl", Some("org.apache.hadoop.fs.HarFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "Do not cache archive instances."
    FS_HAR_IMPL_DISABLE_CACHE: bool = "fs.har.impl.disable.cache", Some("true"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "Disable instance cache."
    FS_IMPL_DISABLE_CACHE: bool = "fs.<scheme>.impl.disable.cache", Some("false"), false, None, Limits::Any,
        [], "common", JavaOnly, "FsShell";
    "Forced false in children."
    FS_FILE_IMPL_DISABLE_CACHE: bool = "fs.file.impl.disable.cache", Some("false"), false, None, Limits::Any,
        [], "child", JavaOnly, "Child";
    "S3 block store."
    FS_S3_IMPL: String as "a Java class name" = "fs.s3.impl", Some("org.apache.hadoop.fs.s3.S3FileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "S3 native."
    FS_S3N_IMPL: String as "a Java class name" = "fs.s3n.impl", Some("org.apache.hadoop.fs.s3native.NativeS3FileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "KFS."
    FS_KFS_IMPL: String as "a Java class name" = "fs.kfs.impl", Some("org.apache.hadoop.fs.kfs.KosmosFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "FTP."
    FS_FTP_IMPL: String as "a Java class name" = "fs.ftp.impl", Some("org.apache.hadoop.fs.ftp.FTPFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "In-memory."
    FS_RAMFS_IMPL: String as "a Java class name" = "fs.ramfs.impl", Some("org.apache.hadoop.fs.InMemoryFileSystem"), true, None, Limits::Any,
        [], "common", JavaOnly, "FileSystem";
    "Gridmix cache emulation."
    FS_PSEUDO_IMPL: String as "a Java class name" = "fs.pseudo.impl", Some("org.apache.hadoop.mapred.gridmix.PseudoLocalFs"), false, None, Limits::Any,
        [], "client", JavaOnly, "DistributedCacheEmulator";
    "S3 key id (also fs.s3n.*)."
    FS_S3_AWS_ACCESS_KEY_ID: String = "fs.s3.awsAccessKeyId", None, false, None, Limits::Any,
        [], "common", JavaOnly, "MigrationTool";
    "S3 secret (also fs.s3n.*)."
    FS_S3_AWS_SECRET_ACCESS_KEY: String = "fs.s3.awsSecretAccessKey", None, false, None, Limits::Any,
        [], "common", JavaOnly, "MigrationTool";
    "S3 block size (documented, never read)."
    FS_S3_BLOCK_SIZE: i64 = "fs.s3.block.size", Some("67108864"), true, None, Limits::Any,
        [], "none", JavaOnly, "core-default.xml";
    "S3 buffer dir."
    FS_S3_BUFFER_DIR: String as "a path" = "fs.s3.buffer.dir", Some("${hadoop.tmp.dir}/s3"), true, None, Limits::Any,
        [], "common", JavaOnly, "Jets3tFileSystemStore";
    "S3 retries."
    FS_S3_MAX_RETRIES: i32 = "fs.s3.maxRetries", Some("4"), true, None, Limits::Any,
        [], "common", JavaOnly, "S3FileSystem";
    "S3 retry wait."
    FS_S3_SLEEP_TIME_SECONDS: i32 = "fs.s3.sleepTimeSeconds", Some("10"), true, Seconds, Limits::Any,
        [], "common", JavaOnly, "S3FileSystem";
    "KFS server."
    FS_KFS_META_SERVER_HOST: String = "fs.kfs.metaServerHost", Some(""), false, None, Limits::Any,
        [], "common", JavaOnly, "KosmosFileSystem";
    "KFS port."
    FS_KFS_META_SERVER_PORT: i32 = "fs.kfs.metaServerPort", Some("-1"), false, None, Limits::Any,
        [], "common", JavaOnly, "KosmosFileSystem";
    "FTP host."
    FS_FTP_HOST: String = "fs.ftp.host", None, false, None, Limits::Any,
        [], "common", JavaOnly, "FTPFileSystem";
    "FTP port."
    FS_FTP_HOST_PORT: i32 = "fs.ftp.host.port", Some("21"), false, None, Limits::Any,
        [], "common", JavaOnly, "FTPFileSystem";
    "FTP user."
    FS_FTP_USER: String = "fs.ftp.user.<host>", None, false, None, Limits::Any,
        [], "common", JavaOnly, "FTPFileSystem";
    "FTP password."
    FS_FTP_PASSWORD: String = "fs.ftp.password.<host>", None, false, None, Limits::Any,
        [], "common", JavaOnly, "FTPFileSystem";
    "In-memory fs size (legacy)."
    FS_INMEMORY_SIZE_MB: i32 = "fs.inmemory.size.mb", Some("100"), false, MegaBytes, Limits::Any,
        [], "child", JavaOnly, "InMemoryFileSystem";
    "Local fs split block size."
    FS_LOCAL_BLOCK_SIZE: i64 = "fs.local.block.size", Some("33554432"), false, None, Limits::Whole(1, i64::MAX),
        [], "common", Behaviour, "FileSystem";
    "Trash retention."
    FS_TRASH_INTERVAL: i64 = "fs.trash.interval", Some("0"), true, Minutes, Limits::Any,
        [], "client", JavaOnly, "Trash";
    "Secondary NameNode only."
    FS_CHECKPOINT_DIR: String as "a path" = "fs.checkpoint.dir", Some("${hadoop.tmp.dir}/dfs/namesecondary"), true, None, Limits::Any,
        ["dfs.namenode.checkpoint.dir"], "hdfs", JavaOnly, "FSImage";
    "Secondary NameNode only."
    FS_CHECKPOINT_EDITS_DIR: String as "a path" = "fs.checkpoint.edits.dir", Some("${fs.checkpoint.dir}"), true, None, Limits::Any,
        ["dfs.namenode.checkpoint.edits.dir"], "hdfs", JavaOnly, "FSImage";
    "Secondary NameNode only."
    FS_CHECKPOINT_PERIOD: i32 = "fs.checkpoint.period", Some("3600"), true, Seconds, Limits::Any,
        ["dfs.namenode.checkpoint.period"], "hdfs", JavaOnly, "SecondaryNameNode";
    "Secondary NameNode only."
    FS_CHECKPOINT_SIZE: i64 = "fs.checkpoint.size", Some("67108864"), true, None, Limits::Any,
        [], "hdfs", JavaOnly, "SecondaryNameNode";
    "Replication of files the daemons write."
    DFS_REPLICATION: i32 = "dfs.replication", Some("3"), false, None, Limits::Any,
        [], "client,JT", Behaviour, "DFSClient";
    "Legacy umask."
    DFS_UMASK: i32 = "dfs.umask", Some("18"), false, None, Limits::Any,
        [], "common", Behaviour, "FsPermission";
    "Umask for created files."
    DFS_UMASKMODE: String as "an octal number" = "dfs.umaskmode", Some("022"), false, None, Limits::Any,
        ["fs.permissions.umask-mode"], "common", Behaviour, "FsPermission";
    "Disk free refresh period."
    DFS_DF_INTERVAL: i64 = "dfs.df.interval", Some("60000"), false, Millis, Limits::Any,
        ["fs.df.interval"], "TT", Tuning, "DF";
    "Forced off in the JobTracker."
    DFS_CLIENT_RETRY_POLICY_ENABLED: bool = "dfs.client.retry.policy.enabled", Some("false"), false, None, Limits::Any,
        [], "JT", Behaviour, "DFSConfigKeys";
    "Example LocalDirAllocator context."
    DFS_CLIENT_BUFFER_DIR: Vec<String> = "dfs.client.buffer.dir", None, false, None, Limits::Any,
        [], "common", JavaOnly, "LocalDirAllocator";
    "Distcp SSL resource."
    DFS_HTTPS_CLIENT_KEYSTORE_RESOURCE: String = "dfs.https.client.keystore.resource", None, false, None, Limits::Any,
        ["dfs.client.https.keystore.resource"], "client", JavaOnly, "DistCp";
    "Ganglia host name choice."
    DFS_DATANODE_DNS_INTERFACE: String = "dfs.datanode.dns.interface", Some("default"), false, None, Limits::Any,
        [], "common", JavaOnly, "GangliaContext31";
    "Ganglia host name choice."
    DFS_DATANODE_DNS_NAMESERVER: String = "dfs.datanode.dns.nameserver", Some("default"), false, None, Limits::Any,
        [], "common", JavaOnly, "GangliaContext31";
    "Stream buffer."
    IO_FILE_BUFFER_SIZE: i32 = "io.file.buffer.size", Some("4096"), true, None, Limits::Any,
        [], "common", Tuning, "IFile";
    "Checksum chunk."
    IO_BYTES_PER_CHECKSUM: i32 = "io.bytes.per.checksum", Some("512"), true, None, Limits::Whole(1, 2147483647),
        ["dfs.bytes-per-checksum"], "common,child", Behaviour, "ReduceTask";
    "SequenceFile ignores checksum errors."
    IO_SKIP_CHECKSUM_ERRORS: bool = "io.skip.checksum.errors", Some("false"), true, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFile";
    "Codecs by suffix."
    IO_COMPRESSION_CODECS: Vec<String> = "io.compression.codecs", Some("org.apache.hadoop.io.compress.DefaultCodec,org.apache.hadoop.io.compress.GzipCodec,org.apache.hadoop.io.compress.BZip2Codec,org.apache.hadoop.io.compress.SnappyCodec"), true, None, Limits::Any,
        [], "common", Behaviour, "CompressionCodecFactory";
    "Snappy block."
    IO_COMPRESSION_CODEC_SNAPPY_BUFFERSIZE: i32 = "io.compression.codec.snappy.buffersize", Some("262144"), false, None, Limits::Any,
        [], "child", JavaOnly, "CommonConfigurationKeys";
    "TFile LZO codec."
    IO_COMPRESSION_CODEC_LZO_CLASS: String as "a Java class name" = "io.compression.codec.lzo.class", None, false, None, Limits::Any,
        [], "common", JavaOnly, "Compression";
    "TFile LZO buffer."
    IO_COMPRESSION_CODEC_LZO_BUFFERSIZE: i32 = "io.compression.codec.lzo.buffersize", Some("65536"), false, None, Limits::Any,
        [], "common", JavaOnly, "Compression";
    "Block-compressed SequenceFile block."
    IO_SEQFILE_COMPRESS_BLOCKSIZE: i32 = "io.seqfile.compress.blocksize", Some("1000000"), true, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFile";
    "Legacy SequenceFile default."
    IO_SEQFILE_COMPRESSION_TYPE: String as "a word" = "io.seqfile.compression.type", Some("RECORD"), false, None, Limits::Words(&["NONE", "RECORD", "BLOCK"]),
        [], "child", JavaOnly, "SequenceFile";
    "Documented; unused flag (documented, never read)."
    IO_SEQFILE_LAZYDECOMPRESS: bool = "io.seqfile.lazydecompress", Some("true"), true, None, Limits::Any,
        [], "none", JavaOnly, "core-default.xml";
    "Documented sorter limit (documented, never read)."
    IO_SEQFILE_SORTER_RECORDLIMIT: i32 = "io.seqfile.sorter.recordlimit", Some("1000000"), true, None, Limits::Any,
        [], "none", JavaOnly, "core-default.xml";
    "MapFile index thinning."
    IO_MAP_INDEX_SKIP: i32 = "io.map.index.skip", Some("0"), true, None, Limits::Any,
        [], "child", JavaOnly, "MapFile";
    "MapFile index interval."
    IO_MAP_INDEX_INTERVAL: i32 = "io.map.index.interval", Some("128"), false, None, Limits::Any,
        [], "child", JavaOnly, "MapFile";
    "BloomMapFile keys."
    IO_MAPFILE_BLOOM_SIZE: i32 = "io.mapfile.bloom.size", Some("1048576"), true, None, Limits::Any,
        [], "child", JavaOnly, "BloomMapFile";
    "BloomMapFile error."
    IO_MAPFILE_BLOOM_ERROR_RATE: f32 = "io.mapfile.bloom.error.rate", Some("0.005"), true, None, Limits::Any,
        [], "child", JavaOnly, "BloomMapFile";
    "Hash for Bloom filters."
    HADOOP_UTIL_HASH_TYPE: String as "a word" = "hadoop.util.hash.type", Some("murmur"), true, None, Limits::Any,
        [], "common", JavaOnly, "Hash";
    "TFile read buffer."
    TFILE_FS_INPUT_BUFFER_SIZE: i32 = "tfile.fs.input.buffer.size", Some("262144"), false, None, Limits::Any,
        [], "child", JavaOnly, "TFile";
    "TFile write buffer."
    TFILE_FS_OUTPUT_BUFFER_SIZE: i32 = "tfile.fs.output.buffer.size", Some("262144"), false, None, Limits::Any,
        [], "child", JavaOnly, "TFile";
    "TFile chunk."
    TFILE_IO_CHUNK_SIZE: i32 = "tfile.io.chunk.size", Some("1048576"), false, None, Limits::Any,
        [], "child", JavaOnly, "TFile";
    "Zlib level."
    ZLIB_COMPRESS_LEVEL: String as "a word" = "zlib.compress.level", Some("DEFAULT_COMPRESSION"), false, None, Limits::Any,
        [], "child", JavaOnly, "ZlibFactory";
    "Zlib strategy."
    ZLIB_COMPRESS_STRATEGY: String as "a word" = "zlib.compress.strategy", Some("DEFAULT_STRATEGY"), false, None, Limits::Any,
        [], "child", JavaOnly, "ZlibFactory";
    "Use native codecs."
    HADOOP_NATIVE_LIB: bool = "hadoop.native.lib", Some("true"), true, None, Limits::Any,
        ["io.native.lib.available"], "common", JavaOnly, "CommonConfigurationKeys";
    "Base for default paths."
    HADOOP_TMP_DIR: String as "a path" = "hadoop.tmp.dir", Some("/tmp/hadoop-${user.name}"), true, None, Limits::Any,
        [], "common", Behaviour, "RunJar";
    "Log size (documented, never read)."
    HADOOP_LOGFILE_SIZE: i32 = "hadoop.logfile.size", Some("10000000"), true, None, Limits::Any,
        [], "none", Tuning, "core-default.xml";
    "Log count (documented, never read)."
    HADOOP_LOGFILE_COUNT: i32 = "hadoop.logfile.count", Some("10"), true, None, Limits::Any,
        [], "none", Tuning, "core-default.xml";
}
