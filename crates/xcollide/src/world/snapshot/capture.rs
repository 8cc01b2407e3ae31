//! Writes a world into a snapshot.

use std::collections::BTreeMap;

use super::record::{
    AskRecord, DistanceRecord, Exact, FeatureRecord, MeshRecord, ObjectRecord, OutcomeRecord,
    PairRecord, QueryRecord, SlotRecord, State, exact,
};
use crate::brep::{FaceId, PolygonMesh};
use crate::broad::ProxyId;
use crate::narrow::proximity::BoundedDistance;
use crate::narrow::{Feature, Pose, Query};
use crate::world::mark::Mark;
use crate::world::objects::{LISTED, MOVED, Objects};
use crate::world::pair_state::{Outcome, PairState};
use crate::world::{Proof, World};

pub(super) fn state(world: &World) -> State {
    let objects = &world.objects;
    let ids = objects.settled_ids();
    let (models, slots) = tables(objects, ids.generations());
    State {
        checks: world.check,
        application: world.application,
        settled: world.settled,
        since: world.since,
        query: query(&world.query),
        models,
        slots,
        free: ids.free().to_vec(),
        attached: objects.hierarchy.attachments(),
        interest: world.interest.store(),
        pairs: world
            .pairs
            .all()
            .map(|(state, mark, absent)| pair(objects, state, mark, absent))
            .collect(),
    }
}

fn tables(objects: &Objects, generations: &[u32]) -> (Vec<MeshRecord>, Vec<SlotRecord>) {
    let mut models = Vec::new();
    // Handles of one model share the address of their mesh.
    let mut places: BTreeMap<*const PolygonMesh, u32> = BTreeMap::new();
    let slots = generations.iter().enumerate().map(|(slot, &generation)| {
        let model = objects.models.get(slot).and_then(Option::as_ref);
        let object = model.map(|model| {
            let place = places.entry(model.mesh()).or_insert_with(|| {
                models.push(mesh(model.mesh()));
                models.len() as u32 - 1
            });
            object(objects, slot, *place)
        });
        SlotRecord { generation, object }
    });
    let slots = slots.collect();
    (models, slots)
}

fn object(objects: &Objects, slot: usize, model: u32) -> ObjectRecord {
    let (pose, transform) = (objects.pose(slot as u32), objects.poses[slot]);
    let has = |flag: u8| objects.flags[slot] & flag != 0;
    ObjectRecord {
        model,
        pose: numbers_of(pose),
        placed: (transform != *pose).then(|| numbers_of(&transform)),
        changed: objects.changed[slot],
        data: objects.data[slot],
        is_static: objects.is_static(slot),
        listed: has(LISTED),
        moved: has(MOVED),
    }
}

fn numbers_of(pose: &Pose) -> [Exact; 12] {
    let ([r, s, t], [x, y, z]) = (*pose.rotation(), pose.translation());
    exact([r[0], r[1], r[2], s[0], s[1], s[2], t[0], t[1], t[2], x, y, z])
}

fn mesh(mesh: &PolygonMesh) -> MeshRecord {
    let (mut corners, mut contours, mut faces) = (Vec::new(), Vec::new(), Vec::new());
    for face in mesh.faces() {
        for contour in face.contours() {
            corners.extend(contour.iter().map(|vertex| vertex.0));
            contours.push(contour.len() as u32);
        }
        faces.push(face.contours().len() as u32);
    }
    if faces.iter().all(|&contours| contours == 1) {
        faces.clear();
    }
    let positions = mesh.positions().iter().map(|&point| exact(point)).collect();
    MeshRecord { positions, corners, contours, faces }
}

fn query(query: &Query) -> QueryRecord {
    QueryRecord {
        semantics: query.semantics.into(),
        certificate: query.certificate.into(),
        stats: query.stats,
        budget: query.budget,
        grain: query.grain.into(),
    }
}

fn pair(objects: &Objects, state: &PairState, mark: &Mark, absent: u8) -> PairRecord {
    let parts = |id: ProxyId| [id.index(), id.generation()];
    let ids = [state.pair.a, state.pair.b];
    // A result is never reported after an object has changed, and may then refer to a removed model.
    let is_current = ids.iter().all(|&id| {
        let slot = id.index() as usize;
        objects.is_alive(id.into())
            && objects.flags[slot] & MOVED == 0
            && objects.changed[slot] <= state.tested
    });
    // A distance that the time ended is measured again.
    let known = (is_current && !state.distance_is_unfinished()).then_some(state);
    let contacts = known.map_or(&[][..], PairState::contacts);
    PairRecord {
        a: parts(state.pair.a),
        b: parts(state.pair.b),
        absent,
        colliding: mark.has(Mark::COLLIDING),
        late: state.late,
        waited: state.waited,
        tested: state.tested,
        ask: AskRecord::from(&state.ask),
        outcome: known.map_or(OutcomeRecord::Unknown, |state| outcome(&state.outcome)),
        contacts: contacts.iter().map(|contact| contact.triangles.map(|t| t as u64)).collect(),
        distance: known.and_then(PairState::distance).map(|BoundedDistance { nearest, .. }| {
            DistanceRecord {
                value: Exact(nearest.value),
                points: nearest.points.map(exact),
                faces: nearest.faces.map(face_numbers),
            }
        }),
    }
}

fn outcome(outcome: &Outcome) -> OutcomeRecord {
    match outcome {
        Outcome::Apart => OutcomeRecord::Apart,
        Outcome::Collides(Proof::Witness(witness)) => {
            match (feature(&witness.a), feature(&witness.b)) {
                (Some(a), Some(b)) => OutcomeRecord::Witness { a, b, point: exact(witness.point) },
                _ => OutcomeRecord::Unknown,
            }
        }
        Outcome::Collides(Proof::Near(nearness)) => OutcomeRecord::Near {
            points: nearness.points.map(exact),
            faces: nearness.faces.map(face_numbers),
        },
        // What an object has touched on its way says nothing of the pose at its end.
        Outcome::Collides(Proof::InMotion { .. } | Proof::NearInMotion { .. })
        | Outcome::Undecided(_)
        | Outcome::Failed => OutcomeRecord::Unknown,
    }
}

/// `None` for features added after this layout.
fn feature(feature: &Feature) -> Option<FeatureRecord> {
    Some(match *feature {
        Feature::Face(face) => FeatureRecord::Face(face.0),
        Feature::Edge { face, ends } => {
            FeatureRecord::Edge { face: face.0, ends: ends.map(|vertex| vertex.0) }
        }
        Feature::Vertex(vertex) => FeatureRecord::Vertex(vertex.0),
        Feature::Body => FeatureRecord::Body,
        _ => return None,
    })
}

fn face_numbers(faces: [FaceId; 2]) -> [u32; 2] {
    faces.map(|face| face.0)
}
