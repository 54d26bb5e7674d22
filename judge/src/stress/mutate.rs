//! Random mutations of an input, to search for slow inputs.

use judge_core::statistics::Random;

/// Mutates one line, token or character of `input`. The replacement is taken from elsewhere in the
/// input, so that the result often stays legal. The final line feed stays. Deterministic in `seed`.
pub fn mutate(input: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    // The final line feed ends the last line; behind it there is no further line to move.
    let (text, end) = match input.strip_suffix(b"\n") {
        Some(text) => (text, &b"\n"[..]),
        None => (input, &b""[..]),
    };
    let mut lines: Vec<Vec<u8>> = text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    let count = lines.len();
    let (a, b) = (random.below(count), random.below(count));
    match random.below(5) {
        0 => lines.swap(a, b),
        1 => {
            let from = lines[b].clone();
            swap_tokens(&mut lines[a], &from, &mut random);
        }
        2 => lines[a].reverse(),
        3 if count > 1 => {
            let line = lines[b].clone();
            lines[a] = line;
        }
        _ => {
            // Copies a character to another position.
            let pool: Vec<u8> = input
                .iter()
                .copied()
                .filter(|c| !c.is_ascii_whitespace())
                .collect();
            let line = &mut lines[a];
            if !pool.is_empty() && !line.is_empty() {
                let place = random.below(line.len());
                if !line[place].is_ascii_whitespace() {
                    line[place] = pool[random.below(pool.len())];
                }
            }
        }
    }
    let mut mutated = lines.join(&b'\n');
    mutated.extend_from_slice(end);
    mutated
}

/// Replaces a token of `line` with one of `from`.
fn swap_tokens(line: &mut Vec<u8>, from: &[u8], random: &mut Random) {
    let tokens =
        |text: &[u8]| -> Vec<Vec<u8>> { text.split(|&b| b == b' ').map(<[u8]>::to_vec).collect() };
    let mut own = tokens(line);
    let theirs = tokens(from);
    let place = random.below(own.len());
    own[place].clone_from(&theirs[random.below(theirs.len())]);
    *line = own.join(&b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_change() {
        let input = b"3\n1 2 3\n4 5 6\n";
        let changed: Vec<Vec<u8>> = (0..200).map(|seed| mutate(input, seed)).collect();
        assert_eq!(
            changed,
            (0..200).map(|seed| mutate(input, seed)).collect::<Vec<_>>()
        );
        assert!(changed.iter().any(|c| c != input));
        assert_eq!(mutate(b"", 7), b"");
    }

    #[test]
    fn lines_are_neither_added_nor_emptied() {
        for seed in 0..200 {
            let mutated = mutate(b"12\n34\n", seed);
            let lines: Vec<&[u8]> = mutated.split_inclusive(|&b| b == b'\n').collect();
            let is_full = |line: &&[u8]| line.len() == 3 && line.ends_with(b"\n");
            assert!(lines.len() == 2 && lines.iter().all(is_full), "{mutated:?}");
        }
    }
}
