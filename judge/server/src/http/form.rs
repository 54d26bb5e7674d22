//! Fields of addresses, forms and uploads. Of a form the caller's role is checked first, then that this
//! server made it.

use super::error::{bad_request, conflict, too_large};
use super::{App, Caller, HttpError, Result};
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::extract::multipart::MultipartError;
use axum::extract::rejection::FormRejection;
use axum::extract::{FromRequest, FromRequestParts, Multipart, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::MethodRouter;
use axum::{Extension, Form as RawForm};
use std::str::FromStr;

/// Maximum bytes of a request, except at addresses with a [`MaxUpload`].
pub const BODY_LIMIT: usize = 2 << 20;

/// Bytes of the forms that anybody may send: those to sign in and out.
pub const ANYBODY_LIMIT: usize = 16 << 10;

/// Most fields and files of a form: enough for thousands of teams. Reading a million takes more than a second.
const MAX_FIELDS: usize = 20_000;

fn too_many_fields() -> HttpError {
    too_large(format!(
        "the form has more than {MAX_FIELDS} fields, the most that this server takes; send fewer"
    ))
}

/// The limit of the uploads at an address.
#[derive(Clone, Copy, Debug)]
pub struct MaxUpload {
    pub bytes: usize,
    /// Advice for a larger one.
    pub remedy: &'static str,
}

impl MaxUpload {
    /// A handler whose uploads have this limit.
    pub fn of(self, handler: MethodRouter<App>) -> MethodRouter<App> {
        let limited: MethodRouter<App> = handler.layer(DefaultBodyLimit::max(self.bytes));
        limited.layer(Extension(self))
    }

    fn exceeded(self) -> HttpError {
        let mib = self.bytes >> 20;
        too_large(format!(
            "the files have more than {mib} MiB, the most that this server takes here; {}",
            self.remedy
        ))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SentFile {
    /// Its name as the client gave it.
    pub name: String,
    pub content: Vec<u8>,
}

/// The fields of a form or of the part of an address after `?`, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    /// The value of a field without spaces around it; empty if it is missing.
    pub fn get(&self, name: &str) -> &str {
        self.text(name).trim()
    }

    /// The value of a field as it was sent; empty if it is missing.
    pub fn text(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value)
    }

    /// The value of a field that is not empty.
    pub fn optional(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !value.is_empty())
    }

    /// The same as a text of its own.
    pub fn owned(&self, name: &str) -> Option<String> {
        self.optional(name).map(str::to_owned)
    }

    /// The value of a field that has to be filled in.
    /// Fails when it is empty; `label` is its name in the page.
    pub fn required(&self, name: &str, label: &str) -> Result<&str> {
        let missing = || bad_request(format!("fill in the field {label:?}"));
        self.optional(name).ok_or_else(missing)
    }

    /// A value of another type, if the field is not empty.
    pub fn parse<T: FromStr>(&self, name: &str) -> Result<Option<T>> {
        let text = self.optional(name);
        text.map(|text| parsed(name, text)).transpose()
    }

    /// The values of all fields with this name that are not empty, as values of another type.
    pub fn parse_all<T: FromStr>(&self, name: &str) -> Result<Vec<T>> {
        let filled = self.all(name).filter(|text| !text.is_empty());
        filled.map(|text| parsed(name, text)).collect()
    }

    /// Whether a box is ticked.
    pub fn ticked(&self, name: &str) -> bool {
        self.optional(name).is_some()
    }

    /// The fields of a form that changes an object, which has the values `present` now. The form has in `was-NAME` the value
    /// that it was filled with. A field that its user left as it was gets the present value; one without `was-NAME`, as
    /// programs send it, stays as it is.
    /// Fails with `Conflict` for a field that somebody else changed to another value meanwhile.
    pub fn merged(&self, present: &[(&str, String)]) -> Result<Fields> {
        let mut merged = Vec::new();
        for (name, now) in present {
            let sent = with_seconds(&unix_lines(self.get(name)));
            let was = format!("was-{name}");
            let before = unix_lines(self.get(&was));
            let value = match self.0.iter().any(|(own, _)| *own == was) {
                false => sent,
                true if sent == before => now.clone(),
                true if before == now.trim() || sent == now.trim() => sent,
                true => {
                    return Err(conflict(format!(
                        "{name} was changed meanwhile and is {now:?} now; load the page again"
                    )));
                }
            };
            merged.push(((*name).to_owned(), value));
        }
        Ok(Fields(merged))
    }

    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.0.iter().filter(move |(own, _)| own == name);
        own.map(|(_, value)| value.trim())
    }
}

fn parsed<T: FromStr>(name: &str, text: &str) -> Result<T> {
    let wrong = |_| {
        bad_request(format!(
            "{name}: {text:?} is not a whole number, or too large"
        ))
    };
    text.parse().map_err(wrong)
}

/// A text with the ends of lines of Unix: browsers send those of Windows.
fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// A local time with its seconds, which browsers leave out if they are 0; another text as it is.
fn with_seconds(text: &str) -> String {
    let is_short = text.len() == "2030-01-02T10:00".len() && text.as_bytes().get(10) == Some(&b'T');
    match is_short {
        true => format!("{text}:00"),
        false => text.to_owned(),
    }
}

impl FromRequestParts<App> for Fields {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let query = Query::from_request_parts(parts, app).await;
        let Query(pairs) = query.map_err(|e| bad_request(e.body_text()))?;
        Ok(Fields(pairs))
    }
}

/// A form of a caller with the role `R`.
#[derive(Clone, Debug)]
pub struct Form<R> {
    /// The sender, with the role.
    pub by: R,
    pub fields: Fields,
}

