//! Makes the cases of `generators.yaml` that are not up to date.

use super::Summary;
use super::manifest::{CaseRecord, Manifest, hash, hash_all, hash_path};
use super::old_case::OldCase;
use super::programs::{self, CaseFiles, Programs};
use super::spec::{CaseRule, PICTURES, Spec, TEXTS};
use judge_core::error::Failure;
use judge_core::files::{failed, stay_within};
use judge_core::judging::{Settings, whole_output};
use judge_core::parallel::{self, unpoisoned};
use judge_core::program_runner::{ProgramRunner, Stdin};
use judge_package::Package;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use tempfile::NamedTempFile;

/// Makes the cases of a package.
pub struct Maker<'a> {
    pub package: &'a Package,
    /// Its `generators.yaml`.
    pub spec: &'a Spec,
    /// The built programs.
    pub programs: &'a Programs,
    /// The record of the last run.
    pub before: Manifest,
    /// How to run programs.
    pub settings: &'a Settings,
    /// A directory for intermediate files.
    pub scratch: &'a Path,
    /// The case for which the solution failed, whose files are written with an empty answer.
    pub unanswered: Mutex<Option<&'a CaseRule>>,
    /// The new data directory. Each file is written when it is made, so that memory holds at most
    /// one case per worker.
    pub new: &'a Path,
}

/// The new data.
pub struct Made<'a> {
    /// Hashes by path below `data/`.
    pub files: BTreeMap<String, String>,
    /// The record for the next run.
    pub after: Manifest,
    /// The summary so far.
    pub summary: Summary,
    /// The cases to check.
    pub stale: Vec<&'a CaseRule>,
}

/// The files that are copied or given in the rule, by extension.
type Given = BTreeMap<&'static str, Vec<u8>>;

