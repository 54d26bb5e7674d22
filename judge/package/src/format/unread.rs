//! Problem formats of other tools that are not read. Their directories often contain pairs of files, which
//! judged alone would give wrong verdicts: the limits and the checker are elsewhere.

use super::common::peek;
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::tree::names;
use crate::input::yaml::Node;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A format that is known and not read.
struct Unread {
    /// A noun phrase for a directory of it.
    what: &'static str,
    /// The files that may identify it; `*.cdf` is any file with this ending.
    marks: &'static [&'static str],
    /// Whether a directory with one of them is of this format. One name is not enough, unless no
    /// other tool uses it: a contestant's folder may have a `config.yml`, too.
    is_one: fn(&PackageDir) -> bool,
    /// The remedy: something that the user can judge instead.
    remedy: &'static str,
}

/// The remedy for a directory with tests.
const NAME_TESTS: &str = "put its tests into a directory as `NAME.in` and `NAME.ans`, and judge that \
                          with --time-limit, --memory and --checker";

/// The formats; the first match counts.
const FORMATS: [Unread; 20] = [
    Unread {
        what: "a contest of rbx",
        marks: &["contest.rbx.yml", "contest.rbx.yaml"],
        is_one: |_| true,
        remedy: "give the directory of one of its problems, which has a `problem.rbx.yml`",
    },
    Unread {
        what: "a task of the Contest Management System",
        marks: &["gen/GEN"],
        is_one: |dir| {
            has_any_dir(
                dir,
                &["sol", "check", "cor", "input", "statement", "testo", "att"],
            )
        },
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a task of the Contest Management System",
        marks: &["input/input0.txt"],
        is_one: has_cms_yaml_beside,
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a contest of Polygon",
        marks: &[POLYGON_CONTEST],
        is_one: |dir| contains(dir, POLYGON_CONTEST, &["<contest"]),
        remedy: "name one of its problems: a directory of `problems/`",
    },
    Unread {
        what: "an export of the Contest Management System",
        marks: &["contest.json"],
        is_one: |dir| {
            has_keys(dir, "contest.json", 2, &["_version", "_objects"])
                || dir.has_dir("files") && dir.has_dir("descriptions")
        },
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a task of task-maker",
        marks: &["task.toml"],
        is_one: |dir| dir.has_file("gen/gen.toml") || has_any_dir(dir, &["sol", "statement"]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of QDUOJ",
        marks: &["problem.json"],
        is_one: |dir| has_keys(dir, "problem.json", 2, &QDUOJ_KEYS),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of Rime",
        marks: &["PROBLEM"],
        is_one: |dir| contains(dir, "PROBLEM", &["problem("]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a project of Rime",
        marks: &["PROJECT"],
        is_one: |dir| contains(dir, "PROJECT", &["use_plugin(", "project("]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of TCFrame",
        marks: &["spec.cpp"],
        is_one: |dir| contains(dir, "spec.cpp", &["tcframe"]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of BOCA",
        marks: &["description/problem.info"],
        is_one: |dir| has_any_dir(dir, &["limits", "compare", "compile", "run", "input"]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a contest of Lemon",
        marks: &["*.cdf"],
        is_one: |dir| has_any_dir(dir, &["data", "source"]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of Themis",
        marks: &["Settings.cfg"],
        is_one: |dir| contains(dir, "Settings.cfg", &["ExamInformation"]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a contest of Arbiter",
        marks: &["evaldata"],
        is_one: |dir| dir.has_dir("players") && has_any_dir(dir, &["filter", "result"]),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "an export of HUSTOJ (Free Problem Set)",
        marks: &["*.xml"],
        is_one: |dir| {
            let files = with_ending(dir, &[".xml"]);
            files.iter().any(|name| contains(dir, name, &["<fps"]))
        },
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of UOJ",
        marks: &["problem.conf"],
        is_one: |dir| {
            contains(
                dir,
                "problem.conf",
                &["n_tests", "use_builtin_", "input_pre", "input_suf"],
            )
        },
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of SYZOJ",
        marks: &["data.yml"],
        is_one: |dir| has_keys(dir, "data.yml", 1, &SYZOJ_KEYS),
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of omegaUp",
        marks: &[
            "settings.json",
            "testplan",
            "validator.cpp",
            "validator.py",
            "interactive/Main.cpp",
            "statements",
        ],
        is_one: |dir| {
            let has_text = |place| {
                let place = dir.root().join(place);
                let mut texts = names(&place);
                texts.any(|name| name.ends_with(".markdown"))
            };
            dir.has_dir("cases")
                && (has_text("statements")
                    || has_text("solutions")
                    || has_keys(dir, "settings.json", 2, &OMEGAUP_KEYS))
        },
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of ejudge",
        marks: &["problem.cfg", "serve.cfg", "conf/serve.cfg"],
        is_one: |dir| {
            let files = ["problem.cfg", "serve.cfg", "conf/serve.cfg"];
            let keys = [
                "[problem]",
                "standard_checker",
                "check_cmd",
                "test_sfx",
                "corr_sfx",
            ];
            files.iter().any(|name| contains(dir, name, &keys))
        },
        remedy: NAME_TESTS,
    },
    Unread {
        what: "a problem of Lyrio",
        marks: &["*.yml", "*.yaml", "*.json"],
        is_one: |dir| {
            let files = with_ending(dir, &[".yml", ".yaml", ".json"]);
            files.iter().any(|name| is_lyrio(dir, name))
        },
        remedy: NAME_TESTS,
    },
];

/// The description of a contest that Polygon exports, beside the directory of its problems.
const POLYGON_CONTEST: &str = "contest.xml";

/// Keys of CMS' `task.yaml`.
pub const CMS_KEYS: [&str; 18] = [
    "name",
    "nome",
    "nome_breve",
    "title",
    "time_limit",
    "timeout",
    "memory_limit",
    "memlimit",
    "n_input",
    "infile",
    "outfile",
    "public_testcases",
    "token_mode",
    "score_type",
    "score_mode",
    "output_only",
    "primary_language",
    "feedback_level",
];
/// Keys of TPS' `problem.json`.
pub const TPS_KEYS: [&str; 12] = [
    "code",
    "title",
    "name",
    "type",
    "time_limit",
    "memory_limit",
    "has_grader",
    "grader_name",
    "has_checker",
    "has_manager",
    "java_enabled",
    "description",
];
const QDUOJ_KEYS: [&str; 6] = [
    "display_id",
    "test_case_score",
    "rule_type",
    "spj",
    "template",
    "samples",
];
const SYZOJ_KEYS: [&str; 6] = [
    "subtasks",
    "inputFile",
    "outputFile",
    "userOutput",
    "specialJudge",
    "extraSourceFiles",
];
const OMEGAUP_KEYS: [&str; 5] = ["Cases", "Interactive", "Limits", "Slow", "Validator"];

/// Whether a configuration has at least `least` of these keys.
fn has_keys(dir: &PackageDir, name: &str, least: usize, keys: &[&str]) -> bool {
    let Some(yaml) = peek(dir, name) else {
        return false;
    };
    keys.iter().filter(|key| yaml.get(key).is_some()).count() >= least
}

/// Whether the directory's `NAME.yaml` lies beside it, where the Italian contests have it.
fn has_cms_yaml_beside(dir: &PackageDir) -> bool {
    let Ok(root) = dir.root().canonicalize() else {
        return false;
    };
    let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else {
        return false;
    };
    let name = format!("{}.yaml", name.to_string_lossy());
    PackageDir::new(parent).is_ok_and(|parent| has_keys(&parent, &name, 2, &CMS_KEYS))
}

fn has_any_dir(dir: &PackageDir, wanted: &[&str]) -> bool {
    wanted.iter().any(|name| dir.has_dir(name))
}

/// Whether one of these texts is near the beginning of a file.
fn contains(dir: &PackageDir, name: &str, texts: &[&str]) -> bool {
    const NEAR: u64 = 64 << 10;
    let path = dir.find(name).ok().flatten().map(PackageFile::into_path);
    let Some(file) = path.and_then(|path| File::open(path).ok()) else {
        return false;
    };
    let mut bytes = Vec::new();
    let read = file.take(NEAR).read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    read.is_ok() && texts.iter().any(|wanted| text.contains(wanted))
}

/// The files of a directory with one of these endings; a bounded number.
fn with_ending(dir: &PackageDir, endings: &[&str]) -> Vec<String> {
    const MAX_FILES: usize = 16;
    let fits = |name: &String| endings.iter().any(|end| name.ends_with(end));
    let mut found: Vec<String> = names(dir.root()).filter(fits).collect();
    found.sort();
    found.truncate(MAX_FILES);
    found
}

/// Whether a file is Lyrio's description of judging: subtasks with `testcases`, or a checker beside
/// limits.
fn is_lyrio(dir: &PackageDir, name: &str) -> bool {
    let Some(yaml) = peek(dir, name) else {
        return false;
    };
    let subtasks = yaml.get("subtasks").map_or(&[][..], Node::one_or_more);
    let has_limits = ["timeLimit", "memoryLimit"]
        .iter()
        .all(|key| yaml.get(key).is_some());
    let checker = yaml.get("checker").and_then(|checker| checker.get("type"));
    subtasks
        .iter()
        .any(|subtask| subtask.get("testcases").is_some())
        || has_limits && checker.is_some()
}

impl Unread {
    /// The file or directory that identifies a directory of the format.
    fn mark(&self, dir: &PackageDir) -> Option<String> {
        let found = self
            .marks
            .iter()
            .find_map(|mark| match mark.strip_prefix('*') {
                Some(ending) => with_ending(dir, &[ending]).into_iter().next(),
                None => dir.root().join(mark).exists().then(|| (*mark).to_owned()),
            })?;
        (self.is_one)(dir).then_some(found)
    }

    /// The error about `path`, which `how` says is a directory of the format, a part of one, or holds one.
    fn error(&self, path: &Path, how: &str, mark: &str) -> PackageError {
        let what = format!("{how} {} (`{mark}`), which is not supported", self.what);
        PackageError::new(path, what).remedy(self.remedy)
    }
}

fn identify(dir: &PackageDir) -> Option<(&'static Unread, String)> {
    let mut formats = FORMATS.iter();
    formats.find_map(|format| Some((format, format.mark(dir)?)))
}

/// The error about a file that is part of a directory of such a format, such as its configuration.
pub fn of_file(path: &Path) -> Option<PackageError> {
    let mut above = path.ancestors().skip(1).take(2);
    above.find_map(|root| {
        let dir = PackageDir::new(root).ok()?;
        let inside = path.strip_prefix(root).ok()?;
        let (format, mark) = identify(&dir)?;
        (inside == Path::new(&mark)).then(|| format.error(path, "is part of", &mark))
    })
}

/// The error about a directory without test cases that has the configuration of such a format.
pub fn by_name(root: &Path) -> Option<PackageError> {
    const NAME: &str = "PROBLEM";
    let format = FORMATS.iter().find(|format| format.marks == [NAME])?;
    root.join(NAME)
        .is_file()
        .then(|| format.error(root, "is", NAME))
}

/// The error about a directory of such a format.
pub fn of_directory(root: &Path) -> Option<PackageError> {
    let (format, mark) = identify(&PackageDir::new(root).ok()?)?;
    Some(format.error(root, "is", &mark))
}

/// The error about a directory that holds one of such a format, called `name`.
pub fn inside(root: &Path, name: &str) -> Option<PackageError> {
    let (format, mark) = identify(&PackageDir::new(&root.join(name)).ok()?)?;
    Some(format.error(root, "holds", &format!("{name}/{mark}")))
}

/// All formats that are known and not read.
pub struct UnreadFormats;

impl Format for UnreadFormats {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        identify(dir).map(|_| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        of_directory(&builder.tree.root).map_or(Ok(()), Err)
    }
}
