"""The interface of python-fcl, as its own tests use it, over the exact queries of xcollide.

Replace ``import fcl`` by ``from xcollide import fcl``. What differs:

- A closed mesh is the body that it bounds: one inside another collides with it. Touching is colliding.
- Spheres, boxes, capsules, cones, cylinders and ellipsoids are ideal shapes among each other. Where they meet a mesh they
  are meshes themselves; curved ones have about two thousand faces and lie within the ideal shape.
- Contacts of meshes are pairs of triangles; all of a pair of objects have the normal and depth of its penetration.
- The distance of objects that collide is minus their depth, whatever the request.
- Planes, half-spaces, octrees and triangles alone are not there.

>>> from xcollide import fcl
>>> one = fcl.CollisionObject(fcl.Box(1, 1, 1))
>>> other = fcl.CollisionObject(fcl.Sphere(1), fcl.Transform([2.0, 0.0, 0.0]))
>>> fcl.distance(one, other)
0.5
>>> other.setTranslation([1.25, 0.0, 0.0])
>>> result = fcl.CollisionResult()
>>> fcl.collide(one, other, fcl.CollisionRequest(), result), result.is_collision
(1, True)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._xcollide import Model, Shape
from ._xcollide import closest_points as _closest_points
from ._xcollide import contacts as _contacts
from ._xcollide import intersects as _intersects
from ._xcollide import penetration as _penetration
from ._xcollide import time_of_contact as _time_of_contact
from .errors import MeshError

__all__ = [
    "BVHModel",
    "Box",
    "CCDMotionType",
    "CCDSolverType",
    "Capsule",
    "CollisionData",
    "CollisionGeometry",
    "CollisionObject",
    "CollisionRequest",
    "CollisionResult",
    "Cone",
    "Contact",
    "ContinuousCollisionRequest",
    "ContinuousCollisionResult",
    "Convex",
    "CostSource",
    "Cylinder",
    "DistanceData",
    "DistanceRequest",
    "DistanceResult",
    "DynamicAABBTreeCollisionManager",
    "Ellipsoid",
    "GJKSolverType",
    "Sphere",
    "Transform",
    "collide",
    "continuousCollide",
    "defaultCollisionCallback",
    "defaultDistanceCallback",
    "distance",
]

_Floats: TypeAlias = NDArray[np.float64]

#: How many faces stand for a curved shape where it meets a mesh.
FACES = 2000


class CCDMotionType:
    """Kinds of motion of `ContinuousCollisionRequest`."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """Accepted and ignored: there is one solver."""

    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class GJKSolverType:
    """Accepted and ignored: there is one solver."""

    GST_LIBCCD, GST_INDEP = range(2)


class Transform:
    """A rigid motion, from a rotation and a translation.

    Transform(), Transform(translation), Transform(rotation), Transform(rotation, translation), Transform(other): the
    translation has shape (3,), the rotation is a matrix of shape (3, 3) or a quaternion w, x, y, z of shape (4,).
    """

    def __init__(self, *arguments: Any) -> None:
        self._matrix: _Floats = np.eye(4)
        if len(arguments) == 1 and isinstance(arguments[0], Transform):
            self._matrix = arguments[0]._matrix.copy()
            return
        if len(arguments) > 2:
            raise ValueError(f"found {len(arguments)} arguments, expected at most 2")
        for argument in arguments:
            values = np.asarray(argument, dtype=np.float64)
            if values.shape == (3, 3):
                self.setRotation(values)
            elif values.shape == (4,):
                self.setQuatRotation(values)
            elif values.shape == (3,):
                self.setTranslation(values)
            else:
                raise ValueError(f"found shape {values.shape}, expected (3,), (4,) or (3, 3)")

    def getRotation(self) -> _Floats:
        """The matrix: shape (3, 3)."""
        return np.array(self._matrix[:3, :3], dtype=np.float64)

    def getTranslation(self) -> _Floats:
        """Shape (3,)."""
        return np.array(self._matrix[:3, 3], dtype=np.float64)

    def getQuatRotation(self) -> _Floats:
        """The rotation as a unit quaternion w, x, y, z."""
        return _quaternion(self._matrix[:3, :3])

    def setRotation(self, R: ArrayLike) -> None:
        """Sets the matrix: shape (3, 3)."""
        self._matrix[:3, :3] = R

    def setTranslation(self, T: ArrayLike) -> None:
        """Sets the translation: shape (3,)."""
        self._matrix[:3, 3] = T

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Sets the rotation by a unit quaternion w, x, y, z."""
        w, x, y, z = np.asarray(q, dtype=np.float64)
        self._matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]


