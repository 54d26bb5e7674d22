//! Serves problems to many users.
#![forbid(unsafe_code)]
