//! The `limits` of `problem.yaml`, and the other files that may contain a time limit.

use super::domjudge_ini;
use crate::package::error::PackageError;
use crate::package::input::text;
use crate::package::input::tree::Tree;
use crate::package::input::units::{duration, parse_size, seconds};
use crate::package::input::yaml::Node;
use crate::package::model::{PackageLimits, TimeLimit};
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// The keys that all versions share.
const SIZES: [&str; 8] = [
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
];

/// The other keys of limits, in any version.
const TIMES: [&str; 6] = [
    "time_limit",
    "time_multipliers",
    "time_multiplier",
    "time_safety_margin",
    "time_resolution",
    "validation_passes",
];

/// The error for an unknown key next to `limits` that may belong into it.
pub fn unknown_beside(key: &Node, known: &[&str]) -> PackageError {
    let complaint = key.unknown_key(known);
    let name = key.scalar().unwrap_or_default();
    if SIZES.contains(&name) || TIMES.contains(&name) {
        return complaint.remedy("put it under `limits:`");
    }
    complaint
}

/// The limits of versions 2023-07 and 2025-09.
pub fn read_2025(node: Option<&Node>, tree: &mut Tree) -> Result<PackageLimits, PackageError> {
    let mut limits = PackageLimits::system_defaults();
    limits.margin_keys = Some(("ac_to_time_limit", "time_limit_to_tle"));
    let Some(node) = node else {
        return Ok(limits);
    };
    let known = [
        &SIZES[..],
        &[
            "time_limit",
            "time_multipliers",
            "time_resolution",
            "validation_passes",
        ],
    ]
    .concat();
    for (key, _) in node.entries()? {
        match key.scalar().unwrap_or_default() {
            "time_multiplier" | "time_safety_margin" => tree.error(
                key.error("is a key of version `legacy`")
                    .remedy("use `time_multipliers: {ac_to_time_limit, time_limit_to_tle}`"),
            ),
            name if known.contains(&name) => {}
            _ => return Err(key.unknown_key(&known)),
        }
    }
    sizes(node, &mut limits)?;
    if let Some(multipliers) = node.get("time_multipliers") {
        multipliers.only(&["ac_to_time_limit", "time_limit_to_tle"])?;
        for (name, value) in [
            ("ac_to_time_limit", &mut limits.ac_to_time_limit),
            ("time_limit_to_tle", &mut limits.time_limit_to_tle),
        ] {
            if let Some(node) = multipliers.get(name) {
                *value = node.positive()?;
                if *value < 1.0 {
                    return Err(node.error(format!("`{name}` must be at least 1")));
                }
            }
        }
    }
    let resolution = match node.get("time_resolution") {
        Some(node) => seconds(node)?,
        None => Duration::from_secs(1),
    };
    limits.time = TimeLimit::Derived {
        factor: limits.ac_to_time_limit,
        resolution,
    };
    if let Some(given) = node.get("time_limit") {
        let time = seconds(given)?;
        limits.time = TimeLimit::Given(time);
        let steps = time.as_secs_f64() / resolution.as_secs_f64();
        if (steps - steps.round()).abs() > 1e-6 {
            tree.error(
                given
                    .error(format!(
                        "the time limit is not a multiple of `time_resolution`, {} s",
                        resolution.as_secs_f64()
                    ))
                    .remedy("round it, or give a finer `time_resolution`"),
            );
        }
    }
    passes(node, &mut limits)?;
    Ok(limits)
}

