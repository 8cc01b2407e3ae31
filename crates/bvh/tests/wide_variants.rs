//! The variants of the wide hierarchy find exactly what brute force finds, in the same order with
//! and without SIMD instructions, wherever and however large the models are. The slow twin is
//! [`brute_force`], which tests all pairs exactly.

use std::ops::ControlFlow;

use xcollide_bvh::Counts;
use xcollide_bvh::wide::{
    self, CompactTree, Traversal, WideHierarchy, WideOptions, WidePlaced, WideTree,
};
use xcollide_math::Pose;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::{Poses, Random, shape};

type Triangle = [[f64; 3]; 3];

/// The kinds of hierarchy under test.
trait Kind: WideHierarchy {
    fn build(mesh: &Mesh) -> Self;
    fn refit(&mut self, mesh: &Mesh);
    fn bytes(&self) -> usize;
}

macro_rules! kind {
    ($tree:ty) => {
        impl Kind for $tree {
            fn build(mesh: &Mesh) -> Self {
                Self::build(&mesh.positions, &mesh.triangles, WideOptions::default())
            }

            fn refit(&mut self, mesh: &Mesh) {
                self.refit(&mesh.positions, &mesh.triangles);
            }

            fn bytes(&self) -> usize {
                self.bytes()
            }
        }
    };
}

kind!(CompactTree);
kind!(WideTree);

#[derive(Clone)]
struct Mesh {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    fn shape(spec: &str) -> Self {
        let mesh = match shape(spec) {
            Ok(mesh) => mesh,
            Err(error) => panic!("{spec}: {error}"),
        };
        let triangulation = mesh.triangulate();
        let corners = triangulation.triangles().iter();
        let triangles = corners.map(|t| t.map(|vertex| vertex.index() as u32)).collect();
        Self { positions: mesh.positions().to_vec(), triangles }
    }

