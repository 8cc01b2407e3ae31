//! Patches and their trees through serde. Deserialising checks what queries rely on, so that
//! damaged data cannot make them fail. Whether the patches are convex and the volumes hold them
//! cannot be checked, as the vertices are not there; answers of an exact query rely on the latter,
//! not on the former.

use serde::{Deserialize, Deserializer, de::Error};
use xcollide_bounds::BoundingVolume;

use super::{End, NOBODY, PatchTree, PatchTriangle, Patches};
use crate::binary::Bvh;

#[derive(Deserialize)]
#[serde(rename = "Patches")]
struct StoredPatches {
    ends: Vec<End>,
    vertices: Vec<u32>,
    triangles: Vec<PatchTriangle>,
}

#[derive(Deserialize)]
#[serde(rename = "PatchTree", bound = "V: BoundingVolume + Deserialize<'de>")]
struct StoredTree<V> {
    patches: Patches,
    tree: Bvh<V>,
    merged: bool,
}

impl<'de> Deserialize<'de> for Patches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredPatches { ends, vertices, triangles } = StoredPatches::deserialize(deserializer)?;
        let patches = Self { ends, vertices, triangles };
        patches.check_places().map_err(D::Error::custom)?;
        Ok(patches)
    }
}

impl<'de, V: BoundingVolume + Deserialize<'de>> Deserialize<'de> for PatchTree<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredTree { patches, tree, merged } = StoredTree::deserialize(deserializer)?;
        if tree.primitive_count() != patches.len() {
            return Err(D::Error::custom("the tree is not over these patches"));
        }
        Ok(Self { patches, tree, merged })
    }
}

impl Patches {
    fn check_places(&self) -> Result<(), &'static str> {
        let (mut vertices, mut triangles) = (0, 0);
        for end in &self.ends {
            if end.vertices <= vertices || end.triangles <= triangles {
                return Err("a patch is empty");
            }
            (vertices, triangles) = (end.vertices, end.triangles);
        }
        let lengths = [self.vertices.len(), self.triangles.len()];
        if lengths != [vertices as usize, triangles as usize] {
            return Err("the patches do not end where the lists do");
        }
        let mut seen = vec![false; self.triangles.len()];
        for patch in self.iter() {
            if patch.triangles.len() > Self::LARGEST {
                return Err("a patch is too large");
            }
            for (place, triangle) in patch.triangles.iter().enumerate() {
                match seen.get_mut(triangle.number as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err("the triangles are not numbered from 0, each once"),
                }
                if triangle.corners.iter().any(|&c| usize::from(c) >= patch.vertices.len()) {
                    return Err("a corner is no vertex of its patch");
                }
                let is_mutual = |&other: &u8| {
                    let other = patch.triangles.get(usize::from(other));
                    other.is_some_and(|other| other.across.contains(&(place as u8)))
                };
                if !triangle.across.iter().all(|other| *other == NOBODY || is_mutual(other)) {
                    return Err("neighbours do not know each other");
                }
            }
        }
        Ok(())
    }
}
