use super::*;

const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// By the angle of 3, 4, 5 about z, then times 5 it would be of integers; so it is off by rounding.
const TURNED: [[f64; 3]; 3] = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];

/// The defining inequalities with integers, where floating-point numbers are exact.
fn plain(solid: &Solid, [x, y, z]: [f64; 3]) -> Sign {
    let slab = |value: f64, half: f64| Sign::of(value.abs() - half);
    match *solid {
        Solid::Capsule { half, radius } => {
            let over = (z.abs() - half).max(0.0);
            Sign::of(x * x + y * y + over * over - radius * radius)
        }
        Solid::Cuboid { half: [a, b, c] } => slab(x, a).max(slab(y, b)).max(slab(z, c)),
        Solid::Cylinder { half, radius } => {
            Sign::of(x * x + y * y - radius * radius).max(slab(z, half))
        }
        Solid::Cone { half, radius } => {
            let side =
                (x * x + y * y) * 4.0 * half * half - radius * radius * (half - z) * (half - z);
            Sign::of(side).max(slab(z, half))
        }
        Solid::Ellipsoid { half: [a, b, c] } => {
            let (p, q, r) = (x * b * c, y * a * c, z * a * b);
            Sign::of(p * p + q * q + r * r - (a * b * c) * (a * b * c))
        }
        Solid::HalfSpace => Sign::of(z),
    }
}

