//! Poses at constructed gaps.

use xcollide_narrow::{Placed, Pose, Semantics, proximity};

use super::shapes::Subject;
use crate::support::{Random, random_pose};

/// The gaps, in sizes of the second shape. Negative ones push it in.
pub(crate) const GAPS: [f64; 15] = [
    1.0, 0.1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0, -1e-15, -1e-12, -1e-9, -1e-6, -1e-3, -0.1, -1.0,
];

/// A way for the second shape to come to the first, which is where `first` says.
pub(crate) struct Approach {
    pub(crate) first: Pose,
    turn: Pose,
    /// Where the second one is at gap 0.
    contact: [f64; 3],
    /// The unit vector away from the first.
    away: [f64; 3],
    pub(crate) unit: f64,
    pub(crate) promise: Promise,
}

/// What is known of an approach by its construction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Promise {
    /// The surfaces are apart at all gaps from `noise` to `distance` (not in sizes): the second
    /// shape came from that distance, and by less than it.
    Apart {
        noise: f64,
        distance: f64,
    },
    /// The surfaces have a point in common at gap 0, and if `beside` none at gaps above `noise`.
    Touching {
        beside: bool,
        noise: f64,
    },
    Nothing,
}

impl Approach {
    pub(crate) fn at(&self, gap: f64) -> Pose {
        let along = gap * self.unit;
        let t = [0, 1, 2].map(|k| self.contact[k] + along * self.away[k]);
        self.turn.with_translation(t)
    }

    /// What must be true of the surfaces at a gap, if it is known.
    pub(crate) fn promised(&self, gap: f64) -> Option<bool> {
        let along = gap * self.unit;
        match self.promise {
            Promise::Apart { noise, distance } => {
                (noise < along && along < distance).then_some(false)
            }
            Promise::Touching { beside, noise } => {
                (gap == 0.0 || beside && along > noise).then_some(gap == 0.0)
            }
            Promise::Nothing => None,
        }
    }
}

/// Brings the nearest points of the surfaces, at two random poses where they are apart, towards
/// each other. The path from there is as long as the distance less the gap, so nothing can meet
/// before. It may begin within a cavity or a body, and every sixth one is far from the origin.
pub(crate) fn nearest(a: &Subject, b: &Subject, random: &mut Random) -> Approach {
    let far = if random.integer(0, 5) == 0 { 1e6 } else { 1.0 };
    let first = random_pose(random, far * a.radius);
    let reach = a.radius + b.radius;
    let shares = [0.3, 0.6, 1.0, 1.0, 1.5, 3.0];
    let mut starts = shares.into_iter().map(|share| {
        let mut second = random_pose(random, share * a.radius.max(b.radius));
        second = second.with_translation(
            (nalgebra::Vector3::from(second.translation())
                + (nalgebra::Vector3::from(first.translation())))
            .into(),
        );
        second
    });
    let apart = |second: &Pose| {
        let placed =
            (Placed::new(&a.model, &first).unwrap(), Placed::new(&b.model, second).unwrap());
        let distance = proximity::distance(placed.0, placed.1, Semantics::Surface).unwrap();
        (distance.value > 0.0).then_some(distance)
    };
    let found = starts.find_map(|second| Some((second, apart(&second)?)));
    let (second, distance) = found.unwrap_or_else(|| {
        let mut second = random_pose(random, 0.0);
        second = second.with_translation(first.translation());
        let mut moved = second.translation();
        moved[0] += 2.0 * reach;
        second = second.with_translation(moved);
        (second, apart(&second).expect("twice the sum of the radii away"))
    });
    let [p, q] = distance.points;
    let away = [0, 1, 2].map(|k| (q[k] - p[k]) / distance.value);
    let start = nalgebra::Vector3::from(second.translation());
    // Coordinates are rounded to ε = 2⁻⁵² of the largest, and each is the sum of a few.
    let noise = 64.0
        * f64::EPSILON
        * (start.amax() + nalgebra::Vector3::from(first.translation()).amax() + reach);
    Approach {
        first,
        turn: second,
        contact: [0, 1, 2].map(|k| start[k] - distance.value * away[k]),
        away,
        unit: b.radius,
        promise: Promise::Apart { noise, distance: distance.value },
    }
}

