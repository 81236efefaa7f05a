//! SHA-256 digests of the class files that Hadoop 1.2.1's own job jars bring.
//!
//! Origin: every `.class` entry of `hadoop-examples-1.2.1.jar` and `hadoop-streaming-1.2.1.jar` as published on Maven
//! Central under `org.apache.hadoop`. A class of a family below counts only with these bytes: people edit `WordCount`
//! and keep its name. Regenerate by digesting the entries of those jars; the order is that of the class names.

use crate::class_index::Digest;

/// The families whose members must be Hadoop's own when one of them is used: name prefixes. A family is what its
/// members may call.
const FAMILIES: &[&str] = &[
    "org.apache.hadoop.examples.PiEstimator",
    "org.apache.hadoop.examples.SecondarySort",
    "org.apache.hadoop.examples.SleepJob",
    "org.apache.hadoop.examples.WordCount",
    "org.apache.hadoop.examples.terasort.",
    "org.apache.hadoop.streaming.",
    "org.apache.hadoop.typedbytes.",
];

/// The family of a class that a job jar brings, if it is one of ours.
pub(crate) fn family_of(class: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|family| class.starts_with(**family)).copied()
}

/// Whether these are the bytes of that class in Hadoop 1.2.1.
pub(crate) fn is_known(class: &str, digest: &Digest) -> bool {
    DIGESTS.binary_search_by(|(name, _)| (*name).cmp(class)).is_ok_and(|at| DIGESTS[at].1 == hex(digest))
}

