"""A world in motion with its contacts, in the viewer of rerun.

Rings and boxes drift through each other; the lines in which they cross are drawn. Needs `pip install rerun-sdk`.

    python world_in_rerun.py                 # opens the viewer
    python world_in_rerun.py --save tour.rrd # writes a recording, without a window
"""

import argparse

import numpy as np
import rerun as rr
import xcollide

COUNT, SEED = 12, 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--save", metavar="FILE")
    options = parser.parse_args()
    rr.init("xcollide: a world", spawn=options.save is None)
    if options.save is not None:
        rr.save(options.save)

    random = np.random.default_rng(SEED)
    models = [xcollide.Model.shape("shape:torus?faces=400"), xcollide.Model.shape("shape:box?x=1&y=1&z=1")]
    world = xcollide.World()
    world.ask("contacts")
    starts = random.uniform(-3.0, 3.0, (COUNT, 3))
    speeds = random.uniform(-0.02, 0.02, (COUNT, 3))
    objects = [world.add(models[number % 2], ([0, 0, 0, 1], start)) for number, start in enumerate(starts)]
    for number in range(COUNT):
        model = models[number % 2]
        mesh = rr.Mesh3D(vertex_positions=model.vertices, triangle_indices=model.triangles)
        rr.log(f"world/{number}", mesh, static=True)

    upright = np.tile([0.0, 0.0, 0.0, 1.0], (COUNT, 1))
    for step in range(options.frames):
        rr.set_time("frame", sequence=step)
        places = starts + step * speeds
        world.set_poses(objects, (upright, places))
        frame = world.check()
        for number, place in enumerate(places):
            rr.log(f"world/{number}", rr.Transform3D(translation=place))
        _, _, first, second = frame.contacts
        rr.log("contacts", rr.LineStrips3D(np.stack([first, second], axis=1), colors=[255, 60, 40]))
    print(f"{options.frames} frames, {len(frame.colliding)} pairs collide in the last")


if __name__ == "__main__":
    main()
