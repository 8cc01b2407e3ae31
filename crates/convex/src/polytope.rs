//! A convex hull, ready for support searches.
//!
//! Its vertices are the *extreme* points only. A mesh may have more: from a vertex in the middle of a tessellated side
//! all neighbours are equally high, and hill climbing would stop there.

use std::sync::OnceLock;

use crate::batch_data::BatchData;
use crate::climbing_slack;
use crate::direction_table::{Octahedral, Spherical};
use crate::dobkin_kirkpatrick::Hierarchy;
use crate::ellipsoid::Ellipsoid;
use crate::facet_adjacency::FacetAdjacency;
use crate::facets::Facets;
use crate::fan_of_polytope::{Fan, normal_fan};
use crate::gauss_map::GaussMap;
use crate::point_set::farthest::Farthest;
use crate::point_set::{LANES, PointSet};
use crate::solidity::Solidity;
use crate::support::{VertexSearch, brute_force, climb};
use crate::voronoi::VoronoiRegions;
use xcollide_math::vector::{add, cross, dot, length_squared, scale, sub};
use xcollide_simd::dispatch;

/// A convex hull: extreme vertices, their neighbours, and bounds.
///
/// ```
/// use xcollide_convex::Polytope;
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let tetrahedron = Polytope::new(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert_eq!(tetrahedron.dimension(), 3);
/// assert_eq!(tetrahedron.neighbours(3).len(), 3);
/// # Ok::<(), xcollide_convex::PolytopeError>(())
/// ```
#[derive(Debug, Default)]
pub struct Polytope {
    /// The positions, eight at a time.
    pub(crate) points: PointSet,
    pub(crate) positions: Vec<[f64; 3]>,
    /// The vertex numbers of the caller; empty if they are the polytope's own.
    numbers: Vec<u32>,
    neighbours: Vec<u32>,
    /// The neighbours of vertex `v` are `neighbours[ends[v]..ends[v + 1]]`.
    ends: Vec<u32>,
    slack: Vec<f32>,
    /// Where climbing starts, for more than [`VertexSearch::ALL_VERTICES_UP_TO`] vertices without a fan.
    pub(crate) table: Option<Octahedral>,
    /// The normal fan of bodies with more than 32 vertices.
    pub(crate) fan: Option<Fan>,
    pub(crate) facets: Facets,
    gauss_map: OnceLock<GaussMap>,
    regions: OnceLock<VoronoiRegions>,
    spherical: OnceLock<Spherical>,
    /// The octahedral table of a polytope that has no `table`.
    small_table: OnceLock<Octahedral>,
    /// The fan of a body that has no `fan`.
    small_fan: OnceLock<Option<Fan>>,
    hierarchy: OnceLock<Hierarchy>,
    centroid: OnceLock<[f64; 3]>,
    center: [f64; 3],
    radius: f64,
    reach: f64,
    ellipsoid: Option<Ellipsoid>,
    solidity: Option<Solidity>,
    /// What batches read of it; `None` without an ellipsoid.
    pub(crate) batch_data: Option<BatchData>,
}

/// Polytopes with more vertices have a fan, which GJK and MPR search.
const NO_FAN_UP_TO: usize = 32;

/// Beyond these sizes products of four lengths leave the range of relative rounding errors, and nothing is certified.
const SIZES: std::ops::Range<f64> = 1e-60..1e60;

/// Why facets are no polytope.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolytopeError {
    /// A coordinate is not finite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NonFinite {
        /// Its number.
        vertex: u32,
    },
    /// A facet has a corner that is no vertex.
    #[error("a facet has the corner {vertex}, which is no vertex")]
    UnknownVertex {
        /// Its number.
        vertex: u32,
    },
    /// A vertex is a corner of no facet.
    #[error("vertex {vertex} is on no facet")]
    UnusedVertex {
        /// Its number.
        vertex: u32,
    },
    /// An edge does not have two facets that run it in opposite directions.
    #[error("the edge between the vertices {ends:?} does not have one facet on either side")]
    NotClosed {
        /// The vertices, the lower one first.
        ends: [u32; 2],
    },
}

impl Polytope {
    /// The vertices of a [part](Self::farthest_of_part): compared in a few microseconds.
    pub const PART: usize = 4096;

