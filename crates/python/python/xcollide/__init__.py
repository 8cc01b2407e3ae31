"""Exact and fast collision detection between polyhedra.

>>> import xcollide
>>> ring = xcollide.Model.shape("shape:torus?faces=1000")
>>> box = xcollide.Model.shape("shape:box")
>>> xcollide.intersects(ring, None, box, ([0, 0, 0, 1], [0.0, 0.0, 0.5]))
True
>>> verdict = xcollide.check(ring, None, box, ([0, 0, 0, 1], [0.0, 0.0, 5.0]))
>>> verdict
Verdict(apart, plane)
>>> verdict.verify()

Touching is colliding, a closed mesh is the body that it bounds, and every yes or no is exact for all finite
coordinates. Lengths are in the unit of the vertices; angles do not occur. Poses map a model's frame to the world: None
for the identity, a 4×4 matrix, kept bit for bit, or a tuple of a unit quaternion (x, y, z, w) and a translation.
"""

from . import errors
from ._xcollide import (
    BoundedDistance,
    Classification,
    ClosestPoints,
    Contacts,
    Edge,
    Events,
    Frame,
    Model,
    Motion,
    NearRegions,
    Penetration,
    RayHit,
    Repaired,
    Robot,
    Shape,
    Verdict,
    Witness,
    World,
    __version__,
    algorithms,
    check,
    closest_points,
    closest_points_many,
    contacts,
    contains,
    distance,
    distance_in_time,
    distance_many,
    intersects,
    intersects_many,
    near_regions,
    nearest_points,
    penetration,
    ray_cast,
    ray_cast_many,
    sphere_cast_many,
    time_of_contact,
)
from .errors import XCollideError

__all__ = [
    "BoundedDistance",
    "Classification",
    "ClosestPoints",
    "Contacts",
    "Edge",
    "Events",
    "Frame",
    "Model",
    "Motion",
    "NearRegions",
    "Penetration",
    "RayHit",
    "Repaired",
    "Robot",
    "Shape",
    "Verdict",
    "Witness",
    "World",
    "XCollideError",
    "__version__",
    "algorithms",
    "check",
    "closest_points",
    "closest_points_many",
    "contacts",
    "contains",
    "distance",
    "distance_in_time",
    "distance_many",
    "errors",
    "intersects",
    "intersects_many",
    "near_regions",
    "nearest_points",
    "penetration",
    "ray_cast",
    "ray_cast_many",
    "sphere_cast_many",
    "time_of_contact",
]
