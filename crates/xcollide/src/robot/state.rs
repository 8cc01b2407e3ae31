//! A robot in a configuration: which bodies meet, and how near they are.

use rustc_hash::FxHashMap;
use xcollide_scenes::Placement;

use super::{BodyId, Robot, RobotError};
use crate::bounds::Aabb;
use crate::narrow::{
    Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Verdict, Witness, proximity,
};
use crate::world::Proof;

/// A robot in a configuration, for queries one after the other.
///
/// Boxes of bodies rule out most pairs, in time linear in the number of [tested pairs](Robot::tested_pairs);
/// the default narrow phase ([`Auto`](crate::narrow::combine::Auto)) decides the others. The robot has prepared
/// its models for that.
#[derive(Debug)]
pub struct RobotState<'r> {
    robot: &'r Robot,
    links: Vec<Placement>,
    /// The pose and the box of each shape.
    poses: Vec<Pose>,
    boxes: Vec<Aabb>,
    /// The box of each body.
    bodies: Vec<Aabb>,
    /// By pair of shapes.
    caches: FxHashMap<[u32; 2], PairCache>,
    /// Memory of distance queries: squared distances of boxes, and the shapes.
    candidates: Vec<(f64, [u32; 2])>,
    stats: RobotStats,
    /// Why there is no configuration.
    failure: Option<RobotError>,
}

/// The least distance between two tested bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Clearance {
    /// The distance, in units of length; 0 if they collide, otherwise rounded as that of
    /// [`proximity::Distance`].
    pub distance: f64,
    /// The two bodies, the smaller first.
    pub bodies: [BodyId; 2],
    /// Their nearest points, in the frame of the base.
    pub points: [[f64; 3]; 2],
}

/// The work of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RobotStats {
    /// Pairs of bodies whose boxes were compared.
    pub box_tests: u64,
    /// Pairs of shapes that the narrow phase decided, or whose distance was measured.
    pub shape_tests: u64,
}

impl<'r> RobotState<'r> {
    pub(super) fn new(robot: &'r Robot) -> Result<Self, RobotError> {
        let mut state = Self {
            robot,
            links: Vec::new(),
            poses: Vec::with_capacity(robot.shapes.len()),
            boxes: Vec::with_capacity(robot.shapes.len()),
            bodies: Vec::with_capacity(robot.bodies.len()),
            caches: FxHashMap::default(),
            candidates: Vec::new(),
            stats: RobotStats::default(),
            failure: None,
        };
        state.set_joints(&vec![0.0; robot.description().joints().len()])?;
        Ok(state)
    }

    /// Moves the robot to a configuration: a value for each of the
    /// [joints](super::RobotDescription::joints) of its description, in their order. Limits are not enforced.
    ///
    /// # Errors
    /// There is another number of values, one is not finite or beyond ±10⁹, or a body gets beyond the range of
    /// f64. Queries then fail with the same error until a configuration is set.
    pub fn set_joints(&mut self, configuration: &[f64]) -> Result<(), RobotError> {
        let placed = self.place(configuration);
        self.failure = placed.as_ref().err().cloned();
        placed
    }

    fn place(&mut self, configuration: &[f64]) -> Result<(), RobotError> {
        let Robot { description, bodies, shapes, .. } = self.robot;
        description.place_links(configuration, &mut self.links)?;
        self.poses.clear();
        self.boxes.clear();
        self.bodies.clear();
        for body in bodies {
            let mut around = Aabb::EMPTY;
            for shape in &shapes[body.shapes.clone()] {
                let link = shape.link.map(|link| self.links[link].after(&shape.origin));
                let pose = link.unwrap_or(shape.origin).pose();
                let placed = Placed::new(&shape.model, &pose)
                    .map_err(|error| RobotError::Pose { name: body.name.clone(), error })?;
                let bounds = placed.world_box();
                around = around.merged(&bounds);
                self.boxes.push(bounds);
                self.poses.push(pose);
            }
            self.bodies.push(around);
        }
        Ok(())
    }

