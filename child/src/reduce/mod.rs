//! A reduce: fetches its partition of every map, merges, groups, reduces.
//!
//! Hadoop 1.2.1: ReduceTask.run, runOldReducer and runNewReducer.

mod fetch;
mod http;
mod memory;
mod merging;
mod plan;
mod shuffle;

use std::sync::Arc;

use configuration::keys;
use types::Phase;

use self::merging::MergeTools;
use crate::api::{Library, Result, TaskContext};
use crate::attempt::AttemptReport;
use crate::combine::Combining;
use crate::counters::{names, task_counter};
use crate::disk::Disks;
use crate::map::collector::{map_output_codec, merge_factor};
use crate::merge::MergedStream;
use crate::output_tracker::TrackedWriter;
use crate::sorted::{GroupCounters, GroupedStream, Grouping};

/// Runs a reduce over the output of `maps` maps.
pub(crate) fn run(
    library: &Arc<dyn Library>,
    maps: usize,
    ctx: &TaskContext,
    disks: Disks,
    report: &Arc<AttemptReport>,
    password: Vec<u8>,
) -> Result<()> {
    make_counters(ctx);
    let comparator = library.comparator(ctx)?;
    let tools = MergeTools {
        combining: Combining::new(library, &comparator, ctx),
        comparator,
        disks,
        codec: map_output_codec(ctx)?,
        factor: merge_factor(ctx),
        spilled: task_counter(&ctx.reporter, names::SPILLED_RECORDS),
        reporter: ctx.reporter.clone(),
        attempt: ctx.attempt.to_string(),
    };
    enter(report, None, "copy > ", 0.0)?;
    let outputs = shuffle::run(maps, ctx, report, password, &tools)?;
    enter(report, Some(Phase::Sort), "sort", 1.0)?;
    let mut records = merging::final_merge(outputs, &tools)?;
    enter(report, Some(Phase::Reduce), "reduce", 2.0)?;
    reduce(library, ctx, &tools, &mut records)?;
    ctx.reporter.set_progress(1.0);
    Ok(())
}

/// Counters that a reduce has even if it counts nothing.
fn make_counters(ctx: &TaskContext) {
    for name in [
        names::REDUCE_SHUFFLE_BYTES,
        names::REDUCE_INPUT_GROUPS,
        names::REDUCE_INPUT_RECORDS,
        names::REDUCE_OUTPUT_RECORDS,
        names::COMBINE_OUTPUT_RECORDS,
    ] {
        task_counter(&ctx.reporter, name);
    }
}

/// Begins one of the three phases; but for the first, the tracker is told at once.
fn enter(report: &AttemptReport, phase: Option<Phase>, status: &str, phases_done: f32) -> Result<()> {
    let reporter = report.reporter();
    reporter.set_phase_status(Some(status.to_owned()));
    reporter.set_progress(phases_done / 3.0);
    if let Some(phase) = phase {
        report.set_phase(phase);
        report.status_update()?;
    }
    Ok(())
}

fn reduce(library: &Arc<dyn Library>, ctx: &TaskContext, tools: &MergeTools, records: &mut MergedStream) -> Result<()> {
    let reporter = &ctx.reporter;
    let counters = GroupCounters {
        groups: Some(task_counter(reporter, names::REDUCE_INPUT_GROUPS)),
        values: task_counter(reporter, names::REDUCE_INPUT_RECORDS),
        skipped_count: ctx.conf.get_or(&keys::MAPRED_REDUCER_NEW_API, false),
    };
    let mut reducer = library.reducer(ctx)?;
    let mut output = TrackedWriter::open(library, ctx, task_counter(reporter, names::REDUCE_OUTPUT_RECORDS))?;
    let progress = reporter.clone();
    let on_progress = Box::new(move |done: f32| progress.set_progress((2.0 + done) / 3.0));
    let mut groups = GroupedStream::new(records, tools.comparator.clone(), Grouping::ByGroup, counters, on_progress);
    reducer.run(&mut groups, &mut output, ctx)?;
    output.close()
}
