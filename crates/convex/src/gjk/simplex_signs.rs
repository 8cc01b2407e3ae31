//! The simplex of a search for the origin: which feature of it is nearest, by signs.

use crate::lanes::f64x4::Quad;
use crate::lanes::vec3::{Three, add, cross, dot, opposite, scaled, splat, sub};

/// A tetrahedron less high than this part of its size is flat: signs mean nothing.
const FLAT: f64 = 1e-14;

/// Up to three corners: one or two by themselves, or three in the lanes, in such an order that
/// (b − a) × (c − a) points away from the origin.
pub(crate) struct Corners<L> {
    len: usize,
    pub(crate) first: Three<L>,
    second: Three<L>,
    lanes: Three<L>,
    ends: [[u32; 2]; 3],
    /// The directions along which the first and the second were met.
    along: [Three<L>; 2],
    /// Where between these two the point nearest to the origin is: 0 to 1.
    share: L,
}

/// One of them, and the direction along which it was met.
#[derive(Clone, Copy)]
struct Corner<L> {
    point: Three<L>,
    ends: [u32; 2],
    along: Three<L>,
}

impl<L: Quad> Corners<L> {
    #[inline(always)]
    pub(crate) fn of(first: Three<L>, ends: [u32; 2], along: Three<L>) -> Self {
        let zero = [L::splat(0.0); 3];
        let ends = [ends, [0; 2], [0; 2]];
        let (along, share) = ([along; 2], L::splat(0.0));
        Self { len: 1, first, second: zero, lanes: zero, ends, along, share }
    }

    /// Of at least one corner, and at most three.
    #[inline(always)]
    pub(crate) fn of_feature(given: &[([f64; 3], [u32; 2])]) -> Self {
        let mut corners = Self::of(splat(given[0].0), given[0].1, [L::splat(0.0); 3]);
        if let &[_, (b, ends_b), ..] = given {
            (corners.second, corners.ends[1], corners.len) = (splat(b), ends_b, 2);
        }
        if let &[_, _, (c, ends_c), ..] = given {
            let (a, b, c) = (corners.first, corners.second, splat(c));
            let normal = cross(sub(a, c), sub(b, c));
            let away = dot(normal, c).first() >= 0.0;
            corners.set_triangle(a, b, c, ends_c, away);
        }
        corners
    }

    /// Three corners, of which two are those that are there, in this order or turned over.
    #[inline(always)]
    fn set_triangle(
        &mut self,
        a: Three<L>,
        b: Three<L>,
        c: Three<L>,
        ends_c: [u32; 2],
        away: bool,
    ) {
        let [ends_a, ends_b, _] = self.ends;
        let (x, y) = if away { (a, b) } else { (b, a) };
        for axis in 0..3 {
            self.lanes[axis] = x[axis].with(y[axis], c[axis]);
        }
        self.ends = if away { [ends_a, ends_b, ends_c] } else { [ends_b, ends_a, ends_c] };
        self.len = 3;
    }

    #[inline(always)]
    pub(crate) fn knows(&self, ends: [u32; 2]) -> bool {
        let [a, b, c] = self.ends;
        ends == a || (self.len > 1 && ends == b) || (self.len > 2 && ends == c)
    }

    /// Whether there are not yet three.
    #[inline(always)]
    pub(crate) fn is_short(&self) -> bool {
        self.len < 3
    }

    /// Of one or two: the direction along which, more or less, the point of them is met that is nearest to
    /// the origin.
    #[inline(always)]
    pub(crate) fn middle(&self) -> Three<L> {
        let [a, b] = self.along;
        if self.len == 1 { a } else { add(a, scaled(sub(b, a), self.share)) }
    }

