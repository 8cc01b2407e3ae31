//! The text on how other libraries were compared.

/// The statement as Markdown; `linked` are the peers of the benches with their versions.
pub(super) fn text(linked: &[String]) -> String {
    let linked = linked.join(", ");
    format!(
        "# How other libraries were compared

All in f64, on one thread, prepared beforehand, without `-march=native`, in turns with ours on the same
machine in one run; medians. What a ratio depends on is said with each table of docs/benchmarks.md.

Linked into the benches ({linked}):

| peer | asked | set so that it is fast and fair |
|---|---|---|
| parry3d-f64, meshes | `Bvh::leaf_pairs` of both `TriMesh`es, then its triangle test | not \
`intersection_test`, which descends one tree only; triangles are tested by GJK with a tolerance of 1e-6, \
so edges are kept at 1e-3 and above |
| parry3d-f64, hulls | `intersection_test` of two `ConvexPolyhedron`s; GJK from the last direction | the \
faster of the two; its misses near contact are counted, not excused |
| parry3d-f64, boxes | `Bvh` updated, refitted and improved a little, or rebuilt | the faster one; its pairs \
are neither ordered nor compared with those of the last frame, ours are |
| rapier3d-f64 | `BroadPhaseBvh::update` | told only of what moved; its pairs are of enlarged boxes |

Run beside the program (`cargo xtask peers --programs FOLDER --data FOLDER`):

| peer | version | asked | set so that it is fast and fair |
|---|---|---|---|
| Coal | 3.0.3 | OBBRSS and OBB models | `break_distance = 0`: the default of 1e-3 costs up to 13 times and \
changes no yes or no; one contact, no contact information; hulls with `distance_upper_bound = 1e-12` and a \
cached guess |
| FCL | 0.7.0 | OBBRSS models | `CollisionRequest(1, false)` |
| libccd | 2.1 | hulls by GJK and by MPR | plain support search; a yes or no by MPR is its fastest |
| Bullet | 3.24 | hulls by GjkEpa2, boxes by `btDbvt` | the float64 libraries, margin 0 |

Moving vertices, faces and edges (`cargo xtask peers --motion FOLDER --python PROGRAM`, FOLDER with queries of the \
Tight-Inclusion benchmark):

| peer | version | asked | set so that it is fast and fair |
|---|---|---|---|
| Tight-Inclusion and additive CCD | ipctk 1.6.1 | whether, and the time | the defaults: tolerance 1e-6; each query \
alone, the median of nine calls; some 1.5 µs of it is the call from Python |

Coal's and FCL's AABB and k-DOP models refit both meshes in every query and are slower than the above.

A program of a peer is called as `PROGRAM DATA KIND`, where KIND is `mesh`, `convex` or `coherent`, with the \
variables `CASE` (the only case to answer), `PER_QUERY` (the folder for `PEER--KIND--CASE--VARIANT.txt`, a line \
`hit nanoseconds` for each pose of the case, the smallest of `PASSES` passes of `REPEAT` calls in a row). Meshes: one \
pass, three calls, surfaces only, as peers know nothing else; pose number i belongs to category i mod 4: apart, near, \
shallow, deep. Hulls are asked by passes, without `PER_QUERY`: all poses of a category one after the other, again and \
again, a figure being the median over the passes, printed as `peer,kind,case,variant,category,median ns,smallest \
ns,hits,queries`; pose i belongs to category i mod 3: apart, touching, overlapping; `coherent` cases are motions, in order, and \
all may remember what they like. Ours is the bench `cases`, which does the same, and asks about 256 poses at once as well, as \
a `World` does, where they have nothing to do with each other; no peer can be asked so. A thousand poses a category are too \
many for a processor to learn by heart.
"
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_peer_is_named_with_its_version() {
        let text = super::text(&["parry3d-f64 1.2.3".to_owned()]);
        for peer in
            ["parry3d-f64 1.2.3", "Coal | 3.0.3", "FCL | 0.7.0", "libccd | 2.1", "Bullet", "ipctk"]
        {
            assert!(text.contains(peer), "{peer}");
        }
    }
}
