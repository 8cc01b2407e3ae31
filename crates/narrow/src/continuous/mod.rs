//! Continuous collision detection: when two moving models first touch.
//!
//! [`time_of_contact`] is for bodies on any [`Path`]. It answers with an interval of time: the models are proved apart
//! up to its beginning, and touch, by an exact witness, at its end.
//!
//! [`meshes_contact`] is for vertices that move linearly: translations and deformations. It decides every case, and its
//! interval is as narrow as asked for. Where only one of the two moves so, and the other turns, [`time_of_contact`] takes
//! it as [`Moving::deforming`].
//!
//! [`PrimitivePairs`] lists all contacts of such meshes, or of one with itself: what a response to collisions needs.
//!
//! [`time_within`] tells when two bodies on paths first come within a distance.

mod advancement;
mod body_in_motion;
mod distance_contact;
mod drift;
mod early_end;
mod entry_time;
mod hull_time;
mod kinetic_queue;
mod mesh_trees;
mod meshes_contact;
mod meshes_separation;
mod motion_front;
mod moving_mesh;
mod primitive_pairs;
mod safe_time;
mod separation;
mod swept_boxes;
mod swept_hulls;
mod time_within;
mod trees_in_motion;
mod waiting_parts;

use std::borrow::Cow;

use xcollide_bounds::Obb;
use xcollide_bvh::binary::Bvh;
use xcollide_bvh::wide::WideTree;
use xcollide_math::{Path, PoseError};
use xcollide_predicates::triangle_pair_point;

use crate::combine::Auto;
use crate::hierarchy::prepared::prepared;
use crate::query::Deadline;
use crate::{
    Feature, Model, NarrowPhase, PairCache, Placed, Pose, Query, QueryError, Reason, Verdict,
    Witness,
};

pub use crate::MovingMeshError;
pub use crate::proof::Primitives;
pub use advancement::MotionClearance;
pub use meshes_contact::{MeshesContact, MeshesVerdict, TrianglesInContact, meshes_contact};
pub use meshes_separation::MeshesSeparation;
pub use moving_mesh::MovingMesh;
pub use primitive_pairs::{PrimitiveContact, PrimitiveContacts, PrimitivePairs};
pub use separation::MotionSeparation;
pub use time_within::{WithinVerdict, time_within};
pub use xcollide_predicates::moving::TimeInterval;

use body_in_motion::{Bodies, Step};
use early_end::EarlyEnd;
use kinetic_queue::KineticQueue;
use waiting_parts::{Look, Parts};

/// A model on a [`Path`], or one whose vertices move linearly.
#[derive(Clone, Copy)]
pub struct Moving<'a> {
    model: &'a Model,
    path: &'a dyn Path,
    deforming: Option<&'a MovingMesh>,
}

/// A moving model at a time.
struct AtTime<'a> {
    model: Cow<'a, Model>,
    pose: Pose,
}

impl AtTime<'_> {
    /// # Errors
    /// The pose cannot place the model.
    fn placed(&self) -> Result<Placed<'_>, PoseError> {
        Placed::new(&self.model, &self.pose)
    }
}

impl<'a> Moving<'a> {
    /// A model on a path: a [`Motion`](xcollide_math::Motion), a [`Pose`] at which it rests, or an own one.
    #[must_use]
    pub fn new(model: &'a Model, path: &'a dyn Path) -> Self {
        Self { model, path, deforming: None }
    }

    /// A model whose vertices move linearly, against one that does not: at each time it is where
    /// [`MovingMesh::positions_at`] has its vertices. Of a [formula](crate::Formula), which does not change its shape, the
    /// pose at time 0 counts.
    #[must_use]
    pub fn deforming(mesh: &'a MovingMesh) -> Self {
        if mesh.model().formula().is_some() {
            return Self::new(mesh.model(), mesh.start());
        }
        Self { model: mesh.model(), path: mesh.drift(), deforming: Some(mesh) }
    }

