//! Counters in named groups (Hadoop 1.2.1: mapred.Counters). Groups and counters keep the order in which they came, so
//! that what was read is written back alike; Hadoop's own order is that of a hash table and means nothing.

/// One named number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Its key within the group.
    pub name: String,
    /// What people see; equal to `name` where there is nothing better.
    pub display: String,
    /// The count.
    pub value: i64,
}

/// Counters under one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterGroup {
    /// The key: for enum counters, the enum's Java class name.
    pub name: String,
    /// What people see.
    pub display: String,
    /// In order of appearance.
    pub counters: Vec<Counter>,
}

/// All counters of an attempt, a task or a job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counters {
    /// In order of appearance.
    pub groups: Vec<CounterGroup>,
}

impl Counters {
    /// No counters.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a counter, if it exists.
    pub fn get(&self, group: &str, name: &str) -> Option<i64> {
        let group = self.groups.iter().find(|g| g.name == group)?;
        group.counters.iter().find(|c| c.name == name).map(|c| c.value)
    }

    /// The counter, made with value 0 and Hadoop's own display names if it does not exist.
    pub fn entry(&mut self, group: &str, name: &str) -> &mut Counter {
        let at = match self.groups.iter().position(|g| g.name == group) {
            Some(at) => at,
            None => {
                let display = names::group_display(group).to_owned();
                self.groups.push(CounterGroup { name: group.to_owned(), display, counters: Vec::new() });
                self.groups.len() - 1
            }
        };
        let counters = &mut self.groups[at].counters;
        let at = match counters.iter().position(|c| c.name == name) {
            Some(at) => at,
            None => {
                let display = names::counter_display(group, name).to_owned();
                counters.push(Counter { name: name.to_owned(), display, value: 0 });
                counters.len() - 1
            }
        };
        &mut counters[at]
    }

    /// Adds to a counter, which wraps as Java's long does.
    pub fn increment(&mut self, group: &str, name: &str, by: i64) {
        let counter = self.entry(group, name);
        counter.value = counter.value.wrapping_add(by);
    }

    /// Sets a counter.
    pub fn set(&mut self, group: &str, name: &str, value: i64) {
        self.entry(group, name).value = value;
    }

    /// Adds every counter of `other` (Hadoop 1.2.1: Counters.incrAllCounters).
    pub fn add_all(&mut self, other: &Counters) {
        for group in &other.groups {
            let at = match self.groups.iter().position(|g| g.name == group.name) {
                Some(at) => at,
                None => {
                    let (name, display) = (group.name.clone(), group.display.clone());
                    self.groups.push(CounterGroup { name, display, counters: Vec::new() });
                    self.groups.len() - 1
                }
            };
            let counters = &mut self.groups[at].counters;
            for counter in &group.counters {
                match counters.iter_mut().find(|c| c.name == counter.name) {
                    Some(mine) => mine.value = mine.value.wrapping_add(counter.value),
                    None => counters.push(counter.clone()),
                }
            }
        }
    }

    /// How many counters there are over all groups.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|g| g.counters.len()).sum()
    }

    /// Whether there is no counter.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Names and displays of the framework's own counters.
pub mod names {
    /// Counters of a task: records, bytes, spills.
    pub const TASK: &str = "org.apache.hadoop.mapred.Task$Counter";
    /// Counters of a job: launches, locality, slot time.
    pub const JOB: &str = "org.apache.hadoop.mapred.JobInProgress$Counter";
    /// Bytes read by an input format.
    pub const FILE_INPUT: &str = "org.apache.hadoop.mapreduce.lib.input.FileInputFormat$Counter";
    /// Bytes written by an output format.
    pub const FILE_OUTPUT: &str = "org.apache.hadoop.mapreduce.lib.output.FileOutputFormat$Counter";
    /// Bytes by file system scheme: `<SCHEME>_BYTES_READ` and `_WRITTEN`.
    pub const FILE_SYSTEM: &str = "FileSystemCounters";

