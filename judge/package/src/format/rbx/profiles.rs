//! Limits for other judges: `.limits/NAME.yml`, which `rbx time --profile NAME` writes.

use super::{language_of, mebibytes};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::units::{milliseconds, size};
use crate::input::yaml::Node;
use crate::model::{LanguageLimits, LimitSource, PackageLimits};
use std::fs;

/// The keys of a profile; those after `modifiers` say how rbx found the limits.
const KEYS: [&str; 9] = [
    "inheritFromPackage",
    "timeLimit",
    "memoryLimit",
    "outputLimit",
    "modifiers",
    "formula",
    "multipliers",
    "groups",
    "baseEstimate",
];

/// Reads the profiles of the package, whose own limits are known.
pub fn read(builder: &mut PackageBuilder) -> Result<(), PackageError> {
    let dir = builder.tree.root.join(".limits");
    let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "yml"))
        .collect();
    paths.sort();
    for path in paths {
        let yaml = builder.tree.yaml(&path)?;
        yaml.only(&KEYS)?;
        let limits = limits(&builder.package.limits, &yaml)?;
        let name = path.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        builder.package.profiles.insert(name, limits);
    }
    Ok(())
}

/// The limits of a profile: those that it does not set are the package's, but a limit that it sets
/// replaces the package's for each language, too.
fn limits(own: &PackageLimits, yaml: &Node) -> Result<PackageLimits, PackageError> {
    let mut limits = own.clone();
    if yaml.flag("inheritFromPackage")? {
        return Ok(limits);
    }
    if let Some(time) = yaml.optional("timeLimit", milliseconds)? {
        limits.set_time(Some(time), time);
        limits.languages.iter_mut().for_each(|own| own.time = None);
    }
    if let Some(memory) = yaml.optional("memoryLimit", mebibytes)? {
        limits.set_memory(memory);
        limits
            .languages
            .iter_mut()
            .for_each(|own| own.memory = None);
    }
    set_optional(&mut limits, yaml)?;
    Ok(limits)
}

/// Sets the limits that a package may leave out, too: of the output, and those of `modifiers`.
pub fn set_optional(limits: &mut PackageLimits, yaml: &Node) -> Result<(), PackageError> {
    if let Some(bytes) = yaml.optional("outputLimit", |node| size(node, 1 << 10))? {
        limits.output = bytes;
        limits.output_from = LimitSource::Package;
    }
    let modifiers = yaml.get("modifiers").map_or(Ok(&[][..]), Node::entries)?;
    for (name, node) in modifiers {
        let code = language_of(name.text()?);
        let known = limits.languages.iter().position(|own| own.language == code);
        let at = known.unwrap_or_else(|| {
            limits.languages.push(LanguageLimits::new(code));
            limits.languages.len() - 1
        });
        let own = &mut limits.languages[at];
        own.time = node.optional("time", milliseconds)?.or(own.time);
        own.memory = node.optional("memory", mebibytes)?.or(own.memory);
        if let Some(factor) = node.optional("timeMultiplier", Node::positive)? {
            own.time_factor = factor;
        }
    }
    Ok(())
}
