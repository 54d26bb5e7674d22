//! Commands of TeX, with their arguments.

use super::names::{ACCENTS, ELEMENTS, ENVIRONMENTS, IGNORED, STYLES, TEXTS, is_table};
use super::{Converter, ROW};

impl<'a> Converter<'a> {
    /// A command, at its backslash.
    pub(super) fn command(&mut self) -> Option<()> {
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
}
