//! Our side of the contest with programs of other libraries (`cargo xtask peers`): the same cases,
//! timed in the same way.
//!
//! `cargo bench -p xcollide-benches --bench cases -- DATA convex|coherent`, where DATA/KIND/NAME
//! holds `a.mesh`, `b.mesh` and `poses.pose`; variables `CASE` and `CATEGORY` (select one) and
//! `BUDGET` (seconds a figure, 0.3) as for the peers. Prints
//! `peer,kind,case,variant,category,median ns,smallest ns,hits,queries`.
//!
//! All poses of a category are repeated; a figure is the median over the passes of the mean over
//! the queries. Unrelated poses have a second variant in batches of 256 pairs. Poses become
//! transforms before the timing, as the peers' do; placing the models is timed.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion};
use xcollide_brep::PolygonMesh;
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::{Model, NarrowPhase, PairCache, PairQuery, Placed, Pose, Query, Verdict};

/// The numbers of a file, one after the other.
struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn open(path: &Path, magic: &[u8; 8]) -> Self {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(bytes.starts_with(magic), "{}: no {magic:?} to begin with", path.display());
        Self { bytes, at: magic.len() }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        self.at += N;
        self.bytes[self.at - N..self.at].try_into().unwrap()
    }

    fn count(&mut self) -> usize {
        usize::try_from(u64::from_le_bytes(self.take())).unwrap()
    }

    fn float(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    fn index(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
}

fn model(path: &Path) -> Model {
    let mut reader = Reader::open(path, b"PMSH0001");
    let [vertices, triangles] = [reader.count(), reader.count()];
    let vertices = (0..vertices).map(|_| [(); 3].map(|()| reader.float())).collect();
    let triangles: Vec<[u32; 3]> =
        (0..triangles).map(|_| [(); 3].map(|()| reader.index())).collect();
    Model::from_mesh(PolygonMesh::from_polygons(vertices, triangles).unwrap()).unwrap()
}

/// The poses of a case and in how many categories they are, by turns.
fn poses(path: &Path) -> (Vec<[Pose; 2]>, usize) {
    let mut reader = Reader::open(path, b"PPOS0001");
    let [count, categories] = [reader.count(), reader.count()];
    let mut transform = || {
        let rows = [(); 9].map(|()| reader.float());
        let turn = Rotation3::from_matrix(&Matrix3::from_row_slice(&rows));
        let shift = Translation3::from([(); 3].map(|()| reader.float()));
        Pose::try_from(Isometry3::from_parts(shift, UnitQuaternion::from_rotation_matrix(&turn)))
            .unwrap()
    };
    ((0..count).map(|_| [transform(), transform()]).collect(), categories)
}

fn folders(kind: &Path) -> Vec<PathBuf> {
    let only = std::env::var("CASE").unwrap_or_default();
    let mut found: Vec<PathBuf> = fs::read_dir(kind)
        .unwrap_or_else(|error| panic!("{}: {error}", kind.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir() && (only.is_empty() || path.ends_with(&only)))
        .collect();
    found.sort();
    found
}

/// How ours is asked.
#[derive(Clone, Copy)]
enum Way {
    /// One by one, with one memory.
    Single,
    /// So many pairs at once, each with a memory of its own.
    AtOnce(usize),
}

/// The models of a case, and how they are asked about.
struct Contest<'a> {
    models: [&'a Model; 2],
    algorithm: Hybrid,
    query: Query,
    caches: Vec<PairCache>,
    verdicts: Vec<Verdict>,
}

impl Contest<'_> {
    fn new<'a>(models: [&'a Model; 2], way: Way) -> Contest<'a> {
        let caches = match way {
            Way::Single => 1,
            Way::AtOnce(count) => count,
        };
        Contest {
            models,
            algorithm: Hybrid::default(),
            query: Query::new(),
            caches: (0..caches).map(|_| PairCache::new()).collect(),
            verdicts: Vec::new(),
        }
    }

    /// Asks about all poses; returns how often the models touch.
    fn pass(&mut self, poses: &[[Pose; 2]], way: Way) -> usize {
        match way {
            Way::Single => poses.iter().filter(|poses| self.touch(poses)).count(),
            Way::AtOnce(count) => poses.chunks(count).map(|poses| self.touch_at_once(poses)).sum(),
        }
    }

    #[inline]
    fn touch(&mut self, poses: &[Pose; 2]) -> bool {
        let [model_a, model_b] = self.models;
        let a = Placed::new(model_a, &poses[0]).unwrap();
        let b = Placed::new(model_b, &poses[1]).unwrap();
        black_box(self.algorithm.test(a, b, &self.query, &mut self.caches[0])).is_collision()
    }

    fn touch_at_once(&mut self, poses: &[[Pose; 2]]) -> usize {
        let mut caches = std::mem::take(&mut self.caches);
        let mut verdicts = std::mem::take(&mut self.verdicts);
        let [a, b] =
            self.models.map(|model| move |transform| Placed::new(model, transform).unwrap());
        let mut questions: Vec<PairQuery<'_>> = poses
            .iter()
            .zip(&mut caches)
            .map(|([at, bt], cache)| PairQuery::new(a(at), b(bt), cache))
            .collect();
        self.algorithm.test_many(&mut questions, &self.query, &mut verdicts);
        let hits = verdicts.iter().filter(|verdict| verdict.is_collision()).count();
        (self.caches, self.verdicts) = (caches, verdicts);
        hits
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [data, kind] = &words[..] else { panic!("expected DATA and a kind, found {words:?}") };
    let budget = std::env::var("BUDGET").map_or(0.3, |seconds| seconds.parse().unwrap());
    // What is in motion is one pair, whose poses follow each other.
    let ways: &[(&str, Way)] = match kind.as_str() {
        "convex" => &[("hybrid", Way::Single), ("at-once", Way::AtOnce(256))],
        _ => &[("hybrid", Way::Single)],
    };
    for folder in folders(&Path::new(data).join(kind)) {
        let [a, b] = ["a.mesh", "b.mesh"].map(|file| model(&folder.join(file)));
        let (poses, categories) = poses(&folder.join("poses.pose"));
        let only = std::env::var("CATEGORY").map(|number| number.parse::<usize>().unwrap()).ok();
        for &(variant, way) in ways {
            let mut contest = Contest::new([&a, &b], way);
            for category in
                (0..categories).filter(|&category| only.is_none_or(|only| only == category))
            {
                let (mut times, mut hits) = (Vec::new(), 0);
                let begin = Instant::now();
                let of_category: Vec<_> =
                    poses.iter().skip(category).step_by(categories).copied().collect();
                // The first pass warms up.
                while times.len() < 4 || begin.elapsed().as_secs_f64() < budget {
                    let start = Instant::now();
                    hits = contest.pass(&of_category, way);
                    times.push(start.elapsed().as_secs_f64() * 1e9 / of_category.len() as f64);
                }
                let mut times = times.split_off(1);
                times.sort_by(f64::total_cmp);
                let name = folder.file_name().unwrap().to_string_lossy();
                let (median, smallest) = (times[times.len() / 2], times[0]);
                let queries = of_category.len();
                println!(
                    "xcollide,{kind},{name},{variant},{category},{median:.1},{smallest:.1},{hits},{queries}"
                );
            }
        }
    }
}
