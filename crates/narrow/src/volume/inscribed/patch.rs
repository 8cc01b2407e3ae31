//! Parts of curved surfaces, the facets inscribed in them, and the caps between both.

use xcollide_math::vector::{add, cross, dot, length, scale, sub, unit};
use xcollide_predicates::Point;

use super::cap::{Cap, Thickness};
use super::frame::Frame;

/// Rows of a matrix.
pub(super) type Matrix = [[f64; 3]; 3];

/// The image of a unit sphere: all points center + map · w for unit vectors w.
pub(super) struct Sphere {
    frame: Frame,
    map: Matrix,
    /// By how much the map enlarges volumes.
    factor: f64,
}

/// The lateral surface of a cylinder, or of a cone: all points center + radius · map · w for unit vectors w of a plane, where
/// center and radius go from the first to the second.
pub(super) struct Tube {
    frames: [Frame; 2],
    /// Those of both ends, in parts of that of the first.
    radii: [f64; 2],
    map: Matrix,
    /// Of the axis.
    length: f64,
    /// The volume between the centers over an area of 1 in the plane of the vectors w.
    factor: f64,
}

/// A part of a curved surface with a flat facet in it.
#[derive(Clone, Copy)]
pub(super) enum Patch {
    /// The part of a sphere that is seen through a triangle from the center.
    Triangle {
        /// Its place in a list.
        sphere: u32,
        /// The numbers of the corners, counter-clockwise seen from outside.
        corners: [u32; 3],
        /// The unit vectors of the corners.
        ways: [[f64; 3]; 3],
    },
    /// The part of a tube between two lines from one end to the other.
    Strip {
        /// Its place in a list.
        tube: u32,
        /// The numbers of the corners at the first and second end: of an apex the same one twice.
        ends: [[u32; 2]; 2],
        /// The unit vectors of the lines.
        ways: [[f64; 3]; 2],
        /// Between them.
        angle: f64,
    },
}

pub(super) fn times(map: &Matrix, w: [f64; 3]) -> [f64; 3] {
    map.map(|row| dot(row, w))
}

/// The unit vector in the middle of two that are not opposite.
pub(super) fn middle(v: [f64; 3], w: [f64; 3]) -> [f64; 3] {
    unit(add(v, w)).unwrap_or(v)
}

impl Sphere {
    pub(super) fn new(frame: Frame) -> Self {
        let map = frame.matrix();
        let [x, y, z] = map;
        Self { frame, map, factor: dot(x, cross(y, z)).abs() }
    }

    /// The point in the direction of a unit vector.
    pub(super) fn at(&self, way: [f64; 3]) -> Point {
        self.frame.on(way)
    }

    /// The lengths of the sides of a facet; the first begins at the first corner.
    pub(super) fn sides(&self, ways: &[[f64; 3]; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| length(times(&self.map, sub(ways[(i + 1) % 3], ways[i]))))
    }

    /// The cap over the facet between three corners, by their unit vectors and where they are.
    ///
    /// Seen from the center, its volume is Ω/3 − d/6 for the solid angle Ω and the determinant d of the unit vectors, with
    /// tan(Ω/2) = d/(1 + Σ cos) (Van Oosterom and Strackee 1983). With q, the sum of the squares of the sides, 1 + Σ cos is
    /// 4 − q/2, so that the greater parts cancel and are left out.
    pub(super) fn cap(&self, ways: &[[f64; 3]; 3], corners: [Point; 3]) -> Cap {
        let [u, v, w] = *ways;
        let (e, f, g) = (sub(v, u), sub(w, v), sub(u, w));
        let normal = cross(e, f);
        let determinant = dot(u, normal);
        let q = dot(e, e) + dot(f, f) + dot(g, g);
        let x = determinant / (4.0 - 0.5 * q);
        let volume = self.factor * (0.25 * x * q - 2.0 * less_arc_tangent(x)) / 3.0;
        // The cap is below the plane that touches the sphere and is parallel to the facet.
        let distance = unit(normal).map_or(1.0, |normal| dot(normal, u));
        let raise = 1.0 / distance;
        // Over the facet's point p it is between d/2 and (1 + d + d²)/(3 d² (1 + d)) times 1 − p² thick, for the distance d.
        let area = 0.5 * length(normal) * self.factor;
        let thickness = Thickness::Triangle {
            sides: [dot(e, e), dot(f, f), dot(g, g)],
            factors: [
                area * 0.5 * distance,
                area * (1.0 + distance * (1.0 + distance)) * raise * raise / (3.0 + 3.0 * distance),
            ],
        };
        let points = [corners[0]; 8];
        let size = self.sides(ways).into_iter().fold(0.0, f64::max);
        let mut cap = Cap { volume, points, count: 6, thickness, height: 0.0, size, width: size };
        for (k, &way) in ways.iter().enumerate() {
            let above = scale(times(&self.map, way), raise - 1.0);
            cap.points[k] = corners[k];
            cap.points[k + 3] = add(corners[k], above);
            cap.height = cap.height.max(length(above));
        }
        cap
    }
}

