//! The log as JSON lines with the field names of `interfaces.md`.

use std::{collections::BTreeMap, fmt};

use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

use crate::clock::{Clock, SystemClock};

/// One event as one line: `time`, `level`, `event`, and the event's own fields beside them.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut line = Map::new();
        line.insert("time".to_owned(), SystemClock.now().to_string().into());
        let level = event.metadata().level().as_str().to_ascii_lowercase();
        line.insert("level".to_owned(), level.into());
        line.insert("event".to_owned(), fields.0.remove("message").unwrap_or_default());
        line.extend(fields.0.into_iter().map(|(name, value)| (name.to_owned(), value)));
        writeln!(writer, "{}", Value::Object(line))
    }
}

#[derive(Default)]
struct Fields(BTreeMap<&'static str, Value>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name(), value.into());
    }
}
