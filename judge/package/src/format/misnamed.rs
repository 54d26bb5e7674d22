//! Configurations whose names are almost right, such as `init.yaml`: beside pairs of files they would be ignored, with
//! their limits and checkers.

use super::common::peek;
use super::settings;
use super::sinol;
use super::unread::CMS_KEYS;
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::tree::names;
use crate::input::yaml::Node;

/// A configuration: its name, and whether a file with another one has its content.
type Configuration = (&'static str, fn(&PackageDir, &Node) -> bool);

/// The configurations. ICPC's `problem.yaml` is beside directories of data, which show the format.
const CONFIGURATIONS: [Configuration; 4] = [
    ("init.yml", |_, yaml| {
        has(yaml, &["test_cases", "archive"], 1)
    }),
    ("task.yaml", |_, yaml| has(yaml, &CMS_KEYS, 3)),
    (sinol::FILE, sinol::is_like),
    (settings::FILE, |_, yaml| has(yaml, &settings::KEYS, 1)),
];

fn has(yaml: &Node, keys: &[&str], least: usize) -> bool {
    keys.iter().filter(|key| yaml.get(key).is_some()).count() >= least
}

/// Whether a file has a name that is almost the right one: another use of upper and lower case, or `.yaml` for `.yml`.
fn is_almost(name: &str, right: &str) -> bool {
    let plain = |name: &str| name.to_lowercase().replace(".yaml", ".yml");
    name != right && plain(name) == plain(right)
}

/// The name of a misnamed configuration, and the right one.
fn find(dir: &PackageDir) -> Option<(String, &'static str)> {
    CONFIGURATIONS.iter().find_map(|(right, is_one)| {
        let mut almost = names(dir.root()).filter(|name| is_almost(name, right));
        let found = almost.find(|name| peek(dir, name).is_some_and(|yaml| is_one(dir, &yaml)))?;
        Some((found, *right))
    })
}

/// The error about a configuration with another name than the format's.
pub fn error(dir: &PackageDir, name: &str, right: &str) -> PackageError {
    let what = "has another name than the format's file";
    PackageError::new(dir.root().join(name), what).remedy(format!("rename it to `{right}`"))
}

/// A directory with such a file.
pub struct Misnamed;

impl Format for Misnamed {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        find(dir).map(|_| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let dir = &builder.tree.dir;
        find(dir).map_or(Ok(()), |(name, right)| Err(error(dir, &name, right)))
    }
}
