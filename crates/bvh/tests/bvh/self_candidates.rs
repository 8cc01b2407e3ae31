//! A wide tree against itself: every pair with a common point, each pair once, in the same order by all instructions and
//! in any ranges of nodes.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use xcollide_bvh::wide::{
    CompactNode, NodeKind, Traversal, WideBvh, WideNode, WideOptions, self_candidates,
    self_candidates_below,
};
use xcollide_fixtures::Random;
use xcollide_predicates::triangles_intersect;

type Mesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// One type, so that the kernels are compiled once.
type Visit<'a> = &'a mut dyn FnMut(u32, u32) -> ControlFlow<()>;

/// A strip with common vertices, and soups, small and large, some without area.
fn meshes() -> Vec<Mesh> {
    let mut random = Random::new(11);
    let mut soup = |count: u32, size: f64, shared: bool| -> Mesh {
        let vertices = if shared { count + 2 } else { 3 * count };
        let positions = (0..vertices).map(|i| {
            let along = if shared { f64::from(i) * 0.3 } else { 0.0 };
            [0, 1, 2].map(|k| along * f64::from(k) + size * random.signed())
        });
        let corners =
            |i: u32| if shared { [i, i + 1, i + 2] } else { [3 * i, 3 * i + 1, 3 * i + 2] };
        (positions.collect(), (0..count).map(corners).collect())
    };
    let mut meshes = vec![soup(0, 1.0, false), soup(1, 1.0, false), soup(300, 1.0, true)];
    meshes.extend([soup(40, 1.0, false), soup(200, 5.0, false), soup(700, 1e-3, true)]);
    // All in one point.
    meshes.push((vec![[1.0; 3]; 60], (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()));
    meshes
}

fn pairs<N: NodeKind>(tree: &WideBvh<N>, mut traversal: Traversal) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut visit = |s: u32, t: u32| {
        pairs.push((s.min(t), s.max(t)));
        ControlFlow::Continue(())
    };
    let visit: Visit<'_> = &mut visit;
    let _ = self_candidates(tree, &mut traversal, &mut (), visit);
    pairs
}

fn check<N: NodeKind>((positions, triangles): &Mesh) {
    let tree = WideBvh::<N>::build(positions, triangles, WideOptions::default());
    let found = pairs(&tree, Traversal::new());
    assert_eq!(found, pairs(&tree, Traversal::portable()));
    let once: BTreeSet<_> = found.iter().copied().collect();
    assert_eq!(once.len(), found.len());
    let corners = |t: u32| triangles[t as usize].map(|corner| positions[corner as usize]);
    for t in 0..triangles.len() as u32 {
        assert!(!once.contains(&(t, t)));
        for s in 0..t {
            let meet = triangles_intersect(&corners(s), &corners(t));
            assert!(!meet || once.contains(&(s, t)), "{s} and {t}");
        }
    }
    for size in [1, 3, 1000] {
        let mut parts = Vec::new();
        for start in (0..tree.node_count()).step_by(size) {
            let range = start..tree.node_count().min(start + size);
            let mut visit = |s: u32, t: u32| {
                parts.push((s.min(t), s.max(t)));
                ControlFlow::Continue(())
            };
            let visit: Visit<'_> = &mut visit;
            let _ = self_candidates_below(range, &tree, &mut Traversal::new(), &mut (), visit);
        }
        assert_eq!(parts, found);
    }
    // The triangles below a node are among those of its parent, and the first node has all.
    let below = tree.triangles_below();
    assert_eq!(below.len(), tree.node_count());
    assert!(below.iter().all(|range| !range.is_empty() && range.end <= tree.order().len()));
    assert!(below.first().is_none_or(|all| *all == (0..triangles.len())));
}

#[test]
fn pairs_of_a_tree_with_itself_are_complete_and_in_one_order() {
    for mesh in meshes() {
        check::<WideNode>(&mesh);
        check::<CompactNode>(&mesh);
    }
}