    /// The display name of a group; the name itself where Hadoop has none.
    pub fn group_display(group: &str) -> &str {
        match group {
            TASK => "Map-Reduce Framework",
            JOB => "Job Counters ",
            FILE_INPUT => "File Input Format Counters ",
            FILE_OUTPUT => "File Output Format Counters ",
            other => other,
        }
    }

    /// The display name of a counter; the name itself where Hadoop has none.
    pub fn counter_display<'a>(group: &str, name: &'a str) -> &'a str {
        let table: &[(&str, &str)] = match group {
            TASK => TASK_DISPLAYS,
            JOB => JOB_DISPLAYS,
            FILE_INPUT => &[("BYTES_READ", "Bytes Read")],
            FILE_OUTPUT => &[("BYTES_WRITTEN", "Bytes Written")],
            _ => &[],
        };
        table.iter().find(|(key, _)| *key == name).map_or(name, |(_, display)| display)
    }

    const TASK_DISPLAYS: &[(&str, &str)] = &[
        ("MAP_INPUT_RECORDS", "Map input records"),
        ("MAP_OUTPUT_RECORDS", "Map output records"),
        ("MAP_SKIPPED_RECORDS", "Map skipped records"),
        ("MAP_INPUT_BYTES", "Map input bytes"),
        ("MAP_OUTPUT_BYTES", "Map output bytes"),
        ("MAP_OUTPUT_MATERIALIZED_BYTES", "Map output materialized bytes"),
        ("COMBINE_INPUT_RECORDS", "Combine input records"),
        ("COMBINE_OUTPUT_RECORDS", "Combine output records"),
        ("REDUCE_INPUT_GROUPS", "Reduce input groups"),
        ("REDUCE_SHUFFLE_BYTES", "Reduce shuffle bytes"),
        ("REDUCE_INPUT_RECORDS", "Reduce input records"),
        ("REDUCE_OUTPUT_RECORDS", "Reduce output records"),
        ("REDUCE_SKIPPED_GROUPS", "Reduce skipped groups"),
        ("REDUCE_SKIPPED_RECORDS", "Reduce skipped records"),
        ("SPILLED_RECORDS", "Spilled Records"),
        ("CPU_MILLISECONDS", "CPU time spent (ms)"),
        ("PHYSICAL_MEMORY_BYTES", "Physical memory (bytes) snapshot"),
        ("VIRTUAL_MEMORY_BYTES", "Virtual memory (bytes) snapshot"),
        ("COMMITTED_HEAP_BYTES", "Total committed heap usage (bytes)"),
    ];

    const JOB_DISPLAYS: &[(&str, &str)] = &[
        ("NUM_FAILED_MAPS", "Failed map tasks"),
        ("NUM_FAILED_REDUCES", "Failed reduce tasks"),
        ("TOTAL_LAUNCHED_MAPS", "Launched map tasks"),
        ("TOTAL_LAUNCHED_REDUCES", "Launched reduce tasks"),
        ("OTHER_LOCAL_MAPS", "Other local map tasks"),
        ("DATA_LOCAL_MAPS", "Data-local map tasks"),
        ("NODEGROUP_LOCAL_MAPS", "NodeGroup-local map tasks"),
        ("RACK_LOCAL_MAPS", "Rack-local map tasks"),
        ("FALLOW_SLOTS_MILLIS_MAPS", "Total time spent by all maps waiting after reserving slots (ms)"),
        ("FALLOW_SLOTS_MILLIS_REDUCES", "Total time spent by all reduces waiting after reserving slots (ms)"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_by_group_and_name_and_keeps_displays() {
        let mut total = Counters::new();
        total.increment(names::TASK, "SPILLED_RECORDS", 2);
        let mut other = Counters::new();
        other.increment(names::TASK, "SPILLED_RECORDS", 40);
        other.increment("mine", "seen", 1);
        total.add_all(&other);
        assert_eq!(total.get(names::TASK, "SPILLED_RECORDS"), Some(42));
        assert_eq!(total.groups[0].display, "Map-Reduce Framework");
        assert_eq!(total.groups[0].counters[0].display, "Spilled Records");
        assert_eq!(total.groups[1].display, "mine");
        assert_eq!(total.len(), 2);
        assert_eq!(total.get("mine", "unseen"), None);
    }
}
