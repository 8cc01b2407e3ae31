//! The peer: parry3d-f64.

use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::partitioning::BvhNode;
use parry3d_f64::query::details::intersection_test_support_map_support_map;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};
use xcollide_narrow::{Model, Pose};

/// A model's triangles as parry's mesh.
///
/// # Panics
/// The model has no triangles.
#[must_use]
pub fn trimesh(model: &Model) -> TriMesh {
    with_flags(model, TriMeshFlags::empty())
}

/// The same with what it needs to say whether a point is in the body: the pseudo-normals.
///
/// # Panics
/// The model has no triangles, or is not closed.
#[must_use]
pub fn oriented(model: &Model) -> TriMesh {
    with_flags(model, TriMeshFlags::ORIENTED)
}

fn with_flags(model: &Model, flags: TriMeshFlags) -> TriMesh {
    let points = model.mesh().positions().iter().map(|&[x, y, z]| Vector::new(x, y, z)).collect();
    let triangles = model.triangulation().triangles().iter().map(|t| t.map(|v| v.0)).collect();
    match TriMesh::with_flags(points, triangles, flags) {
        Ok(mesh) => mesh,
        Err(error) => panic!("{error}"),
    }
}

/// A pose as parry's.
#[must_use]
pub fn parry_pose(pose: &Pose) -> ParryPose {
    let pose = nalgebra::Isometry3::from(*pose);
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    ParryPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

/// Whether two surfaces meet: both trees descended together (`leaf_pairs`), the fastest way
/// through parry, with its test of triangles by GJK, whose tolerance of 1e-6 makes it not exact.
/// `ab` is where the second mesh is, seen from the first.
#[must_use]
pub fn leaf_pairs(a: &TriMesh, b: &TriMesh, ab: &ParryPose) -> bool {
    let axes = [Vector::X, Vector::Y, Vector::Z].map(|axis| (ab.rotation * axis).abs());
    let close = |n: &BvhNode, m: &BvhNode| {
        let half = (m.maxs() - m.mins()) * 0.5;
        let center = ab.rotation * m.center() + ab.translation;
        let half = axes[0] * half.x + axes[1] * half.y + axes[2] * half.z;
        n.aabb().intersects(&Aabb::new(center - half, center + half))
    };
    a.bvh()
        .leaf_pairs(b.bvh(), close)
        .any(|(s, t)| intersection_test_support_map_support_map(ab, &a.triangle(s), &b.triangle(t)))
}
