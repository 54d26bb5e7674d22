//! Escapes the text of events, which may come from packages and programs.

use crate::event::Details;
use crate::text::{printable, printable_name};

/// A name with escaped control characters.
pub fn clean_name(name: &str) -> String {
    printable_name(name).into_owned()
}

/// Text with escaped control characters.
pub fn optional_text(text: &Option<String>) -> Option<String> {
    text.as_ref().map(|text| printable(text.as_bytes()))
}

/// The same details with escaped text.
pub fn clean_details(details: &Details) -> Box<Details> {
    let mut details = details.clone();
    let clean = |text: &mut String| *text = clean_name(text);
    let excerpts = [
        &mut details.input,
        &mut details.expected,
        &mut details.found,
        &mut details.dialogue,
    ];
    for excerpt in excerpts.into_iter().flatten() {
        excerpt
            .lines
            .iter_mut()
            .for_each(|line| clean(&mut line.text));
    }
    details.standard_error = optional_text(&details.standard_error);
    if let Some(board) = &mut details.board {
        let rows = board.expected.iter_mut().chain(&mut board.found);
        rows.flatten().for_each(clean);
        if let Some(house) = &mut board.broken {
            clean(&mut house.symbol);
            clean(&mut house.kind);
        }
    }
    Box::new(details)
}
