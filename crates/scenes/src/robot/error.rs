//! Errors of robot files.

/// Error of reading a robot: file, line if known, element, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotError {
    /// The file cannot be read.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// The problem, as the reader of files tells it.
        problem: String,
    },
    /// The file is not XML, or not of the expected kind.
    #[error("{}: {message}", place(.file, *.line))]
    Syntax {
        /// The file.
        file: String,
        /// The line from 1, if known.
        line: Option<usize>,
        /// The message of its reader.
        message: String,
    },
    /// An element is invalid.
    #[error("{}: {element}: found {found}, expected {expected}", place(.file, *.line))]
    Element {
        /// The file.
        file: String,
        /// The line from 1, if known.
        line: Option<usize>,
        /// The element and its name, as in "joint `elbow`".
        element: String,
        /// What was found.
        found: String,
        /// What was expected, or what to do.
        expected: String,
    },
}

fn place(file: &str, line: Option<usize>) -> String {
    line.map_or_else(|| file.to_owned(), |line| format!("{file}: line {line}"))
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FileErrors<'a> {
    file: &'a str,
}

impl<'a> FileErrors<'a> {
    pub(super) fn of(file: &'a str) -> Self {
        Self { file }
    }

    pub(super) fn syntax(self, line: Option<usize>, message: &str) -> RobotError {
        // Some messages have several lines.
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        RobotError::Syntax { file: self.file.to_owned(), line, message }
    }

    pub(super) fn element(
        self,
        line: Option<usize>,
        element: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> RobotError {
        RobotError::Element {
            file: self.file.to_owned(),
            line,
            element: element.into(),
            found: found.into(),
            expected: expected.into(),
        }
    }

    pub(super) fn of_robot(self, found: &str, expected: &str) -> RobotError {
        self.element(None, "robot", found, expected)
    }
}
