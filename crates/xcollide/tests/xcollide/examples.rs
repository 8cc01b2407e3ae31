//! Runs the examples; each checks itself.

#[path = "../../examples/car_game.rs"]
mod car_game;
#[path = "../../examples/contact_loop.rs"]
mod contact_loop;
#[path = "../../examples/hello_world.rs"]
mod hello_world;
#[path = "../../examples/own_narrow_phase.rs"]
mod own_narrow_phase;
#[path = "../../examples/potter.rs"]
mod potter;
#[path = "../../examples/robot_throughput.rs"]
mod robot_throughput;
#[path = "../../examples/swap_a_layer.rs"]
mod swap_a_layer;
#[path = "../../examples/virtual_buttons.rs"]
mod virtual_buttons;
#[path = "../../examples/walkthrough_hand.rs"]
mod walkthrough_hand;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn two_objects_meet() -> Outcome {
    hello_world::main()
}

#[test]
fn a_chain_of_ones_own_is_exact() -> Outcome {
    own_narrow_phase::main()
}

#[test]
fn layers_are_swapped_and_the_answers_stay() -> Outcome {
    swap_a_layer::main()
}

/// Every example is listed.
#[test]
fn every_example_is_run_here() -> Outcome {
    let here = include_str!("examples.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples"))? {
        let path = entry?.path();
        let name = path.file_stem().ok_or("no name")?.to_string_lossy().into_owned();
        assert!(here.contains(&format!("    {name}::main()")), "{name}");
    }
    Ok(())
}

#[test]
fn a_robot_is_tested_in_many_configurations() -> Outcome {
    robot_throughput::main()
}

#[test]
fn cars_are_steered_and_score() -> Outcome {
    car_game::main()
}

#[test]
fn bodies_fall_and_are_pushed_apart() -> Outcome {
    contact_loop::main()
}

#[test]
fn buttons_are_pressed_one_after_the_other() -> Outcome {
    virtual_buttons::main()
}

#[test]
fn a_lump_of_clay_is_modelled() -> Outcome {
    potter::main()
}

#[test]
fn the_hand_touches_and_carries() -> Outcome {
    walkthrough_hand::main()
}
