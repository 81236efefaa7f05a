//! The entries of `vectors.json`: each names a class, and for each class there is one way to read and write it here.

use hadoop_io::{DataInput, DataOutput, DecodeError};
use serde_json::Value;
use storage::Path;
use types::{
    AccessControlList, ClusterStatus, Counters, Credentials, DelegationTokenIdentifier, HeartbeatResponse, JobId,
    JobProfile, JobQueueInfo, JobStatus, JobTokenIdentifier, JvmContext, JvmId, JvmTask, MapTaskCompletionEventsUpdate,
    QueueAclsInfo, ResourceStatus, SafeModeAction, SortedRange, SortedRanges, SplitMeta, Task, TaskAttemptId,
    TaskCompletionEvent, TaskId, TaskKind, TaskReport, TaskSplitIndex, TaskStatus, TaskTrackerHealthStatus,
    TaskTrackerStatus, Token,
};
use wire::object_writable::{JavaChar, NewApiJobId, ObjectWritable};
use wire::{Writable, history, object_writable, shuffle, splits};

use super::{Recoded, assert_same, hex, text, unhex, vector_json};

/// Entries that are not written back, and why. Empty so far; whatever stands here must fail.
const NOT_RECODED: &[(&str, &str)] = &[];

#[test]
fn every_entry_is_read_and_written_back() {
    let entries = vector_json("vectors.json");
    let entries = entries.as_array().expect("an array of entries");
    assert!(entries.len() >= 180, "only {} entries", entries.len());
    for entry in entries {
        let (class, name) = (text(entry, "class"), text(entry, "name"));
        if class == "file" {
            continue; // The test of files reads these.
        }
        let bytes = hex(entry, "hex");
        let recoded = recode(class, entry, &bytes).unwrap_or_else(|| panic!("{name}: class {class} is unknown here"));
        match NOT_RECODED.iter().find(|(listed, _)| *listed == name) {
            None => assert_same(name, &bytes, recoded),
            Some((_, why)) => assert!(recoded != Ok(bytes), "{name} is written back now, though: {why}"),
        }
    }
}

#[test]
fn ids_print_as_hadoop_prints_them() {
    let mut checked = 0;
    for entry in vector_json("vectors.json").as_array().expect("an array") {
        let (class, Some(printed)) = (text(entry, "class"), entry["fields"]["string"].as_str()) else { continue };
        let bytes = hex(entry, "hex");
        let ours = match class.rsplit('.').next() {
            Some("JobID") => JobId::from_bytes(&bytes).map(|id| id.to_string()),
            Some("TaskID") => TaskId::from_bytes(&bytes).map(|id| id.to_string()),
            Some("TaskAttemptID") => TaskAttemptId::from_bytes(&bytes).map(|id| id.to_string()),
            Some("JVMId") => JvmId::from_bytes(&bytes).map(|id| id.to_string()),
            _ => continue,
        };
        assert_eq!(ours.as_deref(), Ok(printed));
        checked += 1;
    }
    assert!(checked >= 7, "only {checked} ids");
}

/// Reads with one function and writes with another; everything must be read.
fn through<'a, T>(
    bytes: &'a [u8],
    read: impl Fn(&mut DataInput<'a>) -> Result<T, DecodeError>,
    write: impl Fn(&T, &mut DataOutput),
) -> Recoded {
    let mut input = DataInput::new(bytes);
    let value = read(&mut input).and_then(|value| input.expect_end("vector").map(|()| value));
    let mut out = DataOutput::new();
    write(&value.map_err(|error| error.to_string())?, &mut out);
    Ok(out.into_bytes())
}

fn writable<T: Writable>(bytes: &[u8]) -> Recoded {
    T::from_bytes(bytes).map(|value| value.to_bytes()).map_err(|error| error.to_string())
}

fn object<T: ObjectWritable>(bytes: &[u8]) -> Recoded {
    through(bytes, object_writable::read_or_fail::<T>, |value, out| object_writable::write(value, out))
}

