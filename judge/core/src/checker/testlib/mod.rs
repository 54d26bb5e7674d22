//! The standard checkers of testlib, which packages name without shipping them.
//!
//! Each decides as its program does. A malformed output is a presentation error, testlib's "wrong output
//! format"; so is text after the end of a right output. A malformed answer is an error of the package.
//!
//! Source: testlib, `checkers/` and `testlib.h`.

mod cases;
mod stream;

use self::stream::{Role, Stop, Stream, tokens_differ};
use super::builtin::differs;
use super::default::{Kind, Mismatch};
use super::outcome::{CheckFault, Outcome, Score};
use super::source::{Source, is_space};
use super::unordered::Sum;
use judge_package::TestlibChecker;

/// testlib adds this to each tolerance.
const ROUNDING: f64 = 1e-15;

/// Checks an output with a standard checker. Fails also when the answer is not what the checker
/// compares with.
pub fn check<'a>(
    output: impl Into<Source<'a>>,
    answer: impl Into<Source<'a>>,
    checker: TestlibChecker,
) -> Result<Outcome, CheckFault> {
    let (output, answer) = (output.into(), answer.into());
    let unreadable = CheckFault::io("the output or its answer");
    match compare(output, answer, checker) {
        Ok(outcome) => Ok(outcome),
        Err(Stop::Rejected(judgement, message)) => Ok(Outcome {
            judgement,
            ..Outcome::rejected(message)
        }),
        Err(Stop::Differs(mismatch)) => differs(output, answer, Some(mismatch)).map_err(unreadable),
        Err(Stop::Answer(what)) => Err(CheckFault::Case(format!(
            "the answer is not what the checker compares with: {what}"
        ))),
        Err(Stop::Io(error)) => Err(unreadable(error)),
    }
}

fn compare(
    output: Source<'_>,
    answer: Source<'_>,
    checker: TestlibChecker,
) -> Result<Outcome, Stop> {
    let mut output = Stream::new(output, Role::Output)?;
    let mut answer = Stream::new(answer, Role::Answer)?;
    let (found, wanted) = (&mut output, &mut answer);
    let outcome = match checker {
        TestlibChecker::Acmp | TestlibChecker::Rcmp => {
            number(found, wanted, &|a, b| is_within(a, b, 1.5e-6))
        }
        TestlibChecker::Dcmp => number(found, wanted, &|a, b| is_near(a, b, 1e-6)),
        TestlibChecker::Rcmp4 => numbers(found, wanted, &|a, b| is_near(a, b, 1e-4)),
        TestlibChecker::Rcmp6 => numbers(found, wanted, &|a, b| is_near(a, b, 1e-6)),
        TestlibChecker::Rcmp9 => numbers(found, wanted, &|a, b| is_near(a, b, 1e-9)),
        TestlibChecker::Rncmp => numbers(found, wanted, &|a, b| is_within(a, b, 1.5e-5)),
        TestlibChecker::Pointscmp => points(found, wanted),
        TestlibChecker::Pointsinfo => remark(found, wanted),
        TestlibChecker::Icmp => {
            let (expected, given) = (wanted.int()?, found.int()?);
            same(expected == given, found, wanted)
        }
        TestlibChecker::Ncmp => integers(found, wanted),
        TestlibChecker::Uncmp => unordered_integers(found, wanted),
        TestlibChecker::Hcmp => huge_integer(found, wanted),
        TestlibChecker::Wcmp => tokens(found, wanted),
        TestlibChecker::Fcmp => lines(found, wanted),
        TestlibChecker::Lcmp => tokens_of_lines(found, wanted),
        TestlibChecker::Yesno => yes_or_no(found, wanted),
        TestlibChecker::Nyesno => yes_or_nos(found, wanted),
        TestlibChecker::Caseicmp => cases::integer_each(found, wanted),
        TestlibChecker::Casencmp => cases::sequences(found, wanted, &|stream| {
            Ok(stream.token_as_long()?.to_string().into_bytes())
        }),
        TestlibChecker::Casewcmp => {
            cases::sequences(found, wanted, &|stream| Ok(stream.token.clone()))
        }
    }?;
    match output.only_space_follows()? {
        true => Ok(outcome),
        false => {
            output.read_token("the end")?;
            Err(output.malformed("the end"))
        }
    }
}

