//! Which parts of a C++ source the preprocessor keeps, as far as that is certain: headers of the system
//! are not read, so a macro that the program does not define may be defined all the same.

use super::directives::Condition;
use std::collections::BTreeMap;

/// Knowledge about a macro.
#[derive(PartialEq, Eq)]
enum Macro {
    /// Defined, with this value; `None` if it has parameters or another value that is not known.
    Defined(Option<String>),
    Undefined,
}

/// The macros of a program, at one place of its text. One that is not listed is not known.
#[derive(Default)]
pub struct Macros(BTreeMap<String, Macro>);

impl Macros {
    /// The macros that the compiler is given: `NAME` and `NAME=VALUE`, and those that are undefined.
    pub fn new(define: &[String], undefine: &[String]) -> Self {
        let mut macros = Macros::default();
        for name in undefine {
            macros.set(name, Macro::Undefined);
        }
        for text in define {
            let (name, value) = text.split_once('=').unwrap_or((text, "1"));
            macros.set(name, Macro::Defined(Some(value.to_owned())));
        }
        macros
    }

    fn set(&mut self, name: &str, is: Macro) {
        self.0.insert(name.to_owned(), is);
    }

    /// `#define` in a part that is certainly kept, or else only perhaps.
    pub fn define(&mut self, name: &str, value: Option<&str>, is_certain: bool) {
        match is_certain {
            true => self.set(name, Macro::Defined(value.map(str::to_owned))),
            false => drop(self.0.remove(name)),
        }
    }

    /// `#undef` in a part that is certainly kept, or else only perhaps.
    pub fn undefine(&mut self, name: &str, is_certain: bool) {
        match is_certain {
            true => self.set(name, Macro::Undefined),
            false => drop(self.0.remove(name)),
        }
    }

    /// The value of a macro that is certainly defined.
    pub fn value(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Macro::Defined(value) => value.as_deref(),
            Macro::Undefined => None,
        }
    }

    fn is_defined(&self, name: &str) -> Option<bool> {
        Some(*self.0.get(name)? != Macro::Undefined)
    }

    /// The value of an expression inside `depth` macros; its operators outside of parentheses have at least
    /// the precedence `level`.
    fn value_of(&self, text: &str, level: usize, depth: u32) -> Option<i64> {
        let tokens = tokens(text)?;
        let mut parser = Parser {
            tokens: &tokens,
            macros: self,
            depth,
        };
        let value = parser.binary(level)?;
        value.filter(|_| parser.tokens.is_empty())
    }

    /// Whether a condition holds, if that is certain.
    pub fn holds(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Defined(name) => self.is_defined(name),
            Condition::NotDefined(name) => self.is_defined(name).map(|is| !is),
            Condition::Expression(text) => self.value_of(text, 0, 0).map(|value| value != 0),
        }
    }
}

/// The conditions around a place of the text, the innermost last.
#[derive(Default)]
pub struct Nesting(Vec<Frame>);

struct Frame {
    /// Whether a branch before this one was taken; `None`: perhaps.
    before: Option<bool>,
    /// Whether this branch is taken.
    now: Option<bool>,
    /// Whether it is the guard of its file, which is always entered.
    is_guard: bool,
}

impl Nesting {
    /// `#if`, or the guard of a file.
    pub fn begin(&mut self, holds: Option<bool>, is_guard: bool) {
        self.0.push(Frame {
            before: Some(false),
            now: if is_guard { Some(true) } else { holds },
            is_guard,
        });
    }

    /// `#elif`; `#else`, which holds.
    pub fn next(&mut self, holds: Option<bool>) {
        let Some(frame) = self.0.last_mut() else {
            return;
        };
        frame.before = match (frame.before, frame.now) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        frame.now = match (frame.before, holds) {
            (Some(true), _) | (_, Some(false)) => Some(false),
            (Some(false), holds) => holds,
            (None, _) => None,
        };
    }

    /// `#endif`.
    pub fn end(&mut self) {
        self.0.pop();
    }

    /// Whether the place is kept: `None` if that depends on what is not known.
    pub fn is_kept(&self) -> Option<bool> {
        let mut kept = Some(true);
        for frame in &self.0 {
            match frame.now {
                Some(false) => return Some(false),
                None => kept = None,
                Some(true) => {}
            }
        }
        kept
    }

    /// Whether a condition is open that is not the guard of its file.
    pub fn is_conditional(&self) -> bool {
        self.0.iter().any(|frame| !frame.is_guard)
    }
}

enum Token {
    Name(String),
    Number(i64),
    Operator(&'static str),
}

/// The operators, longer ones first.
const OPERATORS: [&str; 20] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "(", ")", "!", "<", ">", "+", "-", "*", "/",
    "%", "~", "&",
];

/// Binary operators by precedence, the weakest first.
const BINARY: [&[&str]; 8] = [
    &["||"],
    &["&&"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// `None` if the expression has anything else.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = &rest[..length];
            tokens.push(match first.is_ascii_digit() {
                true => Token::Number(number(word)?),
                false => Token::Name(word.to_owned()),
            });
            length
        } else {
            let operator = OPERATORS.into_iter().find(|one| rest.starts_with(one))?;
            tokens.push(Token::Operator(operator));
            operator.len()
        };
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

fn number(word: &str) -> Option<i64> {
    let digits = word.replace('\'', "").to_ascii_lowercase();
    let digits = digits.trim_end_matches(['u', 'l', 'z']);
    let (digits, base) = match digits.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => match digits.strip_prefix("0b") {
            Some(digits) => (digits, 2),
            None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
            None => (digits, 10),
        },
    };
    i64::from_str_radix(digits, base).ok()
}

