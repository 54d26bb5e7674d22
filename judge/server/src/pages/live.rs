//! `GET /live`: the stream of server-sent events of a viewer, for all open pages. It has
//!
//! - `unread`: the number of clarifications to read or to answer, and where they are;
//! - `notice`: a new clarification, or a new verdict of the viewer's team;
//! - `changed`: parts of pages that may have changed, which the script then loads again: `contest`, `clarifications`, and for
//!   the jury `judging` and `uploads`.

use super::submission::words;
use crate::access::{self, Action, Viewer};
use crate::http::error::AppState;
use crate::http::rights::enter;
use crate::http::sse::{EventResult, response};
use crate::http::{App, Caller, Result, forbidden};
use crate::notices::Notice;
use crate::store::{
    Clarification, ClarificationId, Contest, ContestId, JudgingId, SubmissionId, TeamVerdict,
    now_ms,
};
use crate::submissions::shown_judging;
use axum::response::IntoResponse;
use axum::response::sse::Event;
use judge_core::verdict::Verdict;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};

/// Minimum time between two events of a kind that may come many times a second.
const INTERVAL: Duration = Duration::from_millis(500);
/// Age up to which a new stream sends a notice of a verdict: while the viewer changes from one page to another, no stream
/// is open. The script shows notices with the same `key` once.
const RECENT_MS: i64 = 60_000;
/// Maximum characters of a clarification in a notice.
const MAX_SHOWN: usize = 200;

/// Streams until the viewer has gone, may not sign in any more, or the server stops.
pub async fn live(app: AppState, caller: Caller) -> Result<impl IntoResponse> {
    let app = app.0;
    // Listens before it reads: no change is missed between the two.
    let listener = Listener {
        notices: app.notices().listen(),
        judging: app.store.live().judging(),
        uploads: app.store.live().uploads(),
        sees_judging: caller.may_somewhere(Action::SeeDeliveries),
    };
    let team = caller.viewer.team;
    let read = app.blocking(move |app| {
        let verdicts = team.map(|team| app.store.verdicts_of(team)).transpose()?;
        Ok((
            app.store.last_clarification()?,
            verdicts.unwrap_or_default(),
        ))
    });
    let (last, verdicts) = read.await?;
    // Those of the last seconds may be older than the page, but newer than the stream of the page before.
    let since = now_ms() - RECENT_MS;
    let is_recent = |own: &TeamVerdict| own.decided_ms >= since;
    let (recent, known): (Vec<_>, Vec<_>) = verdicts.into_iter().partition(is_recent);
    let known = known.into_iter().map(|own| (own.submission, own.verdict));
    let (sender, receiver) = mpsc::channel::<EventResult>(8);
    let session = Session {
        app,
        caller,
        last,
        verdicts: known.collect(),
        unread: Value::Null,
        sender,
    };
    let recent = recent.into_iter().map(|own| own.judging).collect();
    tokio::spawn(async move {
        // `None`: the viewer has gone.
        let _ = session.run(listener, recent).await;
    });
    Ok(response(receiver))
}

/// The sources of events of a viewer.
struct Listener {
    notices: Receiver<Notice>,
    judging: watch::Receiver<()>,
    uploads: watch::Receiver<()>,
    sees_judging: bool,
}

