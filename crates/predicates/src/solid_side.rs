//! On which side of the surface of a solid with a formula a point lies: polynomials in the numbers, without a quotient.
//!
//! With R the matrix and t the translation, a point p is in the moved solid if R⁻¹(p − t) is in the solid. Everything is
//! multiplied by the determinant of R, so that the inverse is the adjugate. A radius is measured in the world.

use crate::exact::{self, Dyadic};
use crate::{Point, Sign};

/// A solid with a formula, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Solid {
    /// All points at most `radius` away from the z-axis from −`half` to `half`; a ball if that is 0.
    Capsule {
        /// Half the length of the segment.
        half: f64,
        /// The radius.
        radius: f64,
    },
    /// All points with |x|, |y| and |z| at most these.
    Cuboid {
        /// Half the extents.
        half: [f64; 3],
    },
    /// All points with |z| at most `half` and x² + y² at most `radius`².
    Cylinder {
        /// Half the height.
        half: f64,
        /// The radius.
        radius: f64,
    },
    /// A cone about the z-axis: its base at z = −`half`, its apex at z = `half`.
    Cone {
        /// Half the height.
        half: f64,
        /// The radius of the base.
        radius: f64,
    },
    /// An ellipsoid by its half axes along x, y and z.
    Ellipsoid {
        /// The half axes.
        half: [f64; 3],
    },
}

/// Whether a point is inside a solid (negative), on its surface (zero) or outside (positive). The solid is moved by a matrix,
/// which must be a rotation within 1e-6 of any entry, and a translation, without rounding. Exact for all finite numbers;
/// takes some microseconds.
///
/// ```
/// use xcollide_predicates::{Sign, Solid, solid_side};
///
/// let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let side = |solid, point| solid_side(&solid, &identity, [1.0, 0.0, 0.0], point);
/// let cylinder = Solid::Cylinder { half: 1.0, radius: 5.0 };
/// assert_eq!(side(cylinder, [4.0, 4.0, 0.5]), Sign::Zero);
/// assert_eq!(side(cylinder, [4.0, 4.0f64.next_down(), 0.5]), Sign::Negative);
/// assert_eq!(side(Solid::Capsule { half: 1.0, radius: 5.0 }, [4.0, 4.0, 1.5]), Sign::Positive);
/// ```
#[must_use]
pub fn solid_side(solid: &Solid, matrix: &[[f64; 3]; 3], translation: Point, point: Point) -> Sign {
    let line = exact::difference(translation, point);
    if let Solid::Capsule { half, radius } = *solid {
        return capsule_side(half, radius, &matrix.map(|row| Dyadic::of(row[2])), &line);
    }
    let columns = [0, 1, 2].map(|k| [0, 1, 2].map(|row: usize| Dyadic::of(matrix[row][k])));
    let [u, v, w] = &columns;
    // The rows of the adjugate.
    let [x, y, z] = [
        exact::dot(&exact::cross(v, w), &line),
        exact::dot(&exact::cross(w, u), &line),
        exact::dot(&exact::cross(u, v), &line),
    ];
    let determinant = exact::dot(&exact::cross(u, v), w);
    let scaled = |length: f64| &Dyadic::of(length) * &determinant;
    let square = |length: f64| scaled(length).squared();
    // |number| compared with a length.
    let slab = |number: &Dyadic, half: f64| (&number.squared() - &square(half)).sign();
    match *solid {
        Solid::Cuboid { half: [a, b, c] } => slab(&x, a).max(slab(&y, b)).max(slab(&z, c)),
        Solid::Cylinder { half, radius } => {
            let round = &(&x.squared() + &y.squared()) - &square(radius);
            round.sign().max(slab(&z, half))
        }
        Solid::Cone { half, radius } => {
            let (high, low) = (&scaled(half) - &z, &scaled(half) + &z);
            // At the height z the radius is radius · (half − z) / (2 · half).
            let across =
                &(&x.squared() + &y.squared()) * &(&Dyadic::of(4.0) * &Dyadic::of(half).squared());
            let side = &across - &(&high.squared() * &Dyadic::of(radius).squared());
            let apex = &Dyadic::of(0.0) - &high;
            let base = &Dyadic::of(0.0) - &low;
            side.sign().max(apex.sign()).max(base.sign())
        }
        Solid::Ellipsoid { half: [a, b, c] } => {
            let [of_x, of_y, of_z] = [(&x, b, c), (&y, c, a), (&z, a, b)]
                .map(|(number, j, k)| (number * &(&Dyadic::of(j) * &Dyadic::of(k))).squared());
            let all = &Dyadic::of(a) * &(&Dyadic::of(b) * &Dyadic::of(c));
            (&(&of_x + &(&of_y + &of_z)) - &(&all * &determinant).squared()).sign()
        }
        Solid::Capsule { .. } => Sign::Zero,
    }
}

