//! A program that is ready to run.

use judge_sandbox::Mount;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Placeholder in an argument of [`Program`]: the memory limit in MiB less the runtime's own
/// memory.
pub const HEAP_MIB: &str = "{heap_mib}";
/// Heap size of a virtual machine if memory is not limited.
const DEFAULT_HEAP_MIB: u64 = 2048;

/// Known paths of the library of coreutils' `stdbuf`.
const STDBUF: [&str; 4] = [
    "/usr/libexec/coreutils/libstdbuf.so",
    "/usr/lib/x86_64-linux-gnu/coreutils/libstdbuf.so",
    "/usr/lib/coreutils/libstdbuf.so",
    "/usr/lib64/coreutils/libstdbuf.so",
];

/// A program that is ready to run: how to start it, and the mounts it needs.
///
/// ```
/// use judge_core::language::Program;
/// let program = Program::executable("/bin/true");
/// assert!(program.args_for(None, &["--help".to_string()]).len() == 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The executable: an absolute path of the host.
    pub executable: PathBuf,
    /// The arguments before those of the test case; [`HEAP_MIB`] in them is replaced.
    pub args: Vec<OsString>,
    /// Additional environment variables.
    pub env: Vec<(OsString, OsString)>,
    /// The mounts that it needs, each at its path on the host.
    pub mounts: Vec<Mount>,
    /// The language's name, if it was built from source.
    pub language: Option<String>,
    /// The language's code, if it was built from source.
    pub language_code: Option<String>,
    /// Threads and processes that its runtime starts by itself.
    pub runtime_threads: u32,
    /// Memory that its runtime needs in addition to the program, in bytes; [`HEAP_MIB`] is the
    /// limit less this.
    pub runtime_memory: u64,
    /// The text that its runtime writes to standard error when its heap is full.
    pub out_of_memory: Option<String>,
    /// Files to provide in its working directory: the name there and the path on the host, which
    /// lies in one of the mounts.
    pub beside: Vec<(PathBuf, PathBuf)>,
    /// A note for the user, such as that another interpreter is used.
    pub note: Option<String>,
    /// The directory of its sources as messages name it; empty if they name files without it.
    pub source_dir: PathBuf,
}

/// Result of preparing a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prepared {
    /// A program to run.
    Ready(Arc<Program>),
    /// A compile error: the compiler's message, shortened.
    CompileError(String),
    /// A compiler or interpreter is missing on this machine: `Haskell: ghc not installed`.
    Skipped(String),
    /// The judge failed to build the program, or was too slow: why.
    Failed(String),
}

impl Prepared {
    /// A program on another machine, with the compiler's note.
    pub fn elsewhere(note: Option<String>) -> Self {
        Program {
            note,
            ..Program::executable("")
        }
        .into()
    }

    /// The program, or why there is none.
    pub fn program(&self) -> Result<&Arc<Program>, &str> {
        match self {
            Prepared::Ready(program) => Ok(program),
            Prepared::CompileError(message)
            | Prepared::Skipped(message)
            | Prepared::Failed(message) => Err(message),
        }
    }
}

impl From<Program> for Prepared {
    fn from(program: Program) -> Self {
        Prepared::Ready(Arc::new(program))
    }
}

impl Program {
    /// An executable file without further requirements.
    pub fn executable(path: impl Into<PathBuf>) -> Self {
        let executable = path.into();
        Program {
            mounts: vec![read_only(&executable)],
            executable,
            args: Vec::new(),
            env: Vec::new(),
            language: None,
            language_code: None,
            runtime_threads: 0,
            runtime_memory: 0,
            out_of_memory: None,
            beside: Vec::new(),
            note: None,
            source_dir: PathBuf::new(),
        }
    }

    /// Whether the file that is executed is the author's own, as opposed to an interpreter of this
    /// machine.
    pub fn starts_own_file(&self) -> bool {
        let own = self.mounts.first();
        own.is_some_and(|own| self.executable.starts_with(&own.host)) && self.executable.is_file()
    }

    /// The program's message with the names of its files as their author knows them: an
    /// interpreter's traceback and a failed assertion name the directory in which it was built.
    pub fn with_own_names(&self, message: String) -> String {
        let built_in = self.mounts.first().and_then(|own| own.host.to_str());
        match built_in.filter(|dir| dir.len() > 1 && message.contains(dir)) {
            Some(dir) => {
                let own = self.source_dir.join("").display().to_string();
                message.replace(&format!("{dir}/"), &own)
            }
            None => message,
        }
    }

    /// The same program with unbuffered standard output: by its runtime's environment variable, and
    /// like `stdbuf -o0` for runtimes that use the C library's buffers.
    #[must_use]
    pub fn unbuffered(mut self) -> Self {
        let mut set = |name: &str, value: &str| self.env.push((name.into(), value.into()));
        set("PYTHONUNBUFFERED", "1");
        let library = STDBUF.iter().find(|path| Path::new(path).is_file());
        if let Some(library) = library {
            set("LD_PRELOAD", library);
            set("_STDBUF_O", "0");
        }
        self
    }

    /// All arguments (after the program's name) for a run under this memory limit in bytes.
    pub fn args_for<Arg: AsRef<OsStr>>(
        &self,
        memory: Option<u64>,
        case_args: &[Arg],
    ) -> Vec<OsString> {
        let heap = memory.map_or(DEFAULT_HEAP_MIB, |bytes| {
            (bytes.saturating_sub(self.runtime_memory) >> 20).max(16)
        });
        let fill = |arg: &OsString| match arg.to_str() {
            Some(text) if text.contains(HEAP_MIB) => {
                OsString::from(text.replace(HEAP_MIB, &heap.to_string()))
            }
            _ => arg.clone(),
        };
        self.args
            .iter()
            .map(fill)
            .chain(case_args.iter().map(|arg| arg.as_ref().to_owned()))
            .collect()
    }
}

/// A read-only mount of `path` at the same path.
pub fn read_only(path: &Path) -> Mount {
    Mount {
        host: path.to_path_buf(),
        inside: path.to_path_buf(),
        writable: false,
    }
}
