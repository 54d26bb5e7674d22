//! Checks that environments and groups of a TeX statement are closed.

use super::{Statement, verb_length};
use crate::error::PackageError;

/// Environments whose content is no TeX.
const VERBATIM: [&str; 3] = ["verbatim", "lstlisting", "Verbatim"];

/// An open environment (by name) or group (without name), and where it begins.
struct Open<'t> {
    name: &'t str,
    at: usize,
}

/// The first place where what is open and what is closed differ.
pub fn check(statement: &Statement<'_>) -> Option<PackageError> {
    let text = statement.text;
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find(['\\', '{', '}', '%']) {
        at += step;
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            b'%' => at += rest.find('\n').unwrap_or(rest.len()),
            b'{' => {
                open.push(Open { name: "", at });
                at += 1;
            }
            b'}' => {
                match open.pop() {
                    Some(Open { name: "", .. }) => {}
                    Some(other) => {
                        let what =
                            format!("`}}` closes nothing inside of environment `{}`", other.name);
                        return Some(statement.at(at, what).remedy("remove it, or write `\\}`"));
                    }
                    None => {
                        let what = "`}` closes nothing";
                        return Some(statement.at(at, what).remedy("remove it, or write `\\}`"));
                    }
                }
                at += 1;
            }
            _ => {
                if let Some((name, after)) = environment(rest, "\\begin{") {
                    if VERBATIM.contains(&name) {
                        let end = format!("\\end{{{name}}}");
                        let Some(length) = rest.find(&end) else {
                            return Some(unclosed(statement, &Open { name, at }));
                        };
                        at += length + end.len();
                        continue;
                    }
                    open.push(Open { name, at });
                    at += after;
                } else if let Some((name, after)) = environment(rest, "\\end{") {
                    match open.pop() {
                        Some(own) if own.name == name => {}
                        Some(own) if own.name.is_empty() => {
                            return Some(unclosed(statement, &own));
                        }
                        Some(own) => {
                            let what = format!(
                                "`\\end{{{name}}}` ends environment `{}`, which is open",
                                own.name
                            );
                            let remedy = format!("add `\\end{{{}}}` before it", own.name);
                            return Some(statement.at(at, what).remedy(remedy));
                        }
                        None => {
                            let what = format!("`\\end{{{name}}}` ends no environment");
                            let remedy = format!("remove it, or add `\\begin{{{name}}}`");
                            return Some(statement.at(at, what).remedy(remedy));
                        }
                    }
                    at += after;
                } else if let Some(length) = verb_length(rest) {
                    at += length;
                } else {
                    // The command's name, or one escaped character.
                    at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                }
            }
        }
    }
    open.first().map(|own| unclosed(statement, own))
}

fn unclosed(statement: &Statement<'_>, open: &Open<'_>) -> PackageError {
    match open.name {
        "" => statement
            .at(open.at, "`{` is not closed")
            .remedy("add `}`, or write `\\{`"),
        name => {
            let what = format!("environment `{name}` is not closed");
            statement
                .at(open.at, what)
                .remedy(format!("add `\\end{{{name}}}`"))
        }
    }
}

/// The name in `\begin{NAME}`, and the length of that command.
fn environment<'t>(text: &'t str, command: &str) -> Option<(&'t str, usize)> {
    let rest = text.strip_prefix(command)?;
    let (name, _) = rest.split_once('}')?;
    Some((name, command.len() + name.len() + 1))
}
