//! What the JobTracker's and the TaskTracker's daemons have in common: the log, the clocks, the way to a core that one
//! task owns, system properties on the command line, the limit of open files, and the signals that end them.

#![forbid(unsafe_code)]

mod arguments;
mod clock;
mod core_handle;
mod descriptors;
mod logging;
mod signals;

pub use arguments::system_property;
pub use clock::{Clock, sleep_until, wall_millis};
pub use core_handle::{CoreHandle, Request, Requests, Stopped};
pub use descriptors::raise_descriptor_limit;
pub use logging::start_logging;
pub use signals::StopSignals;
