//! The checker, the interactor, the validators and the generators, each with the headers beside it.

use super::variables::{HEADER, Variables};
use super::{language_of, matching, named, path_of, plain};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::common::{headers, includes_headers};
use crate::input::package_dir::MAX_SOURCE;
use crate::input::staging_dir::{StagingDir, base_name, testlib};
use crate::input::text;
use crate::input::yaml::Node;
use crate::model::{
    InputValidator, InputValidatorKind, TestlibChecker, Validation, Validator, ValidatorProtocol,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The generators of a problem, and where programs are assembled.
pub(super) struct Programs {
    /// Where programs and tests are written.
    pub(super) staging_dir: StagingDir,
    header: String,
    /// The entries of `generators` by name.
    generators: HashMap<String, Node>,
}

/// Extensions of programs.
const SOURCES: [&str; 6] = ["cpp", "cc", "py", "c", "java", "rs"];

impl Programs {
    /// Reads the programs that judge and validate, and the names of generators.
    pub(super) fn read(
        builder: &mut PackageBuilder,
        yaml: &Node,
        variables: &Variables,
    ) -> Result<Self, PackageError> {
        let mut programs = Programs {
            staging_dir: builder.staging_dir()?,
            header: variables.header(),
            generators: HashMap::new(),
        };
        for generator in yaml.list("generators")? {
            let name = generator
                .get("name")
                .ok_or_else(|| generator.error("has no `name`"))?;
            programs
                .generators
                .insert(name.text()?.to_owned(), generator.clone());
        }
        programs.validation(builder, yaml)?;
        programs.input_validators(builder, yaml)?;
        Ok(programs)
    }

    fn validation(&self, builder: &mut PackageBuilder, yaml: &Node) -> Result<(), PackageError> {
        let checker = yaml.get("checker");
        if !builder.package.kind.interactive {
            builder.package.validation = match checker {
                Some(checker) => self.checker(builder, checker)?,
                None => Validator::Testlib(TestlibChecker::Wcmp),
            }
            .into();
            return Ok(());
        }
        let Some(interactor) = yaml.get("interactor") else {
            return Err(yaml.error("is of the type `communication`, and has no `interactor`"));
        };
        let mut validators = vec![Validator::Program {
            path: self.assembled(builder, "interactor", interactor)?,
            protocol: ValidatorProtocol::Testlib,
        }];
        // Without the flag, rbx ignores the checker.
        if let (Some(checker), true) = (checker, interactor.flag("legacy")?) {
            validators.push(self.checker(builder, checker)?);
        }
        builder.package.validation = Validation::All(validators);
        Ok(())
    }

    /// A checker: its file, the standard checker of this name, or the one that it falls back to.
    fn checker(&self, builder: &PackageBuilder, node: &Node) -> Result<Validator, PackageError> {
        if let Some(mode) = node
            .get("mode")
            .filter(|mode| !plain(mode.scalar().unwrap_or_default()).eq("testlib"))
        {
            let what = "checkers in the mode of BOCA are not run";
            return Err(mode.error(what).remedy("write it with testlib"));
        }
        let name = path_of(node)?;
        let text = name.text()?;
        let file = builder.tree.dir.find(text)?;
        let stem = Path::new(text)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let standard = TestlibChecker::named(&stem);
        match (file, standard, node.get("fallback_to")) {
            // rbx copies standard checkers and testlib.h into packages, or leaves both out.
            (Some(_), Some(standard), _) if testlib(builder.tree.dir.root()).is_none() => {
                Ok(Validator::Testlib(standard))
            }
            (Some(_), ..) => Ok(Validator::Program {
                path: self.assembled(builder, "checker", node)?,
                protocol: ValidatorProtocol::Testlib,
            }),
            (None, _, Some(other)) => self.checker(builder, other),
            (None, Some(standard), None) => Ok(Validator::Testlib(standard)),
            (None, None, None) => Err(name
                .error(format!(
                    "there is no file `{text}`, and testlib has no checker of this name"
                ))
                .remedy("add it, or name a standard checker such as `wcmp.cpp`")),
        }
    }

    fn input_validators(
        &self,
        builder: &mut PackageBuilder,
        yaml: &Node,
    ) -> Result<(), PackageError> {
        let mut found = Vec::new();
        if let Some(validator) = yaml.get("validator") {
            found.push(self.assembled(builder, "validator", validator)?);
        }
        for extra in yaml.list("extraValidators")? {
            for name in matching(builder, path_of(extra)?)? {
                let role = format!("validator{}", found.len() + 1);
                let file = builder.tree.dir.file(&name)?.into_path();
                found.push(self.assemble(builder, &role, &file, &[])?);
            }
        }
        let validators = found.into_iter().map(|path| InputValidator {
            path,
            kind: InputValidatorKind::Testlib,
        });
        builder.package.input_validators.extend(validators);
        Ok(())
    }

    /// The program of an entry of the configuration.
    fn assembled(
        &self,
        builder: &PackageBuilder,
        role: &str,
        node: &Node,
    ) -> Result<PathBuf, PackageError> {
        let file = named(builder, path_of(node)?)?;
        let mut more = Vec::new();
        for name in node.list("compilationFiles")? {
            more.push(named(builder, name)?);
        }
        self.assemble(builder, role, &file, &more)
    }

    /// The generator that calls name `name`: an entry of `generators`, or a file below `root`.
    pub(super) fn generator(
        &self,
        builder: &PackageBuilder,
        root: &str,
        name: &str,
    ) -> Result<Option<PathBuf>, PackageError> {
        let role = format!("generator-{}", name.replace(['/', '.'], "-"));
        if let Some(node) = self.generators.get(name) {
            return self.assembled(builder, &role, node).map(Some);
        }
        let base = match root {
            "" => name.to_owned(),
            root => format!("{}/{name}", root.trim_end_matches('/')),
        };
        let names = SOURCES.iter().map(|end| format!("{base}.{end}"));
        for name in [base.clone()].into_iter().chain(names) {
            if let Some(file) = builder.tree.dir.find(&name)? {
                return self
                    .assemble(builder, &role, &file.into_path(), &[])
                    .map(Some);
            }
        }
        Ok(None)
    }

    /// A program with the headers in its directory and in that of the package.
    fn assemble(
        &self,
        builder: &PackageBuilder,
        role: &str,
        source: &Path,
        more: &[PathBuf],
    ) -> Result<PathBuf, PackageError> {
        // Many tests call the same generator.
        let made = self.staging_dir.path(role);
        if made.is_dir() {
            return Ok(made);
        }
        let root = builder.tree.dir.root();
        let mut files = vec![source.to_owned()];
        files.extend_from_slice(more);
        if includes_headers(source) {
            let beside = source.parent().and_then(|dir| dir.strip_prefix(root).ok());
            let beside = beside.filter(|dir| !dir.as_os_str().is_empty());
            for folder in [Some(Path::new("")), beside].into_iter().flatten() {
                files.extend(headers(&builder.tree.dir, folder)?);
            }
        }
        files.dedup();
        let wants_variables = files.iter().any(|file| includes_variables(file));
        if wants_variables {
            files.retain(|file| base_name(file) != HEADER);
            files.push(self.staging_dir.write(HEADER, self.header.as_bytes())?);
        }
        self.staging_dir.program(root, role, &files, "")
    }
}

/// Whether a source includes the header with the variables.
fn includes_variables(source: &Path) -> bool {
    base_name(source) != HEADER
        && text::read_bytes(source, MAX_SOURCE).is_ok_and(|bytes| {
            let text = String::from_utf8_lossy(&bytes);
            let mut lines = text.lines().map(str::trim_start);
            lines.any(|line| line.starts_with("#include") && line.contains(HEADER))
        })
}

/// The language that an entry names.
pub(super) fn language(node: &Node) -> Result<Option<String>, PackageError> {
    node.optional("language", |name| Ok(language_of(name.text()?).to_owned()))
}
