use super::*;

#[test]
fn classic_houses_are_rows_columns_boxes() {
    let rules = Rules::<9>::classic();
    assert_eq!(rules.houses().len(), 27);
    let corner: Vec<usize> = rules.houses()[18].cells.iter().map(|c| c.index()).collect();
    assert_eq!(corner, [0, 1, 2, 9, 10, 11, 18, 19, 20]);
    assert!(rules.is_classic());
    assert_eq!(Rules::<16>::diagonal().houses().len(), 50);
    assert!(!Rules::<16>::diagonal().is_classic());
}

#[test]
fn boxes_are_as_near_to_square_as_the_side_allows() {
    let shapes = [1, 2, 6, 8, 9, 10, 12, 13, 15, 16, 36].map(box_shape);
    let expected = [
        (1, 1),
        (1, 2),
        (2, 3),
        (2, 4),
        (3, 3),
        (2, 5),
        (3, 4),
        (1, 13),
        (3, 5),
        (4, 4),
        (6, 6),
    ];
    assert_eq!(shapes, expected);
    let rules = Rules::<6>::boxes(2, 3).unwrap();
    assert_eq!(rules, Rules::classic());
    let second: Vec<usize> = rules.houses()[13].cells.iter().map(|c| c.index()).collect();
    assert_eq!(second, [3, 4, 5, 9, 10, 11]);
    let upright = Rules::<6>::boxes(3, 2).unwrap();
    assert!(!upright.is_classic());
    let second: Vec<usize> = upright.houses()[13]
        .cells
        .iter()
        .map(|c| c.index())
        .collect();
    assert_eq!(second, [2, 3, 8, 9, 14, 15]);
    let error = Rules::<6>::boxes(2, 2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "boxes of 2x2 cells: expected 6 cells, as many as in a row"
    );
    assert!(Rules::<6>::boxes(usize::MAX, 3).is_err());
}

#[test]
fn a_jigsaw_of_square_boxes_is_classic() {
    let mut map = [[0; 4]; 4];
    for cell in Cell::<4>::all() {
        map[cell.row()][cell.column()] = cell.box_index();
    }
    assert!(Rules::<4>::jigsaw(&map).unwrap().is_classic());
    map[0][0] = 3;
    let error = Rules::<4>::jigsaw(&map).unwrap_err();
    assert_eq!(error.to_string(), "region 1: found 3 cells, expected 4");
    map[0][0] = 4;
    let error = Rules::<4>::jigsaw(&map).unwrap_err();
    assert_eq!(error.to_string(), "region 5: found 1 cells, expected 0");
}

#[test]
fn twice_in_a_house_is_seen() {
    for (row, column) in [(0, 3), (3, 0), (1, 1)] {
        let mut values = [[0; 4]; 4];
        values[0][0] = 2;
        values[row][column] = 2;
        let grid = Grid::from_rows(&values).unwrap();
        assert!(!Rules::classic().allow(&grid));
        assert!(!allows_classic(&grid));
    }
    let mut values = [[0; 4]; 4];
    values[0][0] = 2;
    values[3][3] = 2;
    let grid = Grid::from_rows(&values).unwrap();
    assert!(allows_classic(&grid));
    assert!(!Rules::diagonal().allow(&grid));
}

#[test]
fn houses_and_peers_of_a_cell() {
    let corner = Cell::<9>::at(0, 0);
    assert_eq!(Rules::classic().houses_of(corner).count(), 3);
    assert_eq!(Rules::classic().peers(corner).len(), 20);
    assert_eq!(Rules::latin().peers(corner).len(), 16);
    assert_eq!(Rules::diagonal().peers(corner).len(), 26);
    assert_eq!(Rules::windoku().houses_of(Cell::at(1, 1)).count(), 4);
    let far = Cell::at(5, 5);
    let caged = Rules::classic().with_cage(&[corner, far], 4).unwrap();
    assert_eq!(caged.peers(corner).len(), 21);
    assert!(caged.peers(far).contains(&corner));
}

#[test]
fn houses_and_cages_are_checked_when_made() {
    let rules = Rules::<4>::latin;
    let cells = |places: &[(usize, usize)]| -> Vec<Cell<4>> {
        places.iter().map(|&(r, c)| Cell::at(r, c)).collect()
    };
    let house = rules().with_house(&cells(&[(0, 0), (1, 1)])).unwrap_err();
    assert_eq!(house.to_string(), "house: found 2 cells, expected 4");
    let twice = cells(&[(0, 0), (1, 1), (2, 2), (1, 1)]);
    let message = "row 2, column 2: the cell is named twice";
    assert_eq!(rules().with_house(&twice).unwrap_err().to_string(), message);
    assert_eq!(
        rules().with_cage(&twice, 10).unwrap_err().to_string(),
        message
    );
    for (places, sum, is_possible) in [
        (&[(0, 1), (0, 2)][..], 2, false),
        (&[(0, 1), (0, 2)], 3, true),
        (&[(0, 1), (0, 2)], 7, true),
        (&[(0, 1), (0, 2)], 8, false),
        (&[], 0, false),
    ] {
        let made = rules().with_cage(&cells(places), sum);
        assert_eq!(made.is_ok(), is_possible, "{places:?} {sum}");
    }
    let error = rules().with_cage(&cells(&[(2, 1), (2, 2)]), 9).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 3, column 2: a cage of 2 different digits cannot have the sum 9"
    );
}

#[test]
fn cages_are_obeyed() {
    let cells = [Cell::<4>::at(0, 0), Cell::at(3, 3), Cell::at(1, 2)];
    let rules = Rules::latin().with_cage(&cells, 6).unwrap();
    assert!(!rules.is_classic());
    for (values, is_allowed) in [
        ([0, 0, 0], true),
        ([1, 2, 3], true),
        ([1, 2, 0], true),
        ([1, 1, 0], false),
        ([1, 2, 4], false),
        ([2, 4, 0], false),
        ([1, 4, 0], true),
    ] {
        let mut grid = Grid::EMPTY;
        for (cell, value) in cells.iter().zip(values) {
            grid.set(*cell, crate::Digit::new(value));
        }
        assert_eq!(rules.allow(&grid), is_allowed, "{values:?}");
    }
}

#[test]
fn walls_make_the_regions_of_a_jigsaw() {
    let map = [[0, 0, 0, 1], [0, 1, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]];
    let of = |cell: Cell<4>| map[cell.row()][cell.column()];
    let walled = Rules::jigsaw_by_walls(|a, b| {
        assert!(a < b);
        of(a) == of(b)
    });
    assert_eq!(walled, Rules::jigsaw(&map));
    let error = Rules::<4>::jigsaw_by_walls(|a, b| a.row() == b.row() || b.row() < 3);
    let region = RulesError::Region {
        region: 0,
        cells: 12,
        expected: 4,
    };
    assert_eq!(error, Err(region));
}

#[test]
fn cells_know_their_box() {
    let boxes: Vec<usize> = Cell::<4>::all().map(Cell::box_index).collect();
    assert_eq!(boxes, [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]);
    assert_eq!(Cell::<9>::new(9, 0), None);
    assert_eq!(Cell::<9>::in_box(5, 3), Cell::at(4, 6));
    assert_eq!(Cell::<9>::from_index(80), Cell::new(8, 8).unwrap());
}
