//! Test support: a toolchain with a private cache, and a function that runs a built program.

use crate::files::write;
use judge_core::language::{Cache, Languages, Prepared, Program, Request, Toolchain};
use judge_sandbox::{BoxSpec, Execution, Exit, Job, Limits, Mode};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub struct Bench {
    pub toolchain: Toolchain,
    pub dir: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self::with(Languages::built_in())
    }

    /// A bench with a user's table of languages.
    pub fn with_table(table: &str) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("languages.toml");
        std::fs::write(&file, table).expect("write the file");
        Self::with(Languages::load(Some(&file)).expect("load the language table"))
    }

    fn with(languages: Languages) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let cache = Cache::at(&dir.path().join("cache")).expect("a cache");
        let open = |spec: &BoxSpec| {
            judge_sandbox::open(&BoxSpec {
                mode: Mode::Auto,
                ..spec.clone()
            })
        };
        Bench {
            toolchain: Toolchain::with(languages, cache, open),
            dir,
        }
    }

    /// Writes the files of a program. Returns the path of the file, or of the directory if there
    /// are several.
    pub fn source(&self, files: &[(&str, &str)]) -> PathBuf {
        let dir = tempfile::tempdir_in(self.dir.path())
            .expect("a directory")
            .keep();
        for (name, text) in files {
            write(&dir, name, text);
        }
        match files {
            [(name, _)] => dir.join(name),
            _ => dir,
        }
    }

    pub fn request<'a>(&'a self, path: &'a Path) -> Request<'a> {
        Request {
            root: self.dir.path(),
            language: None,
            ..Request::alone("", path)
        }
    }

    pub fn build(&self, path: &Path) -> Prepared {
        self.toolchain
            .build(&self.request(path))
            .expect("use the sandbox")
    }
}

/// Returns the built program. If the machine lacks its tools, prints the reason and returns `None`.
pub fn ready(built: Prepared) -> Option<Program> {
    match built {
        Prepared::Ready(program) => {
            if let Some(note) = &program.note {
                println!("note: {note}");
            }
            Some(Arc::unwrap_or_clone(program))
        }
        Prepared::Skipped(why) => {
            println!("skipped: {why}");
            None
        }
        Prepared::CompileError(message) | Prepared::Failed(message) => {
            panic!("the source does not compile: {message}")
        }
    }
}

/// Runs a program and returns its output, followed by its standard error if it failed.
pub fn run(program: &Program, args: &[&str], input: &str) -> (Execution, String) {
    let mut sandbox = judge_sandbox::open(&BoxSpec {
        mounts: program.mounts.clone(),
        work_bytes: 64 << 20,
        ..BoxSpec::default()
    })
    .expect("use the sandbox");
    let (mut stdin, mut stdout) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    let mut stderr = tempfile::tempfile().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    stdin.seek(SeekFrom::Start(0)).unwrap();
    let memory = 1 << 30;
    let limits = Limits {
        cpu: Some(Duration::from_secs(20)),
        wall: Duration::from_secs(60),
        memory: Some(memory),
        processes: Some(16 + program.runtime_threads),
        ..Limits::default()
    };
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    let execution = sandbox
        .run(&Job {
            program: &program.executable,
            args: &program.args_for(Some(memory), &args),
            env: &program.env,
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: stderr.as_fd(),
            limits: &limits,
            count_instructions: false,
        })
        .expect("use the sandbox");
    let mut text = String::new();
    stdout.seek(SeekFrom::Start(0)).unwrap();
    stdout.read_to_string(&mut text).unwrap();
    if execution.exit != Exit::Code(0) {
        stderr.seek(SeekFrom::Start(0)).unwrap();
        stderr.read_to_string(&mut text).unwrap();
    }
    (execution, text)
}
