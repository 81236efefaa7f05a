//! Attacks on the installed set-user-id program, as root, with real users; and that it does its work.
//!
//! Without root the tests say so and do nothing. docs/task-controller.md lists what is tried.

mod deleting;
mod folders;
mod installation;
mod launching;
mod signals;
mod site;
mod users;
