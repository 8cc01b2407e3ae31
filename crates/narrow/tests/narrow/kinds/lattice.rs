//! Solids and surfaces made of the cells of a lattice, whose kinds a comparison of two sets tells.
//!
//! The planes xᵢ = k and xᵢ − xⱼ = k, for all integers k, cut space into tetrahedra, six in each unit cube, which fit
//! together face to face (the triangulation of Freudenthal). So two unions of closed cells meet if and only if they have a
//! vertex in common, and everything else is a comparison of the sets of cells and of their faces. Boxes, prisms and
//! tetrahedra of other sizes are unions of cells, if their planes are among these.

use std::collections::{BTreeMap, BTreeSet};

use super::support::Random;
use xcollide_narrow::Kind;

/// Cubes in each direction.
const SIZE: i64 = 6;

pub(super) type Point = [i64; 3];

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A cell, by its cube and the order of its coordinates in it.
type Cell = (Point, usize);

/// The corners of a cell, or of the same shape in a larger cube.
fn corners(cube: Point, order: usize, size: i64) -> [Point; 4] {
    let mut all = [cube; 4];
    for (i, &axis) in ORDERS[order].iter().enumerate() {
        for corner in &mut all[i + 1..] {
            corner[axis] += size;
        }
    }
    all
}

/// The cells between two corners of cubes.
fn cells_between(low: Point, high: Point) -> impl Iterator<Item = Cell> {
    let size = sub(high, low);
    let cubes = (0..size.iter().product()).map(move |i: i64| {
        let at = [i % size[0], i / size[0] % size[1], i / size[0] / size[1]];
        [0, 1, 2].map(|k| low[k] + at[k])
    });
    cubes.flat_map(|cube| (0..6).map(move |order| (cube, order)))
}

/// A convex piece, with its faces counter-clockwise as seen from outside.
#[derive(Clone, Debug)]
struct Piece {
    vertices: Vec<Point>,
    faces: Vec<Vec<usize>>,
}

fn sub(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn det(u: Point, v: Point, w: Point) -> i64 {
    w[0] * (u[1] * v[2] - u[2] * v[1])
        + w[1] * (u[2] * v[0] - u[0] * v[2])
        + w[2] * (u[0] * v[1] - u[1] * v[0])
}

impl Piece {
    fn new(vertices: Vec<Point>, faces: &[&[usize]]) -> Self {
        let mut faces: Vec<Vec<usize>> = faces.iter().map(|face| face.to_vec()).collect();
        for face in &mut faces {
            let [a, b, c] = [0, 1, 2].map(|i| vertices[face[i]]);
            let is_inward = vertices.iter().any(|&p| det(sub(b, a), sub(c, a), sub(p, a)) > 0);
            if is_inward {
                face.reverse();
            }
        }
        Self { vertices, faces }
    }

    fn cuboid(low: Point, high: Point) -> Self {
        let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { low[k] } else { high[k] });
        let faces: [&[usize]; 6] = [
            &[0, 2, 3, 1],
            &[4, 5, 7, 6],
            &[0, 1, 5, 4],
            &[2, 6, 7, 3],
            &[0, 4, 6, 2],
            &[1, 3, 7, 5],
        ];
        Self::new((0..8).map(corner).collect(), &faces)
    }

    /// Half of a box with a square section: where one coordinate is not above another.
    fn prism(low: Point, axis: usize, size: i64, length: i64, upper: bool) -> Self {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let corner = |at: [i64; 3]| {
            let mut point = low;
            (point[i], point[j], point[axis]) =
                (low[i] + at[0] * size, low[j] + at[1] * size, low[axis] + at[2] * length);
            point
        };
        let third = if upper { [0, 1] } else { [1, 0] };
        let section = [[0, 0], [1, 1], third];
        let vertices = (0..6).map(|v| corner([section[v % 3][0], section[v % 3][1], v as i64 / 3]));
        let faces: [&[usize]; 5] =
            [&[0, 1, 2], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];
        Self::new(vertices.collect(), &faces)
    }

    fn tetrahedron(cube: Point, order: usize, size: i64) -> Self {
        let faces: [&[usize]; 4] = [&[0, 1, 2], &[0, 1, 3], &[0, 2, 3], &[1, 2, 3]];
        Self::new(corners(cube, order, size).into(), &faces)
    }

    /// Whether a point is on the inner side of all faces; given times a factor.
    fn contains(&self, point: Point, factor: i64) -> bool {
        (0..self.faces.len()).all(|face| self.height(face, point, factor) <= 0)
    }

    fn cells(&self) -> Vec<Cell> {
        let extreme = |best: fn(i64, i64) -> i64| {
            let all = self.vertices.iter().copied();
            all.reduce(|p, q| [0, 1, 2].map(|k| best(p[k], q[k]))).unwrap()
        };
        let is_in = |&(cube, order): &Cell| {
            let middle = [0, 1, 2].map(|k| corners(cube, order, 1).iter().map(|p| p[k]).sum());
            self.contains(middle, 4)
        };
        cells_between(extreme(i64::min), extreme(i64::max)).filter(is_in).collect()
    }

    fn height(&self, face: usize, point: Point, factor: i64) -> i64 {
        let [a, b, c] = [0, 1, 2].map(|i| self.vertices[self.faces[face][i]]);
        det(sub(b, a), sub(c, a), sub(point, a.map(|x| x * factor)))
    }

    fn random(random: &mut Random) -> Self {
        let spot = |random: &mut Random, size: i64| {
            [(); 3].map(|()| size * random.integer(0, SIZE / size - 1))
        };
        match random.below(4) {
            0 | 1 => {
                let low = [(); 3].map(|()| random.integer(0, SIZE - 1));
                let high = low.map(|x| random.integer(x + 1, (x + 3).min(SIZE)));
                Self::cuboid(low, high)
            }
            2 => {
                let size = random.integer(1, 2);
                let low = spot(random, size);
                let axis = random.below(3);
                let length = random.integer(1, (SIZE - low[axis]).min(3));
                Self::prism(low, axis, size, length, random.below(2) == 0)
            }
            _ => {
                let size = random.integer(1, 3);
                Self::tetrahedron(spot(random, size), random.below(6), size)
            }
        }
    }
}

