//! Makes a program that follows one protocol follow another one.
//!
//! A program in C++ stays one file: its `main` is renamed, and a new one runs it in a child process
//! (`adapter/adapter.cpp`). A program in Python is inside of another one (`adapter/adapter.py`), which starts it.

use crate::judging::Checker;
use crate::program::{Language, Sources};
use judge_package::{BridgedArgument, DmojKind, Package, ValidatorProtocol};
use std::fmt::{self, Write};

/// Why a program cannot follow another protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoAdapter(String);

impl NoAdapter {
    /// This reason.
    pub fn new(why: impl Into<String>) -> Self {
        NoAdapter(why.into())
    }

    /// The program is in another language.
    fn of_language() -> Self {
        NoAdapter::new("adapters are for programs of one file in C++, or in Python")
    }
}

impl fmt::Display for NoAdapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The protocol that a format calls its checkers and interactors by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outer {
    /// `validator INPUT ANSWER FEEDBACK_DIR < output`; 42 accepts.
    Icpc {
        /// Whether it may write points.
        points: bool,
    },
    /// `checker INPUT OUTPUT ANSWER`; 0 accepts.
    Testlib,
    /// `checker INPUT OUTPUT ANSWER`; 7 accepts a part, whose share is on standard error (DMOJ's `coci`).
    Dmoj,
    /// `checker INPUT ANSWER OUTPUT`; the share of the points on standard output.
    Cms,
}

/// The task of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It checks an output.
    Checker,
    /// It talks to the submission.
    Interactor,
}

impl Role {
    /// The role of the first program of a problem.
    pub fn of(package: &Package) -> Self {
        match package.kind.interactive {
            true => Role::Interactor,
            false => Role::Checker,
        }
    }
}

/// The sources of `checker` as a program that follows `outer`.
pub fn adapt(checker: &Checker, outer: Outer, role: Role) -> Result<Sources, NoAdapter> {
    let inner = Inner::of(&checker.protocol)?;
    if role == Role::Interactor && !matches!(inner, Inner::Icpc | Inner::Testlib { .. }) {
        return Err(NoAdapter::new("its protocol is not one of interactors"));
    }
    let is_plain = checker.args.is_empty();
    match (inner, outer) {
        (Inner::Icpc, Outer::Icpc { .. }) | (Inner::Cms, Outer::Cms) => {
            return Ok(checker.sources.clone());
        }
        (Inner::Testlib { whole: 100 } | Inner::ExitStatus, Outer::Testlib) if is_plain => {
            return Ok(checker.sources.clone());
        }
        _ => {}
    }
    let mut defines = String::new();
    inner.defines(&mut defines);
    outer.defines(&mut defines);
    if role == Role::Interactor {
        defines.push_str("#define INTERACTIVE\n");
    }
    let arguments = checker.args.iter().map(|word| c_string(word) + ", ");
    let _ = writeln!(
        defines,
        "#define INNER_ARGUMENTS {}",
        arguments.collect::<String>()
    );
    match checker.sources.language() {
        Language::Cpp => wrapped(&checker.sources, &defines),
        Language::Python if outer != Outer::Cms => {
            let order = match inner {
                Inner::Icpc => "input answer feedback",
                Inner::Testlib { .. } | Inner::ExitStatus | Inner::Sio2 => "input output answer",
                Inner::Hustoj | Inner::Cms => "input answer output",
                Inner::Qduoj => "input output",
                Inner::Lemon => {
                    return Err(NoAdapter::new("no adapter for its protocol in Python"));
                }
            };
            let (inner, whole) = match inner {
                Inner::Icpc => ("icpc", 100),
                Inner::Testlib { whole } => ("testlib", whole),
                Inner::Cms => ("cms", 100),
                Inner::Sio2 => ("sio2", 100),
                _ => ("status", 100),
            };
            let outer_name = match outer {
                Outer::Icpc { .. } => "icpc",
                Outer::Dmoj => "dmoj",
                Outer::Testlib | Outer::Cms => "testlib",
            };
            let role = match role {
                Role::Checker => "checker",
                Role::Interactor => "interactor",
            };
            started(
                &checker.sources,
                &[("INNER", inner), ("OUTER", outer_name), ("ROLE", role)],
                order,
                &checker.args,
                &format!(
                    "WHOLE = {whole}\nPOINTS = {}\n",
                    python_bool(outer == Outer::Icpc { points: true })
                ),
            )
        }
        _ => Err(NoAdapter::of_language()),
    }
}

