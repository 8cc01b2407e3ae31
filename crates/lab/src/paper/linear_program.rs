//! Whether a plane separates two sets of points, by linear programming in expected O(n): what I-COLLIDE does wherever its walk
//! finds no closest features, that is whenever bodies meet.
//!
//! Seidel's algorithm (*Small-dimensional linear programming and convex hulls made easy*, 1991): constraints are added one by
//! one; if the optimum so far violates one, the new optimum is on its border, a program with a variable less. Rounded, for
//! measurements alone.

use xcollide::math::vector::{add, cross, dot, length_squared, scale, sub, unit};
use xcollide_scenes::Random;

/// Up to three coefficients, and the bound of their product with the variables.
type Row = [f64; 4];

/// No variable exceeds this.
const MOST: f64 = 1e6;

/// What rounding may make of a constraint that holds.
const NOISE: f64 = 1e-9;

/// The memory of a program.
#[derive(Default)]
pub(super) struct LinearProgram {
    rows: [Vec<Row>; 3],
}

impl LinearProgram {
    /// Whether a plane has the points of `a` on one side and those of `b` on the other; the centers are in their hulls.
    ///
    /// A plane w · x = z that separates has w · d > 0 for the way d between the centers, so w · d = 1 without loss of
    /// generality: w = d / d² + x u + y v with u and v across d, and the variables are x, y and z.
    pub(super) fn separates(
        &mut self,
        [a, b]: [&[[f64; 3]]; 2],
        [center_a, center_b]: [[f64; 3]; 2],
    ) -> bool {
        let way = sub(center_b, center_a);
        let squared = length_squared(way);
        let Some(direction) = unit(way) else { return false };
        let axis = if direction[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let Some(u) = unit(cross(direction, axis)) else { return false };
        let v = cross(direction, u);
        let middle = scale(add(center_a, center_b), 0.5);
        let row = |point: [f64; 3], side: f64| {
            let at = sub(point, middle);
            [side * dot(u, at), side * dot(v, at), -side, -side * dot(way, at) / squared]
        };
        let [rows, ..] = &mut self.rows;
        rows.clear();
        rows.extend(a.iter().map(|&point| row(point, 1.0)));
        rows.extend(b.iter().map(|&point| row(point, -1.0)));
        // In another order than that of the vertices, or neighbours would violate the optimum one after the other.
        let mut random = Random::new(1);
        for last in (1..rows.len()).rev() {
            rows.swap(last, (random.bits() % (last as u64 + 1)) as usize);
        }
        optimum(3, &mut self.rows, [0.0, 0.0, 1.0]).is_some()
    }
}

/// The least value of the objective under the first rows, in so many variables; `None` if no point satisfies all.
fn optimum(variables: usize, programs: &mut [Vec<Row>], objective: [f64; 3]) -> Option<[f64; 3]> {
    let (rows, below) = programs.split_first_mut()?;
    if variables == 1 {
        return on_line(rows, objective[0]);
    }
    let mut best = [0, 1, 2].map(|k| if objective[k] > 0.0 { -MOST } else { MOST });
    for at in 0..rows.len() {
        let border = rows[at];
        let value: f64 = (0..variables).map(|k| border[k] * best[k]).sum();
        if value <= border[3] + NOISE {
            continue;
        }
        let out = (0..variables).max_by(|&j, &k| border[j].abs().total_cmp(&border[k].abs()))?;
        if border[out].abs() < NOISE {
            return None;
        }
        // On the border this variable follows from the others.
        let without = |row: Row| {
            let factor = row[out] / border[out];
            let mut reduced = [0.0, 0.0, 0.0, row[3] - factor * border[3]];
            for (kept, k) in (0..variables).filter(|&k| k != out).enumerate() {
                reduced[kept] = row[k] - factor * border[k];
            }
            reduced
        };
        let next = below.first_mut()?;
        next.clear();
        next.extend(rows[..at].iter().copied().map(without));
        for side in [-1.0, 1.0] {
            let mut limit = [0.0, 0.0, 0.0, MOST];
            limit[out] = side;
            next.push(without(limit));
        }
        let [x, y, z] = objective;
        let [x, y, z, _] = without([x, y, z, 0.0]);
        let mut others = optimum(variables - 1, below, [x, y, z])?.into_iter();
        let mut sum = border[3];
        for k in (0..variables).filter(|&k| k != out) {
            best[k] = others.next()?;
            sum -= border[k] * best[k];
        }
        best[out] = sum / border[out];
    }
    Some(best)
}

fn on_line(rows: &[Row], objective: f64) -> Option<[f64; 3]> {
    let (mut low, mut high) = (-MOST, MOST);
    for row in rows {
        if row[0] > 0.0 {
            high = high.min(row[3] / row[0]);
        } else if row[0] < 0.0 {
            low = low.max(row[3] / row[0]);
        } else if row[3] < -NOISE {
            return None;
        }
    }
    (low <= high + NOISE).then_some([if objective > 0.0 { low } else { high }, 0.0, 0.0])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use xcollide::narrow::convex::Hybrid;
    use xcollide::narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
    use xcollide_scenes::{Poses, shape};

    use super::*;

    #[test]
    fn a_plane_exists_iff_the_hulls_are_apart() {
        let kinds = ["ellipsoid", "rod", "plate"];
        let models = [0, 1, 2].map(|at| {
            let spec = format!("shape:polytope?vertices=60&kind={}&seed={at}", kinds[at]);
            Model::from_mesh(shape(&spec).unwrap()).unwrap()
        });
        let mut poses = Poses::new(3);
        let mut program = LinearProgram::default();
        let mut apart = 0;
        for round in 0..400 {
            let pair = [&models[round % 3], &models[round / 3 % 3]];
            let places: [Pose; 2] = [(); 2].map(|()| poses.within(0.8).pose());
            let placed = [0, 1].map(|side| Placed::new(pair[side], &places[side]).unwrap());
            let points = placed.map(|one| {
                let vertices = one.model().used_vertices().iter();
                vertices.map(|&vertex| one.position(vertex)).collect::<Vec<_>>()
            });
            let centers = points.each_ref().map(|points| {
                let sum = points.iter().fold([0.0; 3], |sum, &point| add(sum, point));
                scale(sum, 1.0 / points.len() as f64)
            });
            let [a, b] = placed;
            let exact = Hybrid::default().test(a, b, &Query::new(), &mut PairCache::new());
            let found = program.separates([&points[0], &points[1]], centers);
            assert_eq!(found, exact.is_apart(), "round {round}");
            apart += usize::from(found);
        }
        assert!((50..350).contains(&apart), "{apart}");
    }
}
