//! A frame of a run for an exported scene: poses, what collides, and the visual aids that are asked for.

use xcollide::narrow::{Placed, Separation};

use super::MotionRecord;
use super::motion_export::mark_size;
use super::scene_world::SceneWorld;
use crate::meetings::PairContact;
use crate::visual_aids::Aid;

/// Adds the frame of the last detection, with its contacts.
pub(super) fn record_frame(
    motion: &mut MotionRecord,
    staged: &SceneWorld,
    contacts: &[PairContact],
) {
    let simulation = staged.simulation();
    motion.add(simulation, simulation.placements(), staged.lists().colliding());
    motion.add_vertices(staged.flexible().vertices());
    let aids = motion.aids();
    aids.add_contacts(contacts, mark_size(simulation));
    for (pair, distance) in staged.distances() {
        if distance.value <= 0.0 {
            continue;
        }
        aids.add_nearest(pair, distance.points, distance.faces);
        if aids.wants(Aid::Planes) {
            let [p, q] = distance.points;
            let near = [0, 1, 2].map(|k| 0.5 * p[k] + 0.5 * q[k]);
            let instances = pair.map(|number| number as usize);
            let radii = instances.map(|number| simulation.instances()[number].radius);
            let poses = instances.map(|number| staged.pose(number));
            let placed =
                |side: usize| Placed::new(staged.model(instances[side])?, &poses[side]).ok();
            if let (Some(a), Some(b)) = (placed(0), placed(1))
                && let Some(plane) = Separation::find_plane(a, b)
            {
                aids.add_plane(pair, &plane, near, radii[0].min(radii[1]));
            }
        }
    }
    if aids.wants(Aid::Boxes) {
        for (number, bounds) in staged.boxes() {
            aids.add_box(number, &bounds);
        }
    }
}
