"""The examples, without a window."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
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


PROGRAM = os.environ.get("XCOLLIDE_PROGRAM") or shutil.which("xcollide")


@pytest.mark.skipif(importlib.util.find_spec("ifcopenshell") is None, reason="ifcopenshell is not installed")
@pytest.mark.skipif(PROGRAM is None, reason="the program xcollide is neither on the path nor in XCOLLIDE_PROGRAM")
def test_clash_ifc(tmp_path: Path) -> None:
    bcf = tmp_path / "clashes.bcf"
    printed = run("clash_ifc.py", "--bcf", str(bcf), "--keep", str(tmp_path / "table")).splitlines()
    pairs = sorted(line for line in printed if ": " in line)
    # The ids are made anew each time, so the order of a pair is not known.
    assert [set(line.split(": ")[0].split(" – ")) for line in sorted(pairs, key=len)] == [
        {"IfcDuctSegment duct", "IfcWall wall"},
        {"IfcPipeSegment pipe", "IfcWall wall"},
    ]
    assert any(line.endswith(": overlapping") for line in pairs)
    assert any(line.endswith(": apart 0.040 m") for line in pairs)
    with zipfile.ZipFile(bcf) as archive:
        viewpoints = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".bcfv")]
    rows = (tmp_path / "table" / "elements.csv").read_text(encoding="utf-8").splitlines()[1:]
    ids = {row.split(",")[-1]: row.split(",")[0] for row in rows}
    assert len(viewpoints) == 2
    for viewpoint in viewpoints:
        assert f'IfcGuid="{ids["wall"]}"' in viewpoint
        assert f'IfcGuid="{ids["beam"]}"' not in viewpoint
