//! Numbers as text.

/// Three significant digits: "0.0123", "4.56", "1,234,000"; with a power of ten if that would be
/// long.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "–" } else { "∞" }.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let sign = if value < 0.0 { "−" } else { "" };
    // Decimal digits, rounded once.
    let scientific = format!("{:.2e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..7).contains(&exponent) {
        let mantissa = without_zeros(mantissa);
        return format!("{sign}{mantissa}·10{}", superscript(exponent));
    }
    let digits: i64 = mantissa.replace('.', "").parse().unwrap_or(0);
    format!("{sign}{}", without_zeros(&decimal(digits, exponent - 2)))
}

/// The unit that suits times up to `longest` nanoseconds: its nanoseconds and its name.
pub(crate) fn time_unit(longest: f64) -> (f64, &'static str) {
    match longest {
        longest if longest >= 2e9 => (1e9, "s"),
        longest if longest >= 1e6 => (1e6, "ms"),
        longest if longest >= 1e3 => (1e3, "µs"),
        _ => (1.0, "ns"),
    }
}

/// `digits` · 10^`power`, in decimal notation.
pub(super) fn decimal(digits: i64, power: i32) -> String {
    let sign = if digits < 0 { "−" } else { "" };
    let digits = digits.unsigned_abs().to_string();
    let shown = if power >= 0 {
        let zeros = if digits == "0" { 0 } else { power as usize };
        thousands(&(digits + &"0".repeat(zeros)))
    } else {
        let places = power.unsigned_abs() as usize;
        let padded = format!("{digits:0>width$}", width = places + 1);
        let (whole, part) = padded.split_at(padded.len() - places);
        format!("{}.{part}", thousands(whole))
    };
    format!("{sign}{shown}")
}

/// The exponent of "10⁻⁶".
pub(super) fn superscript(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    exponent.to_string().chars().map(raised).collect()
}

/// Groups of three, from five digits on.
fn thousands(digits: &str) -> String {
    if digits.len() <= 4 {
        return digits.to_owned();
    }
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn without_zeros(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_count_whatever_the_size() {
        let values =
            [1.0, 9.999, 99.96, 1234.0, 99_950.0, 1e6, 9.99e6, 1e7, 0.5, 0.000_123_4, 1e-5];
        let shown = [
            "1",
            "10",
            "100",
            "1230",
            "100,000",
            "1,000,000",
            "9,990,000",
            "1·10⁷",
            "0.5",
            "0.000123",
            "1·10⁻⁵",
        ];
        assert_eq!(values.map(number), shown);
        assert_eq!([f64::NAN, f64::INFINITY, -2.0].map(number), ["–", "∞", "−2"]);
        let values = [0.0, 0.01234, 4.5, 123.4, 98_765.0];
        assert_eq!(values.map(number), ["0", "0.0123", "4.5", "123", "98,800"]);
        assert_eq!([6.02e23, -1.5e-9].map(number), ["6.02·10²³", "−1.5·10⁻⁹"]);
        assert_eq!(time_unit(2_500_000.0), (1e6, "ms"));
    }

    #[test]
    fn decimals_are_written_out() {
        assert_eq!([decimal(5, 0), decimal(5, 4), decimal(0, 4)], ["5", "50,000", "0"]);
        assert_eq!([decimal(-15, -1), decimal(5, -3), decimal(120, -2)], ["−1.5", "0.005", "1.20"]);
    }
}
