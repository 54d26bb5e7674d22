//! The crate as `cargo metadata` describes it: its binary, libraries, features and editions.

use super::error::BundleError;
use super::metadata::{Dependency, Package, cargo_metadata, for_our_platform};
use super::settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// All packages visible to the crate, and the crate's own.
pub struct Graph {
    packages: Vec<Package>,
    /// The index of the crate's own package.
    own: usize,
    /// The bundle settings of its manifest.
    pub settings: Settings,
}

/// The crates to bundle and their metadata.
#[derive(Debug)]
pub struct Plan {
    /// The crates, the binary first.
    pub crates: Vec<Crate>,
    /// The edition of the binary.
    pub edition: String,
    /// The package's name.
    pub package: String,
    /// The package's description.
    pub description: Option<String>,
    /// Its licence.
    pub license: Option<String>,
}

/// One crate of a bundle.
#[derive(Debug)]
pub struct Crate {
    /// The module it becomes; `None` for the binary, which becomes the root.
    pub module: Option<String>,
    /// Its root file.
    pub root: PathBuf,
    /// Its manifest.
    pub manifest: PathBuf,
    /// The name and the version of its package.
    pub package: (String, String),
    /// Its enabled features.
    pub features: BTreeSet<String>,
    /// The crates that its code can refer to.
    pub externs: BTreeMap<String, Extern>,
}

/// A crate that another one refers to.
#[derive(Clone, Debug)]
pub enum Extern {
    /// Part of the bundle: its index in [`Plan::crates`].
    Inlined(usize),
    /// Cannot be inlined: the reason and the remedy.
    Refused(String, String),
}

impl Graph {
    /// Runs `cargo metadata` for the crate in `dir`.
    pub fn read(dir: &Path) -> Result<Self, BundleError> {
        let manifest = dir.join("Cargo.toml");
        let manifest = manifest
            .canonicalize()
            .map_err(|e| BundleError::file(&manifest, e.to_string(), "name a crate's directory"))?;
        // Offline first: the dependencies of a bundle are local, and network access is slow.
        let metadata = cargo_metadata(&manifest, true)
            .or_else(|_| cargo_metadata(&manifest, false))
            .map_err(|what| BundleError::file(&manifest, what, "fix what cargo reports"))?;
        let own = metadata
            .packages
            .iter()
            .position(|p| p.manifest_path == manifest)
            .ok_or_else(|| {
                let what = "this is a workspace without a package of its own";
                BundleError::file(&manifest, what, "name one of its members")
            })?;
        let settings =
            Settings::from_metadata(&metadata.packages[own].metadata).map_err(|what| {
                BundleError::file(&manifest, what, "see judge/bundle/src/settings.rs")
            })?;
        Ok(Graph {
            packages: metadata.packages,
            own,
            settings,
        })
    }

    /// Selects the crates for this binary, or for the main one.
    pub fn plan(&self, bin: Option<&str>) -> Result<Plan, BundleError> {
        let own = &self.packages[self.own];
        let bin = own.bin(bin)?;
        let features = self.features();
        let mut modules: BTreeMap<usize, (usize, String)> = BTreeMap::new(); // package -> crate
        let mut order = Vec::new();
        let mut visit = vec![self.own];
        let mut seen = BTreeSet::new();
        let mut taken: BTreeSet<String> =
            ["std", "core", "alloc", "main"].map(str::to_owned).into();
        if let Some(ids) = std::fs::read_to_string(&bin.src_path)
            .ok()
            .and_then(|text| root_names(&text))
        {
            taken.extend(ids);
        }
        while let Some(package) = visit.pop() {
            if !seen.insert(package) {
                continue;
            }
            if let Some(lib) = self.packages[package].lib() {
                let name = lib.name.replace('-', "_");
                let mut module = name.clone();
                let mut suffix = 1;
                while !taken.insert(module.clone()) {
                    suffix += 1;
                    module = format!("{name}_{suffix}");
                }
                modules.insert(package, (order.len() + 1, module));
                order.push(package);
            }
            for (dependency, _) in self.dependencies(package, &features) {
                if let Some(Ok(next)) = self.inlinable(package, dependency) {
                    visit.push(next);
                }
            }
        }
        let mut crates = vec![self.crate_of(self.own, None, &bin.src_path, &modules, &features)];
        for package in order {
            let module = modules[&package].1.clone();
            let root = &self.packages[package]
                .lib()
                .expect("a library has a module")
                .src_path;
            crates.push(self.crate_of(package, Some(module), root, &modules, &features));
        }
        Ok(Plan {
            crates,
            edition: own.edition.clone(),
            package: own.name.clone(),
            description: own.description.clone(),
            license: own.license.clone(),
        })
    }

