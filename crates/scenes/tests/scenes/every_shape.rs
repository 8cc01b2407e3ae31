//! Guarantees of every generated shape: number of faces, closed, manifold, oriented outward. Checked by
//! counting sides and summing volumes here, independently of `xcollide-brep`.

use std::collections::BTreeMap;

use xcollide_brep::{Brep, FaceId, PolygonMesh, Topology};
use xcollide_scenes::{Kind, MAX_FACES, Shape, ShapeError, list, shape};

/// Counts of a mesh.
struct Census {
    vertices: usize,
    edges: usize,
    faces: usize,
    /// Edges of one face.
    rims: usize,
    /// Edges of more than two faces.
    crowded: usize,
    /// Edges that two faces run in the same direction.
    opposed: usize,
    /// Six times the signed volume.
    volume: f64,
}

impl Census {
    fn of(mesh: &PolygonMesh) -> Self {
        let mut sides = Vec::with_capacity(mesh.corner_count());
        let mut volume = 0.0;
        for face in mesh.faces() {
            for contour in face.contours() {
                assert!(contour.len() >= 3, "a contour of {} corners", contour.len());
                for (i, &from) in contour.iter().enumerate() {
                    let to = contour[(i + 1) % contour.len()];
                    assert_ne!(from, to, "a side from a vertex to itself");
                    sides.push((from.min(to).0, from.max(to).0, from < to));
                    let [o, p, q] = [contour[0], from, to].map(|v| mesh.position(v));
                    volume += o[0] * (p[1] * q[2] - p[2] * q[1])
                        + o[1] * (p[2] * q[0] - p[0] * q[2])
                        + o[2] * (p[0] * q[1] - p[1] * q[0]);
                }
            }
        }
        sides.sort_unstable();
        let mut census = Self {
            vertices: mesh.vertex_count(),
            edges: 0,
            faces: mesh.face_count(),
            rims: 0,
            crowded: 0,
            opposed: 0,
            volume,
        };
        for edge in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            census.edges += 1;
            match edge {
                [_] => census.rims += 1,
                [a, b] => census.opposed += usize::from(a.2 == b.2),
                _ => census.crowded += 1,
            }
        }
        census
    }

    fn assert_closed_and_outward(&self, what: &str) {
        assert_eq!((self.rims, self.crowded, self.opposed), (0, 0, 0), "{what}");
        assert!(self.volume > 0.0, "{what}: volume {}", self.volume / 6.0);
    }

    fn euler_characteristic(&self) -> i64 {
        self.vertices as i64 - self.edges as i64 + self.faces as i64
    }
}

