"""The package as a whole: docs, types, import, threads, processes."""

import doctest
import multiprocessing
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest
import xcollide
import xcollide.fcl
import xcollide.trimesh
from conftest import rotations
from xcollide import Model

ROOT = Path(__file__).parents[1]


def documented() -> Iterator[tuple[str, object]]:
    """Every public object with its name."""
    modules = [xcollide, xcollide.errors, xcollide.fcl, xcollide.trimesh]
    yield from ((module.__name__, module) for module in modules)
    for module, name in ((module, name) for module in modules for name in module.__all__):
        thing = getattr(module, name)
        yield f"{module.__name__}.{name}", thing
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                # Not the default values of data classes.
                if not member.startswith("_") and value is not None:
                    yield f"{module.__name__}.{name}.{member}", value


def test_every_public_object_has_a_docstring() -> None:
    missing = [name for name, thing in documented() if not thing.__doc__]
    assert not missing


def test_examples_of_docstrings() -> None:
    runner = doctest.DocTestRunner()
    for name, thing in documented():
        text = thing.__doc__ or ""
        if ">>>" in text:
            runner.run(doctest.DocTestParser().get_doctest(text, {}, name, None, 0))
    assert runner.summarize().attempted > 25
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md")), ids=str)
def test_examples_of_pages(path: Path) -> None:
    found = doctest.testfile(str(path), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    assert found.attempted > 0


def test_example_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT.parents[1] / "README.md").read_text(encoding="utf-8")
    _, program = text.split("```python\n")
    exec(program.split("```")[0], {})
    assert 0 < int(capsys.readouterr().out) < 10_000


def test_import_takes_less_than_a_tenth_of_a_second() -> None:
    program = "import time; begin = time.perf_counter(); import xcollide; print(time.perf_counter() - begin)"
    runs = [subprocess.check_output([sys.executable, "-c", program], text=True) for _ in range(5)]
    assert min(map(float, runs)) < 0.1


def test_numpy_is_imported_when_it_is_needed() -> None:
    program = "import sys, xcollide; print('numpy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "False"


def test_the_lock_of_the_interpreter_is_released() -> None:
    """While a batch runs in one thread, another one goes on."""
    knot = Model.shape("shape:knot?faces=3000").prepare()
    poses = rotations(400, 6)
    xcollide.distance(knot, poses[0], knot, None)
    done = threading.Event()
    steps = 0

    def batch() -> None:
        xcollide.distance_many(knot, poses, knot, None, threads=1)
        done.set()

    worker = threading.Thread(target=batch)
    worker.start()
    while not done.wait(0.0005):
        steps += 1
    worker.join()
    assert steps > 3


def test_many_threads_use_one_model() -> None:
    poses = rotations(200, 7)
    expected = None
    for _ in range(3):
        # Not prepared: the threads do so at the same time.
        ring = Model.shape("shape:torus?faces=2000")

        def query(number: int, ring: Model = ring) -> float:
            return xcollide.distance(ring, poses[number], ring, None)

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(query, range(200)))
        expected = expected or found
        assert found == expected


def in_child(pose: numpy.ndarray) -> tuple[bool, float]:
    ring = Model.shape("shape:torus?faces=1500")
    return xcollide.intersects(ring, pose, ring, None), xcollide.distance(ring, pose, ring, None)


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("method", [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()])
def test_processes(method: str) -> None:
    poses = rotations(4, 8)
    expected = [in_child(pose) for pose in poses]
    ring = Model.shape("shape:torus?faces=1000")
    xcollide.intersects_many(ring, rotations(2000, 9), ring, None, threads=2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(in_child, list(poses)).get(timeout=60) == expected