fn status(bytes: &[u8], kind: TaskKind) -> Recoded {
    through(bytes, |input| wire::read_task_status(input, kind), wire::write_task_status)
}

fn task(bytes: &[u8], kind: TaskKind) -> Recoded {
    through(bytes, |input| wire::read_task(input, kind), wire::write_task)
}

fn recode(class: &str, entry: &Value, bytes: &[u8]) -> Option<Recoded> {
    let short = class.strip_prefix("org.apache.hadoop.").unwrap_or(class);
    primitive(short, bytes)
        .or_else(|| id_or_counters(short, bytes))
        .or_else(|| job_side(short, bytes))
        .or_else(|| tracker_side(short, bytes))
        .or_else(|| security(short, entry, bytes))
        .or_else(|| match short {
            "ObjectWritable" => recode_object(entry, bytes),
            "text" => recode_text(entry),
            _ => None,
        })
}

fn primitive(class: &str, bytes: &[u8]) -> Option<Recoded> {
    Some(match class {
        "WritableUtils.writeVLong" => through(bytes, DataInput::vlong, |value, out| out.vlong(*value)),
        "io.VIntWritable" => through(bytes, DataInput::vint, |value, out| out.vint(*value)),
        "io.Text" | "WritableUtils.writeEnum" => through(bytes, DataInput::text, |value, out| out.text(value)),
        "io.UTF8" => through(bytes, DataInput::utf8, |value, out| out.utf8(value)),
        "java.io.DataOutput.writeUTF" => through(bytes, DataInput::modified_utf, |value, out| out.modified_utf(value)),
        // Of compressed strings there is a null only, which is the same in both forms.
        "WritableUtils.writeString" | "WritableUtils.writeCompressedString" => {
            through(bytes, DataInput::wstring, |value, out| out.wstring(value.as_deref()))
        }
        "WritableUtils.writeStringArray" => through(bytes, DataInput::wstrings, |value, out| out.wstrings(value)),
        "io.BooleanWritable" => through(bytes, DataInput::bool, |value, out| out.bool(*value)),
        "io.IntWritable" => through(bytes, DataInput::int, |value, out| out.int(*value)),
        "io.LongWritable" => through(bytes, DataInput::long, |value, out| out.long(*value)),
        "io.FloatWritable" => through(bytes, DataInput::float, |value, out| out.float(*value)),
        "io.DoubleWritable" => through(bytes, DataInput::double, |value, out| out.double(*value)),
        "io.NullWritable" => through(bytes, |_| Ok(()), |(), _| ()),
        "io.MD5Hash" => through(bytes, |input| Ok(input.bytes(16, "hash")?.to_vec()), |value, out| out.bytes(value)),
        "io.BytesWritable" => through(
            bytes,
            |input| input.count(1, "bytes").and_then(|len| Ok(input.bytes(len, "bytes")?.to_vec())),
            |value, out| {
                out.int(value.len() as i32);
                out.bytes(value);
            },
        ),
        "io.ArrayWritable" => through(
            bytes,
            |input| input.count(4, "elements").and_then(|count| (0..count).map(|_| input.int()).collect()),
            |value: &Vec<i32>, out| {
                out.int(value.len() as i32);
                value.iter().for_each(|element| out.int(*element));
            },
        ),
        _ => return None,
    })
}

fn id_or_counters(class: &str, bytes: &[u8]) -> Option<Recoded> {
    Some(match class {
        "mapred.JobID" => writable::<JobId>(bytes),
        "mapred.TaskID" => writable::<TaskId>(bytes),
        "mapred.TaskAttemptID" => writable::<TaskAttemptId>(bytes),
        "mapred.JVMId" => writable::<JvmId>(bytes),
        "mapred.JvmContext" => writable::<JvmContext>(bytes),
        "mapred.Counters" => writable::<Counters>(bytes),
        _ => return None,
    })
}

