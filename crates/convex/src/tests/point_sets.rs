//! For tests: two point sets at poses, and where the origin is in their differences.

use xcollide_math::Pose;
use xcollide_math::vector::{dot, sub};
use xcollide_scenes::Random;

use crate::polytope::Polytope;
use crate::tests::hulls::point_cloud;

pub(crate) type Vector = [f64; 3];

pub(crate) fn determinant(a: Vector, b: Vector, c: Vector) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// The barycentric coordinates of the origin.
pub(crate) fn weights([a, b, c, d]: [Vector; 4]) -> [f64; 4] {
    let parts =
        [determinant(b, c, d), -determinant(a, c, d), determinant(a, b, d), -determinant(a, b, c)];
    let sum: f64 = parts.iter().sum();
    parts.map(|part| part / sum)
}

/// Whether they hold the origin, up to rounding.
pub(crate) fn hold_origin(corners: [Vector; 4]) -> bool {
    weights(corners).iter().all(|&weight| weight >= -1e-7)
}

pub(crate) fn below(random: &mut Random, limit: usize) -> usize {
    (random.bits() % limit as u64) as usize
}

/// Two sets at poses, and a shift of their differences.
pub(crate) struct Sets {
    pub(crate) points: [Vec<Vector>; 2],
    pub(crate) motions: [Pose; 2],
    pub(crate) shift: Vector,
}

/// Four points each with small integer coordinates, the second set moved by integers.
pub(crate) fn integer_sets(random: &mut Random) -> Sets {
    let mut point = || [(); 3].map(|()| random.between(-4.0, 4.0).round());
    let points = [(); 2].map(|()| (0..4).map(|_| point()).collect::<Vec<Vector>>());
    let motions = [Pose::IDENTITY, Pose::from_translation(point())];
    Sets { points, motions, shift: [0.0; 3] }
}

/// Whether all points lie in a plane through the origin.
pub(crate) fn are_flat(points: &[Vector]) -> bool {
    let spanned = |&a: &Vector, &b: &Vector| points.iter().any(|&c| determinant(a, b, c) != 0.0);
    !points.iter().any(|a| points.iter().any(|b| spanned(a, b)))
}

impl Sets {
    /// Of up to 70 points, of integers up to 2 in every third case, else anywhere and turned.
    pub(crate) fn random(random: &mut Random, case: usize) -> Self {
        let coarse = case.is_multiple_of(3);
        let mut points = [(); 2].map(|()| {
            let count = 1 + below(random, if case.is_multiple_of(5) { 70 } else { 12 });
            let point = |random: &mut Random| {
                [(); 3].map(|()| {
                    let x = random.between(-1.0, 1.0);
                    if coarse { (2.4 * x).round() } else { x }
                })
            };
            (0..count).map(|_| point(random)).collect::<Vec<Vector>>()
        });
        if case.is_multiple_of(7) {
            points[1] = points[0].clone();
        }
        let motions = [(); 2].map(|()| {
            if coarse {
                let shift = [(); 3].map(|()| random.between(-3.0, 3.0).round());
                return Pose::from_translation(shift);
            }
            Pose::from_quaternion(random.rotation(), [(); 3].map(|()| random.between(-0.9, 0.9)))
                .unwrap()
        });
        let shift = if case.is_multiple_of(4) { [1e-14, -2e-14, 3e-15] } else { [0.0; 3] };
        Self { points, motions, shift }
    }

    /// As bodies without facets.
    pub(crate) fn clouds(&self) -> [Polytope; 2] {
        self.points.each_ref().map(|points| point_cloud(points, &[]))
    }

    pub(crate) fn differences(&self) -> Vec<Vector> {
        let [a, b] = [0, 1].map(|i| {
            self.points[i].iter().map(|&p| self.motions[i].apply(p)).collect::<Vec<Vector>>()
        });
        a.iter().flat_map(|&p| b.iter().map(move |&q| sub(q, p))).collect()
    }

    /// The least product of a difference with a direction.
    pub(crate) fn least(&self, direction: Vector) -> f64 {
        self.differences().into_iter().map(|d| dot(direction, d)).fold(f64::INFINITY, f64::min)
    }

    /// The point of A and that of B.
    pub(crate) fn difference(&self, [p, q]: [u32; 2]) -> Vector {
        let [p, q] =
            [(0, p), (1, q)].map(|(i, at)| self.motions[i].apply(self.points[i][at as usize]));
        sub(q, p)
    }
}

/// Where the origin is.
pub(crate) enum Place {
    Inside,
    Border,
    Outside,
}

/// By all planes through three differences, or two and the origin: exact for small integers.
pub(crate) fn place(differences: &[Vector]) -> Place {
    let cross = |a: Vector, b: Vector| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    // All on one side of a plane through the origin and two of them, or strictly in front of one: then
    // the origin is no inner point. The rays of a pointed cone are among the normals of such planes.
    let mut normals: Vec<Vector> = Vec::new();
    for (i, &a) in differences.iter().enumerate() {
        for &b in &differences[..i] {
            normals.push(cross(a, b));
        }
    }
    let mut closed = Vec::new();
    for normal in normals {
        for sign in [1.0, -1.0] {
            let normal = normal.map(|x| sign * x);
            let front = differences.iter().all(|&d| dot(normal, d) >= 0.0);
            if front && normal != [0.0; 3] {
                closed.push(normal);
            }
        }
    }
    if closed.is_empty() {
        // They span the space, so a cone of vectors that are in front of all has such rays.
        return Place::Inside;
    }
    // The sum of all supporting normals is in front of everything, if anything is.
    let sum = closed.iter().fold([0.0; 3], |s, n| [s[0] + n[0], s[1] + n[1], s[2] + n[2]]);
    if differences.iter().all(|&d| dot(sum, d) > 0.0) { Place::Outside } else { Place::Border }
}
