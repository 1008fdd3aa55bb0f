# Docket, English. One catalogue for the window, the tray, notifications and the terminal.

### Outside the window: the terminal, the tray, notifications. Used from Rust.

## Stages, as the terminal and the tray call them

terminal-stage-sending = Sending
terminal-stage-waiting_to_send = Waiting to send
terminal-stage-confirming = Confirming result
terminal-stage-accepted = Accepted
terminal-stage-running = Running
terminal-stage-cancelling = Cancelling
terminal-stage-ready = Ready to download
terminal-stage-downloading = Downloading
terminal-stage-saved = Saved
terminal-stage-rejected = Needs changes
terminal-stage-not_created = Not started
terminal-stage-failed = Failed on { $service }
terminal-stage-cancelled = Cancelled
terminal-stage-expired = Expired
terminal-stage-unresolved = Result not confirmed

## One sentence for each stage

terminal-line-sending = Sending to { $service }.
terminal-line-waiting_to_send = Nothing was accepted yet ({ $reason }). Trying again by itself, with the same request number.
terminal-line-confirming = We sent this but didn't get an answer. Checking with { $service } whether it arrived. Checking doesn't send it again.
terminal-line-accepted = { $service } has your request and will start soon.
terminal-line-running = { $service } is working on it.
terminal-line-running-count = { $done } of { $total } { $unit }, { $percent } %.
terminal-line-running-done = { $done } { $unit } so far.
terminal-line-cancelling = Waiting for { $service } to confirm. It may still finish first.
terminal-line-ready = The file can be fetched from { $service }.
terminal-line-downloading = { $done } of { $total }.
terminal-line-downloading-open = { $done } so far.
terminal-line-saved = { $path }, { $size }, verified by its digest.
terminal-line-saved-size = { $path }, { $size }, its size checked: { $service } offers no digest.
terminal-line-rejected = { $service } didn't accept it: { $reason } No export was started.
terminal-line-not_created = { $reason }
terminal-line-failed = { $service } accepted it but couldn't finish: { $reason }
terminal-line-cancelled = { $service } confirmed that it was cancelled.
terminal-line-expired = { $service } no longer keeps the file. Export it again for a new one.
terminal-line-unresolved = { $reason }. The export may or may not have started: don't ask for it anew. Check again with `docket check { $id }`.

## Holds

terminal-hold-other_account = This was requested by another account. Sign in as that one with `docket service sign-in { $service }`.
terminal-hold-restored_store = This history comes from a copy. It is looked up before anything is sent.
terminal-hold-sign_in = Sign-in needed: run `docket service sign-in { $service }`. Nothing will be sent twice.
terminal-hold-access_withdrawn = { $service } no longer lets you download this file.
terminal-hold-paused = Paused.
terminal-hold-cannot_write = The file can't be saved in { $folder }: { $problem }
terminal-hold-no_space = Not enough disk space: { $needed } needed, { $free } free. Goes on by itself when there is room.
terminal-hold-check_failed = The file doesn't match what { $service } announced, so it wasn't kept.
terminal-hold-download_interrupted = The download was interrupted. What is here is kept, and it goes on by itself.
terminal-hold-no_progress = { $service } has reported nothing new for a while. Checking every 30 minutes.

## Why a call did not arrive or had no answer

terminal-call-no_network = no network
terminal-call-host_not_found = the host's name has no address
terminal-call-connection_refused = connection refused
terminal-call-connect_timeout = no connection in time
terminal-call-connect_failed = no connection
terminal-call-certificate_untrusted = certificate not trusted
terminal-call-tls_failed = no secure connection
terminal-call-proxy_refused = the proxy refused
terminal-call-proxy_sign_in = the proxy needs sign-in
terminal-call-no_credential = sign-in needed
terminal-call-request_invalid = the request could not be built
terminal-call-closed_before_send = the connection closed before anything was sent
terminal-call-closed_without_answer = the connection closed without an answer
terminal-call-reset = the connection was reset
terminal-call-timeout = no answer in time
terminal-call-truncated = the answer broke off
terminal-call-garbled = the answer could not be read
terminal-call-not_the_service = the answer was not the service's
terminal-call-service_error = the service met a fault
terminal-call-redirect = a redirect, which is not followed
terminal-call-no_job_named = the answer named no export
terminal-call-undecodable = the answer could not be understood
terminal-call-mismatched = the answer was about something else
terminal-call-in_progress = the service is still handling the request
terminal-call-interrupted = Docket ended in the middle of the call
terminal-call-restored = unknown, since this history is a copy
terminal-call-asked-to-wait = the service asked to wait

