//! Access to the jury's pages: every address, as every role.

use super::site::{Site, Who, contest};
use axum::http::StatusCode;
use judge_server::jury::addresses;
use judge_server::store::{ContestRole, Role, SubmissionId};

/// The rules, each with the accounts that it lets in and the addresses that have it. `balloons`, `analyst` and `judge` have
/// that role in the contest of the addresses, `other` is of the jury of another contest.
const TABLE: &str = "
SeeDeliveries SomeContest: balloons analyst judge other jury admin
    GET /jury
    GET /jury/balloons
SeeDeliveries Contest: balloons analyst judge jury admin
    GET /jury/contests/{contest}/balloons
    GET /jury/contests/{contest}/prints
Deliver Contest: balloons judge jury admin
    POST /jury/contests/{contest}/balloons
    POST /jury/contests/{contest}/prints
SeeAll SomeContest: analyst judge other jury admin
    GET /jury/submissions
    GET /jury/rejudgings
    GET /jury/clarifications
Judge SomeContest: judge other jury admin
    POST /jury/rejudgings
    GET /jury/rejudgings/new
Operate Server: jury admin
    GET /jury/packages
    GET /jury/packages/{problem}
    GET /jury/uploads/{id}
    GET /jury/queue
    POST /jury/queue/retry
    POST /jury/queue/pause
    POST /jury/queue/resume
Manage Server: admin
    GET /jury/contests
    POST /jury/contests
    GET /jury/contests/{contest}
    POST /jury/contests/{contest}
    POST /jury/contests/{contest}/clock
    POST /jury/contests/{contest}/delete
    POST /jury/contests/{contest}/reopen
    POST /jury/contests/{contest}/penalty
    POST /jury/contests/{contest}/removed-time
    POST /jury/contests/{contest}/languages
    POST /jury/contests/{contest}/roles
    POST /jury/contests/{contest}/problems
    POST /jury/contests/{contest}/teams
    GET /jury/import
    POST /jury/import
    GET /jury/users
    POST /jury/users
    POST /jury/users/several
    POST /jury/users/{id}/password
    POST /jury/users/{id}/disabled
    POST /jury/users/{id}/delete
    GET /jury/teams
    POST /jury/teams
    GET /jury/teams/{id}
    POST /jury/teams/{id}
    POST /jury/teams/{id}/delete
    GET /jury/organizations
    POST /jury/organizations
    GET /jury/organizations/{id}
    POST /jury/organizations/{id}
    GET /jury/organizations/{id}/logo
    POST /jury/organizations/{id}/logo
    POST /jury/organizations/{id}/logo/remove
    GET /jury/groups
    POST /jury/groups
    GET /jury/groups/{id}
    POST /jury/groups/{id}
    POST /jury/packages
    POST /jury/packages/practice-data
    POST /jury/packages/{problem}/version
    POST /jury/packages/{problem}/limits
    POST /jury/packages/{problem}/delete
    POST /jury/uploads/{id}/publish
SeeAll Submission: analyst judge jury admin
    GET /jury/submissions/{id}
    GET /jury/submissions/{id}/source
    GET /jury/submissions/{id}/judgings/{judging}/cases/{case}/{file}
Judge Submission: judge jury admin
    POST /jury/submissions/{id}/ignored
    POST /jury/submissions/{id}/verdict
    POST /jury/submissions/{id}/verification
    POST /jury/submissions/{id}/judgings/{judging}/again
SeeAll Rejudging: analyst judge jury admin
    GET /jury/rejudgings/{id}
Judge Rejudging: judge jury admin
    POST /jury/rejudgings/{id}/apply
    POST /jury/rejudgings/{id}/drop
SeeAll Contest: analyst judge jury admin
    GET /jury/clarifications/{contest}
Judge Contest: judge jury admin
    POST /jury/clarifications/{contest}
    POST /jury/clarifications/{contest}/{id}/answer
    POST /jury/clarifications/{contest}/{id}/about
    POST /jury/clarifications/{contest}/{id}/note
";

/// The accounts of the table, and those that get in nowhere, the weakest first.
const ACCOUNTS: [&str; 9] = [
    "visitor",
    "team",
    "spectator",
    "balloons",
    "analyst",
    "other",
    "judge",
    "jury",
    "admin",
];

/// The blocks of [`TABLE`]: rule, accounts, and each `METHOD address`.
fn table() -> Vec<(&'static str, Vec<&'static str>, Vec<&'static str>)> {
    let mut blocks = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        match line.split_once(": ") {
            Some((rule, accounts)) => {
                blocks.push((rule, accounts.split(' ').collect(), Vec::new()));
            }
            None => {
                let (_, _, addresses) = blocks.last_mut().expect("a rule");
                addresses.push(line.trim());
            }
        }
    }
    blocks
}

