//! The `child` program: the command line of Java's `org.apache.hadoop.mapred.Child`, without the `java`.

#![forbid(unsafe_code)]

use child::Invocation;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Invocation::parse(&arguments, |name| std::env::var(name).ok()) {
        Ok(invocation) => std::process::exit(child::run(&invocation)),
        Err(error) => {
            eprintln!("child: {error}");
            std::process::exit(1);
        }
    }
}