fn job_side(class: &str, bytes: &[u8]) -> Option<Recoded> {
    Some(match class {
        "mapred.JobStatus" => writable::<JobStatus>(bytes),
        "mapred.JobProfile" => writable::<JobProfile>(bytes),
        "mapred.ClusterStatus" => writable::<ClusterStatus>(bytes),
        "mapred.TaskReport" => writable::<TaskReport>(bytes),
        "mapred.TaskCompletionEvent" => writable::<TaskCompletionEvent>(bytes),
        "mapred.JobQueueInfo" => writable::<JobQueueInfo>(bytes),
        "mapred.QueueAclsInfo" => writable::<QueueAclsInfo>(bytes),
        "security.authorize.AccessControlList" => writable::<AccessControlList>(bytes),
        "mapreduce.split.JobSplit$TaskSplitIndex" => writable::<TaskSplitIndex>(bytes),
        "mapreduce.split.JobSplit$SplitMetaInfo" => writable::<SplitMeta>(bytes),
        "mapred.FileSplit" => file_split(splits::OLD_FILE_SPLIT, splits::FileSplit::store_old, bytes),
        "mapreduce.lib.input.FileSplit" => file_split(splits::NEW_FILE_SPLIT, splits::FileSplit::store_new, bytes),
        _ => return None,
    })
}

/// The vector is the body alone; `job.split` has the class before it.
fn file_split(class: &str, store: fn(&splits::FileSplit) -> splits::StoredSplit, bytes: &[u8]) -> Recoded {
    let mut stored = DataOutput::new();
    stored.text(class);
    stored.bytes(bytes);
    match splits::read_split(&mut DataInput::new(stored.as_bytes())).map_err(|error| error.to_string())? {
        splits::Split::File(split) => Ok(store(&split).body),
        splits::Split::Other(class) => Err(format!("read as {class}")),
    }
}

fn tracker_side(class: &str, bytes: &[u8]) -> Option<Recoded> {
    Some(match class {
        "mapred.SortedRanges$Range" => writable::<SortedRange>(bytes),
        "mapred.SortedRanges" => writable::<SortedRanges>(bytes),
        "mapred.MapTaskStatus" => status(bytes, TaskKind::Map),
        "mapred.ReduceTaskStatus" => status(bytes, TaskKind::Reduce),
        "TaskStatus.writeTaskStatus" => writable::<TaskStatus>(bytes),
        "mapred.TaskTrackerStatus$ResourceStatus" => writable::<ResourceStatus>(bytes),
        "mapred.TaskTrackerStatus$TaskTrackerHealthStatus" => writable::<TaskTrackerHealthStatus>(bytes),
        "mapred.TaskTrackerStatus" => writable::<TaskTrackerStatus>(bytes),
        "mapred.MapTask" => task(bytes, TaskKind::Map),
        "mapred.ReduceTask" => task(bytes, TaskKind::Reduce),
        "mapred.JvmTask" => writable::<JvmTask>(bytes),
        "mapred.LaunchTaskAction" => writable::<Task>(bytes),
        "mapred.KillTaskAction" | "mapred.CommitTaskAction" => writable::<TaskAttemptId>(bytes),
        "mapred.KillJobAction" => writable::<JobId>(bytes),
        "mapred.ReinitTrackerAction" => through(bytes, |_| Ok(()), |(), _| ()),
        "mapred.HeartbeatResponse" => writable::<HeartbeatResponse>(bytes),
        "mapred.MapTaskCompletionEventsUpdate" => writable::<MapTaskCompletionEventsUpdate>(bytes),
        _ => return None,
    })
}

