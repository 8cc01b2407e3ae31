//! A document and its sections.

use std::fmt::Write as _;

use super::markup::escaped;
use super::view::VIEWER;
use super::{BarPlot, LinePlot, Table, Timeline, View};

const STYLE: &str = include_str!("style.css");
/// Sorts tables and follows moments.
const SCRIPT: &str = include_str!("page.js");

/// A document. From four sections on it begins with a table of contents.
#[derive(Clone)]
pub(crate) struct Page {
    title: String,
    lead: String,
    sections: Vec<Section>,
}

/// A heading and its blocks, in the order of addition.
#[derive(Clone)]
pub(crate) struct Section {
    heading: String,
    blocks: Vec<Block>,
}

#[derive(Clone)]
enum Block {
    Prose(String),
    Code(String),
    Table(Table),
    Lines(LinePlot),
    Bars(BarPlot),
    Timeline(Timeline),
    View(View),
}

impl Page {
    pub(crate) fn new(title: &str) -> Self {
        Self { title: title.to_owned(), lead: String::new(), sections: Vec::new() }
    }

    /// Sets the sentences under the title.
    pub(crate) fn lead(self, text: &str) -> Self {
        Self { lead: text.to_owned(), ..self }
    }

    pub(crate) fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// The HTML document, which is also well-formed XML.
    pub(crate) fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
             <meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <link rel=\"icon\" href=\"data:,\"/>\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header><h1>{title}</h1>\n"
        );
        if !self.lead.is_empty() {
            let _ = writeln!(html, "<p class=\"lead\">{}</p>", escaped(&self.lead));
        }
        html.push_str("</header>\n");
        if self.sections.len() > 3 {
            html.push_str("<nav aria-label=\"Sections\"><ul>\n");
            for (number, section) in self.sections.iter().enumerate() {
                let heading = escaped(&section.heading);
                let _ = writeln!(html, "<li><a href=\"#section-{number}\">{heading}</a></li>");
            }
            html.push_str("</ul></nav>\n");
        }
        html.push_str("<main>\n");
        for (number, section) in self.sections.iter().enumerate() {
            section.write(number, &mut html);
        }
        html.push_str("</main>\n");
        let blocks = || self.sections.iter().flat_map(|section| &section.blocks);
        if blocks().any(Block::is_interactive) {
            push_script(SCRIPT, &mut html);
        }
        if blocks().any(|block| matches!(block, Block::View(_))) {
            push_script(VIEWER, &mut html);
        }
        html.push_str("</body>\n</html>\n");
        html
    }
}

/// A script that HTML and XML read alike, with names of its own.
fn push_script(script: &str, html: &mut String) {
    let _ = writeln!(html, "<script>//<![CDATA[\n\"use strict\";\n{{\n{script}}}\n//]]></script>");
}

impl Block {
    /// Whether the page's script has to do with it.
    fn is_interactive(&self) -> bool {
        match self {
            Self::Timeline(_) | Self::View(_) => true,
            Self::Table(table) => table.is_sortable,
            _ => false,
        }
    }
}

impl Section {
    pub(crate) fn new(heading: &str) -> Self {
        Self { heading: heading.to_owned(), blocks: Vec::new() }
    }

    pub(crate) fn prose(self, text: &str) -> Self {
        self.and(Block::Prose(text.to_owned()))
    }

    /// Adds preformatted lines, such as commands or listings.
    pub(crate) fn code(self, text: &str) -> Self {
        self.and(Block::Code(text.to_owned()))
    }

    pub(crate) fn table(self, table: Table) -> Self {
        self.and(Block::Table(table))
    }

    pub(crate) fn lines(self, plot: LinePlot) -> Self {
        self.and(Block::Lines(plot))
    }

    pub(crate) fn bars(self, plot: BarPlot) -> Self {
        self.and(Block::Bars(plot))
    }

    pub(crate) fn timeline(self, timeline: Timeline) -> Self {
        self.and(Block::Timeline(timeline))
    }

    pub(crate) fn view(self, view: View) -> Self {
        self.and(Block::View(view))
    }

