//! Texts about a whole run: its totals, its warnings, the command that repeats a case, a finding.

use super::lacking;
use judge_core::figures::plural;
use judge_core::results::{
    CaseResult, Finding, LimitOrigin, PackageResults, RunFinished, RunResults, SubmissionResults,
};
use judge_core::text::{case_option, shell_word};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use judge_package::Severity;

/// The last line of a report.
pub struct Counts {
    /// Whether every judged submission was accepted.
    pub are_accepted: bool,
    /// Whether every submission was skipped.
    pub are_skipped: bool,
    /// Whether no case has an answer or a checker.
    pub are_unchecked: bool,
    /// `all ` before `accepted` and `as expected`; empty if a submission was skipped.
    pub all: &'static str,
    /// `2 submissions, 8 cases run`, `1 of 2 submissions, 4 cases run`.
    pub run: String,
    /// `, 1 not checked`; empty if all or none were checked.
    pub unchecked: String,
    /// `1 skipped (Haskell: ghc not installed)`; empty if none was.
    pub skipped: String,
}

impl Counts {
    /// The cases that were not checked and the skipped submissions, behind other text.
    pub fn tail(&self) -> String {
        match self.skipped.as_str() {
            "" => self.unchecked.clone(),
            skipped => format!("{}; {skipped}", self.unchecked),
        }
    }

    /// The result of the run.
    pub fn verdict(&self, end: &RunFinished) -> String {
        match (end.interrupted, end.as_expected) {
            (true, _) => "interrupted".to_owned(),
            (_, true) if self.are_unchecked => UNCHECKED.to_owned(),
            (_, true) => format!("{}as expected", self.all),
            (_, false) => "not as expected".to_owned(),
        }
    }
}

/// The result of a run in which no output was compared with an answer.
pub const UNCHECKED: &str = "not checked";

/// Whether a case was accepted although its output was not compared with an answer, so that it is shown.
pub fn is_unchecked(case: &CaseResult) -> bool {
    let details = case.details.as_ref();
    case.is_accepted() && details.is_some_and(|details| details.found.is_some())
}

/// The last line of a report, about the submissions.
pub fn counts(results: &RunResults, end: &RunFinished) -> Counts {
    let mut reasons: Vec<String> = Vec::new();
    let (mut skipped, mut are_accepted) = (0, true);
    for (of, finished) in results.finished() {
        if finished.verdict.is_some() {
            are_accepted &= finished.verdict == Some(Verdict::Accepted);
            continue;
        }
        skipped += 1;
        let message = of
            .compiler_message()
            .map(Message::shown)
            .unwrap_or_default();
        let reason = message.lines().next().map(str::to_owned);
        reasons.extend(reason.filter(|reason| !reasons.contains(reason)));
    }
    let all = plural(end.submissions, "submission");
    let judged = results
        .packages
        .iter()
        .flat_map(|package| &package.submissions);
    let judged = judged.flat_map(|of| &of.cases);
    let unchecked = judged.flatten().filter(|case| is_unchecked(case)).count();
    let cases = plural(end.cases, "case");
    Counts {
        are_accepted,
        are_unchecked: unchecked > 0 && unchecked == end.cases,
        are_skipped: skipped > 0 && skipped == end.submissions,
        all: if skipped == 0 { "all " } else { "" },
        run: match end.as_expected && skipped > 0 {
            true => format!(
                "{} of {all}, {cases} run",
                end.submissions.saturating_sub(skipped)
            ),
            false => format!("{all}, {cases} run"),
        },
        unchecked: match (1..end.cases).contains(&unchecked) {
            true => format!(", {unchecked} not checked"),
            false => String::new(),
        },
        skipped: match skipped {
            0 => String::new(),
            _ => format!("{skipped} skipped ({})", reasons.join("; ")),
        },
    }
}

/// The warnings about the figures, and about an incomplete sandbox unless the reader knows it.
pub fn warnings(results: &RunResults, end: &RunFinished, knows_sandbox: bool) -> Vec<String> {
    let lacking = lacking(&results.started).filter(|_| !knows_sandbox);
    let lacking =
        lacking.map(|lacking| format!("the sandbox is incomplete: {lacking} (see `judge doctor`)"));
    end.warnings
        .iter()
        .map(Message::shown)
        .chain(lacking)
        .collect()
}

/// The command that judges one case of a submission again.
pub fn command_for(
    results: &RunResults,
    package: &PackageResults,
    of: &SubmissionResults,
    case: &Name,
) -> String {
    if let Some(again) = &results.started.again {
        return again.to_string();
    }
    let command = results.started.command.as_ref();
    let mut words = vec![command.map_or_else(|| "judge run".to_owned(), Name::to_string)];
    let of_package = package.about.path.as_ref().unwrap_or(&package.about.id);
    words.push(path_word(&of_package.shown()));
    match &of.planned.path {
        Some(path) => words.push(format!("-s {}", path_word(&path.shown()))),
        None if of.planned.name != package.about.id => words.push("--bins".to_owned()),
        None => {}
    }
    words.push(case_option(&case.shown()));
    words.join(" ")
}

/// The notes about the origins of the time limit and of the memory limit.
pub fn limit_notes(package: &PackageResults) -> [String; 2] {
    let about = &package.about;
    [about.time_limit_from, about.memory_limit_from].map(|origin| {
        LimitOrigin::note(
            origin,
            about.format.as_deref(),
            about.time_limit_run.as_ref(),
        )
    })
}

/// The position of a finding: `data/secret/1.in:3:7`, as far as it is known; empty if it is about the whole package.
pub fn position(finding: &Finding) -> String {
    let numbers = [finding.line, finding.column].into_iter().flatten();
    let numbers: String = numbers.map(|number| format!(":{number}")).collect();
    format!("{}{numbers}", finding.path)
}

pub fn severity(finding: &Finding) -> &'static str {
    match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A path as a word of a shell command; one that begins with a dash is no option.
fn path_word(path: &str) -> String {
    match path.starts_with('-') {
        true => shell_word(&format!("./{path}")).into_owned(),
        false => shell_word(path).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_is_escaped() {
        for (path, message, expected) in [
            ("a b.in", "found {4}", ("a b.in:1", "found {4}")),
            ("a", "red \x1b[31mtext", ("a:1", "red text")),
            ("a\rb", "x", ("a\\u{d}b:1", "x")),
            ("\u{202e}a", "x", ("\\u{202e}a:1", "x")),
            ("a ", " x\n", ("a :1", "x")),
            ("\u{e4}", "\"x\"", ("\u{e4}:1", "\"x\"")),
        ] {
            let finding = Finding {
                package: "p".into(),
                severity: Severity::Error,
                path: path.into(),
                line: Some(1),
                column: None,
                message: message.into(),
                remedy: None,
            };
            assert_eq!(
                (&*position(&finding), &*finding.message.to_string()),
                expected
            );
        }
    }
}
