//! The parameters of the sources, as methods of the algorithms.

use super::closest_features::{
    ClosestFeaturesMemory, ClosestFeaturesSearch, FeatureDistance, closest_features,
};
use super::combined::CombinedSearch;
use super::half_space::CollisionCondition;
use super::perceptron::{InitialPlane, PerceptronSearch, Step};
use super::separating_vector::{FirstDirection, SeparatingVectorMemory, SeparatingVectorSearch};
use crate::PairCache;
use xcollide_convex::{HullFeature, Pair, VertexSearch};

use crate::convex::Certified;

impl Certified<SeparatingVectorSearch> {
    /// As Chung (1996) measured it: vertices by climbing from a table, contact by the hemisphere
    /// method.
    #[must_use]
    pub const fn thesis() -> Self {
        Self(SeparatingVectorSearch {
            most_steps: 200,
            greed: 1.0,
            condition: CollisionCondition::Hemisphere,
            support: VertexSearch::Tabled,
            first: FirstDirection::VertexMeans,
        })
    }

    /// α of the family 3.9, from 0 to 1 (the default): 1 is the whole reflection (formula 3.2), 0
    /// stops half way, square to r (formula 3.5).
    #[must_use]
    pub const fn greed(mut self, greed: f64) -> Self {
        self.0.greed = greed;
        self
    }

    /// Notices contact by the hemisphere method (Chung 1996, 4.2).
    #[must_use]
    pub const fn hemisphere(mut self) -> Self {
        self.0.condition = CollisionCondition::Hemisphere;
        self
    }

    /// Notices contact by the half-plane method (Chung 1996, 4.3).
    #[must_use]
    pub const fn half_planes(mut self) -> Self {
        self.0.condition = CollisionCondition::HalfPlanes;
        self
    }

    /// How farthest vertices are searched.
    #[must_use]
    pub const fn vertices_by(mut self, support: VertexSearch) -> Self {
        self.0.support = support;
        self
    }

    /// Begins along the line between the centroids of the surfaces instead of the means of the
    /// vertices, where nothing is remembered (Chung 1996, 3.4).
    #[must_use]
    pub const fn from_surface_centroids(mut self) -> Self {
        self.0.first = FirstDirection::SurfaceCentroids;
        self
    }

    /// How often the last query met vertices for the second time (Chung 1996, 6.2.1).
    #[must_use]
    pub fn recurrences(cache: &PairCache) -> usize {
        Self::memory(cache).map_or(0, SeparatingVectorMemory::recurrences)
    }
}

impl Certified<CombinedSearch> {
    /// The combined algorithm with this way to search separating vectors.
    #[must_use]
    pub const fn with(separating: Certified<SeparatingVectorSearch>) -> Self {
        Self(CombinedSearch { separating: separating.0 })
    }
}

impl Certified<ClosestFeaturesSearch> {
    /// The closest features of the hulls of a pair and their distance, walking from an earlier pair of
    /// features; features that the hulls do not have are ignored.
    ///
    /// O(1) expected where the features are those of a moment ago; from nowhere, some √n steps for n
    /// vertices. The two bounds on the distance usually agree to a few units in the last place of the
    /// size of the bodies.
    #[must_use]
    pub fn between(pair: &mut Pair<'_>, from: Option<[HullFeature; 2]>) -> FeatureDistance {
        closest_features(pair, from)
    }

    /// How many steps the last query took from feature to feature.
    #[must_use]
    pub fn steps(cache: &PairCache) -> u32 {
        Self::memory(cache).map_or(0, ClosestFeaturesMemory::steps)
    }
}

impl Certified<PerceptronSearch> {
    /// η: how far a vertex pulls the plane, whose normal has length 1 at first; 0.1 by default.
    #[must_use]
    pub const fn rate(mut self, rate: f64) -> Self {
        self.0.rate = rate;
        self
    }

    /// η is multiplied by this factor after each step; 1, for none, by default.
    #[must_use]
    pub const fn relaxation(mut self, factor: f64) -> Self {
        self.0.step = Step::Constant(factor);
        self
    }

    /// η is as large as the vertex is bad: the cosine between w and z.
    #[must_use]
    pub const fn adaptive(mut self) -> Self {
        self.0.step = Step::Adaptive;
        self
    }

    /// After how many iterations the search gives up; 100 by default.
    #[must_use]
    pub const fn most_iterations(mut self, iterations: u32) -> Self {
        self.0.most_iterations = iterations;
        self
    }

    /// Begins with the plane x = 0 instead of half way between the means of the vertices.
    #[must_use]
    pub const fn from_trivial_plane(mut self) -> Self {
        self.0.initial = InitialPlane::Trivial;
        self
    }

    /// Begins half way between the centers of the bounding boxes in the models' frames.
    #[must_use]
    pub const fn from_box_centers(mut self) -> Self {
        self.0.initial = InitialPlane::BoxCenters;
        self
    }

    /// Leaves out the bounding box phase.
    #[must_use]
    pub const fn without_boxes(mut self) -> Self {
        self.0.boxes = false;
        self
    }
}