/// Accepts, or rejects the last tokens of both streams.
fn same(equal: bool, found: &Stream<'_>, wanted: &Stream<'_>) -> Result<Outcome, Stop> {
    match equal {
        true => Ok(Outcome::accepted()),
        false => Err(tokens_differ(found, wanted, Kind::Token)),
    }
}

fn is_within(expected: f64, found: f64, tolerance: f64) -> bool {
    let error = (expected - found).abs();
    // Two equal infinities differ by NaN, which exceeds no tolerance.
    error.is_nan() || error <= tolerance + ROUNDING
}

/// testlib's `doubleCompare`: absolute or relative error.
fn is_near(expected: f64, found: f64, tolerance: f64) -> bool {
    let is_infinite = |value: f64| value.abs() > 1e300;
    let tolerance = tolerance + ROUNDING;
    if is_infinite(expected) {
        return is_infinite(found) && (expected > 0.0) == (found > 0.0);
    }
    if is_infinite(found) {
        return false;
    }
    let (a, b) = (expected * (1.0 - tolerance), expected * (1.0 + tolerance));
    (found - expected).abs() <= tolerance || (a.min(b)..=a.max(b)).contains(&found)
}

type AreEqual<'f> = &'f dyn Fn(f64, f64) -> bool;

fn number(
    found: &mut Stream<'_>,
    wanted: &mut Stream<'_>,
    are_equal: AreEqual<'_>,
) -> Result<Outcome, Stop> {
    let (expected, given) = (wanted.double()?, found.double()?);
    match are_equal(expected, given) {
        true => Ok(Outcome::accepted()),
        false => Err(tokens_differ(found, wanted, Kind::TooFar(expected, given))),
    }
}

fn numbers(
    found: &mut Stream<'_>,
    wanted: &mut Stream<'_>,
    are_equal: AreEqual<'_>,
) -> Result<Outcome, Stop> {
    while !wanted.only_space_follows()? {
        number(found, wanted, are_equal)?;
    }
    Ok(Outcome::accepted())
}

/// Gives the difference of two numbers as points.
fn points(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    let difference = (wanted.double()? - found.double()?).abs();
    if difference.is_nan() || difference > 1e6 + 1e-8 {
        return Err(Stop::Answer(format!(
            "the difference {difference} is no number of points: it is above 1000000"
        )));
    }
    // testlib prints ten decimals.
    let printed = format!("{:.10}", difference.min(1e6));
    let points = printed.parse().unwrap_or(difference);
    Ok(Outcome {
        score: Some(Score::Points(points)),
        message: Some(format!("the numbers differ by {points}")),
        ..Outcome::accepted()
    })
}

/// Says the difference of two numbers, and gives no points.
fn remark(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    let (given, expected) = (found.double()?, wanted.double()?);
    let difference = (expected - given).abs();
    Ok(Outcome::rejected(format!(
        "the numbers differ by {difference}; this checker gives no points"
    )))
}

fn integers(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    while !wanted.only_space_follows()? && !found.only_space_follows()? {
        let (expected, given) = (wanted.long()?, found.long()?);
        same(expected == given, found, wanted)?;
    }
    rest(found, wanted, &|stream| stream.long().map(drop))
}

/// Reads what follows in both streams; it must be nothing.
fn rest(
    found: &mut Stream<'_>,
    wanted: &mut Stream<'_>,
    read: &dyn Fn(&mut Stream<'_>) -> Result<(), Stop>,
) -> Result<Outcome, Stop> {
    let (is_short, is_long) = (!wanted.only_space_follows()?, !found.only_space_follows()?);
    let at = |kind| {
        Err(Stop::Differs(Mismatch::at(
            kind,
            found.offset(),
            wanted.offset(),
        )))
    };
    let end = match (is_short, is_long) {
        (true, _) => at(Kind::Missing),
        (false, true) => at(Kind::Extra),
        (false, false) => Ok(Outcome::accepted()),
    };
    while !wanted.only_space_follows()? {
        read(wanted)?;
    }
    while !found.only_space_follows()? {
        read(found)?;
    }
    end
}

fn unordered_integers(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    let sum = |stream: &mut Stream<'_>| -> Result<Sum, Stop> {
        let mut sum = Sum::default();
        while !stream.only_space_follows()? {
            sum.add_bytes(&stream.long()?.to_le_bytes());
        }
        Ok(sum)
    };
    let (wanted, found) = (sum(wanted)?, sum(found)?);
    match found.difference(&wanted, "integers") {
        None => Ok(Outcome::accepted()),
        Some(difference) => Err(Stop::wrong(difference)),
    }
}

