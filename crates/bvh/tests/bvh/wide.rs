//! Wide hierarchies find exactly what brute force finds: every pair of triangles with a common point in
//! the world, at any distance and scale, in the same order with every instruction set. The slow twin is
//! [`brute_force`], which tests all pairs.
#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;

use crate::searches;
use xcollide_bvh::Counts;
use xcollide_bvh::wide::{
    CompactNode, Fit, NodeKind, Traversal, WideBvh, WideNode, WideOptions, WideTree,
};
use xcollide_fixtures::long_run;
use xcollide_math::Pose;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::{Poses, Random, shape};

type Triangle = [[f64; 3]; 3];

struct Mesh {
    name: String,
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
        let triangles = triangulation
            .triangles()
            .iter()
            .map(|corners| corners.map(|vertex| vertex.index() as u32))
            .collect();
        Self { name: spec.to_owned(), positions: mesh.positions().to_vec(), triangles }
    }

    fn from_soup(name: &str, soup: &[Triangle]) -> Self {
        let positions = soup.concat();
        let triangles = (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self { name: name.to_owned(), positions, triangles }
    }

    fn tree<N: NodeKind>(&self) -> WideBvh<N> {
        WideBvh::build(&self.positions, &self.triangles, WideOptions::default())
    }

    fn scaled(&self, factor: f64) -> Self {
        self.mapped(&format!("{} × {factor:e}", self.name), |p| p.map(|x| x * factor))
    }

    fn mapped(&self, name: &str, f: impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        Self {
            name: name.to_owned(),
            positions: self.positions.iter().map(|&p| f(p)).collect(),
            triangles: self.triangles.clone(),
        }
    }

    fn world(&self, motion: &Pose) -> Vec<Triangle> {
        let positions: Vec<_> = self.positions.iter().map(|&p| motion.apply(p)).collect();
        self.triangles.iter().map(|t| t.map(|corner| positions[corner as usize])).collect()
    }
}

