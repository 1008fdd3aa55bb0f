//! The model: the engine's own pure core against a network and a service that do their worst.