    /// Whether two bodies collide: have a point in common, or are within the
    /// [margin](Robot::set_margin). Exact; ends at the first such pair.
    ///
    /// # Errors
    /// The last configuration could not be [set](Self::set_joints).
    pub fn collides(&mut self) -> Result<bool, RobotError> {
        Ok(!self.find(1)?.is_empty())
    }

    /// All pairs of bodies that collide, the smaller body first, in order. Exact.
    ///
    /// # Errors
    /// The last configuration could not be [set](Self::set_joints).
    pub fn colliding_pairs(&mut self) -> Result<Vec<[BodyId; 2]>, RobotError> {
        self.find(usize::MAX)
    }

    /// Why two bodies count as colliding: a common point of two of their shapes, or with a
    /// [margin](Robot::set_margin) two near faces; `None` if they are apart. It does not depend on earlier queries. Faces are
    /// those of the first two shapes that meet, in the order of the [`shapes`](Self::shapes) of the first body.
    ///
    /// ```
    /// # use xcollide::robot::{Packages, Robot};
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scenes"))?;
    /// let arm = Robot::load("arm.urdf", Some("arm.srdf"), &Packages::new())?;
    /// let mut state = arm.state()?;
    /// for pair in state.colliding_pairs()? {
    ///     let proof = state.proof(pair)?.ok_or("they are apart")?;
    ///     println!("{} meets {} at {:?}", arm.name(pair[0]), arm.name(pair[1]), proof.point());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The last configuration could not be [set](Self::set_joints).
    pub fn proof(&mut self, pair: [BodyId; 2]) -> Result<Option<Proof>, RobotError> {
        self.begin()?;
        let shapes = pair
            .map(|body| self.robot.bodies.get(body.index()).map_or(0..0, |of| of.shapes.clone()));
        self.meet(shapes, true)
    }

    /// The least distance between two tested bodies, whatever the margin; 0 if two have a point in common,
    /// which is exact. `None` if no pair is tested.
    ///
    /// # Errors
    /// The last configuration could not be [set](Self::set_joints).
    pub fn distance(&mut self) -> Result<Option<Clearance>, RobotError> {
        self.begin()?;
        let robot = self.robot;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for [a, b] in robot.tested_pairs() {
            for s in robot.bodies[a.index()].shapes.clone() {
                for t in robot.bodies[b.index()].shapes.clone() {
                    let apart = self.boxes[s].distance_squared(&self.boxes[t]);
                    candidates.push((apart, [s as u32, t as u32]));
                }
            }
        }
        candidates.sort_unstable_by(|(x, s), (y, t)| x.total_cmp(y).then(s.cmp(t)));
        let nearest = self.nearest(&candidates);
        self.stats.box_tests += candidates.len() as u64;
        self.candidates = candidates;
        nearest
    }

    /// The work of the last query.
    #[must_use]
    pub fn stats(&self) -> RobotStats {
        self.stats
    }

    /// The models of a body with their poses in the frame of the base, as they are tested. Not meaningful after
    /// a failed [`set_joints`](Self::set_joints).
    pub fn shapes(&self, body: BodyId) -> impl Iterator<Item = (&Model, &Pose)> {
        let shapes = self.robot.bodies.get(body.index()).map_or(0..0, |body| body.shapes.clone());
        let poses = self.poses.get(shapes.clone()).unwrap_or_default();
        self.robot.shapes[shapes].iter().map(|shape| &shape.model).zip(poses)
    }