    fn and(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    fn write(&self, number: usize, html: &mut String) {
        let heading = escaped(&self.heading);
        let _ = writeln!(html, "<section id=\"section-{number}\">\n<h2>{heading}</h2>");
        for (place, block) in self.blocks.iter().enumerate() {
            let name = format!("plot-{number}-{place}");
            let figure = |title: &str, note: &str, svg: &str| {
                let (title, note) = (escaped(title), escaped(note));
                format!(
                    "<figure>\n<figcaption>{title}<small>{note}</small></figcaption>\n\
                     <div class=\"wide\">{svg}</div></figure>\n"
                )
            };
            html.push_str(&match block {
                Block::Prose(text) => format!("<p>{}</p>\n", escaped(text)),
                // Browsers drop the first line break. What may scroll is reached by the keyboard.
                Block::Code(text) => format!("<pre tabindex=\"0\">\n{}</pre>\n", escaped(text)),
                Block::Table(table) => table.html(),
                Block::Lines(plot) => {
                    let note = match plot.left_out() {
                        0 => String::new(),
                        1 => " (1 point has no place in the plot)".to_owned(),
                        many => format!(" ({many} points have no place in the plot)"),
                    };
                    figure(&plot.title, &note, &plot.svg(&name))
                }
                Block::Bars(plot) => figure(&plot.title, "", &plot.svg(&name)),
                Block::View(view) => view.html(),
                Block::Timeline(line) => figure(&line.title, "", &line.svg(&name)),
            });
        }
        html.push_str("</section>\n");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::report::{Axis, Column, Series};

    /// A page with one of everything, each piece of text given.
    fn page(text: &str, values: &[[f64; 2]]) -> Page {
        let points = || values.iter().copied();
        let series = Series::new(text, points()).spread(points());
        let table = Table::new(text, [Column::text(text), Column::number("n")]).row([text, text]);
        let table = table.sortable();
        let lines = LinePlot::new(text, Axis::linear(text, text), Axis::log(text, text));
        let bars = BarPlot::new(text, Axis::linear(text, text), [text, text]);
        let section = Section::new(text)
            .prose(text)
            .code(text)
            .table(table)
            .lines(lines.series(series.clone()).series(series))
            .timeline(Timeline::new(text, text, 9).row(text, [[2, 5]]))
            .bars(values.iter().fold(bars, |bars, &pair| bars.bar(text, pair)));
        let page = Page::new(text).lead(text).section(section.clone()).section(section.clone());
        page.section(section.clone()).section(section)
    }

    proptest! {
        /// No text and no numbers break the document: it is well-formed, gives the text back, and no
        /// id is there twice.
        #[test]
        fn documents_are_well_formed_and_hold_the_text(
            text in any::<String>(),
            values in prop::collection::vec(any::<[f64; 2]>(), 0..40),
        ) {
            let html = page(&text, &values).to_html();
            let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
            let document = roxmltree::Document::parse_with_options(&html, options)
                .map_err(|error| TestCaseError::fail(format!("{error}\n{html}")))?;
            let mut ids: Vec<_> =
                document.descendants().filter_map(|node| node.attribute("id")).collect();
            let count = ids.len();
            prop_assert!(count > 12);
            ids.sort_unstable();
            ids.dedup();
            prop_assert_eq!(ids.len(), count);
            for reference in document.descendants().filter_map(|node| node.attribute("fill")) {
                let id = reference.trim_start_matches("url(#").trim_end_matches(')');
                prop_assert!(ids.binary_search(&id).is_ok(), "{}", reference);
            }
            let safe: String = text
                .chars()
                .map(|c| match c {
                    '\n' | '\t' => c,
                    c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
                    c => c,
                })
                .collect();
            for name in ["h1", "h2", "p", "td"] {
                let found = document.descendants().find(|node| node.has_tag_name(("http://www.w3.org/1999/xhtml", name)));
                prop_assert_eq!(found.map(|node| node.text().unwrap_or("")), Some(&*safe));
            }
            prop_assert!(!html.contains("NaN") && !html.contains("inf"));
        }
    }

    #[test]
    fn nothing_is_fetched_and_only_what_needs_a_script_has_one() {
        let plain = Page::new("a").section(Section::new("b").prose("c")).to_html();
        assert!(!plain.contains("<script"));
        let html = page("a", &[[1.0, 2.0]]).to_html();
        assert!(!html.contains("url(http") && !html.contains("src=") && !html.contains("import("));
        let links = html.matches("href=").count();
        assert_eq!(
            links,
            html.matches("href=\"#section-").count() + html.matches("href=\"data:,\"").count()
        );
    }

    #[test]
    fn the_same_page_is_the_same_bytes() {
        let values = [[1.0, 2.0], [2.0, 30.0], [4.0, 0.125]];
        assert_eq!(page("a", &values).to_html(), page("a", &values).to_html());
    }
}
