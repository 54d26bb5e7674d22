//! Saves a case of `judge stress` where the package's reader finds it.

use judge_core::error::Failure;
use judge_core::files;
use judge_package::{NewCases, Package};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// Directories for inputs and answers, and the extension of answers.
#[derive(PartialEq, Debug)]
pub struct Place {
    inputs: PathBuf,
    answers: PathBuf,
    ending: &'static str,
    /// Whether the format has groups.
    pub has_groups: bool,
}

impl Place {
    fn in_directory(dir: PathBuf, ending: &'static str) -> Self {
        Place {
            inputs: dir.clone(),
            answers: dir,
            ending,
            has_groups: false,
        }
    }

    /// The directories of `group`. Formats without groups have one directory for all cases.
    /// Fails if cases cannot be added to the package as files, or the group is invalid.
    pub fn of(package: &Package, group: &str) -> Result<Self, Failure> {
        let refused = |why: &str, help: &str| {
            let origin = package.origin.display();
            Failure::usage(format!("--save: {origin}: {why}")).help(help)
        };
        if package.origin.is_file() {
            return Err(refused("is an archive", "unpack it and give the directory"));
        }
        match package.policy.new_cases {
            NewCases::InGroups => {
                let below = Path::new(group);
                let mut parts = below.components();
                let top = parts.next().and_then(|part| part.as_os_str().to_str());
                let is_below = parts.all(|part| matches!(part, Component::Normal(_)));
                if !matches!(top, Some("sample" | "secret")) || !is_below {
                    return Err(refused(
                        &format!("no group {group:?}"),
                        "name `sample/`, `secret/` or a group below it",
                    ));
                }
                let dir = package.root.join("data").join(below);
                Ok(Place {
                    has_groups: true,
                    ..Place::in_directory(dir, "ans")
                })
            }
            NewCases::NextToOthers => {
                let cases = package.cases();
                if cases.is_empty() {
                    // The directory in which the reader finds the first case of a folder.
                    return Ok(Place::in_directory(package.root.join("test"), "out"));
                }
                let first = cases.first().map(|case| (&case.input, &case.answer));
                let Some((input, Some(answer))) = first else {
                    return Err(refused("has no case next to which to save", "omit --save"));
                };
                let dir = |file: &Path| file.parent().unwrap_or(&package.root).to_owned();
                Ok(Place {
                    inputs: dir(input),
                    answers: dir(answer),
                    ending: match answer.extension().is_some_and(|end| end == "ans") {
                        true => "ans",
                        false => "out",
                    },
                    has_groups: false,
                })
            }
            NewCases::InConfiguration => Err(refused(
                "its configuration lists the cases",
                "omit --save, and add the printed input to the package",
            )),
        }
    }

    /// Saves a case under this name, with a number appended if the name is taken by another case; returns the name.
    pub fn save(&self, name: &str, input: &[u8], answer: &[u8]) -> Result<String, Failure> {
        for dir in [&self.inputs, &self.answers] {
            fs::create_dir_all(dir).map_err(failed(dir))?;
        }
        for number in 0.. {
            let name = match number {
                0 => name.to_owned(),
                number => format!("{name}-{number}"),
            };
            let path = |dir: &Path, end: &str| dir.join(format!("{name}.{end}"));
            let (input_file, answer_file) =
                (path(&self.inputs, "in"), path(&self.answers, self.ending));
            if input_file.exists() {
                let is = |file: &Path, bytes: &[u8]| fs::read(file).is_ok_and(|own| own == bytes);
                match is(&input_file, input) && is(&answer_file, answer) {
                    true => return Ok(name),
                    false => continue,
                }
            }
            // The answer first: an answer without input is ignored, an input without answer is a
            // broken case.
            match write_new(&answer_file, answer) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                result => result.map_err(failed(&answer_file))?,
            }
            return match write_new(&input_file, input) {
                Ok(()) => Ok(name),
                Err(e) => {
                    let _ = fs::remove_file(&answer_file);
                    Err(failed(&input_file)(e))
                }
            };
        }
        Err(Failure::internal(format!("every name for {name} is taken")))
    }
}

/// Writes a new file, whole or not at all.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = File::create_new(path)?.write_all(bytes);
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Failure + '_ {
    move |e| files::failed("write", path)(e).help("fix its permissions, or omit --save")
}
