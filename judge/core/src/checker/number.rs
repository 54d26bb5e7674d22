//! Parses floating-point tokens as the default validator does.
//!
//! The reference reads a token with C's `scanf("%lf")` and accepts it as a number if the whole
//! token is consumed and the value is finite. So a number is decimal or, with `0x`, hexadecimal; an
//! exponent may lack its digits (`1e`, `1e+`), because `scanf` consumes such a token; the rest of a
//! token after a NUL byte is ignored; `inf`, `nan` and values that overflow are text.
//!
//! Version 2025-09 has a grammar instead: decimal, with digits in the exponent.

use judge_package::NumberSyntax;

/// More significant decimal digits than correct rounding of any `f64` needs (767).
const KEPT_DIGITS: usize = 800;
/// Tokens up to this length go to the standard library's parser first.
const SHORT: usize = 64;
/// Larger exponents give 0 or infinity; the bound keeps the arithmetic from overflowing.
const HUGE_EXPONENT: i64 = 1 << 40;

/// The value of a token, or `None` when it is not a finite number.
pub fn parse(token: &[u8], syntax: NumberSyntax) -> Option<f64> {
    read(token, syntax).filter(|value| value.is_finite())
}

/// The value of a token that `scanf` reads, or `None` when it is not a number; a number that is too
/// large is infinite.
pub fn parse_extended(token: &[u8]) -> Option<f64> {
    read(token, NumberSyntax::C)
}

fn read(token: &[u8], syntax: NumberSyntax) -> Option<f64> {
    match token.first() {
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {}
        _ => return None,
    }
    // Not `+inf`, which the standard library knows.
    if token.len() <= SHORT
        && let Ok(text) = str::from_utf8(token)
        && let Ok(value) = text.parse::<f64>()
        && !text.contains(['i', 'n', 'I', 'N'])
    {
        return Some(value);
    }
    let mut scan = Scan::new(syntax);
    scan.feed(token);
    scan.value()
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum State {
    #[default]
    Start,
    /// After the sign: no character of the number yet.
    Signed,
    /// After a first `0`, where an `x` may follow.
    Zero,
    Integer,
    Fraction,
    /// After `e` or `p`.
    Exponent,
    /// After the exponent's sign.
    ExponentSigned,
    /// After a digit of the exponent.
    ExponentDigits,
    /// After a NUL byte: the rest is ignored.
    Ended,
    Bad,
}

/// Parses a number incrementally, in memory independent of the token's length.
#[derive(Clone, Default, Debug)]
pub struct Scan {
    state: State,
    syntax: NumberSyntax,
    negative: bool,
    hex: bool,
    /// Whether the mantissa has a digit, leading zeros included.
    any: bool,
    /// The significant digits, without leading zeros; at most [`KEPT_DIGITS`].
    digits: Vec<u8>,
    /// Whether a non-zero digit was dropped after those.
    sticky: bool,
    /// The mantissa is `digits` times base to this power.
    scale: i64,
    exponent_negative: bool,
    exponent: i64,
}

impl Scan {
    /// A scan before the first byte of a token.
    pub fn new(syntax: NumberSyntax) -> Self {
        Scan {
            syntax,
            ..Scan::default()
        }
    }

    /// Feeds the next bytes of the token.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if matches!(self.state, State::Bad | State::Ended) {
                return;
            }
            self.state = self.step(byte);
        }
    }

    fn step(&mut self, byte: u8) -> State {
        use State::{
            Bad, Ended, Exponent, ExponentDigits, ExponentSigned, Fraction, Integer, Signed, Start,
            Zero,
        };
        let is_c = self.syntax == NumberSyntax::C;
        if byte == 0 && is_c {
            return Ended;
        }
        match (self.state, byte) {
            (Start, b'+') => Signed,
            (Start, b'-') => {
                self.negative = true;
                Signed
            }
            (Start | Signed, b'0') => {
                self.any = true;
                Zero
            }
            (Zero, b'x' | b'X') if is_c => {
                self.hex = true;
                self.any = false;
                Integer
            }
            (Start | Signed | Zero | Integer, b'.') => Fraction,
            (Start | Signed | Zero | Integer, _) if self.is_digit(byte) => {
                self.digit(byte, false);
                Integer
            }
            (Fraction, _) if self.is_digit(byte) => {
                self.digit(byte, true);
                Fraction
            }
            (Zero | Integer | Fraction, b'e' | b'E') if !self.hex && self.any => Exponent,
            (Integer | Fraction, b'p' | b'P') if self.hex && self.any => Exponent,
            (Exponent, b'+') => ExponentSigned,
            (Exponent, b'-') => {
                self.exponent_negative = true;
                ExponentSigned
            }
            (Exponent | ExponentSigned | ExponentDigits, b'0'..=b'9') => {
                let next = self.exponent * 10 + i64::from(byte - b'0');
                self.exponent = next.min(HUGE_EXPONENT);
                ExponentDigits
            }
            _ => Bad,
        }
    }

    fn is_digit(&self, byte: u8) -> bool {
        byte.is_ascii_digit() || self.hex && byte.is_ascii_hexdigit()
    }

    fn digit(&mut self, byte: u8, fraction: bool) {
        self.any = true;
        let kept = if self.digits.is_empty() && byte == b'0' {
            true // a leading zero: it only moves the point
        } else if self.digits.len() < KEPT_DIGITS {
            self.digits.push(byte);
            true
        } else {
            self.sticky |= byte != b'0';
            false
        };
        match (fraction, kept) {
            (true, true) => self.scale -= 1,
            (false, false) => self.scale += 1,
            _ => {}
        }
    }

    /// The value, or `None` when it is not a finite number.
    pub fn finish(self) -> Option<f64> {
        self.value().filter(|value| value.is_finite())
    }

    /// The value, infinite if it is too large, or `None` when it is not a number.
    fn value(mut self) -> Option<f64> {
        let lacks_exponent = matches!(self.state, State::Exponent | State::ExponentSigned);
        let is_cut = lacks_exponent && self.syntax == NumberSyntax::Decimal;
        if self.state == State::Bad || is_cut {
            return None;
        }
        // scanf consumes `0x.` and returns 0.
        let bare_point = self.hex && self.state == State::Fraction;
        if !(self.any || bare_point) {
            return None;
        }
        let exponent = match self.exponent_negative {
            true => -self.exponent,
            false => self.exponent,
        };
        if self.digits.is_empty() {
            return Some(if self.negative { -0.0 } else { 0.0 });
        }
        let value = if self.hex {
            hexadecimal(&self.digits, self.sticky, self.scale, exponent)
        } else {
            if self.sticky {
                self.digits.push(b'1');
                self.scale -= 1;
            }
            let mut text = String::from_utf8(self.digits).ok()?;
            text.push_str(&format!("e{}", self.scale.saturating_add(exponent)));
            text.parse::<f64>().ok()?
        };
        Some(if self.negative { -value } else { value })
    }
}

