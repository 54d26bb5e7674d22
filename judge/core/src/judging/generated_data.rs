//! Generates the data of packages that contain generators instead of cases.
//!
//! The output of a generator depends only on its source, so the data are cached with the programs
//! and generated once. The package directory is not modified.

use super::diagnosis::explain::tail;
use super::toolchain::{BadHelper, Toolchain};
use super::{Settings, data_hashes, limits};
use crate::error::{Failure, Reason};
use crate::files::machine_failed;
use crate::language::Program;
use crate::parallel;
use crate::program_runner::{ProgramRunner, Ran, Run, Stdin, WorkFile};
use crate::verdict::{Verdict, classify, ending};
use judge_package::{AnswerOf, DataFile, Generation, InputOf, Package, Recipe};
use judge_sandbox::{Exit, Fault, Limits};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// Generates the missing data of a package and sets the paths of its cases.
///
/// # Errors
///
/// When a program of the package does not compile or fails.
pub fn generate_data(
    package: &mut Package,
    settings: &Settings,
    toolchain: &Toolchain,
) -> Result<(), Failure> {
    let Some(generation) = package.generation.take() else {
        return Ok(());
    };
    let broken = |what: BadHelper| Failure::usage(format!("{}: {what}", package.id));
    let maker = Maker::build(package, &generation, toolchain).map_err(broken)?;
    let key = maker
        .key()
        .map_err(|e| Failure::internal(format!("failed to read what the data are made of: {e}")))?;
    let parts: Vec<&[u8]> = key.iter().map(Vec::as_slice).collect();
    let dir = toolchain
        .languages
        .keep(&parts, |dir| maker.make_all(dir, settings))?;
    let dir = dir.join("data");
    if let Some(expected) = &generation.hashes {
        let found = data_hashes::check(expected, &dir);
        let found = found.map_err(machine_failed("read the hashes of", &dir))?;
        package.findings.extend(found);
    }
    package.data.visit_cases(&mut |case| {
        for file in std::iter::once(&mut case.input).chain(&mut case.answer) {
            if let DataFile::Generated(name) = file {
                *file = dir.join(name).into();
            }
        }
    });
    package.data_dirs.push(dir);
    fit_answers(package);
    Ok(())
}

/// Raises the output limit for the generated answers, as reading the package does for existing ones.
fn fit_answers(package: &mut Package) {
    let answers = package.cases().into_iter();
    let answers = answers.filter_map(|case| case.answer.as_ref()?.metadata().ok());
    let largest = answers.map(|answer| answer.len()).max();
    package.limits.fit_answer(largest.unwrap_or_default());
}

struct Maker<'g> {
    generation: &'g Generation,
    /// Programs by the paths of their sources.
    programs: HashMap<&'g Path, Program>,
}

impl<'g> Maker<'g> {
    fn build(
        package: &Package,
        generation: &'g Generation,
        toolchain: &Toolchain,
    ) -> Result<Self, BadHelper> {
        let mut programs = HashMap::new();
        for path in generation.programs() {
            if !programs.contains_key(path) {
                programs.insert(path, toolchain.helper(package, path)?);
            }
        }
        Ok(Maker {
            generation,
            programs,
        })
    }

    /// Cache key of the data.
    fn key(&self) -> io::Result<Vec<Vec<u8>>> {
        let hashed = u8::from(self.generation.hashes.is_some());
        let mut key = vec![b"made data 4".to_vec(), vec![hashed]];
        let mut file = |path: &Path| -> io::Result<()> {
            key.push(fs::read(path)?);
            Ok(())
        };
        for recipe in &self.generation.recipes {
            match &recipe.input {
                InputOf::File(path) => file(path)?,
                InputOf::Program { stdin, .. } => stdin.as_deref().map_or(Ok(()), &mut file)?,
            }
            if let AnswerOf::File(path) = &recipe.answer {
                file(path)?;
            }
        }
        // The path of a cached program identifies its source and compiler.
        let identity = |path: Option<&Path>| {
            let program = path.and_then(|path| self.programs.get(path));
            format!("{:?}", program.map(|p| (&p.executable, &p.args)))
        };
        for recipe in &self.generation.recipes {
            let made = match &recipe.input {
                InputOf::Program { path, args, .. } => format!("{} {args:?}", identity(Some(path))),
                InputOf::File(_) => String::new(),
            };
            let answer = match &recipe.answer {
                AnswerOf::Solution => identity(self.generation.solution.as_deref()),
                other => format!("{:?}", std::mem::discriminant(other)),
            };
            // Data that were generated within wider limits may exceed these.
            let limits = recipe.limits;
            key.push(format!("{made} {answer} {} {limits:?}", recipe.normalize).into_bytes());
        }
        Ok(key)
    }

