//! Models of bodies that scenes and robots describe by formulas.

use xcollide_scenes::Formula as Described;

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
        Described::HalfSpace => Formula::HalfSpace,
    }))
}