/// A face of a cell, by its corners in ascending order.
type Facet = [Point; 3];

/// The faces of a cell, counter-clockwise as seen from outside.
fn facets((cube, order): Cell) -> [[Point; 3]; 4] {
    let [a, b, c, d] = corners(cube, order, 1);
    [([a, b, c], d), ([a, b, d], c), ([a, c, d], b), ([b, c, d], a)].map(|([p, q, r], inner)| {
        if det(sub(q, p), sub(r, p), sub(inner, p)) > 0 { [p, r, q] } else { [p, q, r] }
    })
}

fn sorted(mut facet: [Point; 3]) -> Facet {
    facet.sort_unstable();
    facet
}

/// A mesh, and the set that it is.
#[derive(Debug)]
pub(super) struct Solid {
    pub(super) vertices: Vec<Point>,
    pub(super) faces: Vec<Vec<u32>>,
    /// Whether it is a surface that bounds no body.
    pub(super) is_open: bool,
    cells: BTreeSet<Cell>,
    /// Of an open surface.
    facets: BTreeSet<Facet>,
}

impl Solid {
    fn empty() -> Self {
        let (cells, facets) = (BTreeSet::new(), BTreeSet::new());
        Self { vertices: Vec::new(), faces: Vec::new(), is_open: false, cells, facets }
    }

    /// One to three pieces: each with vertices of its own, so that they overlap or touch; or the border of their union.
    pub(super) fn random(random: &mut Random) -> Self {
        let pieces: Vec<Piece> = (0..1 + random.below(3)).map(|_| Piece::random(random)).collect();
        Self::of_pieces(&pieces, random)
    }

    fn of_pieces(pieces: &[Piece], random: &mut Random) -> Self {
        let mut solid = Self::empty();
        solid.cells = cells_of(pieces);
        if random.below(2) == 0 {
            for piece in pieces {
                solid.add_faces(piece, |_| true, random);
            }
        } else {
            solid.add_border(random.below(4) == 0, random);
        }
        if random.below(4) == 0 {
            solid.faces.iter_mut().for_each(|face| face.reverse());
        }
        solid
    }

