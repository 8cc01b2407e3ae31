"""The examples, without a window."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import trimesh

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    return subprocess.check_output([sys.executable, str(EXAMPLES / name), *arguments], text=True)


def test_clash_in_trimesh(tmp_path: Path) -> None:
    file = tmp_path / "clash.glb"
    printed = run("clash_in_trimesh.py", "--export", str(file))
    assert int(printed.split()[0]) > 0
    scene = trimesh.load_scene(file)
    assert len(scene.geometry) == 3


@pytest.mark.skipif(importlib.util.find_spec("rerun") is None, reason="rerun-sdk is not installed")
def test_world_in_rerun(tmp_path: Path) -> None:
    file = tmp_path / "world.rrd"
    printed = run("world_in_rerun.py", "--frames", "20", "--save", str(file))
    assert printed.startswith("20 frames, ")
    content = file.read_bytes()
    assert content.startswith(b"RRF")
    assert b"contacts" in content
