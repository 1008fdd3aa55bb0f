//! Holds `ui/src/lib/window-bindings.ts` against the types of `view.rs`: the few that cross to the
//! window and are not the engine's. Those of the engine are in `bindings.ts`.
//!
//! With `DOCKET_WRITE_BINDINGS=1` the test writes the file. A type comes after the types that it
//! names, so the file reads from the words upwards.

use std::{any::TypeId, collections::HashSet, env, fmt::Write, fs, path::Path};

use ts_rs::{Config, TS, TypeVisitor};

use crate::view::{FreeSpace, StartState, Weather, WeatherView};

const HEAD: &str = "\
// The window's own types, as src-tauri/src/view.rs gives them. Made by its test; not edited by hand.
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
    written.visit::<StartState>();
    written.visit::<FreeSpace>();
    written.visit::<WeatherView>();
    written.visit::<Weather>();
    written.text
}

#[test]
fn bindings_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/lib/window-bindings.ts");
    let written = written();
    if env::var_os("DOCKET_WRITE_BINDINGS").is_some_and(|wanted| wanted == "1") {
        fs::write(&path, written).expect("the bindings can be written");
        return;
    }
    // A checkout may have changed the ends of lines.
    let committed =
        fs::read_to_string(&path).expect("the bindings are there").replace("\r\n", "\n");
    assert!(
        committed == written,
        "run this test with DOCKET_WRITE_BINDINGS=1 and commit what it writes"
    );
}
