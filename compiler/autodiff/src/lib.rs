//! Filled in as the house is built.