#[test]
fn sides_are_those_of_the_inequalities_on_integers() {
    let solids = [
        Solid::Capsule { half: 2.0, radius: 3.0 },
        Solid::Capsule { half: 0.0, radius: 3.0 },
        Solid::Cuboid { half: [3.0, 2.0, 1.0] },
        Solid::Cylinder { half: 2.0, radius: 3.0 },
        Solid::Cone { half: 2.0, radius: 4.0 },
        Solid::Ellipsoid { half: [3.0, 2.0, 4.0] },
        Solid::HalfSpace,
    ];
    let mut seen = [0; 3];
    for solid in solids {
        for x in -4..=4 {
            for y in -4..=4 {
                for z in -5..=5 {
                    let local = [x, y, z].map(f64::from);
                    let point = [0, 1, 2].map(|k| local[k] + [100.0, -7.0, 3.0][k]);
                    let found = solid_side(&solid, &IDENTITY, [100.0, -7.0, 3.0], point);
                    assert_eq!(found, plain(&solid, local), "{solid:?} {local:?}");
                    seen[(found as i8 + 1) as usize] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// The inverse of the matrix is taken, not its transpose: rounded entries make a difference.
#[test]
fn matrices_are_inverted_exactly() {
    let cuboid = Solid::Cuboid { half: [5.0, 1.0, 1.0] };
    // The matrix times a point of the surface is rounded to either side.
    let corner = [0.6 * 5.0, 0.8 * 5.0, 0.0];
    let further = corner.map(|x| x * (1.0 + 1e-14));
    let nearer = corner.map(|x| x * (1.0 - 1e-14));
    assert_eq!(solid_side(&cuboid, &TURNED, [0.0; 3], further), Sign::Positive);
    assert_eq!(solid_side(&cuboid, &TURNED, [0.0; 3], nearer), Sign::Negative);
    // Twice as large a matrix makes the solid twice as large.
    let twice = TURNED.map(|row| row.map(|x| 2.0 * x));
    let side = |point| solid_side(&cuboid, &twice, [0.0; 3], point);
    assert_eq!(side(nearer.map(|x| 2.0 * x)), Sign::Negative);
    assert_eq!(side(further.map(|x| 2.0 * x)), Sign::Positive);
}

/// The solid times a number.
fn times(solid: &Solid, by: f64) -> Solid {
    match *solid {
        Solid::Capsule { half, radius } => Solid::Capsule { half: half * by, radius: radius * by },
        Solid::Cuboid { half } => Solid::Cuboid { half: half.map(|x| x * by) },
        Solid::Cylinder { half, radius } => {
            Solid::Cylinder { half: half * by, radius: radius * by }
        }
        Solid::Cone { half, radius } => Solid::Cone { half: half * by, radius: radius * by },
        Solid::Ellipsoid { half } => Solid::Ellipsoid { half: half.map(|x| x * by) },
        Solid::HalfSpace => Solid::HalfSpace,
    }
}

/// Quotients among which, where a part of the line is in a solid, one is in it: where it crosses planes, and the lowest points of
/// quadratic functions. With integers, times the divisor, all is exact.
fn candidates(solid: &Solid, o: [f64; 3], d: [f64; 3]) -> Vec<[f64; 2]> {
    let mut all = Vec::new();
    let mut planes = |at: f64, slope: f64, half: f64| {
        for side in [-half, half] {
            if slope != 0.0 {
                all.push(if slope > 0.0 { [side - at, slope] } else { [at - side, -slope] });
            }
        }
    };
    // The quadratic form of weights, about a center on the z-axis.
    let lowest = |w: [f64; 3], center: f64| {
        let p = [o[0], o[1], o[2] - center];
        let over = -(0..3).map(|k| w[k] * p[k] * d[k]).sum::<f64>();
        let under = (0..3).map(|k| w[k] * d[k] * d[k]).sum::<f64>();
        if under > 0.0 { [over, under] } else { [0.0, 1.0] }
    };
    match *solid {
        Solid::Capsule { half, .. } => {
            planes(o[2], d[2], half);
            all.extend([lowest([1.0, 1.0, 0.0], 0.0)]);
            all.extend([-half, half].map(|center| lowest([1.0; 3], center)));
        }
        Solid::Cuboid { half } => (0..3).for_each(|k| planes(o[k], d[k], half[k])),
        Solid::Cylinder { half, .. } => {
            planes(o[2], d[2], half);
            all.push(lowest([1.0, 1.0, 0.0], 0.0));
        }
        Solid::Cone { half, radius } => {
            planes(o[2], d[2], half);
            let slope = 4.0 * half * half;
            all.push(lowest([slope, slope, -radius * radius], half));
        }
        Solid::Ellipsoid { half: [a, b, c] } => {
            all.push(lowest([b * c * b * c, a * c * a * c, a * b * a * b], 0.0));
        }
        Solid::HalfSpace => planes(o[2], d[2], 0.0),
    }
    all
}

/// On integers, where many parts of rays touch: as one of the points that decide is in the solid.
#[test]
fn parts_of_rays_meet_as_their_deciding_points_do() {
    let solids = [
        Solid::Capsule { half: 2.0, radius: 3.0 },
        Solid::Capsule { half: 0.0, radius: 3.0 },
        Solid::Cuboid { half: [3.0, 2.0, 1.0] },
        Solid::Cylinder { half: 2.0, radius: 3.0 },
        Solid::Cone { half: 2.0, radius: 4.0 },
        Solid::Ellipsoid { half: [3.0, 2.0, 4.0] },
        Solid::HalfSpace,
    ];
    let mut state = 3_u64;
    let mut small = |most: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (2 * most + 1)) as f64 - most as f64
    };
    for solid in solids {
        let (mut counts, mut touching) = ([0; 2], 0);
        for _ in 0..3000 {
            let (o, d) = ([small(5), small(5), small(5)], [small(2), small(2), small(2)]);
            let part = match small(2) {
                2.0 => [0.0, f64::INFINITY],
                from => [from.abs(), from.abs() + 1.0],
            };
            let place = [100.0, -7.0, 3.0];
            let ray = Ray::new([0, 1, 2].map(|k| o[k] + place[k]), d);
            let found = ray_meets_solid(&ray, part, &solid, &IDENTITY, place);
            let mut signs = Vec::new();
            let ends = part.map(|end| if end.is_finite() { [end, 1.0] } else { [1e4, 1.0] });
            for [over, under] in candidates(&solid, o, d).into_iter().chain(ends) {
                let s = over / under;
                if part[0] <= s && s <= part[1] {
                    let point = [0, 1, 2].map(|k| o[k] * under + d[k] * over);
                    signs.push(plain(&times(&solid, under), point));
                }
            }
            let least = signs.into_iter().min();
            let expected = least.is_some_and(|least| least != Sign::Positive);
            assert_eq!(found, expected, "{solid:?} {o:?} {d:?} {part:?}");
            counts[usize::from(found)] += 1;
            touching += usize::from(least == Some(Sign::Zero));
        }
        assert!(
            counts[0] > 100 && counts[1] > 100 && touching > 10,
            "{solid:?} {counts:?} {touching}"
        );
    }
}

/// Turned and far away: a part that meets has a point in the solid, whichever direction it is walked in, and a longer part
/// meets too.
#[test]
fn longer_parts_meet_more() {
    let solids = [
        Solid::Capsule { half: 0.7, radius: 0.3 },
        Solid::Cuboid { half: [0.3, 0.2, 0.9] },
        Solid::Cylinder { half: 0.7, radius: 0.3 },
        Solid::Cone { half: 0.7, radius: 0.4 },
        Solid::Ellipsoid { half: [0.3, 0.2, 0.7] },
    ];
    let mut state = 5_u64;
    let mut next = |size: f64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0) * size
    };
    for solid in solids {
        let mut hits = 0;
        for _ in 0..400 {
            let place = [1e3, 1e3, -1e3];
            let [from, to] = [(); 2].map(|()| [0, 1, 2].map(|k: usize| place[k] + next(1.0)));
            let meets = |a: [f64; 3], b: [f64; 3], part: [f64; 2]| {
                ray_meets_solid(&Ray::through(a, b), part, &solid, &TURNED, place)
            };
            let found = meets(from, to, [0.0, 1.0]);
            assert_eq!(found, meets(to, from, [0.0, 1.0]));
            assert!(!found || meets(from, to, [0.0, 2.0]));
            let halves = [meets(from, to, [0.0, 0.5]), meets(from, to, [0.5, 1.0])];
            assert_eq!(found, halves[0] || halves[1]);
            let in_it = |s: f64| {
                let point = Ray::through(from, to).at(s);
                solid_side(&solid, &TURNED, place, point) == Sign::Negative
            };
            let inside = (0..=256).any(|i| in_it(f64::from(i) / 256.0));
            assert!(found || !inside);
            hits += usize::from(found);
        }
        assert!((50..380).contains(&hits), "{solid:?} {hits}");
    }
}
