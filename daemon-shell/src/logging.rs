//! The daemon's log, on the standard error stream, which the scripts put where log4j's file would be.

use std::fmt;

use tracing::Level;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

/// Log4j's ISO8601 date.
struct LocalTime;

impl FormatTime for LocalTime {
    fn format_time(&self, out: &mut Writer<'_>) -> fmt::Result {
        write!(out, "{}", chrono::Local::now().format("%Y-%m-%d %H:%M:%S,%3f"))
    }
}

/// Starts logging at the level that begins `HADOOP_ROOT_LOGGER`, such as `DEBUG,console`; INFO without one.
pub fn start_logging() {
    let level = std::env::var("HADOOP_ROOT_LOGGER").ok().and_then(|logger| level_of(&logger)).unwrap_or(Level::INFO);
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_timer(LocalTime)
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .finish();
    // In a test another one may be in place already, which then stays.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

fn level_of(logger: &str) -> Option<Level> {
    match logger.split(',').next()?.trim().to_ascii_uppercase().as_str() {
        "FATAL" | "OFF" => Some(Level::ERROR),
        "ALL" => Some(Level::TRACE),
        level => level.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_log4js_levels() {
        assert_eq!(level_of("INFO,console"), Some(Level::INFO));
        assert_eq!(level_of("DEBUG,RFA"), Some(Level::DEBUG));
        assert_eq!(level_of("FATAL"), Some(Level::ERROR));
        assert_eq!(level_of("loud"), None);
    }
}
