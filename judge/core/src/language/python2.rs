//! Detects programs for Python 2, whose files have the same extension as those of Python 3.

use crate::text::constant_regex;
use judge_package::text::read_bytes;
use regex::{Captures, Regex};
use std::path::Path;
use std::sync::LazyLock;

/// Bytes above which a file is no program that somebody wrote.
const MAX_BYTES: u64 = 1 << 20;

/// The code of Python 2 if `path` is a single Python file written for it. Only used for packaged
/// submissions, which may be older than Python 3; a user's own program is compiled as Python 3,
/// whose error message is more useful.
pub fn older(path: &Path) -> Option<&'static str> {
    if path.extension()? != "py" {
        return None;
    }
    let bytes = read_bytes(path, MAX_BYTES).ok()?;
    is_python2(&String::from_utf8_lossy(&bytes)).then_some("python2")
}

/// Comments, string literals with their prefixes, and escaped characters.
static NO_CODE: LazyLock<Regex> = LazyLock::new(|| {
    constant_regex(
        r#"(?xs) \#[^\n]* | \\. | (?:\b[rRbBuUfF]{1,2})? (?:
        """(?:\\.|[^\\])*?(?:"""|\z) | \x27{3}(?:\\.|[^\\])*?(?:\x27{3}|\z)
        | "(?:\\.|[^"\\\n])*"? | \x27(?:\\.|[^\x27\\\n])*\x27? )"#,
    )
});
/// A statement that begins with `print` or `exec`, and the beginning of its operand.
static STATEMENT: LazyLock<Regex> =
    LazyLock::new(|| constant_regex(r#"(?m)(?:^|[:;])[ \t]*(print|exec)\b[ \t]*(["`]|>>|\w+)"#));
static LAMBDA: LazyLock<Regex> = LazyLock::new(|| constant_regex(r"\blambda[ \t]*\("));
/// A name of Python 2, after what precedes a definition or an attribute, before a call.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    constant_regex(r"(\.|\bdef|\bimport|\bas)?\s*\b(?:raw_input|xrange)\b(?:[ \t]*(\())?")
});
/// Names in programs that run with both versions.
static BOTH: LazyLock<Regex> =
    LazyLock::new(|| constant_regex(r"\b(?:NameError|version|version_info|nonlocal)\b"));

/// Whether `text` is a program for Python 2 that Python 3 rejects: `print` is a statement, a lambda
/// unpacks its argument, or `raw_input` or `xrange` is called but not defined. A program that
/// checks its version or handles `NameError` runs with both.
pub fn is_python2(text: &str) -> bool {
    if !may_be_python2(text) {
        return false;
    }
    let code = NO_CODE.replace_all(text, |found: &Captures<'_>| match &found[0] {
        comment if comment.starts_with('#') => "",
        escaped if escaped.starts_with('\\') => " ",
        _ => "\"",
    });
    // In Python 3, `print` may be an operand itself.
    let operators = ["if", "else", "in", "is", "not", "and", "or", "for"];
    let has_operand = |found: Captures<'_>| match &found[2] {
        ">>" => &found[1] == "print",
        word => !operators.contains(&word),
    };
    if STATEMENT.captures_iter(&code).any(has_operand) || LAMBDA.is_match(&code) {
        return true;
    }
    let is_call = |found: Captures<'_>| found.get(1).is_none() && found.get(2).is_some();
    let mut names = NAME.captures_iter(&code).peekable();
    names.peek().is_some() && names.all(is_call) && !BOTH.is_match(&code)
}

/// Whether `text` has the words of such a program, also in comments and literals. Most programs for Python 3 have
/// none, and compiling the patterns takes longer than running a short program.
fn may_be_python2(text: &str) -> bool {
    let followed = |word: &str, begins: fn(char) -> bool| {
        let mut places = text.match_indices(word);
        places.any(|(at, _)| {
            let rest = text[at + word.len()..].trim_start_matches([' ', '\t']);
            rest.starts_with(begins)
        })
    };
    // A backslash continues the line.
    let operand = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii() || "_\"'`>\\".contains(c);
    let unpacks = |c: char| c == '(' || c == '\\';
    followed("print", operand)
        || followed("exec", operand)
        || followed("lambda", unpacks)
        || text.contains("raw_input")
        || text.contains("xrange")
}

#[cfg(test)]
mod tests {
    use super::is_python2;

    #[test]
    fn programs_for_python_2_are_detected() {
        for text in [
            "print 'x'\n",
            "n = 1\nprint n",
            "print(1)\nif n:\n    print \"a\", n\n",
            "if n: print 1\nelse: print(2)\n",
            "print >>sys.stderr, 'x'\n",
            "x = 1; print x\n",
            "print ''.join(a)\n",
            "print u'x'\n",
            "f = filter(lambda (a, b): a < b, c)\n",
            "exec 'x = 1'\n",
            "n = int(raw_input())\nprint(n)\n",
            "for i in xrange(3):\n    print(i)\n",
            "s = '''\n'''\nprint s\n",
            "s = 'it\\'s'  # it's\nprint s\n",
            "print'x'\n",
            "print \\\n  x\n",
            "f = lambda \\\n (a, b): a\n",
        ] {
            assert!(is_python2(text), "{text}");
        }
    }

    #[test]
    fn programs_for_python_3_and_for_both_are_not() {
        for text in [
            "",
            "print('x')\n",
            "print ('x')\n",
            "print\n",
            "print('''\nprint 1\n''')\n",
            "\"\"\"Says:\n\nprint the sum\n\"\"\"\nprint(1)\n",
            "# print 1\nprint(1)\n",
            "x = (1 +\nprint if a else b)\n",
            "x = print if a else b\n",
            "try:\n    raw_input\nexcept NameError:\n    raw_input = input\nraw_input()\n",
            "import sys\nif sys.version_info < (3,):\n    input = raw_input\nx = raw_input()\n",
            "def xrange(n):\n    return range(n)\nxrange(3)\n",
            "from six.moves import xrange\nxrange(3)\n",
            "a.raw_input()\nprint(1)\n",
            "x = 'raw_input()'\n",
            "f = lambda x: (x, 1)\n",
            "d = {'a': print}\n",
            "print = log\n",
            "print, x = 1, 2\n",
            "'unfinished\nprint(1)\n",
            "x = \"\"\"unfinished print 1",
        ] {
            assert!(!is_python2(text), "{text}");
        }
    }

    /// A package may have links to devices and pipes, whose reading never ends.
    #[cfg(unix)]
    #[test]
    fn only_files_are_read() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("old.py"), "print 1\n").expect("it is written");
        std::os::unix::fs::symlink("/dev/zero", path("device.py")).expect("a link");
        let made = std::process::Command::new("mkfifo")
            .arg(path("pipe.py"))
            .status();
        assert!(made.is_ok_and(|status| status.success()));
        let found = ["old.py", "device.py", "pipe.py"].map(|name| super::older(&path(name)));
        assert_eq!(found, [Some("python2"), None, None]);
    }
}
