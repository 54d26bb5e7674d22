//! Accepting a submission: the same checks for pages and APIs.

use crate::access::{self, Action, Viewer};
use crate::contest_api::{MAX_NAME, check_name};
use crate::http::rate::SUBMISSIONS;
use crate::http::rights::{enter, in_unfinished_contest};
use crate::http::{App, Result, SentFile, bad_request, forbidden, not_found, sign_in, too_large};
use crate::languages::{Choice, Languages};
use crate::queue::Priority;
use crate::store::{
    Contest, JudgingId, NewSubmission, Problem, SourceFile, SubmissionId, TeamId, User, now_ms,
};
use crate::units;

/// A submission that was sent.
#[derive(Clone, Debug)]
pub struct SentSubmission {
    /// The contest; `None`: practice.
    pub contest: Option<Contest>,
    pub problem: Problem,
    /// The language's code; `None`: by the extension of the only file.
    pub language: Option<String>,
    /// The file or class to start.
    pub entry_point: Option<String>,
    /// At least one.
    pub files: Vec<SentFile>,
    /// The same one that was sent just before counts instead, as after a double click.
    pub once: bool,
}

/// A submission that an admin sends for a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OnBehalf {
    pub(crate) team: TeamId,
    /// When it was made; `None`: now.
    pub(crate) time_ms: Option<i64>,
    /// Its number; `None`: the next one.
    pub(crate) id: Option<SubmissionId>,
}

/// Maximum bytes of source code, if the package gives no limit.
const MAX_BYTES: usize = 256 << 10;
/// Maximum number of files of a submission.
const MAX_FILES: usize = 20;

/// Checks a submission, keeps it and enqueues its judging. Blocks.
/// Fails when the user may not submit, or what was sent cannot be judged: why, for the user.
pub fn submit(app: &App, user: &User, sent: &SentSubmission) -> Result<(SubmissionId, JudgingId)> {
    submit_as(app, user, sent, None)
}

/// The same, for the team of another user.
/// Fails with errors of [`submit`], and when the number is in use.
pub(crate) fn submit_as(
    app: &App,
    user: &User,
    sent: &SentSubmission,
    on_behalf: Option<OnBehalf>,
) -> Result<(SubmissionId, JudgingId)> {
    let viewer = Viewer::of(user);
    let (mut priority, mut team) = may_submit(app, viewer, sent)?;
    if let Some(on_behalf) = &on_behalf {
        if !access::acts_for_teams(viewer) {
            return Err(forbidden("only admins submit for teams"));
        }
        (priority, team) = (Priority::Contest, Some(on_behalf.team));
    }
    let language = language(app, sent)?;
    check_files(sent)?;
    let names = stored_names(app, sent, &language)?;
    let entry_point = sent.entry_point.as_ref().filter(|entry| !entry.is_empty());
    if let Some(entry) = entry_point {
        check_name(entry, MAX_NAME).map_err(|e| bad_request(format!("the entry point: {e}")))?;
    }
    let entry_point = entry_point.map(|entry| {
        let own = sent.files.iter().position(|file| file.name == *entry);
        own.map_or(entry, |own| &names[own]).clone()
    });
    // An admin's program sends submissions of all teams, so it has no limit.
    if on_behalf.is_none() {
        app.rates.take(SUBMISSIONS, user.id)?;
    }
    let mut files = Vec::new();
    for (file, name) in sent.files.iter().zip(names) {
        if files.iter().any(|other: &SourceFile| other.name == name) {
            return Err(bad_request(format!("two files are named {name:?}")));
        }
        files.push(SourceFile {
            name,
            blob: app.blobs.put(&file.content)?,
            bytes: file.content.len() as u64,
        });
    }
    let contest = sent.contest.as_ref().map(|contest| contest.id);
    let new = NewSubmission {
        contest,
        problem: sent.problem.id,
        user: user.id,
        team,
        language: language.code,
        entry_point,
        files,
        priority,
        id: on_behalf.and_then(|on_behalf| on_behalf.id),
        time_ms: on_behalf.and_then(|on_behalf| on_behalf.time_ms),
    };
    let (id, judging) = match sent.once {
        true => app.store.submit_once(&new)?,
        false => app.store.submit(&new)?,
    };
    let share = access::share(team, user.id, contest);
    let unit = units::unit(judging, priority, share);
    if let Err(error) = app.queue.enqueue(&[unit]) {
        // It is kept, and enqueued when there is room, or when the server starts.
        tracing::error!("submission {id} is not enqueued: {error}");
    }
    Ok((id, judging))
}

