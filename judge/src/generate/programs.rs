//! The programs that make data: generators, the solution, and the submission that verifies it.

use super::manifest::{hash_all, hash_path};
use super::spec::{CaseRule, PICTURES, Solution, Spec, TEXTS};
use super::words::CASE_NAME;
use judge_core::error::{Failure, Reason};
use judge_core::files::stay_within;
use judge_core::judging::{Toolchain, run_generator, whole_output};
use judge_core::language::{Program, Request, read_only};
use judge_core::parallel;
use judge_core::program_runner::{ProgramRunner, Ran, Stdin, WorkContent, WorkFile};
use judge_core::text::read_range;
use judge_package::yaml::Node;
use judge_package::{Package, PackagedSubmission};
use judge_tempdir::TempDirectory;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether a program is a generator, and the generator's name or the solution's path in the package.
type Key = (bool, String);

/// A program and the hash of its source.
#[derive(Clone)]
pub struct Tool {
    pub program: Arc<Program>,
    /// The hash of its source.
    pub hash: String,
    pub name: String,
    /// Keeps the directory of the executable.
    _dir: Option<Arc<TempDirectory>>,
}

/// All programs of a run, built.
pub struct Programs {
    tools: BTreeMap<Key, Tool>,
    first: Option<String>,
    second: Option<String>,
    /// Directories with generators of several files.
    _dirs: Vec<TempDirectory>,
}

impl Programs {
    /// Builds the programs that the rules name, `jobs` at a time.
    /// Fails when a program does not exist or cannot be built; with the position that names it.
    pub fn build(
        package: &Package,
        spec: &Spec,
        toolchain: &Toolchain,
        jobs: usize,
    ) -> Result<Self, Failure> {
        let accepted: Vec<String> = package
            .submissions
            .iter()
            .filter(|s| s.name.starts_with("accepted/"))
            .map(|s| format!("submissions/{}", s.name))
            .collect();
        let mut programs = Programs {
            tools: BTreeMap::new(),
            first: accepted.first().cloned(),
            second: None,
            _dirs: Vec::new(),
        };
        let mut wanted: Vec<Wanted<'_>> = Vec::new();
        for rule in &spec.cases {
            if let Some(command) = &rule.generate
                && !is_among(&wanted, true, &command.program)
            {
                wanted.push(programs.generator(package, spec, rule, &command.program)?);
            }
            if let Some(path) = programs.solution_of(rule)
                && !is_among(&wanted, false, path)
            {
                let node = match &rule.solution {
                    Solution::At(node, _) => Some(node),
                    _ => None,
                };
                wanted.push(Wanted::solution(package, path, node));
            }
        }
        // The verified answers are those of the default solution, so the second program is another
        // one.
        programs.second = accepted
            .into_iter()
            .find(|path| !is_among(&wanted, false, path));
        if let Some(path) = &programs.second {
            wanted.push(Wanted::solution(package, path, None));
        }
        let build = |(): &mut (), wanted: &Wanted<'_>| wanted.build(package, toolchain);
        let tools = &mut programs.tools;
        let done = |wanted: &Wanted<'_>, tool| drop(tools.insert(wanted.key.clone(), tool));
        parallel::each(jobs, &wanted, |_| Ok(()), build, done)?;
        Ok(programs)
    }

    /// Locates the generator of a rule.
    fn generator<'a>(
        &mut self,
        package: &Package,
        spec: &Spec,
        rule: &'a CaseRule,
        name: &str,
    ) -> Result<Wanted<'a>, Failure> {
        let wrong = |what: Reason| Failure::from(rule.node.error(what));
        let files = spec.generators.get(name).map_or(&[][..], Vec::as_slice);
        let located = locate(&package.root, name, files)?.map_err(wrong)?;
        if !located.path.exists() {
            let what = format!(
                "no generator `{name}`: neither a file or directory in generators/ nor a key of \
                 `generators:`"
            );
            let help = "add it there, or correct the name";
            return Err(rule.node.error(what).remedy(help).into());
        }
        self._dirs.extend(located.dir);
        Ok(Wanted {
            key: (true, name.to_owned()),
            path: located.path,
            entry_point: located.entry_point,
            node: Some(&rule.node),
        })
    }

    pub fn generator_of(&self, name: &str) -> Option<&Tool> {
        self.tools.get(&(true, name.to_owned()))
    }

    fn solution_of<'a>(&'a self, rule: &'a CaseRule) -> Option<&'a str> {
        match &rule.solution {
            Solution::Default => self.first.as_deref(),
            Solution::None => None,
            Solution::At(_, path) => Some(path),
        }
    }

    /// The program that makes the answer of a case.
    pub fn solution(&self, rule: &CaseRule) -> Option<&Tool> {
        self.tools.get(&(false, self.solution_of(rule)?.to_owned()))
    }

    /// The program that verifies the solution's answers.
    pub fn second(&self) -> Option<&Tool> {
        self.tools.get(&(false, self.second.clone()?))
    }
}

