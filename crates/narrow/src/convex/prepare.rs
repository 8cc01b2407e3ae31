//! The polytope of a model: its exact convex hull and its solidity.

use std::sync::Arc;

use xcollide_brep::ConvexHull;
use xcollide_convex::Polytope;

use super::solidity;
use crate::{Model, PreparedData};

impl PreparedData for Polytope {
    fn bytes(&self) -> usize {
        Self::bytes(self)
    }
}

/// The convex hull of a model for the algorithms of [`xcollide_convex`], built on the first call in
/// O(n log n).
///
/// Its vertices are [numbered](Polytope::number) as in the model. It is empty if the model has no faces or a
/// coordinate that is not finite.
#[must_use]
pub fn polytope_of(model: &Model) -> Arc<Polytope> {
    model.prepared(build)
}

/// The polytope of a convex part of a model, with its solidity in the body that the whole bounds.
pub(crate) fn polytope_of_part(part: &Model, whole: &Model) -> Polytope {
    let mut polytope = build(part);
    if polytope.solidity().is_some() {
        polytope.set_solidity(solidity::of_part(part, whole, &polytope));
    }
    polytope
}

fn build(model: &Model) -> Polytope {
    let used = model.used_vertices();
    let points: Vec<[f64; 3]> = used.iter().map(|&v| model.mesh().position(v)).collect();
    let hull = ConvexHull::of(&points).ok();
    let polytope = hull.and_then(|hull| {
        let mesh = hull.mesh();
        let facets = mesh.faces().map(|face| face.outer().iter().map(|v| v.0).collect());
        let polytope = Polytope::new::<Vec<u32>>(mesh.positions().to_vec(), facets).ok()?;
        Some(polytope.numbered(hull.points().iter().map(|&point| used[point].0).collect()))
    });
    let Some(mut polytope) = polytope else { return Polytope::default() };
    if polytope.dimension() == 3 && polytope.is_certifiable() {
        polytope.set_solidity(solidity::of_model(model, &polytope));
    }
    polytope
}
