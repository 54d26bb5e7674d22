//! The page of a scoreboard, and the stream of its updates.

use super::board::rendering;
use super::board_query::{self, Look, address};
use super::contest::{clock_region, freeze_notice, navigation, not_final_notice};
use super::page;
use crate::boards::{Audience, BoardKey, Rendering, Update};
use crate::contest_view::View;
use crate::http::error::AppState;
use crate::http::sse::response;
use crate::http::{App, Caller, Fields, PageResult, Result};
use crate::layout;
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

/// The board; the fields of the address choose teams, and a look.
pub fn shown(app: &App, (caller, Path(ext), fields): (Caller, Path<String>, Fields)) -> PageResult {
    let view = View::open(app, caller.viewer, &ext)?;
    let is_jury = view.viewer.sees_all();
    let look = match Look::of(&fields) {
        Look::Public if !is_jury => Look::Usual,
        look => look,
    };
    let navigation = navigation(&view, "/scoreboard")?;
    let view = look.seen(view);
    let filter = board_query::filter(&view, &fields)?;
    let board = rendering(&view, &filter)?;
    let contest = format!("/contests/{}", view.contest.ext);
    let own = format!("{contest}/scoreboard");
    let events = address(&format!("{own}/live"), &fields, look);
    let title = format!("Scoreboard of {}", view.contest.name);
    if look == Look::Projector {
        let body = html! {
            h1 { (view.contest.name) " " (clock_region(&view)) }
            (freeze_notice(&view))
            (not_final_notice(&view))
            div data-events=(events) { (whole(&board, None)) }
        };
        return Ok(layout::projector(&title, &body));
    }
    let body = html! {
        (navigation)
        @if look == Look::Public {
            p.notice {
                "You see the scoreboard as spectators do. "
                a href=(address(&own, &fields, Look::Usual)) { "Show all results" }
            }
            (freeze_notice(&view))
        } @else if is_jury && (view.contest.hides_result_of(view.now_ms) || view.contest.verification) {
            p.notice {
                "You see all results. For others the scoreboard is frozen, or they see only verified results. "
                a href=(address(&own, &fields, Look::Public)) { "Show it as they see it" }
            }
        } @else {
            (freeze_notice(&view))
        }
        (not_final_notice(&view))
        (board_query::form(&view, &own, &fields, look)?)
        div data-events=(events) { (whole(&board, caller.viewer.team)) }
        p {
            "Download: " a href=(address(&format!("{own}.csv"), &fields, Look::Usual)) { "CSV" }
            " " a href=(address(&format!("{own}.zip"), &fields, Look::Usual)) { "page and logos (zip)" }
            @if view.contest.scoring == Scoring::Icpc && view.is_complete() {
                " " a href={ (contest) "/results.tsv" } { "results.tsv" }
                " " a href={ (contest) "/standings.csv" } { "standings for icpc.global (CSV)" }
            }
            ". " a href=(address(&own, &fields, Look::Projector)) { "For a projector" }
        }
        p.quiet {
            "✓ solved, with the number of submissions and the minute. 2 + 3: two judged, three pending. "
            "★ first: no team solved it earlier. The last row has the teams that solved a problem, those that tried it, "
            "and the minute when it was solved first."
        }
        noscript { p { a href="" { "Load again" } " to see new results." } }
    };
    Ok(page(&caller, "/contests", &title, &body))
}

fn whole(board: &Rendering, own: Option<TeamId>) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Scoreboard" data-fragment="board" {
            table.board-table {
                caption { "Scoreboard" }
                thead { (PreEscaped(board.heads())) }
                tbody { (PreEscaped(board.body(own))) }
                tfoot { (PreEscaped(board.foot())) }
            }
        }
    }
}

/// Sends the table once, since it may have changed since the page was made, then changed rows.
pub async fn live(
    app: AppState,
    caller: Caller,
    Path(ext): Path<String>,
    fields: Fields,
) -> Result<impl IntoResponse> {
    let viewer = caller.viewer;
    let open = app.blocking(move |app| {
        let view = Look::of(&fields).seen(View::open(app, viewer, &ext)?);
        Ok(BoardKey {
            contest: view.contest.id,
            audience: view.audience(),
            filter: board_query::filter(&view, &fields)?,
        })
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
fn present(app: &App, key: &BoardKey) -> Result<Arc<Rendering>> {
    let role = match key.audience {
        Audience::Jury | Audience::Official => Role::Jury,
        Audience::Spectators => Role::Public,
    };
    let contest = app.store.contest(key.contest)?;
    rendering(&View::as_role(app, contest, role), &key.filter)
}

/// Subscribes to the renderings of a board. One task renders for all open pages.
async fn updates(app: &App, key: BoardKey) -> Result<watch::Receiver<Update>> {
    // Subscribes before the first rendering, so that no change is missed in between.
    let mut changes = app.store.live().listen();
    let wanted = key.clone();
    let first = app.blocking(move |app| present(app, &wanted)).await?;
    let mut live = app.renderings().live();
    if let Some(found) = live.get(&key).filter(|found| found.has_changed().is_ok()) {
        return Ok(found.clone());
    }
    let (sender, receiver) = watch::channel(Update::first(first));
    live.insert(key.clone(), receiver.clone());
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
            let wanted = key.clone();
            match app.blocking(move |app| present(app, &wanted)).await {
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