fn huge_integer(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    let expected = "an integer without leading zeros";
    let is_integer = |token: &[u8]| {
        let digits = token.strip_prefix(b"-").unwrap_or(token);
        let is_canonical = matches!(digits.first(), Some(b'1'..=b'9')) || token == b"0";
        is_canonical && digits.iter().all(u8::is_ascii_digit)
    };
    wanted.read_token(expected)?;
    found.read_token(expected)?;
    if !is_integer(&wanted.token) {
        return Err(wanted.malformed(expected));
    }
    if !wanted.only_space_follows()? {
        return Err(Stop::Answer("more than one token".to_owned()));
    }
    if !is_integer(&found.token) {
        return Err(found.malformed(expected));
    }
    same(found.token == wanted.token, found, wanted)
}

fn tokens(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    while !wanted.only_space_follows()? && !found.only_space_follows()? {
        wanted.read_token("a token")?;
        found.read_token("a token")?;
        same(found.token == wanted.token, found, wanted)?;
    }
    rest(found, wanted, &|stream| stream.read_token("a token"))
}

type EqualLines<'f> =
    &'f dyn Fn(&mut Stream<'_>, &mut Stream<'_>, Option<u8>) -> std::io::Result<bool>;

/// Compares line by line; `equal` compares the current lines of output and answer, to whose first byte
/// it gets the answer's.
fn each_line(
    found: &mut Stream<'_>,
    wanted: &mut Stream<'_>,
    equal: EqualLines<'_>,
) -> Result<Outcome, Stop> {
    while !wanted.is_at_end()? {
        let start = (found.offset(), wanted.offset());
        let first = wanted.line_byte()?;
        if first.is_none() && wanted.is_at_end()? {
            break;
        }
        if !equal(found, wanted, first)? {
            return Err(Stop::Differs(Mismatch::at(Kind::Byte, start.0, start.1)));
        }
    }
    Ok(Outcome::accepted())
}

fn lines(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    each_line(found, wanted, &|found, wanted, mut byte| {
        loop {
            if found.line_byte()? != byte {
                return Ok(false);
            }
            if byte.is_none() {
                return Ok(true);
            }
            byte = wanted.line_byte()?;
        }
    })
}

fn tokens_of_lines(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    each_line(found, wanted, &|found, wanted, byte| {
        let first = found.line_byte()?;
        let (mut a, mut b) = (Words::starting(first), Words::starting(byte));
        loop {
            let (x, y) = (a.next(found)?, b.next(wanted)?);
            if x != y {
                return Ok(false);
            }
            if x.is_none() {
                return Ok(true);
            }
        }
    })
}

/// The bytes of the tokens of a line; each token but the first follows one blank.
struct Words {
    /// The next byte of the line; `None` at its end.
    ahead: Option<u8>,
    has_token: bool,
}

impl Words {
    fn starting(first: Option<u8>) -> Self {
        Words {
            ahead: first,
            has_token: false,
        }
    }

    fn next(&mut self, stream: &mut Stream<'_>) -> std::io::Result<Option<u8>> {
        let mut skipped = false;
        while let Some(byte) = self.ahead {
            if !is_space(byte) {
                if skipped && self.has_token {
                    return Ok(Some(b' '));
                }
                self.has_token = true;
                self.ahead = stream.line_byte()?;
                return Ok(Some(byte));
            }
            skipped = true;
            self.ahead = stream.line_byte()?;
        }
        Ok(None)
    }
}

/// The expected form of an answer of [`TestlibChecker::Yesno`].
const YES_OR_NO: &str = "YES or NO";

fn yes_or_no(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    wanted.read_token(YES_OR_NO)?;
    found.read_token(YES_OR_NO)?;
    let check = |stream: &mut Stream<'_>| {
        stream.token.make_ascii_uppercase();
        match &stream.token[..] {
            b"YES" | b"NO" => Ok(()),
            _ => Err(stream.malformed(YES_OR_NO)),
        }
    };
    check(wanted)?;
    check(found)?;
    same(found.token == wanted.token, found, wanted)
}

fn yes_or_nos(found: &mut Stream<'_>, wanted: &mut Stream<'_>) -> Result<Outcome, Stop> {
    while !wanted.only_space_follows()? && !found.only_space_follows()? {
        yes_or_no(found, wanted)?;
    }
    rest(found, wanted, &|stream| stream.read_token("a token"))
}