/// Fields and files of a caller with the role `R`. The field `csrf` comes before the files: files in forms of other
/// sites are not read.
#[derive(Clone, Debug)]
pub struct Upload<R> {
    /// The sender, with the role.
    pub by: R,
    pub fields: Fields,
    /// The files in fields named `file`.
    pub files: Vec<SentFile>,
}

impl<R> FromRequest<App> for Form<R>
where
    R: FromRequestParts<App, Rejection = HttpError> + AsRef<Caller> + Send,
{
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let by = R::from_request_parts(&mut parts, app).await?;
        let fields = read_fields(Request::from_parts(parts, body), app).await?;
        by.as_ref().check_csrf(fields.text("csrf"))?;
        Ok(Form { by, fields })
    }
}

impl<R> FromRequest<App> for Upload<R>
where
    R: FromRequestParts<App, Rejection = HttpError> + AsRef<Caller> + Send,
{
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let by = R::from_request_parts(&mut parts, app).await?;
        let caller = by.as_ref().clone();
        let check = |fields: &Fields| caller.check_csrf(fields.text("csrf"));
        let max = parts.extensions.get::<MaxUpload>().copied();
        let read = read_parts(Request::from_parts(parts, body), app, check).await;
        let (fields, files) = read.map_err(|error| match max {
            Some(max) if error.status == StatusCode::PAYLOAD_TOO_LARGE => max.exceeded(),
            _ => error,
        })?;
        let files = files.into_iter().filter(|(field, _)| field == "file");
        let files = files.map(|(_, file)| file).collect();
        Ok(Upload { by, fields, files })
    }
}

/// The body of a request of a program.
pub async fn read_body(request: Request, app: &App) -> Result<Bytes> {
    let body = Bytes::from_request(request, app).await;
    body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(format!(
            "the request has more than {} MiB, the most that this server takes here; send less",
            BODY_LIMIT >> 20
        )),
        _ => bad_request(error.body_text()),
    })
}

/// Reads a form without files.
pub async fn read_fields(request: Request, app: &App) -> Result<Fields> {
    let (parts, body) = request.into_parts();
    let body = Bytes::from_request(Request::from_parts(parts.clone(), body), app).await;
    let body = body.map_err(FormRejection::BytesRejection)?;
    if body.iter().filter(|byte| **byte == b'&').count() >= MAX_FIELDS {
        return Err(too_many_fields());
    }
    let again = Request::from_parts(parts, body.into());
    let RawForm(pairs) = RawForm::from_request(again, app).await?;
    Ok(Fields(pairs))
}

/// Reads a form with files, each with the name of its field. `check` is asked before each file is read, and at
/// the end.
pub async fn read_parts(
    request: Request,
    app: &App,
    check: impl Fn(&Fields) -> Result<()>,
) -> Result<(Fields, Vec<(String, SentFile)>)> {
    let form = Multipart::from_request(request, app).await;
    let mut form = form.map_err(|_| bad_request("choose a file"))?;
    let (mut fields, mut files) = (Fields::default(), Vec::new());
    while let Some(part) = form.next_field().await? {
        if fields.0.len() + files.len() >= MAX_FIELDS {
            return Err(too_many_fields());
        }
        let field = part.name().unwrap_or_default().to_owned();
        let name = part.file_name().unwrap_or_default().to_owned();
        if name.is_empty() {
            fields.0.push((field, part.text().await?));
        } else {
            check(&fields)?;
            let content = part.bytes().await?.into();
            files.push((field, SentFile { name, content }));
        }
    }
    check(&fields)?;
    Ok((fields, files))
}

impl From<FormRejection> for HttpError {
    fn from(rejection: FormRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                too_large("the form is larger than this server accepts; shorten it")
            }
            _ => bad_request(rejection.body_text()),
        }
    }
}

impl From<MultipartError> for HttpError {
    fn from(error: MultipartError) -> Self {
        let max = MaxUpload {
            bytes: BODY_LIMIT,
            remedy: "send smaller ones",
        };
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => max.exceeded(),
            _ => bad_request(format!("{}; send the form again", error.body_text())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_fields_are_written() {
        let merged = |sent: &[(&str, &str)], now: &str| {
            let fields = sent
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()));
            let merged = Fields(fields.collect()).merged(&[("a", now.to_owned())]);
            merged
                .map(|fields| fields.get("a").to_owned())
                .map_err(|error| error.status)
        };
        let form = [("a", "1"), ("was-a", "1")];
        assert_eq!(merged(&form, "1").as_deref(), Ok("1"));
        assert_eq!(
            merged(&form, "2").as_deref(),
            Ok("2"),
            "somebody else changed it"
        );
        let form = [("a", "3"), ("was-a", "1")];
        assert_eq!(merged(&form, "1").as_deref(), Ok("3"));
        assert_eq!(merged(&form, "3").as_deref(), Ok("3"));
        assert_eq!(merged(&form, "2"), Err(StatusCode::CONFLICT));
        assert_eq!(merged(&[("a", "3")], "2").as_deref(), Ok("3"), "a program");
        let unticked = [("was-a", "1")];
        assert_eq!(merged(&unticked, "1").as_deref(), Ok(""));
        let lines = [("a", "x\r\ny"), ("was-a", "x\r\nz")];
        assert_eq!(merged(&lines, "x\nz").as_deref(), Ok("x\ny"));
        let time = [("a", "2030-01-02T10:00"), ("was-a", "2030-01-02T10:00:00")];
        assert_eq!(merged(&time, "x").as_deref(), Ok("x"));
    }
}
