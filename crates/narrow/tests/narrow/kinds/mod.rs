//! How two models lie to each other, against sets of lattice cells, which share nothing with the code under test.

#![allow(clippy::unwrap_used)]

mod lattice;
mod volumes;

use std::collections::BTreeMap;

use crate::support;

use lattice::Solid;
use support::{Random, cuboid, flipped, joined, model, unmoved};
use xcollide_brep::Interior;
use xcollide_fixtures::long_run;
use xcollide_narrow::{Kind, Model, Placed, Pose, Semantics, relation};

fn kind(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Kind {
    relation::kind(a, b, semantics).expect("both are meshes")
}

/// Small integers, so that nothing is rounded; not a rotation, so that planes get any slope.
fn random_map(random: &mut Random) -> [[i64; 3]; 3] {
    loop {
        let rows = [(); 3].map(|()| [(); 3].map(|()| random.integer(-2, 2)));
        let [u, v, w] = rows;
        let det = w[0] * (u[1] * v[2] - u[2] * v[1])
            + w[1] * (u[2] * v[0] - u[0] * v[2])
            + w[2] * (u[0] * v[1] - u[1] * v[0]);
        if det != 0 {
            return rows;
        }
    }
}

fn mapped(solid: &Solid, rows: [[i64; 3]; 3]) -> Model {
    let apply =
        |p: &lattice::Point| rows.map(|row| (row[0] * p[0] + row[1] * p[1] + row[2] * p[2]) as f64);
    model(solid.vertices.iter().map(apply).collect(), &solid.faces)
}

/// Compares the kind of two lattice solids, both ways round and perhaps mapped, with that of their sets, which it
/// returns; `None` if one of them has become another thing than it was meant to be.
fn check_kind(a: &Solid, b: &Solid, random: &mut Random, context: &str) -> Option<Kind> {
    let identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let rows = if random.below(2) == 0 { identity } else { random_map(random) };
    let (model_a, model_b) = (mapped(a, rows), mapped(b, rows));
    // Faces of a surface may happen to close, or to be on each other.
    let is_as_meant =
        |model: &Model, solid: &Solid| (model.interior() == Interior::None) == solid.is_open;
    if !is_as_meant(&model_a, a) || !is_as_meant(&model_b, b) {
        return None;
    }
    let expected = lattice::kind(a, b);
    let found = kind(unmoved(&model_a), unmoved(&model_b), Semantics::Solid);
    assert_eq!(found, expected, "{context}:\n{a:?}\n{b:?}\n{rows:?}");
    let back = kind(unmoved(&model_b), unmoved(&model_a), Semantics::Solid);
    assert_eq!(back, expected.reversed(), "{context}, reversed");
    Some(expected)
}

/// Compares pairs of random solids and surfaces, and counts the kinds.
fn compare(cases: u64, seed: u64) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let mut random = Random::new(seed);
    for case in 0..cases {
        let a = Solid::random(&mut random);
        let (a, b) = match random.below(9) {
            0 => (Solid::random_surface(&mut random), a),
            1 => (a, Solid::random_surface(&mut random)),
            2 => (Solid::random_surface(&mut random), Solid::random_surface(&mut random)),
            3 => {
                let again = a.again(&mut random);
                (a, again)
            }
            4 => {
                let [whole, part] = Solid::random_with_part(&mut random);
                if random.below(2) == 0 { (whole, part) } else { (part, whole) }
            }
            _ => (a, Solid::random(&mut random)),
        };
        if a.faces.is_empty() || b.faces.is_empty() {
            continue;
        }
        let context = format!("case {case} of seed {seed}");
        let Some(expected) = check_kind(&a, &b, &mut random, &context) else { continue };
        let open = usize::from(a.is_open) + usize::from(b.is_open);
        *counts.entry(["bodies", "body and surface", "surfaces"][open]).or_default() += 1;
        *counts.entry(expected.name()).or_default() += 1;
    }
    counts
}

/// Pairs of boxes, prisms, brackets, tetrahedra, their unions and parts of their surfaces, made to touch.
#[test]
fn integer_solids_agree_with_sets_of_cells_soak() {
    let run = long_run(600, 120_000);
    let counts = compare(run.cases, run.seed.wrapping_add(23));
    for (name, least) in [
        ("apart", 50),
        ("touching", 40),
        ("overlapping", 10),
        ("piercing", 10),
        ("enclosed", 10),
        ("equal", 10),
        ("bodies", 100),
        ("surfaces", 10),
    ] {
        let count = counts.get(name).copied().unwrap_or(0);
        assert!(count as u64 * 1000 >= run.cases * least, "{name}: {count} of {}", run.cases);
    }
}

