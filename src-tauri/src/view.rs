//! The few types that cross to the window and are not the engine's: how it starts, where files go,
//! and the practice service's weather.

use docket_engine::{settings::Theme, view::NoticeView, words::Language};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the window must know before it draws anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StartState {
    /// The language.
    pub language: Language,
    /// Light, dark, or as the system.
    pub theme: Theme,
    /// The practice service runs in this program.
    pub practice: bool,
    /// No service was ever added.
    pub first_run: bool,
    /// Whether this program drives the store.
    pub role: RoleView,
    /// What happened to the store and was not dismissed.
    pub notices: Vec<NoticeView>,
    /// The program's version.
    pub version: String,
}

/// Who drives the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RoleView {
    /// This program.
    Driver,
    /// Another; this one reads and records wishes.
    Observer,
}

/// Where files go, and how much room there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FreeSpace {
    /// The folder.
    pub folder: String,
    /// Bytes.
    pub free: u64,
}

/// What is wrong with the practice service's network, on purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WeatherView {
    /// The next receipt is lost after the service has committed.
    pub lose_next_receipt: bool,
    /// Connections are refused until then (RFC 3339, UTC).
    pub refuse_until: Option<String>,
    /// The next answer to a request is held back.
    pub stall_next: bool,
}

/// One wish for the practice service's network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "weather", rename_all = "snake_case")]
pub enum Weather {
    /// The next receipt is lost after the service has committed.
    LoseNextReceipt,
    /// Connections are refused for so long, from now.
    Refuse {
        /// Seconds.
        seconds: u32,
    },
    /// The next answer to a request is held back for so long.
    StallNext {
        /// Seconds.
        seconds: u32,
    },
    /// Fair weather again.
    Clear,
}
