//! Files that Hadoop's programs wrote: staging and system directory, token files, logs, history, records.

use std::collections::BTreeMap;

use hadoop_io::DataInput;
use types::TaskSplitIndex;
use wire::job_info::{JobInfo, RestartCount};
use wire::task_log::LogIndex;
use wire::{Writable, credentials, history, splits};

use super::{Recoded, assert_same, vector_file, vector_path};

/// Files that are not written back, and why.
const NOT_RECODED: &[(&str, &str)] = &[("taskjvm.sh", "a script, which is written and never read")];

/// How a file is read and written back.
type Recode = fn(&[u8]) -> Recoded;

const FILES: &[(&str, Recode)] = &[
    ("local-jobToken", token_file),
    ("system-jobToken", token_file),
    ("submit-job.splitmetainfo", split_meta),
    ("submit-job.split", split_file),
    ("local-split.info", writable::<TaskSplitIndex>),
    ("system-job-info", writable::<JobInfo>),
    ("system-jobtracker.info", writable::<RestartCount>),
    ("log.index", log_index),
    ("history-job_202611302130_0001_1796074274561_root_word+count", job_history),
    ("history-job_202611302130_0002_1796074392181_root_Sleep+job", job_history),
];

fn writable<T: Writable>(bytes: &[u8]) -> Recoded {
    T::from_bytes(bytes).map(|value| value.to_bytes()).map_err(|error| error.to_string())
}

fn token_file(bytes: &[u8]) -> Recoded {
    let read = credentials::read_storage(bytes).map_err(|error| error.to_string())?;
    let token = read.token(types::Credentials::JOB_TOKEN).ok_or("no job token")?;
    assert_eq!(token.kind, credentials::JOB_TOKEN_KIND);
    assert_eq!(credentials::from_url_string(&credentials::to_url_string(token)).as_ref(), Ok(token));
    Ok(credentials::write_storage(&read))
}

fn split_meta(bytes: &[u8]) -> Recoded {
    splits::read_meta(bytes).map(|read| splits::write_meta(&read)).map_err(|error| error.to_string())
}

/// The split file, read at the places that its meta file names.
fn split_file(bytes: &[u8]) -> Recoded {
    let meta = splits::read_meta(&vector_file("files/submit-job.splitmetainfo")).map_err(|error| error.to_string())?;
    splits::check_split_header(bytes).map_err(|error| error.to_string())?;
    let mut writer = splits::SplitWriter::new();
    for split in meta {
        let mut input = DataInput::new(&bytes[split.start_offset as usize..]);
        match splits::read_split(&mut input).map_err(|error| error.to_string())? {
            splits::Split::File(file) => {
                assert_eq!(file.length, split.input_length);
                assert_eq!(writer.push(&file.store_new()), split.start_offset);
            }
            splits::Split::Other(class) => return Err(format!("a split of class {class}")),
        }
    }
    Ok(writer.into_bytes())
}

fn log_index(bytes: &[u8]) -> Recoded {
    let index = LogIndex::parse(&String::from_utf8_lossy(bytes)).ok_or("no index")?;
    assert_eq!(LogIndex::whole(index.directory.clone()), index);
    Ok(index.to_text().into_bytes())
}

fn job_history(bytes: &[u8]) -> Recoded {
    let records = history::parse(&String::from_utf8_lossy(bytes)).map_err(|error| error.to_string())?;
    for (_, counters) in records.iter().flat_map(|record| &record.values).filter(|(key, _)| {
        matches!(key, history::Key::Counters | history::Key::MapCounters | history::Key::ReduceCounters)
    }) {
        let read = history::counters_from_text(counters).map_err(|error| error.to_string())?;
        assert_eq!(history::counters_to_text(&read), *counters);
    }
    Ok(records.iter().map(ToString::to_string).collect::<String>().into_bytes())
}

/// Every file that stands in the folder has a row in one of the tables, and every row its file.
#[test]
fn every_file_is_read_and_written_back() {
    let mut rows: BTreeMap<&str, Option<Recode>> = FILES.iter().map(|(name, recode)| (*name, Some(*recode))).collect();
    rows.extend(super::records::FILES.iter().map(|(name, recode)| (*name, Some(*recode))));
    rows.extend(NOT_RECODED.iter().map(|(name, _)| (*name, None)));
    for entry in std::fs::read_dir(vector_path("files")).expect("files") {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        let recode = rows.remove(name.as_str()).unwrap_or_else(|| panic!("{name} has no row"));
        if let Some(recode) = recode {
            let bytes = vector_file(&format!("files/{name}"));
            match super::records::OTHER_BYTES.iter().find(|(listed, _)| *listed == name) {
                None => assert_same(&name, &bytes, recode(&bytes)),
                Some((_, why)) => {
                    let recoded = recode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert!(recoded != bytes, "{name} is written back alike, though {why}");
                }
            }
        }
    }
    assert!(rows.is_empty(), "rows without a file: {:?}", rows.keys());
}

#[test]
fn history_files_are_named_as_hadoop_names_them() {
    let job = types::JobId::new("202611302130", 1);
    let name = history::job_file_name(&job, 1796074274561, "root", "word count");
    assert!(vector_path("files").join(format!("history-{name}")).exists(), "{name}");
}
