//! Settings of a folder with cases: the file `judge.yaml` beside the directory of cases, which
//! `judge new --listen --into` writes.

use super::common::SearchPath;
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::tree::Tree;
use crate::input::units::{seconds, size};
use crate::input::yaml::Node;
use crate::override_checker::tolerance_args;
use std::time::Duration;

/// The name of the file.
pub const FILE: &str = "judge.yaml";

/// Its keys.
pub const KEYS: [&str; 10] = [
    "name",
    "url",
    "time_limit",
    "memory_limit",
    "tolerance",
    "input",
    "output",
    "interactive",
    "interactor",
    "checker",
];

/// Whether the directory has settings.
pub fn exist(dir: &PackageDir) -> bool {
    dir.has_file(FILE)
}

fn parse(tree: &mut Tree) -> Result<Option<Node>, PackageError> {
    if !exist(&tree.dir) {
        return Ok(None);
    }
    let yaml = tree.yaml(&tree.root.join(FILE))?;
    if yaml.is_null() {
        return Ok(None);
    }
    yaml.only(&KEYS)?;
    Ok(Some(yaml))
}

/// Applies the settings to the package; returns the arguments that they give the default validator, which
/// belong to the cases.
pub fn read(builder: &mut PackageBuilder) -> Result<Vec<String>, PackageError> {
    let Some(yaml) = parse(&mut builder.tree)? else {
        return Ok(Vec::new());
    };
    let (tree, package) = (&builder.tree, &mut builder.package);
    let text = |node: &Node| node.text().map(str::to_owned);
    yaml.set("name", &mut package.name, text)?;
    package.url = yaml.optional("url", text)?;
    if let Some(limit) = yaml.optional("time_limit", seconds)? {
        package.limits.set_time(Some(limit), limit);
    }
    if let Some(bytes) = yaml.optional("memory_limit", |node| size(node, 1 << 20))? {
        package.limits.set_memory(bytes);
    }
    let file_name = |node: &Node| super::common::plain_name(node).map(|name| Some(name.to_owned()));
    yaml.set("input", &mut package.file_io.input, file_name)?;
    yaml.set("output", &mut package.file_io.output, file_name)?;
    yaml.set("interactive", &mut package.kind.interactive, Node::bool)?;
    let places = SearchPath::new(&tree.root)?;
    let program = |node: &Node| places.named(node, "write it, or remove this line");
    if let Some(interactor) = yaml.optional("interactor", program)? {
        package.override_interactor(&interactor)?;
    }
    if let Some(checker) = yaml.optional("checker", program)? {
        package.override_checker(&checker)?;
    }
    let is_long = |limit: &Duration| limit.as_secs() >= 500;
    let long = yaml.optional("time_limit", seconds)?.filter(is_long);
    if let Some((node, limit)) = yaml.get("time_limit").zip(long) {
        let what = format!("the limit is {} seconds", limit.as_secs_f64());
        let remedy = "write 1 for 1000 milliseconds";
        builder.tree.warning(node.error(what).remedy(remedy));
    }
    let error = yaml.optional("tolerance", Node::positive)?;
    if let Some((node, error)) = yaml.get("tolerance").zip(error) {
        report_large_tolerance(&mut builder.tree, node, error);
    }
    Ok(error.map(tolerance_args).into_iter().flatten().collect())
}

/// Warns of a permitted error that accepts nearly every number: `1e6` instead of `1e-6`.
pub fn report_large_tolerance(tree: &mut Tree, node: &Node, error: f64) {
    if error >= 1.0 {
        let what = format!("an error of {error} accepts nearly every number");
        tree.warning(node.error(what).remedy("write a small one, such as 1e-6"));
    }
}