def _quaternion(matrix: _Floats) -> _Floats:
    """The unit quaternion w, x, y, z of a rotation: the row of the largest of four products (Shepperd 1978)."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    products = np.array(
        [
            [1 + a + e + i, h - f, c - g, d - b],
            [h - f, 1 + a - e - i, b + d, c + g],
            [c - g, b + d, 1 - a + e - i, f + h],
            [d - b, c + g, f + h, 1 - a - e + i],
        ]
    )
    row = products[int(np.argmax(np.diag(products)))]
    return np.asarray(row / np.linalg.norm(row), dtype=np.float64)


class CollisionGeometry:
    """A shape or a mesh in its own frame."""

    def _shape(self) -> Shape | None:
        """The ideal shape, if it is one."""
        return None

    def _model(self) -> Model:
        """The mesh, made once."""
        raise NotImplementedError


class _Formula(CollisionGeometry):
    def __init__(self, shape: Shape, mesh: Callable[[], Model]) -> None:
        self._ideal, self._mesh = shape, mesh
        self._made: Model | None = None

    def _shape(self) -> Shape | None:
        return self._ideal

    def _model(self) -> Model:
        if self._made is None:
            self._made = self._mesh()
        return self._made


class Box(_Formula):
    """A box about the origin, by its extents."""

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = np.array([x, y, z], dtype=np.float64)
        spec = f"shape:box?x={float(x)}&y={float(y)}&z={float(z)}"
        super().__init__(Shape.box(0.5 * self.side), lambda: Model.shape(spec))


class Sphere(_Formula):
    """A sphere about the origin."""

    def __init__(self, radius: float) -> None:
        self.radius = float(radius)
        spec = f"shape:sphere?radius={self.radius}&faces={FACES}"
        super().__init__(Shape.ball(self.radius), lambda: Model.shape(spec))


class Ellipsoid(_Formula):
    """An ellipsoid about the origin, by its half axes."""

    def __init__(self, a: float, b: float, c: float) -> None:
        self.radii = np.array([a, b, c], dtype=np.float64)

        def mesh() -> Model:
            sphere = Model.shape(f"shape:sphere?radius=1&faces={FACES}")
            return Model(sphere.vertices * self.radii, sphere.faces)

        super().__init__(Shape.ellipsoid(self.radii), mesh)


class Capsule(_Formula):
    """A capsule about the z-axis; lz is the length of its cylinder."""

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = float(radius), float(lz)

        def mesh() -> Model:
            sphere = Model.shape(f"shape:sphere?radius={self.radius}&faces={FACES}").vertices
            half = np.array([0.0, 0.0, 0.5 * self.lz])
            return Model.hull(np.concatenate([sphere - half, sphere + half]))

        super().__init__(Shape.capsule(0.5 * self.lz, self.radius), mesh)


def _circle(radius: float, z: float) -> _Floats:
    """Points on a circle about the z-axis."""
    angles = np.linspace(0.0, 2.0 * np.pi, FACES // 8, endpoint=False)
    return np.stack([radius * np.cos(angles), radius * np.sin(angles), np.full(angles.shape, z)], axis=1)


class Cone(_Formula):
    """A cone about the z-axis: its base at −lz / 2, its apex at lz / 2."""

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = float(radius), float(lz)
        half = 0.5 * self.lz

        def mesh() -> Model:
            return Model.hull(np.concatenate([_circle(self.radius, -half), [[0.0, 0.0, half]]]))

        super().__init__(Shape.cone(half, self.radius), mesh)


class Cylinder(_Formula):
    """A cylinder about the z-axis, by its radius and its height lz."""

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = float(radius), float(lz)
        half = 0.5 * self.lz

        def mesh() -> Model:
            return Model.hull(np.concatenate([_circle(self.radius, -half), _circle(self.radius, half)]))

        super().__init__(Shape.cylinder(half, self.radius), mesh)


class Convex(CollisionGeometry):
    """A convex polyhedron: vertices, the number of faces, and for each face its size and its vertex numbers."""

    def __init__(self, vertices: ArrayLike, num_faces: int, faces: Sequence[int] | NDArray[np.integer[Any]]) -> None:
        numbers, polygons, place = list(map(int, faces)), [], 0
        while place < len(numbers):
            end = place + 1 + numbers[place]
            polygons.append(numbers[place + 1 : end])
            place = end
        if len(polygons) != num_faces:
            raise MeshError(f"found {len(polygons)} faces, expected {num_faces}")
        self._made = Model(vertices, polygons)

    def _model(self) -> Model:
        return self._made


class BVHModel(CollisionGeometry):
    """A mesh of triangles, built between `beginModel` and `endModel`."""

    def __init__(self) -> None:
        self._vertices: list[_Floats] = []
        self._triangles: list[NDArray[np.int64]] = []
        self._made: Model | None = None

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> None:
        """Begins anew; the numbers are not needed."""
        self._vertices, self._triangles, self._made = [], [], None

    def addVertex(self, x: float, y: float, z: float) -> None:
        """Adds a vertex."""
        self._vertices.append(np.array([[x, y, z]], dtype=np.float64))

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> None:
        """Adds a triangle by its corners, shape (3,) each, with vertices of its own."""
        self.addSubModel(np.array([v1, v2, v3], dtype=np.float64), [[0, 1, 2]])

    def addSubModel(self, verts: ArrayLike, triangles: ArrayLike) -> None:
        """Adds vertices, shape (n, 3), and triangles over them, shape (m, 3)."""
        before = sum(len(part) for part in self._vertices)
        self._vertices.append(np.array(verts, dtype=np.float64).reshape(-1, 3))
        self._triangles.append(np.array(triangles, dtype=np.int64).reshape(-1, 3) + before)

    def endModel(self) -> None:
        """Ends the mesh. Raises `MeshError` if it is none."""
        vertices = np.concatenate(self._vertices) if self._vertices else np.zeros((0, 3))
        triangles = np.concatenate(self._triangles) if self._triangles else np.zeros((0, 3), dtype=np.int64)
        self._made = Model(vertices, triangles)

    def num_tries_(self) -> int:
        """The number of triangles."""
        return sum(len(part) for part in self._triangles)

    def _model(self) -> Model:
        if self._made is None:
            raise MeshError("the mesh has no end, expected a call of endModel")
        return self._made


class CollisionObject:
    """A geometry at a transform."""

    def __init__(self, geom: CollisionGeometry, tf: Transform | None = None) -> None:
        self.geom = geom
        self._transform = Transform() if tf is None else Transform(tf)

    def getTransform(self) -> Transform:
        """A copy of the transform."""
        return Transform(self._transform)

    def setTransform(self, tf: Transform) -> None:
        """Sets the transform."""
        self._transform = Transform(tf)

    def getTranslation(self) -> _Floats:
        """Shape (3,)."""
        return self._transform.getTranslation()

    def setTranslation(self, vec: ArrayLike) -> None:
        """Sets the translation: shape (3,)."""
        self._transform.setTranslation(vec)

    def getRotation(self) -> _Floats:
        """The matrix: shape (3, 3)."""
        return self._transform.getRotation()

    def setRotation(self, mat: ArrayLike) -> None:
        """Sets the matrix: shape (3, 3)."""
        self._transform.setRotation(mat)

    def getQuatRotation(self) -> _Floats:
        """The rotation as a unit quaternion w, x, y, z."""
        return self._transform.getQuatRotation()

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Sets the rotation by a unit quaternion w, x, y, z."""
        self._transform.setQuatRotation(q)

    @property
    def _pose(self) -> _Floats:
        return self._transform._matrix


