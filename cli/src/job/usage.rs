//! What `job` prints when it is asked for nothing that it knows (Hadoop 1.2.1: JobClient.displayUsage).

use crate::console::Console;
use crate::options::GENERIC_USAGE;
use crate::{Exit, FAILED};

/// The priorities, spelled as they must be.
pub(super) const PRIORITIES: [&str; 5] = ["VERY_HIGH", "HIGH", "NORMAL", "LOW", "VERY_LOW"];

const TASKS: &str = ". Valid values for <task-type> are map, reduce, setup, cleanup. Valid values for <task-state> are \
                     running, completed";

/// Prints the usage of an option, or of the whole command.
pub(super) fn print(option: &str, console: &mut Console<'_>) -> Exit {
    match arguments(option) {
        Some(arguments) => console.err(format_args!("Usage: JobClient [{option}{arguments}]{}", tail(option))),
        None => {
            console.err_raw(whole());
            console.out_raw(GENERIC_USAGE);
        }
    }
    FAILED
}

fn arguments(option: &str) -> Option<&'static str> {
    Some(match option {
        "-submit" => " <job-file>",
        "-status" | "-kill" => " <job-id>",
        "-counter" => " <job-id> <group-name> <counter-name>",
        "-events" => " <job-id> <from-event-#> <#-of-events>",
        "-history" => " <jobOutputDir>",
        "-list" => " [all]",
        "-kill-task" | "-fail-task" => " <task-id>",
        "-set-priority" => " <job-id> <priority>",
        "-list-active-trackers" | "-list-blacklisted-trackers" => "",
        "-list-attempt-ids" => " <job-id> <task-type> <task-state>",
        _ => return None,
    })
}

fn tail(option: &str) -> String {
    match option {
        "-set-priority" => priorities(),
        "-list-attempt-ids" => TASKS.to_owned(),
        _ => String::new(),
    }
}

fn priorities() -> String {
    format!(". Valid values for priorities are: {}", PRIORITIES.join(" "))
}

fn whole() -> String {
    let options = [
        "-submit",
        "-status",
        "-counter",
        "-kill",
        "-set-priority",
        "-events",
        "-history",
        "-list",
        "-list-active-trackers",
        "-list-blacklisted-trackers",
        "-list-attempt-ids",
        "-kill-task",
        "-fail-task",
    ];
    let mut text = String::from("Usage: JobClient <command> <args>\n");
    for option in options {
        let tail = if option == "-set-priority" { priorities() } else { String::new() };
        // Hadoop's list has a gap before the options that act on tasks.
        let gap = if option == "-list-attempt-ids" { "\n" } else { "" };
        text.push_str(&format!("\t[{option}{}]{tail}\n{gap}", arguments(option).unwrap_or_default()));
    }
    text.push('\n');
    text
}