    fn from_soup(soup: &[Triangle]) -> Self {
        let triangles = (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self { positions: soup.concat(), triangles }
    }

    fn mapped(&self, f: impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        let positions = self.positions.iter().map(|&p| f(p)).collect();
        Self { positions, triangles: self.triangles.clone() }
    }

    fn world(&self, motion: &Pose) -> Vec<Triangle> {
        let positions: Vec<_> = self.positions.iter().map(|&p| motion.apply(p)).collect();
        self.triangles.iter().map(|t| t.map(|corner| positions[corner as usize])).collect()
    }
}

/// All pairs, one by one.
fn brute_force(a: &[Triangle], b: &[Triangle]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (i, s) in a.iter().enumerate() {
        for (j, t) in b.iter().enumerate() {
            let apart = (0..3).any(|k| {
                s.iter().all(|p| t.iter().all(|q| p[k] < q[k]))
                    || s.iter().all(|p| t.iter().all(|q| p[k] > q[k]))
            });
            if !apart && triangles_intersect(s, t) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

/// Compares all queries, with and without SIMD, with brute force; the number of pairs that meet.
fn check<H: Kind>(a: (&Mesh, &H, Pose), b: (&Mesh, &H, Pose)) -> usize {
    let (s, t) = (a.0.world(&a.2), b.0.world(&b.2));
    let expected = brute_force(&s, &t);
    let exact = |i: u32, j: u32| triangles_intersect(&s[i as usize], &t[j as usize]);
    let placed_a = WidePlaced { tree: a.1, motion: a.2 };
    let placed_b = WidePlaced { tree: b.1, motion: b.2 };
    let mut visited = Vec::new();
    for mut traversal in [Traversal::new(), Traversal::portable()] {
        let mut order = Vec::new();
        let mut statistics = Counts::default();
        let flow = wide::candidates(placed_a, placed_b, &mut traversal, &mut statistics, |i, j| {
            order.push((i, j));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        assert_eq!(statistics.primitives, order.len() as u64);

        let mut found: Vec<_> = order.iter().copied().filter(|&(i, j)| exact(i, j)).collect();
        let mut hits = Vec::new();
        let flow = wide::all_hits(placed_a, placed_b, &mut traversal, exact, |i, j| {
            hits.push((i, j));
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        assert_eq!(hits, found, "in the order of the candidates");
        let first = wide::first_hit(placed_a, placed_b, &mut traversal, exact);
        assert_eq!(first, found.first().copied());
        found.sort_unstable();
        assert!(found == expected, "{} pairs instead of {}", found.len(), expected.len());
        visited.push((order, statistics));
    }
    assert!(visited[0] == visited[1], "both kernels go the same way, pair by pair");
    expected.len()
}

fn matrix([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn shapes() -> Vec<Mesh> {
    [
        "soup?faces=120&length=0.4",
        "sphere?faces=250",
        "torus?faces=250",
        "knot?faces=300",
        "tetraflake?depth=3",
        "box",
        "plane?faces=100",
    ]
    .map(Mesh::shape)
    .into()
}

fn hits_are_those_of_brute_force<H: Kind>() {
    let mut poses = Poses::new(7);
    let meshes = shapes();
    let trees: Vec<_> = meshes.iter().map(H::build).collect();
    let mut seen = [0, 0];
    for (a, s) in meshes.iter().zip(&trees) {
        for (b, t) in meshes.iter().zip(&trees) {
            for distance in [0.0, 0.5, 1.2, 2.0, 3.5] {
                let here = Pose::from_quaternion(poses.rotation(), [0.0; 3]).unwrap();
                let way = poses.direction().map(|x| x * distance);
                let there = Pose::from_quaternion(poses.rotation(), way).unwrap();
                seen[usize::from(check((a, s, here), (b, t, there)) > 0)] += 1;
            }
            // The same place, where neighbours touch neighbours.
            let place = Pose::from_quaternion(poses.rotation(), poses.direction()).unwrap();
            check((a, s, place), (b, t, place));
        }
    }
    assert!(seen[0] > 40 && seen[1] > 60, "both answers occur: {seen:?}");
}

#[test]
fn compact_hits_are_those_of_brute_force() {
    hits_are_those_of_brute_force::<CompactTree>();
}

/// Models of any size, and pairs of very different sizes, and poses far away, where the rounding of
/// world coordinates is as large as the triangles.
fn scales_and_distances_change_no_answer<H: Kind>() {
    let mut poses = Poses::new(9);
    let (torus, sphere) = (Mesh::shape("torus?faces=150"), Mesh::shape("sphere?faces=120"));
    let mut seen = [0, 0];
    for factors in [
        [1e-9, 1e-9],
        [1e9, 1e9],
        [1e9, 1e-9],
        [1e-9, 1e9],
        [1e-100, 1e-100],
        [1e-30, 1e30],
        [1e150, 1e-150],
        [1e-300, 1e-300],
        [1e200, 1e200],
        [1e290, 1e290],
    ] {
        let [a, b] = [(&torus, factors[0]), (&sphere, factors[1])]
            .map(|(mesh, factor)| mesh.mapped(|p| p.map(|x| x * factor)));
        let (s, t) = (H::build(&a), H::build(&b));
        for distance in [0.0, 0.9, 1.4, 2.0, 2.5] {
            let here = Pose::from_quaternion(poses.rotation(), [0.0; 3]).unwrap();
            let way = poses.direction().map(|x| x * distance * factors[0].max(factors[1]));
            let there = Pose::from_quaternion(poses.rotation(), way).unwrap();
            seen[usize::from(check((&a, &s, here), (&b, &t, there)) > 0)] += 1;
        }
    }
    let (s, t) = (H::build(&torus), H::build(&sphere));
    for away in [1e3, 1e6, 1e9, 1e12, 1e14, 1e15, 1e16, 1e30, 1e200] {
        for distance in [0.0, 0.7, 1.4, 2.0, 2.39, 2.5] {
            let place = poses.direction().map(|x| x * away);
            let here = Pose::from_quaternion(poses.rotation(), place).unwrap();
            let way = poses.direction();
            let beside = [0, 1, 2].map(|k| place[k] + way[k] * distance);
            let there = Pose::from_quaternion(poses.rotation(), beside).unwrap();
            seen[usize::from(check((&torus, &s, here), (&sphere, &t, there)) > 0)] += 1;
        }
    }
    assert!(seen[0] > 20 && seen[1] > 40, "both answers occur: {seen:?}");
}

#[test]
fn scales_and_distances_change_no_compact_answer() {
    scales_and_distances_change_no_answer::<CompactTree>();
}

/// At the distance of contact, found to the last bit, and hardly off it.
fn gaps_down_to_the_last_bit_are_told<H: Kind>(rounds: usize) {
    let mut poses = Poses::new(8);
    let meshes = shapes();
    let trees: Vec<_> = meshes.iter().map(H::build).collect();
    let mut traversal = Traversal::new();
    let mut seen = [0, 0];
    for round in 0..rounds {
        let (i, j) = (round % meshes.len(), (round * 3 + round / 7 + 1) % meshes.len());
        let (turn, way) = (matrix(poses.rotation()), poses.direction());
        let there = |distance: f64| Pose::from_matrix(turn, way.map(|x| x * distance)).unwrap();
        let fixed = meshes[i].world(&Pose::IDENTITY);
        let mut meet = |distance: f64| {
            let moved = meshes[j].world(&there(distance));
            let exact =
                |s: u32, t: u32| triangles_intersect(&fixed[s as usize], &moved[t as usize]);
            let a = WidePlaced { tree: &trees[i], motion: Pose::IDENTITY };
            let b = WidePlaced { tree: &trees[j], motion: there(distance) };
            wide::first_hit(a, b, &mut traversal, exact).is_some()
        };
        let mut low = 5.0;
        while low > 0.0 && !meet(low) {
            low -= 0.05;
        }
        let mut high = low + 0.05;
        while high - low > 1e-15 * high {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if meet(middle) { low = middle } else { high = middle }
        }
        for gap in [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.03] {
            for distance in [low + gap, low - gap] {
                let a = (&meshes[i], &trees[i], Pose::IDENTITY);
                let hits = check(a, (&meshes[j], &trees[j], there(distance)));
                seen[usize::from(hits > 0)] += 1;
            }
        }
    }
    assert!(seen[0] > 2 * rounds && seen[1] > 2 * rounds, "both answers occur: {seen:?}");
}

#[test]
fn gaps_down_to_the_last_bit_are_told_by_variants() {
    gaps_down_to_the_last_bit_are_told::<CompactTree>(8);
}

#[test]
#[ignore = "soak: thousands of poses, seconds in release, minutes in dev"]
fn gaps_down_to_the_last_bit_are_told_by_variants_in_thousands_of_poses() {
    gaps_down_to_the_last_bit_are_told::<CompactTree>(400);
}

/// Points, segments, slivers, equal triangles; and none.
fn degenerate_triangles_are_as_good_as_others<H: Kind>() {
    let mut random = Random::new(11);
    let mut next = || random.between(-1.0, 1.0);
    let mut soup = Vec::new();
    for i in 0..100 {
        let (p, q, r) =
            ([next(), next(), next()], [next(), next(), next()], [next(), next(), next()]);
        soup.push(match i % 6 {
            0 => [p, p, p],
            1 => [p, q, q],
            2 => [p, q, [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]))],
            3 => [p, q, q.map(|x: f64| x + 1e-17)],
            4 => [p.map(|x| (x * 4.0).round() / 4.0), [0.25, 0.5, 0.0], [0.0; 3]],
            _ => [p, q, r],
        });
    }
    let meshes = [
        Mesh::from_soup(&soup),
        Mesh::from_soup(&[[[0.25; 3]; 3]; 7]),
        Mesh::from_soup(&[soup[5]; 30]),
        Mesh::from_soup(&soup[5..6]),
        Mesh::from_soup(&[]),
    ];
    let trees: Vec<_> = meshes.iter().map(H::build).collect();
    let mut poses = Poses::new(12);
    let mut hits = 0;
    for (a, s) in meshes.iter().zip(&trees) {
        for (b, t) in meshes.iter().zip(&trees) {
            hits += check((a, s, Pose::IDENTITY), (b, t, Pose::IDENTITY));
            let there = Pose::from_quaternion(poses.rotation(), poses.direction().map(|x| 0.3 * x))
                .unwrap();
            hits += check((a, s, there), (b, t, there));
            hits += check((a, s, Pose::IDENTITY), (b, t, there));
        }
    }
    assert!(hits > 1000);
}

#[test]
fn degenerate_triangles_are_as_good_as_others_in_variants() {
    degenerate_triangles_are_as_good_as_others::<CompactTree>();
}

/// The matrix of a quaternion that is not quite of length 1 is accepted as a pose.
fn motions_that_are_rotations_only_nearly<H: Kind>() {
    let mut poses = Poses::new(14);
    let (a, b) = (Mesh::shape("torus?faces=200"), Mesh::shape("knot?faces=200"));
    let (s, t) = (H::build(&a), H::build(&b));
    let mut hits = 0;
    for stretch in [1.0 + 0.999e-6, 1.0 - 0.999e-6, 1.0 + 5e-7, 1.0 - 5e-7, 1.0 + 1e-9, 1.0] {
        for distance in [0.0, 0.8, 1.5, 2.0] {
            let turn = matrix(poses.rotation().map(|x| x * stretch));
            let there = Pose::from_matrix(turn, poses.direction().map(|x| x * distance)).unwrap();
            let here = Pose::from_quaternion(poses.rotation(), [0.0; 3]).unwrap();
            hits += check((&a, &s, here), (&b, &t, there));
        }
    }
    assert!(hits > 100);
}

#[test]
fn motions_that_are_rotations_only_nearly_in_variants() {
    motions_that_are_rotations_only_nearly::<CompactTree>();
}

fn refitted_trees_answer_for_the_moved_vertices<H: Kind>() {
    let mut poses = Poses::new(15);
    let (a, b) = (Mesh::shape("torus?faces=250"), Mesh::shape("sphere?faces=200"));
    let (mut s, t) = (H::build(&a), H::build(&b));
    let mut hits = 0;
    for round in 0..8 {
        let bend = 0.3 * f64::from(round);
        let moved =
            a.mapped(|[x, y, z]| [x * (1.0 + bend), y + bend * x * z, z * 0.5 + bend * x * x]);
        s.refit(&moved);
        let there =
            Pose::from_quaternion(poses.rotation(), poses.direction().map(|x| 1.2 * x)).unwrap();
        hits += check((&moved, &s, Pose::IDENTITY), (&b, &t, there));
    }
    assert!(hits > 20);
}

#[test]
fn refitted_variants_answer_for_the_moved_vertices() {
    refitted_trees_answer_for_the_moved_vertices::<CompactTree>();
}

/// Two spheres apart by 1 % cost hardly more box tests than with oriented boxes in f32, and no more
/// memory than promised.
#[test]
fn variants_are_small_and_look_at_few_boxes() {
    fn measure<H: Kind>(mesh: &Mesh) -> (f64, Counts) {
        let tree = H::build(mesh);
        let there = Pose::from_translation([1.2, 1.2, 1.1083]);
        let mut statistics = Counts::default();
        let flow = wide::candidates(
            WidePlaced { tree: &tree, motion: Pose::IDENTITY },
            WidePlaced { tree: &tree, motion: there },
            &mut Traversal::new(),
            &mut statistics,
            |_, _| ControlFlow::Continue(()),
        );
        assert!(flow.is_continue());
        (tree.bytes() as f64 / mesh.triangles.len() as f64, statistics)
    }
    let mesh = Mesh::shape("sphere?faces=10000");
    let (bytes, statistics) = measure::<CompactTree>(&mesh);
    assert!(bytes < 25.0, "{bytes} bytes a triangle");
    assert!(statistics.volumes < 5000 && statistics.primitives < 200, "{statistics:?}");
}

#[cfg(feature = "serde")]
mod stored {
    use serde::{Serialize, de::DeserializeOwned};

    use super::*;

    fn come_back_the_same<H: Kind + Serialize + DeserializeOwned>() -> serde_json::Result<()> {
        let mut poses = Poses::new(21);
        for mesh in [Mesh::shape("knot?faces=300"), Mesh::from_soup(&[])] {
            let tree = H::build(&mesh);
            let back: H = serde_json::from_str(&serde_json::to_string(&tree)?)?;
            for distance in [0.0, 1.0, 2.2] {
                let way = poses.direction().map(|x| x * distance);
                let there = Pose::from_quaternion(poses.rotation(), way).unwrap();
                let pairs = |tree: &H| {
                    let mut pairs = Vec::new();
                    let a = WidePlaced { tree, motion: Pose::IDENTITY };
                    let b = WidePlaced { tree, motion: there };
                    let mut traversal = Traversal::new();
                    let _ = wide::candidates(a, b, &mut traversal, &mut (), |i, j| {
                        pairs.push((i, j));
                        ControlFlow::Continue(())
                    });
                    pairs
                };
                assert_eq!(pairs(&tree), pairs(&back));
            }
        }
        Ok(())
    }

    #[test]
    fn variants_come_back_the_same() -> serde_json::Result<()> {
        come_back_the_same::<CompactTree>()
    }

    /// Changes one digit of a stored tree at a time and reads it back.
    fn damage<H: Kind + Serialize + DeserializeOwned>() -> serde_json::Result<()> {
        let mesh = Mesh::shape("torus?faces=60");
        let tree = H::build(&mesh);
        let text = serde_json::to_string(&tree)?;
        let digits: Vec<usize> =
            (0..text.len()).filter(|&i| text.as_bytes()[i].is_ascii_digit()).collect();
        let mut random = Random::new(22);
        let mut below = |count: usize| (random.bits() % count as u64) as usize;
        let mut read = [0, 0];
        for _ in 0..400 {
            let mut bytes = text.clone().into_bytes();
            bytes[digits[below(digits.len())]] = b"0123456789"[below(10)];
            let Ok(mut damaged) = serde_json::from_slice::<H>(&bytes) else {
                read[1] += 1;
                continue;
            };
            read[0] += 1;
            let [a, b] = [&damaged, &tree].map(|tree| WidePlaced { tree, motion: Pose::IDENTITY });
            let any = |_, _| false;
            assert!(wide::first_hit(a, b, &mut Traversal::new(), any).is_none());
            assert!(wide::first_hit(b, a, &mut Traversal::new(), any).is_none());
            damaged.refit(&mesh);
            check((&mesh, &damaged, Pose::IDENTITY), (&mesh, &tree, Pose::IDENTITY));
        }
        assert!(read[0] > 0 && read[1] > 0, "{read:?}");
        Ok(())
    }

    #[test]
    fn damaged_variants_are_refused_or_harmless() -> serde_json::Result<()> {
        damage::<CompactTree>()
    }
}
