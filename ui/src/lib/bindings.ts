// This file is made from the types that cross to the window: `cargo xtask bindings`. Do not edit it.

/**
 * One action, with the reason where it is shown but not offered.
 */
export type ActionView = {
    /**
     * Which.
     */
    action: PersonAction,
    /**
     * Absent where it can be done now.
     */
    not_yet: NotYet | null,
};

/**
 * What an attempt was for.
 */
export type AttemptKind = "describe" | "submit" | "lookup" | "poll" | "abandon" | "cancel" | "download";

/**
 * One attempt.
 */
export type AttemptView = {
    /**
     * From 1 within its export.
     */
    attempt_no: number,
    /**
     * What it was for.
     */
    kind: AttemptKind,
    /**
     * How far it got.
     */
    phase: Phase | null,
    /**
     * What happened to the call; absent while it is under way.
     */
    call_result: CallResult | null,
    /**
     * What it proved, as a word: `found`, `not_seen`, `refused` …
     */
    result: string | null,
    /**
     * The HTTP status.
     */
    http_status: number | null,
    /**
     * Why it was not sent or lost, or the problem's type.
     */
    reason: string | null,
    /**
     * When it began.
     */
    started_at: string,
    /**
     * When it ended.
     */
    ended_at: string | null,
    /**
     * How long it took.
     */
    duration_ms: number | null,
    /**
     * When each phase began.
     */
    phases: Array<PhaseMark>,
    /**
     * The job's status as this attempt heard it.
     */
    heard: string | null,
    /**
     * How many equal attempts in a row this row stands for.
     */
    times: number,
    /**
     * The trace of the export.
     */
    trace_id: string,
    /**
     * The span of the attempt.
     */
    span_id: string,
};

/**
 * What became of the business, as far as it is known.
 */
export type BusinessOutcome = "unknown" | "not_created" | "rejected" | "queued" | "running" | "succeeded" | "failed" | "cancelled" | "expired";

/**
 * Why a call was not sent or was lost.
 */
export type CallReason = "no_network" | "host_not_found" | "connection_refused" | "connect_timeout" | "connect_failed" | "certificate_untrusted" | "tls_failed" | "proxy_refused" | "proxy_sign_in" | "no_credential" | "access_refused" | "asked_to_wait" | "request_invalid" | "closed_before_send" | "closed_without_answer" | "reset" | "timeout" | "truncated" | "garbled" | "not_the_service" | "service_error" | "redirect" | "no_job_named" | "undecodable" | "mismatched" | "in_progress" | "interrupted" | "restored";

/**
 * What happened to the call.
 */
export type CallResult = "not_sent" | "lost" | "answered";

/**
 * Whose credential it is.
 */
export type CallerView = {
    /**
     * Stable id.
     */
    subject: string,
    /**
     * What to call it.
     */
    name: string,
};

/**
 * A job that could be the one.
 */
export type CandidateView = {
    /**
     * The service's id.
     */
    business_id: string,
    /**
     * When it was created, in the service's clock.
     */
    created_at: string,
    /**
     * The service's word.
     */
    status: string,
};

/**
 * What may be asked for at a service.
 */
export type CatalogueView = {
    /**
     * The service's id on this computer.
     */
    service_id: string,
    /**
     * The reports.
     */
    operations: Array<OperationView>,
    /**
     * When the service told it.
     */
    fetched_at: string,
};

/**
 * What changed, for whoever subscribed. Published after the commit.
 */
export type ChangeView = {
    "change": "export",
    /**
     * It.
     */
    export: ExportView,
    /**
     * Over the whole store.
     */
    counts: SectionCounts,
} | {
    "change": "services",
    /**
     * All.
     */
    services: Array<ServiceView>,
} | {
    "change": "notices",
    /**
     * All that the person has not dismissed.
     */
    notices: Array<NoticeView>,
};

/**
 * How a check ended.
 */
export type CheckOutcome = "pass" | "warn" | "fail" | "skipped";

/**
 * One check of a service.
 */
export type CheckView = {
    /**
     * `DK101` reach, `DK102` certificate and proxy, `DK103` sign-in, `DK104` look-up by request
     * number, `DK105` resume a download.
     */
    code: string,
    /**
     * How it ended.
     */
    outcome: CheckOutcome,
    /**
     * Why, as a snake_case word.
     */
    reason: string | null,
    /**
     * A fact in few words: a duration, a TLS version, a count.
     */
    fact: string | null,
};

/**
 * Whether a copy of an unsettled export may be asked for.
 */
export type CopyOffer = "no" | "job_known" | "unresolved";

/**
 * Where a credential is kept.
 */
