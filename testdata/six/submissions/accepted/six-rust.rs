// Fills 6x6 Sudokus with boxes of 2x3 cells
// Made by `judge bundle six --to rust` from commit 8915e506
// Licence: MIT OR Apache-2.0
use crate::program::Failure;
use std::process::ExitCode;
use crate::sudoku::notation::Notation;
use crate::sudoku::{Answer, Rules, Solver};

fn main() -> ExitCode {
    crate::program::run(|input, output| {
        let rules = Rules::<6>::boxes(2, 3)
            .map_err(|e| Failure::Message(e.to_string()))?;
        let mut solver = Solver::with_rules(&rules);
        for _ in 0..input.expect_number()? {
            match solver.solve(&input.expect_grid(Notation::ROWS)?) {
                Answer::Unique(solution) => output.grid(Notation::ROWS, &solution)?,
                Answer::Several(..) => output.text("several\n")?,
                Answer::None => output.text("none\n")?,
            }
        }
        Ok(input.end()?)
    })
}

mod sudoku {
    pub mod engine {
        mod articles {
            mod tables {}
        }

        pub mod big {
            pub(crate) mod learning {
                mod solver {}
            }

            mod search {}

            mod views {}
        }

        pub(crate) mod constraints {
            mod patterns {
                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::rules::Patterns;

                pub(crate) fn prune_patterns(
                    patterns: &Patterns,
                    cells: &mut [(usize, u64)],
                ) {
                    let mut fit = [0; 64];
                    for groups in patterns.iter() {
                        let is_possible = groups
                            .iter()
                            .all(|group| {
                                let mut union = 0;
                                for place in group.places.members() {
                                    let digits = cells[place].1 & group.digits;
                                    if digits == 0 {
                                        return false;
                                    }

                                    union |= digits;
                                }
                                !patterns.is_distinct
                                    || union.count_ones() >= group.places.count_ones()
                            });
                        if is_possible {
                            for group in groups {
                                for place in group.places.members() {
                                    fit[place] |= group.digits;
                                }
                            }
                        }
                    }
                    for ((_, digits), fit) in cells.iter_mut().zip(fit) {
                        *digits &= !fit;
                    }
                }
            }

            mod prune {
                use super::subsets::SubsetPruner;
                use super::{Sum, mirror};
                use crate::sudoku::engine::mask::Mask;

                #[derive(Clone, Debug, Default)]
                pub(crate) struct Pruner {
                    pub(super) needed: Vec<u64>,
                    subsets: SubsetPruner,
                    general: GeneralPruner,
                }

                impl Pruner {
                    pub(crate) fn prune(
                        &mut self,
                        sum: &Sum,
                        side: usize,
                        cells: &mut [(usize, u64)],
                    ) {
                        for (_, digits) in &mut cells[..sum.mirrored] {
                            *digits = mirror(*digits, side);
                        }
                        self.prune_values(sum, cells);
                        for (_, digits) in &mut cells[..sum.mirrored] {
                            *digits = mirror(*digits, side);
                        }
                    }

                    fn prune_values(&mut self, sum: &Sum, cells: &mut [(usize, u64)]) {
                        self.needed.clear();
                        if cells.iter().all(|cell| cell.1 >> SubsetPruner::DIGITS == 0)
                            && cells.len() <= SubsetPruner::MAX_CELLS
                        {
                            self.subsets.prune(sum, cells, &mut self.needed);
                        } else {
                            self.general.prune(sum, cells);
                        }
                    }
                }

                #[derive(Clone, Debug, Default)]
                struct GeneralPruner {
                    order: Vec<usize>,
                    layers: Vec<Vec<(u64, u32)>>,
                    bounds: Vec<(u32, u32)>,
                }

                const MAX_SETS: usize = 4096;
                impl GeneralPruner {
                    fn prune(&mut self, sum: &Sum, cells: &mut [(usize, u64)]) {
                        let different = sum.is_distinct();
                        let count = cells.len();
                        self.order.clear();
                        self.order.extend(0..count);
                        self.order.sort_by_key(|&index| cells[index].1.count_ones());
                        self.bounds.clear();
                        self.bounds.resize(count + 1, (0, 0));
                        for step in (0..count).rev() {
                            let digits = cells[self.order[step]].1;
                            let (least, most) = self.bounds[step + 1];
                            let least_digit = digits.trailing_zeros().min(63) + 1;
                            let greatest_digit = 64 - digits.leading_zeros();
                            self.bounds[step] = (
                                least + least_digit,
                                most + greatest_digit,
                            );
                        }
                        if self.layers.len() <= count {
                            self.layers.resize(count + 1, Vec::new());
                        }
                        self.layers[0].clear();
                        self.layers[0].push((0, 0));
                        for step in 0..count {
                            let digits = cells[self.order[step]].1;
                            let (least, most) = self.bounds[step + 1];
                            let (before, behind) = self.layers.split_at_mut(step + 1);
                            behind[0].clear();
                            for &(used, so_far) in &before[step] {
                                for digit in (digits & !used).members() {
                                    let value = so_far + digit as u32 + 1;
                                    if value + least <= sum.sum
                                        && sum.sum <= value.saturating_add(most)
                                    {
                                        let used = if different { used | 1 << digit } else { 0 };
                                        behind[0].push((used, value));
                                    }
                                }
                            }
                            behind[0].sort_unstable();
                            behind[0].dedup();
                            if behind[0].len() > MAX_SETS {
                                return self.prune_bounds(sum, cells);
                            }
                        }
                        for step in (0..count).rev() {
                            let cell = &mut cells[self.order[step]];
                            let digits = cell.1;
                            let (before, behind) = self.layers.split_at_mut(step + 1);
                            let mut fit = 0;
                            before[step]
                                .retain(|&(used, so_far)| {
                                    let mut leads_on = false;
                                    for digit in (digits & !used).members() {
                                        let used = if different { used | 1 << digit } else { 0 };
                                        if behind[0]
                                            .binary_search(&(used, so_far + digit as u32 + 1))
                                            .is_ok()
                                        {
                                            fit |= 1 << digit;
                                            leads_on = true;
                                        }
                                    }
                                    leads_on
                                });
                            cell.1 = digits & !fit;
                        }
                    }

                    fn prune_bounds(&self, sum: &Sum, cells: &mut [(usize, u64)]) {
                        let (least, most) = self.bounds[0];
                        for (_, digits) in cells {
                            let own_least = digits.trailing_zeros().min(63) + 1;
                            let own_most = 64 - digits.leading_zeros();
                            let fits = |&digit: &usize| {
                                let value = digit as u32 + 1;
                                least - own_least + value <= sum.sum
                                    && sum.sum <= most - own_most + value
                            };
                            *digits = digits
                                .members()
                                .filter(|digit| !fits(digit))
                                .fold(0, |all, d| all | 1 << d);
                        }
                    }
                }
            }

            mod subsets {
                use super::{Group, Sum};
                use crate::sudoku::engine::mask::Mask;

                #[derive(Clone, Debug, Default)]
                pub(super) struct SubsetPruner {
                    layers: Vec<Vec<Subsets>>,
                    sums: Vec<u64>,
                    sums_after: Vec<u128>,
                }

                impl SubsetPruner {
                    pub(super) const DIGITS: u32 = 9;
                    pub(super) const MAX_CELLS: usize = 14;
                    pub(super) fn prune(
                        &mut self,
                        sum: &Sum,
                        cells: &mut [(usize, u64)],
                        needed: &mut Vec<u64>,
                    ) {
                        let count = sum.groups.len();
                        if self.layers.len() < count {
                            self.layers.resize(count, Vec::new());
                        }
                        self.sums.clear();
                        for (group, layers) in sum.groups.iter().zip(&mut self.layers) {
                            layers.clear();
                            let digits = |at: usize| cells[group.indices[at]].1;
                            self.sums
                                .push(
                                    match group.indices.len() {
                                        1 => digits(0) << 1,
                                        2 => {
                                            digits(0)
                                                .members()
                                                .fold(
                                                    0,
                                                    |all, digit| {
                                                        all | (digits(1) & !(1 << digit)) << (digit + 2)
                                                    },
                                                )
                                        }
                                        count => {
                                            fill_layers(group, cells, layers);
                                            layers[count].sums(count)
                                        }
                                    },
                                );
                        }
                        self.sums_after.clear();
                        self.sums_after.resize(count, 1);
                        for number in (1..count).rev() {
                            self.sums_after[number - 1] = add_sums(
                                self.sums_after[number],
                                self.sums[number],
                            );
                        }
                        let mut sums_before = 1;
                        for (number, group) in sum.groups.iter().enumerate() {
                            let own = self.sums[number];
                            let completed = self.sums_after[number].reverse_bits()
                                >> (127 - sum.sum.min(127));
                            let is_part = |&own: &usize| {
                                sums_before << own & completed != 0
                            };
                            let left = own.members().filter(is_part);
                            let left = left.fold(0, |all, sum| all | 1 << sum);
                            sums_before = add_sums(sums_before, own);
                            let layers = &mut self.layers[number];
                            let mut is_open = group
                                .indices
                                .iter()
                                .map(|&index| cells[index].1.len());
                            if left == own
                                && is_open
                                    .all(|digits| digits as usize > group.indices.len())
                            {
                                needed.push(0);
                                group.indices.iter().for_each(|&index| cells[index].1 = 0);
                                continue;
                            }
                            if layers.is_empty() {
                                fill_layers(group, cells, layers);
                            }
                            let mut ways = layers[group.indices.len()];
                            if left != own {
                                let allowed = left.members().map(|sum| SETS_OF_SUM[sum]);
                                ways = ways
                                    .and(allowed.fold(Subsets::default(), Subsets::or));
                            }
                            needed.push(ways.common_digits());
                            for (&index, before) in group
                                .indices
                                .iter()
                                .zip(&*layers)
                                .rev()
                            {
                                let cell = &mut cells[index];
                                let mut fit = 0;
                                let mut leading = Subsets::default();
                                for digit in cell.1.members() {
                                    let from = ways.without(digit).and(*before);
                                    if !from.is_empty() {
                                        fit |= 1 << digit;
                                        leading = leading.or(from);
                                    }
                                }
                                ways = leading;
                                cell.1 &= !fit;
                            }
                        }
                    }
                }

                fn fill_layers(
                    group: &Group,
                    cells: &[(usize, u64)],
                    layers: &mut Vec<Subsets>,
                ) {
                    let mut layer = Subsets::EMPTY_SET;
                    layers.push(layer);
                    for &index in &group.indices {
                        layer = layer.with_one_of(cells[index].1);
                        layers.push(layer);
                    }
                }

                fn add_sums(all: u128, sums: u64) -> u128 {
                    sums.members().fold(0, |found, sum| found | all << sum)
                }

                #[derive(Clone, Copy, Debug, Default)]
                struct Subsets([u64; 8]);
                const MAX_SUM: usize = 45;
                static SETS_OF_SUM: [Subsets; MAX_SUM + 1] = {
                    let mut table = [Subsets([0; 8]); MAX_SUM + 1];
                    let mut set = 0;
                    while set < 512 {
                        let (mut sum, mut digit) = (0, 0);
                        while digit < 9 {
                            sum += (set >> digit & 1) * (digit + 1);
                            digit += 1;
                        }
                        table[sum].0[set / 64] |= 1 << (set % 64);
                        set += 1;
                    }
                    table
                };

                const LACKING: [u64; 6] = [
                    0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0F0F_0F0F_0F0F_0F0F,
                    0x00FF_00FF_00FF_00FF, 0x0000_FFFF_0000_FFFF, 0x0000_0000_FFFF_FFFF,
                ];
                impl Subsets {
                    const EMPTY_SET: Self = Subsets([1, 0, 0, 0, 0, 0, 0, 0]);
                    fn is_empty(self) -> bool {
                        self.0.iter().fold(0, |any, sets| any | sets) == 0
                    }

                    fn or(self, other: Self) -> Self {
                        Subsets(core::array::from_fn(|i| self.0[i] | other.0[i]))
                    }

                    fn and(self, other: Self) -> Self {
                        Subsets(core::array::from_fn(|i| self.0[i] & other.0[i]))
                    }

                    fn with_one_of(self, digits: u64) -> Self {
                        let mut all = Subsets::default();
                        for digit in digits.members() {
                            if digit < 6 {
                                let lacking = LACKING[digit];
                                for (all, sets) in all.0.iter_mut().zip(self.0) {
                                    *all |= (sets & lacking) << (1 << digit);
                                }
                            } else {
                                let bit = 1 << (digit - 6);
                                for word in (0..8).filter(|word| word & bit == 0) {
                                    all.0[word | bit] |= self.0[word];
                                }
                            }
                        }
                        all
                    }

                    fn without(self, digit: usize) -> Self {
                        if digit < 6 {
                            let lacking = LACKING[digit];
                            Subsets(self.0.map(|sets| sets >> (1 << digit) & lacking))
                        } else {
                            let bit = 1 << (digit - 6);
                            Subsets(
                                core::array::from_fn(|word| match word & bit {
                                    0 => self.0[word | bit],
                                    _ => 0,
                                }),
                            )
                        }
                    }

                    fn common_digits(self) -> u64 {
                        let any = self.0.iter().fold(0, |any, sets| any | sets);
                        let low = (0..6).filter(|&digit| any & LACKING[digit] == 0);
                        let high = (6..9)
                            .filter(|&digit| {
                                let lacking = (0..8)
                                    .filter(|word| word >> (digit - 6) & 1 == 0);
                                lacking.fold(0, |any, word| any | self.0[word]) == 0
                            });
                        low.chain(high).fold(0, |all, digit| all | 1 << digit)
                    }

