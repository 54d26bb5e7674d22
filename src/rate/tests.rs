use super::*;
use crate::generate::{Generator, Kind};
use std::collections::BTreeSet;

/// Each technique finds its pattern, and not where one more candidate breaks it.
#[test]
fn a_technique_is_found_where_its_pattern_is_and_not_where_it_is_broken() {
    let classic = Rules::<9>::classic();
    let killer = Generator::<9>::new(3).killer(4);
    let mut all_marks: Vec<(Rater<9>, Grid<9>)> = Generator::<9>::new(1)
        .minimals(400)
        .into_iter()
        .map(|puzzle| (Rater::new(&classic), puzzle))
        .collect();
    all_marks.push((Rater::new(&killer), Grid::EMPTY));
    let (rules, puzzle) = Generator::<9>::new(3)
        .variant(Kind::Thermometer, 9)
        .expect("a puzzle");
    all_marks.push((Rater::new(&rules), puzzle));
    let mut shown = BTreeSet::new();
    for (rater, puzzle) in &all_marks {
        let mut marks = Marks::new(&rater.topology, puzzle);
        while marks.empty > 0 {
            let Some(step) = marks.next_move() else { break };
            if shown.insert(step.technique) {
                let pattern =
                    |step: &marks::Move| (step.houses.clone(), step.cells.clone(), step.digits);
                let is_broken = (0..81 * 9).any(|candidate| {
                    let (cell, digit) = (candidate / 9, candidate % 9);
                    let mut more = marks.clone();
                    more.digits[cell] |= 1 << digit;
                    let is_new = more.digits[cell] != marks.digits[cell] && !marks.filled[cell];
                    is_new
                        && more.find(step.technique).as_ref().map(pattern) != Some(pattern(&step))
                });
                // No candidate is beside a sum or a constraint: its pattern is only ever used up.
                let is_used_up = [Technique::CageSum, Technique::Constraint];
                assert!(
                    is_broken || is_used_up.contains(&step.technique),
                    "{step:?}"
                );
                let mut after = marks.clone();
                after.apply(&step);
                let again = after.find(step.technique);
                assert_ne!(again.as_ref().map(pattern), Some(pattern(&step)));
            }
            marks.apply(&step);
        }
        // A full grid leaves nothing to find.
        let solved = marks.empty == 0;
        assert!(!solved || Technique::ALL.into_iter().all(|t| marks.find(t).is_none()));
    }
    for technique in Technique::ALL {
        let is_rare = matches!(
            technique,
            Technique::Beyond
                | Technique::Swordfish
                | Technique::HiddenTriple
                | Technique::NakedQuad
                | Technique::Jellyfish
                | Technique::HiddenQuad
        );
        assert!(is_rare || shown.contains(&technique), "{technique}");
    }
}

/// The rare ones, each made by hand: a digit, or the digits of a house, confined as the name says.
#[test]
fn rare_techniques_are_found() {
    let rater = Rater::new(&Rules::<9>::classic());
    let empty = || Marks::new(&rater.topology, &Grid::<9>::EMPTY);
    for (technique, lines) in [
        (Technique::XWing, 2),
        (Technique::Swordfish, 3),
        (Technique::Jellyfish, 4),
    ] {
        // Digit 1 lies in the first columns only, in every second row.
        let mut marks = empty();
        for line in 0..lines {
            for column in lines..9 {
                marks.digits[2 * line * 9 + column] &= !1;
            }
        }
        let step = marks.find(technique).expect("the fish");
        assert_eq!((step.digits, step.removed.len()), (1, (9 - lines) * lines));
        marks.digits[8] |= 1;
        assert!(marks.find(technique).is_none());
    }
    for (technique, size) in [
        (Technique::HiddenPair, 2),
        (Technique::HiddenTriple, 3),
        (Technique::HiddenQuad, 4),
    ] {
        // The first digits have the first places of row 5 only.
        let mut marks = empty();
        for column in size..9 {
            marks.digits[36 + column] &= !((1 << size) - 1);
        }
        let step = marks.find(technique).expect("the hidden set");
        assert_eq!(step.cells, (36..36 + size).collect::<Vec<_>>());
        marks.digits[44] |= 1;
        assert!(marks.find(technique).is_none());
    }
    for (technique, size) in [
        (Technique::NakedPair, 2),
        (Technique::NakedTriple, 3),
        (Technique::NakedQuad, 4),
    ] {
        // The first cells of row 5 have the first digits only.
        let mut marks = empty();
        for column in 0..size {
            marks.digits[36 + column] = (1 << size) - 1;
        }
        let step = marks.find(technique).expect("the naked set");
        assert_eq!(step.digits, (1 << size) - 1);
        assert!(step.removed.contains(&(44, (1 << size) - 1)));
        marks.digits[36] |= 1 << 8;
        assert!(marks.find(technique).is_none());
    }
}
