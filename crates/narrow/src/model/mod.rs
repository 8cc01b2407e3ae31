//! Models: shared, immutable geometry and the data that algorithms keep with it.

mod placed;
mod prepared;

use std::sync::{Arc, OnceLock};

use xcollide_bounds::{Aabb, Sphere};
use xcollide_brep::{Brep, Interior, MeshError, PolygonMesh, Topology, Triangulation, VertexId};
use xcollide_math::vector::largest;

use xcollide_math::PoseError;

use crate::Pose;

pub use placed::Placed;
pub use prepared::PreparedData;
use prepared::Slots;

/// A polyhedron for queries: b-rep, triangulation, and the data that algorithms keep with it.
///
/// Immutable, cheap to clone (one `Arc`), and can be placed any number of times. The triangles over the moved
/// vertices decide collisions: faces with more than three corners are triangulated once, so that all
/// algorithms test the same surface.
///
/// ```
/// use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::Model;
///
/// let mesh = PolygonMesh::from_polygons(
///     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
///     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// )?;
/// let model = Model::from_mesh(mesh)?;
/// assert_eq!(model.triangulation().len(), 4);
/// # Ok::<(), xcollide_brep::MeshError>(())
/// ```
#[derive(Clone)]
pub struct Model {
    shared: Arc<Shared>,
}

struct Shared {
    brep: Brep,
    triangulation: Triangulation,
    local_box: Aabb,
    /// The largest magnitude of a coordinate; 0 if there are no faces.
    extent: f64,
    /// The largest distance of a used vertex from the center of the box, rounded.
    radius: f64,
    used_vertices: Vec<VertexId>,
    components: OnceLock<Vec<Component>>,
    prepared: Slots,
}

impl Model {
    /// The model of a b-rep. Triangulates the faces: linear time for triangles and convex faces.
    #[must_use]
    pub fn new(brep: Brep) -> Self {
        let triangulation = brep.mesh().triangulate();
        let positions = brep.mesh().positions();
        let mut used = vec![false; positions.len()];
        for vertex in triangulation.triangles().iter().flatten() {
            used[vertex.index()] = true;
        }
        let used_vertices: Vec<VertexId> =
            (0..used.len()).filter(|&v| used[v]).map(VertexId::from_index).collect();
        let local_box = Aabb::from_points(used_vertices.iter().map(|v| positions[v.index()]));
        let sides = local_box.min.iter().chain(&local_box.max);
        let extent = sides.fold(0.0, |most: f64, side| most.max(side.abs()));
        let used_positions: Vec<[f64; 3]> =
            used_vertices.iter().map(|v| positions[v.index()]).collect();
        let radius = Sphere::about(local_box.center(), &used_positions).radius;
        Self {
            shared: Arc::new(Shared {
                brep,
                triangulation,
                local_box,
                extent: if local_box.is_empty() { 0.0 } else { extent },
                radius,
                used_vertices,
                components: OnceLock::new(),
                prepared: Slots::default(),
            }),
        }
    }

    /// The model of a mesh, without repairs.
    ///
    /// # Errors
    /// The mesh has more elements than 32-bit ids can number.
    pub fn from_mesh(mesh: PolygonMesh) -> Result<Self, MeshError> {
        Ok(Self::new(Brep::new(mesh)?))
    }

    /// The b-rep with its classification.
    #[must_use]
    pub fn brep(&self) -> &Brep {
        &self.shared.brep
    }

    /// The polygons.
    #[must_use]
    pub fn mesh(&self) -> &PolygonMesh {
        self.shared.brep.mesh()
    }

    /// The kind of polyhedron.
    #[must_use]
    pub fn topology(&self) -> Topology {
        self.shared.brep.topology()
    }

    /// Whether and by which rule the surface bounds a body.
    #[must_use]
    pub fn interior(&self) -> Interior {
        self.shared.brep.classification().interior()
    }

    /// The triangles that decide collisions.
    #[must_use]
    pub fn triangulation(&self) -> &Triangulation {
        &self.shared.triangulation
    }

    /// The box of all vertices that faces use, in the model's frame.
    #[inline]
    #[must_use]
    pub fn local_box(&self) -> Aabb {
        self.shared.local_box
    }

    /// [`Placed::world_box`](crate::Placed::world_box) for the model at a pose.
    #[inline]
    #[must_use]
    pub fn box_at(&self, pose: &Pose) -> Aabb {
        let Shared { local_box, radius, .. } = &*self.shared;
        if *pose == Pose::IDENTITY {
            return *local_box;
        }
        local_box.transformed_with_ball(*radius, pose)
    }

    /// Whether the model stays within the range of f64 at a pose.
    #[inline]
    pub(crate) fn check(&self, pose: &Pose) -> Result<(), PoseError> {
        let [x, y, z] = pose.translation();
        // A world coordinate is at most √3 · extent + the largest of the translation; the rest is for
        // rounding. The sum instead of the largest makes the test faster.
        if (4.0 * self.shared.extent + 2.0 * (x.abs() + y.abs() + z.abs())).is_finite() {
            return Ok(());
        }
        self.check_exactly(pose)
    }

    #[cold]
    fn check_exactly(&self, pose: &Pose) -> Result<(), PoseError> {
        pose.check()?;
        let extent = self.shared.extent;
        let translation = largest(pose.translation());
        if (4.0 * extent + 2.0 * translation).is_finite() || self.local_box().is_empty() {
            return Ok(());
        }
        Err(PoseError::OutOfRange { extent, translation })
    }