/// A change that concerns the viewer.
enum Happened {
    Notice(Notice),
    /// A part of pages may have changed.
    Changed(&'static str),
    /// Notices were missed.
    Missed,
}

impl Listener {
    /// Waits for the next change; `None`: the server stops.
    async fn next(&mut self) -> Option<Happened> {
        tokio::select! {
            notice = self.notices.recv() => match notice {
                Ok(notice) => Some(Happened::Notice(notice)),
                Err(RecvError::Lagged(_)) => Some(Happened::Missed),
                Err(RecvError::Closed) => None,
            },
            changed = self.judging.changed(), if self.sees_judging => {
                changed.ok()?;
                Some(Happened::Changed("judging"))
            }
            changed = self.uploads.changed(), if self.sees_judging => {
                changed.ok()?;
                Some(Happened::Changed("uploads"))
            }
        }
    }
}

struct Session {
    app: App,
    caller: Caller,
    /// The last clarification that the viewer knows.
    last: ClarificationId,
    /// The verdicts of the viewer's team that the viewer knows.
    verdicts: HashMap<SubmissionId, Verdict>,
    /// The count that was sent last.
    unread: Value,
    sender: mpsc::Sender<EventResult>,
}

impl Session {
    async fn run(mut self, mut listener: Listener, recent: Vec<JudgingId>) -> Option<()> {
        self.send_unread().await?;
        for judging in recent {
            self.judged(judging).await?;
        }
        loop {
            let happened = tokio::select! {
                happened = listener.next() => happened?,
                () = self.sender.closed() => return None,
            };
            match happened {
                Happened::Notice(Notice::Contest) => self.changed("contest").await?,
                Happened::Notice(Notice::Clarification(of)) => self.clarified(&of.0, &of.1).await?,
                Happened::Notice(Notice::Judgings(all)) => {
                    let team = self.caller.viewer.team;
                    for (_, judging) in all.iter().filter(|(own, _)| Some(*own) == team) {
                        self.judged(*judging).await?;
                    }
                }
                Happened::Notice(Notice::Note) if !self.caller.may_somewhere(Action::SeeAll) => {}
                Happened::Notice(Notice::Note) => self.changed("clarifications").await?,
                Happened::Notice(Notice::Read(user)) if Some(user) != self.caller.viewer.user => {}
                Happened::Notice(Notice::Read(_)) => self.send_unread().await?,
                Happened::Missed => {
                    self.send_unread().await?;
                    self.changed("contest").await?;
                    self.changed("clarifications").await?;
                }
                Happened::Changed(part) => {
                    self.changed(part).await?;
                    tokio::time::sleep(INTERVAL).await;
                }
            }
        }
    }

    async fn clarified(&mut self, found: &Clarification, contest: &Contest) -> Option<()> {
        if !self.sees(found, contest).await? {
            return Some(());
        }
        if found.id > self.last {
            self.last = found.id;
            if let Some(notice) = notice(self.viewer_in(contest), found, contest) {
                self.send("notice", &notice.to_string()).await?;
            }
        }
        self.send_unread().await?;
        self.changed("clarifications").await
    }

    /// Sends a notice of a verdict of the viewer's team that the viewer does not know yet.
    async fn judged(&mut self, id: JudgingId) -> Option<()> {
        let viewer = self.caller.viewer;
        let found = self.app.blocking(move |app| new_verdict(app, viewer, id));
        // Without one, or when the submission is deleted by now, there is nothing to say.
        if let Ok(Some((submission, verdict, notice))) = found.await
            && self.verdicts.get(&submission) != Some(&verdict)
        {
            self.verdicts.insert(submission, verdict);
            self.send("notice", &notice.to_string()).await?;
        }
        Some(())
    }

    /// The viewer with their role in a contest.
    fn viewer_in(&self, contest: &Contest) -> Viewer {
        self.caller.viewer.with(self.caller.role_in(contest.id))
    }

    /// Whether the viewer may see a clarification. Most is known without the store.
    async fn sees(&self, found: &Clarification, contest: &Contest) -> Option<bool> {
        let viewer = self.viewer_in(contest);
        let (own, contest) = (found.clone(), contest.clone());
        if viewer.sees_all() || contest.public {
            let place = access::Participation {
                contest: &contest,
                takes_part: false,
            };
            return Some(access::sees_clarification(viewer, &own, place));
        }
        let sees = self.app.blocking(move |app| {
            let (viewer, place) = enter(app, viewer, &contest)?;
            Ok(access::sees_clarification(viewer, &own, place))
        });
        sees.await.ok()
    }

