//! Queries: all rows, one row, a row that may be missing, and statements without rows. Every statement is prepared
//! once per connection.

use super::{Error, Result, Store};
use rusqlite::types::{FromSql, Value};
use rusqlite::{Connection, OptionalExtension, Params, Row, ToSql};
use std::fmt::Display;

/// A value that a query returns per row.
pub(crate) trait FromRow: Sized {
    /// Reads a row.
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self>;
}

/// Implements [`FromRow`] for a structure: first the fields that have the names and types of their columns, then
/// those that are computed.
macro_rules! from_row {
    ($name:ident { $($column:ident),* $(,)? }) => {
        from_row! { $name { $($column),* } |row| {} }
    };
    ($name:ident { $($column:ident),* $(,)? } |$row:ident| { $($field:ident: $value:expr),* $(,)? }) => {
        impl crate::store::query::FromRow for $name {
            fn from_row($row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                Ok($name {
                    $($column: $row.get(stringify!($column))?,)*
                    $($field: $value,)*
                })
            }
        }
    };
}

/// Implements [`FromRow`] for the types of single columns.
macro_rules! from_column {
    ($($name:ty),*) => {$(
        impl crate::store::query::FromRow for $name {
            fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                row.get(0)
            }
        }
    )*};
}

/// The columns with the names of a structure's fields, and their values, for [`Queries::put`].
macro_rules! columns {
    ($from:ident { $($column:ident),* $(,)? }) => {
        &[$((stringify!($column), &$from.$column as &dyn rusqlite::ToSql)),*]
    };
}

pub(super) use {columns, from_column, from_row};

from_column!(i64, Option<i64>, String);

/// Implements [`FromRow`] for tuples of columns.
macro_rules! from_columns {
    ($($name:ident = $index:literal),*) => {
        impl<$($name: FromSql),*> FromRow for ($($name,)*) {
            fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
                Ok(($(row.get::<_, $name>($index)?,)*))
            }
        }
    };
}

from_columns!(A = 0, B = 1);
from_columns!(A = 0, B = 1, C = 2);
from_columns!(A = 0, B = 1, C = 2, D = 3);

/// A column that is a size or a count, which SQLite keeps as a signed number.
pub(super) fn unsigned(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(|n| n as u64))
}

/// A column that is a count or an index; 0 if it is null.
pub(super) fn count(row: &Row<'_>, column: &str) -> rusqlite::Result<usize> {
    Ok(unsigned(row, column)?.unwrap_or(0) as usize)
}

/// A column that is a list of numbers, as `group_concat` writes it.
pub(super) fn list<T: std::str::FromStr>(row: &Row<'_>, column: &str) -> rusqlite::Result<Vec<T>> {
    let text: Option<String> = row.get(column)?;
    let words = text.as_deref().unwrap_or_default().split(',');
    Ok(words.filter_map(|word| word.parse().ok()).collect())
}

/// The number and a text of an object, which are in these columns.
pub(super) fn named<T: FromSql>(
    row: &Row<'_>,
    id: &str,
    name: &str,
) -> rusqlite::Result<Option<(T, String)>> {
    Ok(row.get::<_, Option<T>>(id)?.zip(row.get(name)?))
}

/// Queries of a connection or transaction.
pub(super) trait Queries {
    /// All rows.
    fn all<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Vec<T>>;

    /// The first row; `None`: there is none.
    fn optional<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Option<T>>;

    /// The first row, which exists, or else [`Error::NotFound`].
    fn one<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<T>;

    /// The `what` with this number, the query's only value; [`Error::NotFound`] names both.
    fn numbered<T: FromRow>(&self, what: &str, sql: &str, id: impl ToSql + Display) -> Result<T> {
        self.optional(sql, [&id])?
            .ok_or_else(|| Error::NotFound(format!("no {what} {id}")))
    }

    /// Adds a row, or replaces the one with the same `ext`; returns its `id`.
    fn put<T: FromRow>(&self, table: &str, columns: &[(&str, &dyn ToSql)]) -> Result<T> {
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let values: Vec<&dyn ToSql> = columns.iter().map(|(_, value)| *value).collect();
        let numbers: Vec<String> = (1..=names.len()).map(|k| format!("?{k}")).collect();
        let others = names.iter().filter(|name| **name != "ext");
        let replaced: Vec<String> = others
            .map(|name| format!("{name} = excluded.{name}"))
            .collect();
        let sql = format!(
            "INSERT INTO {table} ({}) VALUES ({}) ON CONFLICT (ext) DO UPDATE SET {} RETURNING id",
            names.join(", "),
            numbers.join(", "),
            replaced.join(", ")
        );
        self.one(&sql, &values[..])
    }

    /// Whether there is a row.
    fn any(&self, sql: &str, values: impl Params) -> Result<bool>;

    /// Runs a statement that returns no rows; returns the number of rows that it changed.
    fn run(&self, sql: &str, values: impl Params) -> Result<usize>;
}

impl Queries for Connection {
    fn all<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Vec<T>> {
        let mut statement = self.prepare_cached(sql)?;
        let rows = statement.query_map(values, T::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn optional<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Option<T>> {
        let mut statement = self.prepare_cached(sql)?;
        Ok(statement.query_row(values, T::from_row).optional()?)
    }

    fn one<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<T> {
        Ok(self.prepare_cached(sql)?.query_row(values, T::from_row)?)
    }

    fn any(&self, sql: &str, values: impl Params) -> Result<bool> {
        Ok(self.prepare_cached(sql)?.exists(values)?)
    }

    fn run(&self, sql: &str, values: impl Params) -> Result<usize> {
        Ok(self.prepare_cached(sql)?.execute(values)?)
    }
}

/// The same in a snapshot, or a transaction, of its own.
impl Store {
    pub(super) fn all<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Vec<T>> {
        self.read(|connection| connection.all(sql, values))
    }

    pub(super) fn optional<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Option<T>> {
        self.read(|connection| connection.optional(sql, values))
    }

    pub(super) fn one<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<T> {
        self.read(|connection| connection.one(sql, values))
    }

    pub(super) fn any(&self, sql: &str, values: impl Params) -> Result<bool> {
        self.read(|connection| connection.any(sql, values))
    }

    pub(super) fn run(&self, sql: &str, values: impl Params) -> Result<()> {
        self.write(|tx| tx.run(sql, values)).map(drop)
    }
}

/// Conditions of a query, all of which have to hold, and their values.
#[derive(Default)]
pub(super) struct Conditions {
    texts: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition that holds for any values.
    pub(super) fn add(&mut self, text: &str) {
        self.texts.push(text.to_owned());
    }

    /// Adds a comparison, whose right side is the value; none without a value.
    pub(super) fn compare(&mut self, left: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            let number = self.value(value);
            self.texts.push(format!("{left} ?{number}"));
        }
    }

    /// Adds a value that the rest of the query uses; returns its number.
    pub(super) fn value(&mut self, value: impl Into<Value>) -> usize {
        self.values.push(value.into());
        self.values.len()
    }

    /// The text of a `WHERE`.
    pub(super) fn sql(&self) -> String {
        match self.texts.as_slice() {
            [] => "1".to_owned(),
            texts => texts.join(" AND "),
        }
    }
}
