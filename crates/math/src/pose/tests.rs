//! Tests of poses.

use super::*;
use crate::vector::length;

type Outcome = Result<(), PoseError>;

/// Made of 3-4-5 and 5-12-13 turns, so its entries are not exact in binary.
fn tilted() -> Result<Pose, PoseError> {
    let rows = [
        [0.6, -0.8, 0.0],
        [0.8 * 5.0 / 13.0, 0.6 * 5.0 / 13.0, -12.0 / 13.0],
        [0.8 * 12.0 / 13.0, 0.6 * 12.0 / 13.0, 5.0 / 13.0],
    ];
    Pose::from_matrix(rows, [3.0, -7.0, 11.0])
}

fn is_near(p: [f64; 3], q: [f64; 3], margin: f64) -> bool {
    length(sub(p, q)) < margin
}

#[test]
fn the_inverse_leads_back() -> Outcome {
    let (pose, p) = (tilted()?, [0.3, -2.0, 5.0]);
    assert!(is_near(pose.inverse().apply(pose.apply(p)), p, 1e-14));
    assert!(is_near((pose.inverse() * pose).apply(p), p, 1e-14));
    Ok(())
}

/// The inverse of a stretched rotation is a shrunken one; its transpose would be wrong.
#[test]
fn nearly_a_rotation_is_inverted_exactly() -> Outcome {
    let rows = tilted()?.rotation().map(|row| scale(row, 1.0 + 4e-7));
    let (stretched, p) = (Pose::from_matrix(rows, [0.0; 3])?, [0.3, -2.0, 5.0]);
    assert!(is_near(stretched.inverse().apply(stretched.apply(p)), p, 1e-14));
    Ok(())
}

#[test]
fn relative_is_the_way_from_b_over_the_world_to_a() -> Outcome {
    let (a, p) = (tilted()?, [0.3, -2.0, 5.0]);
    let b = a.inverse().with_translation([-1.0, 0.5, 2.0]);
    let through_world = a.inverse().apply(b.apply(p));
    assert!(is_near(Pose::relative(&a, &b).apply(p), through_world, 1e-13));
    assert!(is_near((a.inverse() * b).apply(p), through_world, 1e-13));
    Ok(())
}

#[test]
fn products_do_not_drift() -> Outcome {
    let stretched = Pose::from_quaternion([0.6 * (1.0 + 9e-7), 0.0, 0.0, 0.8], [1.0; 3])?;
    let mut pose = stretched;
    for _ in 0..1000 {
        pose = pose * stretched;
        assert!(deviation(pose.rotation()) <= GIVEN);
    }
    Ok(())
}

#[test]
fn matrices_are_kept_or_refused() -> Outcome {
    let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, -0.0, 1.0]];
    let pose = Pose::from_matrix(quarter, [-1e300, 0.1, 7.0])?;
    assert_eq!(pose.rotation().as_flattened()[7].to_bits(), (-0.0_f64).to_bits());
    assert_eq!((*pose.rotation(), pose.translation()), (quarter, [-1e300, 0.1, 7.0]));

    let sheared = |by: f64| [[1.0, by, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert!(Pose::from_matrix(sheared(9.9e-7), [0.0; 3]).is_ok());
    assert_eq!(
        Pose::from_matrix(sheared(2e-6), [0.0; 3]),
        Err(PoseError::NoRotation { deviation: 2e-6 })
    );
    assert!(Pose::from_stored(sheared(2e-6), [0.0; 3]).is_ok());
    assert!(Pose::from_stored(sheared(2e-5), [0.0; 3]).is_err());
    for huge in [1e200, 1e300] {
        let refused = Pose::from_matrix(sheared(huge), [0.0; 3]);
        assert!(matches!(refused, Err(PoseError::NoRotation { .. })));
    }
    let mirror = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]];
    assert_eq!(Pose::from_matrix(mirror, [0.0; 3]), Err(PoseError::Mirrored));
    Ok(())
}

#[test]
fn what_is_not_finite_is_refused() {
    let identity = *Pose::IDENTITY.rotation();
    let of = |value: f64| {
        let mut rows = identity;
        rows[1][0] = value;
        [
            Pose::from_matrix(rows, [0.0; 3]),
            Pose::from_quaternion([value, 0.0, 0.0, 1.0], [0.0; 3]),
            Pose::from_axis_angle([0.0, 1.0, value], 1.0, [0.0; 3]),
            Pose::from_axis_angle([0.0, 1.0, 0.0], value, [0.0; 3]),
            Pose::from_matrix(identity, [0.0, value, 0.0]),
            Pose::from_quaternion([0.0, 0.0, 0.0, 1.0], [0.0, value, 0.0]),
            Pose::from_axis_angle([0.0, 1.0, 0.0], 1.0, [0.0, value, 0.0]),
        ]
    };
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = |pose| matches!(pose, Err(PoseError::NonFinite { .. }));
        assert!(of(value).into_iter().all(refused), "{value}");
        assert!(Pose::from_translation([0.0, 0.0, value]).check().is_err());
    }
    assert!(Pose::from_translation([f64::MAX; 3]).check().is_ok());
}

