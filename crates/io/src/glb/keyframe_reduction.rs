//! Keyframe reduction: omits frames that interpolation between other frames reproduces.

/// The most frames between two keys, so that choosing keys takes linear time.
const MAX_FRAMES_BETWEEN_KEYS: usize = 64;

/// The least cosine of half the angle between the rotations of two keys, for 120°. Beyond 180° viewers
/// interpolate the other way around.
const LEAST_COSINE: f64 = 0.5;

pub(super) type Rotation = [f64; 4];

/// Chooses keys of a path so that linear interpolation is within a tolerance on each axis.
pub(super) fn translation_keys(path: &[[f64; 3]], tolerance: f64) -> Vec<usize> {
    keys(path.len(), |from, to, between| {
        let part = (between - from) as f64 / (to - from) as f64;
        let [a, b] = [path[from], path[to]];
        let away = [0, 1, 2].map(|k| a[k] + part * (b[k] - a[k]) - path[between][k]);
        away.iter().all(|value| value.abs() <= tolerance)
    })
}

/// Chooses keys of moving vertices, given by frame and number, so that linear interpolation is within a tolerance on
/// each axis.
pub(super) fn position_keys(
    [frames, vertices]: [usize; 2],
    position: impl Fn(usize, usize) -> [f32; 3],
    tolerance: f64,
) -> Vec<usize> {
    keys(frames, |from, to, between| {
        let part = (between - from) as f64 / (to - from) as f64;
        (0..vertices).all(|vertex| {
            let places = [from, to, between].map(|frame| position(frame, vertex).map(f64::from));
            let [a, b, found] = places;
            (0..3).all(|k| (a[k] + part * (b[k] - a[k]) - found[k]).abs() <= tolerance)
        })
    })
}

/// Chooses keys of rotations so that spherical linear interpolation is within a tolerance in radians.
pub(super) fn rotation_keys(rotations: &[Rotation], tolerance: f64) -> Vec<usize> {
    // The angle between two rotations is twice that between their quaternions.
    let nearest = libm::cos(0.5 * tolerance);
    keys(rotations.len(), |from, to, between| {
        let [a, b] = [rotations[from], rotations[to]];
        if dot(a, b).abs() < LEAST_COSINE {
            return false;
        }
        let part = (between - from) as f64 / (to - from) as f64;
        dot(slerp(a, b, part), rotations[between]).abs() >= nearest
    })
}

/// Signs the quaternions so that each has a non-negative dot product with the previous one.
pub(super) fn with_aligned_signs(rotations: impl Iterator<Item = Rotation>) -> Vec<Rotation> {
    let mut aligned: Vec<Rotation> = Vec::new();
    for rotation in rotations {
        let turns = aligned.last().is_some_and(|&last| dot(last, rotation) < 0.0);
        aligned.push(if turns { rotation.map(|value| -value) } else { rotation });
    }
    aligned
}

/// Greedily chooses keys, from the first to the last frame, so that all frames between two keys fit. A
/// constant sequence has one key.
fn keys(count: usize, fits: impl Fn(usize, usize, usize) -> bool) -> Vec<usize> {
    let mut keys: Vec<usize> = (0..count.min(1)).collect();
    while let Some(&from) = keys.last() {
        let mut to = from + 1;
        if to >= count {
            break;
        }
        while to + 1 < count
            && to + 1 - from <= MAX_FRAMES_BETWEEN_KEYS
            && (from + 1..=to).all(|between| fits(from, to + 1, between))
        {
            to += 1;
        }
        keys.push(to);
    }
    keys
}

fn slerp(a: Rotation, b: Rotation, part: f64) -> Rotation {
    let cosine = dot(a, b);
    let side = if cosine < 0.0 { -1.0 } else { 1.0 };
    let angle = libm::acos((side * cosine).min(1.0));
    let sine = libm::sin(angle);
    if sine < 1e-9 {
        return a;
    }
    let [p, q] = [libm::sin((1.0 - part) * angle) / sine, side * libm::sin(part * angle) / sine];
    [0, 1, 2, 3].map(|k| p * a[k] + q * b[k])
}

pub(super) fn dot(a: Rotation, b: Rotation) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn about_z(degrees: f64) -> Rotation {
        let half = 0.5 * degrees.to_radians();
        [0.0, 0.0, libm::sin(half), libm::cos(half)]
    }

    #[test]
    fn a_straight_path_needs_its_ends_and_a_bounce_a_key() {
        let path: Vec<[f64; 3]> = (0..41_i32)
            .map(|frame| [0.1 * f64::from(frame), f64::from((frame - 20).abs()), 0.0])
            .collect();
        assert_eq!(translation_keys(&path, 1e-9), [0, 20, 40]);
        assert_eq!(translation_keys(&path[..1], 0.0), [0]);
        assert_eq!(translation_keys(&[], 0.0), [0_usize; 0]);
    }

    #[test]
    fn no_two_keys_are_half_a_turn_apart() {
        let spin: Vec<Rotation> = (0..100).map(|frame| about_z(7.0 * f64::from(frame))).collect();
        let keys = rotation_keys(&spin, 1e-4);
        assert!(keys.len() < 10 && keys.windows(2).all(|pair| pair[1] - pair[0] <= 17), "{keys:?}");
    }

    proptest! {
        #[test]
        fn what_is_between_keys_is_within_the_tolerance(
            steps in prop::collection::vec((-1.0..1.0, -1.0..1.0, -40.0..40.0_f64), 1..200),
            tolerance in 0.0..0.5_f64,
        ) {
            let (mut at, mut turned) = ([0.0; 3], 0.0);
            let (mut path, mut rotations) = (Vec::new(), Vec::new());
            for (place, (x, y, degrees)) in steps.iter().enumerate() {
                // Half of the frames continue the previous motion.
                let (x, y, degrees) = if place % 2 == 0 { (*x, *y, *degrees) } else { (0.1, 0.0, 3.0) };
                at = [at[0] + x, at[1] + y, 0.0];
                turned += degrees;
                path.push(at);
                rotations.push(about_z(turned));
            }
            let rotations = with_aligned_signs(rotations.into_iter());
            prop_assert!(rotations.windows(2).all(|pair| dot(pair[0], pair[1]) >= 0.0));
            let [moved, turned] =
                [translation_keys(&path, tolerance), rotation_keys(&rotations, tolerance)];
            for keys in [&moved, &turned] {
                prop_assert_eq!([keys.first(), keys.last()], [Some(&0), Some(&(path.len() - 1))]);
                prop_assert!(keys.is_sorted_by(|a, b| a < b));
            }
            for pair in moved.windows(2) {
                for between in pair[0]..=pair[1] {
                    let part = (between - pair[0]) as f64 / (pair[1] - pair[0]) as f64;
                    for k in 0..3 {
                        let shown = path[pair[0]][k] * (1.0 - part) + path[pair[1]][k] * part;
                        prop_assert!((shown - path[between][k]).abs() <= tolerance + 1e-12);
                    }
                }
            }
            for pair in turned.windows(2) {
                for between in pair[0]..=pair[1] {
                    let part = (between - pair[0]) as f64 / (pair[1] - pair[0]) as f64;
                    let shown = slerp(rotations[pair[0]], rotations[pair[1]], part);
                    let angle = 2.0 * dot(shown, rotations[between]).abs().min(1.0).acos();
                    prop_assert!(angle <= tolerance + 1e-6, "{} {}", angle, tolerance);
                }
            }
        }
    }
}
