//! A C++ file with the program as assembly, for judges that take C++ but not Rust.
//!
//! The bundle is compiled for x86-64 without the standard library: [`shim.rs`](shim.rs) stands for
//! the parts of `std` that programs for judges use, on top of a few C functions. Link-time
//! optimisation draws in what is needed of `core` and `alloc`; [`asm`] drops what is not.

mod asm;

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

const SHIM: &str = include_str!("shim.rs");

/// Before the assembly.
const EXPLANATION: &str = "\
This is a Rust program as its compiler wrote it in x86-64 assembly, wrapped in C++. It is for
judges on 64-bit Linux that take C++ but not Rust, and not for contests whose rules forbid
machine-made code. The Rust source is the program; this file is not meant to be edited.";

/// What to know of such a file.
pub fn notes() -> Vec<String> {
    vec![
        "the C++ file holds assembly for x86-64 Linux: it does not run on judges with Windows or \
         32 bits (POJ, HDU)"
            .to_owned(),
        "contests that forbid machine-made code forbid this file".to_owned(),
    ]
}

/// The C++ file for a whole program.
pub fn bundle(
    program: &File,
    compiler: &Compiler,
    header: &[String],
) -> Result<String, BundleError> {
    let source = without_std(program)?;
    let args = [
        "--crate-type=staticlib",
        "--emit=asm=bundle.s,link=bundle.a",
        "--target",
        PLATFORM,
        "-Copt-level=3",
        "-Cpanic=abort",
        "-Clto=fat",
        "-Ccodegen-units=1",
        "-Crelocation-model=pic",
        "-Cdebuginfo=0",
        "-Cforce-unwind-tables=no",
        "-Aunused",
    ];
    let failed = |what: String| {
        let remedy =
            "see which part of the standard library judge/src/bundle/cpp/shim.rs stands for";
        BundleError::file(Path::new("the program without std"), what, remedy)
    };
    compiler
        .run(&source, "without_std.rs", &args.map(OsString::from))
        .map_err(|errors| {
            let texts = errors.iter().take(3);
            failed(
                texts
                    .map(|e| e.rendered.as_deref().unwrap_or(&e.message))
                    .collect(),
            )
        })?;
    let assembly = std::fs::read_to_string(compiler.dir().join("bundle.s"))
        .map_err(|e| failed(format!("failed to read the assembly: {e}")))?;
    let mut out = String::new();
    for line in header.iter().map(String::as_str).chain(EXPLANATION.lines()) {
        out.push_str(&format!("// {line}\n"));
    }
    out.push_str("extern \"C\" int rust_main(void);\nint main() { return rust_main(); }\n");
    asm::embed(&asm::shorten(&assembly, "rust_main"), &mut out);
    Ok(out)
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
    let shim = syn::parse_file(SHIM).expect("the shim is well-formed");
    let mut items = shim.items;
    items.append(&mut file.items);
    file.items = items;
    file.attrs = shim.attrs;
    Ok(prettyplease::unparse(&file))
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
