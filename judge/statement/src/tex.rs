//! The TeX that statements of problems commonly use -> HTML.

mod commands;
mod macros;
mod names;

use super::{math, sanitize};
use names::{ENVIRONMENTS, FORMULAS, PICTURE, WITH_ARGUMENTS, is_table};
use std::borrow::Cow;

/// The maximum nesting of groups and environments.
const MAX_DEPTH: usize = 50;

/// The maximum number of formulas.
const MAX_FORMULAS: usize = 10_000;

/// A converted text.
pub struct Converted {
    /// HTML with marks in place of formulas.
    pub html: String,
    pub formulas: Vec<String>,
    /// The first picture, which is left out.
    pub picture: Option<Place>,
}

/// Converts a text into HTML; macros that it defines are expanded.
///
/// # Errors
///
/// The place of what is not converted.
pub fn to_html(source: &str) -> Result<Converted, Place> {
    let source = sanitize::without_marks(source);
    let source = macros::expand(&source).map_or(source, Cow::Owned);
    let mut converter = Converter {
        rest: &source,
        out: String::from("<p>"),
        formulas: Vec::new(),
        picture: None,
        open: Vec::new(),
    };
    while !converter.rest.is_empty() {
        let before = converter.rest;
        if converter.step().is_none() {
            return Err(Place::of(&source, before));
        }
    }
    match converter.open.is_empty() {
        true => Ok(Converted {
            html: converter.out,
            formulas: converter.formulas,
            picture: converter.picture.map(|rest| Place::of(&source, rest)),
        }),
        false => Err(Place::of(&source, "")),
    }
}

/// A place in a statement that is not converted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The beginning of the text there; empty at the end, where something is still open.
    pub text: String,
}

impl Place {
    fn of(source: &str, rest: &str) -> Self {
        const SHOWN: usize = 40;
        let done = &source[..source.len() - rest.len()];
        let line = rest.lines().next().unwrap_or_default();
        Place {
            line: done.matches('\n').count() + 1,
            text: line.chars().take(SHOWN).collect(),
        }
    }
}

/// The end of a row of a table, and the beginning of the next.
const ROW: &str = "</td></tr><tr><td>";

struct Converter<'a> {
    rest: &'a str,
    out: String,
    formulas: Vec<String>,
    /// The text from the first picture on.
    picture: Option<&'a str>,
    open: Vec<Open>,
}

/// An open environment, or a group, which has no name.
struct Open {
    name: &'static str,
    /// The HTML that ends it.
    end: &'static str,
    /// The HTML that ends the styles set in it, the last one first.
    styles: Vec<&'static str>,
}

impl<'a> Converter<'a> {
    /// Converts the next character, run of text or command.
    fn step(&mut self) -> Option<()> {
        let special = [
            '\\', '{', '}', '$', '%', '~', '-', '`', '\'', '\n', '&', '#', '^', '_', '<', '>',
        ];
        let plain = self.rest.find(special).unwrap_or(self.rest.len());
        if plain > 0 {
            let text = self.take(plain);
            self.text(text);
            return Some(());
        }
        for (tex, html) in [
            ("---", "—"),
            ("--", "–"),
            ("``", "“"),
            ("''", "”"),
            ("`", "‘"),
            ("'", "’"),
            ("<<", "«"),
            (">>", "»"),
            ("~", "\u{a0}"),
        ] {
            if let Some(rest) = self.rest.strip_prefix(tex) {
                self.rest = rest;
                self.out.push_str(html);
                return Some(());
            }
        }
        match self.rest.as_bytes()[0] {
            b'\\' => return self.command(),
            b'%' => {
                let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
                self.take(end);
            }
            b'$' => {
                let dollars = if self.rest.starts_with("$$") {
                    "$$"
                } else {
                    "$"
                };
                self.take(dollars.len());
                return self.formula(dollars, dollars == "$$");
            }
            b'{' => {
                self.take(1);
                return self.enter("", "");
            }
            b'}' => {
                self.take(1);
                return self.leave("");
            }
            b'\n' => {
                let blank = self.rest.len() - self.rest.trim_start().len();
                let breaks = self.take(blank).matches('\n').count();
                self.out.push_str(if breaks > 1 { "\n<p>" } else { "\n" });
            }
            b'&' if self.is_in_table() => {
                self.take(1);
                self.out.push_str("</td><td>");
            }
            // Alignment, parameters and scripts have no meaning in text.
            b'&' | b'#' | b'^' | b'_' => return None,
            _ => {
                let one = self.take(1);
                self.text(one);
            }
        }
        Some(())
    }

