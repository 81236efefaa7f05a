//! Reads a job's split meta file and places its hosts (Hadoop 1.2.1: mapreduce.split.SplitMetaInfoReader).

use jobtracker_core::SplitWithRacks;
use storage::StorageError;
use types::JobId;

use crate::state::Shared;

const META_FILE: &str = "job.splitmetainfo";

/// The splits of a job with the racks of their hosts; the error is the text that the job fails with.
pub(super) fn read(shared: &Shared, job: &JobId) -> Result<Vec<SplitWithRacks>, String> {
    let files = shared.job_files(job).ok_or_else(|| format!("the files of {job} are not known"))?;
    let path = files.submit_dir.child(META_FILE);
    let limit = shared.settings.split_meta_bytes_max;
    let bytes = shared
        .storage
        .for_path(&path)
        .and_then(|file_system| file_system.read_to_vec(&path, u64::try_from(limit).unwrap_or(u64::MAX)))
        .map_err(|error| match error {
            StorageError::TooLong { .. } => format!("Split metadata size exceeded {limit}. Aborting job {job}"),
            error => chain(&error),
        })?;
    let splits = wire::splits::read_meta(&bytes).map_err(|error| format!("{path} is no split meta file: {error}"))?;
    let mut with_racks = Vec::with_capacity(splits.len());
    for split in splits {
        let racks = shared.racks.of_all(&split.locations);
        with_racks.push(SplitWithRacks { split, racks });
    }
    Ok(with_racks)
}

/// An error with all that caused it, in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
