//! The point of a shape's surface that is nearest to a point, by formulas: rounded.
//!
//! Outside it is the nearest point of the core, moved outward by the radius. Inside of a core without radius it is the foot on the
//! nearest side. That of an ellipsoid is the root of a monotone function, found by bisection (Eberly, *Distance from a point to
//! an ellipse, an ellipsoid, or a hyperellipsoid*, 2013).

use super::placed::PlacedShape;
use super::{Core, Hull, Shape};
use crate::body::UNIT;
use xcollide_math::Pose;
use xcollide_math::vector::{add, dot, length, length_squared, scale, sub, taxicab, unit};

/// Above the [`drift`](PlacedShape::drift) of any rotation matrix whose entries are rounded to f64.
const ROUNDED: f64 = 1e-14;

/// A point of the surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfacePoint {
    /// The point in the world, rounded.
    pub point: [f64; 3],
    /// The outward normal there, of length 1, rounded; at an edge or a corner it points to the point that was asked about.
    pub normal: [f64; 3],
}

impl<S: Shape + ?Sized> PlacedShape<'_, S> {
    /// The point of the surface that is nearest to a point, one of several, as if the matrix of the pose were a rotation.
    /// Rounded: off by some units in the last place of the reach and the coordinates. `None` for a core without formulas.
    ///
    /// Takes some nanoseconds; for an ellipsoid about a microsecond.
    ///
    /// ```
    /// use xcollide_math::Pose;
    /// use xcollide_convex::shape::{Cylinder, PlacedShape};
    ///
    /// let can = Cylinder::new(2.0, 1.0)?;
    /// let can = PlacedShape::new(&can, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// let found = can.nearest_on_surface([5.0, 0.75, 0.5]).ok_or("no formula")?;
    /// assert_eq!((found.point, found.normal), ([5.0, 1.0, 0.5], [0.0, 1.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearest_on_surface(&self, point: [f64; 3]) -> Option<SurfacePoint> {
        let (on_core, normal) = foot(self.core, self.local(point))?;
        let local = add(on_core, scale(normal, self.radius));
        let normal = self.rotation().map(|row| dot(row, normal));
        Some(SurfacePoint { point: self.moved(local), normal: unit(normal).unwrap_or(normal) })
    }
}

impl PlacedShape<'_, dyn Shape + '_> {
    /// A lower bound of the depth of a point: the ball of this radius about it is in the shape. 0 where none is proved.
    ///
    /// Proved with all rounding, also where the matrix of the pose is a rotation only nearly; mostly some units in the last
    /// place of the reach below the depth, and where the [`drift`](Self::drift) is more than rounding, less by that part of it. In an
    /// ellipsoid it is less off the center: the part of the way to the surface that is left, times the least half axis. Takes some nanoseconds, in a rounded polytope some microseconds
    /// ([`penetration`](Self::penetration)).
    ///
    /// ```
    /// use xcollide_math::Pose;
    /// use xcollide_convex::shape::{Cuboid, PlacedShape, Shape};
    ///
    /// let cuboid = Cuboid::new([4.0, 4.0, 1.0])?;
    /// let cuboid: &dyn Shape = &cuboid;
    /// let placed = PlacedShape::new(cuboid, &Pose::IDENTITY)?;
    /// let depth = placed.depth_at([1.0, 0.0, 0.75]);
    /// assert!(0.25 - 1e-12 < depth && depth < 0.25);
    /// assert_eq!(placed.depth_at([1.0, 0.0, 1.0]), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn depth_at(&self, point: [f64; 3]) -> f64 {
        let by_search = || {
            let points = [point];
            let hull = Hull::new(&points).ok()?;
            let there = PlacedShape::new(&hull, &Pose::IDENTITY).ok()?;
            Some(there.penetration(self).at_least)
        };
        // If the matrix is a rotation up to rounding, that is told from its inverse by as little.
        let (p, turned) = if self.drift < ROUNDED {
            (self.local(point), 4.0 * self.drift * (self.reach + self.radius))
        } else {
            (self.moved_back(point), 0.0)
        };
        let outer = |half: [f64; 3]| length([0, 1, 2].map(|k| p[k] / half[k]));
        let (inner, on_core) = match self.core {
            // The ellipsoid is convex and contains the one about the same center through the point.
            Core::Ellipsoid { half } if outer(half) < 1.0 => {
                ((1.0 - outer(half)) * half[0].min(half[1]).min(half[2]), p)
            }
            core => match foot(core, p) {
                Some((on_core, normal)) => (dot(normal, sub(on_core, p)), on_core),
                None => return by_search().unwrap_or(0.0).max(0.0),
            },
        };
        // In the core, a ball becomes longer by at most the drift in the frame of the shape. Else some point of the core is near.
        let depth = if inner > 0.0 {
            inner * (1.0 - self.drift) + self.radius
        } else {
            self.radius - length(sub(self.moved(on_core), point))
        };
        let rounding = 64.0 * UNIT * (self.reach + taxicab(point) + taxicab(self.center()));
        (depth - turned - rounding - 2.0 * self.error).max(0.0)
    }
}

