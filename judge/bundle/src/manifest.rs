//! The crate as `cargo metadata` describes it: its binary, libraries, features and editions.

use super::Target;
use super::error::BundleError;
use super::metadata::{Dependency, Package, cargo_metadata, for_our_platform};
use super::settings::TargetSettings;
use super::uses::{Leaf, leaves};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// All packages visible to the crate, and the crate's own.
pub struct Graph {
    packages: Vec<Package>,
    /// The index of the crate's own package.
    own: usize,
}

/// The crates to bundle and their metadata.
#[derive(Debug)]
pub struct Plan {
    /// The crates, the binary first.
    pub crates: Vec<Crate>,
    pub edition: String,
    /// The package's name.
    pub package: String,
    /// The package's description.
    pub description: Option<String>,
    pub license: Option<String>,
}

/// One crate of a bundle.
#[derive(Debug)]
pub struct Crate {
    /// The module it becomes; `None` for the binary, which becomes the root.
    pub module: Option<String>,
    pub root: PathBuf,
    pub manifest: PathBuf,
    /// The name and the version of its package.
    pub package: (String, String),
    pub features: BTreeSet<String>,
    /// The crates that its code can refer to.
    pub externs: BTreeMap<String, Extern>,
}

/// A crate that another one refers to.
#[derive(Clone, Debug)]
pub enum Extern {
    /// A module at the root of the bundle; `None` is the root itself.
    Module(Option<String>),
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
        let metadata =
            cargo_metadata(&manifest, true).or_else(|_| cargo_metadata(&manifest, false))?;
        let own = metadata
            .packages
            .iter()
            .position(|p| p.manifest_path == manifest)
            .ok_or_else(|| {
                let what = "this is a workspace without a package of its own";
                BundleError::file(&manifest, what, "name one of its members")
            })?;
        Ok(Graph {
            packages: metadata.packages,
            own,
        })
    }

    /// The settings of this target in the crate's manifest.
    pub fn settings(&self, target: Target) -> Result<TargetSettings, BundleError> {
        let own = &self.packages[self.own];
        TargetSettings::read(&own.manifest_path, &own.metadata, target)
    }

    /// Selects the crates for this binary, or for the main one.
    pub fn plan(&self, bin: Option<&str>) -> Result<Plan, BundleError> {
        let own = &self.packages[self.own];
        let bin = own.bin(bin)?;
        let features = self.features();
        // The modules of the packages with a library.
        let mut modules: BTreeMap<usize, String> = BTreeMap::new();
        let mut order = Vec::new();
        let mut visit = vec![self.own];
        let mut seen = BTreeSet::new();
        let mut taken: BTreeSet<String> =
            ["std", "core", "alloc", "main"].map(str::to_owned).into();
        let text = std::fs::read_to_string(&bin.src_path).unwrap_or_default();
        taken.extend(root_names(&text).unwrap_or_default());
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
                modules.insert(package, module);
                order.push((package, &lib.src_path));
            }
            for (dependency, _) in self.dependencies(package, &features) {
                if let Some(Ok(next)) = self.inlinable(package, dependency) {
                    visit.push(next);
                }
            }
        }
        let mut crates = vec![self.crate_of(self.own, None, &bin.src_path, &modules, &features)];
        for (package, root) in order {
            let module = Some(modules[&package].clone());
            crates.push(self.crate_of(package, module, root, &modules, &features));
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
        modules: &BTreeMap<usize, String>,
        features: &BTreeMap<usize, BTreeSet<String>>,
    ) -> Crate {
        let it = &self.packages[package];
        let mut externs = BTreeMap::new();
        for (dependency, name) in self.dependencies(package, features) {
            let found = match self.inlinable(package, dependency) {
                None => continue,
                Some(Ok(next)) => match modules.get(&next) {
                    Some(module) => Extern::Module(Some(module.clone())),
                    None => continue,
                },
                Some(Err((why, remedy))) => Extern::Refused(why, remedy),
            };
            externs.insert(name, found);
        }
        if let (None, Some(own), Some(lib)) = (&module, modules.get(&package), it.lib()) {
            let own = Extern::Module(Some(own.clone()));
            externs.insert(lib.name.replace('-', "_"), own);
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
                let enabled = || on.is_some_and(|on| on.contains(&d.feature()));
                let wanted = !d.optional || enabled();
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
        let line = line_of(manifest, dependency.key());
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        let declared = format!("declared in {}{line}", manifest.display());
        let is_version = |package: &&Package| package.name == *name && package.source.is_some();
        let versions = self.packages.iter().filter(is_version).count();
        if dependency.path.is_none() && versions > 1 {
            return Some(Err((
                format!(
                    "crate {name} is used in {versions} versions and cannot be inlined ({declared})"
                ),
                "require one version of it".to_owned(),
            )));
        }
        let index = self.find(dependency)?;
        let package = &self.packages[index];
        let has = |kind: &str| package.targets.iter().any(|t| t.is(kind));
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
                        for d in it.dependencies.iter().filter(|d| d.key() == name) {
                            todo.extend(self.find(d).map(|p| (p, feature.to_owned())));
                        }
                    }
                    None => todo.push((package, implied.clone())),
                }
            }
            for d in it.dependencies.iter().filter(|d| d.kind.is_none()) {
                let Some(next) = self.find(d) else { continue };
                if d.optional && !on[&package].contains(&d.feature()) {
                    continue;
                }
                // The empty feature visits a package that has no features enabled.
                todo.push((next, String::new()));
                todo.extend(d.features.iter().map(|f| (next, f.clone())));
                let implied = on[&package].iter().filter_map(|on| it.features.get(on));
                let weak = implied.flatten().filter_map(|implied| {
                    let (name, feature) = implied.split_once("?/")?;
                    (d.key() == name).then(|| (next, feature.to_owned()))
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
    let declares = |line: &str| {
        let rest = line.trim_start().strip_prefix(key).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['=', '.'])) || line.ends_with(&heading)
    };
    Some(text.lines().position(declares)? + 1)
}

/// Names used at the root of the file, which no library's module may take.
fn root_names(text: &str) -> Option<BTreeSet<String>> {
    let file = syn::parse_file(text).ok()?;
    let mut names = super::declared::declared_in(&file.items);
    for item in &file.items {
        if let syn::Item::Use(item) = item {
            let crates = leaves(&item.tree).into_iter().filter(Leaf::is_crate);
            names.extend(crates.filter_map(|leaf| leaf.name));
        }
    }
    Some(names)
}
