//! Bodies given by formulas, as models.

use std::sync::Arc;

use xcollide_bounds::Aabb;
use xcollide_convex::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, PlacedShape, Rounded, Shape, ShapeError,
};
use xcollide_convex::{Plane, Polytope};
use xcollide_math::vector::{add, dot, length, scale, sub, taxicab};
use xcollide_math::{Pose, PoseError};
use xcollide_predicates::{Sign, plane_side};

/// A body given by a formula, centered in its frame, with its axis along z: what [`Model::from_formula`](super::Model::from_formula)
/// takes. It is an ideal point set, without mesh; see [`convex::shape`](xcollide_convex::shape).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Formula {
    /// All points at most a radius away from the origin.
    Ball(Ball),
    /// All points at most a radius away from a segment.
    Capsule(Capsule),
    /// A box.
    Cuboid(Cuboid),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A cone.
    Cone(Cone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A polytope, and all points at most a radius away from it.
    Rounded(Rounded),
    /// All points with z ≤ 0 in its frame. At a pose: all points p with n · (p − t) ≤ 0, where n is the third column of
    /// the matrix and t the translation, as they are given. Nothing is rounded.
    HalfSpace,
}

impl Formula {
    /// The hull of the vertices of a mesh, and all points at most `radius` away.
    ///
    /// # Errors
    /// The polytope has no vertices, or a size or radius that is not between 1e-60 and 1e60.
    pub fn rounded(polytope: Arc<Polytope>, radius: f64) -> Result<Self, ShapeError> {
        if radius <= 0.0 {
            return Err(ShapeError::Length { name: "radius", value: radius });
        }
        Ok(Self::Rounded(Rounded::new(polytope, radius)?))
    }

    /// The bounded convex body; `None` for a half space.
    #[must_use]
    pub fn shape(&self) -> Option<&dyn Shape> {
        Some(match self {
            Self::Ball(shape) => shape,
            Self::Capsule(shape) => shape,
            Self::Cuboid(shape) => shape,
            Self::Cylinder(shape) => shape,
            Self::Cone(shape) => shape,
            Self::Ellipsoid(shape) => shape,
            Self::Rounded(shape) => shape,
            Self::HalfSpace => return None,
        })
    }

    /// The name of its kind in programs, such as `"cylinder"`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ball(_) => "ball",
            Self::Capsule(_) => "capsule",
            Self::Cuboid(_) => "box",
            Self::Cylinder(_) => "cylinder",
            Self::Cone(_) => "cone",
            Self::Ellipsoid(_) => "ellipsoid",
            Self::Rounded(_) => "rounded",
            Self::HalfSpace => "half-space",
        }
    }

    /// The body at a pose.
    pub(crate) fn placed<'a>(&'a self, pose: &'a Pose) -> Result<PlacedFormula<'a>, PoseError> {
        match self.shape() {
            Some(shape) => Ok(PlacedFormula::Shape(PlacedShape::new(shape, pose)?)),
            None => {
                pose.check()?;
                let normal = pose.rotation().map(|row| row[2]);
                Ok(PlacedFormula::HalfSpace(HalfSpace { normal, point: pose.translation() }))
            }
        }
    }

    /// A box that contains the body at a pose, rounded outward; infinite along all axes for a half space that is not
    /// perpendicular to one, and for a pose that cannot place the body.
    pub(super) fn box_at(&self, pose: &Pose) -> Aabb {
        let everything = Aabb::new([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]);
        match self.placed(pose) {
            Ok(PlacedFormula::Shape(shape)) => box_of(&shape),
            Ok(PlacedFormula::HalfSpace(HalfSpace { normal, point })) => {
                let mut bounds = everything;
                for axis in 0..3 {
                    if normal[(axis + 1) % 3] == 0.0 && normal[(axis + 2) % 3] == 0.0 {
                        let side =
                            if normal[axis] > 0.0 { &mut bounds.max } else { &mut bounds.min };
                        side[axis] = point[axis];
                    }
                }
                bounds
            }
            Err(_) => everything,
        }
    }
}

/// A box around a shape: the heights along the axes, with their errors.
pub(crate) fn box_of(shape: &PlacedShape<'_, dyn Shape + '_>) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    for axis in 0..3 {
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        bounds.max[axis] = top(shape, direction);
        direction[axis] = -1.0;
        bounds.min[axis] = -top(shape, direction);
    }
    bounds
}

/// No point of the shape is higher along a unit vector.
pub(crate) fn top(shape: &PlacedShape<'_, dyn Shape + '_>, direction: [f64; 3]) -> f64 {
    let (height, error) = shape.height(direction);
    (height + error).next_up()
}

/// A formula at a pose.
pub(crate) enum PlacedFormula<'a> {
    Shape(PlacedShape<'a, dyn Shape + 'a>),
    HalfSpace(HalfSpace),
}

/// All points p with normal · (p − point) ≤ 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    /// Of length 1 up to 1e-6.
    pub(crate) normal: [f64; 3],
    pub(crate) point: [f64; 3],
}

impl HalfSpace {
    /// How far a shape is above the border: bounds from below and above.
    pub(crate) fn gap(&self, shape: &PlacedShape<'_, dyn Shape + '_>) -> [f64; 2] {
        let up = self.up();
        let (height, error) = shape.height(scale(up, -1.0));
        let border = dot(up, self.point);
        let error = error + 8.0 * f64::EPSILON * (taxicab(self.point) + height.abs());
        let gap = -height - border;
        [gap - error, gap + error]
    }

    /// How far a point is above the border, rounded, and a bound of the error.
    pub(crate) fn height(&self, point: [f64; 3]) -> (f64, f64) {
        let line = sub(point, self.point);
        (dot(self.up(), line), 8.0 * f64::EPSILON * taxicab(line))
    }

    /// The normal with length 1, rounded.
    pub(crate) fn up(&self) -> [f64; 3] {
        scale(self.normal, 1.0 / length(self.normal))
    }

    /// The nearest point of the border, rounded.
    pub(crate) fn foot(&self, point: [f64; 3]) -> [f64; 3] {
        let (height, _) = self.height(point);
        add(point, scale(self.up(), -height))
    }

    /// A plane between the border and a shape that is at least `gap` above it, if the gap is wider than rounding.
    pub(crate) fn plane_before(
        &self,
        gap: f64,
        shape: &PlacedShape<'_, dyn Shape + '_>,
    ) -> Option<Plane> {
        let up = self.up();
        let plane = self.plane(gap);
        let rounding = 4.0 * f64::EPSILON * plane.offset.abs();
        let low = -top(shape, scale(up, -1.0)) * length(self.normal);
        (self.is_above(&plane) && low > plane.offset + rounding).then_some(plane)
    }

    /// The same for a box.
    pub(crate) fn plane_before_box(&self, gap: f64, bounds: &Aabb) -> Option<Plane> {
        let plane = self.plane(gap);
        let lowest = [0, 1, 2]
            .map(|axis| if self.normal[axis] > 0.0 { bounds.min[axis] } else { bounds.max[axis] });
        let is_clear = plane_side(plane.normal, plane.offset, lowest) == Sign::Positive;
        (is_clear && self.is_above(&plane)).then_some(plane)
    }

    /// A plane in the middle of a gap above the border, rounded.
    fn plane(&self, gap: f64) -> Plane {
        let offset = dot(self.normal, self.point) + 0.5 * gap * length(self.normal);
        Plane { normal: self.normal, offset }
    }

    fn is_above(&self, plane: &Plane) -> bool {
        plane_side(plane.normal, plane.offset, self.point) == Sign::Negative
    }
}
