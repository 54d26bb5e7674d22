//! The default validator and exact comparison, against tables that the reference
//! implementations agree with.

mod checker {
    mod places;
    mod rules;
}