@dataclass
class Contact:
    """A contact: the geometries, the triangles or −1, a common point, the normal from the first object to the second."""

    o1: Any = None
    o2: Any = None
    b1: int = 0
    b2: int = 0
    normal: _Floats = field(default_factory=lambda: np.zeros(3))
    pos: _Floats = field(default_factory=lambda: np.zeros(3))
    penetration_depth: float = 0.0


@dataclass
class CostSource:
    """Never filled in."""

    aabb_min: _Floats = field(default_factory=lambda: np.zeros(3))
    aabb_max: _Floats = field(default_factory=lambda: np.zeros(3))
    cost_density: float = 0.0
    total_cost: float = 0.0


@dataclass
class CollisionRequest:
    """At most `num_max_contacts` contacts are listed, with points and normals if `enable_contact`."""

    num_max_contacts: int = 1
    enable_contact: bool = False
    num_max_cost_sources: int = 1
    enable_cost: bool = False
    use_approximate_cost: bool = True
    gjk_solver_type: int = GJKSolverType.GST_LIBCCD


@dataclass
class CollisionResult:
    """Whether objects collide, and their contacts."""

    is_collision: bool = False
    contacts: list[Contact] = field(default_factory=list)
    cost_sources: list[CostSource] = field(default_factory=list)


