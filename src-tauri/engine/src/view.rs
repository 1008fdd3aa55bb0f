//! The types that leave the engine: to the window, to `--json` and to bundles.
//!
//! One shape serves all three, so what support reads is what the person saw. Enumerations are the
//! snake_case words of the domain; times are RFC 3339 in UTC with milliseconds. The TypeScript in
//! `ui/src/lib/bindings.ts` is made from this file, and golden files pin the JSON.
//!
//! Long because it is one list of shapes, and whoever reads one wants its neighbours.

use std::collections::BTreeMap;

use docket_wire::FieldError as WireFieldError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    attempt::{AttemptKind, CallResult, PhaseMark, Verified, words},
    journal::Hold,
    knowledge::BusinessOutcome,
    stage::{Section, Stage},
};

pub mod of_record;
pub mod offer;

/// One export, whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ExportView {
    /// Its name on this computer.
    pub id: String,
    /// Its name to the service, for ever.
    pub request_key: String,
    /// Grows with every change on this computer; the higher one is the newer.
    pub version: u64,
    /// What the person calls the service.
    pub service: String,
    /// The service's id on this computer.
    pub service_id: String,
    /// The service's address.
    pub service_address: String,
    /// The tenant.
    pub tenant_id: String,
    /// The subject that asked, once known.
    pub subject: Option<String>,
    /// The report.
    pub operation: String,
    /// The report's title by language, as the service told it when the intent was recorded.
    pub title: BTreeMap<String, String>,
    /// What was asked for.
    #[ts(type = "Record<string, unknown>")]
    pub parameters: serde_json::Value,
    /// `csv`, `xlsx`, `ndjson`.
    pub format: String,
    /// SHA-256 of the canonical payload, 64 hexadecimal digits.
    pub payload_hash: String,
    /// The one word.
    pub stage: Stage,
    /// What keeps it from going on.
    pub hold: Option<Hold>,
    /// Why it is in this stage, as a snake_case or kebab-case word: the unresolved reason, the proof
    /// of absence, the problem's type, or the reason why nothing was sent.
    pub reason: Option<String>,
    /// What happened to the last submit; absent before the first one ended.
    pub call_result: Option<CallResult>,
    /// What became of the business.
    pub business_outcome: BusinessOutcome,
    /// The service's id of the job.
    pub business_id: Option<String>,
    /// The service's revision of the job.
    pub revision: Option<u64>,
    /// When the intent was recorded.
    #[ts(type = "string")]
    pub created_at: Timestamp,
    /// When this computer last learnt or did something about it.
    #[ts(type = "string")]
    pub updated_at: Timestamp,
    /// When Docket does something next; absent where it waits for a person or is done.
    #[ts(type = "string | null")]
    pub next_action_at: Option<Timestamp>,
    /// What it does then.
    pub next_action: Option<NextAction>,
    /// When the window of confirming ends, as a forecast.
    #[ts(type = "string | null")]
    pub window_ends_at: Option<Timestamp>,
    /// The export that this one mends or repeats.
    pub supersedes: Option<String>,
    /// How many look-ups were made.
    pub looks: u32,
    /// Numbers as the service counts them.
    pub progress: Option<ProgressView>,
    /// When the service last said something new of the job, by this computer's clock.
    #[ts(type = "string | null")]
    pub news_at: Option<Timestamp>,
    /// Until when the service keeps the file.
    #[ts(type = "string | null")]
    pub expires_at: Option<Timestamp>,
    /// The file as the service offers it.
    pub offered: Option<OfferedFileView>,
    /// How much of it is here.
    pub delivery: Option<DeliveryView>,
    /// The file on disk.
    pub file: Option<FileView>,
    /// Why the service refused it, or why the job failed.
    pub problem: Option<ProblemView>,
    /// What a person should know of a partial success.
    pub warnings: Vec<String>,
    /// The jobs that could be it, where several match or the key was breached.
    pub candidates: Vec<CandidateView>,
    /// The person asked for it to be cancelled.
    pub cancel_asked: bool,
    /// What a person may do now, the primary one first.
    pub actions: Vec<ActionView>,
    /// All its attempts, in order.
    pub attempts: Vec<AttemptView>,
}

words!(
    /// What Docket does next for an export.
    NextAction {
        /// Asks what the service is.
        Describe = "describe",
        /// Sends the request.
        Submit = "submit",
        /// Looks it up.
        Lookup = "lookup",
        /// Asks how far it is.
        Poll = "poll",
        /// Withdraws the key.
        Abandon = "abandon",
        /// Cancels the job.
        Cancel = "cancel",
        /// Fetches the file.
        Download = "download",
    }
);

