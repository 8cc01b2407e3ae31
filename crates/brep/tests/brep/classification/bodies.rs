//! Convex bodies, and those that look like them.

use super::shapes::*;
use xcollide_brep::{Brep, Topology};
use xcollide_fixtures::Random;

const LOCALLY_FINE: Topology = Topology::all().difference(Topology::CONVEX);

#[test]
fn convex_bodies_are_convex_in_either_orientation() -> Outcome {
    let triangles = CUBE.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let bodies = [
        cube()?,
        Brep::from_polygons(cube_corners([0.0; 3]), triangles)?,
        Brep::from_polygons(tetrahedron_corners(), TETRAHEDRON)?,
    ];
    for body in bodies {
        assert_eq!(body.topology(), Topology::all());
        assert!(body.classification().reflex_edges.is_empty());
        let inwards = body.mesh().faces().map(|face| {
            let mut corners: Vec<u32> = face.outer().iter().map(|corner| corner.0).collect();
            corners.reverse();
            corners
        });
        let inwards = Brep::from_polygons(body.mesh().positions().to_vec(), inwards)?;
        assert_eq!(inwards.topology(), Topology::all());
    }
    Ok(())
}

/// Two tetrahedra so thin, or so far out, that the mean of the corners is not inside: the exact
/// test of all vertices must decide.
#[test]
fn bodies_thinner_than_rounding_are_judged_exactly() -> Outcome {
    let far = 1e16;
    let thin = |top: f64| {
        let corners = vec![
            [far, far, far],
            [far + 4.0, far, far],
            [far, far + 4.0, far],
            [far + 2.0, far + 2.0, top],
        ];
        Brep::from_polygons(corners, TETRAHEDRON)
    };
    assert!(thin(far + 2.0)?.topology().contains(Topology::CONVEX));
    assert!(!thin(far)?.topology().contains(Topology::CONVEX), "flat");
    Ok(())
}

#[test]
fn a_dent_is_reported_by_its_edges() -> Outcome {
    // A cube whose top is a pyramid that points inwards, then flat, then outwards.
    let with_tip = |height: f64| {
        let mut corners = cube_corners([0.0; 3]);
        corners.push([0.5, 0.5, height]);
        let top = [[4, 5, 8], [5, 6, 8], [6, 7, 8], [7, 4, 8]].map(|face| face.to_vec());
        let rest = CUBE.iter().enumerate().filter(|&(face, _)| face != 1);
        Brep::from_polygons(corners, rest.map(|(_, face)| face.to_vec()).chain(top))
    };
    let dented = with_tip(1.0 - f64::EPSILON)?;
    assert_eq!(dented.topology(), LOCALLY_FINE);
    assert_eq!(dented.classification().reflex_edges.len(), 4);
    assert!(with_tip(1.0)?.topology().contains(Topology::CONVEX), "coplanar neighbours");
    assert!(with_tip(1.0 + f64::EPSILON)?.topology().contains(Topology::CONVEX));
    Ok(())
}

/// Thesis figure 4.9. Every dihedral angle of the twisted prism with three skew quadrilaterals is
/// below 180°, and yet triangulating them along one of their diagonals makes three notches.
#[test]
fn schonhardts_prism_is_not_convex() -> Outcome {
    let corners = || {
        let at = |x: i32, y: i32, z: i32| [f64::from(x), f64::from(y), f64::from(z)];
        let bottom = [at(12, 0, 0), at(-6, 10, 0), at(-6, -10, 0)];
        let top = [at(10, 6, 10), at(-10, 6, 10), at(0, -12, 10)];
        [bottom, top].concat()
    };
    let ends = [vec![2, 1, 0], vec![3, 4, 5]];
    let sides = [[0, 1, 4, 3], [1, 2, 5, 4], [2, 0, 3, 5]];

    let prism = Brep::from_polygons(
        corners(),
        ends.clone().into_iter().chain(sides.iter().map(|side| side.to_vec())),
    )?;
    assert!(prism.topology().contains(Topology::CLOSED | Topology::MANIFOLD | Topology::ORIENTED));
    assert!(!prism.topology().intersects(Topology::PLANAR_FACES | Topology::CONVEX));
    assert_eq!(prism.classification().nonplanar_faces.len(), 3);

    let split = |along_first: bool| {
        let triangles = sides.iter().flat_map(|&[a, b, c, d]| {
            if along_first {
                [vec![a, b, c], vec![a, c, d]]
            } else {
                [vec![a, b, d], vec![b, c, d]]
            }
        });
        Brep::from_polygons(corners(), ends.clone().into_iter().chain(triangles))
    };
    let (one, other) = (split(true)?, split(false)?);
    let (notched, hull) =
        if one.topology().contains(Topology::CONVEX) { (other, one) } else { (one, other) };
    assert_eq!(notched.topology(), LOCALLY_FINE);
    assert_eq!(notched.classification().reflex_edges.len(), 3);
    assert_eq!(hull.topology(), Topology::all(), "along the other diagonals it is its own hull");
    Ok(())
}