## Why a result could not be confirmed

terminal-unresolved-service_unreachable = { $service } couldn't be reached
terminal-unresolved-service_errors = { $service } kept answering with errors
terminal-unresolved-answer_unreadable = { $service } answered, but we couldn't understand it
terminal-unresolved-sign_in_refused = Your sign-in expired before we could check
terminal-unresolved-access_withdrawn = Your access was withdrawn before we could check
terminal-unresolved-not_visible = { $service } has no record of it yet, but can't rule it out
terminal-unresolved-lookup_unsupported = { $service } can't look requests up by number
terminal-unresolved-ambiguous_matches = { $service } has several records that could be it
terminal-unresolved-mismatched_answer = { $service } answered about a different request
terminal-unresolved-key_expired = { $service } may have forgotten this request number
terminal-unresolved-key_breached = { $service } holds two exports under this number
terminal-unresolved-job_vanished = { $service } no longer shows the export it accepted
terminal-unresolved-no_progress = { $service } has reported no progress for too long

## Why it is certain that no export exists

terminal-absent-withdrawn = You withdrew it before it was sent. It is safe to ask anew.
terminal-absent-never_sent = It could not be sent in time, so nothing was started. It is safe to ask anew.
terminal-absent-abandoned = { $service } confirmed that no export was started, and none will be under this number. It is safe to ask anew.
terminal-absent-abandoned_elsewhere = This number was withdrawn on another computer. It is safe to ask anew.
terminal-absent-by_hand = You noted that { $service } has no such export. It is safe to ask anew.

## Refusals that have words of their own

terminal-problem-forbidden = your account may not export this.
terminal-problem-unknown-operation = it has no such report for this account.
terminal-problem-invalid-parameters = some parameters are wrong.
terminal-problem-key-conflict = this request number was already used for different content.
terminal-problem-too-large = the request is too large.
terminal-problem-unknown = no reason was given.

## Errors

terminal-error-unknown_export = There is no such export here. `docket list` shows them.
terminal-error-unknown_service = There is no such service here. `docket service list` shows them.
terminal-error-unknown_operation = The service has no such report for this account. `docket operations` shows them.
terminal-error-invalid_parameters = Some parameters are wrong. Mend them and ask again.
terminal-error-invalid_address = That address can't be used. Give https://, or http:// on this computer.
terminal-error-unreachable = The service can't be reached. Check the address and the network.
terminal-error-not_a_service = What answers at that address is not an export service. Check the address.
terminal-error-sign_in_needed = Sign-in is needed. Run `docket service sign-in`.
terminal-error-other_account = That sign-in is another account's. Use the account that asked for the export.
terminal-error-not_now = That can't be done in this stage. `docket show` says what can.
terminal-error-driven = Another Docket drives the exports of this folder already. Leave it to that one.
terminal-error-service_in_use = The service still has open exports. Settle them first.
terminal-error-cannot_write = The folder can't be written. Choose another one.
terminal-error-store_unwritable = Docket's folder can't be written, so nothing was recorded. Give it write permission.
terminal-error-store_too_new = This history was written by a newer Docket. Update Docket; nothing was changed.
terminal-error-store_damaged = The history file is damaged or not Docket's. Put it aside or restore a copy; nothing was changed.
terminal-error-store_on_network = The history lies on a network folder. Set DOCKET_HOME to a folder on this computer.
terminal-error-disk_full = The disk is full, so nothing was recorded. Make room and ask again.
terminal-error-internal = Something went wrong inside Docket. Nothing was lost; try `docket list`.
terminal-error-settings-unreadable = { $path } can't be read: { $problem }. Nothing was changed.
terminal-error-settings-malformed = { $path } is not valid TOML (line { $line }). Mend it or move it aside; nothing was changed.
terminal-error-settings-value = { $path }: `{ $key }` must be { $expected }. Mend it; nothing was changed.
terminal-error-settings-unwritable = { $path } can't be written: { $problem }. The settings stay as they were.

