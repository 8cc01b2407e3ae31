"""trimesh's `CollisionManager`, without FCL.

Replace ``trimesh.collision.CollisionManager`` by ``xcollide.trimesh.CollisionManager``, and `scene_to_collision` likewise.
What differs:

- A closed mesh is the body that it bounds: one inside another collides with it. Touching is colliding.
- Transforms are kept in float64. One that is no rotation and translation, as those of scaled scenes, moves the vertices.
- `add_object` and `scene_to_collision` return the numbers of the objects in a world, not objects of FCL.
- All contacts of a pair have the normal and depth of its penetration. Where there is more than one normal, as for boxes in
  the same place, it may be another one.
- A minimum distance of objects that collide is minus the depth.

>>> import trimesh
>>> from xcollide.trimesh import CollisionManager
>>> manager = CollisionManager()
>>> _ = manager.add_object("box", trimesh.creation.box())
>>> manager.in_collision_single(trimesh.creation.icosphere(radius=0.25), return_names=True)
(True, {'box'})
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._xcollide import Model, World
from ._xcollide import closest_points as _closest_points
from ._xcollide import contacts as _contacts
from ._xcollide import intersects as _intersects
from ._xcollide import penetration as _penetration
from .errors import PoseError

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

_Floats: TypeAlias = NDArray[np.float64]

#: The name of a mesh that is not in a manager, in contacts and distances.
EXTERNAL = "__external"


class ContactData:
    """A contact of two objects."""

    def __init__(
        self, names: tuple[Any, Any], faces: tuple[int, int], normal: _Floats, point: _Floats, depth: float
    ) -> None:
        #: The names of the two objects.
        self.names = set(names)
        self._inds: dict[Any, int] = dict(zip(names, faces))
        self._normal, self._point, self._depth = normal, point, depth

    @property
    def normal(self) -> _Floats:
        """The unit vector from the first to the second object: shape (3,)."""
        return self._normal

    @property
    def point(self) -> _Floats:
        """A common point in the world: shape (3,)."""
        return self._point

    @property
    def depth(self) -> float:
        """How far one has to move until the two are apart, in units of length."""
        return self._depth

    def index(self, name: Any) -> int:
        """The face of an object, −1 if it is none."""
        return self._inds[name]


class DistanceData:
    """The distance of two objects."""

    def __init__(
        self, names: tuple[Any, Any], distance: float, points: _Floats, faces: tuple[int, int]
    ) -> None:
        #: The names of the two objects.
        self.names = set(names)
        self._distance = distance
        self._points: dict[Any, _Floats] = dict(zip(names, points))
        self._inds: dict[Any, int] = dict(zip(names, faces))

    @property
    def distance(self) -> float:
        """In units of length; minus the depth if the objects collide."""
        return self._distance

    def index(self, name: Any) -> int:
        """The face of an object that is nearest to the other, −1 if it is none."""
        return self._inds[name]

    def point(self, name: Any) -> _Floats:
        """The point of an object that is nearest to the other, in the world: shape (3,)."""
        return self._points[name]


class _Placed:
    """A model at a pose, with its box in the world."""

    def __init__(self, name: Any, model: Model, pose: _Floats) -> None:
        self.name, self.model, self.pose = name, model, pose
        self._box: _Floats | None = None

    @property
    def box(self) -> _Floats:
        """Lowest and highest coordinates, a little wider than needed: shape (2, 3)."""
        if self._box is None:
            low, high = self.model.bounds if self.model.face_count else np.zeros((2, 3))
            center, half = 0.5 * (low + high), 0.5 * (high - low)
            center = self.pose[:3, :3] @ center + self.pose[:3, 3]
            half = np.abs(self.pose[:3, :3]) @ half
            half = half + 1e-9 * (np.abs(center) + np.linalg.norm(half) + 1e-300)
            self._box = np.stack([center - half, center + half])
        return self._box

    def meets(self, other: _Placed) -> bool:
        return _intersects(self.model, self.pose, other.model, other.pose)

    def contacts(self, other: _Placed) -> Iterator[ContactData]:
        """The contacts of two that meet."""
        names = (self.name, other.name)
        depth = _penetration(self.model, self.pose, other.model, other.pose)
        if depth is None:
            return
        found = _contacts(self.model, self.pose, other.model, other.pose)
        points = 0.5 * (found.starts + found.ends)
        for (s, t), point in zip(found.faces.tolist(), points):
            yield ContactData(names, (s, t), -depth.direction, point, depth.at_most)
        if len(found) == 0:
            # One body contains the other.
            middle = depth.points.mean(axis=0)
            yield ContactData(names, (-1, -1), -depth.direction, middle, depth.at_most)

    def distance(self, other: _Placed) -> DistanceData:
        found = _closest_points(self.model, self.pose, other.model, other.pose)
        value = found.distance
        if value == 0.0:
            depth = _penetration(self.model, self.pose, other.model, other.pose)
            value = 0.0 if depth is None else -depth.at_most
        return DistanceData((self.name, other.name), value, found.points, found.faces or (-1, -1))


def _boxes(ones: list[_Placed]) -> _Floats:
    """The boxes of all: shape (n, 2, 3)."""
    return np.array([one.box for one in ones], dtype=np.float64).reshape(-1, 2, 3)


def _gaps(a: _Floats, b: _Floats) -> _Floats:
    """The distances of all pairs of boxes, shapes (n, 2, 3) and (m, 2, 3): shape (n, m)."""
    gaps = np.maximum(a[:, None, 0] - b[None, :, 1], b[None, :, 0] - a[:, None, 1])
    return np.asarray(np.linalg.norm(np.maximum(gaps, 0.0), axis=2), dtype=np.float64)


#: A model that meets nothing.
_NOTHING = Model(np.zeros((0, 3)), [])

_MODELS: WeakKeyDictionary[Any, Model] = WeakKeyDictionary()


def _model_of(mesh: Any) -> Model:
    """The model of a mesh, made once; a mesh whose content changes has another hash."""
    try:
        known = _MODELS.get(mesh)
    except TypeError:
        return Model.from_trimesh(mesh)
    if known is None:
        known = _MODELS[mesh] = Model.from_trimesh(mesh)
    return known


class CollisionManager:
    """Meshes with names and transforms, and what collides among them."""

    def __init__(self) -> None:
        self._world = World()
        self._objs: dict[Any, tuple[int, _Placed, Model]] = {}
        self._names: dict[int, Any] = {}
        self._stacked: _Floats | None = None

    def add_object(self, name: Hashable, mesh: Any, transform: ArrayLike | None = None) -> int:
        """Adds a `trimesh.Trimesh` at a transform of shape (4, 4), in place of an object of this name; its number."""
        original = self._get_fcl_obj(mesh)
        placed = _place(name, original, transform)
        if name in self._objs:
            self.remove_object(name)
        number = self._world.add(placed.model, placed.pose)
        self._objs[name] = number, placed, original
        self._names[number] = name
        self._stacked = None
        return number

    def remove_object(self, name: Hashable) -> None:
        """Removes an object. Raises `ValueError` if there is none of this name."""
        number, _, _ = self._find(name)
        self._world.remove(number)
        del self._objs[name], self._names[number]
        self._stacked = None

    def set_transform(self, name: Hashable, transform: ArrayLike) -> None:
        """Moves an object. Raises `ValueError` if there is none of this name."""
        number, before, original = self._find(name)
        placed = _place(name, original, transform)
        self._stacked = None
        if placed.model is before.model:
            self._world.set_pose(number, placed.pose)
            self._objs[name] = number, placed, original
            return
        self._world.remove(number)
        del self._names[number]
        number = self._world.add(placed.model, placed.pose)
        self._objs[name] = number, placed, original
        self._names[number] = name

    def in_collision_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether a mesh at a transform collides with an object; with the names, a set, and contacts, if wanted."""
        single = _place(EXTERNAL, self._get_fcl_obj(mesh), transform)
        ones = self._all()
        near: list[int] = np.flatnonzero(_gaps(self._boxes(), _boxes([single]))[:, 0] <= 0.0).tolist()
        pairs = ((ones[place], single) for place in near)
        found, met = _collide(pairs, return_names or return_data)
        names = {one.name for one, _ in met}
        return _answer(found, names, lambda: _listed(met), return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether two of the objects collide; with the pairs of names, a set of sorted tuples, and contacts, if wanted."""
        colliding = self._world.check().colliding
        met = [tuple(self._objs[self._names[number]][1] for number in pair) for pair in colliding.tolist()]
        names = {_sorted(one.name, other.name) for one, other in met}
        return _answer(len(met) > 0, names, lambda: _listed(met), return_names, return_data)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether an object collides with one of another manager; with the pairs of names, a set of tuples, the own name
        first, and contacts, if wanted."""
        ones, others = self._all(), other_manager._all()
        places: list[list[int]] = np.argwhere(_gaps(self._boxes(), other_manager._boxes()) <= 0.0).tolist()
        found, met = _collide(((ones[i], others[j]) for i, j in places), return_names or return_data)
        names = {(one.name, other.name) for one, other in met}
        return _answer(found, names, lambda: _listed(met), return_names, return_data)

    def min_distance_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of a mesh at a transform from an object; with its name and `DistanceData`, if wanted.

        Infinite, with None for the name and the data, if there is no object.
        """
        single = _place(EXTERNAL, self._get_fcl_obj(mesh), transform)
        nearest = _nearest(self._all(), [single], None)
        name = None if nearest is None else nearest[0].name
        return _measured(nearest, name, return_name, return_data)

    def min_distance_internal(
        self, name: Hashable | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of two objects, or of one from all others; with the names, a sorted tuple, and
        `DistanceData`, if wanted. Raises `ValueError` if there is no object of this name."""
        if name is None:
            ones = self._all()
            nearest = _nearest(ones, ones, list(itertools.combinations(range(len(ones)), 2)))
        else:
            own = self._find(name)[1]
            nearest = _nearest([own], [one for one in self._all() if one is not own], None)
        names = None if nearest is None else _sorted(nearest[0].name, nearest[1].name)
        return _measured(nearest, names, return_names, return_data)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of an object from one of another manager; with the names, the own one first, and
        `DistanceData`, if wanted."""
        nearest = _nearest(self._all(), other_manager._all(), None)
        names = None if nearest is None else (nearest[0].name, nearest[1].name)
        return _measured(nearest, names, return_names, return_data)

    def _get_fcl_obj(self, mesh: Any) -> Model:
        """The model of a mesh."""
        return _model_of(mesh)

    def _extract_name(self, geom: int) -> Any:
        """The name of an object by its number, or None."""
        return self._names.get(geom)

    def _all(self) -> list[_Placed]:
        return [placed for _, placed, _ in self._objs.values()]

    def _boxes(self) -> _Floats:
        if self._stacked is None:
            self._stacked = _boxes(self._all())
        return self._stacked

    def _find(self, name: Hashable) -> tuple[int, _Placed, Model]:
        found = self._objs.get(name)
        if found is None:
            raise ValueError(f"{name} not in collision manager!")
        return found


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Any, int]]:
    """A manager with all meshes of a `trimesh.Scene`, and the number of the object of each node."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects


def _place(name: Any, model: Model, transform: ArrayLike | None) -> _Placed:
    """A model at a transform; what is no rigid motion moves the vertices."""
    if transform is None:
        return _Placed(name, model, np.eye(4))
    matrix = np.array(transform, dtype=np.float64)
    if matrix.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    try:
        _intersects(model, matrix, _NOTHING, None)
    except PoseError:
        if not np.isfinite(matrix).all() or (matrix[3] != [0.0, 0.0, 0.0, 1.0]).any():
            raise
        moved = model.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        return _Placed(name, model.moved(moved), np.eye(4))
    return _Placed(name, model, matrix)


def _collide(
    pairs: Iterable[tuple[_Placed, _Placed]], all_of_them: bool
) -> tuple[bool, list[tuple[_Placed, _Placed]]]:
    """Whether a pair meets, and all or the first of them."""
    met = ((one, other) for one, other in pairs if one.meets(other))
    listed = list(met) if all_of_them else list(itertools.islice(met, 1))
    return len(listed) > 0, listed


def _listed(met: Iterable[Any]) -> list[ContactData]:
    return [contact for one, other in met for contact in one.contacts(other)]


def _nearest(
    ones: list[_Placed], others: list[_Placed], pairs: list[tuple[int, int]] | None
) -> tuple[_Placed, _Placed, DistanceData] | None:
    """The nearest pair, boxes that are near first."""
    if not ones or not others:
        return None
    gaps = _gaps(_boxes(ones), _boxes(others))
    if pairs is None:
        pairs = list(itertools.product(range(len(ones)), range(len(others))))
    best: tuple[_Placed, _Placed, DistanceData] | None = None
    for i, j in sorted(pairs, key=lambda pair: float(gaps[pair])):
        if best is not None and gaps[i, j] > 0.0 and gaps[i, j] > best[2].distance:
            break
        found = ones[i].distance(others[j])
        if best is None or found.distance < best[2].distance:
            best = ones[i], others[j], found
    return best


def _sorted(one: Any, other: Any) -> tuple[Any, Any]:
    first, second = sorted((one, other))
    return first, second


def _answer(found: bool, names: set[Any], data: Any, return_names: bool, return_data: bool) -> Any:
    if return_names and return_data:
        return found, names, data()
    if return_names:
        return found, names
    return (found, data()) if return_data else found


def _measured(
    nearest: tuple[_Placed, _Placed, DistanceData] | None, names: Any, return_names: bool, return_data: bool
) -> Any:
    data = None if nearest is None else nearest[2]
    distance = float("inf") if data is None else data.distance
    if return_names and return_data:
        return distance, names, data
    if return_names:
        return distance, names
    return (distance, data) if return_data else distance
