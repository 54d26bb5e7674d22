//! `judge contest`: verifies the problems of a contest, and makes their booklet.

use super::args::{Cli, Command, ContestArgs};
use super::print;
use super::statement::missing;
use clap::Parser;
use judge_core::error::{Failure, exit_status};
use judge_package::yaml::{self, Node};
use judge_package::{Package, PackageError, Verdict};
use judge_session::output::print as say_out;
use judge_statement::document::{Chosen, Cover, Entry, choose, document};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A problem of the contest.
struct Listed {
    letter: String,
    color: Option<(String, String)>,
    package: Package,
}

/// Verifies all problems, prints the table of solutions, and writes the booklet.
pub fn contest(args: &ContestArgs) -> Result<u8, Failure> {
    let dir = args.dir.clone().unwrap_or_else(|| PathBuf::from("."));
    let file = dir.join("contest.yaml");
    if !file.is_file() {
        return Err(
            Failure::usage(format!("{}: there is no contest.yaml", dir.display()))
                .help("judge contest DIR"),
        );
    }
    let yaml = yaml::read(&file)?;
    let problems = problems(&dir, &yaml)?;
    let mut status = exit_status::AS_EXPECTED;
    if !args.no_verify {
        status = verify(&problems)?;
    }
    say_out(&solutions(&problems))?;
    let to = args.pdf.as_ref().or(args.html.as_ref());
    let Some(to) = to else {
        return Ok(status);
    };
    let cover = cover(&dir, &yaml)?;
    let language = args.language.as_deref();
    let mut entries = Vec::new();
    for problem in &problems {
        let file = match choose(&problem.package, language) {
            Chosen::File(file) => file,
            Chosen::Pdf(path) => {
                let what = format!(
                    "{}: is a PDF document, which is not rendered",
                    path.display()
                );
                return Err(Failure::usage(what).help("add its source, in Markdown or TeX"));
            }
            Chosen::None(others) => return Err(missing(&problem.package, language, &others)),
        };
        let entry = Entry {
            package: &problem.package,
            letter: Some(problem.letter.clone()),
            color: problem.color.clone(),
            time_limit: None,
        };
        entries.push((entry, file));
    }
    let html = document(Some(&cover), &entries).map_err(|e| {
        Failure::usage(format!(
            "{}: failed to read a statement: {e}",
            dir.display()
        ))
    })?;
    match args.pdf {
        Some(_) => print::write(to, &print::pdf(&html)?)?,
        None => print::write(to, html.as_bytes())?,
    }
    say_out(&format!("{}: written\n", to.display()))?;
    Ok(status)
}

/// The value of the first of these keys.
fn any<'y>(node: &'y Node, keys: &[&str]) -> Option<&'y Node> {
    let mut values = keys.iter().filter_map(|key| node.get(key));
    values.find(|value| !value.is_null())
}

fn text(node: &Node, keys: &[&str]) -> Result<Option<String>, PackageError> {
    any(node, keys)
        .map(|value| value.text().map(str::to_owned))
        .transpose()
}

/// The problems that `contest.yaml`, `problems.yaml` or `problemset.yaml` lists; without a list, the
/// packages in the directory by name.
fn problems(dir: &Path, contest: &Node) -> Result<Vec<Listed>, Failure> {
    let mut own = None;
    for name in ["problems.yaml", "problemset.yaml", "problems.json"] {
        let path = dir.join(name);
        if own.is_none() && path.is_file() {
            own = Some(yaml::read(&path)?);
        }
    }
    let list = own
        .as_ref()
        .map(|own| any(own, &["problems", "problemset"]).unwrap_or(own));
    let list = list.or_else(|| any(contest, &["problems", "problemset"]));
    let mut found = Vec::new();
    let mut letters = ('A'..='Z').map(String::from);
    for node in list.map_or(&[][..], Node::one_or_more) {
        let ids = ["id", "short-name", "short_name", "name"];
        let id = match node.scalar() {
            Some(id) => id.to_owned(),
            None => text(node, &ids)?
                .ok_or_else(|| node.error("names no problem").remedy("add `id: DIRECTORY`"))?,
        };
        let usual = letters.next().unwrap_or_else(|| id.clone());
        let letter = text(node, &["label", "letter"])?.unwrap_or(usual);
        let rgb = text(node, &["rgb"])?;
        let color = text(node, &["color"])?;
        let path = place(dir, &id).ok_or_else(|| {
            let what = format!("there is no package `{id}` beside the contest");
            node.error(what)
                .remedy(format!("put it into `{id}/` or `problems/{id}/`"))
        })?;
        found.push(Listed {
            letter,
            color: match (color, rgb) {
                (None, None) => None,
                (name, rgb) => {
                    let name = name.or_else(|| rgb.clone()).unwrap_or_default();
                    Some((name.clone(), rgb.unwrap_or(name)))
                }
            },
            package: Package::read(&path)?,
        });
    }
    if list.is_none() {
        let entries = std::fs::read_dir(dir)
            .map_err(|e| Failure::usage(format!("{}: {e}", dir.display())))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.is_dir() && Package::is_recognised(path));
        paths.sort();
        for (path, letter) in paths.iter().zip(letters) {
            found.push(Listed {
                letter,
                color: None,
                package: Package::read(path)?,
            });
        }
    }
    match found.is_empty() {
        true => Err(Failure::usage(format!("{}: has no problem", dir.display()))
            .help("list the problems in problems.yaml: `- {id: DIRECTORY, label: A}`")),
        false => Ok(found),
    }
}