@dataclass
class ContinuousCollisionRequest:
    """`toc_err` is how wide the interval may be that contains the time of contact."""

    num_max_iterations: int = 10
    toc_err: float = 0.0001
    ccd_motion_type: int = CCDMotionType.CCDM_TRANS
    gjk_solver_type: int = GJKSolverType.GST_LIBCCD
    ccd_solver_type: int = CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT


@dataclass
class ContinuousCollisionResult:
    """Whether objects collide on their way, and when first."""

    is_collide: bool = False
    time_of_contact: float = 1.0


@dataclass
class DistanceRequest:
    """Whether nearest points are wanted. The distance is always signed."""

    enable_nearest_points: bool = False
    enable_signed_distance: bool = False
    gjk_solver_type: int = GJKSolverType.GST_LIBCCD


@dataclass
class DistanceResult:
    """The least distance, the nearest points in the world, and the geometries."""

    min_distance: float = sys.float_info.max
    nearest_points: list[Any] = field(default_factory=lambda: [None, None])
    o1: Any = None
    o2: Any = None
    b1: int = -1
    b2: int = -1


@dataclass
class CollisionData:
    """What `defaultCollisionCallback` needs."""

    request: CollisionRequest = field(default_factory=CollisionRequest)
    result: CollisionResult = field(default_factory=CollisionResult)
    done: bool = False


@dataclass
class DistanceData:
    """What `defaultDistanceCallback` needs."""

    request: DistanceRequest = field(default_factory=DistanceRequest)
    result: DistanceResult = field(default_factory=DistanceResult)
    done: bool = False


def _shapes(o1: CollisionObject, o2: CollisionObject) -> tuple[Shape, Shape] | None:
    one, other = o1.geom._shape(), o2.geom._shape()
    return None if one is None or other is None else (one, other)


def _meet(o1: CollisionObject, o2: CollisionObject) -> bool:
    shapes = _shapes(o1, o2)
    one, other = shapes or (o1.geom._model(), o2.geom._model())
    return _intersects(one, o1._pose, other, o2._pose)


