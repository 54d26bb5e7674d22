//! The bounds of variables that input validators know, and which of them the cases reach.
//!
//! Validators with testlib write them to the file of `--testOverviewLogFileName`, those with
//! BAPCtools' headers to that of `--constraints_file`.

use super::statement_bounds::{self, StatementBound, number};
use crate::program_runner::{WorkContent, WorkFile};
use crate::text::read_range;
use judge_package::{Finding, PackageError};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Number of bytes read of a log, and of a source.
const MAX_BYTES: u64 = 1 << 20;

/// The name of the log in the validator's directory.
const FILE: &str = "bounds.log";

/// How a validator reports the bounds of its variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoundsLog {
    /// testlib: which bounds were hit.
    Testlib,
    /// BAPCtools: bounds and the extreme values of each variable.
    Bapctools,
}

impl BoundsLog {
    /// How a validator reports bounds, as its source shows.
    pub fn of(program: &Path) -> Option<Self> {
        let files = WalkDir::new(program).max_depth(3).sort_by_file_name();
        let files = files.into_iter().flatten().take(100);
        let files = files.filter(|entry| entry.path().is_file());
        let sources = files.filter_map(|entry| {
            let file = File::open(entry.path()).ok()?;
            read_range(&file, 0, MAX_BYTES).ok()
        });
        let mut found = None;
        for source in sources {
            let contains = |word: &str| {
                let mut places = source.windows(word.len());
                places.any(|place| place == word.as_bytes())
            };
            if contains("constraints_file") || contains("validation.h") {
                return Some(BoundsLog::Bapctools);
            }
            if contains("testlib.h") || contains("--testOverviewLogFileName") {
                found = Some(BoundsLog::Testlib);
            }
        }
        found
    }

    /// The arguments that make a validator write the log.
    pub fn args(self) -> [String; 2] {
        let option = match self {
            BoundsLog::Testlib => "--testOverviewLogFileName",
            BoundsLog::Bapctools => "--constraints_file",
        };
        [option.to_owned(), FILE.to_owned()]
    }

    pub fn file(self) -> WorkFile {
        WorkFile {
            name: FILE.into(),
            content: WorkContent::Written,
        }
    }
}

/// The bounds of a variable, and the values that cases have.
#[derive(Clone, PartialEq, Default, Debug)]
struct Variable {
    /// Whether a case reaches its minimum, and its maximum.
    reached: [bool; 2],
    /// The bounds, as the validator writes them.
    bounds: [Option<String>; 2],
    /// The extreme values of the cases.
    seen: [Option<f64>; 2],
}

/// The variables of all validators, by validator and name.
#[derive(Default, Debug)]
pub struct Bounds {
    variables: BTreeMap<(PathBuf, String), Variable>,
}

impl Bounds {
    /// Adds what the validator at `path` wrote about a case.
    pub fn add(&mut self, log: BoundsLog, path: &Path, written: &File) {
        // A log that cannot be read adds nothing.
        let bytes = read_range(written, 0, MAX_BYTES).unwrap_or_default();
        for line in String::from_utf8_lossy(&bytes).lines() {
            match log {
                BoundsLog::Testlib => self.add_testlib(path, line),
                BoundsLog::Bapctools => self.add_bapctools(path, line),
            };
        }
    }

    fn variable(&mut self, path: &Path, name: &str) -> &mut Variable {
        let key = (path.to_owned(), name.to_owned());
        self.variables.entry(key).or_default()
    }

    /// `"n": min-value-hit max-value-hit` or `constant-bounds "n": 1 100`.
    fn add_testlib(&mut self, path: &Path, line: &str) -> Option<()> {
        let (is_constant, rest) = match line.strip_prefix("constant-bounds ") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (name, rest) = rest.strip_prefix('"')?.rsplit_once("\":")?;
        let variable = self.variable(path, name);
        if is_constant {
            let mut bounds = rest.split_whitespace();
            for bound in &mut variable.bounds {
                *bound = bounds.next().filter(|text| *text != "?").map(str::to_owned);
            }
        } else {
            variable.reached[0] |= rest.contains("min-value-hit");
            variable.reached[1] |= rest.contains("max-value-hit");
        }
        Some(())
    }

