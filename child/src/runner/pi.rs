//! The points of PiEstimator: a Halton sequence in the unit square, counted inside and outside of the circle.
//!
//! Hadoop 1.2.1: examples.PiEstimator. The reducer leaves its sums in a file that the client reads.

use std::io::BufWriter;

use hadoop_io::sequence_file::{Compression, Header, Writer, random_sync};
use storage::CreateOptions;
use twins::DataType;

use super::data;
use super::mappers::Map;
use super::total_order::from_working_directory;
use crate::api::{Collector, GroupReducer, Result, TaskContext, TaskError, Values};

/// Where the client expects the sums.
const RESULT: &str = "PiEstimator_TMP_3_141592654/out/reduce-out";

const BASES: [i64; 2] = [2, 3];
const DIGITS: [usize; 2] = [63, 40];

/// Points H(start+1), H(start+2), … of the two-dimensional sequence.
struct Halton {
    x: [f64; 2],
    q: [Vec<f64>; 2],
    d: [Vec<i64>; 2],
}

impl Halton {
    fn from(start: i64) -> Self {
        let mut halton = Halton { x: [0.0; 2], q: [Vec::new(), Vec::new()], d: [Vec::new(), Vec::new()] };
        for i in 0..2 {
            let (mut k, mut q) = (start, 1.0);
            for _ in 0..DIGITS[i] {
                q /= BASES[i] as f64;
                let digit = k % BASES[i];
                k = (k - digit) / BASES[i];
                halton.x[i] += digit as f64 * q;
                halton.q[i].push(q);
                halton.d[i].push(digit);
            }
        }
        halton
    }

    fn next(&mut self) -> [f64; 2] {
        for i in 0..2 {
            for j in 0..DIGITS[i] {
                self.d[i][j] += 1;
                self.x[i] += self.q[i][j];
                if self.d[i][j] < BASES[i] {
                    break;
                }
                self.d[i][j] = 0;
                self.x[i] -= if j == 0 { 1.0 } else { self.q[i][j - 1] };
            }
        }
        self.x
    }
}

/// Counts the points of one map.
pub(super) struct Points;

impl Map for Points {
    fn map(&mut self, key: &[u8], value: &[u8], output: &mut dyn Collector, ctx: &TaskContext) -> Result<()> {
        let offset = data::long(key).map_err(TaskError::decode("the offset"))?;
        let size = data::long(value).map_err(TaskError::decode("the number of points"))?;
        let mut halton = Halton::from(offset);
        let (mut inside, mut outside) = (0i64, 0i64);
        for done in 1..=size {
            let [x, y] = halton.next().map(|x| x - 0.5);
            if x * x + y * y > 0.25 {
                outside += 1;
            } else {
                inside += 1;
            }
            if done % 1000 == 0 {
                ctx.reporter.set_status(format!("Generated {done} samples."));
            }
        }
        output.collect(&[1], &inside.to_be_bytes())?;
        output.collect(&[0], &outside.to_be_bytes())
    }
}

/// Adds the counts up and writes them where the client looks.
pub(super) struct Sums {
    inside: i64,
    outside: i64,
    ctx: TaskContext,
}

impl Sums {
    pub(super) fn new(ctx: &TaskContext) -> Self {
        Sums { inside: 0, outside: 0, ctx: ctx.clone() }
    }
}

impl GroupReducer for Sums {
    fn reduce(&mut self, key: &[u8], values: &mut Values<'_>, _output: &mut dyn Collector) -> Result<()> {
        let sum = if key == [0] { &mut self.outside } else { &mut self.inside };
        while let Some(value) = values.next()? {
            let count = data::long(value).map_err(TaskError::decode("a count"))?;
            *sum = sum.wrapping_add(count);
        }
        Ok(())
    }

    fn close(&mut self, _output: &mut dyn Collector) -> Result<()> {
        let path = from_working_directory(RESULT, &self.ctx)?;
        let file = self.ctx.storage.for_path(&path)?.create(&path, CreateOptions::OVERWRITE)?;
        let long = DataType::Long.class_name().to_owned();
        let header = Header {
            key_class: long.clone(),
            value_class: long,
            compression: Compression::None,
            metadata: std::collections::BTreeMap::new(),
        };
        let written = Writer::new(BufWriter::new(file), &header, random_sync()).and_then(|mut writer| {
            writer.append(&self.inside.to_be_bytes(), &self.outside.to_be_bytes())?;
            let file = writer.finish()?.into_inner().map_err(|error| error.into_error())?;
            file.close()
        });
        written.map_err(TaskError::io(format!("write {path}")))
    }
}