    /// The vertices that faces use, ascending. Other vertices do not belong to the model.
    #[must_use]
    pub fn used_vertices(&self) -> &[VertexId] {
        &self.shared.used_vertices
    }

    /// The connected pieces of the surface (those that share no vertex number), in ascending order of their
    /// smallest vertices. Built on the first call in nearly linear time.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        self.shared
            .components
            .get_or_init(|| components(self.mesh().positions(), self.triangulation().triangles()))
    }

    /// Whether two handles refer to the same model.
    #[must_use]
    #[inline]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("faces", &self.mesh().face_count())
            .field("triangles", &self.triangulation().len())
            .field("topology", &self.topology())
            .finish()
    }
}

/// A connected piece of a model's surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Component {
    /// Its smallest vertex.
    pub vertex: VertexId,
    /// Vertices with the smallest x, y, z and the largest x, y, z in the model's frame. If the piece is in a
    /// body, all of them are in the body's box.
    pub extremes: [VertexId; 6],
}

/// The sets of triangles connected by vertices (union–find with path halving; the smaller root wins).
fn components(positions: &[[f64; 3]], triangles: &[[VertexId; 3]]) -> Vec<Component> {
    let mut parent: Vec<u32> = (0..positions.len() as u32).collect();
    fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
        while parent[vertex as usize] != vertex {
            let above = parent[parent[vertex as usize] as usize];
            parent[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }
    for [a, b, c] in triangles {
        for other in [b, c] {
            let (ra, rb) = (root(&mut parent, a.0), root(&mut parent, other.0));
            parent[ra.max(rb) as usize] = ra.min(rb);
        }
    }
    let mut roots: Vec<u32> = triangles.iter().map(|t| root(&mut parent, t[0].0)).collect();
    roots.sort_unstable();
    roots.dedup();
    let start = |vertex: VertexId| Component { vertex, extremes: [vertex; 6] };
    let mut components: Vec<Component> = roots.iter().map(|&v| start(VertexId(v))).collect();
    for &vertex in triangles.iter().flatten() {
        let Ok(of) = roots.binary_search(&root(&mut parent, vertex.0)) else { continue };
        let position = positions[vertex.index()];
        for axis in 0..3 {
            let [low, high] = [axis, axis + 3];
            let extremes = &mut components[of].extremes;
            if position[axis] < positions[extremes[low].index()][axis] {
                extremes[low] = vertex;
            }
            if position[axis] > positions[extremes[high].index()][axis] {
                extremes[high] = vertex;
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PreparedData for u64 {}

    impl PreparedData for String {}

    #[test]
    fn pieces_that_share_no_vertex_are_found() {
        let v = |t: [u32; 3]| t.map(VertexId);
        let triangles = [v([7, 8, 9]), v([4, 2, 3]), v([3, 5, 4]), v([6, 6, 6]), v([9, 1, 8])];
        let mut positions = vec![[0.0; 3]; 11];
        positions[5] = [-1.0, 2.0, 0.0];
        positions[3] = [0.0, 3.0, -4.0];
        let found = components(&positions, &triangles);
        let smallest: Vec<u32> = found.iter().map(|piece| piece.vertex.0).collect();
        assert_eq!(smallest, [1, 2, 6]);
        assert_eq!(found[1].extremes, [5, 2, 3, 2, 3, 2].map(VertexId));
    }

    /// A thread of a pool that builds in parallel may take up a query of the same model meanwhile.
    #[cfg(feature = "parallel")]
    #[test]
    fn threads_of_a_pool_do_not_wait_for_each_other() -> Result<(), Box<dyn std::error::Error>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
        for _ in 0..20 {
            let model = Model::from_mesh(PolygonMesh::new())?;
            let slow = |_: &Model| {
                // Both halves, and what else there is to do, by whoever is free.
                let half = || std::thread::sleep(std::time::Duration::from_millis(1));
                rayon::join(half, half);
                7_u64
            };
            let found = pool.install(|| {
                use rayon::iter::{IntoParallelIterator, ParallelIterator};
                let ask = |_| model.prepared(slow);
                (0..16).into_par_iter().map(ask).collect::<Vec<_>>()
            });
            assert!(found.iter().all(|one| Arc::ptr_eq(one, &found[0]) && **one == 7));
        }
        Ok(())
    }

    #[test]
    fn prepared_data_is_built_once() -> Result<(), MeshError> {
        let model = Model::from_mesh(PolygonMesh::new())?;
        let mut built = 0;
        for _ in 0..3 {
            let value = model.prepared(|_| {
                built += 1;
                String::from("tree")
            });
            assert_eq!(*value, "tree");
        }
        assert_eq!(built, 1);
        Ok(())
    }

    /// A build may be spread over threads that ask for the same: nobody waits for it there.
    #[test]
    fn threads_that_a_build_needs_may_ask_for_it() -> Result<(), MeshError> {
        let model = Model::from_mesh(PolygonMesh::new())?;
        let value = model.prepared(|model| {
            let asked = std::thread::scope(|scope| {
                scope.spawn(|| model.prepared(|_| String::from("first"))).join().is_ok()
            });
            assert!(asked);
            String::from("second")
        });
        assert_eq!(*value, "first");
        Ok(())
    }
}
