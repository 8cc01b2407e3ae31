//! What the convex algorithms keep with a model: its convex hull, ready for support searches.
//!
//! The vertices are the *extreme* points of the model, found by the exact hull of `xcollide_brep`,
//! and not all that the mesh has: a box whose sides are tessellated is convex, too, but from the
//! middle of a side hill climbing sees only neighbours as high as itself and stops there, however
//! far down the direction points.

use std::sync::{Arc, OnceLock};

use xcollide_brep::{ConvexHull, Dcel, VertexId};
use xcollide_convex::{NormalFan, PointSet};

use super::batch_data::BatchData;
use super::climb;
use super::direction_table::{Octahedral, Spherical};
use super::dobkin_kirkpatrick::Hierarchy;
use super::ellipsoid::Ellipsoid;
use super::gauss_map::GaussMap;
use super::normal_fan::{Fan, normal_fan};
use super::solidity::Solidity;
use super::support::{BruteForce, HillClimbing, Support};
use super::vector::{Vector, add, cross, scaled, square, sub};
use super::voronoi::VoronoiRegions;
use crate::Model;

/// The convex hull of a model: extreme vertices, their neighbours, and bounds.
///
/// Vertices have numbers of their own, 0 to [`len`](Self::len); [`vertex`](Self::vertex) gives
/// the number in the model. Prepared once a model, see [`of`](Self::of).
#[derive(Debug)]
pub struct Polytope {
    points: PointSet,
    positions: Vec<Vector>,
    vertices: Vec<VertexId>,
    neighbours: Vec<u32>,
    /// The neighbours of vertex `v` are `neighbours[ends[v]..ends[v + 1]]`.
    ends: Vec<u32>,
    slack: Vec<f32>,
    table: Option<Octahedral>,
    fan: Option<Fan>,
    hull: Option<ConvexHull>,
    gauss_map: OnceLock<GaussMap>,
    regions: OnceLock<VoronoiRegions>,
    spherical: OnceLock<Spherical>,
    /// The octahedral table of a polytope that has no `table`.
    small_table: OnceLock<Octahedral>,
    /// The fan of a body that has no `fan`.
    small_fan: OnceLock<Option<Fan>>,
    hierarchy: OnceLock<Hierarchy>,
    centroid: OnceLock<Vector>,
    center: Vector,
    radius: f64,
    reach: f64,
    ellipsoid: Option<Ellipsoid>,
    solidity: Option<Solidity>,
    portrait: Option<BatchData>,
}

/// Up to so many vertices all are looked at in each step of a [search](xcollide_convex::BooleanGjk); above,
/// they are looked up.
const LOOKED_AT_UP_TO: usize = 32;

/// Up to this many vertices all are looked at where one direction is asked about; above, they are looked up.
/// Measured: see `benches/convex.rs`.
pub const BRUTE_FORCE_UP_TO: usize = 160;

/// Beyond these sizes products of four lengths leave the range where rounding errors are relative,
/// and nothing is certified.
const SIZES: std::ops::Range<f64> = 1e-60..1e60;

impl Polytope {
    /// The polytope of a model, built on the first call in O(n log n).
    #[must_use]
    pub fn of(model: &Model) -> Arc<Self> {
        model.prepared(Self::build)
    }

    /// The polytope of a convex part of a model, with the solidity that it has in the body which the
    /// whole bounds.
    pub(crate) fn of_part(part: &Model, whole: &Model) -> Self {
        let mut polytope = Self::build(part);
        if polytope.solidity.is_some() {
            polytope.solidity = Solidity::of_part(part, whole, &polytope);
            polytope.portrait = BatchData::of(&polytope);
        }
        polytope
    }

