//! Triangles along a ray, found by any hierarchy.

use xcollide_predicates::Point;

use super::Hierarchy;
use super::prepared::prepared_with;
use crate::Placed;

/// Adds to `found` the triangles of a model that may meet a segment in the world, by its hierarchy of the
/// kind `H`; `false` if the model is too large for one. See [`Rays`](crate::point_in_polyhedron::Rays).
pub(crate) fn triangles_along<H: Hierarchy>(
    placed: Placed<'_>,
    settings: Option<H::Settings>,
    segment: [Point; 2],
    scratch: &mut H::Scratch,
    found: &mut Vec<u32>,
) -> bool {
    prepared_with::<H>(placed.model(), settings)
        .is_some_and(|tree| H::along((tree, placed.pose()), segment, scratch, found))
}

#[cfg(test)]
mod tests {
    use xcollide_bounds::{Aabb, KDop, Obb, Sphere};
    use xcollide_bvh::binary::Bvh;
    use xcollide_bvh::classic::box_tree::BoxTree;
    use xcollide_bvh::classic::interval_tree::IntervalTree;
    use xcollide_bvh::wide::{CompactTree, WideTree};
    use xcollide_predicates::triangles_intersect;

    use super::*;
    use crate::{Model, Pose};

    /// The plain way: every triangle is tried.
    fn meeting(placed: Placed<'_>, [start, end]: [Point; 2]) -> Vec<u32> {
        let all = 0..placed.model().triangulation().len();
        let meets = |&t: &usize| triangles_intersect(&placed.triangle(t), &[start, end, end]);
        all.filter(meets).map(|t| t as u32).collect()
    }

    fn misses_nothing<H: Hierarchy>(placed: Placed<'_>, ray: [Point; 2]) -> usize {
        let mut found = Vec::new();
        let scratch = &mut H::Scratch::default();
        assert!(triangles_along::<H>(placed, None, ray, scratch, &mut found));
        let expected = meeting(placed, ray);
        for triangle in &expected {
            assert!(found.contains(triangle), "{}: {triangle} along {ray:?}", H::NAME);
        }
        expected.len()
    }

    /// Rays from points in, on and about a torus, through vertices and along edges, also far from
    /// the origin.
    #[test]
    fn every_hierarchy_finds_what_the_plain_way_finds() -> Result<(), Box<dyn std::error::Error>> {
        let model = Model::from_mesh(xcollide_scenes::shape("shape:torus?faces=400")?)?;
        let turned = nalgebra::UnitQuaternion::from_euler_angles(0.3, -1.1, 2.0);
        let mut met = 0;
        for (far, rotation) in [(0.0, nalgebra::UnitQuaternion::identity()), (1e9, turned)] {
            let pose = Pose::try_from(nalgebra::Isometry3::from_parts(
                [far, -far, 0.5 * far].into(),
                rotation,
            ))
            .unwrap();
            let placed = Placed::new(&model, &pose)?;
            let end = placed.world_box().max[0];
            for vertex in model.used_vertices().iter().step_by(7) {
                let [x, y, z] = placed.position(*vertex);
                for start in [[x, y, z], [x - 3.0, y, z], [x, y + 0.01, z - 0.02]] {
                    let ray = [start, [end, start[1], start[2]]];
                    met += misses_nothing::<WideTree>(placed, ray);
                    misses_nothing::<CompactTree>(placed, ray);
                    misses_nothing::<Bvh<Obb>>(placed, ray);
                    misses_nothing::<Bvh<Aabb>>(placed, ray);
                    misses_nothing::<Bvh<KDop<18>>>(placed, ray);
                    misses_nothing::<Bvh<Sphere>>(placed, ray);
                    misses_nothing::<BoxTree>(placed, ray);
                    misses_nothing::<IntervalTree>(placed, ray);
                }
            }
        }
        assert!(met > 500, "{met}");
        Ok(())
    }
}
