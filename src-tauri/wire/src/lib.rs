//! The export protocol, version 1, as types: what Docket and a service say to each other.
//!
//! One file per thing that travels: [`service`] (what a service says of itself), [`operation`]
//! (what may be asked for), [`export`] (the resource), [`key`] (what a key is), [`problem`]
//! (refusals), [`canonical`] (the bytes that are hashed), [`header`] (names of headers).
//! Both ends use these types and no others, so a field can not mean two things.
//! Their JSON is pinned by the golden files in `tests/golden/wire`.

pub mod canonical;
pub mod export;
pub mod header;
pub mod key;
pub mod operation;
pub mod problem;
pub mod service;

pub use canonical::{InexactNumber, PayloadHash, canonical_json, first_inexact_number};
pub use export::{CreateExport, Export, ExportFile, ExportList, JobStatus, Progress};
pub use key::{KeyState, KeyStatus};
pub use operation::{Caller, Operation, OperationList};
pub use problem::{FieldError, Problem, ProblemType};
pub use service::{Capabilities, ServiceDocument};
