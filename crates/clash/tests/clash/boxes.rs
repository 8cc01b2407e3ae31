//! Boxes with integer corners, whose relations brute force decides by integers.

use xcollide_brep::{MeshError, PolygonMesh};
use xcollide_clash::{ClashDetector, Clashes, Instance, InstanceId, InstanceSet, Rules, TestRule};
use xcollide_fixtures::Random;
use xcollide_narrow::{Kind, Model, QueryError};

/// A cuboid with a corner in the origin, of the sizes in a reference such as "2 1 3".
pub(crate) fn cuboid(reference: &str) -> Result<Model, MeshError> {
    let size: Vec<f64> = reference.split(' ').filter_map(|part| part.parse().ok()).collect();
    let (corners, faces) = xcollide_fixtures::cube();
    let corners = corners.map(|p| [p[0] * size[0], p[1] * size[1], p[2] * size[2]]);
    Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)
}

/// A cuboid moved by whole numbers and turned by quarters about z.
pub(crate) fn cuboid_at(
    id: &str,
    group: &str,
    size: [i64; 3],
    at: [i64; 3],
    quarters: usize,
) -> Instance {
    let (cos, sin) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][quarters % 4];
    let [x, y, z] = at.map(|value| value as f64);
    Instance {
        id: id.to_owned(),
        model: format!("{} {} {}", size[0], size[1], size[2]),
        pose: [cos, -sin, 0.0, x, sin, cos, 0.0, y, 0.0, 0.0, 1.0, z],
        group: group.to_owned(),
        ..Instance::default()
    }
}

/// The corners of such a cuboid.
fn corners(size: [i64; 3], at: [i64; 3], quarters: usize) -> [[i64; 3]; 2] {
    let (cos, sin) = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters % 4];
    let far = [cos * size[0] - sin * size[1], sin * size[0] + cos * size[1], size[2]];
    [0, 1].map(|side| {
        [0, 1, 2].map(|k| if side == 0 { at[k] + far[k].min(0) } else { at[k] + far[k].max(0) })
    })
}

/// The kind of two boxes and the square of their distance.
fn relation([p, q]: [[i64; 3]; 2], [r, s]: [[i64; 3]; 2]) -> (Kind, i64) {
    let axes = || 0..3;
    let gaps = axes().map(|k| (r[k] - q[k]).max(p[k] - s[k]));
    let squared: i64 = gaps.clone().map(|gap| gap.max(0) * gap.max(0)).sum();
    let kind = if squared > 0 {
        Kind::Apart
    } else if (p, q) == (r, s) {
        Kind::Equal
    } else if axes().all(|k| r[k] <= p[k] && q[k] <= s[k]) {
        Kind::Enclosed
    } else if axes().all(|k| p[k] <= r[k] && s[k] <= q[k]) {
        Kind::Enclosing
    } else if gaps.clone().any(|gap| gap == 0) {
        Kind::Touching
    } else {
        Kind::Overlapping
    };
    (kind, squared)
}

struct Plan {
    instances: Vec<Instance>,
    boxes: Vec<[[i64; 3]; 2]>,
}

fn plan(random: &mut Random, count: usize) -> Plan {
    let mut plan = Plan { instances: Vec::new(), boxes: Vec::new() };
    for number in 0..count - 1 {
        let size = [(); 3].map(|()| random.integer(1, 4));
        let at = [(); 3].map(|()| random.integer(-9, 9));
        let (quarters, group) = (random.below(4), ["pipes", "steel", "walls"][random.below(3)]);
        plan.instances.push(cuboid_at(&format!("{number:03}"), group, size, at, quarters));
        plan.boxes.push(corners(size, at, quarters));
    }
    // One is there twice.
    plan.instances.push(Instance { id: format!("{:03}", count - 1), ..plan.instances[0].clone() });
    plan.boxes.push(plan.boxes[0]);
    plan
}

fn detect(
    plan: &Plan,
    rules: Rules,
    threads: usize,
) -> Result<(InstanceSet, Clashes), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(|| {
        let set = InstanceSet::load(plan.instances.clone(), cuboid);
        let found = ClashDetector::new(rules).detect(&set);
        (set, found)
    }))
}

