//! Matrices of other libraries come back bit for bit, quaternions up to rounding; and what is stored
//! comes back bit for bit.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;

use proptest::prelude::*;
use xcollide_math::{Pose, PoseError};

/// Matrices that are no rotations to the last bit, and translations of all sizes.
fn pose() -> impl Strategy<Value = Pose> {
    let quaternion = prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("of no length", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01);
    (quaternion, -1e-6..1e-6f64, prop::array::uniform3(-1e9..1e9f64)).prop_map(|(q, off, t)| {
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        Pose::from_quaternion(q.map(|x| x / length * (1.0 + 0.1 * off)), t).unwrap()
    })
}

fn same<T>(pose: Pose) -> Result<(), TestCaseError>
where
    T: From<Pose>,
    Pose: TryFrom<T>,
    <Pose as TryFrom<T>>::Error: Debug,
{
    prop_assert_eq!(Pose::try_from(T::from(pose)).unwrap(), pose);
    Ok(())
}

fn nearly<T>(pose: Pose) -> Result<(), TestCaseError>
where
    T: From<Pose>,
    Pose: TryFrom<T>,
    <Pose as TryFrom<T>>::Error: Debug,
{
    let back = Pose::try_from(T::from(pose)).unwrap();
    prop_assert_eq!(back.translation(), pose.translation());
    for (x, y) in back.rotation().as_flattened().iter().zip(pose.rotation().as_flattened()) {
        prop_assert!((x - y).abs() < 1e-6);
    }
    Ok(())
}

proptest! {
    #[test]
    fn matrices_come_back(pose in pose()) {
        same::<nalgebra::Matrix4<f64>>(pose)?;
        same::<glam::DMat4>(pose)?;
        same::<glam::DAffine3>(pose)?;
        same::<mint::ColumnMatrix4<f64>>(pose)?;
        same::<mint::RowMatrix4<f64>>(pose)?;
    }

    #[test]
    fn quaternions_come_back_nearly(pose in pose()) {
        nearly::<nalgebra::Isometry3<f64>>(pose)?;
        nearly::<(glam::DQuat, glam::DVec3)>(pose)?;
        nearly::<(mint::Quaternion<f64>, mint::Vector3<f64>)>(pose)?;
    }

    #[test]
    fn libraries_map_alike(pose in pose(), p in prop::array::uniform3(-10.0..10.0f64)) {
        let expected = pose.apply(p);
        let found = [
            nalgebra::Isometry3::from(pose).transform_point(&p.into()).into(),
            nalgebra::Matrix4::from(pose).transform_point(&p.into()).into(),
            glam::DMat4::from(pose).transform_point3(p.into()).to_array(),
            glam::DAffine3::from(pose).transform_point3(p.into()).to_array(),
        ];
        for q in found {
            for axis in 0..3 {
                prop_assert!((q[axis] - expected[axis]).abs() < 2e-5);
            }
        }
    }

    #[test]
    fn stored_poses_come_back(pose in pose()) {
        let text = serde_json::to_string(&pose).unwrap();
        prop_assert_eq!(serde_json::from_str::<Pose>(&text).unwrap(), pose);
    }
}

#[test]
fn isometries_become_matrices_by_the_formula() -> Result<(), PoseError> {
    use nalgebra::{Isometry3, Vector3};

    let isometry = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, -0.7, 1.1));
    let q = isometry.rotation.coords;
    let expected = Pose::from_quaternion([q.x, q.y, q.z, q.w], [1.0, -2.0, 0.5])?;
    assert_eq!(Pose::try_from(isometry)?, expected);
    assert_eq!(Pose::try_from(&isometry)?, expected);
    Ok(())
}

#[test]
fn what_is_no_rigid_motion_is_refused() {
    let mut matrix = nalgebra::Matrix4::<f64>::identity();
    matrix[(3, 0)] = 0.5;
    let refused = Pose::try_from(matrix);
    assert_eq!(refused, Err(PoseError::NotAffine { last_row: [0.5, 0.0, 0.0, 1.0] }));
    let scaled = Pose::try_from(glam::DMat4::from_scale([2.0; 3].into()));
    assert_eq!(scaled, Err(PoseError::NoRotation { deviation: 3.0 }));

    let bent = r#"{"rotation":[[1,1e-4,0],[0,1,0],[0,0,1]],"translation":[0,0,0]}"#;
    let message = serde_json::from_str::<Pose>(bent).unwrap_err().to_string();
    assert!(message.contains("no rotation"), "{message}");
}
