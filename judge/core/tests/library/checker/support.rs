//! Test support: a case whose validators are shell scripts, which need no compiler.

use judge_core::checker::{CheckFault, Checker, Outcome, Session};
use judge_core::language::{Program, read_only};
use judge_core::program_runner::{ProgramRunner, Run, Stdin};
use judge_package::{PackageLimits, TestCase, Validation, Validator, ValidatorProtocol};
use judge_sandbox::{Canceller, Execution, Fault, Limits, Mode};
use std::convert::Infallible;
use std::fs::{self, File};
use std::io::Write;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::Duration;

pub struct Bench {
    pub dir: tempfile::TempDir,
    pub case: TestCase,
}

impl Bench {
    /// Makes a case with an input and an answer.
    pub fn new(input: &str, answer: &str) -> Self {
        let dir = tempfile::tempdir().expect("make a temporary directory");
        fs::write(dir.path().join("1.in"), input).expect("write the input");
        fs::write(dir.path().join("1.ans"), answer).expect("write the answer");
        let case = TestCase {
            name: "secret/1".to_string(),
            input: dir.path().join("1.in").into(),
            answer: Some(dir.path().join("1.ans").into()),
            ..TestCase::default()
        };
        Bench { dir, case }
    }

    /// Writes a shell script as a program.
    pub fn script(&self, name: &str, text: &str) -> Program {
        let path = self.dir.path().join(name);
        fs::write(&path, text).expect("write the script");
        Program {
            args: vec![path.into_os_string()],
            mounts: vec![read_only(self.dir.path())],
            ..Program::executable("/bin/sh")
        }
    }

    pub fn checker(&self, protocol: ValidatorProtocol, script: &str, multi_pass: bool) -> Checker {
        let limits = PackageLimits {
            validation_time: Duration::from_secs(1),
            validation_output: 1 << 20,
            ..PackageLimits::default()
        };
        // Each case has its own validator, so that a test can select another.
        let validation = Validation::PerCase(vec![Validator::Program {
            path: "validator.sh".into(),
            protocol,
        }]);
        let mut build =
            |_: &Path| -> Result<Program, Infallible> { Ok(self.script("validator.sh", script)) };
        Checker::prepare(&validation, &limits, multi_pass, &mut build).expect("prepare the checker")
    }

    pub fn session<'c>(&self, checker: &'c Checker) -> Session<'c> {
        checker
            .session(&[read_only(self.dir.path())], Mode::Auto, None)
            .expect("make the session's directory")
    }

    /// Runs a validator on an output.
    pub fn check(
        &self,
        protocol: ValidatorProtocol,
        script: &str,
        output: &str,
    ) -> Result<Outcome, CheckFault> {
        let checker = self.checker(protocol, script, false);
        self.session(&checker).check(&self.case, &file(output))
    }
}

pub fn file(text: &str) -> File {
    let mut file = tempfile::tempfile().expect("make a temporary file");
    file.write_all(text.as_bytes()).expect("write the file");
    file
}

/// Runs a program whose standard output is the one of the canceller.
pub fn run_with_output(
    program: &Program,
    limits: &Limits,
    stdin: BorrowedFd<'_>,
    canceller: &Canceller,
) -> Result<Execution, Fault> {
    let run = Run {
        canceller: Some(canceller),
        ..Run::<String>::helper(&[], Stdin::Open(stdin), limits)
    };
    ProgramRunner::new(Mode::Auto, None)
        .run(program, &run)
        .map(|ran| ran.execution)
}
