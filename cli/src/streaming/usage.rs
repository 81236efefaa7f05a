//! What streaming prints about itself (Hadoop 1.2.1: StreamJob.exitUsage).

use crate::console::Console;
use crate::options::GENERIC_USAGE;

const OPTIONS: &str = "\
Usage: $HADOOP_HOME/bin/hadoop jar \\
          $HADOOP_HOME/hadoop-streaming.jar [options]
Options:
  -input    <path>     DFS input file(s) for the Map step
  -output   <path>     DFS output directory for the Reduce step
  -mapper   <cmd|JavaClassName>      The streaming command to run
  -combiner <cmd|JavaClassName> The streaming command to run
  -reducer  <cmd|JavaClassName>      The streaming command to run
  -file     <file>     File/dir to be shipped in the Job jar file
  -inputformat TextInputFormat(default)|SequenceFileAsTextInputFormat|JavaClassName Optional.
  -outputformat TextOutputFormat(default)|JavaClassName  Optional.
  -partitioner JavaClassName  Optional.
  -numReduceTasks <num>  Optional.
  -inputreader <spec>  Optional.
  -cmdenv   <n>=<v>    Optional. Pass env.var to streaming commands
  -mapdebug <path>  Optional. To run this script when a map task fails 
  -reducedebug <path>  Optional. To run this script when a reduce task fails 
  -io <identifier>  Optional.
  -verbose

";

const SHORT: &str = "
For more details about these options:
Use $HADOOP_HOME/bin/hadoop jar build/hadoop-streaming.jar -info
";

const DETAILS: &str = "
Inputs may hold wildcards, and -input may be given several times.
By default a line of input is a record, which the command gets without its key.
A line that the command writes is a record: key up to the first tab, then value.
Files of -file are in the working directory of each task.
-numReduceTasks 0, like -reducer NONE, leaves out sort and reduce: what the mapper
writes is the job's output.
";

/// Prints the options, and more if details were asked for.
pub(super) fn print(details: bool, console: &mut Console<'_>) {
    let end = if details { DETAILS } else { SHORT };
    console.out_raw(format_args!("{OPTIONS}{GENERIC_USAGE}{end}"));
}