/// The package `id` of a contest: a directory or an archive.
fn place(dir: &Path, id: &str) -> Option<PathBuf> {
    let inside = !id.contains("..") && !Path::new(id).is_absolute();
    let places = [
        dir.join(id),
        dir.join("problems").join(id),
        dir.join(format!("{id}.zip")),
    ];
    places.into_iter().find(|path| inside && path.exists())
}

fn cover(dir: &Path, yaml: &Node) -> Result<Cover, Failure> {
    let name = any(yaml, &["formal_name", "name", "title"]);
    let name = match name {
        Some(name) => match name.scalar() {
            Some(text) => text.to_owned(),
            None => any(name, &["en"])
                .map_or(Ok(String::new()), |name| name.text().map(str::to_owned))?,
        },
        None => dir
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    };
    let mut lines = Vec::new();
    for keys in [
        &["subtitle"][..],
        &["location", "venue"],
        &["start_time", "start-time"],
    ] {
        lines.extend(text(yaml, keys)?);
    }
    Ok(Cover { title: name, lines })
}

/// `judge verify` of all packages.
fn verify(problems: &[Listed]) -> Result<u8, Failure> {
    let mut words = vec!["judge".into(), "verify".into()];
    words.extend(
        problems
            .iter()
            .map(|problem| problem.package.origin.clone().into_os_string()),
    );
    let cli = Cli::try_parse_from(words).map_err(|e| Failure::internal(e.to_string()))?;
    match cli.command {
        Command::Verify(args) => judge_session::verify::verify(&args),
        _ => Err(Failure::internal("parsed as another command")),
    }
}

/// The table of solutions: how many of each kind, and their languages.
fn solutions(problems: &[Listed]) -> String {
    let kinds = [
        ("AC", Verdict::Accepted),
        ("WA", Verdict::WrongAnswer),
        ("TLE", Verdict::TimeLimitExceeded),
        ("RTE", Verdict::RunTimeError),
    ];
    let mut rows = vec![
        [
            "",
            "problem",
            "AC",
            "WA",
            "TLE",
            "RTE",
            "other",
            "languages",
        ]
        .map(str::to_owned),
    ];
    for problem in problems {
        let mut counts = [0; 5];
        let mut languages = BTreeSet::new();
        for submission in &problem.package.submissions {
            let expected = &submission.expected;
            let wanted = match expected.required.is_empty() {
                true if expected.outcome.is_empty() => &expected.permitted,
                true => &expected.outcome,
                false => &expected.required,
            };
            let place = kinds
                .iter()
                .position(|(_, verdict)| wanted.as_slice() == [*verdict]);
            counts[place.unwrap_or(4)] += 1;
            if let Some(extension) = submission.path.extension() {
                languages.insert(extension.to_string_lossy().into_owned());
            }
        }
        let count = |k: usize| {
            if counts[k] == 0 {
                String::new()
            } else {
                counts[k].to_string()
            }
        };
        let languages: Vec<String> = languages.into_iter().collect();
        rows.push([
            problem.letter.clone(),
            problem.package.name.clone(),
            count(0),
            count(1),
            count(2),
            count(3),
            count(4),
            languages.join(" "),
        ]);
    }
    let width = |k: usize| {
        rows.iter()
            .map(|row| row[k].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..8).map(width).collect();
    let mut table = String::new();
    for row in &rows {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(k, (cell, width))| match k {
                2..=6 => format!("{cell:>width$}"),
                _ => format!("{cell:<width$}"),
            });
        let line = cells.collect::<Vec<String>>().join("  ");
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}
