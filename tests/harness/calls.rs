//! Calls to a service as they stand in the protocol, without an engine: for the races that one
//! engine alone never runs.
