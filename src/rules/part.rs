//! Parts of constraints, the only forms that an engine knows.

use crate::engine::Mask;

/// A part of a constraint, about cells by their index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The cells hold different digits.
    Distinct(Vec<usize>),
    /// The values of the cells have this sum. That of the first `mirrored` cells is `N + 1` minus the digit.
    Sum {
        cells: Vec<usize>,
        mirrored: usize,
        sum: u32,
    },
    /// The digits match a pattern.
    Patterns(Patterns),
}

/// The ways in which some cells can be filled: each pattern divides the cells into groups and gives
/// each group a set of digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Patterns {
    pub(crate) cells: Vec<usize>,
    /// Whether the cells of each group hold different digits.
    pub(crate) is_distinct: bool,
    groups: Vec<Group>,
    /// By pattern, the end of its groups.
    ends: Vec<usize>,
}

/// Cells of a pattern with the same digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// The digits, as bits.
    pub(crate) digits: u64,
    /// The cells, as bits of their index in [`Patterns::cells`].
    pub(crate) places: u64,
}

/// The maximum number of cells of a pattern.
pub(super) const MAX_PLACES: usize = 64;

impl Patterns {
    pub(super) fn new(cells: Vec<usize>, is_distinct: bool) -> Self {
        Patterns {
            cells,
            is_distinct,
            groups: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds a pattern of (digits, places); every cell is in one group.
    pub(super) fn push<const GROUPS: usize>(&mut self, groups: [(u64, u64); GROUPS]) {
        let groups = groups.into_iter().filter(|group| group.1 != 0);
        let groups = groups.map(|(digits, places)| Group { digits, places });
        self.groups.extend(groups);
        self.ends.push(self.groups.len());
    }

    /// The same patterns in groups of cells that all see each other: `sees` says by pair of cells whether they
    /// cannot hold the same digit. What is impossible because of that is left out.
    pub(crate) fn refined(&self, sees: &[Vec<bool>]) -> Self {
        let sees = |one: usize, places: u64| {
            places
                .members()
                .all(|other| one == other || sees[self.cells[one]][self.cells[other]])
        };
        let all = (0..self.cells.len()).fold(0, |all, place| all | 1 << place);
        if all.members().all(|place| sees(place, all)) {
            return Patterns {
                is_distinct: true,
                ..self.clone()
            };
        }
        let mut refined = Patterns::new(self.cells.clone(), true);
        for groups in self.iter() {
            let mut parts: Vec<Group> = Vec::new();
            for group in groups {
                let first = parts.len();
                for place in group.places.members() {
                    let fits = |part: &&mut Group| sees(place, part.places);
                    match parts[first..].iter_mut().find(fits) {
                        Some(part) => part.places |= 1 << place,
                        None => parts.push(Group {
                            digits: group.digits,
                            places: 1 << place,
                        }),
                    }
                }
            }
            for one in 0..parts.len() {
                let Group { digits, places } = parts[one];
                if digits.has_several() || places.has_several() {
                    continue;
                }
                let place = places.smallest();
                for other in parts
                    .iter_mut()
                    .filter(|other| other.places & places == 0 && sees(place, other.places))
                {
                    other.digits &= !digits;
                }
            }
            if parts
                .iter()
                .all(|part| part.digits.len() >= part.places.len())
            {
                refined.groups.extend(parts);
                refined.ends.push(refined.groups.len());
            }
        }
        refined
    }

    /// The patterns, each as its groups.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Group]> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        let bounds = starts.zip(&self.ends);
        bounds.map(|(start, &end)| &self.groups[start..end])
    }
}

impl Part {
    /// The same part about other cells.
    pub(crate) fn moved(&self, to: impl Fn(usize) -> usize) -> Self {
        let mut part = self.clone();
        let cells = match &mut part {
            Part::Distinct(cells) | Part::Sum { cells, .. } => cells,
            Part::Patterns(patterns) => &mut patterns.cells,
        };
        for cell in cells {
            *cell = to(*cell);
        }
        part
    }

    /// Whether the values of some cells, 0 for an empty one, can belong to a solution as far as this
    /// part alone says.
    pub(crate) fn allows(&self, side: usize, value: impl Fn(usize) -> u8) -> bool {
        match self {
            Part::Distinct(cells) => {
                let mut seen = 0u64;
                cells.iter().all(|&cell| {
                    let bit = match value(cell) {
                        0 => 0,
                        value => 1u64 << (value - 1),
                    };
                    let is_new = seen & bit == 0;
                    seen |= bit;
                    is_new
                })
            }
            Part::Sum {
                cells,
                mirrored,
                sum,
            } => {
                let (mut least, mut most) = (0, 0);
                for (index, &cell) in cells.iter().enumerate() {
                    let (low, high) = match u32::from(value(cell)) {
                        0 => (1, side as u32),
                        value if index < *mirrored => {
                            let value = side as u32 + 1 - value;
                            (value, value)
                        }
                        value => (value, value),
                    };
                    least += low;
                    most += high;
                }
                (least..=most).contains(sum)
            }
            Part::Patterns(patterns) => patterns.iter().any(|groups| {
                groups.iter().all(|group| {
                    let mut places = (0..patterns.cells.len())
                        .filter(|place| group.places >> place & 1 == 1)
                        .map(|place| value(patterns.cells[place]));
                    places.all(|value| value == 0 || group.digits >> (value - 1) & 1 == 1)
                })
            }),
        }
    }
}
