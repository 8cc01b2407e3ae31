//! Convex patches: a partition of the triangles into pieces that are convex, and a hierarchy that
//! holds them.

#![cfg(feature = "parallel")]

use std::collections::BTreeMap;

use xcollide_bounds::{BoundingVolume, KDop, Obb};
use xcollide_bvh::binary::{Bvh, Content, Fit, Split};
use xcollide_bvh::classic::patches::{Bend, Patch, PatchError, PatchOptions, PatchTree, Patches};
use xcollide_predicates::{Sign, orient3d};
use xcollide_scenes::Random;

type Outcome = Result<(), Box<dyn std::error::Error>>;

struct Mesh {
    positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// A shape with its polygons cut into fans.
fn shape(spec: &str) -> Result<Mesh, Box<dyn std::error::Error>> {
    let mesh = xcollide_scenes::shape(spec)?;
    let mut triangles = Vec::new();
    for face in mesh.faces() {
        let corners: Vec<u32> = face.outer().iter().map(|v| v.0).collect();
        triangles.extend((2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]));
    }
    Ok(Mesh { positions: mesh.positions().to_vec(), triangles })
}

/// A sheet over integers with random heights, some triangles turned over, doubled or without area.
fn crumpled(random: &mut Random) -> Mesh {
    let side = 2 + (random.bits() % 4) as u32;
    let heights = 1 + random.bits() % 4;
    let vertices = 0..(side + 1) * (side + 1);
    let positions: Vec<[f64; 3]> = vertices
        .map(|i| [i % (side + 1), i / (side + 1), (random.bits() % heights) as u32].map(f64::from))
        .collect();
    let mut triangles = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let a = y * (side + 1) + x;
            let (b, c, d) = (a + 1, a + side + 2, a + side + 1);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for _ in 0..random.bits() % 4 {
        let chosen = (random.bits() % triangles.len() as u64) as usize;
        let [a, b, c] = triangles[chosen];
        match random.bits() % 4 {
            0 => triangles[chosen] = [a, c, b],
            1 => triangles.push([a, b, c]),
            2 => triangles.push([a, b, b]),
            _ => triangles.push([b, a, (random.bits() % positions.len() as u64) as u32]),
        }
    }
    Mesh { positions, triangles }
}

