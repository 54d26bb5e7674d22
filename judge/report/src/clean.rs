//! Escapes the details of a case, which come from packages and programs.

use judge_core::results::Details;
use judge_core::text::{printable, printable_name};

/// The same details with escaped text.
pub fn clean_details(details: &Details) -> Box<Details> {
    let mut details = details.clone();
    let clean = |text: &mut String| *text = printable_name(text).into_owned();
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
    let standard_error = details.standard_error.as_ref();
    details.standard_error = standard_error.map(|text| printable(text.as_bytes()));
    let team_message = details.team_message.as_ref();
    details.team_message = team_message.map(|text| printable(text.as_bytes()));
    details
        .images
        .iter_mut()
        .for_each(|image| clean(&mut image.name));
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
