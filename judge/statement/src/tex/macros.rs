//! Macros that a statement defines itself, expanded in the text and in its formulas.

use std::collections::HashMap;

/// The maximum number of macros that are expanded.
const MAX_USES: usize = 10_000;
/// The maximum size of the expanded text, in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The maximum number of bytes that are read in search of an end that is not there.
const MAX_SEARCHED: usize = 50 << 20;
/// The maximum nesting of macros in macros.
const MAX_DEPTH: usize = 30;

/// A macro: the number of its parameters, the value of the first one if that is optional, its text.
#[derive(Clone)]
struct Macro {
    parameters: usize,
    default: Option<String>,
    body: String,
}

/// The text with the macros of `\newcommand`, `\def` with undelimited parameters and `\DeclareMathOperator`
/// expanded, without these definitions; `None` if it becomes too large.
pub fn expand(source: &str) -> Option<String> {
    let mut expander = Expander {
        macros: HashMap::new(),
        out: String::with_capacity(source.len()),
        uses: 0,
        searched: 0,
    };
    expander.text(source, 0)?;
    Some(expander.out)
}

struct Expander {
    macros: HashMap<String, Macro>,
    out: String,
    uses: usize,
    /// Bytes that were read in search of an end that is not there.
    searched: usize,
}

impl Expander {
    fn text(&mut self, mut rest: &str, depth: usize) -> Option<()> {
        while let Some(at) = rest.find(['\\', '%']) {
            self.out.push_str(&rest[..at]);
            rest = &rest[at..];
            // A comment, a word of code, a symbol such as `\%`, and any other command stay as they are.
            let kept = match command(rest) {
                None if rest.starts_with('%') => rest.find('\n').unwrap_or(rest.len()),
                None => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                Some((name, after)) => {
                    let defined = DEFINING.contains(&name).then(|| definition(name, after));
                    if let Some(Some((name, value, after))) = defined {
                        // The lines of an error stay those of the source.
                        let lines = rest[..rest.len() - after.len()].matches('\n').count();
                        self.out.push_str(&"\n".repeat(lines));
                        self.macros.insert(name.to_owned(), value);
                        rest = after;
                        continue;
                    }
                    if let Some((expansion, after)) = self.expansion(name, after) {
                        self.uses += 1;
                        if self.uses > MAX_USES || depth > MAX_DEPTH || self.out.len() > MAX_BYTES {
                            return None;
                        }
                        self.text(&expansion, depth + 1)?;
                        rest = after;
                        continue;
                    }
                    let code = code(name, after);
                    if defined.is_some() || code.is_none() || self.macros.contains_key(name) {
                        self.searched += after.len();
                        if self.searched > MAX_SEARCHED {
                            return None;
                        }
                    }
                    rest.len() - after.len() + code.unwrap_or(0)
                }
            };
            self.out.push_str(&rest[..kept]);
            rest = &rest[kept..];
        }
        self.out.push_str(rest);
        (self.out.len() <= MAX_BYTES).then_some(())
    }

    /// The text of the macro `name` with the arguments at the beginning of `rest`, and what follows.
    fn expansion<'t>(&self, name: &str, rest: &'t str) -> Option<(String, &'t str)> {
        let found = self.macros.get(name)?;
        let mut rest = rest.trim_start_matches(' ');
        let mut arguments = Vec::new();
        if let Some(default) = &found.default {
            let given = bracketed(rest);
            arguments.push(given.map_or(default.as_str(), |(value, _)| value));
            rest = given.map_or(rest, |(_, after)| after);
        }
        while arguments.len() < found.parameters {
            let (value, after) = argument(rest.trim_start())?;
            arguments.push(value);
            rest = after;
        }
        let mut parts = found.body.split('#');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let number = part.chars().next()?.to_digit(10)? as usize;
            text.push_str(arguments.get(number.checked_sub(1)?)?);
            text.push_str(&part[1..]);
        }
        Some((text, rest))
    }
}

/// The name of the command of letters that a text begins with, and what follows.
fn command(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('\\')?;
    let end = rest.find(|c: char| !c.is_ascii_alphabetic());
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    (!name.is_empty()).then_some((name, rest))
}

/// The content of the group that a text begins with, and what follows.
fn group(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('{')?;
    let (mut depth, mut escaped) = (1, false);
    let end = text.find(|c| {
        match c {
            '{' if !escaped => depth += 1,
            '}' if !escaped => depth -= 1,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        depth == 0
    })?;
    Some((&text[..end], &text[end + 1..]))
}

/// The content of the brackets that a text begins with, and what follows.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('[')?.split_once(']')
}

/// An argument: a group, a command or a character; and what follows.
fn argument(text: &str) -> Option<(&str, &str)> {
    if text.starts_with('{') {
        return group(text);
    }
    let length = match command(text) {
        Some((name, _)) => 1 + name.len(),
        None => text.chars().next()?.len_utf8(),
    };
    Some(text.split_at(length))
}

