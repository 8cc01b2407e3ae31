//! Boxes refitted hold what is below them, on every instruction set.

use xcollide_fixtures::Random;
use xcollide_math::vector::{dot, sub};
use xcollide_simd::{SimdKernel, SimdLevel, dispatch_at};

use super::super::tree::{WideOptions, WideTree, child_ranges};
use super::super::vector::is_orthonormal;
use super::*;

type Mesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A cloth, and soups of triangles with common vertices and without area.
fn meshes() -> Vec<Mesh> {
    let mut random = Random::new(7);
    let mut meshes = Vec::new();
    for (count, spread) in [(1, 3), (7, 9), (60, 20), (700, 400), (3000, 90)] {
        let positions: Vec<[f64; 3]> =
            (0..spread).map(|_| [0; 3].map(|_| 5.0 + random.signed())).collect();
        let vertex = |bits: u64| (bits >> 20) as u32 % spread;
        let soup = (0..count).map(|_| [0; 3].map(|_| vertex(random.bits()))).collect();
        meshes.push((positions, soup));
    }
    const SIDE: u32 = 40;
    let grid = (0..SIDE * SIDE).map(|i| [f64::from(i % SIDE), f64::from(i / SIDE), 0.0]);
    let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
    let cloth = cells.flat_map(|c| [[c, c + 1, c + SIDE], [c + 1, c + SIDE + 1, c + SIDE]]);
    meshes.push((grid.collect(), cloth.collect()));
    meshes
}

/// Every box holds its triangles with the margin that queries assume, 2⁻²⁰ of the sum of the extents; its axes are
/// orthonormal and the longest is the first; and the tree's reach holds all centers.
fn holds(tree: &WideTree, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
    let TreeFrame { origin, unit, reach, .. } = tree.frame;
    let local =
        |vertex: u32| sub(positions[vertex as usize], origin).map(|x| x * unit.reciprocal());
    for (node, children) in tree.nodes.iter().zip(child_ranges(&tree.nodes)) {
        for (lane, child) in children.iter().enumerate() {
            let bounds = node.get(lane);
            let axes = bounds.axes.map(|axis| axis.map(f64::from));
            let center = bounds.center.map(f64::from);
            assert!(is_orthonormal(&axes, 1.5e-7), "{bounds:?}");
            assert!(dot(center, center).sqrt() <= reach);
            let below = tree.order[child.range()].iter();
            let corners = below.flat_map(|&triangle| triangles[triangle as usize]).map(local);
            let mut measured = [0.0; 3];
            for corner in corners {
                for j in 0..3 {
                    measured[j] = dot(sub(corner, center), axes[j]).abs().max(measured[j]);
                }
            }
            let margin = measured.iter().sum::<f64>() / f64::from(1 << 20);
            for j in 0..3 {
                assert!(f64::from(bounds.extent[j]) >= measured[j] + margin, "{bounds:?}");
            }
            assert!(bounds.extent.is_sorted_by(|a, b| a >= b), "{bounds:?}");
        }
        assert!(node.center.iter().all(|row| row[children.len()..].iter().all(|x| *x == 1e15)));
    }
}

#[test]
fn refitted_boxes_hold_their_triangles() {
    let mut random = Random::new(11);
    for (start, triangles) in meshes() {
        let mut tree = WideTree::build(&start, &triangles, WideOptions::default());
        let mut positions = start.clone();
        for round in 0..12 {
            // A little, much, to another size and place, into a plane, to a point, and back.
            for (position, first) in positions.iter_mut().zip(&start) {
                let [x, y, z] = *position;
                *position = match round {
                    0..5 => [x, y, z].map(|x| x + 0.02 * random.signed()),
                    5 => [x, y, z].map(|x| x + random.signed()),
                    6 => [x, y, z].map(|x| 1e-9 * x - 3e4),
                    7 => [x, 2.0, z],
                    8 => [1.0, -2.0, 3.0],
                    9 => *first,
                    _ => [x + 0.01 * y * y, y - 0.02 * z * z, 0.9 * z + 0.02 * x * x],
                };
            }
            tree.refit(&positions, &triangles);
            holds(&tree, &positions, &triangles);
        }
    }
}

fn plain<K: SimdKernel>(kernel: K) -> K::Output {
    dispatch_at(SimdLevel::Portable, kernel).unwrap()
}

/// Nodes are measured alike at every level of instructions.
#[test]
fn boxes_do_not_depend_on_the_processor() {
    let mut random = Random::new(13);
    for (mut positions, triangles) in meshes() {
        let tree = WideTree::build(&positions, &triangles, WideOptions::default());
        let corners = |triangle: u32| triangles[triangle as usize];
        let mut memory = RefitMemory::new(&tree.nodes, &tree.order, positions.len(), &corners);
        positions.iter_mut().flatten().for_each(|x| *x += 0.1 * random.signed());
        let extremes = plain(Extremes { positions: &positions });
        let _ = memory.refit(&mut tree.nodes.clone(), &positions, &tree.frame, [1.0; 3]);
        fn measure<'a>(memory: &'a mut RefitMemory, nodes: &'a mut [WideNode]) -> Measure<'a> {
            let RefitMemory { points, nodes: plans, rows, own, .. } = memory;
            Measure { nodes, plans, own, all: plans, points, rows, slack: 1e-7 }
        }
        fn above<'a>(memory: &'a mut RefitMemory, nodes: &'a mut [WideNode]) -> Above<'a> {
            let RefitMemory { points, nodes: plans, rows, own, .. } = memory;
            Above { nodes, plans, own, points, rows, slack: 1e-7 }
        }
        let mut expected = tree.nodes.clone();
        let parts =
            (plain(measure(&mut memory, &mut expected)), plain(above(&mut memory, &mut expected)));
        let own = format!("{:?}", memory.own);
        for level in SimdLevel::ALL {
            let mut nodes = tree.nodes.clone();
            let Some(first) = dispatch_at(level, measure(&mut memory, &mut nodes)) else {
                continue;
            };
            let found = (first, dispatch_at(level, above(&mut memory, &mut nodes)).unwrap());
            assert_eq!(format!("{found:?}{nodes:?}"), format!("{parts:?}{expected:?}"), "{level}");
            assert_eq!(format!("{:?}", memory.own), own, "{level}");
            let found = dispatch_at(level, Extremes { positions: &positions });
            assert_eq!(found, Some(extremes), "{level}");
        }
    }
}

#[test]
fn neighbours_are_one_quadrilateral() {
    assert_eq!(quad(&[[7, 8, 9]]), Some([7, 8, 9, 9]));
    assert_eq!(quad(&[[0, 1, 2], [0, 2, 3]]), Some([0, 1, 2, 3]));
    assert_eq!(quad(&[[1, 2, 0], [3, 0, 2]]), Some([0, 1, 2, 3]));
    // The other way round, and none.
    assert_eq!(quad(&[[0, 1, 2], [0, 3, 2]]), None);
    assert_eq!(quad(&[[0, 1, 2], [3, 4, 5]]), None);
    assert_eq!(quad(&[]), None);
}
