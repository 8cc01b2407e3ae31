//! Distances of points from a model, by a hierarchy of boxes over its triangles.

use std::cell::Cell;
use std::ops::ControlFlow;

use xcollide_bounds::{Aabb, BoundingVolume};
use xcollide_bvh::binary::{Builder, Bvh};
use xcollide_predicates::triangle_distance;

use crate::mesh::Wide;
use crate::point_in_polyhedron::{self, Location};

use crate::{Model, NarrowPhase, Placed, Pose};

/// Measures the distance of points from a model in its own frame.
pub(crate) struct PointDistance<'a> {
    /// `None` if the model is too large to be placed.
    placed: Option<Placed<'a>>,
    /// `None` if there are too many triangles.
    tree: Option<Bvh<Aabb>>,
    /// The last nearest triangle: the next point is often close.
    last: Cell<u32>,
}

impl<'a> PointDistance<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        // For fast point-in-polyhedron tests.
        let _ = Wide::new().prepare(model);
        let placed = Placed::new(model, &Pose::IDENTITY).ok();
        let triangles = 0..model.triangulation().len();
        let corners =
            |placed: Placed<'_>| triangles.map(|t| placed.triangle(t)).collect::<Vec<_>>();
        let tree = placed.and_then(|placed| Builder::default().build(&corners(placed)).ok());
        Self { placed, tree, last: Cell::new(0) }
    }

    /// The distance of a point from the model; in the body the negative depth below the surface.
    pub(crate) fn distance(&self, point: [f64; 3]) -> Option<f64> {
        let placed = self.placed?;
        let distance = self.to_surface(placed, point, 0.0)?;
        let inside = point_in_polyhedron::locate(placed, point) == Location::Inside;
        Some(if inside { -distance } else { distance })
    }

    /// The distance of a point, if it is not in the body and the distance is more than `least`.
    pub(crate) fn beyond(&self, point: [f64; 3], least: f64) -> Option<f64> {
        let placed = self.placed?;
        let distance = self.to_surface(placed, point, least)?;
        let is_beyond =
            distance > least && point_in_polyhedron::locate(placed, point) != Location::Inside;
        is_beyond.then_some(distance)
    }

    /// The distance from the nearest triangle or, if that is at most `enough`, from any triangle that near.
    fn to_surface(&self, placed: Placed<'_>, point: [f64; 3], enough: f64) -> Option<f64> {
        let count = placed.model().triangulation().len();
        let measure = |t: u32| triangle_distance(&[point; 3], &placed.triangle(t as usize));
        let Some(tree) = &self.tree else {
            return (0..count as u32).map(measure).min_by(f64::total_cmp);
        };
        let last = self.last.get();
        let nearest = Cell::new(if (last as usize) < count { measure(last) } else { return None });
        let here = Aabb { min: point, max: point };
        let opens = |bounds: &Aabb| {
            let nearest = nearest.get();
            nearest > enough && BoundingVolume::distance_squared(bounds, &here) <= nearest * nearest
        };
        let _ = tree.search(opens, |triangle| {
            let distance = measure(triangle);
            if distance < nearest.get() {
                nearest.set(distance);
                self.last.set(triangle);
            }
            ControlFlow::Continue(())
        });
        Some(nearest.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hierarchy_finds_what_a_pass_over_all_triangles_finds()
    -> Result<(), Box<dyn std::error::Error>> {
        let model = Model::from_mesh(xcollide_scenes::shape("shape:torus?faces=200")?)?;
        let distances = PointDistance::new(&model);
        let placed = Placed::new(&model, &Pose::IDENTITY)?;
        let (mut inside, mut outside) = (0, 0);
        for number in 0..400_u32 {
            let point = [1, 7, 49]
                .map(|step| f64::from(number / step % 7) * 0.4 + f64::from(number) * 1e-3 - 1.4);
            let all = (0..model.triangulation().len())
                .map(|t| triangle_distance(&[point; 3], &placed.triangle(t)));
            let expected = all.fold(f64::INFINITY, f64::min);
            let is_inside = point_in_polyhedron::locate(placed, point) == Location::Inside;
            let signed = if is_inside { -expected } else { expected };
            assert_eq!(distances.distance(point), Some(signed));
            assert_eq!(distances.beyond(point, 0.3), (signed > 0.3).then_some(signed));
            *(if is_inside { &mut inside } else { &mut outside }) += 1;
        }
        assert!(inside > 20 && outside > 20, "{inside} {outside}");
        Ok(())
    }
}
