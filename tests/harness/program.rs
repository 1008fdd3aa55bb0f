//! The real programs as children of a test, in folders that go with it.
