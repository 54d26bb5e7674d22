//! Searches the text of a source file for what concerns the files beside it.

use std::path::Path;

/// Whether the source `path` with this `text` imports or includes the file or directory `other`, which
/// lies beside it. The text is searched, not parsed.
pub fn imports(path: &Path, text: &str, other: &str) -> bool {
    let stem = other.split_once('.').map_or(other, |(stem, _)| stem);
    text.lines().map(str::trim).any(|line| match family(path) {
        "py" => is_python_import(line) && words(line).any(|word| word == stem),
        "rs" => {
            let declares = line.starts_with("mod ") || line.starts_with("pub mod ");
            declares && words(line).any(|word| word == stem)
        }
        "c" => line.starts_with('#') && line.contains("include") && names(line, other),
        _ => !line.starts_with(['#', '/', '%']) && names(line, other),
    })
}

/// Whether a line has `name`, a file's base name, as a whole.
fn names(line: &str, name: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        !before.ends_with(is_inner) && !after.starts_with(is_inner)
    })
}

fn is_python_import(line: &str) -> bool {
    line.starts_with("import ") || line.starts_with("from ")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The languages whose programs begin with a function `main`.
const WITH_MAIN: [&str; 7] = ["c", "java", "kt", "rs", "go", "d", "cs"];

/// Whether a source of this language has a function `main`; `None` if its language needs none.
pub fn has_main(path: &Path, text: &str) -> Option<bool> {
    WITH_MAIN.contains(&family(path)).then(|| {
        let code = without_comments(text);
        let mut found = code.match_indices("main").chain(code.match_indices("Main"));
        found.any(|(at, name)| {
            let is_inner = |c: char| c.is_alphanumeric() || c == '_';
            let after = code[at + name.len()..].trim_start();
            !code[..at].ends_with(is_inner) && after.starts_with('(')
        })
    })
}

fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        code.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("/*") {
            "*/"
        } else {
            "\n"
        };
        let after = rest[at + 2..].split_once(end);
        rest = after.map_or("", |(_, after)| after);
        code.push('\n');
    }
    code + rest
}

/// The extension of a source; one for all that are compiled together.
pub fn family(path: &Path) -> &str {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.unwrap_or_default() {
        "c" | "cc" | "cpp" | "cxx" | "c++" | "C" | "CC" | "CPP" => "c",
        "py" | "py2" | "py3" => "py",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_in_lines_that_import() {
        for (path, text, other, expected) in [
            ("a.py", "import helper\n", "helper.py", true),
            (
                "a.py",
                "x = 1\n    from .helper import f\n",
                "helper.py",
                true,
            ),
            ("a.py", "from lib.x import f\n", "lib", true),
            ("a.py", "import helpers\n# helper.py\n", "helper.py", false),
            ("a.cpp", "#include \"util.h\"\n", "util.h", true),
            ("a.cpp", "#  include \"../lib/util.h\"\n", "util.h", true),
            (
                "a.cpp",
                "#include \"myutil.h\"\n// util.h\n",
                "util.h",
                false,
            ),
            ("a.rs", "mod util;\n", "util.rs", true),
            ("a.sh", ". ./common.sh\n", "common.sh", true),
            ("a.sh", "# like common.sh\n", "common.sh", false),
        ] {
            assert_eq!(imports(Path::new(path), text, other), expected, "{text}");
        }
    }

    #[test]
    fn a_function_main_is_found_outside_of_comments() {
        for (path, text, expected) in [
            ("a.cpp", "int main () { }", Some(true)),
            ("a.cpp", "// int main()\nint f(); /* main() */", Some(false)),
            ("a.cpp", "int domain(int);", Some(false)),
            ("A.java", "static void main(String[] a) {}", Some(true)),
            ("a.py", "def main(): pass", None),
        ] {
            assert_eq!(has_main(Path::new(path), text), expected, "{text}");
        }
    }
}