    fn crate_of(
        &self,
        package: usize,
        module: Option<String>,
        root: &Path,
        modules: &BTreeMap<usize, (usize, String)>,
        features: &BTreeMap<usize, BTreeSet<String>>,
    ) -> Crate {
        let it = &self.packages[package];
        let mut externs = BTreeMap::new();
        for (dependency, name) in self.dependencies(package, features) {
            let found = match self.inlinable(package, dependency) {
                None => continue,
                Some(Ok(next)) => match modules.get(&next) {
                    Some((index, _)) => Extern::Inlined(*index),
                    None => continue,
                },
                Some(Err((why, remedy))) => Extern::Refused(why, remedy),
            };
            externs.insert(name, found);
        }
        if module.is_none()
            && let Some((index, _)) = modules.get(&package)
        {
            let lib = it.lib().expect("a library has a module");
            externs.insert(lib.name.replace('-', "_"), Extern::Inlined(*index));
        }
        Crate {
            module,
            root: root.to_owned(),
            manifest: it.manifest_path.clone(),
            package: (it.name.clone(), it.version.clone()),
            features: features.get(&package).cloned().unwrap_or_default(),
            externs,
        }
    }

    /// The active dependencies with the names that code uses for them.
    fn dependencies<'a>(
        &'a self,
        package: usize,
        features: &'a BTreeMap<usize, BTreeSet<String>>,
    ) -> impl Iterator<Item = (&'a Dependency, String)> {
        let on = features.get(&package);
        let it = &self.packages[package];
        it.dependencies
            .iter()
            .filter(move |d| {
                let name = d.rename.as_ref().unwrap_or(&d.name);
                let wanted =
                    !d.optional || on.is_some_and(|on| on.contains(&format!("dep:{name}")));
                d.kind.is_none() && wanted && for_our_platform(d.target.as_deref())
            })
            .map(|d| {
                let lib = self.find(d).and_then(|p| self.packages[p].lib());
                let name = match (&d.rename, lib) {
                    (Some(rename), _) => rename.clone(),
                    (None, Some(lib)) => lib.name.clone(),
                    (None, None) => d.name.clone(),
                };
                (d, name.replace('-', "_"))
            })
    }

    fn find(&self, dependency: &Dependency) -> Option<usize> {
        self.packages.iter().position(|p| match &dependency.path {
            Some(path) => p.manifest_path.parent() == Some(path),
            None => p.name == dependency.name && p.source.is_some(),
        })
    }

    /// The package of a dependency, or why it cannot be inlined; `None` if `cargo metadata` does
    /// not list it.
    fn inlinable(
        &self,
        from: usize,
        dependency: &Dependency,
    ) -> Option<Result<usize, (String, String)>> {
        let name = &dependency.name;
        let manifest = &self.packages[from].manifest_path;
        let key = dependency.rename.as_ref().unwrap_or(name);
        let declared = match line_of(manifest, key) {
            Some(line) => format!("declared in {}:{line}", manifest.display()),
            None => format!("declared in {}", manifest.display()),
        };
        if dependency.path.is_none() {
            return Some(Err((
                format!("crate {name} comes from a registry and cannot be inlined ({declared})"),
                "use the standard library or a path dependency".to_owned(),
            )));
        }
        let index = self.find(dependency)?;
        let package = &self.packages[index];
        let has = |kind: &str| {
            package
                .targets
                .iter()
                .any(|t| t.kind.iter().any(|k| k == kind))
        };
        if has("proc-macro") {
            return Some(Err((
                format!("crate {name} is a procedural macro and cannot be inlined ({declared})"),
                "expand the macro by hand".to_owned(),
            )));
        }
        let declared_idle = package
            .metadata
            .pointer("/judge/bundles-without-build-script");
        if has("custom-build") && declared_idle.and_then(serde_json::Value::as_bool) != Some(true) {
            return Some(Err((
                format!("crate {name} has a build script and cannot be inlined ({declared})"),
                format!(
                    "add what the script generates to the source; if the crate is correct \
                     without it, declare that in {}: [package.metadata.judge] \
                     bundles-without-build-script = true",
                    package.manifest_path.display()
                ),
            )));
        }
        Some(Ok(index))
    }

    /// The enabled features of each package, with `dep:NAME` for optional dependencies.
    ///
    /// `cargo metadata` resolves features for the whole workspace: its result includes the defaults
    /// of every member library and the requests of other members. Therefore the bundler resolves
    /// them for this crate alone.
    fn features(&self) -> BTreeMap<usize, BTreeSet<String>> {
        let mut on: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        let mut todo = vec![(self.own, "default".to_owned())];
        while let Some((package, feature)) = todo.pop() {
            if !on.entry(package).or_default().insert(feature.clone()) {
                continue;
            }
            let it = &self.packages[package];
            for implied in it.features.get(&feature).into_iter().flatten() {
                match implied.split_once('/') {
                    // Weak features have no effect unless the dependency is enabled elsewhere.
                    Some((name, _)) if name.ends_with('?') => {}
                    Some((name, feature)) => {
                        todo.push((package, format!("dep:{name}")));
                        for d in it.dependencies.iter().filter(|d| d.is_called(name)) {
                            todo.extend(self.find(d).map(|p| (p, feature.to_owned())));
                        }
                    }
                    None => todo.push((package, implied.clone())),
                }
            }
            for d in it.dependencies.iter().filter(|d| d.kind.is_none()) {
                let Some(next) = self.find(d) else { continue };
                let called = format!("dep:{}", d.rename.as_ref().unwrap_or(&d.name));
                if d.optional && !on[&package].contains(&called) {
                    continue;
                }
                // The empty feature visits a package that has no features enabled.
                todo.push((next, String::new()));
                todo.extend(d.features.iter().map(|f| (next, f.clone())));
                let implied = on[&package].iter().filter_map(|on| it.features.get(on));
                let weak = implied.flatten().filter_map(|implied| {
                    let (name, feature) = implied.split_once("?/")?;
                    d.is_called(name).then(|| (next, feature.to_owned()))
                });
                todo.extend(weak);
                if d.uses_default_features {
                    todo.push((next, "default".to_owned()));
                }
            }
        }
        on
    }
}