    /// Takes a corner in that is farthest against a direction, along which it has this height; keeps of
    /// all the feature nearest to the origin. The direction from the origin to that; `None` where they
    /// hold the origin, or are flat. That the feature has the newest corner is true of directions to the
    /// features before, and promised by these.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        point: Three<L>,
        ends: [u32; 2],
        direction: Three<L>,
        height: L,
        promising: bool,
    ) -> Option<Three<L>> {
        let newest = Corner { point, ends, along: direction };
        match self.len {
            1 => Some(self.segment(self.corner(0), newest)),
            2 => Some(self.triangle(newest, promising)),
            _ => self.tetrahedron(newest, height),
        }
    }

    /// The first or the second of two at most.
    #[inline(always)]
    fn corner(&self, number: usize) -> Corner<L> {
        let point = if number == 0 { self.first } else { self.second };
        Corner { point, ends: self.ends[number], along: self.along[number] }
    }

    /// A segment to the newest corner.
    #[inline(always)]
    fn segment(&mut self, a: Corner<L>, b: Corner<L>) -> Three<L> {
        let line = sub(b.point, a.point);
        let (along, length) = (L::splat(0.0).sub(dot(a.point, line)), dot(line, line));
        (self.first, self.ends[0], self.along[0], self.len) = (a.point, a.ends, a.along, 1);
        if along.first() <= 0.0 {
            return a.point;
        }
        if along.first() >= length.first() {
            (self.first, self.ends[0], self.along[0]) = (b.point, b.ends, b.along);
            return b.point;
        }
        (self.second, self.ends[1], self.along[1], self.len) = (b.point, b.ends, b.along, 2);
        // The point of the line nearest to the origin, and that made square to the line once more.
        let part = L::splat(1.0).div(length);
        self.share = along.mul(part);
        let nearest = add(a.point, scaled(line, self.share));
        sub(nearest, scaled(line, dot(nearest, line).mul(part)))
    }

    #[inline(always)]
    fn triangle(&mut self, newest: Corner<L>, promising: bool) -> Three<L> {
        let (Corner { point: c, ends, .. }, old) = (newest, [self.corner(0), self.corner(1)]);
        let (a, b, zero) = (self.first, self.second, L::splat(0.0));
        let (to_a, to_b) = (sub(a, c), sub(b, c));
        let normal = cross(to_a, to_b);
        let beyond_a = zero.above(dot(normal, cross(c, a))) != 0;
        let beyond_b = zero.above(dot(normal, cross(b, c))) != 0;
        if !(beyond_a || beyond_b) {
            if !promising && zero.above(dot(normal, cross(a, b))) != 0 {
                return self.segment(old[0], old[1]);
            }
            let away = dot(normal, c).first() >= 0.0;
            self.set_triangle(a, b, c, ends, away);
            return if away { normal } else { opposite(normal) };
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
    fn tetrahedron(&mut self, newest: Corner<L>, height: L) -> Option<Three<L>> {
        let Corner { point: d, ends, along: direction } = newest;
        let (p, zero) = (self.lanes, L::splat(0.0));
        let next = [p[0].turned(1), p[1].turned(1), p[2].turned(1)];
        // Of the faces d a b, d b c, d c a.
        let to_p = sub(p, d);
        let to_next = sub(next, d);
        let over_p = cross(d, p);
        let over_next = cross(d, next);
        let outside = dot(next, over_p).above(zero) & 0b111;
        let normals = cross(to_p, to_next);
        let beyond_p = zero.above(dot(normals, over_p));
        let beyond_next = dot(normals, over_next).above(zero);
        // Flat, so that signs mean nothing?
        let high = dot(direction, p).sub(height);
        let limit = scaled(direction, L::splat(FLAT));
        let flat = dot(limit, limit).mul(dot(to_p, to_p));
        if outside == 0 || high.mul(high).first() <= flat.first() {
            self.len = if outside == 0 { 4 } else { 3 };
            return None;
        }
        let faces = outside & !(beyond_p | beyond_next);
        if faces != 0 {
            let face = faces.trailing_zeros() as usize;
            for axis in 0..3 {
                let turned = p[axis].turned(face);
                self.lanes[axis] = turned.with(turned, d[axis]);
            }
            self.ends = [self.ends[face % 3], self.ends[(face + 1) % 3], ends];
            return Some([normals[0].pick(face), normals[1].pick(face), normals[2].pick(face)]);
        }
        // Edges from d: bit i is that to the corner i.
        let ahead = zero.above(dot(to_p, d));
        let of_next = outside & beyond_next;
        let edges = ahead & (outside & beyond_p | of_next << 1 | of_next >> 2) & 0b111;
        if edges == 0 {
            (self.len, self.first, self.ends[0], self.along[0]) = (1, d, ends, direction);
            return Some(d);
        }
        let edge = edges.trailing_zeros() as usize;
        let point = [p[0].pick(edge), p[1].pick(edge), p[2].pick(edge)];
        // Its own direction is forgotten; it is not needed any more.
        let old = Corner { point, ends: self.ends[edge % 3], along: direction };
        Some(self.segment(old, newest))
    }

    /// After [`take`](Self::take) has found that there is no direction: the four corners that hold the
    /// origin, if they do.
    #[inline(always)]
    pub(crate) fn held(&self, newest: [u32; 2]) -> Option<[[u32; 2]; 4]> {
        let [a, b, c] = self.ends;
        (self.len == 4).then_some([a, b, c, newest])
    }
}
