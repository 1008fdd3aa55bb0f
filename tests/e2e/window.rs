//! The window in a test's hand: what is on screen is found by the names that stay, waited for in the
//! page itself, and written down from the first moment.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use docket_engine::{stage::Stage, view::ExportView};
use docket_tests::{invariants, timeline};
use fantoccini::{
    Client, Locator,
    actions::{InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction},
    elements::Element,
    wd::TimeoutConfiguration,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{driver::Driver, person::Person};

/// How long anything is waited for; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(40);

/// The driver's names of keys that have no character.
pub mod keys {
    pub const TAB: char = '\u{e004}';
    pub const ENTER: char = '\u{e007}';
    pub const CONTROL: char = '\u{e009}';
    pub const ESCAPE: char = '\u{e00c}';
    pub const HOME: char = '\u{e011}';
    pub const DOWN: char = '\u{e015}';
}

/// See the head of this file.
pub struct Window {
    client: Client,
    driver: Driver,
    name: String,
    enlarged: bool,
}

/// A stage that was on screen.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Shown {
    /// `row` or `inspector`.
    pub place: String,
    /// Whose.
    pub export_id: String,
    /// Which.
    pub stage: Stage,
}

impl Window {
    /// Opens Docket for somebody and waits until it shows something. `name` is the name of what the
    /// test leaves to look at.
    pub async fn open(person: &Person, name: &str) -> Self {
        let mut driver = Driver::start(person, &output(&format!("{name}.log"))).await;
        let client = driver.open().await;
        let script = PATIENCE * 2;
        let times = TimeoutConfiguration::new(Some(script), None, None);
        client.update_timeouts(times).await.expect("the driver takes time-outs");
        let window =
            Self { client, driver, name: name.to_owned(), enlarged: person.sees_twice_the_size() };
        window.run(include_str!("page.js"), vec![]).await;
        window.until("something is shown", "document.querySelector('[data-view]') !== null").await;
        window
    }

