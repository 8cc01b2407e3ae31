"""The broad phases of ipctk and its test for self-intersections on the frames of a mesh, on one thread.

FILE holds three little-endian u32 (vertices, faces, frames), the faces (u32, three each) and the positions of all
frames (f64, three a vertex). Prints a line for each method: name, candidates or intersecting frames, then the
nanoseconds of each frame.
"""

import sys
import time

import ipctk
import numpy

with open(sys.argv[1], "rb") as file:
    vertex_count, face_count, frame_count = numpy.fromfile(file, "<u4", 3)
    faces = numpy.fromfile(file, "<u4", 3 * face_count).reshape(face_count, 3).astype(numpy.int32)
    positions = numpy.fromfile(file, "<f8", 3 * vertex_count * frame_count)
frames = [numpy.asfortranarray(frame) for frame in positions.reshape(frame_count, vertex_count, 3)]

ipctk.set_logger_level(ipctk.LoggerLevel.error)
ipctk.set_num_threads(1)
mesh = ipctk.CollisionMesh(frames[0], ipctk.edges(faces), faces)


def report(name, ask):
    """The times of all frames, and the sum of what `ask` tells of the last frame."""
    times, told = [], 0
    for number in range(1, frame_count):
        began = time.perf_counter_ns()
        told = ask(frames[number - 1], frames[number])
        times.append(time.perf_counter_ns() - began)
    print(name, told, *times)


for method in [ipctk.LBVH, ipctk.HashGrid, ipctk.SpatialHash, ipctk.SweepAndPrune]:
    broad = method()

    def candidates(_, now):
        found = ipctk.Candidates()
        found.build(mesh, now, 0.0, broad)
        return len(found)

    def moving_candidates(before, now):
        found = ipctk.Candidates()
        found.build(mesh, before, now, 0.0, broad)
        return len(found)

    report(f"{method.__name__}-at-rest", candidates)
    report(f"{method.__name__}-moving", moving_candidates)
    report(f"{method.__name__}-intersections", lambda _, now: int(ipctk.has_intersections(mesh, now, broad)))
