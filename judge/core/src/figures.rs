//! Figures as text.

/// `1 case`, `2 cases`.
pub fn plural(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// Seconds in a suitable unit: `0.4 ms`, `123 ms`, `1.234 s`.
pub fn seconds(s: f64) -> String {
    let ms = s * 1000.0;
    if ms < 9.95 {
        format!("{ms:.1} ms")
    } else if ms < 999.5 {
        format!("{ms:.0} ms")
    } else {
        format!("{s:.3} s")
    }
}

/// A count in millions: `459.1 million`.
pub fn millions(count: f64) -> String {
    format!("{:.1} million", count / 1e6)
}

/// Points, rounded to hide errors of floating-point sums: `168.08`.
pub fn points(score: f64) -> String {
    let short = format!("{score:.6}");
    short.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Bytes in MiB: `1.3 MiB`.
pub fn bytes(bytes: u64) -> String {
    let mib = bytes as f64 / (1024.0 * 1024.0);
    if mib < 99.95 {
        format!("{mib:.1} MiB")
    } else {
        format!("{mib:.0} MiB")
    }
}

/// Whole MiB, rounded up: `13`.
pub fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_shown_in_a_suitable_unit() {
        assert_eq!(seconds(0.000_41), "0.4 ms");
        assert_eq!(seconds(0.009_99), "10 ms");
        assert_eq!(seconds(0.123_4), "123 ms");
        assert_eq!(seconds(0.999_9), "1.000 s");
        assert_eq!(seconds(2.5), "2.500 s");
        assert_eq!(bytes(1_300_000), "1.2 MiB");
        assert_eq!(bytes(256 << 20), "256 MiB");
        assert_eq!(points(168.079_999_999_999_98), "168.08");
        assert_eq!(points(100.0), "100");
        assert_eq!(points(0.0), "0");
    }
}
