//! Headers that take long to compile, compiled beforehand: `bits/stdc++.h` costs g++ a second in
//! every program.
//!
//! A program gets one only where its sources begin with it. The compiler is then in the state in
//! which it made the header, so the program becomes what it would become without. Whatever goes
//! wrong with it, the program is compiled the plain way, and that decides.

use super::cache::{Entry, Key, Look};
use super::compile::{self, Allowance, Compiled};
use super::config::{Header, Profile, STANDARD, split_command};
use super::plan::Plan;
use super::planned::Planned;
use super::program::read_only;
use super::source::SourceFile;
use super::toolchain::{Request, Toolchain};
use super::tools::Tools;
use crate::text::hex;
use judge_sandbox::{Fault, Mount};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The header alone: the file that is precompiled.
const MAIN: &str = "header.h";
/// What the compiler says of the files that went in.
const LIST: &str = "list";
/// Where the compiler looks for it.
const INCLUDE: &str = "include";
/// What making it may take; it is the judge's own, and no package limits it.
const ALLOWANCE: Allowance = Allowance {
    time: Duration::from_secs(60),
    memory: 2 << 30,
};

/// A header for one compiler and one set of flags.
#[derive(Clone, PartialEq, Debug)]
pub struct Precompilation {
    header: Header,
    tools: Tools,
}

/// The header that a program of these files would be compiled with.
pub fn wanted(
    (profile, standard): (&Profile, &str),
    tools: &Tools,
    files: &[SourceFile],
    is_source: impl Fn(&Path) -> bool,
) -> Option<Precompilation> {
    let header = profile.header.as_ref()?;
    let name = Path::new(&header.name);
    let mut some = false;
    for file in files {
        if file.path.ends_with(name) {
            return None;
        }
        let begins = is_source(&file.path) && begins_with(&file.bytes, &header.name);
        // Elsewhere it may come after something that changes what it means.
        if !begins && mentions(&file.bytes, &header.name) {
            return None;
        }
        some |= begins;
    }
    some.then(|| Precompilation {
        header: Header {
            compile: header.compile.replace(STANDARD, standard),
            ..header.clone()
        },
        tools: tools.clone(),
    })
}

impl Toolchain {
    /// The header that would speed up building this program, where neither is there yet.
    pub fn missing_header(&self, request: &Request<'_>) -> Option<Precompilation> {
        if !self.may_want_header(request) {
            return None;
        }
        let planned = self.plan(request).ok()?;
        let header = planned.header.as_ref()?;
        let missing = matches!(self.cache.look(planned.key()), Look::Missing);
        (missing && self.ready_header(header).is_none()).then(|| header.clone())
    }

    /// Precompiles a header, unless another judge is at it. That it cannot be done is no error.
    ///
    /// # Errors
    ///
    /// When it was interrupted.
    pub fn precompile(&self, wanted: &Precompilation) -> Result<(), Fault> {
        let Ok(Some(entry)) = self.cache.try_entry(wanted.key()) else {
            return Ok(());
        };
        if entry
            .done()
            .is_some_and(|note| is_whole(&note, &entry.dir()))
        {
            return Ok(());
        }
        match self.precompile_into(wanted, &entry) {
            Err(fault) if fault.interrupted => Err(fault),
            _ => Ok(()),
        }
    }

    fn precompile_into(&self, wanted: &Precompilation, entry: &Entry) -> Result<(), Fault> {
        let broken = |e: io::Error| self.cache.fault(e);
        let dir = entry.start().map_err(broken)?;
        let product = Path::new(INCLUDE).join(format!("{}.gch", wanted.header.name));
        let files = [
            (
                PathBuf::from(MAIN),
                format!("#include <{}>\n", wanted.header.name),
            ),
            // Makes the directory, and one that the compiler may write to.
            (product.with_extension("txt"), String::new()),
        ]
        .map(|(path, text)| SourceFile {
            path,
            bytes: text.into_bytes(),
            executable: false,
        });
        super::source::write(&files, &dir).map_err(broken)?;
        let fill = |word: String| {
            word.replace("{main}", &format!("{{dir}}/{MAIN}"))
                .replace("{list}", &format!("{{dir}}/{LIST}"))
                .replace("{binary}", &format!("{{dir}}/{}", product.display()))
        };
        let plan = Plan {
            compile: Some(wanted.command(&wanted.header.compile).map(fill).collect()),
            run: Vec::new(),
            env: Vec::new(),
            product: Some(product.clone()),
        };
        let mounts = &wanted.tools.mounts;
        let compiled = compile::run(&plan, &dir, mounts, &ALLOWANCE, &*self.open)?;
        if let (Compiled::Done, Some(parts)) = (compiled, parts(&dir)) {
            self.cache.finish(entry, &parts).map_err(broken)?;
        }
        Ok(())
    }

