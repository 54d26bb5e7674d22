//! Links the object file as far as possible: the sections that the entry needs, in three blocks.
//! The judge's linker resolves the remaining relocations.
//!
//! ```text
//! code     functions and constants; internal references are PC-relative, so they are final
//! data     initialised data that contains addresses
//! bss      only its size matters
//! ```

use crate::error::BundleError;
use object::elf::{
    R_X86_64_64, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_PC32, R_X86_64_PLT32,
    R_X86_64_REX_GOTPCRELX, RelocationType,
};
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionIndex,
    SectionKind,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Default, Debug)]
pub struct Linked {
    /// Functions and constants.
    pub code: Block,
    /// Data that contains addresses.
    pub data: Block,
    /// The size of the zero-initialised memory.
    pub bss: u64,
    /// The offset of the entry in `code`.
    pub entry: usize,
}

impl Linked {
    fn block(&mut self, base: &Base) -> Option<&mut Block> {
        match base {
            Base::Code => Some(&mut self.code),
            Base::Data => Some(&mut self.data),
            Base::Bss | Base::Symbol(_) => None,
        }
    }
}

/// Bytes with relocations that the judge's assembler and linker apply.
#[derive(Default, Debug)]
pub struct Block {
    /// The bytes, zero where a relocation is applied.
    pub bytes: Vec<u8>,
    /// The relocations by offset.
    pub relocations: BTreeMap<usize, Relocation>,
}

/// A relocation for the judge's linker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Relocation {
    /// The PC-relative offset of a place: 4 bytes.
    PcRel(Place),
    /// The address of a place: 8 bytes.
    Abs64(Place),
    /// The PC-relative offset of the symbol's GOT entry, minus 4: 4 bytes.
    GotPcRel(String),
    /// A call of this symbol: an instruction of 5 bytes.
    Call(String),
    /// A jump to this symbol: an instruction of 5 bytes.
    Jump(String),
}

impl Relocation {
    /// The number of bytes it covers.
    pub fn len(&self) -> usize {
        match self {
            Relocation::PcRel(_) | Relocation::GotPcRel(_) => 4,
            Relocation::Call(_) | Relocation::Jump(_) => 5,
            Relocation::Abs64(_) => 8,
        }
    }
}

/// An address: a base and an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub base: Base,
    /// The distance in bytes.
    pub offset: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    Code,
    Data,
    /// The start of the zero-initialised memory.
    Bss,
    /// A symbol of the C library.
    Symbol(String),
}

/// The error for a program that cannot become machine code in a C++ file.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn unlinkable(what: impl ToString) -> BundleError {
    let remedy = "use only what judge/bundle/src/cpp/shim provides of the standard library";
    BundleError::file(
        Path::new("the program without std"),
        what.to_string(),
        remedy,
    )
}

/// Links what `entry` needs from an object file for x86-64.
pub fn link(object: &[u8], entry: &str) -> Result<Linked, BundleError> {
    let file = object::File::parse(object).map_err(unlinkable)?;
    let symbol = file
        .symbols()
        .find(|symbol| symbol.name() == Ok(entry))
        .ok_or_else(|| unlinkable(format!("the object file has no {entry}")))?;
    let first = symbol
        .section_index()
        .ok_or_else(|| unlinkable(format!("{entry} is not defined")))?;
    let address = symbol.address() as usize;
    let mut linker = Linker {
        file: &file,
        sections: Vec::new(),
        places: BTreeMap::new(),
        linked: Linked::default(),
    };
    linker.gather(first)?;
    linker.lay_out()?;
    for index in linker.sections.clone() {
        linker.relocate(index)?;
    }
    let start = linker.place(first)?.offset;
    linker.linked.entry = start as usize + address;
    Ok(linker.linked)
}

struct Linker<'a> {
    file: &'a object::File<'a>,
    /// The needed sections, the entry's first.
    sections: Vec<SectionIndex>,
    /// Their addresses.
    places: BTreeMap<usize, Place>,
    linked: Linked,
}

impl<'a> Linker<'a> {
    fn section(&self, index: SectionIndex) -> Result<object::Section<'a, 'a>, BundleError> {
        self.file.section_by_index(index).map_err(unlinkable)
    }

    /// Collects the sections reachable through relocations.
    fn gather(&mut self, first: SectionIndex) -> Result<(), BundleError> {
        let mut seen = BTreeSet::from([first.0]);
        self.sections.push(first);
        let mut at = 0;
        while at < self.sections.len() {
            let mut more = Vec::new();
            for (_, relocation) in self.section(self.sections[at])?.relocations() {
                if let Target::Section(index, _) = self.target(relocation.target())?
                    && seen.insert(index.0)
                {
                    more.push(index);
                }
            }
            self.sections.extend(more);
            at += 1;
        }
        Ok(())
    }

    /// Assigns an address to every section: functions first, in the order of reference.
    fn lay_out(&mut self) -> Result<(), BundleError> {
        for wants_functions in [true, false] {
            for index in self.sections.clone() {
                let section = self.section(index)?;
                let kind = section.kind();
                if (kind == SectionKind::Text) != wants_functions {
                    continue;
                }
                let bytes = section.data().map_err(unlinkable)?;
                let linked = &mut self.linked;
                let (base, end) = match kind {
                    SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => {
                        (Base::Code, linked.code.bytes.len() as u64)
                    }
                    SectionKind::Data | SectionKind::ReadOnlyDataWithRel => {
                        (Base::Data, linked.data.bytes.len() as u64)
                    }
                    SectionKind::UninitializedData => (Base::Bss, linked.bss),
                    _ => {
                        let name = section.name().unwrap_or("?");
                        return Err(unlinkable(format!(
                            "section {name} is of an unknown kind, {kind:?}"
                        )));
                    }
                };
                // The padding between functions is never executed.
                let offset = end.next_multiple_of(section.align().max(1));
                match linked.block(&base) {
                    None => linked.bss = offset + section.size(),
                    Some(block) => {
                        block.bytes.resize(offset as usize, 0);
                        block.bytes.extend(bytes);
                    }
                }
                let offset = offset as i64;
                self.places.insert(index.0, Place { base, offset });
            }
        }
        Ok(())
    }

