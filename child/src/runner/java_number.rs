//! Java's `Float.toString` and `Double.toString`: the fewest digits that tell the number from its neighbours, plain
//! between 10⁻³ and 10⁷ and with an exponent elsewhere (JDK 19 and later; earlier ones sometimes wrote a digit more).

/// `Double.toString`.
pub(super) fn double(value: f64) -> String {
    if value.is_nan() || value.is_infinite() {
        return special(value);
    }
    shape(value.is_sign_negative(), &format!("{:e}", value.abs()))
}

/// `Float.toString`.
pub(super) fn float(value: f32) -> String {
    if value.is_nan() || value.is_infinite() {
        return special(f64::from(value));
    }
    shape(value.is_sign_negative(), &format!("{:e}", value.abs()))
}

fn special(value: f64) -> String {
    let text = if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    };
    text.to_owned()
}

/// From Rust's shortest `d.ddde±n` to Java's form.
fn shape(negative: bool, scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let sign = if negative { "-" } else { "" };
    let (whole, fraction, suffix) = match exponent {
        0..=6 => {
            let split = exponent as usize + 1;
            let padded = format!("{digits:0<split$}");
            (padded[..split].to_owned(), padded[split..].to_owned(), String::new())
        }
        -3..=-1 => {
            let zeros = "0".repeat((-exponent - 1) as usize);
            ("0".to_owned(), format!("{zeros}{digits}"), String::new())
        }
        _ => (digits[..1].to_owned(), digits[1..].to_owned(), format!("E{exponent}")),
    };
    let fraction = if fraction.is_empty() { "0" } else { &fraction };
    format!("{sign}{whole}.{fraction}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::{double, float};

    #[test]
    fn numbers_look_as_in_java() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.001, "0.001"),
            (0.000_999, "9.99E-4"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (123_456.789, "123456.789"),
            (1.0e-5, "1.0E-5"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::INFINITY, "Infinity"),
            (f64::NAN, "NaN"),
            (100.0, "100.0"),
        ] {
            assert_eq!(double(value), expected);
        }
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(16_777_216.0), "1.6777216E7");
    }
}