/// Twice the volume of a tetrahedron of small integers, without any rounding: the slow and
/// obviously right twin of `orient3d`.
fn volume(points: [[f64; 3]; 4]) -> i64 {
    let [a, b, c, d] = points.map(|p| p.map(|x| x as i64));
    let minus = |p: [i64; 3], q: [i64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let (u, v, w) = (minus(b, a), minus(c, a), minus(d, a));
    w[0] * (u[1] * v[2] - u[2] * v[1])
        + w[1] * (u[2] * v[0] - u[0] * v[2])
        + w[2] * (u[0] * v[1] - u[1] * v[0])
}

/// Whether every vertex is where the patch says, by the given sign of orientation.
fn is_as_it_says(
    patch: &Patch<'_>,
    positions: &[[f64; 3]],
    side: impl Fn([[f64; 3]; 4]) -> i64,
) -> bool {
    patch.triangles.iter().all(|triangle| {
        let [a, b, c] = patch.corners(triangle, positions);
        patch.vertices.iter().all(|&v| {
            let sign = side([a, b, c, positions[v as usize]]).signum();
            match patch.bend {
                Bend::Flat => sign == 0,
                Bend::Bulge => sign <= 0,
                Bend::Hollow => sign >= 0,
                Bend::Loose => false,
            }
        })
    })
}

/// Everything that [`Patches`] promises about its structure.
fn check_structure(patches: &Patches, mesh: &Mesh, most: usize) {
    let mut uses: BTreeMap<[u32; 2], Vec<[u32; 2]>> = BTreeMap::new();
    for t in &mesh.triangles {
        for k in 0..3 {
            let (from, to) = (t[k], t[(k + 1) % 3]);
            if from != to {
                uses.entry([from.min(to), from.max(to)]).or_default().push([from, to]);
            }
        }
    }
    let mut seen = vec![0; mesh.triangles.len()];
    for patch in patches.iter() {
        assert!((1..=most).contains(&patch.triangles.len()));
        let mut reached = vec![false; patch.triangles.len()];
        let mut waiting = vec![0];
        while let Some(place) = waiting.pop() {
            if !std::mem::replace(&mut reached[place], true) {
                waiting.extend(patch.triangles[place].neighbours());
            }
        }
        assert!(reached.iter().all(|&reached| reached), "a patch hangs together");
        for (place, triangle) in patch.triangles.iter().enumerate() {
            seen[triangle.number as usize] += 1;
            let numbers = triangle.corners.map(|c| patch.vertices[usize::from(c)]);
            assert_eq!(numbers, mesh.triangles[triangle.number as usize]);
            for other in triangle.neighbours() {
                assert!(other != place);
                assert!(patch.triangles[other].neighbours().any(|back| back == place));
                let others = patch.triangles[other].corners;
                let shared = |k: usize| {
                    let edge = [numbers[k], numbers[(k + 1) % 3]];
                    let back = (0..3).any(|l| {
                        let [from, to] = [others[l], others[(l + 1) % 3]]
                            .map(|c| patch.vertices[usize::from(c)]);
                        [to, from] == edge
                    });
                    let all = uses.get(&[edge[0].min(edge[1]), edge[0].max(edge[1])]);
                    back && all.is_some_and(|all| all.len() == 2 && all[0] != all[1])
                };
                assert!((0..3).any(shared), "neighbours share an edge that no third one has");
            }
        }
        let mut vertices = patch.vertices.to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        assert_eq!(vertices.len(), patch.vertices.len());
    }
    assert!(seen.iter().all(|&times| times == 1), "each triangle is in one patch");
}

const SHAPES: [&str; 9] = [
    "shape:box",
    "shape:sphere?faces=600",
    "shape:icosphere?frequency=4",
    "shape:torus?faces=600",
    "shape:tetraflake?depth=3",
    "shape:gear",
    "shape:klein?faces=200",
    "shape:mobius?faces=60",
    "shape:soup?faces=100",
];

#[test]
fn every_triangle_is_in_one_patch_and_every_patch_is_convex() -> Outcome {
    for spec in SHAPES {
        let mesh = shape(spec)?;
        for most in [1, 2, 6, 16, Patches::LARGEST] {
            let patches = Patches::new(&mesh.positions, &mesh.triangles, most)?;
            check_structure(&patches, &mesh, most);
            for patch in patches.iter() {
                let side = |[a, b, c, d]: [[f64; 3]; 4]| orient3d(a, b, c, d) as i64;
                assert!(is_as_it_says(&patch, &mesh.positions, side), "{spec}, {most}");
                assert_eq!(patch.bend_at(&mesh.positions), patch.bend);
            }
        }
    }
    Ok(())
}

/// Small integers and the volume of tetrahedra in them: nothing of the code under test.
#[test]
fn patches_of_crumpled_sheets_are_convex_in_integers() -> Outcome {
    let mut random = Random::new(1);
    let mut bends = [0; 4];
    for round in 0..2000 {
        let mesh = crumpled(&mut random);
        let most = [2, 4, 16][round % 3];
        let patches = Patches::new(&mesh.positions, &mesh.triangles, most)?;
        check_structure(&patches, &mesh, most);
        for patch in patches.iter() {
            assert!(is_as_it_says(&patch, &mesh.positions, volume));
            bends[patch.bend as usize] += 1;
        }
    }
    assert!(bends[..3].iter().all(|&count| count > 1000) && bends[3] == 0, "{bends:?}");
    Ok(())
}

#[test]
fn what_is_convex_is_one_patch_from_either_side() -> Outcome {
    let ball = shape("shape:icosphere?frequency=2")?;
    let inside_out: Vec<_> = ball.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let sheet = shape("shape:plane?faces=32")?;
    for (positions, triangles, bend) in [
        (&ball.positions, &ball.triangles, Bend::Bulge),
        (&ball.positions, &inside_out, Bend::Hollow),
        (&sheet.positions, &sheet.triangles, Bend::Flat),
    ] {
        let patches = Patches::new(positions, triangles, Patches::LARGEST)?;
        assert_eq!((patches.len(), patches.patch(0).bend), (1, bend));
    }
    Ok(())
}

#[test]
fn what_is_no_surface_stays_single() -> Outcome {
    // Folded flat onto its neighbour; three at an edge; turned against its neighbour; needles.
    let positions =
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.0, 5.0]];
    for triangles in [
        vec![[0, 1, 2], [1, 0, 3]],
        vec![[0, 1, 2], [1, 0, 4], [1, 0, 3]],
        vec![[0, 1, 2], [0, 1, 4]],
        vec![[0, 1, 2], [1, 0, 0]],
        vec![[0, 0, 0], [1, 1, 1]],
    ] {
        let patches = Patches::new(&positions, &triangles, 16)?;
        assert_eq!(patches.len(), triangles.len(), "{triangles:?}");
    }
    Ok(())
}

