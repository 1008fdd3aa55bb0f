//! The simulation: the whole of Docket over real sockets and real files, driven by a seed.
//!
//! A seed draws a script (`draw`): a service with more or fewer capabilities, and steps that befall
//! person, client, network and service. A play (`play`) carries it out and holds the laws (`laws`)
//! after every step. Time moves only when nothing else does (`clockwork`), so hours cost nothing and
//! the same seed gives the same timeline (`tale`).

mod acts;
mod book;
mod clockwork;
mod coverage;
mod dice;
mod draw;
mod ending;
mod fates;
mod gate;
mod laws;
mod mutants;
mod play;
mod programs;
mod script;
mod seeds;
mod service_clock;
mod stories;
mod tale;
