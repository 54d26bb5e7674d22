//! Printing for teams: the server's operator names a command, which gets each text with headers on its standard input.
//! One thread runs it for one text after the other.

mod command;
mod document;

use crate::access;
use crate::contest_api::{MAX_NAME, check_name};
use crate::contest_view::View;
use crate::http::{App, Result, bad_request, conflict, forbidden, not_found, too_large};
use crate::store::{Contest, Print, PrintId, PrintState, Store, now_ms};
use crate::threads;
use crate::zone;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// Maximum bytes of a text.
const MAX_BYTES: usize = 256 << 10;
/// Maximum pages of a text.
const MAX_PAGES: usize = 20;
/// How long the command may take for a text.
const MAX_TIME: Duration = Duration::from_secs(30);
/// How long the thread waits before it looks for texts again, after the store failed.
const AGAIN: Duration = Duration::from_secs(30);

/// The command that prints, and its thread.
pub struct Printer {
    wake: SyncSender<()>,
}

impl Printer {
    /// Starts the thread. `command` is a program and its arguments, with blanks between them; no shell reads it.
    /// Fails when it is empty, or the store fails.
    pub fn start(store: Arc<Store>, command: &str) -> std::result::Result<Self, String> {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(
                "--print-command is empty\n  help: name a program: --print-command lp".to_owned(),
            );
        }
        store.interrupt_prints().map_err(|e| e.to_string())?;
        let (wake, woken) = sync_channel(1);
        threads::start("printing", move || run(&store, &words, &woken))?;
        Ok(Printer { wake })
    }

    /// Lets the thread look for texts.
    pub(crate) fn wake(&self) {
        // A full channel wakes it, too.
        let _ = self.wake.try_send(());
    }
}

/// Prints what waits, until the server stops.
fn run(store: &Store, command: &[String], woken: &Receiver<()>) {
    loop {
        match store.take_print() {
            Ok(Some(print)) => print_one(store, command, &print),
            Ok(None) => {
                if woken.recv().is_err() {
                    return;
                }
            }
            Err(error) => {
                tracing::error!("failed to read what to print: {error}");
                if woken.recv_timeout(AGAIN) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
            }
        }
    }
}

fn print_one(store: &Store, command: &[String], print: &Print) {
    let printed = facts(store, print).and_then(|(facts, document)| {
        let document = document.into_bytes();
        command::run(command, &facts, &document, MAX_TIME)
    });
    if let Err(why) = &printed {
        tracing::error!(print = print.id.0, "failed to print: {why}");
    }
    if let Err(error) = store.end_print(print.id, printed.err().as_deref()) {
        tracing::error!(
            print = print.id.0,
            "failed to record that it is printed: {error}"
        );
    }
}

/// The variables of the command, and the text with its headers.
type Facts = (Vec<(&'static str, String)>, String);

/// Loads what the command gets.
fn facts(store: &Store, print: &Print) -> std::result::Result<Facts, String> {
    let failed = |e: crate::store::Error| e.to_string();
    let contest = store.contest(print.contest).map_err(failed)?;
    let (who, place) = match print.team {
        Some(team) => {
            let team = store.team(team).map_err(failed)?;
            (team.shown_name().to_owned(), team.label.unwrap_or_default())
        }
        None => (store.user(print.user).map_err(failed)?.name, String::new()),
    };
    let time = zone::text(contest.tz(), print.time_ms);
    let mut head = vec![who.as_str(), &place, &print.name, &time];
    head.retain(|part| !part.is_empty());
    let document = document::document(&head.join(" | "), &print.text);
    let facts = vec![
        ("JUDGE_PRINT_ID", print.id.to_string()),
        ("JUDGE_PRINT_CONTEST", contest.ext),
        ("JUDGE_PRINT_TEAM", who),
        ("JUDGE_PRINT_LOCATION", place),
        ("JUDGE_PRINT_FILE", print.name.clone()),
        ("JUDGE_PRINT_PAGES", print.pages.to_string()),
    ];
    Ok((facts, document))
}

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
    let pages = document::pages(&text);
    if text.trim().is_empty() {
        return Err(bad_request(
            "the text is empty; choose a file, or paste the text",
        ));
    }
    if pages > MAX_PAGES {
        let what = format!("the text has {pages} pages; print at most {MAX_PAGES} at once");
        return Err(too_large(what));
    }
    app.rates.print(user)?;
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
