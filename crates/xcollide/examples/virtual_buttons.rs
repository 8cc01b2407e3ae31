//! Virtual buttons and logical input devices (Zachmann 1994, chapter 9).
//!
//! The application sees logical devices only: a button, a choice, a value, a location, an orientation, a space and a hand, each in
//! poll mode or in event mode. A logical device is mapped on a physical one, here a recorded data glove, or on other logical
//! devices: then it is a virtual device. "A virtual button is considered pressed when the finger object and the button object
//! collide": it announces both to the world, and a callback keeps its status, so that the application knows nothing of
//! collisions.
//!
//! ```text
//!   glove ── space ──┬── location ─── orientation      (virtual: parts of the space)
//!     │              └── finger object ── buttons      (virtual: collisions) ── choice (the last pressed)
//!     └───── hand ───┬── value                         (virtual: how far the forefinger is bent)
//!                    └── button "fist"                 (virtual: all fingers are bent)
//! ```
//!
//! `cargo run -p xcollide --example virtual_buttons`
#![allow(clippy::print_stdout)]

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use xcollide::math::vector::length;
use xcollide::prelude::*;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A logical device: what it tells, wherever it comes from.
struct Device<T> {
    source: Box<dyn Fn() -> T>,
    last: RefCell<Option<T>>,
}

/// The classes of the source.
type Button = Device<bool>;
type Choice = Device<usize>;
type Value = Device<f64>;
type Location = Device<[f64; 3]>;
type Orientation = Device<[[f64; 3]; 3]>;
type Space = Device<Pose>;
/// The 20 joints of a hand, four a finger, from 0 (straight) to 1 (bent).
type Hand = Device<[f64; 20]>;

impl<T: Clone + PartialEq + 'static> Device<T> {
    /// Mapped on a physical device.
    fn new(source: impl Fn() -> T + 'static) -> Rc<Self> {
        Rc::new(Self { source: Box::new(source), last: RefCell::new(None) })
    }

    /// A virtual device: mapped on this one.
    fn map<U: Clone + PartialEq + 'static>(
        self: &Rc<Self>,
        map: impl Fn(&T) -> U + 'static,
    ) -> Rc<Device<U>> {
        let from = Rc::clone(self);
        Device::new(move || map(&from.poll()))
    }

    /// Poll mode: the state now.
    fn poll(&self) -> T {
        (self.source)()
    }

    /// Event mode: the state, if it is another one than at the last event.
    fn event(&self) -> Option<T> {
        let now = self.poll();
        let mut last = self.last.borrow_mut();
        if last.as_ref() == Some(&now) {
            return None;
        }
        *last = Some(now.clone());
        Some(now)
    }
}

/// The physical device: a data glove with a tracker, whose server is a recording here.
#[derive(Default)]
struct Glove {
    step: Cell<u32>,
}

impl Glove {
    const STEPS: u32 = 73;

    /// Where the tracker is: up and down twelve times along a row.
    fn tracker(&self) -> Pose {
        let step = self.step.get();
        let x = -9.0 + 0.25 * f64::from(step);
        let z = [4.0, 3.0, 1.5, 1.0, 1.5, 3.0][step as usize % 6];
        Pose::from_translation([x, 0.0, z])
    }

    /// The forefinger is straight and the others bent; at the end the hand becomes a fist.
    fn joints(&self) -> [f64; 20] {
        let mut joints = [0.9; 20];
        let bent = if self.step.get() < Self::STEPS - 5 { 0.1 } else { 0.9 };
        joints[4..8].fill(bent);
        joints
    }
}

/// A virtual button: an object that the finger object presses.
fn virtual_button(
    world: &mut World,
    finger: ObjectId,
    model: &Model,
    pose: &Pose,
) -> Outcome<Rc<Button>> {
    let object = world.add(model, pose)?;
    world.set_static(object, true)?;
    // Only this finger presses it.
    world.interest_mut().set_pair(finger, object, true);
    let is_pressed = Arc::<AtomicBool>::default();
    let status = is_pressed.clone();
    world.set_pair_callback(finger, object, move |report, _, _| {
        status.store(report.collision().is_some(), Ordering::Relaxed);
    });
    Ok(Device::new(move || is_pressed.load(Ordering::Relaxed)))
}

