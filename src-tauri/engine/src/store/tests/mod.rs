//! Tests of the store, through its own verbs.
