"""Wrong input is an exception that says what was found and what was expected; nothing crashes."""

import math
from collections.abc import Callable

import numpy
import pytest
import xcollide
from xcollide import Model, Shape, errors

EYE = numpy.eye(4)


def changed(place: tuple[int, int], value: float) -> numpy.ndarray:
    pose = numpy.eye(4)
    pose[place] = value
    return pose


BAD_POSES: list[tuple[object, type[Exception], str]] = [
    (numpy.eye(3), errors.ArrayError, r"pose_a has shape \(3, 3\), expected \(4, 4\)"),
    (numpy.ones((2, 4, 4)), errors.ArrayError, r"pose_a has shape \(2, 4, 4\), expected \(4, 4\)"),
    (5.0, errors.ArrayError, r"pose_a has shape \(\), expected \(4, 4\)"),
    ([[1.0], [1.0, 2.0]], errors.ArrayError, "pose_a is a list, expected an array"),
    (changed((0, 3), math.nan), errors.PoseError, "pose_a: "),
    (changed((1, 1), math.inf), errors.PoseError, "pose_a: "),
    (changed((0, 0), 2.0), errors.PoseError, "pose_a: "),
    (changed((0, 0), -1.0), errors.PoseError, "pose_a: "),
    (changed((3, 0), 1.0), errors.PoseError, "the last row of the matrix is .*; is it transposed"),
    (EYE.astype(complex), errors.DtypeError, "pose_a has dtype complex128, expected float64"),
    (EYE.astype(object), errors.DtypeError, "pose_a has dtype object, expected float64"),
    (EYE.astype(str), errors.DtypeError, "pose_a has dtype <U32, expected float64"),
    ("identity", errors.DtypeError, "pose_a has dtype <U8, expected float64"),
    (([0, 0, 0, 2], [0, 0, 0]), errors.PoseError, "pose_a: .*length"),
    (([0, 0, 0], [0, 0, 0]), errors.ArrayError, r"the quaternion of pose_a has shape \(3,\), expected \(4,\)"),
    (([0, 0, 0, 1], [0, 0]), errors.ArrayError, r"the translation of pose_a has shape \(2,\), expected \(3,\)"),
    (([0, 0, 0, 1], [0, 0, 1e308 * 10]), errors.PoseError, "pose_a: "),
]


@pytest.mark.parametrize(("pose", "kind", "text"), BAD_POSES)
def test_poses(box: Model, pose: object, kind: type[Exception], text: str) -> None:
    queries: list[Callable[..., object]] = [
        xcollide.intersects, xcollide.check, xcollide.contacts, xcollide.distance,
        xcollide.closest_points, xcollide.penetration,
    ]
    for query in queries:
        with pytest.raises(kind, match=text):
            query(box, pose, box, None)


def test_poses_of_batches_are_told_by_number(box: Model) -> None:
    poses = numpy.tile(EYE, (700, 1, 1))
    poses[300, 2, 3] = math.nan
    poses[650, 0, 0] = 7.0
    for query in (xcollide.intersects_many, xcollide.distance_many, xcollide.closest_points_many):
        for threads in (1, 4):
            with pytest.raises(errors.PoseError, match=r"poses_a\[300\]: "):
                query(box, poses, box, None, threads=threads)
    with pytest.raises(errors.PoseError, match=r"poses_b\[1\]: .*transposed"):
        xcollide.intersects_many(box, None, box, numpy.stack([EYE, changed((3, 1), 1.0)]))
    with pytest.raises(errors.ArrayError, match=r"poses_a has shape \(5, 3, 4\), expected \(n, 4, 4\)"):
        xcollide.intersects_many(box, numpy.zeros((5, 3, 4)), box, None)
    with pytest.raises(errors.ArrayError, match="found 3 poses_a and 2 poses_b, expected as many"):
        xcollide.intersects_many(box, poses[:3], box, poses[:2])
    with pytest.raises(errors.ArrayError, match="found one pose of each body"):
        xcollide.intersects_many(box, None, box, None)
    with pytest.raises(errors.PoseError, match="has 2 quaternions and 1 translations"):
        xcollide.intersects_many(box, (numpy.eye(4)[2:], numpy.zeros((1, 3))), box, None)
    with pytest.raises(ValueError, match="threads is 0, expected a number from 1 on"):
        xcollide.intersects_many(box, poses, box, None, threads=0)
    with pytest.raises(errors.PoseError, match=r"poses_a\[0\]: "):
        xcollide.intersects_many(box, numpy.array([changed((0, 3), 1.7e308)]), box, None)