/// The oracle is the definition: all pairs, by integers.
#[test]
fn clashes_are_those_of_brute_force() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Random::new(26);
    let mut kinds = std::collections::BTreeSet::new();
    for round in 0..12 {
        let plan = plan(&mut random, 90);
        let tolerance = [0, 1, 2][round % 3];
        let own = 3;
        let mut rules = Rules::new().tolerance(tolerance as f64);
        rules.touching = round % 2 == 0;
        let by_rules = round >= 6;
        if by_rules {
            let rule = |p: &str, q: &str, tolerance| TestRule {
                groups: [p.to_owned(), q.to_owned()],
                tolerance,
                touching: None,
            };
            rules.test = vec![rule("walls", "pipes", Some(own as f64)), rule("steel", "*", None)];
        }
        let touching = rules.touching;
        let (set, found) = detect(&plan, rules, 2)?;
        let mut expected = Vec::new();
        for (a, first) in plan.boxes.iter().enumerate() {
            for (b, second) in plan.boxes.iter().enumerate().skip(a + 1) {
                let groups = [a, b].map(|number| plan.instances[number].group.as_str());
                let tolerance = match groups {
                    ["walls", "pipes"] | ["pipes", "walls"] if by_rules => own,
                    groups if by_rules && !groups.contains(&"steel") => continue,
                    _ => tolerance,
                };
                let (kind, squared) = relation(*first, *second);
                let is_clash =
                    squared <= tolerance * tolerance && (touching || kind != Kind::Touching);
                if is_clash {
                    expected.push((a, b, kind, squared));
                    kinds.insert(format!("{kind:?}"));
                }
            }
        }
        let shown: Vec<_> = found
            .clashes
            .iter()
            .map(|clash| {
                let [a, b] = clash.pair.map(InstanceId::index);
                let distance = clash.interference.distance;
                (a, b, clash.interference.kind, (distance * distance).round() as i64)
            })
            .collect();
        assert_eq!(shown, expected, "round {round}");
        assert!(found.candidates >= shown.len() && found.failures.is_empty());
        for clash in &found.clashes {
            // Points are in both boxes, grown by half of the distance.
            let reach = 0.5 * clash.interference.distance + 1e-9;
            for id in clash.pair {
                let bounds = set.bounds(id).expanded(reach);
                assert!(bounds.contains(clash.interference.point), "{clash:?}");
            }
        }
    }
    assert_eq!(kinds.len(), 6, "{kinds:?}");
    Ok(())
}

#[test]
fn threads_change_nothing() -> Result<(), Box<dyn std::error::Error>> {
    let plan = plan(&mut Random::new(5), 400);
    let rules = || Rules::new().tolerance(1.5).merge(2.0);
    let (_, one) = detect(&plan, rules(), 1)?;
    assert!(one.clashes.len() > 1000 && one.issues < one.clashes.len());
    for threads in [2, 3] {
        assert_eq!(detect(&plan, rules(), threads)?.1, one);
    }
    Ok(())
}

/// Depths are those of boxes: the least way out along an axis.
#[test]
fn depths_are_bounded_where_asked() -> Result<(), Box<dyn std::error::Error>> {
    let plan = plan(&mut Random::new(7), 150);
    let set = InstanceSet::load(plan.instances.clone(), cuboid);
    let found = ClashDetector::new(Rules::new().tolerance(1.0)).depth(true).detect(&set);
    let mut deep = 0;
    for clash in &found.clashes {
        let [[p, q], [r, s]] = clash.pair.map(|id| plan.boxes[id.index()]);
        let ways = (0..3).flat_map(|k| [q[k] - r[k], s[k] - p[k]]);
        let least = ways.min().unwrap_or(0) as f64;
        match clash.interference.depth {
            Some(depth) => {
                assert!(depth.at_least <= least && least <= depth.at_most + 1e-9, "{clash:?}");
                assert!(depth.at_most - depth.at_least < 1e-6);
                deep += 1;
            }
            None => assert!(matches!(clash.interference.kind, Kind::Touching | Kind::Apart)),
        }
    }
    assert!(deep > 20, "{deep}");
    Ok(())
}

