//! Volumes of bodies that are nearly the same: all of their surfaces nearly coincide.

use xcollide_brep::PolygonMesh;

use super::*;

const SIZES: [f64; 3] = [0.5, 0.75, 1.0];

/// A body of each kind that is curved, by its sizes.
fn bodies([a, b, c]: [f64; 3]) -> Made<Vec<Model>> {
    let end = |size: f64, is_high: bool| if is_high { size } else { -size };
    let cube: Vec<[f64; 3]> = (0..8)
        .map(|i| [end(a, i & 1 == 1), end(b, i >> 1 & 1 == 1), end(c, i >> 2 == 1)])
        .collect();
    let sides: [&[u32]; 6] =
        [&[0, 2, 3, 1], &[4, 5, 7, 6], &[0, 1, 5, 4], &[2, 6, 7, 3], &[0, 4, 6, 2], &[1, 3, 7, 5]];
    let corner = [[0.0; 3], [a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]];
    let of_corner: [&[u32]; 4] = [&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]];
    Ok(vec![
        capsule(c, a)?,
        cylinder(c, b)?,
        cone(c, b)?,
        ellipsoid([a, b, c])?,
        rounded(&cube, &sides, 0.25)?,
        rounded(&corner, &of_corner, 0.25)?,
    ])
}

/// Turned about its own axis x or z.
fn about(pose: &Pose, axis: usize, angle: f64) -> Made<Pose> {
    let (sine, cosine) = angle.sin_cos();
    let turned = |row: [f64; 3]| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut turned = row;
        turned[i] = row[i] * cosine + row[j] * sine;
        turned[j] = row[j] * cosine - row[i] * sine;
        turned
    };
    Ok(Pose::from_matrix(pose.rotation().map(turned), pose.translation())?)
}

/// Moved, turned and of other sizes by some 1e-4 and some 1e-7: all at once, and each alone.
#[test]
fn bodies_that_nearly_coincide_have_known_volumes_soak() -> Outcome {
    let place = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    let run = long_run(1, 3);
    for off in [1e-4, 1e-7] {
        let shift = [0.48, -0.64, 0.6].map(|x| off * x);
        let turned = Pose::from_axis_angle([1.0, 2.0 + off, 3.0], 0.7 + off, place.translation())?;
        let moved = place.with_translation(place.apply(shift));
        let [x, y, z] = SIZES;
        let sizes = [x * (1.0 + off), y * (1.0 - 0.5 * off), z * (1.0 + 0.25 * off)];
        let all = turned.with_translation(turned.apply(shift));
        for (number, body) in bodies(SIZES)?.iter().enumerate() {
            if !run.picks(number, 3) {
                continue;
            }
            let other = &bodies(sizes)?[number];
            for (other, pose) in [(body, moved), (body, turned), (other, place), (other, all)] {
                let found = overlap_volume((body, &place), (other, &pose))?;
                let width = found.at_most - found.at_least;
                assert!(width <= 1e-9 * found.at_least, "{body:?} {off} {pose:?} {found:?}");
            }
        }
    }
    Ok(())
}

/// After a small motion a body still fills most of where it was. What it has left is half of the integral, over its surface, of how
/// far this moves along its normals, up to the square of the motion.
#[test]
fn bodies_that_are_moved_a_little_lose_what_their_surfaces_pass_soak() -> Outcome {
    let place = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    let root = 2.0 * (2.0_f64.sqrt() - 1.0);
    let (h, r) = (0.5, 0.25);
    // Of a capsule about x, and of an ellipsoid and a cube with a radius about z.
    let of_capsule = 4.0 * r + 2.0 * PI * r * r;
    let of_ellipsoid = 8.0 / 3.0 * (0.5625 - 0.25);
    let of_cube = 8.0 * h * h * h + 8.0 * h * h * r * (1.0 + root) + 2.0 * PI * r * r * h * root;
    let turned = [
        (capsule(1.0, r)?, PI * r * r * (2.0 + 4.0 / 3.0 * r), 0, of_capsule),
        (ellipsoid(SIZES)?, 0.5 * PI, 2, of_ellipsoid),
        (soft(r)?, 1.0 + 6.0 * r + PI * r * r * (3.0 + 4.0 / 3.0 * r), 2, of_cube),
    ];
    let run = long_run(1, 3);
    let angles = [1e-4, 1e-5, 1e-6].into_iter().enumerate();
    for (_, angle) in angles.filter(|&(number, _)| run.picks(number, 3)) {
        for (body, volume_of, axis, lost) in &turned {
            let other = about(&place, *axis, angle)?;
            let exact = volume_of - 0.5 * angle * lost;
            let found = volume((body, &place), (body, &other), 1e-9)?;
            let slack = 4.0 * angle * angle + 1e-14;
            assert!(
                found.at_least <= exact + slack && exact - slack <= found.at_most,
                "{body:?} {angle} {found:?} {exact}"
            );
        }
        // Longer along one axis and shorter along another one.
        let [x, y, z] = SIZES;
        let other = ellipsoid([x * (1.0 + angle), y * (1.0 - angle), z])?;
        let exact = 0.5 * PI - angle * 0.375 * 8.0 / 3.0;
        let found = volume((&ellipsoid(SIZES)?, &place), (&other, &place), 1e-9)?;
        let slack = 4.0 * angle * angle + 1e-14;
        assert!(
            found.at_least <= exact + slack && exact - slack <= found.at_most,
            "{angle} {found:?} {exact}"
        );
    }
    Ok(())
}

