//! Tests of the library `judge`: building sources, checking outputs, reports.

mod browser;
mod checker;
mod files;
mod junit;
mod language;
mod make_test;
mod modules;
mod reports;
mod translations;
