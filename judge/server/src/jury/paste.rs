//! Users to add, and pasted tables of them: columns with commas, semicolons or tabs between them.

use crate::contest_package::Account;
use crate::http::{Result, bad_request};
use crate::store::{NewUser, Role};

/// Maximum number of users to add at once.
const MAX_USERS: usize = 5000;

/// Reads a line for each user: name, name to show, role, team, password.
/// Fails with the first line that is wrong, and why.
pub fn users(table: &str) -> Result<Vec<Account>> {
    // Spreadsheets write a byte-order mark, semicolons in half of the world, and empty columns.
    let table = table.trim_start_matches('\u{feff}');
    let lines = table
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    let users: Vec<Account> = lines
        .map(|(line, number)| {
            let in_line = |what: &str| bad_request(format!("line {number}: {what}"));
            let columns = columns(line).map_err(&in_line)?;
            user(&columns).map_err(|error| in_line(&error.message))
        })
        .collect::<Result<_>>()?;
    match users.len() {
        0 => Err(bad_request("the table is empty")),
        1..=MAX_USERS => Ok(users),
        _ => Err(bad_request(format!("at most {MAX_USERS} users at once"))),
    }
}

fn user(columns: &[String]) -> Result<Account> {
    let column = |k: usize| columns.get(k).cloned().filter(|text| !text.is_empty());
    let team = column(3);
    let given = column(2).map(|word| role(&word)).transpose()?;
    let usual = if team.is_some() {
        Role::Team
    } else {
        Role::Public
    };
    let missing = || bad_request("the first column, the name, is empty");
    if columns.iter().skip(5).any(|text| !text.is_empty()) {
        return Err(bad_request("more than five columns"));
    }
    let name = column(0).ok_or_else(missing)?;
    Ok(Account {
        user: NewUser {
            ext: name.clone(),
            name,
            display_name: column(1),
            role: given.unwrap_or(usual),
            ..NewUser::default()
        },
        password: column(4),
        team,
        in_contest: None,
    })
}

pub fn role(word: &str) -> Result<Role> {
    let wrong = || {
        bad_request(format!(
            "{word:?} is not a role: public, team, jury or admin"
        ))
    };
    Role::from_word(word).ok_or_else(wrong)
}

/// The columns of a line: with tabs as they are; with commas or semicolons, whichever comes first, quotes may surround a
/// column, in which two quotes are one.
fn columns(line: &str) -> std::result::Result<Vec<String>, &'static str> {
    if line.contains('\t') {
        return Ok(line
            .split('\t')
            .map(|text| text.trim().to_owned())
            .collect());
    }
    let mut columns = Vec::new();
    let mut rest = line.trim();
    let separator = match rest.find([',', ';']).map(|at| rest.as_bytes()[at]) {
        Some(b';') => ';',
        _ => ',',
    };
    loop {
        let (column, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_column(quoted)?,
            None => match rest.find(separator) {
                Some(at) => (rest[..at].trim().to_owned(), &rest[at..]),
                None => (rest.trim().to_owned(), ""),
            },
        };
        columns.push(column);
        match after.strip_prefix(separator) {
            Some(next) => rest = next.trim_start(),
            None if after.is_empty() => return Ok(columns),
            None => return Err("text after the quotes of a column"),
        }
    }
}

/// The column up to the closing quote, and the text after it.
fn quoted_column(text: &str) -> std::result::Result<(String, &str), &'static str> {
    let mut column = String::new();
    let mut rest = text;
    loop {
        let at = rest.find('"').ok_or("quotes that are not closed")?;
        column.push_str(&rest[..at]);
        match rest[at + 1..].strip_prefix('"') {
            Some(more) => {
                column.push('"');
                rest = more;
            }
            None => return Ok((column, rest[at + 1..].trim_start())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_commas_quotes_or_tabs() {
        let read = |line| columns(line).map(|columns| columns.join("|"));
        assert_eq!(read("a, b ,,c"), Ok("a|b||c".to_owned()));
        assert_eq!(read("a,\"b, \"\"c\"\"\",d"), Ok("a|b, \"c\"|d".to_owned()));
        assert_eq!(read("a\tb, c\td"), Ok("a|b, c|d".to_owned()));
        assert_eq!(read("a;b, c;\"d;\""), Ok("a|b, c|d;".to_owned()));
        assert_eq!(read("a,b;c"), Ok("a|b;c".to_owned()));
        assert!(read("a,\"b").is_err());
        assert!(read("a,\"b\"c").is_err());
    }

    #[test]
    fn tables_of_spreadsheets_are_read() {
        let read = users("\u{feff}ann;Ann, A.;team;t1;;;\r\n\r\nbob;Bob;jury\r\n").expect("users");
        let shown: Vec<_> = read
            .iter()
            .map(|own| (&*own.user.name, own.user.display_name.as_deref()))
            .collect();
        assert_eq!(shown, [("ann", Some("Ann, A.")), ("bob", Some("Bob"))]);
        assert_eq!(read[0].password, None);
        assert!(users("a,b,,,,x\n").is_err());
    }

    #[test]
    fn roles_follow_from_teams() {
        let read = users("ann,Ann\nbob,Bob,,t1\neve,Eve,jury,,secret\n").expect("users");
        let roles: Vec<Role> = read.iter().map(|own| own.user.role).collect();
        assert_eq!(roles, [Role::Public, Role::Team, Role::Jury]);
        assert_eq!(read[2].password.as_deref(), Some("secret"));
        let wrong = users("ann,Ann\nbob,Bob,king\n");
        assert!(
            matches!(&wrong, Err(error) if error.message.starts_with("line 2: ")),
            "{wrong:?}"
        );
    }
}
