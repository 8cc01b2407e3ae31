//! The functions that the plans call. All that they depend on is in their arguments, so that their names are enough for other
//! machines to know them.

mod arguments;
mod cells;
#[cfg(feature = "program")]
mod examine;
#[cfg(feature = "program")]
mod grow;
mod level;
mod meet;
#[cfg(feature = "program")]
mod place;

use std::sync::Arc;

use datafusion::logical_expr::{Expr, ScalarUDF, ScalarUDFImpl};

#[cfg(feature = "program")]
pub(crate) use examine::{Examined, Outcome};
#[cfg(feature = "program")]
pub(crate) use place::{BOUNDS, ERROR};

/// All functions, for the registries of a session, a scheduler and its executors.
#[must_use]
pub fn all() -> Vec<Arc<ScalarUDF>> {
    fn function(of: impl ScalarUDFImpl + 'static) -> Arc<ScalarUDF> {
        Arc::new(ScalarUDF::new_from_impl(of))
    }
    vec![
        function(cells::Cells::default()),
        #[cfg(feature = "program")]
        function(examine::Examine::default()),
        #[cfg(feature = "program")]
        function(grow::Grow::default()),
        function(level::LevelOf::default()),
        function(meet::Meet::default()),
        #[cfg(feature = "program")]
        function(place::Place::default()),
    ]
}

/// A call of one of these functions.
fn call(of: impl ScalarUDFImpl + 'static, arguments: Vec<Expr>) -> Expr {
    ScalarUDF::new_from_impl(of).call(arguments)
}

/// Loads the model of an instance and bounds it: a struct of [`BOUNDS`] and [`ERROR`], one of which is null.
#[cfg(feature = "program")]
#[must_use]
pub(crate) fn place(model: Expr, source: Expr, pose: Expr) -> Expr {
    call(place::Place::default(), vec![model, source, pose])
}

/// The box in f32 of an instance, grown by the margin of its group.
#[cfg(feature = "program")]
#[must_use]
pub(crate) fn grow(bounds: Expr, group: Expr, margins: Expr) -> Expr {
    call(grow::Grow::default(), vec![bounds, group, margins])
}

/// The level of a box.
#[must_use]
pub(crate) fn level(of: Expr) -> Expr {
    call(level::LevelOf::default(), vec![of])
}

/// The keys of the cells of a box, as a list: on the own side or the projected one, those of one pass.
#[must_use]
pub(crate) fn cells(
    of: Expr,
    row: Expr,
    plan: Expr,
    is_own: Expr,
    pass: Expr,
    passes: Expr,
) -> Expr {
    call(cells::Cells::default(), vec![of, row, plan, is_own, pass, passes])
}

/// Whether the join emits a pair of a cell.
#[must_use]
pub(crate) fn meet(key: Expr, own: [Expr; 2], projected: [Expr; 2], plan: Expr) -> Expr {
    let ([a, row_a], [b, row_b]) = (own, projected);
    call(meet::Meet::default(), vec![key, a, row_a, b, row_b, plan])
}

/// Examines a pair: a struct with the fields of [`Examined`].
#[cfg(feature = "program")]
#[must_use]
pub(crate) fn examine(sides: [[Expr; 6]; 2], rules: Expr, margins: Expr, depth: Expr) -> Expr {
    let arguments = sides.into_iter().flatten().chain([rules, margins, depth]).collect();
    call(examine::Examine::default(), arguments)
}
