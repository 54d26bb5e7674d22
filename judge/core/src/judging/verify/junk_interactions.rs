//! Connects the interactor to submissions that do not take part: it must refuse each of them. The judge error
//! of an interactor that crashes costs a contestant the verdict, and one that does not end costs minutes.

use super::junk_outputs::{CPU, Decision, WALL};
use super::mutants::{self, Kind};
use crate::checker::{About, Checker, Session};
use crate::judging::Settings;
use crate::language::Program;
use crate::program_runner::{ProgramRunner, Run, Stdin, WorkFile};
use judge_package::{Finding, Package, PackageError, TestCase, Validator};
use judge_sandbox::{Canceller, Fault, Limits, Mount, Stream};
use judge_tempdir::TempDirectory;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Submissions that do not take part: what each does, and its shell script.
const BEHAVIOURS: [(&str, &str); 5] = [
    ("ends at once", "exit 0"),
    ("closes its output and reads on", "exec >&-; cat >/dev/null"),
    ("writes binary data and ends", "cat binary"),
    ("writes random text and ends", "cat text"),
    // Lines of 100,000 digits.
    (
        "writes 10 MB of digits and ends",
        "for i in 0 1 2 3 4 5 6 7 8 9; do cat line line line line line line line line line line; done",
    ),
];

/// The shell that runs the scripts.
const SHELL: &str = "/bin/sh";

/// The wall-clock limit of a submission.
const SUBMISSION: Duration = Duration::from_secs(5);

/// The findings about the interactor of a package, which is its first validator.
pub fn check(
    package: &Package,
    settings: &Settings,
    checker: &Checker,
    data: &[Mount],
) -> Result<Vec<Finding>, Fault> {
    let cases = package.cases();
    let (Some(Validator::Program { path, .. }), Some(case)) =
        (package.validation.validators().first(), cases.first())
    else {
        return Ok(Vec::new());
    };
    if !package.kind.interactive || !Path::new(SHELL).exists() {
        return Ok(Vec::new());
    }
    let checker = checker.clone().within(CPU, WALL);
    let mut bench = Bench::new(&checker, settings, data)?;
    let (mut accepted, mut failed) = (Vec::new(), Vec::new());
    let mut findings = Vec::new();
    let place = package.original(path);
    for (name, script) in BEHAVIOURS {
        match bench.decide(case, script)? {
            Decision::Accepted => accepted.push(name),
            Decision::Refused => {}
            Decision::Failed(why) => failed.push((name, why)),
            Decision::TimedOut(why) => {
                // Another one would take as long.
                findings.push(failure(place, &[(name, why)]));
                return Ok(findings);
            }
        }
    }
    if !failed.is_empty() {
        findings.push(failure(place, &failed));
    }
    findings.extend(acceptance(place, &accepted));
    Ok(findings)
}

/// Runs submissions and the interactor.
struct Bench<'c> {
    session: Session<'c>,
    runner: ProgramRunner,
    limits: Limits,
    /// The files that scripts write.
    files: Vec<WorkFile>,
    _dir: TempDirectory,
}

impl<'c> Bench<'c> {
    fn new(checker: &'c Checker, settings: &Settings, data: &[Mount]) -> Result<Self, Fault> {
        let dir = TempDirectory::new("junk")?;
        let mut files = Vec::new();
        for mutant in mutants::junk() {
            let name = match mutant.kind {
                Kind::Binary => "binary",
                Kind::Text => "text",
                Kind::LongLine => "line",
                _ => continue,
            };
            let path = dir.path().join(name);
            fs::write(&path, &mutant.bytes).map_err(|e| Fault::os("write junk", e))?;
            files.push(WorkFile::copy(name, path));
        }
        Ok(Bench {
            session: checker.session(data, settings.mode, None)?,
            runner: ProgramRunner::new(settings.mode, None),
            limits: Limits {
                cpu: Some(SUBMISSION),
                wall: SUBMISSION,
                processes: Some(8),
                ..Limits::default()
            },
            files,
            _dir: dir,
        })
    }

    fn decide(&mut self, case: &TestCase, script: &str) -> Result<Decision, Fault> {
        let program = Program::executable(SHELL);
        let args = ["-c".to_owned(), script.to_owned()];
        let (runner, limits, files) = (&mut self.runner, &self.limits, &self.files);
        let run = &mut |stdin: Stream<'_>, canceller: &Canceller| {
            let run = Run {
                files,
                canceller: Some(canceller),
                ..Run::helper(&args, Stdin::Open(stdin), limits)
            };
            Ok(runner.run(&program, &run)?.execution)
        };
        let about = About::default();
        self.session.forget()?;
        let session = &mut self.session;
        let ended = session.interact(case, &case.input, &about, SUBMISSION, run, None);
        let outcome = ended
            .and_then(|interaction| interaction.outcome)
            .and_then(|outcome| match outcome.is_accepted() {
                true => session.check_transcript(case, &case.input, &about, outcome),
                false => Ok(outcome),
            });
        Decision::of(outcome)
    }
}

fn failure(place: &Path, failed: &[(&str, String)]) -> Finding {
    let names: Vec<&str> = failed.iter().map(|(name, _)| *name).collect();
    let why = failed.first().map_or("", |(_, why)| why);
    let what = format!(
        "the interactor fails with a submission that {}: {why}",
        names.join(", or ")
    );
    let remedy =
        "refuse such a submission when its output ends or has another form; it gets a judge error";
    Finding::error(PackageError::new(place, what).remedy(remedy))
}

fn acceptance(place: &Path, accepted: &[&str]) -> Option<Finding> {
    let names = accepted.join(", or ");
    let what = format!("the interactor accepts a submission that {names}");
    let error = |what: String| {
        let remedy = "accept only a submission that has done the whole task";
        PackageError::new(place, what).remedy(remedy)
    };
    match accepted.len() {
        0 => None,
        all if all == BEHAVIOURS.len() => {
            Some(Finding::error(error(format!("{what}: it checks nothing"))))
        }
        _ => Some(Finding::warning(error(what))),
    }
}
