//! Organizations with their logos, and groups of teams.

use super::super::in_process::form_fields;
use super::site::{Site, Who};
use axum::http::StatusCode;
use judge_server::store::{Organization, Role, Team};
use serde_json::Value;
use std::io::{Cursor, Write};

/// The head of a PNG image of this size, which is all that the server reads.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    image.extend(width.to_be_bytes());
    image.extend(height.to_be_bytes());
    image
}

async fn organizations(site: &Site, who: &Who) -> Vec<Value> {
    let all = site.page(who, "/api/contests/c1/organizations").await;
    serde_json::from_str(&all).expect("JSON")
}

/// Puts the team of the site into an organization.
fn join(site: &Site, ext: &str) {
    let store = &site.app.store;
    let organizations = store.organizations().expect("organizations");
    let own = organizations.into_iter().find(|own| own.ext == ext);
    let team = store.team(site.team).expect("a team");
    let joined = Team {
        organization: Some(own.expect("an organization").id),
        ..team
    };
    store.put_team(&joined).expect("it is kept");
}

#[tokio::test]
async fn an_organization_gets_a_logo() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let fields = [("id", "tu"), ("name", "TU <b>"), ("country", "deu")];
    let added = site.post(&admin, "/jury/organizations", &fields).await;
    assert_eq!(added.status, StatusCode::SEE_OTHER, "{}", added.body);
    let twice = site.post(&admin, "/jury/organizations", &fields).await;
    assert_eq!(twice.status, StatusCode::CONFLICT);
    let wrong = [("id", "x"), ("name", "X"), ("country", "Germany")];
    let refused = site.post(&admin, "/jury/organizations", &wrong).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    join(&site, "tu");

    let logo = "/jury/organizations/1/logo";
    for wrong in [&b"GIF89a"[..], &vec![0; 3 << 19][..]] {
        let refused = site.upload(&admin, logo, &[("logo.png", wrong)]).await;
        assert!(refused.status.is_client_error(), "{}", refused.body);
    }
    assert!(organizations(&site, &admin).await[0]["logo"].is_null());
    let image = png(160, 120);
    let sent = site.upload(&admin, logo, &[("x.png", &image)]).await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
    let spectator = Who::default();
    let of_api = organizations(&site, &spectator).await[0]["logo"][0].clone();
    assert_eq!(
        (&of_api["mime"], &of_api["width"], &of_api["height"]),
        (&"image/png".into(), &160.into(), &120.into())
    );
    let href = of_api["href"].as_str().expect("an address").to_owned();
    let address = format!("/api/{href}");
    let found = site.get(&spectator, &address).await;
    assert_eq!(found.status, StatusCode::OK);
    assert_eq!(found.headers["content-type"], "image/png");
    assert!(
        found.headers["cache-control"]
            .to_str()
            .expect("text")
            .contains("immutable")
    );
    let policy = found.headers["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(policy.contains("sandbox"), "{policy}");
    let (plain, _) = address.split_once('?').expect("a version");
    let found = site.get(&spectator, plain).await;
    assert!(
        found.headers["cache-control"]
            .to_str()
            .expect("text")
            .contains("no-cache")
    );
    let board = site.page(&spectator, "/contests/c1/scoreboard").await;
    assert!(board.contains(&format!("src=\"{address}\"")), "{board}");
    assert!(
        board.contains("🇩🇪") && board.contains("TU &lt;b&gt;"),
        "{board}"
    );

    let removed = site
        .post(&admin, "/jury/organizations/1/logo/remove", &[])
        .await;
    assert_eq!(removed.status, StatusCode::SEE_OTHER);
    assert!(organizations(&site, &spectator).await[0]["logo"].is_null());
    assert_eq!(
        site.get(&spectator, plain).await.status,
        StatusCode::NOT_FOUND
    );
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(*name, options).expect("a file");
        archive.write_all(content).expect("it is written");
    }
    archive.finish().expect("an archive").into_inner()
}

