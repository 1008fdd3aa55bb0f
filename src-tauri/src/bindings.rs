//! Holds `ui/src/lib/bindings.ts` against the types that cross to the window.
//!
//! With `DOCKET_WRITE_BINDINGS=1` the test writes the file: that is what `cargo xtask bindings` does.
//! A type comes after the types that it names, so the file reads from the words upwards.

use std::{any::TypeId, collections::HashSet, env, fmt::Write, fs, path::Path};

use docket_engine::{settings::Theme, view, words::Language};
use ts_rs::{Config, TS, TypeVisitor};

use crate::view::{FreeSpace, StartState, Weather, WeatherView};

const HEAD: &str = "\
// The types that cross to the window, made from the program's own by `cargo xtask bindings`. Do not edit.
";

struct Written {
    config: Config,
    seen: HashSet<TypeId>,
    text: String,
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
            write!(self.text, "\n{docs}export {declaration}\n").expect("a text can be written to");
        }
    }
}

fn written() -> String {
    // A count here never passes 2^53, so a whole number is a `number`.
    let config = Config::new().with_large_int("number");
    let mut written = Written { config, seen: HashSet::new(), text: HEAD.to_owned() };
    written.visit::<view::ExportView>();
    written.visit::<view::Requested>();
    written.visit::<view::RequestExport>();
    written.visit::<view::ListPage>();
    written.visit::<view::ListQuery>();
    written.visit::<view::ServiceView>();
    written.visit::<view::CatalogueView>();
    written.visit::<view::CheckView>();
    written.visit::<view::ChangeView>();
    written.visit::<view::ErrorView>();
    written.visit::<Language>();
    written.visit::<Theme>();
    written.visit::<StartState>();
    written.visit::<FreeSpace>();
    written.visit::<WeatherView>();
    written.visit::<Weather>();
    written.text
}

#[test]
fn bindings_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/lib/bindings.ts");
    let written = written();
    if env::var_os("DOCKET_WRITE_BINDINGS").is_some_and(|wanted| wanted == "1") {
        fs::write(&path, written).expect("the bindings can be written");
        return;
    }
    // A checkout may have changed the ends of lines.
    let committed =
        fs::read_to_string(&path).expect("the bindings are there").replace("\r\n", "\n");
    assert!(committed == written, "run `cargo xtask bindings` and commit what it writes");
}
