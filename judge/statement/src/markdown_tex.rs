//! Markdown with TeX mathematics -> TeX, for formats whose statements are in TeX.

use super::markdown::{OPTIONS, dollars};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};
use std::fmt::Write;

/// Converts a statement with this title, as problemtools reads it. HTML in the text is left out, and so are
/// marks of footnotes.
pub fn convert(source: &str, title: &str) -> String {
    let mut writer = Writer {
        out: format!("\\problemname{{{}}}\n\n", escaped(title)),
        ..Writer::default()
    };
    let source = dollars(source);
    for event in Parser::new_ext(&source, OPTIONS) {
        writer.event(event);
    }
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    /// In a block of code, whose text is written as it is.
    in_code: bool,
    /// Depth in images, whose text is left out.
    in_image: usize,
    /// The text after an image may begin with attributes.
    after_image: bool,
    /// Number of cells of the row so far.
    cells: usize,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        let after_image = std::mem::take(&mut self.after_image);
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            _ if self.in_image > 0 => {}
            Event::Text(text) if self.in_code => self.out.push_str(&text),
            Event::Text(text) => {
                let text = match after_image {
                    true => without_attributes(&text),
                    false => &text,
                };
                self.out.push_str(&with_samples(text));
            }
            Event::Code(text) => self.put(&format!("\\texttt{{{}}}", escaped(&text))),
            Event::InlineMath(tex) => self.put(&format!("${tex}$")),
            Event::DisplayMath(tex) => self.put(&format!("\\[{tex}\\]")),
            Event::SoftBreak => self.put("\n"),
            Event::HardBreak => self.put("\\\\\n"),
            Event::Rule => {
                self.put("\\begin{center}\\rule{0.5\\textwidth}{0.4pt}\\end{center}\n\n");
            }
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => {}
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.put(match level {
                HeadingLevel::H1 | HeadingLevel::H2 => "\\section*{",
                _ => "\\subsection*{",
            }),
            Tag::BlockQuote(_) => self.put("\\begin{quote}\n"),
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.in_code = true;
                self.put("\\begin{verbatim}\n");
            }
            Tag::List(Some(_)) => self.put("\\begin{enumerate}\n"),
            Tag::List(None) => self.put("\\begin{itemize}\n"),
            Tag::Item => self.put("\\item "),
            Tag::Emphasis => self.put("\\emph{"),
            Tag::Strong => self.put("\\textbf{"),
            Tag::Link { dest_url, .. } => {
                let address = dest_url.replace('%', "\\%").replace('#', "\\#");
                self.put(&format!("\\href{{{address}}}{{"));
            }
            Tag::Image { dest_url, .. } => {
                self.in_image += 1;
                let _ = write!(
                    self.out,
                    "\\includegraphics[width=0.8\\textwidth]{{{dest_url}}}"
                );
            }
            Tag::Table(columns) => {
                let columns: String = columns
                    .iter()
                    .map(|column| match column {
                        Alignment::None | Alignment::Left => 'l',
                        Alignment::Center => 'c',
                        Alignment::Right => 'r',
                    })
                    .collect();
                self.put(&format!("\\begin{{tabular}}{{{columns}}}\n"));
            }
            Tag::TableHead | Tag::TableRow => self.cells = 0,
            Tag::TableCell => {
                if self.cells > 0 {
                    self.put(" & ");
                }
                self.cells += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.put("\n\n"),
            TagEnd::Heading(_) => self.put("}\n\n"),
            TagEnd::BlockQuote(_) => self.put("\\end{quote}\n\n"),
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.put("\\end{verbatim}\n\n");
            }
            TagEnd::List(true) => self.put("\\end{enumerate}\n\n"),
            TagEnd::List(false) => self.put("\\end{itemize}\n\n"),
            TagEnd::Item => self.put("\n"),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link => self.put("}"),
            TagEnd::Image => {
                self.in_image -= 1;
                self.after_image = true;
            }
            TagEnd::Table => self.put("\\end{tabular}\n\n"),
            TagEnd::TableHead => self.put(" \\\\ \\hline\n"),
            TagEnd::TableRow => self.put(" \\\\\n"),
            _ => {}
        }
    }
}

/// The text with the places of samples as TeX has them.
fn with_samples(text: &str) -> String {
    escaped(text)
        .replace("\\{\\{nextsample\\}\\}", "\\nextsample")
        .replace("\\{\\{remainingsamples\\}\\}", "\\remainingsamples")
}

/// The text after an image without its attributes: `{width=50%}`.
fn without_attributes(text: &str) -> &str {
    let attributes = text.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    attributes.map_or(text, |(_, rest)| rest)
}

/// A text without meaning for TeX.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_its_form_in_tex() {
        let body = |source: &str| {
            let tex = convert(source, "A & B");
            let rest = tex.strip_prefix("\\problemname{A \\& B}\n\n");
            rest.expect("the title").trim_end().to_owned()
        };
        for (markdown, tex) in [
            (
                "50% of $a_1 < b$, *or* **more**",
                "50\\% of $a_1 < b$, \\emph{or} \\textbf{more}",
            ),
            ("\\(x\\) and\n\n$$y$$", "$x$ and\n\n\\[y\\]"),
            (
                "# Input\n\n### Part",
                "\\section*{Input}\n\n\\subsection*{Part}",
            ),
            ("`a_b{`", "\\texttt{a\\_b\\{}"),
            ("```\na_b\n```", "\\begin{verbatim}\na_b\n\\end{verbatim}"),
            (
                "- one\n- two",
                "\\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}",
            ),
            ("1. one", "\\begin{enumerate}\n\\item one\n\\end{enumerate}"),
            ("> said", "\\begin{quote}\nsaid\n\n\\end{quote}"),
            ("[here](https://a.b/c#d)", "\\href{https://a.b/c\\#d}{here}"),
            (
                "![a picture](grid.png){width=50%} shown",
                "\\includegraphics[width=0.8\\textwidth]{grid.png} shown",
            ),
            (
                "| a | b |\n|---|--:|\n| 1 | 2 |",
                "\\begin{tabular}{lr}\na & b \\\\ \\hline\n1 & 2 \\\\\n\\end{tabular}",
            ),
            (
                "{{nextsample}}\n\n{{remainingsamples}}",
                "\\nextsample\n\n\\remainingsamples",
            ),
            ("a <b>c</b> d  \ne", "a c d\\\\\ne"),
        ] {
            assert_eq!(body(markdown), tex, "{markdown}");
        }
    }
}
