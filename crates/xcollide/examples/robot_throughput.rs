//! How many configurations of an arm are tested in a second: random ones within its limits.
//!
//! `cargo run --release -p xcollide --features robot --example robot_throughput`

#![allow(clippy::print_stdout)]

use std::time::Instant;

use xcollide::robot::{Packages, Robot, RobotError, RobotState};
use xcollide_scenes::Random;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/scenes/arm");
    let (urdf, srdf) = (format!("{file}.urdf"), format!("{file}.srdf"));
    let mut arm = Robot::load(urdf, Some(srdf), &Packages::new())?;
    // The fingers touch where the hand is closed.
    arm.allow("left", "right")?;
    let mut random = Random::new(1);
    let mut row = || -> Vec<f64> {
        let limits = arm.description().joints().map(|joint| joint.limits.unwrap_or([-3.0, 3.0]));
        limits.map(|[low, high]| random.between(low, high)).collect()
    };
    let rows: Vec<Vec<f64>> = (0..20_000).map(|_| row()).collect();
    for threads in [1, 0] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| -> Result<(), RobotError> {
            println!("{} threads:", rayon::current_num_threads());
            let colliding = timed("collides", &arm, &rows, RobotState::collides)?;
            let pairs = timed("colliding_pairs", &arm, &rows, RobotState::colliding_pairs)?;
            let near = timed("distance", &arm, &rows[..2000], RobotState::distance)?;
            let count = colliding.iter().filter(|&&collides| collides).count();
            println!("  {count} of {} collide", rows.len());
            for ((collides, pairs), near) in colliding.iter().zip(&pairs).zip(near) {
                assert_eq!(*collides, !pairs.is_empty());
                assert_eq!(Some(*collides), near.map(|near| near.distance == 0.0));
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn timed<'r, R: Send>(
    name: &str,
    robot: &'r Robot,
    rows: &[Vec<f64>],
    query: impl Fn(&mut RobotState<'r>) -> Result<R, RobotError> + Sync,
) -> Result<Vec<R>, RobotError> {
    // Prepares the models.
    robot.query_many(&rows[..rows.len() / 10], &query)?;
    let start = Instant::now();
    let answers = robot.query_many(rows, query)?;
    let rate = rows.len() as f64 / start.elapsed().as_secs_f64();
    println!("  {name}: {rate:.0} configurations a second");
    Ok(answers)
}