    /// The model, with the vertices of time 0.
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The path. If it [deforms](Self::deforming), one with the velocities of its vertices, about positions in the world.
    #[must_use]
    pub fn path(&self) -> &'a dyn Path {
        self.path
    }

    /// Builds what [`time_of_contact`] needs of the model; else the first query does.
    pub fn prepare(&self) {
        if self.deforming.is_none() {
            let _ = prepared::<Bvh<Obb>>(self.model);
        }
        if hull_time::is_for_hull(self.model) && self.deforming.is_none() {
            let _ = crate::convex::polytope_of(self.model);
        }
        let _ = prepared::<WideTree>(self.model);
        // The default algorithm refuses no model.
        let _ = Auto::new().prepare(self.model);
    }

    /// The model at a time. One that deforms is made anew, in linear time.
    fn at(&self, time: f64) -> AtTime<'a> {
        let Some(mesh) = self.deforming else {
            return AtTime { model: Cow::Borrowed(self.model), pose: self.path.at(time) };
        };
        // One position for each vertex, each between finite ones.
        match self.model.moved(mesh.positions_at(time)) {
            Ok(moved) => AtTime { model: Cow::Owned(moved), pose: Pose::IDENTITY },
            Err(_) => AtTime { model: Cow::Borrowed(self.model), pose: *mesh.start() },
        }
    }

    /// The pose at a time.
    ///
    /// # Errors
    /// The pose cannot place the model.
    fn pose(&self, time: f64) -> Result<Pose, PoseError> {
        let pose = self.path.at(time);
        Placed::new(self.model, &pose)?;
        Ok(pose)
    }
}

/// When two moving models first touch.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub enum MotionVerdict {
    /// They touch.
    Collides {
        /// They touch at this time, between 0 and 1.
        at_most: f64,
        /// What touches then.
        witness: Witness,
        /// The proof that they are apart before; `None` if they touch at time 0.
        apart: Option<MotionSeparation>,
    },
    /// They are apart at all times from 0 to 1.
    Apart(MotionSeparation),
    /// It was not found out.
    Undecided {
        /// Why not.
        reason: Reason,
        /// The proof for the times for which they are known to be apart; `None` if it is not known of any.
        apart: Option<MotionSeparation>,
    },
}

impl MotionVerdict {
    /// The times of first contact that are left: from the first for which the models are not proved apart to the one
    /// at which they touch, or 1. `None` if they are apart.
    ///
    /// The interval is of no length if the models touch at time 0.
    #[must_use]
    pub fn interval(&self) -> Option<TimeInterval> {
        let until =
            |apart: &Option<MotionSeparation>| apart.as_ref().map_or(0.0, MotionSeparation::until);
        match self {
            Self::Collides { at_most, apart, .. } => {
                Some(TimeInterval { lo: until(apart), hi: *at_most })
            }
            Self::Apart(_) => None,
            Self::Undecided { apart, .. } => Some(TimeInterval { lo: until(apart), hi: 1.0 }),
        }
    }
}

/// The most looks at the same parts. Some dozen suffice unless they slide along each other within rounding.
const MOST_LOOKS: u32 = 1 << 14;

/// When two moving models first touch, up to an interval of the given width in time.
///
/// The answer is about all times from 0 to 1: models that pass through each other between two poses collide. At
/// each time the poses of the paths decide, exactly, as in a query about placed models. `Collides` has a time at which
/// they touch, with a witness, and they are apart before that time less `width`. `Apart` holds of every moment.
///
/// Where the models come closer than some 1e-13 of their size and place, rounding does not let the bounds tell more.
/// If they touch after that, the interval is wider than asked; else the answer is `Undecided`, as after
/// [`Query::budget`]. So it is where bodies touch in a single moment and part again, as two segments do that cross.
///
/// Conservative advancement, pair by pair: parts of the models are apart for as long as bounds on their motion say, and so
/// on from then, or smaller parts of them are. Takes as a rule some hundred to a thousand such bounds. The first query of
/// a model builds its hierarchies.
///
/// Of models that are [formulas](crate::Formula), distances of the whole bodies are bounded. They are proved apart before,
/// and proved to meet at the time of contact; as an answer of [`formula`](crate::formula) has a small gap that rounding hides,
/// bodies that touch without getting into each other are `Undecided`. So is a half space that turns.
///
/// Of a model that [deforms](Moving::deforming) too, distances of the whole bodies are bounded, up to some dozen, each in linear
/// time and that of a distance query. Of two such models [`meshes_contact`] is faster, and decides every case.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_math::Motion;
/// use xcollide_narrow::continuous::{MotionVerdict, Moving, time_of_contact};
/// use xcollide_narrow::{Model, Pose, Query, intersects};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let unit_cube = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let cube = Model::from_mesh(unit_cube)?;
/// // From one side of the other cube, at rest, to its other side.
/// let [start, end] = [-5.0, 5.0].map(|x| Pose::from_translation([x, 0.5, 0.0]));
/// assert!(!intersects((&cube, &start), (&cube, &Pose::IDENTITY))?);
/// assert!(!intersects((&cube, &end), (&cube, &Pose::IDENTITY))?);
///
/// let motion = Motion::linear(start, end)?;
/// let (bullet, wall) = (Moving::new(&cube, &motion), Moving::new(&cube, &Pose::IDENTITY));
/// let verdict = time_of_contact(bullet, wall, 1e-9, &Query::new())?;
/// // After 4 of 10 units of the way.
/// let time = verdict.interval().ok_or("apart")?;
/// assert!(time.lo <= 0.4 && 0.4 <= time.hi && time.hi - time.lo <= 1e-9);
/// verdict.verify(bullet, wall, Default::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose of a path cannot place its model, or the width is NaN or negative.
pub fn time_of_contact(
    a: Moving<'_>,
    b: Moving<'_>,
    width: f64,
    query: &Query,
) -> Result<MotionVerdict, QueryError> {
    if width.is_nan() || width < 0.0 {
        return Err(QueryError::Width { width });
    }
    let by_distance =
        |moving: &Moving<'_>| moving.deforming.is_some() || moving.model().formula().is_some();
    if [a, b].iter().any(by_distance) {
        return distance_contact::time_of_contact(a, b, width, query);
    }
    Search::new(a, b, query, kinetic_queue::ROOM).run(width)
}