words!(
    /// What a person may do with an export. The words are those of `data-action`.
    PersonAction {
        /// Look it up now.
        CheckNow = "check-now",
        /// Send it now.
        SendNow = "send-now",
        /// Send it again with the same key.
        Resend = "resend",
        /// Withdraw, abandon or cancel, as the case needs.
        Cancel = "cancel",
        /// Say what was found at the service by hand.
        Settle = "settle",
        /// Sign in.
        SignIn = "sign-in",
        /// Fetch the file.
        Download = "download",
        /// Stop fetching for now.
        Pause = "pause",
        /// Go on fetching.
        Resume = "resume",
        /// Open the file.
        OpenFile = "open-file",
        /// Show it in its folder.
        ShowInFolder = "show-in-folder",
        /// Mend it and send it as a new request.
        EditAndResubmit = "edit-and-resubmit",
        /// Ask for the same again, as a new request.
        ExportAgain = "export-again",
    }
);

words!(
    /// Why an action that a person would look for is not offered yet.
    NotYet {
        /// Only once the result is known.
        UntilResultKnown = "until_result_known",
        /// The service can not do it.
        ServiceCannot = "service_cannot",
    }
);

/// One action, with the reason where it is shown but not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ActionView {
    /// Which.
    pub action: PersonAction,
    /// Absent where it can be done now.
    pub not_yet: Option<NotYet>,
}

/// Numbers as the service counts them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProgressView {
    /// Units done.
    pub done: u64,
    /// Units in all.
    pub total: Option<u64>,
    /// What is counted.
    pub unit: String,
    /// What is being done now.
    pub step: Option<String>,
    /// Jobs before this one.
    pub ahead: Option<u64>,
}

/// A file that the service offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OfferedFileView {
    /// The service's suggestion, made safe.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

/// How much of a file is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeliveryView {
    /// Bytes on disk.
    pub done: u64,
    /// Bytes in all.
    pub total: Option<u64>,
    /// Bytes still needed, where the disk is too full.
    pub space_needed: Option<u64>,
    /// Bytes free, where the disk is too full.
    pub space_free: Option<u64>,
    /// The folder that can not be written.
    pub folder: Option<String>,
    /// The system's reason for that.
    pub folder_reason: Option<String>,
}

/// A file on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileView {
    /// Where.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256, 64 hexadecimal digits.
    pub digest: String,
    /// What it was held against.
    pub verified: Verified,
    /// When it was saved.
    #[ts(type = "string")]
    pub saved_at: Timestamp,
}

/// A refusal or a failure, in the service's words: text, never markup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProblemView {
    /// The type's name without its prefix.
    pub kind: String,
    /// One sentence for people.
    pub title: String,
    /// One sentence about this occurrence.
    pub detail: Option<String>,
    /// What is wrong, field by field.
    pub errors: Vec<FieldErrorView>,
    /// The permission that is missing.
    pub permission: Option<String>,
    /// Whom to ask for it.
    pub owner: Option<String>,
    /// Whether the same request may succeed later.
    pub retry_may_help: bool,
}

/// One wrong parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FieldErrorView {
    /// JSON Pointer (RFC 6901) into the parameters.
    pub pointer: String,
    /// What is wrong with it.
    pub detail: String,
}

impl From<WireFieldError> for FieldErrorView {
    fn from(error: WireFieldError) -> Self {
        Self { pointer: error.pointer, detail: error.detail }
    }
}

/// A job that could be the one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CandidateView {
    /// The service's id.
    pub business_id: String,
    /// When it was created, in the service's clock.
    #[ts(type = "string")]
    pub created_at: Timestamp,
    /// The service's word.
    pub status: String,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AttemptView {
    /// From 1 within its export.
    pub attempt_no: u32,
    /// What it was for.
    pub kind: AttemptKind,
    /// How far it got.
    pub phase: Option<crate::attempt::Phase>,
    /// What happened to the call; absent while it is under way.
    pub call_result: Option<CallResult>,
    /// What it proved, as a word: `found`, `not_seen`, `refused` …
    pub result: Option<String>,
    /// The HTTP status.
    pub http_status: Option<u16>,
    /// Why it was not sent or lost, or the problem's type.
    pub reason: Option<String>,
    /// When it began.
    #[ts(type = "string")]
    pub started_at: Timestamp,
    /// When it ended.
    #[ts(type = "string | null")]
    pub ended_at: Option<Timestamp>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// When each phase began.
    pub phases: Vec<PhaseMark>,
    /// The job's status as this attempt heard it.
    pub heard: Option<String>,
    /// How many equal attempts in a row this row stands for.
    pub times: u32,
    /// The trace of the export.
    pub trace_id: String,
    /// The span of the attempt.
    pub span_id: String,
}

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RequestExport {
    /// The service's id on this computer.
    pub service_id: String,
    /// The report.
    pub operation: String,
    /// Its parameters, an object.
    #[ts(type = "Record<string, unknown>")]
    pub parameters: serde_json::Value,
    /// One of the report's formats.
    pub format: String,
    /// Made when the form was opened.
    pub click_id: String,
    /// The export that this one mends or repeats.
    pub supersedes: Option<String>,
    /// Where the file goes; the settings' folder where absent.
    pub folder: Option<String>,
    /// What the person knows and wants all the same.
    pub knowing: Vec<Knowing>,
}

