"""A clash of two meshes, in the viewer of trimesh: the faces that meet are red, the lines in which they cross black.
Needs `pip install trimesh scipy`.

    python clash_in_trimesh.py                    # opens a window; needs `pip install "pyglet<2"`
    python clash_in_trimesh.py --export clash.glb # writes the scene, without a window
"""

import argparse

import numpy as np
import trimesh
import xcollide
from trimesh.path import Path3D
from trimesh.path.entities import Line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--export", metavar="FILE")
    options = parser.parse_args()
    meshes = [trimesh.creation.annulus(0.6, 1.0, 0.6), trimesh.creation.icosphere(radius=0.5)]
    pose = np.eye(4)
    pose[:3, 3] = [0.8, 0.0, 0.2]
    meshes[1].apply_transform(pose)
    one, other = (xcollide.Model.from_trimesh(mesh) for mesh in meshes)
    found = xcollide.contacts(one, None, other, None)
    for mesh, faces in zip(meshes, found.faces.T):
        mesh.visual.face_colors = [200, 200, 200, 160]
        mesh.visual.face_colors[np.unique(faces)] = [230, 40, 30, 255]
    corners = np.stack([found.starts, found.ends], axis=1).reshape(-1, 3)
    cuts = [Line([place, place + 1], color=[0, 0, 0, 255]) for place in range(0, len(corners), 2)]
    lines = Path3D(entities=cuts, vertices=corners, process=False)
    scene = trimesh.Scene([*meshes, lines])
    print(f"{len(found)} pairs of triangles meet")
    if options.export is None:
        scene.show()
    else:
        scene.export(options.export)


if __name__ == "__main__":
    main()
