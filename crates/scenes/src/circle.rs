//! Points on the unit circle, identical on every platform and exactly symmetric.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

/// Cosine and sine of `step / steps` of a full turn; `step` may exceed `steps`. Only angles up to an eighth of a
/// turn are computed (by `libm`), the others mirrored: quarter turns are exact, and mirror images in the axes
/// have the same coordinates up to sign.
pub(crate) fn turn(step: usize, steps: usize) -> [f64; 2] {
    let (step, steps) = ((step % steps) as u64, steps as u64);
    let (octant, rest) = (8 * step / steps, 8 * step % steps);
    let eighth = |part: u64| FRAC_PI_4 * (part as f64 / steps as f64);
    let (quarters, [x, y]) = if octant % 2 == 0 {
        let angle = eighth(rest);
        (octant / 2, [libm::cos(angle), libm::sin(angle)])
    } else if rest == 0 {
        // The computed sine and cosine of an eighth of a turn differ in the last bit.
        (octant / 2 + 1, [FRAC_1_SQRT_2, -FRAC_1_SQRT_2])
    } else {
        let angle = eighth(steps - rest);
        (octant / 2 + 1, [libm::cos(angle), -libm::sin(angle)])
    };
    // Adding zero turns -0 into +0.
    match quarters % 4 {
        0 => [x, y],
        1 => [-y, x],
        2 => [-x, -y],
        _ => [y, -x],
    }
    .map(|value| value + 0.0)
}

pub(crate) fn circle(radius: f64, z: f64, count: usize) -> impl Iterator<Item = [f64; 3]> {
    parallel([radius, 1.0], z, count)
}

/// `count` points on a parallel of a sphere, `out` radii from the z-axis.
pub(crate) fn parallel(
    [radius, out]: [f64; 2],
    z: f64,
    count: usize,
) -> impl Iterator<Item = [f64; 3]> {
    (0..count).map(move |step| {
        let [x, y] = turn(step, count);
        [radius * (out * x), radius * (out * y), z]
    })
}

#[cfg(test)]
mod tests {
    use super::turn;

    #[test]
    fn turns_are_cosine_and_sine() {
        for steps in 1..200 {
            for step in 0..2 * steps {
                let angle = core::f64::consts::TAU * step as f64 / steps as f64;
                let [x, y] = turn(step, steps);
                assert!((x - libm::cos(angle)).abs() < 4e-15, "{step} of {steps}");
                assert!((y - libm::sin(angle)).abs() < 4e-15, "{step} of {steps}");
            }
        }
    }

    #[test]
    fn quarters_are_exact_and_mirror_images_agree() {
        assert_eq!([0, 1, 2, 3].map(|k| turn(k, 4)), [[1., 0.], [0., 1.], [-1., 0.], [0., -1.]]);
        for steps in [8, 12, 40, 100] {
            for step in 0..steps {
                let [x, y] = turn(step, steps);
                assert_eq!(turn(steps - step, steps), [x, -y + 0.0], "{step} of {steps}");
                assert_eq!(turn(step + steps / 4, steps), [-y + 0.0, x], "{step} of {steps}");
            }
        }
    }
}
