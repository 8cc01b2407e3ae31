//! The cost model of hierarchies `T = N_V C_V + N_P C_P + N C`, fitted to measurements (Zachmann,
//! lecture slides, "The Construction of BV Hierarchies").
//!
//! `N_V` and `N_P` are counted; least squares over the frames give the cost of a volume test and of a
//! primitive test. The last term, a fixed cost of each pair, is an addition. Costs are not negative:
//! the result is the best of the fits of all subsets of the terms that have no negative cost.

use serde::Serialize;

/// Time and work of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Observation {
    /// `N_V`.
    pub(super) volume_tests: f64,
    /// `N_P`.
    pub(super) primitive_tests: f64,
    /// N: tested pairs of objects.
    pub(super) pairs: f64,
    /// T.
    pub(super) nanoseconds: f64,
}

/// The best-fitting costs in nanoseconds; 0 for unused terms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CostModel {
    /// `C_V`: a volume test.
    pub volume_ns: f64,
    /// `C_P`: a primitive test.
    pub primitive_ns: f64,
    /// C: a pair, without its tests.
    pub pair_ns: f64,
    /// The explained share of the squared times, at most 1.
    pub explained: f64,
}

impl CostModel {
    /// Fits the costs. `None` for fewer frames than terms, or without tests.
    pub(super) fn fit(frames: &[Observation]) -> Option<Self> {
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
            let terms: Vec<usize> = (0..TERMS).filter(|term| subset >> term & 1 == 1).collect();
            let Some(costs) = solve(&normal, &right, &terms) else { continue };
            if costs.iter().any(|cost| *cost < 0.0) {
                continue;
            }
            let left: f64 = frames
                .iter()
                .map(|frame| {
                    let predicted: f64 =
                        row(frame).iter().zip(costs).map(|(n, cost)| n * cost).sum();
                    (frame.nanoseconds - predicted) * (frame.nanoseconds - predicted)
                })
                .sum();
            let explained = 1.0 - left / all;
            // Another term must improve the fit noticeably, or rounding would decide.
            if best.is_none_or(|best| explained > best.explained + 1e-9) {
                let [volume_ns, primitive_ns, pair_ns] = costs;
                best = Some(Self { volume_ns, primitive_ns, pair_ns, explained });
            }
        }
        best
    }
}

/// Least squares over the given terms, the others 0; `None` if they are linearly dependent.
fn solve(normal: &[[f64; 3]; 3], right: &[f64; 3], terms: &[usize]) -> Option<[f64; 3]> {
    // Columns are scaled to unit length, so that one threshold fits all.
    let scales: Vec<f64> = terms.iter().map(|&term| normal[term][term].sqrt()).collect();
    if scales.iter().any(|scale| *scale == 0.0 || !scale.is_finite()) {
        return None;
    }
    let count = terms.len();
    // The Cholesky decomposition, and the two triangular systems.
    let mut lower = [[0.0; 3]; 3];
    let mut scaled = [0.0; 3];
    for i in 0..count {
        for j in 0..=i {
            let entry = normal[terms[i]][terms[j]] / (scales[i] * scales[j]);
            let rest = entry - (0..j).map(|k| lower[i][k] * lower[j][k]).sum::<f64>();
            if i == j && rest < 1e-9 {
                return None;
            }
            lower[i][j] = if i == j { rest.sqrt() } else { rest / lower[j][j] };
        }
        let known: f64 = (0..i).map(|k| lower[i][k] * scaled[k]).sum();
        scaled[i] = (right[terms[i]] / scales[i] - known) / lower[i][i];
    }
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|k| lower[k][i] * scaled[k]).sum();
        scaled[i] = (scaled[i] - known) / lower[i][i];
    }
    let mut costs = [0.0; 3];
    for (i, &term) in terms.iter().enumerate() {
        costs[term] = scaled[i] / scales[i];
    }
    Some(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(volume_tests: f64, primitive_tests: f64, pairs: f64, nanoseconds: f64) -> Observation {
        Observation { volume_tests, primitive_tests, pairs, nanoseconds }
    }

    #[test]
    fn exact_costs_are_found() {
        let frame = |v: f64, p: f64, n: f64| frame(v, p, n, 3.0 * v + 20.0 * p + 100.0 * n);
        let frames = [
            frame(10.0, 1.0, 1.0),
            frame(500.0, 7.0, 2.0),
            frame(90.0, 40.0, 4.0),
            frame(3.0, 0.0, 1.0),
        ];
        assert!(CostModel::fit(&frames).is_some_and(|model| {
            (model.volume_ns - 3.0).abs() < 1e-6
                && (model.primitive_ns - 20.0).abs() < 1e-6
                && (model.pair_ns - 100.0).abs() < 1e-6
                && model.explained > 0.999
        }));
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
