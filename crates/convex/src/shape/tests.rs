//! The searches in registers: the same bits on all instruction sets. What they prove is tested in `xcollide-narrow`.

use xcollide_math::Pose;
use xcollide_scenes::Random;
use xcollide_simd::{SimdLevel, dispatch_at};

use super::boolean::{InsetSearch, InsetShape};
use super::moved::MovedShape;
use super::search::NearestSearch;
use super::*;

/// A shape that keeps its core to itself.
struct Plain(Cylinder);

impl Shape for Plain {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        self.0.farthest(direction)
    }

    fn reach(&self) -> f64 {
        self.0.reach()
    }

    fn slack(&self) -> f64 {
        self.0.slack()
    }

    fn inner_ball(&self) -> ([f64; 3], f64) {
        self.0.inner_ball()
    }
}

fn shapes() -> Result<Vec<Box<dyn Shape>>, ShapeError> {
    Ok(vec![
        Box::new(Ball::new(0.3)?),
        Box::new(Capsule::new(0.7, 0.2)?),
        Box::new(Cuboid::new([0.5, 0.3, 0.8])?),
        Box::new(Cylinder::new(0.7, 0.3)?),
        Box::new(Cone::new(0.7, 0.5)?),
        Box::new(Ellipsoid::new([0.5, 0.3, 0.8])?),
        Box::new(Plain(Cylinder::new(0.2, 0.6)?)),
    ])
}

/// Both searches of a pair at a level, as bits: the boolean one of shapes that are shrunk, and the other of the cores.
fn searched(
    level: SimdLevel,
    [a, b]: [&PlacedShape<'_, dyn Shape>; 2],
    start: [f64; 3],
) -> Option<Vec<u64>> {
    let (of_a, of_b) = (|d| a.shape.farthest(d), |d| b.shape.farthest(d));
    let (centers, factors) = ([a.center(), b.center()], [1e-14, 0.0]);
    let sides = [
        InsetShape::new(a, centers[0], factors[0], 1e-15, &of_a),
        InsetShape::new(b, centers[1], factors[1], 1e-15, &of_b),
    ];
    let found = dispatch_at(level, InsetSearch { sides: &sides, start })?;
    let sides = [
        MovedShape::new(a, [0.0; 3], 0.0, 0.0, &of_a),
        MovedShape::new(b, [0.0; 3], 0.0, 0.0, &of_b),
    ];
    let (apart, near, enough) = (f64::INFINITY, 0.0, 1e-11);
    let search = NearestSearch { sides, centers, factors, start, scale: 2.0, enough, apart, near };
    let nearest = dispatch_at(level, search)?;
    let mut bits = vec![u64::from(found.probes)];
    let numbers = [found.last.direction, found.last.difference, nearest.direction];
    let points = [nearest.farthest, nearest.points];
    bits.extend(numbers.as_flattened().iter().map(|x| x.to_bits()));
    bits.extend(points.as_flattened().as_flattened().iter().map(|x| x.to_bits()));
    Some(bits)
}

#[test]
fn all_instruction_sets_find_the_same() -> Result<(), Box<dyn std::error::Error>> {
    let (shapes, mut random) = (shapes()?, Random::new(91));
    for a in &shapes {
        for b in &shapes {
            for _ in 0..20 {
                let mut pose = || {
                    let translation = [(); 3].map(|()| random.between(-0.8, 0.8));
                    Pose::from_quaternion(random.rotation(), translation)
                };
                let poses = [pose()?, pose()?];
                let start = random.direction().map(|x| 3.0 * x);
                let placed =
                    [PlacedShape::new(&**a, &poses[0])?, PlacedShape::new(&**b, &poses[1])?];
                let plain = searched(SimdLevel::Portable, placed.each_ref(), start);
                assert!(plain.is_some());
                for level in SimdLevel::ALL {
                    let other = searched(level, placed.each_ref(), start);
                    assert!(other.is_none() || other == plain, "{level:?}");
                }
            }
        }
    }
    Ok(())
}

/// Along no direction a shape ends before the ball of a point's depth does, also at matrices that are rotations only nearly; and of
/// most points in a shape a depth is proved.
#[test]
fn balls_of_proved_depth_are_in_the_shape() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Random::new(23);
    let (mut proved, mut in_shapes) = (0, 0);
    for shape in &shapes()? {
        for _ in 0..40 {
            let mut rows = *Pose::from_quaternion(random.rotation(), [0.0; 3])?.rotation();
            for entry in rows.as_flattened_mut() {
                *entry += random.between(-2e-7, 2e-7);
            }
            let place = random.in_ball().map(|x| 3.0 * x);
            let pose = Pose::from_matrix(rows, place)?;
            let placed = PlacedShape::new(shape.as_ref(), &pose)?;
            let directions: Vec<[f64; 3]> = (0..400).map(|_| random.direction()).collect();
            for _ in 0..20 {
                let point = pose.apply(random.in_ball().map(|x| 0.6 * x));
                let room = |&n: &[f64; 3]| {
                    let (height, error) = placed.height(n);
                    height + error - xcollide_math::vector::dot(n, point)
                };
                let least = directions.iter().map(room).fold(f64::INFINITY, f64::min);
                let depth = placed.depth_at(point);
                assert!(depth <= least.max(0.0) + 1e-14, "{point:?} {depth} {least}");
                in_shapes += u32::from(least > 0.05);
                proved += u32::from(depth > 0.0);
            }
        }
    }
    assert!(proved > 1000 && 10 * proved > 7 * in_shapes, "{proved} of {in_shapes}");
    Ok(())
}

/// An ellipsoid and all points at most a radius away.
struct Padded(Ellipsoid, f64);

impl Shape for Padded {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        self.0.farthest(direction)
    }

    fn radius(&self) -> f64 {
        self.1
    }

    fn reach(&self) -> f64 {
        self.0.reach()
    }

    fn slack(&self) -> f64 {
        self.0.slack()
    }

    fn core(&self) -> Core {
        self.0.core()
    }
}

/// In the radius about a core the depth is what is left of the radius, and beyond it none; also where the matrix is a rotation only nearly.
#[test]
fn depths_beside_a_core_are_what_is_left_of_the_radius() -> Result<(), Box<dyn std::error::Error>> {
    let egg = Padded(Ellipsoid::new([0.5, 0.3, 0.8])?, 0.25);
    let egg: &dyn Shape = &egg;
    let leaning = [[1.0, 4e-7, 0.0], [0.0, 1.0, -3e-7], [2e-7, 0.0, 1.0]];
    for pose in [Pose::IDENTITY, Pose::from_matrix(leaning, [1.0, 2.0, -3.0])?] {
        let placed = PlacedShape::new(egg, &pose)?;
        let end = pose.apply([0.5, 0.0, 0.0]);
        let beside = |by: f64| placed.depth_at([end[0] + by, end[1], end[2]]);
        for by in [0.05, 0.2] {
            let depth = beside(by);
            // The normal leans by less than 1e-6.
            assert!(depth <= 0.25 - by + 1e-12 && depth > 0.25 - by - 1e-9, "{by} {depth}");
        }
        assert_eq!(beside(0.3), 0.0);
    }
    Ok(())
}
