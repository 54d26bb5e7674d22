//! Tests of the server through its routes, without a network.

mod api_feed;
mod api_fixture;
mod api_roles;
mod jury;
