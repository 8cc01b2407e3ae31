//! Rounding in a chosen direction, and bounds of rounding errors.

/// Half the distance from 1 to the next f64: the relative error of one rounded operation.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// The sum, rounded up: exact if the true sum is an f64, else at most two units too large. Branchless.
#[inline]
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if rounding_error(a, b, sum) > 0.0 { sum + step(sum) } else { sum }
}

/// The sum, rounded down: exact if the true sum is an f64, else at most two units too small. Branchless.
#[inline]
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if rounding_error(a, b, sum) < 0.0 { sum - step(sum) } else { sum }
}

/// At least the distance to the next f64. (Subnormal sums are exact.)
#[inline]
fn step(value: f64) -> f64 {
    value.abs() * f64::EPSILON
}

/// The exact error of a rounded sum (Knuth's two-sum); NaN if the sum is infinite.
#[inline]
fn rounding_error(a: f64, b: f64, sum: f64) -> f64 {
    let b_in_sum = sum - a;
    (a - (sum - b_in_sum)) + (b - b_in_sum)
}

/// The largest magnitude of a coordinate.
#[inline]
pub(crate) fn largest_magnitude(v: [f64; 3]) -> f64 {
    v.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_only_where_they_must_be() {
        assert_eq!(add_up(0.25, 0.5), 0.75);
        assert_eq!(add_down(0.25, 0.5), 0.75);
        assert_eq!(add_up(1.0, 1e-30), 1.0_f64.next_up());
        assert_eq!(add_down(1.0, 1e-30), 1.0);
        assert_eq!(add_down(1.0, -1e-30), 1.0_f64.next_down().next_down());
        assert!(add_up(1e-320, 1e-310) == 1e-320 + 1e-310 && add_up(-1.0, 1e-30) > -1.0);
        assert_eq!(add_up(f64::NEG_INFINITY, 1.0), f64::NEG_INFINITY);
    }
}
