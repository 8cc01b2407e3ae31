//! Convex hulls of points, and all points at most a radius away, moved without rounding.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::cuboid_contact::Parallelepiped;
use crate::distance::triangle_distance;
use crate::exact::{Dyadic, Vector, cross, dot, minus};
use crate::moved_solid::less_root;
use crate::quadric::{Form, Quadric, form, homogeneous, value};
use crate::round_solid::{Piece, RoundSolid};
use crate::triangle_part::{Line, Polygon};
use crate::within::gap_sign;
use crate::{MovedSolid, Point, Sign, Solid};

/// The hull of the moved corners, and all points at most the radius away.
#[derive(Clone, Debug)]
pub(crate) struct RoundedHull {
    corners: Vec<Vector>,
    /// The corners, rounded.
    rounded: Vec<Point>,
    /// The surface; triangles may be segments or points.
    triangles: Vec<[u32; 3]>,
    /// What is not negative in the core, a plane for each face; none if the core has no interior.
    planes: Vec<Form>,
    radius: Dyadic,
    /// Of a box.
    edges: Option<Parallelepiped>,
}

impl RoundedHull {
    /// A ball, capsule or box; `None` for other solids.
    pub(crate) fn of(moved: &MovedSolid) -> Option<Self> {
        const FACES: [&[u32]; 6] = [
            &[0, 2, 3, 1],
            &[4, 5, 7, 6],
            &[0, 1, 5, 4],
            &[2, 6, 7, 3],
            &[0, 4, 6, 2],
            &[1, 3, 7, 5],
        ];
        match moved.solid {
            Solid::Capsule { half: 0.0, radius } => {
                Some(Self::new(&[[0.0; 3]], [[0]], radius, moved))
            }
            Solid::Capsule { half, radius } => {
                let ends = [[0.0, 0.0, -half], [0.0, 0.0, half]];
                Some(Self::new(&ends, [[0, 1]], radius, moved))
            }
            Solid::Cuboid { half } => {
                let side = |number: usize, k: usize| {
                    if number >> k & 1 == 0 { -half[k] } else { half[k] }
                };
                let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| [0, 1, 2].map(|k| side(i, k)));
                let edges = Parallelepiped::of(moved);
                Some(Self { edges, ..Self::new(&corners, FACES, 0.0, moved) })
            }
            _ => None,
        }
    }

    /// The hull of some points of a frame, by its faces.
    pub(crate) fn new<F: AsRef<[u32]>>(
        points: &[Point],
        faces: impl IntoIterator<Item = F>,
        radius: f64,
        frame: &MovedSolid,
    ) -> Self {
        let center = frame.center();
        let moved = |&point: &Point| {
            let turned = frame.turned(point);
            [0, 1, 2].map(|k| &center[k] + &turned[k])
        };
        let corners: Vec<Vector> = points.iter().map(moved).collect();
        let one = Dyadic::of(1.0);
        let rounded = corners.iter().map(|p| p.each_ref().map(|x| x.ratio(&one))).collect();
        let middle = sum(&corners);
        let (mut triangles, mut planes, mut is_solid) = (Vec::new(), Vec::new(), true);
        for face in faces {
            let face = face.as_ref();
            let Some(&first) = face.first() else { continue };
            let second = face.get(1).copied().unwrap_or(first);
            triangles.extend((2..face.len().max(3)).map(|i| {
                [
                    first,
                    face.get(i - 1).copied().unwrap_or(second),
                    face.get(i).copied().unwrap_or(second),
                ]
            }));
            let [_, .., last] = face else { continue };
            let [p, q, r] = [first, second, *last].map(|i| &corners[i as usize]);
            let plane = form(&cross(&minus(q, p), &minus(r, p)), p);
            match value(&plane, &middle).sign() {
                Sign::Zero => is_solid = false,
                Sign::Positive => planes.push(plane),
                Sign::Negative => planes.push(plane.map(|x| -&x)),
            }
        }
        if !is_solid || planes.len() < 4 {
            planes.clear();
        }
        let radius = Dyadic::of(radius);
        Self { corners, rounded, triangles, planes, radius, edges: None }
    }

    pub(crate) fn is_round(&self) -> bool {
        self.radius.sign().is_positive()
    }

    pub(crate) fn has_interior(&self) -> bool {
        self.is_round() || !self.planes.is_empty()
    }

    /// The ball, if it is one.
    pub(crate) fn ball(&self) -> Option<Quadric> {
        match &self.corners[..] {
            [center] if self.is_round() => Some(Quadric::ball(center, &self.radius)),
            _ => None,
        }
    }

    pub(crate) fn radius(&self) -> &Dyadic {
        &self.radius
    }

    /// Whether a part of the core may be at most the radius away from a round solid.
    fn is_within(&self, corners: [usize; 3], round: &RoundSolid) -> bool {
        let center = round.center().each_ref().map(|x| x.ratio(&Dyadic::of(1.0)));
        let reach = self.radius.ratio(&Dyadic::of(1.0)) + round.extent();
        !is_far(&corners.map(|i| self.rounded[i]), &[center; 3], reach)
    }

    /// The corners that a round solid may be within the radius of.
    pub(crate) fn corners_within(&self, round: &RoundSolid) -> impl Iterator<Item = &Vector> {
        let near = (0..self.corners.len()).filter(|&i| self.is_within([i; 3], round));
        near.map(|i| &self.corners[i])
    }

    /// The edges of the triangles, each once.
    fn sides(&self) -> impl Iterator<Item = [usize; 2]> {
        let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
        let all = self.triangles.iter().flat_map(sides);
        let edges: BTreeSet<[usize; 2]> =
            all.map(|[a, b]| [a.min(b) as usize, a.max(b) as usize]).collect();
        edges.into_iter().filter(|&[a, b]| self.corners[a] != self.corners[b])
    }

    pub(crate) fn edges(&self) -> impl Iterator<Item = [&Vector; 2]> {
        self.sides().map(|ends| ends.map(|i| &self.corners[i]))
    }

    /// The edges that a round solid may be within the radius of.
    pub(crate) fn edges_within(&self, round: &RoundSolid) -> impl Iterator<Item = [&Vector; 2]> {
        let near = self.sides().filter(|&[a, b]| self.is_within([a, b, b], round));
        near.map(|ends| ends.map(|i| &self.corners[i]))
    }

    pub(crate) fn corners(&self) -> &[Vector] {
        &self.corners
    }

    /// What is not negative in the core; none if that has no interior.
    pub(crate) fn planes(&self) -> &[Form] {
        &self.planes
    }

    /// The plane of a polygon; none if the core has an interior, or if its corners are on a line.
    pub(crate) fn sheet(&self) -> Option<Form> {
        let plane = |[p, q, r]: [Vector; 3]| form(&cross(&minus(&q, &p), &minus(&r, &p)), &p);
        let is_plane = |form: &Form| form[..3].iter().any(|x| !x.sign().is_zero());
        let mut planes = self.triangles().filter(|_| self.planes.is_empty()).map(plane);
        planes.find(is_plane)
    }

    /// A point inside, or of a hull without interior, of it: homogeneous.
    pub(crate) fn middle(&self) -> Form {
        sum(&self.corners)
    }

    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let piece = |corner: &Vector| {
            if self.is_round() {
                Piece::Round(Quadric::ball(corner, &self.radius))
            } else {
                Piece::Point(homogeneous(corner, 1.0))
            }
        };
        self.corners.iter().map(piece).collect()
    }

    pub(crate) fn triangles(&self) -> impl Iterator<Item = [Vector; 3]> {
        self.triangles.iter().map(|corners| corners.map(|i| self.corners[i as usize].clone()))
    }

    /// The signs of the least and the greatest height above a plane.
    pub(crate) fn heights(&self, normal: &Vector, offset: &Dyadic) -> [Sign; 2] {
        let square = &self.radius.squared() * &dot(normal, normal);
        let heights = self.corners.iter().map(|corner| &dot(normal, corner) - offset);
        heights.fold([Sign::Positive, Sign::Negative], |[least, greatest], height| {
            [least.min(less_root(&height, &square)), greatest.max(-less_root(&-&height, &square))]
        })
    }

    /// Whether a point is in the core, which has an interior.
    fn core_holds(&self, point: &Vector) -> bool {
        let point = homogeneous(point, 1.0);
        !self.planes.is_empty()
            && self.planes.iter().all(|plane| !value(plane, &point).sign().is_negative())
    }

    /// How it lies to a triangle: positive if they are apart, zero if the triangle touches the surface only, negative if it reaches into
    /// the interior.
    pub(crate) fn triangle_gap(&self, triangle: &[Vector; 3]) -> Sign {
        if self.is_round() {
            if self.core_holds(&triangle[0]) {
                return Sign::Negative;
            }
            return self.surfaces_gap(std::slice::from_ref(triangle), &self.radius.squared());
        }
        if self.planes.is_empty() {
            let sign = self.surfaces_gap(std::slice::from_ref(triangle), &Dyadic::of(0.0));
            return sign.max(Sign::Zero);
        }
        self.part_gap(triangle, Polygon::whole())
    }

    /// The same for a part of a triangle, and a body with an inside and without a radius.
    pub(crate) fn part_gap(&self, triangle: &[Vector; 3], mut part: Polygon) -> Sign {
        let corners = triangle.each_ref().map(|corner| homogeneous(corner, 1.0));
        let mut bounds: Vec<Line> = Vec::with_capacity(self.planes.len());
        for plane in &self.planes {
            let bound = corners.each_ref().map(|corner| value(plane, corner));
            let is_inside = bound.iter().all(|x| x.sign().is_positive());
            if !is_inside {
                part = part.clipped(&bound);
                bounds.push(bound);
            }
            if part.vertices().is_empty() {
                return Sign::Positive;
            }
        }
        let middle = part.middle();
        let is_inside = bounds.iter().all(|bound| dot(bound, &middle).sign().is_positive());
        if is_inside { Sign::Negative } else { Sign::Zero }
    }

    /// The sign of the squared distance of the surface of the core from some triangles less a limit; also negative where they pass through
    /// each other.
    fn surfaces_gap(&self, others: &[[Vector; 3]], limit: &Dyadic) -> Sign {
        let one = Dyadic::of(1.0);
        let reach = limit.ratio(&one).sqrt();
        let mut least = Sign::Positive;
        for other in others {
            let there: [Point; 3] = other.each_ref().map(|p| p.each_ref().map(|x| x.ratio(&one)));
            for corners in &self.triangles {
                let here = corners.map(|i| self.rounded[i as usize]);
                if is_far(&here, &there, reach) {
                    continue;
                }
                let own = corners.map(|i| self.corners[i as usize].clone());
                let sign = if pass(&own, other) {
                    Sign::Negative
                } else {
                    gap_sign(&own, other, limit, Sign::Negative)
                };
                least = least.min(sign);
                if least.is_negative() {
                    return least;
                }
            }
        }
        least
    }

    /// How it lies to another one: positive if they are apart, zero if they touch, negative if a point of the one is in the interior of
    /// the other.
    pub(crate) fn gap(&self, other: &Self) -> Sign {
        if self.is_round() || other.is_round() {
            if self.core_holds(&other.corners[0]) || other.core_holds(&self.corners[0]) {
                return Sign::Negative;
            }
            let all: Vec<[Vector; 3]> = other.triangles().collect();
            return self.surfaces_gap(&all, &(&self.radius + &other.radius).squared());
        }
        if let (Some(one), Some(other)) = (&self.edges, &other.edges) {
            return one.gap(other);
        }
        // If no part of the one's surface reaches into the other one, all of that is in the first, or outside.
        let (solid, other) = if other.planes.is_empty() { (self, other) } else { (other, self) };
        let sign = least_of(other.triangles(), |triangle| solid.triangle_gap(triangle));
        let is_around = !solid.planes.is_empty()
            && !other.planes.is_empty()
            && other.planes.iter().all(|plane| value(plane, &solid.middle()).sign().is_positive());
        if is_around { Sign::Negative } else { sign }
    }

    /// The same for a hull without a radius and a round solid.
    pub(crate) fn round_gap(&self, round: &RoundSolid) -> Sign {
        let sign = least_of(self.triangles(), |triangle| round.triangle_gap(triangle));
        let center = homogeneous(round.center(), 1.0);
        let is_around = !self.planes.is_empty()
            && self.planes.iter().all(|plane| value(plane, &center).sign().is_positive());
        if is_around { Sign::Negative } else { sign }
    }

    /// Whether all points of this one are in another one.
    ///
    /// A convex set grown by a radius is in another one grown by the same if and only if it was in it before.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        let room = &other.radius - &self.radius;
        let square = room.squared();
        if room.sign().is_negative() {
            let fits = |plane: &Form| {
                let [x, y, z, _] = plane.clone();
                let least = &square * &dot(&[x.clone(), y.clone(), z.clone()], &[x, y, z]);
                let height = |corner| value(plane, &homogeneous(corner, 1.0));
                self.corners.iter().all(|corner| !less_root(&height(corner), &least).is_negative())
            };
            return !other.planes.is_empty() && other.planes.iter().all(fits);
        }
        self.corners.iter().all(|corner| other.is_near(corner, &square))
    }

    /// Whether a point is in the core, or its squared distance from that is at most a number.
    fn is_near(&self, point: &Vector, square: &Dyadic) -> bool {
        let triangle = [(); 3].map(|()| point.clone());
        self.core_holds(point) || !self.surfaces_gap(&[triangle], square).is_positive()
    }

    /// Whether a point is in the core or at most the radius away.
    pub(crate) fn holds_point(&self, point: &Vector) -> bool {
        self.is_near(point, &self.radius.squared())
    }

    /// Whether a round solid is in this hull without a radius.
    pub(crate) fn holds(&self, round: &RoundSolid) -> bool {
        !self.planes.is_empty()
            && round
                .pieces()
                .iter()
                .all(|piece| self.planes.iter().all(|plane| piece.is_above(plane)))
    }
}

