//! What building, refitting and storing a wide hierarchy promise: the same tree at any number of
//! threads, no pair lost after a refit however far the vertices moved, the same answers after a
//! round trip, and no harm from damaged data. The slow twin is the exact test of all pairs.
#![cfg(all(feature = "serde", feature = "parallel"))]

use crate::searches;
use crate::support;

use std::ops::ControlFlow;

use support::{Triangle, anywhere, soup, world};
use xcollide_bvh::Counts;
use xcollide_bvh::wide::{Fit, Traversal, WideOptions, WideSplit, WideTree};
use xcollide_math::Pose;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::{Random, shape};

type Failure = Box<dyn std::error::Error>;

const OPTIONS: [WideOptions; 4] = [
    WideOptions { fit: Fit::Smallest, split: WideSplit::SurfaceArea },
    WideOptions { fit: Fit::Principal, split: WideSplit::SurfaceArea },
    WideOptions { fit: Fit::Smallest, split: WideSplit::Morton },
    WideOptions::fast(),
];

/// A soup as positions and corners.
fn indexed(soup: &[Triangle]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let corners = (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    (soup.concat(), corners)
}

fn tree(soup: &[Triangle], options: WideOptions) -> WideTree {
    let (positions, triangles) = indexed(soup);
    WideTree::build(&positions, &triangles, options)
}

/// All pairs that the tree hands over, and what they cost.
fn candidates(a: (&WideTree, Pose), b: (&WideTree, Pose)) -> (Vec<(u32, u32)>, Counts) {
    let (mut pairs, mut statistics) = (Vec::new(), Counts::default());
    let flow = searches::candidates(
        (a.0, &a.1),
        (b.0, &b.1),
        &mut Traversal::new(),
        &mut statistics,
        &mut |s, t| {
            pairs.push((s, t));
            ControlFlow::Continue(())
        },
    );
    assert!(flow.is_continue());
    (pairs, statistics)
}

/// Counts the pairs that meet; panics where the tree has lost one.
fn check(a: (&[Triangle], &WideTree, Pose), b: (&[Triangle], &WideTree, Pose)) -> usize {
    let (mut found, _) = candidates((a.1, a.2), (b.1, b.2));
    found.sort_unstable();
    let (s, t) = (world(a.0, &a.2), world(b.0, &b.2));
    let mut meeting = 0;
    for (i, first) in s.iter().enumerate() {
        for (j, second) in t.iter().enumerate() {
            if triangles_intersect(first, second) {
                meeting += 1;
                let pair = (i as u32, j as u32);
                assert!(found.binary_search(&pair).is_ok(), "{pair:?} is lost");
            }
        }
    }
    meeting
}

/// Large enough that all stages have several tasks.
#[test]
fn any_number_of_threads_makes_the_same_tree() -> Result<(), Failure> {
    let mesh = shape("knot?faces=24000")?;
    let triangulation = mesh.triangulate();
    let corners: Vec<[u32; 3]> =
        triangulation.triangles().iter().map(|t| t.map(|v| v.index() as u32)).collect();
    assert!(corners.len() > 20_000);
    for options in OPTIONS {
        let mut stored = Vec::new();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let tree = pool.install(|| {
                let mut tree = WideTree::build(mesh.positions(), &corners, options);
                tree.refit(mesh.positions(), &corners);
                tree
            });
            stored.push(serde_json::to_vec(&tree)?);
        }
        assert!(stored.iter().all(|other| *other == stored[0]), "{options:?}");
    }
    Ok(())
}

#[test]
fn refitting_to_the_same_vertices_changes_nothing() -> Result<(), Failure> {
    let soup = soup(300, 0.2, &mut Random::new(3));
    let (positions, triangles) = indexed(&soup);
    for options in OPTIONS {
        let mut tree = WideTree::build(&positions, &triangles, options);
        let built = serde_json::to_vec(&tree)?;
        tree.refit(&positions, &triangles);
        assert!(serde_json::to_vec(&tree)? == built);
    }
    Ok(())
}

