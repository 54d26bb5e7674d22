//! Shows the input validators what they should refuse: junk, and cases with one change each.

use super::changes;
use super::input_validators::{InputValidators, Purpose, Refusal};
use super::mutants::{self, Class, Kind, Mutant};
use super::probes::{Decisions, Probe, Probes, Texts};
use crate::judging::Settings;
use crate::parallel;
use crate::program_runner::ProgramRunner;
use judge_package::{DataFile, Finding, Package, PackageError, TestCase};
use judge_sandbox::{Fault, Mount};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Inputs after this many bytes are not read for their values.
const MAX_TOTAL: u64 = 64 << 20;

/// The decision of all validators about a probe.
enum Decision {
    Accepted,
    Refused,
    /// A validator did not end; nothing else can be learnt from it.
    Stopped(PackageError),
}

/// The findings about what the validators of a package accept.
pub fn check(
    package: &Package,
    settings: &Settings,
    validators: &InputValidators<'_>,
    data: &[Mount],
) -> Result<Vec<Finding>, Fault> {
    let cases = package.cases();
    let Some(first) = cases.first() else {
        return Ok(Vec::new());
    };
    let texts = Texts::new(cases.iter().map(|case| &*case.input));
    let mut probes = Probes::new()?;
    probes.add(first, mutants::junk(), &texts)?;
    let seen = Seen::of(&cases);
    let case_of = |path: &Path| cases.iter().find(|case| *case.input == *path).copied();
    for path in texts.ends() {
        if let (Some(case), Ok(text)) = (case_of(path), fs::read(path)) {
            let mut changed = changes::changed(&text);
            changed.retain(|mutant| !seen.forms.contains(&mutant.kind));
            probes.add(case, changed, &texts)?;
        }
    }
    for (case, mutants) in seen.out_of_range() {
        probes.add(case, mutants, &texts)?;
    }
    let open = |core| {
        Ok::<_, Fault>(ProgramRunner::new(settings.mode, core).for_programs(validators.len()))
    };
    let decide = |runner: &mut ProgramRunner, probe: &Probe<'_>| {
        let case = TestCase {
            input: DataFile::Ready(probe.path.clone()),
            ..probe.case.clone()
        };
        let refusal = validators.refuse_for(Purpose::Probe, runner, &case, data)?;
        Ok(match refusal {
            None => Decision::Accepted,
            Some(refusal) => match validators.stopped() {
                Some(why) if matches!(refusal, Refusal::Misuse(_)) => Decision::Stopped(why),
                _ => Decision::Refused,
            },
        })
    };
    let mut decisions = Decisions::default();
    let mut stopped = None;
    let done = |probe, decision| match decision {
        Decision::Stopped(why) => stopped = Some(why),
        decision => decisions.add(probe, matches!(decision, Decision::Accepted)),
    };
    parallel::each(settings.jobs, &probes.list, open, decide, done)?;
    Ok(match stopped {
        Some(why) => vec![Finding::error(why)],
        None => findings(package, validators, &decisions),
    })
}

/// Properties of all inputs that were read.
struct Seen<'a> {
    /// The smallest and the largest integer of each case, and its size.
    ranges: Vec<(&'a TestCase, (i64, i64), u64)>,
    /// Unusual forms that are right, because a case has them.
    forms: BTreeSet<Kind>,
}

impl<'a> Seen<'a> {
    fn of(cases: &[&'a TestCase]) -> Self {
        let mut seen = Seen {
            ranges: Vec::new(),
            forms: BTreeSet::new(),
        };
        let mut read = 0;
        for case in cases {
            let size = case.input.metadata().map_or(0, |metadata| metadata.len());
            read += size;
            if read > MAX_TOTAL {
                // The extreme values are not known.
                seen.ranges.clear();
                break;
            }
            let text = fs::read(&*case.input).unwrap_or_default();
            seen.forms.extend(changes::forms(&text));
            let range = changes::range(&text);
            seen.ranges.extend(range.map(|range| (*case, range, size)));
        }
        seen
    }

    /// The cases with the smallest and the largest integer, with these values moved beyond them.
    fn out_of_range(&self) -> Vec<(&'a TestCase, Vec<Mutant>)> {
        let low = self
            .ranges
            .iter()
            .min_by_key(|(_, range, size)| (range.0, *size));
        let high = self
            .ranges
            .iter()
            .min_by_key(|(_, range, size)| (-range.1, *size));
        let (Some((lowest, range, _)), Some((highest, other, _))) = (low, high) else {
            return Vec::new();
        };
        if self.forms.contains(&Kind::LeadingZero) {
            // These are words of digits.
            return Vec::new();
        }
        let range = (range.0, other.1);
        let own = |case: &'a TestCase, is_high: bool| {
            let text = fs::read(&*case.input).unwrap_or_default();
            let mut moved = changes::out_of_range(&text, range);
            // One of both, if the case has both.
            match (moved.len(), is_high) {
                (2, true) => moved.drain(..1),
                (2, false) => moved.drain(1..),
                _ => moved.drain(..0),
            };
            (case, moved)
        };
        vec![own(lowest, false), own(highest, true)]
    }
}

fn findings(
    package: &Package,
    validators: &InputValidators<'_>,
    decisions: &Decisions<'_>,
) -> Vec<Finding> {
    let place = validators.place();
    let subject = match validators.len() {
        1 => "the input validator accepts",
        _ => "all input validators accept",
    };
    let error = |what: &str| PackageError::new(place, format!("{subject} {what}"));
    if let Some(what) = decisions.nothing_is_checked("inputs") {
        let remedy = "read the whole input and refuse all that the statement does not allow";
        return vec![Finding::error(error(&what).remedy(remedy))];
    }
    let strict = package.policy.strict_inputs;
    let is_any = |kind: Kind| kind == Kind::OutOfRange;
    let exchanged = |kind: Kind| matches!(kind, Kind::ExchangedTokens | Kind::ExchangedLines);
    [
        (
            Class::Junk,
            true,
            "junk",
            "refuse all that the statement does not allow",
        ),
        (
            Class::Space,
            strict,
            "other white space",
            "read character by character, or compare each line with a regular expression",
        ),
        (
            Class::Number,
            strict,
            "other forms of numbers",
            "compare integers with `0|-?[1-9][0-9]*`",
        ),
        (
            Class::Content,
            true,
            "other content",
            "check the number of tokens and lines, and the bounds of each value; where they are checked, \
             add cases that reach the bounds",
        ),
    ]
    .into_iter()
    .filter(|(_, is_reported, ..)| *is_reported)
    .filter_map(|(class, _, what, remedy)| {
        let needs_all = |kind: Kind| class == Class::Content && !is_any(kind);
        let accepted = decisions.accepted(class, needs_all, exchanged)?;
        Some(Finding::warning(error(&format!("{what}: {accepted}")).remedy(remedy)))
    })
    .collect()
}
