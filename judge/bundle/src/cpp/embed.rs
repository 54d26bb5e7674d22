//! Encodes machine code as C++ string literals that every x86-64 assembler accepts.
//!
//! Four of 64 characters encode three bytes. An assembler macro decodes them at compile time, so
//! the program does no work for it at run time:
//!
//! ```text
//! .irpc c,ABC...     R_A = 0, R_B = 1, R_C = 2 ...
//! R_ AQIDBA          macro: joins the values of four characters after the first, writes three bytes
//! ```

use super::link::{Base, Block, Linked, Place, Relocation};

const WIDTH: usize = 250;

/// The labels of the three blocks.
const CODE: &str = "RC";
const DATA: &str = "RD";
const BSS: &str = "RZ";

/// The digits 0 to 63. Each may follow the first character of an identifier, so that a run of them
/// is one token for every assembler.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";

/// Shorter runs of bytes are written as plain numbers.
const SHORTEST: usize = 6;

/// Defines the digits and the macro that decodes them. Its argument begins with an ignored letter,
/// since a digit would start a number.
const MACRO: &str = r"
.set Rk,0
.irpc c,{alphabet}
.set R_\\c,Rk
.set Rk,Rk+1
.endr
.set Rv,0
.macro R_ s
.set Rk,-1
.irpc c,\\s
.set Rv,(Rv&0x3ffff)*64+R_\\c
.set Rk,Rk+1
.if Rk-4
.else
.byte Rv>>16,(Rv>>8)&255,Rv&255
.set Rk,0
.endif
.endr
.endm";

/// Writes the program as one `__asm__` block that defines the function `entry`.
pub fn embed(linked: &Linked, entry: &str) -> String {
    let mut text = Text::default();
    let alphabet = String::from_utf8_lossy(ALPHABET);
    for line in MACRO.trim_start().replace("{alphabet}", &alphabet).lines() {
        text.line(line);
    }
    if !linked.data.bytes.is_empty() {
        text.line(&format!(".data;.balign 16;{DATA}:"));
        text.block(&linked.data);
    }
    if linked.bss > 0 {
        text.line(&format!(".bss;.balign 16;{BSS}:.zero {}", linked.bss));
    }
    text.line(&format!(".text;.globl {entry};.balign 16;{CODE}:"));
    text.line(&format!(".set {entry},{CODE}+{}", linked.entry));
    text.block(&linked.code);
    format!("__asm__(\n{});\n", text.lines)
}

#[derive(Default)]
struct Text {
    lines: String,
    /// The directive to which values are being added.
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

    /// Adds a directive, or a value to the previous one if it is the same directive.
    fn value(&mut self, name: &str, value: &str) {
        if self.statement.len() + name.len() + value.len() + 2 > WIDTH {
            self.flush();
        }
        let last = self.statement.rsplit(';').next().unwrap_or("");
        // Assemblers disagree about the meaning of `.` within a list of values.
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
        for (&offset, relocation) in &block.relocations {
            self.bytes(&block.bytes[at..offset]);
            self.relocation(relocation);
            at = offset + relocation.len();
        }
        self.bytes(&block.bytes[at..]);
        self.flush();
    }

    /// Writes bytes in the fewest characters.
    fn bytes(&mut self, mut bytes: &[u8]) {
        if bytes.len() >= SHORTEST {
            let (triples, rest) = bytes.as_chunks::<3>();
            self.triples(triples);
            bytes = rest;
        }
        for (size, name) in [(4, ".long"), (2, ".short"), (1, ".byte")] {
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

    /// Encodes bytes for the macro, in as many C++ strings as needed.
    fn triples(&mut self, triples: &[[u8; 3]]) {
        self.flush();
        let mut characters = String::from("R_ A");
        for &[a, b, c] in triples {
            let value = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
            for shift in [18, 12, 6, 0] {
                characters.push(char::from(ALPHABET[value >> shift & 63]));
            }
            if characters.len() >= WIDTH {
                self.lines.push_str(&format!("\"{characters}\"\n"));
                characters.clear();
            }
        }
        self.lines.push_str(&format!("\"{characters}\\n\"\n"));
    }

    fn relocation(&mut self, relocation: &Relocation) {
        match relocation {
            Relocation::PcRel(place) => self.value(".long", &format!("{}-.", name(place))),
            Relocation::Abs64(place) => self.value(".quad", &name(place)),
            Relocation::GotPcRel(symbol) => self.value(".long", &format!("{symbol}@GOTPCREL-4")),
            Relocation::Call(symbol) => self.value("call", &format!("{symbol}@PLT")),
            Relocation::Jump(symbol) => self.value("jmp", &format!("{symbol}@PLT")),
        }
    }
}

/// A number in decimal or hexadecimal, whichever is shorter.
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
        Base::Bss => BSS,
        Base::Symbol(symbol) => symbol,
    };
    match place.offset {
        0 => base.to_owned(),
        offset => format!("{base}{offset:+}"),
    }
}