/// The point of a core's surface, or of one without inside, that is nearest to a point, and the normal there; `None` without a formula.
fn foot(core: Core, p: [f64; 3]) -> Option<Foot> {
    Some(match core {
        Core::Point => ([0.0; 3], unit(p).unwrap_or([0.0, 0.0, 1.0])),
        Core::Segment { half } => {
            let foot = [0.0, 0.0, p[2].clamp(-half, half)];
            (foot, unit(sub(p, foot)).unwrap_or([1.0, 0.0, 0.0]))
        }
        Core::Cuboid { half } => of_cuboid(half, p),
        Core::Cylinder { half, radius } => of_cylinder(half, radius, p),
        Core::Cone { half, radius } => of_cone(half, radius, p),
        Core::Ellipsoid { half } => {
            let foot = of_ellipsoid(half, p);
            let gradient = [0, 1, 2].map(|k| foot[k] / half[k] / half[k]);
            (foot, unit(gradient).unwrap_or([0.0, 0.0, 1.0]))
        }
        Core::Other => return None,
    })
}

/// A point and the outward normal: of a point outside the direction to it.
type Foot = ([f64; 3], [f64; 3]);

fn of_cuboid(half: [f64; 3], p: [f64; 3]) -> Foot {
    let inside = [0, 1, 2].map(|k| p[k].clamp(-half[k], half[k]));
    if inside != p
        && let Some(normal) = unit(sub(p, inside))
    {
        return (inside, normal);
    }
    let depth = |k: usize| half[k] - p[k].abs();
    let axis = (1..3).fold(0, |best, k| if depth(k) < depth(best) { k } else { best });
    let (mut foot, mut normal) = (inside, [0.0; 3]);
    foot[axis] = half[axis].copysign(p[axis]);
    normal[axis] = 1.0_f64.copysign(p[axis]);
    (foot, normal)
}

/// The distance from the z-axis and the direction from it.
fn around([x, y, _]: [f64; 3]) -> (f64, [f64; 2]) {
    let across = (x * x + y * y).sqrt();
    (across, if across > 0.0 { [x / across, y / across] } else { [1.0, 0.0] })
}

/// From coordinates in a half plane at the z-axis.
fn revolved([x, y]: [f64; 2], [across, z]: [f64; 2]) -> [f64; 3] {
    [x * across, y * across, z]
}

fn of_cylinder(half: f64, radius: f64, p: [f64; 3]) -> Foot {
    let (across, direction) = around(p);
    let inside = [across.min(radius), p[2].clamp(-half, half)];
    if inside != [across, p[2]]
        && let Some(normal) = unit(revolved(direction, [across - inside[0], p[2] - inside[1]]))
    {
        return (revolved(direction, inside), normal);
    }
    if radius - across < half - p[2].abs() {
        (revolved(direction, [radius, p[2]]), revolved(direction, [1.0, 0.0]))
    } else {
        let foot = revolved(direction, [across, half.copysign(p[2])]);
        (foot, [0.0, 0.0, 1.0_f64.copysign(p[2])])
    }
}

