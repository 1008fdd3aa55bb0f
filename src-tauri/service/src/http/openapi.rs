//! The OpenAPI 3.1 document, made from the types that the service answers with.

use axum::{Json, extract::State};
use docket_wire::{
    Capabilities, CreateExport, Export, ExportFile, ExportList, FieldError, KeyState, KeyStatus,
    Operation, OperationList, Problem, Progress, ServiceDocument, operation::Caller,
};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{Http, HttpAuthScheme, SecurityScheme},
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
    modifiers(&Bearer)
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
