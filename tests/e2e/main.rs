//! The real window, driven as a person drives it: by clicks, by keys, and by killing it.
//!
//! Each test has folders of its own and starts the program under WebKit's own driver, on whatever
//! display there is. Nothing waits for luck: a small script in the page writes down every stage that
//! was on screen and every view that was published, so what was there for a moment is seen too.

mod cases;
mod driver;
mod guards;
mod keyboard;
mod main_job;
mod mistakes;
mod observer;
mod person;
mod pictures;
mod programs;
mod steps;
mod stores;
mod window;
mod words;
