//! `docket export`: records the intent, says so, and follows it to its file.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use docket_engine::{
    export::{ClickId, ExportId, ServiceId},
    first_inexact_number,
    store::Role,
    view::{
        ActionView, CatalogueView, ExportView, Knowing, OperationView, PersonAction, RequestExport,
        Requested, ServiceView,
    },
    words::Fillings,
};
use serde_json::{Map, Value};

use crate::{
    args::ExportArguments,
    exit::Exit,
    failure::Failure,
    output::note,
    parameters::{self, Report},
    sentences,
    session::{Session, is_away},
    watch::{self, Until},
};

/// Parameters larger than this are not typed by anybody; the service would refuse them too.
const MAX_PARAMETER_BYTES: u64 = 1 << 20;

/// The format where neither the person nor the service has named one.
const USUAL_FORMAT: &str = "csv";

/// Does what was typed.
pub async fn run(session: &Session, arguments: ExportArguments) -> Result<Exit, Failure> {
    let service = session.service(arguments.service.as_deref()).await?;
    session.use_token_of_environment(&service).await?;
    let request = request(session, &service, &arguments).await?;
    let folder = request.folder.clone().map(PathBuf::from);
    let mut export = recorded(session, session.engine.request(request).await?)?;
    note(&format!("recorded {}", export.id));
    let id = ExportId::from_text(export.id.clone());
    if waits_to_be_fetched(&export) {
        export = session.engine.download(&id, folder).await?;
    }
    if arguments.no_wait {
        note(&session.words.say(recorded_only(session.engine.role()), &[]));
        tell(session, &export)?;
        return Ok(Exit::Done);
    }
    session.drive();
    let export = watch::follow(session, &id, Until::Answered).await?;
    tell(session, &export)?;
    Ok(Exit::of(&export))
}

/// Whether its file lies at the service and is fetched only when asked for: after a cancel that came
/// too late, or where a hold stopped the fetch. Who asks for the same export again asks for that file.
fn waits_to_be_fetched(export: &ExportView) -> bool {
    let fetch = [PersonAction::Download, PersonAction::Resume];
    !export.stage.is_settled() && fetch.into_iter().any(|action| offers(export, action))
}

/// Whether a person can do this with an export now.
pub fn offers(export: &ExportView, action: PersonAction) -> bool {
    let offered = |offer: &ActionView| offer.action == action && offer.not_yet.is_none();
    export.actions.iter().any(offered)
}

/// Who sends what was recorded.
fn recorded_only(role: Role) -> &'static str {
    match role {
        Role::Driver => "terminal-recorded-only",
        Role::Observer => "terminal-recorded-driven",
    }
}

/// Tells what became of an export: the document, or the sentence and what is wrong field by field.
pub fn tell(session: &Session, export: &ExportView) -> Result<(), Failure> {
    session.output.answer(export, || {
        let mut lines = vec![sentences::told(&session.words, export)];
        lines.extend(sentences::fields(&session.words, export));
        lines
    })
}

async fn request(
    session: &Session,
    service: &ServiceView,
    arguments: &ExportArguments,
) -> Result<RequestExport, Failure> {
    let catalogue = catalogue(session, service).await?;
    let operation = match &catalogue {
        Some(catalogue) => Some(operation(service, catalogue, &arguments.operation)?),
        None => None,
    };
    let report = Report {
        operation: &arguments.operation,
        schema: operation.map(|operation| &operation.parameters),
    };
    let base = match &arguments.params_json {
        Some(path) => parameters_of(path)?,
        None => Map::new(),
    };
    let parameters = parameters::typed(report, base, &arguments.parameters)?;
    let click_id = arguments.click_id.clone().map_or_else(ClickId::mint, ClickId::from_text);
    Ok(RequestExport {
        service_id: service.id.clone(),
        operation: arguments.operation.clone(),
        parameters,
        format: format(operation, arguments)?,
        click_id: click_id.as_str().to_owned(),
        supersedes: None,
        folder: arguments.output.as_deref().map(absolute).transpose()?,
        knowing: if arguments.anyway { Knowing::ALL.to_vec() } else { Vec::new() },
    })
}

/// The reports, where the service can be reached or was before. Offline a click is recorded without.
async fn catalogue(
    session: &Session,
    service: &ServiceView,
) -> Result<Option<CatalogueView>, Failure> {
    match session.engine.operations(&ServiceId::from_text(service.id.clone())).await {
        Ok(catalogue) => Ok(Some(catalogue)),
        Err(error) if is_away(error.code) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn operation<'a>(
    service: &ServiceView,
    catalogue: &'a CatalogueView,
    named: &str,
) -> Result<&'a OperationView, Failure> {
    let operations = &catalogue.operations;
    operations.iter().find(|operation| operation.operation == named).ok_or_else(|| {
        let names: Vec<&str> = operations.iter().map(|o| o.operation.as_str()).collect();
        let names = names.join(", ");
        let fillings =
            [("service", service.name.as_str()), ("operation", named), ("names", &names)];
        Failure::usage("terminal-error-no-such-operation", &fillings)
    })
}

fn format(
    operation: Option<&OperationView>,
    arguments: &ExportArguments,
) -> Result<String, Failure> {
    let offered = operation.map(|operation| operation.formats.as_slice()).unwrap_or_default();
    let Some(format) = &arguments.format else {
        return Ok(offered.first().cloned().unwrap_or_else(|| USUAL_FORMAT.to_owned()));
    };
    if offered.is_empty() || offered.contains(format) {
        return Ok(format.clone());
    }
    let names = offered.join(", ");
    let fillings =
        [("operation", arguments.operation.as_str()), ("format", format), ("names", &names)];
    Err(Failure::usage("terminal-error-no-such-format", &fillings))
}

