//! The test of a pair in which an object, or its vertices, move during the check.

use std::borrow::Cow;

use super::{OUT_OF_RANGE, Outcome, PairState, Proof, Testing, distance_up_to};
use crate::PoseError;
use crate::interest::Ask;
use crate::math::Path;
use crate::narrow::continuous::{
    MeshesVerdict, MotionVerdict, Moving, MovingMesh, TimeInterval, WithinVerdict, meshes_contact,
    time_of_contact, time_within,
};
use crate::narrow::relation::kind;
use crate::narrow::{Model, Placed, Pose, QueryError, Reason, Verdict};
use crate::world::objects::Objects;

impl PairState {
    #[inline]
    pub(super) fn is_in_motion(&self, objects: &Objects) -> bool {
        let moves = |slot: usize| {
            objects.motions.of(slot).is_some() || objects.deformations.of(slot).is_some()
        };
        let any_moves = !objects.motions.is_empty() || !objects.deformations.is_empty();
        any_moves && self.indices().into_iter().any(moves)
    }

    /// The outcome for two objects on their paths.
    ///
    /// # Errors
    /// Why a pose of a path cannot be used.
    pub(super) fn decide_in_motion(
        &mut self,
        models: [&Model; 2],
        testing: &Testing<'_>,
    ) -> Result<Outcome, String> {
        if let Some(detail) = &mut self.detail {
            detail.contacts.clear();
        }
        self.answer_at_end(models, testing)?;
        let has_formula = self.has_formula(testing.objects);
        let [a, b] = [0, 1].map(|k| InMotion::new(models[k], self.indices()[k], testing.objects));
        let found = match self.ask {
            Ask::Within { tolerance } if tolerance != 0.0 => {
                near_in_motion([&a, &b], tolerance, testing)
            }
            _ if !has_formula && [&a, &b].iter().all(|body| body.is_linear()) => {
                contact_of_meshes([&a, &b], testing)
            }
            _ => contact_of_paths([&a, &b], testing),
        };
        let found = found.map_err(|error| error.to_string())?;
        if !has_formula
            && let (Ask::Contacts { limit }, Outcome::Collides(Proof::InMotion { time, .. })) =
                (self.ask, found)
        {
            let undecided = self.list_contacts([&a, &b], (limit, time), testing)?;
            return Ok(undecided.map_or(found, Outcome::Undecided));
        }
        Ok(found)
    }

    /// Finds what is asked for of the end of the check.
    fn answer_at_end(&mut self, models: [&Model; 2], testing: &Testing<'_>) -> Result<(), String> {
        if !matches!(self.ask, Ask::Distance { .. } | Ask::Kind | Ask::Depth | Ask::Manifold) {
            return Ok(());
        }
        let slots = self.indices();
        let ends = slots.map(|slot| testing.objects.at_end(slot));
        let models = [0, 1].map(|k| ends[k].0.unwrap_or(models[k]));
        let poses = [ends[0].1, ends[1].1];
        let [a, b] = placed(models, &poses)?;
        let semantics = testing.query.semantics;
        match self.ask {
            Ask::Distance { up_to } => {
                self.detail.get_or_insert_default().distance =
                    distance_up_to(up_to, a, b, testing.query, &mut self.cache);
            }
            Ask::Kind => self.set_kind(kind(a, b, semantics)),
            _ => self.find_response(a, b),
        }
        Ok(())
    }

    /// Lists the contacts of the poses at the end of an interval, or if they do not touch then, at the latest time that is
    /// still in one of the width asked for. The reason if the list is undecided.
    fn list_contacts(
        &mut self,
        bodies: [&InMotion<'_>; 2],
        (limit, TimeInterval { lo, hi }): (usize, TimeInterval),
        testing: &Testing<'_>,
    ) -> Result<Option<Reason>, String> {
        for time in [hi, (lo + testing.time_width).clamp(hi, 1.0)] {
            let [of_a, of_b] = [bodies[0].at(time)?, bodies[1].at(time)?];
            let poses = [of_a.1, of_b.1];
            let [a, b] = placed([&of_a.0, &of_b.0], &poses)?;
            let (cache, contacts) =
                (&mut self.cache, &mut self.detail.get_or_insert_default().contacts);
            let listing =
                testing.exact.contact_overlaps(a, b, testing.query, limit, cache, contacts);
            match listing.verdict {
                Verdict::Collides(_) => break,
                Verdict::Undecided(reason) => return Ok(Some(reason)),
                Verdict::Apart(_) => {}
            }
        }
        Ok(None)
    }
}

/// One of two objects during the check.
struct InMotion<'a> {
    model: &'a Model,
    path: &'a dyn Path,
    /// How its vertices move, if they do.
    mesh: Option<&'a MovingMesh>,
}