    /// Where a precompiled header lies that is whole and of this machine's present headers.
    fn ready_header(&self, wanted: &Precompilation) -> Option<PathBuf> {
        match self.cache.look(wanted.key()) {
            Look::Built { dir, note } if is_whole(&note, &dir) => Some(dir),
            _ => None,
        }
    }

    /// The command that compiles a program with its header and what it must see, where that is at
    /// hand.
    pub(super) fn with_header(&self, planned: &Planned<'_>) -> Option<(Plan, Vec<Mount>)> {
        let wanted = planned.header.as_ref()?;
        let place = self.ready_header(wanted)?;
        let include = place.join(INCLUDE).display().to_string();
        let mut plan = planned.plan.clone();
        let more = split_command(&wanted.header.with).into_iter();
        let more = more.map(|word| word.replace("{dir}", &include));
        plan.compile.as_mut()?.splice(1..1, more);
        let mut mounts = planned.mounts().to_vec();
        mounts.push(read_only(&place));
        Some((plan, mounts))
    }
}

impl Precompilation {
    fn key(&self) -> Key {
        let mut key = Key::new();
        key.add(b"precompiled header");
        key.add(
            format!(
                "{:?}",
                self.command(&self.header.compile).collect::<Vec<_>>()
            )
            .as_bytes(),
        );
        key.add(self.header.name.as_bytes());
        key.add(self.tools.version.as_bytes());
        key
    }

    /// The words of a command, with the path of its program.
    fn command(&self, text: &str) -> impl Iterator<Item = String> {
        let mut words = split_command(text);
        if let Some(first) = words.first_mut()
            && let Some(path) = self.tools.path(first)
        {
            *first = path.to_string_lossy().into_owned();
        }
        words.into_iter()
    }
}

/// Whether the header in `dir` is of this machine's present headers, by the note about it.
fn is_whole(note: &str, dir: &Path) -> bool {
    parts(dir).is_some_and(|parts| parts == note)
}

/// The state of all files that went into a header: their names, sizes and times, hashed. `None`
/// where one of them is gone.
fn parts(dir: &Path) -> Option<String> {
    let list = fs::read(dir.join(LIST)).ok()?;
    let mut hash = Sha256::new();
    // As make reads it: the target first, and backslashes at the ends of lines.
    for word in list.split(u8::is_ascii_whitespace).skip(1) {
        let path = Path::new(std::ffi::OsStr::from_bytes(word));
        if word.is_empty() || word == b"\\" || path.starts_with(dir) {
            continue;
        }
        let metadata = fs::metadata(path).ok()?;
        hash.update(word);
        for number in [
            metadata.size() as i64,
            metadata.mtime(),
            metadata.mtime_nsec(),
        ] {
            hash.update(number.to_le_bytes());
        }
    }
    Some(hex(&hash.finalize()))
}

/// Whether the first thing in a source that is no comment is `#include` of this header.
fn begins_with(text: &[u8], name: &str) -> bool {
    let mut rest = text.trim_ascii_start();
    loop {
        let end = if rest.starts_with(b"//") {
            let end = rest.iter().position(|&byte| byte == b'\n');
            // A comment that goes on in the next line, or a trigraph that makes it so.
            end.filter(|&end| !rest[..end].contains(&b'\\') && !rest[..end].contains(&b'?'))
        } else if rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|two| two == b"*/");
            end.map(|end| end + 4)
        } else {
            break;
        };
        let Some(end) = end else { return false };
        rest = rest[end..].trim_ascii_start();
    }
    let included = || {
        let rest = rest.strip_prefix(b"#")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"include")?.trim_ascii_start();
        let rest = rest
            .strip_prefix(b"<")
            .or_else(|| rest.strip_prefix(b"\""))?;
        let rest = rest.strip_prefix(name.as_bytes())?;
        rest.first().filter(|end| matches!(end, b'>' | b'"'))
    };
    included().is_some()
}

fn mentions(text: &[u8], name: &str) -> bool {
    text.windows(name.len()).any(|part| part == name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_begins_with_a_header() {
        let begins = |text: &str| begins_with(text.as_bytes(), "bits/stdc++.h");
        for text in [
            "#include <bits/stdc++.h>\nint main() {}",
            "// who\r\n\n/* when **/ # include\"bits/stdc++.h\"",
            "/**/#include<bits/stdc++.h>",
        ] {
            assert!(begins(text), "{text:?}");
        }
        for text in [
            "",
            "#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>",
            "#define int long long\n#include <bits/stdc++.h>",
            "#include <iostream>\n#include <bits/stdc++.h>",
            "// goes on \\\n#include <bits/stdc++.h>",
            "// #include <bits/stdc++.h>",
            "/* #include <bits/stdc++.h>",
            "\u{feff}#include <bits/stdc++.h>",
            "#include <bits/stdc++.hpp>",
            "#include_next <bits/stdc++.h>",
            "int x;\n#include <bits/stdc++.h>",
        ] {
            assert!(!begins(text), "{text:?}");
        }
    }
}
