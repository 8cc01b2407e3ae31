//! The builder of a world.

use std::sync::Arc;
use std::time::Duration;

use super::World;
use super::batch::Batches;
use super::callbacks::Callbacks;
use super::cost_estimate::CostEstimate;
use super::degradation::Degradation;
use super::objects::Objects;
use super::pair_table::PairTable;
use super::ray_tree::RayTree;
use super::schedule::Schedule;
use crate::bounding::{AxisAligned, Bounding};
use crate::broad::{self, BroadPhase};
use crate::execution::{Execution, Serial};
use crate::interest::InterestMatrix;
use crate::narrow::combine::{Auto, Thresholds};
use crate::narrow::{NarrowPhase, Query};

/// Builds a [`World`]. Defaults:
///
/// | layer | default |
/// |---|---|
/// | bounding | [`AxisAligned`] |
/// | broad phase | [`broad::Auto`]; multithreaded if the execution is |
/// | narrow phase | [`Auto`]: convex pairs by `hybrid`, all others by `wide-obb` |
/// | execution | [`Serial`] |
///
/// ```
/// use xcollide::prelude::*;
/// use xcollide::{bounding::DynamicBox, broad::classic::SweepAndPrune, execution::Parallel};
///
/// let world = World::builder()
///     .bounding(DynamicBox)
///     .broad_phase(SweepAndPrune::new())
///     .execution(Parallel::new())
///     .query(Query::new().semantics(Semantics::Surface))
///     .build();
/// assert_eq!(world.broad_phase().name(), "sweep-and-prune");
/// ```
#[must_use = "`build` makes the world"]
pub struct WorldBuilder {
    bounding: Box<dyn Bounding>,
    broad: Option<Box<dyn BroadPhase>>,
    narrow: Box<dyn NarrowPhase>,
    execution: Box<dyn Execution>,
    query: Query,
    interest: InterestMatrix,
    coherent: bool,
    schedule: Option<Schedule>,
    degradation: Option<Degradation>,
}

impl Default for WorldBuilder {
    fn default() -> Self {
        Self {
            bounding: Box::new(AxisAligned),
            broad: None,
            narrow: Box::new(Auto::new()),
            execution: Box::new(Serial),
            query: Query::new(),
            interest: InterestMatrix::new(),
            coherent: false,
            schedule: None,
            degradation: None,
        }
    }
}

impl WorldBuilder {
    /// Sets how moving objects are bounded.
    pub fn bounding(self, bounding: impl Bounding + 'static) -> Self {
        self.boxed_bounding(Box::new(bounding))
    }

    /// As [`bounding`](Self::bounding), chosen at run time.
    pub fn boxed_bounding(self, bounding: Box<dyn Bounding>) -> Self {
        Self { bounding, ..self }
    }

    /// Sets the broad phase. It must be empty.
    pub fn broad_phase(self, broad: impl BroadPhase + 'static) -> Self {
        self.boxed_broad_phase(Box::new(broad))
    }

    /// As [`broad_phase`](Self::broad_phase), chosen at run time.
    pub fn boxed_broad_phase(self, broad: Box<dyn BroadPhase>) -> Self {
        Self { broad: Some(broad), ..self }
    }

    /// Sets the narrow phase.
    pub fn narrow_phase(self, narrow: impl NarrowPhase + 'static) -> Self {
        self.boxed_narrow_phase(Box::new(narrow))
    }

    /// As [`narrow_phase`](Self::narrow_phase), chosen at run time.
    pub fn boxed_narrow_phase(self, narrow: Box<dyn NarrowPhase>) -> Self {
        Self { narrow, ..self }
    }

    /// Sets the narrow phase to [`Auto`] with these sizes, such as those that `cargo xtask calibrate` measured
    /// on this machine. Answers do not depend on them.
    pub fn thresholds(self, thresholds: Thresholds) -> Self {
        self.narrow_phase(Auto::with(thresholds))
    }

    /// Sets the threads on which a check runs.
    pub fn execution(self, execution: impl Execution + 'static) -> Self {
        self.boxed_execution(Box::new(execution))
    }

    /// As [`execution`](Self::execution), chosen at run time.
    pub fn boxed_execution(self, execution: Box<dyn Execution>) -> Self {
        Self { execution, ..self }
    }

    /// Sets the query that all tests share: semantics, time per pair, statistics.
    pub fn query(self, query: Query) -> Self {
        Self { query, ..self }
    }

    /// Sets the initial interest matrix.
    pub fn interest(self, interest: InterestMatrix) -> Self {
        Self { interest, ..self }
    }

    /// Whether caches store more per pair, for slow motion; see
    /// [`PairCache::coherent`](crate::narrow::PairCache::coherent).
    pub fn coherent(self, coherent: bool) -> Self {
        Self { coherent, ..self }
    }

    /// Limits the time of all tests of a check and ranks the pairs.
    pub fn schedule(self, schedule: Schedule) -> Self {
        Self { schedule: Some(schedule), ..self }
    }

    /// Has checks that would take too long test approximately.
    pub fn degradation(self, degradation: Degradation) -> Self {
        Self { degradation: Some(degradation), ..self }
    }

    /// Builds a world without objects.
    #[must_use]
    pub fn build(self) -> World {
        let threads = self.execution.is_parallel();
        let auto = || -> Box<dyn BroadPhase> {
            Box::new(if threads { broad::Auto::parallel() } else { broad::Auto::new() })
        };
        World {
            objects: Objects::default(),
            interest: self.interest,
            interest_touched: false,
            bounding: self.bounding,
            broad: self.broad.unwrap_or_else(auto),
            narrow: self.narrow,
            execution: Arc::from(self.execution),
            query: self.query,
            pairs: PairTable::new(self.coherent),
            candidates: broad::Pairs::new(),
            schedule: self.schedule,
            degradation: self.degradation,
            callbacks: Callbacks::default(),
            gone: Vec::new(),
            check: 0,
            last_check: Duration::ZERO,
            application: 0,
            settled: false,
            since: 0,
            widened: false,
            poses_cost: CostEstimate::default(),
            bounds_cost: CostEstimate::default(),
            pair_cost: CostEstimate::default(),
            report_cost: CostEstimate::default(),
            batches: Batches::default(),
            time_width: 1e-9,
            ray_tree: RayTree::default(),
            former: super::Frame::new(),
        }
    }
}

impl std::fmt::Debug for WorldBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorldBuilder")
            .field("bounding", &self.bounding.name())
            .field("broad", &self.broad.as_ref().map(|broad| broad.name()))
            .field("narrow", &self.narrow.name())
            .field("execution", &self.execution.name())
            .field("query", &self.query)
            .finish_non_exhaustive()
    }
}
