//! Whether an ellipsoid is in a polytope with a radius: exact.
//!
//! The ellipsoid sticks out if it reaches farther along some direction than the polytope by more than the radius. Take the direction
//! along which it reaches farther by as much as along any. It is normal to a face; or it is normal to an edge, between the
//! normals of the faces there; or it is between the normals of the faces at a corner. The point of the ellipsoid that is
//! farthest along it lies in this direction from the face, from the line of the edge or from the corner, and the distance from that
//! has a local maximum there. So these maxima are found, and those on the right side of the edge or corner are compared with the
//! radius. Each of them that is farther off proves that the ellipsoid sticks out.
//!
//! # Farthest points
//!
//! The points of the ellipsoid are c + My for |y| ≤ 1. The distance from a corner, or from the line of an edge times its length, is
//! |Ay + b|. Let G = `AᵀA` and g = Aᵀb. At a local maximum (λI − G) y = g and |y| = 1, and λ is not below the second
//! eigenvalue of G, counted from the greatest one down. There are two cases:
//!
//! - λ is no eigenvalue. Then it is one of the two greatest roots of |adj(λI − G) g|² − det(λI − G)² (Martínez, *Local minimizers of
//!   quadratic functions on Euclidean balls and spheres*, 1994).
//! - λ is the greatest eigenvalue, and g is perpendicular to its eigenvectors. Then y = y₀ ± te for an eigenvector e of length 1. Let
//!   n be its multiplicity. The n-th derivatives of adj(λI − G) g and of det(λI − G) have the quotient y₀, and the columns of the
//!   (n − 1)-th of adj(λI − G) are eigenvectors. If n is more than 1, these y are a circle or a sphere at one distance. If all of them
//!   are on the right side, any one tells. Else one is on the border, and the edge or the face there tells the same.

use num_bigint::BigInt;
use num_traits::Signed;

use crate::exact::{Dyadic, Vector, cross, dot, integers, minus};
use crate::moved_solid::less_root;
use crate::moving::polynomial::Polynomial;
use crate::moving::root::{Root, with_roots};
use crate::pencil::minor;
use crate::quadric::{Form, homogeneous, value};
use crate::round_solid::RoundSolid;
use crate::rounded_hull::RoundedHull;
use crate::surd::Surd;
use crate::{Sign, Solid};

/// All points c + My for |y| ≤ 1.
pub(crate) struct Ellipsoid {
    center: Vector,
    /// The columns of M.
    radii: [Vector; 3],
}

/// Whether all of an ellipsoid is at most the radius away from the polytope.
pub(crate) fn holds_ellipsoid(hull: &RoundedHull, ellipsoid: &Ellipsoid) -> bool {
    let radius = hull.radius();
    let holds = |origin, axis| {
        let feature = Feature { ellipsoid, corners: hull.corners(), origin, axis };
        !feature.is_within_reach() || feature.is_near(radius)
    };
    hull.holds_point(&ellipsoid.center)
        && sides(hull).iter().all(|side| ellipsoid.is_over(side, radius))
        && hull.corners().iter().all(|corner| holds(corner, None))
        && hull.edges().all(|[low, high]| holds(low, Some(minus(high, low))))
}

/// What is not negative in the core, for each face, or for both sides of a flat one.
fn sides(hull: &RoundedHull) -> Vec<Form> {
    let sheet = hull.sheet().into_iter().flat_map(|plane| [plane.each_ref().map(|x| -x), plane]);
    hull.planes().iter().cloned().chain(sheet).collect()
}

impl Ellipsoid {
    pub(crate) fn of(round: &RoundSolid) -> Option<Self> {
        let Solid::Ellipsoid { half } = round.solid() else { return None };
        let radius = |k: usize| round.axes()[k].each_ref().map(|x| &Dyadic::of(half[k]) * x);
        Some(Self { center: round.center().clone(), radii: [0, 1, 2].map(radius) })
    }

    fn along(&self, direction: &Vector) -> Vector {
        self.radii.each_ref().map(|radius| dot(direction, radius))
    }

    /// Whether it is nowhere farther than a radius below a plane.
    fn is_over(&self, plane: &Form, radius: &Dyadic) -> bool {
        let [x, y, z, _] = plane.clone();
        let normal = [x, y, z];
        let (along, reach) = (self.along(&normal), &radius.squared() * &dot(&normal, &normal));
        // The height of the center and the root of the reach are together at least the root of a number.
        let sum = Surd([value(plane, &homogeneous(&self.center, 1.0)), Dyadic::of(1.0)]);
        let rest = sum.product(&sum, &reach).plus(&Surd::rational(-&dot(&along, &along)));
        !sum.sign(&reach).is_negative() && !rest.sign(&reach).is_negative()
    }

