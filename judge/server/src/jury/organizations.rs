//! Organizations of teams: the list, adding and changing one, and its logo.

use super::frame::{button, csrf, filled, link, new_id, page, was};
use crate::http::{
    App, Fields, Form, IMAGE_POLICY, Jury, PageResult, Result, Upload, bad_request, not_found,
    too_large,
};
use crate::layout::{Table, input};
use crate::store::{Logo, Organization, OrganizationId};
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Redirect};
use judge_core::image;
use maud::{Markup, html};

/// The area of these pages.
const AREA: &str = "/jury/teams";

/// Maximum bytes of a logo.
const MAX_LOGO: usize = 1 << 20;

/// `GET /jury/organizations`
pub fn list(app: &App, jury: Jury) -> PageResult {
    let organizations = app.store.organizations()?;
    let teams = app.store.teams()?;
    let count = |own: &Organization| {
        let own = teams
            .iter()
            .filter(|team| team.organization == Some(own.id));
        own.count()
    };
    let table = Table::new("Organizations", &organizations)
        .column("Organization", |own| {
            link("/jury/organizations/", own.id, &own.name)
        })
        .column("Id", |own| &own.ext)
        .column("Full name", |own| {
            own.formal_name.as_deref().unwrap_or_default()
        })
        .column("Country", |own| own.country.as_deref().unwrap_or_default())
        .column("Logo", |own| if own.logo.is_some() { "yes" } else { "" })
        .column("Teams", count);
    let body = html! {
        (table)
        p.links { a href="/jury/import" { "Import from files" } " " a href="/jury/teams" { "Teams" } }
        h2 { "Add an organization" }
        form method="post" action="/jury/organizations" {
            (csrf(&jury.caller))
            (input("id", "Id", "text", true))
            (fields(&values(&Organization::default())))
            button.primary { "Add" }
        }
    };
    Ok(page(&jury.caller, AREA, "Organizations", &body))
}

/// The values of the fields of an organization.
fn values(own: &Organization) -> [(&'static str, String); 4] {
    [
        ("name", own.name.clone()),
        ("formal_name", own.formal_name.clone().unwrap_or_default()),
        ("country", own.country.clone().unwrap_or_default()),
        ("icpc_id", own.icpc_id.clone().unwrap_or_default()),
    ]
}

fn fields(
    [(_, name), (_, formal_name), (_, country), (_, icpc_id)]: &[(&str, String); 4],
) -> Markup {
    html! {
        (filled("name", "Name, as the scoreboard shows it", "text", name, true))
        (filled("formal_name", "Full name", "text", formal_name, false))
        (filled("country", "Country, by its code of three letters, such as DEU", "text", country, false))
        (filled("icpc_id", "Id in the ICPC's system", "text", icpc_id, false))
    }
}

fn of_form(fields: &Fields, before: Organization) -> Result<Organization> {
    Ok(Organization {
        name: fields.required("name", "Name")?.to_owned(),
        formal_name: fields.owned("formal_name"),
        country: fields.owned("country").map(|code| code.to_uppercase()),
        icpc_id: fields.owned("icpc_id"),
        ..before
    })
}

/// `POST /jury/organizations`
pub fn add(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let new = Organization {
        ext: new_id(&form.fields)?,
        ..Organization::default()
    };
    app.store.add_organization(&of_form(&form.fields, new)?)?;
    Ok(Redirect::to("/jury/organizations"))
}

/// `GET /jury/organizations/{id}`
pub fn form(app: &App, (jury, Path(id)): (Jury, Path<OrganizationId>)) -> PageResult {
    let own = app.store.organization(id)?;
    let values = values(&own);
    let address = format!("/jury/organizations/{id}");
    let body = html! {
        form method="post" action=(address) {
            (csrf(&jury.caller))
            (was(&values))
            (fields(&values))
            button.primary { "Save" }
        }
        h2 { "Logo" }
        @match &own.logo {
            Some(logo) => {
                p {
                    img.logo src={ (address) "/logo" } alt={ "Logo of " (own.name) } width=(logo.width) height=(logo.height);
                    " " (logo.width) " x " (logo.height) " pixels, " (logo.mime)
                }
                (button(&jury.caller, &format!("{address}/logo/remove"), "Remove the logo", &[]))
            }
            None => p { "There is none." }
        }
        form method="post" action={ (address) "/logo" } enctype="multipart/form-data" {
            (csrf(&jury.caller))
            div.field {
                label for="file" { "Image (PNG, JPEG or SVG, at most 1 MiB)" }
                input #file type="file" name="file" accept="image/png,image/jpeg,image/svg+xml" required;
            }
            button { "Upload the logo" }
        }
    };
    let title = format!("Organization {}", own.name);
    Ok(page(&jury.caller, AREA, &title, &body))
}

/// `POST /jury/organizations/{id}`
pub fn save(app: &App, (Path(id), form): (Path<OrganizationId>, Form<Jury>)) -> Result<Redirect> {
    let before = app.store.organization(id)?;
    let fields = form.fields.merged(&values(&before))?;
    let new = of_form(&fields, before.clone())?;
    app.store.replace_organization(&before, &new)?;
    Ok(Redirect::to("/jury/organizations"))
}

/// `GET /jury/organizations/{id}/logo`
pub fn logo(
    app: &App,
    (_, Path(id)): (Jury, Path<OrganizationId>),
) -> Result<impl IntoResponse + use<>> {
    let none = || not_found(format!("organization {id} has no logo"));
    let logo = app.store.organization(id)?.logo.ok_or_else(none)?;
    let headers = [
        (header::CONTENT_TYPE, logo.mime),
        (header::CONTENT_SECURITY_POLICY, IMAGE_POLICY.to_owned()),
    ];
    Ok((headers, app.blobs.get(&logo.blob)?))
}

/// `POST /jury/organizations/{id}/logo`: the field `file`.
pub fn set_logo(
    app: &App,
    (Path(id), upload): (Path<OrganizationId>, Upload<Jury>),
) -> Result<Redirect> {
    let own = app.store.organization(id)?;
    let [file] = upload.files.as_slice() else {
        return Err(bad_request("choose one image"));
    };
    let logo = kept(app, &file.name, &file.content)?;
    app.store.set_logo(own.id, Some(&logo))?;
    Ok(Redirect::to(&format!("/jury/organizations/{id}")))
}

/// Keeps an image as a logo.
/// Fails when it is no image, or too large.
pub fn kept(app: &App, name: &str, content: &[u8]) -> Result<Logo> {
    if content.len() > MAX_LOGO {
        return Err(too_large(format!(
            "{name} has {} bytes; a logo has at most {MAX_LOGO}",
            content.len()
        )));
    }
    let wrong = format!("{name} is not an image; choose a PNG, JPEG or SVG file");
    let image = image::read(content).ok_or_else(|| bad_request(wrong))?;
    Ok(Logo {
        blob: app.blobs.put(content)?,
        mime: image.mime.to_owned(),
        width: image.width,
        height: image.height,
    })
}

/// `POST /jury/organizations/{id}/logo/remove`
pub fn remove_logo(
    app: &App,
    (Path(id), _): (Path<OrganizationId>, Form<Jury>),
) -> Result<Redirect> {
    app.store.set_logo(id, None)?;
    Ok(Redirect::to(&format!("/jury/organizations/{id}")))
}
