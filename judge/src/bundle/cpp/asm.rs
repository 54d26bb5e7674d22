//! Assembly as the compiler writes it, without what the program does not need, as C++ strings.

use std::collections::{BTreeMap, BTreeSet};

/// The width of the strings.
const WIDTH: usize = 150;

/// Statements that say nothing about code and data.
const IDLE: &[&str] = &[
    ".file",
    ".ident",
    ".cfi_",
    ".type",
    ".size",
    ".globl",
    ".hidden",
    ".protected",
    ".weak",
    ".addrsig",
    ".loc",
    ".section",
    ".text",
    ".data",
    ".bss",
    ".att_syntax",
];

/// A symbol with all that stands under it.
#[derive(Default)]
struct Atom {
    section: &'static str,
    lines: Vec<String>,
}

/// The statements that `entry` needs, symbols renamed to short ones.
pub fn shorten(assembly: &str, entry: &str) -> Vec<String> {
    let atoms = atoms(assembly);
    let mut live: Vec<&str> = vec![entry];
    let mut seen: BTreeSet<&str> = BTreeSet::from([entry]);
    let mut at = 0;
    while at < live.len() {
        let lines = atoms.get(live[at]).map_or(&[][..], |atom| &atom.lines);
        for word in lines.iter().flat_map(|line| words(line)) {
            if let Some((name, _)) = atoms.get_key_value(word)
                && seen.insert(name)
            {
                live.push(name);
            }
        }
        at += 1;
    }
    let mut names = BTreeMap::from([(entry.to_owned(), entry.to_owned())]);
    for name in &live {
        let labels = atoms.get(*name).into_iter().flat_map(|atom| &atom.lines);
        let labels = labels.filter_map(|line| label(line));
        for label in labels {
            let short = format!("J{}", base36(names.len()));
            names.entry(label.to_owned()).or_insert(short);
        }
    }
    let mut out = Vec::new();
    for section in [".data", ".section .rodata", ".bss", ".text"] {
        let here = live.iter().filter_map(|name| atoms.get(*name));
        let mut here = here.filter(|atom| atom.section == section).peekable();
        if here.peek().is_some() {
            out.push(section.to_owned());
        }
        if section == ".text" {
            out.push(format!(".globl {entry}"));
        }
        for atom in here {
            out.extend(atom.lines.iter().map(|line| rename(line, &names)));
        }
    }
    out
}

/// Splits the text at its symbols.
fn atoms(assembly: &str) -> BTreeMap<String, Atom> {
    let mut atoms: BTreeMap<String, Atom> = BTreeMap::new();
    let mut section = ".text";
    let mut current: Option<String> = None;
    let mut before: Vec<String> = Vec::new();
    let mut alignment = ".p2align 4".to_owned();
    for line in assembly.lines() {
        let line = plain(line);
        if let Some(new) = section_of(&line) {
            section = new;
            current = None;
            before.clear();
            continue;
        }
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or("");
        if first == ".local" || IDLE.iter().any(|idle| first.starts_with(idle)) || line.is_empty() {
            continue;
        }
        if first == ".comm" || first == ".lcomm" {
            // `.local x` and `.comm x,size,align`: room in .bss.
            let rest = line[first.len()..].trim().to_owned();
            let mut parts = rest.split(',');
            let name = parts.next().unwrap_or("").to_owned();
            let size = parts.next().unwrap_or("1");
            let align = parts.next().unwrap_or("16");
            let lines = vec![
                format!(".balign {align}"),
                format!("{name}:"),
                format!(".zero {size}"),
            ];
            atoms.insert(
                name,
                Atom {
                    section: ".bss",
                    lines,
                },
            );
            continue;
        }
        if first == ".set" {
            let rest = line[first.len()..].trim();
            if let Some((name, _)) = rest.split_once(',') {
                let lines = vec![line.clone()];
                atoms.insert(
                    name.to_owned(),
                    Atom {
                        section: ".text",
                        lines,
                    },
                );
            }
            continue;
        }
        match label(&line) {
            Some(name) if !is_inner(name) => {
                let name = name.to_owned();
                let mut lines = std::mem::take(&mut before);
                if let Some(line) = lines.iter().rfind(|line| line.starts_with(".p2align")) {
                    alignment.clone_from(line);
                } else if name.starts_with(".LCPI") || name.starts_with(".LJTI") {
                    // Constants of one size have one alignment, said once.
                    lines.push(alignment.clone());
                }
                lines.push(line);
                atoms.insert(name.clone(), Atom { section, lines });
                current = Some(name);
            }
            _ => {
                let is_alignment = first == ".p2align" || first == ".balign";
                match &current {
                    // In data an alignment belongs to what follows, in code to a loop.
                    Some(name) if section == ".text" || !is_alignment => {
                        atoms.get_mut(name).expect("it was added").lines.push(line);
                    }
                    _ => before.push(line),
                }
            }
        }
    }
    // The alignment of a function stands at the end of the one before.
    for atom in atoms.values_mut() {
        while atom
            .lines
            .last()
            .is_some_and(|line| line.starts_with(".p2align"))
        {
            atom.lines.pop();
        }
    }
    atoms
}

