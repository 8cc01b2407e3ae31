//! Whether two small translated bodies are apart throughout, by one direction for all of both.
//!
//! Heights along a direction are linear in time, so bodies that are apart along it at both ends are so always. For convex
//! bodies that pass each other there is such a direction, and finding it costs a tenth of a search of the hierarchies.

use xcollide_convex::{Body, Pair};
use xcollide_math::vector::{add, dot, largest, scale, sub, unit};

use super::entry_time::Margin;
use super::hull_time::is_for_hull;
use super::moving_mesh::MovingMesh;
use crate::convex::polytope_of;

type Vector = [f64; 3];

/// A direction of length 1 along which all of the first body is below all of the second at all times from 0 to 1. `None`
/// if none of those tried is one, or if a body is large or turns.
///
/// Where bodies that pass each other are closest, the direction between them is across their way.
pub(super) fn parting_direction(meshes: [&MovingMesh; 2]) -> Option<Vector> {
    if !meshes.iter().all(|mesh| is_for_hull(mesh.model())) {
        return None;
    }
    let poses = [meshes[0].translation()?, meshes[1].translation()?];
    let steps = poses.map(|[start, end]| sub(end.translation(), start.translation()));
    let way = sub(steps[0], steps[1]);
    let hulls = meshes.map(|mesh| polytope_of(mesh.model()));
    if hulls.iter().any(|hull| hull.positions().is_empty()) {
        return None;
    }
    let centers = [0, 1].map(|k| {
        let local = meshes[k].model().local_box();
        poses[k][0].apply([0, 1, 2].map(|axis| 0.5 * local.min[axis] + 0.5 * local.max[axis]))
    });
    let between = sub(centers[1], centers[0]);
    let closest = (dot(between, way) / dot(way, way)).clamp(0.0, 1.0);
    // Without a way, NaN.
    let time = if closest.is_nan() { 0.0 } else { closest };
    let at = [0, 1].map(|k| {
        let place = add(poses[k][0].translation(), scale(steps[k], time));
        poses[k][0].with_translation(place)
    });
    let [a, b] = [0, 1].map(|k| Body::new(&hulls[k], &at[k]));
    let along = unit(Pair::new(a, b).nearest(&[]).direction)?;
    let across = unit(way).map_or(along, |way| sub(along, scale(way, dot(way, along))));
    [across, along].into_iter().filter_map(unit).find(|&n| are_apart_along(meshes, n))
}

/// Whether all of the first body is below all of the second along a direction, at both ends.
fn are_apart_along(meshes: [&MovingMesh; 2], n: Vector) -> bool {
    let (mut highest, mut lowest) = ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
    let mut sizes = [0.0_f64; 2];
    for (k, mesh) in meshes.into_iter().enumerate() {
        for &vertex in mesh.model().used_vertices() {
            let point = mesh.vertex(vertex);
            sizes[k] = sizes[k].max(largest(point.start)).max(largest(point.end));
            for (side, height) in [dot(n, point.start), dot(n, point.end)].into_iter().enumerate() {
                if k == 0 {
                    highest[side] = highest[side].max(height);
                } else {
                    lowest[side] = lowest[side].min(height);
                }
            }
        }
    }
    let margin = Margin::of_points(sizes).along(n);
    (0..2).all(|side| lowest[side] - highest[side] > margin)
}