/// A bipyramid over a pentagram: no edge is reflex, the Euler characteristic is 2, every vertex
/// is manifold. But the surface winds twice round its axis.
#[test]
fn a_surface_that_winds_twice_is_not_convex() -> Outcome {
    let pentagon = [[0.0, 10.0], [10.0, 3.0], [6.0, -8.0], [-6.0, -8.0], [-10.0, 3.0]];
    let over = |step: usize| {
        let mut corners = vec![[0.0, 0.0, 5.0], [0.0, 0.0, -5.0]];
        corners.extend((0..5).map(|i| {
            let [x, y] = pentagon[i * step % 5];
            [x, y, 0.0]
        }));
        let ring = |i: u32| 2 + i % 5;
        let faces = (0..5).flat_map(|i| [[0, ring(i + 1), ring(i)], [1, ring(i), ring(i + 1)]]);
        Brep::from_polygons(corners, faces.collect::<Vec<_>>())
    };
    assert_eq!(over(1)?.topology(), Topology::all());
    let star = over(2)?;
    assert_eq!(star.topology(), LOCALLY_FINE);
    assert!(star.classification().reflex_edges.is_empty());
    assert_eq!(star.classification().euler_characteristic, 2);
    Ok(())
}

/// Kepler and Poinsot's great dodecahedron: twelve pentagons, locally convex at every edge, and
/// planar within the tolerance only, as the golden ratio is rounded.
#[test]
fn the_great_dodecahedron_is_not_convex_and_the_dodecahedron_is() -> Outcome {
    let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let mut icosahedron = Vec::new();
    for axis in 0..3 {
        for (one, ratio) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
            let mut corner = [0.0; 3];
            (corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (one, ratio);
            icosahedron.push(corner);
        }
    }
    let near = |a: [f64; 3], b: [f64; 3]| {
        (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>() < 4.1 && a != b
    };
    let (mut triangles, mut pentagons, mut centers) = (Vec::new(), Vec::new(), Vec::new());
    for (apex, &tip) in icosahedron.iter().enumerate() {
        let ring: Vec<usize> = (0..12).filter(|&i| near(tip, icosahedron[i])).collect();
        let mut ordered = vec![ring[0]];
        while ordered.len() < 5 {
            let last = icosahedron[ordered[ordered.len() - 1]];
            let next = ring.iter().find(|&&i| {
                near(last, icosahedron[i])
                    && !ordered.contains(&i)
                    && (ordered.len() > 1 || turns_left(tip, last, icosahedron[i]))
            });
            ordered.extend(next);
        }
        for i in 0..5 {
            let (b, c) = (ordered[i], ordered[(i + 1) % 5]);
            if apex < b && apex < c {
                triangles.push([apex as u32, b as u32, c as u32]);
                let sum = |k: usize| tip[k] + icosahedron[b][k] + icosahedron[c][k];
                centers.push([0, 1, 2].map(sum));
            }
        }
        pentagons.push(ordered.iter().map(|&i| i as u32).collect::<Vec<_>>());
    }
    let solid = Brep::from_polygons(icosahedron.clone(), &triangles)?;
    assert_eq!(solid.topology(), Topology::all());

    let great = Brep::from_polygons(icosahedron.clone(), &pentagons)?;
    assert_eq!(great.classification().euler_characteristic, -6);
    assert!(!great.classification().nearly_planar_faces.is_empty());
    assert_eq!(great.topology(), LOCALLY_FINE);

    // Its dual: a pentagon of triangle centers round each corner of the icosahedron.
    let faces = pentagons.iter().enumerate().map(|(apex, ring)| {
        (0..5).map(move |i| (apex as u32, ring[i], ring[(i + 1) % 5])).map(|(a, b, c)| {
            let mut wanted = [a, b, c];
            wanted.sort_unstable();
            let found = triangles.iter().position(|triangle| {
                let mut sorted = *triangle;
                sorted.sort_unstable();
                sorted == wanted
            });
            found.unwrap_or(usize::MAX) as u32
        })
    });
    let faces: Vec<Vec<u32>> = faces.map(Iterator::collect).collect();
    let dodecahedron = Brep::from_polygons(centers, &faces)?;
    assert!(!dodecahedron.classification().is_exactly_planar());
    assert_eq!(dodecahedron.topology(), Topology::all());
    Ok(())
}

/// Whether a, b, c turn counter-clockwise as seen from outside a ball round the origin.
fn turns_left(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> bool {
    let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    (0..3).map(|k| normal[k] * a[k]).sum::<f64>() > 0.0
}

/// The slow twin: all corners on the inner side of all faces, not all in one plane, no two at one
/// place. On bipyramids, whose surface is a sphere, that is convexity.
#[test]
fn convexity_of_shaken_bipyramids_agrees_with_all_faces_against_all_corners() -> Outcome {
    const RINGS: [&[[i64; 2]]; 4] = [
        &[[4, 0], [-2, 3], [-2, -3]],
        &[[3, 3], [-3, 3], [-3, -3], [3, -3]],
        &[[4, 0], [2, 4], [-2, 4], [-4, 0], [0, -3]],
        &[[4, 0], [2, 3], [-2, 3], [-4, 0], [-2, -3], [2, -3]],
    ];
    let mut random = Random::new(1);
    let (mut convex_ones, mut others) = (0, 0);
    for _ in 0..20_000 {
        let ring = RINGS[random.below(4)];
        let n = ring.len() as u32;
        let mut corners = vec![[0, 0, 3], [0, 0, -3]];
        corners.extend(ring.iter().map(|&[x, y]| [x, y, 0]));
        for corner in &mut corners {
            if random.below(3) == 0 {
                *corner = corner.map(|x| x + random.below(3) as i64 - 1);
            }
        }
        let around = |i: u32| 2 + i % n;
        let faces: Vec<[u32; 3]> = (0..n)
            .flat_map(|i| [[0, around(i), around(i + 1)], [1, around(i + 1), around(i)]])
            .collect();
        let brep =
            Brep::from_polygons(corners.iter().map(|c| c.map(|x| x as f64)).collect(), &faces)?;
        let expected = slowly_convex(&corners, &faces);
        assert_eq!(brep.topology().contains(Topology::CONVEX), expected, "{corners:?}");
        *if expected { &mut convex_ones } else { &mut others } += 1;
    }
    assert!(convex_ones > 1000 && others > 1000, "{convex_ones} convex, {others} not");
    Ok(())
}

fn slowly_convex(corners: &[[i64; 3]], faces: &[[u32; 3]]) -> bool {
    let minus = |a: [i64; 3], b: [i64; 3]| [0, 1, 2].map(|k| a[k] - b[k]);
    let mut sides = Vec::new();
    for face in faces {
        let [a, b, c] = face.map(|corner| corners[corner as usize]);
        let (u, v) = (minus(b, a), minus(c, a));
        let normal =
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        if normal == [0; 3] {
            return false;
        }
        sides.extend(corners.iter().map(|&p| {
            let w = minus(p, a);
            (0..3).map(|k| normal[k] * w[k]).sum::<i64>().signum()
        }));
    }
    let distinct = (0..corners.len()).all(|i| !corners[..i].contains(&corners[i]));
    let (inside, outside) = (sides.contains(&-1), sides.contains(&1));
    distinct && inside != outside
}
