//! The headers that an answer is judged by, read strictly: what is not well formed is as good as
//! absent, and nothing a header says reaches past its bounds.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, header};
use jiff::{SignedDuration, Timestamp};
use url::Url;

/// Least and most that a `Retry-After` can ask for.
const RETRY_AFTER: std::ops::RangeInclusive<Duration> =
    Duration::from_secs(1)..=Duration::from_secs(60 * 60);
/// Longest id of a job that a header is believed to name, in bytes.
const ID_BYTES_MAX: usize = 200;

/// A header's text, where it is there once and is text.
pub(super) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(only), None) => only.to_str().ok().map(str::trim),
        (Some(_), Some(_)) | (None, _) => None,
    }
}

/// The media type without its parameters, in lower case.
pub(super) fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = text(headers, &header::CONTENT_TYPE)?;
    let essence = value.split(';').next().unwrap_or_default().trim();
    Some(essence.to_ascii_lowercase())
}

/// The `Date` of an answer (RFC 9110, 6.6.1), in whole seconds.
pub(super) fn date(headers: &HeaderMap) -> Option<Timestamp> {
    http_date(text(headers, &header::DATE)?)
}

/// When a `Retry-After` (RFC 9110, 10.2.3) asks to come back, in this computer's clock.
///
/// It is a whole number of seconds or a date. A date is measured from the answer's own `Date`, so a
/// wrong clock here moves nothing. Absent or not well formed it asks for the least, which leaves the
/// back-off to decide; a date in the past does the same.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Timestamp {
    let asked = text(headers, &header::RETRY_AFTER).and_then(|value| {
        if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
            // More digits than a number holds is a wish for ever.
            return Some(value.parse().map_or(Duration::MAX, Duration::from_secs));
        }
        let from = date(headers).unwrap_or(now);
        Duration::try_from(http_date(value)?.duration_since(from)).ok()
    });
    later(now, asked.unwrap_or_default())
}

/// `now` and a wish to wait, within the bounds of every such wish.
pub(super) fn later(now: Timestamp, wait: Duration) -> Timestamp {
    let wait = wait.clamp(*RETRY_AFTER.start(), *RETRY_AFTER.end());
    let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::ZERO);
    now.saturating_add(wait).unwrap_or(Timestamp::MAX)
}

/// A moment as an IMF-fixdate (RFC 9110, 5.6.7): whole seconds, rounded down.
pub(super) fn imf_fixdate(at: Timestamp) -> Option<String> {
    let whole = u64::try_from(at.as_second()).ok()?;
    Some(httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(whole)))
}

/// The id in the `Location` of an answer, where it leads to one of the tenant's exports at the same
/// service. `exports` is the address that the request went to.
pub(super) fn located_job(headers: &HeaderMap, exports: &Url) -> Option<String> {
    let location = exports.join(text(headers, &header::LOCATION)?).ok()?;
    if location.origin() != exports.origin() {
        return None;
    }
    let rest = location.path().strip_prefix(exports.path())?.strip_prefix('/')?;
    if rest.contains('/') {
        return None;
    }
    let id = unescape(rest)?;
    is_id(&id).then_some(id)
}

/// Whether a text can be the id of a job.
pub(super) fn is_id(text: &str) -> bool {
    !text.is_empty() && text.len() <= ID_BYTES_MAX && !text.chars().any(char::is_control)
}

/// Undoes percent-encoding (RFC 3986, 2.1).
fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let mut byte = [0];
            hex::decode_to_slice(after.get(..2)?, &mut byte).ok()?;
            bytes.push(byte[0]);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

fn http_date(value: &str) -> Option<Timestamp> {
    Timestamp::try_from(httpdate::parse_http_date(value).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn retry_after_is_read_strictly_and_kept_within_bounds() {
        let now = at("2026-03-01T12:00:00Z");
        let cases = [
            ("120", 120),
            ("0", 1),
            ("86400", 3600),
            ("99999999999999999999999", 3600),
            ("-1", 1),
            ("+5", 1),
            ("1.5", 1),
            ("soon", 1),
            ("", 1),
            // The service's clock is 10 minutes ahead; the wish is measured in its own time.
            ("Sun, 01 Mar 2026 12:10:30 GMT", 30),
            ("Sun, 01 Mar 2026 11:00:00 GMT", 1),
            ("Fri, 31 Dec 2027 23:59:59 GMT", 3600),
        ];
        for (value, seconds) in cases {
            let headers =
                headers(&[("retry-after", value), ("date", "Sun, 01 Mar 2026 12:10:00 GMT")]);
            let wait = retry_after(&headers, now).duration_since(now).as_secs();
            assert_eq!(wait, seconds, "Retry-After: {value}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), at("2026-03-01T12:00:01Z"));
        let twice = headers(&[("retry-after", "50"), ("retry-after", "70")]);
        assert_eq!(retry_after(&twice, now), at("2026-03-01T12:00:01Z"));
    }

    #[test]
    fn first_sent_travels_in_whole_seconds_rounded_down() {
        assert_eq!(
            imf_fixdate(at("2026-03-01T12:00:00.999Z")).as_deref(),
            Some("Sun, 01 Mar 2026 12:00:00 GMT")
        );
        assert_eq!(imf_fixdate(at("1960-01-01T00:00:00Z")), None);
        assert!(imf_fixdate(Timestamp::MAX).is_some());
    }

    #[test]
    fn a_location_names_a_job_only_inside_the_tenants_exports() {
        let exports = Url::parse("https://svc.example/api/v1/tenants/t1/exports").unwrap();
        let cases = [
            ("/api/v1/tenants/t1/exports/J-1", Some("J-1")),
            ("https://svc.example/api/v1/tenants/t1/exports/J%2F1", Some("J/1")),
            ("exports/J-2", Some("J-2")),
            ("https://other.example/api/v1/tenants/t1/exports/J-1", None),
            ("/api/v1/tenants/t2/exports/J-1", None),
            ("/api/v1/tenants/t1/exports/J-1/file", None),
            ("/api/v1/tenants/t1/exports/", None),
            ("/api/v1/tenants/t1/exports/../../t2/exports/J", None),
            ("/login", None),
            ("/api/v1/tenants/t1/exports/%0A", None),
        ];
        for (location, id) in cases {
            let found = located_job(&headers(&[("location", location)]), &exports);
            assert_eq!(found.as_deref(), id, "{location}");
        }
    }

    #[test]
    fn a_media_type_is_compared_without_its_parameters() {
        let of = |value| media_type(&headers(&[("content-type", value)]));
        assert_eq!(of("Application/JSON; charset=utf-8").as_deref(), Some("application/json"));
        assert_eq!(of("").as_deref(), Some(""));
        assert_eq!(media_type(&HeaderMap::new()), None);
    }
}
