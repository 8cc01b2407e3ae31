//! Searches whose stack outgrows the processor's: what they find, and that they keep their memory.

use std::ops::ControlFlow;

use allocation_counter::measure;
use xcollide_bvh::wide::{self, CompactTree, NodeKind, Traversal, WideBvh, WideOptions, WideTree};
use xcollide_math::Pose;
use xcollide_scenes::Random;

use crate::searches;
use crate::support::soup;

/// Triangles as long as the soup is wide: nearly all boxes overlap.
const LENGTH: f64 = 2.0;

/// The size of the smallest triangles. The trees are deep, as each split takes a few of the largest ones from the rest.
const LEAST: f64 = 1e-5;

fn compare<N: NodeKind>(tree_of: impl Fn(&[[f64; 3]], &[[u32; 3]], WideOptions) -> WideBvh<N>) {
    let mut random = Random::new(5);
    let [a, b] = [3000, 700].map(|count| {
        let soup = soup(count, LENGTH, &mut random).into_iter().enumerate();
        let shrunk = |(k, triangle): (usize, [[f64; 3]; 3])| {
            let size = LEAST.powf(k as f64 / count as f64);
            triangle.map(|corner| corner.map(|x| size * x))
        };
        let corners: Vec<[f64; 3]> = soup.map(shrunk).collect::<Vec<_>>().concat();
        let triangles: Vec<[u32; 3]> =
            (0..count as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        tree_of(&corners, &triangles, WideOptions::default())
    });
    let pose = Pose::from_translation([1e-6, 2e-6, 3e-6]);
    let (a, b) = ((&a, &Pose::IDENTITY), (&b, &pose));
    let mut traversal = Traversal::new();
    let mut count = |limit: u32| {
        let (mut visited, mut sum) = (0_u32, 0_u64);
        let mut outcome = ControlFlow::Continue(());
        let counted = measure(|| {
            outcome = searches::candidates(a, b, &mut traversal, &mut (), &mut |s: u32, t: u32| {
                (visited, sum) = (visited + 1, sum + u64::from(s) * 701 + u64::from(t));
                if visited < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        });
        (counted.count_total, visited, sum, outcome)
    };
    let (allocations, visited, sum, _) = count(u32::MAX);
    assert!(allocations > 0, "the search fits the processor's stack: this tests nothing");
    assert_eq!(count(u32::MAX), (0, visited, sum, ControlFlow::Continue(())));
    assert_eq!(count(1).0, 0);

    // Parts have shallower stacks.
    let (mut parts, mut in_parts) = (Vec::new(), (0, 0));
    let split = wide::parts(a, b, 4000, &mut Traversal::new(), &mut (), &mut parts);
    assert!(split.is_continue() && parts.len() >= 4000);
    for part in parts {
        let mut below = |s: u32, t: u32| {
            in_parts = (in_parts.0 + 1, in_parts.1 + u64::from(s) * 701 + u64::from(t));
            ControlFlow::Continue(())
        };
        let _ = searches::candidates_below(part, a, b, &mut (), &mut below);
    }
    assert_eq!(in_parts, (visited, sum));
}

#[test]
fn deep_searches_find_the_same_and_keep_their_stack() {
    compare(WideTree::build);
    compare(CompactTree::build);
}