export type CredentialKept = "keychain" | "session" | "none";

/**
 * How much of a file is here.
 */
export type DeliveryView = {
    /**
     * Bytes on disk.
     */
    done: number,
    /**
     * Bytes in all.
     */
    total: number | null,
    /**
     * Bytes still needed, where the disk is too full.
     */
    space_needed: number | null,
    /**
     * Bytes free, where the disk is too full.
     */
    space_free: number | null,
    /**
     * The folder that can not be written.
     */
    folder: string | null,
    /**
     * The system's reason for that.
     */
    folder_reason: string | null,
};

/**
 * What went wrong with something that a person asked of Docket.
 */
export type ErrorCode = "unknown_export" | "unknown_service" | "unknown_operation" | "invalid_parameters" | "invalid_address" | "unreachable" | "not_a_service" | "sign_in_needed" | "other_account" | "not_now" | "driven" | "service_in_use" | "cannot_write" | "store_unwritable" | "store_too_new" | "store_damaged" | "store_foreign" | "store_busy" | "store_on_network" | "disk_full" | "internal";

/**
 * An error for people and programs.
 */
export type ErrorView = {
    /**
     * For programs.
     */
    code: ErrorCode,
    /**
     * One sentence with what to do, in English.
     */
    message: string,
    /**
     * What is wrong, field by field.
     */
    fields: Array<FieldErrorView>,
};

/**
 * One export, whole.
 */
export type ExportView = {
    /**
     * Its name on this computer.
     */
    id: string,
    /**
     * Its name to the service, for ever.
     */
    request_key: string,
    /**
     * Grows with every change on this computer; the higher one is the newer.
     */
    version: number,
    /**
     * What the person calls the service.
     */
    service: string,
    /**
     * The service's id on this computer.
     */
    service_id: string,
    /**
     * The service's address.
     */
    service_address: string,
    /**
     * The tenant.
     */
    tenant_id: string,
    /**
     * The subject that asked, once known.
     */
    subject: string | null,
    /**
     * The report.
     */
    operation: string,
    /**
     * The report's title by language, as the service told it when the intent was recorded.
     */
    title: { [key in string]: string },
    /**
     * What was asked for.
     */
    parameters: Record<string, unknown>,
    /**
     * `csv`, `xlsx`, `ndjson`.
     */
    format: string,
    /**
     * SHA-256 of the canonical payload, 64 hexadecimal digits.
     */
    payload_hash: string,
    /**
     * The one word.
     */
    stage: Stage,
    /**
     * What keeps it from going on.
     */
    hold: Hold | null,
    /**
     * Why it is in this stage, as a snake_case or kebab-case word: the unresolved reason, the proof
     * of absence, the problem's type, or the reason why nothing was sent.
     */
    reason: string | null,
    /**
     * What happened to the last submit; absent before the first one ended.
     */
    call_result: CallResult | null,
    /**
     * What became of the business.
     */
    business_outcome: BusinessOutcome,
    /**
     * The service's id of the job.
     */
    business_id: string | null,
    /**
     * The service's revision of the job.
     */
    revision: number | null,
    /**
     * When the intent was recorded.
     */
    created_at: string,
    /**
     * When this computer last learnt or did something about it.
     */
    updated_at: string,
    /**
     * When Docket does something next; absent where it waits for a person or is done.
     */
    next_action_at: string | null,
    /**
     * What it does then.
     */
    next_action: NextAction | null,
    /**
     * When the window of confirming ends, as a forecast.
     */
    window_ends_at: string | null,
    /**
     * The export that this one mends or repeats.
     */
    supersedes: string | null,
    /**
     * How many look-ups were made.
     */
    looks: number,
    /**
     * Numbers as the service counts them.
     */
    progress: ProgressView | null,
    /**
     * When the service last said something new of the job, by this computer's clock.
     */
    news_at: string | null,
    /**
     * Until when the service keeps the file.
     */
    expires_at: string | null,
    /**
     * The file as the service offers it.
     */
    offered: OfferedFileView | null,
    /**
     * How much of it is here.
     */
    delivery: DeliveryView | null,
    /**
     * The file on disk.
     */
    file: FileView | null,
    /**
     * Why the service refused it, or why the job failed.
     */
    problem: ProblemView | null,
    /**
     * What a person should know of a partial success.
     */
    warnings: Array<string>,
    /**
     * The jobs that could be it, where several match or the key was breached.
     */
    candidates: Array<CandidateView>,
    /**
     * The person asked for it to be cancelled.
     */
    cancel_asked: boolean,
    /**
     * What a person may do now, the primary one first.
     */
    actions: Array<ActionView>,
    /**
     * All its attempts, in order.
     */
    attempts: Array<AttemptView>,
};

