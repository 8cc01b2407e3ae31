//! A formula and a mesh: what is between the formula's center and each triangle, with a sign.

use xcollide_math::vector::{cross, dot, length, sub};
use xcollide_predicates::Point;

use super::atom::Atom;
use super::body::{Body, center, even_sizes, extents};
use super::integral;
use super::quadric::Quadric;
use crate::volume::body::Body as Surface;
use crate::volume::inscribed::{Frame, View};
use crate::volume::number::rounded;
use crate::{Placed, Pose};

/// Meshes with more triangles take too much memory.
const MOST: usize = 1 << 18;

/// The volume and its error in parts of some sizes, and these; `None` for a half space, and for too many triangles.
pub(super) fn volume(
    formula: Placed<'_>,
    mesh: Placed<'_>,
    width: f64,
) -> Option<(f64, f64, [f64; 3])> {
    let surface = Surface::of(mesh.model(), "first").ok()?;
    let of = formula.model().formula()?;
    let origin = formula.pose().apply(center(of)?);
    let [x, z] = [0, 2].map(|k| formula.pose().rotation().map(|row| row[k]));
    let view = View::along(origin, z, x);
    let frame = Frame::of(formula.pose(), &view);
    let sizes = even_sizes(extents(of, &frame)?, [of]);
    let seen = Body::new(of, &frame, sizes)?;
    let world = Frame::of(&Pose::IDENTITY, &view);
    let place = |point: Point| {
        let seen = rounded(&world.at(point));
        [0, 1, 2].map(|k| seen[k] / sizes[k])
    };
    let count = mesh.model().triangulation().len();
    if count > MOST {
        return None;
    }
    let triangle = |number: usize| {
        let corners = mesh.triangle(number).map(place);
        let [p, q, r] = corners;
        let side = dot(p, cross(sub(q, p), sub(r, p)));
        (corners, f64::from(surface.weight(number as u32)) * side.signum())
    };
    let triangles: Vec<_> = (0..count).map(triangle).filter(|(_, weight)| *weight != 0.0).collect();
    // What is rounded moves the surface by this at most.
    let areas = triangles.iter().map(|([p, q, r], _)| {
        let far = length(*p).max(length(*q)).max(length(*r));
        0.5 * length(cross(sub(*q, *p), sub(*r, *p))) * far
    });
    let moved = 8.0 * f64::EPSILON * areas.sum::<f64>();
    let atoms: Vec<_> = [Atom::Quadric(Quadric::facet())].into_iter().chain(seen.atoms).collect();
    let (volume, error) = integral::volume_over(triangles.into_iter(), &atoms, width);
    let error = error + (3.0 * seen.error + 1e-14) * volume + moved;
    Some((volume, error, sizes))
}