    /// `LOCATION NAME HAS_MIN HAS_MAX SMALLEST LARGEST MIN MAX`.
    fn add_bapctools(&mut self, path: &Path, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, name, has_low, has_high, smallest, largest, low, high] = words[..] else {
            return None;
        };
        let variable = self.variable(path, name);
        variable.reached[0] |= has_low == "1";
        variable.reached[1] |= has_high == "1";
        variable.bounds = [Some(low.to_owned()), Some(high.to_owned())];
        let join = |seen: Option<f64>, text: &str, of: fn(f64, f64) -> f64| {
            let value = text.parse().ok();
            match (seen, value) {
                (Some(seen), Some(value)) => Some(of(seen, value)),
                (seen, value) => seen.or(value),
            }
        };
        variable.seen = [
            join(variable.seen[0], smallest, f64::min),
            join(variable.seen[1], largest, f64::max),
        ];
        Some(())
    }

    /// A warning for each variable with a bound that no case reaches, or with other bounds in a statement.
    pub fn findings(&self, package_root: &Path) -> Vec<Finding> {
        let stated = match self.variables.is_empty() {
            true => Vec::new(),
            false => statement_bounds::of_package(package_root),
        };
        let mut findings = Vec::new();
        for ((path, name), variable) in &self.variables {
            findings.extend(variable.unreached(path, name));
            let stated = stated.iter().filter(|bound| bound.name == *name);
            findings.extend(stated.filter_map(|bound| variable.contradicts(path, bound)));
        }
        findings
    }
}

impl Variable {
    fn unreached(&self, path: &Path, name: &str) -> Option<Finding> {
        let of = |k: usize, word: &str| {
            let bound = self.bounds[k].as_ref();
            let bound = bound.map(|bound| format!(" {bound}")).unwrap_or_default();
            let seen = self.seen[k]
                .map(|seen| format!(", only {seen}"))
                .unwrap_or_default();
            (!self.reached[k]).then(|| format!("its {word}{bound}{seen}"))
        };
        let missing: Vec<String> = [of(0, "minimum"), of(1, "maximum")]
            .into_iter()
            .flatten()
            .collect();
        if missing.is_empty() {
            return None;
        }
        let what = format!("`{name}` reaches in no case {}", missing.join(", nor "));
        let remedy = "add cases with the extreme values, or correct the bounds";
        Some(Finding::warning(
            PackageError::new(path, what).remedy(remedy),
        ))
    }

    /// The finding that a statement gives other bounds.
    fn contradicts(&self, path: &Path, stated: &StatementBound) -> Option<Finding> {
        let own = |k: usize| self.bounds[k].as_deref().and_then(number);
        let differs = |stated: Option<f64>, own: Option<f64>| match (stated, own) {
            (Some(stated), Some(own)) => stated != own,
            _ => false,
        };
        if !differs(stated.low, own(0)) && !differs(stated.high, own(1)) {
            return None;
        }
        let shown = |bound: &Option<String>| bound.clone().unwrap_or_else(|| "?".to_owned());
        let validator = path.file_name().unwrap_or_default().to_string_lossy();
        let what = format!(
            "says `{}`, but {validator} has the bounds {} and {} of `{}`",
            stated.text,
            shown(&self.bounds[0]),
            shown(&self.bounds[1]),
            stated.name
        );
        let error = PackageError::new(&stated.path, what).at(stated.line, 1);
        Some(Finding::warning(
            error.remedy("correct the one that is wrong"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_both_kinds_are_joined_over_the_cases() {
        let mut bounds = Bounds::default();
        let v = Path::new("/p/v.cpp");
        for line in [
            "\"n\": min-value-hit",
            "constant-bounds \"n\": 1 100000",
            "\"k\": min-value-hit max-value-hit",
            "feature \"x\":",
        ] {
            bounds.add_testlib(v, line);
        }
        let w = Path::new("/p/w.cpp");
        bounds.add_bapctools(w, "w.cpp:3 m 0 0 5 70 1 1e3");
        bounds.add_bapctools(w, "w.cpp:3 m 1 0 1 80 1 1e3");
        let findings = bounds.findings(Path::new("/nowhere"));
        let texts: Vec<&str> = findings
            .iter()
            .map(|found| found.error.what.as_str())
            .collect();
        assert_eq!(
            texts,
            [
                "`n` reaches in no case its maximum 100000",
                "`m` reaches in no case its maximum 1e3, only 80",
            ]
        );
    }

    #[test]
    fn bounds_of_statement_and_validator_are_compared() {
        let bounds = |low: &str, high: &str| Variable {
            bounds: [Some(low.to_owned()), Some(high.to_owned())],
            ..Variable::default()
        };
        let stated = statement_bounds::parse(Path::new("/p/s.md"), "$1 \\leq n \\leq 10^5$");
        let differs = |variable: Variable| variable.contradicts(Path::new("/p/v.cpp"), &stated[0]);
        assert_eq!(differs(bounds("1", "100000")), None);
        let found = differs(bounds("1", "1e6")).expect("a finding");
        assert!(
            found
                .error
                .what
                .contains("v.cpp has the bounds 1 and 1e6 of `n`")
        );
    }
}