    fn begin(&mut self) -> Result<(), RobotError> {
        self.stats = RobotStats::default();
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// The first pairs that collide.
    fn find(&mut self, limit: usize) -> Result<Vec<[BodyId; 2]>, RobotError> {
        self.begin()?;
        let Robot { partners, bodies, margin, .. } = self.robot;
        let mut found = Vec::new();
        for (a, behind) in partners.iter().enumerate() {
            let around = self.bodies[a].expanded(*margin);
            for &b in behind {
                self.stats.box_tests += 1;
                if !around.overlaps(&self.bodies[b as usize]) {
                    continue;
                }
                let shapes = [a, b as usize].map(|body| bodies[body].shapes.clone());
                if self.meet(shapes, false)?.is_some() {
                    found.push([BodyId(a as u32), BodyId(b)]);
                    if found.len() == limit {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }

    /// The first shapes of two bodies that are within the margin; `afresh` it does not depend on earlier queries.
    fn meet(
        &mut self,
        [of_a, of_b]: [std::ops::Range<usize>; 2],
        afresh: bool,
    ) -> Result<Option<Proof>, RobotError> {
        let margin = self.robot.margin;
        for s in of_a {
            let around = self.boxes[s].expanded(margin);
            for t in of_b.clone() {
                if !around.overlaps(&self.boxes[t]) {
                    continue;
                }
                let proof = if margin > 0.0 {
                    self.stats.shape_tests += 1;
                    let [a, b] = placed(self.robot, &self.poses, [s, t])?;
                    proximity::within(a, b, margin, Semantics::Solid).map(Proof::Near)
                } else {
                    self.touch([s, t], afresh)?.map(Proof::Witness)
                };
                if proof.is_some() {
                    return Ok(proof);
                }
            }
        }
        Ok(None)
    }

    /// A common point of two shapes, if they have one; `afresh` it does not depend on earlier queries.
    fn touch(&mut self, shapes: [usize; 2], afresh: bool) -> Result<Option<Witness>, RobotError> {
        self.stats.shape_tests += 1;
        let [a, b] = placed(self.robot, &self.poses, shapes)?;
        let cache = self.caches.entry(shapes.map(|shape| shape as u32)).or_default();
        if afresh {
            cache.forget();
        }
        match self.robot.narrow.test(a, b, &Query::new(), cache) {
            Verdict::Collides(witness) => Ok(Some(witness)),
            Verdict::Apart(_) => Ok(None),
            Verdict::Undecided(reason) => {
                let [a, b] = shapes.map(|shape| name_of(self.robot, shape));
                Err(RobotError::Undecided { a, b, reason })
            }
        }
    }

    /// The least distance of the candidates, which are ordered by the distance of their boxes.
    fn nearest(&mut self, candidates: &[(f64, [u32; 2])]) -> Result<Option<Clearance>, RobotError> {
        /// The distance of boxes exceeds that of their shapes by rounding only.
        const ROUNDING: f64 = 1.0 - 1e-12;
        let mut nearest: Option<Clearance> = None;
        for &(apart, shapes) in candidates {
            if nearest.is_some_and(|nearest| apart.sqrt() * ROUNDING > nearest.distance) {
                break;
            }
            let bodies = shapes.map(|shape| BodyId(self.robot.shapes[shape as usize].body));
            let shapes = shapes.map(|shape| shape as usize);
            if apart == 0.0
                && let Some(witness) = self.touch(shapes, true)?
            {
                return Ok(Some(Clearance { distance: 0.0, bodies, points: [witness.point; 2] }));
            }
            self.stats.shape_tests += 1;
            let [a, b] = placed(self.robot, &self.poses, shapes)?;
            // With a limit it is much faster if they are farther apart.
            let found = match nearest {
                None => proximity::distance(a, b, Semantics::Solid),
                Some(Clearance { distance, .. }) => {
                    proximity::distance_within(a, b, distance, Semantics::Solid)
                }
            };
            let Some(found) = found else { continue };
            if nearest.is_none_or(|nearest| found.value < nearest.distance) {
                let (distance, points) = (found.value, found.points);
                nearest = Some(Clearance { distance, bodies, points });
            }
        }
        Ok(nearest)
    }
}

fn placed<'a>(
    robot: &'a Robot,
    poses: &'a [Pose],
    shapes: [usize; 2],
) -> Result<[Placed<'a>; 2], RobotError> {
    let place = |shape: usize| {
        let placed = Placed::new(&robot.shapes[shape].model, &poses[shape]);
        placed.map_err(|error| RobotError::Pose { name: name_of(robot, shape), error })
    };
    Ok([place(shapes[0])?, place(shapes[1])?])
}

fn name_of(robot: &Robot, shape: usize) -> String {
    robot.name(BodyId(robot.shapes[shape].body)).to_owned()
}
