//! Sphere packing: disjoint spheres that fill a body from the inside, large ones first.
//!
//! The free radius of a point in the body is its distance from the surface and from the spheres that there are already. It
//! changes by no more than the point moves, so in a cube with half diagonal h it is nowhere more than h above that of the
//! middle. The cube with the highest such bound is looked at first: if the middle is at least half as good, a sphere goes
//! there, after some steps away from what is nearest; else the cube is cut into eight. So each sphere is at least half as
//! large as any for which there was room. The source moves many points at once towards Voronoi nodes (Weller and Zachmann 2010,
//! `ProtoSphere`); there nothing is known about what was missed.
//!
//! # Proof
//!
//! The middle of a sphere is in the body by the exact test of a point, and its radius is a lower bound of the distance from
//! every triangle ([`distance_bounds`]), so its inner points are in the body. Radii are less than the gap to every other
//! sphere, rounded down, so spheres are disjoint.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use xcollide_bounds::Sphere;
use xcollide_brep::Interior;
use xcollide_bvh::classic::inner_spheres::InnerSphereTree;
use xcollide_bvh::wide::{Traversal, WideTree, nearest_query};
use xcollide_math::vector::{add, scale, sub, unit};
use xcollide_predicates::{closest_points, distance_bounds};

use super::sphere_grid::SphereGrid;
use crate::hierarchy::prepared::prepared;
use crate::point_in_polyhedron::{Location, locate};
use crate::{Model, Placed, PreparedData};

/// How finely a body is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackingOptions {
    /// The most spheres; 1000 by default.
    pub most_spheres: usize,
    /// No sphere is smaller, as a part of the longest side of the model's box; 1e-4 by default.
    pub least_radius: f64,
}

impl Default for PackingOptions {
    fn default() -> Self {
        Self { most_spheres: 1000, least_radius: 1e-4 }
    }
}

/// Disjoint spheres in a body, in its frame, with a hierarchy over them.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::Model;
/// use xcollide_narrow::classic::{PackingOptions, SpherePacking};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let packing = SpherePacking::of(&cube, PackingOptions { most_spheres: 50, ..PackingOptions::default() });
/// assert_eq!(packing.tree().spheres().len(), 50);
/// assert!(packing.tree().volume() > 0.6 && packing.tree().volume() < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpherePacking {
    options: PackingOptions,
    tree: InnerSphereTree,
}

impl SpherePacking {
    /// Fills the body that a model bounds; there are no spheres if it bounds none. Deterministic.
    ///
    /// It ends with fewer spheres after 256 cubes for each that was asked for: where the body is thin, or what the large
    /// spheres leave of it. So a ball of many faces gets little more than one sphere, which fills nearly all of it.
    #[must_use]
    pub fn of(model: &Model, options: PackingOptions) -> Self {
        let mut packer = Packer::new(model, options);
        packer.run();
        let bounds = model.local_box();
        let reach =
            bounds.min.iter().chain(&bounds.max).fold(0.0, |most: f64, x| most.max(x.abs()));
        Self { options, tree: InnerSphereTree::build(&packer.spheres, reach) }
    }

    /// The hierarchy, with the [spheres](InnerSphereTree::spheres) and their [volume](InnerSphereTree::volume).
    #[must_use]
    pub fn tree(&self) -> &InnerSphereTree {
        &self.tree
    }

    /// The options by which it was made.
    #[must_use]
    pub fn options(&self) -> PackingOptions {
        self.options
    }
}

impl PreparedData for SpherePacking {
    fn bytes(&self) -> usize {
        size_of_val(self) + self.tree.bytes()
    }
}

/// A cube that may have room for a sphere.
#[derive(Clone, Copy, Debug)]
struct Cube {
    /// No point in the cube has a larger free radius.
    most: f64,
    center: [f64; 3],
    half: f64,
    /// Not less than the distance of the center from the surface; negative outside of the body.
    depth: f64,
}

impl Ord for Cube {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most)
    }
}

impl PartialOrd for Cube {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cube {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cube {}

/// The distance of a point from the surface: bounds, and the nearest triangle.
#[derive(Clone, Copy, Debug)]
struct Depth {
    at_least: f64,
    at_most: f64,
    triangle: Option<u32>,
}

/// Cubes looked at for each sphere that was asked for.
const CUBES_A_SPHERE: usize = 256;

struct Packer<'a> {
    placed: Placed<'a>,
    options: PackingOptions,
    least: f64,
    cubes: BinaryHeap<Cube>,
    /// How many cubes may still be looked at.
    left: usize,
    spheres: Vec<Sphere>,
    grid: SphereGrid,
    scratch: Traversal,
}

impl<'a> Packer<'a> {
    fn new(model: &'a Model, options: PackingOptions) -> Self {
        let size = model.local_box().size().into_iter().fold(0.0, f64::max);
        let least = if options.least_radius > 0.0 { options.least_radius * size } else { 0.0 };
        let mut packer = Self {
            placed: Placed::unmoved(model),
            options,
            least: least.max(f64::MIN_POSITIVE),
            cubes: BinaryHeap::new(),
            left: options.most_spheres.saturating_mul(CUBES_A_SPHERE).saturating_add(4096),
            spheres: Vec::new(),
            grid: SphereGrid::new(size),
            scratch: Traversal::new(),
        };
        let bounds_body = model.interior() != Interior::None && !model.triangulation().is_empty();
        if bounds_body && size > 0.0 {
            packer.consider(model.local_box().center(), 0.5 * size, None);
        }
        packer
    }

