//! Scoreboards of some teams, with their organizations and groups, and on a projector.

use crate::page_fixture::{Fixture, HOUR};
use judge_server::store::{Contest, Group, GroupId, Logo, Organization, OrganizationId, Team};
use std::io::{Cursor, Read};

/// Team a is of TU in Germany and in two groups, team b of EPFL in Switzerland and in one.
fn fixture() -> (Fixture, GroupId) {
    let fixture = Fixture::started(HOUR);
    let store = &fixture.app.store;
    let organization = |ext: &str, country: &str| {
        let own = Organization {
            ext: ext.to_owned(),
            name: format!("{} <i>", ext.to_uppercase()),
            country: Some(country.to_owned()),
            ..Organization::default()
        };
        store.put_organization(&own).expect("an organization")
    };
    let group = |ext: &str, hidden: bool| {
        let own = Group {
            ext: ext.to_owned(),
            name: format!("Group {ext}"),
            hidden,
            ..Group::default()
        };
        store.put_group(&own).expect("a group")
    };
    let (tu, epfl) = (organization("tu", "DEU"), organization("epfl", "CHE"));
    let (all, women) = (group("all", false), group("women", false));
    group("staff", true);
    let member = |ext: &str, organization: OrganizationId, groups: Vec<GroupId>| {
        let team = store.team_by_ext(ext).expect("it is read");
        let team = Team {
            organization: Some(organization),
            groups,
            ..team.expect("a team")
        };
        store.put_team(&team).expect("it is kept");
    };
    member("a", tu, vec![all, women]);
    member("b", epfl, vec![all]);
    (fixture, women)
}

/// Whether the rows of teams a and b are in a page.
fn rows(page: &str) -> (bool, bool) {
    let has = |name: &str| page.contains(&format!("<span class=\"team\">Team {name}"));
    (has("a"), has("b"))
}

#[tokio::test]
async fn teams_are_chosen_by_the_address() {
    let (fixture, _) = fixture();
    fixture.judged("b", true, "AC");
    fixture.judged("a", true, "WA");
    let spectator = fixture.browser("-");
    let board = "/contests/final/scoreboard";
    let page = spectator.get(board).await.body;
    assert_eq!(rows(&page), (true, true));
    for text in [
        "🇩🇪",
        "TU &lt;i&gt;",
        "Group all, Group women",
        "<select id=\"country\"",
        "Solved / tried",
        "1 / 2",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    // Ranks begin again, and the rank among all teams is beside them.
    for filter in [
        "group=women",
        "organization=tu",
        "country=DEU",
        "group=all&country=DEU",
    ] {
        let page = spectator.get(&format!("{board}?{filter}")).await.body;
        assert_eq!(rows(&page), (true, false), "{filter}");
        assert!(page.contains("2 of all"), "{filter}: {page}");
        assert!(page.contains("0 / 1"), "{filter}: {page}");
        let escaped = filter.replace('&', "&amp;");
        assert!(
            page.contains(&format!("data-events=\"{board}/live?{escaped}\"")),
            "{page}"
        );
        let csv = spectator.get(&format!("{board}.csv?{filter}")).await.body;
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 2, "{csv}");
        assert!(lines[1].starts_with("1,a,"), "{csv}");
    }
    for unknown in [
        "group=staff",
        "group=x",
        "organization=x",
        "country=USA",
        "country=deu",
    ] {
        let answer = spectator.get(&format!("{board}?{unknown}")).await;
        assert_eq!(answer.status, 404, "{unknown}");
        let live = spectator.get(&format!("{board}/live?{unknown}")).await;
        assert_eq!(live.status, 404, "{unknown}");
    }
}

#[tokio::test]
async fn a_board_is_a_page_in_an_archive() {
    let (fixture, _) = fixture();
    fixture.judged("b", true, "AC");
    let store = &fixture.app.store;
    let image = b"<svg width='9' height='9'></svg>";
    let logo = Logo {
        blob: fixture.app.blobs.put(image).expect("it is kept"),
        mime: "image/svg+xml".to_owned(),
        width: 9,
        height: 9,
    };
    let organizations = store.organizations().expect("organizations");
    let tu = organizations.iter().find(|own| own.ext == "tu");
    let set = store.write(|tx| tx.set_logo(tu.expect("an organization").id, Some(&logo)));
    set.expect("it is set");
    let spectator = fixture.browser("-");
    let bytes = spectator
        .bytes("/contests/final/scoreboard.zip?country=DEU")
        .await;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let mut text = |name: &str| {
        let mut file = archive.by_name(name).expect("a file");
        let mut text = String::new();
        file.read_to_string(&mut text).expect("a text");
        text
    };
    let page = text("index.html");
    assert_eq!(rows(&page), (true, false));
    assert!(page.contains("src=\"logos/tu.svg\""), "{page}");
    assert!(page.contains("href=\"style.css\""), "{page}");
    for of_server in ["<a ", "<script", "=\"/"] {
        assert!(!page.contains(of_server), "{of_server} in {page}");
    }
    assert!(text("style.css").contains(".board-table"));
    assert_eq!(text("logos/tu.svg").as_bytes(), image);
}

#[tokio::test]
async fn a_projector_shows_what_spectators_see() {
    let (fixture, _) = fixture();
    let store = &fixture.app.store;
    let contest = store.contest(fixture.contest).expect("a contest");
    let frozen = Contest {
        freeze_ms: Some(contest.duration_ms),
        ..contest
    };
    store.put_contest(&frozen).expect("it is frozen");
    fixture.judged("a", true, "AC");
    let jury = fixture.browser("jury");
    let board = "/contests/final/scoreboard";
    assert!(jury.get(board).await.body.contains("1 / 1"));
    let page = jury
        .get(&format!("{board}?view=projector&group=women"))
        .await
        .body;
    assert!(page.contains("0 / 1"), "{page}");
    assert!(page.contains("view=projector\""), "its updates: {page}");
    assert_eq!(rows(&page), (true, false));
    for text in ["<nav", "Sign out", "<form"] {
        assert!(!page.contains(text), "{text} in {page}");
    }
    assert!(page.contains("http-equiv=\"refresh\""), "{page}");
    assert!(page.contains("The scoreboard was frozen"), "{page}");
}
