//! Round bodies within quadrics: all points where the squares of some linear functions are together at most those of others.

use crate::exact::{Dyadic, Vector};
use crate::pencil::{Matrix, Pencil};
use crate::{Sign, exact};

/// A linear function of homogeneous coordinates x, y, z and w, or a point.
pub(crate) type Form = [Dyadic; 4];

/// All points p with Σ (sᵢ·p)² ≤ Σ (wᵢ·p)².
pub(crate) struct Quadric {
    pub(crate) squares: Vec<Form>,
    /// One, or of a cylinder about a segment three constants.
    pub(crate) widths: Vec<Form>,
}

/// The value of a linear function.
pub(crate) fn value(form: &Form, point: &Form) -> Dyadic {
    (0..4).fold(Dyadic::of(0.0), |sum, k| &sum + &(&form[k] * &point[k]))
}

/// A point, or with weight 0 a direction.
pub(crate) fn homogeneous([x, y, z]: &Vector, weight: f64) -> Form {
    [x.clone(), y.clone(), z.clone(), Dyadic::of(weight)]
}

/// The function direction · (p − origin).
pub(crate) fn form(direction: &Vector, origin: &Vector) -> Form {
    let [x, y, z] = direction.clone();
    [x, y, z, -&exact::dot(direction, origin)]
}

impl Quadric {
    /// A ball.
    pub(crate) fn ball(center: &Vector, radius: &Dyadic) -> Self {
        let zero = || Dyadic::of(0.0);
        let unit = |k: usize| [0, 1, 2].map(|i| Dyadic::of(f64::from(u8::from(i == k))));
        let squares = (0..3).map(|k| form(&unit(k), center)).collect();
        Self { squares, widths: vec![[zero(), zero(), zero(), radius.clone()]] }
    }

    /// A ball or ellipsoid, smaller by a part of its size about its center.
    pub(crate) fn shrunk(&self, part: &Dyadic) -> Self {
        let factor = &Dyadic::of(1.0) - part;
        let scaled = |form: &Form| form.each_ref().map(|x| x * &factor);
        let widths = self.widths.iter().map(scaled).collect();
        Self { squares: self.squares.clone(), widths }
    }

    /// The matrix of the quadratic function in coordinates along some points and directions.
    pub(crate) fn along(&self, columns: &[Form]) -> Matrix {
        let values =
            |form: &Form| -> Vec<Dyadic> { columns.iter().map(|c| value(form, c)).collect() };
        let squares: Vec<Vec<Dyadic>> = self.squares.iter().map(values).collect();
        let widths: Vec<Vec<Dyadic>> = self.widths.iter().map(values).collect();
        let entry = |i: usize, j: usize| {
            let sum = |rows: &[Vec<Dyadic>]| {
                rows.iter().fold(Dyadic::of(0.0), |sum, row| &sum + &(&row[i] * &row[j]))
            };
            &sum(&squares) - &sum(&widths)
        };
        (0..columns.len()).map(|i| (0..columns.len()).map(|j| entry(i, j)).collect()).collect()
    }

    pub(crate) fn matrix(&self) -> Matrix {
        self.along(&world())
    }

    /// The bilinear function of two points, with which the quadratic one is that of a point twice.
    pub(crate) fn product(&self, p: &Form, q: &Form) -> Dyadic {
        let sum = |forms: &[Form]| {
            let terms = forms.iter().map(|form| &value(form, p) * &value(form, q));
            terms.fold(Dyadic::of(0.0), |sum, term| &sum + &term)
        };
        &sum(&self.squares) - &sum(&self.widths)
    }

    /// The linear function that is the bilinear one of a point.
    pub(crate) fn polar(&self, point: &Form) -> Form {
        world().map(|unit| self.product(point, &unit))
    }

    /// The sign of the quadratic function at a point.
    pub(crate) fn side(&self, point: &Form) -> Sign {
        self.product(point, point).sign()
    }

    /// Whether the points that are not outside of `inner` are not outside of this one, by the quadratic functions, both along some
    /// columns; `inner` has inner points.
    pub(crate) fn holds(&self, inner: &Matrix, columns: &[Form]) -> bool {
        !Pencil::new(&negative(&self.along(columns)), inner).sign().is_negative()
    }
}

/// The coordinates of the world.
pub(crate) fn world() -> [Form; 4] {
    let unit = |k: usize| [0, 1, 2, 3].map(|i| Dyadic::of(f64::from(u8::from(i == k))));
    [unit(0), unit(1), unit(2), unit(3)]
}

fn negative(matrix: &Matrix) -> Matrix {
    matrix.iter().map(|row| row.iter().map(|x| -x).collect()).collect()
}

/// 1 − x² − y² turned over: negative in the unit circle, in coordinates along its center and two radii.
pub(crate) fn unit_circle() -> Matrix {
    let entry = |i: usize, j: usize| match (i == j, i) {
        (false, _) => 0.0,
        (true, 0) => -1.0,
        _ => 1.0,
    };
    (0..3).map(|i| (0..3).map(|j| Dyadic::of(entry(i, j))).collect()).collect()
}

/// The matrix of a linear function, in coordinates along some points and directions.
pub(crate) fn linear(form: &Form, columns: &[Form]) -> Matrix {
    let of_form = |i: usize| value(form, &columns[i]);
    let entry =
        |i: usize, j: usize| &(&of_form(i) * &columns[j][3]) + &(&of_form(j) * &columns[i][3]);
    (0..columns.len()).map(|i| (0..columns.len()).map(|j| entry(i, j)).collect()).collect()
}