    fn build(model: &Model) -> Self {
        let used = model.used_vertices();
        let points: Vec<Vector> = used.iter().map(|&v| model.mesh().position(v)).collect();
        // No hull, no vertices: there are no faces, or a coordinate is not finite.
        let hull = ConvexHull::of(&points).ok();
        let mut polytope = Self {
            points: PointSet::default(),
            positions: Vec::new(),
            vertices: Vec::new(),
            neighbours: Vec::new(),
            ends: vec![0],
            slack: Vec::new(),
            table: None,
            fan: None,
            hull: None,
            gauss_map: OnceLock::new(),
            regions: OnceLock::new(),
            spherical: OnceLock::new(),
            small_table: OnceLock::new(),
            small_fan: OnceLock::new(),
            hierarchy: OnceLock::new(),
            centroid: OnceLock::new(),
            center: [0.0; 3],
            radius: 0.0,
            reach: 0.0,
            ellipsoid: None,
            solidity: None,
            portrait: None,
        };
        let Some(hull) = hull else { return polytope };
        polytope.positions = hull.mesh().positions().to_vec();
        polytope.points = PointSet::new(&polytope.positions);
        polytope.vertices = hull.points().iter().map(|&point| used[point]).collect();
        let dcel = Dcel::new(hull.mesh());
        for vertex in (0..polytope.positions.len()).map(VertexId::from_index) {
            let around = dcel.vertex_neighbours(vertex).map(|v| v.0);
            polytope.neighbours.extend(around.filter(|&v| v != vertex.0));
            polytope.ends.push(polytope.neighbours.len() as u32);
        }
        polytope.center = center(&polytope.positions);
        let length = |p: Vector| square(p).sqrt();
        // A little up, for the rounding of a length.
        let grown = |x: f64| x * (1.0 + 1e-14);
        let positions = polytope.positions.iter();
        polytope.radius =
            grown(positions.clone().map(|&p| length(sub(p, polytope.center))).fold(0.0, f64::max));
        polytope.reach = grown(positions.map(|&p| length(p)).fold(0.0, f64::max));
        let three_dimensional = hull.dimension() == 3;
        if polytope.is_certifiable() && polytope.len() > LOOKED_AT_UP_TO {
            polytope.fan = normal_fan(&polytope, &hull);
        }
        polytope.hull = Some(hull);
        polytope.slack = climb::slack(&polytope);
        if polytope.fan.is_none() && polytope.len() > BRUTE_FORCE_UP_TO {
            let climbing = HillClimbing(&polytope);
            let mut near = 0;
            polytope.table = Some(Octahedral::new(|direction| {
                near = climbing.farthest(direction, near);
                near
            }));
        }
        if polytope.is_certifiable() {
            polytope.ellipsoid = Ellipsoid::of(&polytope);
        }
        if three_dimensional && polytope.is_certifiable() {
            polytope.solidity = Solidity::of(model, &polytope);
        }
        polytope.portrait = BatchData::of(&polytope);
        polytope
    }