struct Parser<'a> {
    tokens: &'a [Token],
    macros: &'a Macros,
    /// Macros that are being replaced.
    depth: u32,
}

/// Largest depth at which a macro is replaced; it may contain itself.
const MAX_DEPTH: u32 = 8;

/// `None` is a malformed expression; the inner `None` a value that is not known.
type Value = Option<Option<i64>>;

impl Parser<'_> {
    fn accept(&mut self, operator: &str) -> bool {
        match self.tokens {
            [Token::Operator(found), rest @ ..] if *found == operator => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn binary(&mut self, level: usize) -> Value {
        let Some(operators) = BINARY.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.accept(operator)) {
            let right = self.binary(level + 1)?;
            left = match (*operator, left, right) {
                ("||", Some(value), _) | ("||", _, Some(value)) if value != 0 => Some(1),
                ("&&", Some(0), _) | ("&&", _, Some(0)) => Some(0),
                (operator, Some(left), Some(right)) => apply(operator, left, right),
                _ => None,
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Value {
        if self.accept("!") {
            return Some(self.unary()?.map(|value| i64::from(value == 0)));
        }
        if self.accept("-") {
            return Some(self.unary()?.and_then(i64::checked_neg));
        }
        if self.accept("~") {
            return Some(self.unary()?.map(|value| !value));
        }
        if self.accept("+") {
            return self.unary();
        }
        if self.accept("(") {
            let value = self.binary(0)?;
            return self.accept(")").then_some(value);
        }
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        match first {
            Token::Number(value) => Some(Some(*value)),
            Token::Name(name) if name == "defined" => {
                let has_parentheses = self.accept("(");
                let [Token::Name(name), rest @ ..] = self.tokens else {
                    return None;
                };
                self.tokens = rest;
                (!has_parentheses || self.accept(")"))
                    .then(|| self.macros.is_defined(name).map(i64::from))
            }
            Token::Name(name) => Some(self.replaced(name)),
            Token::Operator(_) => None,
        }
    }

    /// The value of a macro. Only one operand is safe to evaluate alone: the operators of another value
    /// could bind to those around the macro.
    fn replaced(&self, name: &str) -> Option<i64> {
        match self.macros.0.get(name)? {
            Macro::Undefined => Some(0),
            Macro::Defined(Some(value)) if self.depth <= MAX_DEPTH => {
                self.macros.value_of(value, BINARY.len(), self.depth + 1)
            }
            Macro::Defined(_) => None,
        }
    }
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    let shift = u32::try_from(right).ok();
    match operator {
        "||" => Some(i64::from(left != 0 || right != 0)),
        "&&" => Some(i64::from(left != 0 && right != 0)),
        "&" => Some(left & right),
        "==" => Some(i64::from(left == right)),
        "!=" => Some(i64::from(left != right)),
        "<" => Some(i64::from(left < right)),
        ">" => Some(i64::from(left > right)),
        "<=" => Some(i64::from(left <= right)),
        ">=" => Some(i64::from(left >= right)),
        "<<" => left.checked_shl(shift?),
        ">>" => left.checked_shr(shift?),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_decided() {
        let define = ["ONLINE_JUDGE", "N=3", "M=(N+1)", "F=f(x)"].map(str::to_owned);
        let macros = Macros::new(&define, &["LOCAL".to_owned()]);
        for (expression, expected) in [
            ("ONLINE_JUDGE", Some(true)),
            ("!defined ONLINE_JUDGE", Some(false)),
            ("!defined(ONLINE_JUDGE) || defined(LOCAL)", Some(false)),
            ("defined(LOCAL) && OTHER", Some(false)),
            ("defined(ONLINE_JUDGE) || OTHER", Some(true)),
            ("defined(OTHER)", None),
            ("LOCAL", Some(false)),
            ("N * 2 + 1 == 7 && 0x10 >> 2 == 4", Some(true)),
            ("M == 4", Some(true)),
            ("-N < 0 && ~0 == -1 && 10'000L > 9999", Some(true)),
            ("N / 0", None),
            ("F", None),
            ("__cplusplus >= 201703L", None),
            ("0 && (", None),
            ("N ? 1 : 0", None),
            ("", None),
        ] {
            let condition = Condition::Expression(expression.to_owned());
            assert_eq!(macros.holds(&condition), expected, "{expression}");
        }
    }

    #[test]
    fn one_branch_is_taken() {
        let mut nesting = Nesting::default();
        nesting.begin(Some(false), false);
        assert_eq!(nesting.is_kept(), Some(false));
        nesting.next(None);
        assert_eq!(nesting.is_kept(), None);
        nesting.next(Some(true));
        assert_eq!(nesting.is_kept(), None);
        nesting.end();
        nesting.begin(Some(true), false);
        nesting.next(Some(true));
        assert_eq!(nesting.is_kept(), Some(false));
        nesting.begin(None, false);
        assert_eq!(nesting.is_kept(), Some(false));
    }
}
