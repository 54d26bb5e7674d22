//! Files that an admin uploads in a form.

use crate::http::auth::Caller;
use crate::http::{Admin, App, HttpError, Result};
use crate::store::User;
use axum::body::Bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request};

/// A file.
#[derive(Clone, Debug)]
pub struct UploadedFile {
    /// Its name, without directories.
    pub name: String,
    pub content: Bytes,
}

/// Files of an admin, in a form that this server made. Fields named `csrf` come first.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Who sent it.
    pub caller: Caller,
    pub user: User,
    /// The files, at least one.
    pub files: Vec<UploadedFile>,
}

impl FromRequest<App> for Upload {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let Admin { caller, user } = Admin::from_request_parts(&mut parts, app).await?;
        let request = Request::from_parts(parts, body);
        let form = Multipart::from_request(request, app).await;
        let mut form = form.map_err(|_| HttpError::BadRequest("choose a file".to_owned()))?;
        let (mut csrf, mut files) = (String::new(), Vec::new());
        while let Some(field) = form.next_field().await.map_err(|e| refused(&e))? {
            let file = field
                .file_name()
                .map(str::to_owned)
                .filter(|name| !name.is_empty());
            match (field.name(), file) {
                (Some("csrf"), _) => csrf = field.text().await.map_err(|e| refused(&e))?,
                (Some("file"), Some(name)) => {
                    // The secret comes first: files of other sites are not read.
                    caller.check_csrf(&csrf)?;
                    let name = name
                        .rsplit(['/', '\\'])
                        .next()
                        .unwrap_or_default()
                        .to_owned();
                    let content = field.bytes().await.map_err(|e| refused(&e))?;
                    files.push(UploadedFile { name, content });
                }
                _ => {}
            }
        }
        caller.check_csrf(&csrf)?;
        match files.is_empty() {
            true => Err(HttpError::BadRequest("choose a file".to_owned())),
            false => Ok(Upload {
                caller,
                user,
                files,
            }),
        }
    }
}

fn refused(error: &MultipartError) -> HttpError {
    match error.status() {
        axum::http::StatusCode::PAYLOAD_TOO_LARGE => {
            HttpError::TooLarge("the upload is larger than this server accepts".to_owned())
        }
        _ => HttpError::BadRequest(error.body_text()),
    }
}
