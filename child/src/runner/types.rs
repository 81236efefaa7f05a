//! The key and value classes of a task's records, some of which only its input file tells.

use std::sync::{Arc, Mutex, PoisonError};

use twins::{Api, DataType, Mapper, Plan, flow};

use crate::api::{Result, TaskError};

/// Java classes of a key and a value.
pub type Classes = (String, String);

/// Key and value type, both with twins.
pub(super) type Record = flow::Record;

/// The classes of the records that the task reads; known once its input is open.
#[derive(Debug, Clone, Default)]
pub struct InputTypes(Arc<Mutex<Option<Classes>>>);

impl InputTypes {
    /// Says what the open input holds.
    pub(super) fn set(&self, classes: Classes) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(classes);
    }

    pub(super) fn get(&self) -> Result<Classes> {
        let classes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        classes.ok_or_else(|| TaskError::runtime("no input was opened"))
    }

    /// What the input holds, if its classes have twins.
    pub(super) fn record(&self) -> Result<Record> {
        let (key, value) = self.get()?;
        Ok((data_type(&key)?, data_type(&value)?))
    }

    /// What the job's mapper makes of the input.
    fn mapped(&self, plan: &Plan) -> Result<Classes> {
        let (key, value) = self.get()?;
        match plan.mapper {
            Mapper::Identity => return Ok((key, value)),
            Mapper::Inverse => return Ok((value, key)),
            Mapper::Pipes => {
                let declared = [plan.output_key, plan.output_value];
                let [key, value] = declared.map(|kind| kind.class_name().to_owned());
                return Ok((key, value));
            }
            _ => {}
        }
        // A mapper that looks at the value alone takes any key: the value's own type stands in for it.
        let known = DataType::of_class(&value, Api::Both);
        let key = DataType::of_class(&key, Api::Both).or(known);
        let mapped = match (key, known) {
            (Some(key), Some(known)) => flow::map_record(plan, Some((key, known))),
            _ => Err(format!("{value} cannot be cast to {}", DataType::Text.class_name())),
        };
        match mapped {
            Ok(Some((key, value))) => Ok((key.class_name().to_owned(), value.class_name().to_owned())),
            Ok(None) => Err(TaskError::runtime("the mapper's output has no known type")),
            Err(message) => Err(cannot_cast(message)),
        }
    }

    /// The classes of what reaches the job's output from this task.
    ///
    /// # Errors
    /// If a part of the job cannot take the records of the part before it.
    pub fn written(&self, plan: &Plan) -> Result<Classes> {
        if !plan.with_reduces {
            return self.mapped(plan);
        }
        let reduced = flow::reduce_record(plan, plan.reducer);
        let nothing = || TaskError::runtime("the reducer puts nothing out");
        let (key, value) = reduced.map_err(cannot_cast)?.ok_or_else(nothing)?;
        Ok((key.class_name().to_owned(), value.class_name().to_owned()))
    }

    /// The failure of a map whose output is not of the declared classes, in Hadoop's words.
    ///
    /// Hadoop 1.2.1: MapTask.MapOutputBuffer.collect.
    pub(super) fn check_mapped(&self, plan: &Plan) -> Result<()> {
        let found = self.mapped(plan)?;
        if !plan.with_reduces {
            return Ok(());
        }
        for (what, expected, found) in
            [("key", plan.map_output_key, found.0), ("value", plan.map_output_value, found.1)]
        {
            let expected = expected.class_name();
            if expected != found {
                let message = format!("Type mismatch in {what} from map: expected {expected}, recieved {found}");
                return Err(TaskError::io_exception(message));
            }
        }
        Ok(())
    }
}

/// The twin of a class that a file names.
///
/// # Errors
/// If it has none.
pub(crate) fn data_type(class: &str) -> Result<DataType> {
    DataType::of_class(class, Api::Both)
        .ok_or_else(|| TaskError::runtime(format!("{class} has no native twin; run the job with Java's child")))
}

fn cannot_cast(message: String) -> TaskError {
    TaskError::Failed { exception: "java.lang.ClassCastException", message }
}
