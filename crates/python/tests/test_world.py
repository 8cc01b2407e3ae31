"""Worlds: frame by frame, against brute force."""

import itertools
import math
from collections.abc import Callable
from typing import Literal

import numpy
import pytest
import xcollide
from conftest import rotations, translations
from xcollide import Model, Shape, World, errors


def at(*translation: float) -> tuple[list[float], list[float]]:
    return [0.0, 0.0, 0.0, 1.0], list(translation)


LAYERS = [{}, {"broad": "sweep", "narrow": "brute-force"}, {"bounding": "oriented", "coherent": True}]


@pytest.mark.parametrize("layers", LAYERS)
def test_frames_are_those_of_single_queries(layers: dict[str, str]) -> None:
    ring = Model.shape("shape:torus?faces=120")
    world = World(**layers)  # type: ignore[arg-type]
    objects = world.add_many(ring, rotations(12, 20))
    assert (len(world), world.objects.tolist()) == (12, objects.tolist())
    events = world.events()
    before: set[tuple[int, int]] = set()
    for frame in range(4):
        poses = rotations(12, 21 + frame)
        poses[:, :3, 3] *= 3.0
        world.set_poses(objects, poses)
        assert (world.poses(objects) == poses).all()
        now = {
            (int(objects[i]), int(objects[j]))
            for i, j in itertools.combinations(range(12), 2)
            if xcollide.intersects(ring, poses[i], ring, poses[j])
        }
        found = world.check()
        assert found.number == frame
        assert {(a, b) for a, b in found.colliding.tolist()} == now
        assert {(a, b) for a, b in found.began.tolist()} == now - before
        assert {(a, b) for a, b in found.persisting.tolist()} == now & before
        assert {(a, b) for a, b in found.ended.tolist()} == before - now
        assert found.points.shape == (len(now), 3)
        assert len(found.undecided) == len(found.failures) == 0
        told = {("began", *pair) for pair in now - before} | {("ended", *pair) for pair in before - now}
        assert {event[1:] for event in events} == told
        before = now
    assert before


def test_names_of_algorithms(box: Model) -> None:
    for kind, names in xcollide.algorithms().items():
        for name in names:
            world = World(**{kind: name})  # type: ignore[arg-type]
            assert f'{kind}="{name}"' in repr(world)
    with pytest.raises(errors.WorldError, match='broad is "quick", expected one of: auto, '):
        World(broad="quick")


def test_dead_objects(box: Model) -> None:
    world = World()
    one, other = world.add(box), world.add(box, at(0.5, 0.0, 0.0))
    assert world.check().began.tolist() == [[one, other]]
    world.remove(one)
    assert one not in world
    assert other in world
    assert world.check().ended.tolist() == [[one, other]]
    again = world.add(box)
    assert again != one, "a number is not given twice"
    for dead in (one, 12345, 2**62 - 1):
        calls: list[Callable[[], object]] = [
            lambda: world.remove(dead),
            lambda: world.pose(dead),
            lambda: world.poses([other, dead]),
            lambda: world.model(dead),
            lambda: world.set_pose(dead, None),
            lambda: world.set_poses(numpy.array([dead], dtype=numpy.uint64), [numpy.eye(4)]),
            lambda: world.set_motion(dead, None),
            lambda: world.attach(dead, other),
            lambda: world.detach(dead),
            lambda: world.set_vertices(dead, box.vertices),
            lambda: world.move_vertices(dead, box.vertices),
            lambda: world.set_group(dead, 1),
            lambda: world.set_pair(other, dead, False),
            lambda: world.ask("contacts", pair=(other, dead)),
            lambda: world.check_many([dead], numpy.zeros((1, 1, 4, 4))),
        ]
        for call in calls:
            with pytest.raises(errors.StaleObjectError, match="no object"):
                call()
    with pytest.raises(errors.ArrayError, match=r"objects\[0\] is -1, expected a number from 0 on"):
        world.poses([-1])
    with pytest.raises(errors.DtypeError, match="objects has dtype float64, expected integers"):
        world.poses([1.5])
    with pytest.raises(OverflowError):
        world.pose(-1)


