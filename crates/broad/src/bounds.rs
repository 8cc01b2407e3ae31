//! The bounds of an object.

use xcollide_bounds::{Aabb, KDop, Obb};

/// The bounds of one object in the world.
///
/// The [`Aabb`] defines the pairs. The other bounds are optional and used by some broad phases; see
/// [`Volume`] and [`MotionBound`].
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{Bounds, Mobility};
///
/// let wall = Bounds::new(Aabb::new([0.0; 3], [9.0, 0.1, 3.0])).mobility(Mobility::Static);
/// assert_eq!(wall.mobility, Mobility::Static);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// Contains the object. May be empty, flat, a point, or unbounded, but not NaN.
    pub aabb: Aabb,
    /// Whether the object is expected to stay where it is.
    pub mobility: Mobility,
    /// A tighter volume, if the application has one.
    pub oriented: Option<Box<Obb>>,
    /// A tighter volume, if the application has one.
    pub kdop: Option<Box<KDop<18>>>,
    /// How the box may move from now on.
    pub motion: Option<MotionBound>,
}

impl Bounds {
    /// An axis-aligned box that moves, and nothing else.
    #[must_use]
    pub fn new(aabb: Aabb) -> Self {
        Self { aabb, ..Self::default() }
    }

    /// Says whether the object is expected to move.
    #[must_use]
    pub fn mobility(mut self, mobility: Mobility) -> Self {
        self.mobility = mobility;
        self
    }

    /// Adds an oriented box that contains the object.
    #[must_use]
    pub fn oriented(mut self, oriented: Obb) -> Self {
        self.oriented = Some(Box::new(oriented));
        self
    }

    /// Adds an 18-DOP that contains the object.
    #[must_use]
    pub fn kdop(mut self, kdop: KDop<18>) -> Self {
        self.kdop = Some(Box::new(kdop));
        self
    }

    /// Whether there is nothing but the axis-aligned box.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.oriented.is_none() && self.kdop.is_none() && self.motion.is_none()
    }

    /// Adds a promise about the motion.
    #[must_use]
    pub fn motion(mut self, motion: MotionBound) -> Self {
        self.motion = Some(motion);
        self
    }
}

impl From<Aabb> for Bounds {
    fn from(aabb: Aabb) -> Self {
        Self::new(aabb)
    }
}

/// Whether an object is expected to stay where it is. Only a hint about cost: a static box may be
/// updated like any other, and pairs of static boxes are pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mobility {
    /// Moves, or may move, every frame.
    #[default]
    Moving,
    /// Moves seldom or never.
    Static,
}

/// A promise about the motion of a box, from the update it comes with on (Hubbard 1993, "Interactive
/// collision detection"; Zachmann 1994, 2.7).
///
/// Time is counted in calls of [`pairs`](crate::BroadPhase::pairs): `t` calls later, every side of
/// the box has moved by `velocity[axis] · t` ± `acceleration · t² / 2`. A wrong promise costs time,
/// not right answers: the boxes of the updates count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionBound {
    /// Velocity of the box, in lengths a call.
    pub velocity: [f64; 3],
    /// The most that the velocity of any side may change on any axis, in lengths a call, a call.
    pub acceleration: f64,
}

/// Which volumes decide whether two objects are a pair.
///
/// With any but [`Aabb`](Self::Aabb), a pair's axis-aligned boxes overlap and its tighter volumes
/// do too, as far as both objects have one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Volume {
    /// The axis-aligned boxes.
    #[default]
    Aabb,
    /// The oriented boxes.
    Oriented,
    /// The 18-DOPs.
    KDop,
}
