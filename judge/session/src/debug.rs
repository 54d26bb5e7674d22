//! `judge run --debug` and `--gdb`: one program on one case, outside the sandbox.

use super::args::RunArgs;
use super::by_hand::exit_of;
use super::history;
use super::output::say;
use super::select;
use judge_core::error::{Failure, exit_status};
use judge_core::files::{copy, failed};
use judge_core::judging::{PlanEntry, Settings, Toolchain, is_unchecked, prepare_checker};
use judge_core::language::{self, Program, read_only};
use judge_core::submission::{Source, Submission, Workspace, build_debug};
use judge_core::text::case_option;
use judge_core::verdict::ending;
use judge_package::{Package, TestCase};
use judge_tempdir::TempDirectory;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// A program that is ready to run, with the directory that it was built in.
struct Ready {
    program: Program,
    dir: Option<TempDirectory>,
}

/// Builds and runs the program; Ctrl-C is for it alone. The exit status is 1 if it fails.
pub fn debug(
    args: &RunArgs,
    settings: &Settings,
    toolchain: &Toolchain,
    chosen: &[PlanEntry],
    workspace: Option<&Workspace>,
) -> Result<u8, Failure> {
    let (package, case, submission) = only(chosen)?;
    check_usage(args, package, case)?;
    let ready = build(args, toolchain, package, submission, workspace)?;
    let input = std::path::absolute(&case.input)
        .map_err(|e| Failure::usage(format!("{}: {e}", case.input.display())))?;
    let work = work_dir(package, case, &input)?;
    let program = &ready.program;
    let mut command = command(args, program, case, &input)?;
    if let Some(work) = &work {
        command.current_dir(work.path());
    }
    say(&format!(
        "{} on {}, outside the sandbox and without limits",
        submission.name, case.name
    ));
    let name = command.get_program().display().to_string();
    let failed = |e: io::Error| Failure::usage(format!("failed to run {name}: {e}"));
    if args.gdb {
        // gdb itself says how the program ended.
        let status = command.status().map_err(failed)?;
        say_answer(case);
        return Ok(exit_status::of(status.success()));
    }
    // A program that is not built for debugging runs from the cache.
    let cached = Some(program).filter(|_| ready.dir.is_none());
    let (status, output) = run_and_keep(&mut command, cached).map_err(failed)?;
    say(&format!("{}: {}", submission.name, ending(exit_of(status))));
    let mut is_right = status.success();
    if is_right {
        let own = work.as_ref().zip(package.file_io.output.as_ref());
        let own = own.and_then(|(work, name)| File::open(work.path().join(name)).ok());
        let own = own.filter(|file| file.metadata().is_ok_and(|m| m.len() > 0));
        is_right = check(settings, toolchain, package, case, &own.unwrap_or(output))?;
    }
    say_answer(case);
    Ok(exit_status::of(is_right))
}

/// Refuses a problem without a single run, and gdb where it is not installed.
fn check_usage(args: &RunArgs, package: &Package, case: &TestCase) -> Result<(), Failure> {
    let kind = package.kind;
    if kind.interactive || kind.multi_pass || kind.submit_answer || case.is_static {
        return Err(Failure::usage(format!(
            "--debug: {} is interactive or has several passes or no program, and there is no single \
             run to debug",
            package.id
        )));
    }
    if args.gdb && language::search("gdb").is_none() {
        return Err(Failure::usage("--gdb: gdb is not installed").help(format!(
            "{}, or run with --debug",
            language::how_to_install("apt install gdb")
        )));
    }
    Ok(())
}

