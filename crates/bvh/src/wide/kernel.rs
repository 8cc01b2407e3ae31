//! One box against eight: separating axes in f32.
//!
//! Gottschalk, Lin and Manocha, *`OBBTree`*, 1996: two boxes are disjoint if and only if one of fifteen
//! directions separates them. Ten are tested here, the six face normals and the cross products of the two
//! longer axes of each: the other five separate few boxes and cost more than they save. The same holds for
//! the longest axis of the eight boxes where only separation counts, and not the gap; a traversal leaves it
//! out. If the face normals separate all eight boxes, a traversal can leave out the rest; ending earlier costs
//! as much in mispredicted branches as it saves. The margins are derived in `relative_transform`.

use xcollide_simd::vec3::{dot, sub};
use xcollide_simd::{F32x8, SimdMask};

use super::node::WIDTH;
use super::relative_transform::ProbeLanes;

/// The result of the test of a node's eight boxes.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    /// Bit i is set if no direction separates box i from the probe.
    pub(super) overlapping: u32,
    /// The largest gap along any direction, in the unit of the node's tree; negative if they overlap along
    /// all.
    pub(super) gaps: [f32; WIDTH],
}

impl Gaps {
    /// From the largest gap in each lane.
    #[inline(always)]
    pub(super) fn of<F: F32x8>(gap: F) -> Self {
        // Without a number there is no gap.
        let gap = gap.max(F::splat(f32::MIN));
        Self { overlapping: ALL & !gap.gt(F::splat(0.0)).to_bits(), gaps: gap.to_array() }
    }
}

const ALL: u32 = (1 << WIDTH) - 1;

/// Eight boxes.
pub struct Boxes<F> {
    pub(super) center: [F; 3],
    pub(super) extent: [F; 3],
    /// `axes[j][k]`: coordinate k of axis j.
    pub(super) axes: [[F; 3]; 3],
}

/// The test along the face normals of a probe and eight boxes but their longest axes, and what that along the cross
/// products shares with it.
pub(super) struct FaceGaps<F> {
    /// The largest gap beyond the margin.
    pub(super) largest: F,
    extents: [[F; 3]; 2],
    along: [F; 3],
    cosines: [[F; 3]; 3],
    margin: F,
}

impl<F: F32x8> FaceGaps<F> {
    /// The largest gap along these directions and the cross products, beyond its margin.
    #[inline(always)]
    pub(super) fn with_edges(&self) -> F {
        let crossed = gap_of_edges(self.extents, self.along, &self.cosines);
        crossed.sub(self.margin.mul(F::splat(4.0))).max(self.largest)
    }
}

/// Tests a probe against boxes in their own frame, along all face normals but the longest axes of the boxes:
/// without these a search opens one node in a hundred more. A box with a gap above 0 has no point in common with the
/// probe, whatever the rounding that the probe's margins cover.
#[inline(always)]
pub(super) fn separate_faces<F: F32x8>(boxes: &Boxes<F>, probe: &ProbeLanes<F>) -> FaceGaps<F> {
    let Boxes { center, extent, axes } = boxes;
    let between = sub(*center, probe.center);
    let (probe_axes, probe_extent) = (probe.axes, probe.extent);
    // cosines[i][j]: axis i of the probe times axis j of the box.
    let mut cosines = [[F::splat(0.0); 3]; 3];
    let mut along = between;

    // Along the probe's axes. What these add to the reach along the boxes' own axes is added at once, so that no
    // magnitude has to be kept.
    let mut others = F::splat(0.0);
    let mut reaches = *extent;
    for i in [2, 1, 0] {
        let mut reach = probe_extent[i];
        for j in 0..3 {
            cosines[i][j] = dot(probe_axes[i], axes[j]);
            let magnitude = cosines[i][j].abs();
            reach = reach.add(extent[j].mul(magnitude));
            reaches[j] = reaches[j].add(probe_extent[i].mul(magnitude));
        }
        along[i] = dot(between, probe_axes[i]);
        let gap = along[i].abs().sub(reach);
        others = if i == 2 { gap } else { gap.max(others) };
    }

    // Along the boxes' own axes.
    let of_second = dot(between, axes[1]).abs().sub(reaches[1]);
    let of_third = dot(between, axes[2]).abs().sub(reaches[2]);
    let own = of_second.max(of_third);

    // The margin common to directions of a kind is subtracted from their largest gap.
    let sum = extent[0].add(extent[1]).add(extent[2]);
    let margin = sum.mul(probe.epsilon).add(probe.face_margin);
    let largest = others.sub(margin).max(own.sub(probe.face_margin));
    FaceGaps { largest, extents: [probe_extent, *extent], along, cosines, margin }
}