/// A choice of n: which of these buttons was pressed last, at first the first one.
fn last_pressed(buttons: &[Rc<Button>]) -> Rc<Choice> {
    let (buttons, last) = (buttons.to_vec(), Cell::new(0));
    Device::new(move || {
        if let Some(pressed) = buttons.iter().position(|button| button.poll()) {
            last.set(pressed);
        }
        last.get()
    })
}

pub(crate) fn main() -> Outcome<()> {
    // Only pairs of the finger and a button are tested.
    let mut world = World::builder().interest(InterestMatrix::nothing()).build();
    let model =
        |spec: &str| -> Outcome<Model> { Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?) };

    // Logical devices on the physical one.
    let glove = Rc::new(Glove::default());
    let (tracked, worn) = (Rc::clone(&glove), Rc::clone(&glove));
    let space: Rc<Space> = Device::new(move || tracked.tracker());
    let hand: Rc<Hand> = Device::new(move || worn.joints());
    // Virtual devices on these.
    let location: Rc<Location> = space.map(Pose::translation);
    let orientation: Rc<Orientation> = space.map(|pose| *pose.rotation());
    let bent: Rc<Value> = hand.map(|joints| joints[4..8].iter().sum::<f64>() / 4.0);
    let fist: Rc<Button> = hand.map(|joints| joints.iter().all(|&joint| joint > 0.5));

    let finger = world.add(&model("icosahedron")?, &space.poll())?;
    let (knob, table) = (model("box")?, model("torus?faces=60")?);
    let names = ["back", "stop", "play", "next"];
    let buttons = [-6.0, -2.0, 2.0, 6.0].map(|x| Pose::from_translation([x, 0.0, 0.0]));
    let buttons = buttons.map(|pose| virtual_button(&mut world, finger, &knob, &pose));
    let buttons: Vec<Rc<Button>> = buttons.into_iter().collect::<Outcome<_>>()?;
    let chosen = last_pressed(&buttons);
    // An obstacle in the finger's way, of no interest.
    world.add(&table, &Pose::from_translation([0.0, 0.0, 1.0]))?;

    let (mut presses, mut choices, mut moved) = (0, Vec::new(), 0.0);
    let mut before = location.poll();
    let mut fists = 0;
    for step in 0..Glove::STEPS {
        glove.step.set(step);
        if let Some(pose) = space.event() {
            world.set_pose(finger, &pose)?;
        }
        let frame = world.check();
        assert!(frame.stats.pairs <= buttons.len() && frame.failures.is_empty());
        for (name, button) in names.iter().zip(&buttons) {
            // The first event tells the state at the beginning.
            if let Some(now) = button.event()
                && step > 0
            {
                println!("step {step:2}: {name} {}", if now { "down" } else { "up" });
                presses += usize::from(now);
            }
        }
        if let Some(choice) = chosen.event() {
            println!("step {step:2}: {} is chosen", names[choice]);
            choices.push(choice);
        }
        if fist.event() == Some(true) {
            println!("step {step:2}: a fist, the forefinger is bent by {:.1}", bent.poll());
            fists += 1;
        }
        let now = location.poll();
        moved += length([0, 1, 2].map(|axis| now[axis] - before[axis]));
        before = now;
    }
    println!("{presses} presses; the finger moved by {moved:.1}");
    // One after the other, without going back.
    assert_eq!(choices, [0, 1, 2, 3]);
    assert!(presses >= buttons.len() && buttons.iter().all(|button| !button.poll()));
    assert_eq!((fists, bent.poll()), (1, 0.9));
    // Parts of a space are those of its pose; an event is told once.
    assert_eq!(location.poll(), space.poll().translation());
    assert_eq!(orientation.poll(), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert!(location.event().is_some() && location.event().is_none());
    Ok(())
}