/// The command that runs the program on the input, by itself or in gdb.
fn command(
    args: &RunArgs,
    program: &Program,
    case: &TestCase,
    input: &Path,
) -> Result<Command, Failure> {
    let arguments = program.args_for(None, &case.args);
    let mut command = match args.gdb {
        true => {
            let mut gdb = Command::new("gdb");
            let path = input.display().to_string().replace('\'', r"'\''");
            gdb.args(["-q", "-ex", &format!("run < '{path}'"), "--args"]);
            gdb.arg(&program.executable).args(arguments);
            gdb
        }
        false => {
            let file = File::open(input)
                .map_err(|e| Failure::usage(format!("{}: {e}", input.display())))?;
            let mut direct = Command::new(&program.executable);
            direct.args(arguments).stdin(file);
            direct
        }
    };
    command.envs(program.env.iter().map(|(name, value)| (name, value)));
    for (name, value) in [
        // A leak is no error of a program that ends at once.
        ("ASAN_OPTIONS", "detect_leaks=0"),
        ("UBSAN_OPTIONS", "print_stacktrace=1"),
        ("RUST_BACKTRACE", "1"),
    ] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    Ok(command)
}

fn say_answer(case: &TestCase) {
    if let Some(answer) = &case.answer {
        say(&format!("the answer is in {}", answer.display()));
    }
}

/// Runs a program whose standard output also goes to a temporary file. The messages of a `cached` one name its
/// files as their author knows them.
fn run_and_keep(command: &mut Command, cached: Option<&Program>) -> io::Result<(ExitStatus, File)> {
    let cached = cached.filter(|program| program.language.is_some());
    if cached.is_some() {
        command.stderr(Stdio::piped());
    }
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let messages = child.stderr.take().zip(cached);
    std::thread::scope(|scope| {
        let messages = messages.map(|(pipe, program)| scope.spawn(move || pass_on(pipe, program)));
        let kept = pass_output_on(&mut child)?;
        if let Some(messages) = messages {
            messages.join().unwrap_or(Ok(()))?;
        }
        Ok((child.wait()?, kept))
    })
}

/// Passes standard error on, line by line, with the program's own names.
fn pass_on(pipe: impl Read, program: &Program) -> io::Result<()> {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    while pipe.read_until(b'\n', &mut line)? > 0 {
        let shown = match String::from_utf8(std::mem::take(&mut line)) {
            Ok(line) => program.with_own_names(line).into_bytes(),
            Err(line) => line.into_bytes(),
        };
        // A closed standard error does not end the program.
        let _ = io::stderr().write_all(&shown);
    }
    Ok(())
}

/// Passes standard output on, and returns a copy of it.
fn pass_output_on(child: &mut Child) -> io::Result<File> {
    let mut kept = tempfile::tempfile()?;
    if let Some(mut pipe) = child.stdout.take() {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let n = match pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            kept.write_all(&buffer[..n])?;
            // A closed standard output does not end the program.
            let mut shown = io::stdout();
            let _ = shown.write_all(&buffer[..n]).and_then(|()| shown.flush());
        }
    }
    Ok(kept)
}

/// Checks the output as in judging, says the result, and returns whether it is right.
fn check(
    settings: &Settings,
    toolchain: &Toolchain,
    package: &Package,
    case: &TestCase,
    output: &File,
) -> Result<bool, Failure> {
    if is_unchecked(package, case) {
        say("no answer beside the input: the output is not checked");
        return Ok(true);
    }
    let failed = |what: String| Failure::internal(format!("failed to check the output: {what}"));
    let checker = prepare_checker(package, toolchain)?;
    let mounts: Vec<_> = package.directories().into_iter().map(read_only).collect();
    let outcome = checker
        .session(&mounts, settings.mode, None)?
        .check(case, output)
        .map_err(|fault| failed(fault.to_string()))?;
    let is_right = outcome.is_accepted();
    let message = outcome.message.unwrap_or_default();
    say(match is_right {
        true => "the output is right",
        false => "the output is wrong",
    });
    if !message.is_empty() {
        say(&message);
    }
    Ok(is_right)
}

