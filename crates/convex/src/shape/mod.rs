//! Convex bodies given by formulas: balls, boxes, capsules, cylinders, cones, ellipsoids, and polytopes with a radius.
//!
//! The searches of polytopes return vertex numbers, and their certificates hold for the triangles over the rounded
//! vertices. A ball has neither, so these shapes have their own trait, [`Shape`], and their own answers. They are ideal
//! point sets:
//!
//! > A shape is a *core* and a *radius*. At a pose it is the core, moved by the matrix of the pose
//! > without rounding, and all points at most the radius away from that.
//!
//! ```text
//!      ball           capsule         rounded polytope       box, cylinder, cone, ellipsoid
//!      ╭───╮          ╭───────╮          ╭─────╮                 ┌─────┐
//!      │ · │ point    │ ───── │ segment  │ ╱─╲ │ polytope        │     │  the core is the body,
//!      ╰───╯          ╰───────╯          ╰─────╯                 └─────┘  the radius zero
//! ```
//!
//! With a radius, curved bodies become points and polytopes, for which GJK ends after a few steps with all digits (Chung
//! 1996, 5.4; van den Bergen 1999), and cores that are nearer than the radii prove contact.
//!
//! A ball and any shape but an ellipsoid, and two capsules, have formulas for their nearest points ([`Core`]); queries end
//! there except near contact. Two boxes are tested along their 15 axes; if all overlap, a point that is moved into one and
//! the other in turn is soon in both. The rest, and what formulas leave in doubt, is searched: boolean GJK answers all but
//! nearly touching shapes, GJK over the cores those, and distances.
//!
//! Coordinates are rounded, and touching sets have no exact test. So [`PlacedShape::collide`] has three answers: `Apart`
//! and `Collides` are proved, with all rounding accounted for; within a margin about touching it is `Undecided`.

mod analytic;
mod boolean;
mod cast;
mod closed_form;
mod gap;
mod hull;
mod moved;
mod penetration;
mod placed;
mod rounded;
mod search;
#[cfg(feature = "serde")]
mod stored;
mod surface;
#[cfg(test)]
mod tests;

pub use analytic::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
pub use cast::ShapeCast;
pub use gap::{ShapeDistance, ShapeVerdict};
pub use hull::Hull;
pub use placed::PlacedShape;
pub use rounded::Rounded;
pub use surface::SurfacePoint;

/// A convex body: all points at most [`radius`](Self::radius) away from a convex core, which is given by its support
/// mapping. Proofs rely on what an implementation returns.
pub trait Shape: Send + Sync {
    /// A point of the core that is farthest along a unit vector, rounded: its distance from the core, and how much lower
    /// than the highest point it is, are at most [`slack`](Self::slack) · 2⁻⁵³ · [`reach`](Self::reach).
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3];

    /// How far the shape extends beyond its core: 0 or more. Provided: 0.
    fn radius(&self) -> f64 {
        0.0
    }

    /// The greatest distance of the core from the origin of its frame, rounded up.
    fn reach(&self) -> f64;

    /// The error of [`farthest`](Self::farthest).
    fn slack(&self) -> f64;

    /// The center and radius of a ball in the core, the larger the better; radius 0 for a core without interior. Provided:
    /// radius 0.
    fn inner_ball(&self) -> ([f64; 3], f64) {
        ([0.0; 3], 0.0)
    }

    /// The kind of the core, if it has formulas: queries are faster then, prove the same, and do not call
    /// [`farthest`](Self::farthest). Provided: `Other`.
    fn core(&self) -> Core {
        Core::Other
    }
}

/// The kinds of cores with formulas, in the frame of the shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Core {
    /// The origin.
    Point,
    /// The z-axis from −`half` to `half`.
    Segment {
        /// Half the length, 0 or more.
        half: f64,
    },
    /// All points with |x|, |y| and |z| at most these.
    Cuboid {
        /// Half the extents, 0 or more.
        half: [f64; 3],
    },
    /// All points with |z| at most `half` and x² + y² at most `radius`².
    Cylinder {
        /// Half the height, 0 or more.
        half: f64,
        /// 0 or more.
        radius: f64,
    },
    /// A cone about the z-axis: its base at z = −`half`, its apex at z = `half`.
    Cone {
        /// Half the height, 0 or more.
        half: f64,
        /// The radius of the base, 0 or more.
        radius: f64,
    },
    /// An ellipsoid by its half axes along x, y and z.
    Ellipsoid {
        /// Half the extents, 0 or more.
        half: [f64; 3],
    },
    /// None of these.
    #[default]
    Other,
}

impl Core {
    /// Whether it is round somewhere.
    fn is_curved(self) -> bool {
        matches!(self, Self::Cylinder { .. } | Self::Cone { .. } | Self::Ellipsoid { .. })
    }
}

/// Why a shape cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length is not finite, not positive, or so large or small that bounds on rounding errors do not hold.
    #[error("{name} is {value}, expected a number between 1e-60 and 1e60")]
    Length {
        /// Which length, such as `"radius"`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A polytope has no vertices, or is too large or small.
    #[error("the polytope has no vertices, or does not reach to between 1e-60 and 1e60")]
    Polytope,
}

/// Checks a length.
fn length(name: &'static str, value: f64) -> Result<f64, ShapeError> {
    let valid = (1e-60..1e60).contains(&value);
    valid.then_some(value).ok_or(ShapeError::Length { name, value })
}
