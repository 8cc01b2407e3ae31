"""Volumes of intersections by Manifold (manifold3d), whenever a line comes in.

FILE holds the number of pairs (little-endian u32) and for each two meshes: vertices, faces (u32), the positions (f64, three a
vertex) and the faces (u32, three each). For each line of the standard input, prints the nanoseconds that all
intersections and their volumes took, and the sum of the volumes. Meshes become manifolds before.
"""

import sys
import time

import manifold3d
import numpy


def mesh(file):
    vertex_count, face_count = numpy.fromfile(file, "<u4", 2)
    positions = numpy.fromfile(file, "<f8", 3 * vertex_count).reshape(vertex_count, 3)
    faces = numpy.fromfile(file, "<u4", 3 * face_count).reshape(face_count, 3)
    return manifold3d.Manifold(manifold3d.Mesh64(positions, faces.astype(numpy.uint64)))


with open(sys.argv[1], "rb") as file:
    count = int(numpy.fromfile(file, "<u4", 1)[0])
    pairs = [(mesh(file), mesh(file)) for _ in range(count)]
for one, other in pairs:
    assert one.volume() != 0.0 and other.volume() != 0.0, "not a manifold"

for _ in sys.stdin:
    began = time.perf_counter_ns()
    volumes = [(one ^ other).volume() for one, other in pairs]
    print(time.perf_counter_ns() - began, sum(volumes), flush=True)
