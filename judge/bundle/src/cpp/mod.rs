//! Translates a bundle to C++ with the program as machine code, for judges that accept C++ but not
//! Rust.
//!
//! The bundle is compiled for x86-64 without the standard library: the files in `shim/` replace the
//! parts of `std` that programs for judges use, on top of a few C functions. Link-time optimisation
//! includes what is needed of `core` and `alloc`. [`link`] extracts the machine code from the
//! object file, and [`embed`] encodes it in less than half of the size of assembly instructions.

mod embed;
mod link;

use super::cfg::Cfg;
use super::error::BundleError;
use super::header::comment;
use super::manifest::Extern;
use super::markers::Markers;
use super::paths::{Names, Rewrite};
use super::rustc::{Compiler, PLATFORM};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use syn::{File, Item, parse_quote};

/// The replacement of `std`: modules by path, parents first.
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

/// The entry point of the shim's program.
const ENTRY: &str = "rust_main";

/// Optimisation levels, from the fastest code to the smallest. The middle ones limit loop
/// unrolling, which makes the code much smaller and rarely slower.
const LEVELS: [&[&str]; 4] = [
    &["-Copt-level=3"],
    &["-Copt-level=3", "-Cllvm-args=--unroll-threshold=60"],
    &["-Copt-level=3", "-Cllvm-args=--unroll-threshold=10"],
    &["-Copt-level=s"],
];

/// The comment before the machine code.
const EXPLANATION: &str = "\
This is a Rust program as machine code for x86-64, wrapped in C++. It is for judges on 64-bit
Linux that take C++ but not Rust, and not for contests whose rules forbid machine-made code. The
Rust source is the program; this file is not meant to be edited. It says nothing on standard error.";

/// Remarks for the user who submits the file.
pub fn notes() -> Vec<String> {
    vec![
        "the C++ file holds machine code for x86-64 Linux: it does not run on judges with Windows \
         or 32 bits (POJ, HDU)"
            .to_owned(),
        "contests that forbid machine-made code forbid this file".to_owned(),
    ]
}

/// The C++ file for a whole program: at the fastest level that fits into the code limit.
pub fn bundle(
    program: &File,
    compiler: &Compiler,
    header: &str,
    code_limit: Option<usize>,
) -> Result<String, BundleError> {
    let source = without_std(program)?;
    let explanation = comment(EXPLANATION.lines());
    let mut out = String::new();
    for level in LEVELS {
        let object = compile(&source, compiler, level)?;
        let linked = link::link(&object, ENTRY)?;
        let code = embed::embed(&linked, ENTRY);
        out = format!(
            "{header}{explanation}extern \"C\" int {ENTRY}(void);\n\
             int main() {{ return {ENTRY}(); }}\n{code}"
        );
        if code_limit.is_none_or(|limit| out.len() <= limit) {
            break;
        }
    }
    Ok(out)
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
            let texts = texts.map(|e| e.rendered.as_deref().unwrap_or(&e.message));
            link::unlinkable(texts.collect::<String>())
        })?;
    std::fs::read(compiler.dir().join("bundle.o"))
        .map_err(|e| link::unlinkable(format!("failed to read the object file: {e}")))
}

/// The program with the shim instead of `std`.
fn without_std(program: &File) -> Result<String, BundleError> {
    let names = Names {
        own: None,
        externs: BTreeMap::from([("std".to_owned(), Extern::Module(Some("std".to_owned())))]),
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

/// The shim's module of this path, including its submodules.
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

/// Without `std`, only the prelude of `core` is available.
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
