//! Polyhedra inscribed in curved bodies, whose difference from the body is known piece by piece.
//!
//! A curved body is what a polyhedron with corners on its surface contains, and *caps*: the solids between a facet and the
//! surface, whose volumes are known by formulas ([`patch`]). What of a cap is in another body is all, nothing, or, where the other
//! body's surface passes it, between two bounds ([`share`]): the other surface is nearly a plane there, and the part of a cap
//! below a plane nearly an integral over the facet ([`cap`]). Patches are divided until what is not known is small ([`refinement`]): a
//! cap of size s has a volume of order s⁴, that of what is not known of it is of order s⁵, and there are some 1/s of them along the
//! curve in which two surfaces meet, so that s⁴ remains. What the rounding of corners adds is bounded in [`rounding`].
//!
//! Patches are divided by themselves. Where one side of an arc has been divided and the other has not, the polyhedron is closed by
//! triangles in the plane of the arc, which separates the two.

mod cap;
mod frame;
mod near_mesh;
mod of_formula;
mod patch;
mod refinement;
mod rounded_surface;
mod rounding;
mod share;

use rustc_hash::FxHashMap;
use xcollide_brep::{MeshError, PolygonMesh};
use xcollide_predicates::Point;

use patch::{Patch, Sphere, Tube, middle};

pub(super) use patch::segment;

pub(super) use frame::{Frame, View};
pub(super) use near_mesh::each_near;
pub(super) use of_formula::normal_of;
pub(super) use refinement::Caps;
pub(super) use rounding::moved_volume;
pub(super) use share::Other;

/// A polyhedron inscribed in a body.
pub(super) struct Inscribed {
    corners: Vec<Point>,
    /// Of arcs that are divided the corners in the middle, by those at the ends, the lower number first.
    middles: FxHashMap<[u32; 2], u32>,
    spheres: Vec<Sphere>,
    tubes: Vec<Tube>,
    patches: Vec<Patch>,
    /// Of each patch after a refinement, whether it is not in the other body at all.
    are_outside: Vec<bool>,
    /// The facets of the body that are flat, convex and counter-clockwise seen from outside.
    polygons: Vec<Vec<u32>>,
    /// No corner is farther from where it should be, without the rounding of its coordinates at last.
    error: f64,
    /// Whether no patch will be divided any more.
    is_full: bool,
}

impl Inscribed {
    /// Whether parts of its surface are curved.
    pub(super) fn is_curved(&self) -> bool {
        !self.patches.is_empty()
    }

    /// Whether parts of its surface are curved in two directions.
    pub(super) fn has_spheres(&self) -> bool {
        !self.spheres.is_empty()
    }

    /// The corners, if no part of the surface is curved.
    pub(super) fn flat_corners(&self) -> &[Point] {
        if self.is_curved() { &[] } else { &self.corners }
    }

    /// Divides a patch in the middle of an arc.
    fn divided(&mut self, patch: Patch) -> [Patch; 2] {
        match patch {
            Patch::Triangle { sphere, corners, ways } => {
                let sides = self.spheres[sphere as usize].sides(&ways);
                let longest =
                    (1..3).fold(0, |best, k| if sides[k] > sides[best] { k } else { best });
                let [i, j, k] = [0, 1, 2].map(|step| (longest + step) % 3);
                let way = middle(ways[i], ways[j]);
                let place = self.spheres[sphere as usize].at(way);
                let new = self.middle([corners[i], corners[j]], place);
                let part = |first: usize, last: usize| Patch::Triangle {
                    sphere,
                    corners: [first, last, k].map(|at| if at > 2 { new } else { corners[at] }),
                    ways: [first, last, k].map(|at| if at > 2 { way } else { ways[at] }),
                };
                [part(i, 3), part(3, j)]
            }
            Patch::Strip { tube, ends, ways: [from, to], angle } => {
                let way = middle(from, to);
                let places = [0, 1].map(|end| self.tubes[tube as usize].at(end, way));
                let new = [0, 1].map(|end| self.middle(ends[end], places[end]));
                let half = 0.5 * angle;
                let (first, second) = (ends.map(|end| end[0]), ends.map(|end| end[1]));
                let part = |left: [u32; 2], right: [u32; 2], ways| Patch::Strip {
                    tube,
                    ends: [[left[0], right[0]], [left[1], right[1]]],
                    ways,
                    angle: half,
                };
                [part(first, new, [from, way]), part(new, second, [way, to])]
            }
        }
    }

    /// The corner in the middle of an arc, which is made at a place if it is not there.
    fn middle(&mut self, [one, other]: [u32; 2], place: Point) -> u32 {
        if one == other {
            return one;
        }
        let corners = &mut self.corners;
        *self.middles.entry([one.min(other), one.max(other)]).or_insert_with(|| {
            corners.push(place);
            corners.len() as u32 - 1
        })
    }

    /// The polyhedron: a closed surface of triangles.
    ///
    /// # Errors
    /// There are too many corners for numbers of 32 bits, or one is not finite.
    pub(super) fn mesh(&self) -> Result<PolygonMesh, MeshError> {
        PolygonMesh::from_polygons(self.corners.clone(), self.triangles())
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(2 * self.corners.len());
        for patch in &self.patches {
            self.add_patch(patch, &mut triangles);
        }
        self.add_polygons(&mut triangles);
        triangles
    }

    /// Those that may be in the other body.
    fn triangles_near(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for (patch, _) in self.patches.iter().zip(&self.are_outside).filter(|(_, out)| !**out) {
            self.add_patch(patch, &mut triangles);
        }
        self.add_polygons(&mut triangles);
        triangles
    }

    fn add_patch(&self, patch: &Patch, triangles: &mut Vec<[u32; 3]>) {
        match *patch {
            Patch::Triangle { corners: [a, b, c], .. } => {
                triangles.push([a, b, c]);
                for arc in [[a, b], [b, c], [c, a]] {
                    self.close(arc, triangles);
                }
            }
            Patch::Strip { ends: [[a, b], [d, c]], .. } => {
                // Each from an end of its short side, from where little is lost.
                triangles.push([a, b, c]);
                if c != d {
                    triangles.push([c, d, a]);
                }
                for arc in [[a, b], [c, d]] {
                    self.close(arc, triangles);
                }
            }
        }
    }

    fn add_polygons(&self, triangles: &mut Vec<[u32; 3]>) {
        for polygon in &self.polygons {
            triangles.extend((2..polygon.len()).map(|k| [polygon[0], polygon[k - 1], polygon[k]]));
            for k in 0..polygon.len() {
                self.close([polygon[k], polygon[(k + 1) % polygon.len()]], triangles);
            }
        }
    }

    /// Triangles between a side of a facet and the parts of the arc over it, if the arc is divided.
    fn close(&self, [from, to]: [u32; 2], triangles: &mut Vec<[u32; 3]>) {
        if let Some(&middle) = self.middles.get(&[from.min(to), from.max(to)]) {
            triangles.push([to, from, middle]);
            self.close([from, middle], triangles);
            self.close([middle, to], triangles);
        }
    }
}