/// An interactor and the checker that reads what it wrote, as one interactor that follows `outer`. Both are
/// programs of one file in C++ that follow testlib's protocol.
pub fn combine(
    interactor: &Checker,
    checker: &Checker,
    outer: Outer,
) -> Result<Sources, NoAdapter> {
    let is_testlib = |one: &Checker| {
        one.protocol == ValidatorProtocol::Testlib
            && one.args.is_empty()
            && one.sources.language() == Language::Cpp
            && one.sources.is_single()
    };
    if !is_testlib(interactor) || !is_testlib(checker) {
        return Err(NoAdapter::new(
            "only two programs of one file in C++ with testlib become one",
        ));
    }
    let mut defines = String::new();
    Inner::Testlib { whole: 100 }.defines(&mut defines);
    outer.defines(&mut defines);
    defines.push_str("#define INTERACTIVE\n#define INNER_ARGUMENTS\n");
    let mut includes = Vec::new();
    let mut bodies = String::new();
    let mut calls = Vec::new();
    for (one, name) in [
        (interactor, "judged_interactor"),
        (checker, "judged_checker"),
    ] {
        let text = one.sources.main().content.clone();
        let text = String::from_utf8(text).map_err(|_| NoAdapter::new("it is not UTF-8"))?;
        let (renamed, call) = renamed(&text)?;
        let mut macros = Vec::new();
        let _ = writeln!(bodies, "namespace {name} {{");
        for line in renamed.lines() {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            if directive.is_some_and(|rest| rest.starts_with("include")) {
                if !includes.contains(&line.trim().to_owned()) {
                    includes.push(line.trim().to_owned());
                }
                continue;
            }
            if let Some(rest) = directive.and_then(|rest| rest.strip_prefix("define")) {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let name = rest
                    .trim_start()
                    .split(|c| !is_word(c))
                    .next()
                    .unwrap_or_default();
                macros.push(name.to_owned());
            }
            bodies.push_str(line);
            bodies.push('\n');
        }
        for name in macros {
            let _ = writeln!(bodies, "#undef {name}");
        }
        let _ = writeln!(
            bodies,
            "static int judge_adapter_program(int count, char **words) {{\n    (void)count, (void)words;\n    return {call};\n}}\n}}\n"
        );
        calls.push(format!("{name}::judge_adapter_program"));
    }
    let content = format!(
        "{}\n\n{defines}{}{bodies}int main(int argc, char **argv) {{\n    return judge_adapter::run(argc, argv, {});\n}}\n",
        includes.join("\n"),
        include_str!("adapter/adapter.cpp"),
        calls.join(", ")
    );
    let mut combined = Sources::generated(&interactor.sources.main().name, content);
    for file in interactor.sources.files[1..]
        .iter()
        .chain(&checker.sources.files[1..])
    {
        if combined.files.iter().all(|known| known.name != file.name) {
            combined.files.push(file.clone());
        }
    }
    Ok(combined)
}

