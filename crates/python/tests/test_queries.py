"""Queries about two bodies at one pose each, against answers known by reasoning."""

import copy
import math
import pickle

import numpy
import pytest
import xcollide
from conftest import rotations, translations
from xcollide import Model, Shape

IDENTITY = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0])


def at(*translation: float) -> tuple[list[float], list[float]]:
    return [0.0, 0.0, 0.0, 1.0], list(translation)


def test_touching_is_colliding_to_the_last_bit(box: Model) -> None:
    assert xcollide.intersects(box, None, box, at(1.0, 0.0, 0.0))
    assert not xcollide.intersects(box, None, box, at(math.nextafter(1.0, 2.0), 0.0, 0.0))


def test_solid_and_surface(box: Model) -> None:
    small = Model(0.25 * box.vertices, box.faces)
    assert xcollide.intersects(box, None, small, None)
    assert not xcollide.intersects(box, None, small, None, semantics="surface")
    assert xcollide.distance(box, None, small, None) == 0.0
    assert xcollide.distance(box, None, small, None, semantics="surface") == 0.375
    with pytest.raises(ValueError, match='semantics is "fluid", expected "solid" or "surface"'):
        xcollide.intersects(box, None, box, None, semantics="fluid")  # type: ignore[arg-type]


def test_matrices_are_kept_bit_for_bit(box: Model) -> None:
    # A rotation by a quarter turn whose zeros are not quite zero: the corner that would touch does not.
    pose = numpy.eye(4)
    pose[:3, :3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    pose[0, 3] = 1.0
    assert xcollide.intersects(box, None, box, pose)
    pose[0, 3] = math.nextafter(1.0, 2.0)
    assert not xcollide.intersects(box, None, box, pose)
    pose[0, 0] = pose[1, 1] = -1e-9
    assert xcollide.intersects(box, None, box, pose)


def test_matrix_and_quaternion_agree(ring: Model) -> None:
    half = math.sqrt(0.5)
    quarter = numpy.eye(4)
    quarter[:3, :3] = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
    for x in numpy.linspace(0.0, 3.0, 13):
        quarter[0, 3] = x
        turned = ([half, 0.0, 0.0, half], [x, 0.0, 0.0])
        found = xcollide.distance(ring, None, ring, turned)
        assert found == pytest.approx(xcollide.distance(ring, None, ring, quarter), abs=1e-12)


def test_verdicts_verify(box: Model, ring: Model) -> None:
    kinds = set()
    for pose in [*rotations(40, 1), *translations([[3.0, 0.0, 0.0]])]:
        verdict = xcollide.check(ring, pose, ring, None)
        verdict.verify()
        kinds.add(verdict.kind)
        assert bool(verdict) == verdict.collides == xcollide.intersects(ring, pose, ring, None)
        assert (verdict.witness is not None) == verdict.collides
        if verdict.plane is not None:
            normal, offset = verdict.plane
            moved = ring.vertices @ pose[:3, :3].T + pose[:3, 3]
            assert (moved @ normal).max() <= offset + 1e-12
            assert (ring.vertices @ normal).min() >= offset - 1e-12
    assert {"witness", "plane"} <= kinds
    half = math.sqrt(0.5)
    linked = xcollide.check(ring, ([half, 0.0, 0.0, half], [1.0, 0.0, 0.0]), ring, None)
    assert (linked.collides, linked.kind) == (False, "front")
    linked.verify()


def test_witness_of_two_boxes(box: Model) -> None:
    witness = xcollide.check(box, None, box, at(0.5, 0.5, 0.5)).witness
    assert witness is not None
    assert witness.point.shape == (3,)
    assert numpy.abs(witness.point).max() <= 0.5
    assert witness.a[0] in {"face", "edge", "vertex", "body"}


def test_contacts_of_two_boxes(box: Model) -> None:
    found = xcollide.contacts(box, None, box, at(0.5, 0.5, 0.5))
    assert len(found) == len(found.faces) == len(found.starts) == len(found.ends) > 0
    found.verify()
    assert found.faces.dtype == numpy.uint32
    assert found.faces.max() < box.face_count
    assert found.triangles.max() < len(box.triangles)
    for number in range(len(found)):
        corners = found.corners(number)
        assert corners.shape[1] == 3
        assert corners.min() >= 0.0
        assert corners.max() <= 0.5
    with pytest.raises(IndexError, match=f"contact {len(found)} of {len(found)}"):
        found.corners(len(found))
    assert len(xcollide.contacts(box, None, box, at(2.0, 0.0, 0.0))) == 0


def test_closest_points_and_distance(box: Model) -> None:
    found = xcollide.closest_points(box, None, box, at(2.0, 0.25, 0.0))
    assert found.distance == 1.0
    assert found.points.shape == (2, 3)
    assert found.points[:, 0].tolist() == [0.5, 1.5]
    assert found.faces is not None
    assert xcollide.distance(box, None, box, at(0.5, 0.0, 0.0)) == 0.0


def test_a_distance_in_time_is_between_its_bounds() -> None:
    knot, torus = Model.shape("shape:knot?faces=2000"), Model.shape("shape:torus?faces=2000")
    capsule = Shape.capsule(0.5, 0.2)
    ended = 0
    for body in (torus, capsule):
        exact = xcollide.closest_points(knot, None, body, at(4.0, 1.0, 0.5)).distance
        for seconds in (0.0, 1e-6, 1e-5, 1e-4, 60.0):
            found = xcollide.distance_in_time(knot, None, body, at(4.0, 1.0, 0.5), seconds)
            assert found.at_least <= exact + 1e-12
            assert exact - 1e-12 <= found.nearest.distance
            ended += found.parts_left > 0
            assert found.parts_left > 0 or found.nearest.distance == pytest.approx(exact, abs=1e-12)
            assert f"parts_left={found.parts_left}" in repr(found)
        assert found.parts_left == 0
    assert ended >= 2
    with pytest.raises(xcollide.errors.QueryError, match="seconds is -1, expected a time from 0 on"):
        xcollide.distance_in_time(knot, None, torus, None, -1.0)


def test_regions_that_are_near(box: Model) -> None:
    found = xcollide.near_regions(box, None, box, at(1.125, 0.0, 0.0), 0.25)
    assert len(found) == 1
    assert found.distances.tolist() == [0.125]
    assert found.points.shape == (1, 2, 3)
    assert (found.points[0, 1] - found.points[0, 0]).tolist() == [0.125, 0.0, 0.0]
    assert found.normals.tolist() == [[1.0, 0.0, 0.0]]
    assert found.faces.shape == (1, 2)
    assert found.pairs[0] > 1
    found.verify()
    none = xcollide.near_regions(box, None, box, at(1.5, 0.0, 0.0), 0.25)
    assert len(none) == 0
    assert none.points.shape == (0, 2, 3)
    # Two boxes of one model beside a box: one region each.
    two = Model(
        numpy.concatenate([box.vertices, box.vertices + [0.0, 5.0, 0.0]]),
        numpy.concatenate([box.triangles, box.triangles + len(box.vertices)]),
    )
    wall = Model.shape("shape:box?x=1&y=20&z=1")
    assert len(xcollide.near_regions(two, None, wall, at(1.0, 0.0, 0.0), 0.0)) == 2
    ball = xcollide.Shape.ball(1.0)
    beside = xcollide.near_regions(ball, at(1.75, 0.0, 0.0), box, None, 0.5)
    assert len(beside) == 1
    assert abs(beside.distances[0] - 0.25) < 1e-12
    assert numpy.allclose(beside.normals, [[-1.0, 0.0, 0.0]], atol=1e-12)
    assert beside.faces.tolist() == [[-1, -1]]
    beside.verify()
    assert len(xcollide.near_regions(ball, at(5.0, 0.0, 0.0), ball, None, 2.5)) == 0
    ground = xcollide.Shape.half_space()
    ceiling = numpy.diag([1.0, -1.0, -1.0, 1.0])
    ceiling[2, 3] = 2.5
    assert xcollide.near_regions(ground, None, ground, ceiling, 3.0).distances == pytest.approx([2.5])


def test_a_height_field_is_a_body_below_its_samples() -> None:
    rows, columns = numpy.mgrid[0:40, 0:30]
    heights = numpy.sin(0.3 * rows) * numpy.cos(0.2 * columns)
    ground = Model.height_field(heights, [0.5, 0.25], -2.0)
    x, y = 0.5 * (columns - 14.5), 0.25 * (rows - 19.5)
    # Vertically from above each sample that is not on the border, and beside it within the body.
    inner = numpy.stack([x, y, numpy.full_like(x, 9.0)], axis=-1)[1:-1, 1:-1].reshape(-1, 3)
    reached, _ = xcollide.ray_cast_many(ground, None, inner, numpy.tile([0.0, 0.0, -1.0], (len(inner), 1)))
    expected = heights[1:-1, 1:-1].reshape(-1)
    assert numpy.allclose(9.0 - reached, expected, atol=1e-12)
    below = inner.copy()
    below[:, 2] = expected - 0.001
    assert xcollide.contains(ground, None, below).all()
    below[:, 2] = expected + 0.001
    assert not xcollide.contains(ground, None, below).any()
    ball = xcollide.Shape.ball(0.5)
    assert xcollide.intersects(ball, at(0.0, 0.0, -1.0), ground, None)
    with pytest.raises(xcollide.errors.ShapeError):
        Model.height_field(heights, [0.5, 0.25], 0.0)
    with pytest.raises(xcollide.errors.ArrayError):
        Model.height_field([1.0, 2.0], [0.5, 0.25], 0.0)


def test_nearest_points_are_on_the_surface(box: Model) -> None:
    random = numpy.random.default_rng(7)
    points = random.uniform(-1.0, 1.0, (2000, 3))
    distances, nearest, faces = xcollide.nearest_points(box, None, points, signed=True)
    beyond = numpy.abs(points) - 0.5
    outside = numpy.linalg.norm(numpy.maximum(beyond, 0.0), axis=1)
    expected = numpy.where(outside > 0.0, outside, beyond.max(axis=1))
    assert numpy.allclose(distances, expected, atol=1e-12)
    assert numpy.allclose(numpy.abs(nearest).max(axis=1), 0.5)
    assert (faces >= 0).all()
    unsigned, same, _ = xcollide.nearest_points(box, None, points, threads=1)
    assert (unsigned == numpy.abs(distances)).all()
    assert (same == nearest).all()
    of_ball, _, none = xcollide.nearest_points(xcollide.Shape.ball(1.0), None, [[0.0, 0.0, 3.0]])
    assert (of_ball[0], none[0]) == (2.0, -1)
    with pytest.raises(xcollide.errors.QueryError, match="point 1"):
        xcollide.nearest_points(box, None, [[0.0, 0.0, 0.0], [numpy.nan, 0.0, 0.0]])


def test_penetration_has_bounds(box: Model) -> None:
    found = xcollide.penetration(box, at(0.75, 0.125, 0.0), box, None)
    assert found is not None
    assert found.direction.tolist() == [1.0, 0.0, 0.0]
    assert found.at_least <= 0.25 <= found.at_most <= found.at_least + 1e-12
    assert xcollide.penetration(box, at(2.0, 0.0, 0.0), box, None) is None


def test_rays(box: Model) -> None:
    hit = xcollide.ray_cast(box, at(0.0, 0.0, 1.0), [0.25, 0.125, 5.0], [0.0, 0.0, -1.0])
    assert hit is not None
    assert (hit.parameter, hit.point.tolist()) == (3.5, [0.25, 0.125, 1.5])
    hit = xcollide.ray_cast(Shape.ball(1.0), at(0.0, 0.0, 1.0), [0.0, 0.0, 5.0], [0.0, 0.0, -1.5])
    assert hit is not None and hit.face is None and hit.parameter == 2.0
    deep = xcollide.penetration(Shape.ball(1.0), at(1.5, 0.0, 0.0), Shape.ball(1.0), None)
    assert deep is not None and deep.at_least <= 0.5 <= deep.at_most < 0.5 + 1e-12
    assert deep.direction.tolist() == [1.0, 0.0, 0.0]
    rays = [[0.0, 0.0, 5.0], [3.0, 0.0, 5.0]], [[0.0, 0.0, -1.0]] * 2
    parameters, faces = xcollide.ray_cast_many(Shape.ball(1.0), None, *rays)
    assert parameters.tolist() == [4.0, numpy.inf] and faces.tolist() == [-1, -1]
    assert xcollide.ray_cast(box, None, [0.25, 0.125, 5.0], [0.0, 0.0, -1.0], 4.0) is None
    origins = [[x, 0.125, 5.0] for x in (0.0, 0.5, 0.75)]
    parameters, faces = xcollide.ray_cast_many(box, None, origins, [[0.0, 0.0, -1.0]] * 3)
    assert parameters.tolist() == [4.5, 4.5, math.inf]
    assert (faces >= 0).tolist() == [True, True, False]
    with pytest.raises(xcollide.errors.QueryError, match="ray 1: the direction is"):
        xcollide.ray_cast_many(box, None, origins[:2], [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    with pytest.raises(xcollide.errors.ArrayError, match="found 1 directions for 3 origins"):
        xcollide.ray_cast_many(box, None, origins, [[0.0, 0.0, 1.0]])


def test_moving_spheres(box: Model) -> None:
    starts = [[0.0, 0.0, 5.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.75]]
    ends = [[0.0, 0.0, 0.5], [0.0, 0.0, math.nextafter(1.0, 2.0)], [0.0, 0.0, 0.75]]
    times, faces = xcollide.sphere_cast_many(box, None, starts, ends, [0.25, 0.5, 0.25])
    assert times.tolist() == [pytest.approx(4.25 / 4.5), math.inf, 0.0]
    assert (faces >= 0).tolist() == [True, False, True]
    random = numpy.random.default_rng(5)
    starts, ends = random.uniform(-1.5, 1.5, (2, 1000, 3))
    radii = random.uniform(0.0, 0.25, 1000)
    one = xcollide.sphere_cast_many(box, None, starts, ends, radii, threads=1)
    three = xcollide.sphere_cast_many(box, None, starts, ends, radii, threads=3)
    assert (one[0] == three[0]).all() and (one[1] == three[1]).all()
    with pytest.raises(xcollide.errors.QueryError, match="sphere 1: the radius is"):
        xcollide.sphere_cast_many(box, None, starts[:2], ends[:2], [0.5, -1.0])
    with pytest.raises(xcollide.errors.ArrayError, match=r"radii has shape \(3,\), expected \(2,\)"):
        xcollide.sphere_cast_many(box, None, starts[:2], ends[:2], [0.5] * 3)
    with pytest.raises(xcollide.errors.ArrayError, match="found 1 ends for 2 starts"):
        xcollide.sphere_cast_many(box, None, starts[:2], ends[:1], [0.5] * 2)


def test_points_in_a_body(box: Model) -> None:
    assert xcollide.contains(box, None, [0.5, 0.5, 0.5]) is True
    assert xcollide.contains(box, None, [math.nextafter(0.5, 1.0), 0.0, 0.0]) is False
    points = numpy.random.default_rng(2).uniform(-1.0, 1.0, (2000, 3))
    inside = xcollide.contains(box, None, points)
    assert inside.tolist() == (numpy.abs(points).max(axis=1) <= 0.5).tolist()
    with pytest.raises(xcollide.errors.QueryError, match="point 7: the point is"):
        points[7, 1] = math.nan
        xcollide.contains(box, None, points)


def test_shapes_by_formulas() -> None:
    ball, cone = Shape.ball(0.5), Shape.cone(1.0, 0.5)
    assert xcollide.distance(ball, at(2.0, 0.0, 0.0), ball, None) == 1.0
    assert xcollide.intersects(cone, None, ball, at(0.0, 0.0, 1.25))
    assert not xcollide.intersects(cone, None, ball, at(0.0, 0.0, 1.75))
    cases = [
        (Shape.box([0.5, 1.0, 1.5]), 0.5),
        (Shape.capsule(1.0, 0.25), 0.25),
        (Shape.cylinder(1.0, 0.75), 0.75),
        (Shape.ellipsoid([0.75, 1.0, 0.5]), 0.75),
        (Shape.hull(numpy.array([[0.5, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]), 0.25), 0.75),
    ]
    for shape, extent in cases:
        found = xcollide.closest_points(shape, None, ball, at(3.0, 0.0, 0.0))
        assert found.distance == pytest.approx(2.5 - extent, abs=1e-10), shape
        assert found.faces is None
    # Touching is colliding: balls, rounded polytopes, cones at the rims of their bases.
    assert xcollide.intersects(ball, at(1.0, 0.0, 0.0), ball, None)
    rounded, _ = cases[-1]
    assert xcollide.intersects(rounded, at(0.0, 0.0, 1.75), ball, None)
    small, large = Shape.cone(1.0, 2.0), Shape.cone(1.0, 3.0)
    assert xcollide.intersects(small, at(3.0, 4.0, 0.0), large, None)
    beside = translations([[3, 4, 0], [3, numpy.nextafter(4, 5), 0]])
    assert xcollide.intersects_many(small, beside, large, None).tolist() == [True, False]
    ground = Shape.half_space()
    ceilings = numpy.stack([numpy.diag([1.0, -1.0, -1.0, 1.0])] * 3)
    ceilings[:, 2, 3] = [0.0, 1e-100, 1e300]
    assert xcollide.intersects_many(ground, ceilings, ground, None).tolist() == [True, False, False]
    # One that leans by so little that it meets the ground where f64 ends.
    ceilings[2, 1, 2] = 1e-16
    with pytest.raises(xcollide.errors.UndecidedError, match="pose 2: rounding hides the answer"):
        xcollide.intersects_many(ground, ceilings, ground, None)
    assert xcollide.distance_many(ground, ceilings, ground, None) == pytest.approx([0.0, 1e-100, 0.0], abs=0.0)
    with pytest.raises(xcollide.errors.ShapeError, match="radius is -1, expected a number between"):
        Shape.ball(-1.0)
    assert repr(ball) == "Shape.ball(radius=0.5)"


def test_shapes_against_meshes(box: Model) -> None:
    ball, ground = Shape.ball(0.5), Shape.half_space()
    assert repr(ground) == "Shape.half_space()"
    # A ball that touches a face is decided exactly, as is a half space that touches a corner.
    assert xcollide.intersects(ball, at(1.0, 0.0, 0.0), box, None)
    assert not xcollide.intersects(ball, at(math.nextafter(1.0, 2.0), 0.0, 0.0), box, None)
    assert xcollide.intersects(box, at(0.0, 0.0, 0.5), ground, None)
    assert not xcollide.intersects(box, at(0.0, 0.0, math.nextafter(0.5, 1.0)), ground, None)
    assert xcollide.distance(box, at(0.0, 0.0, 3.0), ground, None) == 2.5
    cylinder = Shape.cylinder(1.0, 0.25)
    for pose, meets in ((at(0.7, 0.0, 0.0), True), (at(0.8, 0.0, 0.0), False)):
        verdict = xcollide.check(cylinder, pose, box, None)
        assert bool(verdict) is meets
        verdict.verify()
    many = translations(numpy.random.default_rng(3).uniform(-1.0, 1.0, (500, 3)).tolist())
    met = xcollide.intersects_many(cylinder, many, box, None, threads=2)
    assert 0 < met.sum() < 500
    assert (met == (xcollide.distance_many(cylinder, many, box, None) == 0.0)).all()


def test_shapes_in_motion() -> None:
    ball = Shape.ball(0.25)
    fall = xcollide.time_of_contact(ball, at(0, 0, 1.0), at(4.0, 0, -1.0), Shape.half_space(), None, None)
    assert fall.collides is True
    assert fall.interval is not None
    assert fall.interval[0] <= 0.375 <= fall.interval[1]
    fall.verify()
    past = xcollide.time_of_contact(ball, at(-4, 1, 0), at(4, 1, 0), Shape.capsule(0.5, 0.5), None, None)
    assert past.collides is False
    past.verify()


def test_classification_and_repair(box: Model) -> None:
    found = box.classify()
    assert found.properties == [
        "manifold", "closed", "oriented", "planar-faces", "convex-faces", "convex", "connected",
    ]
    assert (found.interior, found.euler_characteristic, found.component_count) == ("winding", 2, 1)
    assert (found.vertex_count, found.edge_count, found.face_count) == (8, 12, 6)
    open_box = Model(box.vertices, box.faces[1:])
    assert len(open_box.classify().boundary_edges) == 4
    assert (open_box.interior, open_box.is_closed) == (None, False)
    turned = Model(box.vertices, [box.faces[0][::-1], *box.faces[1:]])
    assert len(turned.classify().misoriented_edges) == 4
    repaired = turned.repair()
    assert repaired.report == "1 face turned"
    assert repaired.is_clean
    assert "oriented" in repaired.model.classify().properties
    assert repaired.face_origin.tolist() == list(range(6))
    assert len(turned.repair(triangulate=True).model.faces) == 12
    with pytest.raises(ValueError, match="weld is -1, expected"):
        box.repair(weld=-1)
    volume, centroid, inertia = box.mass_properties()
    assert (volume, centroid.tolist(), inertia.shape) == (1.0, [0.0, 0.0, 0.0], (3, 3))
    with pytest.raises(xcollide.errors.MeshError, match="not closed"):
        open_box.mass_properties()


def test_self_intersections() -> None:
    corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 1], [-2, -2, -1]]
    folded = Model(corners, [[0, 1, 2], [2, 1, 3], [2, 3, 4]])
    assert folded.self_intersects()
    assert folded.self_intersections().tolist() == [[0, 2]]


def test_models_from_arrays_files_and_meshes(box: Model, tmp_path: object) -> None:
    for name in ("box.obj", "box.off", "box.ply"):
        path = f"{tmp_path}/{name}"
        box.save(path)
        again = Model.load(path)
        assert (again.vertices == box.vertices).all()
        assert again.faces == box.faces
    for clone in (pickle.loads(pickle.dumps(box)), copy.deepcopy(box)):
        assert (clone.vertices == box.vertices).all()
        assert clone.faces == box.faces
    assert Model.hull(numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.25, 0.25, 0.25]])).vertex_count == 4
    assert box.moved(2.0 * box.vertices).bounds.tolist() == [[-1.0] * 3, [1.0] * 3]
    assert box.prepare() is box
    assert len(box.triangles) == len(box.triangle_faces) == 12