/// `digits` times 16 to `scale` times 2 to `exponent`, rounded to nearest, ties to even.
fn hexadecimal(digits: &[u8], mut sticky: bool, scale: i64, exponent: i64) -> f64 {
    let mut mantissa = 0_u64;
    let mut exponent = scale.saturating_mul(4).saturating_add(exponent);
    for (index, &digit) in digits.iter().enumerate() {
        let value = u64::from(char::from(digit).to_digit(16).unwrap_or(0));
        if index < 16 {
            mantissa = mantissa << 4 | value;
        } else {
            sticky |= value != 0;
            exponent = exponent.saturating_add(4);
        }
    }
    // The first digit is not 0, so neither is the mantissa.
    let bits = i64::from(64 - mantissa.leading_zeros());
    let top = exponent.saturating_add(bits - 1);
    if top > 1023 {
        return f64::INFINITY;
    }
    if top < -1075 {
        return 0.0;
    }
    let precision = if top >= -1022 { 53 } else { 53 + top + 1022 };
    let drop = bits - precision;
    let (kept, exponent) = if drop > 0 {
        let wide = u128::from(mantissa);
        let (kept, rest) = (wide >> drop, wide & ((1 << drop) - 1));
        let half = 1_u128 << (drop - 1);
        let up = rest > half || rest == half && (sticky || kept & 1 == 1);
        (kept as u64 + u64::from(up), exponent + drop)
    } else {
        (mantissa, exponent)
    };
    // Both factors and the product are representable: the product is exact.
    kept as f64 * (exponent as f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: NumberSyntax = NumberSyntax::C;

    fn scanned(token: &[u8]) -> Option<f64> {
        let mut scan = Scan::new(C);
        for byte in token {
            scan.feed(std::slice::from_ref(byte));
        }
        scan.finish()
    }

    #[test]
    fn numbers_are_recognised() {
        #[rustfmt::skip]
        let table: &[(&str, Option<f64>)] = &[
            ("0", Some(0.0)), ("-0", Some(0.0)), ("+0", Some(0.0)), ("00012", Some(12.0)),
            ("1.", Some(1.0)), (".5", Some(0.5)), ("-.5", Some(-0.5)), ("+.5", Some(0.5)),
            ("1e5", Some(1e5)), ("1E+5", Some(1e5)), ("1.e-5", Some(1e-5)), ("1e005", Some(1e5)),
            ("1e", Some(1.0)), ("1e+", Some(1.0)), ("1e-", Some(1.0)), ("0e", Some(0.0)),
            ("0e99999999999999999999", Some(0.0)), ("1e-99999999999999999999", Some(0.0)),
            ("1e99999999999999999999", None), ("1e309", None), ("-1e309", None),
            ("1.7976931348623157e308", Some(f64::MAX)), ("1.7976931348623159e308", None),
            ("4.9e-324", Some(5e-324)), ("2.4e-324", Some(0.0)),
            ("123456789012345678901234567890", Some(1.2345678901234568e29)),
            ("0x10", Some(16.0)), ("0X1P3", Some(8.0)), ("0x.8", Some(0.5)), ("0x1.8p-1", Some(0.75)),
            ("0x1p", Some(1.0)), ("0x1p+", Some(1.0)), ("-0xA", Some(-10.0)), ("0x1e1", Some(481.0)),
            ("0x.", Some(0.0)), ("0x0p", Some(0.0)), ("0x1p1024", None), ("0x1p-1074", Some(5e-324)),
            ("0x1p-1075", Some(0.0)), ("0x1.8p-1075", Some(5e-324)), ("0x1.00000000000008p0", Some(1.0)),
            ("0x1.000000000000080000000000000001p0", Some(1.0000000000000002)),
            ("0x1.fffffffffffff8p1023", None), ("0x1.fffffffffffffp1023", Some(f64::MAX)),
            ("1\0x", Some(1.0)), ("\0", None),
            ("", None), ("+", None), ("-", None), (".", None), ("-.", None), ("e5", None),
            (".e5", None), ("--1", None), ("+-1", None), ("1f", None), ("1_0", None), ("1,5", None),
            ("1e5.0", None), ("1.5.2", None), ("0x", None), ("0xp1", None), ("0x.p1", None),
            ("1e5x", None), ("1d5", None), ("inf", None), ("Infinity", None), ("nan", None),
            ("-nan", None), ("\u{feff}1", None), ("1x", None), ("00x1", None), ("0b1", None),
        ];
        for &(token, expected) in table {
            assert_eq!(parse(token.as_bytes(), C), expected, "{token:?}");
            assert_eq!(
                scanned(token.as_bytes()),
                expected,
                "{token:?}, byte by byte"
            );
        }
    }

    #[test]
    fn numbers_of_2025_are_decimal() {
        for (token, expected) in [
            ("5e0", Some(5.0)),
            ("-.5E+1", Some(-5.0)),
            ("7.", Some(7.0)),
            ("0x10", None),
            ("5e", None),
            ("5e-", None),
            ("5\0", None),
        ] {
            let found = parse(token.as_bytes(), NumberSyntax::Decimal);
            assert_eq!(found, expected, "{token:?}");
        }
    }

    #[test]
    fn a_token_of_any_length_is_rounded_correctly() {
        let mut token = vec![b'0'; 1 << 20];
        token.extend(b"1.");
        token.extend(vec![b'0'; 1 << 20]);
        assert_eq!(parse(&token, C), Some(1.0));
        // Exactly between two doubles, followed by a digit a million places later.
        let half = "9007199254740993";
        assert_eq!(parse(half.as_bytes(), C), Some(9_007_199_254_740_992.0));
        let mut token = half.as_bytes().to_vec();
        token.push(b'.');
        token.extend(vec![b'0'; 1 << 20]);
        assert_eq!(parse(&token, C), Some(9_007_199_254_740_992.0));
        token.push(b'1');
        assert_eq!(parse(&token, C), Some(9_007_199_254_740_994.0));
        let mut token = vec![b'7'; 1 << 20];
        token.extend(b"e-1048575");
        assert_eq!(parse(&token, C), Some(7.777_777_777_777_778));
    }

    #[test]
    fn scan_and_parse_agree_on_random_bits() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(state);
            if !value.is_finite() {
                continue;
            }
            assert_eq!(scanned(format!("{value:e}").as_bytes()), Some(value));
            assert_eq!(scanned(format!("{value}").as_bytes()), Some(value));
        }
    }
}
