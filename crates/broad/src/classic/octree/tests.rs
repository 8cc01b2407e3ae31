//! Compares the tree with its definition.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::method::OctreeMethod;
use super::octant::Octant;
use super::tree::Tree;
use crate::Proxies;
use crate::classic::lattice::{CellBox, Lattice};

const DEPTH: u8 = 5;
const LENGTH: u32 = 4;

fn empty(depth: u8) -> Tree<u32> {
    Tree::new(Lattice::new([0.0; 3], 1.0, [1 << depth; 3]), depth, LENGTH, OctreeMethod::default())
}

fn octants(tree: &Tree<u32>, object: u32) -> &[u32] {
    tree.places.get(object as usize).and_then(Option::as_ref).map_or(&[], |at| &at.octants)
}

fn bottom(tree: &Tree<u32>, object: u32) -> Option<u8> {
    tree.places.get(object as usize)?.as_ref().map(|place| place.bottom)
}

/// The octants of a box by definition; slow.
fn octants_of(cells: &CellBox, bottom: u8) -> BTreeSet<([u32; 3], u8)> {
    let mut found = BTreeSet::new();
    for level in bottom..=DEPTH {
        let side = 1_u32 << level;
        for at in (CellBox { low: [0; 3], high: [(1 << (DEPTH - level)) - 1; 3] }).cells() {
            let low = at.map(|x| x * side);
            let here = CellBox { low, high: low.map(|x| x + side - 1) };
            let low = at.map(|x| x / 2 * 2 * side);
            let above = CellBox { low, high: low.map(|x| x + 2 * side - 1) };
            let is_covered_above = level < DEPTH && cells.covers(&above);
            let belongs = cells.covers(&here) || level == bottom && cells.overlaps(&here);
            if belongs && !is_covered_above {
                found.insert((here.low, level));
            }
        }
    }
    found
}

/// The octants that contain a box, checked against the array of the box.
fn attached(tree: &Tree<u32>, object: u32) -> BTreeSet<([u32; 3], u8)> {
    let key = |octant: &Octant| (octant.cells().low, octant.level);
    let nodes = tree.nodes.iter().filter(|node| node.objects.contains(&object));
    let by_nodes: Vec<_> = nodes.map(|node| key(&node.octant)).collect();
    let by_box: Vec<_> =
        octants(tree, object).iter().map(|&node| key(&tree.nodes[node as usize].octant)).collect();
    let set: BTreeSet<_> = by_nodes.iter().copied().collect();
    assert_eq!(set.len(), by_nodes.len());
    assert_eq!((by_box.len(), by_box.into_iter().collect()), (set.len(), set.clone()));
    set
}

fn any_cells() -> impl Strategy<Value = CellBox> {
    let size = prop_oneof![3 => 0_u32..4, 1 => 0_u32..32];
    (prop::array::uniform3(0_u32..32), prop::array::uniform3(size)).prop_map(|(low, size)| {
        CellBox { low, high: [0, 1, 2].map(|k| (low[k] + size[k]).min(31)) }
    })
}

/// The octants of each box, whatever the method.
fn by_nodes(tree: &Tree<u32>) -> BTreeSet<(u32, [u32; 3], u8)> {
    let entries = tree.nodes.iter().flat_map(|node| {
        node.objects.iter().map(|&object| (object, node.octant.cells().low, node.octant.level))
    });
    entries.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    /// By every method, and if many boxes are moved at once, each box is where the box difference puts it; and the methods
    /// that change only what differs change no more than those that put boxes in anew.
    #[test]
    fn methods_differ_in_time_alone(
        history in prop::collection::vec(
            prop::collection::btree_map(0_u32..6, prop::option::weighted(0.9, any_cells()), 1..6), 1..12
        )
    ) {
        let tree = |method| {
            let lattice = Lattice::new([0.0; 3], 1.0, [1 << DEPTH; 3]);
            Tree::<u32>::new(lattice, DEPTH, LENGTH, method)
        };
        let mut trees = OctreeMethod::ALL.map(tree);
        let mut at_once = tree(OctreeMethod::BoxDifference);
        for moves in &history {
            for tree in &mut trees {
                for (&object, cells) in moves {
                    match cells {
                        Some(cells) => tree.put(object, *cells, &Proxies::default()),
                        None => tree.remove(object),
                    }
                }
            }
            let moves: Vec<_> = moves.iter().map(|(&object, cells)| (object, *cells)).collect();
            at_once.put_many(&moves, &Proxies::default());
            let expected = by_nodes(&trees[2]);
            for tree in trees.iter().chain([&at_once]) {
                prop_assert_eq!(&by_nodes(tree), &expected, "{:?}", tree.method);
                // No octant without use is kept.
                let kept = tree.nodes.len() - tree.free.len();
                prop_assert_eq!(kept, trees[2].nodes.len() - trees[2].free.len(), "{:?}", tree.method);
            }
            prop_assert_eq!(at_once.moves, trees[2].moves);
            prop_assert!(trees[0].moves == trees[1].moves);
            prop_assert!(trees[1].moves >= trees[2].moves && trees[1].moves >= trees[3].moves);
            for object in 0..6 {
                prop_assert_eq!(attached(&at_once, object), attached(&trees[2], object));
            }
        }
        for tree in trees.iter_mut().chain([&mut at_once]) {
            (0..6).for_each(|object| tree.remove(object));
            prop_assert!(tree.bytes() < 512, "{:?}: {} bytes", tree.method, tree.bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    /// After any moves each box is where its definition puts it, and only octants that were entered or left have
    /// been touched.
    #[test]
    fn boxes_are_where_they_belong(
        history in prop::collection::vec((0_u32..4, prop::option::weighted(0.9, any_cells())), 1..30)
    ) {
        let mut tree = empty(DEPTH);
        let mut now = BTreeMap::new();
        for (object, cells) in history {
            let before = attached(&tree, object);
            tree.moves = 0;
            if let Some(cells) = cells {
                let bottom_before = bottom(&tree, object);
                tree.put(object, cells, &Proxies::default());
                now.insert(object, cells);
                let after = attached(&tree, object);
                if bottom_before == bottom(&tree, object) {
                    let moves = before.symmetric_difference(&after).count();
                    prop_assert_eq!(std::mem::take(&mut tree.moves), moves as u64);
                }
            } else {
                tree.remove(object);
                now.remove(&object);
            }
            for object in 0..4 {
                let expected = match (now.get(&object), bottom(&tree, object)) {
                    (Some(cells), Some(bottom)) => octants_of(cells, bottom),
                    (None, None) => BTreeSet::new(),
                    other => panic!("{other:?}"),
                };
                prop_assert!(expected.len() <= 343);
                prop_assert_eq!(attached(&tree, object), expected);
            }
        }
        // All memory is released.
        for object in 0..4 {
            tree.remove(object);
        }
        prop_assert!(tree.bytes() < 512, "{} bytes", tree.bytes());
    }
}

#[test]
fn a_large_box_is_in_few_octants_however_deep_the_tree() {
    let mut tree = empty(Octant::MAX_DEPTH);
    for (object, low) in [0, 1, 77, 5000].into_iter().enumerate() {
        let cells = CellBox { low: [low; 3], high: [32_766; 3] };
        tree.put(object as u32, cells, &Proxies::default());
        assert!((1..=343).contains(&octants(&tree, object as u32).len()));
    }
}
