//! The frame of all pages, and the parts that they consist of.
//!
//! A page has no inline script or style: both files are static, and everything works without the
//! script.

mod assets;
mod parts;

pub use assets::{Asset, EDITOR, ICON, SCRIPT, STYLE, WORKER, asset};
pub use parts::{
    Field, Table, clock, copyable, encoded, field, input, pagination, region, table, time, time_as,
    verdict,
};

use maud::{DOCTYPE, Markup, html};

/// A link of the navigation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link<'a> {
    pub text: &'a str,
    /// The address.
    pub href: &'a str,
    /// Whether it leads to the page that is shown.
    pub current: bool,
}

/// The signed-in user, as the header shows them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct User<'a> {
    /// The name to show.
    pub name: &'a str,
    /// The token that protects the form to sign out against requests of other sites.
    pub csrf_token: &'a str,
}

/// A document; `head` has its style sheet and scripts, `body` is the element.
fn document(title: &str, head: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                (head)
            }
            (body)
        }
    }
}

/// The part of the head that all pages of the server have.
fn assets() -> Markup {
    html! {
        link rel="icon" type="image/svg+xml" href=(ICON.path);
        link rel="stylesheet" href=(STYLE.path);
        script src=(SCRIPT.path) defer {}
    }
}

/// A whole page for a projector: without navigation. The script scrolls the scoreboard in it; without the script, the browser
/// loads the page again every half minute.
pub fn projector(title: &str, body: &Markup) -> Markup {
    let head = html! { noscript { meta http-equiv="refresh" content="30"; } (assets()) };
    let body = html! {
        body.projector data-viewer="" data-worker=(WORKER.path) data-scrolls {
            main #content { (body) }
        }
    };
    document(title, &head, &body)
}

/// A page in a file, beside the style sheet `style.css`: without navigation and script.
pub fn static_page(title: &str, body: &Markup) -> Markup {
    let head = html! { link rel="stylesheet" href="style.css"; };
    document(
        title,
        &head,
        &html! { body { main { h1 { (title) } (body) } } },
    )
}

/// A navigation with more links than these has a menu where the page is narrow.
const MAX_LINKS: usize = 4;

/// A whole page: `body` below the navigation. The header links to `/sign-in` without a user, and posts
/// to `/sign-out` (`csrf`: the token) with one.
pub fn page(title: &str, navigation: &[Link<'_>], user: Option<User<'_>>, body: &Markup) -> Markup {
    let has_menu = navigation.len() > MAX_LINKS;
    let body = html! {
        body data-viewer=(user.map_or("", |user| user.name)) data-worker=(WORKER.path) {
            a.skip href="#content" { "Skip to the content" }
            header {
                nav aria-label="Main" {
                    // A narrow page shows the list when the button is pressed. A browser without popovers shows it always.
                    @if has_menu {
                        button.menu popovertarget="links" { "Menu" }
                    }
                    ul #links popover[has_menu] {
                        @for link in navigation {
                            li {
                                a href=(link.href) aria-current=[link.current.then_some("page")] {
                                    (link.text)
                                }
                            }
                        }
                    }
                    // The script shows it when there is something to read.
                    @if user.is_some() { a.unread data-unread hidden href="/contests" {} }
                }
                div.user {
                    @if let Some(user) = user {
                        a href="/account" { (user.name) }
                        form method="post" action="/sign-out" {
                            input type="hidden" name="csrf" value=(user.csrf_token);
                            button { "Sign out" }
                        }
                    } @else {
                        a href="/sign-in" { "Sign in" }
                    }
                }
            }
            div.notices data-notices role="status" {}
            main #content tabindex="-1" { (body) }
        }
    };
    document(title, &assets(), &body)
}