    /// Memory, in bytes, without what single algorithms add later. Spare capacity is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let hull = self.hull.as_ref();
        let hull = hull.map_or(0, |hull| hull.mesh().heap_bytes() + size_of_val(hull.points()));
        size_of::<Self>()
            + hull
            + self.points.bytes()
            + size_of_val(&*self.positions)
            + size_of_val(&*self.vertices)
            + size_of_val(&*self.neighbours)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.slack)
            + self.table.as_ref().map_or(0, Octahedral::bytes)
            + self.fan.as_ref().map_or(0, |fan| fan.fan.bytes())
    }

    /// How many vertices the hull has.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none: the model has no faces, or coordinates that are not finite.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether bounds on rounding errors hold: there are vertices, and their coordinates are of a
    /// size with which products neither overflow nor vanish. Otherwise nothing is certified.
    #[inline]
    #[must_use]
    pub fn is_certifiable(&self) -> bool {
        SIZES.contains(&self.reach)
    }

    /// Where a vertex is, in the model's frame.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: u32) -> [f64; 3] {
        self.positions[vertex as usize]
    }

    /// All positions.
    #[must_use]
    pub fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    /// The same, eight at a time.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &PointSet {
        &self.points
    }

    /// The number of a vertex in the model.
    #[must_use]
    pub fn vertex(&self, vertex: u32) -> VertexId {
        self.vertices[vertex as usize]
    }

    /// The vertices that share an edge of the hull with a vertex, in rotational order.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.neighbours[self.ends[v] as usize..self.ends[v + 1] as usize]
    }

    /// The hull: its vertices are those of the polytope, its faces strictly convex polygons, no
    /// two of them coplanar; of lower dimension where the points are. `None` where there are no
    /// vertices.
    #[must_use]
    pub fn hull(&self) -> Option<&ConvexHull> {
        self.hull.as_ref()
    }

    /// Normals of faces, and edges as arcs between them; made on the first call, in linear time,
    /// for the algorithms that look at faces and edges.
    #[inline]
    #[must_use]
    pub fn gauss_map(&self) -> &GaussMap {
        self.gauss_map.get_or_init(|| GaussMap::of(self))
    }

    /// The features of the hull and their Voronoi regions, built on the first call in linear time;
    /// none where there are no vertices.
    #[must_use]
    pub fn regions(&self) -> &VoronoiRegions {
        self.regions.get_or_init(|| self.hull.as_ref().map(VoronoiRegions::new).unwrap_or_default())
    }

    /// Where to start a search, by direction; only for polytopes with more than
    /// [`BRUTE_FORCE_UP_TO`] vertices that have no [fan](Self::fan).
    #[must_use]
    pub fn table(&self) -> Option<&Octahedral> {
        self.table.as_ref()
    }

    /// The normal fan, of bodies with more than 32 vertices; what a search of many steps looks farthest
    /// vertices up in. `None` for others, and for what has no volume.
    #[inline]
    #[must_use]
    pub fn fan(&self) -> Option<&NormalFan> {
        Some(&self.fan.as_ref()?.fan)
    }

    /// The same for small bodies, too, built on the first call.
    #[must_use]
    pub fn normal_fan(&self) -> Option<&NormalFan> {
        Some(&self.any_fan()?.fan)
    }

    pub(crate) fn any_fan(&self) -> Option<&Fan> {
        let small =
            || self.small_fan.get_or_init(|| normal_fan(self, self.hull.as_ref()?)).as_ref();
        self.fan.as_ref().or_else(small)
    }

    /// The [fan](Self::fan), and what it can be relied on for.
    #[inline]
    pub(crate) fn large_fan(&self) -> Option<&Fan> {
        self.fan.as_ref()
    }

    /// The octahedral table of 32 × 32 directions; for polytopes without a [`table`](Self::table) it is
    /// built on the first call, all of it vertex 0 where there are none.
    #[must_use]
    pub fn octahedral(&self) -> &Octahedral {
        self.table.as_ref().unwrap_or_else(|| {
            self.small_table.get_or_init(|| Octahedral::new(|direction| self.highest(direction)))
        })
    }

    /// The hierarchy of Dobkin and Kirkpatrick over this polytope, built on the first call in O(n).
    #[must_use]
    pub fn hierarchy(&self) -> &Hierarchy {
        self.hierarchy.get_or_init(|| Hierarchy::new(self))
    }

    /// By looking at all; 0 where there are none.
    fn highest(&self, direction: Vector) -> u32 {
        if self.is_empty() { 0 } else { BruteForce(self).farthest(direction, 0) }
    }

    /// The thesis's table of 8 × 16 directions, built on the first call; all of it vertex 0 where
    /// there are none.
    #[must_use]
    pub fn spherical(&self) -> &Spherical {
        self.spherical.get_or_init(|| Spherical::new(|direction| self.highest(direction)))
    }

    /// The centroid of the surface: that of each face of the hull, weighted by its area (Chung
    /// 1996, 3.4). The [center](Self::center) where the hull has no area. Computed on the first
    /// call, in linear time.
    #[must_use]
    pub fn centroid(&self) -> [f64; 3] {
        *self.centroid.get_or_init(|| match &self.hull {
            Some(hull) => surface_centroid(hull, self.center),
            None => self.center,
        })
    }

    /// The mean of the vertices.
    #[must_use]
    pub fn center(&self) -> [f64; 3] {
        self.center
    }

    /// How far from the center the vertices are at most.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// How far from the origin of the model's frame the vertices are at most.
    #[inline]
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// An ellipsoid about it; `None` for a point, and for sizes beyond 10¹² or below its inverse.
    #[inline]
    #[must_use]
    pub fn ellipsoid(&self) -> Option<&Ellipsoid> {
        self.ellipsoid.as_ref()
    }

    /// What many pairs read of it; `None` where there is no [ellipsoid](Self::ellipsoid).
    #[inline]
    pub(crate) fn portrait(&self) -> Option<&BatchData> {
        self.portrait.as_ref()
    }

    /// How far the body that the model bounds fills its hull; `None` where it is no body, or too
    /// hollow to tell.
    #[inline]
    #[must_use]
    pub fn solidity(&self) -> Option<&Solidity> {
        self.solidity.as_ref()
    }

    /// How much higher than a vertex from which hill climbing does not find a higher neighbour the
    /// polytope may reach, in units of the rounding error of one height; infinite where not known.
    #[inline]
    #[must_use]
    pub fn climbing_slack(&self, vertex: u32) -> f64 {
        f64::from(self.slack[vertex as usize])
    }
}

fn center(positions: &[Vector]) -> Vector {
    let share = 1.0 / positions.len() as f64;
    positions.iter().fold([0.0; 3], |sum, &p| add(sum, scaled(p, share)))
}

/// Offsets are from the center, so that far from the origin nothing is lost.
fn surface_centroid(hull: &ConvexHull, center: Vector) -> Vector {
    let (mut sum, mut area) = ([0.0; 3], 0.0);
    for face in hull.mesh().faces() {
        let offsets = face.outer().iter().map(|&v| sub(hull.mesh().position(v), center));
        let offsets: Vec<Vector> = offsets.collect();
        for i in 2..offsets.len() {
            let [p, q, r] = [offsets[0], offsets[i - 1], offsets[i]];
            let twice = square(cross(sub(q, p), sub(r, p))).sqrt();
            sum = add(sum, scaled(add(add(p, q), r), twice / 3.0));
            area += twice;
        }
    }
    if area > 0.0 { add(center, scaled(sum, 1.0 / area)) } else { center }
}