/// The sum of points, homogeneous.
fn sum(points: &[Vector]) -> Form {
    let zero = [(); 4].map(|()| Dyadic::of(0.0));
    points.iter().fold(zero, |sum, point| {
        let point = homogeneous(point, 1.0);
        [0, 1, 2, 3].map(|k| &sum[k] + &point[k])
    })
}

/// The least sign, up to the first negative one.
fn least_of(
    triangles: impl Iterator<Item = [Vector; 3]>,
    gap: impl Fn(&[Vector; 3]) -> Sign,
) -> Sign {
    let mut least = Sign::Positive;
    for triangle in triangles {
        least = least.min(gap(&triangle));
        if least.is_negative() {
            break;
        }
    }
    least
}

/// Whether two triangles are farther apart than a distance, beyond all rounding.
fn is_far(a: &[Point; 3], b: &[Point; 3], distance: f64) -> bool {
    /// More than the error of distances, relative to the coordinates.
    const ROUNDING: f64 = 1e-9;
    let largest = a.iter().chain(b).flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    let limit = distance * (1.0 + ROUNDING) + ROUNDING * largest;
    let is_beside = |k: usize| {
        let ends = |triangle: &[Point; 3], order: Ordering| {
            let all = triangle.iter().map(|corner| corner[k]);
            all.reduce(|one, other| if other.total_cmp(&one) == order { other } else { one })
        };
        let gap = |low: &[Point; 3], high: &[Point; 3]| {
            Some(ends(high, Ordering::Less)? - ends(low, Ordering::Greater)?)
        };
        [gap(a, b), gap(b, a)].into_iter().flatten().any(|gap| gap > limit)
    };
    (0..3).any(is_beside) || triangle_distance(a, b) > limit
}

/// Whether two triangles pass through each other: an edge of one of them goes from one side of the other one to the other.
fn pass(a: &[Vector; 3], b: &[Vector; 3]) -> bool {
    [(a, b), (b, a)]
        .into_iter()
        .any(|(one, other)| (0..3).any(|i| passes(&one[i], &one[(i + 1) % 3], other)))
}

/// Whether a segment passes through a triangle, from one side to the other.
fn passes(p: &Vector, q: &Vector, triangle: &[Vector; 3]) -> bool {
    let volume = |a: &Vector, b: &Vector, c: &Vector| {
        dot(&cross(&minus(a, p), &minus(b, p)), &minus(c, p)).sign()
    };
    let [a, b, c] = triangle;
    let normal = cross(&minus(b, a), &minus(c, a));
    let side = |point: &Vector| dot(&normal, &minus(point, a)).sign();
    if side(p) * side(q) != Sign::Negative {
        return false;
    }
    let mut seen = [false; 3];
    for [one, other] in [[a, b], [b, c], [c, a]] {
        seen[(volume(one, other, q) as i8 + 1) as usize] = true;
    }
    !(seen[0] && seen[2])
}