/// The gap along the longest axes of the boxes, beyond its margin.
#[inline(always)]
pub(super) fn gap_along_longest<F: F32x8>(boxes: &Boxes<F>, probe: &ProbeLanes<F>) -> F {
    let axis = boxes.axes[0];
    let mut reach = boxes.extent[0];
    for i in [2, 1, 0] {
        reach = reach.add(probe.extent[i].mul(dot(probe.axes[i], axis).abs()));
    }
    let distance = dot(sub(boxes.center, probe.center), axis).abs();
    distance.sub(reach).sub(probe.face_margin)
}

/// The largest gap along the cross products of the two longer axes of each box, from the extents of the probe and the boxes,
/// the vector between the centers in the frame of the probe, and `cosines[i][j]`, axis i of the probe times axis j of a box.
#[inline(always)]
pub(super) fn gap_of_edges<F: F32x8>(
    [probe_extent, extent]: [[F; 3]; 2],
    along: [F; 3],
    cosines: &[[F; 3]; 3],
) -> F {
    let mut largest = F::splat(0.0);
    for (i, i1, i2) in [(0, 1, 2), (1, 2, 0)] {
        for (j, j1, j2) in [(0, 1, 2), (1, 2, 0)] {
            let distance = along[i2].mul(cosines[i1][j]).sub(along[i1].mul(cosines[i2][j])).abs();
            let of_probe = probe_extent[i1]
                .mul(cosines[i2][j].abs())
                .add(probe_extent[i2].mul(cosines[i1][j].abs()));
            let of_box =
                extent[j1].mul(cosines[i][j2].abs()).add(extent[j2].mul(cosines[i][j1].abs()));
            let gap = distance.sub(of_probe.add(of_box));
            largest = if i == 0 && j == 0 { gap } else { gap.max(largest) };
        }
    }
    largest
}

/// The square of the distance of the centers, less that of half the width of the box, its power distance:
/// boxes are opened in this order, which takes a tenth fewer steps to a hit than the depth of the overlap.
///
/// The square of the part along the probe's shortest axis counts three times: boxes of surfaces are thin, and less
/// likely to cross the farther one is above the other.
#[inline(always)]
pub(super) fn nearness<F: F32x8>(boxes: &Boxes<F>, center: [F; 3], normal: [F; 3]) -> F {
    let between = sub(boxes.center, center);
    let across = dot(between, normal);
    let square = dot(between, between).add(across.mul(across.add(across)));
    square.sub(boxes.extent[1].mul(boxes.extent[1]))
}