fn hex(digest: &Digest) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[rustfmt::skip]
const DIGESTS: &[(&str, &str)] = &[
    ("org.apache.hadoop.examples.PiEstimator", "53bfd9c0ce1ed6158302988d3331c6a57c0618d20b3bdafca62091689e041fc8"),
    ("org.apache.hadoop.examples.PiEstimator$HaltonSequence", "1079d476e1e9d7234eb0d2bbf76ed5cc02d4b81a70f889f7503456015777b931"),
    ("org.apache.hadoop.examples.PiEstimator$PiMapper", "7c9e9e7f8930c64ba8f1a3cc52eb3e57495df1c38d4e254ceee8e9649289bbd4"),
    ("org.apache.hadoop.examples.PiEstimator$PiReducer", "3e233c63e6c2c69a54b50ee9dabd953fb45208a955e3b7c2973ee23e8069eeb8"),
    ("org.apache.hadoop.examples.SecondarySort", "9b58cb572692623b7f6eb6a6736c72b9d59e912d290e39fdb1593212763301c5"),
    ("org.apache.hadoop.examples.SecondarySort$FirstGroupingComparator", "6b2302cb74876f58a0fa4b72bcaab5189eb05fa3b462db6fbaf76f3597430afa"),
    ("org.apache.hadoop.examples.SecondarySort$FirstPartitioner", "86da0be450e0f9cd832f112bdb8edf9cb576e04b572eee1644672f40989b3d16"),
    ("org.apache.hadoop.examples.SecondarySort$IntPair", "15e29bbfa6e2a8e45bc98576f993b64269befaadf7deb893d0d9c497dd740559"),
    ("org.apache.hadoop.examples.SecondarySort$IntPair$Comparator", "bebedca563664dc6c78a9f73249d3440e232256e5102cca01cc8e9cdaa9d9f72"),
    ("org.apache.hadoop.examples.SecondarySort$MapClass", "1510b3d6d924d49d3969e9bfdf7404f1100633bd675d99b238f6703dacf76ecb"),
    ("org.apache.hadoop.examples.SecondarySort$Reduce", "ca368018f53cb344e66bfca4cd2017cdcb25bddbf171427dac72747bdd80eae0"),
    ("org.apache.hadoop.examples.SleepJob", "f9ff361567ea49dca9e541a1229fb7ff71ffebb174519c366c44526598eee936"),
    ("org.apache.hadoop.examples.SleepJob$EmptySplit", "32ec3b017341c4024ad3567681516c5fb162f11c707b40d465aba67118961343"),
    ("org.apache.hadoop.examples.SleepJob$SleepInputFormat", "e167dc5ac2e4ae3c905e095c89bb025c144ca139704322cae8a2f62bbd56d4c9"),
    ("org.apache.hadoop.examples.SleepJob$SleepInputFormat$1", "228887e95f07d01be783ab81f4b566780375a3711f9d9db3a011ce2f1f364523"),
    ("org.apache.hadoop.examples.WordCount", "da2d1f625ee648297d52747f040062e42ff31a1d88a3ba406a102c5bc4a1c592"),
    ("org.apache.hadoop.examples.WordCount$IntSumReducer", "5cb673a75ec511e9b8ffbf30d02297d0df5e0c5be66a6628174501b543750c81"),
    ("org.apache.hadoop.examples.WordCount$TokenizerMapper", "5c3af2288742878f182d3555bacd5a1508d0cf748d46f1c4a6d6178596ddb2dc"),
    ("org.apache.hadoop.examples.terasort.TeraGen", "53217bc46681b9aa825047ae6cc6b08063b62e7b82682040a64cf7a7d28a23eb"),
    ("org.apache.hadoop.examples.terasort.TeraGen$RandomGenerator", "54f709c0ef36034aee8ec8c39e19e72707e4decc7d1e39ec43952997095758fd"),
    ("org.apache.hadoop.examples.terasort.TeraGen$RangeInputFormat", "037a2d91676b18032567fb8d67ea1cd4a4e6d531e97230ff3eaa2d98034a5ccd"),
    ("org.apache.hadoop.examples.terasort.TeraGen$RangeInputFormat$RangeInputSplit", "6b28420d1fabe7a0d0b0d966c41403185243edc3b7f93ca9330c80371cafb2b2"),
    ("org.apache.hadoop.examples.terasort.TeraGen$RangeInputFormat$RangeRecordReader", "dd0803bd605ddce68ae5bea2d00a7bd432ba85548dfcb73cf4c2c2707ab6d8ca"),
    ("org.apache.hadoop.examples.terasort.TeraGen$SortGenMapper", "f8616b9326a6b1fd2dbb900b52ca96fe782352aa70c023c47a73ccb351d2dbb1"),
    ("org.apache.hadoop.examples.terasort.TeraInputFormat", "a01800ea29db0124297d72e64f1b0bd9c6131d53e82a5f7372846f1024a60a75"),
    ("org.apache.hadoop.examples.terasort.TeraInputFormat$TeraRecordReader", "05db0dfb4d0fd9b0678e7947b22e05c712fe7be94369e6568857ebe16c83d1aa"),
    ("org.apache.hadoop.examples.terasort.TeraInputFormat$TextSampler", "9ba783c133ba74e03dc3aafc6c79d274caf5849907c1658d69f2e3464c9003cf"),
    ("org.apache.hadoop.examples.terasort.TeraOutputFormat", "6da499a6f31d3067c96bf1a5e77b4ac6ac9f2e51abaad220b07624e8b44a4999"),
    ("org.apache.hadoop.examples.terasort.TeraOutputFormat$TeraRecordWriter", "8c749eeab006812a9f50dacd4d59adbc1e28425d3dac8e4752752b88e7e04bb5"),
    ("org.apache.hadoop.examples.terasort.TeraSort", "bc428506bdbd25938108ba75431acb066e314720e335a125efb991893da1f5fe"),
    ("org.apache.hadoop.examples.terasort.TeraSort$TotalOrderPartitioner", "0abf3014cd4f66a273d2b532f3ad950195f879f329224695f0c77677ee74d2a7"),
    ("org.apache.hadoop.examples.terasort.TeraSort$TotalOrderPartitioner$InnerTrieNode", "88cb9fe1b451dcc2a0ed034b2485ff18067394f8adfb70535bc9be6e3c4f879b"),
    ("org.apache.hadoop.examples.terasort.TeraSort$TotalOrderPartitioner$LeafTrieNode", "76def31072451f933c8051df1fbe89cacea3e42ea73720ab1d1053c73955e69b"),
    ("org.apache.hadoop.examples.terasort.TeraSort$TotalOrderPartitioner$TrieNode", "f49958b58d43b12806d1a0f325cf0eb66d20e29d8dad3056dc3c280afc744c15"),
    ("org.apache.hadoop.examples.terasort.TeraValidate", "436fb30a3f0252330f049790de581cee649f2a5ea294c41a652c6791dc90118c"),
    ("org.apache.hadoop.examples.terasort.TeraValidate$ValidateMapper", "50af47a62baff51abc7a76e244198dbb502cf7bb72a90fd6e9f587e71ef0bf89"),
    ("org.apache.hadoop.examples.terasort.TeraValidate$ValidateReducer", "8e6974eba3e6715a608dfd44d0ed9a0c472e942d3825aa24ecd963bc0de9b429"),
    ("org.apache.hadoop.streaming.AutoInputFormat", "af76c4b014c709ae757ad2f5413f9212a2837d47ad18d6ff65d66982297f097b"),
    ("org.apache.hadoop.streaming.DumpTypedBytes", "c5d4b43510e173a352c26142f45da602b14e5023dfaadadda9e9f735f49c147d"),
    ("org.apache.hadoop.streaming.Environment", "bd7f0c96016b7fd6f296d42e3a18194cb73c434a885529ae6189b76af2e752bb"),
    ("org.apache.hadoop.streaming.HadoopStreaming", "fce32a995dfa133e26f0472d27b9cc610c712b7bbcf91c67892ffacedac95b60"),
    ("org.apache.hadoop.streaming.JarBuilder", "aa93ee9ed168f97ad7a6943e171fe355f966291fe527b88cd23ba25ca68367e8"),
    ("org.apache.hadoop.streaming.LoadTypedBytes", "5b31fa120f07f18d915308aac22c124ffdf8e4d926002ce8fc82d9ae530f8853"),
    ("org.apache.hadoop.streaming.PathFinder", "89b1b9460b0319fe4be8432e6d87c3f977bb43fd886ae6bad225324894ab486b"),
    ("org.apache.hadoop.streaming.PipeCombiner", "0ad81fed5c927e0530a97f375e487a56f241e81662317507544e13cd8a47850c"),
    ("org.apache.hadoop.streaming.PipeMapRed", "23360093c94abc2a254a5ae27db0e2e870e339747a5f5f2a5629dcce6b19357d"),
    ("org.apache.hadoop.streaming.PipeMapRed$1", "4d9ddcccab7df9959addc57975e007803708c7d883da696068f1032542d5e3e0"),
    ("org.apache.hadoop.streaming.PipeMapRed$MRErrorThread", "ddc52a6b61c1b058d2668d7cedcc2873cba6167d053ef5619acaed6e54dce6cc"),
    ("org.apache.hadoop.streaming.PipeMapRed$MROutputThread", "84a41be9725d9647a571497c8956cad4f68b471f8415e591e257419aa9155254"),
    ("org.apache.hadoop.streaming.PipeMapRunner", "3dc1efe2909794143682afa2e911c462dd3e07a88cc1a3b03776572ce38911f3"),
    ("org.apache.hadoop.streaming.PipeMapper", "7a125d1aae755b051c568f970c0fd6a7ced4e7e5502aa2fb15351e41dadc8a13"),
    ("org.apache.hadoop.streaming.PipeReducer", "f16bbcc1cc5706519fe236af3f0484f800b0250d2ae2b710d5239a6861a461ba"),
    ("org.apache.hadoop.streaming.StreamBaseRecordReader", "a920b9088c3a86d8a2ac63b6d89034ee842281ceb716f444b25e7ec5b5e444f6"),
    ("org.apache.hadoop.streaming.StreamInputFormat", "19fed726819cb45ee65509544d5e8fc9e18732a729c8e78df38c5f1f3a6bbd0f"),
    ("org.apache.hadoop.streaming.StreamJob", "5483083e20c689b3196f83c2879449c825d31d80f59c4a8ec0555094d1b29224"),
    ("org.apache.hadoop.streaming.StreamKeyValUtil", "31e4df0d416be769c0e45cc3145dc231e3277df379da1322b2048d47e837f72f"),
    ("org.apache.hadoop.streaming.StreamUtil", "5c37004236d2b0f859c52df682e16eb5f86d36c00072f1465a03b13758d9bd39"),
    ("org.apache.hadoop.streaming.StreamUtil$StreamConsumer", "4fd41fc094bb3e640772a7e2cdb1fd111367ebeb336cab78c6ca5902762c3e9a"),
    ("org.apache.hadoop.streaming.StreamUtil$TaskId", "05283ba29c7e081cdd3add27cd1286ac50c68ec9aad1900a2bc951219baee503"),
    ("org.apache.hadoop.streaming.StreamXmlRecordReader", "7a534e9358692217e386b5ed380219f9fb2411b9de97785b97df696ade627638"),
    ("org.apache.hadoop.streaming.UTF8ByteArrayUtils", "f77cc25c839173a992933d6c81754e6d9a9a042a6d1c67a0aa10fbebb2fa124b"),
    ("org.apache.hadoop.streaming.io.IdentifierResolver", "3ec14da1ae34ca02e97ab786fda6c046455fcfc78451ef0f09bc3f8bc43a7b76"),
    ("org.apache.hadoop.streaming.io.InputWriter", "f33049478e8fe71646be890dd27c26647ed4a6c3b25b68f9c82da91931ffaee3"),
    ("org.apache.hadoop.streaming.io.OutputReader", "93c90b6bca9aa2d3301700b49c11c2c0a714389b63ca263f65e0d69a234c000a"),
    ("org.apache.hadoop.streaming.io.RawBytesInputWriter", "2b4981ea010e7a6154ad1e367784747605f1d2e54bc4c7440d0c26a524311a49"),
    ("org.apache.hadoop.streaming.io.RawBytesOutputReader", "5a26842cb41867080944cc9f7e6f58c77853639fd8f740ab516bb9669d4b7110"),
    ("org.apache.hadoop.streaming.io.TextInputWriter", "b1a41ed48cc221b0db4f95a725c812d2de9fd327fe2d22cc23c53868ae89f21c"),
    ("org.apache.hadoop.streaming.io.TextOutputReader", "73a136af41bad116ddb021905aeb9c2d99b30022b01203a66c9e58b09e99e031"),
    ("org.apache.hadoop.streaming.io.TypedBytesInputWriter", "3799d14e0ee6778163c21b3571d3e699c7a0861a7069fe304c08877d0aa3ae23"),
    ("org.apache.hadoop.streaming.io.TypedBytesOutputReader", "10555575fdc58c6bb972b6bc39da22b89f13950c76fdbef9bfe780ee0881e922"),
    ("org.apache.hadoop.typedbytes.Type", "0ce824490d9422149a677da40754ad328bf58074e49a1f032060911a6cbc1576"),
    ("org.apache.hadoop.typedbytes.TypedBytesInput", "160054a7593d3ca334b29e343ff73aa7ab1c9e576d0ef12f1a972a19325a0020"),
    ("org.apache.hadoop.typedbytes.TypedBytesInput$1", "8e1c4e72ccc1c1e2afed7925ee7b3c641425af46daac792a837c81fae64a3d65"),
    ("org.apache.hadoop.typedbytes.TypedBytesOutput", "badf9f20fc6f09ed9bffeb324689a6b522ab910039a1212a9e1710ed7bb40d40"),
    ("org.apache.hadoop.typedbytes.TypedBytesOutput$1", "33f9b21b9c0c7d249ab2a76428c02651631ceb9dc2eeb762f36fcd9660af01b9"),
    ("org.apache.hadoop.typedbytes.TypedBytesRecordInput", "e33a21810bcbb057f4cf8c767dfd2140e107206a5f3de011c5d8777d85c406e1"),
    ("org.apache.hadoop.typedbytes.TypedBytesRecordInput$1", "20790d719a1b74faf881b1296c0ae0e0d1b4ca141fd63eaa3f02b1c21d65033d"),
    ("org.apache.hadoop.typedbytes.TypedBytesRecordInput$TypedBytesIndex", "f72210da51e1621f6c4a403e7f4c649eaa327d7163a0d2dfb5f487a52acb91f9"),
    ("org.apache.hadoop.typedbytes.TypedBytesRecordOutput", "1d96f032cd21edfed0ccc74581191c96f127aa53b71bb9fb16ecf7fedf4e0dcc"),
    ("org.apache.hadoop.typedbytes.TypedBytesRecordOutput$1", "70664f9ba5235f8e7306e5de6861c2620a93e026109d4ee0b1fbe92740624171"),
    ("org.apache.hadoop.typedbytes.TypedBytesWritable", "64d956ea3dcdbea0c28c3bf7646cc5dcc9f87950715614339b7615230409b0af"),
    ("org.apache.hadoop.typedbytes.TypedBytesWritableInput", "b357339bb2c6a45020e380c463fd8acf05d6c8d6647cb0c0ca8d9b3c0de8aea5"),
    ("org.apache.hadoop.typedbytes.TypedBytesWritableInput$1", "410bddcfea2ec876fbe9e7a8ce599881164409b3acc9ef904cd0db42e6c57baf"),
    ("org.apache.hadoop.typedbytes.TypedBytesWritableInput$2", "2b1808b1f576e8677492345b936155f0b80481d4e4d9657319972682011a8e4b"),
    ("org.apache.hadoop.typedbytes.TypedBytesWritableOutput", "989e7b180b14d5d6729a28f1525c965c38d2d4f7d855d6a731f6e03cd95de11f"),
    ("org.apache.hadoop.typedbytes.TypedBytesWritableOutput$1", "d3010be14da29c755b7f88021fbd8325000140e6a8e34ae24eb1a602261bdf03"),
];
