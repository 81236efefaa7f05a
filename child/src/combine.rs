//! Runs a combiner over one partition's records (Hadoop 1.2.1: Task.CombinerRunner, CombineOutputCollector).

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use configuration::keys;
use hadoop_io::ifile;

use crate::api::{Collector, Library, RawComparator, Result, TaskContext, TaskError};
use crate::counters::{names, task_counter};
use crate::reporter::CounterHandle;
use crate::sorted::{GroupCounters, GroupedStream, Grouping, Sorted};

/// A job's combiner with its counters.
#[derive(Clone)]
pub(crate) struct Combining {
    library: Arc<dyn Library>,
    comparator: Arc<dyn RawComparator>,
    ctx: TaskContext,
    new_api: bool,
    input: CounterHandle,
    output: CounterHandle,
}

impl Combining {
    /// The job's combiner, if it has one. The counters exist in any case.
    pub(crate) fn new(
        library: &Arc<dyn Library>,
        comparator: &Arc<dyn RawComparator>,
        ctx: &TaskContext,
    ) -> Option<Self> {
        let input = task_counter(&ctx.reporter, names::COMBINE_INPUT_RECORDS);
        let output = task_counter(&ctx.reporter, names::COMBINE_OUTPUT_RECORDS);
        let (library, comparator, ctx) = (library.clone(), comparator.clone(), ctx.clone());
        // Hadoop 1.2.1: Task.CombinerRunner.create looks for the old interface's combiner first.
        let new_api = !ctx.conf.is_set(&keys::MAPRED_COMBINER_CLASS);
        library.has_combiner().then(|| Combining { library, comparator, ctx, new_api, input, output })
    }

    /// Combines a stream into a segment of the file at `path`.
    pub(crate) fn run<W: Write + Send>(
        &self,
        stream: &mut dyn Sorted,
        writer: &mut ifile::Writer<W>,
        path: &Path,
    ) -> Result<()> {
        let counters = GroupCounters { groups: None, values: self.input.clone(), skipped_count: self.new_api };
        let reporter = self.ctx.reporter.clone();
        let comparator = self.comparator.clone();
        let alive = Box::new(move |_| reporter.alive());
        let mut groups = GroupedStream::new(stream, comparator, Grouping::BySortOrder, counters, alive);
        let mut output = Combined { writer, path, count: &self.output };
        self.library.combiner(&self.ctx)?.run(&mut groups, &mut output, &self.ctx)
    }
}

struct Combined<'a, W: Write> {
    writer: &'a mut ifile::Writer<W>,
    path: &'a Path,
    count: &'a CounterHandle,
}

impl<W: Write + Send> Collector for Combined<'_, W> {
    fn collect(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.count.add(1);
        self.writer.append(key, value).map_err(TaskError::disk(self.path))
    }
}
