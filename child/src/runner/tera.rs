//! TeraGen's and TeraValidate's mappers and reducer.
//!
//! Hadoop 1.2.1: examples.terasort.TeraGen.SortGenMapper, TeraValidate.ValidateMapper and ValidateReducer.

use configuration::keys;
use storage::Path;

use super::data::{self, put_text, text_body};
use super::mappers::Map;
use super::words::text_to_string;
use crate::api::{Collector, GroupReducer, Result, TaskContext, TaskError, Values};

const MULTIPLIER: u64 = 3_141_592_621;
const INCREMENT: u64 = 663_896_637;
const MASK: u64 = (1 << 32) - 1;

/// TeraGen's random numbers: x → x · 3141592621 + 663896637 modulo 2³².
struct Random(u64);

impl Random {
    /// The state after `steps` steps from 0, by repeated squaring of the step.
    fn after(steps: u64) -> Self {
        let (mut multiplier, mut increment, mut state, mut left) = (MULTIPLIER, INCREMENT, 0u64, steps & MASK);
        while left > 0 {
            if left & 1 == 1 {
                state = (state.wrapping_mul(multiplier).wrapping_add(increment)) & MASK;
            }
            increment = (multiplier.wrapping_mul(increment).wrapping_add(increment)) & MASK;
            multiplier = multiplier.wrapping_mul(multiplier) & MASK;
            left >>= 1;
        }
        Random(state)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        self.0
    }
}

/// Makes the row of a number: ten random bytes, the number, letters.
#[derive(Default)]
pub(super) struct Generate {
    random: Option<Random>,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl Map for Generate {
    fn map(&mut self, key: &[u8], _value: &[u8], output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let row = data::long(key).map_err(TaskError::decode("the row number"))?;
        let random = self.random.get_or_insert_with(|| Random::after((row as u64).wrapping_mul(3)));
        self.key.clear();
        put_text(&mut self.key, &random_key(random));
        self.value.clear();
        put_text(&mut self.value, &row_text(row));
        output.collect(&self.key, &self.value)
    }
}

/// Ten of the twelve printable characters that three random numbers give.
fn random_key(random: &mut Random) -> [u8; 10] {
    let mut bytes = [0; 12];
    for group in bytes.chunks_mut(4) {
        let mut rest = random.next() / 52;
        for byte in group.iter_mut().rev() {
            *byte = b' ' + (rest % 95) as u8;
            rest /= 95;
        }
    }
    let mut key = [0; 10];
    key.copy_from_slice(&bytes[..10]);
    key
}

/// The row number in ten columns, and 78 letters.
fn row_text(row: i64) -> Vec<u8> {
    let number = (row as i32).to_string();
    let mut text = format!("{:>10}", &number[..number.len().min(10)]).into_bytes();
    let base = row.wrapping_mul(8).rem_euclid(26);
    for block in 0..8 {
        let letter = b'A' + ((base + block) % 26) as u8;
        let len = if block < 7 { 10 } else { 8 };
        text.extend(std::iter::repeat_n(letter, len));
    }
    text
}

const ERROR: &[u8] = b"error";

fn collect(output: &mut dyn Collector, key: &[u8], value: &[u8]) -> Result<()> {
    let (mut key_text, mut value_text) = (Vec::new(), Vec::new());
    put_text(&mut key_text, key);
    put_text(&mut value_text, value);
    output.collect(&key_text, &value_text)
}

/// Checks that rows are in order, and gives a file's first and last key.
pub(super) struct ValidateMap {
    file: String,
    last: Option<Vec<u8>>,
}

impl ValidateMap {
    pub(super) fn new(ctx: &TaskContext) -> Result<Self> {
        let path = ctx.conf.get_optional(&keys::MAP_INPUT_FILE)?.unwrap_or_default();
        let file = Path::parse(&path).map(|path| path.name().to_owned())?;
        Ok(ValidateMap { file, last: None })
    }
}

impl Map for ValidateMap {
    fn map(&mut self, key: &[u8], _value: &[u8], output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let key = text_body(key).map_err(TaskError::decode("the row's key"))?;
        match &self.last {
            None => collect(output, format!("{}:begin", self.file).as_bytes(), key)?,
            Some(last) if key < &last[..] => {
                let (file, last, key) = (&self.file, text_to_string(last), text_to_string(key));
                let report = format!("misorder in {file} last: '{last}' current: '{key}'");
                collect(output, ERROR, report.as_bytes())?;
            }
            Some(_) => {}
        }
        self.last = Some(key.to_vec());
        Ok(())
    }

    fn close(&mut self, output: &mut dyn Collector) -> Result<()> {
        match &self.last {
            Some(last) => collect(output, format!("{}:end", self.file).as_bytes(), last),
            None => Ok(()),
        }
    }
}

/// Checks that files are in order, and passes reports on.
#[derive(Default)]
pub(super) struct ValidateReduce {
    last: Option<(Vec<u8>, Vec<u8>)>,
}

impl GroupReducer for ValidateReduce {
    fn reduce(&mut self, key: &[u8], values: &mut Values<'_>, output: &mut dyn Collector) -> Result<()> {
        let name = text_body(key).map_err(TaskError::decode("the file's name"))?;
        if name == ERROR {
            while let Some(value) = values.next()? {
                output.collect(key, value)?;
            }
            return Ok(());
        }
        let Some(value) = values.next()? else { return Ok(()) };
        let value = text_body(value).map_err(TaskError::decode("the file's key"))?;
        if let Some((last_name, last)) = &self.last
            && value < &last[..]
        {
            let report = format!(
                "misordered keys last: {} '{}' current: {} '{}'",
                text_to_string(last_name),
                text_to_string(last),
                text_to_string(name),
                text_to_string(value)
            );
            collect(output, ERROR, report.as_bytes())?;
        }
        self.last = Some((name.to_vec(), value.to_vec()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_random_numbers_are_hadoops_own_seeds() {
        // From the table of TeraGen.RandomGenerator: the states after every 2²⁷ steps.
        assert_eq!(Random::after(1 << 27).0, 4_160_749_568);
        assert_eq!(Random::after(16 << 27).0, 2_147_483_648);
        let mut near = Random(0);
        for _ in 0..1000 {
            near.next();
        }
        assert_eq!(Random::after(1000).0, near.0);
    }
}