impl Tube {
    /// By the frames at both ends, which differ by a factor at most: that is the radius of the second, and that of the first 1. The
    /// other factor as above.
    pub(super) fn new(frames: [Frame; 2], radius: f64, factor: f64) -> Self {
        let map = frames[0].matrix();
        let [start, end] = frames.each_ref().map(Frame::center);
        Self { frames, radii: [1.0, radius], map, length: length(sub(end, start)), factor }
    }

    pub(super) fn is_cylinder(&self) -> bool {
        self.radii[0] == self.radii[1]
    }

    /// The point at an end in the direction of a unit vector.
    pub(super) fn at(&self, end: usize, way: [f64; 3]) -> Point {
        self.frames[end].on(way)
    }

    /// The cap over the part of a strip from one place to another, where the ends are at 0 and 1, by the unit vectors of both lines and
    /// their corners at each end. Its size is the length.
    pub(super) fn cap(
        &self,
        ways: &[[f64; 3]; 2],
        corners: &[[Point; 2]; 2],
        angle: f64,
        places: [f64; 2],
    ) -> Cap {
        let radius = |place: f64| self.radii[0] + place * (self.radii[1] - self.radii[0]);
        let [r, s] = places.map(radius);
        let squares = (places[1] - places[0]) * (r * r + r * s + s * s) / 3.0;
        let volume = self.factor * segment(angle) * squares;
        // Between the chord and the line that touches the circle in the middle of the arc.
        let distance = libm::cos(0.5 * angle);
        let raise = 1.0 / distance;
        let chord = length(sub(ways[1], ways[0]));
        let thickness = Thickness::Strip {
            places,
            radii: [r, s],
            chord,
            factors: [0.5 * self.factor * distance, 0.5 * self.factor * raise],
        };
        let points = [corners[0][0]; 8];
        let size = (places[1] - places[0]) * self.length;
        let width = r.max(s) * length(times(&self.map, sub(ways[1], ways[0])));
        let mut cap = Cap { volume, points, count: 8, thickness, height: 0.0, size, width };
        for (k, (place, radius)) in places.into_iter().zip([r, s]).enumerate() {
            for (l, &way) in ways.iter().enumerate() {
                let above = scale(times(&self.map, way), (raise - 1.0) * radius);
                let [start, end] = [corners[0][l], corners[1][l]];
                let corner = add(start, scale(sub(end, start), place));
                cap.points[2 * k + l] = corner;
                cap.points[2 * k + l + 4] = add(corner, above);
                cap.height = cap.height.max(length(above));
            }
        }
        cap
    }
}

/// x − arctan x, for x of 0 or more.
fn less_arc_tangent(x: f64) -> f64 {
    if x > 0.05 {
        return x - libm::atan(x);
    }
    let y = x * x;
    let series = [13.0, 11.0, 9.0, 7.0, 5.0, 3.0].iter().fold(0.0, |sum, k| 1.0 / k - y * sum);
    x * y * series
}

/// The area between an arc of the unit circle and its chord.
pub(in crate::volume) fn segment(angle: f64) -> f64 {
    if angle > 0.2 {
        return 0.5 * (angle - libm::sin(angle));
    }
    // θ³/6 − θ⁵/120 + …, halved.
    let y = angle * angle;
    let quotients = [14.0, 12.0, 10.0, 8.0, 6.0, 4.0].map(|k| y / (k * (k + 1.0)));
    angle * y / 12.0 * quotients.iter().fold(1.0, |sum, quotient| 1.0 - quotient * sum)
}

#[cfg(test)]
mod tests {
    use super::super::frame::View;
    use super::*;
    use crate::Pose;
    use crate::volume::number::{Double, Number};
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn caps_are_what_facets_leave_of_the_whole() {
        // An eighth of a ball without its tetrahedron.
        let frame =
            |z: f64| Frame::of(&Pose::from_translation([1.0, 2.0, z]), &View::from([0.0; 3]));
        let sphere = Sphere::new(frame(3.0).scaled([2.0; 3]));
        let eighth = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let whole = 8.0 * (PI / 6.0 - 1.0 / 6.0);
        let cap = sphere.cap(&eighth, eighth.map(|way| sphere.at(way)));
        assert!((cap.volume - whole).abs() < 1e-14);
        // A half with a part, both ways.
        for angle in [0.1, 0.2, 0.200_000_1] {
            let other = 0.5 * (angle - libm::sin(angle));
            assert!((segment(angle) - other).abs() < 1e-14 * angle, "{angle}");
        }
        for x in [0.04, 0.05, 0.050_000_1] {
            assert!((less_arc_tangent(x) - (x - libm::atan(x))).abs() < 1e-17, "{x}");
        }
        let ends = [0.0, 3.0].map(|z| frame(z).scaled([2.0, 2.0, 1.0]));
        let ends = [ends[0].clone(), ends[1].times(&Double::of(0.0))];
        let tube = Tube::new(ends, 0.0, 4.0 * 3.0);
        let ways = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let corners = [0, 1].map(|end| ways.map(|way| tube.at(end, way)));
        let cap = tube.cap(&ways, &corners, FRAC_PI_2, [0.0, 1.0]);
        let quarter = 4.0 / 3.0 * 3.0 * (PI / 4.0 - 0.5);
        assert!((cap.volume - quarter).abs() < 1e-14);
        assert!((cap.height - 2.0 * (2.0_f64.sqrt() - 1.0)).abs() < 1e-15);
    }
}
