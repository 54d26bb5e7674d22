//! Precompiled headers: `bits/stdc++.h` costs g++ one second per program.
//!
//! A program uses a precompiled header only if all its sources that mention the header begin with
//! it. The compiler is then in the same state as without precompilation, so the result is the same
//! program. If anything goes wrong, the program is compiled without it, and that result counts.

use super::cache::{Cache, Entry, Key, Lookup};
use super::compile::{self, Allowance, Compiled, Opener, PROGRAM_BYTES};
use super::config::{Header, Profile, STANDARD, command_words};
use super::plan::Plan;
use super::preprocessor;
use super::program::read_only;
use super::source::SourceFile;
use super::tools::Tools;
use crate::text::hex;
use judge_sandbox::{Fault, Mount};
use regex::bytes::Regex;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// The file that is precompiled; it contains only the `#include`.
const MAIN: &str = "header.h";
/// The compiler's list of the files that were read, in make's syntax.
const LIST: &str = "list";
/// The include directory that holds the precompiled header.
const INCLUDE: &str = "include";
/// Limits for precompiling; independent of the package's limits.
const ALLOWANCE: Allowance = Allowance {
    time: Duration::from_secs(60),
    memory: 2 << 30,
    program: PROGRAM_BYTES,
};

/// A header to precompile, for one compiler and one set of options.
#[derive(Clone, PartialEq, Debug)]
pub struct Precompilation {
    header: Header,
    tools: Tools,
    /// Options of the program that the header must share, such as macros.
    options: Vec<String>,
}

/// The header that would speed up compiling these files, if any.
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
        if preprocessor::is_header(&file.path) {
            // A source that includes the header first has it already.
            continue;
        }
        let begins = is_source(&file.path) && begins_with(&file.bytes, &header.name);
        // An include elsewhere may follow a macro that changes the header's meaning.
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
        options: Vec::new(),
    })
}

impl Precompilation {
    /// The header for programs that are compiled with these options.
    pub(super) fn with_options(self, options: Vec<String>) -> Self {
        Precompilation { options, ..self }
    }

    /// Precompiles the header, unless another judge does so already. A failure is not an error:
    /// programs are then compiled without it.
    /// Fails if it was interrupted.
    pub(super) fn make(&self, cache: &Cache, open: &Opener) -> Result<(), Fault> {
        let Ok(Some(entry)) = cache.try_entry(self.key()) else {
            return Ok(());
        };
        if entry
            .done()
            .is_some_and(|note| is_whole(&note, &entry.dir()))
        {
            return Ok(());
        }
        match self.make_in(&entry, cache, open) {
            Err(fault) if fault.interrupted => Err(fault),
            _ => Ok(()),
        }
    }

    fn make_in(&self, entry: &Entry, cache: &Cache, open: &Opener) -> Result<(), Fault> {
        let broken = |e: io::Error| cache.fault(e);
        let dir = entry.start().map_err(broken)?;
        let product = Path::new(INCLUDE).join(format!("{}.gch", self.header.name));
        let files = [
            (
                PathBuf::from(MAIN),
                format!("#include <{}>\n", self.header.name),
            ),
            // Creates the include directory, writable for the compiler.
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
            compile: Some(
                self.command(&self.header.compile)
                    .into_iter()
                    .map(fill)
                    .collect(),
            ),
            run: Vec::new(),
            env: Vec::new(),
            product: Some(product.clone()),
        };
        let mounts = &self.tools.mounts;
        let compiled = compile::run(&plan, &dir, mounts, &ALLOWANCE, open)?;
        if let (Compiled::Done, Some(parts)) = (compiled, parts(&dir)) {
            cache.finish(entry, &parts).map_err(broken)?;
        }
        Ok(())
    }

    /// The directory of the precompiled header, if it is up to date with this machine's headers.
    pub(super) fn ready(&self, cache: &Cache) -> Option<PathBuf> {
        match cache.lookup(self.key()) {
            Lookup::Built { dir, note } if is_whole(&note, &dir) => Some(dir),
            _ => None,
        }
    }

    /// The plan and mounts to compile a program with the precompiled header, if that is ready.
    pub(super) fn apply(
        &self,
        cache: &Cache,
        plan: &Plan,
        mounts: &[Mount],
    ) -> Option<(Plan, Vec<Mount>)> {
        let place = self.ready(cache)?;
        let include = place.join(INCLUDE).display().to_string();
        let mut plan = plan.clone();
        let more = command_words(&self.header.with).into_iter();
        let more = more.map(|word| word.replace("{dir}", &include));
        plan.compile.as_mut()?.splice(1..1, more);
        let mut mounts = mounts.to_vec();
        mounts.push(read_only(&place));
        Some((plan, mounts))
    }

    fn key(&self) -> Key {
        let mut key = Key::new();
        key.add(b"precompiled header");
        key.add(format!("{:?}", self.command(&self.header.compile)).as_bytes());
        key.add(self.header.name.as_bytes());
        key.add(self.tools.version.as_bytes());
        key
    }

    /// The words of a command, the first one resolved to a path.
    fn command(&self, text: &str) -> Vec<String> {
        let mut words = self.tools.resolve(command_words(text));
        words.splice(1..1, self.options.iter().cloned());
        words
    }
}

/// Whether the precompiled header in `dir` is up to date, judging by its note.
fn is_whole(note: &str, dir: &Path) -> bool {
    parts(dir).is_some_and(|parts| parts == note)
}

/// A hash of the names, sizes and modification times of all files that a header includes; `None` if
/// one of them is missing.
fn parts(dir: &Path) -> Option<String> {
    let list = fs::read(dir.join(LIST)).ok()?;
    let mut hash = Sha256::new();
    // Make's syntax: the target first, backslashes at line ends.
    for word in list.split(u8::is_ascii_whitespace).skip(1) {
        let text = String::from_utf8_lossy(word);
        let path = Path::new(&*text);
        if word.is_empty() || word == b"\\" || path.starts_with(dir) {
            continue;
        }
        let metadata = fs::metadata(path).ok()?;
        hash.update(word);
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        hash.update(metadata.len().to_le_bytes());
        hash.update(modified.as_nanos().to_le_bytes());
    }
    Some(hex(&hash.finalize()))
}

/// Whether a source begins, after comments, with the `#include` of this header.
fn begins_with(text: &[u8], name: &str) -> bool {
    let pattern = format!(
        r#"\A(?-u)(?:\s|//[^\n\\?]*\n|/\*(?:[^*]|\*+[^*/])*\*+/)*#\s*include\s*[<"]{}[>"]"#,
        regex::escape(name)
    );
    Regex::new(&pattern).is_ok_and(|begins| begins.is_match(text))
}

fn mentions(text: &[u8], name: &str) -> bool {
    text.windows(name.len()).any(|part| part == name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_that_begin_with_the_header_are_recognised() {
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
