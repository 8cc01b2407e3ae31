//! Point in polyhedron, by crossings or winding number (Zachmann 1994, 3.5.1).
//!
//! The thesis shoots a ray and counts crossings; if the ray hits a vertex or an edge it takes another
//! point. Here the ray is displaced by a symbolic infinitesimal, the same for all triangles
//! ([`ray_crossing`]), so it never hits one, and every point gets its exact answer. A hierarchy finds the
//! triangles that the ray meets.

use xcollide_brep::Interior;
#[cfg(doc)]
use xcollide_predicates::triangles_intersect;
use xcollide_predicates::{Crossing, Sign, ray_crossing};

use crate::Placed;
use crate::model::formula_side::formula_side;
use crate::query::{Deadline, OutOfTime};

/// Where a point lies with respect to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Location {
    /// In the interior of the body.
    Inside,
    /// In neither body nor surface.
    Outside,
    /// On the surface.
    OnSurface,
}

/// Where `point` (in world coordinates) lies with respect to a placed model. Exact.
///
/// A model whose surface bounds a body has an inside: the points of non-zero winding number or, if the
/// faces are not oriented consistently, of odd crossing parity (see [`Interior`]). Other models have none.
///
/// So it is for a [formula](crate::Formula).
///
/// Takes less than a microsecond if the model was [prepared](crate::NarrowPhase::prepare) for
/// [`mesh::Wide`](crate::mesh::Wide), else time linear in the triangles.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::point_in_polyhedron::{Location, locate};
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let placed = Placed::new(&model, &Pose::IDENTITY)?;
/// assert_eq!(locate(placed, [1.0, 1.0, 1.0]), Location::Inside);
/// assert_eq!(locate(placed, [2.0, 2.0, 0.0]), Location::OnSurface);
/// assert_eq!(locate(placed, [2.0, 2.0, 1.0]), Location::Outside);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn locate(placed: Placed<'_>, point: [f64; 3]) -> Location {
    if let Some(formula) = placed.model().formula() {
        return match formula_side(formula, placed.pose(), point) {
            Sign::Negative => Location::Inside,
            Sign::Zero => Location::OnSurface,
            Sign::Positive => Location::Outside,
        };
    }
    if !placed.world_box().contains(point) {
        return Location::Outside;
    }
    let interior = placed.model().interior();
    let scratch = &mut RayScratch::default();
    let tally = tally(placed, point, &mut prepared_rays, scratch, &mut Deadline::never());
    // There is no deadline, so no error.
    tally.map_or(Location::Outside, |tally| tally.location(interior))
}

