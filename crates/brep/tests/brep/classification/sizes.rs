//! Nothing takes quadratic time: large meshes in which one element has very many neighbours.
//!
//! There is no clock here. A quadratic step would take minutes at these sizes.

use super::shapes::*;
use xcollide_brep::{Brep, Topology};

const MANY: u32 = 100_000;

fn row(count: u32) -> Vec<[f64; 3]> {
    (0..count).map(|i| [f64::from(i), f64::from(i) * f64::from(i), f64::from(i % 3)]).collect()
}

#[test]
fn a_vertex_may_have_many_faces() -> Outcome {
    let brep = Brep::from_polygons(row(MANY + 1), (1..MANY).map(|i| [0, i, i + 1]))?;
    assert!(brep.topology().contains(Topology::MANIFOLD | Topology::ORIENTED));
    assert_eq!(brep.classification().edges, 2 * MANY as usize - 1);
    assert_eq!(brep.dcel().vertex_neighbours(0.into()).count(), MANY as usize);
    Ok(())
}

#[test]
fn an_edge_may_have_many_faces() -> Outcome {
    let brep = Brep::from_polygons(row(MANY), (2..MANY).map(|i| [0, 1, i]))?;
    assert_eq!(brep.classification().nonmanifold_edges.len(), 1);
    assert_eq!(brep.classification().misoriented_edges.len(), 1);
    Ok(())
}

#[test]
fn a_face_may_be_repeated_many_times() -> Outcome {
    let brep = Brep::from_polygons(row(4), (0..MANY).map(|i| [i % 4, (i + 1) % 4, (i + 2) % 4]))?;
    assert_eq!(brep.classification().duplicate_faces.len(), MANY as usize - 4);
    Ok(())
}

#[test]
fn a_face_may_have_many_corners() -> Outcome {
    let there = (0..MANY).chain((1..MANY - 1).rev());
    let faces = [(0..MANY).collect::<Vec<_>>(), there.collect(), vec![7; MANY as usize]];
    let brep = Brep::from_polygons(row(MANY), faces)?;
    let degenerate: Vec<u32> =
        brep.classification().degenerate_faces.iter().map(|face| face.0).collect();
    assert_eq!(degenerate, [1, 2], "there and back; all in one place");
    Ok(())
}

/// A cone whose flat base consists of an outer strip and an inner fan. Where the middle of the fan
/// lies beyond the inner ring, the base is folded over, and all edges there are flat still.
#[test]
fn a_fold_in_a_large_convex_body_is_found_at_once() -> Outcome {
    let n = 20_000_u32;
    let ring = |size: f64| {
        (0..n).map(move |i| {
            // A rational point of the circle, both halves alike.
            let t = f64::from(i % (n / 2)) / f64::from(n / 2) * 2.0 - 1.0;
            let scale = if i < n / 2 { size } else { -size };
            [scale * ((1.0 - t * t) / (1.0 + t * t)), scale * (2.0 * t / (1.0 + t * t)), 0.0]
        })
    };
    let outer = |i: u32| 2 + i % n;
    let inner = |i: u32| 2 + n + i % n;
    let faces: Vec<[u32; 3]> = (0..n)
        .flat_map(|i| {
            let (a, b, c, d) = (outer(i), outer(i + 1), inner(i), inner(i + 1));
            [[0, a, b], [a, c, b], [b, c, d], [1, d, c]]
        })
        .collect();
    for (middle, convex) in [(0.0, true), (0.75, false)] {
        let mut corners = vec![[0.0, 0.0, 1.0], [middle, 0.0, 0.0]];
        corners.extend(ring(1.0).chain(ring(0.5)));
        let cone = Brep::from_polygons(corners, &faces)?;
        assert!(cone.topology().contains(Topology::all() - Topology::CONVEX));
        assert_eq!(cone.topology().contains(Topology::CONVEX), convex);
        assert!(cone.classification().reflex_edges.is_empty());
    }
    Ok(())
}