/// The sources of an input validator of ICPC (42 accepts) as one of testlib (0 accepts), or the other way
/// round.
pub fn adapt_input_validator(sources: &Sources, to_icpc: bool) -> Result<Sources, NoAdapter> {
    let (inner, outer) = match to_icpc {
        true => ("INNER_STATUS", "OUTER_VALIDATOR_ICPC"),
        false => ("INNER_ICPC", "OUTER_VALIDATOR_TESTLIB"),
    };
    let failure = if to_icpc { 1 } else { 3 };
    let defines = format!(
        "#define VALIDATOR\n#define {inner}\n#define {outer}\n#define OUTER_FAILURE {failure}\n#define INNER_ARGUMENTS\n"
    );
    match sources.language() {
        Language::Cpp => wrapped(sources, &defines),
        Language::Python => {
            let (inner, outer) = match to_icpc {
                true => ("status", "validator-icpc"),
                false => ("icpc", "validator-testlib"),
            };
            let names = [("INNER", inner), ("OUTER", outer), ("ROLE", "validator")];
            started(sources, &names, "", &[], "")
        }
        Language::Other => Err(NoAdapter::of_language()),
    }
}

/// How a program of the package is called, as far as adapters distinguish it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inner {
    Icpc,
    Testlib { whole: u32 },
    ExitStatus,
    Hustoj,
    Qduoj,
    Lemon,
    Cms,
    Sio2,
}

impl Inner {
    fn of(protocol: &ValidatorProtocol) -> Result<Self, NoAdapter> {
        use BridgedArgument::{Answer, Input, Output};
        Ok(match protocol {
            ValidatorProtocol::Icpc => Inner::Icpc,
            ValidatorProtocol::Testlib => Inner::Testlib { whole: 100 },
            ValidatorProtocol::TestlibOf200 => Inner::Testlib { whole: 200 },
            ValidatorProtocol::OnlineJudgeTools => Inner::ExitStatus,
            ValidatorProtocol::Hustoj => Inner::Hustoj,
            ValidatorProtocol::Qduoj => Inner::Qduoj,
            ValidatorProtocol::Lemon => Inner::Lemon,
            ValidatorProtocol::Sio2 => Inner::Sio2,
            ValidatorProtocol::Dmoj { kind, arguments } => match (kind, arguments.as_slice()) {
                (DmojKind::Default, [Input, Output, Answer]) => Inner::ExitStatus,
                (DmojKind::Default, [Input, Answer, Output]) => Inner::Hustoj,
                (DmojKind::Cms, [Input, Answer, Output]) => Inner::Cms,
                (DmojKind::Testlib, [Input, Output, Answer]) => Inner::Testlib { whole: 100 },
                _ => return Err(NoAdapter::new("no adapter for this protocol of DMOJ")),
            },
            ValidatorProtocol::Syzoj | ValidatorProtocol::DmojPython => {
                return Err(NoAdapter::new("only the judge that it is for can start it"));
            }
        })
    }

    fn defines(self, out: &mut String) {
        let (name, whole) = match self {
            Inner::Icpc => ("ICPC", 100),
            Inner::Testlib { whole } => ("TESTLIB", whole),
            Inner::ExitStatus => ("STATUS", 100),
            Inner::Hustoj => ("HUSTOJ", 100),
            Inner::Qduoj => ("QDUOJ", 100),
            Inner::Lemon => ("LEMON", 100),
            Inner::Cms => ("CMS", 100),
            Inner::Sio2 => ("SIO2", 100),
        };
        let _ = write!(out, "#define INNER_{name}\n#define INNER_WHOLE {whole}\n");
    }
}

impl Outer {
    fn defines(self, out: &mut String) {
        let (name, failure) = match self {
            Outer::Icpc { .. } => ("ICPC", 1),
            Outer::Testlib => ("TESTLIB", 3),
            Outer::Dmoj => ("DMOJ", 3),
            Outer::Cms => ("CMS", 1),
        };
        let _ = write!(
            out,
            "#define OUTER_{name}\n#define OUTER_FAILURE {failure}\n"
        );
        if self == (Outer::Icpc { points: true }) {
            out.push_str("#define OUTER_POINTS\n");
        }
    }
}

/// A text as a literal of C.
fn c_string(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out + "\""
}

