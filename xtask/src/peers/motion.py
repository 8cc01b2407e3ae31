"""Tight-Inclusion and additive CCD of ipctk on a folder of queries, as rows of the bench `motion`."""

import statistics
import sys
import time
from fractions import Fraction
from pathlib import Path

import ipctk
import numpy


def queries(path):
    rows = [line.split(",") for line in path.read_text().split()]
    points = [
        numpy.array([float(Fraction(int(row[i]), int(row[i + 1]))) for i in (0, 2, 4)]) for row in rows
    ]
    return [(points[i : i + 8], rows[i][6] == "1") for i in range(0, len(rows), 8)]


def answer(ask, points):
    """Whether they collide, and the median time of nine calls, of fewer if these take long."""
    times = []
    while len(times) < 9 and sum(times) < 1_000_000:
        began = time.perf_counter_ns()
        hit = ask(*points)[0]
        times.append(time.perf_counter_ns() - began)
    return hit, statistics.median(times)


# It tells of every query that begins in contact.
ipctk.set_logger_level(ipctk.LoggerLevel.error)
folder = Path(sys.argv[1])
for name, ccd in [
    ("Tight-Inclusion", ipctk.TightInclusionCCD()),
    ("additive CCD", ipctk.AdditiveCCD()),
]:
    times, hits, false_negatives, false_positives = [], 0, 0, 0
    for kind, ask in [("vertex-face", ccd.point_triangle_ccd), ("edge-edge", ccd.edge_edge_ccd)]:
        for path in sorted(folder.glob(f"*/{kind}/*.csv")):
            for points, truth in queries(path):
                hit, nanoseconds = answer(ask, points)
                hits += hit
                false_negatives += truth and not hit
                false_positives += hit and not truth
                times.append(nanoseconds)
    times.sort()
    figures = [
        statistics.median_high(times),
        statistics.fmean(times),
        times[len(times) * 99 // 100],
        times[-1],
    ]
    counts = [len(times), hits, false_negatives, false_positives]
    label = f"{name}, ipctk {ipctk.__version__}"
    print("|", " | ".join([label, "1e-6", *map(str, counts), *(f"{x:.0f}" for x in figures)]), "|")
