//! The OpenAPI 3.1 document, made from the types that the service answers with.

use axum::{Json, extract::State};
use docket_wire::header::PROBLEM_JSON;
use docket_wire::{
    Capabilities, CreateExport, Export, ExportFile, ExportList, FieldError, KeyState, KeyStatus,
    Operation, OperationList, Problem, Progress, ServiceDocument, operation::Caller,
};
use utoipa::{
    Modify, OpenApi,
    openapi::{
        Content, Ref, ResponseBuilder,
        security::{Http, HttpAuthScheme, SecurityScheme},
    },
};

use super::{exports, file, keys, service, submit};
use crate::app::Shared;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Docket export protocol",
        version = "1",
        description = "Exports that are asked for once, however often the request is sent.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        service::describe,
        serve,
        service::operations,
        submit::submit,
        exports::list,
        exports::read,
        exports::cancel,
        file::fetch,
        keys::look,
        keys::abandon
    ),
    components(schemas(
        Caller, Capabilities, CreateExport, Export, ExportFile, ExportList, FieldError, KeyState,
        KeyStatus, Operation, OperationList, Problem, Progress, ServiceDocument
    )),
    security(("bearer" = [])),
    modifiers(&Bearer, &Internal)
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_default();
        components
            .add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    }
}

/// Whatever asks the database may find that it does not answer.
struct Internal;

impl Modify for Internal {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        let internal =
            ResponseBuilder::new().description("internal").content(PROBLEM_JSON, problem).build();
        let of_tenants =
            openapi.paths.paths.iter_mut().filter(|(path, _)| path.starts_with("/v1/tenants/"));
        for (_, item) in of_tenants {
            for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
                operation.responses.responses.insert("500".to_owned(), internal.clone().into());
            }
        }
    }
}

/// The document as it is served.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// This document.
#[utoipa::path(get, path = "/v1/openapi.json", tag = "service", security(()),
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json")))]
pub(super) async fn serve(State(_): State<Shared>) -> Json<utoipa::openapi::OpenApi> {
    Json(document())
}
