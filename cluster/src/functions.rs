//! The functions that the plans call. All that they depend on is in their arguments, so that their names are enough for other
//! machines to know them.

mod arguments;
mod cells;
#[cfg(feature = "program")]
mod examine;
#[cfg(feature = "program")]
mod grow;
mod level;
mod pairs;
#[cfg(feature = "program")]
mod place;

use std::sync::Arc;

use datafusion::logical_expr::{AggregateUDF, Expr, ScalarUDF, ScalarUDFImpl};

#[cfg(feature = "program")]
pub(crate) use examine::{Examined, Outcome};
#[cfg(feature = "program")]
pub(crate) use place::{BOUNDS, ERROR};

/// All functions of rows, for the registries of a session, a scheduler and its executors.
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
        #[cfg(feature = "program")]
        function(place::Place::default()),
    ]
}

/// All functions of groups of rows, for the same registries.
#[must_use]
pub fn aggregates() -> Vec<Arc<AggregateUDF>> {
    vec![Arc::new(AggregateUDF::new_from_impl(pairs::PairsOfCell::default()))]
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

/// The cells of a box, as a list of structs of `key` and `role`: those of one pass.
#[must_use]
pub(crate) fn cells(of: Expr, row: Expr, plan: Expr, [pass, passes]: [Expr; 2]) -> Expr {
    call(cells::Cells::default(), vec![of, row, plan, pass, passes])
}

/// Of all boxes in a cell, the pairs that overlap and whose home cell it is, as a list of structs of `row_a` and `row_b`.
#[must_use]
pub(crate) fn pairs(key: Expr, role: Expr, row: Expr, of: Expr) -> Expr {
    AggregateUDF::new_from_impl(pairs::PairsOfCell::default()).call(vec![key, role, row, of])
}

/// Examines a pair: a struct with the fields of [`Examined`].
#[cfg(feature = "program")]
#[must_use]
pub(crate) fn examine(sides: [[Expr; 6]; 2], rules: Expr, margins: Expr, depth: Expr) -> Expr {
    let arguments = sides.into_iter().flatten().chain([rules, margins, depth]).collect();
    call(examine::Examine::default(), arguments)
}