/// The commands that define macros.
const DEFINING: [&str; 5] = [
    "newcommand",
    "renewcommand",
    "providecommand",
    "def",
    "DeclareMathOperator",
];

/// The macro that the command `defining`, followed by `rest`, defines, and what follows.
fn definition<'t>(defining: &str, rest: &'t str) -> Option<(&'t str, Macro, &'t str)> {
    let rest = rest.strip_prefix('*').unwrap_or(rest).trim_start();
    let name_of = |text: &'t str| match group(text) {
        Some((name, after)) => Some((command(name.trim())?.0, after)),
        None => command(text),
    };
    let (name, mut rest) = name_of(rest)?;
    let (mut parameters, mut default) = (0, None);
    match defining {
        "newcommand" | "renewcommand" | "providecommand" => {
            if let Some((count, after)) = bracketed(rest) {
                parameters = count.trim().parse().ok().filter(|count| *count <= 9)?;
                rest = after;
            }
            if let Some((value, after)) = bracketed(rest).filter(|_| parameters > 0) {
                default = Some(value.to_owned());
                rest = after;
            }
        }
        "def" => {
            while let Some(after) = rest.strip_prefix(&format!("#{}", parameters + 1)) {
                parameters += 1;
                rest = after;
            }
        }
        _ => {}
    }
    let (body, rest) = group(rest.trim_start())?;
    let body = match defining {
        "DeclareMathOperator" => format!("\\operatorname{{{body}}}"),
        _ => body.replace('\n', " "),
    };
    let value = Macro {
        parameters,
        default,
        body,
    };
    Some((name, value, rest))
}

/// The length of the code that follows a command and has no macros; `None` if its end is missing.
fn code(name: &str, rest: &str) -> Option<usize> {
    match name {
        "verb" => {
            let delimiter = rest.chars().next()?;
            let from = delimiter.len_utf8();
            Some(from + rest[from..].find(delimiter)? + from)
        }
        "begin" => match group(rest)? {
            (name @ ("verbatim" | "lstlisting"), _) => rest.find(&format!("\\end{{{name}}}")),
            _ => Some(0),
        },
        _ => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_expanded() {
        for (source, expected) in [
            (
                r"\newcommand{\N}{\mathbb{N}}$n \in \N$",
                r"$n \in \mathbb{N}$",
            ),
            (
                r"\newcommand\maxn{1000}$\maxn$ \maxn{} x",
                r"$1000$ 1000{} x",
            ),
            (
                r"\def\abs#1{|#1|}\def\x{y}$\abs{a_{1}} \abs\x \abs z$",
                r"$|a_{1}| |y| |z|$",
            ),
            (r"\newcommand{\p}[2][q]{#2-#1} \p{a} \p[b]{c}", r" a-q c-b"),
            (r"\renewcommand*{\le}{\leqslant}\le", r"\leqslant"),
            (
                r"\DeclareMathOperator{\lcm}{lcm}$\lcm(a)$",
                r"$\operatorname{lcm}(a)$",
            ),
            ("\\newcommand{\\a}{x\ny}\n\\a", "\n\nx y"),
            (r"\newcommand{\a}{x}\verb|\a| \a%\a", r"\verb|\a| x%\a"),
            (
                r"\newcommand{\a}{x}\begin{verbatim}\a\end{verbatim}\a",
                r"\begin{verbatim}\a\end{verbatim}x",
            ),
            (r"\newcommand{\a}{x}\ab \% \\ \{", r"\ab \% \\ \{"),
            (r"\def\a#1.{x}\a", r"\def\a#1.{x}\a"),
            (r"\newcommand{\a}[1]{#1}\a", r"\a"),
            ("\\", "\\"),
        ] {
            assert_eq!(expand(source).as_deref(), Some(expected), "{source}");
        }
    }

    /// Each search for a missing end reads the rest of the text.
    #[test]
    fn searches_without_an_end_are_bounded() {
        const COUNT: usize = 20_000;
        let macros = r"\newcommand{\a}[1]{x}";
        for part in [
            r"\a{",
            r"\newcommand{\b}{",
            r"\begin{lstlisting}",
            r"\begin{",
        ] {
            assert_eq!(
                expand(&format!("{macros}{}", part.repeat(COUNT))),
                None,
                "{part}"
            );
        }
        // A command that is no macro is followed by nothing that matters here.
        let nested = format!("{}x{}", r"\textbf{".repeat(COUNT), "}".repeat(COUNT));
        assert_eq!(expand(&nested), Some(nested));
    }

    #[test]
    fn the_size_is_bounded() {
        assert_eq!(expand(r"\def\a{\a}\a"), None);
        assert_eq!(expand(r"\def\a{\b\b}\def\b{\a\a}\a"), None);
        let long = "x".repeat(1 << 10);
        let uses = r"\a".repeat(MAX_USES / 2);
        assert_eq!(expand(&format!("\\def\\a{{{long}}}{uses}")), None);
    }
}