/// The section that a statement begins; those of no use to a program count as none.
fn section_of(line: &str) -> Option<&'static str> {
    let name = match line.split_whitespace().next()? {
        ".text" => return Some(".text"),
        ".data" => return Some(".data"),
        ".bss" => return Some(".bss"),
        ".section" => line[".section".len()..].trim(),
        _ => return None,
    };
    let name = name.trim_start_matches('"');
    Some(if name.starts_with(".text") {
        ".text"
    } else if name.starts_with(".rodata") {
        ".section .rodata"
    } else if name.starts_with(".data") {
        ".data"
    } else if name.starts_with(".bss") {
        ".bss"
    } else {
        "none"
    })
}

/// A statement without comment and superfluous blanks.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut quoted = false;
    let mut escaped = false;
    for c in line.trim().chars() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
            out.push(c);
            continue;
        }
        match c {
            '#' => break,
            '"' => {
                quoted = true;
                out.push(c);
            }
            c if c.is_whitespace() => {
                if !out.ends_with([' ', ',']) {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.truncate(out.trim_end().len());
    for (long, short) in [("callq ", "call "), ("jmpq ", "jmp "), ("retq", "ret")] {
        if let Some(rest) = out.strip_prefix(long) {
            out = format!("{short}{rest}");
        }
    }
    // A call through the table of offsets is longer than one through the linkage table.
    for jump in ["call", "jmp"] {
        let function = out
            .strip_prefix(&format!("{jump} *"))
            .and_then(|rest| rest.strip_suffix("@GOTPCREL(%rip)"));
        if let Some(function) = function {
            out = format!("{jump} {function}@PLT");
        }
    }
    out
}

/// The symbol that a line defines.
fn label(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?;
    (words(name).next() == Some(name)).then_some(name)
}

/// Whether a label lies within a function.
fn is_inner(name: &str) -> bool {
    [".LBB", ".Ltmp", ".Lfunc_", ".Lpost"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// The words of a statement that may be symbols; not those in strings.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split('"').next().unwrap_or("");
    let is_end = |c: char| !(c.is_alphanumeric() || "_.$".contains(c));
    code.split(is_end).filter(|word| !word.is_empty())
}

fn rename(line: &str, names: &BTreeMap<String, String>) -> String {
    let (code, string) = match line.find('"') {
        Some(at) => line.split_at(at),
        None => (line, ""),
    };
    let mut out = String::with_capacity(line.len());
    let mut rest = code;
    while !rest.is_empty() {
        let is_word = |c: char| c.is_alphanumeric() || "_.$".contains(c);
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        match names.get(word) {
            Some(short) => {
                out.push_str(short);
                // What is defined here needs neither table.
                rest = after.strip_prefix("@PLT").unwrap_or(after);
            }
            None => {
                out.push_str(word);
                rest = after;
            }
        }
        if let Some(c) = rest.chars().next()
            && !is_word(c)
        {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out.push_str(string);
    out
}

fn base36(mut number: usize) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % 36) as u32, 36).expect("it is below 36"));
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits.iter().rev().collect()
}

/// Writes the statements as one block of C++.
pub fn embed(statements: &[String], out: &mut String) {
    out.push_str("__asm__(\n");
    let mut line = String::new();
    let mut flush = |line: &mut String| {
        if !line.is_empty() {
            out.push_str(&format!("\"{line}\\n\"\n"));
            line.clear();
        }
    };
    for statement in statements {
        let text = statement.replace('\\', "\\\\").replace('"', "\\\"");
        if line.len() + text.len() > WIDTH {
            flush(&mut line);
        }
        if !line.is_empty() {
            line.push(';');
        }
        line.push_str(&text);
    }
    flush(&mut line);
    out.push_str(");\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_entry_needs_is_left() {
        let assembly = "\t.file\t\"x\"\n\t.section\t.text.dead,\"ax\",@progbits\n\
            dead:\n\t.cfi_startproc\n\tretq\n\
            \t.section\t.text.main,\"ax\",@progbits\n\t.globl\tmain_\n\t.p2align\t4\nmain_:\n\
            \tcallq\t*write@GOTPCREL(%rip)  # a comment\n\tcallq\thelper@PLT\n.LBB0_1:\n\
            \tjmp\t.LBB0_1\nhelper:\n\tleaq\t.Lanon.1(%rip), %rax\n\tretq\n\
            \t.section\t.rodata..Lanon.1,\"a\",@progbits\n.Lanon.1:\n\t.ascii\t\"a#b\"\n";
        let short = shorten(assembly, "main_");
        assert_eq!(
            short.join(";"),
            ".section .rodata;J3:;.ascii \"a#b\";.text;.globl main_;.p2align 4;main_:;\
             call write@PLT;call J2;J1:;jmp J1;J2:;leaq J3(%rip),%rax;ret"
        );
        let mut out = String::new();
        embed(&short[1..3], &mut out);
        assert_eq!(out, "__asm__(\n\"J3:;.ascii \\\"a#b\\\"\\n\"\n);\n");
    }
}
