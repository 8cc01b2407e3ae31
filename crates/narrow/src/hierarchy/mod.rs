//! Bounding volume hierarchies over the triangles of a model, as [`BvhPair`](crate::mesh::BvhPair)
//! descends them.

pub(crate) mod bvh_pair;
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

use xcollide_bvh::Counter;
use xcollide_bvh::levels::{LevelFront, Levels};
use xcollide_bvh::wide::Visit;
use xcollide_math::Pose;
use xcollide_predicates::Point;

use crate::Model;
use tree_builder::TreeBuilder;

/// A hierarchy over the triangles of a model, in the model's frame.
pub trait Hierarchy: Clone + Send + Sync + 'static {
    /// The name of the algorithm that descends two of these.
    const NAME: &'static str;

    /// Whether [`candidates`](Self::candidates) may show a pair more than once.
    const REPEATS: bool = false;

    /// Whether [`along`](Self::along) needs no other tree, so that any query of the model may use it.
    const FAST_RAYS: bool = false;

    /// The kind in words, such as `"a box-tree"`: see [`TreeBuilder::builds`].
    const KIND: &'static str;

    /// How it is built; the default suits most models.
    type Settings: Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static;

    /// Scratch memory of queries.
    type Scratch: Default + Send + Sync + 'static;

    /// Part of a search of two of these.
    type Part: Send + Sync;
    /// What [`coherent`](Self::coherent) keeps from query to query.
    type Front: Default + Send + Sync + 'static;

    /// The settings of a builder; `None` if it is for another kind of hierarchy.
    fn settings(builder: &TreeBuilder) -> Option<Self::Settings>;

    /// Builds the hierarchy; `None` if the model has more triangles than it can number.
    fn build(model: &Model, settings: &Self::Settings) -> Option<Self>;

    /// Fits the hierarchy to its model, whose vertices have [moved](Model::moved), and builds the parts again that have become
    /// much slower to query; `false` if the whole must be built again, for instance because the number of triangles
    /// changed. `triangles_kept`: whether they are still the same.
    fn refit_to(&mut self, moved: &Model, settings: &Self::Settings, triangles_kept: bool) -> bool;

    /// Its memory in bytes.
    fn memory(&self) -> usize;

    /// Shows `visit` pairs of triangle numbers, among them all pairs that meet when each corner is moved
    /// by [`Pose::apply`]. Ends when `visit` breaks, or `work`, which counts every test and is
    /// [called](xcollide_bvh::Counter::go_on) at every pair of nodes.
    fn candidates(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        visit: impl Visit,
    );

    /// Adds to `found` the numbers of all triangles that have a point in common with a segment in the
    /// world when each corner is moved by [`Pose::apply`]; others and repetitions are allowed. `false`,
    /// with nothing added, if it cannot.
    fn along(
        placed: (&Self, &Pose),
        segment: [Point; 2],
        scratch: &mut Self::Scratch,
        found: &mut Vec<u32>,
    ) -> bool;

    /// Cuts the search for [`candidates`](Self::candidates) into at least `at_least` parts, if there are so
    /// many, in the order of the search: together they show and count the same. A hierarchy that [repeats](Self::REPEATS)
    /// pairs cuts into the same parts whatever `at_least` is, as each part counts the pairs that it shows.
    fn parts(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        at_least: usize,
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        parts: &mut Vec<Self::Part>,
    );

    /// The [`candidates`](Self::candidates) of one [part](Self::parts) of the search.
    fn candidates_below(
        part: &Self::Part,
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        visit: impl Visit,
    );

    /// [`candidates`](Self::candidates) for the first pair that meets, at which `visit` breaks, using the
    /// `front` of an earlier query of these hierarchies at nearly the same poses. May show a pair more than once. `world` gives
    /// the corners of two triangles in the world. The provided method ignores the front.
    #[inline]
    fn coherent(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        front: &mut Self::Front,
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        visit: impl Visit,
        world: &mut dyn FnMut(u32, u32) -> [[Point; 3]; 2],
    ) {
        let _ = (front, world);
        Self::candidates(a, b, scratch, work, visit);
    }
}

/// [`Hierarchy::coherent`] by the levels of any hierarchy.
pub(crate) fn coherent_by_levels<H: Hierarchy + Levels>(
    a: (&H, &Pose),
    b: (&H, &Pose),
    front: &mut LevelFront<H::Volume>,
    scratch: &mut H::Scratch,
    work: &mut impl Counter,
    mut visit: impl Visit,
) {
    let mut exact = |s, t| visit.pair(s, t);
    let _ = front.search([a, b], work, &mut exact, |work, exact| {
        let mut flow = ControlFlow::Continue(());
        H::candidates(a, b, scratch, work, |s, t| {
            flow = exact(s, t);
            flow
        });
        flow
    });
}
