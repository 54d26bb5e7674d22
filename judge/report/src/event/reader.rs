//! Reads events back into results.

use super::{Event, SubmissionPlanned};
use judge_core::results::{self, CaseKey, Change, PackageStarted, RunResults, SubmissionKey};
use judge_core::untrusted::Name;
use judge_core::verdict::Verdict;
use judge_package::Expectation;
use std::collections::HashMap;
use std::sync::Arc;

/// Turns the events of a run into changes, and applies them. The first event that names a package, submission or case
/// which no event announced announces it.
#[derive(Default, Debug)]
pub struct Reader {
    results: RunResults,
    packages: HashMap<Name, Package>,
}

#[derive(Default, Debug)]
struct Package {
    index: usize,
    submissions: HashMap<Name, usize>,
    cases: HashMap<Name, usize>,
}

impl Reader {
    /// The results of all events.
    pub fn into_results(self) -> RunResults {
        self.results
    }

    /// Applies an event. `on_change` is called with each change that it stands for, after it was applied.
    pub fn event(&mut self, event: Event, on_change: &mut dyn FnMut(&Change, &RunResults)) {
        let mut apply = |reader: &mut Self, change: Change| {
            reader.results.apply(&change);
            on_change(&change, &reader.results);
        };
        match event {
            Event::RunStarted(started) => apply(self, Change::RunStarted(started)),
            Event::RunFinished(end) => apply(self, Change::RunFinished(end)),
            Event::Finding(finding) => apply(self, Change::Finding(finding)),
            Event::PackageStarted(started) => self.start(started, &mut apply),
            Event::SubmissionPlanned(planned) => self.plan(planned, &mut apply),
            Event::CompileStarted {
                package,
                submission,
            } => {
                let at = self.key(package, submission, &mut apply);
                apply(self, Change::CompileStarted(at));
            }
            Event::CompileFinished {
                package,
                submission,
                result,
            } => {
                let at = self.key(package, submission, &mut apply);
                apply(self, Change::Compiled(at, Arc::new(result)));
            }
            Event::CaseStarted {
                package,
                submission,
                case,
            } => {
                let at = self.case(package, submission, case, &mut apply);
                apply(self, Change::CaseStarted(at));
            }
            Event::CaseFinished {
                package,
                submission,
                case,
                result,
            } => {
                let at = self.case(package, submission, case, &mut apply);
                apply(self, Change::CaseFinished(at, Arc::new(result)));
            }
            Event::SubmissionFinished {
                package,
                submission,
                expected,
                result,
            } => {
                let at = self.key(package, submission, &mut apply);
                let planned = &self.results.submission(at).planned;
                if planned.expected_text() != expected {
                    let expected = expectation(expected.as_deref());
                    let planned = results::SubmissionPlanned {
                        expected,
                        ..planned.clone()
                    };
                    apply(self, Change::SubmissionPlanned(at, planned));
                }
                apply(self, Change::SubmissionFinished(at, Arc::new(result)));
            }
        }
    }

    fn start(&mut self, started: PackageStarted, apply: &mut dyn FnMut(&mut Self, Change)) {
        let next = self.packages.len();
        let package = self
            .packages
            .entry(started.id.clone())
            .or_insert_with(|| Package {
                index: next,
                ..Package::default()
            });
        package.cases = started.cases.iter().cloned().zip(0..).collect();
        let index = package.index;
        apply(self, Change::PackageStarted(index, started));
    }

    fn plan(&mut self, planned: SubmissionPlanned, apply: &mut dyn FnMut(&mut Self, Change)) {
        let package = self.package(&planned.package, apply);
        let submission = package.submissions.len();
        package
            .submissions
            .insert(planned.submission.clone(), submission);
        let at = SubmissionKey {
            package: package.index,
            submission,
        };
        let planned = results::SubmissionPlanned {
            name: planned.submission,
            path: planned.path,
            expected: expectation(planned.expected.as_deref()),
            source: planned.source,
        };
        apply(self, Change::SubmissionPlanned(at, planned));
    }

    fn package(&mut self, id: &Name, apply: &mut dyn FnMut(&mut Self, Change)) -> &mut Package {
        if !self.packages.contains_key(id) {
            let started = PackageStarted {
                id: id.clone(),
                title: id.clone(),
                ..PackageStarted::default()
            };
            self.start(started, apply);
        }
        self.packages.entry(id.clone()).or_default()
    }

    /// The key of a submission, which is announced if no event did that.
    fn key(
        &mut self,
        package: Name,
        submission: Name,
        apply: &mut dyn FnMut(&mut Self, Change),
    ) -> SubmissionKey {
        let of_package = self.package(&package, apply);
        let known = of_package.submissions.get(&submission).copied();
        let at = SubmissionKey {
            package: of_package.index,
            submission: known.unwrap_or(of_package.submissions.len()),
        };
        if known.is_none() {
            let planned = SubmissionPlanned {
                package,
                submission,
                path: None,
                expected: None,
                source: None,
            };
            self.plan(planned, apply);
        }
        at
    }

    /// The key of a case, which is announced if no event did that.
    fn case(
        &mut self,
        package: Name,
        submission: Name,
        case: Name,
        apply: &mut dyn FnMut(&mut Self, Change),
    ) -> CaseKey {
        let own = self.package(&package, apply);
        let (index, known) = (own.index, own.cases.get(&case).copied());
        let case = known.unwrap_or_else(|| {
            let about = &self.results.packages[index].about;
            let cases = about.cases.iter().cloned().chain([case]);
            let started = PackageStarted {
                cases: cases.collect(),
                ..about.clone()
            };
            self.start(started, apply);
            self.results.packages[index].about.cases.len() - 1
        });
        let of = self.key(package, submission, apply);
        CaseKey { of, case }
    }
}

/// The expectation with this text, as far as reports show it.
fn expectation(text: Option<&str>) -> Expectation {
    let codes = text.into_iter().flat_map(|text| text.split('|'));
    Expectation {
        permitted: codes.filter_map(Verdict::from_code).collect(),
        ..Expectation::default()
    }
}
