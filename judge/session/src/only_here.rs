//! Options and programs that mean something on this machine only, and are refused with `--nats`.

use super::args::{JudgingArgs, PreprocessorArgs, RunArgs, SandboxChoice};
use judge_core::error::Failure;
use judge_core::submission::{Source, Submission};
use judge_package::Package;

/// Refuses options of `judge run` that mean something on this machine only.
/// Fails for the first such option.
pub fn check_run(args: &RunArgs) -> Result<(), Failure> {
    check(&args.judging)?;
    let only_here = [
        (args.bins, "--bins", "leave it out, and name sources"),
        (args.debug, "--debug", "debug it without --nats"),
        (args.gdb, "--gdb", "debug it without --nats"),
        (
            args.keep.is_some(),
            "--keep",
            "judge the failing cases without --nats",
        ),
    ];
    refuse(&only_here)
}

/// Refuses options that mean something on this machine only.
/// Fails for the first such option.
pub fn check(args: &JudgingArgs) -> Result<(), Failure> {
    check_preprocessor(&args.running.preprocessor)?;
    let only_here = [
        (
            args.running.jobs.is_some(),
            "--jobs",
            "leave it out: each `judge worker` has its own --jobs",
        ),
        (
            args.running.sandbox != SandboxChoice::Auto,
            "--sandbox",
            "leave it out: workers isolate as well as their machines can",
        ),
        (
            args.running.languages.is_some(),
            "--languages",
            "leave it out: workers have the built-in table",
        ),
    ];
    refuse(&only_here)
}

/// Refuses directories of headers, which other machines do not have, and macros.
fn check_preprocessor(args: &PreprocessorArgs) -> Result<(), Failure> {
    let help = "write it into the program, or `judge bundle` the program first";
    refuse(&[
        (!args.include.is_empty(), "-I", help),
        (!args.define.is_empty(), "-D", help),
        (!args.undefine.is_empty(), "-U", help),
    ])
}

fn refuse(options: &[(bool, &str, &str)]) -> Result<(), Failure> {
    match options.iter().find(|(given, ..)| *given) {
        None => Ok(()),
        Some((_, option, help)) => {
            Err(Failure::usage(format!("{option} cannot be used with --nats")).help(*help))
        }
    }
}

/// Refuses programs that are built already: they may not run on other machines.
/// Fails for the first such program.
pub fn has_sources(package: &Package, submissions: &[Submission]) -> Result<(), Failure> {
    for submission in submissions {
        let help = match &submission.source {
            Source::Code { .. } => continue,
            Source::CargoBinary { .. } => format!(
                "write it as one source file and judge that: judge bundle {id} -o {id}.rs",
                id = package.id
            ),
            Source::Executable(_) => "name its source file".to_owned(),
        };
        let what = "a program that is built here cannot be judged with --nats: it may not run on \
                    other machines";
        return Err(Failure::usage(format!("{}: {what}", submission.name)).help(help));
    }
    Ok(())
}