    /// Whether the innermost environment is a table.
    fn is_in_table(&self) -> bool {
        let mut open = self.open.iter().rev();
        let innermost = open.find(|open| !open.name.is_empty());
        innermost.is_some_and(|open| is_table(open.name))
    }

    fn begin(&mut self, start: &'a str) -> Option<()> {
        let name = self.argument()?;
        if name == PICTURE {
            self.picture.get_or_insert(start);
            self.until(&format!("\\end{{{PICTURE}}}"))?;
            self.out.push_str("<em>[picture]</em>");
            return Some(());
        }
        if matches!(name, "verbatim" | "lstlisting") {
            let end = format!("\\end{{{name}}}");
            self.option();
            let code = self.until(&end)?;
            self.code("<pre>", code, "</pre>");
            return Some(());
        }
        if FORMULAS.contains(&name) {
            let body = self.until(&format!("\\end{{{name}}}"))?;
            let name = if name.starts_with("eqnarray") {
                "align*"
            } else {
                name
            };
            let tex = format!("\\begin{{{name}}}{body}\\end{{{name}}}");
            return self.add_formula(&tex, true);
        }
        let (name, begin, end) = ENVIRONMENTS.iter().find(|known| known.0 == name)?;
        self.option();
        if let Some((_, count)) = WITH_ARGUMENTS.iter().find(|known| known.0 == *name) {
            for _ in 0..*count {
                self.option();
                self.balanced()?;
            }
        }
        self.out.push_str(begin);
        self.enter(name, end)
    }

    /// Opens a group or an environment that `end` ends.
    fn enter(&mut self, name: &'static str, end: &'static str) -> Option<()> {
        let styles = Vec::new();
        self.open.push(Open { name, end, styles });
        (self.open.len() <= MAX_DEPTH).then_some(())
    }

    fn leave(&mut self, name: &str) -> Option<()> {
        let open = self.open.pop()?;
        open.styles
            .iter()
            .rev()
            .for_each(|end| self.out.push_str(end));
        if is_table(open.name) {
            // The last row may end like the others.
            let rows = self.out.trim_end();
            let rows = rows.strip_suffix(ROW).unwrap_or(rows).len();
            self.out.truncate(rows);
        }
        self.out.push_str(open.end);
        (open.name == name).then_some(())
    }

    /// Opens the group that follows, between `begin` and `end`.
    fn group(&mut self, begin: &str, end: &'static str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix('{')?;
        self.out.push_str(begin);
        self.enter("", end)
    }

    /// The text of the argument that follows, which has no groups.
    fn argument(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start().strip_prefix('{')?;
        self.until("}")
    }

    /// The text of the argument that follows, which may have groups.
    fn balanced(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start().strip_prefix('{')?;
        let mut depth = 1;
        let end = self.rest.find(|c| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let argument = self.take(end);
        self.take(1);
        Some(argument)
    }

    /// Skips an argument in brackets, if there is one.
    fn option(&mut self) {
        if let Some((_, rest)) = self
            .rest
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
        {
            self.rest = rest;
        }
    }

    fn formula(&mut self, close: &str, display: bool) -> Option<()> {
        let tex = self.until(close)?;
        self.add_formula(tex, display)
    }

    fn add_formula(&mut self, tex: &str, display: bool) -> Option<()> {
        self.out.push_str(&sanitize::mark(self.formulas.len()));
        self.formulas.push(math::to_mathml(tex, display));
        (self.formulas.len() <= MAX_FORMULAS).then_some(())
    }

    fn image(&mut self, file: &str) {
        self.out.push_str("<img src=\"");
        self.text(file);
        self.out.push_str("\" alt=\"\">");
    }

    fn link(&mut self, address: &str) {
        self.out.push_str("<a href=\"");
        self.text(address);
        self.out.push_str("\">");
    }

    fn code(&mut self, begin: &str, code: &str, end: &str) {
        self.out.push_str(begin);
        self.text(code);
        self.out.push_str(end);
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(&sanitize::escaped(text));
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// The text up to `end`, which is skipped.
    fn until(&mut self, end: &str) -> Option<&'a str> {
        let (text, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(text)
    }
}