/// A source in C++ whose `main` has another name, and the expression that calls it.
fn renamed(text: &str) -> Result<(String, &'static str), NoAdapter> {
    let found =
        Main::find(text).ok_or_else(|| NoAdapter::new("its function `main` was not found"))?;
    let call = match text[found.parameters.clone()].trim() {
        "" | "void" => "judged_main()",
        parameters if parameters.contains("const") => "judged_main(count, (const char **)words)",
        _ => "judged_main(count, words)",
    };
    let (before, name) = text.split_at(found.name);
    let body = &name["main".len()..found.end - found.name];
    // A `main` may lack it; another function must not.
    let renamed = format!(
        "{before}judged_main{body}\nreturn 0;\n{}",
        &text[found.end..]
    );
    Ok((renamed, call))
}

/// A program in C++ with the adapter in front of it and a new `main` behind it.
fn wrapped(sources: &Sources, defines: &str) -> Result<Sources, NoAdapter> {
    let text = String::from_utf8(sources.main().content.clone());
    let text = text.map_err(|_| NoAdapter::new("it is not UTF-8"))?;
    let (renamed, call) = renamed(&text)?;
    let mut out = format!(
        "{defines}{}#line 1\n{renamed}",
        include_str!("adapter/adapter.cpp")
    );
    let _ = write!(
        out,
        "\n#undef int\n#undef main\n#undef return\n\
         static int judge_adapter_program(int count, char **words) {{\n    (void)count, (void)words;\n    \
         return {call};\n}}\n\n\
         int main(int argc, char **argv) {{\n    \
         return judge_adapter::run(argc, argv, judge_adapter_program, 0);\n}}\n"
    );
    let mut wrapped = sources.clone();
    wrapped.files[0].content = out.into_bytes();
    Ok(wrapped)
}

/// A program in Python inside of the adapter's file, which starts it.
fn started(
    sources: &Sources,
    names: &[(&str, &str)],
    order: &str,
    args: &[String],
    more: &str,
) -> Result<Sources, NoAdapter> {
    // JSON of texts, lists and maps of them is Python, too.
    let mut texts = serde_json::Map::new();
    for file in &sources.files {
        let text = String::from_utf8(file.content.clone());
        let text =
            text.map_err(|_| NoAdapter::new(format!("its file `{}` is not text", file.name)))?;
        texts.insert(file.name.clone(), text.into());
    }
    let order: Vec<&str> = order.split_whitespace().collect();
    let mut content = String::from(
        "# Adapter: PROGRAM follows one judge's protocol, and is called by another one's.\n",
    );
    for (name, value) in names {
        let _ = writeln!(content, "{name} = {}", serde_json::Value::from(*value));
    }
    let _ = write!(
        content,
        "{more}ORDER = {}\nARGUMENTS = {}\nPROGRAM = {}\nSOURCES = {}\n\n{}",
        serde_json::Value::from(order),
        serde_json::Value::from(args.to_vec()),
        serde_json::Value::from(sources.main().name.as_str()),
        serde_json::Value::from(texts),
        include_str!("adapter/adapter.py")
    );
    Ok(Sources::generated("main.py", content))
}

fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// The function `main` of a source in C++, as offsets.
#[derive(Debug, PartialEq)]
struct Main {
    name: usize,
    parameters: std::ops::Range<usize>,
    /// The closing brace of its body.
    end: usize,
}

impl Main {
    /// Finds the definition of `main` outside of comments, literals and braces.
    fn find(text: &str) -> Option<Main> {
        let code = blanked(text);
        let bytes = code.as_bytes();
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let mut depth = 0_usize;
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.checked_sub(1)?,
                b'm' if depth == 0 && code[at..].starts_with("main") => {
                    let after = at + "main".len();
                    if at > 0 && is_word(bytes[at - 1])
                        || bytes.get(after).is_some_and(|b| is_word(*b))
                    {
                        continue;
                    }
                    let open = after + code[after..].len() - code[after..].trim_start().len();
                    if bytes.get(open) != Some(&b'(') {
                        continue;
                    }
                    let close = matching(bytes, open, b'(', b')')?;
                    let body = close + 1 + code[close + 1..].find(|c: char| !c.is_whitespace())?;
                    if bytes[body] != b'{' {
                        continue;
                    }
                    return Some(Main {
                        name: at,
                        parameters: open + 1..close,
                        end: matching(bytes, body, b'{', b'}')?,
                    });
                }
                _ => {}
            }
        }
        None
    }
}

