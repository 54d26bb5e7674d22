//! Tests of the server through its routes, without a network.

mod jury;
