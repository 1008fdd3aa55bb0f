//! Cases from the field: faults that people met elsewhere, each with what Docket must do. `CASES.md`
//! beside this file says which test holds which; here are those that no other story tells.

mod claims;
mod copies;
mod files;
mod following;
mod person;
mod secrets;
mod submitting;
mod weather;
