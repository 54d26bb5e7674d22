//! The `limits` of `problem.yaml`, and the other files that may contain a time limit.

use super::{Version, domjudge_ini};
use crate::error::PackageError;
use crate::input::text;
use crate::input::tree::Tree;
use crate::input::units::{duration, seconds, size};
use crate::input::yaml::Node;
use crate::model::{LimitSource, PackageLimits, TimeLimit};
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// The keys of versions 2023-07 and 2025-09, then those that only legacy has.
const KEYS: [&str; 14] = [
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
    "validation_passes",
    "time_limit",
    "time_multipliers",
    "time_resolution",
    "time_multiplier",
    "time_safety_margin",
];

/// The error for an unknown key next to `limits` that may belong into it.
pub fn unknown_beside(key: &Node, known: &[&str]) -> PackageError {
    let complaint = key.unknown_key(known);
    let name = key.scalar().unwrap_or_default();
    if KEYS.contains(&name) {
        return complaint.remedy("put it under `limits:`");
    }
    complaint
}

/// The limits of `problem.yaml` and of the files that may contain a time limit instead.
pub fn read(
    node: Option<&Node>,
    version: Version,
    tree: &mut Tree,
) -> Result<PackageLimits, PackageError> {
    let legacy = version.is_legacy();
    let mut limits = PackageLimits {
        memory_from: LimitSource::Format,
        margin_keys: Some(("ac_to_time_limit", "time_limit_to_tle")),
        ..PackageLimits::default()
    };
    if legacy {
        limits.margin_keys = Some(("time_multiplier", "time_safety_margin"));
        limits.ac_to_time_limit = 5.0;
        limits.time_limit_to_tle = 2.0;
    }
    let mut resolution = Duration::from_secs(1);
    // In legacy it is not a key of the version, but BAPCtools and DOMjudge read it.
    let mut time_limit = None;
    for (key, value) in node.map_or(Ok(&[][..]), Node::entries)? {
        let name = key.scalar().unwrap_or_default();
        if legacy && ["time_limit", "time_resolution", "validation_passes"].contains(&name) {
            let what = format!("`{name}` is a key of version `2025-09`: not every judge reads it");
            let remedy = match name {
                "time_limit" => "give it in `domjudge-problem.ini` or `.timelimit` instead",
                _ => "write `problem_format_version: 2025-09`, or remove it",
            };
            tree.warning(key.error(what).remedy(remedy));
        }
        match (name, legacy) {
            _ if value.is_null() && KEYS.contains(&name) => {}
            ("memory", _) => limits.set_memory(size(value, MIB)?),
            ("output", _) => limits.output = size(value, MIB)?,
            ("code", _) => limits.code = Some(size(value, 1 << 10)?),
            ("compilation_time", _) => limits.compilation_time = seconds(value)?,
            ("compilation_memory", _) => limits.compilation_memory = size(value, MIB)?,
            ("validation_time", _) => limits.validation_time = seconds(value)?,
            ("validation_memory", _) => limits.validation_memory = size(value, MIB)?,
            ("validation_output", _) => limits.validation_output = size(value, MIB)?,
            ("validation_passes", _) => {
                limits.validation_passes = u32::try_from(value.integer(2)?)
                    .map_err(|_| value.error("more passes than can be counted"))?;
            }
            ("time_limit", _) => time_limit = Some((seconds(value)?, value)),
            ("time_resolution", _) => resolution = seconds(value)?,
            ("time_multiplier", true) => limits.ac_to_time_limit = value.positive()?,
            ("time_safety_margin", true) => limits.time_limit_to_tle = value.positive()?,
            ("time_multipliers", false) => multipliers(value, &mut limits)?,
            ("time_multipliers", true) => tree.error(
                key.error("is a key of version `2025-09` and is left out")
                    .remedy("use `time_multiplier` and `time_safety_margin`"),
            ),
            ("time_multiplier" | "time_safety_margin", false) => tree.error(
                key.error("is a key of version `legacy`")
                    .remedy("use `time_multipliers: {ac_to_time_limit, time_limit_to_tle}`"),
            ),
            (_, true) => return Err(key.unknown_key(&KEYS)),
            (_, false) => return Err(key.unknown_key(&KEYS[..12])),
        }
    }
    if let Some((time, node)) = time_limit.filter(|_| !legacy) {
        let steps = time.as_secs_f64() / resolution.as_secs_f64();
        if (steps - steps.round()).abs() > 1e-6 {
            let what = format!(
                "the time limit is not a multiple of `time_resolution`, {} s",
                resolution.as_secs_f64()
            );
            tree.error(
                node.error(what)
                    .remedy("round it, or give a finer `time_resolution`"),
            );
        }
    }
    let given = match time_limit {
        Some((time, _)) => Some(time),
        None => beside(tree)?,
    };
    limits.time_resolution = resolution;
    limits.time = match given {
        Some(given) => TimeLimit::Given(given),
        None => TimeLimit::Derived {
            factor: limits.ac_to_time_limit,
            resolution,
        },
    };
    Ok(limits)
}

/// `time_multipliers: {ac_to_time_limit: 2, time_limit_to_tle: 1.5}`.
fn multipliers(node: &Node, limits: &mut PackageLimits) -> Result<(), PackageError> {
    node.only(&["ac_to_time_limit", "time_limit_to_tle"])?;
    for (name, value) in [
        ("ac_to_time_limit", &mut limits.ac_to_time_limit),
        ("time_limit_to_tle", &mut limits.time_limit_to_tle),
    ] {
        if let Some(node) = node.get(name) {
            *value = node.positive()?;
            if *value < 1.0 {
                return Err(node.error(format!("`{name}` must be at least 1")));
            }
        }
    }
    Ok(())
}

/// The time limit of `domjudge-problem.ini` or of `.timelimit`.
fn beside(tree: &mut Tree) -> Result<Option<Duration>, PackageError> {
    let parsed = |node: &Node, what: &str, remedy: &str| {
        let text = node.scalar().unwrap_or_default();
        let time = text.parse().ok().and_then(duration);
        let text = text::shorten(text, 60);
        let wrong = || {
            node.error(format!("{what} not a time: `{text}`"))
                .remedy(remedy)
        };
        let time = time.ok_or_else(wrong)?;
        Ok(time.max(Duration::from_millis(1)))
    };
    let ini = domjudge_ini::ini_value(tree, "timelimit")?;
    let remedy = "give seconds, like `timelimit='2'`";
    let ini = ini.map(|node| parsed(&node, "`timelimit` is", remedy));
    let ini = ini.transpose()?;
    let Some(path) = tree.existing(".timelimit")? else {
        return Ok(ini);
    };
    let content = text::read(&path, MIB)?;
    let node = Node::plain(&path, (1, 1), content.trim().to_owned());
    let other = parsed(&node, "is", "write the seconds alone, like `2`")?;
    if let Some(ini) = ini.filter(|ini| *ini != other) {
        let (ini, other) = (ini.as_secs_f64(), other.as_secs_f64());
        let what = format!("says {other} s, but `domjudge-problem.ini` {ini} s, which counts");
        tree.warning(node.error(what).remedy("remove one of the two"));
    }
    Ok(Some(ini.unwrap_or(other)))
}