/// A cylinder and a prism with many sides, whose edges are beyond its side and whose sides are not: at its pose, moved along the axis.
#[test]
fn meshes_that_follow_a_surface_have_known_volumes() -> Outcome {
    const SIDES: u32 = 256;
    let (radius, half) = (0.5, 1.0);
    let can = cylinder(half, radius)?;
    for place in [Pose::IDENTITY, Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?]
    {
        for out in [1.0 + 2e-5, 1.0 + 5e-5] {
            let angle = 2.0 * PI / f64::from(SIDES);
            let far = radius * out;
            let ring = |z: f64| {
                (0..SIDES).map(move |k| {
                    let (sine, cosine) = (angle * f64::from(k)).sin_cos();
                    [far * cosine, far * sine, z]
                })
            };
            let mut faces: Vec<Vec<u32>> =
                vec![(0..SIDES).rev().collect(), (SIDES..2 * SIDES).collect()];
            faces.extend((0..SIDES).map(|k| {
                let next = (k + 1) % SIDES;
                vec![k, next, next + SIDES, k + SIDES]
            }));
            let corners = ring(-half).chain(ring(half)).collect();
            let prism = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
            // The circle cuts each side where it is this far from the middle.
            let middle = far * (0.5 * angle).cos();
            let cut = (middle / radius).acos();
            let sector = 0.5 * radius * radius * (angle - 2.0 * cut);
            let area = f64::from(SIDES) * (middle * middle * cut.tan() + sector);
            let moved = place.with_translation(place.apply([0.0, 0.0, 0.5]));
            let found = volume((&can, &place), (&prism, &moved), 1e-9)?;
            let exact = 1.5 * area;
            let slack = 1e-12 * exact;
            assert!(
                found.at_least <= exact + slack && exact - slack <= found.at_most,
                "{out} {found:?} {exact}"
            );
        }
    }
    Ok(())
}

/// The convex body of a profile of radii and heights that begins and ends on the axis, with some sides, stretched along x; and its volume.
fn revolved(profile: &[[f64; 2]], sides: u32, stretch: f64) -> Made<(Model, f64)> {
    let angle = 2.0 * PI / f64::from(sides);
    let inner = &profile[1..profile.len() - 1];
    let place = |radius: f64, height: f64, k: u32| {
        let (sine, cosine) = (angle * f64::from(k)).sin_cos();
        [stretch * radius * cosine, radius * sine, height]
    };
    let ends = [profile[0], profile[profile.len() - 1]].map(|[_, height]| [0.0, 0.0, height]);
    let ring = |&[radius, height]: &[f64; 2]| (0..sides).map(move |k| place(radius, height, k));
    let corners = inner.iter().flat_map(ring).chain(ends).collect::<Vec<_>>();
    let rings = inner.len() as u32;
    let at = |ring: u32, k: u32| ring * sides + k % sides;
    let faces = (0..sides).flat_map(|k| {
        let between = (1..rings).map(move |ring| {
            vec![at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k)]
        });
        let bottom = vec![rings * sides, at(0, k + 1), at(0, k)];
        let top = vec![rings * sides + 1, at(rings - 1, k), at(rings - 1, k + 1)];
        between.chain([bottom, top])
    });
    let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces.collect::<Vec<_>>())?)?;
    let base = 0.5 * f64::from(sides) * angle.sin() * stretch;
    let frustum = |pair: &[[f64; 2]]| {
        let ([r, from], [s, to]) = (pair[0], pair[1]);
        (to - from) / 3.0 * (r * r + r * s + s * s)
    };
    Ok((model, base * profile.windows(2).map(frustum).sum::<f64>()))
}

/// Bodies and meshes whose corners are on their surfaces: at the same pose these are in them, and a small move takes away no more than what
/// the mesh's outline passes.
#[test]
fn tessellations_have_their_own_volume_in_their_formulas_soak() -> Outcome {
    const SIDES: u32 = 48;
    let arc = |radius: f64, from: f64| {
        (0..=SIDES / 4).map(move |k| {
            let (sine, cosine) = (2.0 * PI / f64::from(SIDES) * f64::from(k)).sin_cos();
            [radius * cosine, from + radius * sine]
        })
    };
    // From the equator up, and the same mirrored.
    let symmetric = |upper: Vec<[f64; 2]>, has_equator: bool| {
        let lower = upper.iter().skip(usize::from(has_equator)).map(|&[r, z]| [r, -z]);
        let lower: Vec<_> = lower.rev().collect();
        let mut all = [lower, upper].concat();
        let last = all.len() - 1;
        (all[0][0], all[last][0]) = (0.0, 0.0);
        all
    };
    let round = symmetric(arc(0.75, 0.0).collect(), true);
    let shapes = [
        (ball(0.75)?, revolved(&round, SIDES, 1.0)?),
        (ellipsoid([0.375, 0.75, 0.75])?, revolved(&round, SIDES, 0.5)?),
        (capsule(0.25, 0.5)?, revolved(&symmetric(arc(0.5, 0.25).collect(), false), SIDES, 1.0)?),
        (cone(0.75, 0.5)?, revolved(&[[0.0, -0.75], [0.5, -0.75], [0.0, 0.75]], SIDES, 1.0)?),
    ];
    let place = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    let run = long_run(1, 3);
    for (formula, (mesh, own)) in &shapes {
        for (number, off) in [0.0, 1e-9, 1e-5].into_iter().enumerate() {
            if !run.picks(number, 3) {
                continue;
            }
            let moved = place.with_translation(place.apply([0.36 * off, 0.48 * off, 0.8 * off]));
            let found = volume((formula, &place), (mesh, &moved), 1e-9)?;
            let slack = 1e-12 * own;
            let outline = PI;
            assert!(
                found.at_least <= own + slack && own - off * outline - slack <= found.at_most,
                "{formula:?} {off} {found:?} {own}"
            );
        }
    }
    Ok(())
}
