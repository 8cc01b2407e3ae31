//! The fail-safe: of a proposed frame, what would intersect is stopped, so that nothing ever does.
//!
//! At the start of a frame nothing touches. Each vertex goes straight to its new place, as do those of the bodies, and the
//! exact engine tells which vertices and faces, edges and edges would touch on the way: without a contact nothing touches
//! at the end either. Where there are contacts, the vertices of the cloth that are part of them are stopped:
//!
//! 1. first short of the contact;
//! 2. if that does not do, where they were at the start; beside a body that moves, where it carries them: the straight
//!    ways of a body and of what it carries are at any time one affine map of the start, so they do not touch;
//! 3. if that does not do either, with their neighbours;
//! 4. where even that changes nothing, as what a body carries meets what stands, these are put back to the start for good; and so
//!    are those around them, as long as there are contacts.
//!
//! At last all vertices are at the start. Beside bodies at rest nothing touches then. Bodies that squeeze the cloth between
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
    // Those that are put back to the start for good.
    let mut is_put_back = vec![false; cloth];
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
            if is_put_back[vertex] {
                continue;
            }
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
            if round == MOST_ROUNDS {
                now_changed[..cloth].fill(true);
            }
            was_put_back = true;
            for vertex in (0..cloth).filter(|&vertex| now_changed[vertex]) {
                was_put_back &= is_put_back[vertex];
                (is_put_back[vertex], held[vertex]) = (true, Some(None));
                around.points[vertex].end = around.points[vertex].start;
                ever[vertex] = true;
            }
        }
        changed = Some(now_changed);
    }
    Ok(ever.into_iter().filter(|&ever| ever).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide::brep::PolygonMesh;
    use xcollide::math::Pose;
    use xcollide::narrow::Model;
    use xcollide::predicates::moving::MovingPoint;

    /// A triangle sinks into a table, which carries it against a wall: it is put back. Another one, far away, gets where it
    /// should.
    #[test]
    fn only_what_is_stuck_is_put_back() {
        let low = [[0.9, 0.0, 0.01], [0.9, 0.2, 0.01], [0.7, 0.1, 0.01]];
        let positions = [low, low.map(|[x, y, _]| [x, y, 5.0])].concat();
        let mesh = PolygonMesh::from_polygons(positions.clone(), [[0, 1, 2], [3, 4, 5]]);
        let cloth = Model::from_mesh(mesh.unwrap_or_default()).unwrap_or_else(|e| panic!("{e}"));
        let body = |spec: &str| {
            let mesh = xcollide_scenes::shape(spec).unwrap_or_else(|error| panic!("{error}"));
            Model::from_mesh(mesh).unwrap_or_else(|error| panic!("{error}"))
        };
        let [table, wall] = ["shape:box?x=8&y=8&z=1", "shape:box?x=1&y=8&z=1"].map(body);
        let mut around = Surroundings::new(6, [(0, table), (1, wall)].into_iter());
        let poses = |x: f64| [[x, 0.0, -0.5], [1.5, 0.0, 0.5]].map(Pose::from_translation);
        around.move_bodies([&poses(0.0), &poses(0.5)]);
        let ends: Vec<_> = positions.iter().map(|&at| add(at, [0.0, 0.0, -0.1])).collect();
        for (point, (&start, &end)) in around.points.iter_mut().zip(positions.iter().zip(&ends)) {
            *point = MovingPoint::new(start, end);
        }
        let neighbours = [[1, 2], [2, 0], [0, 1], [4, 5], [5, 3], [3, 4]].map(|two| two.to_vec());
        let mut meshes = around.moving_meshes(&cloth).unwrap_or_else(|error| panic!("{error}"));
        let contacts = around.contacts(&mut meshes, None).map(|contacts| contacts.len());
        assert!(contacts.is_ok_and(|count| count > 0), "nothing was at stake");
        assert_eq!(stop(&mut around, &mut meshes, &neighbours), Ok(3));
        let reached: Vec<_> = around.points[..6].iter().map(|point| point.end).collect();
        assert_eq!(reached, [&positions[..3], &ends[3..]].concat());
        assert_eq!(around.contacts(&mut meshes, None).map(|contacts| contacts.len()), Ok(0));
    }
}
