//! The measured parts of a document.

/// Replaces the content of one part of the document.
///
/// # Errors
/// The part is missing, repeated or unterminated.
pub(crate) fn replaced(text: &str, name: &str, content: &str) -> Result<String, String> {
    let [before, _, after] = around(text, name)?;
    let content = content.trim();
    Ok(format!("{before}\n{content}\n\n{after}"))
}

/// The document up to the content of one part, the content, and the rest.
///
/// # Errors
/// The part is missing, repeated or unterminated.
pub(super) fn around<'a>(text: &'a str, name: &str) -> Result<[&'a str; 3], String> {
    let begin = format!("<!-- measured: {name} -->\n");
    let end = format!("<!-- end of measured: {name} -->");
    let Some(start) = text.find(&begin).map(|at| at + begin.len()) else {
        return Err(format!("there is no line {:?} for the figures to stand after", begin.trim()));
    };
    let (before, rest) = text.split_at(start);
    if rest.contains(&begin) {
        return Err(format!("there are two lines {:?}", begin.trim()));
    }
    let Some(stop) = rest.find(&end) else {
        return Err(format!("no line {end:?} after {:?}", begin.trim()));
    };
    let (content, after) = rest.split_at(stop);
    Ok([before, content, after])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Figures\n\n<!-- measured: a -->\nold\n<!-- end of measured: a -->\n\nProse.\n\
        <!-- measured: b -->\n<!-- end of measured: b -->\n";

    #[test]
    fn what_is_around_a_part_stays() {
        let once = replaced(TEXT, "a", "\nnew\n").unwrap_or_default();
        let expected = "# Figures\n\n<!-- measured: a -->\n\nnew\n\n<!-- end of measured: a -->\n\n\
            Prose.\n<!-- measured: b -->\n<!-- end of measured: b -->\n";
        assert_eq!(once, expected);
        assert_eq!(replaced(&once, "a", "new").as_deref(), Ok(expected), "again changes nothing");
    }

    #[test]
    fn a_part_that_cannot_be_found_is_an_error_that_names_it() {
        let problem = |text: &str, name: &str| replaced(text, name, "x").err().unwrap_or_default();
        assert!(problem(TEXT, "c").contains("measured: c"));
        assert!(problem("<!-- measured: a -->\nx", "a").starts_with("no line \"<!-- end of"));
        let twice = format!("{TEXT}{TEXT}");
        assert!(problem(&twice, "a").starts_with("there are two"));
    }
}