    /// Runs a script in the page.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.expect("the script runs")
    }

    /// Waits in the page until a condition gives a value, and hands it back.
    ///
    /// # Panics
    /// It gives none in time; what the window shows and showed is told then.
    pub async fn until(&self, what: &str, condition: &str) -> Value {
        let script = include_str!("wait.js").replace("CONDITION", &format!("({condition})"));
        let milliseconds = u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX);
        let answer = self.client.execute_async(&script, vec![json!(milliseconds)]).await;
        match answer {
            Ok(Value::Null) => unreachable!("{what}: not in time\n{}", self.tell().await),
            Ok(answer) => answer,
            Err(error) => unreachable!("{what}: {error}"),
        }
    }

    /// Waits until there is such an element that can be used.
    pub async fn there(&self, css: &str) -> Element {
        let usable = format!(
            "((it) => it !== null && it.getClientRects().length > 0 && !it.disabled)(document.querySelector({}))",
            json!(css)
        );
        self.until(css, &usable).await;
        self.client.find(Locator::Css(css)).await.expect("it was there a moment ago")
    }

    /// Waits until there is no such element.
    pub async fn gone(&self, css: &str) {
        let none = format!("document.querySelector({}) === null", json!(css));
        self.until(&format!("no {css}"), &none).await;
    }

    /// How many such elements there are now.
    pub async fn count(&self, css: &str) -> usize {
        self.client.find_all(Locator::Css(css)).await.expect("elements can be counted").len()
    }

    /// Presses the pointer on an element, once it is in sight as a whole.
    pub async fn click(&self, css: &str) {
        let element = self.there(css).await;
        let handle = serde_json::to_value(&element).expect("an element has a handle");
        self.run("arguments[0].scrollIntoView({ block: 'nearest' })", vec![handle.clone()]).await;
        if self.enlarged {
            // The driver's pointer knows nothing of the system's text size and would miss.
            self.run("arguments[0].click()", vec![handle]).await;
            return;
        }
        if let Err(error) = element.click().await {
            unreachable!("{css} can not be pressed: {error}\n{}", self.tell().await);
        }
    }

    /// Types into a field, in place of what is in it.
    pub async fn fill(&self, css: &str, text: &str) {
        let field = self.there(css).await;
        field.clear().await.expect("a field can be emptied");
        field.send_keys(text).await.expect("a field can be typed into");
    }

    /// What an element says.
    pub async fn text(&self, css: &str) -> String {
        self.there(css).await.text().await.expect("an element has a text")
    }

    /// An attribute of an element.
    pub async fn attribute(&self, css: &str, name: &str) -> Option<String> {
        self.there(css).await.attr(name).await.expect("attributes can be read")
    }

    /// Presses the pointer on an element twice, as fast as a hand can not.
    pub async fn click_twice(&self, css: &str) {
        let element = self.there(css).await;
        let moved = PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 };
        let mut actions = MouseActions::new("pointer".to_owned()).then(moved);
        for _ in 0..2 {
            actions = actions
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        }
        self.client.perform_actions(actions).await.expect("a pointer can be pressed");
    }

    /// Whether an element has the focus.
    pub async fn has_focus(&self, css: &str) -> bool {
        let script = "return document.activeElement?.matches(arguments[0]) ?? false";
        self.run(script, vec![json!(css)]).await == json!(true)
    }

    /// Presses keys one after another, whatever has the focus; those of `held` stay down meanwhile.
    pub async fn press(&self, held: &[char], keys: &str) {
        let pressed =
            keys.chars().map(|key| [KeyAction::Down { value: key }, KeyAction::Up { value: key }]);
        self.keys(held, pressed.flatten()).await;
    }

    /// Keeps a key down so long that it comes so many times, then lets go.
    pub async fn hold_down(&self, held: &[char], key: char, times: usize) {
        let down = (0..times).map(|_| KeyAction::Down { value: key });
        self.keys(held, down.chain([KeyAction::Up { value: key }])).await;
    }

    async fn keys(&self, held: &[char], pressed: impl Iterator<Item = KeyAction>) {
        let mut actions = KeyActions::new("keys".to_owned());
        for key in held {
            actions = actions.then(KeyAction::Down { value: *key });
        }
        for action in pressed {
            actions = actions.then(action);
        }
        for key in held.iter().rev() {
            actions = actions.then(KeyAction::Up { value: *key });
        }
        self.client.perform_actions(actions).await.expect("keys can be pressed");
    }

    /// Every stage that was on screen, in order.
    pub async fn shown(&self) -> Vec<Shown> {
        let shown = self.run("return window.e2e.shown", vec![]).await;
        serde_json::from_value(shown).expect("what page.js writes down")
    }

    /// Every view that the program published, in order.
    pub async fn views(&self) -> Vec<ExportView> {
        let views = self.run("return JSON.stringify(window.e2e.views)", vec![]).await;
        let text = views.as_str().expect("a text");
        serde_json::from_str(text).expect("a view is as the engine has it")
    }

    /// The export as the program knows it now.
    pub async fn export(&self, id: &str) -> ExportView {
        let script = "const [id, done] = arguments; \
             window.__TAURI_INTERNALS__.invoke('get_export', { id }).then((view) => done(JSON.stringify(view)))";
        let view = self.client.execute_async(script, vec![json!(id)]).await.expect("it is known");
        serde_json::from_str(view.as_str().expect("a text"))
            .expect("a view is as the engine has it")
    }

    /// Waits until a stage was on screen at a place, if only for a moment. Hands back whose it was.
    pub async fn until_shown(&self, place: &str, stage: Stage) -> String {
        let condition = format!(
            "window.e2e.shown.find((one) => one.place === '{place}' && one.stage === '{stage}')?.export_id"
        );
        let id = self.until(&format!("{stage} on the {place}"), &condition).await;
        id.as_str().expect("an id is a text").to_owned()
    }

    /// Asserts that nothing that was published or shown went back behind what was known, and that one
    /// key stood for one intent.
    ///
    /// # Panics
    /// It did.
    pub async fn nothing_regressed(&self, id: &str) {
        let mut views = self.views().await;
        views.retain(|view| view.id == id);
        assert!(!views.is_empty(), "nothing was published of {id}");
        invariants::nothing_regresses(&views);
        for place in ["row", "inspector"] {
            let shown = self.shown().await;
            let of_place = shown.iter().filter(|one| one.place == place && one.export_id == id);
            let stages: Vec<Stage> = of_place.map(|one| one.stage).collect();
            let published: Vec<Stage> = views.iter().map(|view| view.stage).collect();
            assert!(
                is_within(&stages, &published),
                "the {place} showed {stages:?}, published was {published:?}"
            );
        }
    }

    /// Waits until what the page holds now is on the screen, in its own faces.
    pub async fn drawn(&self) {
        let script = "const [done] = arguments; document.fonts.ready.then(() => \
             requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))";
        self.client.execute_async(script, vec![]).await.expect("the page is drawn");
    }

    /// Leaves a picture to look at.
    pub async fn picture(&self, name: &str) -> PathBuf {
        let path = output(&format!("{name}.png"));
        let picture = self.client.screenshot().await.expect("the driver takes pictures");
        fs::write(&path, picture).expect("the picture can be written");
        path
    }

    /// The size of the window, in pixels.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.expect("the window can be resized");
        let fits = format!("innerWidth === {width} && innerHeight === {height}");
        self.until("the size", &fits).await;
    }

    /// Kills the program.
    pub async fn kill(self) {
        self.driver.kill().await;
    }

    /// Ends the program as its close button does.
    pub async fn close(self) {
        self.client.close().await.expect("the session ends");
        self.driver.ended().await;
    }

    /// For a person who reads why a test failed; a picture lies beside it.
    async fn tell(&self) -> String {
        let picture = self.picture(&format!("failed-{}", self.name)).await;
        let page = self.run("return document.body.innerText", vec![]).await;
        let views = self.views().await;
        let shown = self.shown().await;
        format!(
            "see {}\n{}\n\nshown: {shown:?}\n\n{}\n{}",
            picture.display(),
            page.as_str().unwrap_or_default(),
            timeline::of_views(&views),
            views.last().map(|view| timeline::of_attempts(&view.attempts)).unwrap_or_default()
        )
    }
}

/// Whether one list is the other with some left out.
fn is_within(part: &[Stage], whole: &[Stage]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|stage| rest.any(|one| one == stage))
}

/// A file among what a run leaves to look at.
pub fn output(name: &str) -> PathBuf {
    let folder = root().join("test-output").join("e2e");
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder.join(name)
}

/// The folder of the whole tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lie in the tree").to_owned()
}

/// Whether this run makes the pictures of the README.
pub fn is_blessing() -> bool {
    env::var_os("DOCKET_BLESS").is_some_and(|wish| wish == "1")
}
