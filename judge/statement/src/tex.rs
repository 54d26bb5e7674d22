//! The TeX that statements of problems commonly use -> HTML.

mod macros;
mod names;

use super::{math, sanitize};
use names::{
    ACCENTS, ELEMENTS, ENVIRONMENTS, FORMULAS, IGNORED, PICTURE, STYLES, TEXTS, WITH_ARGUMENTS,
    is_table,
};
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

    fn command(&mut self) -> Option<()> {
        let start = self.rest;
        self.take(1);
        let letters = self.rest.find(|c: char| !c.is_ascii_alphabetic());
        let letters = letters.unwrap_or(self.rest.len());
        if letters == 0 {
            return self.symbol();
        }
        let star = usize::from(self.rest[letters..].starts_with('*'));
        let name = self.take(letters + star);
        match name {
            "begin" => return self.begin(start),
            "end" => {
                let name = self.argument()?;
                return self.leave(ENVIRONMENTS.iter().find(|known| known.0 == name)?.0);
            }
            "item" => {
                self.out.push_str("<li>");
                if let Some(rest) = self.rest.trim_start().strip_prefix('[') {
                    self.rest = rest;
                    let label = self.until("]")?;
                    self.code("<strong>", label, "</strong> ");
                }
            }
            "ref" | "autoref" | "cref" | "Cref" | "eqref" | "pageref" | "cite" => {
                let label = self.argument()?;
                self.text(label);
            }
            "SI" | "qty" => {
                for _ in 0..2 {
                    let part = self.argument()?;
                    self.text(part);
                    self.out.push(' ');
                }
            }
            // The sizes and colours of boxes do not appear, their texts do.
            "textcolor" | "colorbox" | "parbox" | "scalebox" | "raisebox" | "makebox"
            | "framebox" | "multicolumn" | "multirow" | "resizebox" | "fcolorbox" => {
                (0..3).for_each(|_| self.option());
                let skipped = match name {
                    "makebox" | "framebox" => 0,
                    "multicolumn" | "multirow" | "resizebox" | "fcolorbox" => 2,
                    _ => 1,
                };
                (0..skipped).try_for_each(|_| self.balanced().map(|_| ()))?;
                return self.group("", "");
            }
            "ensuremath" => {
                let formula = self.balanced()?;
                return self.add_formula(formula, false);
            }
            "lstinline" if self.rest.trim_start().starts_with(['{', '[']) => {
                self.option();
                let code = self.balanced()?;
                self.code("<code>", code, "</code>");
            }
            "verb" | "lstinline" => {
                let delimiter = self.rest.chars().next()?;
                self.take(delimiter.len_utf8());
                let code = self.until(delimiter.encode_utf8(&mut [0; 4]))?;
                self.code("<code>", code, "</code>");
            }
            "includegraphics" => {
                self.option();
                let file = self.argument()?;
                self.image(file);
            }
            "illustration" => {
                self.argument()?;
                let file = self.argument()?;
                self.image(file);
                self.group("<p>", "</p>")?;
            }
            "url" => {
                let address = self.argument()?;
                self.link(address);
                self.text(address);
                self.out.push_str("</a>");
            }
            "href" => {
                let address = self.argument()?;
                self.link(address);
                return self.group("", "</a>");
            }
            _ => return self.known(name),
        }
        Some(())
    }

    /// A command of the tables.
    fn known(&mut self, name: &str) -> Option<()> {
        if let Some((_, begin, end)) = ELEMENTS.iter().find(|known| known.0 == name) {
            return self.group(begin, end);
        }
        if let Some((_, begin, end)) = STYLES.iter().find(|known| known.0 == name) {
            return self.style(begin, end);
        }
        if let Some((_, count)) = IGNORED.iter().find(|known| known.0 == name) {
            self.option();
            return (0..*count).try_for_each(|_| self.balanced().map(|_| ()));
        }
        if let Some((_, mark)) = ACCENTS.iter().find(|known| known.0 == name) {
            return self.accent(*mark);
        }
        let (_, text) = TEXTS.iter().find(|known| known.0 == name)?;
        self.out.push_str(text);
        // Blanks after the name of a command end it.
        self.rest = self.rest.trim_start_matches(' ');
        Some(())
    }

    /// Sets the style of the group that follows immediately, or of the rest of the present group or environment; a style
    /// of the rest of a table or of the whole text has no effect.
    fn style(&mut self, begin: &str, end: &'static str) -> Option<()> {
        if self.rest.starts_with('{') {
            return self.group(begin, end);
        }
        self.rest = self.rest.trim_start_matches(' ');
        if let Some(open) = self.open.last_mut().filter(|open| !is_table(open.name)) {
            open.styles.push(end);
            self.out.push_str(begin);
        }
        Some(())
    }

    /// A backslash and another character than a letter.
    fn symbol(&mut self) -> Option<()> {
        match self.rest.chars().next()? {
            '(' => {
                self.take(1);
                return self.formula("\\)", false);
            }
            '[' => {
                self.take(1);
                return self.formula("\\]", true);
            }
            '\\' => {
                self.take(1);
                self.rest = self.rest.strip_prefix('*').unwrap_or(self.rest);
                self.option();
                self.out.push_str(match self.is_in_table() {
                    true => ROW,
                    false => "<br>",
                });
            }
            c @ ('%' | '&' | '#' | '_' | '{' | '}' | '$' | ' ' | ',' | ';' | '/' | '-') => {
                self.take(1);
                match c {
                    '&' => self.out.push_str("&amp;"),
                    ',' | ';' => self.out.push('\u{2009}'),
                    '/' | '-' => {}
                    c => self.out.push(c),
                }
            }
            c => {
                let (_, mark) = ACCENTS.iter().find(|known| known.0.starts_with(c))?;
                self.take(1);
                return self.accent(*mark);
            }
        }
        Some(())
    }

    /// The letter that follows, with an accent.
    fn accent(&mut self, mark: char) -> Option<()> {
        let rest = self.rest.trim_start_matches(' ');
        self.rest = rest;
        let letter = match rest.starts_with('{') {
            true => self.argument()?,
            false if rest.starts_with('\\') => self.take(1 + rest[1..].chars().next()?.len_utf8()),
            false => self.take(rest.chars().next()?.len_utf8()),
        };
        // The accents of `i` and `j` replace the dot.
        let letter = letter.trim_start_matches('\\');
        match (letter, mark) {
            // `\^{}` and `\~{}` are the characters themselves.
            ("", '\u{302}') => self.out.push('^'),
            ("", '\u{303}') => self.out.push('~'),
            _ => {
                self.text(letter);
                self.out.push(mark);
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
