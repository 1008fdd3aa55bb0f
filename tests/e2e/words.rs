//! Languages and themes: one state, other words; one window, other colours.

use std::{collections::BTreeMap, fs};

use docket_engine::stage::Stage;

use crate::{
    person::Person,
    steps,
    window::{Window, root},
};

#[tokio::test]
async fn a_language_changes_every_word_and_no_state() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "language").await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&window).await;
    let id = window.until_shown("inspector", Stage::Confirming).await;
    let (english, chinese) = (sentences("en"), sentences("zh-CN"));
    let only = |these: &BTreeMap<String, String>, others: &BTreeMap<String, String>| {
        let differ = |key: &str, words: &String| others.get(key) != Some(words);
        let these = these.iter().filter(|(key, words)| differ(key, words));
        these.map(|(_, words)| words.clone()).collect::<Vec<_>>()
    };
    let (only_english, only_chinese) = (only(&english, &chinese), only(&chinese, &english));
    says(&window, &english["stage-confirming"], &only_chinese).await;

    speak(&window, "zh-CN").await;
    says(&window, &chinese["settings-title"], &only_english).await;
    window.click("[data-nav=exports]").await;
    window
        .there(&format!("[data-view=inspector][data-export-id='{id}'][data-stage=confirming]"))
        .await;
    says(&window, &chinese["stage-confirming"], &only_english).await;
    let title = window.text("[data-view=inspector] h3").await;
    assert_eq!(title, "结果确认中");

    speak(&window, "en").await;
    window.click("[data-nav=exports]").await;
    window.there("[data-view=inspector][data-stage=confirming]").await;
    says(&window, &english["stage-confirming"], &only_chinese).await;
    let stages: Vec<Stage> = window.shown().await.into_iter().map(|one| one.stage).collect();
    assert_eq!(stages.last(), Some(&Stage::Confirming), "{stages:?}");
    window.nothing_regressed(&id).await;
    window.close().await;
}

#[tokio::test]
async fn a_theme_changes_the_colours_and_is_there_again() {
    let person = Person::new().practising();
    let window = Window::open(&person, "theme").await;
    window.click("[data-nav=settings]").await;
    let colour = "getComputedStyle(document.querySelector('[data-view=settings]')).backgroundColor";
    for (theme, surface) in [("light", "rgb(255, 255, 255)"), ("dark", "rgb(22, 26, 33)")] {
        window.click(&format!("[data-field=theme] [data-value={theme}]")).await;
        window.there(&format!("html[data-theme={theme}]")).await;
        window.until(&format!("{theme} is {surface}"), &format!("{colour} === '{surface}'")).await;
    }
    window.close().await;
    let window = Window::open(&person, "theme-again").await;
    window.there("html[data-theme=dark]").await;
    window.close().await;
}

/// Chooses a language in the settings; the choice keeps the focus.
async fn speak(window: &Window, language: &str) {
    window.click("[data-nav=settings]").await;
    window.click(&format!("[data-view=settings] [data-value='{language}']")).await;
    let there = format!(
        "document.documentElement.lang === '{language}' && document.activeElement.dataset.value === '{language}'"
    );
    window.until("the language, and the focus where it was", &there).await;
}

/// Asserts that the window says something, and nothing of what another language alone says.
async fn says(window: &Window, wanted: &str, others: &[String]) {
    let there = format!("document.body.innerText.includes({})", serde_json::json!(wanted));
    window.until(wanted, &there).await;
    let text = window.run("return document.body.innerText", vec![]).await;
    let lines: Vec<&str> = text.as_str().expect("a text").lines().map(str::trim).collect();
    // A language is named in its own words everywhere.
    let left: Vec<_> =
        lines.iter().filter(|line| others.iter().any(|other| other == *line)).collect();
    assert!(left.iter().all(|line| ["English", "简体中文"].contains(line)), "still said: {left:?}");
}

/// The messages of the catalogue that stand on one line and are filled with nothing.
fn sentences(language: &str) -> BTreeMap<String, String> {
    let path = root().join("ui").join("locales").join(format!("{language}.ftl"));
    let text = fs::read_to_string(path).expect("the catalogue can be read");
    let messages = text.lines().filter_map(|line| line.split_once(" = "));
    let plain = messages.filter(|(key, words)| {
        !key.starts_with([' ', '#', '.']) && !words.contains('{') && !words.is_empty()
    });
    plain.map(|(key, words)| (key.to_owned(), words.to_owned())).collect()
}
