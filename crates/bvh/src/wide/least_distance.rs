//! How far one box is from eight at least, in f32.
//!
//! Each box is measured from the box around the probe in the frame of its own axes, and the probe from the box around it in
//! the probe's frame: gaps along three perpendicular axes are the sides of the shortest way between such boxes, so its length is
//! a bound. Then the two are measured along a way that is close to the shortest one, as boxes that are apart by a corner or an
//! edge are mostly farther apart along such a way than by any axis: that of a step of alternating projections (von Neumann;
//! for two convex sets Cheney and Goldstein, 1959), from the point of the probe that is nearest to the center of the box to the
//! nearest point of that box. Boxes that are next to each other have no such way at times; there the cross products of
//! their axes bound the distance, as in [`separate`](super::kernel::separate).
//!
//! # Proof of the margins
//!
//! u = 2⁻²⁴; the other names are those of [`relative_transform`](super::relative_transform).
//!
//! 1. *Lengths.* A gap g along an axis has the margin of [`separate`](super::kernel::separate). For the difference v of a point
//!    of each box, |v·aⱼ| ≥ gⱼ for each j, so |v|² is at least the sum of the squares over the largest eigenvalue of the matrix
//!    of aᵢ·aⱼ, at most 1 + 16u (point 3 there). With the rounding of sum and root, less than 2⁻²⁰ of the length is lost. What
//!    the probe's axes lack to be orthonormal where the motion is no rotation, [`best_first`](super::best_first()) covers.
//! 2. *Ways.* Any sum Σ gⱼ aⱼ is a direction. Its product with the vector between the centers is computed from products with the
//!    axes, whose errors are part of `pad`, and gⱼ/|g| add up to at most √3; the extents along it from products of axes, whose
//!    errors are `epsilon` each, times √3 again; the roundings of the sums and of the quotient are below 8u of the lengths
//!    that are added. Four times the margin is more than all of it.

use xcollide_simd::F32x8;
use xcollide_simd::vec3::{dot, splat, sub};

use super::kernel::{Boxes, gap_of_edges};
use super::relative_transform::Probe;

/// A box in the frame of its own axes, and another one whose axes have these cosines there.
struct Facing<F> {
    extent: [F; 3],
    /// The center of this box from the other's.
    between: [F; 3],
    other_extent: [F; 3],
    /// `cosines[i][j]`: axis i of the other box times axis j of this one.
    cosines: [[F; 3]; 3],
}

impl<F: F32x8> Facing<F> {
    /// The way from the box around the other one in this frame, less a margin: zero along axes on which they overlap.
    #[inline(always)]
    fn way_of_boxes(&self, margin: F) -> [F; 3] {
        let zero = F::splat(0.0);
        let mut way = self.between;
        for j in 0..3 {
            let [a, b, c] = self.cosines;
            let [x, y, z] = [a[j].abs(), b[j].abs(), c[j].abs()];
            let reach = self.extent[j].add(dot(self.other_extent, [x, y, z])).add(margin);
            let gap = way[j].abs().sub(reach).max(zero);
            way[j] = F::select(zero.gt(way[j]), zero.sub(gap), gap);
        }
        way
    }

    /// The way to the nearest point of this box from the point of the other one that is nearest to this one's center.
    #[inline(always)]
    fn way_of_center(&self, other: &Self) -> [F; 3] {
        let mut point = other.between;
        for i in 0..3 {
            point[i] = clamped(point[i], self.other_extent[i]);
        }
        let mut way = self.between;
        for j in 0..3 {
            let [a, b, c] = self.cosines;
            let at = dot(point, [a[j], b[j], c[j]]).sub(way[j]);
            way[j] = clamped(at, self.extent[j]).sub(at);
        }
        way
    }

    /// How far apart the boxes are along a way. NaN if it has no length.
    #[inline(always)]
    fn gap_along(&self, way: [F; 3]) -> F {
        let [x, y, z] = [way[0].abs(), way[1].abs(), way[2].abs()];
        let mut reach = dot(self.extent, [x, y, z]);
        for i in 0..3 {
            reach = reach.add(self.other_extent[i].mul(dot(way, self.cosines[i]).abs()));
        }
        dot(self.between, way).sub(reach).div(length(way))
    }
}

#[inline(always)]
fn clamped<F: F32x8>(x: F, extent: F) -> F {
    x.min(extent).max(F::splat(0.0).sub(extent))
}

#[inline(always)]
fn length<F: F32x8>(vector: [F; 3]) -> F {
    dot(vector, vector).sqrt()
}

