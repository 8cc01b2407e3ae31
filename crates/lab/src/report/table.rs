//! Tables. Those that can be sorted have a script: a click on a heading orders the rows.

use std::fmt::Write as _;

use super::markup::escaped;

#[derive(Clone)]
pub(crate) struct Table {
    caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    pub(super) is_sortable: bool,
}

/// A cell: text, possibly a link to a moment, possibly sorted by a number that the text does not show as it is.
#[derive(Clone, Default)]
pub(crate) struct Cell {
    text: String,
    moment: Option<u64>,
    sort: Option<f64>,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl Cell {
    /// Makes the text a link to a moment of the page's timeline and view.
    pub(crate) fn moment(self, moment: u64) -> Self {
        Self { moment: Some(moment), ..self }
    }

    /// Sorts the cell by a number; cells without one come last.
    pub(crate) fn sort(self, by: f64) -> Self {
        Self { sort: Some(by), ..self }
    }

    fn html(&self) -> String {
        let text = escaped(&self.text);
        match self.moment {
            Some(moment) => format!("<a href=\"#moment={moment}\">{text}</a>"),
            None => text,
        }
    }

    fn attributes(&self) -> String {
        self.sort.map_or_else(String::new, |by| format!(" data-sort=\"{by}\""))
    }
}

#[derive(Clone)]
pub(crate) struct Column {
    heading: String,
    is_number: bool,
}

impl Column {
    pub(crate) fn text(heading: &str) -> Self {
        Self { heading: heading.to_owned(), is_number: false }
    }

    /// A right-aligned column, for numbers.
    pub(crate) fn number(heading: &str) -> Self {
        Self { heading: heading.to_owned(), is_number: true }
    }

    fn class(&self) -> &'static str {
        if self.is_number { " class=\"n\"" } else { "" }
    }
}

impl Table {
    /// A table without rows. The caption may be empty.
    pub(crate) fn new(caption: &str, columns: impl IntoIterator<Item = Column>) -> Self {
        let columns = columns.into_iter().collect();
        Self { caption: caption.to_owned(), columns, rows: Vec::new(), is_sortable: false }
    }

    /// Lets readers sort the rows by a column. Long tables scroll.
    pub(crate) fn sortable(self) -> Self {
        Self { is_sortable: true, ..self }
    }

    /// A table of numbers with a first column of names.
    pub(crate) fn of_numbers<'a>(
        caption: &str,
        names: &str,
        numbers: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let numbers = numbers.into_iter().map(Column::number);
        Self::new(caption, std::iter::once(Column::text(names)).chain(numbers))
    }

    /// A table of names and values without headings.
    pub(crate) fn of_values() -> Self {
        Self::new("", ["", ""].map(Column::text))
    }

    /// Adds a row; its first cell is its name. Missing cells are empty, surplus ones are ignored.
    pub(crate) fn row<T: Into<Cell>>(mut self, cells: impl IntoIterator<Item = T>) -> Self {
        let mut cells: Vec<Cell> =
            cells.into_iter().take(self.columns.len()).map(Into::into).collect();
        cells.resize(self.columns.len(), Cell::default());
        self.rows.push(cells);
        self
    }

    pub(super) fn html(&self) -> String {
        let mut html = match self.is_sortable {
            // What scrolls must be reachable by the keyboard.
            true => format!(
                "<div class=\"wide long\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\
                 <table class=\"sortable\">\n",
                escaped(&self.caption)
            ),
            false => String::from("<div class=\"wide\"><table>\n"),
        };
        if !self.caption.is_empty() {
            let _ = writeln!(html, "<caption>{}</caption>", escaped(&self.caption));
        }
        if self.columns.iter().any(|column| !column.heading.is_empty()) {
            html.push_str("<thead><tr>");
            for column in &self.columns {
                let (class, heading) = (column.class(), escaped(&column.heading));
                let _ = write!(html, "<th scope=\"col\"{class}>{heading}</th>");
            }
            html.push_str("</tr></thead>\n");
        }
        html.push_str("<tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for (place, (cell, column)) in row.iter().zip(&self.columns).enumerate() {
                let (class, sort, cell) = (column.class(), cell.attributes(), cell.html());
                let _ = match place {
                    0 => write!(html, "<th scope=\"row\"{class}{sort}>{cell}</th>"),
                    _ => write!(html, "<td{class}{sort}>{cell}</td>"),
                };
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody>\n</table></div>\n");
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cell_names_its_row() {
        let table = Table::new("what was found", [Column::text("scene"), Column::number("pairs")])
            .row(["cage", "17"])
            .row(["pile", "230"]);
        assert!(table.html().contains("<th scope=\"row\">cage</th><td class=\"n\">17</td>"));
    }

    #[test]
    fn a_cell_links_to_its_moment_and_is_sorted_by_its_number() {
        let cells = [Cell::from("a – b"), Cell::from("≤ 12").moment(12).sort(11.5)];
        let table = Table::new("who met", ["who", "from"].map(Column::text)).row(cells).sortable();
        let html = table.html();
        assert!(
            html.contains("<td data-sort=\"11.5\"><a href=\"#moment=12\">≤ 12</a></td>"),
            "{html}"
        );
        assert!(html.contains("tabindex=\"0\" role=\"region\" aria-label=\"who met\""), "{html}");
    }

    #[test]
    fn rows_have_as_many_cells_as_there_are_columns() {
        let table = Table::new("", [Column::text("a"), Column::number("<b>")])
            .row(["1"])
            .row(["1", "2", "3"])
            .row(Vec::<String>::new());
        let html = table.html();
        assert_eq!(
            [html.matches("<th scope=\"row\"").count(), html.matches("<td").count()],
            [3, 3]
        );
        assert!(html.contains("&lt;b&gt;") && !html.contains("caption"));
    }
}
