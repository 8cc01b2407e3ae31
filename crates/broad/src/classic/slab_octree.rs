//! The generalised octree (Zachmann 1994, 5.6) for the slabs of the 18-DOP: across the three axes and six
//! diagonals. The source allows any directions.

use xcollide_bounds::KDop;

use crate::classic::octree::{OctreeFinder, Reference};
use crate::{PairManager, Proxies, Volume};

/// An [`Octree`](super::Octree) for objects with 18-DOPs, with nine planes through each octant (the generalised
/// octree of Zachmann 1994, 5.6).
///
/// Pairs are those of [`Volume::KDop`](crate::Volume::KDop); an object without an 18-DOP counts as its
/// axis-aligned box. Two objects in one octant are compared only if, for each of the six diagonal planes through
/// its middle, both have a part on the same side: one comparison of bits. For slanted objects longer than the
/// octants, a tree with one level less gives about as few candidates.
///
/// Complexity is that of the octree; each update also visits the octants of the object.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, KDop};
/// use xcollide_broad::{Bounds, BroadPhase, Everything, Pairs, ProxyIds};
/// use xcollide_broad::classic::SlabOctree;
/// # use xcollide_bounds::Aabb;
///
/// let mut ids = ProxyIds::new();
/// let mut broad = SlabOctree::with_depth(4);
/// for y in [0.0, 1.0] {
///     // Two rods side by side, at 45 degrees.
///     let ends = [[0.0, y, 0.0], [9.0, 9.0 + y, 0.0]];
///     let bounds = Bounds::new(Aabb::from_points(ends)).kdop(KDop::fit(&ends));
///     broad.insert(ids.issue(), &bounds)?;
/// }
/// let mut pairs = Pairs::new();
/// broad.pairs(&Everything, &mut pairs);
/// assert!(pairs.overlapping.is_empty()); // though the boxes overlap
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type SlabOctree = PairManager<OctreeFinder<InOctant>>;

/// An object in an octant.
///
/// The nine planes through the middle of an octant cut it into 48 pieces. It suffices to store on which sides of
/// the six diagonal planes the object has a part, instead of the pieces that it touches. Planes of larger
/// octants are planes of the smaller one too, or touch it only at an edge or a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InOctant {
    object: u32,
    /// One bit for the lower side of each diagonal plane, then one for each upper side; or [`ANYWHERE`].
    sides: u16,
}

const DIAGONALS: std::ops::Range<usize> = 3..9;
const COUNT: usize = 6;
const ALL: u16 = (1 << COUNT) - 1;
/// For an object without slabs. Its pairs are decided by the boxes, even if the other k-DOP is empty and thus on
/// no side.
const ANYWHERE: u16 = 1 << 15;

impl InOctant {
    fn with_kdop(object: u32, kdop: Option<&KDop<18>>, middle: [f64; 3]) -> Self {
        let sides = kdop.map_or(ANYWHERE, |kdop| sides(kdop, middle));
        Self { object, sides }
    }
}

/// The sides of the diagonal planes through a point on which a k-DOP has a part. Overlapping slabs share a
/// number, so both are on its side of the plane, however that is rounded.
fn sides(kdop: &KDop<18>, middle: [f64; 3]) -> u16 {
    let (reach, directions) = (kdop.reach(), KDop::<18>::directions());
    let mut sides = 0;
    for (bit, slab) in DIAGONALS.enumerate() {
        let [x, y, z] = [0, 1, 2].map(|k| directions[slab][k] * middle[k]);
        let plane = x + y + z;
        let (low, high) = (-reach[slab + 9], reach[slab]);
        sides |= u16::from(low < plane) << bit | u16::from(high >= plane) << (bit + COUNT);
    }
    sides
}

impl Reference for InOctant {
    const NAME: &'static str = "slab-octree";
    const VOLUME: Volume = Volume::KDop;
    const FOLLOWS_THE_BOX: bool = true;

    #[inline]
    fn new(proxies: &Proxies, index: u32, middle: impl FnOnce() -> [f64; 3]) -> Self {
        Self::with_kdop(index, proxies.kdop(index), middle())
    }

    #[inline]
    fn object(self) -> u32 {
        self.object
    }

    /// Whether both have a part on a common side of each plane.
    #[inline]
    fn may_meet(self, other: Self) -> bool {
        let common = self.sides & other.sides;
        (common | common >> COUNT) & ALL == ALL || (self.sides | other.sides) & ANYWHERE != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xcollide_bounds::BoundingVolume;

    fn any_dop() -> impl Strategy<Value = KDop<18>> {
        prop::collection::vec(prop::array::uniform3(-9_i8..9), 0..4).prop_map(|points| {
            KDop::fit(&points.iter().map(|p| p.map(f64::from)).collect::<Vec<_>>())
        })
    }

    proptest! {
        /// Around any point, also where slabs overlap that have no point in common.
        #[test]
        fn what_overlaps_may_meet(
            a in any_dop(), b in any_dop(), middle in prop::array::uniform3(-9.0..9.0_f64)
        ) {
            let refer = |dop: &KDop<18>| InOctant::with_kdop(0, Some(dop), middle);
            prop_assert!(!a.overlaps(&b) || refer(&a).may_meet(refer(&b)));
            let without = InOctant::with_kdop(1, None, middle);
            prop_assert!(without.may_meet(refer(&a)) && refer(&a).may_meet(without));
        }
    }

    /// This is why the planes of larger octants need not be stored.
    #[test]
    fn diagonal_planes_of_an_octant_are_planes_of_those_within_or_touch_them_at_the_border() {
        let directions = KDop::<18>::directions();
        let along = |slab: usize, point: [f64; 3]| -> f64 {
            (0..3).map(|k| directions[slab][k] * point[k]).sum()
        };
        let mut same = 0;
        for slab in DIAGONALS {
            for which in 0..8_u32 {
                // An octant with sides of 2 around the origin, and one of its children.
                let middle = [0, 1, 2].map(|k| if which >> k & 1 == 1 { 0.5 } else { -0.5 });
                let corners = (0..8_u32).map(|corner| {
                    let by = |k: usize| if corner >> k & 1 == 1 { 0.5 } else { -0.5 };
                    along(slab, [0, 1, 2].map(|k| middle[k] + by(k)))
                });
                let (low, high) = corners
                    .fold((9.0_f64, -9.0_f64), |(low, high), at| (low.min(at), high.max(at)));
                let runs_through_the_middle = along(slab, middle) == 0.0;
                same += u32::from(runs_through_the_middle);
                assert!(runs_through_the_middle || low >= 0.0 || high <= 0.0);
            }
        }
        assert_eq!(same, 24);
    }
}
