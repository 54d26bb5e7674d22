//! Parts of constraints, the only forms that an engine knows.

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
    /// Whether the cells hold different digits.
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
