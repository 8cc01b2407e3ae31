#![doc = include_str!("../README.md")]

mod aabb;

pub use aabb::Aabb;