    /// The polytope of a convex hull: its vertices, all of them extreme, and its facets, each a loop of corners,
    /// counter-clockwise seen from outside. Facets must be strictly convex polygons, no two of them coplanar.
    ///
    /// A polygon has two facets, one for each side; a segment has one of two corners, a point one of one corner.
    /// Linear time except for sorting the edges. The constructor checks that the facets are closed. It does not check
    /// that they are convex; if they are not, answers are wrong.
    ///
    /// # Errors
    /// The facets are not a closed surface over all vertices, or a coordinate is not finite.
    pub fn new<F: AsRef<[u32]>>(
        positions: Vec<[f64; 3]>,
        facets: impl IntoIterator<Item = F>,
    ) -> Result<Self, PolytopeError> {
        let is_finite = |p: &[f64; 3]| p.iter().all(|x| x.is_finite());
        if let Some(vertex) = positions.iter().position(|p| !is_finite(p)) {
            return Err(PolytopeError::NonFinite { vertex: vertex as u32 });
        }
        let mut polytope = Self { ends: vec![0], ..Self::default() };
        if positions.is_empty() {
            return Ok(polytope);
        }
        let facets = Facets::new(facets);
        let adjacency = FacetAdjacency::new(positions.len(), &facets)?;
        polytope.points = PointSet::new(&positions);
        polytope.positions = positions;
        for vertex in 0..polytope.positions.len() as u32 {
            polytope.neighbours.extend(adjacency.neighbours(vertex));
            polytope.ends.push(polytope.neighbours.len() as u32);
        }
        polytope.center = center(&polytope.positions);
        let length = |p: [f64; 3]| length_squared(p).sqrt();
        // A little up, for the rounding of a length.
        let grown = |x: f64| x * (1.0 + 1e-14);
        let positions = polytope.positions.iter();
        polytope.radius =
            grown(positions.clone().map(|&p| length(sub(p, polytope.center))).fold(0.0, f64::max));
        polytope.reach = grown(positions.map(|&p| length(p)).fold(0.0, f64::max));
        if polytope.is_certifiable() && polytope.len() > NO_FAN_UP_TO {
            polytope.fan = normal_fan(&polytope, &facets, &adjacency);
        }
        polytope.facets = facets;
        polytope.slack = climbing_slack::slack(&polytope);
        if polytope.fan.is_none() && polytope.len() > VertexSearch::ALL_VERTICES_UP_TO {
            let mut near = 0;
            polytope.table = Some(Octahedral::new(|direction| {
                near = climb(&polytope, direction, near);
                near
            }));
        }
        if polytope.is_certifiable() {
            polytope.ellipsoid = Ellipsoid::of(&polytope);
        }
        polytope.batch_data = BatchData::of(&polytope);
        Ok(polytope)
    }

    /// Adds the caller's number of each vertex: see [`number`](Self::number).
    #[must_use]
    pub fn numbered(self, numbers: Vec<u32>) -> Self {
        Self { numbers, ..self }
    }

    /// Sets how far the body with this convex hull fills it; initially `None`: there is no body, or it is too hollow.
    /// Contact is certified for bodies only.
    pub fn set_solidity(&mut self, solidity: Option<Solidity>) {
        self.solidity = solidity;
        self.batch_data = BatchData::of(self);
    }