    /// A body, and one that is a part of it.
    pub(super) fn random_with_part(random: &mut Random) -> [Self; 2] {
        let pieces: Vec<Piece> = (0..2 + random.below(2)).map(|_| Piece::random(random)).collect();
        [Self::of_pieces(&pieces, random), Self::of_pieces(&pieces[1..], random)]
    }

    /// A body that touches this one: none of its pieces has a cell of it, and the first has a point of it. `None` if
    /// none was found.
    pub(super) fn random_beside(&self, random: &mut Random) -> Option<Self> {
        let points = self.points();
        let count = 1 + random.below(3);
        let mut pieces = Vec::new();
        for _ in 0..64 {
            let piece = Piece::random(random);
            let cells = piece.cells();
            let mut of_cells = cells.iter().flat_map(|&(cube, order)| corners(cube, order, 1));
            if cells.iter().all(|cell| !self.cells.contains(cell))
                && (!pieces.is_empty() || of_cells.any(|point| points.contains(&point)))
            {
                pieces.push(piece);
            }
            if pieces.len() == count {
                break;
            }
        }
        (!pieces.is_empty()).then(|| Self::of_pieces(&pieces, random))
    }

    /// The same body by another mesh.
    pub(super) fn again(&self, random: &mut Random) -> Self {
        let mut solid = Self { cells: self.cells.clone(), ..Self::empty() };
        solid.add_border(random.below(4) == 0, random);
        solid
    }

    /// Some faces of a piece or two.
    pub(super) fn random_surface(random: &mut Random) -> Self {
        let mut solid = Self { is_open: true, ..Self::empty() };
        for _ in 0..1 + random.below(2) {
            let piece = Piece::random(random);
            let left_out = random.below(piece.faces.len());
            let chosen: Vec<usize> = (0..piece.faces.len())
                .filter(|&face| face != left_out && random.below(3) > 0)
                .collect();
            solid.add_faces(&piece, |face| chosen.contains(&face), random);
            let cells = cells_of(std::slice::from_ref(&piece));
            for facet in border(&cells).into_keys() {
                let middle = [0, 1, 2].map(|k| facet.iter().map(|p| p[k]).sum());
                if chosen.iter().any(|&face| piece.height(face, middle, 3) == 0) {
                    solid.facets.insert(facet);
                }
            }
        }
        solid
    }

    fn add_faces(&mut self, piece: &Piece, is_wanted: impl Fn(usize) -> bool, random: &mut Random) {
        let first = self.vertices.len();
        self.vertices.extend(&piece.vertices);
        for (_, face) in piece.faces.iter().enumerate().filter(|(number, _)| is_wanted(*number)) {
            let mut face: Vec<u32> = face.iter().map(|&v| (first + v) as u32).collect();
            if face.len() == 4 && random.below(2) == 0 {
                face.rotate_left(random.below(2));
                self.faces.push(vec![face[0], face[1], face[2]]);
                self.faces.push(vec![face[0], face[2], face[3]]);
            } else {
                self.faces.push(face);
            }
        }
    }

    /// The border of the union of all cells; with some faces turned, so that it has a parity only.
    fn add_border(&mut self, is_turned: bool, random: &mut Random) {
        let mut numbers: BTreeMap<Point, u32> = BTreeMap::new();
        for mut facet in border(&self.cells).into_values() {
            if is_turned && random.below(2) == 0 {
                facet.swap(0, 1);
            }
            let face = facet.map(|point| {
                *numbers.entry(point).or_insert_with(|| {
                    self.vertices.push(point);
                    self.vertices.len() as u32 - 1
                })
            });
            self.faces.push(face.into());
        }
    }

    fn points(&self) -> BTreeSet<Point> {
        let of_cells = self.cells.iter().flat_map(|&(cube, order)| corners(cube, order, 1));
        of_cells.chain(self.facets.iter().flatten().copied()).collect()
    }
}

fn cells_of(pieces: &[Piece]) -> BTreeSet<Cell> {
    pieces.iter().flat_map(Piece::cells).collect()
}

/// The faces of cells that are faces of one cell only, each as it is seen from outside.
fn border(cells: &BTreeSet<Cell>) -> BTreeMap<Facet, [Point; 3]> {
    let mut faces = BTreeMap::new();
    for &cell in cells {
        for facet in facets(cell) {
            if faces.remove(&sorted(facet)).is_none() {
                faces.insert(sorted(facet), facet);
            }
        }
    }
    faces
}