    /// Sends the count of what is to be read, if it differs from the last one; `None`: the viewer may not sign in any more.
    async fn send_unread(&mut self) -> Option<()> {
        let caller = self.caller.clone();
        let unread = self.app.blocking(move |app| unread(app, &caller));
        let unread = unread.await.ok()?;
        if unread == self.unread {
            return Some(());
        }
        let text = unread.to_string();
        self.unread = unread;
        self.send("unread", &text).await
    }

    async fn changed(&self, part: &'static str) -> Option<()> {
        self.send("changed", part).await
    }

    async fn send(&self, kind: &'static str, data: &str) -> Option<()> {
        let event = Event::default().event(kind).data(data);
        self.sender.send(Ok(event)).await.ok()
    }
}

/// The count that the navigation shows, and where it leads. Blocks.
fn unread(app: &App, caller: &Caller) -> Result<Value> {
    let viewer = caller.viewer;
    let Some(user) = viewer.user else {
        return Ok(json!({"count": 0}));
    };
    if app.store.user(user)?.disabled {
        return Err(forbidden("the user may not sign in"));
    }
    let answers = viewer.team.is_none() && caller.may_somewhere(Action::Judge);
    let found = match viewer.team {
        _ if access::answers(viewer) => app.store.open_questions(None)?,
        None if answers => {
            let contests: Vec<ContestId> = caller.contests_to(Action::Judge).collect();
            app.store.open_questions(Some(&contests))?
        }
        Some(team) => app.store.unread(user, team)?,
        None => None,
    };
    Ok(match found {
        None => json!({"count": 0}),
        Some((contest, count)) if answers => {
            json!({"count": count, "text": "Unanswered questions", "href": format!("/jury/clarifications/{contest}")})
        }
        Some((contest, count)) => {
            json!({"count": count, "text": "New clarifications", "href": format!("/contests/{contest}/clarifications")})
        }
    })
}

/// The verdict of a judging that counts, if the viewer may see it: submission, verdict, notice. Blocks.
fn new_verdict(
    app: &App,
    viewer: Viewer,
    id: JudgingId,
) -> Result<Option<(SubmissionId, Verdict, Value)>> {
    let submission = app.store.submission(app.store.judging(id)?.submission)?;
    let shown = shown_judging(app, viewer, &submission)?.filter(|shown| shown.id == id);
    let verdict = shown.and_then(|shown| shown.verdict);
    let (Some(verdict), Some(contest)) = (verdict, submission.contest) else {
        return Ok(None);
    };
    let problems = app.store.contest_problems(contest)?;
    let own = problems
        .iter()
        .find(|own| own.problem == submission.problem);
    let label = own.map_or("", |own| own.label.as_str());
    let notice = json!({
        "title": format!("Submission {}", submission.id),
        "text": format!("Problem {label}: {}", words(verdict)),
        "href": format!("/submissions/{}", submission.id),
        "key": format!("{id} {verdict}"),
    });
    Ok(Some((submission.id, verdict, notice)))
}

/// A notice about a new clarification for a viewer who sees it; `None`: the viewer or a colleague wrote it.
fn notice(viewer: Viewer, found: &Clarification, contest: &Contest) -> Option<Value> {
    let ext = &contest.ext;
    let (title, href) = match (&found.from_team, viewer.sees_all()) {
        (Some((_, team)), true) => (
            format!("Question of team {team}"),
            format!("/jury/clarifications/{ext}"),
        ),
        (None, false) => {
            let title = if found.reply_to.is_some() {
                "Answer of the jury"
            } else {
                "Announcement of the jury"
            };
            (title.to_owned(), format!("/contests/{ext}/clarifications"))
        }
        _ => return None,
    };
    let text: String = found.text.chars().take(MAX_SHOWN).collect();
    Some(json!({"title": title, "text": text, "href": href}))
}
