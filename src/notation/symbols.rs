//! Conversion between symbols and digits.

/// The largest side whose digits have symbols. In larger grids each cell is a number.
pub(super) const MAX_SYMBOLS: usize = 26;

/// Whether `byte` is read as an empty cell.
pub(super) const fn is_empty_mark(byte: u8) -> bool {
    // `|` instead of `||`: without branches, a loop over many symbols becomes vector code.
    (byte == b'.') | (byte == b'0') | (byte == b'-') | (byte == b'*') | (byte == b'?')
}

/// The symbol of the digit 1 at side `n`, at most [`MAX_SYMBOLS`].
#[inline]
pub(super) const fn first_symbol(n: usize) -> u8 {
    if n <= 9 { b'1' } else { b'A' }
}

/// The value of a symbol, 0 for an empty cell, and whether it is one.
#[inline(always)]
pub(super) const fn value_of<const N: usize>(byte: u8) -> (u8, bool) {
    let empty = is_empty_mark(byte);
    let index = byte.wrapping_sub(first_symbol(N));
    let value = if empty { 0 } else { index.wrapping_add(1) };
    (value, empty | ((index as usize) < N))
}

/// Writes the values of `symbols` to `values`; `false` when one of them is no symbol.
///
/// Both slices have the same length.
#[inline]
pub(crate) fn values<const N: usize>(symbols: &[u8], values: &mut [u8]) -> bool {
    let mut all = true;
    for (value, &symbol) in values.iter_mut().zip(symbols) {
        let (digit, is_symbol) = value_of::<N>(symbol);
        *value = digit;
        all &= is_symbol;
    }
    all
}

/// The value in the [`table`] for a byte that is no symbol.
pub(super) const NO_SYMBOL: u8 = 0x80;

/// The value of every byte as a symbol, or [`NO_SYMBOL`]. Above side [`MAX_SYMBOLS`] there are none.
pub(super) const fn table<const N: usize>() -> [u8; 256] {
    let mut table = [NO_SYMBOL; 256];
    let mut byte = 0;
    while byte < 256 && N <= MAX_SYMBOLS {
        let (value, is_symbol) = value_of::<N>(byte as u8);
        if is_symbol {
            table[byte] = value;
        }
        byte += 1;
    }
    table
}

/// The symbol of a cell with this value.
#[inline(always)]
pub(super) const fn symbol_of<const N: usize>(value: u8, empty: u8) -> u8 {
    match value {
        0 => empty,
        _ => value - 1 + first_symbol(N),
    }
}
