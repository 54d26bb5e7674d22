//! Tests of the server: through its routes without a network, and as a process of its own.
//!
//! Test group: server.

mod api_feed;
mod api_feedback;
mod api_fixture;
mod api_roles;
mod api_versions;
mod api_writing;
mod book;
mod browser;
mod common;
mod divided;
mod end_to_end;
mod faults;
mod idle_boxes;
mod in_process;
mod jury;
mod live;
mod nats;
mod openapi;
mod operation;
mod page_fixture;
mod pages;
mod pages_as_roles;
mod pages_of_contestant;
mod queue;
mod resolver;
mod results;
mod routes;
mod samples;
mod scoreboard_teams;
mod shadow;
mod sign_in;
mod statistics;
mod submitted_files;
mod workers;
mod workers_nats;
