//! The protocols of DMOJ's checkers: bridged programs and Python modules.
//!
//! Source: DMOJ's judge, `dmoj/contrib`; the types `cms` and `themis` are VNOJ's.

use super::outcome::{CheckFault, Judgement, Outcome, Score};
use super::request::CheckRequest;
use super::validator_box::{Ended, ValidatorBox, first_of};
use judge_package::DmojKind;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Whether the program follows testlib's protocol.
fn is_testlib(kind: DmojKind) -> bool {
    matches!(
        kind,
        DmojKind::Testlib | DmojKind::TestlibPercent | DmojKind::Coci
    )
}

/// Whether a program with this exit code may have accepted.
pub fn accepts(kind: DmojKind, code: i32) -> bool {
    code == 0 || code == 7 && is_testlib(kind)
}

/// Converts the exit of a bridged program to an outcome.
pub fn judge(ended: &Ended<'_>, kind: DmojKind, code: i32) -> Result<Outcome, CheckFault> {
    let message = first_of([Some(ended.stdout()), Some(ended.stderr())]);
    let accepted = |score| Outcome {
        score,
        message: message.clone(),
        ..Outcome::accepted()
    };
    match (kind, code) {
        (DmojKind::Peg, 0 | 1) => {
            if let Some(share) = peg_share(&ended.stdout()) {
                return Ok(accepted(Some(Score::Multiplier(share.min(1.0)))));
            }
        }
        (DmojKind::Cms | DmojKind::Themis, 0) => return share_of(ended, kind),
        _ => {}
    }
    let testlib = is_testlib(kind);
    let judgement = match code {
        0 => return Ok(accepted(None)),
        _ if kind == DmojKind::Cms => Judgement::Rejected,
        1 if kind != DmojKind::Themis => Judgement::Rejected,
        2 if testlib => Judgement::PresentationError,
        7 if testlib => {
            return match partial(kind, &ended.stderr()) {
                Some(score) => Ok(accepted(Some(score))),
                None => Err(ended
                    .fault("the checker exited with code 7 (points), but did not say how many")),
            };
        }
        _ => {
            let what = format!("the checker exited with code {code}, which means nothing to DMOJ");
            return Err(ended.fault(what));
        }
    };
    // DMOJ treats this code as a wrong answer and shows the message to the team.
    let in_form_only = judgement == Judgement::PresentationError;
    Ok(Outcome {
        judgement,
        message: message.or_else(|| in_form_only.then(|| "Presentation Error".to_owned())),
        ..Outcome::accepted()
    })
}

/// The share of the points that a program wrote: its first number, or its last line.
fn share_of(ended: &Ended<'_>, kind: DmojKind) -> Result<Outcome, CheckFault> {
    let said = ended.stdout();
    let number = match kind {
        DmojKind::Cms => said.split_whitespace().next(),
        _ => said.trim().lines().last().map(str::trim),
    };
    let share = number.and_then(|number| number.parse::<f64>().ok());
    let Some(share) = share.filter(|share| (0.0..=1.0).contains(share)) else {
        let what =
            format!("the checker must give 0 to 1, the share of the points; it wrote {said:?}");
        return Err(ended.fault(what));
    };
    let message = match kind {
        DmojKind::Cms => first_of([Some(ended.stderr())]),
        _ => first_of([Some(said), Some(ended.stderr())]),
    };
    Ok(Outcome::of_share(share, message))
}

/// Writes the files of a Themis checker: a directory with the input and the answer, and one with
/// the output under the answer's name. Returns its standard input, the two paths.
pub fn themis_places(
    validator_box: &ValidatorBox,
    request: &CheckRequest<'_>,
    output: &Path,
) -> Result<File, CheckFault> {
    let dir = validator_box.file("themis");
    let (data, found) = (dir.join("data"), dir.join("output"));
    let answer = request.answer.unwrap_or(request.input);
    let lay = || -> io::Result<File> {
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        for place in [&dir, &data, &found] {
            fs::create_dir(place)?;
            // The checker may run as another user.
            judge_os::set_mode(place, 0o755)?;
        }
        for (place, from) in [(&data, request.input), (&data, answer), (&found, output)] {
            let named = if place == &found { answer } else { from };
            let path = place.join(named.file_name().unwrap_or_default());
            if !path.exists() {
                judge_os::link_or_copy(from, &path)?;
            }
        }
        let list = validator_box.file("themis.txt");
        let mut file = File::create(&list)?;
        write!(file, "{}/\n{}/\n", data.display(), found.display())?;
        File::open(&list)
    };
    lay().map_err(CheckFault::io("the files for the checker"))
}

/// Parses `points 5` or `partial 2/3` on a line of its own.
fn partial(kind: DmojKind, said: &str) -> Option<Score> {
    said.lines().find_map(|line| {
        if kind == DmojKind::Coci {
            let (part, whole) = line.strip_prefix("partial ")?.split_once('/')?;
            let share = part.parse::<u32>().ok()? as f64 / whole.parse::<u32>().ok()? as f64;
            return (0.0..=1.0)
                .contains(&share)
                .then_some(Score::Multiplier(share));
        }
        let rest = line.strip_prefix("points ")?;
        let points: f64 = rest.split_whitespace().next()?.parse().ok()?;
        match kind {
            // DMOJ reads whole points, alone in their line.
            DmojKind::Testlib if !rest.bytes().all(|byte| byte.is_ascii_digit()) => None,
            DmojKind::TestlibPercent => (0.0..=100.0)
                .contains(&points)
                .then_some(Score::Multiplier(points / 100.0)),
            _ => Some(Score::Points(points)),
        }
    })
}

/// The quotient of the first two lines that are numbers.
fn peg_share(said: &str) -> Option<f64> {
    let numbers: Vec<Option<f64>> = said.lines().map(|line| line.trim().parse().ok()).collect();
    numbers.windows(2).find_map(|pair| {
        Some(pair[0]? / pair[1]?).filter(|share| *share > 0.0 && share.is_finite())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_dmojs_protocols() {
        let points = partial(DmojKind::Testlib, "note\npoints 5\n");
        assert_eq!(points, Some(Score::Points(5.0)));
        let points = partial(DmojKind::TestlibPercent, "points 12.5 of 100\n");
        assert_eq!(points, Some(Score::Multiplier(0.125)));
        for wrong in ["points five", "points 5.5", "points 5 of 10", "points -5"] {
            assert_eq!(partial(DmojKind::Testlib, wrong), None);
        }
        let share = partial(DmojKind::Coci, "partial 3/4");
        assert_eq!(share, Some(Score::Multiplier(0.75)));
        assert_eq!(partial(DmojKind::Coci, "partial 1/0"), None);
        assert_eq!(partial(DmojKind::Coci, "partial 5/4"), None);
        assert_eq!(peg_share("ok\n1.5\n3\n"), Some(0.5));
        assert_eq!(peg_share("0\n0\n"), None);
        assert_eq!(peg_share("1\nx\n"), None);
    }
}
