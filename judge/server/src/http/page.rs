//! The frame of a page.

use crate::access::Viewer;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page with navigation; `csrf` is the secret of its forms.
pub fn page(title: &str, viewer: Viewer, csrf: Option<&str>, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                script src="/live.js" defer {}
            }
            body {
                nav {
                    a href="/problems" { "Problems" } " "
                    a href="/submissions" { "Submissions" } " "
                    @if viewer.user.is_some() {
                        form method="post" action="/sign-out" {
                            (csrf_field(csrf))
                            button { "Sign out" }
                        }
                    } @else {
                        a href="/sign-in" { "Sign in" }
                    }
                }
                main {
                    h1 { (title) }
                    (body)
                }
            }
        }
    }
}

/// The field of a form that proves that this server made it.
pub fn csrf_field(csrf: Option<&str>) -> Markup {
    match csrf {
        Some(csrf) => html! { input type="hidden" name="csrf" value=(csrf); },
        None => PreEscaped(String::new()),
    }
}