fn only(chosen: &[PlanEntry]) -> Result<(&Package, &TestCase, &Submission), Failure> {
    let many = |count: usize, what: &str, help: &str| {
        Failure::usage(format!(
            "--debug runs one program on one case, and {count} {what} are selected"
        ))
        .help(help)
    };
    let [entry] = chosen else {
        return Err(many(chosen.len(), "packages", "name one"));
    };
    let (cases, submissions) = (&entry.cases, &entry.submissions);
    let [planned] = submissions.as_slice() else {
        return Err(many(submissions.len(), "programs", "name one"));
    };
    match cases.as_slice() {
        [case] => Ok((&entry.package, case, &planned.submission)),
        [first, ..] => {
            let failed = history::failed_case(&entry.package, &planned.submission.name);
            let failed = failed.filter(|name| cases.iter().any(|case| case.name == *name));
            let help = match &failed {
                Some(name) => format!("add {}, which failed last", case_option(name)),
                None => format!("add {}", case_option(&first.name)),
            };
            Err(many(cases.len(), "cases", &help))
        }
        [] => Err(many(0, "cases", "name one")),
    }
}

fn build(
    args: &RunArgs,
    toolchain: &Toolchain,
    package: &Package,
    submission: &Submission,
    workspace: Option<&Workspace>,
) -> Result<Ready, Failure> {
    let as_it_is = |program: Program, why: &str| {
        say(&format!("{}: {why}; it runs as it is", submission.name));
        Ok(Ready { program, dir: None })
    };
    let request = match (&submission.source, workspace) {
        (Source::Executable(path), _) => {
            return as_it_is(Program::executable(path), "an executable is not built");
        }
        (Source::CargoBinary { package, target }, Some(workspace)) => {
            let path = build_debug(&workspace.root, package, target)?;
            return Ok(Ready {
                program: Program::executable(path),
                dir: None,
            });
        }
        (source, _) => source.request(package),
    };
    let request = request.ok_or_else(|| Failure::internal("a crate without workspace"))?;
    let dir = TempDirectory::new("debug")?;
    let built = toolchain
        .languages
        .debug_build(&request, dir.path(), !args.gdb)
        .map_err(|what| Failure::usage(format!("{}: {what}", submission.name)))?;
    let Some(built) = built else {
        let (own, format) = (submission.clone(), args.judging.format);
        let program = select::program(own, package, workspace, format, toolchain)?;
        let why = "there is no build for debugging in this language";
        return as_it_is(program, why);
    };
    compile(&built.compile, &built.program, dir.path())?;
    Ok(Ready {
        program: built.program,
        dir: Some(dir),
    })
}

fn compile(words: &[OsString], program: &Program, dir: &Path) -> Result<(), Failure> {
    let shown: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    // One line, which can be copied.
    let _ = writeln!(io::stderr(), "{}", shown.join(" "));
    let (first, rest) = words
        .split_first()
        .ok_or_else(|| Failure::internal("an empty command"))?;
    let mut compiler = Command::new(first);
    compiler.args(rest).current_dir(dir);
    compiler.envs(program.env.iter().map(|(name, value)| (name, value)));
    let status = compiler
        .status()
        .map_err(|e| Failure::usage(format!("failed to start {}: {e}", first.display())))?;
    match status.success() {
        true => Ok(()),
        // The compiler has printed why.
        false => Err(Failure::usage("the program does not compile for debugging")),
    }
}

/// A temporary working directory with the files that the package places there; `None` if it places
/// none.
fn work_dir(
    package: &Package,
    case: &TestCase,
    input: &Path,
) -> Result<Option<TempDirectory>, Failure> {
    let name = package.file_io.input.as_ref();
    if name.is_none() && case.files.is_none() {
        return Ok(None);
    }
    let dir = TempDirectory::new("debug")?;
    if let Some(files) = &case.files {
        copy(files, dir.path(), None, |inside| {
            Some(inside.file_name()?.to_string_lossy().into_owned())
        })?;
    }
    if let Some(name) = name {
        std::fs::copy(input, dir.path().join(name)).map_err(failed("copy", input))?;
    }
    Ok(Some(dir))
}