/// Pairs of boxes, prisms, brackets, tetrahedra and their unions whose borders meet, each of them: beside each other, one in
/// the other, through each other with common planes and edges, and the same body by two meshes.
#[test]
fn integer_solids_that_are_made_to_touch_have_their_kinds_soak() {
    let run = long_run(300, 100_000);
    let mut random = Random::new(run.seed.wrapping_add(29));
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut done = 0;
    // Some hundred cases may be without a pair that overlaps.
    while done < run.cases || !counts.contains_key("overlapping") {
        let a = Solid::random(&mut random);
        let (a, b) = match random.below(6) {
            0 => {
                let again = a.again(&mut random);
                (a, again)
            }
            1 => {
                let [whole, part] = Solid::random_with_part(&mut random);
                if random.below(2) == 0 { (whole, part) } else { (part, whole) }
            }
            2 => (a, Solid::random(&mut random)),
            _ => {
                let Some(b) = a.random_beside(&mut random) else { continue };
                if random.below(2) == 0 { (a, b) } else { (b, a) }
            }
        };
        if a.faces.is_empty() || b.faces.is_empty() || !lattice::borders_touch(&a, &b) {
            continue;
        }
        let context = format!("case {done} of seed {}", run.seed);
        let Some(expected) = check_kind(&a, &b, &mut random, &context) else { continue };
        *counts.entry(expected.name()).or_default() += 1;
        done += 1;
        support::progress(&run, done);
    }
    for (name, least) in [("touching", 400), ("overlapping", 5), ("enclosed", 60), ("equal", 80)] {
        let count = counts.get(name).copied().unwrap_or(0);
        assert!(count * 1000 >= run.cases * least, "{name}: {counts:?}");
    }
    assert_eq!(counts.get("apart"), None);
}

#[test]
fn aligned_boxes_have_their_kinds() {
    let unit = model_of(&cuboid([0.0; 3], [1.0; 3]));
    let large = model_of(&cuboid([0.0; 3], [2.0; 3]));
    let kind_at = |a: &Model, b: &Model, x: f64| {
        let pose = Pose::from_translation([x, 0.0, 0.0]);
        kind(unmoved(a), Placed::new(b, &pose).unwrap(), Semantics::Solid)
    };
    assert_eq!(kind_at(&unit, &unit, 1.0), Kind::Touching);
    assert_eq!(kind_at(&unit, &unit, 1.0_f64.next_down()), Kind::Overlapping);
    assert_eq!(kind_at(&unit, &unit, 1.0_f64.next_up()), Kind::Apart);
    assert_eq!(kind_at(&unit, &large, -1.0), Kind::Enclosed, "five of its faces touch");
    assert_eq!(kind_at(&large, &unit, 0.5), Kind::Enclosing);
    assert_eq!(kind_at(&unit, &large, 0.0_f64.next_up()), Kind::Overlapping);
    let turned = model_of(&flipped(&cuboid([0.0; 3], [1.0; 3])));
    assert_eq!(kind_at(&unit, &turned, 0.0), Kind::Equal, "inside out");
    assert_eq!(kind_at(&turned, &large, -0.5), Kind::Enclosed);
}

/// A cavity is not a part of the body, two boxes on each other are one, and a body may be all of another's shell.
#[test]
fn pieces_and_cavities_have_their_kinds() {
    let (outer, inner) = (cuboid([0.0; 3], [3.0; 3]), cuboid([1.0; 3], [2.0; 3]));
    let hollow = model_of(&joined(&[outer.clone(), flipped(&inner)]));
    let [outer_model, inner_model] = [&outer, &inner].map(model_of);
    let kind_of = |a: &Model, b: &Model| kind(unmoved(a), unmoved(b), Semantics::Solid);
    assert_eq!(kind_of(&hollow, &inner_model), Kind::Touching, "a core in a shell");
    assert_eq!(kind_of(&hollow, &outer_model), Kind::Enclosed);
    let whole = model_of(&joined(&[outer.clone(), flipped(&inner), inner.clone()]));
    assert_eq!(kind_of(&whole, &outer_model), Kind::Equal, "the core fills the cavity");
    let left = cuboid([0.0; 3], [1.5, 3.0, 3.0]);
    let right = cuboid([1.5, 0.0, 0.0], [3.0; 3]);
    let halves = model_of(&joined(&[left.clone(), right]));
    assert_eq!(kind_of(&halves, &outer_model), Kind::Equal);
    assert_eq!(
        kind_of(&model_of(&left), &halves),
        Kind::Enclosed,
        "all its faces are faces of the other"
    );
    let smaller = model_of(&cuboid([1.25; 3], [1.75; 3]));
    assert_eq!(kind_of(&hollow, &smaller), Kind::Apart);
    assert_eq!(kind_of(&smaller, &halves), Kind::Enclosed, "across the faces in the middle");
}

