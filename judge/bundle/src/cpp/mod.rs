//! A C++ file with the program as assembly, for judges that take C++ but not Rust.
//!
//! The bundle is compiled for x86-64 without the standard library: the files in `shim/` stand for
//! the parts of `std` that programs for judges use, on top of a few C functions. Link-time
//! optimisation draws in what is needed of `core` and `alloc`; [`link`] takes the machine code that
//! the program needs out of the object file, and [`embed`] writes it down in less than half of the room
//! that instructions in words would take.

mod embed;
mod link;

use super::cfg::Cfg;
use super::error::BundleError;
use super::markers::Markers;
use super::paths::{Meaning, Names, Rewrite};
use super::rustc::{Compiler, PLATFORM};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use syn::{File, Item, parse_quote};

/// What stands in the place of `std`: modules by their path, each within those before.
const SHIM: &[(&str, &str)] = &[
    ("", include_str!("shim/program.rs")),
    ("std", include_str!("shim/std.rs")),
    ("std::features", include_str!("shim/features.rs")),
    ("std::io", include_str!("shim/io.rs")),
    ("std::io::buffered", include_str!("shim/io/buffered.rs")),
    ("std::io::error", include_str!("shim/io/error.rs")),
    ("std::io::read", include_str!("shim/io/read.rs")),
    ("std::io::standard", include_str!("shim/io/standard.rs")),
    ("std::io::write", include_str!("shim/io/write.rs")),
    ("std::macros", include_str!("shim/macros.rs")),
    ("std::memory", include_str!("shim/memory.rs")),
    ("std::process", include_str!("shim/process.rs")),
];

/// The function that the shim's program begins with.
const ENTRY: &str = "rust_main";

/// How the program is optimised: what makes fast code first, what makes little of it last. Those
/// in the middle write out fewer loops, which makes code much smaller and seldom slower.
const LEVELS: [&[&str]; 4] = [
    &["-Copt-level=3"],
    &["-Copt-level=3", "-Cllvm-args=--unroll-threshold=60"],
    &["-Copt-level=3", "-Cllvm-args=--unroll-threshold=10"],
    &["-Copt-level=s"],
];

/// Before the machine code.
const EXPLANATION: &str = "\
This is a Rust program as machine code for x86-64, wrapped in C++. It is for judges on 64-bit
Linux that take C++ but not Rust, and not for contests whose rules forbid machine-made code. The
Rust source is the program; this file is not meant to be edited. It says nothing on standard error.";

/// What to know of such a file.
pub fn notes() -> Vec<String> {
    vec![
        "the C++ file holds machine code for x86-64 Linux: it does not run on judges with Windows \
         or 32 bits (POJ, HDU)"
            .to_owned(),
        "contests that forbid machine-made code forbid this file".to_owned(),
    ]
}

/// The C++ file for a whole program: as fast as the code limit allows, if there is one.
pub fn bundle(
    program: &File,
    compiler: &Compiler,
    header: &[String],
    code_limit: Option<usize>,
) -> Result<String, BundleError> {
    let source = without_std(program)?;
    let mut out = String::new();
    for level in LEVELS {
        out.clear();
        for line in header.iter().map(String::as_str).chain(EXPLANATION.lines()) {
            out.push_str(&format!("// {line}\n"));
        }
        out.push_str(&format!(
            "extern \"C\" int {ENTRY}(void);\nint main() {{ return {ENTRY}(); }}\n"
        ));
        let object = compile(&source, compiler, level)?;
        let linked = link::link(&object, ENTRY).map_err(failed)?;
        out.push_str(&embed::embed(&linked, ENTRY));
        if code_limit.is_none_or(|limit| out.len() <= limit) {
            break;
        }
    }
    Ok(out)
}

fn failed(what: String) -> BundleError {
    let remedy = "see which part of the standard library judge/bundle/src/cpp/shim stands for";
    BundleError::file(Path::new("the program without std"), what, remedy)
}

/// The object file of a program without `std`.
fn compile(source: &str, compiler: &Compiler, level: &[&str]) -> Result<Vec<u8>, BundleError> {
    let args = [
        "--crate-type=staticlib",
        "--emit=obj=bundle.o,link=bundle.a",
        "--target",
        PLATFORM,
        "-Cpanic=abort",
        "-Clto=fat",
        "-Ccodegen-units=1",
        "-Crelocation-model=pic",
        "-Cdebuginfo=0",
        "-Cforce-unwind-tables=no",
        "-Aunused",
    ];
    let args: Vec<OsString> = args.iter().chain(level).map(OsString::from).collect();
    compiler
        .run(source, "without_std.rs", &args)
        .map_err(|errors| {
            let texts = errors.iter().take(3);
            failed(
                texts
                    .map(|e| e.rendered.as_deref().unwrap_or(&e.message))
                    .collect(),
            )
        })?;
    std::fs::read(compiler.dir().join("bundle.o"))
        .map_err(|e| failed(format!("failed to read the object file: {e}")))
}

/// The program with the shim in the place of `std`.
fn without_std(program: &File) -> Result<String, BundleError> {
    let names = Names {
        own: None,
        externs: BTreeMap::from([("std".to_owned(), Meaning::Module(Some("std".to_owned())))]),
    };
    let none = BTreeSet::new();
    let mut markers = Markers::default();
    let mut rewrite = Rewrite {
        names: &names,
        shadowed: &none,
        cfg: &Cfg::new(&none),
        file: Path::new(""),
        package: &(String::new(), String::new()),
        markers: &mut markers,
    };
    let tokens = rewrite.tokens(program.to_token_stream(), false);
    let mut file: File = syn::parse2(tokens)
        .map_err(|e| BundleError::file(Path::new("the program without std"), e.to_string(), ""))?;
    file.items
        .retain(|item| !matches!(item, Item::ExternCrate(_)));
    add_prelude(&mut file.items);
    let mut shim = shim("");
    shim.items.append(&mut file.items);
    Ok(prettyplease::unparse(&shim))
}

/// The shim's module of this path, with those within it.
fn shim(path: &str) -> File {
    let (_, text) = SHIM
        .iter()
        .find(|(name, _)| *name == path)
        .expect("every module of the shim is listed");
    let mut file = syn::parse_file(text).expect("the shim is well-formed");
    for item in &mut file.items {
        if let Item::Mod(module) = item
            && module.content.is_none()
        {
            let within = [path, &module.ident.to_string()].join("::");
            let file = shim(within.trim_start_matches("::"));
            module.content = Some((Default::default(), file.items));
            module.semi = None;
        }
    }
    file
}

/// Without `std` there is no prelude but that of `core`.
fn add_prelude(items: &mut Vec<Item>) {
    for item in items.iter_mut() {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &mut module.content
        {
            add_prelude(items);
        }
    }
    items.insert(
        0,
        parse_quote!(
            #[allow(unused_imports)]
            use crate::std::prelude::v1::*;
        ),
    );
}
