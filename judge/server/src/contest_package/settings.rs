//! The contest and its problems from JSON and YAML.

use super::each;
use super::people::{any, required, text};
use super::rows::{At, ProblemRow, checked_id};
use crate::contest_api::{RelTime, Time};
use crate::store::{Contest, ContestProblem, Scoring};
use judge_package::PackageError;
use judge_package::yaml::Node;
use judge_statement::document::is_rgb;

/// Reads a contest and the penalty of a wrong submission in milliseconds, which is `None` if the file does not give it.
pub fn contest(node: &Node) -> Result<(Contest, Option<i64>), PackageError> {
    let ids = ["id", "short_name", "short-name", "shortname"];
    let name = required(node, &["name", "formal_name"])?;
    let id = required(node, &ids)?;
    let at = At::node(any(node, &ids).unwrap_or(node));
    let lengths = ["duration", "length"];
    let Some(duration) = any(node, &lengths) else {
        return Err(node
            .error("has no `duration`")
            .remedy("add `duration: 5:00:00`"));
    };
    let freeze = [
        "scoreboard_freeze_duration",
        "scoreboard-freeze-duration",
        "scoreboard_freeze_length",
        "scoreboard-freeze-length",
    ];
    let read = |keys: &[&str], value: fn(&Node) -> Result<i64, PackageError>| {
        any(node, keys).map(value).transpose()
    };
    let contest = Contest {
        ext: checked_id(&at, &id)?,
        name,
        formal_name: text(node, &["formal_name"])?,
        start_ms: read(&["start_time", "start-time"], time)?,
        countdown_pause_ms: read(&["countdown_pause_time"], hours)?,
        duration_ms: hours(duration)?,
        freeze_ms: read(&freeze, hours)?,
        scoring: match node.get("scoreboard_type") {
            Some(value) => {
                value.choice(&[("pass-fail", Scoring::Icpc), ("score", Scoring::Points)])?
            }
            None => Scoring::Icpc,
        },
        ..Contest::default()
    };
    let penalty_ms = read(&["penalty_time", "penalty-time", "penalty"], minutes)?;
    if contest.duration_ms == 0 {
        return Err(duration
            .error("a contest takes longer than 0")
            .remedy("write `5:00:00`"));
    }
    if contest.freeze_ms > Some(contest.duration_ms) {
        let place = any(node, &freeze).unwrap_or(node);
        return Err(place
            .error("the scoreboard is frozen for longer than the contest takes")
            .remedy("write the time before the end, such as `1:00:00`"));
    }
    Ok((contest, penalty_ms))
}

/// A time with its zone; YAML files may have a space instead of the `T`.
fn time(node: &Node) -> Result<i64, PackageError> {
    let text = node.text()?.replacen(' ', "T", 1).replace(' ', "");
    let time: Result<Time, _> = text.parse();
    let wrong = |e: &dyn std::fmt::Display| {
        node.error(e.to_string())
            .remedy("write it as `2026-11-23T10:00:00+01`")
    };
    time.map(Time::millis).map_err(|e| wrong(&e))
}

/// A duration `h:mm:ss`.
fn hours(node: &Node) -> Result<i64, PackageError> {
    let parsed: Result<RelTime, _> = node.text()?.parse();
    match parsed {
        Ok(time) if time.millis() >= 0 => Ok(time.millis()),
        Ok(_) => Err(node
            .error("a duration is not negative")
            .remedy("remove the `-`")),
        Err(e) => Err(node
            .error(e.to_string())
            .remedy("write hours, minutes and seconds: `5:00:00`")),
    }
}

/// A duration `h:mm:ss`, or a number of minutes.
fn minutes(node: &Node) -> Result<i64, PackageError> {
    match node.text()?.contains(':') {
        true => hours(node),
        false => Ok(RelTime::from_minutes(node.integer(0)?.min(1 << 20) as i64).millis()),
    }
}

/// The problems: a list, or the value of `problems`.
pub fn problems(tree: &Node) -> Result<Vec<ProblemRow>, PackageError> {
    let rows = each(tree, "problems", problem)?;
    for (k, row) in rows.iter().enumerate() {
        let earlier = &rows[..k];
        let ContestProblem { ext, label, .. } = &row.problem;
        if earlier.iter().any(|other| other.problem.label == *label) {
            let what = format!("two problems have the label {label:?}");
            return Err(row
                .at
                .error(what)
                .remedy("give each problem a letter of its own"));
        }
        if earlier.iter().any(|other| other.problem.ext == *ext) {
            let what = format!("the problem {ext:?} is in the contest twice");
            return Err(row.at.error(what).remedy("remove one of them"));
        }
    }
    Ok(rows)
}

fn problem(node: &Node) -> Result<ProblemRow, PackageError> {
    let ids = ["id", "short-name", "short_name", "externalid"];
    let rgb = text(node, &["rgb"])?;
    if let (Some(rgb), Some(place)) = (&rgb, node.get("rgb"))
        && !is_rgb(rgb)
    {
        let what = format!("{rgb:?} is not a colour");
        return Err(place
            .error(what)
            .remedy("write it as `'#ff0000'`, with quotes"));
    }
    Ok(ProblemRow {
        at: At::node(node),
        problem: ContestProblem {
            ext: required(node, &ids)?,
            label: required(node, &["label", "letter"])?,
            rgb,
            color: text(node, &["color"])?,
            ..ContestProblem::default()
        },
    })
}
