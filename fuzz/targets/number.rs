//! Numbers from the fuzzer's bytes: mostly small ones with exact sums, sometimes any.

use arbitrary::{Arbitrary, Unstructured};

/// A number.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

const ODD: [f64; 16] = [
    0.0,
    -0.0,
    1e-300,
    f64::MIN_POSITIVE,
    5e-324,
    f64::EPSILON,
    1e-9,
    1e9,
    -1e9,
    1e100,
    1e155,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

impl<'a> Arbitrary<'a> for Number {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self(match u8::arbitrary(u)? {
            // Eighths from -4 to 4.
            0..=223 => (f64::from(i8::arbitrary(u)? % 33)) / 8.0,
            224..=239 => f64::from(i16::arbitrary(u)?) / 100.0,
            240..=251 => ODD[usize::from(u8::arbitrary(u)? % 16)],
            _ => f64::from_bits(u64::arbitrary(u)?),
        }))
    }
}