impl<'a> InMotion<'a> {
    fn new(model: &'a Model, slot: usize, objects: &'a Objects) -> Self {
        let mesh = objects.deformations.of(slot).map(|deformation| &deformation.mesh);
        Self { model, path: objects.path(slot), mesh }
    }

    /// Whether all vertices go straight.
    fn is_linear(&self) -> bool {
        self.mesh.is_some() || self.path.is_translation()
    }

    /// For searches on any paths.
    fn moving(&self) -> Moving<'a> {
        match self.mesh {
            Some(mesh) => Moving::deforming(mesh),
            None => Moving::new(self.model, self.path),
        }
    }

    /// The mesh whose vertices go straight.
    fn mesh(&self) -> Result<Cow<'a, MovingMesh>, PoseError> {
        Ok(match self.mesh {
            Some(mesh) => Cow::Borrowed(mesh),
            None => {
                let [start, end] = [self.path.at(0.0), self.path.at(1.0)];
                Cow::Owned(MovingMesh::between(self.model, &start, &end)?)
            }
        })
    }

    /// The model at a time, and its pose.
    fn at(&self, time: f64) -> Result<(Cow<'a, Model>, Pose), String> {
        let Some(mesh) = self.mesh else {
            return Ok((Cow::Borrowed(self.model), self.path.at(time)));
        };
        let moved = self.model.moved(mesh.positions_at(time)).map_err(|error| error.to_string())?;
        Ok((Cow::Owned(moved), Pose::IDENTITY))
    }
}

/// The first contact on any paths.
fn contact_of_paths(
    bodies: [&InMotion<'_>; 2],
    testing: &Testing<'_>,
) -> Result<Outcome, QueryError> {
    let [a, b] = bodies.map(InMotion::moving);
    let verdict = time_of_contact(a, b, testing.time_width, testing.query)?;
    let time = verdict.interval();
    Ok(match (verdict, time) {
        (MotionVerdict::Collides { witness, .. }, Some(time)) => {
            Outcome::Collides(Proof::InMotion { witness, time, triangles: None })
        }
        (MotionVerdict::Undecided { reason, .. }, _) => Outcome::Undecided(reason),
        _ => Outcome::Apart,
    })
}

/// The first contact of two meshes whose vertices go straight: exact, so no contact is too short.
fn contact_of_meshes(
    [a, b]: [&InMotion<'_>; 2],
    testing: &Testing<'_>,
) -> Result<Outcome, QueryError> {
    let verdict = meshes_contact(&*a.mesh()?, &*b.mesh()?, testing.time_width, testing.query)?;
    Ok(match verdict {
        MeshesVerdict::Collides { contact, .. } => Outcome::Collides(Proof::InMotion {
            witness: contact.witness,
            time: contact.time,
            triangles: contact.triangles,
        }),
        MeshesVerdict::Apart(_) => Outcome::Apart,
        MeshesVerdict::Undecided { reason, .. } => Outcome::Undecided(reason),
    })
}

/// The first time within a tolerance, on any paths.
fn near_in_motion(
    bodies: [&InMotion<'_>; 2],
    tolerance: f64,
    testing: &Testing<'_>,
) -> Result<Outcome, QueryError> {
    let [a, b] = bodies.map(InMotion::moving);
    let verdict = time_within(a, b, tolerance, testing.time_width, testing.query)?;
    let time = verdict.interval();
    Ok(match (verdict, time) {
        (WithinVerdict::Near { nearness, .. }, Some(time)) => {
            Outcome::Collides(Proof::NearInMotion { nearness, time })
        }
        (WithinVerdict::Undecided { reason, .. }, _) => Outcome::Undecided(reason),
        _ => Outcome::Apart,
    })
}

fn placed<'a>(
    [a, b]: [&'a Model; 2],
    [of_a, of_b]: &'a [Pose; 2],
) -> Result<[Placed<'a>; 2], String> {
    match (Placed::new(a, of_a), Placed::new(b, of_b)) {
        (Ok(a), Ok(b)) => Ok([a, b]),
        _ => Err(OUT_OF_RANGE.to_owned()),
    }
}
