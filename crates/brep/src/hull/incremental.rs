//! Randomized incremental convex hull: adds the points one by one in random order.
//!
//! ```text
//!            p                 The facets visible from p, here the three in the middle, are
//!          /   \               replaced by one new facet for each edge of their border, the
//!    _____a_____b_____         horizon. Every point not yet added stores one visible facet, its
//!   /    / \   / \    \        conflict. When that facet is removed, the point looks for a
//!  /____/___\ /___\____\       conflict among the new ones; if there is none, it is inside.
//! ```
//!
//! A facet is not visible from a point in its plane. So either all or none of several coplanar facets
//! are visible, the visible region is a disc, and a new facet has an area: its point strictly sees the
//! facet that was on the other side of its edge.

use xcollide_predicates::{Point, Sign, TrianglePlane, orient3d};

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Counter-clockwise as seen from outside.
    pub(super) corners: [u32; 3],
    /// The facet across the edge from each corner to the next.
    pub(super) neighbours: [u32; 3],
    /// The step in which its visibility was last tested, and the result.
    stamp: u32,
    visible: bool,
    /// The points that have this facet as their conflict.
    conflicts: Vec<u32>,
}

impl Facet {
    fn new(corners: [u32; 3], neighbours: [u32; 3]) -> Self {
        Self { corners, neighbours, stamp: 0, visible: false, conflicts: Vec::new() }
    }
}

/// The hull of distinct points, as triangles, some of them possibly coplanar. The points of `simplex`
/// are not coplanar; the last is on the positive side of the others.
pub(super) fn hull(points: &[Point], simplex: [u32; 4]) -> Vec<Facet> {
    let mut hull = Hull::new(points, simplex);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    shuffle(&mut order);
    for &point in &order {
        if !simplex.contains(&point) {
            hull.assign_conflict(point, 0..4);
        }
    }
    for (step, &point) in (1..).zip(&order) {
        if hull.conflict[point as usize] != NONE {
            hull.add(point, step);
        }
    }
    hull.into_facets()
}

/// Fisher-Yates shuffle with xorshift64*, the same order at every call.
fn shuffle(order: &mut [u32]) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..order.len()).rev() {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let random = state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        order.swap(i, ((random * (i as u64 + 1)) >> 32) as usize);
    }
}

struct Hull<'a> {
    points: &'a [Point],
    facets: Vec<Facet>,
    /// Indices of removed facets, for reuse.
    free: Vec<u32>,
    /// For each point not yet added its conflict facet; `NONE` if added or inside.
    conflict: Vec<u32>,
    /// For each vertex of the horizon the new facet whose edge starts there.
    new_at: Vec<u32>,
    visible: Vec<u32>,
    /// Edges of the horizon and the facets behind them.
    horizon: Vec<([u32; 2], u32)>,
    new: Vec<u32>,
    triangles: Vec<[Point; 3]>,
    orphans: Vec<u32>,
}

impl<'a> Hull<'a> {
    fn new(points: &'a [Point], [a, b, c, d]: [u32; 4]) -> Self {
        // d is above abc, so abc is seen from outside in reverse order.
        let facets = vec![
            Facet::new([a, c, b], [3, 2, 1]),
            Facet::new([a, b, d], [0, 2, 3]),
            Facet::new([b, c, d], [0, 3, 1]),
            Facet::new([c, a, d], [0, 1, 2]),
        ];
        Self {
            points,
            facets,
            free: Vec::new(),
            conflict: vec![NONE; points.len()],
            new_at: vec![NONE; points.len()],
            visible: Vec::new(),
            horizon: Vec::new(),
            new: Vec::new(),
            triangles: Vec::new(),
            orphans: Vec::new(),
        }
    }

    fn triangle(&self, facet: u32) -> [Point; 3] {
        self.facets[facet as usize].corners.map(|corner| self.points[corner as usize])
    }