#[test]
fn quaternions_have_length_1() {
    let with = |w: f64| Pose::from_quaternion([0.0, 0.0, 0.0, w], [0.0; 3]);
    assert_eq!(with(1.0), Ok(Pose::IDENTITY));
    assert!(with(1.0 + 9e-7).is_ok() && with(1.0 - 9e-7).is_ok());
    assert_eq!(with(1.1), Err(PoseError::NotUnit { length: 1.1 }));
}

/// The quaternion of half the angle, with sine and cosine of `libm`, to the bit.
#[test]
fn axis_and_angle_become_a_matrix_by_the_formula() {
    for angle in [0.3, -2.0, 1e3] {
        let ((sine, cosine), place) = (libm::sincos(0.5 * angle), [1.0, 2.0, 3.0]);
        let expected = Pose::from_quaternion([0.0, 0.0, sine, cosine], place);
        assert!(expected.is_ok());
        assert_eq!(Pose::from_axis_angle([0.0, 0.0, 4.0], angle, place), expected);
    }
}

/// The matrix of a quaternion and the way of a point, with each operation rounded on its own: what a fused multiply-add
/// gives is another number at some of the points.
#[test]
fn quaternions_and_points_go_by_the_formulas() -> Outcome {
    let translation = [3.1, -0.7, 1.3];
    for [x, y, z, w] in [[0.1, 0.7, -0.1, 0.7], [0.5, -0.5, 0.1, -0.7], [0.0, 0.6, 0.0, 0.8]] {
        let pose = Pose::from_quaternion([x, y, z, w], translation)?;
        let expected = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        assert_eq!((*pose.rotation(), pose.translation()), (expected, translation));
        let mut others = 0;
        for step in 0..100 {
            let p = [0.1, -0.3, 0.7].map(|part| part * f64::from(step));
            let found = pose.apply(p);
            for (k, row) in expected.iter().enumerate() {
                let [a, b, c] = [row[0] * p[0], row[1] * p[1], row[2] * p[2]];
                assert_eq!(found[k], ((a + b) + c) + translation[k], "{p:?}");
                let fused = row[2].mul_add(p[2], row[1].mul_add(p[1], a)) + translation[k];
                others += usize::from(fused != found[k]);
            }
        }
        assert!(others > 0, "a fused multiply-add would give the same");
    }
    Ok(())
}

/// Also of axes whose squares are beyond the range of f64.
#[test]
fn axis_and_angle_turn_as_the_right_hand() -> Outcome {
    for length in [1.0, 1e300, 1e-300] {
        let pose = Pose::from_axis_angle([0.0, 0.0, length], 0.5, [0.0, 0.0, 1.0])?;
        let expected = [libm::cos(0.5), libm::sin(0.5), 1.0];
        assert!(is_near(pose.apply([1.0, 0.0, 0.0]), expected, 1e-15));
    }
    assert_eq!(Pose::from_axis_angle([0.0; 3], 0.5, [0.0; 3]), Err(PoseError::NoAxis));
    Ok(())
}

#[test]
fn quaternions_lead_back() -> Outcome {
    let halves = [-0.5, 0.5];
    let mut all = vec![[1.0, 0.0, 0.0, 0.0], [0.0, 0.8, -0.6, 0.0], [0.0, 0.0, 0.0, 1.0]];
    for n in 0..16 {
        all.push([0, 1, 2, 3].map(|k| halves[n >> k & 1]));
        all.push([0.1, 0.7, 0.1, 0.7].map(|x: f64| x * f64::from(1 - 2 * (n as i32 & 1))));
    }
    for q in all {
        let pose = Pose::from_quaternion(q, [1.0, 2.0, 3.0])?;
        let found = pose.to_quaternion();
        let cosine: f64 = q.iter().zip(found).map(|(a, b)| a * b).sum();
        assert!(cosine.abs() > 1.0 - 1e-15, "{q:?} {found:?}");
    }
    Ok(())
}

#[test]
fn the_identity_changes_no_bit() {
    for p in [[0.1, -7e-301, 3e200], [0.3, f64::MIN_POSITIVE, -1e-310]] {
        assert_eq!(Pose::IDENTITY.apply(p), p);
    }
}