/// Adds to a list all triangles of a placed model, by number, that have a point in common with a segment
/// in the world, in the sense of [`triangles_intersect`]; others and repetitions are allowed. Returns
/// `false`, with nothing added, if it cannot.
pub(crate) trait Rays: FnMut(Placed<'_>, [[f64; 3]; 2], &mut Vec<u32>) -> bool {}

impl<F: FnMut(Placed<'_>, [[f64; 3]; 2], &mut Vec<u32>) -> bool> Rays for F {}

/// Finds triangles by the data that the model already keeps; prepares nothing.
pub(crate) fn prepared_rays(placed: Placed<'_>, ray: [[f64; 3]; 2], found: &mut Vec<u32>) -> bool {
    placed.model().triangles_on_segment(placed, ray, found)
}

/// A pass over this many triangles takes as long as one ray through a hierarchy.
pub(crate) const A_RAY: usize = 16;

/// Reusable memory of rays.
#[derive(Default)]
pub(crate) struct RayScratch {
    /// The triangles along a ray.
    found: Vec<u32>,
    /// Points from which rays are shot together, their order by height, and their crossings.
    pub(crate) points: Vec<[f64; 3]>,
    order: Vec<usize>,
    pub(crate) tallies: Vec<Tally>,
}

/// The crossings of a ray so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    winding: i64,
    crossings: u64,
    on_surface: bool,
}

impl Tally {
    fn add(&mut self, crossing: Crossing) {
        self.winding += i64::from(crossing.winding);
        self.crossings += u64::from(crossing.winding != 0);
        self.on_surface |= crossing.on_surface;
    }

    pub(crate) fn location(&self, interior: Interior) -> Location {
        let inside = match interior {
            Interior::Winding => self.winding != 0,
            Interior::Parity => self.crossings % 2 == 1,
            Interior::None => false,
        };
        if self.on_surface {
            Location::OnSurface
        } else if inside {
            Location::Inside
        } else {
            Location::Outside
        }
    }
}

/// Shoots a ray in the direction of +x from a point in the model's box.
///
/// Testing the triangles that meet the undisplaced ray, up to the end of the box, is enough: a triangle
/// counts for the displaced ray, or contains the point, only if the projection of the displaced point
/// along x is on the projection of the triangle for all small displacements. The projection is closed, so
/// it contains the projection of the point itself; likewise no such triangle is wholly behind the point.
pub(crate) fn tally(
    placed: Placed<'_>,
    point: [f64; 3],
    rays: &mut impl Rays,
    RayScratch { found, .. }: &mut RayScratch,
    time: &mut Deadline,
) -> Result<Tally, OutOfTime> {
    // A ray takes as long as many steps of a search.
    time.check_for(A_RAY)?;
    found.clear();
    let end = [placed.world_box().max[0].max(point[0]), point[1], point[2]];
    if placed.model().triangulation().len() < A_RAY || !rays(placed, [point, end], found) {
        return tally_one(placed, point, time);
    }
    found.sort_unstable();
    found.dedup();
    let mut tally = Tally::default();
    for &triangle in found.iter() {
        tally.add(ray_crossing(point, &placed.triangle(triangle as usize)));
    }
    Ok(tally)
}

/// Shoots a ray in the direction of +x from a point, testing all triangles of the model.
fn tally_one(placed: Placed<'_>, point: [f64; 3], time: &mut Deadline) -> Result<Tally, OutOfTime> {
    let mut tally = Tally::default();
    for number in 0..placed.model().triangulation().len() {
        time.check()?;
        let triangle = placed.triangle(number);
        let [[_, right], [front, back], [low, high]] = [0, 1, 2].map(|k| range(&triangle, k));
        let [x, y, z] = point;
        if (low..=high).contains(&z) && (front..=back).contains(&y) && right >= x {
            time.spend(1);
            tally.add(ray_crossing(point, &triangle));
        }
    }
    Ok(tally)
}

/// Shoots a ray in the direction of +x from each of the points in `scratch`, testing all triangles of the model.
pub(crate) fn tally_all(
    placed: Placed<'_>,
    scratch: &mut RayScratch,
    time: &mut Deadline,
) -> Result<(), OutOfTime> {
    let RayScratch { points, order, tallies, .. } = scratch;
    // Points sorted by height: a triangle tests those between its lowest and its highest corner.
    order.clear();
    order.extend(0..points.len());
    order.sort_unstable_by(|&i, &j| points[i][2].total_cmp(&points[j][2]).then(i.cmp(&j)));
    tallies.clear();
    tallies.resize(points.len(), Tally::default());
    for number in 0..placed.model().triangulation().len() {
        time.check()?;
        let triangle = placed.triangle(number);
        let [low, high] = range(&triangle, 2);
        let first = order.partition_point(|&i| points[i][2] < low);
        for &i in order[first..].iter().take_while(|&&i| points[i][2] <= high) {
            let [front, back] = range(&triangle, 1);
            time.spend(1);
            let beside = points[i][1] < front || points[i][1] > back;
            if !beside && range(&triangle, 0)[1] >= points[i][0] {
                tallies[i].add(ray_crossing(points[i], &triangle));
            }
        }
    }
    Ok(())
}

/// Smallest and largest coordinate of a triangle on an axis.
fn range(triangle: &[[f64; 3]; 3], axis: usize) -> [f64; 2] {
    let [a, b, c] = triangle.map(|corner| corner[axis]);
    [a.min(b).min(c), a.max(b).max(c)]
}