/// The position of the bracket that closes the one at `open`.
fn matching(bytes: &[u8], open: usize, opening: u8, closing: u8) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, &byte) in bytes.iter().enumerate().skip(open) {
        if byte == opening {
            depth += 1;
        } else if byte == closing {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The text with blanks for comments, literals and lines of the preprocessor; other bytes stay where they
/// are.
fn blanked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    let mut line_has_code = false;
    let blank = |out: &mut [u8], range: std::ops::Range<usize>| {
        for byte in &mut out[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            at + position(rest, b"\n").unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + position(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4)
        } else if rest[0] == b'#' && !line_has_code {
            let mut end = at;
            loop {
                let line = position(&bytes[end..], b"\n").unwrap_or(bytes.len() - end);
                let continues =
                    bytes[..end + line].ends_with(b"\\") || bytes[..end + line].ends_with(b"\\\r");
                end = (end + line + 1).min(bytes.len());
                if !continues || end == bytes.len() {
                    break end.saturating_sub(1).max(at + 1);
                }
            }
        } else if rest.starts_with(b"R\"") {
            raw_end(bytes, at)
        } else if rest[0] == b'"' {
            literal_end(bytes, at)
        } else if rest[0] == b'\'' && !(at > 0 && bytes[at - 1].is_ascii_hexdigit()) {
            // Not the separator of digits.
            literal_end(bytes, at)
        } else {
            line_has_code = match rest[0] {
                b'\n' => false,
                byte => line_has_code || !byte.is_ascii_whitespace(),
            };
            at += 1;
            continue;
        };
        blank(&mut out, at..end);
        at = end;
    }
    // Only ASCII characters were replaced, or whole literals and comments.
    String::from_utf8_lossy(&out).into_owned()
}

fn position(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len())
        .position(|window| window == wanted)
}

/// The end of the literal that begins with a quote at `at`.
fn literal_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'\n' {
        match bytes[end] {
            b'\\' => end += 2,
            byte if byte == bytes[at] => return end + 1,
            _ => end += 1,
        }
    }
    end.min(bytes.len())
}

/// The end of the raw string that begins with `R"` at `at`.
fn raw_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at + 2..];
    let Some(open) = position(rest, b"(") else {
        return bytes.len();
    };
    let close = [b")", &rest[..open], b"\""].concat();
    position(&rest[open..], &close).map_or(bytes.len(), |end| at + 2 + open + end + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_main_is_found() {
        for (text, expected) in [
            ("int main() { }", Some(("", "}"))),
            (
                "// main() {\nint main(int c, char **v) { if (c) { } }\nint x;",
                Some(("int c, char **v", "}\nint x;")),
            ),
            (
                "#define main x\nsigned main (void)\n{ puts(\"}\"); '}'; }",
                Some(("void", "}")),
            ),
            (
                "const char *s = R\"(int main() {)\"; int main() { 1'000; }",
                Some(("", "}")),
            ),
            ("struct a { int main() { } };", None),
            ("int domain() { } int main();", None),
            (
                "int f() { /* { */ } int main() { return 'a'; }",
                Some(("", "}")),
            ),
        ] {
            let found = Main::find(text);
            let parts = found.map(|main| (&text[main.parameters], &text[main.end..]));
            assert_eq!(parts, expected, "{text}");
        }
    }

    #[test]
    fn arguments_are_literals() {
        assert_eq!(c_string("a\"\\b é"), "\"a\\\"\\\\b \\303\\251\"");
    }
}
