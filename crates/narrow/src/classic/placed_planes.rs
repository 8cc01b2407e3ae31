//! A convex body as the half spaces of its faces, in the world, with bounds of their errors.
//!
//! A pose may be a rotation within 1e-6 only, so normals are turned by its cofactors: then a moved face stays in the
//! moved plane but for rounding, which is bounded as follows, u = 2⁻⁵³:
//!
//! - A computed normal is off by the error of the [`Facet`](xcollide_convex::Facet) and some 40 u. That moves the plane
//!   by so much times the diameter of the body.
//! - Vertices, their heights and offsets are off by less than the [noise](Body::noise) of the bodies.

use xcollide_bounds::Aabb;
use xcollide_convex::{Body, Polytope};
use xcollide_math::vector::{cross, dot, length_squared, sub, unit};

/// One body in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct PlacedPlanes {
    positions: Vec<[f64; 3]>,
    planes: Vec<HalfSpace>,
    whole: Aabb,
    noise: f64,
    /// The planes in the order in which they clip the other body's edges.
    order: Vec<u32>,
}

/// normal · x ≤ offset.
#[derive(Clone, Copy, Debug)]
struct HalfSpace {
    normal: [f64; 3],
    offset: f64,
    /// How far the true plane may be from the computed one within the body.
    error: f64,
}

impl PlacedPlanes {
    /// Places a body; `noise` is that of both bodies.
    pub(super) fn place(&mut self, body: &Body<'_>, noise: f64) {
        let polytope = body.polytope();
        self.noise = noise;
        self.positions.clear();
        self.positions.extend((0..polytope.len() as u32).map(|v| body.position(v)));
        self.whole = Aabb::from_points(self.positions.iter().copied()).expanded(2.0 * noise);
        self.planes.clear();
        let [r, s, t] = *body.pose().rotation();
        let cofactors = [cross(s, t), cross(t, r), cross(r, s)];
        // A little more than twice the radius, for the matrix.
        let diameter = 2.01 * polytope.radius();
        for face in polytope.gauss_map().faces() {
            let turned = cofactors.map(|row| dot(row, face.normal));
            let normal = unit(turned).unwrap_or([0.0; 3]);
            let height = |p: &[f64; 3]| dot(normal, *p);
            let (offset, error) = match polytope.dimension() {
                3 => {
                    let off = face.error + 40.0 * (f64::EPSILON / 2.0);
                    (height(&self.positions[face.vertex as usize]), 1.01 * off * diameter)
                }
                // Faces that are no facets: the highest vertex tells.
                _ => (self.positions.iter().map(height).fold(f64::NEG_INFINITY, f64::max), 0.0),
            };
            self.planes.push(HalfSpace { normal, offset, error });
        }
        self.order.clear();
        self.order.extend(0..self.planes.len() as u32);
    }

    /// Brings the planes of those faces to the front that overlap the box of the other body.
    pub(super) fn order_by(&mut self, polytope: &Polytope, other: &Aabb) {
        if polytope.dimension() < 3 {
            return;
        }
        let mut met = 0;
        for (index, face) in polytope.facets().enumerate() {
            let corners = face.iter().map(|&v| self.positions[v as usize]);
            if Aabb::from_points(corners).overlaps(other) {
                self.order.swap(met, index);
                met += 1;
            }
        }
    }

    /// The box of the body, with a margin for the rounding of both bodies.
    pub(super) fn whole(&self) -> &Aabb {
        &self.whole
    }

    pub(super) fn position(&self, vertex: u32) -> [f64; 3] {
        self.positions[vertex as usize]
    }

    pub(super) fn normal(&self, index: usize) -> [f64; 3] {
        self.planes[index].normal
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// A plane by its place in the order: its number, its normal and its offset, moved outwards by all rounding. The body
    /// is below it, moved by any vector no longer than the rounding of both bodies, too.
    #[inline]
    pub(super) fn ordered(&self, at: usize) -> (usize, [f64; 3], f64) {
        let index = self.order[at] as usize;
        let HalfSpace { normal, offset, error } = self.planes[index];
        (index, normal, offset + (error + 4.0 * self.noise))
    }

    /// Whether a point is certainly in the hull of this body, and so deep below all its planes.
    pub(super) fn holds(&self, point: [f64; 3], body: &Body<'_>, deep: f64) -> bool {
        let from_center = length_squared(sub(point, body.center()));
        let radius = body.polytope().radius();
        from_center <= radius * radius
            && self.planes.iter().all(|&HalfSpace { normal, offset, error }| {
                dot(normal, point) <= offset - (error + 2.0 * self.noise + deep)
            })
    }
}
