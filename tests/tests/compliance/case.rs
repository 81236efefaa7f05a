//! A case: one named statement about a cluster, and on which cells it is made.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use crate::bench::Bench;
use crate::cell::{Cell, Part};

/// One statement. It panics where it does not hold.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) group: &'static str,
    /// Whether CI makes it too.
    pub(crate) is_core: bool,
    pub(crate) check: fn(&Bench),
    limit: Limit,
}

enum Limit {
    None,
    /// Hadoop 1.2.1 gets it wrong: only cells whose part is ours are asked.
    OnlyOurs(Part, &'static str),
    /// We do not pass it yet where the part is ours.
    Gap(Part, &'static str),
    /// It says nothing about cells of which this part is not ours.
    Concerns(Part),
}

/// What is expected of a case in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expectation {
    Passes,
    /// For a gap of that name.
    Fails(&'static str),
    /// Is not asked, for this reason.
    NotAsked(&'static str),
}

impl Case {
    pub(crate) const fn core(group: &'static str, name: &'static str, check: fn(&Bench)) -> Case {
        Case { name, group, is_core: true, check, limit: Limit::None }
    }

    pub(crate) const fn more(group: &'static str, name: &'static str, check: fn(&Bench)) -> Case {
        Case { name, group, is_core: false, check, limit: Limit::None }
    }

    pub(crate) const fn only_ours(mut self, part: Part, reason: &'static str) -> Case {
        self.limit = Limit::OnlyOurs(part, reason);
        self
    }

    pub(crate) const fn gap(mut self, part: Part, name: &'static str) -> Case {
        self.limit = Limit::Gap(part, name);
        self
    }

    pub(crate) const fn concerns(mut self, part: Part) -> Case {
        self.limit = Limit::Concerns(part);
        self
    }

    pub(crate) fn gap_name(&self) -> Option<&'static str> {
        match self.limit {
            Limit::Gap(_, name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn expectation(&self, cell: &Cell) -> Expectation {
        match self.limit {
            Limit::Gap(part, name) if cell.is_ours(part) => Expectation::Fails(name),
            Limit::OnlyOurs(part, reason) if !cell.is_ours(part) => Expectation::NotAsked(reason),
            Limit::Concerns(part) if !cell.is_ours(part) => Expectation::NotAsked("of our parts only"),
            _ => Expectation::Passes,
        }
    }
}

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Panics say nothing by themselves from now on; `caught` has their texts.
pub(crate) fn keep_panics_quiet() {
    set_hook(Box::new(|panic| {
        LAST_PANIC.with(|last| *last.borrow_mut() = Some(panic.to_string()));
    }));
}

/// What a closure gives, or the text and place of its panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = LAST_PANIC.with(|last| last.borrow_mut().take());
        let payload = || payload.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".to_owned());
        text.unwrap_or_else(payload)
    })
}