/// Points, segments and sheets without bodies.
#[test]
fn lines_and_sheets_have_their_kinds() {
    let cube = model_of(&cuboid([0.0; 3], [2.0; 3]));
    let segment = |p: [f64; 3], q: [f64; 3]| model(vec![p, q], &[vec![0, 1]]);
    let kind_of = |a: &Model, b: &Model| kind(unmoved(a), unmoved(b), Semantics::Solid);
    let through = segment([1.0, 1.0, -1.0], [1.0, 1.0, 3.0]);
    assert_eq!(kind_of(&through, &cube), Kind::Piercing);
    assert_eq!(kind_of(&segment([1.0; 3], [1.0, 1.0, 2.0]), &cube), Kind::Enclosed);
    assert_eq!(kind_of(&segment([0.0, 0.0, -1.0], [0.0, 0.0, 3.0]), &cube), Kind::Touching);
    assert_eq!(kind_of(&segment([0.5, 0.5, 2.0], [1.0, 1.5, 2.0]), &cube), Kind::Touching);
    assert_eq!(kind_of(&cube, &model(vec![[1.0; 3]], &[vec![0]])), Kind::Enclosing);
    let sheet = model(
        vec![[-1.0, -1.0, 1.0], [3.0, -1.0, 1.0], [3.0, 3.0, 1.0], [-1.0, 3.0, 1.0]],
        &[vec![0, 1, 2, 3]],
    );
    assert_eq!(kind_of(&sheet, &cube), Kind::Piercing);
    assert_eq!(kind_of(&cube, &sheet), Kind::Piercing);
    let lid = Pose::from_translation([0.0, 0.0, 1.0]);
    let lid = Placed::new(&sheet, &lid).unwrap();
    assert_eq!(kind(lid, unmoved(&cube), Semantics::Solid), Kind::Touching);
    let moved = Pose::from_translation([1.0, 0.5, 0.0]);
    let moved = Placed::new(&sheet, &moved).unwrap();
    assert_eq!(kind(unmoved(&sheet), moved, Semantics::Solid), Kind::Overlapping);
    // Along the diagonal by which the sheet is triangulated, or along the other one: it passes through.
    for corners in [[[0.0, 0.0], [1.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]] {
        let [[a, b], [c, d]] = corners;
        let blade = model(vec![[a, b, 0.0], [c, d, 0.0], [c, d, 2.0]], &[vec![0, 1, 2]]);
        assert_eq!(kind_of(&blade, &sheet), Kind::Piercing);
        assert_eq!(kind_of(&sheet, &blade), Kind::Piercing);
        let standing = model(vec![[a, b, 1.0], [c, d, 1.0], [c, d, 2.0]], &[vec![0, 1, 2]]);
        assert_eq!(kind_of(&standing, &sheet), Kind::Touching);
    }
    let surfaces = |a: &Model, b: &Model| kind(unmoved(a), unmoved(b), Semantics::Surface);
    assert_eq!(surfaces(&cube, &model_of(&cuboid([0.5; 3], [1.0; 3]))), Kind::Apart);
}

/// A face with the body on both sides is a part of its interior, which a sheet in it reaches; points and segments in it touch.
#[test]
fn lines_in_a_face_within_a_body_touch_it_and_sheets_are_enclosed() {
    let left = cuboid([0.0; 3], [1.5, 3.0, 3.0]);
    let right = cuboid([1.5, 0.0, 0.0], [3.0; 3]);
    let halves = model_of(&joined(&[left, right]));
    let kind_of = |corners: &[[f64; 2]], faces: Vec<u32>| {
        let positions = corners.iter().map(|[y, z]| [1.5, *y, *z]).collect();
        kind(unmoved(&model(positions, &[faces])), unmoved(&halves), Semantics::Solid)
    };
    assert_eq!(kind_of(&[[1.0, 2.0]], vec![0]), Kind::Touching);
    assert_eq!(kind_of(&[[1.0, 1.0], [2.0, 1.5]], vec![0, 1]), Kind::Touching);
    assert_eq!(kind_of(&[[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]], vec![0, 1, 2]), Kind::Enclosed);
}

/// Round models, with and without their hierarchies, at gaps around nothing.
#[test]
fn many_triangles_have_their_kinds() {
    let sphere = |radius: f64| support::shape(&format!("sphere?faces=800&radius={radius}"));
    let (outer, inner) = (sphere(2.0), sphere(1.0));
    assert_eq!(kind(unmoved(&inner), unmoved(&outer), Semantics::Solid), Kind::Enclosed);
    assert_eq!(kind(unmoved(&outer), unmoved(&inner), Semantics::Surface), Kind::Apart);
    let again = sphere(2.0);
    assert_eq!(kind(unmoved(&again), unmoved(&outer), Semantics::Solid), Kind::Equal);
    // A vertex on a vertex, by less than the least distance, and by more.
    let top = outer.local_box().max[2] + inner.local_box().max[2];
    let kind_at = |x: f64, z: f64| {
        let pose = Pose::from_translation([x, 0.0, z]);
        kind(unmoved(&outer), Placed::new(&inner, &pose).unwrap(), Semantics::Solid)
    };
    assert_eq!(kind_at(0.0, top), Kind::Touching);
    assert_eq!(kind_at(0.0, top.next_up()), Kind::Apart);
    assert_eq!(kind_at(0.0, top - 1e-12), Kind::Overlapping);
    assert_eq!(kind_at(1.5, 0.0), Kind::Overlapping);
    assert_eq!(kind_at(0.25, 0.5), Kind::Enclosing);
}

fn model_of(mesh: &xcollide_brep::PolygonMesh) -> Model {
    Model::from_mesh(mesh.clone()).unwrap()
}
