//! How to sign in: environment variables, or `~/.netrc`.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// The value of the header `authorization` for a host. `var` is the value of the variable that ends in this name.
pub(super) fn authorization(
    var: impl Fn(&str) -> Option<String>,
    netrc: Option<&str>,
    host: &str,
) -> Option<String> {
    if let Some(token) = var("TOKEN") {
        return Some(format!("Bearer {token}"));
    }
    let given = var("USER").zip(var("PASSWORD"));
    let (user, password) = given.or_else(|| entry(netrc?, host))?;
    let encoded = BASE64_STANDARD.encode(format!("{user}:{password}"));
    Some(format!("Basic {encoded}"))
}

/// Login and password of a machine in a netrc file; `default` fits every machine.
fn entry(netrc: &str, host: &str) -> Option<(String, String)> {
    let mut words = netrc.split_whitespace();
    let (mut fits, mut login, mut password) = (false, None, None);
    while let Some(word) = words.next() {
        match word {
            "machine" | "default" => {
                if fits {
                    break;
                }
                fits = word == "default" || words.next() == Some(host);
            }
            "login" => login = words.next().filter(|_| fits).or(login),
            "password" => password = words.next().filter(|_| fits).or(password),
            _ => {}
        }
    }
    Some((login?.to_owned(), password?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETRC: &str = "machine a.org login ann password secret\nmachine b.org\n  login bob\n  \
                         password word\ndefault login any password one\n";

    #[test]
    fn entries_are_found_by_machine() {
        let found = |host| entry(NETRC, host).expect("an entry");
        assert_eq!(found("a.org"), ("ann".into(), "secret".into()));
        assert_eq!(found("b.org"), ("bob".into(), "word".into()));
        assert_eq!(found("c.org"), ("any".into(), "one".into()));
        assert_eq!(entry("machine a.org login ann password x", "b.org"), None);
    }

    #[test]
    fn a_token_comes_first() {
        let var = |name: &str| match name {
            "TOKEN" => Some("t".to_owned()),
            _ => None,
        };
        let token = authorization(var, Some(NETRC), "a.org");
        assert_eq!(token.as_deref(), Some("Bearer t"));
        let basic = authorization(|_| None, Some(NETRC), "a.org");
        assert_eq!(basic.as_deref(), Some("Basic YW5uOnNlY3JldA=="));
        assert_eq!(authorization(|_| None, None, "a.org"), None);
    }
}