    /// Places spheres until there are enough, or there is no room.
    fn run(&mut self) {
        while self.spheres.len() < self.options.most_spheres {
            let Some(cube) = self.cubes.pop() else { break };
            let free = cube.depth.min(self.grid.gap(cube.center, cube.depth));
            let diagonal = half_diagonal(cube.half);
            // Spheres may have come since the cube was looked at.
            let most = free + diagonal;
            if most < cube.most {
                self.keep(Cube { most, ..cube });
            } else if free >= diagonal && self.place(cube.center) {
                self.cubes.push(cube);
            } else if self.left >= 8 {
                self.left -= 8;
                let half = 0.5 * cube.half;
                for corner in 0..8 {
                    let side = |axis: usize| if corner >> axis & 1 == 0 { -half } else { half };
                    let center = add(cube.center, [side(0), side(1), side(2)]);
                    self.consider(center, half, Some(&cube));
                }
            }
        }
    }

    /// Adds a cube if it may have room; it is a part of another one, or the first.
    fn consider(&mut self, center: [f64; 3], half: f64, whole: Option<&Cube>) {
        let depth = self.depth(center, f64::INFINITY).at_most;
        // Where the surface does not come, the center of the whole cube tells on which side this one is.
        let known =
            whole.filter(|whole| depth > half_diagonal(2.0 * half) && whole.half == 2.0 * half);
        let is_inside = match known {
            Some(whole) => whole.depth > 0.0,
            None => locate(self.placed, center) == Location::Inside,
        };
        let depth = if is_inside { depth } else { -depth };
        self.keep(Cube { most: depth + half_diagonal(half), center, half, depth });
    }

    fn keep(&mut self, cube: Cube) {
        if cube.most >= self.least {
            self.cubes.push(cube);
        }
    }

    /// Places a sphere about a point in the body, or better about one nearby; whether there was room.
    fn place(&mut self, start: [f64; 3]) -> bool {
        let center = self.climb(start);
        let depth = self.depth(center, f64::INFINITY).at_least;
        let radius = depth.min(self.grid.gap(center, depth)) * (1.0 - 8.0 * f64::EPSILON);
        if radius < self.least || locate(self.placed, center) != Location::Inside {
            return false;
        }
        let sphere = Sphere::new(center, radius);
        self.grid.insert(sphere);
        self.spheres.push(sphere);
        true
    }

    /// Goes from a point away from what is nearest, in steps that get smaller where they do not help.
    fn climb(&mut self, start: [f64; 3]) -> [f64; 3] {
        const STEPS: usize = 10;
        let mut point = start;
        let (mut free, mut away) = self.free(point);
        let mut step = 0.5 * free;
        for _ in 0..STEPS {
            let next = add(point, scale(away, step));
            let (there, onward) = self.free(next);
            // A step of half the free radius does not leave the body.
            if there > free {
                (point, free, away) = (next, there, onward);
            } else {
                step *= 0.5;
            }
        }
        point
    }

    /// The free radius of a point in the body, rounded, and the direction away from what is nearest.
    fn free(&mut self, point: [f64; 3]) -> (f64, [f64; 3]) {
        let depth = self.depth(point, f64::INFINITY);
        let (gap, sphere) = self.grid.nearest(point, depth.at_most);
        let from = match (sphere, depth.triangle) {
            (Some(sphere), _) => sphere.center,
            (None, Some(triangle)) => {
                closest_points(&[point], &self.placed.triangle(triangle as usize)).b
            }
            (None, None) => point,
        };
        (gap.min(depth.at_most), unit(sub(point, from)).unwrap_or([0.0; 3]))
    }

    /// The distance of a point from the surface, up to a limit.
    fn depth(&mut self, point: [f64; 3], limit: f64) -> Depth {
        let mut depth = Depth { at_least: limit, at_most: limit, triangle: None };
        let placed = self.placed;
        let mut consider = |triangle: u32| {
            let [least, most] = distance_bounds(point, &placed.triangle(triangle as usize));
            depth.at_least = depth.at_least.min(least);
            if most < depth.at_most {
                (depth.at_most, depth.triangle) = (most, Some(triangle));
            }
            ControlFlow::Continue(depth.at_most)
        };
        let _ = match prepared::<WideTree>(placed.model()) {
            Some(tree) => nearest_query((tree, placed.pose()), point, &mut self.scratch, consider),
            None => (0..placed.model().triangulation().len() as u32)
                .try_for_each(|triangle| consider(triangle).map_continue(|_| ())),
        };
        depth
    }
}

/// Half the diagonal of a cube, rounded up.
fn half_diagonal(half: f64) -> f64 {
    half * 1.732_050_807_568_878
}