    /// Generates all cases in `dir`, on all cores.
    fn make_all(&self, dir: &Path, settings: &Settings) -> Result<(), Failure> {
        let dir = dir.join("data");
        let dir = &dir;
        fs::create_dir_all(dir).map_err(machine_failed("create", dir))?;
        let recipes: Vec<(usize, &Recipe)> = self.generation.recipes.iter().enumerate().collect();
        parallel::each(
            settings.jobs,
            &recipes,
            |core| Ok(ProgramRunner::new(settings.mode, core)),
            |program_runner, (k, recipe)| self.make(program_runner, dir, *k, recipe),
            |_, ()| {},
        )?;
        if self.generation.hashes.is_some() {
            data_hashes::note(self.generation, dir)
                .map_err(machine_failed("hash the data in", dir))?;
        }
        Ok(())
    }

    fn make(
        &self,
        program_runner: &mut ProgramRunner,
        dir: &Path,
        index: usize,
        recipe: &Recipe,
    ) -> Result<(), Failure> {
        let input = dir.join(Recipe::input_name(index));
        let answer = dir.join(Recipe::answer_name(index));
        let keep = |from: &mut File, to: &Path, normalize: bool| -> Result<(), Failure> {
            let copied = from
                .seek(SeekFrom::Start(0))
                .and_then(|_| copy(from, to, normalize));
            copied.map_err(machine_failed("write", to))
        };
        let open = |path: &Path| File::open(path).map_err(machine_failed("open", path));
        let (raw, lines) = (false, recipe.normalize);
        match &recipe.input {
            InputOf::File(path) => keep(&mut open(path)?, &input, raw)?,
            InputOf::Program { path, args, stdin } => {
                let mut ran = self.run(program_runner, recipe, path, args, stdin.as_deref())?;
                keep(&mut ran.stdout, &input, raw)?;
                if recipe.answer == AnswerOf::Stderr {
                    keep(&mut ran.stderr, &answer, lines)?;
                }
            }
        }
        match &recipe.answer {
            AnswerOf::Stderr => {}
            AnswerOf::File(path) => keep(&mut open(path)?, &answer, lines)?,
            AnswerOf::Solution => {
                let solution = self.generation.solution.as_deref().unwrap_or(dir);
                let mut ran = self.run(program_runner, recipe, solution, &[], Some(&input))?;
                keep(&mut ran.stdout, &answer, lines)?;
            }
        }
        Ok(())
    }

    fn run(
        &self,
        program_runner: &mut ProgramRunner,
        recipe: &Recipe,
        path: &Path,
        args: &[String],
        stdin: Option<&Path>,
    ) -> Result<Ran, Failure> {
        let case = &recipe.case;
        let program = self.programs.get(path).ok_or_else(|| {
            Failure::usage(format!("{case}: no program makes it ({})", path.display()))
        })?;
        let mut limits = limits::for_generator(program);
        if let Some(time) = recipe.limits.time {
            limits.cpu = Some(time);
            limits.wall = time * 2 + Duration::from_secs(30);
        }
        limits.memory = recipe.limits.memory.or(limits.memory);
        let stdin = stdin.map_or(Stdin::Empty, Stdin::File);
        run_generator(program_runner, program, args, stdin, &[], &limits)?.map_err(|how| {
            let command = format!("{} {}", path.display(), args.join(" "));
            Failure::usage(format!(
                "{case} cannot be made: {}: {how}",
                command.trim_end()
            ))
        })
    }
}