/// Lower bounds of the distances of a probe from boxes in their own frame. At least 0, or NaN after an overflow.
#[inline(always)]
pub(super) fn least_distances<F: F32x8>(boxes: &Boxes<F>, probe: &Probe) -> F {
    let &Boxes { center, extent, axes } = boxes;
    let probe_axes = [splat(probe.axes[0]), splat(probe.axes[1]), splat(probe.axes[2])];
    let probe_extent = splat(probe.extent);
    let sum = extent[0].add(extent[1]).add(extent[2]);
    let face_margin = F::splat(probe.face_margin);
    let margin = sum.mul(F::splat(probe.epsilon)).add(face_margin);
    let from_probe = sub(center, splat(probe.center));
    let mut cosines = [[F::splat(0.0); 3]; 3];
    let mut transposed = cosines;
    let (mut in_box, mut in_probe) = (from_probe, from_probe);
    for i in 0..3 {
        for j in 0..3 {
            cosines[i][j] = dot(probe_axes[i], axes[j]);
            transposed[j][i] = cosines[i][j];
        }
        in_box[i] = dot(from_probe, axes[i]);
        in_probe[i] = dot(from_probe, probe_axes[i]);
    }
    let of_box = Facing { extent, between: in_box, other_extent: probe_extent, cosines };
    // Seen from the probe the center has the other sign, which is of no account.
    let of_probe = Facing {
        extent: probe_extent,
        between: in_probe,
        other_extent: extent,
        cosines: transposed,
    };

    let (way_in_box, way_in_probe) =
        (of_box.way_of_boxes(face_margin), of_probe.way_of_boxes(margin));
    let lengths = length(way_in_box).max(length(way_in_probe));
    let of_edges = gap_of_edges([probe_extent, extent], in_probe, &cosines);
    // NaN without a way.
    let along_way = of_box.gap_along(of_box.way_of_center(&of_probe));
    let along = along_way.max(of_edges).sub(margin.mul(F::splat(4.0)));
    along.max(lengths.mul(F::splat(1.0 - 1.0 / (1 << 20) as f32)))
}

#[cfg(test)]
mod tests {
    use super::super::node::{Node, OrientedBox, WIDTH, WideNode};
    use super::*;
    use xcollide_fixtures::Random;
    use xcollide_math::Pose;
    use xcollide_math::vector::{add, dot, length, scale, sub};
    use xcollide_simd::{Simd, SimdFloat, SimdKernel, SimdLevel, dispatch_at};

    #[derive(Clone, Copy)]
    struct Bounds<'b>(&'b WideNode, &'b Probe);

    impl SimdKernel for Bounds<'_> {
        type Output = [f32; WIDTH];

        #[inline(always)]
        fn run<S: Simd>(self) -> [f32; WIDTH] {
            least_distances(&self.0.boxes::<S::F32x8>(), self.1).to_array()
        }
    }

    fn random_box(random: &mut Random, far: f64) -> OrientedBox {
        let q = [(); 4].map(|()| random.signed());
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let turn = Pose::from_quaternion(q.map(|x| x / norm), [0.0; 3]);
        let axes = turn.map_or([[0.0; 3]; 3], |turn| *turn.rotation());
        let thin = [1.0, 1e-2, 0.0][random.below(3)];
        OrientedBox {
            center: [(); 3].map(|()| (far * random.signed()) as f32),
            extent: [1.0, 0.7 * random.signed().abs(), thin * 0.5].map(|e| e as f32),
            axes: axes.map(|axis| axis.map(|x| x as f32)),
        }
    }

    /// The nearest point of a box.
    fn nearest(of: &OrientedBox, point: [f64; 3]) -> [f64; 3] {
        let center = of.center.map(f64::from);
        let from = sub(point, center);
        (0..3).fold(center, |sum, k| {
            let axis = of.axes[k].map(f64::from);
            let extent = f64::from(of.extent[k]);
            add(sum, scale(axis, dot(from, axis).clamp(-extent, extent)))
        })
    }

    /// The distance of two boxes from above, by going to and fro between their nearest points.
    fn distance(a: &OrientedBox, b: &OrientedBox) -> f64 {
        let (mut p, mut q) = (a.center.map(f64::from), b.center.map(f64::from));
        for _ in 0..2000 {
            q = nearest(b, p);
            p = nearest(a, q);
        }
        length(sub(p, q))
    }

    /// Bounds have the same bits at every level, are below the distance, and close to it.
    #[test]
    fn bounds_are_below_distances_and_close() {
        let mut random = Random::new(8);
        let (mut bounds, mut distances) = (0.0, 0.0);
        for round in 0..500 {
            let far = [1.0, 2.0, 4.0][round % 3];
            let of_probe = random_box(&mut random, far);
            let probe = Probe {
                center: of_probe.center,
                axes: of_probe.axes,
                extent: of_probe.extent,
                face_margin: 1e-6 * far as f32,
                epsilon: 2e-6,
            };
            let boxes = [(); WIDTH].map(|()| random_box(&mut random, far));
            let mut node = WideNode::EMPTY;
            for (lane, one) in boxes.iter().enumerate() {
                node.set(lane, one);
            }
            let found = dispatch_at(SimdLevel::Portable, Bounds(&node, &probe)).unwrap();
            for level in SimdLevel::ALL {
                if let Some(other) = dispatch_at(level, Bounds(&node, &probe)) {
                    assert_eq!(other.map(f32::to_bits), found.map(f32::to_bits));
                }
            }
            for (one, bound) in boxes.iter().zip(found) {
                let distance = distance(&of_probe, one);
                assert!(f64::from(bound) <= distance + 1e-6, "{bound} {distance}");
                assert!(bound >= 0.0);
                bounds += f64::from(bound);
                distances += distance;
            }
        }
        assert!(bounds > 0.97 * distances, "{bounds} of {distances}");
    }
}