/**
 * One wrong parameter.
 */
export type FieldErrorView = {
    /**
     * JSON Pointer (RFC 6901) into the parameters.
     */
    pointer: string,
    /**
     * What is wrong with it.
     */
    detail: string,
};

/**
 * A file on disk.
 */
export type FileView = {
    /**
     * Where.
     */
    path: string,
    /**
     * Its name.
     */
    name: string,
    /**
     * Bytes.
     */
    size: number,
    /**
     * SHA-256, 64 hexadecimal digits.
     */
    digest: string,
    /**
     * What it was held against.
     */
    verified: Verified,
    /**
     * When it was saved.
     */
    saved_at: string,
};

/**
 * What keeps an export from going on until a person or the machine mends it. Stands beside the
 * stage and hides none. In order: of several the first is shown.
 */
export type Hold = "other_account" | "sign_in" | "restored_store" | "access_withdrawn" | "paused" | "cannot_write" | "no_space" | "check_failed" | "download_interrupted" | "no_progress";

/**
 * What a person was told and wants all the same.
 */
export type Knowing = "copy" | "near_twin";

/**
 * A page of exports.
 */
export type ListPage = {
    /**
     * Newest first within their section.
     */
    items: Array<ExportView>,
    /**
     * How many there are of each section, over the whole store.
     */
    counts: SectionCounts,
    /**
     * Those that can not be read, by their places on the page: an item stands at each other place.
     * What can be done about them, a notice says.
     */
    unreadable: Array<number>,
    /**
     * Whether there are more after this page.
     */
    more: boolean,
};

/**
 * Which exports are wanted.
 */
export type ListQuery = {
    /**
     * One section; all where absent.
     */
    section: Section | null,
    /**
     * One stage; all where absent.
     */
    stage: Stage | null,
    /**
     * Text that the request key, the operation, the title, the parameters, the file's name or the
     * service's name holds.
     */
    search: string | null,
    /**
     * How many to leave out from the top.
     */
    offset: number,
    /**
     * How many at most.
     */
    limit: number,
};

/**
 * What Docket does next for an export.
 */
export type NextAction = "describe" | "submit" | "lookup" | "poll" | "abandon" | "cancel" | "download";

/**
 * Why it is proved that there is no job.
 */
export type NotCreatedWhy = "withdrawn" | "never_sent" | "abandoned" | "abandoned_elsewhere" | "by_hand";

/**
 * Why an action that a person would look for is not offered yet.
 */
export type NotYet = "until_result_known" | "service_cannot";

/**
 * What happened to the store.
 */
export type NoticeKind = "store_set_aside" | "store_gone" | "store_damaged";

/**
 * What happened to the store and the person has not dismissed.
 */
export type NoticeView = {
    /**
     * To dismiss it by; absent where it stays until the next start.
     */
    id: number | null,
    /**
     * What.
     */
    kind: NoticeKind,
    /**
     * When.
     */
    at: string,
    /**
     * Where the old file lies, or lay.
     */
    path: string,
    /**
     * Open exports that were saved; each is looked up before anything is sent.
     */
    open: number,
    /**
     * Exports that were over and were saved.
     */
    over: number,
    /**
     * Exports that could not be read.
     */
    unreadable: number,
    /**
     * Whether these are all that could not be read, as far as the old file tells.
     */
    all_counted: boolean,
};

/**
 * A file that the service offers.
 */
export type OfferedFileView = {
    /**
     * The service's suggestion, made safe.
     */
    name: string,
    /**
     * Bytes.
     */
    size: number,
};

/**
 * One report.
 */
export type OperationView = {
    /**
     * Stable id.
     */
    operation: string,
    /**
     * Title by language.
     */
    title: { [key in string]: string },
    /**
     * One sentence by language.
     */
    description: { [key in string]: string },
    /**
     * JSON Schema 2020-12 of the parameters.
     */
    parameters: Record<string, unknown>,
    /**
     * Its formats.
     */
    formats: Array<string>,
};

/**
 * What a person may do with an export. The words are those of `data-action`.
 */
export type PersonAction = "check-now" | "send-now" | "resend" | "cancel" | "settle" | "sign-in" | "download" | "pause" | "resume" | "open-file" | "show-in-folder" | "edit-and-resubmit" | "export-again";

/**
 * How far a call got. The submission boundary is the start of `send`.
 */
export type Phase = "prepare" | "resolve" | "connect" | "secure" | "send" | "await" | "receive" | "decode" | "record";

/**
 * When a phase began, in milliseconds from the start of the attempt.
 */