def test_answers_are_those_of_every_layout(ring: Model) -> None:
    poses = rotations(300, 3)
    expected = xcollide.intersects_many(ring, poses, ring, None)
    assert 0 < expected.sum() < 300
    assert expected.dtype == bool
    read_only = poses.copy()
    read_only.flags.writeable = False
    packed = numpy.zeros(300, dtype=[("x", "u1"), ("pose", "f8", (4, 4))])
    packed["pose"] = poses
    assert not packed["pose"].flags.aligned
    layouts = [
        read_only,
        numpy.asfortranarray(poses),
        numpy.repeat(poses, 2, axis=0)[::2],
        poses.astype(">f8"),
        poses.astype(numpy.longdouble),
        packed["pose"],
        poses.tolist(),
    ]
    for layout in layouts:
        assert (xcollide.intersects_many(ring, layout, ring, None) == expected).all()
    for threads in (1, 2, 3, 64, None):
        assert (xcollide.intersects_many(ring, poses, ring, None, threads=threads) == expected).all()


def test_batches_are_the_single_queries(box: Model, ring: Model) -> None:
    poses, others = rotations(600, 4), rotations(600, 5)
    for a, b in ((box, ring), (box, box), (Shape.ball(0.5), Shape.cylinder(0.25, 0.5))):
        many = xcollide.intersects_many(a, poses, b, others, threads=2)
        distances, points, faces = xcollide.closest_points_many(a, poses, b, others, threads=2)
        assert (xcollide.distance_many(a, poses, b, others, threads=1) == distances).all()
        for number in range(0, 600, 7):
            pose, other = poses[number], others[number]
            assert xcollide.intersects(a, pose, b, other) == many[number]
            found = xcollide.closest_points(a, pose, b, other)
            assert found.distance == distances[number]
            assert (found.points == points[number]).all()
            assert (found.faces or (-1, -1)) == tuple(faces[number])
    empty = xcollide.intersects_many(box, numpy.zeros((0, 4, 4)), box, None)
    assert empty.shape == (0,)
    assert empty.dtype == bool
    quaternions = numpy.tile([0.0, 0.0, 0.0, 1.0], (3, 1))
    offsets = numpy.array([[0.0, 0, 0], [1, 0, 0], [1.5, 0, 0]])
    assert xcollide.intersects_many(box, None, box, (quaternions, offsets)).tolist() == [True, True, False]
    assert xcollide.distance_many(box, IDENTITY, box, (quaternions, offsets)).tolist() == [0.0, 0.0, 0.5]
