"""`xcollide.trimesh` and `xcollide.fcl`: own tests, and those of trimesh and python-fcl with another import.

The latter are read from source distributions in the folder XCOLLIDE_SOURCES, where `cargo xtask python` puts them.
"""

import logging
import os
import tarfile
import types
import unittest
from pathlib import Path
from typing import Any

import numpy
import pytest
import trimesh
import xcollide
import xcollide.trimesh
from conftest import rotations
from xcollide import Model, fcl
from xcollide.trimesh import CollisionManager


def source(archive: str, member: str) -> str:
    """A file of a source distribution."""
    folder = os.environ.get("XCOLLIDE_SOURCES")
    found = sorted(Path(folder).glob(archive)) if folder else []
    if not found:
        pytest.skip(f"{archive} is not in XCOLLIDE_SOURCES")
    with tarfile.open(found[0]) as files:
        name = next(name for name in files.getnames() if name.endswith(member))
        file = files.extractfile(name)
        assert file is not None
        return file.read().decode()


def run_tests(text: str, globals_: dict[str, Any], case: str) -> unittest.TestResult:
    exec(compile(text, case, "exec"), globals_)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(globals_[case])
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun > 0
    return result


def test_the_tests_of_python_fcl() -> None:
    text = source("python*fcl-*.tar.gz", "test/test_fcl.py")
    assert text.count("import fcl\n") == 1
    text = text.replace("import fcl\n", "from xcollide import fcl\n")
    result = run_tests(text, {"__name__": "upstream"}, "TestFCL")
    assert not result.failures
    assert not result.errors
    assert not result.skipped
    assert result.testsRun == 7


def test_the_tests_of_trimesh() -> None:
    text = source("trimesh-*.tar.gz", "tests/test_collision.py")
    for before, after in {
        "g.trimesh.collision.": "g.xcollide_trimesh.",
        "import fcl\n": "from xcollide import fcl\n",
    }.items():
        assert before in text
        text = text.replace(before, after)
    # Two boxes in one place: any face has the normal of the least depth, and any common point is one.
    for line in ("np.array([5.0, -0.5, 0.5])", "np.array([-1.0, 0.0, 0.0])"):
        lines = [one for one in text.splitlines() if line in one]
        assert len(lines) == 1
        text = text.replace(lines[0].strip(), "pass")

    def get_mesh(name: str) -> trimesh.Trimesh:
        if name != "unit_cube.STL":
            raise unittest.SkipTest(f"{name} is not in the source distribution")
        box: trimesh.Trimesh = trimesh.creation.box()
        return box

    generic = types.SimpleNamespace(
        unittest=unittest,
        np=numpy,
        trimesh=trimesh,
        xcollide_trimesh=xcollide.trimesh,
        log=logging.getLogger("upstream"),
        get_mesh=get_mesh,
        random=numpy.random.default_rng(70).random,
    )
    head, body = text.split("class CollisionTest", 1)
    assert "generic as g" in head
    globals_ = {"__name__": "upstream", "g": generic, "fcl": fcl}
    result = run_tests("class CollisionTest" + body, globals_, "CollisionTest")
    assert [str(reason) for _, reason in result.skipped] == ["cycloidal.3DXML is not in the source distribution"]
    assert not result.failures, result.failures[0][1]
    assert not result.errors, result.errors[0][1]
    assert result.testsRun == 5


def test_manager_against_single_queries() -> None:
    mesh = trimesh.creation.annulus(0.5, 1.0, 0.5)
    model = Model.from_trimesh(mesh)
    poses, others = rotations(9, 71), rotations(5, 72)
    for each in (poses, others):
        each[:, :3, 3] *= 3.0
    manager, other = CollisionManager(), CollisionManager()
    for number, pose in enumerate(poses):
        manager.add_object(f"{number}", mesh, pose)
    for number, pose in enumerate(others):
        other.add_object(f"other {number}", mesh, pose)
    expected = {
        (f"{i}", f"{j}")
        for i in range(9)
        for j in range(i + 1, 9)
        if xcollide.intersects(model, poses[i], model, poses[j])
    }
    assert expected
    assert manager.in_collision_internal(return_names=True) == (True, expected)
    met = {
        (f"{i}", f"other {j}")
        for i in range(9)
        for j in range(5)
        if xcollide.intersects(model, poses[i], model, others[j])
    }
    assert manager.in_collision_other(other, return_names=True) == (bool(met), met)
    found, names, contacts = manager.in_collision_single(mesh, others[0], return_names=True, return_data=True)
    assert names == {i for i, j in met if j == "other 0"}
    assert found == bool(names) == bool(contacts)
    for contact in contacts:
        assert contact.depth >= 0.0
        assert numpy.linalg.norm(contact.normal) == pytest.approx(1.0)
        assert contact.names <= names | {"__external"}
        assert contact.index("__external") < len(mesh.faces)
    far = numpy.eye(4)
    far[0, 3] = 9.0
    least = min(xcollide.distance(model, pose, model, far) for pose in poses)
    distance, name, data = manager.min_distance_single(mesh, far, return_name=True, return_data=True)
    assert distance == least == data.distance
    assert numpy.linalg.norm(data.point(name) - data.point("__external")) == pytest.approx(least)
    manager.remove_object("0")
    with pytest.raises(ValueError, match="0 not in collision manager"):
        manager.set_transform("0", far)
    with pytest.raises(ValueError, match=r"transform must be \(4,4\)"):
        manager.set_transform("1", numpy.eye(3))
    with pytest.raises(xcollide.errors.PoseError):
        manager.set_transform("1", numpy.full((4, 4), numpy.nan))
    empty = CollisionManager()
    assert empty.in_collision_internal() is False
    assert empty.in_collision_single(mesh) is False
    assert empty.min_distance_single(mesh, return_name=True) == (float("inf"), None)


