//! The simplex of boolean GJK: its feature that is nearest to the origin, by signs.

use xcollide_simd::vec3::{add, cross, dot, neg, scale, sub};
use xcollide_simd::{F64x4, SimdMask};

/// In a tetrahedron with less than this part of its size as height, signs mean nothing.
const FLAT: f64 = 1e-14;

/// Up to three corners: one or two by themselves, or three in the lanes, ordered such that (b − a) × (c − a) points away
/// from the origin.
pub(crate) struct Corners<F> {
    len: usize,
    pub(crate) first: [F; 3],
    second: [F; 3],
    lanes: [F; 3],
    ends: [[u32; 2]; 3],
    /// The directions along which the first and the second were farthest.
    along: [[F; 3]; 2],
    /// The place of the point nearest to the origin between these two: 0 to 1.
    share: F,
}

/// A corner, and the direction along which it was farthest.
#[derive(Clone, Copy)]
struct Corner<F> {
    point: [F; 3],
    ends: [u32; 2],
    along: [F; 3],
}

impl<F: F64x4> Corners<F> {
    #[inline(always)]
    pub(crate) fn of(first: [F; 3], ends: [u32; 2], along: [F; 3]) -> Self {
        let zero = [F::splat(0.0); 3];
        let ends = [ends, [0; 2], [0; 2]];
        let (along, share) = ([along; 2], F::splat(0.0));
        Self { len: 1, first, second: zero, lanes: zero, ends, along, share }
    }

    /// Sets three corners: the present two, in this order or swapped, and a new one.
    #[inline(always)]
    fn set_triangle(&mut self, a: [F; 3], b: [F; 3], c: [F; 3], ends_c: [u32; 2], away: bool) {
        let [ends_a, ends_b, _] = self.ends;
        let (x, y) = if away { (a, b) } else { (b, a) };
        for axis in 0..3 {
            self.lanes[axis] = F::diagonal([x[axis], y[axis], c[axis]]);
        }
        self.ends = if away { [ends_a, ends_b, ends_c] } else { [ends_b, ends_a, ends_c] };
        self.len = 3;
    }

    #[inline(always)]
    pub(crate) fn knows(&self, ends: [u32; 2]) -> bool {
        let [a, b, c] = self.ends;
        ends == a || (self.len > 1 && ends == b) || (self.len > 2 && ends == c)
    }

    /// Whether there are fewer than three.
    #[inline(always)]
    pub(crate) fn is_short(&self) -> bool {
        self.len < 3
    }

    /// For one or two corners: roughly the direction along which their point nearest to the origin is farthest.
    #[inline(always)]
    pub(crate) fn middle(&self) -> [F; 3] {
        let [a, b] = self.along;
        if self.len == 1 { a } else { add(a, scale(sub(b, a), self.share)) }
    }