    /// Whether it has a point that is not farther along a direction than another point.
    fn reaches_below(&self, direction: &Vector, point: &Vector) -> bool {
        let along = self.along(direction);
        let height = dot(direction, &minus(&self.center, point));
        !less_root(&height, &dot(&along, &along)).is_positive()
    }
}

/// A corner or an edge of the polytope.
struct Feature<'a> {
    ellipsoid: &'a Ellipsoid,
    corners: &'a [Vector],
    origin: &'a Vector,
    /// From the origin to the other end of an edge.
    axis: Option<Vector>,
}

impl Feature<'_> {
    /// A point is at the right side if it is not farther along any of these from the origin.
    fn inward(&self) -> impl Iterator<Item = Vector> {
        self.corners.iter().map(|corner| {
            let way = minus(corner, self.origin);
            let Some(axis) = &self.axis else { return way };
            let (square, along) = (dot(axis, axis), dot(axis, &way));
            [0, 1, 2].map(|k| &(&square * &way[k]) - &(&along * &axis[k]))
        })
    }

    /// Whether points of the ellipsoid may be nearer to the feature than to the rest of the polytope: at each single one of its sides there
    /// are some.
    fn is_within_reach(&self) -> bool {
        let is_along = self.axis.as_ref().is_none_or(|axis| {
            let end = [0, 1, 2].map(|k| &self.origin[k] + &axis[k]);
            let back = axis.each_ref().map(|x| -x);
            self.ellipsoid.reaches_below(axis, &end)
                && self.ellipsoid.reaches_below(&back, self.origin)
        });
        is_along && self.inward().all(|way| self.ellipsoid.reaches_below(&way, self.origin))
    }

    /// Whether no local maximum of the distance at the right side is more than the radius.
    fn is_near(&self, radius: &Dyadic) -> bool {
        let across = |v: &Vector| self.axis.as_ref().map_or_else(|| v.clone(), |d| cross(d, v));
        let scale = self.axis.as_ref().map_or(Dyadic::of(1.0), |axis| dot(axis, axis));
        let columns = self.ellipsoid.radii.each_ref().map(across);
        let offset = across(&minus(&self.ellipsoid.center, self.origin));
        let rest = &dot(&offset, &offset) - &(&radius.squared() * &scale);
        !Maxima::new(&columns, &offset, &rest).any_beyond(|point| {
            self.inward().all(|way| {
                let height = dot(&way, &minus(&self.ellipsoid.center, self.origin));
                let [x, y, z] = self.ellipsoid.along(&way);
                point.is_below(&[&x, &y, &z, &height])
            })
        })
    }
}

type Triple = [Polynomial; 3];

/// Where |Ay + b| has local maxima for |y| ≤ 1.
struct Maxima {
    /// λ is its unknown times a power of two, so that all of the roots are from 0 to 1.
    lambda: Polynomial,
    /// |b|² less what the squared distance may be.
    rest: BigInt,
    /// Aᵀb
    slope: [BigInt; 3],
    adjugate: [Triple; 3],
    determinant: Polynomial,
    /// adj(λI − G) g
    numerators: Triple,
}

/// A vector y at a root: the numerators divided by the denominator, which is not zero, and at the greatest eigenvalue more along an
/// eigenvector.
#[derive(Clone)]
struct Place<'r> {
    root: &'r Root<'r>,
    numerators: Triple,
    denominator: Polynomial,
    /// The eigenvector, and the square of the length along it, times that of the denominator.
    apart: Option<(Triple, Polynomial)>,
}

impl Maxima {
    fn new(columns: &[Vector; 3], offset: &Vector, rest: &Dyadic) -> Self {
        let products = columns.iter().flat_map(|one| {
            columns.iter().chain([offset]).map(|other| dot(one, other)).collect::<Vec<_>>()
        });
        let numbers: Vec<Dyadic> = products.chain([rest.clone()]).collect();
        let whole = integers(&numbers.iter().collect::<Vec<_>>());
        let slope = [3, 7, 11].map(|i| whole[i].clone());
        // No eigenvalue is more than the sum of the diagonal.
        let most = slope.iter().fold(&whole[0] + &whole[5] + &whole[10], |sum, x| sum + x.abs());
        let lambda = Polynomial::new(vec![0.into(), BigInt::from(1) << most.bits()]);
        let entry = |i: usize, j: usize| {
            let constant = Polynomial::new(vec![-&whole[4 * i + j]]);
            if i == j { &lambda + &constant } else { constant }
        };
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
        let rows = rows.each_ref().map(<[_; 3]>::as_slice);
        let others = |i: usize| [[1, 2], [0, 2], [0, 1]][i];
        let adjugate = [0, 1, 2].map(|i| {
            [0, 1, 2].map(|j: usize| {
                let minor = minor(&rows, &others(i), &others(j));
                if (i + j).is_multiple_of(2) { minor } else { -minor }
            })
        });
        let numerators = adjugate.each_ref().map(|row| weighted(row, &slope));
        let determinant = minor(&rows, &[0, 1, 2], &[0, 1, 2]);
        let rest = whole[12].clone();
        Self { lambda, rest, slope, adjugate, determinant, numerators }
    }