def test_wrong_poses_leave_the_world_as_it_is(box: Model) -> None:
    world = World()
    one = world.add(box)
    with pytest.raises(errors.ArrayError, match="found 2 poses for 1 objects, expected as many"):
        world.set_poses([one], numpy.tile(numpy.eye(4), (2, 1, 1)))
    bad = translations([[0.0, 0, 0], [math.nan, 0, 0]])
    with pytest.raises(errors.PoseError, match=r"poses\[1\]: "):
        world.add_many(box, bad)
    with pytest.raises(errors.PoseError, match="pose: "):
        world.set_pose(one, bad[1])
    with pytest.raises(errors.MeshError, match="found 1 positions, expected one for each of the 8 vertices"):
        world.set_vertices(one, [[0.0, 0.0, 0.0]])
    assert len(world) == 1
    assert (world.pose(one) == numpy.eye(4)).all()


def test_groups_and_pairs(box: Model) -> None:
    world = World()
    a, b, c = world.add(box), world.add(box, group=1), world.add(box, group=2)
    world.set_groups(0, 1, False)
    assert world.check().colliding.tolist() == [[a, c], [b, c]]
    world.set_pair(a, b, True)
    world.set_group(c, 1)
    assert world.check().colliding.tolist() == [[a, b], [b, c]]
    for call in (lambda: world.set_group(a, 64), lambda: world.set_groups(0, 64, True), lambda: world.add(box, group=99)):
        with pytest.raises(errors.WorldError, match="expected a number below 64"):
            call()


def test_margins_contacts_and_distances(box: Model) -> None:
    world = World()
    a, b, c = world.add(box), world.add(box, at(1.25, 0.0, 0.0)), world.add(box, at(0.0, 0.75, 0.0))
    world.ask("within", 0.25, pair=(a, b))
    world.ask("contacts", pair=(a, c))
    world.ask("distance", 2.0, pair=(b, c))
    frame = world.check()
    assert frame.colliding.tolist() == [[a, b], [a, c]]
    assert frame.points[0, 0] == 0.625
    places, faces, starts, ends = frame.contacts
    assert set(places.tolist()) == {1}
    assert faces.shape == (len(places), 2)
    assert starts.shape == ends.shape == (len(places), 3)
    pairs, distances = frame.distances
    assert (pairs.tolist(), distances.tolist()) == ([[b, c]], [0.25])
    world.set_pose(b, at(math.nextafter(1.25, 2.0), 0.0, 0.0))
    assert world.check().ended.tolist() == [[a, b]]
    with pytest.raises(errors.WorldError, match='"within" needs a value from 0 on'):
        world.ask("within")
    with pytest.raises(errors.WorldError, match='"distance" needs a value from 0 on'):
        world.ask("distance", math.nan)
    with pytest.raises(errors.WorldError, match='what is "colour"'):
        world.ask("colour")  # type: ignore[arg-type]


def test_a_budget_ends_distances_with_bounds() -> None:
    world = World()
    a = world.add(Model.shape("shape:knot?faces=3000"))
    b = world.add(Shape.capsule(1.0, 0.2), at(4.0, 1.0, 0.5))
    world.ask("distance", 20.0)
    exact = world.check().distances[1][0]
    world.set_budget(0.0)
    for _ in range(2):
        frame = world.check()
        pairs, at_least, at_most, parts = frame.bounded_distances
        assert pairs.tolist() == frame.undecided.tolist() == [[a, b]]
        assert len(frame.distances[1]) == 0
        assert (at_least <= exact).all() and (exact <= at_most).all() and (parts > 0).all()
    world.set_budget()
    frame = world.check()
    assert frame.distances[1].tolist() == [exact]
    assert frame.bounded_distances[0].shape == (0, 2)
    with pytest.raises(errors.WorldError, match="seconds is -1, expected a time from 0 on"):
        world.set_budget(-1.0)