/// One query.
struct Search<'a, 'q> {
    bodies: Bodies<'a>,
    a: Moving<'a>,
    b: Moving<'a>,
    query: &'q Query,
    /// The most pairs of parts in the queue.
    room: usize,
    cache: PairCache,
}

/// The time that is so much later, at most 1.
fn after(now: f64, width: f64) -> f64 {
    let time = (now + width).min(1.0);
    // At most so wide, whatever the rounding.
    if time - now > width { time.next_down() } else { time }
}

/// What follows from another look.
enum Advance {
    GoesOn,
    /// They touch at this time.
    Contact(f64, Witness),
    /// Rounding does not let the bounds tell more.
    Stops,
}

impl<'a, 'q> Search<'a, 'q> {
    fn new(a: Moving<'a>, b: Moving<'a>, query: &'q Query, room: usize) -> Self {
        Self { bodies: Bodies::new([&a, &b]), a, b, query, room, cache: PairCache::new() }
    }

    fn run(&mut self, width: f64) -> Result<MotionVerdict, QueryError> {
        let mut deadline = Deadline::of(self.query, &self.cache);
        let start = match self.at(0.0)? {
            Verdict::Collides(witness) => {
                return Ok(MotionVerdict::Collides { at_most: 0.0, witness, apart: None });
            }
            Verdict::Undecided(reason) => {
                return Ok(MotionVerdict::Undecided { reason, apart: None });
            }
            Verdict::Apart(separation) => separation,
        };
        let mut apart = MotionSeparation::begin(start);
        let (mut reason, mut contact) = (None, None);
        if !self.bodies.have_triangles() {
            apart.go_on(1.0, 0);
        } else if let Some(mut queue) = KineticQueue::new(self.bodies, self.room) {
            let mut early_end = EarlyEnd::default();
            while let Some(first) = queue.pop() {
                if deadline.passed() {
                    reason = Some(Reason::OutOfTime);
                    break;
                }
                let found = if early_end.is_likely(queue.looks(), first.until, width) {
                    self.contact(after(first.until, width))?
                } else {
                    None
                };
                let advance = match found {
                    Some((at_most, witness)) => Advance::Contact(at_most, witness),
                    None => self.advance(&mut queue, first, width)?,
                };
                match advance {
                    Advance::GoesOn => continue,
                    Advance::Contact(at_most, witness) => {
                        if contact.is_none_or(|(known, _)| at_most < known) {
                            contact = Some((at_most, witness));
                        }
                    }
                    Advance::Stops => reason = Some(Reason::TooClose),
                }
                queue.end_at(first.until);
            }
            apart.go_on(queue.apart_until(), queue.looks());
        } else {
            reason = Some(Reason::NotAccepted);
        }
        if self.query.certificate != crate::Certificate::Free {
            apart.certify(&self.bodies);
        }
        Ok(match (contact, reason) {
            (Some((at_most, witness)), _) => {
                MotionVerdict::Collides { at_most, witness, apart: Some(apart) }
            }
            (None, Some(reason)) => MotionVerdict::Undecided { reason, apart: Some(apart) },
            (None, None) => MotionVerdict::Apart(apart),
        })
    }

