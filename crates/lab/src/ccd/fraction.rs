//! Fractions of whole numbers that are numbers in f64.

use num_bigint::{BigInt, Sign};

/// The numerator divided by the denominator, if that is a f64 exactly.
///
/// # Errors
/// What was found instead, or what was expected.
pub(super) fn exact(numerator: &str, denominator: &str) -> Result<f64, String> {
    let whole = |text: &str| {
        text.trim().parse::<BigInt>().map_err(|_| {
            let found: String = text.trim().chars().take(40).flat_map(char::escape_debug).collect();
            format!("found `{found}`, expected a whole number")
        })
    };
    let (above, below) = (whole(numerator)?, whole(denominator)?);
    if below.sign() != Sign::Plus {
        return Err(format!("found the denominator {below}, expected a number above 0"));
    }
    let inexact = || format!("{above}/{below} is no f64 exactly");
    let twos = below.magnitude().trailing_zeros().unwrap_or(0);
    let odd = below.magnitude() >> twos;
    let (whole, rest) = (above.magnitude() / &odd, above.magnitude() % &odd);
    if rest.bits() > 0 {
        return Err(inexact());
    }
    let Some(own_twos) = whole.trailing_zeros() else { return Ok(0.0) };
    let mantissa = whole >> own_twos;
    let exponent = i64::try_from(own_twos).ok().zip(i64::try_from(twos).ok());
    let exponent = exponent.map(|(own, below)| own - below).ok_or_else(inexact)?;
    // The mantissa is odd, so this is the place of its last bit.
    let bits = mantissa.bits() as i64;
    let is_exact = bits <= 53 && exponent >= -1074 && exponent + bits <= 1024;
    let mantissa = u64::try_from(&mantissa).ok().filter(|_| is_exact).ok_or_else(inexact)?;
    let magnitude = libm::scalbn(mantissa as f64, exponent as i32);
    Ok(if above.sign() == Sign::Minus { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::exact;

    #[test]
    fn what_is_a_f64_is_read_bit_for_bit() {
        assert_eq!(exact("-3", "4"), Ok(-0.75));
        assert_eq!(exact("0", "7"), Ok(0.0));
        assert_eq!(exact("21", "28"), Ok(0.75));
        assert_eq!(exact("630931718559537", "1125899906842624"), Ok(0.560_379_936_728_893_7));
        let two_to_the = |power: usize| (num_bigint::BigInt::from(1) << power).to_string();
        assert_eq!(exact("1", &two_to_the(1074)), Ok(f64::from_bits(1)));
        assert_eq!(exact(&two_to_the(1023), "1"), Ok(2.0_f64.powi(1023)));
        assert_eq!(
            exact(&(u64::MAX >> 11).to_string(), &two_to_the(60)),
            Ok(0.0078125_f64.next_down())
        );
    }

    #[test]
    fn what_is_none_is_refused() {
        for (numerator, denominator, expected) in [
            ("1", "3", "1/3 is no f64 exactly"),
            ("9007199254740993", "1", "9007199254740993/1 is no f64 exactly"),
            ("1", "0", "found the denominator 0, expected a number above 0"),
            ("1", "-2", "found the denominator -2, expected a number above 0"),
            ("0.5", "1", "found `0.5`, expected a whole number"),
            ("", "1", "found ``, expected a whole number"),
        ] {
            assert_eq!(exact(numerator, denominator), Err(expected.to_owned()));
        }
        let two_to_the = |power: usize| (num_bigint::BigInt::from(1) << power).to_string();
        assert!(exact(&two_to_the(1024), "1").is_err());
        assert!(exact("1", &two_to_the(1075)).is_err());
        assert!(exact("3", &two_to_the(1075)).is_err());
        assert!(exact("2", &two_to_the(1075)).is_ok());
    }
}