def test_containment_and_scaled_transforms() -> None:
    manager = CollisionManager()
    manager.add_object("outer", trimesh.creation.box(extents=[4, 4, 4]))
    manager.add_object("inner", trimesh.creation.box())
    assert manager.in_collision_internal(return_names=True) == (True, {("inner", "outer")})
    _, contacts = manager.in_collision_internal(return_data=True)
    assert [contact.depth for contact in contacts] == [pytest.approx(2.5)]
    manager.set_transform("inner", numpy.diag([0.5, 0.5, 0.5, 1.0]))
    moved = numpy.diag([0.5, 0.5, 0.5, 1.0])
    moved[0, 3] = 2.25
    manager.set_transform("inner", moved)
    assert manager.in_collision_internal()
    moved[0, 3] = 2.5
    manager.set_transform("inner", moved)
    assert not manager.in_collision_internal()
    assert manager.min_distance_internal() == 0.25
    scene = trimesh.Scene({"a": trimesh.creation.box(), "b": trimesh.creation.icosphere()})
    manager, objects = xcollide.trimesh.scene_to_collision(scene)
    assert manager.in_collision_internal()
    assert {manager._extract_name(number) for number in objects.values()} == set(objects)


def test_a_mesh_that_changes_is_another_one() -> None:
    mesh = trimesh.creation.box()
    manager = CollisionManager()
    manager.add_object("box", trimesh.creation.box())
    assert manager.in_collision_single(mesh)
    mesh.apply_translation([3.0, 0.0, 0.0])
    assert not manager.in_collision_single(mesh)


def test_continuous_collisions() -> None:
    one = fcl.CollisionObject(fcl.Box(1, 1, 1), fcl.Transform([-5.0, 0.0, 0.0]))
    other = fcl.CollisionObject(fcl.Box(1, 1, 1))
    result = fcl.ContinuousCollisionResult()
    time = fcl.continuousCollide(one, fcl.Transform([5.0, 0.0, 0.0]), other, fcl.Transform(), None, result)
    assert result.is_collide
    assert time == result.time_of_contact == pytest.approx(0.4, abs=1e-4)
    time = fcl.continuousCollide(one, fcl.Transform([-3.0, 0.0, 0.0]), other, fcl.Transform(), None, result)
    assert (time, result.is_collide) == (1.0, False)


def test_transforms_and_meshes_of_fcl() -> None:
    for matrix in rotations(50, 73)[:, :3, :3]:
        transform = fcl.Transform(matrix)
        again = fcl.Transform(transform.getQuatRotation(), [1.0, 2.0, 3.0])
        assert again.getRotation() == pytest.approx(matrix, abs=1e-14)
        assert fcl.Transform(again).getTranslation().tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match=r"found shape \(2,\), expected"):
        fcl.Transform([1.0, 2.0])
    mesh = fcl.BVHModel()
    mesh.beginModel()
    mesh.addTriangle([0, 0, 0], [1, 0, 0], [0, 1, 0])
    assert mesh.num_tries_() == 1
    with pytest.raises(xcollide.errors.MeshError, match="expected a call of endModel"):
        fcl.collide(fcl.CollisionObject(mesh), fcl.CollisionObject(fcl.Box(1, 1, 1)))
    mesh.endModel()
    request, result = fcl.CollisionRequest(num_max_contacts=3, enable_contact=True), fcl.CollisionResult()
    assert fcl.collide(fcl.CollisionObject(mesh), fcl.CollisionObject(fcl.Box(1, 1, 1)), request, result) == 3
    assert result.contacts[0].b1 == 0
    box = trimesh.creation.box()
    faces = numpy.concatenate([numpy.full((12, 1), 3), box.faces], axis=1)
    convex = fcl.CollisionObject(fcl.Convex(box.vertices, 12, faces.flatten()), fcl.Transform([3.0, 0, 0]))
    assert fcl.distance(convex, fcl.CollisionObject(fcl.Sphere(1.0))) == pytest.approx(1.5, abs=1e-2)
    with pytest.raises(xcollide.errors.MeshError, match="found 12 faces, expected 11"):
        fcl.Convex(box.vertices, 11, faces.flatten())
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObject(convex)
    assert (manager.size(), manager.empty()) == (1, False)
    manager.unregisterObject(convex)
    with pytest.raises(ValueError, match="not registered"):
        manager.unregisterObject(convex)
