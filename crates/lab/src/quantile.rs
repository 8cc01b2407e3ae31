//! Quantiles of measurements.

/// The nearest-rank quantile: index and value of the smallest of `values` with at least `part` of them not larger;
/// zeros if there are none.
pub(crate) fn ranked(values: &[u64], part: f64) -> (usize, u64) {
    let mut order: Vec<(u64, usize)> =
        values.iter().enumerate().map(|(place, &value)| (value, place)).collect();
    order.sort_unstable();
    let rank = (part * values.len() as f64).ceil() as usize;
    order.get(rank.max(1) - 1).map_or((0, 0), |&(value, place)| (place, value))
}

#[cfg(test)]
mod tests {
    use super::ranked;

    #[test]
    fn quantiles_are_values_of_the_nearest_rank() {
        let values = [5, 1, 4, 2, 3];
        assert_eq!(ranked(&values, 0.0), (1, 1));
        assert_eq!(ranked(&values, 0.5), (4, 3));
        assert_eq!(ranked(&values, 0.8), (2, 4));
        assert_eq!(ranked(&values, 0.99), (0, 5));
        assert_eq!(ranked(&values, 1.0), (0, 5));
        assert_eq!(ranked(&[], 0.5), (0, 0));
    }
}