    /// Adds a corner with this height that is farthest against a direction, and keeps the feature nearest to the origin.
    /// Returns the direction from the origin to the feature; `None` if the corners hold the origin, or are flat.
    /// `promising` directions go to the feature before, so the next feature has the newest corner.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        point: [F; 3],
        ends: [u32; 2],
        direction: [F; 3],
        height: F,
        promising: bool,
    ) -> Option<[F; 3]> {
        let newest = Corner { point, ends, along: direction };
        match self.len {
            1 => Some(self.segment(self.corner(0), newest)),
            2 => Some(self.triangle(newest, promising)),
            _ => self.tetrahedron(newest, height),
        }
    }

    /// The first or the second corner.
    #[inline(always)]
    fn corner(&self, number: usize) -> Corner<F> {
        let point = if number == 0 { self.first } else { self.second };
        Corner { point, ends: self.ends[number], along: self.along[number] }
    }

    /// A segment to the newest corner.
    #[inline(always)]
    fn segment(&mut self, a: Corner<F>, b: Corner<F>) -> [F; 3] {
        let line = sub(b.point, a.point);
        let (along, length) = (F::splat(0.0).sub(dot(a.point, line)), dot(line, line));
        (self.first, self.ends[0], self.along[0], self.len) = (a.point, a.ends, a.along, 1);
        if along.first() <= 0.0 {
            return a.point;
        }
        if along.first() >= length.first() {
            (self.first, self.ends[0], self.along[0]) = (b.point, b.ends, b.along);
            return b.point;
        }
        (self.second, self.ends[1], self.along[1], self.len) = (b.point, b.ends, b.along, 2);
        // The point of the line nearest to the origin, made square to the line once more.
        let part = F::splat(1.0).div(length);
        self.share = along.mul(part);
        let nearest = add(a.point, scale(line, self.share));
        sub(nearest, scale(line, dot(nearest, line).mul(part)))
    }

    #[inline(always)]
    fn triangle(&mut self, newest: Corner<F>, promising: bool) -> [F; 3] {
        let (Corner { point: c, ends, .. }, old) = (newest, [self.corner(0), self.corner(1)]);
        let (a, b, zero) = (self.first, self.second, F::splat(0.0));
        let (to_a, to_b) = (sub(a, c), sub(b, c));
        let normal = cross(to_a, to_b);
        let beyond_a = zero.gt(dot(normal, cross(c, a))).any();
        let beyond_b = zero.gt(dot(normal, cross(b, c))).any();
        if !(beyond_a || beyond_b) {
            if !promising && zero.gt(dot(normal, cross(a, b))).any() {
                return self.segment(old[0], old[1]);
            }
            let away = dot(normal, c).first() >= 0.0;
            self.set_triangle(a, b, c, ends, away);
            return if away { normal } else { neg(normal) };
        }
        if beyond_a && dot(to_a, c).first() < 0.0 {
            self.segment(old[0], newest)
        } else if beyond_b && dot(to_b, c).first() < 0.0 {
            self.segment(old[1], newest)
        } else {
            (self.len, self.first, self.ends[0], self.along[0]) = (1, c, ends, newest.along);
            c
        }
    }

    #[inline(always)]
    fn tetrahedron(&mut self, newest: Corner<F>, height: F) -> Option<[F; 3]> {
        let Corner { point: d, ends, along: direction } = newest;
        let (p, zero) = (self.lanes, F::splat(0.0));
        let next = [p[0].rotate_left_3(1), p[1].rotate_left_3(1), p[2].rotate_left_3(1)];
        // For the faces d a b, d b c, d c a.
        let to_p = sub(p, d);
        let to_next = sub(next, d);
        let over_p = cross(d, p);
        let over_next = cross(d, next);
        let outside = dot(next, over_p).gt(zero).to_bits() & 0b111;
        let normals = cross(to_p, to_next);
        let beyond_p = zero.gt(dot(normals, over_p)).to_bits();
        let beyond_next = dot(normals, over_next).gt(zero).to_bits();
        // Flat, so that signs mean nothing?
        let high = dot(direction, p).sub(height);
        let limit = scale(direction, F::splat(FLAT));
        let flat = dot(limit, limit).mul(dot(to_p, to_p));
        if outside == 0 || high.mul(high).first() <= flat.first() {
            self.len = if outside == 0 { 4 } else { 3 };
            return None;
        }
        let faces = outside & !(beyond_p | beyond_next);
        if faces != 0 {
            let face = faces.trailing_zeros() as usize;
            for axis in 0..3 {
                let turned = p[axis].rotate_left_3(face);
                self.lanes[axis] = F::diagonal([turned, turned, d[axis]]);
            }
            self.ends = [self.ends[face % 3], self.ends[(face + 1) % 3], ends];
            return Some([
                normals[0].broadcast_lane(face),
                normals[1].broadcast_lane(face),
                normals[2].broadcast_lane(face),
            ]);
        }
        // Edges from d: bit i is that to the corner i.
        let ahead = zero.gt(dot(to_p, d)).to_bits();
        let of_next = outside & beyond_next;
        let edges = ahead & (outside & beyond_p | of_next << 1 | of_next >> 2) & 0b111;
        if edges == 0 {
            (self.len, self.first, self.ends[0], self.along[0]) = (1, d, ends, direction);
            return Some(d);
        }
        let edge = edges.trailing_zeros() as usize;
        let point =
            [p[0].broadcast_lane(edge), p[1].broadcast_lane(edge), p[2].broadcast_lane(edge)];
        // The corner's own direction is not needed any more.
        let old = Corner { point, ends: self.ends[edge % 3], along: direction };
        Some(self.segment(old, newest))
    }

    /// After [`take`](Self::take) has returned `None`: the four corners, if they hold the origin.
    #[inline(always)]
    pub(crate) fn held(&self, newest: [u32; 2]) -> Option<[[u32; 2]; 4]> {
        let [a, b, c] = self.ends;
        (self.len == 4).then_some([a, b, c, newest])
    }
}
