//! `judge run --by-hand`: a person at the terminal plays one side of an interactive problem: the
//! submission against the package's interactor, or the interactor against a program.

use super::args::RunArgs;
use super::output::say;
use super::select;
use super::selected::Selected;
use judge_core::error::{Failure, Reason, exit_status};
use judge_core::judging::Toolchain;
use judge_core::language::Program;
use judge_core::submission::{Submission, Workspace};
use judge_core::text::{case_option, printable, shown};
use judge_core::verdict::ending;
use judge_package::{Package, TestCase, Validator, ValidatorProtocol};
use judge_sandbox::Exit;
use judge_tempdir::TempDirectory;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// Runs the other side with the streams of the terminal, outside the sandbox.
pub fn play(
    args: &RunArgs,
    toolchain: &Toolchain,
    selected: &[Selected],
    workspace: Option<&Workspace>,
) -> Result<u8, Failure> {
    let [
        Selected {
            package,
            cases,
            programs,
        },
    ] = selected
    else {
        let what = format!(
            "--by-hand takes one package, and {} are selected",
            selected.len()
        );
        return Err(Failure::usage(what).help("name the package"));
    };
    let case = match cases.as_slice() {
        [case] => case,
        [] => return Err(Failure::usage("--by-hand: no case is selected")),
        [first, ..] => {
            let what = format!("--by-hand takes one case, and {} are selected", cases.len());
            return Err(Failure::usage(what).help(format!("add {}", case_option(&first.name))));
        }
    };
    match programs.as_slice() {
        [] => play_submission(toolchain, package, case),
        [program] => play_interactor(args, toolchain, package, case, program, workspace),
        more => Err(Failure::usage(format!(
            "--by-hand takes one program, and {} are named",
            more.len()
        ))
        .help("name the program that you talk to, or none to play the submission")),
    }
}

/// The person plays the submission: runs the package's interactor.
fn play_submission(
    toolchain: &Toolchain,
    package: &Package,
    case: &TestCase,
) -> Result<u8, Failure> {
    let no_interactor = |why: &str| {
        Failure::usage(format!("--by-hand: {}: {why}", package.id))
            .help("name a program, and play the other side")
    };
    if !package.kind.interactive {
        return Err(no_interactor(
            "is not interactive, so no program answers you",
        ));
    }
    let interactor = package.validation.validators().first();
    let Some(Validator::Program { path, protocol }) = interactor else {
        return Err(no_interactor("has no program that talks to submissions"));
    };
    let program = toolchain.helper(package, path);
    let program = program.map_err(|bad| Failure::Package(vec![bad.into()]))?;
    let dir = TempDirectory::new("by-hand")?;
    let words = arguments(dir.path(), protocol, case).map_err(|why| no_interactor(&why))?;
    say(&format!(
        "you are the submission on {}, and talk to {}, outside the sandbox; end with Ctrl-D",
        case.name,
        package.original(path).display()
    ));
    let exit = run(&program, &words, None)?;
    let accepted = match protocol {
        ValidatorProtocol::Icpc => 42,
        _ => 0,
    };
    let is_right = exit == Exit::Code(accepted);
    say(&format!(
        "{} ({})",
        if is_right { "accepted" } else { "not accepted" },
        ending(exit)
    ));
    for (file, whom) in [("judgemessage.txt", "judges"), ("teammessage.txt", "team")] {
        if let Ok(text) = fs::read(dir.path().join(file)) {
            say(&format!(
                "message for the {whom}: {}",
                printable(&text).trim_end()
            ));
        }
    }
    Ok(exit_status::of(is_right))
}

/// The arguments of an interactor, whose files go to `dir`.
fn arguments(
    dir: &Path,
    protocol: &ValidatorProtocol,
    case: &TestCase,
) -> Result<Vec<OsString>, Reason> {
    let file = |name: &str| dir.join(name).into_os_string();
    let input = case.input.as_os_str().to_owned();
    let answer = match &case.answer {
        Some(answer) => answer.as_os_str().to_owned(),
        None => {
            let empty = dir.join("empty");
            fs::write(&empty, "").map_err(|e| Reason::new(format!("{}: {e}", empty.display())))?;
            empty.into_os_string()
        }
    };
    let mut words = match protocol {
        // The directory ends in a slash, because validators append names to it.
        ValidatorProtocol::Icpc => vec![input, answer, file("")],
        ValidatorProtocol::Testlib | ValidatorProtocol::TestlibOf200 => {
            vec![input, file("transcript"), answer]
        }
        _ => {
            return Err(Reason::new(
                "its interactor is called in a way that needs the sandbox",
            ));
        }
    };
    words.extend(case.validator_args.iter().map(OsString::from));
    Ok(words)
}

/// The person plays the interactor: runs the program.
fn play_interactor(
    args: &RunArgs,
    toolchain: &Toolchain,
    package: &Package,
    case: &TestCase,
    program: &Path,
    workspace: Option<&Workspace>,
) -> Result<u8, Failure> {
    let running = &args.judging.running;
    let submission = Submission::at(program, running.language.as_deref())?;
    let name = submission.name.clone();
    let format = args.judging.format;
    let built = select::program(submission, package, workspace, format, toolchain)?;
    say(&format!(
        "you are the interactor on {}, and talk to {name}, outside the sandbox; end with Ctrl-D",
        case.name
    ));
    if let Ok(input) = fs::read(&case.input) {
        say(&format!("the case's input:\n{}", shown(&input).trim_end()));
    }
    let dir = TempDirectory::new("by-hand")?;
    let words: Vec<OsString> = case.args.iter().map(OsString::from).collect();
    let exit = run(&built, &words, Some(dir.path()))?;
    say(&format!("{name}: {}", ending(exit)));
    Ok(exit_status::of(exit == Exit::Code(0)))
}

/// Runs a program with the streams of the terminal.
fn run(program: &Program, words: &[OsString], dir: Option<&Path>) -> Result<Exit, Failure> {
    let mut command = Command::new(&program.executable);
    command.args(program.args_for(None, words));
    command.envs(program.env.iter().map(|(name, value)| (name, value)));
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    let name = program.executable.display();
    let status = command.status();
    let status = status.map_err(|e| Failure::usage(format!("failed to run {name}: {e}")))?;
    Ok(exit_of(status))
}

/// How a program ended that ran outside the sandbox.
pub fn exit_of(status: ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code),
        None => Exit::Signal(judge_os::signal(status).unwrap_or_default()),
    }
}