    /// Memory, in bytes, without spare capacity and without what algorithms build on their first call.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.facets.bytes()
            + self.points.bytes()
            + size_of_val(&*self.positions)
            + size_of_val(&*self.numbers)
            + size_of_val(&*self.neighbours)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.slack)
            + self.table.as_ref().map_or(0, Octahedral::bytes)
            + self.fan.as_ref().map_or(0, Fan::bytes)
            + self.gauss_map.get().map_or(0, GaussMap::bytes)
            + self.regions.get().map_or(0, VoronoiRegions::bytes)
            + self.spherical.get().map_or(0, Spherical::bytes)
            + self.small_table.get().map_or(0, Octahedral::bytes)
            + self.small_fan.get().and_then(Option::as_ref).map_or(0, Fan::bytes)
            + self.hierarchy.get().map_or(0, Hierarchy::bytes)
    }

    /// The number of vertices.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether bounds on rounding errors hold: there are vertices, and products of their coordinates neither overflow
    /// nor vanish. Otherwise nothing is certified.
    #[inline]
    #[must_use]
    pub fn is_certifiable(&self) -> bool {
        SIZES.contains(&self.reach)
    }

    /// The position of a vertex in the polytope's frame.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: u32) -> [f64; 3] {
        self.positions[vertex as usize]
    }

    /// Of the vertices of one part, the first of the highest along a direction of the polytope's frame, and its height; `None`
    /// beyond the last part. Part k has the [`PART`](Self::PART) vertices from k · `PART` on.
    ///
    /// The first of the highest of all parts is what [`VertexSearch::AllVertices`] returns.
    #[must_use]
    pub fn farthest_of_part(&self, part: usize, direction: [f64; 3]) -> Option<(u32, f64)> {
        let from = part * Self::PART;
        let blocks = (from..(from + Self::PART).min(self.len())).len().div_ceil(LANES);
        let blocks = self.points.blocks.get(from / LANES..from / LANES + blocks)?;
        if blocks.is_empty() {
            return None;
        }
        let vertex = (from + dispatch(Farthest { blocks, direction })) as u32;
        Some((vertex, dot(direction, self.position(vertex))))
    }

    /// The positions of all vertices.
    #[must_use]
    pub fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    /// The [caller's number](Self::numbered) of a vertex; without one, the polytope's own.
    #[must_use]
    pub fn number(&self, vertex: u32) -> u32 {
        self.numbers.get(vertex as usize).map_or(vertex, |&number| number)
    }

    /// The vertices that share an edge of the hull with a vertex, in rotational order.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.neighbours[self.ends[v] as usize..self.ends[v + 1] as usize]
    }

    /// The facets by their corners.
    pub fn facets(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        self.facets.iter()
    }

    /// 3 for a body, 2 for a polygon, 1 for a segment, 0 for a point or an empty polytope.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.facets.dimension()
    }

    /// The half-edges; `None` for an empty polytope.
    pub(crate) fn adjacency(&self) -> Option<FacetAdjacency<'_>> {
        // Checked when the polytope was made.
        FacetAdjacency::new(self.len(), &self.facets).ok().filter(|_| !self.is_empty())
    }

    /// The normals of faces, and the edges as arcs between them; built on the first call in linear time.
    #[inline]
    #[must_use]
    pub fn gauss_map(&self) -> &GaussMap {
        self.gauss_map.get_or_init(|| GaussMap::of(self))
    }

    /// The features of the hull and their Voronoi regions, built on the first call in linear time.
    #[must_use]
    pub fn regions(&self) -> &VoronoiRegions {
        self.regions.get_or_init(|| VoronoiRegions::of(self))
    }

    /// The normal fan, which small bodies build on the first call; `None` for what has no volume.
    pub(crate) fn any_fan(&self) -> Option<&Fan> {
        let new = || normal_fan(self, &self.facets, &self.adjacency()?);
        let small = || self.small_fan.get_or_init(new).as_ref();
        self.fan.as_ref().or_else(small)
    }

    /// The octahedral table, which is built on the first call if there is no [`table`](Self::table); all vertex 0 for
    /// an empty polytope.
    pub(crate) fn octahedral(&self) -> &Octahedral {
        self.table.as_ref().unwrap_or_else(|| {
            self.small_table.get_or_init(|| Octahedral::new(|direction| self.highest(direction)))
        })
    }

    /// The thesis's table, built on the first call; all vertex 0 for an empty polytope.
    pub(crate) fn spherical(&self) -> &Spherical {
        self.spherical.get_or_init(|| Spherical::new(|direction| self.highest(direction)))
    }

    fn highest(&self, direction: [f64; 3]) -> u32 {
        if self.is_empty() { 0 } else { brute_force(self, direction) }
    }

    /// The hierarchy of Dobkin and Kirkpatrick over this polytope, built on the first call in O(n).
    pub(crate) fn hierarchy(&self) -> &Hierarchy {
        self.hierarchy.get_or_init(|| Hierarchy::new(self))
    }

    /// The centroid of the surface (Chung 1996, 3.4), or the [center](Self::center) of a hull without area. Computed
    /// on the first call in linear time.
    #[must_use]
    pub fn centroid(&self) -> [f64; 3] {
        *self.centroid.get_or_init(|| surface_centroid(self))
    }

    /// The mean of the vertices.
    #[must_use]
    pub fn center(&self) -> [f64; 3] {
        self.center
    }

    /// The greatest distance of a vertex from the center, rounded up.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The greatest distance of a vertex from the origin of the frame, rounded up.
    #[inline]
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// An ellipsoid about it; `None` for a point, and for sizes beyond 10¹² or below its inverse.
    #[inline]
    pub(crate) fn ellipsoid(&self) -> Option<&Ellipsoid> {
        self.ellipsoid.as_ref()
    }

    /// How far the body fills this hull; `None` if there is no body, or it is too hollow.
    #[inline]
    #[must_use]
    pub fn solidity(&self) -> Option<&Solidity> {
        self.solidity.as_ref()
    }

    /// The [slack](VertexSearch::slack) of a vertex at which hill climbing ended.
    #[inline]
    pub(crate) fn climbing_slack(&self, vertex: u32) -> f64 {
        f64::from(self.slack[vertex as usize])
    }
}

fn center(positions: &[[f64; 3]]) -> [f64; 3] {
    let share = 1.0 / positions.len() as f64;
    positions.iter().fold([0.0; 3], |sum, &p| add(sum, scale(p, share)))
}

/// Offsets are from the center, to keep their digits far from the origin.
fn surface_centroid(polytope: &Polytope) -> [f64; 3] {
    let center = polytope.center;
    let (mut sum, mut area) = ([0.0; 3], 0.0);
    for facet in polytope.facets() {
        let offsets = facet.iter().map(|&v| sub(polytope.position(v), center));
        let offsets: Vec<[f64; 3]> = offsets.collect();
        for i in 2..offsets.len() {
            let [p, q, r] = [offsets[0], offsets[i - 1], offsets[i]];
            let twice = length_squared(cross(sub(q, p), sub(r, p))).sqrt();
            sum = add(sum, scale(add(add(p, q), r), twice / 3.0));
            area += twice;
        }
    }
    if area > 0.0 { add(center, scale(sum, 1.0 / area)) } else { center }
}
