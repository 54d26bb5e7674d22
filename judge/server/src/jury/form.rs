//! Forms that the jury sends: the role is checked first, then that this server made the form.

use crate::http::{Admin, App, Caller, HttpError, Jury, Result};
use crate::store::User;
use axum::Form;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use std::str::FromStr;

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

    /// The value of a field that has to be filled in.
    ///
    /// # Errors
    ///
    /// When it is empty; `label` is its name in the page.
    pub fn required(&self, name: &str, label: &str) -> Result<&str> {
        let missing = || HttpError::BadRequest(format!("fill in the field {label:?}"));
        self.optional(name).ok_or_else(missing)
    }

    /// A value of another type, if the field is not empty.
    ///
    /// # Errors
    ///
    /// When the text is no such value.
    pub fn parse<T: FromStr>(&self, name: &str) -> Result<Option<T>> {
        let wrong = |text: &str| HttpError::BadRequest(format!("{text:?} is not a valid {name}"));
        self.optional(name)
            .map(|text| text.parse().map_err(|_| wrong(text)))
            .transpose()
    }

    /// Whether a box is ticked.
    pub fn ticked(&self, name: &str) -> bool {
        self.optional(name).is_some()
    }

    /// All values of fields with this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.0.iter().filter(move |(own, _)| own == name);
        own.map(|(_, value)| value.trim())
    }
}

impl FromRequestParts<App> for Fields {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let query = Query::from_request_parts(parts, app).await;
        let Query(pairs) = query.map_err(|e| HttpError::BadRequest(e.body_text()))?;
        Ok(Fields(pairs))
    }
}

/// A form of the jury or an admin.
#[derive(Clone, Debug)]
pub struct JuryForm {
    pub user: User,
    pub fields: Fields,
}

/// A form of an admin.
#[derive(Clone, Debug)]
pub struct AdminForm {
    /// Who sent it.
    pub caller: Caller,
    pub user: User,
    pub fields: Fields,
}

impl FromRequest<App> for JuryForm {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let Jury { caller, user } = Jury::from_request_parts(&mut parts, app).await?;
        let fields = checked(&caller, Request::from_parts(parts, body), app).await?;
        Ok(JuryForm { user, fields })
    }
}

impl FromRequest<App> for AdminForm {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let Admin { caller, user } = Admin::from_request_parts(&mut parts, app).await?;
        let fields = checked(&caller, Request::from_parts(parts, body), app).await?;
        Ok(AdminForm {
            caller,
            user,
            fields,
        })
    }
}

/// The fields of a form that this server made.
async fn checked(caller: &Caller, request: Request, app: &App) -> Result<Fields> {
    let form = Form::from_request(request, app).await;
    let Form(pairs) = form.map_err(|e| HttpError::BadRequest(e.body_text()))?;
    let fields = Fields(pairs);
    caller.check_csrf(fields.text("csrf"))?;
    Ok(fields)
}
