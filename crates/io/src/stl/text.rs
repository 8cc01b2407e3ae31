//! Text STL: solids of facets, read word by word, in upper or lower case.

use xcollide_brep::PolygonMesh;

use super::weld::Weld;
use crate::error::{Problem, ReadError};
use crate::report::ReadReport;
use crate::text::{Text, coordinate};

/// Reads all solids of a text that begins with `solid`.
pub(super) fn read(bytes: &[u8], _report: &mut ReadReport) -> Result<PolygonMesh, ReadError> {
    let mut text = Text::new(bytes);
    let mut weld = Weld::default();
    while let Some(word) = text.word() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(text.unexpected(word, "`solid` or the end of the file"));
        }
        // The rest of the line is the name.
        text.next_line();
        read_facets(&mut text, &mut weld)?;
    }
    Ok(weld.mesh)
}

/// Reads facets until `endsolid` and its name.
fn read_facets(text: &mut Text<'_>, weld: &mut Weld) -> Result<(), ReadError> {
    loop {
        const EXPECTED: &str = "`facet` or `endsolid`";
        let word = next(text, EXPECTED)?;
        if word.eq_ignore_ascii_case(b"endsolid") {
            text.next_line();
            return Ok(());
        }
        if !word.eq_ignore_ascii_case(b"facet") {
            return Err(text.unexpected(word, EXPECTED));
        }
        expect(text, "normal")?;
        // The normal is not used, and for degenerate facets often not a number.
        for _ in 0..3 {
            next(text, "a normal of three numbers")?;
        }
        expect(text, "outer")?;
        expect(text, "loop")?;
        let mut vertices = [[0.0; 3]; 3];
        for vertex in &mut vertices {
            expect(text, "vertex")?;
            for value in vertex {
                let word = next(text, "a coordinate")?;
                *value = coordinate(word).map_err(|problem| text.error(problem))?;
            }
        }
        expect(text, "endloop")?;
        expect(text, "endfacet")?;
        weld.triangle(vertices).map_err(|problem| text.error(problem))?;
    }
}

fn expect(text: &mut Text<'_>, keyword: &'static str) -> Result<(), ReadError> {
    match text.word() {
        Some(word) if word.eq_ignore_ascii_case(keyword.as_bytes()) => Ok(()),
        Some(word) => Err(text.unexpected(word, format!("`{keyword}`"))),
        None => Err(text.error(Problem::truncated(format!("`{keyword}`")))),
    }
}

fn next<'a>(text: &mut Text<'a>, expected: &'static str) -> Result<&'a [u8], ReadError> {
    text.word().ok_or_else(|| text.error(Problem::truncated(expected)))
}