/// The priority of a submission, and the team that it is of.
/// Fails when the viewer may not submit.
fn may_submit(
    app: &App,
    viewer: Viewer,
    sent: &SentSubmission,
) -> Result<(Priority, Option<TeamId>)> {
    let now = now_ms();
    let gone = || not_found(format!("no problem {}", sent.problem.ext));
    let Some(contest) = &sent.contest else {
        let unfinished = in_unfinished_contest(app, &sent.problem)?;
        if !access::sees_practice_problem(viewer, &sent.problem, unfinished) {
            return Err(gone());
        }
        return match access::submits_for_practice(viewer, &sent.problem, unfinished) {
            true if access::may(viewer, Action::Judge) => Ok((Priority::Jury, viewer.team)),
            true => Ok((Priority::Practice, viewer.team)),
            false => Err(sign_in()),
        };
    };
    let (viewer, place) = enter(app, viewer, contest)?;
    let problems = app.store.contest_problems(contest.id)?;
    let is_there = problems
        .iter()
        .any(|problem| problem.problem == sent.problem.id);
    if !is_there || !access::sees_contest_problems(viewer, place, now) {
        return Err(gone());
    }
    match access::submits_to_contest(viewer, place, now) {
        true if access::may(viewer, Action::Judge) => Ok((Priority::Jury, None)),
        true => Ok((Priority::Contest, viewer.team)),
        false if !place.takes_part => {
            Err(forbidden("your team does not take part in this contest"))
        }
        false => Err(forbidden("the contest is over")),
    }
}

/// The language of a submission, which the package and the contest have to allow. A file whose name several languages have is of
/// the only allowed one.
fn language(app: &App, sent: &SentSubmission) -> Result<Choice> {
    let of_package = sent.problem.version.languages.as_deref();
    let allowed = app.languages.allowed_in(sent.contest.as_ref(), of_package);
    let code = match (&sent.language, sent.files.as_slice()) {
        (Some(code), _) if !code.is_empty() => Some(code.clone()),
        (_, [only]) => Languages::of(allowed.clone())
            .of_file(&only.name)
            .or_else(|| app.languages.of_file(&only.name))
            .map(|choice| choice.code),
        _ => None,
    };
    let names = allowed
        .iter()
        .map(|own| format!("{} ({})", own.name, own.code));
    let names = names.collect::<Vec<_>>().join(", ");
    let code = code.ok_or_else(|| bad_request(format!("choose a language: {names}")))?;
    let refused = || match names.is_empty() {
        true => bad_request(format!(
            "the language {code:?} is not accepted, and no other one is; ask the jury"
        )),
        false => bad_request(format!(
            "the language {code:?} is not accepted; choose one of these: {names}"
        )),
    };
    let mut allowed = allowed.into_iter();
    allowed
        .find(|choice| choice.code == code)
        .ok_or_else(refused)
}

/// The names under which the files are stored. A compiler takes the language from the name, so one that is of no language
/// gets an extension of the chosen one.
/// Fails when a name is invalid, or no file has a name of the language.
fn stored_names(app: &App, sent: &SentSubmission, language: &Choice) -> Result<Vec<String>> {
    let names = sent.files.iter().map(|file| safe_name(&file.name));
    let names: Vec<String> = names.collect::<Result<_>>()?;
    if names.iter().any(|name| language.has_extension(name)) {
        return Ok(names);
    }
    match &names[..] {
        [only]
            if app
                .languages
                .of_file(only)
                .is_none_or(|of| of.code == language.code) =>
        {
            Ok(vec![safe_name(&language.name_of(only))?])
        }
        [first, ..] => Err(bad_request(format!(
            "{first:?} is not the name of a {} file: its name ends with {}; rename it, or choose \
             another language",
            language.name,
            language.endings()
        ))),
        [] => Ok(names),
    }
}

fn check_files(sent: &SentSubmission) -> Result<()> {
    let total: usize = sent.files.iter().map(|file| file.content.len()).sum();
    let limit = sent.problem.version.code_limit;
    let limit = limit.map_or(MAX_BYTES, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    if sent.files.is_empty() || total == 0 {
        return Err(bad_request("choose a file, or paste the program"));
    }
    if total > limit {
        return Err(too_large(format!(
            "the program has {total} bytes; the limit is {limit}"
        )));
    }
    if sent.files.len() > MAX_FILES {
        return Err(bad_request(format!("at most {MAX_FILES} files")));
    }
    Ok(())
}

/// Makes a name safe as the name of a file and as part of a command: blanks, brackets and letters of other
/// alphabets, as in `my solution (1).cpp`, become `_`. Refuses other special characters.
fn safe_name(name: &str) -> Result<String> {
    let is_replaced = |c: char| " ()[],'".contains(c) || !c.is_ascii() && c.is_alphanumeric();
    let name = name.replace(is_replaced, "_");
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let valid = (1..=100).contains(&name.len())
        && name.chars().all(allowed)
        && !name.starts_with(['.', '-'])
        && !name.contains("..");
    match valid {
        true => Ok(name),
        false => Err(bad_request(format!(
            "{name:?} is not a name for a file: use letters, digits and ._-+"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        for name in ["a.cpp", "Main.java", "my-prog_2.c++"] {
            assert_eq!(safe_name(name), Ok(name.to_owned()));
        }
        let usual = safe_name("my sölution (1).cpp");
        assert_eq!(usual, Ok("my_s_lution__1_.cpp".to_owned()));
        for name in [
            "",
            "../a",
            "a/b",
            ".bashrc",
            "-o",
            "a;b",
            "a..b",
            &"x".repeat(101),
        ] {
            assert!(safe_name(name).is_err(), "{name}");
        }
    }
}
