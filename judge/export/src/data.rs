//! The test data in the form that all writers understand: samples, and subtasks of tests with points.

use judge_package::{Aggregation, Group, Package, Part, TestCase};
use std::collections::HashSet;

/// A test case with the name of its files.
#[derive(Clone, Debug)]
pub struct Test<'p> {
    pub case: &'p TestCase,
    /// The name without directories, unique in the package.
    pub name: String,
    /// The points for an accepted output.
    pub points: f64,
}

/// Tests that are scored together.
#[derive(Clone, Debug)]
pub struct Subtask<'p> {
    /// The name of the group in the package.
    pub name: String,
    /// The points if all of its tests are accepted.
    pub points: f64,
    /// Whether it gives no points unless all tests are accepted: the minimum of the tests counts, not
    /// their sum.
    pub is_all: bool,
    /// Whether a test has no points of its own, only a verdict.
    pub pass_fail: bool,
    /// The subtasks before it that must be accepted first.
    pub requires: Vec<usize>,
    /// Whether the samples must be accepted first.
    pub requires_samples: bool,
    /// Its tests, in judging order.
    pub tests: Vec<Test<'p>>,
}

/// The test data of a package.
#[derive(Debug)]
pub struct Data<'p> {
    /// Tests that statements show and that give no points.
    pub samples: Vec<Test<'p>>,
    /// The other tests. A problem without points has one subtask of 1 point, which needs all tests.
    pub subtasks: Vec<Subtask<'p>>,
    /// Settings that this form cannot express.
    pub losses: Vec<String>,
}

impl<'p> Data<'p> {
    pub fn new(package: &'p Package) -> Self {
        let mut reader = Reader {
            names: HashSet::new(),
            sample_groups: vec!["sample".to_owned()],
            data: Data {
                samples: Vec::new(),
                subtasks: Vec::new(),
                losses: Vec::new(),
            },
        };
        if package.kind.scoring {
            reader.scored(&package.data, &Requires::default());
        } else {
            reader.unscored(&package.data);
        }
        reader.data
    }

    /// Every test, samples first.
    pub fn tests(&self) -> impl Iterator<Item = &Test<'p>> {
        let others = self.subtasks.iter().flat_map(|subtask| &subtask.tests);
        self.samples.iter().chain(others)
    }
}

struct Reader<'p> {
    names: HashSet<String>,
    /// The groups whose tests are samples.
    sample_groups: Vec<String>,
    data: Data<'p>,
}

/// The groups that must be accepted before a group.
#[derive(Clone, Default)]
struct Requires {
    /// The indices of subtasks.
    subtasks: Vec<usize>,
    /// Whether the samples must be accepted.
    samples: bool,
}

impl<'p> Reader<'p> {
    fn unscored(&mut self, group: &'p Group) {
        self.losses(group, true);
        let mut tests = Vec::new();
        for case in group.all_cases() {
            let test = self.test(case, 0.0);
            match case.sample {
                true => self.data.samples.push(test),
                false => tests.push(test),
            }
        }
        if !tests.is_empty() {
            self.data.subtasks.push(Subtask {
                name: "secret".to_owned(),
                points: 1.0,
                is_all: true,
                pass_fail: true,
                requires: Vec::new(),
                requires_samples: false,
                tests,
            });
        }
    }

    /// Adds a scored group, which inherits `requires` from the groups around it.
    fn scored(&mut self, group: &'p Group, requires: &Requires) {
        self.losses(group, false);
        let requires = self.required(group, requires);
        let is_flat = group.groups.is_empty();
        let is_sum = matches!(group.aggregation, Aggregation::Sum | Aggregation::Average);
        if !is_sum && !is_flat {
            let what = format!("the points of the groups in {}", shown(group));
            self.lose(format!(
                "{what} are added; the package combines them in another way"
            ));
        }
        let mut open: Vec<&'p TestCase> = Vec::new();
        for part in group.parts() {
            match part {
                Part::Case(case) if case.is_static => {}
                Part::Case(case) => open.push(case),
                Part::Group(inner) if group.ignore_sample && inner.name == "sample" => {
                    for case in inner.all_cases() {
                        let test = self.test(case, 0.0);
                        self.data.samples.push(test);
                    }
                }
                Part::Group(inner) => {
                    self.subtask(group, std::mem::take(&mut open), &requires);
                    self.scored(inner, &requires);
                }
            }
        }
        self.subtask(group, open, &requires);
    }

    /// The requirements of a group, by the names of the model's groups, beside what it inherits.
    fn required(&mut self, group: &Group, inherited: &Requires) -> Requires {
        let mut requires = inherited.clone();
        for name in &group.requires {
            let prefix = format!("{name}/");
            let subtasks = self.data.subtasks.iter().enumerate();
            let found: Vec<usize> = subtasks
                .filter(|(_, subtask)| subtask.name == *name || subtask.name.starts_with(&prefix))
                .map(|(k, _)| k)
                .collect();
            if self.sample_groups.contains(name) {
                requires.samples = true;
            } else if found.is_empty() {
                self.lose(format!("the requirement `{name}` of {}", shown(group)));
            }
            requires.subtasks.extend(found);
        }
        requires
    }

