//! A map: its split's records through the mapper into the collector.
//!
//! Hadoop 1.2.1: MapTask.runOldMapper and runNewMapper.

mod buffer;
pub(crate) mod collector;
mod input;
mod spill;

use std::sync::Arc;

use configuration::keys;

use self::collector::{DirectCollector, SortingCollector};
use self::input::TrackedReader;
pub(crate) use self::input::read_split;
pub(crate) use self::spill::OUTPUT_DIR;
use crate::api::{InputSplit, Library, Result, TaskContext};
use crate::disk::Disks;

/// Runs a map to the end of its split. Returns the length of its output file, if it feeds reduces.
pub(crate) fn run(
    library: &Arc<dyn Library>,
    split: &InputSplit,
    ctx: &TaskContext,
    disks: Disks,
) -> Result<Option<u64>> {
    let mut input = TrackedReader::open(library, split, ctx)?;
    let partitions = u32::try_from(ctx.conf.get_or(&keys::MAPRED_REDUCE_TASKS, 1)).unwrap_or(0);
    crate::log::info("mapred.MapTask", format_args!("numReduceTasks: {partitions}"));
    let len = if partitions == 0 {
        let mut output = DirectCollector::new(library, ctx)?;
        library.map_runner(ctx)?.run(&mut input, &mut output, ctx)?;
        output.finish()?;
        None
    } else {
        let mut output = SortingCollector::new(library, ctx, disks, partitions)?;
        library.map_runner(ctx)?.run(&mut input, &mut output, ctx)?;
        Some(output.finish()?)
    };
    input.finish()?;
    ctx.reporter.set_progress(1.0);
    Ok(len)
}