def test_kinds_depths_and_manifolds(box: Model) -> None:
    world = World()
    a, b = world.add(box), world.add(box, at(0.0, 0.0, 0.875))
    c = world.add(Model.shape("shape:box?x=0.25&y=0.25&z=0.25"), at(8.0, 0.0, 0.0))
    world.ask("kind")
    events = world.events()
    frame = world.check()
    assert (frame.colliding.tolist(), frame.kinds, frame.kind_changes) == ([[a, b]], ["overlapping"], [])
    world.set_pose(b, at(0.0, 0.0, 1.0))
    world.set_pose(c, at(0.125, 0.0, 0.0))
    frame = world.check()
    assert frame.colliding.tolist() == [[a, b], [a, c]]
    assert frame.kinds == ["touching", "enclosing"]
    assert frame.kind_changes == [(a, b, "overlapping", "touching")]
    assert list(events) == [(0, "began", a, b), (1, "began", a, c), (1, "touching", a, b)]
    world.set_pose(b, at(0.0, 0.0, 0.875))
    world.ask("depth", pair=(a, b))
    world.ask("touch", pair=(a, c))
    frame = world.check()
    assert frame.kinds == [None, None]
    pairs, bounds, directions = frame.depths
    assert pairs.tolist() == [[a, b]]
    assert bounds[0, 0] <= 0.125 <= bounds[0, 1]
    assert directions.tolist() == [[0.0, 0.0, -1.0]]
    world.ask("manifold", pair=(a, b))
    pairs, points, normals, depths, ids = world.check().manifolds
    assert pairs.tolist() == [[a, b]] * 4
    assert points.shape == (4, 3)
    assert normals.tolist() == [[0.0, 0.0, -1.0]] * 4
    assert numpy.allclose(depths, 0.125)
    assert sorted(ids.tolist()) == [0, 1, 2, 3]
    for what in ("kind", "depth", "manifold"):
        with pytest.raises(errors.WorldError, match="has no value"):
            world.ask(what, 1.0)


def test_motion_within_a_check(box: Model) -> None:
    world = World()
    wall, bullet = world.add(box), world.add(box, at(-5.0, 0.5, 0.0))
    world.set_motion(bullet, at(5.0, 0.5, 0.0))
    frame = world.check()
    assert frame.colliding.tolist() == [[wall, bullet]]
    assert frame.first_contact is not None
    low, high = frame.first_contact
    assert low <= 0.4 <= high <= low + 1e-9
    assert frame.times.tolist() == [[low, high]]
    assert world.check().ended.tolist() == [[wall, bullet]]


def test_vertices_that_move_within_a_check(box: Model) -> None:
    world = World()
    wall, soft = world.add(box), world.add(box, at(-5.0, 0.5, 0.0))
    world.move_vertices(soft, box.vertices + [10.0, 0.0, 0.0])
    frame = world.check()
    assert frame.colliding.tolist() == [[wall, soft]]
    assert frame.first_contact is not None
    low, high = frame.first_contact
    assert low <= 0.4 <= high <= low + 1e-9
    assert (world.model(soft).vertices == box.vertices + [10.0, 0.0, 0.0]).all()
    assert world.check().ended.tolist() == [[wall, soft]]


def test_attached_objects_and_moved_vertices(box: Model) -> None:
    world = World()
    parent, far = world.add(box), world.add(box, at(10.0, 0.0, 0.0))
    child = world.add(box)
    world.attach(child, parent, at(3.0, 0.0, 0.0))
    world.set_pose(parent, at(6.5, 0.0, 0.0))
    assert world.check().colliding.tolist() == [[far, child]]
    assert world.pose(child)[0, 3] == 9.5
    world.detach(child)
    world.set_pose(parent, at(0.0, 0.0, 0.0))
    assert world.check().persisting.tolist() == [[far, child]]
    world.set_vertices(child, 0.5 * box.vertices - [1.0, 0.0, 0.0])
    assert world.check().ended.tolist() == [[far, child]]
    assert (world.model(far).vertices == box.vertices).all()


