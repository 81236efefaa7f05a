//! Times as Hadoop's reports write them (Hadoop 1.2.1: StringUtils.formatTime, getFormattedTimeWithDiff).

use chrono::{DateTime, Local, NaiveDateTime};
use types::Millis;

/// In which zone times are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// The machine's.
    Local,
    /// UTC.
    Utc,
}

impl Zone {
    fn date_time(self, time: Millis) -> Option<NaiveDateTime> {
        let utc = DateTime::from_timestamp_millis(time)?;
        Some(match self {
            Zone::Local => utc.with_timezone(&Local).naive_local(),
            Zone::Utc => utc.naive_utc(),
        })
    }
}

/// `1hrs, 2mins, 3sec`, without what is zero in front.
pub fn time_difference(from: Millis, to: Millis) -> String {
    let difference = to - from;
    let (hours, minutes, seconds) =
        (difference / 3_600_000, difference % 3_600_000 / 60_000, difference % 60_000 / 1000);
    let mut text = String::new();
    if hours != 0 {
        text.push_str(&format!("{hours}hrs, "));
    }
    if minutes != 0 {
        text.push_str(&format!("{minutes}mins, "));
    }
    text + &format!("{seconds}sec")
}

/// `30-Nov-2026 21:31:16 (1sec)`; without the difference where there is no beginning, nothing where there
/// is no time.
pub fn time_with_difference(zone: Zone, time: Millis, since: Millis) -> String {
    if time == 0 {
        return String::new();
    }
    let Some(date) = zone.date_time(time) else { return String::new() };
    let text = date.format("%-d-%b-%Y %H:%M:%S").to_string();
    if since == 0 { text } else { format!("{text} ({})", time_difference(since, time)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_are_left_out() {
        let cases = [(0, "0sec"), (59_999, "59sec"), (60_000, "1mins, 0sec"), (3_600_000, "1hrs, 0sec")];
        for (difference, text) in cases {
            assert_eq!(time_difference(1_000, 1_000 + difference), text);
        }
        assert_eq!(time_difference(0, 2 * 3_600_000 + 3 * 60_000 + 4_000), "2hrs, 3mins, 4sec");
        assert_eq!(time_with_difference(Zone::Utc, 0, 5), "");
        assert_eq!(time_with_difference(Zone::Utc, 86_400_000, 86_399_000), "2-Jan-1970 00:00:00 (1sec)");
    }
}