words!(
    /// What a person was told and wants all the same.
    Knowing {
        /// There is an unsettled export of the very same.
        Copy = "copy",
        /// One of the same report with other parameters is unknown.
        NearTwin = "near_twin",
    }
);

/// What became of a click.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "requested", rename_all = "snake_case")]
pub enum Requested {
    /// A new intent is on disk.
    Recorded {
        /// It.
        export: Box<ExportView>,
    },
    /// The same opening of the form had recorded it already.
    SameClick {
        /// It.
        export: Box<ExportView>,
    },
    /// An unsettled export of the very same exists; nothing was recorded.
    Twin {
        /// It.
        export: Box<ExportView>,
        /// Whether a copy may be asked for knowingly.
        copy: CopyOffer,
    },
    /// One of the same report with other parameters is unknown; nothing was recorded.
    NearTwin {
        /// It.
        export: Box<ExportView>,
    },
}

words!(
    /// Whether a copy of an unsettled export may be asked for.
    CopyOffer {
        /// Its result is unknown and being confirmed: no copy.
        No = "no",
        /// Its job is known: a copy is a second job.
        JobKnown = "job_known",
        /// It is unresolved: a copy may be a second job.
        Unresolved = "unresolved",
    }
);

/// A page of exports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ListPage {
    /// Newest first within their section.
    pub items: Vec<ExportView>,
    /// How many there are of each section, over the whole store.
    pub counts: SectionCounts,
    /// Those that can not be read, by their places on the page: an item stands at each other place.
    /// What can be done about them, a notice says.
    pub unreadable: Vec<u32>,
    /// Whether there are more after this page.
    pub more: bool,
}

/// How many exports stand in each section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SectionCounts {
    /// A person is needed.
    pub needs_attention: u32,
    /// Open, and Docket works alone.
    pub in_progress: u32,
    /// Of these: the result is being confirmed.
    pub confirming: u32,
    /// Over.
    pub finished: u32,
}

/// Which exports are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListQuery {
    /// One section; all where absent.
    pub section: Option<Section>,
    /// One stage; all where absent.
    pub stage: Option<Stage>,
    /// Text that the request key, the operation, the title, the parameters, the file's name or the
    /// service's name holds.
    pub search: Option<String>,
    /// How many to leave out from the top.
    pub offset: u32,
    /// How many at most.
    pub limit: u32,
}

/// A service that the person has added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServiceView {
    /// Its id on this computer.
    pub id: String,
    /// What the person calls it.
    pub name: String,
    /// Its address.
    pub address: String,
    /// The tenant.
    pub tenant_id: String,
    /// Whose credential is here, once known.
    pub caller: Option<CallerView>,
    /// Where the credential is kept.
    pub credential: CredentialKept,
    /// Exports of this service that are open.
    pub open_exports: u32,
    /// How the last call to it went.
    pub health: Option<ServiceHealth>,
    /// It is the practice service of this program.
    pub practice: bool,
}

/// Whose credential it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CallerView {
    /// Stable id.
    pub subject: String,
    /// What to call it.
    pub name: String,
}

words!(
    /// Where a credential is kept.
    CredentialKept {
        /// In the system's keychain.
        Keychain = "keychain",
        /// In memory until the program ends.
        Session = "session",
        /// Nowhere: sign-in is needed.
        None = "none",
    }
);

/// How the last call to a service went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServiceHealth {
    /// What happened to the call.
    pub call_result: CallResult,
    /// How long it took.
    pub duration_ms: u64,
    /// Why it was not sent or lost.
    pub reason: Option<String>,
    /// When that was.
    #[ts(type = "string")]
    pub at: Timestamp,
}

/// What may be asked for at a service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CatalogueView {
    /// The service's id on this computer.
    pub service_id: String,
    /// The reports.
    pub operations: Vec<OperationView>,
    /// When the service told it.
    #[ts(type = "string")]
    pub fetched_at: Timestamp,
}

