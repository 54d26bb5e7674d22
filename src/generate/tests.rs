use super::*;

#[test]
fn a_search_completes_the_grid_where_chance_does_not() {
    let mut generator = Generator::<9>::new(4);
    let grid = generator.complete_by_search();
    assert!(Rules::classic().is_solved_by(&grid));
}

#[test]
fn many_minimal_puzzles_are_those_made_one_by_one() {
    let mut one = Generator::<9>::new(5);
    let mut many = Generator::<9>::new(5);
    let expected: Vec<Grid<9>> = (0..BATCH + 30).map(|_| one.minimal()).collect();
    assert_eq!(many.minimals(BATCH + 30), expected);
    assert_eq!(many.minimal(), one.minimal());
    let (mut one, mut many) = (Generator::<4>::new(5), Generator::<4>::new(5));
    assert_eq!(many.minimals(2), [one.minimal(), one.minimal()]);
}
