//! Counters, group by group (Hadoop 1.2.1: mapred.Counters, Counters.Group, mapreduce.Counter).

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{Counter, CounterGroup, Counters};

use crate::Writable;

impl Writable for Counter {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.name);
        let distinct = self.display != self.name;
        out.bool(distinct);
        if distinct {
            out.text(&self.display);
        }
        out.vlong(self.value);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let name = input.text()?;
        let display = if input.bool()? { input.text()? } else { name.clone() };
        Ok(Counter { name, display, value: input.vlong()? })
    }
}

impl Writable for CounterGroup {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.name);
        out.text(&self.display);
        out.vint(self.counters.len() as i32);
        self.counters.iter().for_each(|counter| counter.write(out));
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let name = input.text()?;
        let display = input.text()?;
        let count = input.vcount(3, "counters of a group")?;
        let counters = (0..count).map(|_| Counter::read(input)).collect::<Result<_, _>>()?;
        Ok(CounterGroup { name, display, counters })
    }
}

impl Writable for Counters {
    fn write(&self, out: &mut DataOutput) {
        crate::writable::write_list(&self.groups, out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(Counters { groups: crate::writable::read_list(input, 3, "groups of counters")? })
    }
}
