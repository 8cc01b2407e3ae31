"""Times batches of poses against python-fcl and coal, robots against pinocchio, and managers against trimesh, and prints Markdown.

All have the same meshes and poses, and take turns; each figure is the best of the rounds. Ratios are to one thread, and to all. Peers loop over the poses in Python,
as they have no batches: transforms are made beforehand, requests and results are reused where the library allows.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import coal
import cmeel
import fcl
import numpy as np
import pinocchio
import trimesh
import xcollide
import xcollide.trimesh

ROUNDS = 3


def best(calls: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Seconds of each call, in turns."""
    seconds = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            seconds[name] = min(seconds[name], time.perf_counter() - begin)
    return seconds


def random_poses(count: int, reach: float, seed: int) -> np.ndarray:
    """Poses with any rotation, their origins in a ball's shell from 0.6 to 1 times the reach."""
    random = np.random.default_rng(seed)
    frames, _ = np.linalg.qr(random.normal(size=(count, 3, 3)))
    frames[np.linalg.det(frames) < 0.0, :, 0] *= -1.0
    directions = random.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = frames
    poses[:, :3, 3] = directions * (reach * random.uniform(0.6, 1.0, (count, 1)))
    return poses


class Fcl:
    """python-fcl: the mesh as BVHModel, a call for each pose."""

    def __init__(self, vertices: np.ndarray, triangles: np.ndarray, poses: np.ndarray) -> None:
        def mesh() -> fcl.BVHModel:
            model = fcl.BVHModel()
            model.beginModel(len(vertices), len(triangles))
            model.addSubModel(vertices, triangles.astype(np.int64))
            model.endModel()
            return model

        self.still = fcl.CollisionObject(mesh(), fcl.Transform())
        moving = mesh()
        self.objects = [fcl.CollisionObject(moving, fcl.Transform(pose[:3, :3], pose[:3, 3])) for pose in poses]

    def collide(self) -> np.ndarray:
        request = fcl.CollisionRequest()
        return np.array([fcl.collide(one, self.still, request, fcl.CollisionResult()) > 0 for one in self.objects])

    def distance(self) -> np.ndarray:
        request = fcl.DistanceRequest()
        return np.array([fcl.distance(one, self.still, request, fcl.DistanceResult()) for one in self.objects])


class Coal:
    """coal: the mesh as BVHModelOBBRSS, a call for each pose."""

    def __init__(self, vertices: np.ndarray, triangles: np.ndarray, poses: np.ndarray) -> None:
        points, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for vertex in vertices:
            points.append(vertex)
        for a, b, c in triangles.tolist():
            faces.append(coal.Triangle(a, b, c))
        self.mesh = coal.BVHModelOBBRSS()
        self.mesh.beginModel(len(triangles), len(vertices))
        self.mesh.addSubModel(points, faces)
        self.mesh.endModel()
        self.still = coal.Transform3s.Identity()
        self.transforms = [coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in poses]

    def collide(self) -> np.ndarray:
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        found = np.zeros(len(self.transforms), dtype=bool)
        for place, transform in enumerate(self.transforms):
            result.clear()
            found[place] = coal.collide(self.mesh, transform, self.mesh, self.still, request, result) > 0
        return found

    def distance(self) -> np.ndarray:
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        found = np.zeros(len(self.transforms))
        for place, transform in enumerate(self.transforms):
            result.clear()
            found[place] = coal.distance(self.mesh, transform, self.mesh, self.still, request, result)
        return found