fn make(spec: &str) -> PolygonMesh {
    shape(spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

fn check(spec: &str) {
    let mesh = make(spec);
    let census = Census::of(&mesh);
    match spec.split('?').next().unwrap_or_default() {
        "plane" | "sheet" => {
            assert!(census.rims > 0 && census.crowded + census.opposed == 0, "{spec}");
            assert_eq!(census.euler_characteristic(), 1, "{spec}");
        }
        "mobius" => {
            assert!(census.rims > 0 && census.crowded == 0 && census.opposed > 0, "{spec}");
            assert_eq!(census.euler_characteristic(), 0, "{spec}");
        }
        "klein" => {
            assert_eq!((census.rims, census.crowded), (0, 0), "{spec}");
            assert!(census.opposed > 0, "{spec}");
            assert_eq!(census.euler_characteristic(), 0, "{spec}");
        }
        "soup" => assert_eq!(census.rims, 3 * census.faces, "{spec}"),
        _ => census.assert_closed_and_outward(spec),
    }
    let mut used = vec![false; mesh.vertex_count()];
    for corner in mesh.faces().flat_map(|face| face.corners()) {
        used[corner.index()] = true;
    }
    assert!(used.iter().all(|&used| used), "{spec}: a vertex of no face");
}

/// The least number of faces of a shape that takes one.
fn least_faces(shape: &Shape) -> Option<usize> {
    shape.parameters.iter().find_map(|parameter| match parameter.kind {
        Kind::Count { min, .. } if parameter.name == "faces" => Some(min),
        _ => None,
    })
}

#[test]
fn shapes_are_listed_once_by_name() {
    let names: Vec<&str> = list().iter().map(|shape| shape.name).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    let contract =
        ["sphere", "torus", "cone", "cylinder", "hyperboloid", "tetraflake", "cubes", "polytope"];
    for name in contract {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn defaults_are_closed_manifold_and_outward_where_the_real_shape_is() {
    for shape in list() {
        check(shape.name);
    }
}

/// The origin is in the box of every shape, whose longest side is 1 to 4.
#[test]
fn defaults_lie_about_the_origin_and_are_of_similar_sizes() {
    for shape in list() {
        let mesh = make(shape.name);
        let ends = |k: usize| {
            let values = || mesh.positions().iter().map(|position| position[k]);
            [values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max)]
        };
        let sides = [0, 1, 2].map(ends);
        assert!(sides.iter().all(|[low, high]| *low <= 0.0 && *high >= 0.0), "{shape}: {sides:?}");
        let longest = sides.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
        assert!((1.0..=4.0).contains(&longest), "{shape}: {longest}");
    }
}

#[test]
fn shapes_have_exactly_the_faces_asked_for() {
    for shape in list() {
        let Some(least) = least_faces(shape) else { continue };
        for faces in least..=2000 {
            let spec = format!("{}?faces={faces}", shape.name);
            // All of the first few hundred are looked at closely, then every seventeenth.
            if faces < least + 200 || faces % 17 == 0 {
                check(&spec);
            }
            assert_eq!(make(&spec).face_count(), faces, "{spec}");
        }
        for faces in [5000, 7919, 100_000, 99_991] {
            let spec = format!("{}?faces={faces}", shape.name);
            assert_eq!(make(&spec).face_count(), faces, "{spec}");
            check(&spec);
        }
        let too_few = format!("{}?faces={}", shape.name, least - 1);
        assert!(matches!(xcollide_scenes::shape(&too_few), Err(ShapeError::BadValue { .. })));
        let too_many = format!("{}?faces={}", shape.name, MAX_FACES + 1);
        assert!(matches!(xcollide_scenes::shape(&too_many), Err(ShapeError::BadValue { .. })));
    }
}

#[test]
fn round_numbers_of_faces_give_quadrilaterals_only() {
    for spec in ["sphere?faces=5000", "torus?faces=1000", "torus?faces=100000", "knot?faces=2000"] {
        let mesh = make(spec);
        let triangles = mesh.faces().filter(|face| face.outer().len() == 3).count();
        // The sphere has triangles at its poles.
        let poles = if spec.starts_with("sphere") { 200 } else { 0 };
        assert_eq!(triangles, poles, "{spec}");
    }
}

#[test]
fn shapes_have_the_genus_of_their_kind() {
    let cases = [
        ("sphere", 2),
        ("cone", 2),
        ("capsule", 2),
        ("cylinder", 2),
        ("hyperboloid", 2),
        ("icosphere", 2),
        ("tetraflake", 2),
        ("schoenhardt", 2),
        ("gear", 2),
        ("height-field", 2),
        ("torus", 0),
        ("knot", 0),
        ("cubes?n=3", 2 * 27),
        // Two faces with a hole each are rings, which count 0, not 1.
        ("frame", 2),
        // A body and four wheels.
        ("car", 5 * 2),
    ];
    for (spec, characteristic) in cases {
        assert_eq!(Census::of(&make(spec)).euler_characteristic(), characteristic, "{spec}");
    }
}

#[test]
fn volumes_are_those_of_the_real_shapes() {
    use std::f64::consts::PI;
    let root5 = 5f64.sqrt();
    let cases = [
        ("sphere?faces=100000&radius=2", 32.0 / 3.0 * PI, 1e-3),
        ("icosphere?frequency=70", 4.0 / 3.0 * PI, 1e-3),
        ("torus?faces=100000&tube=0.25", 2.0 * PI * PI / 16.0, 1e-3),
        ("cone?faces=3001&height=3", PI, 1e-3),
        ("cylinder?faces=10000&height=3", 3.0 * PI, 1e-3),
        ("capsule?sides=400&radius=1&length=3", (3.0 + 4.0 / 3.0) * PI, 1e-3),
        // Waist a, radius b, height h: π h (2 a² + b²) / 3.
        ("hyperboloid?faces=100000", PI * 2.0 * (2.0 * 0.16 + 1.0) / 3.0, 1e-3),
        ("box?x=1&y=2&z=3", 6.0, 1e-15),
        ("cubes?n=2&gap=1", 8.0 * 8.0 / 27.0, 1e-14),
        ("frame", 8.0 - 2.0, 1e-15),
        // An eighth of the cube is cut off at each of four corners thrice: 8 / 3; then each
        // depth adds tetrahedra of an eighth of the volume, thrice as many on each.
        ("tetraflake?depth=0", 8.0 / 3.0, 1e-15),
        ("tetraflake?depth=1", 8.0 / 3.0 * 1.5, 1e-15),
        ("tetraflake?depth=2", 8.0 / 3.0 * (1.5 + 12.0 / 64.0), 1e-15),
        ("tetrahedron", 8.0 / (9.0 * 3f64.sqrt()), 1e-14),
        ("octahedron", 4.0 / 3.0, 1e-15),
        (
            "icosahedron",
            5.0 / 12.0 * (3.0 + root5) * (4.0 / (10.0 + 2.0 * root5).sqrt()).powi(3),
            1e-14,
        ),
        (
            "dodecahedron",
            0.25 * (15.0 + 7.0 * root5) * (4.0 / (3f64.sqrt() * (1.0 + root5))).powi(3),
            1e-14,
        ),
        ("prism?sides=4", 4.0, 1e-14),
        ("gear?teeth=1000", 0.4 * PI, 5e-3),
    ];
    for (spec, volume, tolerance) in cases {
        let found = Census::of(&make(spec)).volume / 6.0;
        assert!((found / volume - 1.0).abs() < tolerance, "{spec}: {found}, expected {volume}");
    }
}

/// The README's tables have a row for each shape and each embedded scene, and no other names.
#[test]
fn the_readme_names_every_shape_and_scene() {
    let rows = include_str!("../../README.md").lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.trim_start_matches("| ").split(" | ").next());
    let mut told: Vec<&str> =
        cells.flat_map(|cell| cell.split(' ')).map(|name| name.trim_matches('`')).collect();
    told.sort_unstable();
    let scenes = xcollide_scenes::scenes().iter().map(|scene| scene.name);
    let mut all: Vec<&str> = list().iter().map(|shape| shape.name).chain(scenes).collect();
    all.sort_unstable();
    assert_eq!(told, all);
}

/// The library's own classification, of what the README's table says.
#[test]
fn shapes_are_convex_and_planar_where_they_should_be() {
    let convex = [
        "antiprism",
        "box",
        "capsule",
        "cone",
        "cylinder",
        "dodecahedron",
        "icosahedron",
        "icosphere",
        "octahedron",
        "polytope",
        "prism",
        "sphere",
        "tetrahedron",
    ];
    let bent = ["klein", "knot", "mobius"];
    for shape in list() {
        let brep = Brep::new(make(shape.name)).unwrap_or_else(|error| panic!("{shape}: {error}"));
        let has = |flag| brep.topology().contains(flag);
        assert_eq!(has(Topology::CONVEX), convex.contains(&shape.name), "{shape}");
        assert_eq!(has(Topology::PLANAR_FACES), !bent.contains(&shape.name), "{shape}");
        assert!(has(Topology::MANIFOLD), "{shape}");
        assert!(brep.classification().degenerate_faces.is_empty(), "{shape}");
    }
}

#[test]
fn polytopes_have_exactly_the_vertices_asked_for_and_are_convex() {
    for kind in ["ellipsoid", "rod", "plate"] {
        for vertices in [4, 5, 6, 7, 8, 10, 20, 36, 100, 500, 1000] {
            for seed in [0, 1, 2, u64::MAX] {
                let spec = format!("polytope?vertices={vertices}&kind={kind}&seed={seed}");
                let mesh = make(&spec);
                assert_eq!(mesh.vertex_count(), vertices, "{spec}");
                let census = Census::of(&mesh);
                census.assert_closed_and_outward(&spec);
                assert_eq!(census.euler_characteristic(), 2, "{spec}");
                // No vertex above any face; the largest are left to the hull's own tests.
                for face in mesh.faces().filter(|_| vertices <= 100) {
                    let [a, b, c] = [0, 1, 2].map(|i| mesh.position(face.outer()[i]));
                    let above = mesh.positions().iter().any(|&d| height(a, b, c, d) > 1e-15);
                    assert!(!above, "{spec}, face {}", face.id());
                }
            }
        }
    }
    // The source's polytopes of 36 faces have 20 vertices.
    assert_eq!(make("polytope?vertices=20").face_count(), 36);
    assert_ne!(make("polytope?seed=1"), make("polytope?seed=2"));
}

#[test]
fn sizes_scale_from_tiny_to_huge() {
    for radius in ["1e-100", "1e-20", "1", "3e30", "1e100"] {
        check(&format!("sphere?faces=50&radius={radius}"));
        check(&format!("octahedron?radius={radius}"));
        check(&format!("box?x={radius}&y={radius}&z={radius}"));
    }
}

#[test]
fn flat_and_convex_faces_are_exactly_so_where_promised() {
    // In the plane z = const or a vertical plane, that is with pairwise equal coordinates.
    for spec in ["cylinder?faces=1000", "prism?sides=7", "gear", "cone?faces=50", "cubes"] {
        let mesh = make(spec);
        for face in mesh.faces() {
            let corners: Vec<[f64; 3]> = face.outer().iter().map(|&v| mesh.position(v)).collect();
            let level = corners.iter().all(|p| p[2] == corners[0][2]);
            let upright = corners.len() == 4
                && corners[0][..2] == corners[3][..2]
                && corners[1][..2] == corners[2][..2];
            let aligned = (0..3).any(|k| corners.iter().all(|p| p[k] == corners[0][k]));
            assert!(
                corners.len() == 3 || level || upright || aligned,
                "{spec}, face {}: {corners:?}",
                face.id()
            );
        }
    }
}

#[test]
fn schoenhardts_prism_is_not_convex_and_its_short_diagonals_are_outside() {
    for (spec, faces) in [("schoenhardt", 8), ("schoenhardt?sides=quadrilaterals", 5)] {
        let mesh = make(spec);
        assert_eq!((mesh.vertex_count(), mesh.face_count()), (6, faces));
    }
    let mesh = make("schoenhardt");
    let mut reflex = 0;
    for face in mesh.faces() {
        let [a, b, c] = [0, 1, 2].map(|i| mesh.position(face.outer()[i]));
        reflex += usize::from(mesh.positions().iter().any(|&d| height(a, b, c, d) > 1e-3));
    }
    assert_eq!(reflex, 6, "every side has a vertex in front of it");
    // The hull is the antiprism-like body with the other diagonals.
    let hull_sides = [[0, 1, 3], [1, 4, 3], [1, 2, 4], [2, 5, 4], [2, 0, 5], [0, 3, 5]];
    for side in hull_sides {
        let [a, b, c] = side.map(|v: u32| mesh.position(v.into()));
        assert!(mesh.positions().iter().all(|&d| height(a, b, c, d) < 1e-12));
    }
}

/// Twice the volume over the triangle's area would be the height of d above abc; this is six
/// times the volume, which has the same sign.
fn height(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> f64 {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
    w[0] * (u[1] * v[2] - u[2] * v[1])
        + w[1] * (u[2] * v[0] - u[0] * v[2])
        + w[2] * (u[0] * v[1] - u[1] * v[0])
}

#[test]
fn icospheres_and_cones_are_convex() {
    for spec in ["icosphere?frequency=1", "icosphere?frequency=9", "cone?faces=60", "dodecahedron"]
    {
        let mesh = make(spec);
        for face in mesh.faces() {
            let [a, b, c] = [0, 1, 2].map(|i| mesh.position(face.outer()[i]));
            let highest =
                mesh.positions().iter().map(|&d| height(a, b, c, d)).fold(f64::MIN, f64::max);
            assert!(highest < 1e-15, "{spec}, face {}: {highest}", face.id());
        }
    }
}

#[test]
fn the_default_knot_keeps_clear_of_itself() {
    // Rows of the tube are centered on the knot; centers far apart along it are far in space.
    let mesh = make("knot?faces=9600");
    let along = mesh.face(FaceId(0)).outer()[2].index() - 1;
    let centers: Vec<[f64; 3]> = mesh
        .positions()
        .chunks(along)
        .map(|row| [0, 1, 2].map(|k| row.iter().map(|p| p[k]).sum::<f64>() / along as f64))
        .collect();
    let mut least = f64::MAX;
    for i in 0..centers.len() {
        for j in 0..i {
            let steps = (i - j).min(centers.len() + j - i);
            if steps * 8 > centers.len() {
                let [x, y, z] = [0, 1, 2].map(|k| centers[i][k] - centers[j][k]);
                least = least.min((x * x + y * y + z * z).sqrt());
            }
        }
    }
    assert!(least > 2.0 * 0.12 * 1.2, "strands come within {least}");
}

#[test]
fn tetraflakes_do_not_touch_themselves() {
    // Exact in integers: with size 2^k all coordinates are whole. No vertex lies inside another
    // tetrahedron is too weak; so every edge is compared with every face it shares no vertex
    // with, by the volumes of tetrahedra, which are whole numbers too.
    let mesh = make("tetraflake?depth=3&size=32");
    let points: Vec<[i64; 3]> = mesh.positions().iter().map(|p| p.map(|x| x as i64)).collect();
    assert!(mesh.positions().iter().flatten().all(|x| x.fract() == 0.0));
    let volume = |[a, b, c, d]: [u32; 4]| -> i64 {
        let [a, b, c, d] = [a, b, c, d].map(|v| points[v as usize]);
        let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
        w[0] * (u[1] * v[2] - u[2] * v[1])
            + w[1] * (u[2] * v[0] - u[0] * v[2])
            + w[2] * (u[0] * v[1] - u[1] * v[0])
    };
    let faces: Vec<[u32; 3]> = mesh.faces().map(|f| [0, 1, 2].map(|i| f.outer()[i].0)).collect();
    let mut edges = BTreeMap::new();
    for &[a, b, c] in &faces {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            edges.insert((p.min(q), p.max(q)), ());
        }
    }
    let mut compared = 0;
    for &(p, q) in edges.keys() {
        for &[a, b, c] in &faces {
            if [a, b, c].contains(&p) || [a, b, c].contains(&q) {
                continue;
            }
            compared += 1;
            let [over, under] = [volume([a, b, c, p]), volume([a, b, c, q])].map(i64::signum);
            if over * under > 0 {
                continue;
            }
            if over == 0 && under == 0 {
                assert!(!share_a_plane_and_meet(&points, [p, q], [a, b, c]), "{p}-{q} {a} {b} {c}");
                continue;
            }
            let sides = [[p, q, a, b], [p, q, b, c], [p, q, c, a]].map(|t| volume(t).signum());
            let crosses = sides.iter().all(|&s| s >= 0) || sides.iter().all(|&s| s <= 0);
            assert!(!crosses, "edge {p}-{q} meets face {a} {b} {c}");
        }
    }
    assert!(compared > 100_000);
}

/// Whether a segment and a triangle of one plane meet, seen along an axis in which the triangle
/// does not vanish.
fn share_a_plane_and_meet(points: &[[i64; 3]], segment: [u32; 2], triangle: [u32; 3]) -> bool {
    let corners = triangle.map(|v| points[v as usize]);
    let seen = |p: [i64; 3], drop: usize| [p[(drop + 1) % 3], p[(drop + 2) % 3]];
    let area =
        |[a, b, c]: [[i64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let Some(drop) = (0..3).find(|&k| area(corners.map(|p| seen(p, k))) != 0) else { return true };
    let t = corners.map(|p| seen(p, drop));
    let [p, q] = segment.map(|v| seen(points[v as usize], drop));
    // Apart if a line through the segment or a side of the triangle separates them.
    let turn = area(t).signum();
    let outside = |i: usize| {
        let (a, b) = (t[i], t[(i + 1) % 3]);
        area([a, b, p]).signum() * turn < 0 && area([a, b, q]).signum() * turn < 0
    };
    let line = t.map(|corner| area([p, q, corner]).signum());
    let one_side = line.iter().all(|&s| s > 0) || line.iter().all(|&s| s < 0);
    let beyond = |axis: usize| {
        let (low, high) = (p[axis].min(q[axis]), p[axis].max(q[axis]));
        t.iter().all(|c| c[axis] > high) || t.iter().all(|c| c[axis] < low)
    };
    !((0..3).any(outside) || one_side || beyond(0) || beyond(1))
}

#[test]
fn unusual_parameters_are_refused_when_they_contradict_each_other() {
    for (spec, expected) in [
        ("torus?tube=1", "parameter `tube`: found 1, expected less than the radius, 1"),
        ("hyperboloid?waist=2", "parameter `waist`: found 2, expected less than the radius, 1"),
        ("frame?hole=2", "parameter `hole`: found 2, expected less than the size, 2"),
        ("knot?p=4&q=6", "parameter `q`: found 6, expected no common divisor with p, 4"),
        ("knot?p=3&q=8&faces=200", "found 200, expected at least 288 faces for these turns"),
        ("mobius?width=1.5", "found 1.5, expected at most the radius, 1"),
        ("klein?tube=1", "found 1, expected less than the radius, 1"),
    ] {
        let message = shape(spec).map_err(|error| error.to_string());
        assert!(message.as_ref().is_err_and(|text| text.contains(expected)), "{spec}: {message:?}");
    }
}

#[test]
#[ignore = "meshes of up to ten million faces, a minute and 1.3 GB in release; `cargo xtask soak` runs it"]
fn the_largest_of_each_shape_is_made_and_well_formed_soak() {
    for shape in list() {
        let greatest = shape.parameters.iter().find_map(|parameter| match parameter.kind {
            Kind::Count { max, .. } => Some((parameter.name, max)),
            _ => None,
        });
        if let Some((name, max)) = greatest {
            check(&format!("{}?{name}={max}", shape.name));
        }
    }
}

#[test]
fn the_wheels_of_a_car_touch_neither_its_body_nor_each_other() {
    for faces in [200, 878, 905, 20_000] {
        let mesh = make(&format!("car?faces={faces}"));
        // The wheels come last, 28 vertices each.
        let positions = mesh.positions();
        let (body, wheels) = positions.split_at(positions.len() - 4 * 28);
        let floor = body.iter().fold(f64::INFINITY, |least, position| least.min(position[2]));
        let top = wheels.iter().fold(f64::NEG_INFINITY, |most, position| most.max(position[2]));
        assert!(top < floor, "{top} {floor}");
        let middles: Vec<[f64; 2]> = wheels
            .chunks(28)
            .map(|wheel| [0, 1].map(|k| wheel.iter().map(|at| at[k]).sum::<f64>() / 28.0))
            .collect();
        for (i, a) in middles.iter().enumerate() {
            for b in &middles[..i] {
                let gap = (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
                assert!(gap > 0.7, "{a:?} {b:?}");
            }
        }
        let width = |k: usize| positions.iter().map(|at| at[k].abs()).fold(0.0, f64::max);
        assert!((width(0) - 2.0).abs() < 1e-2 && width(1) < 0.9, "{} {}", width(0), width(1));
    }
}