                    fn sums(self, count: usize) -> u64 {
                        let triangle = |number: usize| number * (number + 1) / 2;
                        let sums = triangle(count)..=MAX_SUM - triangle(9 - count);
                        let has = |&sum: &usize| !self.and(SETS_OF_SUM[sum]).is_empty();
                        sums.filter(has).fold(0, |all, sum| all | 1 << sum)
                    }
                }
            }

            pub(crate) use patterns::prune_patterns;
            pub(crate) use prune::Pruner;
            use super::mask::Mask;
            use crate::sudoku::rules::{HouseKind, Layout, Part, Patterns};
            use table::Table;

            mod table {
                use super::Sum;
                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::rules::Patterns;

                #[derive(Clone, Debug)]
                pub(super) enum Table {}
                impl Table {
                    pub(super) fn of_sum(
                        _: &Sum,
                        _: usize,
                        _: &[Vec<bool>],
                    ) -> Option<Self> {
                        None
                    }

                    pub(super) fn of_patterns(
                        _: &Patterns,
                        _: usize,
                        _: &[Vec<bool>],
                    ) -> Option<Self> {
                        None
                    }

                    pub(super) fn prune<M: Mask>(
                        &self,
                        _: &[M],
                        _: &mut Vec<(usize, u64)>,
                    ) {
                        match *self {}
                    }
                }
            }

            pub(super) trait Propagate: Send {
                const ACTIVE: bool;
                fn new(layout: &Layout) -> Self;
                fn start(&mut self);
                fn touch(&mut self, cell: usize);
                fn clear(&mut self);
                fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]>;
            }

            impl Propagate for () {
                const ACTIVE: bool = false;
                fn new(_: &Layout) -> Self {}
                fn start(&mut self) {}
                #[inline(always)]
                fn touch(&mut self, _: usize) {}
                #[inline(always)]
                fn clear(&mut self) {}
                #[inline(always)]
                fn next<M: Mask>(&mut self, _: &[M]) -> Option<&[(usize, u64)]> {
                    None
                }
            }

            #[derive(Clone, Debug)]
            pub(crate) struct Sum {
                pub(crate) name: Option<&'static str>,
                pub(crate) cells: Vec<usize>,
                pub(crate) mirrored: usize,
                pub(crate) sum: u32,
                pub(crate) is_derived: bool,
                groups: Vec<Group>,
            }

            #[derive(Clone, Debug)]
            struct Group {
                indices: Vec<usize>,
                seen_by: Vec<usize>,
            }

            impl Sum {
                pub(crate) fn is_distinct(&self) -> bool {
                    self.groups.len() == 1
                }
            }

            pub(crate) fn mirror(digits: u64, side: usize) -> u64 {
                digits.reverse_bits() >> (64 - side)
            }

            #[derive(Clone, Debug)]
            pub(crate) struct Agenda {
                side: usize,
                sums: Vec<Sum>,
                patterns: Vec<Patterns>,
                tables: Vec<Option<Table>>,
                of: Vec<Vec<usize>>,
                is_taken: Vec<bool>,
                due: Vec<usize>,
                is_due: Vec<bool>,
                gone: Vec<(usize, u64)>,
                pruner: Pruner,
            }

            pub(crate) fn sums(layout: &Layout) -> Vec<Sum> {
                if !layout.has_constraints() {
                    return Vec::new();
                }
                let sight = Sight(layout.sight());
                let cages = layout.cages.iter();
                let mut sums: Vec<Sum> = cages
                    .map(|(cells, sum)| sight.sum(None, cells.clone(), 0, *sum))
                    .collect();
                let cages = sums.clone();
                for (name, part) in &layout.parts {
                    if let Part::Sum { cells, mirrored, sum } = part {
                        sums.push(sight.sum(Some(name), cells.clone(), *mirrored, *sum));
                    }
                }
                if cages.is_empty() {
                    return sums;
                }
                for (region, houses) in regions(layout) {
                    let total = (houses * layout.side * (layout.side + 1) / 2) as u32;
                    for (cells, sum) in [
                        within(&cages, &region, total),
                        around(&cages, &region, total),
                    ]
                        .into_iter()
                        .flatten()
                    {
                        let is_new = sums.iter().all(|other| other.cells != cells);
                        if is_new && (1..=MAX_CELLS).contains(&cells.len()) {
                            let sum = sight.sum(None, cells, 0, sum);
                            sums.push(Sum { is_derived: true, ..sum });
                        }
                    }
                }
                sums
            }

            const MAX_CELLS: usize = 9;
            const MAX_LINES: usize = 5;
            fn regions(layout: &Layout) -> Vec<(Vec<bool>, usize)> {
                let houses = &layout.houses;
                let mut regions = Vec::new();
                for (first, house) in houses.iter().enumerate() {
                    let most = match house.kind {
                        HouseKind::Row | HouseKind::Column => MAX_LINES,
                        _ => 1,
                    };
                    let same = houses[first..].iter();
                    let same = same
                        .take_while(|h| h.kind == house.kind && h.grid == house.grid);
                    let mut region = vec![false; layout.cells];
                    for (more, house) in same.take(most).enumerate() {
                        for &cell in &house.cells {
                            region[cell] = true;
                        }
                        regions.push((region.clone(), more + 1));
                    }
                }
                regions
            }

            fn within(
                cages: &[Sum],
                region: &[bool],
                total: u32,
            ) -> Option<(Vec<usize>, u32)> {
                let mut left = region.to_vec();
                let mut sum = 0;
                for cage in cages {
                    if cage.cells.iter().all(|&cell| left[cell]) {
                        sum += cage.sum;
                        for &cell in &cage.cells {
                            left[cell] = false;
                        }
                    }
                }
                let cells: Vec<usize> = (0..left.len())
                    .filter(|&cell| left[cell])
                    .collect();
                (sum > 0).then(|| (cells, total.checked_sub(sum).unwrap_or(u32::MAX)))
            }

            fn around(
                cages: &[Sum],
                region: &[bool],
                total: u32,
            ) -> Option<(Vec<usize>, u32)> {
                let mut left = region.to_vec();
                let mut cells = Vec::new();
                let mut sum = 0;
                for cage in cages {
                    if cage.cells.iter().any(|&cell| region[cell]) {
                        sum += cage.sum;
                        for &cell in &cage.cells {
                            if !region[cell] {
                                cells.push(cell);
                            } else if !core::mem::replace(&mut left[cell], false) {
                                return None;
                            }
                        }
                    }
                }
                cells.sort_unstable();
                let covers = !left.contains(&true)
                    && cells.windows(2).all(|two| two[0] != two[1]);
                covers.then(|| (cells, sum.checked_sub(total).unwrap_or(u32::MAX)))
            }

            struct Sight(Vec<Vec<bool>>);
            impl Sight {
                fn sum(
                    &self,
                    name: Option<&'static str>,
                    cells: Vec<usize>,
                    mirrored: usize,
                    sum: u32,
                ) -> Sum {
                    let mut groups: Vec<Vec<usize>> = Vec::new();
                    for (index, &cell) in cells.iter().enumerate() {
                        let fits = |group: &&mut Vec<usize>| {
                            let fits = |&i: &usize| {
                                i >= mirrored && self.0[cells[i]][cell]
                            };
                            index >= mirrored && group.iter().all(fits)
                        };
                        match groups.iter_mut().find(fits) {
                            Some(group) => group.push(index),
                            None => groups.push(vec![index]),
                        }
                    }
                    let groups = groups
                        .into_iter()
                        .map(|indices| Group {
                            seen_by: (0..self.0.len())
                                .filter(|&cell| {
                                    let sees = |&i: &usize| {
                                        i >= mirrored && self.0[cells[i]][cell]
                                    };
                                    indices.iter().all(sees)
                                })
                                .collect(),
                            indices,
                        });
                    Sum {
                        name,
                        groups: groups.collect(),
                        cells,
                        mirrored,
                        sum,
                        is_derived: false,
                    }
                }
            }

            impl Propagate for Agenda {
                const ACTIVE: bool = true;
                fn new(layout: &Layout) -> Self {
                    let sums = sums(layout);
                    let parts = layout.parts.iter();
                    let sight = layout.sight();
                    let patterns: Vec<Patterns> = parts
                        .filter_map(|(_, part)| match part {
                            Part::Patterns(patterns) => Some(patterns.refined(&sight)),
                            _ => None,
                        })
                        .collect();
                    let mut of = vec![Vec::new(); layout.cells];
                    let sums_cells = sums.iter().map(|sum| &sum.cells);
                    let cells = sums_cells
                        .chain(patterns.iter().map(|patterns| &patterns.cells));
                    for (index, cells) in cells.enumerate() {
                        for &cell in cells {
                            of[cell].push(index);
                        }
                    }
                    let sums_tables = sums
                        .iter()
                        .map(|sum| Table::of_sum(sum, layout.side, &sight));
                    let tables = patterns
                        .iter()
                        .map(|patterns| Table::of_patterns(
                            patterns,
                            layout.side,
                            &sight,
                        ));
                    let tables = sums_tables.chain(tables).collect();
                    Agenda {
                        side: layout.side,
                        tables,
                        of,
                        due: Vec::new(),
                        is_taken: vec![false; sums.len() + patterns.len()],
                        is_due: vec![false; sums.len() + patterns.len()],
                        gone: Vec::new(),
                        pruner: Pruner::default(),
                        sums,
                        patterns,
                    }
                }

                fn start(&mut self) {
                    self.clear();
                    for (index, is_due) in self.is_due.iter_mut().enumerate() {
                        if !self.is_taken[index] {
                            *is_due = true;
                            self.due.push(index);
                        }
                    }
                }

                fn touch(&mut self, cell: usize) {
                    for &index in &self.of[cell] {
                        if !core::mem::replace(&mut self.is_due[index], true) {
                            self.due.push(index);
                        }
                    }
                }

                fn clear(&mut self) {
                    for index in self.due.drain(..) {
                        self.is_due[index] = false;
                    }
                }

                fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]> {
                    let index = self.due.pop()?;
                    self.is_due[index] = false;
                    self.gone.clear();
                    if let Some(table) = &self.tables[index] {
                        table.prune(state, &mut self.gone);
                        return Some(&self.gone);
                    }
                    let digits = |&cell: &usize| (cell, state[cell].bits());
                    if let Some(patterns) = index.checked_sub(self.sums.len()) {
                        let patterns = &self.patterns[patterns];
                        self.gone.extend(patterns.cells.iter().map(digits));
                        prune_patterns(patterns, &mut self.gone);
                    } else {
                        let sum = &self.sums[index];
                        self.gone.extend(sum.cells.iter().map(digits));
                        self.pruner.prune(sum, self.side, &mut self.gone);
                        for (group, &needed) in sum
                            .groups
                            .iter()
                            .zip(&self.pruner.needed)
                        {
                            if needed != 0 {
                                let seen_by = group
                                    .seen_by
                                    .iter()
                                    .map(|&cell| (cell, needed));
                                self.gone.extend(seen_by);
                            }
                        }
                    }
                    self.gone.retain(|&(cell, digits)| state[cell].bits() & digits != 0);
                    Some(&self.gone)
                }
            }
        }

        mod houses {
            mod map {
                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::rules::Layout;

                #[derive(Clone, Debug)]
                pub(crate) struct Map<M> {
                    pub(super) cell_at: Vec<usize>,
                    pub(super) seats: Vec<Seat>,
                    pub(super) seats_of: Vec<usize>,
                    pub(super) crossings: Vec<Crossing<M>>,
                    pub(super) crossings_of: Vec<usize>,
                    pub(super) peers: Vec<usize>,
                    pub(super) peers_of: Vec<usize>,
                    pub(super) sees: Vec<u64>,
                    pub(super) words: usize,
                }

                #[derive(Clone, Copy, Debug)]
                pub(crate) struct Seat {
                    pub(super) sets: usize,
                    pub(super) place: usize,
                }

                #[derive(Clone, Copy, Debug)]
                pub(crate) struct Crossing<M> {
                    pub(super) outside: M,
                    pub(super) other: usize,
                    pub(super) other_outside: M,
                }

                impl<M: Mask> Map<M> {
                    pub(super) fn new<const N: usize>(layout: &Layout) -> Self {
                        let houses = &layout.houses;
                        let cell_at: Vec<usize> = houses
                            .iter()
                            .flat_map(|h| &h.cells)
                            .copied()
                            .collect();
                        let mut places_of = vec![Vec::new(); layout.cells];
                        for (at, &cell) in cell_at.iter().enumerate() {
                            places_of[cell].push((at / N, at % N));
                        }
                        let (mut seats, mut seats_of) = (Vec::new(), vec![0]);
                        for places in &places_of {
                            seats
                                .extend(
                                    places
                                        .iter()
                                        .map(|&(house, place)| Seat {
                                            sets: layout.cells + house * N,
                                            place,
                                        }),
                                );
                            seats_of.push(seats.len());
                        }
                        let mut shared = vec![M::EMPTY; houses.len() * houses.len()];
                        for places in &places_of {
                            for &(a, place) in places {
                                for &(b, _) in places {
                                    shared[a * houses.len() + b] |= M::single(place);
                                }
                            }
                        }
                        let (mut crossings, mut crossings_of) = (Vec::new(), vec![0]);
                        for (at, &cell) in cell_at.iter().enumerate() {
                            let house = at / N;
                            for &(other, _) in &places_of[cell] {
                                let here = shared[house * houses.len() + other];
                                if other != house && here.has_several() {
                                    crossings
                                        .push(Crossing {
                                            outside: M::first(N) & !here,
                                            other: other * N,
                                            other_outside: M::first(N)
                                                & !shared[other * houses.len() + house],
                                        });
                                }
                            }
                            crossings_of.push(crossings.len());
                        }
                        let mut map = Map {
                            cell_at,
                            seats,
                            seats_of,
                            crossings,
                            crossings_of,
                            peers: Vec::new(),
                            peers_of: vec![0; layout.cells + 1],
                            sees: Vec::new(),
                            words: layout.cells.div_ceil(64),
                        };
                        if layout.distinct().next().is_some() {
                            map.add_peers(layout, &places_of);
                        }
                        map
                    }

                    fn add_peers(
                        &mut self,
                        layout: &Layout,
                        places_of: &[Vec<(usize, usize)>],
                    ) {
                        let sight = layout.sight();
                        for (one, sees) in sight.iter().enumerate() {
                            let is_apart = |other: &usize| {
                                let mut houses = places_of[one].iter().map(|place| place.0);
                                sees[*other]
                                    && !houses
                                        .any(|house| {
                                            places_of[*other].iter().any(|place| place.0 == house)
                                        })
                            };
                            self.peers.extend((0..layout.cells).filter(is_apart));
                            self.peers_of[one + 1] = self.peers.len();
                        }
                        if self.peers.is_empty() {
                            return;
                        }
                        self.sees = vec![0; layout.cells * self.words];
                        for (one, sees) in sight.iter().enumerate() {
                            for (other, _) in sees
                                .iter()
                                .enumerate()
                                .filter(|(_, sees)| **sees)
                            {
                                self.sees[one * self.words + other / 64]
                                    |= 1 << (other % 64);
                            }
                        }
                    }

                    pub(super) fn cells(&self) -> usize {
                        self.seats_of.len() - 1
                    }

                    #[inline]
                    pub(super) fn peers(&self, cell: usize) -> &[usize] {
                        &self.peers[self.peers_of[cell]..self.peers_of[cell + 1]]
                    }
                }
            }

            mod views {
                use super::map::Map;
                use super::{Conflict, Space, smallest_by_weight};
                use crate::sudoku::engine::constraints::Propagate;
                use crate::sudoku::engine::mask::Mask;
                use crate::sudoku::rules::Layout;

                #[derive(Clone, Debug)]
                pub(crate) struct Views<const N: usize, M, A> {
                    constraints: A,
                    map: Map<M>,
                    cells: usize,
                    queue: Vec<(usize, usize)>,
                    changed: Vec<u64>,
                    weights: Vec<u32>,
                }

                impl<const N: usize, M: Mask, A: Propagate> Space for Views<N, M, A> {
                    const LEARN_AFTER: u64 = 1000;
                    type Digits = M;
                    type State = Vec<M>;
                    type Constraints = A;
                    fn new(layout: &Layout) -> Self {
                        assert!(
                            M::CAPACITY >= N,
                            "the bit sets are too narrow for the side",
                        );
                        assert!(
                            A::ACTIVE || !layout.has_constraints(),
                            "there are constraints that are not propagated",
                        );
                        let map = Map::new::<N>(layout);
                        Views {
                            constraints: A::new(layout),
                            cells: layout.cells,
                            queue: Vec::new(),
                            changed: vec![0; map.cell_at.len().div_ceil(64)],
                            weights: vec![1; layout.cells + map.cell_at.len()],
                            map,
                        }
                    }

                    fn state(&self) -> Vec<M> {
                        vec![M::EMPTY; self.weights.len()]
                    }

                    fn start(
                        &mut self,
                        state: &mut Vec<M>,
                        givens: &mut dyn Iterator<Item = (usize, usize)>,
                    ) -> bool {
                        for weight in &mut self.weights {
                            *weight = 1;
                        }
                        self.queue.clear();
                        self.queue.extend(givens);
                        self.constraints.start();
                        let sets = self.weights.len();
                        for (number, word) in self.changed.iter_mut().enumerate() {
                            *word = u64::first(
                                (sets - self.cells - number * 64).min(64),
                            );
                        }
                        for set in state.iter_mut() {
                            *set = M::first(N);
                        }
                        self.hand().propagate(state)
                    }

                    fn digits(state: &Vec<M>) -> &[M] {
                        &state[..]
                    }

                    fn place(
                        &mut self,
                        state: &mut Vec<M>,
                        cell: usize,
                        digit: usize,
                    ) -> bool {
                        self.queue.push((cell, digit));
                        self.hand().propagate(state)
                    }

                    fn rule_out(
                        &mut self,
                        state: &mut Vec<M>,
                        cell: usize,
                        digit: usize,
                    ) -> bool {
                        let mut hand = self.hand();
                        let removed = hand.remove(state, cell, digit);
                        let settled = removed.and_then(|()| hand.settle(state));
                        hand.blame(settled)
                    }

                    fn choose(&self, state: &Vec<M>) -> Option<(usize, usize)> {
                        let sizes = state
                            .iter()
                            .map(|set| match set.has_several() {
                                true => set.len(),
                                false => 1,
                            });
                        let set = smallest_by_weight(sizes, &self.weights)?;
                        let member = state[set].smallest();
                        Some(
                            match set.checked_sub(self.cells) {
                                None => (set, member),
                                Some(set) => {
                                    (self.map.cell_at[set - set % N + member], set % N)
                                }
                            },
                        )
                    }

                    fn map(&self) -> &Map<M> {
                        &self.map
                    }
                }

                impl<const N: usize, M: Mask, A: Propagate> Views<N, M, A> {
                    #[inline(always)]
                    fn hand(&mut self) -> Hand<'_, N, M, A> {
                        Hand {
                            map: &self.map,
                            cells: self.cells,
                            constraints: &mut self.constraints,
                            queue: &mut self.queue,
                            changed: &mut self.changed,
                            weights: &mut self.weights,
                        }
                    }
                }

                struct Hand<'a, const N: usize, M, A> {
                    map: &'a Map<M>,
                    cells: usize,
                    constraints: &'a mut A,
                    queue: &'a mut Vec<(usize, usize)>,
                    changed: &'a mut [u64],
                    weights: &'a mut [u32],
                }

                impl<const N: usize, M: Mask, A: Propagate> Hand<'_, N, M, A> {
                    fn propagate(&mut self, state: &mut [M]) -> bool {
                        let settled = self.settle(state);
                        self.blame(settled)
                    }

                    fn blame(&mut self, settled: Result<(), Conflict>) -> bool {
                        match settled {
                            Ok(()) => true,
                            Err(Conflict(set)) => {
                                self.queue.clear();
                                self.constraints.clear();
                                self.changed.fill(0);
                                self.weights[set] += 1;
                                false
                            }
                        }
                    }

                    fn settle(&mut self, state: &mut [M]) -> Result<(), Conflict> {
                        loop {
                            while let Some((cell, digit)) = self.queue.pop() {
                                self.place(state, cell, digit)?;
                            }
                            let changed = self
                                .changed
                                .iter()
                                .position(|&word| word != 0);
                            if let Some(word) = changed {
                                let set = word * 64 + self.changed[word].smallest();
                                self.changed[word] = self.changed[word].without_smallest();
                                self.remove_locked(state, set)?;
                            } else if !self.remove_by_constraint(state)? {
                                return Ok(());
                            }
                        }
                    }

                    fn remove_by_constraint(
                        &mut self,
                        state: &mut [M],
                    ) -> Result<bool, Conflict> {
                        let Some(gone) = self.constraints.next(state) else {
                            return Ok(false);
                        };
                        if !gone.is_empty() {
                            let gone = gone.to_vec();
                            for (cell, digits) in gone {
                                for digit in digits.members() {
                                    self.remove(state, cell, digit)?;
                                }
                            }
                        }
                        Ok(true)
                    }

                    fn place(
                        &mut self,
                        state: &mut [M],
                        cell: usize,
                        digit: usize,
                    ) -> Result<(), Conflict> {
                        if !state[cell].has(digit) {
                            return Err(Conflict(cell));
                        }
                        let map = self.map;
                        for other in (state[cell] & !M::single(digit)).members() {
                            self.remove(state, cell, other)?;
                        }
                        for seat in &map
                            .seats[map.seats_of[cell]..map.seats_of[cell + 1]]
                        {
                            let places = state[seat.sets + digit]
                                & !M::single(seat.place);
                            for place in places.members() {
                                let peer = map.cell_at[seat.sets - self.cells + place];
                                self.remove(state, peer, digit)?;
                            }
                        }
                        if A::ACTIVE {
                            for &peer in map.peers(cell) {
                                self.remove(state, peer, digit)?;
                            }
                        }
                        Ok(())
                    }

                    fn remove(
                        &mut self,
                        state: &mut [M],
                        cell: usize,
                        digit: usize,
                    ) -> Result<(), Conflict> {
                        if !state[cell].has(digit) {
                            return Ok(());
                        }
                        self.constraints.touch(cell);
                        let map = self.map;
                        let digits = state[cell] & !M::single(digit);
                        state[cell] = digits;
                        if digits.is_empty() {
                            return Err(Conflict(cell));
                        }
                        if !digits.has_several() {
                            self.queue.push((cell, digits.smallest()));
                        }
                        for seat in &map
                            .seats[map.seats_of[cell]..map.seats_of[cell + 1]]
                        {
                            let set = seat.sets + digit;
                            let places = state[set] & !M::single(seat.place);
                            state[set] = places;
                            self.changed[(set - self.cells) / 64]
                                |= 1 << ((set - self.cells) % 64);
                            if places.is_empty() {
                                return Err(Conflict(set));
                            }
                            if !places.has_several() {
                                let only = map
                                    .cell_at[seat.sets - self.cells + places.smallest()];
                                self.queue.push((only, digit));
                            }
                        }
                        Ok(())
                    }

                    fn remove_locked(
                        &mut self,
                        state: &mut [M],
                        set: usize,
                    ) -> Result<(), Conflict> {
                        let map = self.map;
                        let (house, digit) = (set - set % N, set % N);
                        let places = state[self.cells + set];
                        if !places.has_several() {
                            return Ok(());
                        }
                        if A::ACTIVE && !map.sees.is_empty() && places.len() <= MAX_SEEN
                        {
                            self.remove_seen(state, house, places, digit)?;
                        }
                        let first = house + places.smallest();
                        for crossing in &map
                            .crossings[map
                            .crossings_of[first]..map.crossings_of[first + 1]]
                        {
                            if (places & crossing.outside).is_empty() {
                                let others = state[self.cells + crossing.other + digit]
                                    & crossing.other_outside;
                                for place in others.members() {
                                    self.remove(
                                        state,
                                        map.cell_at[crossing.other + place],
                                        digit,
                                    )?;
                                }
                            }
                        }
                        Ok(())
                    }

                    fn remove_seen(
                        &mut self,
                        state: &mut [M],
                        house: usize,
                        places: M,
                        digit: usize,
                    ) -> Result<(), Conflict> {
                        let map = self.map;
                        for word in 0..map.words {
                            let mut places = places.members();
                            let sees = |place| {
                                map.sees[map.cell_at[house + place] * map.words + word]
                            };
                            let first = places.next().map_or(0, sees);
                            for bit in places
                                .fold(first, |all, place| all & sees(place))
                                .members()
                            {
                                self.remove(state, word * 64 + bit, digit)?;
                            }
                        }
                        Ok(())
                    }
                }

                const MAX_SEEN: u32 = 4;
            }

            pub(crate) use views::Views;
            use super::constraints::Propagate;
            use super::mask::Mask;
            use super::{Checked, Method, Statistics, Visitor};
            use crate::sudoku::grid::{Cell, Digit, Grid};
            use crate::sudoku::rules::{Layout, Rules};
            use core::ops::ControlFlow;
            use map::Map;

            pub(crate) struct OneGrid<const N: usize, S: Space> {
                rules: Rules<N>,
                houses: Houses<S>,
            }

            impl<const N: usize, S: Space> OneGrid<N, S> {
                pub(crate) fn new(rules: &Rules<N>, order: Order) -> Self {
                    OneGrid {
                        rules: rules.clone(),
                        houses: Houses::new(&Layout::of_rules(rules), order),
                    }
                }
            }

            impl<const N: usize, S: Space> Method<N> for OneGrid<N, S> {
                fn search(
                    &mut self,
                    puzzle: Checked<'_, N>,
                    visit: &mut Visitor<'_, N>,
                ) -> Statistics {
                    let givens = puzzle.grid().givens();
                    let mut givens = givens
                        .map(|(cell, digit)| (cell.index(), digit.index()));
                    self.houses
                        .search(
                            &mut givens,
                            &mut |digits| {
                                let mut grid = Grid::EMPTY;
                                for cell in Cell::all() {
                                    let digit = Digit::from_index(
                                        digits[cell.index()].smallest(),
                                    );
                                    grid.set(cell, Some(digit));
                                }
                                visit(&grid)
                            },
                        )
                }

                fn allows(&self, puzzle: &Grid<N>) -> bool {
                    self.rules.allow(puzzle)
                }
            }

            pub(crate) trait Space: Send {
                const LEARN_AFTER: u64;
                type Digits: Mask;
                type State: Clone + Send;
                type Constraints: Propagate;
                fn new(layout: &Layout) -> Self;
                fn state(&self) -> Self::State;
                fn start(
                    &mut self,
                    state: &mut Self::State,
                    givens: &mut dyn Iterator<Item = (usize, usize)>,
                ) -> bool;
                fn digits(state: &Self::State) -> &[Self::Digits];
                fn place(
                    &mut self,
                    state: &mut Self::State,
                    cell: usize,
                    digit: usize,
                ) -> bool;
                fn rule_out(
                    &mut self,
                    state: &mut Self::State,
                    cell: usize,
                    digit: usize,
                ) -> bool;
                fn choose(&self, state: &Self::State) -> Option<(usize, usize)>;
                fn map(&self) -> &Map<Self::Digits>;
            }

            #[inline(always)]
            fn smallest_by_weight(
                sizes: impl Iterator<Item = u32>,
                weights: &[u32],
            ) -> Option<usize> {
                let (mut best, mut best_size, mut best_weight) = (None, 1, 0);
                for (set, (size, &weight)) in sizes.zip(weights).enumerate() {
                    if size > 1 {
                        let (size, weight) = (u64::from(size), u64::from(weight));
                        if size * best_weight < best_size * weight {
                            (best, best_size, best_weight) = (Some(set), size, weight);
                        }
                    }
                }
                best
            }

            pub(crate) struct Houses<S: Space> {
                space: S,
                order: Order,
                states: Vec<S::State>,
            }

            pub(crate) type Receive<'a, M> = dyn FnMut(&[M]) -> ControlFlow<()> + 'a;
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub(crate) enum Order {
                Smallest,
                Lexicographic,
                Learning,
            }

            const PATIENCE: u64 = 100;
            const MAX_CARRIED: usize = 64;
            impl<S: Space> Houses<S> {
                pub(crate) fn new(layout: &Layout, order: Order) -> Self {
                    let space = S::new(layout);
                    Houses {
                        states: vec![space.state()],
                        order,
                        space,
                    }
                }

                pub(crate) fn search(
                    &mut self,
                    givens: &mut dyn Iterator<Item = (usize, usize)>,
                    visit: &mut Receive<'_, S::Digits>,
                ) -> Statistics {
                    let is_possible = self.space.start(&mut self.states[0], givens);
                    let mut search = Search {
                        space: &mut self.space,
                        statistics: Statistics { nodes: 1, guesses: 0 },
                        fruitless: 0,
                        patience: match self.order {
                            Order::Smallest if false => 2,
                            Order::Smallest if false => S::LEARN_AFTER,
                            Order::Learning => 0,
                            _ => u64::MAX,
                        },
                        found: Vec::new(),
                    };
                    if is_possible {
                        let digits = S::digits(&self.states[0]).iter();
                        let room = digits.filter(|digits| digits.has_several()).count()
                            + 2;
                        if self.states.len() < room {
                            self.states.resize(room, search.space.state());
                        }
                        let stopped = match self.order {
                            Order::Smallest | Order::Learning => {
                                search.branch(&mut self.states, visit)
                            }
                            Order::Lexicographic => {
                                search.branch_in_order(&mut self.states, visit)
                            }
                        };
                        let _ = stopped;
                    }
                    search.statistics
                }
            }

            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            enum Stop {
                Visitor,
                Impatient,
            }

            struct Search<'a, S: Space> {
                space: &'a mut S,
                statistics: Statistics,
                fruitless: u64,
                patience: u64,
                found: Vec<S::Digits>,
            }

            #[derive(Clone, Copy)]
            struct Conflict(usize);
            impl<S: Space> Search<'_, S> {
                fn branch(
                    &mut self,
                    states: &mut [S::State],
                    visit: &mut Receive<'_, S::Digits>,
                ) -> ControlFlow<Stop> {
                    let (state, deeper) = states.split_at_mut(1);
                    while let Some((cell, digit)) = self.space.choose(&state[0]) {
                        if self.fruitless >= self.patience && self.is_carried() {
                            return ControlFlow::Break(Stop::Impatient);
                        }
                        self.fruitless += 1;
                        if self.guess(&state[0], deeper, cell, digit) {
                            self.branch(deeper, visit)?;
                        }
                        if !self.space.rule_out(&mut state[0], cell, digit) {
                            return ControlFlow::Continue(());
                        }
                    }
                    self.visit(&state[0], visit)
                }

                fn is_carried(&self) -> bool {
                    self.found.len() <= MAX_CARRIED * self.space.map().cells()
                }

                fn visit(
                    &mut self,
                    state: &S::State,
                    visit: &mut Receive<'_, S::Digits>,
                ) -> ControlFlow<Stop> {
                    self.fruitless = 0;
                    let digits = S::digits(state);
                    if self.is_carried() {
                        self.found.extend_from_slice(digits);
                    }
                    match visit(digits) {
                        ControlFlow::Continue(()) => ControlFlow::Continue(()),
                        ControlFlow::Break(()) => ControlFlow::Break(Stop::Visitor),
                    }
                }

                fn branch_in_order(
                    &mut self,
                    states: &mut [S::State],
                    visit: &mut Receive<'_, S::Digits>,
                ) -> ControlFlow<Stop> {
                    let (state, deeper) = states.split_at_mut(1);
                    let digits = S::digits(&state[0]);
                    let Some(cell) = digits
                        .iter()
                        .position(|digits| digits.has_several()) else {
                        return self.visit(&state[0], visit);
                    };
                    for digit in digits[cell].members() {
                        self.fruitless += 1;
                        if self.guess(&state[0], deeper, cell, digit)
                            && (self.fruitless <= PATIENCE || self.has_solution(deeper))
                        {
                            self.branch_in_order(deeper, visit)?;
                        }
                    }
                    ControlFlow::Continue(())
                }

                fn has_solution(&mut self, states: &mut [S::State]) -> bool {
                    let (state, deeper) = states.split_at_mut(1);
                    deeper[0].clone_from(&state[0]);
                    let (fruitless, solutions) = (self.fruitless, self.found.len());
                    let found = self.branch(deeper, &mut |_| ControlFlow::Break(()));
                    self.fruitless = fruitless;
                    self.found.truncate(solutions);
                    found.is_break()
                }

                fn guess(
                    &mut self,
                    state: &S::State,
                    copies: &mut [S::State],
                    cell: usize,
                    digit: usize,
                ) -> bool {
                    self.statistics.nodes += 1;
                    self.statistics.guesses += 1;
                    copies[0].clone_from(state);
                    self.space.place(&mut copies[0], cell, digit)
                }
            }
        }

        mod mask {
            use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

            pub trait Mask: Copy + Eq + BitAnd<
                    Output = Self,
                > + BitAndAssign + BitOr<
                    Output = Self,
                > + BitOrAssign + Not<
                    Output = Self,
                > + Shl<
                    usize,
                    Output = Self,
                > + Shr<usize, Output = Self> + From<u16> + Send + 'static {
                const EMPTY: Self;
                const CAPACITY: usize;
                fn single(member: usize) -> Self;
                fn first(count: usize) -> Self;
                fn len(self) -> u32;
                fn bits(self) -> u64;
                fn smallest(self) -> usize;
                fn without_smallest(self) -> Self;
                #[inline]
                fn is_empty(self) -> bool {
                    self == Self::EMPTY
                }

                #[inline]
                fn has_several(self) -> bool {
                    self.without_smallest() != Self::EMPTY
                }

                #[inline]
                fn has(self, member: usize) -> bool {
                    self & Self::single(member) != Self::EMPTY
                }

                #[inline]
                fn members(self) -> Members<Self> {
                    Members(self)
                }
            }

            macro_rules! mask {
                ($($integer:ty),*) => {
                    $(impl Mask for $integer { const EMPTY : Self = 0; const CAPACITY :
                    usize = <$integer >::BITS as usize; #[inline] fn single(member :
                    usize) -> Self { 1 << member } #[inline] fn first(count : usize) ->
                    Self { if count == Self::CAPACITY { ! 0 } else { (1 << count) - 1 } }
                    #[inline] fn len(self) -> u32 { self.count_ones() } #[inline] fn
                    bits(self) -> u64 { u64::from(self) } #[inline] fn smallest(self) ->
                    usize { self.trailing_zeros() as usize } #[inline] fn
                    without_smallest(self) -> Self { self & self.wrapping_sub(1) } })*
                };
            }
            mask!(u16, u32, u64);
            #[derive(Clone)]
            pub struct Members<M>(M);
            impl<M: Mask> Iterator for Members<M> {
                type Item = usize;
                #[inline]
                fn next(&mut self) -> Option<usize> {
                    if self.0.is_empty() {
                        return None;
                    }
                    let member = self.0.smallest();
                    self.0 = self.0.without_smallest();
                    Some(member)
                }
            }
        }

        pub mod nine {
            mod batch {
                mod text {}
            }

            mod layout {}

            mod rules {}
        }

        mod registry {
            use super::constraints::{Agenda, Propagate};
            use super::houses::{OneGrid, Order, Views};
            use super::Method;
            use crate::sudoku::rules::Rules;

            fn houses<const N: usize>(
                rules: &Rules<N>,
                order: Order,
            ) -> Box<dyn Method<N>> {
                if !rules.has_constraints() {
                    return houses_with::<N, ()>(rules, order);
                }
                houses_with::<N, Agenda>(rules, order)
            }

            fn houses_with<const N: usize, A: Propagate + 'static>(
                rules: &Rules<N>,
                order: Order,
            ) -> Box<dyn Method<N>> {
                if const { N <= 16 } {
                    Box::new(OneGrid::<N, Views<N, u16, A>>::new(rules, order))
                } else if const { N <= 32 } {
                    Box::new(OneGrid::<N, Views<N, u32, A>>::new(rules, order))
                } else {
                    Box::new(OneGrid::<N, Views<N, u64, A>>::new(rules, order))
                }
            }

            pub fn fastest<const N: usize>(rules: &Rules<N>) -> Box<dyn Method<N>> {
                houses(rules, Order::Smallest)
            }

            pub(crate) fn fastest_classic<const N: usize>() -> Box<dyn Method<N>> {
                return houses_with::<N, ()>(&Rules::classic(), Order::Smallest);
            }
        }

        pub(crate) use mask::Mask;
        pub(crate) use registry::fastest;
        pub(crate) use registry::fastest_classic;
        use crate::sudoku::grid::Grid;
        use core::ops::{AddAssign, ControlFlow};

        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub struct Statistics {
            pub nodes: u64,
            pub guesses: u64,
        }

        impl AddAssign for Statistics {
            fn add_assign(&mut self, other: Self) {
                self.nodes += other.nodes;
                self.guesses += other.guesses;
            }
        }

        pub trait Method<const N: usize>: Send {
            fn search(
                &mut self,
                puzzle: Checked<'_, N>,
                visit: &mut Visitor<'_, N>,
            ) -> Statistics;
            fn allows(&self, puzzle: &Grid<N>) -> bool {
                crate::sudoku::rules::allows_classic(puzzle)
            }
        }

        pub trait Engine<const N: usize>: Method<N> {
            fn for_each(
                &mut self,
                puzzle: &Grid<N>,
                mut visit: impl FnMut(&Grid<N>) -> ControlFlow<()>,
            ) -> Statistics {
                if self.allows(puzzle) {
                    self.search(Checked(puzzle), &mut visit)
                } else {
                    Statistics::default()
                }
            }
        }

        impl<const N: usize, M: Method<N> + ?Sized> Engine<N> for M {}
        macro_rules! forward {
            ($($pointer:ty),*) => {
                $(impl < const N : usize, M : Method < N > + ? Sized > Method < N > for
                $pointer { fn search(& mut self, puzzle : Checked <'_, N >, visit : & mut
                Visitor <'_, N >) -> Statistics { (** self).search(puzzle, visit) } fn
                allows(& self, puzzle : & Grid < N >) -> bool { (** self).allows(puzzle)
                } })*
            };
        }
        forward!(& mut M, Box < M >);
        #[derive(Clone, Copy, Debug)]
        pub struct Checked<'a, const N: usize>(&'a Grid<N>);
        impl<'a, const N: usize> Checked<'a, N> {
            pub fn grid(self) -> &'a Grid<N> {
                self.0
            }
        }

        pub type Visitor<'a, const N: usize> = dyn FnMut(
            &Grid<N>,
        ) -> ControlFlow<()> + 'a;
    }

    pub mod generate {
        mod fill {}
    }

    pub mod grid {
        use core::fmt;
        use core::num::NonZeroU8;
        use core::ops::Index;

        pub const MAX_SIDE: usize = 36;
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Digit<const N: usize>(NonZeroU8);
        impl<const N: usize> Digit<N> {
            pub const fn new(value: u8) -> Option<Self> {
                if value as usize > N {
                    return None;
                }
                match NonZeroU8::new(value) {
                    Some(value) => Some(Digit(value)),
                    None => None,
                }
            }

            pub const fn from_index(index: usize) -> Self {
                assert!(index < N, "a digit's index must be below N");
                match Self::new(index as u8 + 1) {
                    Some(digit) => digit,
                    None => panic!("a digit's index must be below N"),
                }
            }

            pub const fn value(self) -> u8 {
                self.0.get()
            }

            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }

            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..N).map(Self::from_index)
            }
        }

        impl<const N: usize> fmt::Display for Digit<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.value().fmt(f)
            }
        }

        impl<const N: usize> fmt::Debug for Digit<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.value().fmt(f)
            }
        }

        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct InvalidDigit {
            pub value: u8,
            pub max: u8,
        }

        impl fmt::Display for InvalidDigit {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let InvalidDigit { value, max } = self;
                write!(f, "found {value}, expected a digit from 1 to {max}")
            }
        }

        impl std::error::Error for InvalidDigit {}
        impl<const N: usize> TryFrom<u8> for Digit<N> {
            type Error = InvalidDigit;
            fn try_from(value: u8) -> Result<Self, InvalidDigit> {
                let max = N as u8;
                Digit::new(value).ok_or(InvalidDigit { value, max })
            }
        }

        impl<const N: usize> From<Digit<N>> for u8 {
            fn from(digit: Digit<N>) -> u8 {
                digit.value()
            }
        }

        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Cell<const N: usize> {
            row: u8,
            column: u8,
        }

        impl<const N: usize> Cell<N> {
            pub const fn new(row: usize, column: usize) -> Option<Self> {
                if row < N && column < N {
                    Some(Cell {
                        row: row as u8,
                        column: column as u8,
                    })
                } else {
                    None
                }
            }

            pub const fn at(row: usize, column: usize) -> Self {
                match Self::new(row, column) {
                    Some(cell) => cell,
                    None => panic!("a cell's row and column must be below N"),
                }
            }

            pub const fn from_index(index: usize) -> Self {
                match Self::new(index / N, index % N) {
                    Some(cell) => cell,
                    None => panic!("a cell's index must be below N * N"),
                }
            }

            pub const fn row(self) -> usize {
                self.row as usize
            }

            pub const fn column(self) -> usize {
                self.column as usize
            }

            pub const fn index(self) -> usize {
                self.row() * N + self.column()
            }

            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..N * N).map(Self::from_index)
            }
        }

        impl<const N: usize> fmt::Display for Cell<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "r{}c{}", self.row + 1, self.column + 1)
            }
        }

        impl<const N: usize> fmt::Debug for Cell<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Grid<const N: usize> {
            rows: [[u8; N]; N],
        }

        impl<const N: usize> Grid<N> {
            pub const EMPTY: Self = {
                assert!(
                    N >= 1 && N <= MAX_SIDE,
                    "the side of a grid must be from 1 to 36",
                );
                Grid { rows: [[0; N]; N] }
            };

            pub fn get(&self, cell: Cell<N>) -> Option<Digit<N>> {
                NonZeroU8::new(self.rows[cell.row()][cell.column()]).map(Digit)
            }

            pub fn set(&mut self, cell: Cell<N>, digit: Option<Digit<N>>) {
                self.rows[cell.row()][cell.column()] = digit.map_or(0, Digit::value);
            }

            pub const fn rows(&self) -> &[[u8; N]; N] {
                &self.rows
            }

            pub const fn values(&self) -> &[u8] {
                self.rows.as_flattened()
            }

            pub(crate) const fn rows_mut(&mut self) -> &mut [[u8; N]; N] {
                &mut self.rows
            }

            pub fn givens(&self) -> impl Iterator<Item = (Cell<N>, Digit<N>)> + '_ {
                Cell::all()
                    .filter_map(move |cell| self.get(cell).map(|digit| (cell, digit)))
            }
        }

        impl<const N: usize> Index<Cell<N>> for Grid<N> {
            type Output = Option<Digit<N>>;
            fn index(&self, cell: Cell<N>) -> &Option<Digit<N>> {
                let contents = const {
                    let mut contents: [Option<Digit<N>>; MAX_SIDE + 1] = [None; MAX_SIDE
                        + 1];
                    let mut value = 1;
                    while value <= N {
                        contents[value] = Digit::new(value as u8);
                        value += 1;
                    }
                    &{ contents }
                };
                &contents[self.rows[cell.row()][cell.column()] as usize]
            }
        }

        impl<const N: usize> Default for Grid<N> {
            fn default() -> Self {
                Self::EMPTY
            }
        }

        impl<const N: usize> fmt::Display for Grid<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for (index, &value) in self.values().iter().enumerate() {
                    match value {
                        _ if N > 26 && index > 0 => write!(f, " {value}")?,
                        _ if N > 26 => write!(f, "{value}")?,
                        0 => f.write_str(".")?,
                        1..=9 if N <= 9 => write!(f, "{value}")?,
                        _ => write!(f, "{}", char::from(b'A' + value - 1))?,
                    }
                }
                Ok(())
            }
        }

        impl<const N: usize> fmt::Debug for Grid<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for row in &self.rows {
                    f.write_str("\n")?;
                    for &value in row {
                        match value {
                            0 => f.write_str("  .")?,
                            _ => write!(f, "{value:>3}")?,
                        }
                    }
                }
                Ok(())
            }
        }
    }

    pub mod notation {
        mod error {
            use super::symbols::{MAX_SYMBOLS, first_symbol};
            use core::fmt;
            use std::io;

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub enum Found {
                EndOfInput,
                EndOfLine,
                Byte(u8),
                Word(String),
            }

            const WORD_CHARS: usize = 32;
            impl Found {
                pub(super) fn word(word: &str) -> Self {
                    Found::Word(word.chars().take(WORD_CHARS).collect())
                }
            }

            impl fmt::Display for Found {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self {
                        Found::EndOfInput => f.write_str("the end of the input"),
                        Found::EndOfLine => f.write_str("the end of the line"),
                        Found::Byte(b' ') => f.write_str("a blank"),
                        Found::Byte(byte) if byte.is_ascii_graphic() => {
                            write!(f, "'{}'", char::from(*byte))
                        }
                        Found::Byte(byte) => write!(f, "the byte 0x{byte:02x}"),
                        Found::Word(word) => write!(f, "'{word}'"),
                    }
                }
            }

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub enum Expected {
                Words(&'static str, [usize; 3]),
                Symbol { side: usize, row: usize, column: usize },
                Keyword(String),
            }

            impl Expected {
                pub(super) fn plain(words: &'static str) -> Self {
                    Expected::Words(words, [0; 3])
                }
            }

            impl fmt::Display for Expected {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self {
                        Expected::Words(words, numbers) => {
                            let mut numbers = numbers.iter();
                            for (index, piece) in words.split("{}").enumerate() {
                                if index > 0 {
                                    numbers.next().map_or(Ok(()), |number| number.fmt(f))?;
                                }
                                f.write_str(piece)?;
                            }
                            Ok(())
                        }
                        Expected::Symbol { side, row, column } => {
                            write!(f, "cell {} of row {}: ", column + 1, row + 1)?;
                            if *side > MAX_SYMBOLS {
                                write!(f, "a number from 1 to {side}")?;
                            } else {
                                let first = first_symbol(*side);
                                let last = (first - 1).saturating_add(*side as u8);
                                write!(
                                    f,
                                    "'{}' to '{}'",
                                    char::from(first),
                                    char::from(last),
                                )?;
                            }
                            f.write_str(
                                ", or '.', '0', '-', '*' or '?' for an empty cell",
                            )
                        }
                        Expected::Keyword(word) => write!(f, "'{word}'"),
                    }
                }
            }

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub struct ParseError {
                pub line: u64,
                pub column: u64,
                pub found: Found,
                pub expected: Expected,
            }

            impl fmt::Display for ParseError {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(
                        f,
                        "line {}, column {}: found {}, expected {}",
                        self.line,
                        self.column,
                        self.found,
                        self.expected,
                    )
                }
            }

            impl std::error::Error for ParseError {}
            #[derive(Debug)]
            pub enum ReadError {
                Io(io::Error),
                Parse(ParseError),
            }

            impl fmt::Display for ReadError {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self {
                        ReadError::Io(error) => {
                            write!(f, "failed to read the input: {error}")
                        }
                        ReadError::Parse(error) => error.fmt(f),
                    }
                }
            }

            impl std::error::Error for ReadError {
                fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                    match self {
                        ReadError::Io(error) => Some(error),
                        ReadError::Parse(_) => None,
                    }
                }
            }

            impl From<io::Error> for ReadError {
                fn from(error: io::Error) -> Self {
                    ReadError::Io(error)
                }
            }

            impl From<ParseError> for ReadError {
                fn from(error: ParseError) -> Self {
                    ReadError::Parse(error)
                }
            }
        }

        mod input {
            use super::error::{Expected, Found, ParseError, ReadError};
            use super::{BUFFER_BYTES, FIRST_BYTES};
            use std::io::{self, Read};

            pub(super) const MAX_WORD_BYTES: usize = 4096;
            pub struct Input<R> {
                source: R,
                buffer: Vec<u8>,
                pub(super) next: usize,
                filled: usize,
                before: u64,
                line: u64,
                line_start: u64,
            }

            #[derive(Clone, Copy)]
            pub(super) struct Position {
                pub(super) line: u64,
                pub(super) column: u64,
            }

            pub(super) fn is_blank(byte: u8) -> bool {
                matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0x1a)
            }

            impl<R: Read> Input<R> {
                pub fn new(source: R) -> Self {
                    Input {
                        source,
                        buffer: vec![0; FIRST_BYTES],
                        next: 0,
                        filled: 0,
                        before: 0,
                        line: 1,
                        line_start: 0,
                    }
                }

                pub fn number(&mut self) -> Result<Option<u64>, ReadError> {
                    if !self.skip_blanks()? {
                        return Ok(None);
                    }
                    let position = self.position();
                    let word = self.word_up_to(MAX_WORD_BYTES)?;
                    match word.parse() {
                        Ok(number) if word.as_bytes()[0] != b'+' => Ok(Some(number)),
                        _ => {
                            Err(
                                error_at(
                                    position,
                                    Found::word(&word),
                                    Expected::plain("a number"),
                                ),
                            )
                        }
                    }
                }

                pub fn expect_number(&mut self) -> Result<u64, ReadError> {
                    let number = self.number()?;
                    number
                        .ok_or_else(|| {
                            self.error(Found::EndOfInput, Expected::plain("a number"))
                        })
                }

                pub fn starts_with(&mut self, byte: u8) -> Result<bool, ReadError> {
                    Ok(self.skip_blanks()? && self.peek()? == Some(byte))
                }

                pub fn end(&mut self) -> Result<(), ReadError> {
                    if self.skip_blanks()? {
                        let found = self.found()?;
                        return Err(
                            self.error(found, Expected::plain("the end of the input")),
                        );
                    }
                    Ok(())
                }

                pub(super) fn skip_blanks(&mut self) -> Result<bool, ReadError> {
                    while let Some(byte) = self.peek()? {
                        if byte == 0xef && self.offset() == 0 {
                            self.skip_byte_order_mark()?;
                        } else if is_blank(byte) || byte == b'\n' {
                            self.bump();
                        } else {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }

                fn skip_byte_order_mark(&mut self) -> Result<(), ReadError> {
                    for &byte in b"\xef\xbb\xbf" {
                        if self.peek()? != Some(byte) {
                            let found = self.found()?;
                            let expected = Expected::plain(
                                "the rest of a byte-order mark",
                            );
                            return Err(self.error(found, expected));
                        }
                        self.bump();
                    }
                    self.line_start = self.offset();
                    Ok(())
                }

                pub(super) fn end_row(
                    &mut self,
                    expected: Expected,
                ) -> Result<(), ReadError> {
                    while let Some(byte) = self.peek()? {
                        if byte == b'\n' {
                            self.bump();
                            break;
                        }
                        if !is_blank(byte) {
                            return Err(self.error(Found::Byte(byte), expected));
                        }
                        self.bump();
                    }
                    Ok(())
                }

                pub(super) fn word_up_to(
                    &mut self,
                    most: usize,
                ) -> Result<String, ReadError> {
                    let mut word = String::new();
                    let mut bytes = 0_usize;
                    while let Some(byte) = self.peek()? {
                        if is_blank(byte) || byte == b'\n' {
                            break;
                        }
                        if bytes <= most {
                            let printable = byte.is_ascii_graphic() && bytes < most;
                            bytes += 1;
                            word.push(
                                if printable {
                                    char::from(byte)
                                } else {
                                    char::REPLACEMENT_CHARACTER
                                },
                            );
                        }
                        self.bump();
                    }
                    Ok(word)
                }

                #[inline]
                pub(super) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
                    if self.next == self.filled && !self.fill()? {
                        return Ok(None);
                    }
                    Ok(Some(self.buffer[self.next]))
                }

                #[inline]
                pub(super) fn bump(&mut self) {
                    let byte = self.buffer[self.next];
                    self.next += 1;
                    if byte == b'\n' {
                        self.start_line();
                    }
                }

                #[inline]
                pub(super) fn buffered(&self) -> &[u8] {
                    &self.buffer[self.next..self.filled]
                }

                #[inline]
                pub(super) fn take_line(&mut self, bytes: usize) {
                    self.next += bytes;
                    self.start_line();
                }

                #[inline]
                fn start_line(&mut self) {
                    self.line += 1;
                    self.line_start = self.offset();
                }

                #[inline(never)]
                fn fill(&mut self) -> Result<bool, ReadError> {
                    if self.filled == self.buffer.len() {
                        self.buffer.resize(BUFFER_BYTES, 0);
                    }
                    self.before += self.filled as u64;
                    self.next = 0;
                    self.filled = 0;
                    loop {
                        match self.source.read(&mut self.buffer) {
                            Ok(bytes) => {
                                self.filled = bytes;
                                return Ok(bytes > 0);
                            }
                            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                            Err(error) => return Err(error.into()),
                        }
                    }
                }

                fn offset(&self) -> u64 {
                    self.before + self.next as u64
                }

                pub(super) fn position(&self) -> Position {
                    Position {
                        line: self.line,
                        column: self.offset() - self.line_start + 1,
                    }
                }

                pub(super) fn found(&mut self) -> Result<Found, ReadError> {
                    Ok(
                        match self.peek()? {
                            None => Found::EndOfInput,
                            Some(b'\n' | b'\r') => Found::EndOfLine,
                            Some(byte) => Found::Byte(byte),
                        },
                    )
                }

                pub(super) fn error(
                    &self,
                    found: Found,
                    expected: Expected,
                ) -> ReadError {
                    error_at(self.position(), found, expected)
                }
            }

            pub(super) fn error_at(
                position: Position,
                found: Found,
                expected: Expected,
            ) -> ReadError {
                ReadError::Parse(ParseError {
                    line: position.line,
                    column: position.column,
                    found,
                    expected,
                })
            }
        }

        mod output {
            use super::symbols::{MAX_SYMBOLS, symbol_of};
            use super::{BUFFER_BYTES, FIRST_BYTES, Layout, Notation};
            use crate::sudoku::grid::Grid;
            use std::io::{self, Write};

            pub struct Output<W: Write> {
                sink: W,
                buffer: Vec<u8>,
                filled: usize,
            }

            impl<W: Write> Output<W> {
                pub fn new(sink: W) -> Self {
                    Output {
                        sink,
                        buffer: vec![0; FIRST_BYTES],
                        filled: 0,
                    }
                }

                pub fn grid<const N: usize>(
                    &mut self,
                    notation: Notation,
                    grid: &Grid<N>,
                ) -> io::Result<()> {
                    self.make_room(longest::<N>(notation.layout))?;
                    self.filled += put(notation, grid, &mut self.buffer[self.filled..]);
                    Ok(())
                }

                pub fn text(&mut self, text: &str) -> io::Result<()> {
                    for piece in text.as_bytes().chunks(BUFFER_BYTES) {
                        self.make_room(piece.len())?;
                        self.buffer[self.filled..self.filled + piece.len()]
                            .copy_from_slice(piece);
                        self.filled += piece.len();
                    }
                    Ok(())
                }

                pub fn flush(&mut self) -> io::Result<()> {
                    self.empty_buffer()?;
                    self.sink.flush()
                }

                pub fn finish(mut self) -> io::Result<()> {
                    self.flush()
                }

                fn make_room(&mut self, bytes: usize) -> io::Result<()> {
                    if self.buffer.len() - self.filled < bytes {
                        self.buffer.resize(BUFFER_BYTES, 0);
                    }
                    if BUFFER_BYTES - self.filled < bytes {
                        self.empty_buffer()?;
                    }
                    Ok(())
                }

                fn empty_buffer(&mut self) -> io::Result<()> {
                    let filled = core::mem::replace(&mut self.filled, 0);
                    self.sink.write_all(&self.buffer[..filled])
                }
            }

            impl<W: Write> Drop for Output<W> {
                fn drop(&mut self) {
                    let _ = self.flush();
                }
            }

            pub(super) const fn longest<const N: usize>(layout: Layout) -> usize {
                match layout {
                    Layout::Line | Layout::Rows if N > MAX_SYMBOLS => N * N * 3,
                    Layout::Spaced => N * N * 3,
                    Layout::Line => N * N + 1,
                    Layout::Rows => N * (N + 1),
                    Layout::Brackets => N * (3 * N + 2) + 3,
                }
            }

            pub(super) fn put<const N: usize>(
                notation: Notation,
                grid: &Grid<N>,
                bytes: &mut [u8],
            ) -> usize {
                let empty = notation.empty;
                match notation.layout {
                    Layout::Line if N > MAX_SYMBOLS => {
                        put_numbers(grid, empty, bytes, b' ')
                    }
                    Layout::Line => {
                        put_symbols::<N>(bytes, grid.values(), empty);
                        bytes[N * N] = b'\n';
                        N * N + 1
                    }
                    Layout::Rows if N <= MAX_SYMBOLS => {
                        for (line, row) in bytes.chunks_exact_mut(N + 1).zip(grid.rows())
                        {
                            put_symbols::<N>(line, row, empty);
                            line[N] = b'\n';
                        }
                        N * (N + 1)
                    }
                    Layout::Spaced if N <= 9 => {
                        for (line, row) in bytes.chunks_exact_mut(2 * N).zip(grid.rows())
                        {
                            for (pair, &value) in line.chunks_exact_mut(2).zip(row) {
                                pair[0] = symbol_of::<N>(value, empty);
                                pair[1] = b' ';
                            }
                            line[2 * N - 1] = b'\n';
                        }
                        2 * N * N
                    }
                    Layout::Spaced | Layout::Rows => {
                        put_numbers(grid, empty, bytes, b'\n')
                    }
                    Layout::Brackets => put_brackets(grid, empty, bytes),
                }
            }

            #[inline]
            fn put_symbols<const N: usize>(line: &mut [u8], values: &[u8], empty: u8) {
                for (byte, &value) in line.iter_mut().zip(values) {
                    *byte = symbol_of::<N>(value, empty);
                }
            }

            fn put_numbers<const N: usize>(
                grid: &Grid<N>,
                empty: u8,
                bytes: &mut [u8],
                row_end: u8,
            ) -> usize {
                let mut length = 0;
                for row in grid.rows() {
                    for &value in row {
                        length += put_number(value, empty, &mut bytes[length..]);
                        bytes[length] = b' ';
                        length += 1;
                    }
                    bytes[length - 1] = row_end;
                }
                bytes[length - 1] = b'\n';
                length
            }

            fn put_number(value: u8, empty: u8, bytes: &mut [u8]) -> usize {
                let tens = usize::from(value > 9);
                if tens > 0 {
                    bytes[0] = b'0' + value / 10;
                }
                bytes[tens] = if value == 0 { empty } else { b'0' + value % 10 };
                tens + 1
            }

            fn put_brackets<const N: usize>(
                grid: &Grid<N>,
                empty: u8,
                bytes: &mut [u8],
            ) -> usize {
                bytes[0] = b'[';
                let mut length = 1;
                for row in grid.rows() {
                    bytes[length] = b'[';
                    length += 1;
                    for &value in row {
                        if const { N > MAX_SYMBOLS } {
                            length += put_number(value, empty, &mut bytes[length..]);
                        } else {
                            bytes[length] = symbol_of::<N>(value, empty);
                            length += 1;
                        }
                        bytes[length] = b',';
                        length += 1;
                    }
                    bytes[length - 1] = b']';
                    bytes[length] = b',';
                    length += 1;
                }
                bytes[length - 1] = b']';
                bytes[length] = b'\n';
                length + 1
            }
        }

        mod read {
            use super::error::{Expected, Found, ReadError};
            use super::input::{Input, MAX_WORD_BYTES, Position, error_at, is_blank};
            use super::symbols::{
                MAX_SYMBOLS, NO_SYMBOL, is_empty_mark, table, value_of, values,
            };

            use super::{Layout, Notation};
            use crate::sudoku::grid::Grid;
            use std::io::Read;

            type Row<const N: usize> = [u8; N];
            impl<R: Read> Input<R> {
                pub fn grid<const N: usize>(
                    &mut self,
                    notation: Notation,
                ) -> Result<Option<Grid<N>>, ReadError> {
                    grid(self, notation)
                }

                pub fn expect_grid<const N: usize>(
                    &mut self,
                    notation: Notation,
                ) -> Result<Grid<N>, ReadError> {
                    self.grid(notation)?
                        .ok_or_else(|| {
                            self.error(Found::EndOfInput, shape(N, notation.layout))
                        })
                }
            }

            fn grid<const N: usize, R: Read>(
                input: &mut Input<R>,
                notation: Notation,
            ) -> Result<Option<Grid<N>>, ReadError> {
                let mut grid = Grid::EMPTY;
                if notation.layout == Layout::Line && fast_line(input, &mut grid) {
                    return Ok(Some(grid));
                }
                if !input.skip_blanks()? {
                    return Ok(None);
                }
                match notation.layout {
                    Layout::Line => line(input, &mut grid)?,
                    Layout::Rows => rows(input, &mut grid, fast_row, symbol_row)?,
                    Layout::Spaced => {
                        rows(input, &mut grid, fast_spaced_row, spaced_row)?
                    }
                    Layout::Brackets => brackets(input, &mut grid)?,
                }
                Ok(Some(grid))
            }

            pub(super) fn shape(n: usize, layout: Layout) -> Expected {
                match layout {
                    Layout::Line => {
                        Expected::Words("a grid: one line of {} cells", [n * n, 0, 0])
                    }
                    Layout::Rows => {
                        Expected::Words("a grid: {} rows of {} cells", [n, n, 0])
                    }
                    Layout::Spaced => {
                        Expected::Words(
                            "a grid: {} rows of {} numbers with blanks between",
                            [n, n, 0],
                        )
                    }
                    Layout::Brackets => {
                        Expected::Words(
                            "a grid: '[' and {} rows of {} cells, each in brackets",
                            [n, n, 0],
                        )
                    }
                }
            }

            #[inline]
            fn fast_line<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
            ) -> bool {
                if N > MAX_SYMBOLS || input.buffered().get(N * N) != Some(&b'\n') {
                    return false;
                }
                let cells = grid.rows_mut().as_flattened_mut();
                if !values::<N>(&input.buffered()[..N * N], cells) {
                    return false;
                }
                input.take_line(N * N + 1);
                true
            }

            struct Table<const N: usize>;
            impl<const N: usize> Table<N> {
                const VALUES: [u8; 256] = table::<N>();
            }

            #[inline]
            fn fast_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
            ) -> bool {
                let bytes = match input.buffered().get(..N + 1) {
                    Some(bytes) if N <= MAX_SYMBOLS && bytes[N] == b'\n' => bytes,
                    _ => return false,
                };
                if N >= 16 {
                    if !values::<N>(&bytes[..N], row) {
                        return false;
                    }
                } else {
                    let table = &Table::<N>::VALUES;
                    let mut all = 0;
                    for (cell, &byte) in row.iter_mut().zip(bytes) {
                        *cell = table[byte as usize];
                        all |= *cell;
                    }
                    if all & NO_SYMBOL != 0 {
                        return false;
                    }
                }
                input.take_line(N + 1);
                true
            }

            #[inline]
            fn fast_spaced_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
            ) -> bool {
                if N > 9 {
                    return false;
                }
                let bytes = input.buffered();
                let length = match (bytes.get(2 * N - 1), bytes.get(2 * N)) {
                    (Some(b'\n'), _) => 2 * N,
                    (Some(b' '), Some(b'\n')) => 2 * N + 1,
                    _ => return false,
                };
                let bytes = &bytes[..2 * N];
                let table = &Table::<N>::VALUES;
                let mut all = 0;
                let mut blanks = 0;
                for (cell, pair) in row.iter_mut().zip(bytes.chunks_exact(2)) {
                    *cell = table[pair[0] as usize];
                    all |= *cell;
                    blanks += u32::from(pair[1] == b' ');
                }
                if all & NO_SYMBOL != 0 || (blanks as usize) < length - N - 1 {
                    return false;
                }
                input.take_line(length);
                true
            }

            fn rows<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
                fast: impl Fn(&mut Input<R>, &mut Row<N>) -> bool,
                slow: impl Fn(&mut Input<R>, &mut Row<N>, usize) -> Result<(), ReadError>,
            ) -> Result<(), ReadError> {
                let first_line = input.position().line;
                for (index, row) in grid.rows_mut().iter_mut().enumerate() {
                    if fast(input, row) {
                        continue;
                    }
                    if !input.skip_blanks()? {
                        let expected = Expected::Words(
                            "row {} of the {} rows of the grid that begins in line {}",
                            [index + 1, N, first_line as usize],
                        );
                        return Err(input.error(Found::EndOfInput, expected));
                    }
                    slow(input, row, index)?;
                }
                Ok(())
            }

            fn symbol_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
                index: usize,
            ) -> Result<(), ReadError> {
                for (column, cell) in row.iter_mut().enumerate() {
                    *cell = symbol::<N, R>(input, index, column)?;
                }
                input
                    .end_row(
                        Expected::Words(
                            "the end of row {} after its {} cells",
                            [index + 1, N, 0],
                        ),
                    )
            }

            fn line<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
            ) -> Result<(), ReadError> {
                for (index, row) in grid.rows_mut().iter_mut().enumerate() {
                    for (column, cell) in row.iter_mut().enumerate() {
                        *cell = symbol::<N, R>(input, index, column)?;
                    }
                }
                input
                    .end_row(
                        Expected::Words(
                            "the end of the line after {} cells",
                            [N * N, 0, 0],
                        ),
                    )
            }

            fn plain_row<const N: usize>(
                word: &str,
                row: &mut Row<N>,
                index: usize,
                position: Position,
            ) -> Result<(), ReadError> {
                for (column, (cell, byte)) in row
                    .iter_mut()
                    .zip(word.bytes())
                    .enumerate()
                {
                    let (value, is_symbol) = value_of::<N>(byte);
                    if !is_symbol {
                        let position = Position {
                            column: position.column + column as u64,
                            ..position
                        };
                        let expected = expected_symbol(N, index, column);
                        return Err(error_at(position, Found::Byte(byte), expected));
                    }
                    *cell = value;
                }
                Ok(())
            }

            fn symbol<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: usize,
                column: usize,
            ) -> Result<u8, ReadError> {
                if const { N > MAX_SYMBOLS } {
                    return number(input, N, row, column);
                }
                if let Some(byte) = input.peek()? {
                    let (value, is_symbol) = value_of::<N>(byte);
                    if is_symbol {
                        input.bump();
                        return Ok(value);
                    }
                }
                let found = input.found()?;
                Err(input.error(found, expected_symbol(N, row, column)))
            }

            fn number<R: Read>(
                input: &mut Input<R>,
                side: usize,
                row: usize,
                column: usize,
            ) -> Result<u8, ReadError> {
                let mut next = input.peek()?;
                while next.is_some_and(is_blank) {
                    input.bump();
                    next = input.peek()?;
                }
                let position = input.position();
                let mut digits = String::new();
                while let Some(byte) = input.peek()? {
                    if !byte.is_ascii_digit() || digits.len() == MAX_WORD_BYTES {
                        break;
                    }
                    digits.push(char::from(byte));
                    input.bump();
                }
                match (digits.parse::<u8>(), input.peek()?) {
                    (Ok(value), _) if usize::from(value) <= side => return Ok(value),
                    (_, Some(byte)) if digits.is_empty() && is_empty_mark(byte) => {
                        input.bump();
                        return Ok(0);
                    }
                    _ => {}
                }
                let found = match digits.is_empty() {
                    true => input.found()?,
                    false => Found::word(&digits),
                };
                Err(error_at(position, found, expected_symbol(side, row, column)))
            }

            fn expected_symbol(side: usize, row: usize, column: usize) -> Expected {
                Expected::Symbol {
                    side,
                    row,
                    column,
                }
            }

            fn spaced_row<const N: usize, R: Read>(
                input: &mut Input<R>,
                row: &mut Row<N>,
                index: usize,
            ) -> Result<(), ReadError> {
                for (column, cell) in row.iter_mut().enumerate() {
                    while let Some(byte) = input.peek()? {
                        if !is_blank(byte) {
                            break;
                        }
                        input.bump();
                    }
                    let position = input.position();
                    let word = input.word_up_to(MAX_WORD_BYTES)?;
                    if column == 0 && N > 1 && N <= 9 && word.len() == N {
                        plain_row(&word, row, index, position)?;
                        break;
                    }
                    let number = match word.as_bytes() {
                        [b'.' | b'-' | b'*' | b'?'] => Some(0),
                        [b'+', ..] => None,
                        _ => word.parse::<u8>().ok(),
                    };
                    *cell = match number {
                        Some(number) if number as usize <= N => number,
                        _ => {
                            let found = if word.is_empty() {
                                input.found()?
                            } else {
                                Found::word(&word)
                            };
                            let expected = Expected::Words(
                                "number {} of row {}: 1 to {}, or 0 for an empty cell",
                                [column + 1, index + 1, N],
                            );
                            return Err(error_at(position, found, expected));
                        }
                    };
                }
                input
                    .end_row(
                        Expected::Words(
                            "the end of row {} after its {} numbers",
                            [index + 1, N, 0],
                        ),
                    )
            }

            fn brackets<const N: usize, R: Read>(
                input: &mut Input<R>,
                grid: &mut Grid<N>,
            ) -> Result<(), ReadError> {
                punctuation(input, b'[', Expected::plain("'[' before the first row"))?;
                for (index, row) in grid.rows_mut().iter_mut().enumerate() {
                    let number = index + 1;
                    if index > 0 {
                        let expected = Expected::Words(
                            "',' and then row {} of {}",
                            [number, N, 0],
                        );
                        punctuation(input, b',', expected)?;
                    }
                    let expected = Expected::Words("'[' before row {}", [number, 0, 0]);
                    punctuation(input, b'[', expected)?;
                    for (column, cell) in row.iter_mut().enumerate() {
                        if column > 0 {
                            let numbers = [column + 1, number, 0];
                            let expected = Expected::Words(
                                "',' and then cell {} of row {}",
                                numbers,
                            );
                            punctuation(input, b',', expected)?;
                        }
                        input.skip_blanks()?;
                        let quote = input
                            .peek()?
                            .filter(|byte| matches!(byte, b'"' | b'\''));
                        if quote.is_some() {
                            input.bump();
                        }
                        *cell = symbol::<N, R>(input, index, column)?;
                        if let Some(quote) = quote {
                            let expected = Expected::plain(
                                "the same quote as before the symbol",
                            );
                            punctuation(input, quote, expected)?;
                        }
                    }
                    let numbers = [N, number, 0];
                    let expected = Expected::Words(
                        "']' after the {} cells of row {}",
                        numbers,
                    );
                    punctuation(input, b']', expected)?;
                }
                punctuation(
                    input,
                    b']',
                    Expected::Words("']' after the {} rows", [N, 0, 0]),
                )
            }

            fn punctuation<R: Read>(
                input: &mut Input<R>,
                byte: u8,
                expected: Expected,
            ) -> Result<(), ReadError> {
                if input.starts_with(byte)? {
                    input.bump();
                    return Ok(());
                }
                let found = input.found()?;
                Err(input.error(found, expected))
            }
        }

        mod symbols {
            pub(super) const MAX_SYMBOLS: usize = 26;
            pub(super) const fn is_empty_mark(byte: u8) -> bool {
                (byte == b'.') | (byte == b'0') | (byte == b'-') | (byte == b'*')
                    | (byte == b'?')
            }

            #[inline]
            pub(super) const fn first_symbol(n: usize) -> u8 {
                if n <= 9 { b'1' } else { b'A' }
            }

            #[inline(always)]
            pub(super) const fn value_of<const N: usize>(byte: u8) -> (u8, bool) {
                let empty = is_empty_mark(byte);
                let index = byte.wrapping_sub(first_symbol(N));
                let value = if empty { 0 } else { index.wrapping_add(1) };
                (value, empty | ((index as usize) < N))
            }

            #[inline]
            pub(crate) fn values<const N: usize>(
                symbols: &[u8],
                values: &mut [u8],
            ) -> bool {
                let mut all = true;
                for (value, &symbol) in values.iter_mut().zip(symbols) {
                    let (digit, is_symbol) = value_of::<N>(symbol);
                    *value = digit;
                    all &= is_symbol;
                }
                all
            }

            pub(super) const NO_SYMBOL: u8 = 0x80;
            pub(super) const fn table<const N: usize>() -> [u8; 256] {
                let mut table = [NO_SYMBOL; 256];
                let mut byte = 0;
                while byte < 256 && N <= MAX_SYMBOLS {
                    let (value, is_symbol) = value_of::<N>(byte as u8);
                    if is_symbol {
                        table[byte] = value;
                    }
                    byte += 1;
                }
                table
            }

            #[inline(always)]
            pub(super) const fn symbol_of<const N: usize>(value: u8, empty: u8) -> u8 {
                match value {
                    0 => empty,
                    _ => value - 1 + first_symbol(N),
                }
            }
        }

        pub(crate) use error::ReadError;
        pub(crate) use input::Input;
        pub(crate) use output::Output;

        pub const BUFFER_BYTES: usize = 64 * 1024;
        const FIRST_BYTES: usize = 2 * 1024;
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Layout {
            Spaced,
            Rows,
            Line,
            Brackets,
        }

        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct Notation {
            layout: Layout,
            empty: u8,
        }

        impl Notation {
            pub const ROWS: Self = Self::new(Layout::Rows, b'.');
            const fn new(layout: Layout, empty: u8) -> Self {
                Notation { layout, empty }
            }
        }
    }

    pub mod rate {
        mod step {}
    }

    pub mod rules {
        mod boxes {
            use crate::sudoku::grid::{Cell, Grid};

            impl<const N: usize> Cell<N> {
                const BOX: (usize, usize) = box_shape(N);
                pub(crate) const fn box_index(self) -> usize {
                    let (height, width) = Self::BOX;
                    self.row() / height * height + self.column() / width
                }
            }

            #[inline(always)]
            pub const fn box_shape(n: usize) -> (usize, usize) {
                match n {
                    4 => return (2, 2),
                    9 => return (3, 3),
                    16 => return (4, 4),
                    25 => return (5, 5),
                    36 => return (6, 6),
                    _ => {}
                }
                let (mut height, mut next) = (1, 2);
                while next * next <= n {
                    if n.is_multiple_of(next) {
                        height = next;
                    }
                    next += 1;
                }
                (height, n / height)
            }

            pub fn allows_classic<const N: usize>(grid: &Grid<N>) -> bool {
                let (mut rows, mut columns, mut boxes) = (
                    [0u64; N],
                    [0u64; N],
                    [0u64; N],
                );
                for (row, line) in grid.rows().iter().enumerate() {
                    for (column, &value) in line.iter().enumerate() {
                        if value > 0 {
                            let bit = 1u64 << (value - 1);
                            let house = Cell::<N>::at(row, column).box_index();
                            if (rows[row] | columns[column] | boxes[house]) & bit != 0 {
                                return false;
                            }
                            rows[row] |= bit;
                            columns[column] |= bit;
                            boxes[house] |= bit;
                        }
                    }
                }
                true
            }
        }

        mod constraint {
            use super::part::Part;
            use crate::sudoku::grid::{Cell, Grid};

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub struct Constraint<const N: usize> {
                name: &'static str,
                cells: Vec<Cell<N>>,
                value: Option<u32>,
                pub(crate) parts: Vec<Part>,
            }

            impl<const N: usize> Constraint<N> {
                pub fn name(&self) -> &'static str {
                    self.name
                }

                pub fn allows(&self, grid: &Grid<N>) -> bool {
                    let values = grid.values();
                    self.parts.iter().all(|part| part.allows(N, |cell| values[cell]))
                }
            }
        }

        mod error {
            use core::fmt;

            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub enum RulesError {
                Boxes { height: usize, width: usize, side: usize },
                Region { region: usize, cells: usize, expected: usize },
                House { cells: usize, side: usize },
                Twice { row: usize, column: usize },
                Cells {
                    name: &'static str,
                    place: Option<(usize, usize)>,
                    cells: usize,
                    least: usize,
                    most: usize,
                },
                Impossible { name: &'static str, place: Option<(usize, usize)> },
                Overlap { grid: usize },
                Cage { place: Option<(usize, usize)>, cells: usize, sum: u32 },
            }

            impl fmt::Display for RulesError {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match *self {
                        RulesError::Boxes { height, width, side } => {
                            write!(
                                f,
                                "boxes of {height}x{width} cells: expected {side} cells, as many as in a row",
                            )
                        }
                        RulesError::Region { region, cells, expected } => {
                            write!(
                                f,
                                "region {}: found {cells} cells, expected {expected}",
                                region + 1,
                            )
                        }
                        RulesError::House { cells, side } => {
                            write!(f, "house: found {cells} cells, expected {side}")
                        }
                        RulesError::Twice { row, column } => {
                            write!(
                                f,
                                "row {}, column {}: the cell is named twice",
                                row + 1,
                                column + 1,
                            )
                        }
                        RulesError::Cells { name, place, cells, least, most } => {
                            write_place(f, place)?;
                            match (least, most) {
                                (_, 0) => {
                                    write!(f, "{name}: the side of the grid is too large")
                                }
                                _ if least == most => {
                                    write!(f, "{name}: found {cells} cells, expected {least}")
                                }
                                _ => {
                                    write!(
                                        f,
                                        "{name}: found {cells} cells, expected {least} to {most}",
                                    )
                                }
                            }
                        }
                        RulesError::Impossible { name, place } => {
                            write_place(f, place)?;
                            write!(f, "{name}: no digits satisfy it")
                        }
                        RulesError::Overlap { grid } => {
                            write!(
                                f,
                                "grid {}: expected one to 64 grids, each at another place within 1,000 rows and columns",
                                grid + 1,
                            )
                        }
                        RulesError::Cage { place, cells, sum } => {
                            write_place(f, place)?;
                            write!(
                                f,
                                "a cage of {cells} different digits cannot have the sum {sum}",
                            )
                        }
                    }
                }
            }

            fn write_place(
                f: &mut fmt::Formatter<'_>,
                place: Option<(usize, usize)>,
            ) -> fmt::Result {
                match place {
                    Some((row, column)) => {
                        write!(f, "row {}, column {}: ", row + 1, column + 1)
                    }
                    None => Ok(()),
                }
            }

            impl std::error::Error for RulesError {}
        }

        mod house {
            use crate::sudoku::grid::Cell;

            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            pub enum HouseKind {
                Row,
                Column,
                Box,
                Diagonal,
                Extra,
            }

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub struct House<const N: usize> {
                pub kind: HouseKind,
                pub cells: [Cell<N>; N],
            }

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub struct Cage<const N: usize> {
                pub cells: Vec<Cell<N>>,
                pub sum: u32,
            }
        }

        mod layout {
            use super::{HouseKind, Part, Rules};

            #[derive(Clone, Debug)]
            pub(crate) struct Layout {
                pub(crate) side: usize,
                pub(crate) cells: usize,
                pub(crate) houses: Vec<LayoutHouse>,
                pub(crate) cages: Vec<(Vec<usize>, u32)>,
                pub(crate) parts: Vec<(&'static str, Part)>,
            }

            #[derive(Clone, Debug)]
            pub(crate) struct LayoutHouse {
                pub(crate) kind: HouseKind,
                pub(crate) grid: usize,
                pub(crate) cells: Vec<usize>,
            }

            impl Layout {
                pub(crate) fn of_rules<const N: usize>(rules: &Rules<N>) -> Self {
                    let mut layout = Layout::empty(N, N * N);
                    layout.add(0, rules, |cell| cell);
                    layout
                }

                fn empty(side: usize, cells: usize) -> Self {
                    Layout {
                        side,
                        cells,
                        houses: Vec::new(),
                        cages: Vec::new(),
                        parts: Vec::new(),
                    }
                }

                fn add<const N: usize>(
                    &mut self,
                    grid: usize,
                    rules: &Rules<N>,
                    to: impl Fn(usize) -> usize,
                ) {
                    for house in rules.houses() {
                        let cells: Vec<usize> = house
                            .cells
                            .iter()
                            .map(|cell| to(cell.index()))
                            .collect();
                        let mut shared = self
                            .houses
                            .iter()
                            .filter(|other| other.grid != grid);
                        if !shared.any(|other| other.cells == cells) {
                            let kind = house.kind;
                            self.houses.push(LayoutHouse { kind, grid, cells });
                        }
                    }
                    for cage in rules.cages() {
                        let cells = cage
                            .cells
                            .iter()
                            .map(|cell| to(cell.index()))
                            .collect();
                        self.cages.push((cells, cage.sum));
                    }
                    let parts = rules
                        .parts()
                        .map(|(name, part)| (name, part.moved(&to)));
                    self.parts.extend(parts);
                }

                pub(crate) fn has_constraints(&self) -> bool {
                    !(self.cages.is_empty() && self.parts.is_empty())
                }

                pub(crate) fn distinct(&self) -> impl Iterator<Item = &[usize]> {
                    let parts = self
                        .parts
                        .iter()
                        .filter_map(|(_, part)| match part {
                            Part::Distinct(cells) => Some(&cells[..]),
                            _ => None,
                        });
                    self.cages.iter().map(|cage| &cage.0[..]).chain(parts)
                }

                pub(crate) fn sight(&self) -> Vec<Vec<bool>> {
                    let mut sees = vec![vec![false; self.cells]; self.cells];
                    let houses = self.houses.iter().map(|house| &house.cells[..]);
                    for cells in houses.chain(self.distinct()) {
                        for &one in cells {
                            for &other in cells {
                                sees[one][other] |= one != other;
                            }
                        }
                    }
                    sees
                }
            }
        }

        mod part {
            use crate::sudoku::engine::Mask;

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub(crate) enum Part {
                Distinct(Vec<usize>),
                Sum { cells: Vec<usize>, mirrored: usize, sum: u32 },
                Patterns(Patterns),
            }

            #[derive(Clone, PartialEq, Eq, Debug)]
            pub(crate) struct Patterns {
                pub(crate) cells: Vec<usize>,
                pub(crate) is_distinct: bool,
                groups: Vec<Group>,
                ends: Vec<usize>,
            }

            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub(crate) struct Group {
                pub(crate) digits: u64,
                pub(crate) places: u64,
            }

            impl Patterns {
                pub(super) fn new(cells: Vec<usize>, is_distinct: bool) -> Self {
                    Patterns {
                        cells,
                        is_distinct,
                        groups: Vec::new(),
                        ends: Vec::new(),
                    }
                }

                pub(crate) fn refined(&self, sees: &[Vec<bool>]) -> Self {
                    let sees = |one: usize, places: u64| {
                        places
                            .members()
                            .all(|other| {
                                one == other || sees[self.cells[one]][self.cells[other]]
                            })
                    };
                    let all = (0..self.cells.len())
                        .fold(0, |all, place| all | 1 << place);
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
                                    None => {
                                        parts
                                            .push(Group {
                                                digits: group.digits,
                                                places: 1 << place,
                                            })
                                    }
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
                                .filter(|other| {
                                    other.places & places == 0 && sees(place, other.places)
                                })
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

                pub(crate) fn iter(&self) -> impl Iterator<Item = &[Group]> {
                    let starts = core::iter::once(0).chain(self.ends.iter().copied());
                    let bounds = starts.zip(&self.ends);
                    bounds.map(|(start, &end)| &self.groups[start..end])
                }
            }

            impl Part {
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

                pub(crate) fn allows(
                    &self,
                    side: usize,
                    value: impl Fn(usize) -> u8,
                ) -> bool {
                    match self {
                        Part::Distinct(cells) => {
                            let mut seen = 0u64;
                            cells
                                .iter()
                                .all(|&cell| {
                                    let bit = match value(cell) {
                                        0 => 0,
                                        value => 1u64 << (value - 1),
                                    };
                                    let is_new = seen & bit == 0;
                                    seen |= bit;
                                    is_new
                                })
                        }
                        Part::Sum { cells, mirrored, sum } => {
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
                        Part::Patterns(patterns) => {
                            patterns
                                .iter()
                                .any(|groups| {
                                    groups
                                        .iter()
                                        .all(|group| {
                                            let mut places = (0..patterns.cells.len())
                                                .filter(|place| group.places >> place & 1 == 1)
                                                .map(|place| value(patterns.cells[place]));
                                            places
                                                .all(|value| {
                                                    value == 0 || group.digits >> (value - 1) & 1 == 1
                                                })
                                        })
                                })
                        }
                    }
                }
            }
        }

        pub(crate) use boxes::{allows_classic, box_shape};
        pub(crate) use constraint::Constraint;
        pub(crate) use error::RulesError;
        pub(crate) use house::{Cage, House, HouseKind};
        pub(crate) use layout::Layout;
        pub(crate) use part::{Part, Patterns};
        use crate::sudoku::grid::{Cell, Grid};

        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Seat {
            pub(crate) house: usize,
            pub(crate) place: usize,
        }

        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Rules<const N: usize> {
            houses: Vec<House<N>>,
            cages: Vec<Cage<N>>,
            constraints: Vec<Constraint<N>>,
            seats: Vec<Seat>,
            first_seat: Vec<usize>,
            classic: bool,
        }

        impl<const N: usize> Rules<N> {
            pub fn classic() -> Self {
                let (height, width) = box_shape(N);
                let mut rules = Self::lines();
                rules.add_boxes(height, width);
                rules.classic = true;
                rules.seated()
            }

            pub fn boxes(height: usize, width: usize) -> Result<Self, RulesError> {
                if height.checked_mul(width) != Some(N) {
                    return Err(RulesError::Boxes {
                        height,
                        width,
                        side: N,
                    });
                }
                let mut rules = Self::lines();
                rules.add_boxes(height, width);
                rules.classic = (height, width) == box_shape(N);
                Ok(rules.seated())
            }

            fn lines() -> Self {
                let mut rules = Rules {
                    houses: Vec::with_capacity(3 * N),
                    cages: Vec::new(),
                    constraints: Vec::new(),
                    seats: Vec::new(),
                    first_seat: Vec::new(),
                    classic: false,
                };
                for row in 0..N {
                    rules.push(HouseKind::Row, |k| (row, k));
                }
                for column in 0..N {
                    rules.push(HouseKind::Column, |k| (k, column));
                }
                rules
            }

            fn add_boxes(&mut self, height: usize, width: usize) {
                for index in 0..N {
                    let (top, left) = (index / height * height, index % height * width);
                    self.push(HouseKind::Box, |k| (top + k / width, left + k % width));
                }
            }

            fn push(
                &mut self,
                kind: HouseKind,
                place: impl Fn(usize) -> (usize, usize),
            ) {
                let mut cells = [Cell::from_index(0); N];
                for (k, cell) in cells.iter_mut().enumerate() {
                    let (row, column) = place(k);
                    *cell = Cell::from_index(row * N + column);
                }
                cells.sort_unstable();
                self.houses.push(House { kind, cells });
                self.classic = false;
            }

            fn seated(mut self) -> Self {
                self.first_seat = vec![0; N * N + 1];
                for house in &self.houses {
                    for cell in &house.cells {
                        self.first_seat[cell.index() + 1] += 1;
                    }
                }
                for cell in 0..N * N {
                    self.first_seat[cell + 1] += self.first_seat[cell];
                }
                let mut next = self.first_seat.clone();
                self.seats = vec![Seat { house: 0, place: 0 }; self.first_seat[N * N]];
                for (house, description) in self.houses.iter().enumerate() {
                    for (place, cell) in description.cells.iter().enumerate() {
                        self.seats[next[cell.index()]] = Seat { house, place };
                        next[cell.index()] += 1;
                    }
                }
                self
            }

            pub fn houses(&self) -> &[House<N>] {
                &self.houses
            }

            pub fn cages(&self) -> &[Cage<N>] {
                &self.cages
            }

            pub(crate) fn has_constraints(&self) -> bool {
                !(self.cages.is_empty() && self.constraints.is_empty())
            }

            pub(crate) fn parts(&self) -> impl Iterator<Item = (&'static str, &Part)> {
                let constraints = self.constraints.iter();
                constraints
                    .flat_map(|constraint| {
                        constraint.parts.iter().map(|p| (constraint.name(), p))
                    })
            }

            pub fn allow(&self, grid: &Grid<N>) -> bool {
                self.houses.iter().all(|house| has_no_twins(&house.cells, grid))
                    && self
                        .cages
                        .iter()
                        .all(|cage| {
                            let digits = cage.cells.iter().map(|&cell| grid.get(cell));
                            let sum: u32 = digits
                                .clone()
                                .flatten()
                                .map(|d| u32::from(d.value()))
                                .sum();
                            let is_open = digits.clone().any(|digit| digit.is_none());
                            let fits = if is_open {
                                sum < cage.sum
                            } else {
                                sum == cage.sum
                            };
                            fits && has_no_twins(&cage.cells, grid)
                        }) && self.constraints.iter().all(|rule| rule.allows(grid))
            }
        }

        impl<const N: usize> Default for Rules<N> {
            fn default() -> Self {
                Self::classic()
            }
        }

        fn has_no_twins<const N: usize>(cells: &[Cell<N>], grid: &Grid<N>) -> bool {
            let mut seen = 0u64;
            cells
                .iter()
                .all(|&cell| match grid.get(cell) {
                    Some(digit) => {
                        let bit = 1 << digit.index();
                        let is_new = seen & bit == 0;
                        seen |= bit;
                        is_new
                    }
                    None => true,
                })
        }
    }

    mod solver {
        use crate::sudoku::engine::{self, Engine, Method, Visitor};
        use crate::sudoku::grid::Grid;
        use crate::sudoku::rules::Rules;
        use core::fmt;
        use core::ops::ControlFlow;

        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Answer<const N: usize> {
            None,
            Unique(Grid<N>),
            Several(Grid<N>, Grid<N>),
        }

        impl<const N: usize> Answer<N> {
            pub(crate) fn of_search(search: impl FnOnce(&mut Visitor<'_, N>)) -> Self {
                let mut answer = Answer::None;
                search(
                    &mut |solution| match answer {
                        Answer::None => {
                            answer = Answer::Unique(*solution);
                            ControlFlow::Continue(())
                        }
                        Answer::Unique(first) | Answer::Several(first, _) => {
                            answer = Answer::Several(first, *solution);
                            ControlFlow::Break(())
                        }
                    },
                );
                answer
            }
        }

        pub struct Solver<const N: usize> {
            engine: Box<dyn Method<N>>,
        }

        impl<const N: usize> Solver<N> {
            pub fn new() -> Self {
                Solver {
                    engine: engine::fastest_classic(),
                }
            }

            pub fn with_rules(rules: &Rules<N>) -> Self {
                Solver {
                    engine: engine::fastest(rules),
                }
            }

            pub fn solve(&mut self, puzzle: &Grid<N>) -> Answer<N> {
                Answer::of_search(|visit| {
                    self.engine.for_each(puzzle, visit);
                })
            }
        }

        impl<const N: usize> Default for Solver<N> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<const N: usize> fmt::Debug for Solver<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("Solver").finish_non_exhaustive()
            }
        }
    }

    pub(crate) use rules::Rules;
    pub(crate) use solver::{Answer, Solver};
}

