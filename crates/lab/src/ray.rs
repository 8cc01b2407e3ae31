//! `xcollide ray`: what does a ray hit?

use std::io::BufReader;

use serde::Serialize;
use xcollide::Placed;
use xcollide::narrow::rays::{Ray, RayHit, all_hits, first_hit};

use crate::exit::{Failure, Status};
use crate::files::Input;
use crate::options::RayOptions;
use crate::output::{Session, count, finite_point};
use crate::pose_line::PoseLines;
use crate::witness::point;

/// The JSON object of a ray. Keys that do not apply are left out.
#[derive(Serialize)]
struct RayRecord {
    query: u64,
    hit: bool,
    #[serde(flatten)]
    first: Option<HitRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<Vec<HitRecord>>,
}

/// A hit: of a mesh with the face, of a formula with the outward normal.
#[derive(Serialize)]
struct HitRecord {
    t: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    face: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangle: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    barycentric: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
}

impl HitRecord {
    fn new(placed: Placed<'_>, hit: &RayHit) -> Self {
        let RayHit { face, triangle, parameter: t, barycentric, .. } = *hit;
        Self {
            t,
            face: face.map(|face| face.0),
            point: finite_point(hit.point),
            triangle,
            barycentric: triangle.map(|_| barycentric),
            normal: if triangle.is_none() { finite_point(hit.normal(placed)) } else { None },
        }
    }
}

pub(crate) fn run(options: &RayOptions, session: &mut Session) -> Result<Status, Failure> {
    let Session { output, progress, .. } = session;
    let model = progress
        .during(&format!("reading {}", options.a), || options.a.model())
        .map_err(Failure::bad_input)?;
    let pose = options.pose_a.unwrap_or_default();
    let placed = Placed::new(&model, &pose)
        .map_err(|error| Failure::bad_input(format!("--pose-a: {error}")))?;
    let mut hits = Vec::new();
    let mut answer = |query: u64, [origin, direction]: [[f64; 3]; 2], from: &str| {
        let refused = |error| Failure::bad_input(format!("{from}: {error}"));
        let mut ray = Ray::new(origin, direction).map_err(refused)?;
        if let Some(reach) = options.reach {
            ray = ray.up_to(reach).map_err(refused)?;
        }
        if options.all {
            all_hits(placed, &ray, &mut hits);
        } else {
            hits.clear();
            hits.extend(first_hit(placed, &ray));
        }
        let record = RayRecord {
            query,
            hit: !hits.is_empty(),
            first: hits.first().filter(|_| !options.all).map(|hit| HitRecord::new(placed, hit)),
            hits: options.all.then(|| hits.iter().map(|hit| HitRecord::new(placed, hit)).collect()),
        };
        output.result(&record, || in_words(&hits, options.rays.is_some().then_some(query)))
    };
    match (&options.rays, options.origin, options.direction) {
        (Some(path), ..) => {
            let Input { name, from, .. } = Input::open(path)?;
            let lines = PoseLines::rays(BufReader::new(from));
            let mut queries = 0;
            for (query, line) in (0..).zip(lines) {
                queries = query + 1;
                let line = line.map_err(|error| Failure::bad_input(format!("{name}: {error}")))?;
                answer(query, line.poses, &format!("{name}: line {}", line.line))?;
            }
            if queries == 0 {
                let none = "found no line with a ray, expected at least one";
                return Err(Failure::bad_input(format!("{name}: {none}")));
            }
        }
        (None, Some(origin), Some(direction)) => {
            answer(0, [origin, direction], "--origin, --direction")?;
        }
        // The parser asks for them.
        _ => return Err(Failure::bad_input("expected --origin and --direction, or --rays")),
    }
    Ok(Status::Done)
}

fn in_words(hits: &[RayHit], query: Option<u64>) -> String {
    let mut text = query.map(|query| format!("query {query}: ")).unwrap_or_default();
    match hits {
        [] => text += "hits nothing",
        [hit] => text += &hit_in_words(hit),
        hits => {
            text += &format!("{}:", count(hits.len(), "hit", "hits"));
            for hit in hits {
                text += &format!("\n  {}", hit_in_words(hit));
            }
        }
    }
    text
}

fn hit_in_words(hit: &RayHit) -> String {
    let what = hit.face.map_or("it".into(), |face| format!("face {face}"));
    format!("hits {what} at {}, t = {:?}", point(hit.point), hit.parameter)
}
