//! The car game (Daneu 2002, 4.3): four cars in an arena; the one that hits others most often in 30 seconds
//! wins. Here the cars are not steered (in the example `car_game` of the crate `xcollide` they are): they slide like
//! bumper cars, and collisions deflect them as in the source, each along the line of centers with the other's amount
//! of momentum. The arena is square instead of round, and the masses, which the source does not give, differ.

use super::{BLUE, EmbeddedScene, GREEN, RED, YELLOW};
use crate::{CageBox, CageSize, Keep, Motion, Object, Parameter, Placement, Response, Start, Way};

const FACES: Parameter = Parameter::count("faces", "of a car", [900, 200, 100_000]);
const SIDE: Parameter =
    Parameter::number("side", "of the arena; cars are 4 long", [24.0, 16.0, 1e4]);

pub(super) const SCENE: EmbeddedScene = EmbeddedScene {
    name: "car-game",
    about: "four cars bump into each other in an arena",
    source: "Daneu 2002, 4.3",
    parameters: &[FACES, SIDE],
    // 30 seconds at 30 frames each.
    frames: 900,
    build: |given, scene| {
        let half = 0.5 * given.number(&SIDE) - 2.2;
        scene.response = Response::Deflect;
        scene.cage = Some(CageBox {
            size: CageSize::Box { min: [-half, -half, -1.0], max: [half, half, 1.0] },
            keep: Keep::Origin,
        });
        for (index, color) in [RED, BLUE, YELLOW, GREEN].into_iter().enumerate() {
            let spec = format!("shape:car?faces={}", given.count(&FACES));
            let mut car = Object::new(&format!("car-{index}"), &spec);
            // One car in each corner, moving around the middle.
            let [x, y] = crate::circle::turn(2 * index + 1, 8).map(|value| half * value);
            car.start = Start::At(vec![Placement::at([x, y, 0.0])]);
            let speed = 0.02 * (index + 4) as f64;
            car.motion = Motion::Free {
                way: Way::Along([
                    -speed * (0.9 * x + 0.2 * y) / half,
                    -speed * (y - 0.3 * x) / half,
                    0.0,
                ]),
                axis: Some([0.0, 0.0, 1.0]),
                degrees: [1.0, -1.5, 0.75, -0.5][index],
            };
            car.mass = Some([1.0, 1.25, 1.5, 2.0][index]);
            scene.objects.push(car.colored(color));
        }
    },
};
