//! A statement as a LaTeX document with everything that it includes.

use crate::document::{self, Entry, Words};
use crate::{Samples, markdown_tex};
use judge_package::{StatementFile, StatementKind};
use std::fs;
use std::io;
use std::path::Path;

/// The document in its directory.
pub const MAIN: &str = "judge-statement.tex";
/// The statement, which the document includes: if it is TeX, line by line that of the package.
pub const BODY: &str = "judge-body.tex";

/// Writes the document of a statement in Markdown or TeX, its images and its samples into `dir`. Returns whether
/// the statement is of such a kind.
pub fn write(entry: &Entry<'_>, file: &StatementFile, dir: &Path) -> io::Result<bool> {
    let package = entry.package;
    let text = || {
        let text = fs::read_to_string(&file.path)?;
        io::Result::Ok(package.statement_with_constants(file.kind, &text))
    };
    let body = match file.kind {
        StatementKind::Markdown => {
            markdown_tex(&text()?, &document::title(package, &file.language))
        }
        StatementKind::Tex => text()?,
        _ => return Ok(false),
    };
    fs::write(dir.join(BODY), body)?;
    for (name, path) in file.images() {
        fs::copy(path, dir.join(name))?;
    }
    let words = Words::of(&file.language);
    let count = write_samples(entry, &words, dir)?;
    let memory = package.limits.memory >> 20;
    let mut facts = format!("{}: {memory} MiB", words.memory_limit);
    let time = document::time_limit(entry);
    if !time.is_empty() {
        facts = format!("{}: {time}\\qquad {facts}", words.time_limit);
    }
    let preamble = include_str!("preamble.tex");
    let main = format!(
        "{preamble}\\newcommand{{\\problemfacts}}{{{facts}}}\n\\newcommand{{\\samplecount}}{{{count}}}\n\
         \\begin{{document}}\n\\input{{{BODY}}}\n\\remainingsamples\n\\end{{document}}\n"
    );
    fs::write(dir.join(MAIN), main)?;
    Ok(true)
}

/// Writes the samples; returns their number. Their texts become files, so that TeX interprets nothing in them.
fn write_samples(entry: &Entry<'_>, words: &Words, dir: &Path) -> io::Result<usize> {
    let Samples {
        conversations,
        files,
    } = Samples::of(entry.package);
    let conversations = conversations.into_iter();
    let conversations = conversations.map(|shown| vec![(words.interaction, shown.text)]);
    let files = files.into_iter().map(|sample| {
        let answer = sample.answer.map(|text| (words.sample_output, text));
        let input = (words.sample_input, sample.input);
        [input].into_iter().chain(answer).collect()
    });
    let shown: Vec<Vec<(&str, String)>> = conversations.chain(files).collect();
    for (number, parts) in (1..).zip(&shown) {
        let mut tex = String::new();
        for (part, (heading, text)) in parts.iter().enumerate() {
            let name = format!("judge-sample-{number}-{part}.txt");
            fs::write(dir.join(&name), text)?;
            tex += &format!("\\subsection*{{{heading} {number}}}\n\\verbatiminput{{{name}}}\n");
        }
        fs::write(dir.join(format!("judge-sample-{number}.tex")), tex)?;
    }
    Ok(shown.len())
}
