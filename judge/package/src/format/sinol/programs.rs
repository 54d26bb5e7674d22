//! The checker, the validator of inputs, and the files that are compiled with submissions.

use super::language_of;
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::common::{headers, includes_headers};
use crate::input::package_dir::PackageFile;
use crate::input::staging_dir::{StagingDir, base_name, defines};
use crate::input::yaml::Node;
use crate::model::{
    InputValidator, InputValidatorKind, TestlibChecker, Validator, ValidatorProtocol,
};
use std::path::{Path, PathBuf};

/// The programs that decide how tests are read.
pub(super) struct Programs {
    /// Whether a checker may give a part of the points.
    pub(super) has_checker: bool,
}

/// Extensions of programs.
pub(super) const SOURCES: [&str; 6] = ["cpp", "cc", "c", "py", "java", "rs"];

/// Reads the programs of the package.
pub(super) fn read(
    builder: &mut PackageBuilder,
    yaml: &Node,
    task: &str,
) -> Result<Programs, PackageError> {
    if let Some(path) = find(builder, &format!("{task}soc"))? {
        let what =
            "interactive tasks are not judged: the interactor gets the numbers of open pipes";
        return Err(PackageError::new(path, what).remedy("judge it with `sinol-make run`"));
    }
    let staging_dir = builder.staging_dir()?;
    // Such as `oi.h`.
    let headers = headers(&builder.tree.dir, Path::new("prog"))?;
    let program = |builder: &PackageBuilder, name: &str, before: &str| {
        let Some(path) = find(builder, &format!("{task}{name}"))? else {
            return Ok(None);
        };
        let mut files = vec![path];
        if includes_headers(&files[0]) {
            files.extend(headers.iter().cloned());
        }
        let root = builder.tree.dir.root();
        staging_dir.program(root, name, &files, before).map(Some)
    };
    let checker = program(builder, "chk", "")?;
    // sinol-make compiles it with this macro.
    let (before, _) = defines(&["-D_INWER".to_owned()]);
    let is_python =
        find(builder, &format!("{task}inwer"))?.is_some_and(|path| has_extension(&path, "py"));
    let validator = program(builder, "inwer", if is_python { "" } else { &before })?;
    let package = &mut builder.package;
    package
        .input_validators
        .extend(validator.map(|path| InputValidator {
            path,
            kind: InputValidatorKind::Testlib,
        }));
    let has_checker = checker.is_some();
    package.validation = match checker {
        Some(path) => Validator::Program {
            path,
            protocol: ValidatorProtocol::Sio2,
        },
        None => Validator::Testlib(TestlibChecker::Lcmp),
    }
    .into();
    extra_files(builder, yaml, &staging_dir)?;
    Ok(Programs { has_checker })
}

/// The program `prog/NAME.*`.
fn find(builder: &PackageBuilder, name: &str) -> Result<Option<PathBuf>, PackageError> {
    for extension in SOURCES {
        if let Some(file) = builder.tree.dir.find(&format!("prog/{name}.{extension}"))? {
            return Ok(Some(file.into_path()));
        }
    }
    Ok(None)
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension == wanted)
}

/// Stages the files that are compiled with submissions or beside them when they run.
fn extra_files(
    builder: &mut PackageBuilder,
    yaml: &Node,
    staging_dir: &StagingDir,
) -> Result<(), PackageError> {
    let mut wanted: Vec<(&'static str, PathBuf)> = Vec::new();
    for name in yaml.list("extra_compilation_files")? {
        let path = named(builder, name)?;
        // Sources are compiled only if the arguments name them.
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("h" | "hpp") => wanted.extend([("c", path.clone()), ("cpp", path)]),
            Some("c" | "cc" | "cpp") | None => {}
            Some(extension) => {
                wanted.extend(language_of(extension).map(|language| (language, path.clone())));
            }
        }
    }
    for (extension, args) in entries(yaml, "extra_compilation_args")? {
        for arg in args.one_or_more() {
            let language = language_of(extension.text()?);
            if let (Some(language), true) = (language, is_program(builder, arg)?) {
                wanted.push((language, named(builder, arg)?));
            } else {
                let what = format!("the argument `{}` of the compiler is not used", arg.text()?);
                builder.tree.warning(arg.error(what));
            }
        }
    }
    for (extension, list) in entries(yaml, "extra_execution_files")? {
        let language = language_of(extension.text()?);
        for name in list.one_or_more() {
            let path = named(builder, name)?;
            wanted.extend(language.map(|language| (language, path)));
        }
    }
    for (language, path) in wanted {
        staging_dir.copy(&path, &format!("include/{language}/{}", base_name(&path)))?;
        builder.package.include = Some(staging_dir.path("include"));
    }
    Ok(())
}

fn entries<'y>(yaml: &'y Node, key: &str) -> Result<&'y [(Node, Node)], PackageError> {
    yaml.get(key).map_or(Ok(&[][..]), Node::entries)
}

/// Whether an argument of the compiler is a file of `prog/`.
fn is_program(builder: &PackageBuilder, arg: &Node) -> Result<bool, PackageError> {
    let name = arg.text()?;
    Ok(!name.starts_with('-') && builder.tree.dir.find(&format!("prog/{name}"))?.is_some())
}

/// The file of `prog/` that the configuration names.
fn named(builder: &PackageBuilder, name: &Node) -> Result<PathBuf, PackageError> {
    let text = name.text()?;
    let found = builder.tree.dir.find(&format!("prog/{text}"))?;
    found.map(PackageFile::into_path).ok_or_else(|| {
        name.error(format!("there is no file `prog/{text}`"))
            .remedy("add it, or remove it from the list")
    })
}
