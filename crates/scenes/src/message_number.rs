//! Numbers in messages.

/// A number as people write it: very large and very small ones with an exponent.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() || (1e-4..1e12).contains(&value.abs()) {
        return value.to_string();
    }
    format!("{value:e}")
}