    /// Looks again at the parts that are apart for the shortest time.
    fn advance(
        &mut self,
        queue: &mut KineticQueue<'_>,
        first: Look,
        width: f64,
    ) -> Result<Advance, QueryError> {
        let Look { parts, until: now, .. } = first;
        let is_last = match parts {
            Parts::Hulls => self.bodies.are_convex(),
            Parts::Nodes(_) => false,
            Parts::Triangles(_) => true,
        };
        if !is_last && !first.is_loose {
            queue.open(parts, now);
            return Ok(Advance::GoesOn);
        }
        let next = queue.look(first);
        if is_last
            && next.until < 1.0
            && next.until - now < 0.5 * width
            && let Some((at_most, witness)) = self.contact_after(now, width, parts)?
        {
            return Ok(Advance::Contact(at_most, witness));
        }
        if next.until > now && next.looks < MOST_LOOKS {
            queue.push(next);
            return Ok(Advance::GoesOn);
        }
        let Parts::Triangles(numbers) = parts else {
            queue.open(parts, now);
            return Ok(Advance::GoesOn);
        };
        // Closer than rounding lets the bounds tell. If they touch soon, that is told.
        let found = match self.contact_in_a_moment(now, numbers)? {
            Some(found) => Some(found),
            None => self.contact_at_last(now, width)?,
        };
        Ok(found.map_or(Advance::Stops, |(at_most, witness)| Advance::Contact(at_most, witness)))
    }

    /// A contact at most `width` after a time, where the models come close.
    fn contact_after(
        &mut self,
        now: f64,
        width: f64,
        parts: Parts,
    ) -> Result<Option<(f64, Witness)>, QueryError> {
        /// Parts of the width, for bodies that are through each other sooner.
        const PARTS: [f64; 3] = [1.0, 0.25, 0.0625];
        let times = PARTS.map(|part| after(now, part * width));
        if let Parts::Triangles(numbers) = parts {
            for time in times {
                if let Some(found) = self.contact_of_triangles(time, numbers)? {
                    return Ok(Some(found));
                }
            }
        }
        for time in times {
            if let Some(found) = self.contact(time)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The contact of two triangles at a time, if they touch then.
    fn contact_of_triangles(
        &mut self,
        time: f64,
        numbers: [u32; 2],
    ) -> Result<Option<(f64, Witness)>, QueryError> {
        let (_, _) = (self.a.pose(time)?, self.b.pose(time)?);
        let step = Step::new(&self.bodies, time, time);
        let [first, second] = [0, 1].map(|k| step.sides[k].triangle(numbers[k]));
        let face = |k: usize| {
            let triangulation = step.sides[k].model.triangulation();
            Feature::Face(triangulation.face_of(numbers[k] as usize))
        };
        Ok(triangle_pair_point(&first, &second)
            .map(|point| (time, Witness { a: face(0), b: face(1), point })))
    }

    /// A contact at the time, shortly after the given one, at which two triangles touch but for rounding: plates that
    /// pass through each other do so in one moment.
    fn contact_in_a_moment(
        &mut self,
        now: f64,
        numbers: [u32; 2],
    ) -> Result<Option<(f64, Witness)>, QueryError> {
        /// Numbers next to the guess that are tried on either side.
        const NEIGHBOURS: usize = 4;
        let step = Step::new(&self.bodies, now, 1.0).without_margins();
        let Some(safe) = step.best_of_triangles(numbers) else { return Ok(None) };
        let mut time = now + safe.time;
        for _ in 0..NEIGHBOURS {
            time = time.next_down();
        }
        for _ in 0..=2 * NEIGHBOURS {
            if now <= time
                && time <= 1.0
                && let Some(found) = self.contact(time)?
            {
                return Ok(Some(found));
            }
            time = time.next_up();
        }
        Ok(None)
    }

    /// A contact at or after a time, by steps that double, and then as early as bisection tells.
    fn contact_at_last(
        &mut self,
        now: f64,
        width: f64,
    ) -> Result<Option<(f64, Witness)>, QueryError> {
        let mut before = now;
        let mut step = width.max(f64::EPSILON);
        let mut found = self.contact(now)?;
        while found.is_none() && before < 1.0 {
            let time = (now + step).min(1.0);
            found = self.contact(time)?;
            before = if found.is_none() { time } else { before };
            step *= 2.0;
        }
        let Some(mut found) = found else { return Ok(None) };
        loop {
            let middle = before.midpoint(found.0);
            if middle <= before || middle >= found.0 {
                return Ok(Some(found));
            }
            match self.contact(middle)? {
                Some(earlier) => found = earlier,
                None => before = middle,
            }
        }
    }

    /// The contact of a time, if they touch then.
    fn contact(&mut self, time: f64) -> Result<Option<(f64, Witness)>, QueryError> {
        Ok(match self.at(time)? {
            Verdict::Collides(witness) => Some((time, witness)),
            _ => None,
        })
    }

    /// The verdict about the poses of a time.
    fn at(&mut self, time: f64) -> Result<Verdict, QueryError> {
        let (a, b) = (self.a.pose(time)?, self.b.pose(time)?);
        let placed = (Placed::new(self.a.model, &a)?, Placed::new(self.b.model, &b)?);
        Ok(Auto::new().test(placed.0, placed.1, self.query, &mut self.cache))
    }
}
