//! Helpers for SQL: queries for all rows, one row or an optional row, and statements without rows. Prepared statements
//! are cached per connection.

use super::{Error, Result, Store};
use judge_core::verdict::Verdict;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Params, Row, ToSql};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;

/// A type that is read from a row of a query.
pub(crate) trait FromRow: Sized {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self>;
}

/// Columns and their values.
pub(super) type Columns<'a> = Vec<(&'static str, &'a dyn ToSql)>;

/// A structure that is read from rows, as [`record`] defines it.
pub(super) trait Record {
    /// The fields that have the names and types of their columns.
    fn columns(&self) -> Columns<'_>;
}

/// Defines structures that are read from rows. A field has the name and type of its column; a field with an
/// expression is computed from the row.
macro_rules! record {
    (|$row:ident| $($(#[$doc:meta])* $vis:vis struct $name:ident {
        $($(#[$field_doc:meta])* $field_vis:vis $field:ident: $type:ty $(= $value:expr)?,)*
    })*) => {$(
        $(#[$doc])*
        $vis struct $name {
            $($(#[$field_doc])* $field_vis $field: $type,)*
        }

        impl crate::store::query::FromRow for $name {
            fn from_row($row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                Ok($name { $($field: record!($row $field $($value)?),)* })
            }
        }

        impl crate::store::query::Record for $name {
            fn columns(&self) -> crate::store::query::Columns<'_> {
                let columns: &[Option<(&'static str, &dyn rusqlite::ToSql)>] =
                    &[$(record!(column $field &self.$field, $($value)?)),*];
                columns.iter().copied().flatten().collect()
            }
        }
    )*};
    ($row:ident $field:ident) => { $row.get(stringify!($field))? };
    ($row:ident $field:ident $value:expr) => { $value };
    (column $field:ident $own:expr,) => { Some((stringify!($field), $own)) };
    (column $field:ident $own:expr, $computed:expr) => { None };
}

/// Implements [`FromRow`] for a structure that another module defines.
macro_rules! from_row {
    (|$row:ident| $name:ident { $($column:ident,)* $(; $($field:ident: $value:expr,)*)? }) => {
        impl crate::store::query::FromRow for $name {
            fn from_row($row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                Ok($name {
                    $($column: $row.get(stringify!($column))?,)*
                    $($($field: $value,)*)?
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

/// Lists columns with their values: first fields of a structure, whose columns have the same names, then others.
macro_rules! columns {
    ($from:ident { $($column:ident),* } $(, $name:ident: $value:expr)* $(,)?) => {
        &[
            $((stringify!($column), &$from.$column as &dyn rusqlite::ToSql),)*
            $((stringify!($name), &$value as &dyn rusqlite::ToSql),)*
        ]
    };
    ($($name:ident: $value:expr),* $(,)?) => {
        &[$((stringify!($name), &$value as &dyn rusqlite::ToSql)),*]
    };
}

/// Implements the conversions of a structure around one value that a column keeps as JSON.
macro_rules! json_column {
    ($($name:ident),*) => {$(
        impl rusqlite::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                let failed = |e: serde_json::Error| rusqlite::Error::ToSqlConversionFailure(e.into());
                Ok(serde_json::to_string(&self.0).map_err(failed)?.into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let crate::store::query::Json(own) = rusqlite::types::FromSql::column_result(value)?;
                Ok($name(own))
            }
        }
    )*};
}

pub(super) use {columns, from_column, from_row, json_column, record};

from_column!(bool, i64, Option<i64>, String, usize);

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

/// A value that is stored as JSON.
pub(super) struct Json<T>(pub T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0);
        let failed = |e: serde_json::Error| rusqlite::Error::ToSqlConversionFailure(e.into());
        Ok(text.map_err(failed)?.into())
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let parsed = serde_json::from_str(value.as_str()?);
        parsed.map(Json).map_err(|e| FromSqlError::Other(e.into()))
    }
}

impl<T: DeserializeOwned> FromRow for Json<T> {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        row.get(0)
    }
}

pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    row.get(column).map(|Json(value)| value)
}

/// A column that is JSON or null.
pub(super) fn optional_json<T: DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    let value: Option<Json<T>> = row.get(column)?;
    Ok(value.map(|Json(value)| value))
}

struct Letters(Verdict);

impl FromSql for Letters {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let letters = value.as_str()?;
        let unknown = || FromSqlError::Other(format!("unknown verdict {letters:?}").into());
        Verdict::from_code(letters).map(Letters).ok_or_else(unknown)
    }
}

pub(super) fn verdict(row: &Row<'_>, column: &str) -> rusqlite::Result<Verdict> {
    row.get(column).map(|Letters(verdict)| verdict)
}

/// The same, or null.
pub(super) fn optional_verdict(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Verdict>> {
    let letters: Option<Letters> = row.get(column)?;
    Ok(letters.map(|Letters(verdict)| verdict))
}

/// A column that is a list of numbers, as `group_concat` writes it.
pub(super) fn list<T: std::str::FromStr>(row: &Row<'_>, column: &str) -> rusqlite::Result<Vec<T>> {
    let text: Option<String> = row.get(column)?;
    let words = text.as_deref().unwrap_or_default().split(',');
    Ok(words.filter_map(|word| word.parse().ok()).collect())
}

/// The number and the name of an optional object, from the columns `id` and `name`.
pub(super) fn named<T: FromSql>(
    row: &Row<'_>,
    id: &str,
    name: &str,
) -> rusqlite::Result<Option<(T, String)>> {
    Ok(row.get::<_, Option<T>>(id)?.zip(row.get(name)?))
}

/// Queries of a connection or transaction.
pub(super) trait Queries {
    fn all<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Vec<T>>;

    /// The first row; `None`: there is none.
    fn optional<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<Option<T>>;

    /// The first row; [`Error::NotFound`] if there is none.
    fn one<T: FromRow>(&self, sql: &str, values: impl Params) -> Result<T>;

    /// The row whose number is the only parameter of the query. [`Error::NotFound`] names `what` and the number.
    fn numbered<T: FromRow>(&self, what: &str, sql: &str, id: impl ToSql + Display) -> Result<T> {
        self.optional(sql, [&id])?
            .ok_or_else(|| Error::NotFound(format!("no {what} {id}")))
    }

    /// Adds a row; returns its number.
    fn insert<T: FromRow>(&self, table: &str, columns: &[(&str, &dyn ToSql)]) -> Result<T> {
        let sql = insertion(table, columns, "RETURNING rowid");
        self.one(&sql, &values(columns)[..])
    }

    /// Adds a row, unless there is one with the same key; returns whether it was added.
    fn insert_new(&self, table: &str, columns: &[(&str, &dyn ToSql)]) -> Result<bool> {
        let sql = insertion(table, columns, "ON CONFLICT DO NOTHING");
        Ok(self.run(&sql, &values(columns)[..])? > 0)
    }

    /// Adds a row, or replaces the one with the same `ext`; returns its `id`.
    fn put<T: FromRow>(&self, table: &str, new: &impl Record) -> Result<T> {
        let mut columns = new.columns();
        columns.retain(|(name, _)| *name != "id");
        let others = columns.iter().filter(|(name, _)| *name != "ext");
        let replaced: Vec<String> = others
            .map(|(name, _)| format!("{name} = excluded.{name}"))
            .collect();
        let end = format!(
            "ON CONFLICT (ext) DO UPDATE SET {} RETURNING id",
            replaced.join(", ")
        );
        let sql = insertion(table, &columns, &end);
        self.one(&sql, &values(&columns)[..])
    }

    /// Whether there is a row.
    fn any(&self, sql: &str, values: impl Params) -> Result<bool>;

    /// Runs a statement that returns no rows; returns the number of rows that it changed.
    fn run(&self, sql: &str, values: impl Params) -> Result<usize>;
}

fn insertion(table: &str, columns: &[(&str, &dyn ToSql)], end: &str) -> String {
    // Quoted, because some names are keywords of SQL.
    let names: Vec<String> = columns.iter().map(|(n, _)| format!("\"{n}\"")).collect();
    let numbers: Vec<String> = (1..=names.len()).map(|k| format!("?{k}")).collect();
    let (names, numbers) = (names.join(", "), numbers.join(", "));
    format!("INSERT INTO {table} ({names}) VALUES ({numbers}) {end}")
}

fn values<'a>(columns: &[(&str, &'a dyn ToSql)]) -> Vec<&'a dyn ToSql> {
    columns.iter().map(|(_, value)| *value).collect()
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

/// The same functions, each in a snapshot or transaction of its own.
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

/// Conditions of a query, joined by AND, and their parameters.
#[derive(Default)]
pub(super) struct Conditions {
    texts: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition without parameters.
    pub(super) fn add(&mut self, text: &str) {
        self.texts.push(text.to_owned());
    }

    /// Adds a comparison of `left`, which ends with the operator, with a value; does nothing if that is `None`.
    pub(super) fn compare(&mut self, left: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            let number = self.value(value);
            self.texts.push(format!("{left} ?{number}"));
        }
    }

    /// Adds a parameter for the rest of the query; returns its number.
    pub(super) fn value(&mut self, value: impl Into<Value>) -> usize {
        self.values.push(value.into());
        self.values.len()
    }

    /// The text after `WHERE`.
    pub(super) fn sql(&self) -> String {
        match self.texts.as_slice() {
            [] => "1".to_owned(),
            texts => texts.join(" AND "),
        }
    }
}
