//! `mradmin`: what an administrator asks of a JobTracker (Hadoop 1.2.1: mapred.tools.MRAdmin).

use std::time::Duration;

use types::SafeModeAction;
use wire::ipc::Method;
use wire::mapred::admin::{self, RefreshNodes, RefreshQueues, SetSafeMode};
use wire::mapred::refresh_authorization_policy::{self as policy, RefreshServiceAcl};
use wire::mapred::refresh_user_mappings::{
    self as mappings, RefreshSuperUserGroupsConfiguration, RefreshUserToGroupsMappings,
};

use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::options::GENERIC_USAGE;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Between two questions of `-safemode wait`.
const SAFE_MODE_POLL: Duration = Duration::from_secs(3);

const USAGE: &str = "\
Usage: java MRAdmin
           [-refreshServiceAcl]
           [-refreshQueues]
           [-refreshUserToGroupsMappings]
           [-refreshSuperUserGroupsConfiguration]
           [-refreshNodes]
           [-safemode <enter | leave | get | wait>]
           [-help [cmd]]

";

const HELP: &str = "\
hadoop mradmin is the command to execute Map-Reduce administrative commands.
The full syntax is: \n
hadoop mradmin [-refreshServiceAcl] [-refreshQueues] [-refreshNodes] [-refreshUserToGroupsMappings] \
[-refreshSuperUserGroupsConfiguration] [-safemode <enter | leave | wait | get> [-help [cmd]]

-refreshServiceAcl: Reload the service-level authorization policy file
\t\tJobtracker will reload the authorization policy file.

-refreshQueues: Reload the queue acls and state
\t\tJobTracker will reload the mapred-queues.xml file.

-refreshUserToGroupsMappings: Refresh user-to-groups mappings

-refreshSuperUserGroupsConfiguration: Refresh superuser proxy groups mappings

-refreshNodes: Refresh the hosts information at the jobtracker.

-help [cmd]: \tDisplays help for the given command or all commands if none
\t\tis specified.


";

/// Runs the command; what goes wrong is one line with the verb before it.
pub(crate) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (session, args) = Session::open(args)?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some(command) = args.first() else { return Ok(usage(console)) };
    match dispatch(&session, &args, console) {
        Ok(exit) => Ok(exit),
        Err(error) => {
            console.err(format_args!("{}: {}", verb(command), first_line(&error)));
            Ok(FAILED)
        }
    }
}

fn verb(command: &str) -> &str {
    command.get(1..).unwrap_or_default()
}

/// The first line of what the server said. Quirk: an exception without a message prints nothing, as 1.2.1 does where
/// service authorization is off.
fn first_line(error: &CliError) -> String {
    match error {
        CliError::Remote(remote) if remote.message.is_empty() => String::new(),
        error => error.message().lines().next().unwrap_or_default().to_owned(),
    }
}

fn dispatch(session: &Session, args: &[&str], console: &mut Console<'_>) -> Result<Exit, CliError> {
    match args {
        ["-refreshQueues"] => refresh(session, admin::NAME, admin::VERSION, &RefreshQueues {}),
        ["-refreshNodes"] => refresh(session, admin::NAME, admin::VERSION, &RefreshNodes {}),
        ["-refreshServiceAcl"] => refresh(session, policy::NAME, policy::VERSION, &RefreshServiceAcl {}),
        ["-refreshUserToGroupsMappings"] => {
            refresh(session, mappings::NAME, mappings::VERSION, &RefreshUserToGroupsMappings {})
        }
        ["-refreshSuperUserGroupsConfiguration"] => {
            refresh(session, mappings::NAME, mappings::VERSION, &RefreshSuperUserGroupsConfiguration {})
        }
        ["-refreshSuperUserGroupsConfiguration", ..] => {
            console.err("Usage: java DFSAdmin [-refreshSuperUserGroupsConfiguration]");
            Ok(FAILED)
        }
        [
            command @ ("-refreshQueues" | "-refreshNodes" | "-refreshServiceAcl" | "-refreshUserToGroupsMappings"),
            ..,
        ] => {
            console.err(format_args!("Usage: java MRAdmin [{command}]"));
            Ok(FAILED)
        }
        ["-safemode", action] => safe_mode(session, action, console),
        ["-safemode", ..] => Ok(usage(console)),
        ["-help"] => {
            console.out_raw(format_args!("{HELP}{GENERIC_USAGE}"));
            Ok(0)
        }
        ["-help", ..] => {
            usage(console);
            Ok(0)
        }
        [command, ..] => {
            console.err(format_args!("{}: Unknown command", verb(command)));
            Ok(usage(console))
        }
        [] => Ok(usage(console)),
    }
}

fn refresh<M: Method>(session: &Session, protocol: &'static str, version: i64, method: &M) -> Result<Exit, CliError> {
    JobTracker::connect_for(session, protocol, version)?.call(method)?;
    Ok(0)
}

fn safe_mode(session: &Session, action: &str, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let word = action.to_ascii_lowercase();
    let action = match word.as_str() {
        "leave" => SafeModeAction::Leave,
        "enter" => SafeModeAction::Enter,
        "get" | "wait" => SafeModeAction::Get,
        _ => return Ok(usage(console)),
    };
    let tracker = JobTracker::connect_for(session, admin::NAME, admin::VERSION)?;
    let mut on = tracker.call(&SetSafeMode { action })?;
    while on && word == "wait" {
        std::thread::sleep(SAFE_MODE_POLL);
        on = tracker.call(&SetSafeMode { action })?;
    }
    console.out(format_args!("Safe mode is {}", if on { "ON" } else { "OFF" }));
    Ok(0)
}

fn usage(console: &mut Console<'_>) -> Exit {
    console.err_raw(format_args!("{USAGE}{GENERIC_USAGE}"));
    FAILED
}
