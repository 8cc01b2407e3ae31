//! Oriented boxes in f32.

use super::{nearest, widen};
use crate::frame::{Frame, orthonormal};
use crate::obb::around;
use crate::sat::{Pair, SLACK, SLACK_F32};
use crate::{BoundingVolume, Obb, PreparedObb};
use xcollide_math::vector::dot;
use xcollide_math::{Pose, f32_above};

/// An oriented box in f32, 60 bytes: the points x with `|axisᵢ · (x − center)| ≤ halfᵢ`, where all
/// products are exact.
///
/// Axes and center are rounded first, and the half sides are measured against the rounded frame and
/// rounded up; so a fitted box is larger than the f64 one by a few 1e-7 of its size, plus 1e-7 of
/// the distance of its center from the origin. Keep models near their origins.
///
/// The axes are orthonormal only up to 2⁻²³. The overlap test allows for that.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, ObbF32};
///
/// let points = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.7], [0.9, 0.1, 0.1]];
/// let triangle = ObbF32::fit_triangles(&[points]);
/// assert!(points.iter().all(|p| triangle.contains(*p)));
/// assert!(triangle.half[2] < 1e-6, "flat");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct ObbF32 {
    /// The middle.
    pub center: [f32; 3],
    /// The axes, unit vectors up to rounding.
    pub axes: [[f32; 3]; 3],
    /// Half the lengths of the sides, the longest first; negative where the box is empty.
    pub half: [f32; 3],
}

const _: () = assert!(size_of::<ObbF32>() == 60);

impl ObbF32 {
    /// The box without points.
    pub const EMPTY: Self = Self {
        center: [0.0; 3],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        half: [f32::NEG_INFINITY; 3],
    };

    /// A f32 box around an f64 one, in its frame.
    #[must_use]
    pub fn enclosing(wide: &Obb) -> Self {
        if wide.is_empty() {
            return Self::EMPTY;
        }
        let rounded = Rounded::frame_of(wide);
        let shift = [0, 1, 2].map(|k| wide.center[k] - rounded.center[k]);
        let half = rounded.axes.map(|axis| {
            let far = shift[0].abs() + shift[1].abs() + shift[2].abs();
            wide.reach(axis, SLACK) + dot(axis, shift).abs() + SLACK * far
        });
        rounded.with(half)
    }

    /// The f32 box around points in the frame of a box that was fitted to them.
    fn around_points(fitted: &Obb, points: &[[f64; 3]]) -> Self {
        if fitted.is_empty() {
            return Self::EMPTY;
        }
        let rounded = Rounded::frame_of(fitted);
        let center = rounded.center;
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut size = 0.0_f64;
        for p in points {
            let d = [0, 1, 2].map(|k| p[k] - center[k]);
            size = size.max(d[0].abs() + d[1].abs() + d[2].abs());
            for i in 0..3 {
                let along = dot(rounded.axes[i], d);
                low[i] = low[i].min(along);
                high[i] = high[i].max(along);
            }
        }
        rounded.with(around(&rounded.axes, center, low, high, size, center).half)
    }

    /// An f64 box around this one: with orthonormal axes, so larger by about 1e-6 of its size.
    #[must_use]
    pub fn widened(&self) -> Obb {
        if self.half[0] < 0.0 {
            return Obb::EMPTY;
        }
        let loose = self.loose();
        loose.reframed(&orthonormal(loose.axes[0], loose.axes[1]), SLACK_F32)
    }

    /// As [`overlaps`](BoundingVolume::overlaps), on 10 lines instead of 15: the six normals and
    /// the cross products of the two longest directions of each box. True a little more often.
    #[inline]
    #[must_use]
    pub fn overlaps_reduced(&self, other: &Self) -> bool {
        self.loose().overlaps_by(&other.loose(), SLACK_F32, 2)
    }

    /// The same numbers in f64; the axes are not as orthonormal as an [`Obb`] promises.
    #[inline]
    fn loose(&self) -> Obb {
        Obb {
            center: self.center.map(f64::from),
            axes: self.axes.map(|axis| axis.map(f64::from)),
            half: self.half.map(widen),
        }
    }
}

/// A frame of f32 numbers, in f64.
struct Rounded {
    center: [f64; 3],
    axes: Frame,
}

impl Rounded {
    fn frame_of(obb: &Obb) -> Self {
        Self {
            center: obb.center.map(|x| f64::from(nearest(x))),
            axes: obb.axes.map(|axis| axis.map(|x| f64::from(x as f32))),
        }
    }

    fn with(&self, half: [f64; 3]) -> ObbF32 {
        ObbF32 {
            center: self.center.map(|x| x as f32),
            axes: self.axes.map(|axis| axis.map(|x| x as f32)),
            half: half.map(f32_above),
        }
    }
}

impl BoundingVolume for ObbF32 {
    type Prepared = PreparedObb;

    fn fit(points: &[[f64; 3]]) -> Self {
        Self::around_points(&Obb::fit(points), points)
    }

    fn merged(&self, other: &Self) -> Self {
        if self.half[0] < 0.0 {
            *other
        } else if other.half[0] < 0.0 {
            *self
        } else {
            Self::enclosing(&self.widened().merged(&other.widened()))
        }
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        self.loose().overlaps_by(&other.loose(), SLACK_F32, 3)
    }

    #[inline]
    fn contains(&self, point: [f64; 3]) -> bool {
        self.loose().contains(point)
    }

    fn expanded(&self, margin: f64) -> Self {
        // The axes may be longer than 1 by 2⁻²³.
        let grown = |half| f32_above((widen(half) + margin * (1.0 + 1e-6)).next_up());
        if self.half[0] < 0.0 { Self::EMPTY } else { Self { half: self.half.map(grown), ..*self } }
    }

    fn prepare(motion: &Pose, margin: f64) -> PreparedObb {
        Obb::prepare(motion, margin)
    }

    fn moved(&self, prepared: &PreparedObb) -> Self {
        Self::enclosing(&self.widened().moved(prepared))
    }

    /// Volume of the box, up to a relative 1e-6.
    fn volume(&self) -> f64 {
        self.loose().volume()
    }

    /// Surface of the box, up to a relative 1e-6.
    fn surface(&self) -> f64 {
        self.loose().surface()
    }

    fn distance_squared(&self, other: &Self) -> f64 {
        if self.half[0] < 0.0 || other.half[0] < 0.0 {
            return f64::INFINITY;
        }
        // Axes that are too long make gaps too wide, by less than 2⁻²³, and so do legs that are
        // not quite at right angles.
        Pair::new(&self.loose(), &other.loose(), SLACK_F32).distance_squared() * (1.0 - 2e-6)
    }

    fn center(&self) -> [f64; 3] {
        self.center.map(f64::from)
    }
}