/// Lays a vertex, the middle of an edge or a point of a triangle of one shape onto one of the
/// other, with a turn that permutes the axes. On the grid nothing of this is rounded, so the
/// shapes touch exactly: corner on corner, on edge, on face, edge through edge. Every other time
/// they are laid side by side along an axis, and touch in the outermost points, edges and planes.
pub(crate) fn laid_on(a: &Subject, b: &Subject, random: &mut Random) -> Approach {
    let (x, y, z) = [(0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
        [random.integer(0, 3) as usize];
    let w = f64::sqrt(1.0 - (x * x + y * y + z * z));
    let turned = Pose::from_quaternion([x, y, z, w], [0.0; 3]).unwrap();
    let identity = Pose::IDENTITY;
    let placed =
        (Placed::new(&a.model, &identity).unwrap(), Placed::new(&b.model, &turned).unwrap());
    let beside = random.integer(0, 1) == 0;
    let away = if beside || random.integer(0, 1) == 0 {
        let [axis, sign] = [random.integer(0, 2), random.integer(0, 1)];
        let mut away = [0.0; 3];
        away[axis as usize] = [-1.0, 1.0][sign as usize];
        away
    } else {
        unit([(); 3].map(|()| random.signed()))
    };
    let (on_a, on_b) = if beside {
        (outermost(placed.0, away), outermost(placed.1, away.map(|x| -x)))
    } else {
        (point_of(placed.0, random), point_of(placed.1, random))
    };
    let noise = 64.0 * f64::EPSILON * (a.radius + b.radius);
    Approach {
        first: identity,
        turn: turned,
        contact: [0, 1, 2].map(|k| on_a[k] - on_b[k]),
        away,
        unit: b.radius,
        promise: if a.on_grid && b.on_grid && a.scale == b.scale {
            Promise::Touching { beside, noise }
        } else {
            Promise::Nothing
        },
    }
}

/// Both shapes in the same place: a shape on itself, bodies in bodies.
pub(crate) fn same_pose(a: &Subject, b: &Subject, random: &mut Random) -> Approach {
    let first = random_pose(random, a.radius);
    let itself = std::ptr::eq(a, b);
    Approach {
        first,
        turn: first,
        contact: first.translation(),
        away: unit([(); 3].map(|()| random.signed())),
        unit: b.radius,
        promise: if itself {
            Promise::Touching { beside: false, noise: 0.0 }
        } else {
            Promise::Nothing
        },
    }
}

/// A corner, the middle of an edge, or the middle between a corner and the middle of the side
/// opposite, of a random triangle.
fn point_of(placed: Placed<'_>, random: &mut Random) -> [f64; 3] {
    let triangles = placed.model().triangulation().len();
    let triangle = placed.triangle(random.integer(0, triangles as i64 - 1) as usize);
    let corner = random.integer(0, 2) as usize;
    let [p, q, r] = [0, 1, 2].map(|k| triangle[(corner + k) % 3]);
    let middle = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]));
    match random.integer(0, 2) {
        0 => p,
        1 => middle(p, q),
        _ => middle(p, middle(q, r)),
    }
}

/// The first of the corners that are farthest along an axis.
fn outermost(placed: Placed<'_>, along: [f64; 3]) -> [f64; 3] {
    let height = |p: [f64; 3]| (0..3).map(|k| along[k] * p[k]).sum::<f64>();
    let corners = placed.model().used_vertices().iter().map(|&vertex| placed.position(vertex));
    corners
        .reduce(|best, corner| if height(corner) > height(best) { corner } else { best })
        .unwrap()
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}