def mesh_queries(count: int) -> None:
    print("| mesh of 20,000 triangles against itself | query | poses | hits | one thread | all threads | python-fcl | coal |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for spec in ("torus", "knot"):
        model = xcollide.Model.shape(f"shape:{spec}?faces=20000").prepare()
        # The same triangles for all.
        triangles = model.triangles
        model = xcollide.Model(model.vertices, triangles)
        reach = 1.6 * float(model.bounds.max())
        for query in ("whether they collide", "distance"):
            poses = random_poses(count, reach, 1)
            peers = [peer(model.vertices, triangles, poses) for peer in (Fcl, Coal)]
            if query == "distance":
                # Where they collide, some return −1, others a depth: poses apart only.
                apart = ~xcollide.intersects_many(model, poses, model, None)
                poses = np.ascontiguousarray(poses[apart])
                peers = [peer(model.vertices, triangles, poses) for peer in (Fcl, Coal)]
                calls = {
                    "one": lambda: xcollide.distance_many(model, poses, model, None, threads=1),
                    "all": lambda: xcollide.distance_many(model, poses, model, None),
                    "fcl": peers[0].distance,
                    "coal": peers[1].distance,
                }
            else:
                calls = {
                    "one": lambda: xcollide.intersects_many(model, poses, model, None, threads=1),
                    "all": lambda: xcollide.intersects_many(model, poses, model, None),
                    "fcl": peers[0].collide,
                    "coal": peers[1].collide,
                }
            answers = {name: np.asarray(call()) for name, call in calls.items()}
            if query == "distance":
                for name in ("fcl", "coal"):
                    worst = float(np.abs(answers[name] - answers["one"]).max())
                    assert worst < 1e-6, f"{name} differs by {worst}"
            else:
                for name in ("fcl", "coal"):
                    differ = int((answers[name] != answers["one"]).sum())
                    if differ:
                        print(f"{spec}: {name} differs at {differ} poses", file=sys.stderr)
            seconds = best(calls)
            hits = int((answers["one"] == 0).sum()) if query == "distance" else int(answers["one"].sum())
            own = seconds["one"]
            cells = [f"{seconds[name] / len(poses) * 1e6:.2f} µs" for name in ("one", "all")]
            cells += [
                f"{seconds[name] / len(poses) * 1e6:.1f} µs ({seconds[name] / own:.1f}×, {seconds[name] / seconds['all']:.1f}×)"
                for name in ("fcl", "coal")
            ]
            print(f"| {spec} | {query} | {len(poses)} | {hits} | {' | '.join(cells)} |", flush=True)


def overhead(count: int) -> None:
    print("\n| batch of convex bodies | poses | one thread | a call for each |")
    print("|---|---:|---:|---:|")
    # Far apart, a query takes hardly more than what the package adds to it.
    for name, spec, reach in (
        ("box", "box", 3.0),
        ("box, far apart", "box", 300.0),
        ("polytope?vertices=20", "polytope?vertices=20", 2.0),
        ("polytope?vertices=20, far apart", "polytope?vertices=20", 200.0),
    ):
        model = xcollide.Model.shape(f"shape:{spec}").prepare()
        poses = random_poses(count, reach, 2)
        calls = {
            "batch": lambda: xcollide.intersects_many(model, poses, model, None, threads=1),
            "single": lambda: [xcollide.intersects(model, pose, model, None) for pose in poses],
        }
        seconds = best(calls)
        cells = [f"{seconds[name] / count * 1e9:.0f} ns" for name in ("batch", "single")]
        print(f"| {name} | {count} | {' | '.join(cells)} |", flush=True)


def managers(count: int) -> None:
    print("\n| manager of icospheres of 320 triangles | objects | xcollide.trimesh | trimesh with python-fcl |")
    print("|---|---:|---:|---:|")
    mesh = trimesh.creation.icosphere(subdivisions=2, radius=1.0)
    poses = random_poses(count, 1.9 * count ** (1.0 / 3.0), 3)
    others = random_poses(count, 1.9 * count ** (1.0 / 3.0), 4)
    own, peer = xcollide.trimesh.CollisionManager(), trimesh.collision.CollisionManager()
    for manager in (own, peer):
        for place, pose in enumerate(poses):
            manager.add_object(f"{place}", mesh, pose)

    def step(manager: object, turn: list[int]) -> Callable[[], object]:
        def run() -> object:
            turn[0] += 1
            for place, pose in enumerate((poses, others)[turn[0] % 2]):
                manager.set_transform(f"{place}", pose)  # type: ignore[attr-defined]
            return manager.in_collision_internal(return_names=True)  # type: ignore[attr-defined]

        return run

    calls = {"own": step(own, [0]), "peer": step(peer, [0])}
    seconds = best(calls, 4)
    cells = [f"{seconds[name] * 1e3:.2f} ms" for name in ("own", "peer")]
    ratio = seconds["peer"] / seconds["own"]
    print(f"| move all, then `in_collision_internal(return_names=True)` | {count} | {cells[0]} | {cells[1]} ({ratio:.1f}×) |")
    names = {name: manager.in_collision_internal(return_names=True)[1] for name, manager in (("own", own), ("peer", peer))}
    differ = len(names["own"] ^ names["peer"])
    if differ:
        print(f"managers differ in {differ} of {len(names['own'])} pairs", file=sys.stderr)
    single = {
        "own": lambda: [own.in_collision_single(mesh, pose) for pose in others],
        "peer": lambda: [peer.in_collision_single(mesh, pose) for pose in others],
    }
    seconds = best(single)
    cells = [f"{seconds[name] / count * 1e6:.1f} µs" for name in ("own", "peer")]
    ratio = seconds["peer"] / seconds["own"]
    print(f"| `in_collision_single(mesh, pose)`, each | {count} | {cells[0]} | {cells[1]} ({ratio:.1f}×) |")


ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf"),
}
"""Files of example-robot-data."""


