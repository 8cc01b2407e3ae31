"""Robots of URDF files."""

import math
from pathlib import Path

import numpy
import pytest
import xcollide
from xcollide import Model, Robot, errors

SCENES = Path(__file__).parents[3] / "fixtures/scenes"


@pytest.fixture
def arm() -> Robot:
    return Robot(SCENES / "arm.urdf", SCENES / "arm.srdf")


def test_configurations(arm: Robot) -> None:
    dof = len(arm.joints)
    assert dof > 0
    random = numpy.random.default_rng(60)
    configurations = random.uniform(-math.pi, math.pi, (600, dof))
    expected = arm.check(configurations, threads=1)
    assert expected.shape == (600,)
    assert 0 < expected.sum() < 600
    assert (arm.check(configurations, threads=3) == expected).all()
    distances, bodies, points = arm.distance(configurations)
    assert ((distances == 0.0) == expected).all()
    assert (numpy.linalg.norm(points[:, 0] - points[:, 1], axis=1) == pytest.approx(distances, abs=1e-9))
    assert bodies.max() < len(arm.bodies)
    assert {tuple(pair) for pair in bodies.tolist()} <= {tuple(pair) for pair in arm.tested_pairs.tolist()}
    for number in range(0, 600, 29):
        assert arm.check(configurations[number]) is bool(expected[number])
        assert bool(arm.colliding_pairs(configurations[number])) == expected[number]


def free(arm: Robot) -> numpy.ndarray:
    """A configuration in which nothing collides."""
    configurations = numpy.random.default_rng(61).uniform(-1.0, 1.0, (200, len(arm.joints)))
    found: numpy.ndarray = configurations[~arm.check(configurations)][0]
    return found


def test_margin_objects_and_allowed_pairs(arm: Robot) -> None:
    zero = free(arm)
    assert arm.check(zero) is False
    distance = float(arm.distance(zero)[0][0])
    assert math.isfinite(distance)
    arm.set_margin(distance)
    margin_holds = arm.check(zero)
    arm.set_margin(0.5 * distance)
    assert arm.check(zero) is False
    assert margin_holds is True or arm.distance(zero)[0][0] <= distance * (1 + 1e-12)
    arm.set_margin(0.0)
    table = Model.shape("shape:box?x=40&y=40&z=40")
    arm.add_obstacle("table", table)
    met = arm.colliding_pairs(zero)
    assert met
    assert all("table" in pair for pair in met)
    for pair in met:
        arm.allow(*pair)
    assert arm.check(zero) is False
    arm.disallow(*met[0])
    assert arm.colliding_pairs(zero) == met[:1]
    arm.remove_obstacle("table")
    assert "table" not in arm.bodies
    arm.attach("hand", "cup", Model.shape("shape:box?x=0.02&y=0.02&z=0.02"))
    assert "cup" in arm.bodies
    arm.detach("cup")
    with pytest.raises(errors.RobotError, match="`cup` is no attached object"):
        arm.detach("cup")
    with pytest.raises(errors.RobotError, match="expected one of"):
        arm.attach("foot", "shoe", table)
    with pytest.raises(errors.RobotError, match="margin"):
        arm.set_margin(-1.0)


def test_wrong_configurations(arm: Robot) -> None:
    dof = len(arm.joints)
    with pytest.raises(errors.ArrayError, match=rf"configurations has shape \(2, {dof + 1}\), expected \(n, {dof}\)"):
        arm.check(numpy.zeros((2, dof + 1)))
    bad = numpy.zeros((5, dof))
    bad[3, 0] = math.nan
    with pytest.raises(errors.RobotError, match="configuration 3: "):
        arm.check(bad)
    with pytest.raises(errors.DtypeError, match="configurations has dtype"):
        arm.check(numpy.array([["a"] * dof]))
    assert arm.check(numpy.zeros((0, dof))).shape == (0,)


def test_files(tmp_path: Path) -> None:
    with pytest.raises(errors.RobotError, match="none.urdf"):
        Robot(tmp_path / "none.urdf")
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot name='x'><link/></robot>")
    with pytest.raises(errors.RobotError, match="broken.urdf"):
        Robot(broken)
    assert issubclass(xcollide.errors.RobotError, ValueError)


def test_edges(arm: Robot) -> None:
    random = numpy.random.default_rng(62)
    starts = random.uniform(-math.pi, math.pi, (60, len(arm.joints)))
    ends = starts + random.uniform(-1.0, 1.0, starts.shape)
    free = arm.check_edges(starts, ends, threads=1)
    assert free.shape == (60,)
    assert 0 < free.sum() < 60
    assert (arm.check_edges(starts, ends, threads=3) == free).all()
    steps = numpy.linspace(0.0, 1.0, 101)
    for start, end, is_free in zip(starts, ends, free):
        edge = arm.check_edge(start, end)
        assert edge.is_free is bool(is_free)
        edge.verify()
        last = 1.0 if edge.interval is None else edge.interval[0]
        samples = numpy.array([edge.configuration(step * last) for step in steps])
        met = arm.check(samples)
        if edge.is_free:
            assert edge.collides is False
            assert edge.bodies is None and edge.point is None
            assert not met.any()
        else:
            assert edge.collides is True
            assert edge.interval is not None and edge.bodies is not None
            assert edge.interval[1] - edge.interval[0] <= 1e-6
            assert not met[:-1].any() or edge.interval[1] == 0.0
            assert arm.check(edge.configuration(edge.interval[1])) is True
            assert {tuple(pair) for pair in arm.colliding_pairs(edge.configuration(edge.interval[1]))} & {edge.bodies}


def test_edges_that_are_none(arm: Robot) -> None:
    dof = len(arm.joints)
    zero = numpy.zeros(dof)
    with pytest.raises(errors.ArrayError, match=r"start .*expected \(4,\)"):
        arm.check_edge([zero], zero)
    with pytest.raises(errors.ArrayError, match="ends"):
        arm.check_edges([zero, zero], [zero])
    with pytest.raises(errors.RobotError, match="width"):
        arm.check_edge(zero, zero + 1.0, width=-1.0)
    with pytest.raises(errors.RobotError, match="configuration 1"):
        arm.check_edges([zero, zero], [zero, zero + 1e10])
    start = free(arm)
    edge = arm.check_edge(start, start + 1e-3)
    assert edge.is_free
    with pytest.raises(ValueError, match="time is 2.0"):
        edge.configuration(2.0)
    # A proof is about the robot as it was.
    arm.add_obstacle("everywhere", Model.shape("shape:box?x=40&y=40&z=40"))
    with pytest.raises(errors.ProofError):
        edge.verify()
