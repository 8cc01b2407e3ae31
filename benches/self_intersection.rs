//! A mesh against itself: `xcollide_narrow::self_intersection`, beside FCL's hierarchy in
//! `benches/peers/fcl_self.cpp`, compiled as its first lines say; `XCOLLIDE_FCL_SELF` names the program, without it FCL is
//! left out.
//!
//! ```text
//! XCOLLIDE_FCL_SELF=… cargo bench -p xcollide-benches --bench self_intersection [-- --quick]
//! ```
//!
//! The hierarchies are there before; the least time of some passes counts, ours and FCL's in turns. FCL is measured without
//! tests of neighbours, which ours decides, and with them, as its `selfCollide` does.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use xcollide_brep::PolygonMesh;
use xcollide_narrow::self_intersection::SelfSearch;
use xcollide_narrow::{Model, PairCache, Query};

const PASSES: usize = 3;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let fcl = std::env::var_os("XCOLLIDE_FCL_SELF");
    println!(
        "| mesh | triangles | pairs | box tests | triangle tests | µs | ns a triangle | FCL µs | ratio | FCL with neighbours, µs | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for faces in if quick { &[20_000][..] } else { &[20_000, 100_000] } {
        for name in ["sphere", "torus", "knot"] {
            let mesh = xcollide_scenes::shape(&format!("shape:{name}?faces={faces}")).unwrap();
            // Triangles, for FCL too.
            let triangles = mesh.triangulate();
            let corners = triangles.triangles().iter().map(|t| t.map(|v| v.0));
            let mesh = PolygonMesh::from_polygons(mesh.positions().to_vec(), corners).unwrap();
            let path = std::env::temp_dir().join(format!("xcollide-self-{name}-{faces}.off"));
            std::fs::write(&path, off(&mesh)).unwrap();
            let model = Model::from_mesh(mesh).unwrap();
            SelfSearch::new().prepare(&model);
            let mut cache = PairCache::new();
            let query = Query::new().stats(true);
            let found = SelfSearch::new().pairs(&model, 0, &query, &mut cache);
            let stats = cache.stats();
            let mut ours = f64::INFINITY;
            let mut theirs = [f64::INFINITY; 2];
            for _ in 0..if quick { 1 } else { PASSES } {
                for _ in 0..3 {
                    let began = Instant::now();
                    let again = SelfSearch::new().pairs(&model, 0, &Query::new(), &mut cache);
                    ours = ours.min(began.elapsed().as_nanos() as f64);
                    assert_eq!(again.count, found.count);
                }
                if let Some(program) = &fcl {
                    let ran = Command::new(program).arg(&path).arg("1").output().unwrap();
                    let text = String::from_utf8(ran.stdout).unwrap();
                    let line = text.lines().next().unwrap();
                    for (least, text) in theirs.iter_mut().zip(line.split(' ').skip(1)) {
                        *least = least.min(text.parse().unwrap());
                    }
                }
            }
            std::fs::remove_file(&path).unwrap();
            let count = model.triangulation().len();
            let [plain, with_neighbours] = theirs.map(|theirs| match theirs.is_finite() {
                true => format!("{:.0} | {:.1}", theirs / 1e3, theirs / ours),
                false => "– | –".to_owned(),
            });
            println!(
                "| {name} | {count} | {} | {} | {} | {:.0} | {:.0} | {plain} | {with_neighbours} |",
                found.count,
                stats.volume_tests,
                stats.primitive_tests,
                ours / 1e3,
                ours / count as f64,
            );
        }
    }
}

/// A mesh of triangles in the format OFF.
fn off(mesh: &PolygonMesh) -> String {
    let mut text = format!("OFF\n{} {} 0\n", mesh.vertex_count(), mesh.face_count());
    for [x, y, z] in mesh.positions() {
        writeln!(text, "{x:?} {y:?} {z:?}").unwrap();
    }
    for face in mesh.faces() {
        let [a, b, c] = [0, 1, 2].map(|i| face.outer()[i]);
        writeln!(text, "3 {a} {b} {c}").unwrap();
    }
    text
}
