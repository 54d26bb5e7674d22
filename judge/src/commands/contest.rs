//! `judge contest`: verifies the problems of a contest, and makes their booklet.

use super::args::{self, ContestArgs};
use super::print;
use super::statement::{missing, warn_of_source};
use judge_core::error::{Failure, exit_status};
use judge_package::yaml::{self, Node};
use judge_package::{Package, PackageError, Verdict};
use judge_report::{plain, table};
use judge_session::output::print as say_out;
use judge_statement::document::{Chosen, Cover, Entry, choose, document, is_rgb};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The keys of a problem in `problems.yaml`, with those of BAPCtools and the contest API that are not read.
const PROBLEM_KEYS: [&str; 21] = [
    "id",
    "short-name",
    "short_name",
    "externalid",
    "name",
    "label",
    "letter",
    "color",
    "rgb",
    "ordinal",
    "uuid",
    "time_limit",
    "memory_limit",
    "output_limit",
    "code_limit",
    "max_score",
    "test_data_count",
    "package",
    "statement",
    "attachments",
    "testcases",
];

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
                .help("name the directory that has it; docs/packages.md shows its keys"),
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
        warn_of_source(&problem.package, &file);
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
        if node.scalar().is_none() {
            node.refuse_misspelt(&PROBLEM_KEYS)?;
        }
        let color = color(node)?;
        let path = place(dir, &id).ok_or_else(|| {
            let what = format!("there is no package `{id}` beside the contest");
            node.error(what)
                .remedy(format!("put it into `{id}/` or `problems/{id}/`"))
        })?;
        let package = Package::read(&path)?;
        let is_same =
            |other: &Listed| other.letter == letter || other.package.origin == package.origin;
        if found.iter().any(is_same) {
            let error = node.error(format!("`{id}` or its label `{letter}` is given twice"));
            let remedy = "give each problem one entry and a `label` of its own";
            return Err(error.remedy(remedy).into());
        }
        found.push(Listed {
            letter,
            color,
            package,
        });
    }
    if list.is_none() {
        let entries = std::fs::read_dir(dir)
            .map_err(|e| Failure::usage(format!("{}: {e}", dir.display())))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.is_dir() && Package::is_recognised(path));
        paths.sort();
        for path in &paths {
            let package = Package::read(path)?;
            found.push(Listed {
                letter: letters.next().unwrap_or_else(|| package.id.clone()),
                color: None,
                package,
            });
        }
    }
    match found.is_empty() {
        true => Err(Failure::usage(format!("{}: has no problem", dir.display()))
            .help("list the problems in problems.yaml: `- {id: DIRECTORY, label: A}`")),
        false => Ok(found),
    }
}

/// The name of a problem's colour, and its value in CSS, which is the name if `rgb` is not given.
fn color(node: &Node) -> Result<Option<(String, String)>, PackageError> {
    let entries = node.entries().unwrap_or_default();
    if let Some((_, value)) = entries.iter().find(|(key, _)| key.is("rgb")) {
        let text = value.scalar().unwrap_or_default();
        if !is_rgb(text) {
            let what = match value.is_null() {
                true => "`rgb` has no value: `#` begins a comment".to_owned(),
                false => format!("`{text}` is not a colour"),
            };
            let remedy = "write it as `'#ff0000'`, with quotes";
            return Err(value.error(what).remedy(remedy));
        }
    }
    let rgb = text(node, &["rgb"])?;
    Ok(match (text(node, &["color"])?, rgb) {
        (Some(name), Some(rgb)) => Some((name, rgb)),
        (None, Some(rgb)) => Some((rgb.clone(), rgb)),
        (Some(name), None) => Some((name.clone(), name.replace(' ', "").to_lowercase())),
        (None, None) => None,
    })
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
    let packages = problems
        .iter()
        .map(|problem| problem.package.origin.as_os_str());
    let words = std::iter::once("judge verify".as_ref()).chain(packages);
    judge_session::verify::verify(&args::parsed(words)?)
}

/// The table of solutions: how many of each kind, and their languages.
fn solutions(problems: &[Listed]) -> String {
    let kinds = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimitExceeded,
        Verdict::RunTimeError,
    ];
    let codes = kinds.iter().map(|kind| kind.code());
    let head = ["", "problem"]
        .into_iter()
        .chain(codes)
        .chain(["other", "languages"]);
    let mut rows = vec![head.map(plain).collect::<Vec<_>>()];
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
            let place = kinds.iter().position(|kind| wanted.as_slice() == [*kind]);
            counts[place.unwrap_or(4)] += 1;
            if let Some(extension) = submission.path.extension() {
                languages.insert(extension.to_string_lossy().into_owned());
            }
        }
        let counted = |count: usize| {
            if count == 0 {
                String::new()
            } else {
                count.to_string()
            }
        };
        let languages: Vec<String> = languages.into_iter().collect();
        let mut row = vec![
            plain(problem.letter.clone()),
            plain(problem.package.name.clone()),
        ];
        row.extend(counts.map(|count| plain(counted(count))));
        row.push(plain(languages.join(" ")));
        rows.push(row);
    }
    let right: Vec<bool> = (0..8).map(|column| (2..=6).contains(&column)).collect();
    table(&rows, &right, 0)
}