    fn subtask(&mut self, group: &'p Group, cases: Vec<&'p TestCase>, requires: &Requires) {
        if cases.is_empty() {
            return;
        }
        let scores = || cases.iter().map(|case| case.score.unwrap_or(0.0));
        let most = group.max_score;
        let is_all = matches!(group.aggregation, Aggregation::PassFail | Aggregation::Min);
        let points = match group.aggregation {
            Aggregation::PassFail => most.unwrap_or(0.0),
            Aggregation::Min => most.unwrap_or_else(|| scores().fold(f64::INFINITY, f64::min)),
            Aggregation::Max => scores().fold(0.0, f64::max),
            Aggregation::Average => scores().sum::<f64>() / cases.len() as f64,
            Aggregation::Sum => match most {
                Some(most) => scores().sum::<f64>().min(most),
                None => scores().sum(),
            },
        };
        // Samples that give no points are judged by most formats beside the subtasks.
        if points == 0.0 && cases.iter().all(|case| case.sample) {
            self.sample_groups.push(group.name.clone());
            for case in cases {
                let test = self.test(case, 0.0);
                self.data.samples.push(test);
            }
            return;
        }
        let count = cases.len() as f64;
        let own = |case: &TestCase| match group.aggregation {
            _ if is_all => points,
            Aggregation::Average => case.score.unwrap_or(0.0) / count,
            _ => case.score.unwrap_or(0.0),
        };
        let tests = cases
            .into_iter()
            .map(|case| self.test(case, own(case)))
            .collect();
        self.data.subtasks.push(Subtask {
            name: group.name.clone(),
            points,
            is_all,
            pass_fail: group.aggregation == Aggregation::PassFail,
            requires: requires.subtasks.clone(),
            requires_samples: requires.samples,
            tests,
        });
    }

    fn lose(&mut self, what: String) {
        if !self.data.losses.contains(&what) {
            self.data.losses.push(what);
        }
    }

    /// Records the settings of a group that no other format has.
    fn losses(&mut self, group: &Group, all: bool) {
        let scores = || group.cases.iter().map(|case| case.score.unwrap_or(0.0));
        let excess = group
            .max_score
            .is_some_and(|most| scores().sum::<f64>() > most + 1e-9);
        for (is_lost, what) in [
            (
                group.custom_grader_flags.is_some(),
                "the grader of the package",
            ),
            (
                group.aggregation == Aggregation::Max,
                "the maximum of the points",
            ),
            (group.accept_if_any, "acceptance by any accepted test"),
            (
                group.aggregation == Aggregation::Sum && excess,
                "the limit of the sum of points",
            ),
            (
                group.static_validation.is_some(),
                "the static validator's case",
            ),
            (
                group.cases.iter().any(|case| case.reject_score.is_some()),
                "points for a rejected test",
            ),
        ] {
            if is_lost {
                self.lose(format!("{what} in {}", shown(group)));
            }
        }
        if all {
            group
                .groups
                .iter()
                .for_each(|inner| self.losses(inner, true));
        }
    }

    fn test(&mut self, case: &'p TestCase, points: f64) -> Test<'p> {
        let base = ["sample/", "secret/"]
            .iter()
            .find_map(|dir| case.name.strip_prefix(dir));
        let base = file_name(base.unwrap_or(&case.name));
        let name = match (case.sample, is_sample(&base)) {
            (true, false) => format!("sample-{base}"),
            (true, true) => base,
            (false, _) => format!("secret-{}", base.trim_start_matches("secret-")),
        };
        let mut unique = name.clone();
        let mut number = 2;
        while !self.names.insert(unique.clone()) {
            unique = format!("{name}-{number}");
            number += 1;
        }
        Test {
            case,
            name: unique,
            points,
        }
    }
}

fn shown(group: &Group) -> String {
    match group.name.as_str() {
        "" => "the package".to_owned(),
        name => format!("`{name}`"),
    }
}

/// Whether readers of pairs take the name for that of a sample.
fn is_sample(name: &str) -> bool {
    let rest = name.strip_prefix("sample");
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

/// A name that every format allows for a file.
pub fn file_name(text: &str) -> String {
    let allowed = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "_.-".contains(c) => c,
        _ => '-',
    };
    let name: String = text.chars().map(allowed).collect();
    let name = name.trim_start_matches(['.', '-']);
    match name {
        "" => "x".to_owned(),
        name => name.chars().take(100).collect(),
    }
}

/// Names for the files of these tests of `group` in one directory, in the order of the tests, for readers that sort
/// names: the tests' own if they are in that order, else with a number in front.
pub fn sorted_names(tests: &[Test<'_>], group: &str) -> Vec<String> {
    let own = |test: &Test<'_>| {
        let name = &test.case.name;
        let inside = |dir: &&str| name.strip_prefix(dir)?.strip_prefix('/');
        file_name(
            [group, "sample", "secret"]
                .iter()
                .find_map(inside)
                .unwrap_or(name),
        )
    };
    in_order(tests.iter().map(own).collect())
}

/// These names if they are different and in order, else with a number in front.
pub fn in_order(names: Vec<String>) -> Vec<String> {
    if names.windows(2).all(|two| two[0] < two[1]) {
        return names;
    }
    let width = names.len().to_string().len();
    let numbered = names.iter().zip(1..);
    numbered
        .map(|(name, number)| format!("{number:0width$}-{name}"))
        .collect()
}
