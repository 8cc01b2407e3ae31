"""Exceptions. Each message says what was found and what was expected.

All derive from `XCollideError`, and from the built-in exception that fits: so `except ValueError` works too.
"""

__all__ = [
    "ArrayError",
    "DtypeError",
    "FileFormatError",
    "MeshError",
    "PoseError",
    "ProofError",
    "QueryError",
    "RobotError",
    "ShapeError",
    "SnapshotError",
    "StaleObjectError",
    "UndecidedError",
    "WorldError",
    "XCollideError",
]


class XCollideError(Exception):
    """The base of all exceptions of this package."""


class ArrayError(XCollideError, ValueError):
    """An array has the wrong shape, or cannot be borrowed."""


class DtypeError(XCollideError, TypeError):
    """An argument has the wrong type, or an array the wrong dtype."""


class FileFormatError(XCollideError, ValueError):
    """A file is not what its format says, or cannot be written in it."""


class MeshError(XCollideError, ValueError):
    """Vertices and faces make no mesh, or not the one that is needed."""


class PoseError(XCollideError, ValueError):
    """A pose is no rigid motion of finite numbers, or moves a model beyond the range of float64."""


class ProofError(XCollideError):
    """A proof does not hold."""


class QueryError(XCollideError, ValueError):
    """A query has no answer."""


class RobotError(XCollideError, ValueError):
    """A robot cannot be read, or a configuration is none of it."""


class ShapeError(XCollideError, ValueError):
    """A shape is not known, or its measures are out of range."""


class SnapshotError(XCollideError, ValueError):
    """Bytes are no snapshot of a world."""


class UndecidedError(XCollideError):
    """Rounding, or a limit of time, hides the answer."""


class WorldError(XCollideError, ValueError):
    """A call to a world was refused, and the world is unchanged."""


class StaleObjectError(WorldError, KeyError):
    """There is no such object in this world: it was removed, or belongs to another one."""

    def __str__(self) -> str:
        # That of KeyError would quote it.
        return str(self.args[0]) if self.args else ""
