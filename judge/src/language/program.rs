//! A program that can be run: what a box must hold, and how to start it.

use judge_sandbox::{Mount, Sandbox};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A program ready to run, many times, in boxes that hold its `mounts`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Program {
    /// The executable, as a path of the host: the program itself, or an interpreter.
    pub executable: PathBuf,
    /// The arguments after the program's name.
    pub args: Vec<Arg>,
    /// Variables beside the clean, fixed environment.
    pub env: Vec<(OsString, OsString)>,
    /// What the box must show besides the system.
    pub mounts: Vec<Mount>,
}

/// An argument of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// Text, as it is.
    Text(OsString),
    /// A path of the host, which the program is given as it sees it inside the box.
    Path(PathBuf),
}

impl Program {
    /// An executable file that needs nothing but the system's libraries.
    pub fn native(path: &Path) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str());
        Program {
            executable: path.to_owned(),
            mounts: vec![Mount {
                host: path.to_owned(),
                inside: Path::new("/program").join(name),
                writable: false,
            }],
            ..Program::default()
        }
    }

    /// The arguments as the program gets them in this box, `more` after its own.
    pub fn args_inside(&self, sandbox: &dyn Sandbox, more: &[String]) -> Vec<OsString> {
        self.args
            .iter()
            .map(|arg| match arg {
                Arg::Text(text) => text.clone(),
                Arg::Path(path) => sandbox.inside(path).into_os_string(),
            })
            .chain(more.iter().map(OsString::from))
            .collect()
    }
}
