//! Lines of product code: comments and blank lines count, tests do not.

use std::collections::BTreeMap;

/// The lines of each file that is no test, by its path below `src`.
pub(super) fn product_lines(files: &BTreeMap<String, String>) -> BTreeMap<&str, usize> {
    let tests: Vec<String> =
        files.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
    let product = files.iter().filter(|(path, _)| !is_test(path, &tests));
    product.map(|(path, text)| (path.as_str(), outside_tests(text))).collect()
}

fn is_test(path: &str, modules: &[String]) -> bool {
    let by_name = path.split('/').any(|part| part == "tests.rs" || part == "tests");
    let stem = path.trim_end_matches(".rs").trim_end_matches("/mod");
    let within = |module: &String| {
        stem.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    by_name || modules.iter().any(within)
}

/// The modules declared for tests by `#[cfg(test)] mod x;`, as paths without an ending.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let stem = path.trim_end_matches(".rs").trim_end_matches("mod").trim_end_matches('/');
    let folder = if stem == "lib" { String::new() } else { format!("{stem}/") };
    let lines: Vec<&str> = text.lines().collect();
    let heads = test_heads(&lines);
    let files = heads.filter_map(|(_, head)| module_name(head)?.strip_suffix(';'));
    files.map(|name| format!("{folder}{name}")).collect()
}

/// The lines outside of `#[cfg(test)] mod x { … }`.
fn outside_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let mut inside = 0;
    for (start, head) in test_heads(&lines) {
        if module_name(head).is_some_and(|name| name.ends_with('{')) {
            let indent = head.len() - head.trim_start().len();
            let closes = |line: &&str| line.trim_end() == format!("{}}}", &head[..indent]);
            let length = lines[start..].iter().position(closes);
            inside += length.map_or(lines.len() - start, |length| length + 1);
        }
    }
    lines.len() - inside
}

/// The first line of each `#[cfg(test)]`, and the line of what it is on.
fn test_heads<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = (usize, &'a str)> {
    let test = |line: &str| {
        let line = line.trim_start();
        line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test,")
    };
    let starts = lines.iter().enumerate().filter(move |(_, line)| test(line));
    starts.filter_map(move |(start, _)| {
        let after = lines[start + 1..].iter();
        let head = after.copied().find(|line| !line.trim_start().starts_with(['#', '/']))?;
        Some((start, head))
    })
}

/// What follows `mod` in a declaration of any visibility: the name with its `;` or `{`.
fn module_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
    line.strip_prefix("pub(super) ").unwrap_or(line).strip_prefix("mod ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_not_counted_and_comments_are() {
        let lib = "//! Head.\n\nmod a;\n#[cfg(test)]\npub(crate) mod set;\n#[cfg(test)]\n\
            #[allow(x)]\nmod tests {\n    fn f() {\n    }\n}\nfn g() {}\n";
        let files = [
            ("lib.rs", lib),
            ("set.rs", "1\n2\n"),
            ("set/more.rs", "1\n"),
            ("settled.rs", "1\n"),
            ("a.rs", "1\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nfn f() {}\n"),
            ("a/tests.rs", "1\n"),
            ("a/b.rs", "mod c {\n    #[cfg(all(test, x))]\n    mod tests {\n    }\n}\n"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        let lines = product_lines(&files);
        let expected = [("a.rs", 5), ("a/b.rs", 2), ("lib.rs", 6), ("settled.rs", 1)];
        assert_eq!(lines, BTreeMap::from(expected));
    }
}