def _depth(o1: CollisionObject, o2: CollisionObject) -> tuple[_Floats, float, _Floats]:
    """The normal from the first to the second, the depth, and a point in the middle of both deepest points."""
    found = _penetration(o1.geom._model(), o1._pose, o2.geom._model(), o2._pose)
    if found is None:
        # The meshes of ideal shapes that just touch.
        nearest = _closest_points(o1.geom._model(), o1._pose, o2.geom._model(), o2._pose)
        return np.zeros(3), 0.0, nearest.points.mean(axis=0)
    return -found.direction, found.at_most, found.points.mean(axis=0)


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """The number of contacts, 0 if the objects are apart. Adds to the result."""
    request = CollisionRequest() if request is None else request
    result = CollisionResult() if result is None else result
    if not _meet(o1, o2):
        return 0
    result.is_collision = True
    found = list(_contacts_of(o1, o2, request))
    result.contacts.extend(found)
    return len(found)


def _contacts_of(o1: CollisionObject, o2: CollisionObject, request: CollisionRequest) -> Iterable[Contact]:
    one, other = o1.geom, o2.geom
    if not request.enable_contact:
        yield Contact(one, other, -1, -1)
        return
    normal, depth, middle = _depth(o1, o2)
    listed = 0
    if _shapes(o1, o2) is None:
        found = _contacts(one._model(), o1._pose, other._model(), o2._pose)
        points = 0.5 * (found.starts + found.ends)
        for (s, t), point in zip(found.triangles[: request.num_max_contacts].tolist(), points):
            yield Contact(one, other, s, t, normal, point, depth)
            listed += 1
    if listed == 0:
        yield Contact(one, other, -1, -1, normal, middle, depth)


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """The distance, or minus the depth if the objects collide. The result keeps the least of all calls."""
    result = DistanceResult() if result is None else result
    shapes = _shapes(o1, o2)
    if shapes is None:
        found = _closest_points(o1.geom._model(), o1._pose, o2.geom._model(), o2._pose)
    else:
        found = _closest_points(shapes[0], o1._pose, shapes[1], o2._pose)
    value, points = found.distance, found.points
    if value == 0.0:
        value = -_depth(o1, o2)[1]
    if value < result.min_distance:
        result.min_distance = value
        result.nearest_points = [points[0], points[1]]
        result.o1, result.o2 = o1.geom, o2.geom
        result.b1, result.b2 = found.faces or (-1, -1)
    return value


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """The time from 0 to 1 at which the objects first touch on the way to their ends; 1 if they do not.

    CCDM_SCREW is a screw motion, all else the shorter way. Raises `UndecidedError` if rounding hides the answer.
    """
    request = ContinuousCollisionRequest() if request is None else request
    result = ContinuousCollisionResult() if result is None else result
    is_screw = request.ccd_motion_type == CCDMotionType.CCDM_SCREW
    found = _time_of_contact(
        o1.geom._model(),
        o1._pose,
        tf1_end._matrix,
        o2.geom._model(),
        o2._pose,
        tf2_end._matrix,
        width=request.toc_err,
        kind="screw" if is_screw else "linear",
    )
    result.is_collide = bool(found)
    result.time_of_contact = found.interval[1] if found.interval is not None else 1.0
    return result.time_of_contact


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Collides the objects; whether there are enough contacts."""
    if cdata.done:
        return True
    collide(o1, o2, cdata.request, cdata.result)
    cdata.done = cdata.result.is_collision and len(cdata.result.contacts) >= cdata.request.num_max_contacts
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> tuple[bool, float]:
    """Measures the objects; whether to end, and the least distance so far."""
    if not cdata.done:
        distance(o1, o2, cdata.request, cdata.result)
    return cdata.done, cdata.result.min_distance


_CollisionCallback: TypeAlias = Callable[[CollisionObject, CollisionObject, Any], bool]
_DistanceCallback: TypeAlias = Callable[[CollisionObject, CollisionObject, Any], tuple[bool, float]]


class DynamicAABBTreeCollisionManager:
    """Objects whose boxes are compared before a callback sees them."""

    def __init__(self) -> None:
        self._objects: list[CollisionObject] = []

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Adds objects."""
        self._objects.extend(other_objs)

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object."""
        self._objects.append(obj)

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Removes an object. Raises `ValueError` if it is not there."""
        place = next((place for place, one in enumerate(self._objects) if one is obj), None)
        if place is None:
            raise ValueError("the object is not registered")
        del self._objects[place]

    def setup(self) -> None:
        """Nothing to do."""

    def update(self, arg: Any = None) -> None:
        """Nothing to do: transforms are read by each query."""

    def getObjects(self) -> list[CollisionObject]:
        """All objects."""
        return list(self._objects)

    def clear(self) -> None:
        """Removes all objects."""
        self._objects.clear()

    def empty(self) -> bool:
        """Whether there is none."""
        return not self._objects

    def size(self) -> int:
        """The number of objects."""
        return len(self._objects)

    def collide(self, *args: Any) -> None:
        """collide(data, callback) among the objects; collide(object or manager, data, callback) with others.

        The callback sees pairs whose boxes overlap, until it returns True.
        """
        pairs, data, callback = self._pairs(args)
        for one, other, apart in pairs:
            if apart <= 0.0 and callback(one, other, data):
                return

    def distance(self, *args: Any) -> None:
        """distance(data, callback) among the objects; distance(object or manager, data, callback) with others.

        The callback sees pairs, nearest boxes first, until it returns True or boxes are farther apart than its distance.
        """
        pairs, data, callback = self._pairs(args)
        least = sys.float_info.max
        for one, other, apart in sorted(pairs, key=lambda pair: pair[2]):
            if apart > 0.0 and apart * (1.0 - 1e-12) > least:
                return
            done, least = callback(one, other, data)
            if done:
                return

    def _pairs(
        self, args: tuple[Any, ...]
    ) -> tuple[list[tuple[CollisionObject, CollisionObject, float]], Any, Callable[..., Any]]:
        """Pairs with the distance of their boxes, the data and the callback."""
        if len(args) == 2:
            firsts, seconds, (data, callback) = self._objects, self._objects, args
        else:
            other, data, callback = args
            firsts = self._objects
            seconds = other._objects if isinstance(other, DynamicAABBTreeCollisionManager) else [other]
        if not firsts or not seconds:
            return [], data, callback
        boxes, others = _boxes(firsts), _boxes(seconds)
        gaps = np.maximum(boxes[:, None, 0] - others[None, :, 1], others[None, :, 0] - boxes[:, None, 1])
        apart = np.linalg.norm(np.maximum(gaps, 0.0), axis=2)
        numbers = np.triu_indices(len(firsts), 1) if len(args) == 2 else np.indices(apart.shape).reshape(2, -1)
        pairs = [(firsts[i], seconds[j], float(apart[i, j])) for i, j in zip(*numbers)]
        return pairs, data, callback


