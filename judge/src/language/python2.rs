//! Detects programs for Python 2, whose files have the same extension as those of Python 3.

use std::path::Path;

/// The code of Python 2 if `path` is a single Python file written for it. Only used for packaged
/// submissions, which may be older than Python 3; a user's own program is compiled as Python 3,
/// whose error message is more useful.
pub fn older(path: &Path) -> Option<&'static str> {
    if path.extension()? != "py" {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    is_python2(&String::from_utf8_lossy(&bytes)).then_some("python2")
}

/// A scanner over Python source text.
struct Scanner<'t> {
    rest: &'t str,
    /// How many brackets are open.
    depth: usize,
    /// Whether a statement begins at the current position.
    begins: bool,
}

/// A token.
enum Token<'t> {
    Word {
        word: &'t str,
        /// Whether a statement begins with it.
        begins: bool,
    },
    Text,
    Mark(char),
}

/// Whether `text` is a program for Python 2 that Python 3 rejects: `print` is a statement, a lambda
/// unpacks its argument, or `raw_input` or `xrange` is called but not defined. A program that
/// checks its version or handles `NameError` runs with both.
pub fn is_python2(text: &str) -> bool {
    let mut scanner = Scanner {
        rest: text,
        depth: 0,
        begins: true,
    };
    let (mut calls, mut both) = (false, false);
    // The previous token, to recognise `def raw_input` and `x.raw_input`.
    let mut before = String::new();
    while let Some(token) = scanner.next() {
        let Token::Word { word, begins } = token else {
            before.clear();
            if let Token::Mark(mark) = token {
                before.push(mark);
            }
            continue;
        };
        match word {
            "print" | "exec" if begins && scanner.follows_operand(word) => return true,
            "lambda" if scanner.same_line().starts_with('(') => return true,
            "raw_input" | "xrange" => {
                let defined = matches!(before.as_str(), "." | "def" | "import" | "as");
                if !defined && scanner.same_line().starts_with('(') {
                    calls = true;
                } else {
                    both = true;
                }
            }
            "NameError" | "version" | "version_info" | "nonlocal" => both = true,
            _ => {}
        }
        word.clone_into(&mut before);
    }
    calls && !both
}

impl<'t> Scanner<'t> {
    /// The next token; skips blanks and comments.
    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            let first = self.rest.chars().next()?;
            match first {
                '#' => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
                '\\' => {
                    // A line continuation.
                    let length = self.rest.chars().take(2).map(char::len_utf8).sum();
                    self.skip(length);
                }
                '\n' => {
                    self.begins |= self.depth == 0;
                    self.skip(1);
                }
                c if c.is_whitespace() => self.skip(c.len_utf8()),
                '"' | '\'' => {
                    self.string();
                    self.begins = false;
                    return Some(Token::Text);
                }
                c if c == '_' || c.is_alphanumeric() => return Some(self.word()),
                c => {
                    self.skip(c.len_utf8());
                    match c {
                        '(' | '[' | '{' => self.depth += 1,
                        ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
                        _ => {}
                    }
                    self.begins = self.depth == 0 && matches!(c, ':' | ';');
                    return Some(Token::Mark(c));
                }
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// A word, or a string with a prefix.
    fn word(&mut self) -> Token<'t> {
        let end = |c: char| c != '_' && !c.is_alphanumeric();
        let (word, rest) = self
            .rest
            .split_at(self.rest.find(end).unwrap_or(self.rest.len()));
        self.rest = rest;
        let begins = std::mem::take(&mut self.begins);
        let prefix = word.len() <= 2 && word.chars().all(|c| "rRbBuUfF".contains(c));
        if prefix && rest.starts_with(['"', '\'']) {
            self.string();
            return Token::Text;
        }
        Token::Word { word, begins }
    }

    /// Skips a string. A quote after a backslash does not end it, not even in a raw string.
    fn string(&mut self) {
        let quote = &self.rest[..1];
        let triple = quote.repeat(3);
        let end = if self.rest.starts_with(&triple) {
            triple.as_str()
        } else {
            quote
        };
        self.skip(end.len());
        while !self.rest.is_empty() && !self.rest.starts_with(end) {
            if end.len() == 1 && self.rest.starts_with('\n') {
                // Unterminated.
                return;
            }
            let count = if self.rest.starts_with('\\') { 2 } else { 1 };
            let length = self.rest.chars().take(count).map(char::len_utf8).sum();
            self.skip(length);
        }
        self.skip(end.len().min(self.rest.len()));
    }

    /// The rest of the text, without leading blanks of the line.
    fn same_line(&self) -> &'t str {
        self.rest.trim_start_matches([' ', '\t'])
    }

    /// Whether an operand follows, which cannot follow `print` as a name.
    fn follows_operand(&self, word: &str) -> bool {
        let rest = self.same_line();
        if rest.starts_with(['"', '\'', '`']) {
            return true;
        }
        if word == "print" && rest.starts_with(">>") {
            return true;
        }
        if !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()) {
            return false;
        }
        let next = rest
            .split(|c: char| c != '_' && !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        !["if", "else", "in", "is", "not", "and", "or", "for"].contains(&next)
    }
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
}
