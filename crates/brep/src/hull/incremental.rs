//! Adds the points one by one, in random order, to the hull of those before.
//!
//! ```text
//!            p                 The facets that p sees, here the three in the middle, are replaced
//!          /   \               by one new facet for each edge of their border, the horizon. Every
//!    _____a_____b_____         point not yet added remembers one facet that it sees, and when
//!   /    / \   / \    \        that facet goes, looks for one among the new ones; where there is
//!  /____/___\ /___\____\       none, it is inside.
//! ```
//!
//! A point in the plane of a facet does not see it. So the facets of a plane are seen all or none,
//! what is seen is a disc, and a new facet has an area: its point strictly sees the facet that
//! was on the other side of its edge.

use xcollide_predicates::{Point, Sign, TrianglePlane, orient3d};

/// No facet, no vertex.
const NONE: u32 = u32::MAX;

/// A triangle of the hull.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Counter-clockwise as seen from outside.
    pub(super) corners: [u32; 3],
    /// The facet across the edge from each corner to the next.
    pub(super) neighbours: [u32; 3],
    /// When it was last looked at, and whether it was seen then.
    stamp: u32,
    seen: bool,
    /// The points that remember it.
    waiting: Vec<u32>,
}

/// The hull of points that are distinct, as triangles; some of them may be coplanar. The four
/// points of `simplex` are not, the last being on the positive side of the others.
pub(super) fn hull(points: &[Point], simplex: [u32; 4]) -> Vec<Facet> {
    let mut hull = Hull::new(points, simplex);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    shuffle(&mut order);
    for &point in &order {
        if !simplex.contains(&point) {
            hull.wait_at_one_of(point, 0..4);
        }
    }
    for (step, &point) in (1..).zip(&order) {
        if hull.sees[point as usize] != NONE {
            hull.add(point, step);
        }
    }
    hull.into_facets()
}

/// The same random order at every call: Fisher and Yates with the generator xorshift64*.
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
    /// Facets that are gone and whose memory is used again.
    free: Vec<u32>,
    /// For each point not yet added the facet that it remembers; `NONE` once added or inside.
    sees: Vec<u32>,
    /// For each vertex of the horizon the new facet whose edge starts there.
    new_at: Vec<u32>,
    seen: Vec<u32>,
    /// Edges of the horizon and the facets behind them.
    horizon: Vec<([u32; 2], u32)>,
    new: Vec<u32>,
    triangles: Vec<[Point; 3]>,
    orphans: Vec<u32>,
}

impl<'a> Hull<'a> {
    fn new(points: &'a [Point], [a, b, c, d]: [u32; 4]) -> Self {
        // d is above abc, so abc is seen from outside the other way round.
        let facet = |corners, neighbours| Facet {
            corners,
            neighbours,
            stamp: 0,
            seen: false,
            waiting: Vec::new(),
        };
        let facets = vec![
            facet([a, c, b], [3, 2, 1]),
            facet([a, b, d], [0, 2, 3]),
            facet([b, c, d], [0, 3, 1]),
            facet([c, a, d], [0, 1, 2]),
        ];
        Self {
            points,
            facets,
            free: Vec::new(),
            sees: vec![NONE; points.len()],
            new_at: vec![NONE; points.len()],
            seen: Vec::new(),
            horizon: Vec::new(),
            new: Vec::new(),
            triangles: Vec::new(),
            orphans: Vec::new(),
        }
    }

    fn triangle(&self, facet: u32) -> [Point; 3] {
        self.facets[facet as usize].corners.map(|corner| self.points[corner as usize])
    }

    fn wait_at_one_of(&mut self, point: u32, facets: impl IntoIterator<Item = u32>) {
        let p = self.points[point as usize];
        for facet in facets {
            let [a, b, c] = self.triangle(facet);
            if orient3d(a, b, c, p) == Sign::Positive {
                self.facets[facet as usize].waiting.push(point);
                self.sees[point as usize] = facet;
                return;
            }
        }
    }

    /// Adds a point that sees a facet.
    fn add(&mut self, point: u32, step: u32) {
        self.find_horizon(point, step);
        self.sees[point as usize] = NONE;
        self.orphans.clear();
        for &facet in &self.seen {
            self.orphans.append(&mut self.facets[facet as usize].waiting);
            self.free.push(facet);
        }
        self.raise_cone(point);
        self.place_orphans(point);
    }

    /// Walks over all facets that the point sees, and collects the border.
    fn find_horizon(&mut self, point: u32, step: u32) {
        let p = self.points[point as usize];
        let first = self.sees[point as usize];
        self.seen.clear();
        self.horizon.clear();
        self.seen.push(first);
        (self.facets[first as usize].stamp, self.facets[first as usize].seen) = (step, true);
        let mut next = 0;
        while next < self.seen.len() {
            let facet = self.seen[next];
            next += 1;
            let Facet { corners, neighbours, .. } = self.facets[facet as usize];
            for k in 0..3 {
                let across = neighbours[k];
                if self.facets[across as usize].stamp != step {
                    let [a, b, c] = self.triangle(across);
                    let seen = orient3d(a, b, c, p) == Sign::Positive;
                    let facet = &mut self.facets[across as usize];
                    (facet.stamp, facet.seen) = (step, seen);
                    if seen {
                        self.seen.push(across);
                    }
                }
                if !self.facets[across as usize].seen {
                    self.horizon.push(([corners[k], corners[(k + 1) % 3]], across));
                }
            }
        }
    }

    /// Joins the horizon to the point.
    fn raise_cone(&mut self, point: u32) {
        self.new.clear();
        for &([a, b], across) in &self.horizon {
            let facet = self.free.pop().unwrap_or_else(|| {
                self.facets.push(Facet {
                    corners: [NONE; 3],
                    neighbours: [NONE; 3],
                    stamp: 0,
                    seen: false,
                    waiting: Vec::new(),
                });
                self.facets.len() as u32 - 1
            });
            let new = &mut self.facets[facet as usize];
            (new.corners, new.neighbours) = ([a, b, point], [across, NONE, NONE]);
            (new.stamp, new.seen) = (0, false);
            self.new_at[a as usize] = facet;
            self.new.push(facet);
            let behind = &mut self.facets[across as usize];
            // The edge runs from b to a there.
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

    /// Lets the points whose facets went look for one among the new ones.
    fn place_orphans(&mut self, added: u32) {
        self.triangles.clear();
        for &facet in &self.new {
            self.triangles.push(self.triangle(facet));
        }
        let planes: Vec<TrianglePlane<'_>> =
            self.triangles.iter().map(TrianglePlane::new).collect();
        for &orphan in self.orphans.iter().filter(|&&orphan| orphan != added) {
            let p = self.points[orphan as usize];
            let found = planes.iter().position(|plane| plane.side(p) == Sign::Positive);
            self.sees[orphan as usize] = found.map_or(NONE, |i| self.new[i]);
            if let Some(i) = found {
                self.facets[self.new[i] as usize].waiting.push(orphan);
            }
        }
    }

    /// The facets that are there in the end, renumbered.
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