/// `axis`: the moved unit vector along z; `line`: from the center to the point.
fn capsule_side(half: f64, radius: f64, axis: &[Dyadic; 3], line: &[Dyadic; 3]) -> Sign {
    let (half, radius) = (Dyadic::of(half), Dyadic::of(radius));
    let along = exact::dot(axis, line);
    let square = exact::dot(axis, axis);
    let end = &half * &square;
    let beyond = match along.sign() {
        Sign::Negative => &(&Dyadic::of(0.0) - &along) - &end,
        _ => &along - &end,
    };
    if beyond.sign() == Sign::Positive {
        let half = if along.sign() == Sign::Negative { &Dyadic::of(0.0) - &half } else { half };
        let from_end = [0, 1, 2].map(|k| &line[k] - &(&axis[k] * &half));
        return (&exact::dot(&from_end, &from_end) - &radius.squared()).sign();
    }
    // |line|² − along² / |axis|² compared with radius².
    let across = &(&exact::dot(line, line) * &square) - &along.squared();
    (&across - &(&radius.squared() * &square)).sign()
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// By the angle of 3, 4, 5 about z, then times 5 it would be of integers; so it is off by rounding.
    const TURNED: [[f64; 3]; 3] = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];

    /// The defining inequalities with integers, where floating-point numbers are exact.
    fn plain(solid: &Solid, [x, y, z]: [f64; 3]) -> Sign {
        let slab = |value: f64, half: f64| Sign::of(value.abs() - half);
        match *solid {
            Solid::Capsule { half, radius } => {
                let over = (z.abs() - half).max(0.0);
                Sign::of(x * x + y * y + over * over - radius * radius)
            }
            Solid::Cuboid { half: [a, b, c] } => slab(x, a).max(slab(y, b)).max(slab(z, c)),
            Solid::Cylinder { half, radius } => {
                Sign::of(x * x + y * y - radius * radius).max(slab(z, half))
            }
            Solid::Cone { half, radius } => {
                let side =
                    (x * x + y * y) * 4.0 * half * half - radius * radius * (half - z) * (half - z);
                Sign::of(side).max(slab(z, half))
            }
            Solid::Ellipsoid { half: [a, b, c] } => {
                let (p, q, r) = (x * b * c, y * a * c, z * a * b);
                Sign::of(p * p + q * q + r * r - (a * b * c) * (a * b * c))
            }
        }
    }

    #[test]
    fn sides_are_those_of_the_inequalities_on_integers() {
        let solids = [
            Solid::Capsule { half: 2.0, radius: 3.0 },
            Solid::Capsule { half: 0.0, radius: 3.0 },
            Solid::Cuboid { half: [3.0, 2.0, 1.0] },
            Solid::Cylinder { half: 2.0, radius: 3.0 },
            Solid::Cone { half: 2.0, radius: 4.0 },
            Solid::Ellipsoid { half: [3.0, 2.0, 4.0] },
        ];
        let mut seen = [0; 3];
        for solid in solids {
            for x in -4..=4 {
                for y in -4..=4 {
                    for z in -5..=5 {
                        let local = [x, y, z].map(f64::from);
                        let point = [0, 1, 2].map(|k| local[k] + [100.0, -7.0, 3.0][k]);
                        let found = solid_side(&solid, &IDENTITY, [100.0, -7.0, 3.0], point);
                        assert_eq!(found, plain(&solid, local), "{solid:?} {local:?}");
                        seen[(found as i8 + 1) as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
    }

    /// The inverse of the matrix is taken, not its transpose: rounded entries make a difference.
    #[test]
    fn matrices_are_inverted_exactly() {
        let cuboid = Solid::Cuboid { half: [5.0, 1.0, 1.0] };
        // The matrix times a point of the surface is rounded to either side.
        let corner = [0.6 * 5.0, 0.8 * 5.0, 0.0];
        let further = corner.map(|x| x * (1.0 + 1e-14));
        let nearer = corner.map(|x| x * (1.0 - 1e-14));
        assert_eq!(solid_side(&cuboid, &TURNED, [0.0; 3], further), Sign::Positive);
        assert_eq!(solid_side(&cuboid, &TURNED, [0.0; 3], nearer), Sign::Negative);
        // Twice as large a matrix makes the solid twice as large.
        let twice = TURNED.map(|row| row.map(|x| 2.0 * x));
        let side = |point| solid_side(&cuboid, &twice, [0.0; 3], point);
        assert_eq!(side(nearer.map(|x| 2.0 * x)), Sign::Negative);
        assert_eq!(side(further.map(|x| 2.0 * x)), Sign::Positive);
    }
}
