//! The cost model of hierarchies, fitted to what was measured: `T = N_V C_V + N_P C_P + N C`
//! (Zachmann, lecture slides, "The Construction of BV Hierarchies").
//!
//! `N_V` and `N_P` are counted; what a test of volumes and one of primitives cost is found by least
//! squares over the frames. The last term is ours: what each tested pair costs whatever is found.
//! Costs are not negative: of the subsets of the three terms the one is taken that fits best among
//! those whose costs are all positive.

use serde::Serialize;

/// What a frame of a motion took, and of what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observation {
    /// `N_V`: tests of volumes.
    pub volume_tests: f64,
    /// `N_P`: tests of primitives.
    pub primitive_tests: f64,
    /// N: pairs of objects that were tested.
    pub pairs: f64,
    /// T: nanoseconds.
    pub nanoseconds: f64,
}

/// The costs that explain the times best, in nanoseconds. A cost that does not help is 0.
///
/// ```
/// use xcollide_lab::compare::{CostModel, Observation};
///
/// // 3 ns a test of volumes, 20 a test of primitives, 100 a pair.
/// let frame = |v: f64, p: f64, n: f64| Observation {
///     volume_tests: v,
///     primitive_tests: p,
///     pairs: n,
///     nanoseconds: 3.0 * v + 20.0 * p + 100.0 * n,
/// };
/// let frames = [frame(10.0, 1.0, 1.0), frame(500.0, 7.0, 2.0), frame(90.0, 40.0, 4.0), frame(3.0, 0.0, 1.0)];
/// let fitted = CostModel::fit(&frames).ok_or("too few frames")?;
/// assert!((fitted.volume_ns - 3.0).abs() < 1e-6 && (fitted.primitive_ns - 20.0).abs() < 1e-6);
/// assert!((fitted.pair_ns - 100.0).abs() < 1e-6 && fitted.explained > 0.999);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CostModel {
    /// `C_V`: a test of volumes.
    pub volume_ns: f64,
    /// `C_P`: a test of primitives.
    pub primitive_ns: f64,
    /// C: a pair, besides its tests.
    pub pair_ns: f64,
    /// The part of the squared times that the model explains: 1 is all.
    pub explained: f64,
}

impl CostModel {
    /// Fits the costs; `None` where the frames are fewer than the terms, or nothing was tested.
    #[must_use]
    pub fn fit(frames: &[Observation]) -> Option<Self> {
        const TERMS: usize = 3;
        if frames.len() < TERMS {
            return None;
        }
        let row = |frame: &Observation| [frame.volume_tests, frame.primitive_tests, frame.pairs];
        let mut normal = [[0.0; TERMS]; TERMS];
        let mut right = [0.0; TERMS];
        let mut all = 0.0;
        for frame in frames {
            let numbers = row(frame);
            for i in 0..TERMS {
                right[i] += numbers[i] * frame.nanoseconds;
                for j in 0..TERMS {
                    normal[i][j] += numbers[i] * numbers[j];
                }
            }
            all += frame.nanoseconds * frame.nanoseconds;
        }
        let mut best: Option<Self> = None;
        for subset in 1..1_usize << TERMS {
            let chosen: Vec<usize> = (0..TERMS).filter(|term| subset >> term & 1 == 1).collect();
            let Some(costs) = solve(&normal, &right, &chosen) else { continue };
            if costs.iter().any(|cost| *cost < 0.0) {
                continue;
            }
            let left: f64 = frames
                .iter()
                .map(|frame| {
                    let told: f64 = row(frame).iter().zip(costs).map(|(n, cost)| n * cost).sum();
                    (frame.nanoseconds - told) * (frame.nanoseconds - told)
                })
                .sum();
            let explained = 1.0 - left / all;
            // More terms must be worth it, or rounding would choose.
            if best.is_none_or(|best| explained > best.explained + 1e-9) {
                let [volume_ns, primitive_ns, pair_ns] = costs;
                best = Some(Self { volume_ns, primitive_ns, pair_ns, explained });
            }
        }
        best
    }
}

/// The least squares of the chosen terms, the others 0; `None` where they cannot be told apart.
fn solve(normal: &[[f64; 3]; 3], right: &[f64; 3], chosen: &[usize]) -> Option<[f64; 3]> {
    let count = chosen.len();
    // Columns in units of their lengths, so that one threshold serves all.
    let scale = |term: usize| normal[term][term].sqrt();
    if chosen.iter().any(|&term| scale(term) == 0.0 || !scale(term).is_finite()) {
        return None;
    }
    let mut rows = [[0.0; 4]; 3];
    for (i, &a) in chosen.iter().enumerate() {
        for (j, &b) in chosen.iter().enumerate() {
            rows[i][j] = normal[a][b] / (scale(a) * scale(b));
        }
        rows[i][3] = right[a] / scale(a);
    }
    for step in 0..count {
        let pivot =
            (step..count).max_by(|&i, &j| rows[i][step].abs().total_cmp(&rows[j][step].abs()))?;
        rows.swap(step, pivot);
        if rows[step][step].abs() < 1e-9 {
            return None;
        }
        for below in step + 1..count {
            let factor = rows[below][step] / rows[step][step];
            for column in step..4 {
                rows[below][column] -= factor * rows[step][column];
            }
        }
    }
    let mut costs = [0.0; 3];
    for step in (0..count).rev() {
        let known: f64 = (step + 1..count)
            .map(|later| rows[step][later] * costs[chosen[later]] * scale(chosen[later]))
            .sum();
        costs[chosen[step]] = (rows[step][3] - known) / rows[step][step] / scale(chosen[step]);
    }
    Some(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(volume_tests: f64, primitive_tests: f64, pairs: f64, nanoseconds: f64) -> Observation {
        Observation { volume_tests, primitive_tests, pairs, nanoseconds }
    }

    /// Times that fall with the number of primitive tests: no cost is negative for that.
    #[test]
    fn no_cost_is_negative() {
        let frames: Vec<_> = (1..30)
            .map(|i| {
                let n = f64::from(i);
                frame(10.0 * n, 300.0 - n * n / 4.0, 1.0, 50.0 * n + f64::from(i % 3))
            })
            .collect();
        let fitted = CostModel::fit(&frames);
        assert!(fitted.is_some_and(|model| {
            model.volume_ns > 4.0
                && model.primitive_ns >= 0.0
                && model.pair_ns >= 0.0
                && model.explained > 0.99
        }));
    }

    #[test]
    fn what_was_never_tested_costs_nothing() {
        let frames =
            [frame(0.0, 5.0, 1.0, 60.0), frame(0.0, 9.0, 2.0, 110.0), frame(0.0, 1.0, 1.0, 20.0)];
        let fitted = CostModel::fit(&frames);
        assert!(fitted.is_some_and(|model| model.volume_ns == 0.0 && model.explained > 0.99));
        assert_eq!(CostModel::fit(&frames[..2]), None);
        assert_eq!(CostModel::fit(&[Observation::default(); 9]), None);
    }

    /// Counts that rise and fall together cannot be told apart: one term stands for both.
    #[test]
    fn terms_that_cannot_be_told_apart_are_not_shared_out() {
        let frames: Vec<_> = (1..9)
            .map(|i| {
                let n = f64::from(i);
                frame(4.0 * n, n, n, 20.0 * n)
            })
            .collect();
        let fitted = CostModel::fit(&frames);
        let positive = |model: CostModel| {
            [model.volume_ns, model.primitive_ns, model.pair_ns]
                .iter()
                .filter(|c| **c > 0.0)
                .count()
        };
        assert_eq!(fitted.map(positive), Some(1));
    }
}
