//! Spheres in a hash grid for each order of magnitude of their radii: which one is nearest to a point?

use rustc_hash::FxHashMap;
use xcollide_bounds::Sphere;
use xcollide_math::vector::{length, sub};

/// Spheres whose radii are between a quarter and half of the side of the cells.
#[derive(Debug)]
struct Layer {
    side: f64,
    cells: FxHashMap<[i64; 3], Vec<Sphere>>,
    /// All of them.
    spheres: Vec<Sphere>,
}

/// A set of spheres.
#[derive(Debug)]
pub(super) struct SphereGrid {
    /// Large spheres first.
    layers: Vec<Layer>,
    size: f64,
}

impl SphereGrid {
    /// An empty set, for spheres in a body of that size.
    pub(super) fn new(size: f64) -> Self {
        Self { layers: Vec::new(), size }
    }

    /// Adds a sphere. Larger ones should come first: the search is fast then.
    pub(super) fn insert(&mut self, sphere: Sphere) {
        let mut number = 0;
        loop {
            if self.layers.len() == number {
                let side = self.size / 2_f64.powi(number as i32);
                self.layers.push(Layer { side, cells: FxHashMap::default(), spheres: Vec::new() });
            }
            let layer = &mut self.layers[number];
            // The smallest spheres there can be are in the last layer.
            if sphere.radius > 0.25 * layer.side || number == 60 {
                let cell = sphere.center.map(|x| (x / layer.side).floor() as i64);
                layer.cells.entry(cell).or_default().push(sphere);
                layer.spheres.push(sphere);
                return;
            }
            number += 1;
        }
    }

    /// The least gap between a point and a sphere, rounded down, or the limit if it is less.
    pub(super) fn gap(&self, point: [f64; 3], limit: f64) -> f64 {
        self.nearest(point, limit).0
    }

    /// The same, with the sphere if there is one.
    pub(super) fn nearest(&self, point: [f64; 3], limit: f64) -> (f64, Option<Sphere>) {
        let (mut least, mut nearest) = (limit, None);
        for layer in self.layers.iter().filter(|layer| !layer.spheres.is_empty()) {
            // A sphere that is nearer than the least gap has its center within this.
            let reach = (least + 0.5 * layer.side) * (1.0 + 1e-9);
            if reach < 0.0 {
                continue;
            }
            let mut look = |spheres: &[Sphere]| {
                for sphere in spheres {
                    let distance = length(sub(sphere.center, point));
                    let gap = distance * (1.0 - 16.0 * f64::EPSILON) - sphere.radius;
                    if gap < least {
                        (least, nearest) = (gap, Some(*sphere));
                    }
                }
            };
            // With large spheres first there are few cells within reach.
            if (2.0 * reach / layer.side + 2.0).powi(3) > layer.spheres.len() as f64 + 64.0 {
                look(&layer.spheres);
                continue;
            }
            let range = |axis: usize| {
                let cell = |x: f64| (x / layer.side).floor() as i64;
                cell(point[axis] - reach)..=cell(point[axis] + reach)
            };
            for x in range(0) {
                for y in range(1) {
                    for z in range(2) {
                        look(layer.cells.get(&[x, y, z]).map_or(&[], Vec::as_slice));
                    }
                }
            }
        }
        (least, nearest)
    }
}

#[cfg(test)]
mod tests {
    use xcollide_scenes::Random;

    use super::*;

    #[test]
    fn the_nearest_sphere_is_that_of_a_look_at_all() {
        let mut random = Random::new(4);
        let mut grid = SphereGrid::new(2.0);
        let spheres: Vec<Sphere> = (0..200)
            .map(|_| {
                let center = [(); 3].map(|()| random.between(-1.0, 1.0));
                Sphere::new(center, 0.5 * random.between(0.05, 1.0_f64).powi(3))
            })
            .collect();
        for &sphere in &spheres {
            grid.insert(sphere);
        }
        for _ in 0..500 {
            let point = [(); 3].map(|()| random.between(-1.5, 1.5));
            let gap = |sphere: &Sphere| length(sub(sphere.center, point)) - sphere.radius;
            let truth = spheres.iter().map(gap).fold(0.7, f64::min);
            let found = grid.gap(point, 0.7);
            assert!((found - truth).abs() < 1e-12, "{found} {truth}");
        }
    }
}
