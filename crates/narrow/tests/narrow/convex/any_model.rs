//! Right for any model: dented, rounded, tessellated, open, concave, far away, tiny, huge.

use xcollide_brep::PolygonMesh;
use xcollide_narrow::classic::Perceptron;
use xcollide_narrow::compound::Pieces;
use xcollide_narrow::convex::{Hybrid, MinkowskiSimplex, polytope_of};
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};

use super::panel::Panel;
use crate::support::{Random, cuboid, random_pose, shape};

fn moved(model: &Model, mut f: impl FnMut([f64; 3]) -> [f64; 3]) -> Model {
    let mesh = model.mesh();
    let faces = mesh.faces().map(|face| face.outer().iter().map(|v| v.0).collect::<Vec<u32>>());
    let positions = mesh.positions().iter().map(|&p| f(p)).collect();
    Model::from_mesh(PolygonMesh::from_polygons(positions, faces).unwrap()).unwrap()
}

/// Convex but for their coordinates: rounded to f32, shaken by a little.
fn imperfect() -> Vec<Model> {
    let mut random = Random::new(5);
    let mut models = Vec::new();
    for spec in ["shape:sphere?faces=120", "shape:cylinder?faces=80", "shape:polytope?vertices=300"]
    {
        let model = shape(spec);
        let turn = random_pose(&mut random, 0.0);
        let turned = moved(&model, |p| turn.rotate(p));
        models.push(moved(&turned, |p| p.map(|x| f64::from(x as f32))));
        for shake in [1e-15, 1e-12, 1e-9, 1e-6, 1e-3] {
            models.push(moved(&model, |p| p.map(|x| x + shake * random.signed())));
        }
    }
    models
}

fn others() -> Vec<Model> {
    let specs = [
        "shape:tetraflake?depth=1",
        "shape:torus?faces=40",
        "shape:frame",
        "shape:soup?faces=12",
        "shape:mobius?faces=24",
        "shape:schoenhardt",
    ];
    let mut models: Vec<Model> = specs.iter().map(|spec| shape(spec)).collect();
    // A box without a lid, a box turned inside out, no faces at all.
    let closed = cuboid([-0.5; 3], [0.5; 3]);
    let faces: Vec<Vec<u32>> =
        closed.faces().map(|face| face.outer().iter().map(|v| v.0).collect()).collect();
    let of = |faces: &[Vec<u32>]| {
        let mesh = PolygonMesh::from_polygons(closed.positions().to_vec(), faces).unwrap();
        Model::from_mesh(mesh).unwrap()
    };
    models.push(of(&faces[1..]));
    models.push(Model::from_mesh(crate::support::flipped(&closed)).unwrap());
    models.push(Model::from_mesh(PolygonMesh::new()).unwrap());
    // A corner of three bars that overlap, and two boxes that share a face.
    let boxes = [
        [[-0.6; 3], [0.6, -0.3, -0.3]],
        [[-0.6; 3], [-0.3, 0.6, -0.3]],
        [[-0.6; 3], [-0.3, -0.3, 0.6]],
        [[-0.25, -0.5, -0.5], [0.25, 0.0, 0.5]],
        [[-0.25, 0.0, -0.5], [0.5, 0.5, 0.25]],
    ];
    let boxes = boxes.map(|[low, high]| Model::from_mesh(cuboid(low, high)).unwrap());
    models.extend([&boxes[..3], &boxes[3..]].map(|pieces| Pieces::union(pieces).unwrap()));
    models
}

fn all_agree(models: &[Model], rounds: usize, reach: f64, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut panel = Panel::with_compound(true);
    let mut hits = 0;
    for (i, a) in models.iter().enumerate() {
        for b in &models[i..] {
            for _ in 0..rounds {
                let poses = [random_pose(&mut random, reach), random_pose(&mut random, reach)];
                let (a, b) =
                    (Placed::new(a, &poses[0]).unwrap(), Placed::new(b, &poses[1]).unwrap());
                hits += usize::from(panel.ask(a, b));
            }
        }
    }
    panel.report("any model");
    hits
}

#[test]
fn imperfect_bodies_are_answered_right() {
    let models = imperfect();
    assert!(all_agree(&models, 1, 0.7, 1) > 30);
}

#[test]
fn models_of_all_kinds_are_answered_right() {
    assert!(all_agree(&others(), 6, 0.5, 2) > 20);
}

