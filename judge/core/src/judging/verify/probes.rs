//! Mutants as files for the validators, and what the validators decided about them, by kind.

use super::mutants::{Class, Kind, Mutant};
use judge_package::TestCase;
use judge_sandbox::Fault;
use judge_tempdir::TempDirectory;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Larger files are not changed.
pub const MAX_BYTES: u64 = 16 << 10;

/// A mutant in a file.
pub struct Probe<'a> {
    /// The case that was changed; for junk, whose arguments the validators get.
    pub case: &'a TestCase,
    pub mutant: Mutant,
    pub path: PathBuf,
}

pub struct Probes<'a> {
    dir: TempDirectory,
    /// The probes so far.
    pub list: Vec<Probe<'a>>,
}

impl<'a> Probes<'a> {
    pub fn new() -> Result<Self, Fault> {
        Ok(Probes {
            dir: TempDirectory::new("probes")?,
            list: Vec::new(),
        })
    }

    /// Adds the mutants of a case, except those equal to the text of `known`.
    pub fn add(
        &mut self,
        case: &'a TestCase,
        mutants: Vec<Mutant>,
        known: &Texts<'_>,
    ) -> Result<(), Fault> {
        for mutant in mutants {
            if known.contains(&mutant.bytes) {
                continue;
            }
            let path = self.dir.path().join(self.list.len().to_string());
            fs::write(&path, &mutant.bytes).map_err(|e| Fault::os("write a changed input", e))?;
            self.list.push(Probe { case, mutant, path });
        }
        Ok(())
    }
}

/// Texts that are right, by size.
#[derive(Default)]
pub struct Texts<'a>(BTreeMap<u64, Vec<&'a Path>>);

impl<'a> Texts<'a> {
    pub fn new(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut texts = Texts::default();
        for path in paths {
            let size = path.metadata().map_or(0, |metadata| metadata.len());
            texts.0.entry(size).or_default().push(path);
        }
        texts
    }

    fn contains(&self, text: &[u8]) -> bool {
        let same_size = self.0.get(&(text.len() as u64));
        let mut same_size = same_size.into_iter().flatten();
        same_size.any(|path| fs::read(path).is_ok_and(|own| own == text))
    }

    /// The smallest text that is not empty, and the largest one of at most [`MAX_BYTES`].
    pub fn ends(&self) -> Vec<&'a Path> {
        let mut small = self.0.range(1..=MAX_BYTES);
        let first = small.next().map(|(_, paths)| paths[0]);
        let last = small.next_back().map(|(_, paths)| paths[0]);
        first.into_iter().chain(last).collect()
    }
}

/// How many probes of a kind there were, and which were accepted.
#[derive(Default)]
struct Count<'p> {
    all: usize,
    accepted: Vec<&'p Probe<'p>>,
}

/// The decisions of validators about probes.
#[derive(Default)]
pub struct Decisions<'p> {
    kinds: BTreeMap<Kind, Count<'p>>,
}

impl<'p> Decisions<'p> {
    pub fn add(&mut self, probe: &'p Probe<'p>, accepted: bool) {
        let count = self.kinds.entry(probe.mutant.kind).or_default();
        count.all += 1;
        count.accepted.extend(accepted.then_some(probe));
    }

    /// Describes what is accepted if all of these `inputs` or `outputs` are, or at least all junk.
    pub fn nothing_is_checked(&self, tried: &str) -> Option<String> {
        let kinds = || self.kinds.iter();
        let accepts = |count: &Count<'_>| count.accepted.len() == count.all;
        let junk = || kinds().filter(|(kind, _)| kind.class() == Class::Junk);
        let number: usize = kinds().map(|(_, count)| count.all).sum();
        let what = if number > 0 && kinds().all(|(_, count)| accepts(count)) {
            format!("all {number} wrong {tried} that were tried")
        } else if junk().count() > 1 && junk().all(|(_, count)| accepts(count)) {
            "every kind of junk".to_owned()
        } else {
            return None;
        };
        Some(format!(
            "{what}, such as an empty file and binary data: it checks nothing"
        ))
    }

    /// The accepted kinds of a class, with their counts and the smallest example; `None` if there are
    /// none. Kinds for which `needs_all` holds count only if all of their probes were accepted, those of
    /// `left_out` never: they are often right.
    pub fn accepted(
        &self,
        class: Class,
        needs_all: impl Fn(Kind) -> bool,
        left_out: impl Fn(Kind) -> bool,
    ) -> Option<String> {
        let of_class = self.kinds.iter().filter(|(kind, count)| {
            let accepted = count.accepted.len();
            let enough = if needs_all(**kind) { count.all } else { 1 };
            kind.class() == class && !left_out(**kind) && accepted >= enough
        });
        let of_class: Vec<_> = of_class.collect();
        let all = of_class.iter().flat_map(|(_, count)| &count.accepted);
        let example = all.min_by_key(|probe| probe.mutant.bytes.len())?;
        let counted = of_class.iter().map(|(kind, count)| {
            format!(
                "{} ({} of {})",
                kind.name(),
                count.accepted.len(),
                count.all
            )
        });
        let counted: Vec<String> = counted.collect();
        Some(format!("{}{}", counted.join(", "), example.shown()))
    }
}

impl Probe<'_> {
    /// `; for example secret/1, where line 2 is ...`; empty for junk.
    fn shown(&self) -> String {
        let name = &self.case.name;
        let mutant = &self.mutant;
        match (mutant.kind.class(), mutant.place.as_str()) {
            (Class::Junk, _) => String::new(),
            (_, "") => format!("; for example {name} with {}", mutant.kind.name()),
            (_, place) => format!("; for example {name}, if {place}"),
        }
    }
}
