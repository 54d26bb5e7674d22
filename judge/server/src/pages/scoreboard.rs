//! The page of a scoreboard, and the stream of its updates.

use super::board::rendering;
use super::contest::{freeze_notice, navigation, not_final_notice};
use super::page;
use crate::boards::{Audience, BoardKey, Rendering, Update};
use crate::contest_view::View;
use crate::http::error::AppState;
use crate::http::sse::response;
use crate::http::{App, Caller, Fields, PageResult, Result};
use crate::layout::region;
use crate::store::live::Change;
use crate::store::{Role, Scoring, TeamId};
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::response::sse::Event;
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};

/// Minimum time between two updates.
const INTERVAL: Duration = Duration::from_secs(1);

pub fn shown(app: &App, (caller, Path(ext), fields): (Caller, Path<String>, Fields)) -> PageResult {
    let view = View::open(app, caller.viewer, &ext)?;
    let is_jury = caller.viewer.is_jury();
    let is_public = is_jury && fields.get("view") == "public";
    let board = match is_public {
        true => rendering(&View::as_role(app, view.contest.clone(), Role::Public))?,
        false => rendering(&view)?,
    };
    let own = format!("/contests/{}/scoreboard", view.contest.ext);
    let title = format!("Scoreboard of {}", view.contest.name);
    let body = html! {
        (navigation(&view, "/scoreboard")?)
        @if is_public {
            p.notice { "You see the scoreboard as spectators do. " a href=(own) { "Show all results" } }
            (freeze_notice(&view))
        } @else if is_jury && view.contest.hides_result_of(view.now_ms) {
            p.notice {
                "You see all results. For others the scoreboard is frozen. "
                a href={ (own) "?view=public" } { "Show it as they see it" }
            }
        } @else {
            (freeze_notice(&view))
        }
        (not_final_notice(&view))
        @if is_public {
            (region("board", "judging contest", &whole(&board, None)))
        } @else {
            div data-events={ (own) "/live" } { (whole(&board, caller.viewer.team)) }
        }
        p {
            "Download: " a href={ (own) ".csv" } { "CSV" }
            @if view.contest.scoring == Scoring::Icpc { " " a href={ "/contests/" (view.contest.ext) "/results.tsv" } { "results.tsv" } }
        }
        p.quiet {
            "✓ solved, with the number of submissions and the minute. 2 + 3: two judged, three pending. "
            "★ first: no team solved it earlier."
        }
        noscript { p { a href="" { "Load again" } " to see new results." } }
    };
    Ok(page(&caller, "/contests", &title, &body))
}

/// The whole table.
fn whole(board: &Rendering, own: Option<TeamId>) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Scoreboard" data-fragment="board" {
            table.board-table {
                caption { "Scoreboard" }
                thead { (PreEscaped(board.heads())) }
                tbody { (PreEscaped(board.body(own))) }
            }
        }
    }
}

/// Sends the table once, since it may have changed since the page was made, then changed rows.
pub async fn live(
    app: AppState,
    caller: Caller,
    Path(ext): Path<String>,
) -> Result<impl IntoResponse> {
    let viewer = caller.viewer;
    let open = app.blocking(move |app| {
        let view = View::open(app, viewer, &ext)?;
        Ok((view.contest.id, view.audience()))
    });
    let mut updates = updates(&app, open.await?).await?;
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        let mut last = updates.borrow_and_update().now.clone();
        let mut html: Arc<str> = whole(&last, viewer.team).into_string().into();
        loop {
            let event = Event::default().event("fragment").data(&html);
            if !html.is_empty() && sender.send(Ok(event)).await.is_err() {
                return;
            }
            tokio::select! {
                changed = updates.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
            let update = updates.borrow_and_update().clone();
            html = update
                .since(&last)
                .unwrap_or_else(|| whole(&update.now, viewer.team).into_string().into());
            last = update.now;
        }
    });
    Ok(response(receiver))
}

/// The board of an audience as it is now. The caller has checked that the viewer may see the contest, even if it is not
/// public.
fn present(app: &App, (contest, audience): BoardKey) -> Result<Arc<Rendering>> {
    let role = match audience {
        Audience::Jury => Role::Jury,
        Audience::Spectators => Role::Public,
    };
    let contest = app.store.contest(contest)?;
    rendering(&View::as_role(app, contest, role))
}

/// Subscribes to the renderings of a board. One task renders for all open pages.
async fn updates(app: &App, key: BoardKey) -> Result<watch::Receiver<Update>> {
    // Subscribes before the first rendering, so that no change is missed in between.
    let mut changes = app.store.live().listen();
    let first = app.blocking(move |app| present(app, key)).await?;
    let mut live = app.renderings().live();
    if let Some(found) = live.get(&key).filter(|found| found.has_changed().is_ok()) {
        return Ok(found.clone());
    }
    let (sender, receiver) = watch::channel(Update::first(first));
    live.insert(key, receiver.clone());
    drop(live);
    let app = app.clone();
    tokio::spawn(async move {
        loop {
            match changes.recv().await {
                Ok(Change::Feed(rows)) => {
                    let counts = rows.iter().any(|row| {
                        row.contest == key.0 && row.kind != "runs" && row.kind != "clarifications"
                    });
                    if !counts {
                        continue;
                    }
                }
                Ok(Change::Configuration) => continue,
                // Changes were missed: renders the present state.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
            // The map holds one receiver; if it is the only one, no page is open.
            if sender.receiver_count() <= 1 {
                let mut live = app.renderings().live();
                if sender.receiver_count() <= 1 {
                    live.remove(&key);
                    return;
                }
            }
            match app.blocking(move |app| present(app, key)).await {
                Ok(now) => {
                    let update = Update::after(&sender.borrow().now, now);
                    sender.send_replace(update);
                }
                Err(error) => tracing::error!("failed to render a scoreboard: {error:?}"),
            }
            // Changes meanwhile stay in the channel.
            tokio::time::sleep(INTERVAL).await;
        }
    });
    Ok(receiver)
}