fn security(class: &str, entry: &Value, bytes: &[u8]) -> Option<Recoded> {
    Some(match class {
        "mapreduce.security.token.JobTokenIdentifier" => writable::<JobTokenIdentifier>(bytes),
        "mapreduce.security.token.delegation.DelegationTokenIdentifier" => writable::<DelegationTokenIdentifier>(bytes),
        "security.token.Token" => writable::<Token>(bytes),
        "security.Credentials" => writable::<Credentials>(bytes),
        "Credentials.writeTokenStorageToStream" => wire::credentials::read_storage(bytes)
            .map(|credentials| wire::credentials::write_storage(&credentials))
            .map_err(|error| error.to_string()),
        "HmacSHA1" => recode_hash(&entry["fields"]),
        _ => return None,
    })
}

/// A token's password, or both hashes of the shuffle.
fn recode_hash(fields: &Value) -> Recoded {
    if let Some(key) = fields["masterKey"].as_str() {
        return Ok(rpc::secret::hmac_sha1(&unhex(key), &unhex(text(fields, "identifier"))).to_vec());
    }
    let key = unhex(text(fields, "key"));
    let message = text(fields, "message");
    let (port, uri) = message.split_at(message.find('/').expect("a path"));
    let port = port.parse().expect("a port");
    assert_eq!(shuffle::hash_message(port, uri), message);
    let proof = shuffle::url_hash(&key, port, uri);
    assert_eq!(proof, text(fields, "UrlHash"));
    assert_eq!(shuffle::reply_hash(&key, &proof), text(fields, "ReplyHash"));
    Ok(proof.into_bytes())
}

fn recode_object(entry: &Value, bytes: &[u8]) -> Option<Recoded> {
    let nullable = entry["fields"]["value"].is_null();
    Some(match text(&entry["fields"], "declared") {
        "int" => object::<i32>(bytes),
        "long" => object::<i64>(bytes),
        "short" => object::<i16>(bytes),
        "byte" => object::<i8>(bytes),
        "char" => object::<JavaChar>(bytes),
        "float" => object::<f32>(bytes),
        "double" => object::<f64>(bytes),
        "boolean" => object::<bool>(bytes),
        "void" => object::<()>(bytes),
        "java.lang.String" if nullable => object::<Option<String>>(bytes),
        "java.lang.String" => object::<String>(bytes),
        "[Ljava.lang.String;" if nullable => object::<Option<Vec<String>>>(bytes),
        "[Ljava.lang.String;" => object::<Vec<Option<String>>>(bytes),
        "[J" => object::<Vec<i64>>(bytes),
        "[Lorg.apache.hadoop.mapred.TaskReport;" => object::<Vec<TaskReport>>(bytes),
        "org.apache.hadoop.mapred.JobStatus" => object::<Option<JobStatus>>(bytes),
        "org.apache.hadoop.mapred.JobTracker$SafeModeAction" => object::<SafeModeAction>(bytes),
        "org.apache.hadoop.mapred.JobID" => object::<JobId>(bytes),
        "org.apache.hadoop.mapreduce.JobID" => object::<NewApiJobId>(bytes),
        "org.apache.hadoop.mapred.TaskStatus" => object::<TaskStatus>(bytes),
        _ => return None,
    })
}

/// Texts: what goes in must come out as Hadoop's, and go back where there is a way back.
fn recode_text(entry: &Value) -> Option<Recoded> {
    let fields = &entry["fields"];
    Some(Ok(match text(entry, "name") {
        "Counters.makeEscapedCompactString" => {
            let mut counters = Counters::new();
            counters.set(text(fields, "group"), text(fields, "counter"), fields["value"].as_i64().expect("a number"));
            let written = history::counters_to_text(&counters);
            assert_eq!(history::counters_from_text(&written), Ok(counters));
            written.into_bytes()
        }
        "JobHistory.escapeString" => {
            let written = history::escape(text(fields, "in"));
            assert_eq!(history::unescape(&written), text(fields, "in"));
            written.into_bytes()
        }
        "JobHistory.JobInfo.encodeJobHistoryFileName" => history::encode_file_name(text(fields, "in")).into_bytes(),
        "Path.toString" => Path::parse(text(fields, "in")).expect("a path").to_string().into_bytes(),
        _ => return None,
    }))
}
