//! The `child` program.

fn main() {}
