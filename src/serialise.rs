//! The feature `serde`: a grid is the line that it displays, a digit its value, a cell its name `r1c2`.

use crate::grid::{Cell, Digit, Grid};
use core::fmt;
use core::marker::PhantomData;
use serde_core::de::{Error, Unexpected, Visitor};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

impl<const N: usize> Serialize for Grid<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<const N: usize> Serialize for Cell<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<const N: usize> Serialize for Digit<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.value())
    }
}

/// Reads a text with a function.
struct Text<T> {
    expected: &'static str,
    read: fn(&str) -> Result<T, String>,
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Grid<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text {
            expected: "a grid as text",
            read: |text| text.parse().map_err(|error| format!("{error}")),
        })
    }
}

impl<'de, const N: usize> Deserialize<'de> for Cell<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text {
            expected: "a cell such as r1c2",
            read: |text| {
                let cell = text.strip_prefix('r').and_then(|rest| {
                    let (row, column) = rest.split_once('c')?;
                    let index = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
                    Cell::new(index(row)?, index(column)?)
                });
                cell.ok_or_else(|| format!("expected a cell from r1c1 to r{N}c{N}, found '{text}'"))
            },
        })
    }
}

impl<'de, const N: usize> Deserialize<'de> for Digit<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Reads a number.
        struct Number<const N: usize>(PhantomData<Digit<N>>);

        impl<const N: usize> Visitor<'_> for Number<N> {
            type Value = Digit<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a digit from 1 to {N}")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Digit<N>, E> {
                let digit = u8::try_from(value).ok().and_then(Digit::new);
                digit.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
            }
        }

        deserializer.deserialize_u8(Number(PhantomData))
    }
}