/// All pairs, one by one.
fn brute_force(a: &[Triangle], b: &[Triangle]) -> Vec<(u32, u32)> {
    let bounds = |t: &Triangle, axis: usize| {
        let [x, y, z] = t.map(|corner| corner[axis]);
        (x.min(y).min(z), x.max(y).max(z))
    };
    let mut pairs = Vec::new();
    for (i, s) in a.iter().enumerate() {
        let boxes = [0, 1, 2].map(|axis| bounds(s, axis));
        for (j, t) in b.iter().enumerate() {
            let apart = (0..3).any(|axis| {
                let (low, high) = bounds(t, axis);
                high < boxes[axis].0 || low > boxes[axis].1
            });
            if !apart && triangles_intersect(s, t) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

/// Compares all queries, on both kernels, with brute force; gives the number of pairs that meet.
fn check<N: NodeKind>(a: (&Mesh, &WideBvh<N>, Pose), b: (&Mesh, &WideBvh<N>, Pose)) -> usize {
    let (s, t) = (a.0.world(&a.2), b.0.world(&b.2));
    let expected = brute_force(&s, &t);
    let mut exact = |i: u32, j: u32| triangles_intersect(&s[i as usize], &t[j as usize]);
    let placed_a = (a.1, &a.2);
    let placed_b = (b.1, &b.2);
    let mut visited = Vec::new();
    for mut traversal in [Traversal::new(), Traversal::portable()] {
        let mut order = Vec::new();
        let mut statistics = Counts::default();
        let flow = searches::candidates(
            placed_a,
            placed_b,
            &mut traversal,
            &mut statistics,
            &mut |i, j| {
                order.push((i, j));
                ControlFlow::Continue(())
            },
        );
        assert!(flow.is_continue());
        assert_eq!(statistics.primitives, order.len() as u64);
        visited.push((order.clone(), statistics));

        let mut found: Vec<_> = order.into_iter().filter(|&(i, j)| exact(i, j)).collect();
        let first = searches::first_hit(placed_a, placed_b, &mut traversal, &mut exact);
        assert_eq!(first, found.first().copied());
        found.sort_unstable();
        assert!(
            found == expected,
            "{} and {}: {} pairs instead of {}\n{:?}\n{:?}",
            a.0.name,
            b.0.name,
            found.len(),
            expected.len(),
            a.2,
            b.2
        );
    }
    assert!(visited[0] == visited[1], "both kernels go the same way, pair by pair");
    expected.len()
}

/// A motion turned at random about the origin, moved along `direction` by `distance`.
fn motion(poses: &mut Poses, direction: [f64; 3], distance: f64) -> Pose {
    Pose::from_quaternion(poses.rotation(), direction.map(|x| x * distance)).unwrap()
}

fn shapes() -> Vec<Mesh> {
    [
        "soup?faces=150&length=0.4",
        "sphere?faces=300",
        "torus?faces=300",
        "knot?faces=400",
        "tetraflake?depth=3",
        "box",
        "plane?faces=100",
        "mobius?faces=120",
    ]
    .map(Mesh::shape)
    .into()
}

fn hits_are_those_of_brute_force<N: NodeKind>() {
    let mut poses = Poses::new(7);
    let meshes = shapes();
    let trees: Vec<_> = meshes.iter().map(Mesh::tree::<N>).collect();
    let mut seen = [0, 0];
    for (a, s) in meshes.iter().zip(&trees) {
        for (b, t) in meshes.iter().zip(&trees) {
            for distance in [0.0, 0.3, 0.9, 1.5, 2.0, 3.5] {
                let here = motion(&mut poses, [0.0; 3], 0.0);
                let direction = poses.direction();
                let there = motion(&mut poses, direction, distance);
                let hits = check((a, s, here), (b, t, there));
                seen[usize::from(hits > 0)] += 1;
            }
        }
    }
    assert!(seen[0] > 60 && seen[1] > 120, "both answers occur: {seen:?}");
}

/// The largest distance along a direction at which the meshes still meet, to the last bit, as the
/// tree sees it; brute force then judges the neighbourhood.
fn contact<N: NodeKind>(
    a: (&Mesh, &WideBvh<N>),
    b: (&Mesh, &WideBvh<N>),
    turn: Pose,
    way: [f64; 3],
) -> f64 {
    let mut traversal = Traversal::new();
    let mut meet = |distance: f64| {
        let there = turn.with_translation(way.map(|x| x * distance));
        let world = |m: &Mesh, motion: &Pose, t: u32| {
            m.triangles[t as usize].map(|corner| motion.apply(m.positions[corner as usize]))
        };
        searches::first_hit((a.1, &Pose::IDENTITY), (b.1, &there), &mut traversal, &mut |s, t| {
            triangles_intersect(&world(a.0, &Pose::IDENTITY, s), &world(b.0, &there, t))
        })
        .is_some()
    };
    // Downward from far away, in steps too small to fall from the outside to the inside.
    let mut low = 8.0;
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
    low
}

fn gaps_down_to_the_last_bit_are_told<N: NodeKind>() {
    let seen = tell_gaps::<N>(8, 20);
    assert!(seen[0] > 60 && seen[1] > 60, "both answers occur: {seen:?}");
}

fn gaps_down_to_the_last_bit_are_told_soak<N: NodeKind>() {
    let run = long_run(10, 1000);
    let seen = tell_gaps::<N>(80 + run.seed, run.cases as usize);
    let least = 3 * run.cases as usize;
    assert!(seen[0] > least && seen[1] > least, "both answers occur: {seen:?}");
}

/// Pairs of shapes at, just before and just behind contact; how many were apart, how many met.
fn tell_gaps<N: NodeKind>(seed: u64, rounds: usize) -> [usize; 2] {
    let mut poses = Poses::new(seed);
    let meshes = shapes();
    let trees: Vec<_> = meshes.iter().map(Mesh::tree::<N>).collect();
    let mut seen = [0, 0];
    for round in 0..rounds {
        let (i, j) = (round % meshes.len(), (round * 3 + round / 8 + 1) % meshes.len());
        let (a, b) = ((&meshes[i], &trees[i]), (&meshes[j], &trees[j]));
        let turn = motion(&mut poses, [0.0; 3], 0.0);
        let direction = poses.direction();
        let touching = contact(a, b, turn, direction);
        for gap in [0.0, 1e-15, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3, 0.03, 1.0] {
            for distance in [touching + gap, touching - gap] {
                let there = turn.with_translation(direction.map(|x| x * distance));
                let hits = check((a.0, a.1, Pose::IDENTITY), (b.0, b.1, there));
                seen[usize::from(hits > 0)] += 1;
            }
        }
    }
    seen
}

/// Models of any size, and pairs of very different sizes.
fn scales_change_no_answer<N: NodeKind>() {
    let mut poses = Poses::new(9);
    let a = Mesh::shape("torus?faces=150");
    let b = Mesh::shape("sphere?faces=120");
    let mut hits = 0;
    for factors in [
        [1e-9, 1e-9],
        [1e9, 1e9],
        [1e9, 1e-9],
        [1e-9, 1e9],
        [1e-100, 1e-100],
        [1e100, 1e100],
        [1e-30, 1e30],
        [1e150, 1e-150],
        [1e-200, 1e-200],
        [1e-300, 1e-300],
        [1e200, 1e200],
        [1e-310, 1.0],
        [1e290, 1e290],
    ] {
        let (a, b) = (a.scaled(factors[0]), b.scaled(factors[1]));
        let (s, t) = (a.tree::<N>(), b.tree::<N>());
        for distance in [0.0, 0.9, 1.4, 2.0, 2.5] {
            let here = motion(&mut poses, [0.0; 3], 0.0);
            let direction = poses.direction();
            let there = motion(&mut poses, direction, distance * factors[0].max(factors[1]));
            hits += check((&a, &s, here), (&b, &t, there));
        }
    }
    assert!(hits > 100);
}

/// Where the rounding of world coordinates is as large as the triangles, and larger.
fn far_from_the_origin_the_rounded_points_decide<N: NodeKind>() {
    let mut poses = Poses::new(10);
    let (a, b) = (Mesh::shape("torus?faces=120"), Mesh::shape("sphere?faces=100"));
    let (s, t) = (a.tree::<N>(), b.tree::<N>());
    let mut seen = [0, 0];
    for away in [1e3, 1e6, 1e9, 1e12, 1e14, 1e15, 3e15, 1e16, 1e17, 1e30, 1e200] {
        for distance in [0.0, 0.7, 1.4, 2.0, 2.39, 2.5, 3.0] {
            let place = poses.direction().map(|x| x * away);
            let here = Pose::from_quaternion(poses.rotation(), place).unwrap();
            let direction = poses.direction();
            let there = Pose::from_quaternion(
                poses.rotation(),
                [0, 1, 2].map(|k| place[k] + direction[k] * distance),
            )
            .unwrap();
            let hits = check((&a, &s, here), (&b, &t, there));
            seen[usize::from(hits > 0)] += 1;
        }
        // And far from their own origins, both or one of them.
        let shift = poses.direction().map(|x| x * away);
        let c = a.mapped("shifted", |p| [0, 1, 2].map(|k| p[k] + shift[k]));
        let u = c.tree::<N>();
        for distance in [0.0, 0.7, 2.0, 4.0] {
            let turn = motion(&mut poses, [0.0; 3], 0.0);
            let center = turn.apply(shift);
            let direction = poses.direction();
            let there = Pose::from_quaternion(
                poses.rotation(),
                [0, 1, 2].map(|k| center[k] + direction[k] * distance),
            )
            .unwrap();
            let hits = check((&c, &u, turn), (&b, &t, there));
            seen[usize::from(hits > 0)] += 1;
        }
    }
    assert!(seen[0] > 20 && seen[1] > 30, "both answers occur: {seen:?}");
}

fn degenerate_triangles_are_as_good_as_others<N: NodeKind>() {
    let mut random = Random::new(11);
    let mut next = || random.between(-1.0, 1.0);
    let mut soup = Vec::new();
    for i in 0..120 {
        let (p, q, r) =
            ([next(), next(), next()], [next(), next(), next()], [next(), next(), next()]);
        let middle = [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]));
        soup.push(match i % 6 {
            0 => [p, p, p],
            1 => [p, q, q],
            2 => [p, q, middle],
            3 => [p, q, q.map(|x: f64| x + 1e-17)],
            4 => [p.map(|x| (x * 4.0).round() / 4.0), [0.25, 0.5, 0.0], [0.0; 3]],
            _ => [p, q, r],
        });
    }
    let a = Mesh::from_soup("degenerate", &soup);
    let stack: Vec<_> = (0..40)
        .map(|i| {
            let x = f64::from(i % 8) * 0.25 - 1.0;
            [[x, -1.0, 0.0], [x + 0.25, -1.0, 0.0], [x, 1.0, 0.0]]
        })
        .collect();
    let coplanar = Mesh::from_soup("coplanar stack", &stack);
    let point = Mesh::from_soup("points", &[[[0.25; 3]; 3], [[0.25; 3]; 3], [[0.25; 3]; 3]]);
    let same = Mesh::from_soup("one triangle 50 times", &[soup[5]; 50]);
    let one = Mesh::from_soup("one triangle", &[soup[5]]);
    let meshes = [a, coplanar, point, same, one];
    let trees: Vec<_> = meshes.iter().map(Mesh::tree::<N>).collect();
    let mut poses = Poses::new(12);
    let mut hits = 0;
    for (a, s) in meshes.iter().zip(&trees) {
        for (b, t) in meshes.iter().zip(&trees) {
            hits += check((a, s, Pose::IDENTITY), (b, t, Pose::IDENTITY));
            let direction = poses.direction();
            let there = motion(&mut poses, direction, 0.3);
            hits += check((a, s, there), (b, t, there));
            hits += check((a, s, Pose::IDENTITY), (b, t, there));
        }
    }
    assert!(hits > 1000);
}

/// Every triangle touches itself and its neighbours; also one bit away.
fn identical_meshes_at_the_same_place<N: NodeKind>() {
    let mut poses = Poses::new(13);
    for mesh in shapes() {
        let tree = mesh.tree::<N>();
        let direction = poses.direction();
        let place = motion(&mut poses, direction, 5.0);
        assert!(
            check((&mesh, &tree, place), (&mesh, &tree, place)) >= mesh.triangles.len(),
            "{}",
            mesh.name
        );
        let [x, y, z] = place.translation();
        let beside = place.with_translation([x.next_up(), y, z]);
        check((&mesh, &tree, place), (&mesh, &tree, beside));
    }
}

/// The matrix of a quaternion that is not quite of length 1 is accepted as a pose.
fn motions_that_are_rotations_only_nearly<N: NodeKind>() {
    let mut poses = Poses::new(14);
    let (a, b) = (Mesh::shape("torus?faces=200"), Mesh::shape("knot?faces=200"));
    let (s, t) = (a.tree::<N>(), b.tree::<N>());
    let mut hits = 0;
    for stretch in [1.0 + 0.999e-6, 1.0 - 0.999e-6, 1.0 + 5e-7, 1.0 - 5e-7, 1.0 + 1e-9, 1.0] {
        for distance in [0.0, 0.8, 1.5, 2.0] {
            let q = poses.rotation().map(|x| x * stretch);
            let direction = poses.direction();
            let there = Pose::from_quaternion(q, direction.map(|x| x * distance)).unwrap();
            let here = motion(&mut poses, [0.0; 3], 0.0);
            hits += check((&a, &s, here), (&b, &t, there));
        }
    }
    assert!(hits > 100);
}

fn trees_without_triangles_hit_nothing<N: NodeKind>() {
    let none = Mesh::from_soup("nothing", &[]);
    let sphere = Mesh::shape("sphere?faces=100");
    let (s, t) = (none.tree::<N>(), sphere.tree::<N>());
    assert_eq!(check((&none, &s, Pose::IDENTITY), (&sphere, &t, Pose::IDENTITY)), 0);
    assert_eq!(check((&sphere, &t, Pose::IDENTITY), (&none, &s, Pose::IDENTITY)), 0);
    assert_eq!(check((&none, &s, Pose::IDENTITY), (&none, &s, Pose::IDENTITY)), 0);
}

fn refitted_trees_answer_for_the_moved_vertices<N: NodeKind>() {
    let mut poses = Poses::new(15);
    let (a, b) = (Mesh::shape("torus?faces=250"), Mesh::shape("sphere?faces=200"));
    let (mut s, t) = (a.tree::<N>(), b.tree::<N>());
    let mut hits = 0;
    for round in 0..10 {
        let bend = 0.3 * f64::from(round);
        let moved = a.mapped("bent torus", |[x, y, z]| {
            [x * (1.0 + bend), y + bend * x * z, z * 0.5 + bend * x * x]
        });
        s.refit(&moved.positions, &moved.triangles);
        let direction = poses.direction();
        let there = motion(&mut poses, direction, 1.2);
        hits += check((&moved, &s, Pose::IDENTITY), (&b, &t, there));
    }
    assert!(hits > 20);
}

#[test]
fn principal_boxes_give_the_same_answers() {
    let mut poses = Poses::new(16);
    let (a, b) = (Mesh::shape("knot?faces=300"), Mesh::shape("torus?faces=300"));
    let options = WideOptions { fit: Fit::Principal, ..WideOptions::default() };
    let s = WideTree::build(&a.positions, &a.triangles, options);
    let t = WideTree::build(&b.positions, &b.triangles, options);
    let mut hits = 0;
    for distance in [0.0, 0.5, 1.0, 1.5, 2.0, 2.5] {
        let direction = poses.direction();
        let there = motion(&mut poses, direction, distance);
        hits += check((&a, &s, Pose::IDENTITY), (&b, &t, there));
    }
    assert!(hits > 20);
}

/// Two spheres apart by 1 % cost a few hundred box tests of the hundred million pairs of triangles, and
/// the trees take no more memory than documented.
#[test]
fn few_boxes_are_tested() {
    fn measure<N: NodeKind>(mesh: &Mesh) -> (usize, Counts) {
        let tree = mesh.tree::<N>();
        let there = Pose::from_translation([1.2, 1.2, 1.1083]);
        let mut counts = Counts::default();
        let flow = searches::candidates(
            (&tree, &Pose::IDENTITY),
            (&tree, &there),
            &mut Traversal::new(),
            &mut counts,
            &mut |_, _| ControlFlow::Continue(()),
        );
        assert!(flow.is_continue());
        (tree.bytes() / mesh.triangles.len(), counts)
    }
    let mesh = Mesh::shape("sphere?faces=10000");
    let (bytes, counts) = measure::<WideNode>(&mesh);
    assert!(bytes < 80 && counts.volumes < 3000 && counts.primitives < 50, "{bytes} {counts:?}");
    let (bytes, counts) = measure::<CompactNode>(&mesh);
    assert!(bytes < 25 && counts.volumes < 5000 && counts.primitives < 200, "{bytes} {counts:?}");
}

macro_rules! for_each_kind {
    ($($law:ident),*) => {
        for_each_kind!(wide_tree, WideNode; $($law),*);
        for_each_kind!(compact_tree, CompactNode; $($law),*);
    };
    ($kind:ident, $node:ident; $($law:ident),*) => {
        mod $kind {
            use super::$node;
            $(
                #[test]
                fn $law() {
                    super::$law::<$node>();
                }
            )*
        }
    };
}

for_each_kind!(
    hits_are_those_of_brute_force,
    gaps_down_to_the_last_bit_are_told,
    scales_change_no_answer,
    far_from_the_origin_the_rounded_points_decide,
    degenerate_triangles_are_as_good_as_others,
    identical_meshes_at_the_same_place,
    motions_that_are_rotations_only_nearly,
    trees_without_triangles_hit_nothing,
    refitted_trees_answer_for_the_moved_vertices,
    gaps_down_to_the_last_bit_are_told_soak
);

#[cfg(feature = "serde")]
mod stored {
    use serde::{Serialize, de::DeserializeOwned};

    use super::*;

    fn come_back_the_same<N: NodeKind + Serialize + DeserializeOwned>() -> serde_json::Result<()> {
        let mut poses = Poses::new(21);
        for mesh in [Mesh::shape("knot?faces=300"), Mesh::from_soup("nothing", &[])] {
            let tree = mesh.tree::<N>();
            let back: WideBvh<N> = serde_json::from_str(&serde_json::to_string(&tree)?)?;
            for distance in [0.0, 1.0, 2.2] {
                let way = poses.direction().map(|x| x * distance);
                let there = Pose::from_quaternion(poses.rotation(), way).unwrap();
                let pairs = |tree: &WideBvh<N>| {
                    let mut pairs = Vec::new();
                    let a = (tree, &Pose::IDENTITY);
                    let b = (tree, &there);
                    let mut traversal = Traversal::new();
                    let _ = searches::candidates(a, b, &mut traversal, &mut (), &mut |i, j| {
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
    fn compact_trees_come_back_the_same() -> serde_json::Result<()> {
        come_back_the_same::<CompactNode>()
    }

    /// Changes one digit of a stored tree at a time and reads it back.
    fn damage<N: NodeKind + Serialize + DeserializeOwned>() -> serde_json::Result<()> {
        let mesh = Mesh::shape("torus?faces=60");
        let tree = mesh.tree::<N>();
        let text = serde_json::to_string(&tree)?;
        let digits: Vec<usize> =
            (0..text.len()).filter(|&i| text.as_bytes()[i].is_ascii_digit()).collect();
        let mut random = Random::new(22);
        let mut below = |count: usize| (random.bits() % count as u64) as usize;
        let mut read = [0, 0];
        for _ in 0..400 {
            let mut bytes = text.clone().into_bytes();
            bytes[digits[below(digits.len())]] = b"0123456789"[below(10)];
            let Ok(mut damaged) = serde_json::from_slice::<WideBvh<N>>(&bytes) else {
                read[1] += 1;
                continue;
            };
            read[0] += 1;
            let [a, b] = [&damaged, &tree].map(|tree| (tree, &Pose::IDENTITY));
            let mut any = |_, _| false;
            assert!(searches::first_hit(a, b, &mut Traversal::new(), &mut any).is_none());
            assert!(searches::first_hit(b, a, &mut Traversal::new(), &mut any).is_none());
            damaged.refit(&mesh.positions, &mesh.triangles);
            check((&mesh, &damaged, Pose::IDENTITY), (&mesh, &tree, Pose::IDENTITY));
        }
        assert!(read[0] > 0 && read[1] > 0, "{read:?}");
        Ok(())
    }

    #[test]
    fn damaged_compact_trees_are_refused_or_harmless() -> serde_json::Result<()> {
        damage::<CompactNode>()
    }
}