/// Every node's volume holds all corners below it.
fn check_volumes<V: BoundingVolume>(tree: &PatchTree<V>, positions: &[[f64; 3]]) {
    let hierarchy = tree.hierarchy();
    let mut patches = 0;
    for node in hierarchy.nodes() {
        let mut below = vec![node];
        while let Some(inner) = below.pop() {
            match hierarchy.content(inner) {
                Content::Inner(children) => below.extend(children),
                Content::Leaf(leaf) => {
                    patches += usize::from(inner == node) * leaf.len();
                    for &patch in leaf {
                        for &vertex in tree.patches().patch(patch as usize).vertices {
                            assert!(hierarchy.volume(node).contains(positions[vertex as usize]));
                        }
                    }
                }
            }
        }
    }
    assert_eq!(patches, tree.patches().len());
}

#[test]
fn volumes_hold_their_patches_also_after_moves() -> Outcome {
    let mesh = shape("shape:torus?faces=300")?;
    let mut random = Random::new(2);
    for split in [Split::MeanVariance, Split::default()] {
        for fit in [Fit::Merged, Fit::Tight] {
            let options = PatchOptions { split, fit, ..PatchOptions::default() };
            let mut dops: PatchTree = PatchTree::build(&mesh.positions, &mesh.triangles, &options)?;
            let mut boxes: PatchTree<Obb> =
                PatchTree::build(&mesh.positions, &mesh.triangles, &options)?;
            check_volumes(&dops, &mesh.positions);
            check_volumes(&boxes, &mesh.positions);
            let fresh = dops.clone();
            assert_eq!(dops.refit(&mesh.positions)?, 0);
            assert!(dops == fresh, "nothing moved, nothing changes");

            let moved: Vec<[f64; 3]> = mesh
                .positions
                .iter()
                .map(|p| p.map(|x| x * 3.0 + random.between(-0.2, 0.2)))
                .collect();
            let loose = dops.refit(&moved)?;
            assert_eq!(boxes.refit(&moved)?, loose);
            check_volumes(&dops, &moved);
            check_volumes(&boxes, &moved);
            let found = dops.patches().iter().filter(|patch| patch.bend == Bend::Loose).count();
            assert!(found == loose && loose > 10, "{loose} patches are no longer convex");
            for patch in dops.patches().iter() {
                assert_eq!(patch.bend, patch.bend_at(&moved));
            }
        }
    }
    Ok(())
}

