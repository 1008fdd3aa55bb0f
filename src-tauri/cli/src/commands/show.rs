//! `docket show`: all that is known of one export. The call and the export are two lines.

use docket_engine::{
    export::ExportId,
    view::{AttemptView, CandidateView, ExportView},
    words::Words,
};

use crate::{
    commands::list::local,
    exit::Exit,
    failure::Failure,
    output::{plain, table},
    sentences,
    session::Session,
};

/// Does what was typed.
pub async fn run(session: &Session, id: String) -> Result<Exit, Failure> {
    let export = session.engine.get(&ExportId::from_text(id)).await?;
    session.output.answer(&export, || lines(&session.words, &export))?;
    Ok(Exit::Done)
}

fn lines(words: &Words, export: &ExportView) -> Vec<String> {
    let mut lines = vec![sentences::told(words, export)];
    lines.extend(sentences::fields(words, export));
    lines.push(String::new());
    lines.extend(facts(words, export));
    if !export.candidates.is_empty() {
        lines.push(String::new());
        lines.push(words.say("terminal-fact-candidates", &[]));
        lines.extend(candidates(export));
    }
    if !export.attempts.is_empty() {
        lines.push(String::new());
        lines.push(words.say("terminal-fact-attempts", &[]));
        lines.extend(attempts(words, export));
    }
    lines
}

fn facts(words: &Words, export: &ExportView) -> Vec<String> {
    let call = export.call_result.map(|result| result.as_str());
    let file = export.file.as_ref();
    let known: Vec<(&str, Option<String>)> = vec![
        ("terminal-fact-id", Some(export.id.clone())),
        ("terminal-fact-request", Some(export.request_key.clone())),
        ("terminal-fact-service", Some(plain(&export.service))),
        ("terminal-fact-report", Some(plain(&export.operation))),
        ("terminal-fact-parameters", Some(plain(&export.parameters.to_string()))),
        (
            "terminal-fact-call",
            call.map(|word| words.say(&format!("terminal-call-result-{word}"), &[])),
        ),
        (
            "terminal-fact-export",
            Some(words.say(&format!("terminal-outcome-of-{}", export.business_outcome), &[])),
        ),
        ("terminal-fact-job", export.business_id.as_deref().map(plain)),
        ("terminal-fact-next", export.next_action_at.map(local)),
        ("terminal-fact-until", export.window_ends_at.map(local)),
        ("terminal-fact-file", file.map(|file| file.path.clone())),
        ("terminal-fact-digest", file.map(|file| file.digest.clone())),
    ];
    let rows: Vec<Vec<String>> = known
        .into_iter()
        .filter_map(|(id, value)| Some(vec![words.say(id, &[]), value?]))
        .collect();
    columns(&rows)
}

fn candidates(export: &ExportView) -> Vec<String> {
    let row = |one: &CandidateView| {
        vec![plain(&one.business_id), local(one.created_at), plain(&one.status)]
    };
    columns(&export.candidates.iter().map(row).collect::<Vec<_>>())
}

fn attempts(words: &Words, export: &ExportView) -> Vec<String> {
    let rows: Vec<Vec<String>> =
        export.attempts.iter().map(|attempt| attempt_row(words, attempt)).collect();
    columns(&rows)
}

fn attempt_row(words: &Words, attempt: &AttemptView) -> Vec<String> {
    let result = attempt.call_result.map_or("open", |result| result.as_str());
    let reason = attempt.reason.as_deref().map(|reason| {
        words.find(&format!("terminal-call-{reason}"), &[]).unwrap_or_else(|| plain(reason))
    });
    let times = (attempt.times > 1)
        .then(|| words.say("terminal-times", &[("count", attempt.times.to_string().into())]));
    let heard = attempt.heard.as_deref().map(plain);
    let status = attempt.http_status.map(|status| status.to_string());
    let more: Vec<String> = [heard, reason, status, times].into_iter().flatten().collect();
    vec![
        format!("#{}", attempt.attempt_no),
        local(attempt.started_at),
        words.say(&format!("terminal-kind-{}", attempt.kind), &[]),
        words.say(&format!("terminal-call-result-{result}"), &[]),
        more.join(" · "),
    ]
}

/// Rows in columns, without a head.
fn columns(rows: &[Vec<String>]) -> Vec<String> {
    match rows.split_first() {
        Some((first, rest)) => table(first, rest),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use docket_engine::{stage::Stage, words::Language};

    use super::*;
    use crate::testing::export;

    #[test]
    fn the_call_and_the_export_are_two_lines() {
        let mut view = export(Stage::Confirming, None);
        view.call_result = Some(docket_engine::attempt::CallResult::Lost);
        let lines = lines(&Words::for_language(Language::English), &view);
        assert!(lines.iter().any(|line| line == "Call            no answer"), "{lines:?}");
        assert!(lines.iter().any(|line| line == "Result          unknown"), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("0199-key")), "{lines:?}");
    }
}
