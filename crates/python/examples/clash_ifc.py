"""IFC in, BCF out: which elements of a building interfere, by `xcollide clash`, as issues for a BIM viewer.
Needs `pip install ifcopenshell`, and the program `xcollide` on the path or in XCOLLIDE_PROGRAM.

    python clash_ifc.py building.ifc --tolerance 0.05 --bcf clashes.bcf
    python clash_ifc.py --bcf clashes.bcf --keep table    # a small building that the script makes, and its table

Ids are GlobalIds, so a viewer finds the elements of an issue. Their groups are the classes of IFC.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import ifcopenshell
import ifcopenshell.api.aggregate
import ifcopenshell.api.context
import ifcopenshell.api.geometry
import ifcopenshell.api.project
import ifcopenshell.api.root
import ifcopenshell.api.spatial
import ifcopenshell.api.unit
import ifcopenshell.geom
import numpy as np

HEADER = ["id", "model", *(f"m{row}{column}" for row in range(3) for column in range(4)), "group", "name"]


def building() -> ifcopenshell.file:
    """A wall, a duct through it, a pipe 4 cm before it, and a beam far away."""
    model = ifcopenshell.api.project.create_file()
    project = ifcopenshell.api.root.create_entity(model, ifc_class="IfcProject", name="Example")
    ifcopenshell.api.unit.assign_unit(model)
    view = ifcopenshell.api.context.add_context(model, context_type="Model")
    body = ifcopenshell.api.context.add_context(
        model, context_type="Model", context_identifier="Body", target_view="MODEL_VIEW", parent=view
    )
    storey = ifcopenshell.api.root.create_entity(model, ifc_class="IfcBuildingStorey", name="Ground")
    ifcopenshell.api.aggregate.assign_object(model, products=[storey], relating_object=project)
    elements = [
        ("IfcWall", "wall", (4.0, 0.2, 3.0), (0.0, 0.0, 0.0)),
        ("IfcDuctSegment", "duct", (0.5, 3.0, 0.25), (1.0, -1.0, 2.25)),
        ("IfcPipeSegment", "pipe", (3.0, 0.1, 0.1), (0.5, -0.14, 1.0)),
        ("IfcBeam", "beam", (4.0, 0.2, 0.2), (0.0, 9.0, 3.0)),
    ]
    for ifc_class, name, size, place in elements:
        element = ifcopenshell.api.root.create_entity(model, ifc_class=ifc_class, name=name)
        ifcopenshell.api.spatial.assign_container(model, products=[element], relating_structure=storey)
        matrix = np.eye(4)
        matrix[:3, 3] = place
        ifcopenshell.api.geometry.edit_object_placement(model, product=element, matrix=matrix)
        ifcopenshell.api.geometry.assign_representation(model, product=element, representation=cuboid(model, body, size))
    return model


def cuboid(model: ifcopenshell.file, body: ifcopenshell.entity_instance, size: tuple) -> ifcopenshell.entity_instance:
    x, y, z = size
    floor, roof = [[(0.0, 0.0, h), (x, 0.0, h), (x, y, h), (0.0, y, h)] for h in (0.0, z)]
    sides = [(k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4)]
    return ifcopenshell.api.geometry.add_mesh_representation(
        model, context=body, vertices=[floor + roof], faces=[[(3, 2, 1, 0), (4, 5, 6, 7), *sides]]
    )


def write_table(model: ifcopenshell.file, folder: Path) -> Path:
    """Writes a table with a row for each element, and a mesh for each geometry beside it. Returns its path."""
    table = folder / "elements.csv"
    meshes = {}
    iterator = ifcopenshell.geom.iterator(ifcopenshell.geom.settings(), model, os.cpu_count() or 1)
    with table.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(HEADER)
        found = iterator.initialize()
        while found:
            shape = iterator.get()
            element = model.by_guid(shape.guid)
            # Openings are cut from walls; spaces are filled by what is in them.
            if element.is_a("IfcElement") and not element.is_a("IfcFeatureElement"):
                geometry = shape.geometry
                if geometry.id not in meshes:
                    meshes[geometry.id] = f"mesh-{len(meshes)}.off"
                    write_off(folder / meshes[geometry.id], geometry)
                # By columns; lengths are in metres.
                matrix = np.array(shape.transformation.matrix).reshape(4, 4).T
                numbers = [repr(float(value)) for value in matrix[:3].flatten()]
                rows.writerow([shape.guid, meshes[geometry.id], *numbers, element.is_a(), element.Name or ""])
            found = iterator.next()
    return table


def write_off(path: Path, geometry: object) -> None:
    vertices = np.array(geometry.verts).reshape(-1, 3)
    triangles = np.array(geometry.faces).reshape(-1, 3)
    # One vertex for equal corners, so that a closed body is one.
    vertices, numbers = np.unique(vertices, axis=0, return_inverse=True)
    triangles = numbers.reshape(-1)[triangles]
    with path.open("w", encoding="utf-8") as file:
        print("OFF", len(vertices), len(triangles), 0, file=file)
        for vertex in vertices.tolist():
            print(*map(repr, vertex), file=file)
        for triangle in triangles.tolist():
            print(3, *triangle, file=file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ifc", nargs="?", type=Path, metavar="FILE.ifc")
    parser.add_argument("--tolerance", type=float, default=0.05, help="a clearance that is a clash, in metres")
    parser.add_argument("--bcf", type=Path, default=Path("clashes.bcf"))
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to leave the table and the meshes")
    options = parser.parse_args()
    model = building() if options.ifc is None else ifcopenshell.open(options.ifc)
    names = {element.GlobalId: f"{element.is_a()} {element.Name}" for element in model.by_type("IfcElement")}
    with tempfile.TemporaryDirectory() as place:
        folder = options.keep or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        table = write_table(model, folder)
        program = os.environ.get("XCOLLIDE_PROGRAM", "xcollide")
        command = [program, "clash", table, "--json", "--tolerance", repr(options.tolerance), "--out", options.bcf]
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    for line in ran.stdout.splitlines():
        found = json.loads(line)
        if "error" in found:
            print(f"{found['error']['id']}: {found['error']['message']}", file=sys.stderr)
        elif "kind" in found:
            distance = f" {found['distance']:.3f} m" if found["kind"] == "apart" else ""
            print(f"{names[found['a']]} – {names[found['b']]}: {found['kind']}{distance}")
    print(f"{options.bcf} is written" if ran.returncode in (0, 1) else "xcollide clash failed")
    sys.exit(ran.returncode)


if __name__ == "__main__":
    main()
