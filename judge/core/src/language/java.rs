//! Finds the class with the `main` method in Java and Scala sources, and one that Kotlin or Elixir does not start.

use super::source::SourceFile;
use crate::text::constant_regex;
use regex::Regex;
use std::sync::LazyLock;

/// A class with a `main` method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MainClass {
    /// The qualified name: `org.example.Main`.
    pub name: String,
    pub public: bool,
}

/// The top-level classes of a source file: those with `main`, and the public one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Classes {
    /// The classes that have a `main` method, in order.
    pub with_main: Vec<MainClass>,
    /// The simple name of the public class; javac requires the file to have this name.
    pub public: Option<String>,
    /// Whether there is a `fun main` of Kotlin outside of every class.
    starts_itself: bool,
}

/// The class or module whose `main` a program starts nowhere: an `object` of Kotlin, or a class with a companion; the module
/// `Main` of Elixir, which AtCoder starts.
pub fn unstarted_main(file: &SourceFile) -> Option<String> {
    let text = String::from_utf8_lossy(&file.bytes);
    match file.path.extension()?.to_str()? {
        "kt" => {
            let mut found = classes(&text);
            let main = found
                .with_main
                .drain(..)
                .next()
                .filter(|_| !found.starts_itself);
            main.map(|main| main.name)
        }
        "ex" | "exs" => {
            static MAIN: LazyLock<Regex> =
                LazyLock::new(|| constant_regex(r"(?s)\bdefmodule\s+Main\s+do\b.*\bdef\s+main\b"));
            let is_unstarted = MAIN.is_match(&text) && !text.contains("Main.main");
            is_unstarted.then(|| "Main".to_owned())
        }
        _ => None,
    }
}

