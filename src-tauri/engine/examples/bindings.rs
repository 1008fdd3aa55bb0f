//! Prints `ui/src/lib/bindings.ts`: the types of `view.rs`, and whatever those name, in TypeScript.
//!
//! `cargo xtask bindings` writes what this prints; `cargo xtask test` holds the committed file
//! against it. The types stand in the order of their names: the order in which one leads to the next
//! is chance, anew with each build.

use std::{
    any::TypeId,
    collections::{BTreeMap, HashSet},
};

use docket_engine::view::{
    ActionView, AttemptView, CallerView, CandidateView, CatalogueView, ChangeView, CheckView,
    DeliveryView, ErrorView, ExportView, FieldErrorView, FileView, ListPage, ListQuery, NoticeView,
    OfferedFileView, OperationView, ProblemView, ProgressView, RequestExport, Requested,
    SectionCounts, ServiceHealth, ServiceView,
};
use docket_engine::{attempt::CallReason, journal::UnresolvedReason, stage::NotCreatedWhy};
use ts_rs::{Config, TS, TypeVisitor};

struct Written {
    config: Config,
    seen: HashSet<TypeId>,
    declared: BTreeMap<String, String>,
}

impl TypeVisitor for Written {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
        // What has no file of its own is one of TypeScript's own types.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let declaration = T::decl(&self.config);
            let declared = format!("\n{docs}export {}\n", laid_out(&declaration));
            self.declared.insert(T::name(&self.config), declared);
        }
    }
}

/// One field a line, indented: what ts-rs gives is right, and hard to read in a review.
fn laid_out(declaration: &str) -> String {
    let broken = declaration.replace(", }", ",\n}").replace("{ \"", "{\n\"");
    let mut lines = Vec::new();
    let mut depth = 0_usize;
    for line in broken.lines() {
        let line = line.trim_end();
        let in_comment = line.starts_with("/**") || line.starts_with(" *");
        if !in_comment && line.starts_with('}') {
            depth = depth.saturating_sub(1);
        }
        lines.push(format!("{}{line}", "    ".repeat(depth)));
        if !in_comment && line.ends_with('{') {
            depth += 1;
        }
    }
    lines.join("\n")
}

fn main() {
    // A count here never passes 2^53, so a whole number is a `number`.
    let config = Config::new().with_large_int("number");
    let mut written = Written { config, seen: HashSet::new(), declared: BTreeMap::new() };
    written.visit::<ExportView>();
    written.visit::<ActionView>();
    written.visit::<ProgressView>();
    written.visit::<OfferedFileView>();
    written.visit::<DeliveryView>();
    written.visit::<FileView>();
    written.visit::<ProblemView>();
    written.visit::<FieldErrorView>();
    written.visit::<CandidateView>();
    written.visit::<AttemptView>();
    written.visit::<RequestExport>();
    written.visit::<Requested>();
    written.visit::<ListPage>();
    written.visit::<SectionCounts>();
    written.visit::<ListQuery>();
    written.visit::<NoticeView>();
    written.visit::<ServiceView>();
    written.visit::<CallerView>();
    written.visit::<ServiceHealth>();
    written.visit::<CatalogueView>();
    written.visit::<OperationView>();
    written.visit::<CheckView>();
    written.visit::<ChangeView>();
    written.visit::<ErrorView>();
    // A view carries these as text, because a reason may come from elsewhere; the window's words are by them.
    written.visit::<CallReason>();
    written.visit::<NotCreatedWhy>();
    written.visit::<UnresolvedReason>();
    print!(
        "// This file is made from the types that cross to the window: `cargo xtask bindings`. Do not edit it.\n{}",
        written.declared.into_values().collect::<String>()
    );
}
