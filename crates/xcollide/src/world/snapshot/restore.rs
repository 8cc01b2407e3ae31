//! Restores a world from a snapshot. Validates everything, as a snapshot may be damaged.

use super::RestoreError;
use super::record::{
    AskRecord, Exact, FeatureRecord, MeshRecord, ObjectRecord, OutcomeRecord, PairRecord, Point,
    QueryRecord, State, numbers,
};
use crate::PoseError;
use crate::brep::{FaceId, MeshError, PolygonMesh, VertexId};
use crate::broad::{Pair, ProxyId, ProxyIds};
use crate::interest::{Ask, InterestMatrix};
use crate::narrow::proximity::{Distance, Nearness};
use crate::narrow::relation::kind;
use crate::narrow::{
    Contact, Feature, Manifold, Model, Placed, Pose, Query, Reason, Witness, penetration,
};
use crate::world::hierarchy::Hierarchy;
use crate::world::objects::{LISTED, MOVED, Objects, STATIC};
use crate::world::pair_state::{Outcome, Response, measured};
use crate::world::{ObjectId, Proof, World};

/// Causes a new test.
const UNKNOWN: Outcome = Outcome::Undecided(Reason::OutOfTime);

/// A limit, so that check numbers never overflow.
const MOST_CHECKS: u64 = 1 << 62;

/// Fills an empty world with layers.
pub(super) fn world(state: &State, mut world: World) -> Result<World, RestoreError> {
    not_after(state.checks, MOST_CHECKS)?;
    not_after(state.application, MOST_CHECKS)?;
    not_after(state.since, state.checks + 1)?;
    world.check = state.checks;
    world.application = state.application;
    world.settled = state.settled;
    world.since = state.since;
    world.query = query(&state.query);
    let interest = InterestMatrix::restored(&state.interest);
    world.interest = interest.map_err(RestoreError::Interest)?;
    // The first check must run the broad phase.
    world.interest_touched = true;
    // The first check computes all boxes.
    world.widened = true;
    objects(state, &mut world.objects)?;
    let mut before = None;
    for (place, record) in state.pairs.iter().enumerate() {
        let restored = pair(record, before, &mut world, state);
        before = Some(restored.map_err(|what| RestoreError::Pair(place, what))?);
    }
    Ok(world)
}

/// Refuses numbers of future checks.
fn not_after(found: u64, last: u64) -> Result<(), RestoreError> {
    if found > last { Err(RestoreError::Check { found, last }) } else { Ok(()) }
}

fn query(record: &QueryRecord) -> Query {
    let mut query = Query::new()
        .semantics(record.semantics.clone().into())
        .certificate(record.certificate.clone().into())
        .stats(record.stats)
        .grain(record.grain.clone().into());
    query.budget = record.budget;
    query
}

fn objects(state: &State, objects: &mut Objects) -> Result<(), RestoreError> {
    let models = state.models.iter().enumerate();
    let models = models.map(|(number, record)| model(number, record));
    let models = models.collect::<Result<Vec<Model>, RestoreError>>()?;
    let mut locals = vec![Pose::IDENTITY; state.slots.len()];
    for (index, slot) in state.slots.iter().enumerate() {
        let Some(record) = &slot.object else { continue };
        if index as u64 > u64::from(ProxyId::MAX_INDEX) {
            return Err(RestoreError::FreeIndices);
        }
        let id = ObjectId::new(index as u32, slot.generation);
        let model = models.get(record.model as usize).ok_or(RestoreError::DanglingModel {
            object: id,
            model: record.model,
            models: models.len(),
        })?;
        not_after(record.changed, state.checks)?;
        let [pose, world] =
            poses(record, model).map_err(|source| RestoreError::Pose(id, source))?;
        locals[index] = pose;
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(record.is_static, STATIC)
            | flag(record.listed, LISTED)
            | flag(record.listed && record.moved, MOVED);
        objects.restore(id, model, &world, flags);
        objects.changed[index] = record.changed;
        objects.data[index] = record.data;
    }
    let is_object = |index: u32| {
        let slot = state.slots.get(index as usize);
        slot.is_some_and(|slot| slot.object.is_some())
    };
    let generations = state.slots.iter().map(|slot| slot.generation).collect();
    let without = state.slots.iter().filter(|slot| slot.object.is_none()).count();
    let is_right = state.free.len() == without && !state.free.iter().any(|&free| is_object(free));
    let ids = ProxyIds::from_parts(generations, state.free.clone()).filter(|_| is_right);
    objects.set_ids(ids.ok_or(RestoreError::FreeIndices)?);
    let hierarchy = Hierarchy::of_attachments(&state.attached, &locals, &objects.poses, is_object);
    objects.hierarchy = hierarchy.map_err(|[child, parent]| RestoreError::Parent(child, parent))?;
    Ok(())
}