/// The line of the manifest that declares this dependency.
fn line_of(manifest: &Path, key: &str) -> Option<usize> {
    let text = std::fs::read_to_string(manifest).ok()?;
    let heading = format!("dependencies.{key}]");
    text.lines()
        .position(|line| {
            let line = line.trim_start();
            let declares = line
                .strip_prefix(key)
                .is_some_and(|rest| rest.trim_start().starts_with(['=', '.']));
            declares || line.ends_with(&heading)
        })
        .map(|index| index + 1)
}

/// Names used at the root of the file, which no library's module may take.
fn root_names(text: &str) -> Option<BTreeSet<String>> {
    let file = syn::parse_file(text).ok()?;
    let mut names = super::declared::declared_in(&file.items);
    for item in &file.items {
        if let syn::Item::Use(item) = item {
            names.extend(own_name(&item.tree));
        }
    }
    Some(names)
}

/// The crate name that `use sudoku;` or `use sudoku::{self, Grid};` imports.
fn own_name(tree: &syn::UseTree) -> Option<String> {
    match tree {
        syn::UseTree::Name(name) => Some(name.ident.to_string()),
        syn::UseTree::Path(path) => match &*path.tree {
            syn::UseTree::Group(group) => group.items.iter().find_map(|tree| match tree {
                syn::UseTree::Name(name) if name.ident == "self" => Some(path.ident.to_string()),
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    }
}
