//! Function forms: the methods that a judge calls and their dependencies, without `main`.

use super::error::BundleError;
use super::load::Loaded;
use super::manifest::Plan;
use super::rustc::Compiler;
use super::settings::TargetSettings;
use super::{Target, trim};
use syn::{File, Item};

/// The remark that accompanies a function form.
pub const NOTE: &str = "the function form was compiled alone; what is judged locally is the \
                        whole program, whose main calls the same methods";

/// Extracts the methods named in the settings and everything they need.
pub fn extract(
    loaded: &Loaded,
    compiler: &Compiler,
    settings: &TargetSettings,
    plan: &Plan,
    target: Target,
) -> Result<File, BundleError> {
    let manifest = &plan.crates[0].manifest;
    if settings.keep.is_empty() {
        return Err(BundleError::file(
            manifest,
            format!("the manifest does not name the methods that {target} calls"),
            format!(
                "name them, such as keep = [\"Solution::new\", \"Solution::solve\"], in \
                 [package.metadata.judge.bundle.{target}]"
            ),
        ));
    }
    let mut roots = vec!["main".to_owned()];
    let mut calls = String::from("\nfn main() {");
    for method in &settings.keep {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        roots.extend(method.split(|c| !is_word(c)).map(str::to_owned));
        calls.push_str(&format!(" let _ = {method};"));
    }
    calls.push_str(" }\n");
    let mut whole = Loaded {
        file: loaded.file.clone(),
        markers: Default::default(),
        origins: loaded.origins.clone(),
        root: loaded.root.clone(),
    };
    whole
        .file
        .items
        .retain(|item| !matches!(item, Item::Fn(f) if f.sig.ident == "main"));
    let mut file = trim::trim(&whole, compiler, &roots, &calls)?;
    file.items.retain(|item| {
        let name = match item {
            Item::Struct(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            _ => return true,
        };
        !settings.given.iter().any(|given| name == given)
    });
    Ok(file)
}