def test_operands(box: Model) -> None:
    ball = Shape.ball(1.0)
    with pytest.raises(errors.DtypeError, match="a is a str, expected a xcollide.Model"):
        xcollide.intersects("box", None, box, None)  # type: ignore[arg-type]
    with pytest.raises(errors.DtypeError, match="b is a NoneType, expected a xcollide.Model"):
        xcollide.intersects(box, None, None, None)  # type: ignore[arg-type]
    with pytest.raises(errors.QueryError, match="the second model is a ball by a formula; this query is about faces"):
        xcollide.contacts(box, None, ball, None)
    with pytest.raises(errors.QueryError, match="half spaces"):
        xcollide.penetration(Shape.half_space(), None, Shape.half_space(), None)
    empty = Model(numpy.zeros((0, 3)), [])
    assert not xcollide.intersects(empty, None, box, None)
    with pytest.raises(errors.QueryError, match="no faces"):
        xcollide.distance(empty, None, box, None)
    with pytest.raises(errors.QueryError, match="no faces"):
        xcollide.distance_many(empty, numpy.array([EYE]), box, None)


BAD_MESHES: list[tuple[object, object, type[Exception], str]] = [
    ([[0, 0, 0]], [[0, 0, 1]], errors.MeshError, "face 0, corner 2: vertex 1 does not exist, expected a number below 1"),
    ([[0, 0, 0]], [[0, -1, 0]], errors.MeshError, "face 0, corner 1: vertex -1 does not exist"),
    ([[0, 0, 0]], [[0, 2**40, 0]], errors.MeshError, "vertex 1099511627776 does not exist"),
    ([[0, math.nan, 0]], [[0, 0, 0]], errors.MeshError, "vertex 0: coordinate y is NaN"),
    ([[0, 0, math.inf]], [[0, 0, 0]], errors.MeshError, "vertex 0: coordinate z is inf"),
    ([0, 0, 0], [[0, 0, 0]], errors.ArrayError, r"vertices has shape \(3,\), expected \(n, 3\)"),
    ([[0, 0]], [[0, 0, 0]], errors.ArrayError, r"vertices has shape \(1, 2\), expected \(n, 3\)"),
    ([["a", "b", "c"]], [[0, 0, 0]], errors.DtypeError, "vertices has dtype <U1"),
    (numpy.eye(3), numpy.eye(3), errors.DtypeError, "faces has dtype float64, expected integers"),
    (numpy.eye(3), numpy.arange(3), errors.ArrayError, r"faces has shape \(3,\), expected \(m, k\)"),
    (numpy.eye(3), [[0, 1, 2.5]], errors.DtypeError, "faces is a list, expected"),
    (numpy.eye(3), [[0, 1], []], errors.MeshError, "face 1: contour 0 has no vertex"),
    (numpy.eye(3), 7, errors.DtypeError, "faces is a int, expected"),
    (None, [[0, 1, 2]], errors.DtypeError, "vertices has dtype object"),
]


@pytest.mark.parametrize(("vertices", "faces", "kind", "text"), BAD_MESHES)
def test_meshes(vertices: object, faces: object, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        Model(vertices, faces)  # type: ignore[arg-type]


def test_integers_of_any_width_make_faces() -> None:
    for dtype in (numpy.uint8, numpy.int16, numpy.uint32, numpy.int64, numpy.uint64, ">i4"):
        assert Model(numpy.eye(3), numpy.array([[0, 1, 2]], dtype=dtype)).faces == [[0, 1, 2]]
    assert Model(numpy.eye(3).T[::-1], numpy.array([[0, 9, 1, 9, 2, 9]])[:, ::2]).faces == [[0, 1, 2]]


def test_files_and_shapes(tmp_path: object) -> None:
    with pytest.raises(FileNotFoundError, match="none.obj"):
        Model.load(f"{tmp_path}/none.obj")
    broken = f"{tmp_path}/broken.obj"
    with open(broken, "w", encoding="utf-8") as file:
        file.write("v 0 0 0\nf 1 2 1\n")
    with pytest.raises(errors.FileFormatError, match="line 2: vertex number 2 in a face, expected 1..=1"):
        Model.load(broken)
    with pytest.raises(errors.ShapeError, match="shape `spher` is unknown, expected one of"):
        Model.shape("shape:spher")
    with pytest.raises(errors.FileFormatError, match="no ending of a format"):
        Model.shape("shape:box").save(f"{tmp_path}/box")
    with pytest.raises(FileNotFoundError):
        Model.shape("shape:box").save(f"{tmp_path}/none/box.off")


def test_all_errors_have_one_base_and_a_builtin_one() -> None:
    for name in errors.__all__:
        kind = getattr(errors, name)
        assert issubclass(kind, errors.XCollideError)
        assert kind.__doc__
    assert issubclass(errors.PoseError, ValueError)
    assert issubclass(errors.DtypeError, TypeError)


def test_models_cannot_be_changed(box: Model) -> None:
    vertices = box.vertices
    vertices[:] = 0.0
    assert box.vertices.any()
    with pytest.raises(AttributeError):
        box.vertices = vertices  # type: ignore[misc]