#[tokio::test]
async fn a_contest_package_brings_logos() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let organizations_json = br#"[{"id": "tu", "name": "TU"}]"#;
    let (small, large) = (png(56, 56), png(160, 160));
    let archive = zip(&[
        ("regional/organizations.json", organizations_json),
        ("regional/organizations/tu/logo.160x160.png", &large),
        ("regional/organizations/tu/logo.56x56.png", &small),
        ("regional/teams/t1/photo.jpg", b"no text \xff"),
    ]);
    let sent = site
        .upload(&admin, "/jury/import", &[("a.zip", &archive)])
        .await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.body);
    join(&site, "tu");
    let width = async || organizations(&site, &admin).await[0]["logo"][0]["width"].clone();
    assert_eq!(width().await, 56);

    // Another logo is a change, which is confirmed.
    let archive = zip(&[("organizations/tu/logo.png", &large)]);
    let asked = site
        .upload(&admin, "/jury/import", &[("a.zip", &archive)])
        .await;
    assert_eq!(asked.status, StatusCode::CONFLICT, "{}", asked.body);
    assert!(asked.body.contains("another logo"), "{}", asked.body);
    assert_eq!(width().await, 56);
    let fields = form_fields(&asked.body, "/jury/import");
    let fields = fields.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    let fields: Vec<_> = [("csrf", admin.csrf.as_str())]
        .into_iter()
        .chain(fields)
        .collect();
    let made = site.post_parts(&admin, "/jury/import", &fields).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.body);
    assert_eq!(width().await, 160);

    for (archive, why) in [
        (b"no zip".to_vec(), "zip archive"),
        (
            zip(&[("organizations/none/logo.png", &large)]),
            "no organization",
        ),
        (
            zip(&[("organizations/tu/logo.png", b"text")]),
            "not an image",
        ),
    ] {
        let refused = site
            .upload(&admin, "/jury/import", &[("a.zip", &archive)])
            .await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{why}");
        assert!(refused.body.contains(why), "{why}: {}", refused.body);
    }
}

#[tokio::test]
async fn teams_get_groups_and_an_organization_in_forms() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let store = &site.app.store;
    let own = Organization {
        ext: "tu".to_owned(),
        name: "TU".to_owned(),
        ..Organization::default()
    };
    let organization = store.put_organization(&own).expect("an organization");
    let path = format!("/jury/teams/{}", site.team);
    let page = site.page(&admin, &path).await;
    let mut fields = form_fields(&page, &path);
    for (name, value) in &mut fields {
        match name.as_str() {
            "organization" => "tu".clone_into(value),
            "label" => "17".clone_into(value),
            _ => {}
        }
    }
    let sent: Vec<_> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let saved = site.post(&admin, &path, &sent).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    let team = || store.team(site.team).expect("a team");
    assert_eq!(team().organization, Some(organization));
    assert_eq!(team().label.as_deref(), Some("17"));
    // A program that names only what it changes.
    let partial = [("id", "t1"), ("name", "Other")];
    site.post(&admin, "/jury/teams", &partial).await;
    assert_eq!(
        (team().name.as_str(), team().organization),
        ("Other", Some(organization))
    );

    let added = [("id", "women"), ("name", "Women")];
    let added = site.post(&admin, "/jury/groups", &added).await;
    assert_eq!(added.status, StatusCode::SEE_OTHER, "{}", added.body);
    let group = added.location.clone();
    let page = site.page(&admin, &group).await;
    assert!(page.contains("name=\"team\""), "{page}");
    let number = site.team.to_string();
    let save = async |fields: &[(&str, &str)]| {
        let saved = site.post(&admin, &group, fields).await;
        assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
        team().groups.len()
    };
    assert_eq!(save(&[("name", "Women"), ("team", &number)]).await, 1);
    // The team was chosen when the page was loaded.
    let same = [("name", "Women"), ("team", &number), ("was-team", &number)];
    assert_eq!(save(&same).await, 1);
    assert_eq!(save(&[("name", "Women"), ("was-team", &number)]).await, 0);
}
