//! The glob patterns of `submissions.yaml`: `*` within a name, `{a,b}`; no `**`, no `[abc]`.

/// The maximum number of patterns that the braces of one pattern expand to; bounds the work for
/// hostile input.
const MAX_EXPANSIONS: usize = 1024;

/// Whether `pattern` matches `path` or one of the directories above it.
pub fn matches_path_or_parent(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_matches('/');
    expand_braces(pattern).iter().any(|pattern| {
        let wanted: Vec<&str> = pattern.split('/').collect();
        let found: Vec<&str> = path.split('/').collect();
        // A directory above `path` is a prefix of it: compares as many components as the pattern
        // has.
        wanted.len() <= found.len()
            && wanted
                .iter()
                .zip(&found)
                .all(|(wanted, found)| matches_name(wanted.as_bytes(), found.as_bytes()))
    })
}

/// Matches a name against `*` and literal bytes in time linear in the product of the lengths.
fn matches_name(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p + 1, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            p += 1;
            n += 1;
        } else if let Some((after, eaten)) = star {
            star = Some((after, eaten + 1));
            p = after;
            n = eaten + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

/// The maximum length of a pattern whose braces are expanded; bounds the memory.
const MAX_PATTERN: usize = 4096;

/// `a{b,c{d,e}}` gives `ab`, `acd`, `ace`. An unbalanced brace is literal.
pub fn expand_braces(pattern: &str) -> Vec<String> {
    if pattern.len() > MAX_PATTERN {
        return vec![pattern.to_owned()];
    }
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        if done.len() + open.len() >= MAX_EXPANSIONS {
            done.push(pattern);
            continue;
        }
        match innermost_choice(&pattern) {
            None => done.push(pattern),
            Some((from, to)) => {
                for choice in pattern[from + 1..to].split(',').rev() {
                    // Blanks around a choice are not part of it: `{ 4 }` is `4`.
                    let choice = choice.trim();
                    open.push(format!(
                        "{}{choice}{}",
                        &pattern[..from],
                        &pattern[to + 1..]
                    ));
                }
            }
        }
    }
    done
}

/// The byte positions of the braces around an innermost `{...,...}`.
fn innermost_choice(pattern: &str) -> Option<(usize, usize)> {
    let mut ends = pattern.match_indices('}');
    ends.find_map(|(to, _)| Some((pattern[..to].rfind('{')?, to)))
}

#[cfg(test)]
mod tests {
    use super::{expand_braces, matches_path_or_parent};

    #[test]
    fn patterns_match_names_and_directories_above() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("accepted/*.py", "accepted/a.cpp", false),
            ("*/a.{py,cpp}", "wrong_answer/a.cpp", true),
            ("{simple,complex}.py", "complex.py", true),
            ("secret/*-hard", "secret/01-hard", true),
            ("secret/*-hard", "secret/group/01-hard", false),
            ("secret/group1", "secret/group1/02", true),
            ("secret/group1", "secret/group10/02", false),
            ("*a*b*", "xaybz", true),
            ("*a*b", "xaybz", false),
            ("accepted/", "accepted/x", true),
            ("secret/*{ 4 }{ 2 }", "secret/42", true),
        ] {
            assert_eq!(
                matches_path_or_parent(pattern, path),
                expected,
                "{pattern} on {path}"
            );
        }
    }

    #[test]
    fn braces_nest_and_are_bounded() {
        assert_eq!(expand_braces("a{b,c{d,e}}"), ["ab", "acd", "ab", "ace"]);
        assert_eq!(expand_braces("a{b"), ["a{b"]);
        let hostile = "{a,b}".repeat(40);
        assert!(expand_braces(&hostile).len() <= 2 * 1024);
        let long = "{a,b}".repeat(1000);
        assert_eq!(expand_braces(&long), [long.as_str()]);
    }
}
