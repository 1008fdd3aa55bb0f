//! The simulation: the whole of Docket over real sockets and real files, driven by a seed.
