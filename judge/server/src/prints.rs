//! Requests to print: of teams, and of the jury to print again. `printing` carries them out.

use crate::access;
use crate::contest_api::{MAX_NAME, check_name};
use crate::contest_view::View;
use crate::http::rate::PRINTS;
use crate::http::{App, Result, bad_request, conflict, forbidden, not_found, too_large};
use crate::printing;
use crate::store::{Contest, Print, PrintId, PrintState, now_ms};

/// Maximum bytes of a text.
const MAX_BYTES: usize = 256 << 10;
/// Maximum pages of a text.
const MAX_PAGES: usize = 20;

/// Whether the server prints.
pub(crate) fn is_on(app: &App) -> bool {
    app.printer.is_some()
}

/// Checks a text, keeps it and lets it be printed; returns its number of pages. Blocks.
/// Fails when the viewer may not print, or the text is too long.
pub(crate) fn print(app: &App, view: &View<'_>, name: &str, content: &[u8]) -> Result<usize> {
    let printer = app.printer.as_ref();
    let printer = printer.ok_or_else(|| not_found("this server does not print; ask the jury"))?;
    let user = view.viewer.user;
    let user = user.filter(|_| access::prints(view.viewer, view.place(), view.now_ms));
    let user =
        user.ok_or_else(|| forbidden("only teams of the contest print, and only while it runs"))?;
    check_name(name, MAX_NAME).map_err(|e| bad_request(format!("the name of the file: {e}")))?;
    if content.len() > MAX_BYTES {
        let bytes = content.len();
        return Err(too_large(format!(
            "the text has {bytes} bytes; the limit is {MAX_BYTES}"
        )));
    }
    let text = String::from_utf8_lossy(content).into_owned();
    let pages = printing::pages(&text);
    if text.trim().is_empty() {
        return Err(bad_request(
            "the text is empty; choose a file, or paste the text",
        ));
    }
    if pages > MAX_PAGES {
        let what = format!("the text has {pages} pages; print at most {MAX_PAGES} at once");
        return Err(too_large(what));
    }
    app.rates.take(PRINTS, user)?;
    app.store.add_print(&Print {
        id: PrintId(0),
        contest: view.contest.id,
        user,
        team: view.viewer.team.filter(|_| view.takes_part),
        name: name.to_owned(),
        text,
        pages,
        time_ms: now_ms(),
        state: PrintState::Waiting,
        failure: None,
    })?;
    printer.wake();
    Ok(pages)
}

/// Prints a text of the contest again.
/// Fails when the server does not print, or there is no such text that was printed or failed.
pub(crate) fn again(app: &App, contest: &Contest, id: PrintId) -> Result<()> {
    let printer = app.printer.as_ref();
    let off = || conflict("the server does not print; start it with --print-command");
    let printer = printer.ok_or_else(off)?;
    if !app.store.print_again(contest.id, id)? {
        return Err(conflict(format!(
            "print {id} waits already, or does not exist"
        )));
    }
    printer.wake();
    Ok(())
}
