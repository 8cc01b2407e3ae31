//! The bounds of an object.

use xcollide_bounds::{Aabb, KDop, Obb};

/// The bounds of one object in the world. The [`Aabb`] defines the pairs; some broad phases use the
/// optional bounds too (see [`Volume`] and [`MotionBound`]).
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{Bounds, Mobility};
///
/// let wall = Bounds::new(Aabb::new([0.0; 3], [9.0, 0.1, 3.0])).mobility(Mobility::Static);
/// assert_eq!(wall.mobility, Mobility::Static);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Bounds {
    /// Contains the object. May be empty, flat, a point, or unbounded, but not NaN.
    pub aabb: Aabb,
    /// Whether the object is expected to stay where it is.
    pub mobility: Mobility,
    /// A tighter box, if the application has one.
    pub oriented: Option<Box<Obb>>,
    /// A tighter 18-DOP, if the application has one.
    pub kdop: Option<Box<KDop<18>>>,
    /// A bound on the motion of the box from now on.
    pub motion: Option<Box<MotionBound>>,
}

// Of a crowd all are read in every frame.
const _: () = assert!(size_of::<Bounds>() <= 80);

impl Bounds {
    /// Bounds with only an axis-aligned box, which moves.
    #[must_use]
    pub fn new(aabb: Aabb) -> Self {
        Self { aabb, ..Self::default() }
    }

    /// Sets whether the object is expected to move.
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

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.oriented.is_none() && self.kdop.is_none() && self.motion.is_none()
    }

    /// Adds a promise about the motion.
    #[must_use]
    pub fn motion(mut self, motion: MotionBound) -> Self {
        self.motion = Some(Box::new(motion));
        self
    }
}

impl From<Aabb> for Bounds {
    fn from(aabb: Aabb) -> Self {
        Self::new(aabb)
    }
}

/// The new bounds of one of many objects.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Only an axis-aligned box, which moves.
    Moved(&'a Aabb),
    /// Any bounds.
    Bounds(&'a Bounds),
}

impl<'a> Change<'a> {
    /// Calls a function with the bounds.
    pub(crate) fn with_bounds<T>(self, work: impl FnOnce(&Bounds) -> T) -> T {
        match self {
            Self::Moved(&aabb) => work(&Bounds::new(aabb)),
            Self::Bounds(bounds) => work(bounds),
        }
    }

    #[inline(always)]
    pub(crate) fn aabb(self) -> &'a Aabb {
        match self {
            Self::Moved(aabb) => aabb,
            Self::Bounds(bounds) => &bounds.aabb,
        }
    }

    /// Whether it only gives a moving object another box.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        match self {
            Self::Moved(_) => true,
            Self::Bounds(bounds) => bounds.mobility == Mobility::Moving && bounds.is_plain(),
        }
    }
}

impl<'a> From<&'a Aabb> for Change<'a> {
    fn from(aabb: &'a Aabb) -> Self {
        Self::Moved(aabb)
    }
}

impl<'a> From<&'a Bounds> for Change<'a> {
    fn from(bounds: &'a Bounds) -> Self {
        Self::Bounds(bounds)
    }
}

/// Whether an object is expected to stay where it is. Only a hint: a static box may be updated, and two static
/// boxes may be a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mobility {
    /// The box may move every frame.
    #[default]
    Moving,
    /// The box moves seldom or never.
    Static,
}

/// A promise about the motion of a box after an update (Hubbard 1993, "Interactive collision detection";
/// Zachmann 1994, 2.7).
///
/// After `t` calls of [`pairs`](crate::BroadPhase::pairs), every side of the box has moved by
/// `velocity[axis] · t` ± `acceleration · t² / 2`, and no part of it is farther along `never_towards` than the velocity alone
/// takes it. A wrong promise costs time and changes no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionBound {
    /// Velocity of the box, in lengths per call.
    pub velocity: [f64; 3],
    /// The greatest change of the velocity of a side on an axis, in lengths per call, per call.
    pub acceleration: f64,
    /// A direction d that the acceleration never has a part in: `acceleration(t) · d ≤ 0`, such as upwards for what falls.
    /// Zeros: none is known. Its length does not matter.
    #[cfg_attr(feature = "serde", serde(default))]
    pub never_towards: [f64; 3],
}

impl MotionBound {
    /// Whether one of its numbers is NaN, so that it cannot be used.
    #[must_use]
    pub fn has_nan(&self) -> bool {
        let Self { velocity, acceleration, never_towards } = self;
        acceleration.is_nan() || velocity.iter().chain(never_towards).any(|value| value.is_nan())
    }
}

/// Which volumes decide whether two objects are a pair. With any but [`Aabb`](Self::Aabb), both the axis-aligned
/// boxes and the tighter volumes (if both objects have one) must overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Volume {
    /// The axis-aligned boxes.
    #[default]
    Aabb,
    /// The oriented boxes.
    Oriented,
    /// The 18-DOPs.
    KDop,
}
