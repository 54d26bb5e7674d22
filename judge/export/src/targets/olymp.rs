//! Statements for Polygon's `olymp.sty`.

/// The headings, and those that problemtools' statements have.
const HEADINGS: [(&str, &str); 7] = [
    ("\\InputFile", "Input"),
    ("\\OutputFile", "Output"),
    ("\\Interaction", "Interaction"),
    ("\\Scoring", "Scoring"),
    ("\\Notes", "Notes"),
    ("\\Note", "Note"),
    ("\\Explanation", "Explanation"),
];

/// The text with the commands of problemtools' statements, with its own title or else `title`. Its samples are left out:
/// judges show those of the data.
pub fn to_problemtools(text: &str, title: &str) -> String {
    let own = text.split_once("\\begin{problem}").map(|(_, rest)| rest);
    let own = own.and_then(|rest| {
        let after = after_group(rest)?;
        let group = &rest[..rest.len() - after.len()];
        group.trim().strip_prefix('{')?.strip_suffix('}')
    });
    let title = match own.filter(|own| !own.trim().is_empty()) {
        Some(own) => own.to_owned(),
        None => judge_statement::tex_text(title),
    };
    let mut out = format!("\\problemname{{{title}}}\n");
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let heading = HEADINGS.iter().find_map(|(command, heading)| {
            let after = rest.strip_prefix(command)?;
            let ends = !after.starts_with(|c: char| c.is_ascii_alphabetic());
            ends.then_some((after, heading))
        });
        if let Some((after, heading)) = heading {
            out.push_str(&format!("\\section*{{{heading}}}"));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("\\begin{problem}") {
            // Title, files, limits.
            rest = after;
            for _ in 0..5 {
                rest = after_group(rest).unwrap_or(rest);
            }
        } else if rest.starts_with("\\begin{example") {
            let end = rest
                .find("\\end{example")
                .map(|at| &rest[at + "\\end{".len()..]);
            rest = end
                .and_then(|end| end.split_once('}'))
                .map_or("", |(_, after)| after);
        } else if let Some(after) = ["\\end{problem}", "\\Examples", "\\Example"]
            .iter()
            .find_map(|command| rest.strip_prefix(command))
        {
            rest = after;
        } else {
            // A command, or an escaped character.
            let next = rest[1..].chars().next().map_or(1, |c| 1 + c.len_utf8());
            out.push_str(&rest[..next]);
            rest = &rest[next..];
        }
    }
    out.push_str(rest);
    out.trim_end().to_owned() + "\n"
}

/// The text after the group in braces with which it begins.
fn after_group(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.trim_start().strip_prefix('{')?.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return text.trim_start().get(at + 2..),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::to_problemtools;

    #[test]
    fn commands_of_olymp_become_those_of_problemtools() {
        let text = "\\begin{problem}{A {\\bf B}}{standard input}{standard output}{1 second}{256 megabytes}\n\nAdd \\\\ $a$.\n\n\
            \\InputFile\nTwo.\n\\OutputFile\nSum.\n\\Examples\n\\begin{example}\n\\exmp{1}{2}%\n\\end{example}\n\
            \\Note\n\\Notepad \\{\n\\end{problem}\n";
        let wanted = "\\problemname{A {\\bf B}}\n\n\nAdd \\\\ $a$.\n\n\\section*{Input}\nTwo.\n\\section*{Output}\nSum.\n\n\n\
            \\section*{Note}\n\\Notepad \\{\n";
        assert_eq!(to_problemtools(text, "A"), wanted);
        assert_eq!(to_problemtools("x", "A & B"), "\\problemname{A \\& B}\nx\n");
    }
}
