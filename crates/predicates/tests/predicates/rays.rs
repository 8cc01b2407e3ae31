//! Crossings of rays add up to winding numbers.

use crate::referee;

use std::ops::ControlFlow;

use referee::{Grid, Random, RandomGrid as _, to_f64};
use xcollide_predicates::{
    Ray, Shifted, distance_bounds, ray_crossing, ray_order, ray_passage, ray_reaches, ray_triangle,
    segment_cells, shifted_crossing, shifted_ray_crossing, triangle_cells, triangles_meet_outside,
};

type Surface = Vec<[Grid; 3]>;

/// Winding number, parity and whether the point is on the surface.
fn ask(surface: &Surface, p: Grid, map: impl Fn(f64) -> f64) -> (i32, bool, bool) {
    let [p] = to_f64(&[p]).map(|p| p.map(&map));
    let mut sum = (0, 0, false);
    for triangle in surface {
        let crossing = ray_crossing(p, &to_f64(triangle).map(|q| q.map(&map)));
        assert!((-1..=1).contains(&crossing.winding));
        assert!(!(crossing.on_surface && crossing.winding != 0));
        sum.0 += crossing.winding;
        sum.1 += crossing.winding.abs();
        sum.2 |= crossing.on_surface;
    }
    (sum.0, sum.1 % 2 == 1, sum.2)
}

fn reversed(surface: &Surface) -> Surface {
    surface.iter().map(|&[a, b, c]| [a, c, b]).collect()
}

/// The cube from (low, low, low) to (high, high, high), faces cut along alternating diagonals.
fn cube(low: i64, high: i64) -> Surface {
    let mut surface = Surface::new();
    for axis in 0..3 {
        for (level, outward) in [(low, false), (high, true)] {
            let at = |u: i64, v: i64| {
                let mut p = [level; 3];
                (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (u, v);
                p
            };
            let [a, b, c, d] = [at(low, low), at(high, low), at(high, high), at(low, high)];
            let faces = if axis == 1 { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] };
            surface.extend(if outward { faces } else { faces.map(|[a, b, c]| [a, c, b]) });
        }
    }
    surface
}

fn volume(a: Grid, b: Grid, c: Grid, d: Grid) -> i64 {
    let v = |p: Grid| [0, 1, 2].map(|k| p[k] - a[k]);
    let (b, c, d) = (v(b), v(c), v(d));
    (b[1] * c[2] - b[2] * c[1]) * d[0]
        + (b[2] * c[0] - b[0] * c[2]) * d[1]
        + (b[0] * c[1] - b[1] * c[0]) * d[2]
}

fn tetrahedron([a, b, c, d]: [Grid; 4]) -> Surface {
    vec![[a, c, b], [a, b, d], [b, c, d], [c, a, d]]
}

fn grid(limit: i64) -> impl Iterator<Item = Grid> {
    let range = move || -limit..=limit;
    range().flat_map(move |x| range().flat_map(move |y| range().map(move |z| [x, y, z])))
}

fn location_in_cube(p: Grid, low: i64, high: i64) -> (bool, bool) {
    let closed = p.iter().all(|&x| low <= x && x <= high);
    let open = p.iter().all(|&x| low < x && x < high);
    (open, closed && !open)
}

#[test]
fn a_cube_winds_once_about_its_inside() {
    let surface = cube(-2, 2);
    for p in grid(4) {
        let (inside, on_surface) = location_in_cube(p, -2, 2);
        let (winding, odd, touched) = ask(&surface, p, |x| x);
        assert_eq!(touched, on_surface, "{p:?}");
        if !on_surface {
            assert_eq!((winding, odd), (i32::from(inside), inside), "{p:?}");
        }
    }
}

/// All tetrahedra, flat and inverted ones too, about all points of the grid: most rays go through
/// corners, edges or faces.
#[test]
fn tetrahedra_wind_about_the_points_on_the_inner_side_of_all_faces() {
    let mut random = Random::new(11);
    let (mut inside, mut on_surface, mut flat) = (0, 0, 0);
    for _ in 0..400 {
        let corners = [[0; 3]; 4].map(|_| random.grid_point(2));
        let [a, b, c, d] = corners;
        let orientation = volume(a, b, c, d).signum();
        flat += usize::from(orientation == 0);
        let surface = tetrahedron(corners);
        for p in grid(3) {
            let touched = surface.iter().any(|face| referee::triangles_meet(&[p; 3], face));
            let sides = surface.iter().map(|&[a, b, c]| volume(a, b, c, p).signum());
            let within = orientation != 0 && sides.clone().all(|side| side == -orientation);
            let (winding, odd, on) = ask(&surface, p, |x| x);
            assert_eq!(on, touched, "{corners:?} {p:?}");
            if !touched {
                let expected = if within { orientation as i32 } else { 0 };
                assert_eq!((winding, odd), (expected, within), "{corners:?} {p:?}");
                inside += usize::from(within);
            } else {
                on_surface += 1;
            }
        }
    }
    assert!(inside > 200 && on_surface > 2000 && flat > 5, "{inside} {on_surface} {flat}");
}