fn of_cone(half: f64, radius: f64, p: [f64; 3]) -> Foot {
    let (across, direction) = around(p);
    // The side from the apex to the rim, in a half plane.
    let height = 2.0 * half;
    let slope = (height * height + radius * radius).sqrt();
    let beside = (height * across + radius * (p[2] - half)) / slope;
    let along = (radius * across + height * (half - p[2])) / slope;
    let at = along.clamp(0.0, slope) / slope;
    let on_side = [radius * at, half - height * at];
    let on_base = [across.min(radius), -half];
    let to = |foot: [f64; 2]| [across - foot[0], p[2] - foot[1]];
    let square = |[x, y]: [f64; 2]| x * x + y * y;
    let is_inside = beside <= 0.0 && p[2] >= -half;
    // Of a point inside the planes decide; the foot on the side is on it then.
    let by_base =
        if is_inside { p[2] + half < -beside } else { square(to(on_base)) < square(to(on_side)) };
    let foot = if by_base { on_base } else { on_side };
    let of_side = if by_base { [0.0, -1.0] } else { [height / slope, radius / slope] };
    // So near to the surface the line to the foot is noise.
    let is_near = square(to(foot)) < 1e-14 * slope * slope;
    let outward = if is_inside || is_near { None } else { unit(revolved(direction, to(foot))) };
    (revolved(direction, foot), outward.unwrap_or_else(|| revolved(direction, of_side)))
}

fn of_ellipsoid(half: [f64; 3], p: [f64; 3]) -> [f64; 3] {
    // The half axes in descending order, and the point in the octant of positive numbers.
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| half[j].total_cmp(&half[i]));
    let e = order.map(|k| half[k]);
    let y = order.map(|k| p[k].abs());
    let x = in_octant(e, y);
    let mut found = [0.0; 3];
    for (place, axis) in order.into_iter().enumerate() {
        found[axis] = x[place].copysign(p[axis]);
    }
    found
}

/// With e the half axes, x is the point (eᵢ² yᵢ / (t + eᵢ²)) for the greatest t for which it is on the surface.
fn in_octant(e: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    let last = e[2];
    let ratios = e.map(|half| (half / last) * (half / last));
    if y[2] == 0.0 {
        // In the plane of the longer axes: there may be a nearest point off the plane, at t = −e₂².
        let off = [0, 1]
            .map(|k| if ratios[k] > 1.0 { ratios[k] * y[k] / (ratios[k] - 1.0) } else { 0.0 });
        let is_near = (0..2).all(|k| ratios[k] > 1.0 || y[k] == 0.0);
        let rest = 1.0 - (off[0] / e[0]) * (off[0] / e[0]) - (off[1] / e[1]) * (off[1] / e[1]);
        if is_near && rest > 0.0 {
            return [off[0], off[1], last * rest.sqrt()];
        }
    }
    let z = [0, 1, 2].map(|k| y[k] / e[k]);
    let scaled = [0, 1, 2].map(|k| ratios[k] * z[k]);
    // From where the last term alone is 1, or if it is 0 the next, to where all are at most their numerators over the sum.
    let mut low = (0..3).fold(-1.0, |low: f64, k| low.max(scaled[k] - ratios[k]));
    let mut high = length_squared(scaled).sqrt() - 1.0;
    for _ in 0..1100 {
        let middle = 0.5 * low + 0.5 * high;
        if middle <= low || middle >= high {
            break;
        }
        let terms = [0, 1, 2].map(|k| {
            let under = middle + ratios[k];
            if scaled[k] == 0.0 { 0.0 } else { scaled[k] / under }
        });
        if length_squared(terms) > 1.0 { low = middle } else { high = middle }
    }
    let t = high;
    [0, 1, 2].map(|k| if y[k] == 0.0 { 0.0 } else { ratios[k] * y[k] / (t + ratios[k]) })
}