/// Small patches that trade places: the parts of the tree above them are built again, until it is as good as a new one.
#[test]
fn trees_of_patches_that_pass_each_other_are_as_good_as_new() -> Outcome {
    let mut random = Random::new(5);
    let mut places: Vec<[f64; 3]> =
        (0..300).map(|_| [0; 3].map(|_| random.between(-1.0, 1.0))).collect();
    let corners = |places: &[[f64; 3]]| -> Vec<[f64; 3]> {
        let steps = [[0.0; 3], [0.02, 0.0, 0.0], [0.0, 0.02, 0.01]];
        let corners =
            places.iter().flat_map(|place| steps.map(|step| [0, 1, 2].map(|k| place[k] + step[k])));
        corners.collect()
    };
    let triangles: Vec<[u32; 3]> = (0..300).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    for fit in [Fit::Merged, Fit::Tight] {
        let options = PatchOptions { fit, ..PatchOptions::default() };
        let before = corners(&places);
        let mut tree: PatchTree = PatchTree::build(&before, &triangles, &options)?;
        let mut plain = tree.hierarchy().clone();
        // Those on the right only.
        for _ in 0..600 {
            let [a, b] = [0; 2].map(|_| (random.bits() % 300) as usize);
            if places[a][0] > 0.0 && places[b][0] > 0.0 {
                places.swap(a, b);
            }
        }
        let after = corners(&places);
        let boxes: Vec<[[f64; 3]; 3]> =
            triangles.iter().map(|t| t.map(|vertex| after[vertex as usize])).collect();
        // Each patch is a triangle, in the same order.
        assert!(tree.patches().iter().zip(0..).all(|(patch, t)| patch.triangles[0].number == t));
        plain.refit(&boxes, Fit::Merged)?;
        let order = tree.hierarchy().order().to_vec();
        assert_eq!(tree.refit(&after)?, 0, "all are convex");
        check_volumes(&tree, &after);
        let fresh: PatchTree = PatchTree::build(&after, &triangles, &options)?;
        let [found, fresh, worn] = [tree.hierarchy(), fresh.hierarchy(), &plain].map(Bvh::cost);
        assert!(found < 1.05 * fresh && 1.5 * fresh < worn, "{found} {fresh} {worn}");
        // The left side is as it was.
        let now = tree.hierarchy().order();
        let same = order.iter().zip(now).filter(|(a, b)| a == b).count();
        assert!(same > 100 && now != order, "{same}");
    }
    Ok(())
}

#[test]
fn threads_change_nothing() -> Outcome {
    let mesh = shape("shape:sphere?faces=20000")?;
    let alone = PatchOptions { most: 3, ..PatchOptions::default() };
    let together = PatchOptions { parallel: true, ..alone };
    let tree = |options| PatchTree::<KDop<18>>::build(&mesh.positions, &mesh.triangles, options);
    assert!(tree(&alone)? == tree(&together)?);
    Ok(())
}

#[test]
fn what_cannot_be_cut_is_refused() -> Outcome {
    let far = [[0.0; 3], [1.0, 0.0, f64::NAN], [0.0, 1.0, 0.0]];
    assert_eq!(Patches::new(&far, &[[0, 1, 2]], 8), Err(PatchError::NonFinite { vertex: 1 }));
    let missing = PatchError::NoSuchVertex { triangle: 1, vertex: 3, vertices: 3 };
    assert_eq!(Patches::new(&far, &[[0, 0, 2], [0, 2, 3]], 8), Err(missing));
    assert!(Patches::new(&far, &[], 8)?.is_empty());
    let mut tree: PatchTree = PatchTree::build(&far, &[[0, 0, 2]], &PatchOptions::default())?;
    let before = tree.clone();
    assert!(tree.refit(&far[..1]).is_err());
    assert!(tree == before);
    Ok(())
}

#[test]
fn signs_of_integers_and_predicates_are_the_same() {
    let floor = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let [a, b, c] = floor;
    for z in [-1.0, 0.0, 1.0] {
        let d = [1.0, 1.0, z];
        assert_eq!(Sign::of(volume([a, b, c, d]) as f64), orient3d(a, b, c, d));
    }
}