/// Of brackets, which are not convex, depths have bounds that hold, the same at any number of threads: the square in which
/// two corners cross has a side of 1.
#[test]
fn depths_of_brackets_are_bounded_alike_on_any_threads() -> Result<(), Box<dyn std::error::Error>> {
    let bracket = |_: &str| -> Result<Model, MeshError> {
        let outline = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let corners = [0.0, 1.0].map(|z| outline.map(|[x, y]| [x, y, z])).concat();
        let sides = (0..6).map(|i| vec![i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i]);
        let ends: [Vec<u32>; 2] = [(0..6).rev().collect(), (6..12).collect()];
        Model::from_mesh(PolygonMesh::from_polygons(corners, sides.chain(ends))?)
    };
    let pair = |k: i64| {
        let [one, other] = ["a", "b"].map(|name| format!("{k}{name}"));
        [
            cuboid_at(&one, "", [1; 3], [10 * k, 0, 0], 0),
            cuboid_at(&other, "", [1; 3], [10 * k + 1, 1, 0], 2),
        ]
    };
    let set = InstanceSet::load((0..2).flat_map(pair).collect(), bracket);
    let detect = |threads| -> Result<Clashes, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(pool.install(|| ClashDetector::new(Rules::new()).depth(true).detect(&set)))
    };
    let found = detect(1)?;
    assert_eq!(found.clashes.len(), 2);
    for clash in &found.clashes {
        let depth = clash.interference.depth.ok_or("no depth")?;
        assert!(depth.at_least <= 1.0 && 1.0 <= depth.at_most + 1e-9, "{clash:?}");
    }
    assert_eq!(detect(2)?, found);
    Ok(())
}

/// Volumes are those of boxes: products of what they have in common along the axes.
#[test]
fn volumes_are_bounded_where_asked() -> Result<(), Box<dyn std::error::Error>> {
    let plan = plan(&mut Random::new(8), 150);
    let set = InstanceSet::load(plan.instances.clone(), cuboid);
    let detector = ClashDetector::new(Rules::new().tolerance(1.0)).volume(true);
    let found = detector.detect(&set);
    let mut full = 0;
    for clash in &found.clashes {
        let [[p, q], [r, s]] = clash.pair.map(|id| plan.boxes[id.index()]);
        let common =
            (0..3).map(|k| (q[k].min(s[k]) - p[k].max(r[k])).max(0)).product::<i64>() as f64;
        match clash.interference.volume {
            Some(volume) => {
                let volume = volume?;
                assert!(volume.at_least <= common && common <= volume.at_most, "{clash:?}");
                assert!(volume.at_most - volume.at_least <= 1e-9 * common);
                full += 1;
            }
            None => assert!(!clash.interference.interiors_meet() && common == 0.0),
        }
    }
    assert!(full > 20, "{full}");
    Ok(())
}

/// Of an open box the volume is not known, and why is told; the others are not touched.
#[test]
fn an_open_body_has_no_volume() -> Result<(), Box<dyn std::error::Error>> {
    let open = |reference: &str| -> Result<Model, MeshError> {
        if reference != "open" {
            return cuboid(reference);
        }
        let (corners, faces) = xcollide_fixtures::cube();
        Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces[..5].to_vec())?)
    };
    let mut rows = vec![
        cuboid_at("a", "", [1, 1, 1], [0; 3], 0),
        cuboid_at("b", "", [3, 2, 2], [0; 3], 0),
        cuboid_at("c", "", [3, 2, 2], [0, 1, 0], 0),
    ];
    rows[0].model = "open".to_owned();
    rows[0].pose[3] = 2.5;
    let set = InstanceSet::load(rows, open);
    let found = ClashDetector::new(Rules::new()).volume(true).detect(&set);
    let volumes: Vec<_> = found.clashes.iter().map(|clash| clash.interference.volume).collect();
    assert_eq!(volumes[0], Some(Err(QueryError::NoBody { side: "first" })));
    let Some(Ok(volume)) = volumes.last().copied().flatten() else {
        return Err("no volume".into());
    };
    assert!(volume.at_least <= 6.0 && 6.0 <= volume.at_most, "{volume:?}");
    Ok(())
}
