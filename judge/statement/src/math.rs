//! TeX mathematics -> MathML.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The maximum length of a formula, in bytes.
const MAX_LENGTH: usize = 4096;

/// The maximum nesting of groups and environments: the parser is recursive.
const MAX_DEPTH: usize = 32;

/// Commands that define macros: their expansion may grow exponentially.
const DEFINITIONS: [&str; 9] = [
    "\\def",
    "\\edef",
    "\\gdef",
    "\\xdef",
    "\\let",
    "\\futurelet",
    "\\newcommand",
    "\\renewcommand",
    "\\providecommand",
];

/// The elements that formulas consist of.
const ELEMENTS: [&str; 31] = [
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mtext",
    "mspace",
    "ms",
    "mfrac",
    "msqrt",
    "mroot",
    "mstyle",
    "merror",
    "mpadded",
    "mphantom",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mmultiscripts",
    "mprescripts",
    "none",
    "mtable",
    "mtr",
    "mtd",
    "menclose",
    "maction",
    "semantics",
    "mlabeledtr",
];

/// Converts a formula; one that is not understood is shown as its source.
pub fn to_mathml(source: &str, display: bool) -> String {
    convert(source, display).unwrap_or_else(|| {
        let delimiter = if display { "$$" } else { "$" };
        let text = ammonia::clean_text(source);
        format!("<code class=\"math-source\">{delimiter}{text}{delimiter}</code>")
    })
}

/// A relation that takes the place of `<` until the formula is rendered: the renderer does not escape it.
const LESS: &str = "⋖";

/// Commands that the parser lacks, and others that are shown alike.
const ALIKE: [(&str, &str); 9] = [
    ("\\mathscr", "\\mathcal "),
    ("\\mbox", "\\text "),
    ("\\hbox", "\\text "),
    ("\\lt", "<"),
    ("\\gt", ">"),
    ("\\mod", "\\;\\mathrm{mod}\\;"),
    ("\\tag", "\\qquad\\text "),
    ("\\boxed", ""),
    ("\\smash", ""),
];

/// Commands between two parts of a group, and those in front of them.
const INFIX: [(&str, &str); 2] = [("\\choose", "\\binom"), ("\\over", "\\frac")];

/// Replaces the commands that the parser lacks.
fn known_commands(source: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(source);
    for (command, other) in ALIKE {
        while let Some(at) = word(&text, command) {
            let (before, after) = (&text[..at], &text[at + command.len()..]);
            text = Cow::Owned(format!("{before}{other}{after}"));
        }
    }
    for (command, other) in INFIX {
        while let Some(at) = word(&text, command) {
            let start = group_start(&text[..at]);
            let end = at + group_end(&text[at..]);
            let (first, second) = (&text[start..at], &text[at + command.len()..end]);
            let changed = format!("{other}{{{first}}}{{{second}}}");
            text = Cow::Owned(format!("{}{changed}{}", &text[..start], &text[end..]));
        }
    }
    text
}