/// Copies a file. With `normalize`, `\r\n` and `\r` become `\n`, and the last line gets a line
/// feed.
fn copy(from: &mut File, to: &Path, normalize: bool) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(to)?);
    if !normalize {
        io::copy(from, &mut out)?;
        return out.flush();
    }
    let mut from = BufReader::new(from);
    let mut buffer = vec![0; 64 << 10];
    let (mut after_return, mut last) = (false, b'\n');
    loop {
        let n = from.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        for &byte in &buffer[..n] {
            match byte {
                b'\n' if after_return => {}
                b'\r' => out.write_all(b"\n")?,
                _ => out.write_all(&[byte])?,
            }
            after_return = byte == b'\r';
            last = if byte == b'\r' { b'\n' } else { byte };
        }
    }
    if last != b'\n' {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Runs a generator. The inner error says how it failed, with its messages.
///
/// # Errors
///
/// When `stdin` cannot be read, or the sandbox fails.
pub fn run_generator(
    program_runner: &mut ProgramRunner,
    program: &Program,
    args: &[String],
    stdin: Stdin<'_>,
    files: &[WorkFile],
    limits: &Limits,
) -> Result<Result<Ran, Reason>, Fault> {
    let run = Run {
        files,
        ..Run::helper(args, stdin, limits)
    };
    let ran = program_runner.run(program, &run)?;
    let how = match (classify(&ran.execution, limits), ran.execution.exit) {
        (None, Exit::Code(0)) => return Ok(Ok(ran)),
        (Some(Verdict::MemoryLimitExceeded), _) => "exceeded its memory limit".to_owned(),
        (Some(Verdict::TimeLimitExceeded), _) => "exceeded its time limit".to_owned(),
        (_, exit) => ending(exit),
    };
    let said = tail(&ran.stderr, program).unwrap_or_default();
    Ok(Err(Reason::new(format!("{how}\n{said}").trim_end())))
}

/// The output of a generator. The inner error says how it failed, with its messages.
///
/// # Errors
///
/// As for `run_generator`, and when the output cannot be read.
pub fn output_of_generator(
    program_runner: &mut ProgramRunner,
    program: &Program,
    args: &[String],
    stdin: Stdin<'_>,
    files: &[WorkFile],
    limits: &Limits,
) -> Result<Result<Vec<u8>, Reason>, Failure> {
    match run_generator(program_runner, program, args, stdin, files, limits)? {
        Ok(ran) => whole_output(&ran).map(Ok),
        Err(how) => Ok(Err(how)),
    }
}

/// All that a program wrote to its standard output.
pub fn whole_output(ran: &Ran) -> Result<Vec<u8>, Failure> {
    let output = ran.output(u64::MAX);
    output.map_err(|e| Failure::internal(format!("failed to read an output: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_package::{LimitSource, TestCase};

    #[test]
    fn the_largest_generated_answer_fits_the_output_limit() {
        let dir = tempfile::tempdir().unwrap();
        let answer = |name: &str, size: u64| {
            let path = dir.path().join(name);
            File::create(&path).unwrap().set_len(size).unwrap();
            TestCase {
                answer: Some(path.into()),
                ..TestCase::default()
            }
        };
        let mut package = Package::default();
        package.data.cases = vec![answer("1", 70_000_001), answer("2", 10)];
        let own = package.limits.output;
        fit_answers(&mut package);
        assert_eq!(package.limits.output, own, "the limit is not the judge's");
        package.limits.output_from = LimitSource::Judge;
        fit_answers(&mut package);
        assert_eq!(package.limits.output, 140_000_002);
    }

    #[test]
    fn line_ends_are_made_the_same() {
        let dir = tempfile::tempdir().unwrap();
        for (text, expected) in [
            ("a\r\nb\rc", "a\nb\nc\n"),
            ("a\n", "a\n"),
            ("", ""),
            ("\r\n\r\n", "\n\n"),
            ("a\r", "a\n"),
        ] {
            let (from, to) = (dir.path().join("from"), dir.path().join("to"));
            fs::write(&from, text).unwrap();
            copy(&mut File::open(&from).unwrap(), &to, true).unwrap();
            assert_eq!(fs::read_to_string(&to).unwrap(), expected, "{text:?}");
        }
    }
}