/// Scans a source file for braces, words and comments; not a full parser.
pub fn classes(source: &str) -> Classes {
    let mut found = Classes::default();
    let mut package = String::new();
    let mut depth = 0_usize;
    // The current top-level class, and whether it is public.
    let mut class: Option<(String, bool)> = None;
    let words = words(source);
    let mut public = false;
    let word = |i: usize| words.get(i).map_or("", |&w| w);
    let qualified = |package: &str, name: &str| match package {
        "" => name.to_owned(),
        package => format!("{package}.{name}"),
    };
    for i in 0..words.len() {
        match word(i) {
            "package" if depth == 0 && is_name(word(i + 1)) => package = word(i + 1).to_owned(),
            "public" if depth == 0 => public = true,
            "class" | "interface" | "enum" | "record" | "object"
                if depth == 0 && is_name(word(i + 1)) =>
            {
                let name = word(i + 1).to_string();
                if public && found.public.is_none() {
                    found.public = Some(name.clone());
                }
                // `object Main extends App` of Scala: the body is its main method.
                let mut parents = words[i + 2..]
                    .iter()
                    .take_while(|&&w| w != "{" && w != "object");
                if word(i) == "object" && parents.any(|&w| w == "App") {
                    found.with_main.push(MainClass {
                        name: qualified(&package, &name),
                        public,
                    });
                }
                class = Some((name, public));
                public = false;
            }
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    class = None;
                }
            }
            "main" if word(i + 1) == "(" && i > 0 && word(i - 1) == "fun" => {
                let before = words[..i].iter().rev().take(6);
                let is_static = before
                    .take_while(|&&w| !matches!(w, "{" | "}"))
                    .any(|&w| w == "JvmStatic");
                match &class {
                    None => found.starts_itself = true,
                    Some((name, public)) if is_static && depth <= 2 => {
                        found.with_main.push(MainClass {
                            name: qualified(&package, name),
                            public: *public,
                        });
                    }
                    Some(_) => {}
                }
            }
            // `void main(` of Java, `def main(` of Scala, one brace deep.
            "main" if depth == 1 && word(i + 1) == "(" => {
                let scala = i > 0 && word(i - 1) == "def";
                let java = i > 0
                    && word(i - 1) == "void"
                    && words[..i]
                        .iter()
                        .rev()
                        .take(6)
                        .take_while(|&&w| !matches!(w, ";" | "}" | "{"))
                        .any(|&w| w == "static");
                if let Some((name, public)) = &class
                    && (scala || java)
                {
                    let main = MainClass {
                        name: qualified(&package, name),
                        public: *public,
                    };
                    if !found.with_main.contains(&main) {
                        found.with_main.push(main);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

/// Words and single marks, without comments, strings and characters.
fn words(source: &str) -> Vec<&str> {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"(?xs) //[^\n]* | /\*.*?(?:\*/|\z) | """.*?(?:"""|\z)
            | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? | ([\w$]+(?:\.[\w$]+)*|\S)"#;
        constant_regex(pattern)
    });
    let tokens = TOKEN.captures_iter(source);
    tokens
        .filter_map(|token| Some(token.get(1)?.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mains(source: &str) -> Vec<String> {
        classes(source)
            .with_main
            .into_iter()
            .map(|main| main.name)
            .collect()
    }

    #[test]
    fn classes_with_main() {
        assert_eq!(
            mains("public class A { public static void main(String[] a) {} }"),
            ["A"]
        );
        assert_eq!(
            mains("package x.y;\nclass B{}\nclass A { static public void main(String... a) {} }"),
            ["x.y.A"]
        );
        assert_eq!(
            mains("class A { void main() {} } class B { static int main(int x) {return 1;} }"),
            [""; 0]
        );
        assert_eq!(
            mains(
                "class A { // static void main(\n String s = \"static void main(\"; char c = '{'; }"
            ),
            [""; 0]
        );
        assert_eq!(
            mains("class A { /* } */ class I { } static final void main(String[] a) { } }"),
            ["A"]
        );
        assert_eq!(
            mains(
                "class A { String t = \"\"\"\n}}}\"\"\"; public static synchronized void main(String[] a) { } }"
            ),
            ["A"]
        );
        assert_eq!(
            mains("object Main { def main(args: Array[String]): Unit = {} }"),
            ["Main"]
        );
        assert_eq!(
            mains("package x.y\nobject Main { def main(args: Array[String]): Unit = {} }"),
            ["x.y.Main"]
        );
        assert_eq!(
            mains(
                "package x\nobject A { val App = 1 }\nobject B extends Y with App { println(1) }"
            ),
            ["x.B"]
        );
        // Linear time: each `package` could begin a name that extends to the end.
        assert_eq!(mains(&"package.".repeat(1 << 18)), [""; 0]);
        assert_eq!(
            mains(
                "class A { static void main(String[] a) {} } class B { static void main(String[] a) {} }"
            ),
            ["A", "B"]
        );
        assert_eq!(
            mains("class Ä { static void main(String[] a) { char c = 'ü'; } } // \u{1F600}"),
            ["Ä"]
        );
        assert_eq!(mains("\"\\"), [""; 0]);
    }

    #[test]
    fn a_main_that_is_not_started_by_itself() {
        let main = |name: &str, text: &str| {
            unstarted_main(&SourceFile {
                path: name.into(),
                bytes: text.into(),
                executable: false,
            })
        };
        let object =
            "object Main {\n  @JvmStatic\n  fun main(args: Array<String>) { if (true) { } }\n}\n";
        let companion = "package a.b\nclass X { companion object { @JvmStatic fun main(a: Array<String>) {} } }\n";
        let module = "defmodule Main do\n  def main do\n    IO.puts(1)\n  end\nend\n";
        for (name, text, expected) in [
            ("a.kt", object.to_owned(), Some("Main")),
            ("a.kt", companion.to_owned(), Some("a.b.X")),
            (
                "a.kt",
                format!("{object}fun main() = Main.main(arrayOf())"),
                None,
            ),
            (
                "a.kt",
                "class A { fun main() {} }\nfun main() {}".to_owned(),
                None,
            ),
            ("a.kt", "class A { fun main() {} }".to_owned(), None),
            ("a.ex", module.to_owned(), Some("Main")),
            ("a.exs", format!("{module}Main.main()\n"), None),
            ("a.ex", module.replace("Main", "Solution"), None),
            ("a.txt", object.to_owned(), None),
        ] {
            assert_eq!(main(name, &text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_public_class() {
        assert_eq!(
            classes("class A {} public final class B {}")
                .public
                .as_deref(),
            Some("B")
        );
        assert_eq!(classes("class A { public class B {} }").public, None);
        assert_eq!(
            classes("public record P(int x) {}").public.as_deref(),
            Some("P")
        );
    }
}
