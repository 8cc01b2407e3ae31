//! Tests of the promises of `xcollide-narrow`, one module a topic.

mod around_contact;
mod coherent;
mod compound;
mod contacts;
mod containment;
mod continuous;
mod convex;
mod distances;
mod grain;
mod integer_referee;
mod kinds;
mod meshes_contact;
mod motion_proofs;
mod moved;
mod one_call;
mod parry;
mod patches;
mod prepared_bytes;
mod primitive_pairs;
mod proofs;
mod self_intersection;
mod semantics;
mod soak;
mod stored;
mod support;
mod tolerance;
