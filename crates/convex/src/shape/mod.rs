//! Convex bodies that are given by formulas: balls, boxes, capsules, cylinders, cones, ellipsoids,
//! and polytopes with a radius.
//!
//! [`Support`](super::Support) answers with the number of a vertex, and what is certified with it
//! is certified for the triangles over the rounded vertices. A ball has neither; so these shapes
//! have a trait of their own, [`Shape`], and answers of their own. They are about ideal point sets:
//!
//! > A shape is a *core* and a *radius*. At a pose it is the core, moved by the matrix of the pose
//! > (without any rounding), and all points at most the radius away from that.
//!
//! ```text
//!      ball           capsule         rounded polytope       box, cylinder, cone, ellipsoid
//!      ╭───╮          ╭───────╮          ╭─────╮                 ┌─────┐
//!      │ · │ point    │ ───── │ segment  │ ╱─╲ │ polytope        │     │  the core is the body,
//!      ╰───╯          ╰───────╯          ╰─────╯                 └─────┘  the radius zero
//! ```
//!
//! With a radius curved bodies become points and polytopes, for which Gilbert's algorithm ends after
//! a few steps with all digits (Chung 1996, 5.4; van den Bergen 1999); and contact needs no more
//! than cores that are nearer than the radii.
//!
//! Balls against balls, boxes and capsules, and capsules against each other, start with the nearest
//! points by a formula, and end there, too, but for a few near contact ([`Core`]). Two boxes are looked
//! at along their 15 axes; where all overlap, a point that is moved into one and the other in turn is
//! soon in both.
//!
//! Numbers are rounded here, and sets that touch have no exact test to go to. So [`collide`] has three
//! answers: `Apart` and `Collides` are proved, with all rounding accounted for, and in a margin about
//! touching it is `Undecided`. How wide that is, [`collide`] says.

mod analytic;
mod closed_form;
mod gap;
mod placed;
mod rounded;

pub use analytic::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
pub use gap::{ShapeDistance, ShapeVerdict};
pub use placed::PlacedShape;
pub use rounded::Rounded;

/// A convex body: all points at most [`radius`](Self::radius) away from a convex core, which is
/// known by its support function.
///
/// Implement this for a shape of your own: what is proved with it is as right as what it says of
/// itself here.
pub trait Shape: Send + Sync {
    /// A point of the core that is farthest along a unit vector, rounded: it is no farther from the
    /// core, and no lower than the highest point of the core, than
    /// [`slack`](Self::slack) · 2⁻⁵³ · [`reach`](Self::reach).
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3];

    /// How far the shape extends beyond its core. 0 or more.
    fn radius(&self) -> f64;

    /// How far from the origin of the shape's frame the core reaches, rounded up.
    fn reach(&self) -> f64;

    /// The error of [`farthest`](Self::farthest).
    fn slack(&self) -> f64;

    /// A ball in the core, by center and radius: the larger the better. Its radius is 0 where the
    /// core has no interior.
    fn inner_ball(&self) -> ([f64; 3], f64);

    /// What the core is, if it is one of those that queries know: they are faster then, prove the same,
    /// and do not ask [`farthest`](Self::farthest).
    fn core(&self) -> Core {
        Core::Other
    }
}

/// The cores that are more than their support function: in the frame of the shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Core {
    /// The origin.
    Point,
    /// A part of the z-axis, from −`half` to `half`.
    Segment {
        /// Half the length, 0 or more.
        half: f64,
    },
    /// All points with |x|, |y| and |z| at most these.
    Cuboid {
        /// Half the extents, 0 or more.
        half: [f64; 3],
    },
    /// None of these.
    #[default]
    Other,
}

/// Why there is no such shape.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A length is not finite, not positive, or so large or small that bounds on rounding errors
    /// do not hold.
    #[error("{name} is {value}, expected a number between 1e-60 and 1e60")]
    Length {
        /// Which length, such as `"radius"`.
        name: &'static str,
        /// What was found.
        value: f64,
    },
    /// A polytope has no vertices, or is too large or small.
    #[error("the polytope has no vertices, or does not reach to between 1e-60 and 1e60")]
    Polytope,
}

/// A length that a shape may have.
fn length(name: &'static str, value: f64) -> Result<f64, ShapeError> {
    let valid = (1e-60..1e60).contains(&value);
    valid.then_some(value).ok_or(ShapeError::Length { name, value })
}
