//! The fail-safe: of a proposed frame, what would intersect is stopped, so that nothing ever does.
//!
//! At the start of a frame nothing touches. Each vertex goes straight to its new place, as do those of the bodies, and the
//! exact engine tells which vertices and faces, edges and edges would touch on the way: without a contact nothing touches
//! at the end either. Where there are contacts, the vertices of the cloth that are part of them are stopped:
//!
//! 1. first short of the contact;
//! 2. if that does not do, where they were at the start; beside a body that moves, where it carries them: the straight
//!    ways of a body and of what it carries are at any time one affine map of the start, so they do not touch;
//! 3. if that does not do either, with their neighbours.
//!
//! At last all vertices are put back to the start. Beside bodies at rest nothing touches then. Bodies that squeeze the cloth between
//! them leave no way; then the frame is refused, not passed. Sources: Provot, *Collision and Self-Collision Handling in
//! Cloth Model Dedicated to Design Garments*, 1997, and Bridson, Fedkiw and Anderson 2002 (zones of impact that move as one);
//! Bridson, Marino and Fedkiw, *Simulation of Clothing with Folds and Wrinkles*, 2003.

use xcollide::math::vector::{add, scale, sub};

use super::surroundings::{MovingMeshes, Surroundings};

/// Rounds in which vertices stop short of the contact.
const SHORT: usize = 3;
/// Rounds after which the neighbours are stopped, too.
const ALONE: usize = 8;
/// Rounds after which all vertices are put back to the start.
const MOST_ROUNDS: usize = 100;
/// The part of the way to a contact that is left.
const LEFT: f64 = 0.8;

/// Stops vertices of the cloth, the first points, until there is no contact. The number of vertices that did not get where
/// they should; an error if there is no way.
pub(super) fn stop(
    around: &mut Surroundings,
    meshes: &mut MovingMeshes,
    neighbours: &[Vec<u32>],
) -> Result<usize, String> {
    let cloth = neighbours.len();
    let mut changed: Option<Vec<bool>> = None;
    let mut ever = vec![false; cloth];
    // Those that stand, or are carried by a body.
    let mut held: Vec<Option<Option<usize>>> = vec![None; cloth];
    let mut was_put_back = false;
    for round in 0.. {
        let contacts = around.contacts(meshes, changed.as_deref())?;
        if contacts.is_empty() {
            break;
        }
        if was_put_back {
            return Err("bodies leave the cloth no way in this frame; slower ones will do".into());
        }
        let bodies = &around.bodies;
        let mut now_changed = vec![false; around.points.len()];
        // How far each vertex gets, and by which body it is carried.
        let mut parts = vec![1.0_f64; cloth];
        let mut carriers: Vec<Option<usize>> = vec![None; cloth];
        for (meeting, contact) in contacts {
            let points = meeting.points().map(|point| point as usize);
            // A moving body, or one that already carries a vertex of the contact.
            let body = points.iter().find_map(|&point| match held.get(point) {
                Some(held) => held.flatten(),
                None => bodies.iter().rposition(|body| body.first <= point),
            });
            let body = body.filter(|&body| bodies[body].way().is_some());
            for vertex in points.into_iter().filter(|&point| point < cloth) {
                let with = if round < ALONE { &[] } else { neighbours[vertex].as_slice() };
                for vertex in with.iter().map(|&near| near as usize).chain([vertex]) {
                    now_changed[vertex] = true;
                    parts[vertex] = parts[vertex].min(LEFT * contact.time.lo);
                    carriers[vertex] = carriers[vertex].or(body);
                }
            }
        }
        let mut is_stuck = true;
        for vertex in (0..cloth).filter(|&vertex| now_changed[vertex]) {
            ever[vertex] = true;
            let point = &mut around.points[vertex];
            let (before, start) = (point.end, point.start);
            if round < SHORT && carriers[vertex].is_none() {
                point.end = add(start, scale(sub(before, start), parts[vertex]));
            } else {
                let carrier = held[vertex].flatten().or(carriers[vertex]);
                held[vertex] = Some(carrier);
                let way = carrier.and_then(|body| bodies[body].way());
                point.end = way.map_or(start, |[from, to]| to.apply(from.inverse().apply(start)));
            }
            is_stuck &= point.end == before && round >= ALONE;
        }
        if is_stuck || round == MOST_ROUNDS {
            was_put_back = true;
            for point in &mut around.points[..cloth] {
                point.end = point.start;
            }
            now_changed.fill(true);
            ever.fill(true);
        }
        changed = Some(now_changed);
    }
    Ok(ever.into_iter().filter(|&ever| ever).count())
}
