//! Response of bodies to collisions.

use xcollide_math::vector::{dot, length, sub};

use super::Simulation;
use crate::Response;

/// Responds to the pairs of a frame. A pair that already collided in the previous frame gets a response only if
/// its bodies approach, so that bodies that need several frames to separate do not oscillate.
pub(super) fn respond(simulation: &mut Simulation, colliding: &[(usize, usize)]) {
    let count = simulation.bodies.len();
    let known = colliding.iter().filter(|&&(a, b)| a != b && a < count && b < count);
    let mut pairs: Vec<(usize, usize)> = known
        .map(|&(a, b)| [a, b].map(|instance| simulation.assembly.roots[instance]))
        .filter(|[a, b]| a != b)
        .map(|[a, b]| (a.min(b), a.max(b)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut reversed =
        vec![false; if simulation.response == Response::Reverse { count } else { 0 }];
    for &(a, b) in &pairs {
        let pair = Pair::of(simulation, a, b);
        let persists = simulation.touching.binary_search(&(a, b)).is_ok();
        match simulation.response {
            Response::None => {}
            Response::Reverse | Response::Deflect if persists && pair.approach <= 0.0 => {}
            Response::Reverse => {
                for body in [a, b] {
                    if simulation.bodies[body].is_free() && !reversed[body] {
                        simulation.bodies[body].reverse();
                        reversed[body] = true;
                    }
                }
            }
            Response::Deflect => pair.deflect(simulation),
            Response::Exchange if pair.approach > 0.0 => pair.exchange(simulation),
            Response::Impulse if pair.approach > 0.0 => pair.impulse(simulation),
            Response::Exchange | Response::Impulse => {}
        }
    }
    simulation.touching = pairs;
}

struct Pair {
    bodies: [usize; 2],
    velocities: [[f64; 3]; 2],
    /// 1 / mass; 0 for bodies that are not free.
    inverse_masses: [f64; 2],
    /// Unit vector from the first origin to the second; zero if they coincide.
    normal: [f64; 3],
    /// Speed at which the distance of the origins decreases.
    approach: f64,
}

impl Pair {
    fn of(simulation: &Simulation, a: usize, b: usize) -> Self {
        let bodies = [a, b];
        let velocities = bodies.map(|body| simulation.bodies[body].velocity);
        let inverse_masses = bodies.map(|body| {
            let is_free = simulation.bodies[body].is_free();
            if is_free { 1.0 / simulation.instances[body].mass } else { 0.0 }
        });
        let [p, q] = bodies.map(|body| simulation.bodies[body].now.translation);
        let between = sub(q, p);
        let distance = length(between);
        let normal = if distance > 0.0 { between.map(|value| value / distance) } else { [0.0; 3] };
        let approach = dot(sub(velocities[0], velocities[1]), normal);
        Self { bodies, velocities, inverse_masses, normal, approach }
    }

    fn is_free(&self, end: usize) -> bool {
        self.inverse_masses[end] > 0.0
    }

    fn exchange(&self, simulation: &mut Simulation) {
        for (end, &body) in self.bodies.iter().enumerate() {
            if self.is_free(end) {
                simulation.bodies[body].velocity = if self.is_free(1 - end) {
                    self.velocities[1 - end]
                } else {
                    self.velocities[end].map(|value| -value)
                };
            }
        }
    }

    fn impulse(&self, simulation: &mut Simulation) {
        let [a, b] = self.inverse_masses;
        if a + b == 0.0 {
            return;
        }
        // Twice the impulse that stops the approach.
        let impulse = 2.0 * self.approach / (a + b);
        for (end, sign) in [(0, -1.0), (1, 1.0)] {
            let change = sign * impulse * self.inverse_masses[end];
            let velocity = self.velocities[end];
            simulation.bodies[self.bodies[end]].velocity =
                [0, 1, 2].map(|k| velocity[k] + change * self.normal[k]);
        }
    }

    fn deflect(&self, simulation: &mut Simulation) {
        for (end, sign) in [(0, -1.0), (1, 1.0)] {
            if !self.is_free(end) {
                continue;
            }
            let speed = if self.is_free(1 - end) {
                let other = length(self.velocities[1 - end]);
                other / self.inverse_masses[1 - end] * self.inverse_masses[end]
            } else {
                length(self.velocities[end])
            };
            simulation.bodies[self.bodies[end]].velocity =
                self.normal.map(|value| sign * speed * value);
        }
    }
}
