//! Every fault of a network, over sockets, at every kind of call.

mod answers;
mod connections;
mod killed;
mod kinds;
mod matrix;
mod tls;