export type PhaseMark = {
    /**
     * The phase.
     */
    phase: Phase,
    /**
     * Milliseconds from the start of the attempt.
     */
    at_ms: number,
};

/**
 * A refusal or a failure, in the service's words: text, never markup.
 */
export type ProblemView = {
    /**
     * The type's name without its prefix.
     */
    kind: string,
    /**
     * One sentence for people.
     */
    title: string,
    /**
     * One sentence about this occurrence.
     */
    detail: string | null,
    /**
     * What is wrong, field by field.
     */
    errors: Array<FieldErrorView>,
    /**
     * The permission that is missing.
     */
    permission: string | null,
    /**
     * Whom to ask for it.
     */
    owner: string | null,
    /**
     * Whether the same request may succeed later.
     */
    retry_may_help: boolean,
};

/**
 * Numbers as the service counts them.
 */
export type ProgressView = {
    /**
     * Units done.
     */
    done: number,
    /**
     * Units in all.
     */
    total: number | null,
    /**
     * What is counted.
     */
    unit: string,
    /**
     * What is being done now.
     */
    step: string | null,
    /**
     * Jobs before this one.
     */
    ahead: number | null,
};

/**
 * What a person asks for.
 */
export type RequestExport = {
    /**
     * The service's id on this computer.
     */
    service_id: string,
    /**
     * The report.
     */
    operation: string,
    /**
     * Its parameters, an object.
     */
    parameters: Record<string, unknown>,
    /**
     * One of the report's formats.
     */
    format: string,
    /**
     * Made when the form was opened.
     */
    click_id: string,
    /**
     * The export that this one mends or repeats.
     */
    supersedes: string | null,
    /**
     * Where the file goes; the settings' folder where absent.
     */
    folder: string | null,
    /**
     * What the person knows and wants all the same.
     */
    knowing: Array<Knowing>,
};

/**
 * What became of a click.
 */
export type Requested = {
    "requested": "recorded",
    /**
     * It.
     */
    export: ExportView,
} | {
    "requested": "same_click",
    /**
     * It.
     */
    export: ExportView,
} | {
    "requested": "twin",
    /**
     * It.
     */
    export: ExportView,
    /**
     * Whether a copy may be asked for knowingly.
     */
    copy: CopyOffer,
} | {
    "requested": "near_twin",
    /**
     * It.
     */
    export: ExportView,
};

/**
 * Where an export stands in the list.
 */
export type Section = "needs_attention" | "in_progress" | "finished";

/**
 * How many exports stand in each section.
 */
export type SectionCounts = {
    /**
     * A person is needed.
     */
    needs_attention: number,
    /**
     * Open, and Docket works alone.
     */
    in_progress: number,
    /**
     * Of these: the result is being confirmed.
     */
    confirming: number,
    /**
     * Over.
     */
    finished: number,
};

/**
 * How the last call to a service went.
 */
export type ServiceHealth = {
    /**
     * What happened to the call.
     */
    call_result: CallResult,
    /**
     * How long it took.
     */
    duration_ms: number,
    /**
     * Why it was not sent or lost.
     */
    reason: string | null,
    /**
     * When that was.
     */
    at: string,
};

/**
 * A service that the person has added.
 */
export type ServiceView = {
    /**
     * Its id on this computer.
     */
    id: string,
    /**
     * What the person calls it.
     */
    name: string,
    /**
     * Its address.
     */
    address: string,
    /**
     * The tenant.
     */
    tenant_id: string,
    /**
     * Whose credential is here, once known.
     */
    caller: CallerView | null,
    /**
     * Where the credential is kept.
     */
    credential: CredentialKept,
    /**
     * Exports of this service that are open.
     */
    open_exports: number,
    /**
     * How the last call to it went.
     */
    health: ServiceHealth | null,
    /**
     * It is the practice service of this program.
     */
    practice: boolean,
};

/**
 * The one word that a person sees.
 */
export type Stage = "sending" | "waiting_to_send" | "confirming" | "accepted" | "running" | "cancelling" | "ready" | "downloading" | "saved" | "rejected" | "not_created" | "failed" | "cancelled" | "expired" | "unresolved";

/**
 * Why a window ended without proof.
 */
export type UnresolvedReason = "service_unreachable" | "service_errors" | "answer_unreadable" | "sign_in_refused" | "access_withdrawn" | "not_visible" | "lookup_unsupported" | "ambiguous_matches" | "mismatched_answer" | "key_expired" | "key_breached" | "job_vanished" | "no_progress";

/**
 * What a saved file was held against.
 */
export type Verified = "digest" | "size";
