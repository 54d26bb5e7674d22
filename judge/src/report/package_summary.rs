//! What reports keep of a package until it is printed.

use crate::event::{CaseFinished, Event, LimitOrigin, SubmissionFinished};
use crate::verdict::Verdict;
use std::collections::{BTreeMap, HashMap};

/// What is known of a package so far.
pub struct PackageSummary {
    pub id: String,
    pub name: String,
    pub time_limit_s: Option<f64>,
    pub memory_limit_bytes: u64,
    /// Where these two come from.
    pub limits_from: [Option<LimitOrigin>; 2],
    pub cases: Vec<String>,
    /// Where each case stands among them.
    places: HashMap<String, usize>,
    /// By submission, in the order of the cases.
    results: BTreeMap<String, Vec<Option<CaseSummary>>>,
    pub finished: Vec<SubmissionFinished>,
    pub messages: BTreeMap<String, String>,
}

/// What is printed of a case, and no more: there are many.
#[derive(Clone)]
pub struct CaseSummary {
    pub verdict: Verdict,
    pub cpu_s: Option<f64>,
    pub wall_s: Option<f64>,
    pub memory_bytes: Option<u64>,
    pub instructions: Option<u64>,
    pub message: Option<String>,
}

impl PackageSummary {
    /// A package of which nothing is judged yet.
    pub fn new(
        id: &str,
        name: &str,
        time_limit_s: Option<f64>,
        memory_limit_bytes: u64,
        cases: &[String],
    ) -> Self {
        PackageSummary {
            id: id.to_owned(),
            name: name.to_owned(),
            time_limit_s,
            memory_limit_bytes,
            limits_from: [None; 2],
            cases: cases.to_vec(),
            places: cases.iter().cloned().zip(0..).collect(),
            results: BTreeMap::new(),
            finished: Vec::new(),
            messages: BTreeMap::new(),
        }
    }

    /// Keeps what is told of a case.
    pub fn keep(&mut self, case: &CaseFinished) {
        let Some(&place) = self.places.get(&case.case) else {
            return;
        };
        if !self.results.contains_key(&case.submission) {
            let nothing = vec![None; self.cases.len()];
            self.results.insert(case.submission.clone(), nothing);
        }
        if let Some(results) = self.results.get_mut(&case.submission) {
            results[place] = Some(CaseSummary {
                verdict: case.verdict,
                cpu_s: case.cpu_s,
                wall_s: case.wall_s,
                memory_bytes: case.memory_bytes,
                instructions: case.instructions,
                message: case.message.clone(),
            });
        }
    }

    /// What is known of the case at this place.
    pub fn result(&self, submission: &str, place: usize) -> Option<&CaseSummary> {
        self.results.get(submission)?[place].as_ref()
    }

    /// The cases of a submission that are judged, with their names, in order.
    pub fn judged(&self, submission: &str) -> Vec<(&str, &CaseSummary)> {
        let results = self.results.get(submission).into_iter().flatten();
        let named = self.cases.iter().map(String::as_str).zip(results);
        named
            .filter_map(|(name, case)| Some((name, case.as_ref()?)))
            .collect()
    }

    /// Submissions with judged cases that did not come to their end.
    pub fn unfinished(&self) -> impl Iterator<Item = &str> {
        let is_finished = |name: &str| self.finished.iter().any(|f| f.submission == name);
        let names = self.results.keys().map(String::as_str);
        names.filter(move |name| !is_finished(name))
    }
}

/// Everything that a report at the end of a run is made of.
#[derive(Default)]
pub struct RunSummary {
    pub packages: Vec<PackageSummary>,
    /// In the order in which they were found; those of a package may come before it.
    pub findings: Vec<FindingSummary>,
}

/// Something that is wrong with a package.
pub struct FindingSummary {
    pub package: String,
    pub is_error: bool,
    /// `data/secret/1.in:3:7`; empty when it is about the whole package.
    pub place: String,
    pub message: String,
    pub remedy: Option<String>,
}

impl RunSummary {
    /// Keeps what an event says.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::PackageStarted {
                package,
                name,
                time_limit_s,
                memory_limit_bytes,
                time_limit_from,
                memory_limit_from,
                cases,
            } => match self.package(package) {
                // Reported again once a derived time limit is known.
                Some(known) => known.time_limit_s = *time_limit_s,
                None => {
                    let limit = *time_limit_s;
                    let mut state =
                        PackageSummary::new(package, name, limit, *memory_limit_bytes, cases);
                    state.limits_from = [*time_limit_from, *memory_limit_from];
                    self.packages.push(state);
                }
            },
            Event::Finding {
                package,
                severity,
                path,
                line,
                column,
                message,
                remedy,
            } => self.findings.push(FindingSummary {
                package: package.clone(),
                is_error: severity == "error",
                place: place(path, *line, *column),
                message: message.clone(),
                remedy: remedy.clone(),
            }),
            Event::CompileFinished {
                package,
                submission,
                message: Some(message),
                ..
            } => {
                if let Some(state) = self.package(package) {
                    state.messages.insert(submission.clone(), message.clone());
                }
            }
            Event::CaseFinished(case) => {
                if let Some(state) = self.package(&case.package) {
                    state.keep(case);
                }
            }
            Event::SubmissionFinished(finished) => {
                if let Some(state) = self.package(&finished.package) {
                    state.finished.push(finished.clone());
                }
            }
            _ => {}
        }
    }

    /// The package of this id.
    pub fn package(&mut self, id: &str) -> Option<&mut PackageSummary> {
        self.packages.iter_mut().find(|package| package.id == id)
    }

    /// The ids of all packages of which something is known.
    pub fn ids(&self) -> Vec<&str> {
        let found = self.findings.iter().map(|finding| finding.package.as_str());
        let mut ids: Vec<&str> = self
            .packages
            .iter()
            .map(|package| package.id.as_str())
            .collect();
        for id in found {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }
}

/// A place in a file: `path:line:column`, as far as it is known.
pub fn place(path: &str, line: Option<usize>, column: Option<usize>) -> String {
    let numbers = [line, column].into_iter().flatten();
    let numbers: String = numbers.map(|number| format!(":{number}")).collect();
    format!("{path}{numbers}")
}
