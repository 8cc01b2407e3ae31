//! A flat city: boxes on a square, and bodies that fly low between them. All boxes overlap in z, so a sort along
//! one axis must not choose z.

use super::{EmbeddedScene, objects};
use crate::{CageBox, CageSize, Keep, Object, Parameter, Placement, Random, Response, Speed};

const BLOCKS: Parameter = Parameter::count("blocks", "boxes along a side", [40, 1, 1000]);
const OBJECTS: Parameter = objects(100);
const FACES: Parameter = Parameter::count("faces", "of a flying body", [36, 8, 100_000]);

/// Heights of the boxes; they stand on z = 0.
const HEIGHTS: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0];
/// Streets are as wide as boxes.
const PITCH: f64 = 2.0;

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "city",
    about: "bodies fly low over a flat city of 1600 boxes",
    source: "ours; the flat world of Zachmann 1994, 5.4 to 5.6, and of walkthroughs",
    parameters: &[BLOCKS, OBJECTS, FACES],
    frames: 500,
    build: |given, scene| {
        let blocks = given.count(&BLOCKS);
        let half = 0.5 * PITCH * blocks as f64;
        scene.response = Response::Reverse;
        scene.cage = Some(CageBox {
            size: CageSize::Box { min: [-half, -half, 0.0], max: [half, half, 6.0] },
            keep: Keep::Body,
        });
        let spec = format!("shape:sphere?faces={}&radius=0.4", given.count(&FACES));
        let speed = Speed::Units(0.08);
        let flyer = Object::flying("flyer", &spec, given.count(&OBJECTS), speed, 2.0);
        scene.objects.push(flyer.colored([0.85, 0.35, 0.25]));
        for (height, at) in HEIGHTS.iter().zip(lots(blocks)).filter(|(_, at)| !at.is_empty()) {
            let spec = format!("shape:box?x=1&y=1&z={height}");
            let houses = Object::standing(&format!("house-{height}"), &spec, at);
            scene.objects.push(houses.colored([0.7, 0.7, 0.72]));
        }
    },
};

/// The positions of the boxes of each height, the same for every seed.
fn lots(blocks: usize) -> [Vec<Placement>; HEIGHTS.len()] {
    let mut random = Random::new(1);
    let mut lots: [Vec<Placement>; HEIGHTS.len()] = Default::default();
    let place = |i: usize| PITCH * (i as f64 - 0.5 * (blocks - 1) as f64);
    for (i, j) in (0..blocks).flat_map(|i| (0..blocks).map(move |j| (i, j))) {
        let kind = (random.bits() % HEIGHTS.len() as u64) as usize;
        let translation = [place(i), place(j), 0.5 * HEIGHTS[kind]];
        lots[kind].push(Placement::at(translation));
    }
    lots
}