/// Planes exclude contact of models that are not convex (Zachmann 1994, 3.4.2): nearly always where the hulls are
/// apart, and never where the models touch, whatever lies between.
#[test]
fn planes_between_hulls_separate_any_models() {
    let models = ["shape:torus?faces=40", "shape:hyperboloid?faces=40", "shape:mobius?faces=24"];
    let models = models.map(shape);
    let (mut random, mut cache) = (Random::new(8), PairCache::new());
    let query = Query::new().stats(true);
    let (mut hulls_apart, mut found, mut linked, mut hits) = (0, 0, 0, 0);
    for round in 0..300 {
        let [a, b] = [&models[round % 3], &models[round / 3 % 3]];
        let poses = [random_pose(&mut random, 1.2), random_pose(&mut random, 1.2)];
        let (a, b) = (Placed::new(a, &poses[0]).unwrap(), Placed::new(b, &poses[1]).unwrap());
        assert!(Perceptron::default().accepts(a.model().topology(), b.model().topology()));
        let truth = BruteForce.test(a, b, &query, &mut PairCache::new()).is_collision();
        let hulls = MinkowskiSimplex::find(a, b).is_none();
        let verdict = Perceptron::default().test(a, b, &query, &mut cache);
        assert_eq!(cache.stats().fallbacks, 0, "nobody else decides");
        assert!(!verdict.is_collision());
        assert!(!verdict.is_apart() || hulls && !truth);
        hulls_apart += usize::from(hulls);
        found += usize::from(verdict.is_apart());
        linked += usize::from(!hulls && !truth);
        hits += usize::from(truth);
    }
    assert!(10 * found > 9 * hulls_apart && hulls_apart > 30, "{found} of {hulls_apart}");
    assert!(linked > 10 && hits > 30, "{linked} linked, {hits} hits");
    assert!(!Hybrid::default().accepts(models[0].topology(), models[0].topology()));
}

/// A dent is measured, so that a point in it is not taken for a contact.
#[test]
fn a_point_in_a_dent_is_no_contact() {
    for depth in [1e-3, 1e-6, 1e-9, 1e-12] {
        // A box whose top is four triangles, the middle corner a little below.
        let closed = cuboid([-1.0; 3], [1.0; 3]);
        let mut positions = closed.positions().to_vec();
        positions.push([0.0, 0.0, 1.0 - depth]);
        let mut faces: Vec<Vec<u32>> = Vec::new();
        for face in closed.faces() {
            let corners: Vec<u32> = face.outer().iter().map(|v| v.0).collect();
            if corners.iter().all(|&v| positions[v as usize][2] == 1.0) {
                faces.extend((0..4).map(|i| vec![corners[i], corners[(i + 1) % 4], 8]));
            } else {
                faces.push(corners);
            }
        }
        let mesh = PolygonMesh::from_polygons(positions, &faces).unwrap();
        let dented = Model::from_mesh(mesh).unwrap();
        let dent = polytope_of(&dented).solidity().unwrap().dent;
        assert!(dent >= depth && dent < 2.0 * depth + 1e-13, "{dent:e} for {depth:e}");
        let tip = Model::from_mesh(cuboid([-1e-4, -1e-4, 0.0], [1e-4, 1e-4, 1.0])).unwrap();
        let mut panel = Panel::with_compound(true);
        for (height, expected) in [(1.0 - 0.5 * depth, false), (1.0 - 2.0 * depth, true)] {
            let pose = Pose::from_translation([0.0, 0.0, height]);
            let (a, b) =
                (Placed::new(&dented, &Pose::IDENTITY).unwrap(), Placed::new(&tip, &pose).unwrap());
            // At the rim of the tip the dent is less deep by 1e-4 of its depth.
            assert_eq!(panel.ask(a, b), expected, "{depth:e}");
        }
    }
}

#[test]
fn size_and_place_do_not_matter() {
    for scale in [1e-200, 1e-70, 1e-20, 1e20, 1e70, 1e150] {
        let models: Vec<Model> = ["shape:icosahedron", "shape:polytope?vertices=20&kind=plate"]
            .iter()
            .map(|spec| moved(&shape(spec), |p| p.map(|x| x * scale)))
            .collect();
        assert!(all_agree(&models, 10, 0.6 * scale, 9) > 3, "{scale:e}");
    }
    let far: Vec<Model> = ["shape:icosahedron", "shape:box"]
        .iter()
        .map(|spec| moved(&shape(spec), |p| [p[0] + 1e9, p[1] - 3e8, p[2]]))
        .collect();
    let mut panel = Panel::with_compound(true);
    for step in 0..40 {
        let pose = Pose::from_translation([0.05 * f64::from(step) - 1.0, 0.3, 1e12]);
        let here = Pose::from_translation([0.0, 0.0, 1e12]);
        panel.ask(Placed::new(&far[0], &here).unwrap(), Placed::new(&far[1], &pose).unwrap());
    }
    panel.report("far");
}
