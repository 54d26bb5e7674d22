//! The environment of programs.

use std::ffi::{OsStr, OsString};

/// The variables of every program on Unix. `HOME`, the work directory, is added.
#[cfg(unix)]
pub const FIXED: [(&str, &str); 4] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("LANG", "C.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("ONLINE_JUDGE", "1"),
];

/// A variable: name and value.
pub type Variable<'a> = (&'a OsStr, &'a OsStr);

/// Adds variables, which override those of the same name.
pub fn add<'a>(all: &mut Vec<Variable<'a>>, extra: &'a [(OsString, OsString)]) {
    for (name, value) in extra {
        all.retain(|(other, _)| other != name);
        all.push((name, value));
    }
}
