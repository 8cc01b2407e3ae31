//! What a hierarchy must be able to do for an algorithm to [descend](crate::mesh::BvhPair) two of them.

pub(crate) mod coherent;
pub(crate) mod kinds;
pub(crate) mod parallel_traversal;
pub(crate) mod prepared;
pub(crate) mod rays;
pub(crate) mod search;
pub(crate) mod tree_builder;
pub(crate) mod triangle_tests;
pub(crate) mod work;

use std::fmt;
use std::ops::ControlFlow;

use xcollide_brep::PolygonMesh;
use xcollide_bvh::NodePair;
use xcollide_bvh::wide::Visit;
use xcollide_math::Pose;

use crate::Model;
use coherent::Coherence;
use tree_builder::TreeBuilder;
use xcollide_bvh::Counter;

/// A hierarchy over the triangles of a model, in the model's own frame.
pub trait Hierarchy: Sized + Send + Sync + 'static {
    /// The name of the algorithm that descends two of these.
    const NAME: &'static str;

    /// Whether [`candidates`](Self::candidates) may show a pair more than once.
    const REPEATS: bool = false;

    /// Whether searches can be cut into [parts](Self::parts).
    const PARTS: bool = false;

    /// Whether [`along`](Self::along) builds nothing, so that any query of the model may use it.
    const FAST_RAYS: bool = false;

    /// What it is, in words, such as `"a box-tree"`: see [`TreeBuilder::builds`].
    const KIND: &'static str;

    /// How it is built; the default is what is best for most models.
    type Settings: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static;

    /// Memory that queries use again.
    type Scratch: Default + Send + 'static;

    /// The settings of a builder; `None` if it is one of another kind of hierarchy.
    fn settings(builder: &TreeBuilder) -> Option<Self::Settings>;

    /// Builds the hierarchy; `None` where the model has more triangles than it can number.
    fn build(model: &Model, settings: &Self::Settings) -> Option<Self>;

    /// The same hierarchy fitted to a new version of its model, whose vertices have
    /// [moved](Model::moved); `None` where it is to be built again, as for another number of
    /// triangles.
    fn refitted(&self, moved: &Model) -> Option<Self> {
        let _ = moved;
        None
    }

    /// The memory that it takes, in bytes.
    fn memory(&self) -> usize;

    /// Shows `visit` pairs of triangle numbers, among them all that meet in the world when each
    /// corner is moved by [`Pose::apply`], until it breaks off, or `work` does, which is told
    /// every test and [asked](xcollide_bvh::Counter::go_on) at every pair of nodes.
    fn candidates(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        visit: impl Visit,
    );

    /// Shows `found` triangles by their numbers, among them all that have a point in common with a
    /// segment in the world when each corner is moved by [`Pose::apply`]: for the question whether a
    /// point is in a body, which is a ray's. One may be shown more than once. `false`, and nothing was
    /// shown, where it cannot.
    ///
    /// By itself this builds a hierarchy over the segment and asks for its candidates, which takes
    /// longer than the search.
    fn along(
        placed: (&Self, &Pose),
        segment: [[f64; 3]; 2],
        scratch: &mut Self::Scratch,
        mut found: impl FnMut(u32),
    ) -> bool {
        let segment = PolygonMesh::from_polygons(segment.to_vec(), [[0, 1]]);
        let segment = segment.ok().and_then(|mesh| Model::from_mesh(mesh).ok());
        let Some(segment) = segment.and_then(|s| Self::build(&s, &Self::Settings::default()))
        else {
            return false;
        };
        Self::candidates(placed, (&segment, &Pose::IDENTITY), scratch, &mut (), |triangle, _| {
            found(triangle);
            ControlFlow::Continue(())
        });
        true
    }

    /// Cuts the search for candidates into at least so many parts, if there are, which are written to
    /// `parts` in the order of the search: what [`candidates_below`](Self::candidates_below) shows of
    /// each is together what [`candidates`](Self::candidates) shows, and they tell `work` the same.
    /// For those that have [`PARTS`](Self::PARTS); these must provide both.
    fn parts(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        at_least: usize,
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        parts: &mut Vec<NodePair>,
    ) {
        let _ = (a, b, at_least, scratch, work, parts);
    }

    /// A part of the search.
    fn candidates_below(
        part: NodePair,
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        visit: impl Visit,
    ) {
        let _ = part;
        Self::candidates(a, b, scratch, work, visit);
    }

    /// The same as [`candidates`](Self::candidates) for the first pair that meets, at which `visit` breaks off, of models of which
    /// nearly the same was asked before: `coherence` is what was remembered then. A pair may be
    /// shown more than once. `world` gives the corners of two triangles in the world.
    ///
    /// Only what can make use of that need do more than this, which remembers nothing.
    #[inline]
    fn coherent(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        coherence: &mut Coherence,
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        visit: impl Visit,
        world: impl FnMut(u32, u32) -> [[[f64; 3]; 3]; 2],
    ) {
        let _ = (coherence, world);
        Self::candidates(a, b, scratch, work, visit);
    }
}