class Pinocchio:
    """pinocchio with coal: the pairs of bodies that ours tests, a call for each configuration."""

    def __init__(self, urdf: Path, packages: Path, robot: xcollide.Robot, configurations: np.ndarray) -> None:
        self.model = pinocchio.buildModelFromUrdf(str(urdf), mimic=True)
        kind = pinocchio.GeometryType.COLLISION
        self.bodies = pinocchio.buildGeomFromUrdf(self.model, str(urdf), kind, package_dirs=[str(packages)])
        of_link: dict[str, list[int]] = {}
        for number, body in enumerate(self.bodies.geometryObjects):
            of_link.setdefault(body.name.rsplit("_", 1)[0], []).append(number)
        for a, b in robot.tested_pairs.tolist():
            for one in of_link[robot.bodies[a]]:
                for other in of_link[robot.bodies[b]]:
                    self.bodies.addCollisionPair(pinocchio.CollisionPair(one, other))
        self.data, self.geometry = self.model.createData(), self.bodies.createData()
        places = [self.model.joints[self.model.getJointId(name)].idx_q for name in robot.joints]
        assert self.model.nq == len(robot.joints)
        self.configurations = np.zeros((len(configurations), self.model.nq))
        self.configurations[:, places] = configurations

    def collide(self) -> np.ndarray:
        return np.array(
            [
                pinocchio.computeCollisions(self.model, self.data, self.bodies, self.geometry, q, True)
                for q in self.configurations
            ]
        )


def robots(count: int) -> None:
    print("\n| robot of example-robot-data | bodies, pairs | configurations | collide | one thread | all threads | pinocchio |")
    print("|---|---|---:|---:|---:|---:|---:|")
    data = Path(cmeel.__file__).parent.parent / "cmeel.prefix/share/example-robot-data"
    for name, (urdf, srdf) in ROBOTS.items():
        files = [data / "robots" / file for file in (urdf, srdf)]
        robot = xcollide.Robot(*files, packages={"example-robot-data": data})
        limits = pinocchio.buildModelFromUrdf(str(files[0]), mimic=True)
        ends = [
            [limit[limits.joints[limits.getJointId(joint)].idx_q] for joint in robot.joints]
            for limit in (limits.lowerPositionLimit, limits.upperPositionLimit)
        ]
        configurations = np.random.default_rng(5).uniform(*ends, (count, len(robot.joints)))
        peer = Pinocchio(files[0], data.parent, robot, configurations)
        calls = {
            "one": lambda: robot.check(configurations, threads=1),
            "all": lambda: robot.check(configurations),
            "pinocchio": peer.collide,
        }
        answers = {key: np.asarray(call()) for key, call in calls.items()}
        differ = int((answers["pinocchio"] != answers["one"]).sum())
        if differ:
            print(f"{name}: pinocchio differs at {differ} configurations", file=sys.stderr)
        seconds = best(calls)
        cells = [f"{seconds[key] / count * 1e6:.2f} µs" for key in ("one", "all")]
        ratios = ", ".join(f"{seconds['pinocchio'] / seconds[key]:.1f}×" for key in ("one", "all"))
        cells += [f"{seconds['pinocchio'] / count * 1e6:.1f} µs ({ratios})"]
        hits = int(answers["one"].sum())
        sizes = f"{len(robot.bodies)}, {len(robot.tested_pairs)}"
        print(f"| {name} | {sizes} | {count} | {hits} | {' | '.join(cells)} |", flush=True)


def imports() -> None:
    program = "import time; begin = time.perf_counter(); import {0}; print(time.perf_counter() - begin)"
    print("\n| import | time |\n|---|---:|")
    for name in ("xcollide", "fcl", "coal", "trimesh"):
        runs = [subprocess.check_output([sys.executable, "-c", program.format(name)], text=True) for _ in range(5)]
        print(f"| {name} | {min(map(float, runs)) * 1e3:.0f} ms |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--poses", type=int, default=10_000, help="of each batch [default: 10000]")
    options = parser.parse_args()
    mesh_queries(options.poses)
    overhead(options.poses)
    robots(options.poses)
    managers(max(options.poses // 50, 2))
    imports()


if __name__ == "__main__":
    main()