def _boxes(objects: Sequence[CollisionObject]) -> _Floats:
    """The boxes of objects in the world, a little wider than their geometries: shape (n, 2, 3)."""
    boxes = np.empty((len(objects), 2, 3))
    for place, one in enumerate(objects):
        low, high = _local_box(one.geom)
        center, half = 0.5 * (low + high), 0.5 * (high - low)
        matrix = one._pose
        center = matrix[:3, :3] @ center + matrix[:3, 3]
        half = np.abs(matrix[:3, :3]) @ half
        half = half + 1e-9 * (np.abs(center) + np.linalg.norm(half) + 1e-300)
        boxes[place] = center - half, center + half
    return boxes


def _local_box(geometry: CollisionGeometry) -> tuple[_Floats, _Floats]:
    if isinstance(geometry, Box):
        high = 0.5 * geometry.side
    elif isinstance(geometry, Sphere):
        high = np.full(3, geometry.radius)
    elif isinstance(geometry, Ellipsoid):
        high = geometry.radii
    elif isinstance(geometry, Capsule):
        high = np.array([geometry.radius, geometry.radius, geometry.radius + 0.5 * geometry.lz])
    elif isinstance(geometry, Cone | Cylinder):
        high = np.array([geometry.radius, geometry.radius, 0.5 * geometry.lz])
    else:
        low, high = geometry._model().bounds
        return low, high
    return -high, high
