//! Printing for teams: the server's operator names a command, which gets each text with headers on its standard input.
//! One thread runs it for one text after the other.

mod command;
mod document;

pub(crate) use document::pages;

use crate::store::{Print, Store};
use crate::threads;
use crate::zone;
use judge_core::error::{Failure, Reason};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

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
    pub fn start(store: Arc<Store>, command: &str) -> Result<Self, Failure> {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(Failure::usage("--print-command is empty")
                .help("name a program: --print-command lp"));
        }
        store.interrupt_prints()?;
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
fn facts(store: &Store, print: &Print) -> Result<Facts, Reason> {
    let contest = store.contest(print.contest)?;
    let (who, place) = match print.team {
        Some(team) => {
            let team = store.team(team)?;
            (team.shown_name().to_owned(), team.label.unwrap_or_default())
        }
        None => (store.user(print.user)?.name, String::new()),
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
