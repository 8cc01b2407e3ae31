//! The test of a pair in which an object moves during the check.

use super::{OUT_OF_RANGE, Outcome, PairState, Proof, Testing};
use crate::interest::Ask;
use crate::math::Path;
use crate::narrow::continuous::{
    MeshesVerdict, MotionVerdict, Moving, MovingMesh, TimeInterval, WithinVerdict, meshes_contact,
    time_of_contact, time_within,
};
use crate::narrow::proximity;
use crate::narrow::relation::kind;
use crate::narrow::{Model, Placed, QueryError, Reason, Verdict};
use crate::world::objects::Objects;

impl PairState {
    #[inline]
    pub(super) fn is_in_motion(&self, objects: &Objects) -> bool {
        let moves = |slot: usize| objects.motions.of(slot).is_some();
        !objects.motions.is_empty() && self.indices().into_iter().any(moves)
    }

    /// The outcome for two models on their paths.
    ///
    /// # Errors
    /// Why a pose of a path cannot be used.
    pub(super) fn decide_in_motion(
        &mut self,
        models: [&Model; 2],
        testing: &Testing<'_>,
    ) -> Result<Outcome, String> {
        let paths = self.indices().map(|slot| testing.objects.path(slot));
        if let Some(detail) = &mut self.detail {
            detail.contacts.clear();
        }
        if let Ask::Distance { up_to } = self.ask {
            let poses = paths.map(|path| path.at(1.0));
            let [a, b] = placed(models, &poses)?;
            let distance = proximity::distance(a, b, testing.query.semantics);
            self.detail.get_or_insert_default().distance =
                distance.filter(|distance| distance.value <= up_to);
        }
        if self.ask == Ask::Kind {
            let poses = paths.map(|path| path.at(1.0));
            let [a, b] = placed(models, &poses)?;
            self.set_kind(kind(a, b, testing.query.semantics));
        }
        if matches!(self.ask, Ask::Depth | Ask::Manifold) {
            let poses = paths.map(|path| path.at(1.0));
            let [a, b] = placed(models, &poses)?;
            self.find_response(a, b);
        }
        let has_formula = self.has_formula(testing.objects);
        let found = match self.ask {
            Ask::Within { tolerance } if tolerance != 0.0 => {
                near_in_motion(models, paths, tolerance, testing)
            }
            _ if !has_formula && paths.iter().all(|path| path.is_translation()) => {
                contact_of_translations(models, paths, testing)
            }
            _ => contact_of_paths(models, paths, testing),
        };
        let found = found.map_err(|error| error.to_string())?;
        if !has_formula
            && let (Ask::Contacts { limit }, Outcome::Collides(Proof::InMotion { time, .. })) =
                (self.ask, found)
        {
            let undecided = self.list_contacts(models, paths, (limit, time), testing)?;
            return Ok(undecided.map_or(found, Outcome::Undecided));
        }
        Ok(found)
    }

    /// Lists the contacts of the poses at the end of an interval, or if they do not touch then, at the latest time that is
    /// still in one of the width asked for. The reason if the list is undecided.
    fn list_contacts(
        &mut self,
        models: [&Model; 2],
        paths: [&dyn Path; 2],
        (limit, TimeInterval { lo, hi }): (usize, TimeInterval),
        testing: &Testing<'_>,
    ) -> Result<Option<Reason>, String> {
        for time in [hi, (lo + testing.time_width).clamp(hi, 1.0)] {
            let poses = paths.map(|path| path.at(time));
            let [a, b] = placed(models, &poses)?;
            let (cache, contacts) =
                (&mut self.cache, &mut self.detail.get_or_insert_default().contacts);
            let listing =
                testing.narrow.contact_overlaps(a, b, testing.query, limit, cache, contacts);
            match listing.verdict {
                Verdict::Collides(_) => break,
                Verdict::Undecided(reason) => return Ok(Some(reason)),
                Verdict::Apart(_) => {}
            }
        }
        Ok(None)
    }
}

/// The first contact on any paths.
fn contact_of_paths(
    models: [&Model; 2],
    paths: [&dyn Path; 2],
    testing: &Testing<'_>,
) -> Result<Outcome, QueryError> {
    let [a, b] = [0, 1].map(|k| Moving::new(models[k], paths[k]));
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

/// The first contact of two translations: exact, so no contact is too short.
fn contact_of_translations(
    models: [&Model; 2],
    paths: [&dyn Path; 2],
    testing: &Testing<'_>,
) -> Result<Outcome, QueryError> {
    let moving = |k: usize| MovingMesh::between(models[k], &paths[k].at(0.0), &paths[k].at(1.0));
    let verdict = meshes_contact(&moving(0)?, &moving(1)?, testing.time_width, testing.query)?;
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
    models: [&Model; 2],
    paths: [&dyn Path; 2],
    tolerance: f64,
    testing: &Testing<'_>,
) -> Result<Outcome, QueryError> {
    let [a, b] = [0, 1].map(|k| Moving::new(models[k], paths[k]));
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
    [of_a, of_b]: &'a [crate::Pose; 2],
) -> Result<[Placed<'a>; 2], String> {
    match (Placed::new(a, of_a), Placed::new(b, of_b)) {
        (Ok(a), Ok(b)) => Ok([a, b]),
        _ => Err(OUT_OF_RANGE.to_owned()),
    }
}
