//! The page of a scoreboard, and the stream of its updates.

use super::board::{Board, Boards, Key, board};
use super::contest::{freeze_notice, navigation};
use super::page;
use crate::access;
use crate::contest_view::View;
use crate::http::error::AppState;
use crate::http::sse::response;
use crate::http::{App, Caller, PageResult, Result};
use crate::store::TeamId;
use crate::store::live::Change;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::response::sse::Event;
use judge::parallel::unpoisoned;
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};

/// Minimum time between two updates.
const INTERVAL: Duration = Duration::from_secs(1);

fn key(caller: &Caller, view: &View<'_>) -> Key {
    Key {
        contest: view.contest.id,
        jury: access::sees_unfrozen_scoreboard(caller.viewer),
    }
}

pub fn shown(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> PageResult {
    let view = View::open(app, caller.viewer, &ext)?;
    let board = board(app, key(&caller, &view))?;
    let title = format!("Scoreboard of {}", view.contest.name);
    let body = html! {
        (navigation(&view, "/scoreboard"))
        @if caller.viewer.is_jury() && view.contest.hides_result_of(view.now_ms) {
            p.notice { "You see all results. For others the scoreboard is frozen." }
        } @else {
            (freeze_notice(&view))
        }
        div data-events={ "/contests/" (view.contest.ext) "/scoreboard/live" } {
            (whole(&board, caller.viewer.team))
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
fn whole(board: &Board, own: Option<TeamId>) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Scoreboard" data-fragment="board" {
            table.board-table {
                caption { "Scoreboard" }
                thead { (PreEscaped(&board.heads)) }
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
    let own = caller.viewer.team;
    let key = app
        .blocking(move |app| Ok(key(&caller, &View::open(app, caller.viewer, &ext)?)))
        .await?;
    let mut renderings = renderings(&app, key).await?;
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        let mut last = renderings.borrow_and_update().clone();
        let mut html = whole(&last, own).into_string();
        loop {
            let event = Event::default().event("fragment").data(&html);
            if !html.is_empty() && sender.send(Ok(event)).await.is_err() {
                return;
            }
            tokio::select! {
                changed = renderings.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
            let now = renderings.borrow_and_update().clone();
            html = now
                .changes(&last)
                .unwrap_or_else(|| whole(&now, own).into_string());
            last = now;
        }
    });
    Ok(response(receiver))
}

/// Subscribes to the renderings of a board. One task renders for all open pages.
async fn renderings(app: &App, key: Key) -> Result<watch::Receiver<Arc<Board>>> {
    // Subscribes before the first rendering, so that no change is missed in between.
    let mut changes = app.store.live().listen();
    let first = app.blocking(move |app| board(app, key)).await?;
    let boards = app.kept::<Boards>();
    let mut live = unpoisoned(boards.live.lock());
    if let Some(found) = live.get(&key).filter(|found| found.has_changed().is_ok()) {
        return Ok(found.clone());
    }
    let (sender, receiver) = watch::channel(first);
    live.insert(key, receiver.clone());
    drop(live);
    let app = app.clone();
    tokio::spawn(async move {
        loop {
            match changes.recv().await {
                Ok(Change::Feed(rows)) => {
                    let counts = rows.iter().any(|row| {
                        row.contest == key.contest
                            && row.kind != "runs"
                            && row.kind != "clarifications"
                    });
                    if !counts {
                        continue;
                    }
                }
                Ok(_) => continue,
                // Changes were missed: renders the present state.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
            // The map holds one receiver; if it is the only one, no page is open.
            if sender.receiver_count() <= 1 {
                let boards = app.kept::<Boards>();
                let mut live = unpoisoned(boards.live.lock());
                if sender.receiver_count() <= 1 {
                    live.remove(&key);
                    return;
                }
            }
            match app.blocking(move |app| board(app, key)).await {
                Ok(now) => drop(sender.send_replace(now)),
                Err(error) => tracing::error!("failed to render a scoreboard: {error:?}"),
            }
            // Changes meanwhile stay in the channel.
            tokio::time::sleep(INTERVAL).await;
        }
    });
    Ok(receiver)
}
