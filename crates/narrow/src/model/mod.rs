//! Models: shared geometry and the data that algorithms keep with it.

mod components;
pub(crate) mod formula;
pub(crate) mod formula_side;
mod measures;
mod moved;
mod placed;
mod prepared;

use std::sync::{Arc, OnceLock};

use xcollide_bounds::Aabb;
use xcollide_brep::{Brep, Interior, MeshError, PolygonMesh, Topology, Triangulation, VertexId};
use xcollide_math::PoseError;

use crate::Pose;

pub(crate) use components::Component;
use components::Components;
pub use formula::Formula;
use measures::Measures;
pub use moved::{ModelVersion, MovingMeshError};
pub use placed::Placed;
pub use prepared::PreparedData;
use prepared::Slots;

/// A body or surface for queries: a polyhedron (b-rep, triangulation, and the data that algorithms keep with it), or a body
/// [given by a formula](Self::from_formula).
///
/// Cheap to clone (one `Arc`), and can be placed any number of times. Never changes, but for the handle through which
/// [`set_positions`](Self::set_positions) moves the vertices: other handles keep what they had. The triangles over the
/// moved vertices decide collisions: faces with more than three corners are triangulated once, so that all
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
    measures: Measures,
    used_vertices: Arc<[VertexId]>,
    components: OnceLock<Components>,
    prepared: Slots,
    version: ModelVersion,
    /// Then the mesh is empty.
    formula: Option<Formula>,
    /// Memory for the triangulation of moved vertices.
    spare: Triangulation,
}

impl Model {
    /// The model of a b-rep. Triangulates the faces: linear time for triangles and convex faces.
    #[must_use]
    pub fn new(brep: Brep) -> Self {
        Self { shared: Arc::new(Shared::of_brep(brep)) }
    }

    /// The model of a body given by a formula. Its mesh is empty: algorithms for meshes refuse it, with
    /// [`Reason::NotAccepted`](crate::Reason::NotAccepted) or [`QueryError::NoMesh`](crate::QueryError::NoMesh), and
    /// [`Formulas`](crate::formula::Formulas), which [`Auto`](crate::combine::Auto) chooses, answers.
    ///
    /// ```
    /// use xcollide_convex::shape::Cylinder;
    /// use xcollide_narrow::{Formula, Model, Pose, intersects};
    ///
    /// let can = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 0.5)?));
    /// let ground = Model::from_formula(Formula::HalfSpace);
    /// let at = Pose::from_translation([3.0, 4.0, 1.25]);
    /// assert!(!intersects((&can, &at), (&ground, &Pose::IDENTITY))?);
    /// let at = Pose::from_translation([3.0, 4.0, 0.75]);
    /// assert!(intersects((&can, &at), (&ground, &Pose::IDENTITY))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_formula(formula: Formula) -> Self {
        let mut shared = match Brep::new(PolygonMesh::new()) {
            Ok(brep) => Shared::of_brep(brep),
            Err(_) => unreachable!("an empty mesh has few elements"),
        };
        shared.measures = Measures::of_box(formula.box_at(&Pose::IDENTITY));
        shared.formula = Some(formula);
        Self { shared: Arc::new(shared) }
    }

    /// The formula, if the model is given by one.
    #[inline]
    #[must_use]
    pub fn formula(&self) -> Option<&Formula> {
        self.shared.formula.as_ref()
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
        self.shared.brep.interior()
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
        self.shared.measures.local_box
    }

    /// The largest magnitude of a coordinate of a corner; 0 without faces.
    #[cfg(feature = "classic")]
    pub(crate) fn extent(&self) -> f64 {
        self.shared.measures.extent
    }

    /// [`Placed::world_box`](crate::Placed::world_box) for the model at a pose.
    #[inline]
    #[must_use]
    pub fn box_at(&self, pose: &Pose) -> Aabb {
        let mut aabb = Aabb::EMPTY;
        self.write_box_at(pose, &mut aabb);
        aabb
    }

    /// Writes [`box_at`](Self::box_at) to its place: one that is returned is copied there, and the copy has to wait for it.
    #[inline]
    pub fn write_box_at(&self, pose: &Pose, aabb: &mut Aabb) {
        let Measures { local_box, radius, .. } = &self.shared.measures;
        if let Some(formula) = &self.shared.formula {
            *aabb = formula.box_at(pose);
        } else if *pose == Pose::IDENTITY {
            *aabb = *local_box;
        } else {
            *aabb = local_box.transformed_with_ball(*radius, pose);
        }
    }

    /// Whether the model stays within the range of f64 at a pose.
    #[inline]
    pub(crate) fn check(&self, pose: &Pose) -> Result<(), PoseError> {
        match &self.shared.formula {
            None => self.shared.measures.check(pose),
            Some(formula) => formula.placed(pose).map(drop),
        }
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
        let Shared { components, triangulation, used_vertices, .. } = &*self.shared;
        let build = || Components::new(self.mesh().positions(), triangulation, used_vertices);
        components.get_or_init(build).list()
    }

    /// Whether two handles refer to the same model.
    #[must_use]
    #[inline]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl Shared {
    fn of_brep(brep: Brep) -> Self {
        let triangulation = brep.mesh().triangulate();
        let positions = brep.mesh().positions();
        let mut used = vec![false; positions.len()];
        for vertex in triangulation.triangles().iter().flatten() {
            used[vertex.index()] = true;
        }
        let used_vertices: Arc<[VertexId]> =
            (0..used.len()).filter(|&v| used[v]).map(VertexId::from_index).collect();
        Self {
            measures: Measures::new(positions, &used_vertices),
            brep,
            triangulation,
            used_vertices,
            components: OnceLock::new(),
            prepared: Slots::default(),
            version: ModelVersion::new(),
            formula: None,
            spare: Triangulation::default(),
        }
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Model");
        if let Some(formula) = self.formula() {
            return shown.field("formula", formula).finish();
        }
        shown
            .field("faces", &self.mesh().face_count())
            .field("triangles", &self.triangulation().len())
            .field("topology", &self.topology())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PreparedData for u64 {}

    impl PreparedData for String {}

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