/// The limits of versions `legacy` and `legacy-icpc`.
pub fn read_legacy(node: Option<&Node>, tree: &mut Tree) -> Result<PackageLimits, PackageError> {
    let mut limits = PackageLimits::system_defaults();
    limits.ac_to_time_limit = 5.0;
    limits.time_limit_to_tle = 2.0;
    limits.margin_keys = Some(("time_multiplier", "time_safety_margin"));
    // The time limit is not a key of the version, but BAPCtools and DOMjudge read it.
    let known = [
        &SIZES[..],
        &[
            "time_multiplier",
            "time_safety_margin",
            "time_limit",
            "validation_passes",
        ],
    ]
    .concat();
    let mut given = None;
    let mut resolution = Duration::from_secs(1);
    if let Some(node) = node {
        for (key, value) in node.entries()? {
            match key.scalar().unwrap_or_default() {
                "time_resolution" => resolution = seconds(value)?,
                "time_multipliers" => tree.error(
                    key.error("is a key of version `2025-09` and is left out")
                        .remedy("use `time_multiplier` and `time_safety_margin`"),
                ),
                name if known.contains(&name) => {}
                _ => return Err(key.unknown_key(&known)),
            }
        }
        sizes(node, &mut limits)?;
        if let Some(node) = node.get("time_multiplier") {
            limits.ac_to_time_limit = node.positive()?;
        }
        if let Some(node) = node.get("time_safety_margin") {
            limits.time_limit_to_tle = node.positive()?;
        }
        if let Some(node) = node.get("time_limit") {
            given = Some(seconds(node)?);
        }
        passes(node, &mut limits)?;
    }
    let given = match given {
        Some(given) => Some(given),
        None => beside(tree)?,
    };
    limits.time = match given {
        Some(given) => TimeLimit::Given(given),
        None => TimeLimit::Derived {
            factor: limits.ac_to_time_limit,
            resolution,
        },
    };
    Ok(limits)
}

/// The time limit of `domjudge-problem.ini` or of `.timelimit`.
pub fn beside(tree: &Tree) -> Result<Option<Duration>, PackageError> {
    if let Some(value) = domjudge_ini::ini_value(tree, "timelimit")? {
        return parse_seconds(&value.text).map(Some).ok_or_else(|| {
            let text = text::shorten(&value.text, 60);
            value
                .error(format!("`timelimit` is not a time: `{text}`"))
                .remedy("give seconds, like `timelimit='2'`")
        });
    }
    if let Some(path) = tree.existing(".timelimit")? {
        let content = text::read(&path, MIB)?;
        return parse_seconds(content.trim()).map(Some).ok_or_else(|| {
            let content = text::shorten(content.trim(), 60);
            PackageError::new(&path, format!("is not a time: `{content}`"))
                .at(1, 1)
                .remedy("write the seconds alone, like `2`")
        });
    }
    Ok(None)
}

fn sizes(node: &Node, limits: &mut PackageLimits) -> Result<(), PackageError> {
    for (name, unit, value) in [
        ("memory", MIB, &mut limits.memory),
        ("output", MIB, &mut limits.output),
        ("compilation_memory", MIB, &mut limits.compilation_memory),
        ("validation_memory", MIB, &mut limits.validation_memory),
        ("validation_output", MIB, &mut limits.validation_output),
    ] {
        if let Some(node) = node.get(name) {
            *value = size(node, unit)?;
        }
    }
    if let Some(node) = node.get("code") {
        limits.code = Some(size(node, 1 << 10)?);
    }
    for (name, value) in [
        ("compilation_time", &mut limits.compilation_time),
        ("validation_time", &mut limits.validation_time),
    ] {
        if let Some(node) = node.get(name) {
            *value = seconds(node)?;
        }
    }
    Ok(())
}

fn passes(node: &Node, limits: &mut PackageLimits) -> Result<(), PackageError> {
    if let Some(node) = node.get("validation_passes") {
        limits.validation_passes = u32::try_from(node.integer(2)?)
            .map_err(|_| node.error("more passes than can be counted"))?;
    }
    Ok(())
}

fn size(node: &Node, unit: u64) -> Result<u64, PackageError> {
    let number = node.integer(1).map_err(|error| {
        let name = if unit == MIB { "MiB" } else { "KiB" };
        let bytes = node.scalar().and_then(|text| parse_size(text, unit));
        match bytes.map(|bytes| bytes.div_ceil(unit)) {
            Some(number) => error.remedy(format!("write {number}; the unit is {name}")),
            None => error.remedy(format!("write a whole number of {name}")),
        }
    })?;
    number
        .checked_mul(unit)
        .ok_or_else(|| node.error("more bytes than can be counted"))
}

fn parse_seconds(text: &str) -> Option<Duration> {
    duration(text.parse().ok()?)
}