/// A site with a submission and a rejudging of the contest `c1`.
struct Filled {
    site: Site,
    submission: SubmissionId,
}

impl Filled {
    fn new() -> Self {
        let site = Site::new();
        let team = site.user("team", Role::Team);
        let submission = site.submit(team, true, "print(1)");
        site.judge_next("WA").expect("it waits");
        let added = site.app.store.add_rejudging("again", None, &[submission]);
        added.expect("it is added");
        Filled { site, submission }
    }

    /// Signs an account of [`ACCOUNTS`] in.
    fn sign_in(&self, account: &str) -> Who {
        let store = &self.site.app.store;
        let other = store.put_contest(&contest("c2")).expect("a contest");
        let own = self.site.contest;
        let (role, contest, in_contest) = match account {
            "spectator" => (Role::Public, own, Some(ContestRole::Spectator)),
            "balloons" => (Role::Public, own, Some(ContestRole::Balloons)),
            "analyst" => (Role::Public, own, Some(ContestRole::Analyst)),
            "judge" => (Role::Public, own, Some(ContestRole::Jury)),
            "other" => (Role::Public, other, Some(ContestRole::Jury)),
            "team" => (Role::Team, own, None),
            "jury" => (Role::Jury, own, None),
            "admin" => (Role::Admin, own, None),
            _ => (Role::Public, own, None),
        };
        let user = self.site.user(account, role);
        let set = store.set_contest_role(contest, user, in_contest);
        set.expect("it is set");
        Who::start(store, user, account)
    }

    /// An address with values for its parts.
    fn filled(&self, address: &str) -> String {
        let submission = self.submission.to_string();
        let mut filled = String::new();
        for part in address.split('/').skip(1) {
            let value = match part {
                "{id}" if address.starts_with("/jury/submissions/") => submission.as_str(),
                "{contest}" => "c1",
                part if part.starts_with('{') => "1",
                part => part,
            };
            filled = format!("{filled}/{value}");
        }
        filled
    }

    /// The status of an address, with the secret of forms.
    async fn status(&self, who: &Who, method: &str, address: &str) -> StatusCode {
        let path = self.filled(address);
        let answer = match method {
            "GET" => self.site.get(who, &path).await,
            _ => self.site.post(who, &path, &[]).await,
        };
        answer.status
    }
}

#[test]
fn every_route_has_a_rule_in_the_table() {
    let mut expected: Vec<String> = Vec::new();
    for (rule, _, addresses) in table() {
        expected.extend(addresses.iter().map(|address| format!("{rule}: {address}")));
    }
    let mut present: Vec<String> = addresses()
        .into_iter()
        .map(|(address, method, rule)| {
            format!("{:?} {:?}: {method} {address}", rule.action, rule.of)
        })
        .collect();
    expected.sort();
    present.sort();
    assert_eq!(present, expected);
}

#[tokio::test]
async fn only_those_get_in_whom_the_table_names() {
    for account in ACCOUNTS {
        let filled = Filled::new();
        let who = filled.sign_in(account);
        for (rule, accounts, addresses) in table() {
            for what in addresses {
                let (method, address) = what.split_once(' ').expect("a method");
                let status = filled.status(&who, method, address).await;
                let is_refused = status == StatusCode::FORBIDDEN;
                let may = accounts.contains(&account);
                assert_eq!(!is_refused, may, "{account}: {what} ({rule}) has {status}");
                assert_ne!(status, StatusCode::UNAUTHORIZED, "{account}: {what}");
                assert!(!status.is_server_error(), "{account}: {what} has {status}");
            }
        }
    }
}

#[tokio::test]
async fn visitors_have_to_sign_in() {
    let filled = Filled::new();
    for (address, method, _) in addresses() {
        let status = filled.status(&Who::default(), method, &address).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{method} {address}");
    }
}

#[tokio::test]
async fn forms_of_other_sites_are_refused() {
    let filled = Filled::new();
    let site = &filled.site;
    let admin = site.sign_in("admin", Role::Admin);
    for (address, method, _) in addresses() {
        if method != "POST" {
            continue;
        }
        let path = filled.filled(&address);
        let wrong = [("csrf", "wrong")];
        let form = site.post_without_csrf(&admin, &path, &wrong).await;
        // Addresses that take files refuse other forms, with any secret.
        let takes_files = form.status == StatusCode::BAD_REQUEST;
        let forged = Who::default().with_csrf_of(&admin);
        let upload = site.upload(&forged, &path, &[("a", b"b")]).await;
        assert_eq!(upload.status, StatusCode::UNAUTHORIZED, "{path}");
        let other = admin.with_csrf_of(&Who::default());
        let upload = site.upload(&other, &path, &[("a", b"b")]).await;
        let refused = if takes_files { upload } else { form };
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
}