fn parameters_of(path: &Path) -> Result<Map<String, Value>, Failure> {
    let text = read(path).map_err(|error| {
        let (path, problem) = (path.display().to_string(), error.to_string());
        Failure::usage("terminal-error-parameters-file", &[("path", &path), ("problem", &problem)])
    })?;
    let malformed = |error: serde_json::Error| {
        let problem = error.to_string();
        Failure::usage("terminal-error-parameters-json", &[("problem", &problem)])
    };
    // Once read, a number that a double can not hold is another one.
    if let Some(number) = first_inexact_number(&text).map_err(malformed)? {
        let fillings = [("literal", number.literal.as_str())];
        return Err(Failure::usage("terminal-error-parameters-number", &fillings));
    }
    serde_json::from_str(&text).map_err(malformed)
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().lock().take(MAX_PARAMETER_BYTES + 1).read_to_string(&mut text)?;
    } else {
        fs::File::open(path)?.take(MAX_PARAMETER_BYTES + 1).read_to_string(&mut text)?;
    }
    if text.len() as u64 > MAX_PARAMETER_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(text)
}

/// A folder as the engine keeps it: whole, since another process may fetch the file.
pub fn absolute(folder: &Path) -> Result<String, Failure> {
    let whole: io::Result<PathBuf> = std::path::absolute(folder);
    let whole = whole.map_err(|error| {
        let (path, problem) = (folder.display().to_string(), error.to_string());
        Failure::usage("terminal-error-parameters-file", &[("path", &path), ("problem", &problem)])
    })?;
    Ok(whole.display().to_string())
}

/// The export that the click stands for; a copy is not made unasked.
fn recorded(session: &Session, requested: Requested) -> Result<ExportView, Failure> {
    match requested {
        Requested::Recorded { export } => Ok(*export),
        Requested::SameClick { export } => {
            note(&session.words.say("terminal-already", &[]));
            Ok(*export)
        }
        Requested::Twin { export, copy: _ } => {
            let fillings: Fillings<'_> = &[
                ("id", export.id.as_str().into()),
                ("stage", sentences::label(&session.words, &export).into()),
            ];
            note(&session.words.say("terminal-twin", fillings));
            Ok(*export)
        }
        Requested::NearTwin { export } => {
            let fillings = [("id", export.id.as_str())];
            Err(Failure::said(Exit::Open, "terminal-error-near-twin", &fillings))
        }
    }
}

#[cfg(test)]
mod tests {
    use docket_engine::view::OperationView;

    use docket_engine::stage::Stage;

    use super::*;
    use crate::testing::export;

    fn arguments(format: Option<&str>) -> ExportArguments {
        ExportArguments {
            operation: "orders".to_owned(),
            parameters: Vec::new(),
            params_json: None,
            format: format.map(str::to_owned),
            service: None,
            output: None,
            no_wait: false,
            click_id: None,
            anyway: false,
        }
    }

    #[test]
    fn a_format_is_one_that_is_offered() {
        let operation = OperationView {
            operation: "orders".to_owned(),
            title: Default::default(),
            description: Default::default(),
            parameters: serde_json::json!({}),
            formats: vec!["xlsx".to_owned(), "csv".to_owned()],
        };
        let of = |format| super::format(Some(&operation), &arguments(format));
        assert_eq!(of(None).expect("the first"), "xlsx");
        assert_eq!(of(Some("csv")).expect("offered"), "csv");
        assert_eq!(of(Some("pdf")).expect_err("not offered").exit(), Exit::Usage);
        assert_eq!(super::format(None, &arguments(None)).expect("the usual"), "csv");
    }

    #[test]
    fn a_file_of_parameters_holds_one_object() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("p.json");
        fs::write(&path, "{\"rows\": 3}").expect("written");
        assert_eq!(parameters_of(&path).expect("an object")["rows"], 3);
        fs::write(&path, "[3]").expect("written");
        assert_eq!(parameters_of(&path).expect_err("a list").code(), "parameters_json");
        let missing = folder.path().join("missing.json");
        assert_eq!(parameters_of(&missing).expect_err("not there").code(), "parameters_file");
        let spaces = usize::try_from(MAX_PARAMETER_BYTES).expect("it is small");
        fs::write(&path, format!("{{}}{}", " ".repeat(spaces))).expect("written");
        assert_eq!(parameters_of(&path).expect_err("too large").code(), "parameters_file");
    }

    #[test]
    fn a_file_that_waits_is_fetched_by_asking_for_the_export_again() {
        let offered = |stage, action| {
            let mut view = export(stage, None);
            view.actions = vec![ActionView { action, not_yet: None }];
            view
        };
        assert!(waits_to_be_fetched(&offered(Stage::Ready, PersonAction::Download)));
        assert!(waits_to_be_fetched(&offered(Stage::Downloading, PersonAction::Download)), "held");
        assert!(waits_to_be_fetched(&offered(Stage::Downloading, PersonAction::Resume)), "paused");
        assert!(
            !waits_to_be_fetched(&offered(Stage::Downloading, PersonAction::Pause)),
            "it comes"
        );
        assert!(!waits_to_be_fetched(&offered(Stage::Saved, PersonAction::Download)), "it is here");
        assert!(!waits_to_be_fetched(&export(Stage::Ready, None)), "it comes by itself");
    }
}
