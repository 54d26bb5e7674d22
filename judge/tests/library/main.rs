//! Tests of the library `judge`: reading packages, building sources, checking outputs, reports.

mod browser;
mod checker;
mod files;
mod junit;
mod language;
mod make_test;
mod modules;
mod package;
mod package_archive;
mod package_broken;
mod package_foreign;
mod reports;
mod translations;
