//! A convex surface that loses vertices: what is left is convex again, and mended on the spot.
//!
//! ```text
//!      l₂───l₁              l₂───l₁     Where v was, the hull of the others is made of faces
//!     ╱  ╲ ╱  ╲            ╱    ╱  ╲    whose corners are neighbours of v. They are found from
//!    l₃───v────l₀    →    l₃───╱────l₀  edge to edge, as a gift is wrapped: the third corner is
//!     ╲  ╱ ╲  ╱            ╲  ╱ ╲  ╱    the one above which no other is.
//!      l₄───l₅              l₄───l₅
//! ```
//!
//! Source: Dobkin and Kirkpatrick, *A linear algorithm for determining the separation of convex
//! polyhedra*, 1985; wrapping: Chand and Kapur, *An algorithm for convex polytopes*, 1970.

use xcollide_predicates::{Sign, orient3d};

use crate::polytope::Polytope;

/// The surface of the hull of the vertices that are left, in triangles.
pub(crate) struct Peeling<'a> {
    positions: &'a [[f64; 3]],
    left: Vec<u32>,
    /// Counter-clockwise from outside. Together the surface of the hull of what is left; those in
    /// one plane are not merged.
    triangles: Vec<[u32; 3]>,
    links: Links,
    fate: Vec<Fate>,
    /// Vertices, triangles and pairs of corners looked at so far.
    work: u64,
}

/// Vertices with more neighbours stay: at least half of all have no more, for they have fewer than
/// six on average.
const MOST_NEIGHBOURS: usize = 8;

impl<'a> Peeling<'a> {
    /// All of a polytope. Linear time.
    pub(crate) fn of(polytope: &'a Polytope) -> Self {
        let positions = polytope.positions();
        let mut triangles = Vec::new();
        // There is nothing to peel off a polygon.
        if polytope.dimension() == 3 {
            for corners in polytope.facets() {
                zigzag(corners, &mut triangles);
            }
        }
        let left = (0..positions.len() as u32).collect();
        let links = Links::new(positions.len());
        let fate = vec![Fate::Open; positions.len()];
        Self { positions, left, triangles, links, fate, work: 0 }
    }

    /// All positions.
    pub(crate) fn positions(&self) -> &'a [[f64; 3]] {
        self.positions
    }

    /// The vertices that are left, ascending.
    pub(crate) fn left(&self) -> &[u32] {
        &self.left
    }

    /// Takes a set of vertices away of which no two are neighbours, those with the fewest neighbours
    /// first, as long as there are more than `least` left; tells each of them with each of its
    /// neighbours. `false` where there was none to take.
    ///
    /// Time linear in what was left. One in eighteen goes at least: half of all have eight
    /// neighbours or fewer, and each keeps only these from going too. In practice it is one in four.
    pub(crate) fn take_away(&mut self, least: usize, mut tell: impl FnMut(u32, u32)) -> bool {
        self.links.update(&self.left, &self.triangles);
        self.work += (self.left.len() + self.triangles.len()) as u64;
        let mut left = std::mem::take(&mut self.left);
        let before = left.len();
        let mut can_go = before.saturating_sub(least);
        let mut mended = Vec::new();
        for degree in 3..=MOST_NEIGHBOURS {
            self.work += before as u64;
            for &vertex in &left {
                let open = self.fate[vertex as usize] == Fate::Open;
                if can_go == 0 || !open || self.links.degree(vertex) != degree {
                    continue;
                }
                let Some(link) = self.links.around(vertex) else { continue };
                self.fate[vertex as usize] = Fate::Goes;
                can_go -= 1;
                for &neighbour in &link {
                    self.fate[neighbour as usize] = Fate::Stays;
                    tell(vertex, neighbour);
                }
                self.fill(&link, &mut mended);
            }
        }
        let goes = |vertex: &u32| self.fate[*vertex as usize] == Fate::Goes;
        left.retain(|vertex| !goes(vertex));
        self.triangles.retain(|triangle| !triangle.iter().any(goes));
        self.triangles.append(&mut mended);
        for &vertex in &left {
            self.fate[vertex as usize] = Fate::Open;
        }
        self.left = left;
        self.left.len() < before
    }

    /// Fills a hole, between whose last and first corner there is a face, with the faces of the hull.
    fn fill(&mut self, hole: &[u32], mended: &mut Vec<[u32; 3]>) {
        let (&[first, .., last], true) = (hole, hole.len() > 2) else { return };
        self.work += hole.len() as u64;
        let at = |corner: u32| self.positions[corner as usize];
        let mut third = 1;
        for other in 2..hole.len() - 1 {
            let above = orient3d(at(last), at(first), at(hole[third]), at(hole[other]));
            if above == Sign::Positive {
                third = other;
            }
        }
        mended.push([last, first, hole[third]]);
        self.fill(&hole[..=third], mended);
        self.fill(&hole[third..], mended);
    }
}

/// What becomes of a vertex in a step.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Open,
    Goes,
    Stays,
}

/// A convex polygon in triangles, from both ends of an edge in turn, so that no corner gets more
/// than two more neighbours.
fn zigzag(polygon: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let (mut low, mut high) = (0, polygon.len().saturating_sub(1));
    let mut from_low = true;
    while high > low + 1 {
        let third = if from_low { low + 1 } else { high - 1 };
        triangles.push([polygon[high], polygon[low], polygon[third]]);
        if from_low {
            low += 1;
        } else {
            high -= 1;
        }
        from_low = !from_low;
    }
}