#[test]
fn shells_in_shells_add_up() {
    let nested: Surface = [cube(-6, 6), cube(-4, 4), cube(-2, 2)].concat();
    let hollow: Surface = [cube(-6, 6), reversed(&cube(-4, 4)), cube(-2, 2)].concat();
    for p in grid(7) {
        let depth = [6, 4, 2].map(|r| location_in_cube(p, -r, r));
        if depth.iter().any(|(_, on)| *on) {
            assert!(ask(&nested, p, |x| x).2 && ask(&hollow, p, |x| x).2);
            continue;
        }
        let [a, b, c] = depth.map(|(inside, _)| i32::from(inside));
        assert_eq!(ask(&nested, p, |x| x), (a + b + c, (a + b + c) % 2 == 1, false), "{p:?}");
        assert_eq!(ask(&hollow, p, |x| x), (a - b + c, (a + b + c) % 2 == 1, false), "{p:?}");
    }
}

/// Splitting edges with triangles of no area, whole triangles that are points, and faces that
/// are there twice in opposite directions leave the sum as it is, as they leave the cycle.
#[test]
fn degenerate_triangles_do_not_count() {
    let plain = cube(-2, 2);
    let mut surface = Surface::new();
    for &[a, b, c] in &plain {
        let middle = [0, 1, 2].map(|k| (a[k] + b[k]) / 2);
        // a–b is replaced by a–middle–b on this side only, and the sliver closes the gap.
        surface.extend([[a, middle, c], [middle, b, c], [a, b, middle]]);
        surface.extend([[a, a, a], [a, b, b]]);
    }
    // [a, b, b] runs a → b → b → a: a cycle by itself.
    let fin = [[-9, 0, 0], [9, 1, 1], [9, 3, -1]];
    surface.extend([fin, [fin[0], fin[2], fin[1]]]);
    for p in grid(4) {
        let fin_touched = referee::triangles_meet(&[p; 3], &fin);
        let (inside, on_cube) = location_in_cube(p, -2, 2);
        let (winding, odd, touched) = ask(&surface, p, |x| x);
        assert_eq!(touched, on_cube || fin_touched, "{p:?}");
        if !touched {
            assert_eq!((winding, odd), (i32::from(inside), inside), "{p:?}");
        }
    }
}

#[test]
fn winding_is_free_of_scale() {
    let mut random = Random::new(12);
    for scale in [1e-300, 1e150, 1e300, 5e-324] {
        for _ in 0..20 {
            let surface = tetrahedron([[0; 3]; 4].map(|_| random.grid_point(2)));
            for p in grid(2) {
                assert_eq!(ask(&surface, p, |x| x * scale), ask(&surface, p, |x| x), "{scale}");
            }
        }
    }
}

/// With numbers that are not finite nothing panics and everything ends, whatever the answer.
#[test]
fn rays_and_parts_take_any_numbers() {
    let mut random = Random::new(6);
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let (mut met, mut parts) = (0, 0);
    for _ in 0..2000 {
        let mut number = || match random.below(12) {
            0 => bad[random.below(3)],
            _ => random.integer(-2, 2) as f64,
        };
        let mut point = || [number(), number(), number()];
        let (s, t) = ([point(), point(), point()], [point(), point(), point()]);
        let (segment, p) = ([point(), point()], point());
        let ray = Ray::through(p, segment[0]);
        if let (Some(first), Some(second)) = (ray_triangle(&ray, &s), ray_triangle(&ray, &t)) {
            let _ = ray_order(&ray, (&s, &first), (&t, &second));
            let _ = ray_reaches(&ray, &s, &first, segment[1][0]);
            met += 1;
        }
        let _ = triangle_cells(&s, &[t], &mut |inner| {
            let _ = (inner.is_on_triangle(&s), ray_passage(inner, 0, &t));
            parts += 1;
            ControlFlow::Continue(())
        });
        parts += segment_cells(&segment, &[s, t]).len();
        for shifted in [Shifted::First, Shifted::Second] {
            let _ = shifted_crossing(segment, &t, shifted);
            let _ = shifted_ray_crossing(&t, p, shifted);
        }
        let _ = (ray_crossing(p, &t), distance_bounds(p, &t));
        let _ = triangles_meet_outside(&s, &t, &[segment]);
    }
    assert!(met > 5 && parts > 2000, "{met} {parts}");
}