#[cfg(test)]
mod tests {
    use super::super::node::{ChildRef, Node, OrientedBox, WideNode};
    use super::super::relative_transform::{PlacedTrees, Probe};
    use super::super::{WideOptions, WideTree};
    use super::*;
    use xcollide_fixtures::Random;
    use xcollide_math::Pose;
    use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch_at};

    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut random = Random::new(seed);
        move || random.signed()
    }

    /// A turn by Rodrigues's formula over rational numbers: w + xi + yj + zk, made of length 1.
    fn motion(next: &mut impl FnMut() -> f64, distance: f64) -> Pose {
        let q = [next(), next(), next(), next()];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y, z, w] = q.map(|c| c / length);
        Pose::from_quaternion(
            [x, y, z, w],
            [next() * distance, next() * distance, next() * distance],
        )
        .unwrap()
    }

    #[derive(Clone, Copy)]
    struct Test<'t>(&'t WideNode, &'t Probe);

    impl SimdKernel for Test<'_> {
        type Output = Gaps;

        #[inline(always)]
        fn run<S: Simd>(self) -> Gaps {
            self.0.gaps::<S::F32x8>(self.1)
        }
    }

    /// The gaps, which have the same bits at every level.
    fn each_level(node: &WideNode, probe: &Probe) -> Gaps {
        let expected = dispatch_at(SimdLevel::Portable, Test(node, probe)).unwrap();
        for level in SimdLevel::ALL {
            if let Some(found) = dispatch_at(level, Test(node, probe)) {
                assert_eq!(found.overlapping, expected.overlapping);
                assert_eq!(found.gaps.map(f32::to_bits), expected.gaps.map(f32::to_bits));
            }
        }
        expected
    }

    /// Bodies made to have a common point, thin ones and fat ones, near and far: whatever the
    /// rounding, no lane that holds one may be parted from the probe that holds the other.
    #[test]
    fn boxes_with_a_common_point_are_never_parted() {
        let mut next = numbers(3);
        let (mut kept, mut parted) = (0, 0);
        for round in 0..3000 {
            let far = [1.0, 1e3, 1e7][round % 3];
            let (to_a, to_b) = (motion(&mut next, far), motion(&mut next, far));
            let thin = [1.0, 1e-3, 1e-6, 0.0][round / 3 % 4];
            let size = [1.0, 0.1, 0.01][round / 12 % 3];
            // Eight triangles of A, each with a corner that a triangle of B shares in the world.
            let back = Pose::relative(&to_b, &to_a);
            let triangles_a: Vec<[[f64; 3]; 3]> = (0..8)
                .map(|_| {
                    let p = [next(), next(), next()];
                    let near = |d: [f64; 3]| [0, 1, 2].map(|k| p[k] + size * d[k]);
                    [p, near([next(), next(), next()]), near([next(), thin * next(), 0.0])]
                })
                .collect();
            let triangles_b: Vec<[[f64; 3]; 3]> = triangles_a
                .iter()
                .map(|t| {
                    let p = back.apply(t[0]);
                    let near = |d: [f64; 3]| [0, 1, 2].map(|k| p[k] + size * d[k]);
                    [p, near([next(), next(), next()]), near([next(), thin * next(), 0.0])]
                })
                .collect();
            let tree = |soup: &[[[f64; 3]; 3]]| {
                let corners: Vec<_> = (0..8_u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
                WideTree::build(&soup.concat(), &corners, WideOptions::default())
            };
            let (a, b) = (tree(&triangles_a), tree(&triangles_b));
            let Some(trees) = PlacedTrees::new((&a, &to_a), (&b, &to_b)) else {
                panic!("parted as wholes");
            };
            // The lane of each triangle's own box, and the node that has it.
            for node_a in &a.nodes {
                for lane in (0..WIDTH).filter(|&l| node_a.children()[l] != ChildRef::NONE) {
                    let probe = trees.a_to_b.probe(&node_a.get(lane));
                    let below = |tree: &WideTree, child: ChildRef| -> Vec<u32> {
                        if child != ChildRef::NONE && child.is_leaf() {
                            tree.order[child.range()].to_vec()
                        } else {
                            Vec::new()
                        }
                    };
                    let mine = below(&a, node_a.children()[lane]);
                    for node_b in &b.nodes {
                        let found = each_level(node_b, &probe);
                        for other in 0..WIDTH {
                            let theirs = below(&b, node_b.children()[other]);
                            if theirs.iter().any(|t| mine.contains(t)) {
                                assert!(found.overlapping & 1 << other != 0, "round {round}");
                                kept += 1;
                            } else if found.overlapping & 1 << other == 0 {
                                parted += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(kept > 10_000 && parted > 10_000, "{kept} kept, {parted} parted");
    }

    /// Eight boxes in a row and a probe beyond the last: all are parted, with the gap at which
    /// they are; a probe with an infinite margin parts nothing.
    #[test]
    fn gaps_are_those_between_the_boxes() {
        let mut node = WideNode::EMPTY;
        let mut next = numbers(6);
        let mut probe = Probe {
            center: [3.0, 0.0, 0.0],
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            extent: [0.5, 0.25, 0.25],
            face_margin: 0.0,
            epsilon: 0.0,
        };
        for lane in 0..WIDTH {
            node.set(
                lane,
                &OrientedBox {
                    center: [lane as f32 * 0.25, 0.01 * next() as f32, 0.0],
                    extent: [0.125; 3],
                    axes: probe.axes,
                },
            );
        }
        let found = each_level(&node, &probe);
        assert_eq!(found.overlapping, 0);
        for lane in 0..WIDTH {
            assert_eq!(found.gaps[lane], 3.0 - 0.5 - 0.125 - 0.25 * lane as f32);
        }
        probe.center[0] = 1.125;
        let overlapping = each_level(&node, &probe).overlapping;
        assert_eq!(overlapping, 0b1111_1100, "1.125 ± 0.625 reaches the last six, touching two");
        probe.face_margin = f32::INFINITY;
        probe.center[0] = 1e9;
        assert_eq!(each_level(&node, &probe).overlapping, 0xFF);
    }
}