    fn place(&self, section: SectionIndex) -> Result<Place, BundleError> {
        let place = self.places.get(&section.0);
        place
            .cloned()
            .ok_or_else(|| unlinkable("a section has no address"))
    }

    fn target(&self, target: RelocationTarget) -> Result<Target, BundleError> {
        let index = match target {
            RelocationTarget::Symbol(index) => index,
            RelocationTarget::Section(index) => return Ok(Target::Section(index, 0)),
            _ => return Err(unlinkable("a relocation has no symbol")),
        };
        let symbol = self.file.symbol_by_index(index);
        let symbol = symbol.map_err(unlinkable)?;
        Ok(match symbol.section_index() {
            Some(section) => Target::Section(section, symbol.address() as i64),
            None => Target::Extern(symbol.name().map_err(unlinkable)?.to_owned()),
        })
    }

    fn relocate(&mut self, index: SectionIndex) -> Result<(), BundleError> {
        let relocations: Vec<_> = self.section(index)?.relocations().collect();
        if relocations.is_empty() {
            return Ok(());
        }
        let own = self.place(index)?;
        for (at, relocation) in relocations {
            let at = own.offset as usize + at as usize;
            let kind = match relocation.flags() {
                RelocationFlags::Elf { r_type } => r_type,
                _ => return Err(unlinkable("the object file is not an ELF file")),
            };
            let target = match self.target(relocation.target())? {
                Target::Section(section, offset) => {
                    let place = self.place(section)?;
                    let offset = place.offset + offset + relocation.addend();
                    Ok(Place { offset, ..place })
                }
                Target::Extern(name) => Err(name),
            };
            let is_own = matches!(&target, Ok(place) if place.base == own.base);
            let block = self.linked.block(&own.base);
            let block =
                block.ok_or_else(|| unlinkable("zero-initialised memory has a relocation"))?;
            match (target, kind) {
                (Ok(place), R_X86_64_PC32 | R_X86_64_PLT32) if is_own => {
                    patch(&mut block.bytes, at, place.offset);
                }
                (Ok(place), R_X86_64_PC32) => {
                    block.relocations.insert(at, Relocation::PcRel(place));
                }
                (Ok(place), R_X86_64_64) => {
                    block.relocations.insert(at, Relocation::Abs64(place));
                }
                (Ok(place), _) if is_got(kind) => {
                    relax_got(&mut block.bytes, at)?;
                    if is_own {
                        patch(&mut block.bytes, at, place.offset);
                    } else {
                        block.relocations.insert(at, Relocation::PcRel(place));
                    }
                }
                (Err(name), R_X86_64_64) => {
                    let base = Base::Symbol(name);
                    let offset = relocation.addend();
                    block
                        .relocations
                        .insert(at, Relocation::Abs64(Place { base, offset }));
                }
                (Err(name), _) if is_got(kind) && relocation.addend() == -4 => {
                    block.relocations.insert(at, Relocation::GotPcRel(name));
                }
                (Err(name), R_X86_64_PLT32) if block.bytes[at - 1] == CALL => {
                    block.relocations.insert(at - 1, Relocation::Call(name));
                }
                (Err(name), R_X86_64_PLT32) if block.bytes[at - 1] == JUMP => {
                    block.relocations.insert(at - 1, Relocation::Jump(name));
                }
                (target, _) => {
                    return Err(unlinkable(format!("cannot link {kind:?} to {target:?}")));
                }
            }
        }
        Ok(())
    }
}

/// The opcodes of a PC-relative call and jump.
const CALL: u8 = 0xe8;
const JUMP: u8 = 0xe9;

enum Target {
    /// A place in a section.
    Section(SectionIndex, i64),
    /// An undefined symbol.
    Extern(String),
}

fn is_got(kind: RelocationType) -> bool {
    [
        R_X86_64_GOTPCREL,
        R_X86_64_GOTPCRELX,
        R_X86_64_REX_GOTPCRELX,
    ]
    .contains(&kind)
}

/// Writes the PC-relative offset of `target` at `at`.
fn patch(bytes: &mut [u8], at: usize, target: i64) {
    let distance = (target - at as i64) as i32;
    bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
}

/// Relaxes a GOT access: the instruction computes the address from the PC-relative offset, in the
/// same number of bytes (System V ABI for AMD64, B.2).
fn relax_got(bytes: &mut [u8], at: usize) -> Result<(), BundleError> {
    let (code, operands) = (bytes[at - 2], bytes[at - 1]);
    match (code, operands) {
        // call *entry(%rip) -> addr32 call place
        (0xff, 0x15) => (bytes[at - 2], bytes[at - 1]) = (0x67, CALL),
        // jmp *entry(%rip) -> a prefix without effect, jmp place
        (0xff, 0x25) => (bytes[at - 2], bytes[at - 1]) = (0x67, JUMP),
        // mov entry(%rip),%register -> lea place(%rip),%register
        (0x8b, operands) if operands & 0xc7 == 0x05 => bytes[at - 2] = 0x8d,
        _ => {
            return Err(unlinkable(format!(
                "cannot link the instruction {code:02x} {operands:02x}"
            )));
        }
    }
    Ok(())
}
