//! The registry: one row for each key, by family. [`FAMILIES`] lists them all; every constant is also found here,
//! so that readers write `keys::IO_SORT_MB`.

mod classes;
mod howdah;
mod job;
mod jobtracker;
mod network;
mod programs;
mod row;
mod schedulers;
mod shuffle;
mod storage;
mod streaming;
mod tasktracker;

use crate::registry::KeyInfo;

pub use classes::*;
pub use howdah::*;
pub use job::*;
pub use jobtracker::*;
pub use network::*;
pub use programs::*;
pub use schedulers::*;
pub use shuffle::*;
pub use storage::*;
pub use streaming::*;
pub use tasktracker::*;

/// Every family: its title and its rows.
pub static FAMILIES: &[(&str, &[&KeyInfo])] = &[
    ("JobTracker", jobtracker::ROWS),
    ("TaskTracker", tasktracker::ROWS),
    ("Jobs", job::ROWS),
    ("Sort and shuffle", shuffle::ROWS),
    ("Classes and library", classes::ROWS),
    ("Streaming and pipes", streaming::ROWS),
    ("Schedulers", schedulers::ROWS),
    ("Storage", storage::ROWS),
    ("Network and security", network::ROWS),
    ("Hadoop's own programs", programs::ROWS),
    ("Howdah", howdah::ROWS),
];