def test_snapshots_go_on_where_the_world_was(ring: Model) -> None:
    world = World()
    objects = world.add_many(ring, rotations(8, 40))
    first = world.check()
    assert len(first.began) > 0
    snapshot = world.snapshot()
    assert isinstance(snapshot, bytes)
    again = World.restore(snapshot, broad="sweep")
    for seed in (41, 42):
        poses = rotations(8, seed)
        for each in (world, again):
            each.set_poses(objects, poses)
        one, other = world.check(), again.check()
        assert one.number == other.number
        for name in ("began", "persisting", "ended"):
            assert (getattr(one, name) == getattr(other, name)).all()
    for damaged in (b"", b"nothing", snapshot[: len(snapshot) // 2], snapshot[:-1]):
        with pytest.raises(errors.SnapshotError):
            World.restore(damaged)
    changed = bytearray(snapshot)
    for place in range(0, len(changed), max(1, len(changed) // 200)):
        changed[place] ^= 0x55
        try:
            World.restore(bytes(changed))
        except errors.SnapshotError:
            pass
        changed[place] ^= 0x55


def test_many_configurations(ring: Model, box: Model) -> None:
    world = World()
    world.add(box)
    objects = world.add_many(ring, rotations(3, 50))
    configurations = rotations(900, 51).reshape(300, 3, 4, 4)
    configurations[:, :, :3, 3] *= 3.0
    expected = []
    for poses in configurations[::10]:
        world.set_poses(objects, poses)
        expected.append(len(world.check().colliding))
    kept = world.poses(objects)
    for threads in (1, 2, None):
        counts = world.check_many(objects, configurations, threads=threads)
        assert counts[::10].tolist() == expected
    assert len(set(expected)) > 2
    assert (world.poses(objects) == kept).all()
    with pytest.raises(errors.ArrayError, match=r"configurations has shape \(300, 3, 4, 4\), expected \(n, 1, 4, 4\)"):
        world.check_many(objects[:1], configurations)
    configurations[7, 1, 0, 3] = math.nan
    with pytest.raises(errors.PoseError, match=r"configurations\[7\]\[1\]: "):
        world.check_many(objects, configurations)


def test_rays_and_spheres_meet_the_first_object(box: Model, ring: Model) -> None:
    world = World()
    poses = rotations(60, 31)
    poses[:, :3, 3] *= 6.0
    objects = world.add_many(ring, poses)
    random = numpy.random.default_rng(32)
    origins, directions = random.uniform(-8.0, 8.0, (400, 3)), random.uniform(-1.0, 1.0, (400, 3))
    alone = [xcollide.ray_cast_many(ring, pose, origins, directions) for pose in poses]
    parameters = numpy.array([found[0] for found in alone])
    first = parameters.argmin(axis=0)
    expected = numpy.where(numpy.isinf(parameters.min(axis=0)), -1, objects.astype(numpy.int64)[first])
    for threads in (1, 3):
        found, times, faces = world.ray_cast_many(origins, directions, threads=threads)
        assert (times == parameters.min(axis=0)).all()
        assert (found == expected).all()
        assert ((faces >= 0) == (found >= 0)).all()
    assert 40 < (expected >= 0).sum() < 390
    ends = origins + 4.0 * directions
    radii = random.uniform(0.0, 0.5, 400)
    times = numpy.array([xcollide.sphere_cast_many(ring, pose, origins, ends, radii)[0] for pose in poses])
    found, first_times, _ = world.sphere_cast_many(origins, ends, radii, threads=2)
    assert (first_times == times.min(axis=0)).all()
    assert ((found >= 0) == numpy.isfinite(first_times)).all()
    assert 40 < (found >= 0).sum() < 390
    with pytest.raises(errors.QueryError, match="ray 1: the direction is"):
        world.ray_cast_many(origins[:2], [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    with pytest.raises(errors.QueryError, match="sphere 0: the radius is"):
        world.sphere_cast_many(origins[:1], ends[:1], [-1.0])
    ball = World()
    ball.add(Shape.ball(1.0))
    found, parameters, faces = ball.ray_cast_many([[0.0, 0.0, 5.0]], [[0.0, 0.0, -1.0]])
    # A formula has no faces.
    assert found[0] >= 0 and faces.tolist() == [-1] and parameters[0] == pytest.approx(4.0)


def test_contacts_are_assumed_under_a_limit(box: Model) -> None:
    world = World()
    one, other, third = world.add_many(box, [numpy.eye(4)] * 3).tolist()
    world.set_pose(other, at(0.5, 0.0, 0.0))
    world.set_pose(third, at(0.0, 0.75, 0.0))
    world.set_limit(tests=1, assume_contact=True)
    frame = world.check()
    pairs, boxes = frame.assumed
    assert len(frame.colliding) == 1 and pairs.tolist() == frame.undecided.tolist()
    assert pairs.tolist() == [[one, third], [other, third]] and boxes.shape == (2, 2, 3)
    # The boxes of the objects are a little larger than the objects.
    assert boxes[0] == pytest.approx(numpy.array([[-0.5, 0.25, -0.5], [0.5, 0.5, 0.5]]), abs=1e-12)
    world.set_limit()
    frame = world.check()
    assert len(frame.colliding) == 3 and len(frame.assumed[0]) == 0
    world.set_limit(tests=1)
    world.set_pose(third, at(0.0, 0.5, 0.0))
    assert len(world.check().assumed[0]) == 0
    with pytest.raises(errors.WorldError, match="tests is 0"):
        world.set_limit(tests=0)
    with pytest.raises(errors.WorldError, match="seconds is -1"):
        world.set_limit(-1.0)


def test_time_of_contact(box: Model) -> None:
    kind: Literal["linear", "screw"]
    found = xcollide.time_of_contact(box, at(-5, 0, 0), at(5, 0, 0), box, None, None)
    assert found.collides
    assert bool(found)
    assert found.interval is not None
    assert found.witness is not None
    found.verify()
    missed = xcollide.time_of_contact(box, at(-5, 1.5, 0), at(5, 1.5, 0), box, None, None)
    assert (missed.collides, missed.interval, missed.witness) == (False, None, None)
    missed.verify()
    half = math.sqrt(0.5)
    turned = ([0.0, 0.0, half, half], [5.0, 0.0, 0.0])
    for kind in ("linear", "screw"):
        turning = xcollide.time_of_contact(box, at(-5, 0, 0), turned, box, None, None, kind=kind)
        # The screw leads around the other box.
        assert turning.collides is (kind == "linear")
        turning.verify()
    with pytest.raises(ValueError, match='kind is "spline"'):
        xcollide.time_of_contact(box, None, None, box, None, None, kind="spline")  # type: ignore[arg-type]
    with pytest.raises(errors.QueryError, match="width"):
        xcollide.time_of_contact(box, at(-5, 0, 0), turned, box, None, None, width=-1.0)


def test_shapes_are_objects() -> None:
    world = World()
    ground = world.add(Shape.half_space())
    balls = world.add_many(Shape.ball(0.5), translations([[0, 0, 0.25], [5, 0, 0.75], [9, 0, 0.5]]))
    box = world.add(Model.shape("shape:box?x=1&y=1&z=1"), ([0, 0, 0, 1], [5.0, 0.0, 1.5]))
    corners = numpy.concatenate([numpy.eye(3), -numpy.eye(3)])
    rounded = world.add(Shape.hull(corners, 0.25), at(20.0, 0.0, 1.25))
    frame = world.check()
    # Touching is colliding: the last ball stands on the ground.
    expected = [[ground, balls[0]], [ground, balls[2]], [ground, rounded], [balls[1], box]]
    assert frame.colliding.tolist() == expected
    assert isinstance(world.model(ground), Shape)
    assert isinstance(world.model(box), Model)
    # Cones that touch at a point which floats do not have.
    cones = [world.add(Shape.cone(1.0, radius), at(x, y, 50.0)) for radius, x, y in [(2.0, 3.0, 4.0), (3.0, 0.0, 0.0)]]
    frame = world.check()
    assert frame.colliding.tolist() == [*expected, cones]
    assert len(frame.undecided) == 0