terminal-error-no-services = No service has been added yet. Add one with `docket service add URL --tenant T`.
terminal-error-which-service = Several services have been added: say which with --service. They are: { $names }.
terminal-error-no-such-service = There is no service called “{ $name }”. `docket service list` shows them.
terminal-error-same-name = Several services are called “{ $name }”. Give the id from `docket service list` instead.
terminal-error-no-such-operation = { $service } has no report “{ $operation }” for this account. It has: { $names }.
terminal-error-no-such-format = “{ $operation }” has no format “{ $format }”. It has: { $names }.
terminal-error-no-token = No credential was given. Pipe one in with --token-stdin or set DOCKET_TOKEN.
terminal-error-token-unreadable = No credential could be read from the input. Pipe it in as one line.
terminal-error-parameter-shape = Write a parameter as name=value, not “{ $text }”.
terminal-error-parameter-unknown = “{ $operation }” has no parameter “{ $name }”. It has: { $names }.
terminal-error-parameter-type = The parameter “{ $name }” must be { $expected }, not “{ $value }”.
terminal-error-parameter-choice = The parameter “{ $name }” must be one of { $choices }, not “{ $value }”.
terminal-error-parameter-twice = The parameter “{ $name }” takes one value and was given several.
terminal-error-parameter-missing = The parameter “{ $name }” is missing.
terminal-error-parameters-json = --params-json must be one JSON object: { $problem }
terminal-error-parameters-file = { $path } can't be read: { $problem }
terminal-error-field = { $field }: { $problem }
terminal-error-twin = You already have this export: { $id } is “{ $stage }”. Look at it with `docket show { $id }`; nothing new was recorded.
terminal-error-near-twin = { $id } is the same report with other parameters and its result is not known yet. Wait for it with `docket check { $id }`; nothing new was recorded.
terminal-error-in-terminal = The answer can't be written to the terminal: { $problem }
terminal-error-practice = The practice service can't be started: { $problem }
terminal-error-demo-other = Another Docket drives this folder already, so the demonstration can't. Close it, or set DOCKET_HOME to an empty folder.
terminal-error-demo-ended = The demonstration ended otherwise than it should: “{ $stage }”. `docket show { $id }` says more.

terminal-type-integer = a whole number
terminal-type-number = a number
terminal-type-boolean = true or false
terminal-type-string = a text
terminal-type-object = a JSON object
terminal-type-null = null

## Tables

terminal-column-name = NAME
terminal-column-id = ID
terminal-column-address = ADDRESS
terminal-column-tenant = TENANT
terminal-column-credential = CREDENTIAL
terminal-column-open = OPEN
terminal-column-report = REPORT
terminal-column-formats = FORMATS
terminal-column-title = TITLE
terminal-column-parameters = PARAMETERS
terminal-column-stage = STAGE
terminal-column-asked = ASKED
terminal-column-check = CHECK
terminal-column-result = RESULT
terminal-none = None.
terminal-more = There are more. Narrow them with --stage.

terminal-credential-keychain = keychain
terminal-credential-session = until the program ends
terminal-credential-none = none

terminal-check-DK101 = The service can be reached
terminal-check-DK102 = Certificate and proxy
terminal-check-DK103 = Sign-in
terminal-check-DK104 = Look-up by request number
terminal-check-DK105 = Downloads can be resumed
terminal-outcome-pass = yes
terminal-outcome-warn = with less
terminal-outcome-fail = no
terminal-outcome-skipped = not looked at

terminal-fact-id = Export
terminal-fact-request = Request number
terminal-fact-service = Service
terminal-fact-report = Report
terminal-fact-parameters = Parameters
terminal-fact-call = Call
terminal-fact-export = Result
terminal-fact-job = Id at the service
terminal-fact-next = Next
terminal-fact-until = Until
terminal-fact-file = File
terminal-fact-digest = SHA-256
terminal-fact-attempts = Attempts
terminal-times = { $count } times