    fn assign_conflict(&mut self, point: u32, facets: impl IntoIterator<Item = u32>) {
        let p = self.points[point as usize];
        for facet in facets {
            let [a, b, c] = self.triangle(facet);
            if orient3d(a, b, c, p) == Sign::Positive {
                self.facets[facet as usize].conflicts.push(point);
                self.conflict[point as usize] = facet;
                return;
            }
        }
    }

    fn add(&mut self, point: u32, step: u32) {
        self.find_horizon(point, step);
        self.conflict[point as usize] = NONE;
        self.orphans.clear();
        for &facet in &self.visible {
            self.orphans.append(&mut self.facets[facet as usize].conflicts);
            self.free.push(facet);
        }
        self.add_cone(point);
        self.redistribute_conflicts(point);
    }

    fn find_horizon(&mut self, point: u32, step: u32) {
        let p = self.points[point as usize];
        let first = self.conflict[point as usize];
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(first);
        (self.facets[first as usize].stamp, self.facets[first as usize].visible) = (step, true);
        let mut next = 0;
        while next < self.visible.len() {
            let facet = self.visible[next];
            next += 1;
            let Facet { corners, neighbours, .. } = self.facets[facet as usize];
            for k in 0..3 {
                let across = neighbours[k];
                if self.facets[across as usize].stamp != step {
                    let [a, b, c] = self.triangle(across);
                    let visible = orient3d(a, b, c, p) == Sign::Positive;
                    let facet = &mut self.facets[across as usize];
                    (facet.stamp, facet.visible) = (step, visible);
                    if visible {
                        self.visible.push(across);
                    }
                }
                if !self.facets[across as usize].visible {
                    self.horizon.push(([corners[k], corners[(k + 1) % 3]], across));
                }
            }
        }
    }

    fn add_cone(&mut self, point: u32) {
        self.new.clear();
        for &([a, b], across) in &self.horizon {
            let facet = self.free.pop().unwrap_or_else(|| {
                self.facets.push(Facet::new([NONE; 3], [NONE; 3]));
                self.facets.len() as u32 - 1
            });
            let new = &mut self.facets[facet as usize];
            (new.corners, new.neighbours) = ([a, b, point], [across, NONE, NONE]);
            (new.stamp, new.visible) = (0, false);
            self.new_at[a as usize] = facet;
            self.new.push(facet);
            let behind = &mut self.facets[across as usize];
            // `behind` traverses the edge from b to a.
            let k = behind.corners.iter().position(|&corner| corner == b).unwrap_or(0);
            behind.neighbours[k] = facet;
        }
        for i in 0..self.new.len() {
            let facet = self.new[i];
            let b = self.facets[facet as usize].corners[1];
            let next = self.new_at[b as usize];
            self.facets[facet as usize].neighbours[1] = next;
            self.facets[next as usize].neighbours[2] = facet;
        }
    }

    fn redistribute_conflicts(&mut self, added: u32) {
        self.triangles.clear();
        for &facet in &self.new {
            self.triangles.push(self.triangle(facet));
        }
        let planes: Vec<TrianglePlane<'_>> =
            self.triangles.iter().map(TrianglePlane::new).collect();
        for &orphan in self.orphans.iter().filter(|&&orphan| orphan != added) {
            let p = self.points[orphan as usize];
            let found = planes.iter().position(|plane| plane.side(p) == Sign::Positive);
            self.conflict[orphan as usize] = found.map_or(NONE, |i| self.new[i]);
            if let Some(i) = found {
                self.facets[self.new[i] as usize].conflicts.push(orphan);
            }
        }
    }

    fn into_facets(mut self) -> Vec<Facet> {
        let mut number = vec![0; self.facets.len()];
        for &facet in &self.free {
            number[facet as usize] = NONE;
        }
        for (count, number) in (0..).zip(number.iter_mut().filter(|number| **number != NONE)) {
            *number = count;
        }
        let mut next = number.iter();
        self.facets.retain(|_| next.next().is_some_and(|&number| number != NONE));
        for facet in &mut self.facets {
            facet.neighbours = facet.neighbours.map(|neighbour| number[neighbour as usize]);
        }
        self.facets
    }
}
