//! The shell script that starts a process (Hadoop 1.2.1: mapred.TaskLog.buildCommandLine, addCommand).
//!
//! One writer for `taskjvm.sh` now and for a container's script later.

use std::fmt::Write;
use std::path::Path;
use std::sync::OnceLock;

use crate::launch_spec::LaunchSpec;

/// The text of an attempt's `taskjvm.sh`.
pub fn task_script(spec: &LaunchSpec) -> String {
    let mut text = String::from("export JVM_PID=`echo $$`\n");
    for (name, value) in &spec.environment {
        // Quirk: values stand in double quotes, so the shell still expands `$NAME` in them (TaskRunner.run); users
        // write `mapred.child.env=PATH=$PATH:/x` and rely on it.
        let _ = writeln!(text, "export {name}=\"{value}\"");
    }
    if let Some(kb) = spec.limits.address_space_kb {
        let _ = writeln!(text, "'ulimit' '-v' '{kb}' ");
    }
    text.push('\n');
    text.push_str(if has_setsid() { "exec setsid " } else { "exec " });
    for word in &spec.command {
        let _ = write!(text, "'{}' ", quoted(word));
    }
    let _ = write!(text, " < /dev/null  1>> {} 2>> {}", shell_path(&spec.stdout), shell_path(&spec.stderr));
    text
}

/// What stands between single quotes: a quote ends them, comes escaped, and starts them again.
fn quoted(word: &str) -> String {
    word.replace('\'', r"'\''")
}

/// A path for the shell; Hadoop writes it bare, and so it stays unless it holds something that the shell would read.
fn shell_path(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@,%".contains(c) || !c.is_ascii();
    if text.chars().all(plain) { text } else { format!("'{}'", quoted(&text)) }
}

/// Whether this machine has the tool that gives a process a session of its own.
pub fn has_setsid() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join("setsid").is_file()))
    })
}