struct Wanted<'a> {
    key: Key,
    path: PathBuf,
    /// The file to start, if it is known.
    entry_point: Option<String>,
    /// The position that names it, for error messages.
    node: Option<&'a Node>,
}

fn is_among(wanted: &[Wanted<'_>], is_generator: bool, name: &str) -> bool {
    let mut keys = wanted.iter().map(|other| &other.key);
    keys.any(|key| key.0 == is_generator && key.1 == name)
}

impl<'a> Wanted<'a> {
    fn solution(package: &Package, path: &str, node: Option<&'a Node>) -> Self {
        Wanted {
            key: (false, path.to_owned()),
            path: package.root.join(path),
            entry_point: None,
            node,
        }
    }

    fn build(&self, package: &Package, toolchain: &Toolchain) -> Result<Tool, Failure> {
        let (is_generator, name) = &self.key;
        let built = match is_generator {
            true => generator(package, self, toolchain),
            false => solution(package, name, &self.path, toolchain),
        };
        built.map_err(|what| match self.node {
            _ if judge_sandbox::interrupted() => Failure::Interrupted,
            Some(node) => node.error(what).into(),
            None => Failure::usage(what),
        })
    }
}

/// The source of a generator.
pub struct Located {
    /// Its file or directory.
    pub path: PathBuf,
    /// The file to start, if it is known.
    pub entry_point: Option<String>,
    /// Keeps the directory, if it holds copies of several files.
    pub dir: Option<TempDirectory>,
}

/// Locates the generator `name` of the package at `root`; `files` are those of its key in
/// `generators:`. Copies several files into one directory. The inner error describes a missing file.
pub fn locate(
    root: &Path,
    name: &str,
    files: &[String],
) -> Result<Result<Located, Reason>, Failure> {
    let generators = root.join("generators");
    let (path, dir) = match files {
        [] => (generators.join(name), None),
        [only] => (generators.join(only), None),
        files => {
            let dir = TempDirectory::new("generator")?;
            for file in files {
                let from = generators.join(file);
                let to = dir.path().join(from.file_name().unwrap_or_default());
                if from.exists() {
                    stay_within(&from, root)?;
                }
                if let Err(e) = fs::copy(&from, &to) {
                    let from = from.display();
                    return Ok(Err(Reason::new(format!(
                        "the generator `{name}` needs {from}: {e}\n  help: add the file, or remove \
                         it from `generators:`"
                    ))));
                }
            }
            (dir.path().to_owned(), Some(dir))
        }
    };
    Ok(Ok(Located {
        path,
        entry_point: entry_point(files),
        dir,
    }))
}

/// The file to start of a generator of several files: the first one, as in BAPCtools.
fn entry_point(files: &[String]) -> Option<String> {
    let [first, _, ..] = files else {
        return None;
    };
    let first = Path::new(first);
    // A class is started by its name, which `language` only knows to take from a `.java` file.
    let name = match first.extension().and_then(|extension| extension.to_str()) {
        Some("scala" | "sc") => first.file_stem(),
        _ => first.file_name(),
    };
    Some(name?.to_string_lossy().into_owned())
}

fn generator(
    package: &Package,
    wanted: &Wanted<'_>,
    toolchain: &Toolchain,
) -> Result<Tool, Reason> {
    let ((_, name), path) = (&wanted.key, &wanted.path);
    let entry_point = wanted.entry_point.as_deref();
    let mut program = toolchain.helper_started_by(package, path, entry_point)?;
    let dir = among_generators(&mut program)
        .map_err(|e| Reason::new(format!("failed to copy the generator {name}: {e}")))?;
    let mut hash = hash_path(path)
        .map_err(|e| Reason::new(format!("failed to read {}: {e}", path.display())))?;
    if let Some(entry_point) = entry_point {
        hash = hash_all([hash.as_str(), entry_point]);
    }
    Ok(Tool {
        program: Arc::new(program),
        _dir: dir,
        hash,
        name: name.to_owned(),
    })
}

/// Moves a compiled program into a directory called `generators`, as BAPCtools does: an input
/// validator with its header generates an input instead of reading one if its path contains that
/// name.
fn among_generators(program: &mut Program) -> io::Result<Option<Arc<TempDirectory>>> {
    let own = program.mounts.first();
    if !own.is_some_and(|own| program.executable.starts_with(&own.host)) {
        // The executable is an interpreter.
        return Ok(None);
    }
    let owned = TempDirectory::new("generator").map_err(io::Error::other)?;
    let dir = owned.path().join("generators");
    fs::create_dir(&dir)?;
    let to = dir.join(program.executable.file_name().unwrap_or_default());
    fs::copy(&program.executable, &to)?;
    program.executable = to;
    program.mounts.push(read_only(&dir));
    Ok(Some(Arc::new(owned)))
}

fn solution(
    package: &Package,
    path: &str,
    full: &Path,
    toolchain: &Toolchain,
) -> Result<Tool, Reason> {
    if !full.exists() {
        return Err(Reason::new(format!(
            "no solution `/{path}` in the package\n  help: add it, or correct `solution`"
        )));
    }
    let noted: Option<&PackagedSubmission> = package.submissions.iter().find(|s| s.path == full);
    let request = Request {
        language: noted.and_then(|s| s.language.as_deref()),
        entry_point: noted.and_then(|s| s.entry_point.as_deref()),
        ..Request::submission(package, full)
    };
    let (prepared, _) = toolchain.submission(package, &request)?;
    let program = prepared.program();
    Ok(Tool {
        program: program
            .map_err(|what| Reason::new(format!("/{path} cannot be built: {what}")))?
            .clone(),
        _dir: None,
        hash: hash_path(full).map_err(|e| Reason::new(format!("failed to read /{path}: {e}")))?,
        name: format!("/{path}"),
    })
}

/// Runs a solution. The inner error describes how it failed.
pub fn run(
    program_runner: &mut ProgramRunner,
    tool: &Tool,
    stdin: Stdin<'_>,
) -> Result<Result<Ran, Reason>, Failure> {
    run_with(program_runner, tool, &[], stdin, &[])
}

/// Runs a generator and returns the files that it made, by extension: `in` is its output, or the file
/// `testcase.in` if it wrote one. The inner error describes how it failed.
pub fn generated(
    program_runner: &mut ProgramRunner,
    tool: &Tool,
    args: &[String],
) -> Result<Result<CaseFiles, Reason>, Failure> {
    let work = case_files();
    let ran = match run_with(program_runner, tool, args, Stdin::Empty, &work)? {
        Ok(ran) => ran,
        Err(how) => return Ok(Err(how)),
    };
    let mut files = CaseFiles::from([("in".to_owned(), whole_output(&ran)?)]);
    for (name, file) in &ran.written {
        let name = name.to_string_lossy();
        if let Some((_, extension)) = name.split_once('.') {
            let bytes = read_range(file, 0, u64::MAX)
                .map_err(|e| Failure::internal(format!("failed to read an output: {e}")))?;
            files.insert(extension.to_owned(), bytes);
        }
    }
    Ok(Ok(files))
}

/// The files of a case, by extension.
pub type CaseFiles = BTreeMap<String, Vec<u8>>;

/// The file that a generator may write instead of printing the input.
pub fn input_file() -> WorkFile {
    WorkFile {
        name: format!("{CASE_NAME}.in").into(),
        content: WorkContent::Output,
    }
}

/// The files that a generator may write in its work directory instead of printing the input.
fn case_files() -> Vec<WorkFile> {
    let others = TEXTS.into_iter().filter(|extension| *extension != "in");
    let others = others.chain(PICTURES).map(|extension| WorkFile {
        name: format!("{CASE_NAME}.{extension}").into(),
        content: WorkContent::Written,
    });
    [input_file()].into_iter().chain(others).collect()
}

fn run_with(
    program_runner: &mut ProgramRunner,
    tool: &Tool,
    args: &[String],
    stdin: Stdin<'_>,
    files: &[WorkFile],
) -> Result<Result<Ran, Reason>, Failure> {
    let limits = judge_core::judging::for_generator(&tool.program);
    let ran = run_generator(program_runner, &tool.program, args, stdin, files, &limits)?;
    Ok(ran.map_err(|how| Reason::new(format!("{} fails: {how}", tool.name))))
}