/// Whether the borders of two bodies have a point in common.
pub(super) fn borders_touch(a: &Solid, b: &Solid) -> bool {
    let corners =
        |solid: &Solid| -> BTreeSet<Point> { border(&solid.cells).into_keys().flatten().collect() };
    !corners(a).is_disjoint(&corners(b))
}

/// Six times the volume that two bodies have in common: each cell has a sixth.
pub(super) fn common_cells(a: &Solid, b: &Solid) -> usize {
    a.cells.intersection(&b.cells).count()
}

/// The kind, by the sets of cells.
pub(super) fn kind(a: &Solid, b: &Solid) -> Kind {
    if a.points().is_disjoint(&b.points()) {
        return Kind::Apart;
    }
    match (a.is_open, b.is_open) {
        (false, false) => {
            let (in_b, in_a) = (a.cells.is_subset(&b.cells), b.cells.is_subset(&a.cells));
            match (in_b, in_a) {
                (true, true) => Kind::Equal,
                (true, false) => Kind::Enclosed,
                (false, true) => Kind::Enclosing,
                _ if a.cells.is_disjoint(&b.cells) => Kind::Touching,
                _ => Kind::Overlapping,
            }
        }
        (true, true) => {
            let (in_b, in_a) = (a.facets.is_subset(&b.facets), b.facets.is_subset(&a.facets));
            match (in_b, in_a) {
                (true, true) => Kind::Equal,
                (true, false) => Kind::Enclosed,
                (false, true) => Kind::Enclosing,
                _ if cross(a, b) => Kind::Piercing,
                _ if a.facets.is_disjoint(&b.facets) => Kind::Touching,
                _ => Kind::Overlapping,
            }
        }
        (false, true) => kind(b, a).reversed(),
        (true, false) => {
            // How many cells of the body have a facet as a face.
            let mut cells: BTreeMap<Facet, usize> = BTreeMap::new();
            for &cell in &b.cells {
                facets(cell).into_iter().for_each(|f| *cells.entry(sorted(f)).or_default() += 1);
            }
            let count = |facet: &Facet| cells.get(facet).copied().unwrap_or(0);
            match (a.facets.iter().any(|f| count(f) == 2), a.facets.iter().any(|f| count(f) == 0)) {
                (true, true) => Kind::Piercing,
                (true, false) => Kind::Enclosed,
                _ => Kind::Touching,
            }
        }
    }
}

/// Whether facets of two surfaces alternate about an edge, by their angles.
fn cross(a: &Solid, b: &Solid) -> bool {
    let mut about: BTreeMap<[Point; 2], [Vec<f64>; 2]> = BTreeMap::new();
    for (which, solid) in [a, b].into_iter().enumerate() {
        for &[p, q, r] in &solid.facets {
            for (edge, apex) in [([p, q], r), ([q, r], p), ([p, r], q)] {
                about.entry(edge).or_default()[which].push(angle(edge, apex));
            }
        }
    }
    about.values().any(|[of_a, of_b]| {
        of_a.iter().any(|&from| {
            let turned = |angle: f64| {
                let angle = (angle - from).rem_euclid(std::f64::consts::TAU);
                if angle > std::f64::consts::TAU - 1e-9 { 0.0 } else { angle }
            };
            of_a.iter().map(|&to| turned(to)).any(|to| {
                let between = of_b.iter().any(|&x| 1e-9 < turned(x) && turned(x) < to - 1e-9);
                between && of_b.iter().any(|&x| turned(x) > to + 1e-9)
            })
        })
    })
}

/// The angle of a point about an edge.
fn angle([p, q]: [Point; 2], apex: Point) -> f64 {
    let float = |p: Point| nalgebra::Vector3::from(p.map(|x| x as f64));
    let (along, to) = (float(sub(q, p)).normalize(), float(sub(apex, p)));
    let start = if along.x.abs() < 0.5 { nalgebra::Vector3::x() } else { nalgebra::Vector3::y() };
    let u = (start - along * along.dot(&start)).normalize();
    let v = along.cross(&u);
    to.dot(&v).atan2(to.dot(&u))
}