/// One report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OperationView {
    /// Stable id.
    pub operation: String,
    /// Title by language.
    pub title: BTreeMap<String, String>,
    /// One sentence by language.
    pub description: BTreeMap<String, String>,
    /// JSON Schema 2020-12 of the parameters.
    #[ts(type = "Record<string, unknown>")]
    pub parameters: serde_json::Value,
    /// Its formats.
    pub formats: Vec<String>,
}

/// One check of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckView {
    /// `DK101` reach, `DK102` certificate and proxy, `DK103` sign-in, `DK104` look-up by request
    /// number, `DK105` resume a download.
    pub code: String,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// Why, as a snake_case word.
    pub reason: Option<String>,
    /// A fact in few words: a duration, a TLS version, a count.
    pub fact: Option<String>,
}

words!(
    /// How a check ended.
    CheckOutcome {
        /// Good.
        Pass = "pass",
        /// Works with less.
        Warn = "warn",
        /// Does not work.
        Fail = "fail",
        /// Not looked at, since one before failed.
        Skipped = "skipped",
    }
);

/// What changed, for whoever subscribed. Published after the commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum ChangeView {
    /// One export, whole, and the counts of all.
    Export {
        /// It.
        export: Box<ExportView>,
        /// Over the whole store.
        counts: SectionCounts,
    },
    /// The services changed, or what is known of one.
    Services {
        /// All.
        services: Vec<ServiceView>,
    },
    /// What happened to the store, or what of it was dismissed.
    Notices {
        /// All that the person has not dismissed.
        notices: Vec<NoticeView>,
    },
}

words!(
    /// What happened to the store.
    NoticeKind {
        /// It was damaged: it was set aside whole, and what could be read is in a new one.
        StoreSetAside = "store_set_aside",
        /// The one that lay here is gone; this one is new.
        StoreGone = "store_gone",
        /// A part of it can not be read: the next start sets it aside.
        StoreDamaged = "store_damaged",
    }
);

/// What happened to the store and the person has not dismissed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoticeView {
    /// To dismiss it by; absent where it stays until the next start.
    pub id: Option<i64>,
    /// What.
    pub kind: NoticeKind,
    /// When.
    #[ts(type = "string")]
    pub at: Timestamp,
    /// Where the old file lies, or lay.
    pub path: String,
    /// Open exports that were saved; each is looked up before anything is sent.
    pub open: u32,
    /// Exports that were over and were saved.
    pub over: u32,
    /// Exports that could not be read.
    pub unreadable: u32,
    /// Whether these are all that could not be read, as far as the old file tells.
    pub all_counted: bool,
}

/// An error for people and programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ErrorView {
    /// For programs.
    pub code: ErrorCode,
    /// One sentence with what to do, in English.
    pub message: String,
    /// What is wrong, field by field.
    pub fields: Vec<FieldErrorView>,
}

words!(
    /// What went wrong with something that a person asked of Docket.
    ErrorCode {
        /// There is no such export here.
        UnknownExport = "unknown_export",
        /// There is no such service here.
        UnknownService = "unknown_service",
        /// The service has no such report for this account.
        UnknownOperation = "unknown_operation",
        /// Parameters are wrong.
        InvalidParameters = "invalid_parameters",
        /// The address can not be used.
        InvalidAddress = "invalid_address",
        /// The service can not be reached.
        Unreachable = "unreachable",
        /// What answers there is not a service of this protocol.
        NotAService = "not_a_service",
        /// Sign-in is needed.
        SignInNeeded = "sign_in_needed",
        /// The credential is another account's.
        OtherAccount = "other_account",
        /// That can not be done in this stage.
        NotNow = "not_now",
        /// Another process drives the store.
        Driven = "driven",
        /// The service has open exports.
        ServiceInUse = "service_in_use",
        /// The folder can not be written.
        CannotWrite = "cannot_write",
        /// The store can not be written: nothing was recorded.
        StoreUnwritable = "store_unwritable",
        /// The store is of a newer version.
        StoreTooNew = "store_too_new",
        /// The store is damaged: nothing more is written to it.
        StoreDamaged = "store_damaged",
        /// The file belongs to another program.
        StoreForeign = "store_foreign",
        /// Another program keeps the store locked.
        StoreBusy = "store_busy",
        /// The store lies on a network folder.
        StoreOnNetwork = "store_on_network",
        /// The disk is full.
        DiskFull = "disk_full",
        /// Anything else.
        Internal = "internal",
    }
);

#[cfg(test)]
mod tests;
