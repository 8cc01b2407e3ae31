//! Canonical rotations of cyclic sequences.

use std::cmp::Ordering;

/// Rotates a cycle to its lexicographically least rotation. O(n).
pub(crate) fn rotate_to_least<T: Ord>(cycle: &mut [T]) {
    cycle.rotate_left(least_rotation(cycle));
}

/// The start of the least rotation. Two candidates compete: if one proves larger after k equal elements,
/// neither it nor the next k starts can win.
fn least_rotation<T: Ord>(cycle: &[T]) -> usize {
    let n = cycle.len();
    let (mut a, mut b, mut equal) = (0, 1, 0);
    while a < n && b < n && equal < n {
        match cycle[(a + equal) % n].cmp(&cycle[(b + equal) % n]) {
            Ordering::Equal => equal += 1,
            Ordering::Greater => (a, equal) = (a + equal + 1, 0),
            Ordering::Less => (b, equal) = (b + equal + 1, 0),
        }
        if a == b {
            b += 1;
        }
    }
    a.min(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_rotation_is_the_least_of_all() {
        for code in 0..3_usize.pow(6) {
            let cycle: Vec<usize> = (0..6).map(|digit| code / 3_usize.pow(digit) % 3).collect();
            for length in 1..=6 {
                let cycle = &cycle[..length];
                let rotated = |start: usize| [&cycle[start..], &cycle[..start]].concat();
                let least = (0..length).map(rotated).min();
                assert_eq!(Some(rotated(least_rotation(cycle))), least);
            }
        }
    }
}