fn model(number: usize, record: &MeshRecord) -> Result<Model, RestoreError> {
    let refused = |source: MeshError| RestoreError::Mesh(number, source);
    let positions = record.positions.iter().map(numbers).collect();
    let mut mesh = PolygonMesh::from_positions(positions).map_err(refused)?;
    let uneven = RestoreError::Faces(number);
    let mut corners = record.corners.as_slice();
    let mut contours = record.contours.iter();
    let mut contour = || {
        let count = *contours.next()? as usize;
        let (contour, rest) = corners.split_at_checked(count)?;
        corners = rest;
        Some(contour)
    };
    let all_single = record.faces.is_empty();
    let faces = if all_single { record.contours.len() } else { record.faces.len() };
    for face in 0..faces {
        let outer = contour().ok_or(uneven)?;
        let mut holes = Vec::new();
        for _ in 1..if all_single { 1 } else { record.faces[face] } {
            holes.push(contour().ok_or(uneven)?);
        }
        mesh.push_face_with_holes(outer, &holes).map_err(refused)?;
    }
    let none_left = contour().is_none() && corners.is_empty();
    if !none_left {
        return Err(uneven);
    }
    Model::from_mesh(mesh).map_err(refused)
}

fn pose(stored: &[Exact; 12]) -> Result<Pose, PoseError> {
    let [a, b, c, d, e, f, g, h, i, x, y, z] = numbers(stored);
    Pose::from_stored([[a, b, c], [d, e, f], [g, h, i]], [x, y, z])
}

/// The pose as set, and in the world.
fn poses(record: &ObjectRecord, model: &Model) -> Result<[Pose; 2], PoseError> {
    let local = pose(&record.pose)?;
    let world = record.placed.as_ref().map_or(Ok(local), pose)?;
    Placed::new(model, &world)?;
    Ok([local, world])
}

fn pair(
    record: &PairRecord,
    before: Option<Pair>,
    world: &mut World,
    state: &State,
) -> Result<Pair, &'static str> {
    let [a, b] = [record.a, record.b].map(|[index, generation]| ProxyId::new(index, generation));
    if a.index() == b.index() || a > b {
        return Err("its objects are equal or in the wrong order");
    }
    let known = |id: ProxyId| (id.index() as usize) < state.slots.len();
    if !known(a) || !known(b) {
        return Err("one of its objects does not exist");
    }
    let pair = Pair::new(a, b);
    if before.is_some_and(|before| before >= pair) {
        return Err("it is not greater than the pair before");
    }
    if record.tested > state.checks {
        return Err("it was tested in a future check");
    }
    let objects = &world.objects;
    let is_removed = |id: &ObjectId| !objects.is_alive(*id);
    world.gone.extend([a.into(), b.into()].iter().filter(|id| is_removed(id)));
    let placed = [a, b].map(|id| match objects.is_alive(id.into()) {
        true => objects.placed(id.index() as usize),
        false => None,
    });
    let mut response = None;
    let (outcome, contacts, distance, kind) = match placed {
        [Some(a), Some(b)] => {
            let missing = "it refers to a missing part of a model";
            let outcome = outcome(&record.outcome, a.model(), b.model()).ok_or(missing)?;
            let contacts = contacts(&record.contacts, a, b).ok_or(missing)?;
            let distance = match &record.distance {
                None => None,
                Some(stored) => Some(measured(Distance {
                    value: stored.value.0,
                    points: points(&stored.points),
                    faces: faces(stored.faces, a.model(), b.model()).ok_or(missing)?,
                })),
            };
            // Found again, as it depends on the two placed models alone.
            let wanted = matches!(record.ask, AskRecord::Kind) && outcome.collides();
            let kind = if wanted { kind(a, b, world.query.semantics) } else { None };
            response = match record.ask {
                _ if !outcome.collides() => None,
                AskRecord::Depth => penetration(a, b).ok().flatten().map(Response::Depth),
                // Its points are new ones.
                AskRecord::Manifold => {
                    Manifold::of(a, b, None).ok().flatten().map(Response::Manifold)
                }
                _ => None,
            };
            (outcome, contacts, distance, kind)
        }
        // For removed objects, only the end is reported.
        _ => (UNKNOWN, Vec::new(), None, None),
    };
    let state = world.pairs.restore(pair, record.absent, record.colliding);
    state.late = record.late;
    state.waited = record.waited;
    state.tested = record.tested;
    state.ask = Ask::from(&record.ask);
    state.outcome = outcome;
    state.restore(contacts, distance, kind, response);
    Ok(pair)
}

