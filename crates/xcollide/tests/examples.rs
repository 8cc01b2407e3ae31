//! Examples of weight do what they say: each checks itself, and is run here.

#[path = "../examples/contact_loop.rs"]
mod contact_loop;
#[path = "../examples/virtual_buttons.rs"]
mod virtual_buttons;
#[path = "../examples/walkthrough_hand.rs"]
mod walkthrough_hand;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn bodies_fall_and_are_pushed_apart() -> Outcome {
    contact_loop::main()
}

#[test]
fn buttons_are_pressed_one_after_the_other() -> Outcome {
    virtual_buttons::main()
}

#[test]
fn the_hand_touches_and_carries() -> Outcome {
    walkthrough_hand::main()
}