/// The first place of a command, not as the beginning of another one.
fn word(text: &str, command: &str) -> Option<usize> {
    let mut places = text.match_indices(command).map(|(at, _)| at);
    places.find(|at| !text[at + command.len()..].starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The beginning of the innermost group that is open at the end of the text.
fn group_start(text: &str) -> usize {
    let open = text.bytes().rposition(leaves_group(b'}', b'{'));
    open.map_or(0, |at| at + 1)
}

/// The end of the group in which the text begins.
fn group_end(text: &str) -> usize {
    let close = text.bytes().position(leaves_group(b'{', b'}'));
    close.unwrap_or(text.len())
}

/// Whether a byte, of those that are passed one after the other, leaves the group in which the first one is. `enters` and
/// `leaves` are its braces in that order.
fn leaves_group(enters: u8, leaves: u8) -> impl FnMut(u8) -> bool {
    let mut depth = 0;
    move |byte| {
        depth += i32::from(byte == enters) - i32::from(byte == leaves);
        depth < 0
    }
}

fn convert(source: &str, display: bool) -> Option<String> {
    if source.len() > MAX_LENGTH {
        return None;
    }
    let source = known_commands(source);
    let has_less = source.contains('<');
    if has_less && (source.contains(LESS) || source.contains("\\lessdot")) {
        return None;
    }
    let source = source
        .replace("\\left<", "\\left\\langle ")
        .replace("\\right>", "\\right\\rangle ")
        .replace('<', LESS);
    let source = &*source;
    let bounded = source.len() <= MAX_LENGTH && depth(source) <= MAX_DEPTH;
    if !bounded || DEFINITIONS.iter().any(|name| source.contains(name)) {
        return None;
    }
    let render = || {
        let storage = Storage::new();
        // The renderer writes messages of errors without escaping them: none gets that far.
        let events: Result<Vec<_>, _> = Parser::new(source, &storage).collect();
        let events = events.ok()?.into_iter().map(Ok::<_, std::fmt::Error>);
        let config = RenderConfig {
            display_mode: if display {
                DisplayMode::Block
            } else {
                DisplayMode::Inline
            },
            ..RenderConfig::default()
        };
        let mut mathml = String::new();
        push_mathml(&mut mathml, events, config).ok()?;
        Some(mathml)
    };
    // The renderer panics on a few malformed formulas, which must not take the page with them.
    let mathml = catch_unwind(AssertUnwindSafe(render)).ok()??;
    is_mathml(&mathml).then(|| match has_less {
        true => mathml.replace(LESS, "&lt;"),
        false => mathml,
    })
}

/// An upper bound of the nesting of groups: braces, environments and `\left`..`\right`, and scripts.
fn depth(source: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (index, byte) in source.bytes().enumerate() {
        let rest = &source.as_bytes()[index..];
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'\\' if rest.starts_with(b"\\begin") || rest.starts_with(b"\\left") => depth += 1,
            b'\\' if rest.starts_with(b"\\end") || rest.starts_with(b"\\right") => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    // A command may take the next one as its argument without braces: `\sqrt\sqrt\sqrt x`.
    let commands = source.split('\\').skip(1);
    let (mut row, mut longest) = (0_usize, 0);
    for command in commands {
        let bare = command
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
        row = if bare { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    deepest.max(longest)
}

/// Whether a text consists of MathML elements without event handlers or addresses.
fn is_mathml(text: &str) -> bool {
    text.split('<').skip(1).all(|rest| {
        let Some((tag, _)) = rest.split_once('>') else {
            return false;
        };
        let name = tag.trim_start_matches('/');
        let end = name.find([' ', '/']).unwrap_or(name.len());
        let attributes = name[end..].to_ascii_lowercase();
        ELEMENTS.contains(&&name[..end])
            && !attributes.contains(" on")
            && !attributes.contains("href")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_mathml() {
        let html = to_mathml(r"\frac{1}{n} \sum_{i=1}^n x_i \le 10^{18}", false);
        assert!(html.starts_with("<math"), "{html}");
        assert!(
            html.contains("<mfrac>") && html.contains("</math>"),
            "{html}"
        );
        assert!(to_mathml("x", true).contains("display=\"block\""));
    }

    #[test]
    fn markup_in_a_formula_is_escaped() {
        for source in [
            r"\text{<script>alert(1)</script>}",
            r"<img src=x onerror=alert(1)>",
            r"\text{</mtext><script>}",
            r"\begin{<script>}x\end{<script>}",
            r"\<script>",
            r"\operatorname{<img src=x>}",
            r"\href{javascript:alert(1)}{x}",
            r#"\hspace{1" onclick="x}"#,
        ] {
            let html = to_mathml(source, false);
            assert!(
                !html.contains("<script") && !html.contains("<img"),
                "{html}"
            );
            assert!(!html.contains("\" onclick"), "{html}");
        }
    }

    #[test]
    fn formulas_that_are_not_understood_are_shown_as_source() {
        let deep = format!("{}x{}", "{".repeat(2000), "}".repeat(2000));
        for source in [
            r"\unknown{x}",
            r"\frac{1",
            "x}",
            r"\left(",
            r"\def\a{\a\a}\a",
            &deep,
            &"\\sqrt".repeat(700),
            &"x^".repeat(1500),
            &"x".repeat(5000),
        ] {
            let html = to_mathml(source, true);
            assert!(html.starts_with("<code class=\"math-source\">$$"), "{html}");
        }
    }
}
