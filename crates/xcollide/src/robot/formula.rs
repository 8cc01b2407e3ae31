//! Models of bodies that scenes and robots describe by formulas.

use std::sync::Arc;

use xcollide_scenes::Formula as Described;

use crate::convex::Polytope;
use crate::convex::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, ShapeError};
use crate::narrow::{Formula, Model};

/// The model of a body in a scene or of a robot.
///
/// ```
/// use xcollide::robot::model_of_formula;
///
/// let can = model_of_formula(&xcollide_scenes::Formula::new("formula:cylinder?radius=0.5")?)?;
/// assert_eq!(can.formula().map(|formula| formula.name()), Some("cylinder"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A length is not between 1e-60 and 1e60.
pub fn model_of_formula(described: &Described) -> Result<Model, ShapeError> {
    Ok(Model::from_formula(match *described {
        Described::Ball { radius } => Formula::Ball(Ball::new(radius)?),
        Described::Capsule { radius, length } => {
            Formula::Capsule(Capsule::new(0.5 * length, radius)?)
        }
        Described::Box { size } => Formula::Cuboid(Cuboid::new(size.map(|x| 0.5 * x))?),
        Described::Cylinder { radius, height } => {
            Formula::Cylinder(Cylinder::new(0.5 * height, radius)?)
        }
        Described::Cone { radius, height } => Formula::Cone(Cone::new(0.5 * height, radius)?),
        Described::Ellipsoid { half } => Formula::Ellipsoid(Ellipsoid::new(half)?),
        Described::RoundedBox { size, radius } => {
            Formula::rounded(box_polytope(size.map(|x| 0.5 * x))?, radius)?
        }
        Described::HalfSpace => Formula::HalfSpace,
    }))
}

/// A box by its half extents.
fn box_polytope(half: [f64; 3]) -> Result<Arc<Polytope>, ShapeError> {
    const FACETS: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -half[k] } else { half[k] });
    let corners = (0..8).map(corner).collect();
    Polytope::new(corners, FACETS).map(Arc::new).map_err(|_| ShapeError::Polytope)
}