mod program {
    pub mod digits {}
    use std::fmt;
    use std::io::{self, StdinLock, StdoutLock};
    use std::process::ExitCode;
    use crate::sudoku::notation::{Input, Output, ReadError};

    pub type Result<T> = std::result::Result<T, Failure>;
    #[derive(Debug)]
    pub enum Failure {
        Read(ReadError),
        Write(io::Error),
        NoSolution(u64),
        Message(String),
    }

    impl fmt::Display for Failure {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Failure::Read(error) => error.fmt(f),
                Failure::Write(error) => error.fmt(f),
                Failure::NoSolution(1) => {
                    f.write_str("the puzzle has no solution: check its givens")
                }
                Failure::NoSolution(number) => {
                    write!(f, "puzzle {number} has no solution: check its givens")
                }
                Failure::Message(message) => f.write_str(message),
            }
        }
    }

    impl std::error::Error for Failure {}
    impl From<ReadError> for Failure {
        fn from(error: ReadError) -> Self {
            Failure::Read(error)
        }
    }

    impl From<io::Error> for Failure {
        fn from(error: io::Error) -> Self {
            Failure::Write(error)
        }
    }

    impl From<&str> for Failure {
        fn from(message: &str) -> Self {
            Failure::Message(message.to_owned())
        }
    }

    impl From<String> for Failure {
        fn from(message: String) -> Self {
            Failure::Message(message)
        }
    }

    pub fn run<S>(solve: S) -> ExitCode
    where
        S: FnOnce(&mut Input<StdinLock>, &mut Output<StdoutLock>) -> Result<()>,
    {
        let mut output = Output::new(io::stdout().lock());
        let solved = solve(&mut Input::new(io::stdin().lock()), &mut output);
        let finished = output.finish();
        match solved.and_then(|()| Ok(finished?)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        }
    }
}
