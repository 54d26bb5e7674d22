//! Bundle settings in a crate's manifest: `[package.metadata.judge.bundle.TARGET]`.
//!
//! ```toml
//! [package.metadata.judge.bundle.rust]
//! url = "https://www.luogu.com.cn/problem/P1784"
//! language = "Rust (1.88, edition 2024)"
//! edition = "2024"
//! flags = ["-C", "opt-level=2"]
//! code-limit = 51200
//! ```

use super::{BundleError, Target};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TargetSettings {
    /// The binary target to bundle; the main one by default.
    pub bin: Option<String>,
    /// For C++: a handwritten program to bundle instead of machine code, relative to the manifest.
    pub source: Option<PathBuf>,
    /// The page where the file is submitted.
    pub url: Option<String>,
    /// The language's name on that page.
    pub language: Option<String>,
    /// The Rust edition of the judge's compiler.
    pub edition: Option<String>,
    /// The judge's compiler flags other than the edition.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The maximum source size in bytes.
    pub code_limit: Option<usize>,
    /// Whether the bundle is always minified.
    #[serde(default)]
    pub minify: bool,
    /// Function forms: the methods that the judge calls, as `Type::method`.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Function forms: the types that the judge declares itself.
    #[serde(default)]
    pub given: Vec<String>,
}

impl TargetSettings {
    /// Reads the settings of a target from the `package.metadata` table of a manifest, in the form that cargo
    /// prints; the defaults if it has none.
    /// Fails for a malformed table or an unknown key, also of another target.
    pub fn read(
        manifest: &Path,
        metadata: &serde_json::Value,
        target: Target,
    ) -> Result<Self, BundleError> {
        let wrong =
            |what: String| BundleError::file(manifest, what, "docs/bundle.md lists the keys");
        let mut found = TargetSettings::default();
        let bundle = match metadata.pointer("/judge/bundle") {
            Some(serde_json::Value::Object(bundle)) => bundle,
            Some(_) => {
                return Err(wrong(
                    "package.metadata.judge.bundle must be a table".to_owned(),
                ));
            }
            None => return Ok(found),
        };
        for (name, value) in bundle {
            let table = format!("[package.metadata.judge.bundle.{name}]");
            let own: Target = name.parse().map_err(|e| wrong(format!("{table}: {e}")))?;
            let settings = TargetSettings::deserialize(value);
            let settings = settings.map_err(|e| wrong(format!("{table}: {e}")))?;
            if own == target {
                found = settings;
            }
        }
        Ok(found)
    }
}
