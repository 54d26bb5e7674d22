//! `judge bundle sol.cpp`: a program in C or C++ and its own headers as one file.

use super::args::BundleArgs;
use super::bundle::{OutputFile, deliver, judge_program};
use judge_bundle::CppOptions;
use judge_core::error::{Failure, exit_status};
use judge_core::judging::Toolchain;
use judge_core::language::{Languages, Request, is_source};
use judge_package::{ONLINE_JUDGE, Package};
use judge_session::args::{PreprocessorArgs, SandboxChoice};
use judge_session::{folder, run};
use judge_tempdir::TempDirectory;
use std::ffi::OsString;
use std::path::Path;

/// Whether the argument is a source file in C or C++.
pub fn is_program(args: &BundleArgs) -> bool {
    let path = Path::new(&args.id);
    path.is_file() && ["cpp", "c"].iter().any(|code| is_in(code, path))
}

/// Whether a source file is in the language with this code.
fn is_in(code: &str, path: &Path) -> bool {
    let built_in = Languages::built_in();
    let language = built_in.get(code);
    language.is_some_and(|(_, language)| is_source(language, path))
}

/// Makes the bundle and writes it only if it compiles alone and is accepted.
pub fn bundle(args: &BundleArgs) -> Result<u8, Failure> {
    let program = Path::new(&args.id);
    if let Some(other) = args.to.as_deref().filter(|to| *to != "cpp") {
        return Err(Failure::usage(format!(
            "--to {other}: {} is a C++ program",
            program.display()
        ))
        .help("omit --to"));
    }
    if args.bin.is_some() || args.edition.is_some() || args.minify {
        return Err(Failure::usage(format!(
            "{}: --bin, --edition and --minify are for crates",
            program.display()
        ))
        .help("omit them"));
    }
    let name = name(program);
    let file = OutputFile {
        usual: program.with_file_name(&name),
        in_directory: name.into(),
    };
    let options = options(args)?;
    let make = || {
        let mut bundle = judge_bundle::bundle_program(program, &options)?;
        if !is_in("cpp", program) {
            bundle.settings.language = Some("C".to_owned());
        }
        Ok(bundle)
    };
    deliver(args, &file, make, |bundle| {
        judge_alone(args, program, &bundle.source)
    })
}

/// The options of the preprocessor that the submitted file is compiled with, and the directories of the
/// headers to insert.
fn options(args: &BundleArgs) -> Result<CppOptions, Failure> {
    let given = args.preprocessor.options()?;
    let mut define = vec![ONLINE_JUDGE.to_owned()];
    define.retain(|name| !given.undefine.contains(name));
    define.extend(given.define);
    Ok(CppOptions {
        define,
        undefine: given.undefine,
        include: [given.include, given.system_include].concat(),
    })
}

/// The name of the output file.
fn name(program: &Path) -> OsString {
    let mut name = OsString::from(program.file_stem().unwrap_or_default());
    name.push(folder::BUNDLE);
    if let Some(extension) = program.extension() {
        name.push(".");
        name.push(extension);
    }
    name
}

/// Judges the bundle over the cases of the program, or only compiles it if there are none. The directory of the bundle
/// has no other files.
fn judge_alone(args: &BundleArgs, program: &Path, text: &str) -> Result<u8, Failure> {
    let failed = |e| Failure::internal(format!("failed to write the bundle to compile it: {e}"));
    let alone = TempDirectory::new("bundle")?;
    let file = alone.path().join(program.file_name().unwrap_or_default());
    std::fs::write(&file, text).map_err(failed)?;
    let status = match args.no_judging {
        true => None,
        false => judge_program(program, Some(file.clone()), &args.preprocessor)?,
    };
    match status {
        Some(status) => Ok(status),
        None => compile(&file, &args.preprocessor).map(|()| exit_status::AS_EXPECTED),
    }
}

fn compile(file: &Path, args: &PreprocessorArgs) -> Result<(), Failure> {
    let mut settings = run::settings_for(SandboxChoice::Auto);
    settings.preprocessor = args.of_bundle().options()?;
    let toolchain = Toolchain::new(&settings, None)?;
    let dir = file.parent().unwrap_or(file);
    let package = Package::without_cases(dir)?;
    let request = Request::submission(&package, file);
    let (prepared, _) = toolchain.submission(&package, &request)?;
    let refused = |message| format!("the bundle does not compile alone: {message}");
    prepared
        .program()
        .map_err(|why| Failure::usage(refused(why)))?;
    Ok(())
}