/// Whatever the options, and however far the vertices go: scattered, scaled, moved away, collapsed
/// to a point.
#[test]
fn no_pair_is_lost_after_large_motions() {
    let mut random = Random::new(5);
    let other = soup(120, 0.6, &mut random);
    let other_tree = tree(&other, WideOptions::default());
    let mut meeting = 0;
    for round in 0..32 {
        let before = soup(120, 0.4, &mut random);
        let mut tree = tree(&before, OPTIONS[round % 4]);
        let (positions, triangles) = indexed(&before);
        tree.refit(&positions, &triangles);
        let count = tree.triangle_count();
        let mut far = || 10.0 * random.between(-1.0, 1.0);
        let after: Vec<Triangle> = match round / 4 % 8 {
            0 => soup(120, 1.0, &mut random),
            1 => before.iter().rev().copied().collect(),
            2 => before.iter().map(|t| t.map(|p| p.map(|x| x * 1e6))).collect(),
            3 => before.iter().map(|t| t.map(|p| p.map(|x| x * 1e-9 + 0.25))).collect(),
            4 => before.iter().map(|t| t.map(|[x, y, z]| [x + 1e5, y - 2e5, z])).collect(),
            5 => before.iter().map(|t| t.map(|p| p.map(|x| x + far()))).collect(),
            6 => vec![[[0.5; 3]; 3]; 120],
            _ => before.iter().map(|t| t.map(|[x, y, _]| [x, y, x * y])).collect(),
        };
        let (positions, triangles) = indexed(&after);
        tree.refit(&positions, &triangles);
        assert_eq!(tree.triangle_count(), count);
        // To the first corner of a triangle, so that there is something to lose.
        for target in [0, 50, 100] {
            let mut there = anywhere(0.0, &mut random);
            let (goal, corner) = (other[target][0], after[target][0]);
            let turned = there.rotate(corner);
            there = there.with_translation([0, 1, 2].map(|axis| goal[axis] - turned[axis]));
            meeting += check((&other, &other_tree, Pose::IDENTITY), (&after, &tree, there));
        }
    }
    assert!(meeting > 2000, "{meeting}");
}

#[test]
fn a_tree_comes_back_from_serde_as_it_was() -> Result<(), Failure> {
    let mut random = Random::new(7);
    for count in [0, 1, 2, 3, 9, 200] {
        let soup = soup(count, 0.3, &mut random);
        for options in OPTIONS {
            let tree = tree(&soup, options);
            let text = serde_json::to_string(&tree)?;
            let mut back: WideTree = serde_json::from_str(&text)?;
            assert_eq!(serde_json::to_string(&back)?, text);
            assert_eq!((back.bytes(), back.triangle_count()), (tree.bytes(), count));
            for _ in 0..5 {
                let there = anywhere(0.5, &mut random);
                let here = Pose::IDENTITY;
                assert_eq!(
                    candidates((&tree, here), (&tree, there)),
                    candidates((&back, here), (&back, there))
                );
            }
            let (positions, triangles) = indexed(&soup);
            back.refit(&positions, &triangles);
            assert_eq!(serde_json::to_string(&back)?, text);
        }
    }
    Ok(())
}

/// Numbers of a stored tree are replaced by others, lists cut short and lengthened; what is still
/// accepted must be usable.
#[test]
fn damaged_trees_are_refused_or_harmless() -> Result<(), Failure> {
    let mut random = Random::new(9);
    let soup = soup(40, 0.3, &mut random);
    let (positions, triangles) = indexed(&soup);
    let good = serde_json::to_value(tree(&soup, WideOptions::default()))?;
    let (mut refused, mut accepted) = (0, 0);
    let mut read = |damaged: serde_json::Value| {
        let Ok(mut tree) = serde_json::from_value::<WideTree>(damaged) else {
            refused += 1;
            return;
        };
        accepted += 1;
        let (pairs, _) = candidates((&tree, Pose::IDENTITY), (&tree, Pose::IDENTITY));
        assert!(pairs.len() <= 1600 && pairs.iter().all(|&(s, t)| s < 40 && t < 40));
        tree.refit(&positions, &triangles);
        check((&soup, &tree, Pose::IDENTITY), (&soup, &tree, Pose::IDENTITY));
    };
    // Every number there is, by its path.
    let mut paths = Vec::new();
    let mut waiting = vec![(String::new(), &good)];
    while let Some((path, value)) = waiting.pop() {
        match value {
            serde_json::Value::Array(items) => {
                waiting.extend(
                    items.iter().enumerate().map(|(i, item)| (format!("{path}/{i}"), item)),
                );
            }
            serde_json::Value::Object(fields) => {
                waiting.extend(fields.iter().map(|(key, item)| (format!("{path}/{key}"), item)));
            }
            serde_json::Value::Number(_) => paths.push(path),
            _ => {}
        }
    }
    let values: [serde_json::Value; 12] = [
        0.into(),
        1.into(),
        2.into(),
        3.into(),
        39.into(),
        40.into(),
        (1 << 29).into(),
        u32::MAX.into(),
        (-1).into(),
        0.5.into(),
        1e30.into(),
        1e300.into(),
    ];
    for path in &paths {
        for value in &values {
            let mut damaged = good.clone();
            let place = damaged.pointer_mut(path).ok_or("no such place")?;
            if place != value {
                *place = value.clone();
                read(damaged);
            }
        }
    }
    let nodes = good["nodes"].as_array().ok_or("no nodes")?.len();
    for node in 0..nodes {
        for change in 0..4 {
            let mut damaged = good.clone();
            let all = damaged["nodes"].as_array_mut().ok_or("no nodes")?;
            let children = all[node].as_array_mut().ok_or("no children")?;
            match change {
                0 => drop(children.pop()),
                1 => children.clear(),
                2 => children.extend(children.clone()),
                _ => drop(all.remove(node)),
            }
            read(damaged);
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
    Ok(())
}
