//! Meshes to draw bodies by that are given by formulas.

use xcollide::convex::shape::{Core, Shape as _};
use xcollide::narrow::{Formula, Model};
use xcollide_scenes::{Formula as Described, rounded_hull};

/// The model to draw: itself, or a mesh that looks like the formula.
pub(crate) fn drawing(model: &Model) -> Model {
    let mesh = match model.formula() {
        Some(Formula::Rounded(rounded)) => {
            rounded_hull(rounded.polytope().positions(), rounded.radius()).ok()
        }
        Some(formula) => described(formula).and_then(|described| described.drawing().ok()),
        None => None,
    };
    mesh.and_then(|mesh| Model::from_mesh(mesh).ok()).unwrap_or_else(|| model.clone())
}

fn described(formula: &Formula) -> Option<Described> {
    let Some(shape) = formula.shape() else { return Some(Described::HalfSpace) };
    let radius = shape.radius();
    Some(match shape.core() {
        Core::Point => Described::Ball { radius },
        Core::Segment { half } => Described::Capsule { radius, length: 2.0 * half },
        Core::Cuboid { half } => Described::Box { size: half.map(|x| 2.0 * x) },
        Core::Cylinder { half, radius } => Described::Cylinder { radius, height: 2.0 * half },
        Core::Cone { half, radius } => Described::Cone { radius, height: 2.0 * half },
        Core::Ellipsoid { half } => Described::Ellipsoid { half },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use xcollide::robot::model_of_formula;

    use super::*;

    #[test]
    fn all_formulas_of_scenes_are_drawn() -> Result<(), Box<dyn std::error::Error>> {
        for spec in Described::specs() {
            let model = model_of_formula(&Described::new(&spec)?)?;
            let drawn = drawing(&model);
            assert!(drawn.mesh().face_count() > 0 && drawn.formula().is_none(), "{spec}");
            if spec.contains("half-space") {
                continue;
            }
            // As large as the body.
            let [size, expected] = [&drawn, &model].map(|model| model.local_box().size());
            for axis in 0..3 {
                assert!((size[axis] - expected[axis]).abs() < 0.02 * expected[axis], "{spec}");
            }
        }
        Ok(())
    }
}
