"""What several tests share."""

import numpy
import pytest
import xcollide


@pytest.fixture(scope="session")
def box() -> xcollide.Model:
    """A cube of side 1 about the origin."""
    return xcollide.Model.shape("shape:box?x=1&y=1&z=1")


@pytest.fixture(scope="session")
def ring() -> xcollide.Model:
    """A torus of a thousand faces."""
    return xcollide.Model.shape("shape:torus?faces=1000")


def translations(offsets: object) -> numpy.ndarray:
    """Poses, shape (n, 4, 4), that only translate, by an array of shape (n, 3)."""
    offsets = numpy.asarray(offsets, dtype=float)
    poses = numpy.tile(numpy.eye(4), (len(offsets), 1, 1))
    poses[:, :3, 3] = offsets
    return poses


def rotations(count: int, seed: int) -> numpy.ndarray:
    """Random poses, shape (n, 4, 4), about two units from the origin."""
    random = numpy.random.default_rng(seed)
    frames, _ = numpy.linalg.qr(random.normal(size=(count, 3, 3)))
    frames[numpy.linalg.det(frames) < 0.0, :, 0] *= -1.0
    poses = translations(random.uniform(-1.0, 1.0, (count, 3)))
    poses[:, :3, :3] = frames
    return poses