    /// Whether a local maximum is more than allowed and at the right side.
    fn any_beyond(&self, is_at_side: impl Fn(&Place<'_>) -> bool) -> bool {
        let is_beyond = |place: &Place<'_>| {
            let excess = &self.lambda + &Polynomial::new(vec![self.rest.clone()]);
            let excess =
                &(&excess * &place.denominator) + &weighted(&place.numerators, &self.slope);
            place.sign_of(&excess).is_positive() && is_at_side(place)
        };
        let at_greatest = |eigenvalues: &mut [Root<'_>]| {
            let place = self.at_eigenvalue(eigenvalues.last()?)?;
            Some(is_beyond(&place) || is_beyond(&place.opposite()))
        };
        if let Some(any) = with_roots(&self.determinant.without_root_at_zero(), at_greatest) {
            return any;
        }
        let squares = square_of(&self.numerators);
        let ordinary = &squares - &(&self.determinant * &self.determinant);
        with_roots(&ordinary.without_root_at_zero(), |roots| {
            roots.iter().rev().take(2).any(|root| {
                let (numerators, denominator) = (self.numerators.clone(), self.determinant.clone());
                !root.sign_of(&denominator).is_zero()
                    && is_beyond(&Place { root, numerators, denominator, apart: None })
            })
        })
    }

    /// The maximum at the greatest eigenvalue, if it is there.
    fn at_eigenvalue<'r>(&self, root: &'r Root<'r>) -> Option<Place<'r>> {
        let vanishes = |polynomial: &Polynomial| root.sign_of(polynomial).is_zero();
        let multiplicity =
            (1..3).find(|&n| !vanishes(&derivative(&self.determinant, n))).unwrap_or(3);
        let before = |polynomial: &Polynomial| derivative(polynomial, multiplicity - 1);
        if !self.numerators.iter().all(|polynomial| vanishes(&before(polynomial))) {
            return None;
        }
        let numerators = self.numerators.each_ref().map(|p| derivative(p, multiplicity));
        let denominator = derivative(&self.determinant, multiplicity);
        let room = &(&denominator * &denominator) - &square_of(&numerators);
        if root.sign_of(&room).is_negative() {
            return None;
        }
        let columns = self.adjugate.each_ref().map(|column| column.each_ref().map(before));
        let vector = columns.into_iter().enumerate().find(|(i, column)| !vanishes(&column[*i]))?.1;
        Some(Place { root, numerators, denominator, apart: Some((vector, room)) })
    }
}

impl Place<'_> {
    /// The one along the eigenvector turned round.
    fn opposite(&self) -> Self {
        let turned =
            |(vector, room): &(Triple, _)| (vector.clone().map(|x| -x), Clone::clone(room));
        Self { apart: self.apart.as_ref().map(turned), ..self.clone() }
    }

    /// The sign of a polynomial divided by the denominator.
    fn sign_of(&self, polynomial: &Polynomial) -> Sign {
        self.root.sign_of(polynomial) * self.root.sign_of(&self.denominator)
    }

    /// Whether a linear function of y is not positive.
    fn is_below(&self, numbers: &[&Dyadic; 4]) -> bool {
        let whole = integers(numbers);
        let [factors @ .., constant] = &whole[..] else { return false };
        let constant = Polynomial::new(vec![constant.clone()]);
        let middle = &weighted(&self.numerators, factors) + &(&constant * &self.denominator);
        let sign = self.sign_of(&middle);
        let Some((vector, room)) = &self.apart else { return !sign.is_positive() };
        let along = weighted(vector, factors);
        // The denominator is positive at the greatest eigenvalue.
        let more = self.root.sign_of(&along) * self.root.sign_of(room);
        if sign * more != Sign::Negative {
            return !sign.is_positive() && !more.is_positive();
        }
        let (of_middle, of_more) =
            (&(&middle * &middle) * &square_of(vector), &(&along * &along) * room);
        !(self.root.sign_of(&(&of_middle - &of_more)) * sign).is_positive()
    }
}

fn derivative(polynomial: &Polynomial, count: usize) -> Polynomial {
    (0..count).fold(polynomial.clone(), |polynomial, _| polynomial.derivative())
}

/// The sum of polynomials times numbers.
fn weighted(polynomials: &Triple, factors: &[BigInt]) -> Polynomial {
    let terms = polynomials
        .iter()
        .zip(factors)
        .map(|(polynomial, factor)| polynomial * &Polynomial::new(vec![factor.clone()]));
    terms.fold(Polynomial::new(Vec::new()), |sum, term| &sum + &term)
}

fn square_of(vector: &Triple) -> Polynomial {
    let [x, y, z] = vector.each_ref().map(|x| x * x);
    &(&x + &y) + &z
}
