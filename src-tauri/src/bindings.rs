//! Holds `ui/src/lib/window-bindings.ts` against the types of `view.rs`: the few that cross to the
//! window and are not the engine's. Those of the engine are in `bindings.ts`.
//!
//! With `DOCKET_WRITE_BINDINGS=1` the test writes the file. The types stand in the order of their
//! names: the order in which one leads to the next is chance, anew with each build.

use std::{
    any::TypeId,
    collections::{BTreeMap, HashSet},
    env, fs,
    path::Path,
};

use ts_rs::{Config, TS, TypeVisitor};

use crate::view::{FreeSpace, StartState, Weather, WeatherView};

const HEAD: &str = "\
// The window's own types, as src-tauri/src/view.rs gives them. Made by its test; not edited by hand.
";

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
            let declared = format!("\n{docs}export {declaration}\n");
            self.declared.insert(T::name(&self.config), declared);
        }
    }
}

fn written() -> String {
    // A count here never passes 2^53, so a whole number is a `number`.
    let config = Config::new().with_large_int("number");
    let mut written = Written { config, seen: HashSet::new(), declared: BTreeMap::new() };
    written.visit::<StartState>();
    written.visit::<FreeSpace>();
    written.visit::<WeatherView>();
    written.visit::<Weather>();
    let declared: String = written.declared.into_values().collect();
    format!("{HEAD}{declared}")
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