/// The triangles around each vertex, by their opposite edges.
struct Links {
    /// The edges of vertex `v` begin at `starts[v]`; there are `degrees[v]` of them.
    edges: Vec<[u32; 2]>,
    starts: Vec<u32>,
    degrees: Vec<u32>,
}

impl Links {
    fn new(vertices: usize) -> Self {
        Self { edges: Vec::new(), starts: vec![0; vertices], degrees: vec![0; vertices] }
    }

    /// Time linear in what is left.
    fn update(&mut self, left: &[u32], triangles: &[[u32; 3]]) {
        for &vertex in left {
            self.degrees[vertex as usize] = 0;
        }
        for &corner in triangles.iter().flatten() {
            self.degrees[corner as usize] += 1;
        }
        let mut end = 0;
        for &vertex in left {
            end += self.degrees[vertex as usize];
            self.starts[vertex as usize] = end;
        }
        self.edges.resize(end as usize, [0; 2]);
        for &[a, b, c] in triangles {
            for [corner, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
                let start = &mut self.starts[corner as usize];
                *start -= 1;
                self.edges[*start as usize] = [from, to];
            }
        }
    }

    fn degree(&self, vertex: u32) -> usize {
        self.degrees[vertex as usize] as usize
    }

    /// The neighbours of a vertex, counter-clockwise; quadratic in their number.
    fn around(&self, vertex: u32) -> Option<Vec<u32>> {
        let edges = &self.edges[self.starts[vertex as usize] as usize..][..self.degree(vertex)];
        let mut link = vec![edges.first()?[0]];
        for _ in 1..edges.len() {
            let last = link[link.len() - 1];
            link.push(edges.iter().find(|edge| edge[0] == last)?[1]);
        }
        Some(link)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::hulls::hull_of;
    use xcollide_fixtures::Random;

    /// Points on a ball, a drum (whose ends are large polygons), a cone (whose tip has all others for
    /// neighbours), and a small grid's hull (many in one plane).
    fn hull(kind: usize, n: usize) -> Polytope {
        let mut random = Random::new(11);
        let mut next = || random.signed();
        let circle = |i: usize, n: usize| {
            let angle = std::f64::consts::TAU * i as f64 / n as f64;
            [libm::cos(angle), libm::sin(angle)]
        };
        let points: Vec<[f64; 3]> = (0..n)
            .map(|i| match kind {
                0 => {
                    let p = [next(), next(), next()];
                    let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                    p.map(|x| x / length)
                }
                1 => {
                    let [x, y] = circle(i / 2, n / 2);
                    [x, y, (i % 2) as f64]
                }
                2 if i == 0 => [0.0, 0.0, 1.0],
                2 => {
                    let [x, y] = circle(i, n - 1);
                    [x, y, 0.0]
                }
                _ => [next(), next(), next()].map(|x| (4.0 * x).round()),
            })
            .collect();
        hull_of(&points)
    }

    /// After each step the triangles are a closed surface over what is left, and none of it is above
    /// any of them: so they are its hull.
    #[test]
    fn what_is_left_is_its_own_hull() {
        let mut steps = 0;
        for (kind, n) in [(0, 120), (1, 80), (2, 60), (3, 400), (3, 40), (0, 14)] {
            let polytope = hull(kind, n);
            let mut peeling = Peeling::of(&polytope);
            let mut told = Vec::new();
            while peeling.take_away(9, |v, neighbour| told.push((v, neighbour))) {
                steps += 1;
                let at = |v: u32| polytope.position(v);
                assert_eq!(peeling.triangles.len(), 2 * peeling.left.len() - 4);
                let mut edges: Vec<[u32; 2]> = Vec::new();
                for &[a, b, c] in &peeling.triangles {
                    edges.extend([[a, b], [b, c], [c, a]]);
                    for &p in &peeling.left {
                        assert_ne!(orient3d(at(a), at(b), at(c), at(p)), Sign::Positive);
                    }
                }
                edges.sort_unstable();
                for &[a, b] in &edges {
                    assert!(edges.binary_search(&[b, a]).is_ok());
                    assert!(peeling.left.contains(&a));
                }
                assert!(edges.windows(2).all(|two| two[0] != two[1]));
            }
            for &(v, neighbour) in &told {
                assert!(!peeling.left.contains(&v) && v != neighbour);
            }
            assert!(kind == 2 || peeling.left.len() < 12.max(polytope.len() / 4), "{kind} {n}");
        }
        assert!(steps > 20, "{steps}");
    }

    /// The whole of the work, a vertex, does not grow with their number.
    #[test]
    fn work_is_linear() {
        for kind in 0..3 {
            let work = [100, 1000, 10_000].map(|n| {
                let polytope = hull(kind, n);
                let mut peeling = Peeling::of(&polytope);
                let mut told = 0;
                while peeling.take_away(12, |_, _| told += 1) {}
                (peeling.work + told) as f64 / polytope.len() as f64
            });
            assert!(work.iter().all(|&work| work < 80.0), "kind {kind}: {work:?}");
            assert!(work[2] < 1.25 * work[1] && work[1] < 1.5 * work[0], "kind {kind}: {work:?}");
        }
    }
}
