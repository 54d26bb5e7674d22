//! Shows the output validator outputs that it should refuse: junk, and right outputs with one change
//! each. It must decide about every output: the judge error of a validator that crashes costs a
//! contestant the verdict.

use super::changes;
use super::mutants::{self, Class, Kind, Mutant};
use super::probes::{Decisions, Probe, Probes, Texts};
use crate::checker::{CheckFault, Checker, Outcome, Score, Session};
use crate::judging::Settings;
use crate::parallel;
use judge_package::{Finding, Package, PackageError, TestCase, Validator};
use judge_sandbox::{Fault, Mount};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Times within which a validator decides about a small output.
pub const CPU: Duration = Duration::from_secs(5);
pub const WALL: Duration = Duration::from_secs(20);

/// The decision of a validator about junk.
pub enum Decision {
    Accepted,
    Refused,
    /// It violated its protocol.
    Failed(String),
    /// It did not end.
    TimedOut(String),
}

impl Decision {
    /// Fails when the sandbox failed.
    pub fn of(outcome: Result<Outcome, CheckFault>) -> Result<Self, Fault> {
        Ok(match outcome {
            Ok(outcome) if earns(&outcome) => Decision::Accepted,
            Ok(_) => Decision::Refused,
            Err(CheckFault::Sandbox(fault)) => return Err(fault),
            Err(fault) if fault.is_timeout() => Decision::TimedOut(fault.to_string()),
            Err(fault) => Decision::Failed(fault.to_string()),
        })
    }
}

/// The findings about what the output validator of a package accepts. Only programs are examined that read nothing but
/// the output; of several passes, only the first one.
pub fn check(
    package: &Package,
    settings: &Settings,
    checker: &Checker,
    data: &[Mount],
) -> Result<Vec<Finding>, Fault> {
    let Some(program) = only_program(package) else {
        return Ok(Vec::new());
    };
    let cases = package.cases();
    let right: Vec<(&TestCase, &Path)> = cases
        .iter()
        .filter_map(|case| Some((*case, right_output(case)?)))
        .collect();
    let Some((first, _)) = right.first() else {
        return Ok(Vec::new());
    };
    let texts = Texts::new(right.iter().map(|(_, output)| *output));
    let mut probes = Probes::new()?;
    probes.add(first, mutants::junk(), &texts)?;
    let checker = checker.clone().within(CPU, WALL);
    // The answer of several passes is not the output of the first one.
    let ends = match package.kind.multi_pass {
        true => Vec::new(),
        false => texts.ends(),
    };
    for path in ends {
        let case = right.iter().find(|(_, output)| *output == path);
        if let (Some((case, output)), Ok(text)) = (case, fs::read(path))
            && accepts(&checker, settings, data, case, output)?
        {
            let mutants: Vec<Mutant> = changes::changed_output(&text);
            probes.add(case, mutants, &Texts::default())?;
        }
    }
    let open = |core| checker.session(data, settings.mode, core);
    let timed_out = AtomicBool::new(false);
    let decide = |session: &mut Session<'_>, probe: &Probe<'_>| {
        if timed_out.load(Ordering::SeqCst) {
            return Ok(None);
        }
        let file = File::open(&probe.path).map_err(|e| Fault::os("read a changed output", e))?;
        let decision = Decision::of(session.check(probe.case, &file))?;
        if matches!(decision, Decision::TimedOut(_)) {
            timed_out.store(true, Ordering::SeqCst);
        }
        Ok(Some(decision))
    };
    let mut decisions = Decisions::default();
    let mut failed: Vec<(&Probe<'_>, String)> = Vec::new();
    let mut hung = None;
    // `None`: the validator did not end for an earlier probe, and did not run.
    let done = |probe, decision| match decision {
        Some(Decision::Failed(why)) => failed.push((probe, why)),
        Some(Decision::TimedOut(why)) => hung = hung.take().or(Some((probe, why))),
        Some(Decision::Accepted) => decisions.add(probe, true),
        Some(Decision::Refused) => decisions.add(probe, false),
        None => {}
    };
    parallel::each(settings.jobs, &probes.list, open, decide, done)?;
    let place = package.original(program);
    let mut findings = Vec::new();
    if let Some((probe, why)) = hung {
        findings.push(failure(place, &[probe], &why));
    } else if let Some((_, why)) = failed.first() {
        let failing: Vec<&Probe<'_>> = failed.iter().map(|(probe, _)| *probe).collect();
        findings.push(failure(place, &failing, why));
    }
    findings.extend(accepted(place, &decisions));
    Ok(findings)
}

/// The program that alone decides about an output, if there is one and the output is all that it reads.
fn only_program(package: &Package) -> Option<&PathBuf> {
    match package.validation.validators() {
        [Validator::Program { path, .. }] if !package.kind.interactive => Some(path),
        _ => None,
    }
}

/// A file that is the output of a right program, if the answer is one.
fn right_output(case: &TestCase) -> Option<&Path> {
    case.output.as_deref().or(case.answer.as_deref())
}

/// Whether the output is right, and not only data for the validator.
fn accepts(
    checker: &Checker,
    settings: &Settings,
    data: &[Mount],
    case: &TestCase,
    output: &Path,
) -> Result<bool, Fault> {
    let mut session = checker.session(data, settings.mode, None)?;
    let file = File::open(output).map_err(|e| Fault::os("read an output", e))?;
    let decision = Decision::of(session.check(case, &file))?;
    Ok(matches!(decision, Decision::Accepted))
}

/// Whether an output is accepted, and not with 0 points. With another pass nothing is decided yet.
pub fn earns(outcome: &Outcome) -> bool {
    let nothing = matches!(
        outcome.score,
        Some(Score::Points(points) | Score::Multiplier(points)) if points <= 0.0
    );
    outcome.is_accepted() && outcome.next_pass.is_none() && !nothing
}

fn failure(place: &Path, probes: &[&Probe<'_>], why: &str) -> Finding {
    let kinds: BTreeSet<Kind> = probes.iter().map(|probe| probe.mutant.kind).collect();
    let kinds: Vec<&str> = kinds.into_iter().map(Kind::name).collect();
    let what = format!(
        "the output validator fails on an output with {}: {why}",
        kinds.join(", ")
    );
    let remedy = "refuse such an output; a submission that prints it gets a judge error";
    Finding::error(PackageError::new(place, what).remedy(remedy))
}

fn accepted(place: &Path, decisions: &Decisions<'_>) -> Vec<Finding> {
    let error =
        |what: &str| PackageError::new(place, format!("the output validator accepts {what}"));
    if let Some(what) = decisions.nothing_is_checked("outputs") {
        let remedy = "compare the output with the answer, or check it against the input";
        return vec![Finding::error(error(&what).remedy(remedy))];
    }
    [
        (
            Class::Junk,
            "junk",
            "refuse an output that does not have the form that the statement asks for",
        ),
        (
            Class::Content,
            "wrong outputs",
            "check each value, and that nothing is missing and nothing follows",
        ),
    ]
    .into_iter()
    .filter_map(|(class, what, remedy)| {
        let accepted = decisions.accepted(class, |_| class == Class::Content, |_| false)?;
        Some(Finding::warning(
            error(&format!("{what}: {accepted}")).remedy(remedy),
        ))
    })
    .collect()
}
