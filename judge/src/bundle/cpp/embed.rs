//! Machine code as text that every assembler for x86-64 takes, in strings of C++.

use super::link::{Base, Block, Gap, Linked, Place};

/// The width of the strings.
const WIDTH: usize = 250;

/// The starts of the three blocks.
const CODE: &str = "RC";
const DATA: &str = "RD";
const ZEROED: &str = "RZ";

/// Writes the program as one block of C++ that defines the function `entry`.
pub fn embed(linked: &Linked, entry: &str) -> String {
    let mut text = Text::default();
    if !linked.data.bytes.is_empty() {
        text.line(&format!(".data;.balign 16;{DATA}:"));
        text.block(&linked.data);
    }
    if linked.zeroed > 0 {
        text.line(&format!(".bss;.balign 16;{ZEROED}:.zero {}", linked.zeroed));
    }
    text.line(&format!(".text;.globl {entry};.balign 16;{CODE}:"));
    text.line(&format!(".set {entry},{CODE}+{}", linked.entry));
    text.block(&linked.code);
    format!("__asm__(\n{});\n", text.lines)
}

#[derive(Default)]
struct Text {
    lines: String,
    /// The statement that values are being added to.
    statement: String,
}

impl Text {
    fn line(&mut self, line: &str) {
        self.flush();
        self.lines.push_str(&format!("\"{line}\\n\"\n"));
    }

    fn flush(&mut self) {
        let statement = std::mem::take(&mut self.statement);
        if !statement.is_empty() {
            self.line(&statement);
        }
    }

    /// Adds a statement, or a value to the one before if that has the same name.
    fn value(&mut self, name: &str, value: &str) {
        if self.statement.len() + name.len() + value.len() + 2 > WIDTH {
            self.flush();
        }
        let last = self.statement.rsplit(';').next().unwrap_or("");
        // In a list it is not plain what `.` stands for.
        let joins = name.starts_with('.') && !value.ends_with('.') && !last.ends_with('.');
        if joins && last.split(' ').next() == Some(name) {
            self.statement.push(',');
        } else {
            if !self.statement.is_empty() {
                self.statement.push(';');
            }
            self.statement.push_str(name);
            self.statement.push(' ');
        }
        self.statement.push_str(value);
    }

    fn block(&mut self, block: &Block) {
        let mut at = 0;
        for (&gap_at, gap) in &block.gaps {
            self.bytes(&block.bytes[at..gap_at]);
            self.gap(gap);
            at = gap_at + gap.len();
        }
        self.bytes(&block.bytes[at..]);
        self.flush();
    }

    /// Bytes as hexadecimal numbers, the largest first: fewest characters per byte.
    fn bytes(&mut self, mut bytes: &[u8]) {
        while let Some((chunk, rest)) = bytes.split_first_chunk::<16>() {
            let number = u128::from_le_bytes(*chunk);
            if number >> 64 == 0 {
                // Assemblers disagree on the upper half of a number that fits the lower.
                self.value(".quad", &format!("0x{number:x},0"));
            } else {
                self.value(".octa", &format!("0x{number:x}"));
            }
            bytes = rest;
        }
        for (size, name) in [(8, ".quad"), (4, ".long"), (2, ".short"), (1, ".byte")] {
            if bytes.len() >= size {
                let (chunk, rest) = bytes.split_at(size);
                let number = chunk
                    .iter()
                    .rfold(0, |n: u64, &byte| n << 8 | u64::from(byte));
                self.value(name, &shorter(number));
                bytes = rest;
            }
        }
    }

    fn gap(&mut self, gap: &Gap) {
        match gap {
            Gap::Distance(place) => self.value(".long", &format!("{}-.", name(place))),
            Gap::Address(place) => self.value(".quad", &name(place)),
            Gap::TableEntry(symbol) => self.value(".long", &format!("{symbol}@GOTPCREL-4")),
            Gap::Call(symbol) => self.value("call", &format!("{symbol}@PLT")),
            Gap::Jump(symbol) => self.value("jmp", &format!("{symbol}@PLT")),
        }
    }
}

/// A number in the shorter of two forms.
fn shorter(number: u64) -> String {
    let decimal = number.to_string();
    let hexadecimal = format!("0x{number:x}");
    if decimal.len() <= hexadecimal.len() {
        decimal
    } else {
        hexadecimal
    }
}

fn name(place: &Place) -> String {
    let base = match &place.base {
        Base::Code => CODE,
        Base::Data => DATA,
        Base::Zeroed => ZEROED,
        Base::Symbol(symbol) => symbol,
    };
    match place.offset {
        0 => base.to_owned(),
        offset => format!("{base}{offset:+}"),
    }
}