terminal-call-result-not_sent = not sent
terminal-call-result-lost = no answer
terminal-call-result-answered = answered
terminal-call-result-open = under way

terminal-outcome-of-unknown = unknown
terminal-outcome-of-not_created = not created
terminal-outcome-of-rejected = rejected
terminal-outcome-of-queued = queued
terminal-outcome-of-running = running
terminal-outcome-of-succeeded = succeeded
terminal-outcome-of-failed = failed
terminal-outcome-of-cancelled = cancelled
terminal-outcome-of-expired = expired

terminal-kind-describe = ask what the service is
terminal-kind-submit = send
terminal-kind-lookup = look up
terminal-kind-poll = ask how far it is
terminal-kind-abandon = withdraw the number
terminal-kind-cancel = cancel
terminal-kind-download = fetch the file

## What became of a command

terminal-added = Added { $name } ({ $address }).
terminal-added-unreachable = It can't be reached just now; exports to it wait and are sent when it can.
terminal-added-no-credential = There is no sign-in for it yet: run `docket service sign-in { $name }`.
terminal-session-only = This computer has no keychain that can be used, so the sign-in is kept only until this program ends. Set DOCKET_TOKEN for later commands.
terminal-removed = Removed { $name }.
terminal-signed-in = Signed in to { $name } as { $caller }.
terminal-signed-in-unknown = Signed in to { $name }.
terminal-already = The same click had recorded it already.
terminal-recorded-only = Recorded. Docket sends it when it runs next: `docket run`, or open the window.
terminal-recorded-driven = Recorded. The Docket that is open sends it.
terminal-watching = Another Docket drives the exports; watching.
terminal-stopped = Stopped watching: { $id } is “{ $stage }”. { $line } Nothing is lost; { $where }
terminal-stopped-driven = the Docket that is open goes on with it.
terminal-stopped-here = it goes on with `docket run` or when the window opens.
terminal-still-open = { $id } is still open. { $where }
terminal-driving = Driving { $count ->
    [one] one open export
   *[other] { $count } open exports
}. Ctrl-C ends it; nothing is lost.
terminal-driving-none = No export is open. Waiting for new ones; Ctrl-C ends it.
terminal-run-stopped = Stopped. Open exports go on with `docket run` or when the window opens.
terminal-all-answered = Every export is settled or waits for you.

## The demonstration

terminal-demo-service = The practice service runs at { $address }, only for this demonstration.
terminal-demo-rule = It will lose the answer to the next request: the export is created, the receipt never arrives.
terminal-demo-recorded = Your request is saved on this computer before anything is sent. Export { $id }.
terminal-demo-sent = Sent once, under the request number { $key }.
terminal-demo-lost = No answer came: { $reason }. The export may exist, or may not. Sending it again blindly could make two.
terminal-demo-confirming = Confirming: asking the service about this request number. That doesn't send it again.
terminal-demo-looked = Looked up: the service has it as { $job }. One export, created once.
terminal-demo-running = Running: { $percent } % ({ $done } of { $total } { $unit }).
terminal-demo-ready = The file is ready: { $file }, { $size }.
terminal-demo-downloading = Downloading.
terminal-demo-saved = Saved: { $path }
terminal-demo-verified = Its digest matches what the service announced: { $digest }
terminal-demo-end = One click, one request number, one export, one verified file. It took { $seconds } s.

## The tray

tray-headline-idle = Nothing is under way
tray-headline-attention = { $count ->
    [one] One export needs you
   *[other] { $count } exports need you
}
tray-headline-open = { $count ->
    [one] 1 in progress
   *[other] { $count } in progress
}
tray-headline-confirming = { $count } in progress · { $confirming } being confirmed, no action needed
tray-new-export = New export
tray-open = Open Docket
tray-quit = Quit

## Notifications and the system's own dialogs

notify-start-title = Docket can't open
notify-store = { $problem }
