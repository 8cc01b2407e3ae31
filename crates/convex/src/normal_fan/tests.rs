use xcollide_scenes::Random;

use super::*;
use crate::point_set::PointSet;
use crate::tests::hulls::{arcs, on_sphere};

type Vector = [f64; 3];

fn height(p: Vector, d: Vector) -> f64 {
    (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2]
}

/// Directions in general, along axes and across them, between them, and at right angles to faces, where
/// three points are equally far.
fn directions(random: &mut Random, normals: &[Vector]) -> Vec<Vector> {
    let mut directions: Vec<Vector> = (0..400).map(|_| random.direction()).collect();
    for case in 0..27 {
        let d = [case % 3, case / 3 % 3, case / 9].map(|x| f64::from(x) - 1.0);
        if d != [0.0; 3] {
            directions.push(d);
            directions.push(d.map(|x| 1e-200 * x));
            directions.push([d[0], 1e-9 * d[1], -1e9 * d[2]]);
        }
    }
    directions.extend(normals);
    directions.extend(normals.iter().map(|n| n.map(|x| -x)));
    directions
}

#[test]
fn the_farthest_point_is_found_along_any_direction() {
    let mut random = Random::new(4);
    let (mut different, mut total) = (0, 0);
    for case in 0..30 {
        let mut points = on_sphere(&mut random, 4 + case);
        if case % 3 == 0 {
            // A plate, so that many points share a few cells.
            points.iter_mut().for_each(|p| p[2] *= 0.03);
        } else if case % 3 == 1 {
            points.iter_mut().for_each(|p| *p = [p[0] + 0.2, 5.0 * p[1] - 1.0, p[2]]);
        }
        let arcs = arcs(&points);
        let fan = NormalFan::new(&points, &arcs);
        let set = PointSet::new(&points);
        let normals: Vec<Vector> = arcs.iter().flat_map(|arc| arc.normals).collect();
        for d in directions(&mut random, &normals) {
            let (found, best) = (fan.farthest(d), set.farthest(d));
            let least = height(points[best], d) - 1e-14 * d.map(f64::abs).iter().sum::<f64>() * 8.0;
            assert!(height(points[found], d) >= least, "{points:?} {d:?}");
            different += usize::from(found != best);
            total += 1;
        }
        let longest = points.iter().map(|&p| height(p, p).sqrt()).fold(0.0, f64::max);
        assert!(fan.radius() > 0.3 && fan.radius() <= 2.0 * longest);
        assert!(fan.bytes() > 32 * points.len());
    }
    // Equally far ones, but for rounding.
    assert!(different * 10 < total, "{different} of {total}");
}

/// The promise is for normals that are known to 1e-8, also where arcs run along the planes between octants:
/// there what is on one side in truth may be drawn on the other.
#[test]
fn arcs_along_the_planes_between_octants_count_on_both_sides() {
    let mut random = Random::new(6);
    let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let mut arcs = Vec::new();
    for i in 0..8 {
        for along in (0..3).filter(|axis| i >> axis & 1 == 0) {
            let normals = [1, 2].map(|k| {
                let axis = (along + k) % 3;
                let mut normal = [0.0; 3];
                normal[axis] = corner(i)[axis];
                normal
            });
            arcs.push(FanArc { normals, ends: [i as u32, (i | 1 << along) as u32] });
        }
    }
    let mut beyond = 0;
    for _ in 0..60 {
        // The cube is not quite as its normals say: turned by less than 1e-8.
        let turn = [(); 3].map(|()| random.between(-4e-9, 4e-9));
        let points: Vec<Vector> = (0..8)
            .map(|i| {
                let [x, y, z] = corner(i);
                let [a, b, c] = turn;
                [x + b * z - c * y, y + c * x - a * z, z + a * y - b * x]
            })
            .collect();
        let (fan, set) = (NormalFan::new(&points, &arcs), PointSet::new(&points));
        for case in 0..600 {
            let mut d = random.direction();
            for axis in (0..3).filter(|axis| case >> axis & 1 == 1) {
                d[axis] *= 1e-8;
            }
            let [found, best] = [fan.farthest(d), set.farthest(d)].map(|i| height(points[i], d));
            assert!(found >= best - 1e-15, "{turn:?} {d:?}: {found} below {best}");
            let guess = (0..3).map(|axis| usize::from(d[axis] > 0.0) << axis).sum::<usize>();
            beyond += usize::from(height(points[guess], d) < best - 1e-12);
        }
    }
    assert!(beyond > 1000, "{beyond}");
}

/// More than four points to a cell: all of them around one direction.
#[test]
fn crowded_cells_know_all_their_points() {
    let mut random = Random::new(9);
    let mut points = on_sphere(&mut random, 6);
    for _ in 0..24 {
        let [x, y] = [(); 2].map(|()| random.between(-0.02, 0.02));
        let z = 1.0 - 0.5 * (x * x + y * y);
        points.push([x, y, z]);
    }
    points.retain(|p| p[2] < 0.5 || p[0].abs() < 0.1);
    let arcs = arcs(&points);
    let (fan, set) = (NormalFan::new(&points, &arcs), PointSet::new(&points));
    let mut found = std::collections::BTreeSet::new();
    for _ in 0..2000 {
        let [x, y] = [(); 2].map(|()| random.between(-0.03, 0.03));
        let d = [x, y, 1.0];
        assert_eq!(fan.farthest(d), set.farthest(d), "{d:?}");
        found.insert(fan.farthest(d));
    }
    assert!(found.len() > 8, "{found:?}");
}

#[test]
fn no_direction_is_no_trouble() {
    let mut random = Random::new(2);
    let points = on_sphere(&mut random, 20);
    let fan = NormalFan::new(&points, &arcs(&points));
    let odd = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE];
    for x in odd {
        for y in odd {
            for z in odd {
                assert!(fan.farthest([x, y, z]) < points.len());
            }
        }
    }
}
