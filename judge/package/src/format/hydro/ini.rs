//! Vijos' `config.ini`: the number of cases, then `input|output|seconds|points|KiB` for each.
//!
//! Source: Hydro's `convertIniConfig`.

use super::files::Files;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::text;
use crate::input::units::{parse_size, parse_time};
use crate::model::TestCase;
use std::path::{Path, PathBuf};

const NAMES: [&str; 3] = ["config.ini", "Config.ini", "CONFIG.INI"];
const PLACES: [&str; 4] = ["input", "Input", "output", "Output"];

/// The configuration in the package or its `testdata`, if a file of this name has this form.
pub fn place(dir: &PackageDir) -> Option<&'static str> {
    let places = [("", "config.ini"), ("testdata", "testdata/config.ini")];
    let has_form = |place: &str| {
        let path = configuration(&dir.root().join(place))?;
        let text = text::read(&path, 1 << 20).ok()?;
        let mut lines = text.lines();
        lines.next()?.trim().parse::<usize>().ok()?;
        (lines.next()?.split('|').count() >= 2).then_some(())
    };
    places
        .into_iter()
        .find(|(place, _)| has_form(place).is_some())
        .map(|(_, name)| name)
}

/// The path of the configuration in `dir`.
pub fn configuration(dir: &Path) -> Option<PathBuf> {
    let mut paths = NAMES.iter().map(|name| dir.join(name));
    paths.find(|path| path.is_file())
}

/// Reads the cases.
pub fn read(path: &Path, files: &Files) -> Result<Vec<TestCase>, PackageError> {
    let text = text::read(path, 1 << 20)?;
    let mut lines = (1..).zip(text.lines());
    let first = lines.next().map_or("", |(_, line)| line.trim());
    let Ok(count) = first.parse::<usize>() else {
        return Err(PackageError::new(path, "is not the number of cases").at(1, 1));
    };
    let mut cases = Vec::new();
    for (number, line) in lines
        .take(count)
        .filter(|(_, line)| !line.trim().is_empty())
    {
        cases.push(case(path, number, line, files)?);
    }
    match cases.len() {
        0 => Err(PackageError::new(path, "lists no test case")),
        found if found < count => {
            let what = format!("lists {found} cases, and says that there are {count}");
            Err(PackageError::new(path, what)
                .at(1, 1)
                .remedy(format!("write {found}")))
        }
        _ => Ok(cases),
    }
}

fn case(path: &Path, number: usize, line: &str, files: &Files) -> Result<TestCase, PackageError> {
    let error = |what: String| PackageError::new(path, what).at(number, 1);
    let mut parts = line.split('|').map(str::trim);
    let mut part = || parts.next().filter(|part| !part.is_empty());
    let file = |name: &str| {
        let names = PLACES.map(|place| format!("{place}/{name}"));
        let found = files.search_path.find(name);
        let found = found.or_else(|| names.iter().find_map(|name| files.search_path.find(name)));
        found.ok_or_else(|| {
            error(format!("there is no file `{name}`")).remedy("put it beside the configuration")
        })
    };
    let form = || error("is not `INPUT|OUTPUT|SECONDS|POINTS|KIB`".to_owned());
    let input = part().ok_or_else(form)?;
    let output = part().ok_or_else(form)?;
    let limit = |text: Option<&str>, what: &str| {
        let text = text.map(|text| format!("{text}{what}"));
        text.map(|text| parse_time(&text).ok_or_else(form))
            .transpose()
    };
    let time_limit = limit(part(), "s")?;
    let score = part().map(|points| points.parse::<u32>().map_err(|_| form()));
    let memory = part().map(|kib| parse_size(&format!("{kib}k"), 1).ok_or_else(form));
    let stem = input.rsplit_once('.').map_or(input, |(stem, _)| stem);
    Ok(TestCase {
        name: stem.to_owned(),
        input: file(input)?.into(),
        answer: Some(file(output)?.into()),
        time_limit,
        memory_limit: memory.transpose()?,
        score: score.transpose()?.map(f64::from),
        ..TestCase::default()
    })
}