impl<'a> Maker<'a> {
    /// Makes all files. If the solution fails, `unanswered` is its case, whose input may be at fault.
    pub fn make(&self, on_case: &mut dyn FnMut(&str)) -> Result<Made<'a>, Failure> {
        let mut made = Made {
            files: BTreeMap::new(),
            after: Manifest::default(),
            summary: Summary::default(),
            stale: Vec::new(),
        };
        for (path, file) in &self.spec.group_files {
            let text = file.text.as_bytes();
            let hash = hash(text);
            self.write(path, text)?;
            made.after.group_files.insert(path.clone(), hash.clone());
            made.files.insert(path.clone(), hash);
        }
        let checks = self.checks()?;
        let rules: Vec<&CaseRule> = self.spec.cases.iter().collect();
        let mut inputs: HashMap<String, &str> = HashMap::new();
        parallel::each(
            self.settings.jobs,
            &rules,
            |core| Ok(ProgramRunner::new(self.settings.mode, core)),
            |runner, rule| self.case(runner, rule, &checks),
            |&rule, (record, fresh)| {
                let input = record.files.get("in").cloned().unwrap_or_default();
                // Those of the validators may have the input of another case.
                let is_judged = ["sample/", "secret/"]
                    .iter()
                    .any(|dir| rule.path.starts_with(dir));
                if is_judged
                    && let Some(twin) = inputs.insert(input, &rule.path)
                    && !rule.may_repeat
                {
                    let what = format!("{} has the same input as {twin}", rule.path);
                    made.summary.warnings.push(what);
                }
                made.summary.warnings.extend(self.mismatches(rule));
                for (extension, hash) in &record.files {
                    let name = format!("{}.{extension}", rule.path);
                    made.files.insert(name, hash.clone());
                }
                if fresh {
                    made.stale.push(rule);
                }
                if fresh && !rule.is_kept {
                    on_case(&rule.path);
                    made.summary.made += 1;
                } else {
                    made.summary.reused += 1;
                }
                if !rule.is_kept {
                    made.after.cases.insert(rule.path.clone(), record);
                }
            },
        )?;
        Ok(made)
    }

    /// A warning for each file that does not match the pattern that its rule gives.
    fn mismatches(&self, rule: &CaseRule) -> Vec<String> {
        let mut warnings = Vec::new();
        for (extension, pattern) in &rule.patterns {
            let name = format!("{}.{extension}", rule.path);
            let bytes = fs::read(self.new.join(&name)).unwrap_or_default();
            if !pattern.is_match(&String::from_utf8_lossy(&bytes)) {
                let what = rule
                    .node
                    .error(format!("{name} does not match `{pattern}`"));
                warnings.push(what.remedy("correct the case, or its `match`").to_string());
            }
        }
        warnings
    }

    /// The hash of everything that all checks depend on.
    fn checks(&self) -> Result<String, Failure> {
        let mut parts = Vec::new();
        for name in [
            "problem.yaml",
            "input_validators",
            "input_format_validators",
            "output_validator",
            "output_validators",
        ] {
            let path = self.package.root.join(name);
            parts.push(hash_path(&path).map_err(failed("read", &path))?);
        }
        if let Some(second) = self.programs.second() {
            parts.push(second.hash.clone());
        }
        let settings = self.spec.group_files.values();
        parts.extend(settings.map(|file| file.text.clone()));
        Ok(hash_all(parts.iter().map(String::as_str)))
    }

    /// Makes a case, or reuses the old one if it is up to date. Its files are written then; also
    /// returns whether it was made in this run.
    fn case(
        &self,
        runner: &mut ProgramRunner,
        rule: &'a CaseRule,
        checks: &str,
    ) -> Result<(CaseRecord, bool), Failure> {
        let given = self.given(rule)?;
        let input_key = self.input_key(rule, &given);
        let check_key = self.check_key(rule, &input_key, checks);
        let old = OldCase {
            record: self
                .before
                .cases
                .get(&rule.path)
                .cloned()
                .unwrap_or_default(),
            data: self.package.root.join("data"),
            name: &rule.path,
        };
        let is_input_same = old.record.input_key == input_key;
        let mut extensions = old.record.files.keys();
        if is_input_same
            && old.record.check_key == check_key
            && extensions.all(|extension| old.is_unchanged(extension))
        {
            old.install(self.new)?;
            return Ok((old.record, false));
        }
        let mut files = if given.contains_key("in") || rule.generate.is_none() {
            CaseFiles::new()
        } else if let Some(files) = old.generated().filter(|_| is_input_same) {
            files?
        } else {
            self.generated(runner, rule)?
        };
        let others = files.keys().filter(|extension| *extension != "in");
        let generated = others
            .filter(|e| !given.contains_key(e.as_str()))
            .cloned()
            .collect();
        files.extend(given.into_iter().map(|(e, bytes)| (e.to_owned(), bytes)));
        self.add_answer(runner, rule, &mut files)?;
        add_links(rule, &mut files)?;
        self.write_case(rule, &files)?;
        let hashes = files.iter().map(|(e, bytes)| (e.clone(), hash(bytes)));
        let record = CaseRecord {
            input_key,
            check_key,
            files: hashes.collect(),
            generated,
        };
        Ok((record, true))
    }

    /// The hash of everything that the files of a case depend on, except the solution.
    fn input_key(&self, rule: &CaseRule, given: &Given) -> String {
        let mut parts = vec![];
        if let Some(command) = rule.generate.as_ref().filter(|_| !given.contains_key("in"))
            && let Some(tool) = self.programs.generator_of(&command.program)
        {
            parts.push(tool.hash.clone());
            parts.push(command.retries.to_string());
            parts.extend(command.args(0));
        }
        for (extension, bytes) in given {
            parts.push((*extension).to_owned());
            parts.push(hash(bytes));
        }
        parts.extend(rule.links.iter().map(|(from, to)| format!("{from}: {to}")));
        hash_all(parts.iter().map(String::as_str))
    }

    /// The hash of everything that the answer and the checks of a case depend on.
    fn check_key(&self, rule: &CaseRule, input_key: &str, checks: &str) -> String {
        let solution = self.programs.solution(rule).map_or("", |tool| &tool.hash);
        let patterns: Vec<&str> = rule.patterns.iter().map(|(_, p)| p.as_str()).collect();
        hash_all([input_key, solution, checks, &hash_all(patterns)])
    }

    /// Adds the solution's answer, unless there is one or the case needs none. If the solution fails, the files are
    /// written with an empty answer, and the case is `unanswered`.
    fn add_answer(
        &self,
        runner: &mut ProgramRunner,
        rule: &'a CaseRule,
        files: &mut CaseFiles,
    ) -> Result<(), Failure> {
        let Some(input) = files.get("in") else {
            let mut complaint = rule.node.error("this case has no input");
            if let Some(copy) = &rule.copy {
                complaint = complaint.remedy(format!("add {copy}.in"));
            }
            return Err(complaint.into());
        };
        let needs_none = ["invalid_input/", "testing_tool_test/"]
            .iter()
            .any(|root| rule.path.starts_with(root));
        if files.contains_key("ans") || needs_none {
            return Ok(());
        }
        match self.answer(runner, rule, input) {
            Ok(answer) => {
                files.insert("ans".to_owned(), answer);
                Ok(())
            }
            Err(failure) => {
                files.insert("ans".to_owned(), Vec::new());
                if self.write_case(rule, files).is_ok() {
                    unpoisoned(self.unanswered.lock()).get_or_insert(rule);
                }
                Err(failure)
            }
        }
    }

    fn write_case(&self, rule: &CaseRule, files: &CaseFiles) -> Result<(), Failure> {
        files.iter().try_for_each(|(extension, bytes)| {
            self.write(&format!("{}.{extension}", rule.path), bytes)
        })
    }

    /// Writes a file of the new data.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.new.join(name);
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir).map_err(failed("create", dir))?;
        }
        fs::write(&path, bytes).map_err(failed("write", &path))
    }

    /// The files that are copied or given in the rule.
    fn given(&self, rule: &CaseRule) -> Result<Given, Failure> {
        let mut given = BTreeMap::new();
        if let Some(copy) = &rule.copy {
            let base = self.package.root.join(copy);
            for extension in TEXTS.into_iter().chain(PICTURES) {
                let path = format!("{}.{extension}", base.display());
                let path = Path::new(&path);
                if path.is_file() {
                    stay_within(path, &self.package.root)?;
                    given.insert(extension, fs::read(path).map_err(failed("read", path))?);
                }
            }
            if given.is_empty() {
                let help = match rule.is_kept {
                    true => "say how the case is made: `generate`, `copy` or `in`",
                    false => "add the file, or correct its path",
                };
                let what = format!("there is no {copy}.in to copy");
                return Err(rule.node.error(what).remedy(help).into());
            }
        }
        for (extension, text) in &rule.texts {
            given.insert(*extension, text.clone().into_bytes());
        }
        Ok(given)
    }

    /// Runs the generator to make the input, and other files that it writes.
    fn generated(&self, runner: &mut ProgramRunner, rule: &CaseRule) -> Result<CaseFiles, Failure> {
        let wrong = |what: String| Failure::from(rule.node.error(what));
        let Some(command) = &rule.generate else {
            return Err(wrong("the rule has no generator".to_owned()));
        };
        let Some(tool) = self.programs.generator_of(&command.program) else {
            return Err(wrong(format!("no generator `{}`", command.program)));
        };
        let mut last = String::new();
        for k in 0..command.retries {
            let args = command.args(k);
            match programs::generated(runner, tool, &args)? {
                Ok(files) => {
                    // Data must be reproducible.
                    let again = programs::generated(runner, tool, &args)?;
                    if again.as_ref() != Ok(&files) {
                        let what =
                            format!("the generator `{}` is not deterministic", command.program);
                        let help = "take all randomness from `{seed}`";
                        return Err(rule.node.error(what).remedy(help).into());
                    }
                    if files["in"].is_empty() {
                        let what = format!("the generator `{}` writes nothing", command.program);
                        let help = "write the input to standard output or `testcase.in`";
                        return Err(rule.node.error(what).remedy(help).into());
                    }
                    return Ok(files);
                }
                Err(how) => last = how.into(),
            }
        }
        Err(wrong(last))
    }

    /// Runs the solution to make the answer.
    fn answer(
        &self,
        runner: &mut ProgramRunner,
        rule: &CaseRule,
        input: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        let wrong = |what: String| Failure::from(rule.node.error(what));
        let kind = self.package.kind;
        if kind.interactive || kind.multi_pass {
            // The validator decides, but the formats require the file.
            return Ok(Vec::new());
        }
        if rule.path.starts_with("invalid_answer/") {
            return Err(wrong("a case of invalid_answer needs `ans`".to_owned()));
        }
        let solution = self.programs.solution(rule).filter(|_| !kind.submit_answer);
        let Some(solution) = solution else {
            let help = match kind.submit_answer {
                true => "add `ans`",
                false => "add `ans`, or name a program: `solution: /submissions/accepted/PROGRAM`",
            };
            let complaint = rule.node.error("the case has no answer");
            return Err(complaint.remedy(help).into());
        };
        let file = NamedTempFile::new_in(self.scratch);
        let mut file = file.map_err(failed("create a file in", self.scratch))?;
        file.write_all(input)
            .map_err(failed("write", file.path()))?;
        let ran = programs::run(runner, solution, Stdin::File(file.path()))?;
        whole_output(&ran.map_err(|how| wrong(how.into()))?)
    }

    /// Whether the answer was given by the author or the generator instead of made by the solution;
    /// `record` is that of the case.
    pub fn given_answer(&self, rule: &CaseRule, record: Option<&CaseRecord>) -> bool {
        if record.is_some_and(|record| record.generated.iter().any(|e| e == "ans")) {
            return true;
        }
        let copied = rule.copy.as_ref().is_some_and(|copy| {
            let answer = self.package.root.join(format!("{copy}.ans"));
            answer.is_file()
        });
        copied || rule.texts.contains_key("ans")
    }
}

/// Adds the files that are equal to other ones of the case.
fn add_links(rule: &CaseRule, files: &mut CaseFiles) -> Result<(), Failure> {
    for (extension, target) in &rule.links {
        let Some(bytes) = files.get(*target).cloned() else {
            let what = format!("`{extension}` links to `{target}`, which the case does not have");
            let help = format!("add `{target}`, or remove the link");
            return Err(rule.node.error(what).remedy(help).into());
        };
        files.insert((*extension).to_owned(), bytes);
    }
    Ok(())
}