/// `None` if a feature does not exist in the model; likewise below.
fn outcome(record: &OutcomeRecord, a: &Model, b: &Model) -> Option<Outcome> {
    Some(match record {
        OutcomeRecord::Apart => Outcome::Apart,
        OutcomeRecord::Unknown => UNKNOWN,
        OutcomeRecord::Witness { a: of_a, b: of_b, point } => {
            let (of_a, of_b) = (feature(of_a, a)?, feature(of_b, b)?);
            let witness = Witness { a: of_a, b: of_b, point: numbers(point) };
            Outcome::Collides(Proof::Witness(witness))
        }
        OutcomeRecord::Near { points: stored, faces: of_both } => {
            let faces = faces(*of_both, a, b)?;
            Outcome::Collides(Proof::Near(Nearness { points: points(stored), faces }))
        }
    })
}

fn feature(record: &FeatureRecord, model: &Model) -> Option<Feature> {
    Some(match *record {
        FeatureRecord::Face(number) => Feature::Face(face(number, model)?),
        FeatureRecord::Edge { face: number, ends: [p, q] } => Feature::Edge {
            face: face(number, model)?,
            ends: [vertex(p, model)?, vertex(q, model)?],
        },
        FeatureRecord::Vertex(number) => Feature::Vertex(vertex(number, model)?),
        FeatureRecord::Body => Feature::Body,
    })
}

fn face(number: u32, model: &Model) -> Option<FaceId> {
    ((number as usize) < model.mesh().face_count()).then_some(FaceId(number))
}

fn vertex(number: u32, model: &Model) -> Option<VertexId> {
    ((number as usize) < model.mesh().vertex_count()).then_some(VertexId(number))
}

fn faces(stored: Option<[u32; 2]>, a: &Model, b: &Model) -> Option<Option<[FaceId; 2]>> {
    match stored {
        None => Some(None),
        Some([s, t]) => Some(Some([face(s, a)?, face(t, b)?])),
    }
}

fn points(stored: &[Point; 2]) -> [[f64; 3]; 2] {
    stored.each_ref().map(numbers)
}

/// Recomputes the contacts of triangles. If these do not meet, an object has moved since, and the pair is
/// tested again.
fn contacts(stored: &[[u64; 2]], a: Placed<'_>, b: Placed<'_>) -> Option<Vec<Contact>> {
    let mut contacts = Vec::new();
    for &[s, t] in stored {
        let [s, t] = [(s, a), (t, b)].map(|(number, placed)| {
            let number = usize::try_from(number).ok()?;
            (number < placed.model().triangulation().len()).then_some(number)
        });
        contacts.extend(Contact::of_triangles(a, s?, b, t?));
    }
    Some(contacts)
}
