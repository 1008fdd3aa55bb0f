### Docket, English. One catalogue for the window, the tray, notifications and the terminal.
### Sections are in order of their names; both files hold the same messages with the same values.

## Access request: the text that is copied

access-request = Please let me export “{ $report }” from { $svc }.
access-request-account = Account: { $subject }
access-request-number = Request no.: { $id }
access-request-permission = Permission: { $permission }

## Actions: buttons and menu items

action-cancel = Cancel
action-cancel-download = Cancel download
action-cancel-export = Cancel export
action-cancel-once-confirmed = Cancel once confirmed
action-check-again = Check again
action-check-now = Check now
action-choose-folder = Choose another folder
action-copy = Copy
action-copy-access-request = Copy access request
action-copy-details = Copy technical details
action-copy-request-no = Copy request no.
action-download = Download
action-download-again = Download again
action-download-to = Download to…
action-edit = Edit
action-edit-and-resubmit = Edit and resubmit
action-export-again = Export again
action-export-again-failed = Export again
action-more = More
action-open-file = Open file
action-pause = Pause
action-resend = Resend with same number
action-resume = Resume
action-resume-now = Resume now
action-send-now = Send now
action-settle = I looked it up…
action-show-in-folder = Show in folder
action-sign-in = Sign in
action-start-another = Start another export…
action-submit-new-number = Submit with a new number
action-switch-account = Switch account
action-try-again = Try again

## Announcements: the live region

announce-change = { $report }: { $label }. { $sentence }
announce-copied = Copied
announce-found =
    { $n ->
        [one] { $n } export found
       *[other] { $n } exports found
    }
announce-progress = { $report }: { $p } percent

## Business: what became of the export, the second fact

business-cancelled = Cancelled
business-detail-deferred = { $svc } asked us to wait
business-detail-kept = kept until { $time }
business-detail-may = may or may not exist
business-detail-never = and never will be under this number
business-detail-none = nothing has been sent
business-detail-said = { $svc } said so { $span } ago
business-detail-said-now = { $svc } said so just now
business-expired = Expired
business-failed = Failed
business-not-created = Not started
business-queued = Accepted
business-rejected = Not started
business-running = Running
business-succeeded = Succeeded
business-unknown = Not known yet
business-unsent = Not started

## Call reasons: why a call was not sent or was lost; they stand in brackets and after a dot

call-reason-access_refused = { $svc } has no such tenant for this account
call-reason-asked_to_wait = { $svc } asked us to wait
call-reason-certificate_untrusted = certificate not trusted
call-reason-closed_before_send = connection closed before sending
call-reason-closed_without_answer = connection closed
call-reason-connect_failed = couldn’t connect
call-reason-connect_timeout = couldn’t connect in time
call-reason-connection_refused = connection refused
call-reason-deferred = { $svc } asked us to wait
call-reason-garbled = unreadable answer
call-reason-host_not_found = can’t find { $host }
call-reason-in_progress = { $svc } is still handling it
call-reason-interrupted = Docket was closed
call-reason-mismatched = an answer about something else
call-reason-no_credential = sign-in needed
call-reason-no_job_named = the answer named no export
call-reason-no_network = no network
call-reason-not_the_service = an answer that isn’t { $svc }’s
call-reason-other = reason not known
call-reason-proxy_refused = the proxy refused
call-reason-proxy_sign_in = proxy needs sign-in
call-reason-redirect = redirected elsewhere
call-reason-request_invalid = the address can’t be used
call-reason-reset = connection reset
call-reason-restored = history restored from a copy
call-reason-service_error = { $svc } met an error
call-reason-timeout = no answer in time
call-reason-tls_failed = secure connection failed
call-reason-truncated = the answer broke off
call-reason-undecodable = unreadable answer

## Call: what happened to the call, the first fact

call-answered = Answered
call-detail-answered = in { $span }
call-detail-lost = { $reason } after { $span }
call-lost = No answer
call-none = Not sent yet
call-not-sent = Not sent
call-under-way = On its way
call-waiting = No answer yet

## Checks of a service

check-DK101 = Reach the service
check-DK101-about = { $host } answers
check-DK102 = Certificate and proxy
check-DK102-about = The connection is one this computer trusts
check-DK103 = Sign-in
check-DK103-about = The service knows who is asking
check-DK104 = Look-up by request number
check-DK104-about = Lost answers can be confirmed
check-DK104-without = Without it Docket can’t confirm lost answers.
check-DK105 = Resume a download
check-DK105-about = Large files go on where they stopped
check-DK105-without = A broken download starts again from the beginning.
check-again = Check again
check-allowed =
    { $n ->
        [one] { $n } report allowed
       *[other] { $n } reports allowed
    }
check-checking = Checking
check-fail = Doesn’t work
check-next = Next
check-pass = Works
check-reason-other = The check didn’t pass.
check-reason-sign_in = Sign in to this service.
check-reason-unsupported = { $svc } doesn’t offer it.
check-skipped = Not checked
check-skipped-about = Looked at once those above work.
check-warn = Works with less

## Dialogs and guards

dialog-cancel-body = { $svc } is asked to stop { $report }. It may still finish first.
dialog-cancel-body-download = The file stays on { $svc }.
dialog-cancel-body-unknown = Request { $id } is withdrawn at { $svc }. If the export has already started, it is cancelled.
dialog-cancel-body-unsent = Nothing has been sent, so nothing is started.
dialog-cancel-keep = Keep it
dialog-cancel-title = Cancel this export?
dialog-cancel-title-download = Cancel the download?
dialog-close = Close
dialog-copy-body = { $report } with the same parameters is { $state } (request { $id }). Another one is a second export.
dialog-copy-confirm = Export anyway
dialog-copy-title = You already have this export
dialog-dismiss = Not now
dialog-near-body = { $report } with other parameters is not confirmed yet (request { $id }). If this is meant to replace it, wait for its result first.
dialog-near-confirm = Request this one too
dialog-near-show = Show the other
dialog-near-title = A similar export is still open
dialog-remove-body = { $svc } is removed from this computer, with its credential. Finished exports stay in the list.
dialog-remove-confirm = Remove
dialog-remove-title = Remove { $svc }?
dialog-settle-absent = { $svc } has no such export
dialog-settle-absent-about = Only if { $svc } told you so for request { $id }.
dialog-settle-body = Docket believes what you enter and goes on from there.
dialog-settle-candidate = { $id } · { $time } · { $status }
dialog-settle-confirm = Use this result
dialog-settle-job = It is this export
dialog-settle-job-no = Job no.
dialog-settle-title = What did you find at { $svc }?
dialog-sign-in-about = The token is kept in the system keychain, or in memory until Docket closes where there is none.
dialog-sign-in-subject = This was requested as { $subject }. Sign in as { $subject } to go on.
dialog-sign-in-title = Sign in to { $svc }
dialog-start-another-body = Starting another can produce two exports of { $report }. Check again first, or ask { $svc } about request { $id }.
dialog-start-another-confirm = Start another
dialog-start-another-title = The first request may have arrived

## Digest: parameters in few words

digest-all = All
digest-no = no
digest-some = { $n } of { $total }
digest-yes = yes

## Errors of something that was asked of Docket

error-cannot_write = That folder can’t be written. Choose another one.
error-disk_full = The disk is full. Nothing was sent.
error-driven = Another Docket is at work on this computer. It will carry this out.
error-internal = Something went wrong in Docket: { $message }
error-invalid_address = This address can’t be used. It begins with https:// (http:// on this computer only).
error-invalid_parameters = Some parameters need changes. Nothing was sent.
error-not_a_service = What answers there is not an export service. Check the address.
error-not_now = That can’t be done at this stage.
error-open-about = Nothing is lost: what was sent stays sent, and nothing is sent twice.
error-open-title = Docket can’t open
error-open-unwritable = Docket’s folder can’t be written. Nothing was sent.
error-other_account = This credential belongs to another account.
error-service_in_use = This service has open exports. Wait for them or cancel them first.
error-sign_in_needed = Sign in to this service first.
error-store_damaged = Docket’s history file is damaged. Quit every Docket and start it again: the file is set aside whole, and what can be read goes on.
error-store_busy = Another program keeps Docket’s history locked. Close it and start Docket again.
error-store_foreign = What lies at the place of Docket’s history belongs to another program and was left alone. Move it away and start Docket again.
error-store_on_network = Docket’s history lies on a network folder, where it isn’t safe. Move it to this computer.
error-store_too_new = Docket’s history was written by a newer version. Update Docket.
error-store_unwritable = Couldn’t save the request on this computer. Nothing was sent.
error-unknown_export = This export is no longer in the list.
error-unknown_operation = The service doesn’t offer this report to your account.
error-unknown_service = This service is no longer on this computer.
error-unreachable = The service can’t be reached. Check the address and the network.

## Exports: the list

exports-all-clear = Nothing needs you.
exports-clear = Clear
exports-density = Density
exports-empty = Requests you make are kept here, even if the network fails.
exports-empty-filter = Nothing here now.
exports-empty-title = No exports yet
exports-no-hit = Nothing matches “{ $q }”.
exports-no-service = Add your export service to start.
exports-observer = Another Docket on this computer does the work. This window follows along.
exports-search = Name or request no.
exports-section-finished = Recent
exports-section-in_progress = In progress
exports-section-needs_attention = Needs attention
exports-summary = { $open } in progress
exports-summary-attention =
    { $n ->
        [one] { $n } needs you
       *[other] { $n } need you
    }
exports-summary-confirming = { $n } being confirmed, no action needed
exports-summary-none = Nothing in progress
exports-unreadable = This export’s record can’t be read now. It is kept; quit Docket and start it again, and what can be read of it goes on.
exports-tab-all = All
exports-tab-finished = Finished
exports-tabs = Filter
exports-title = Exports

## Facts: pinned at the foot of the inspector

fact-content = Content
fact-copied = Copied
fact-copy = Copy { $name }
fact-job-no = Job no.
fact-request-no = Request no.
fact-supersedes = Replaces

## File card

file-digest-copy = Copy digest
file-digest-verified = Digest verified
file-size-checked = Size checked
file-until = available until { $time }

## First run

first-back = Back
first-checks-about = Reading only. No export is started.
first-checks-title = Checking { $svc }
first-checks-title-done = { $svc } is checked
first-continue = Continue
first-continue-anyway = Continue anyway
first-finish = New export
first-lead = Ask for exports, and always know what became of them.
first-leave = You can leave at any step and come back later.
first-own-about = An address and a token are all it takes.
first-own-title = Your export service
first-practice = Try the practice service
first-practice-about = It runs on this computer and loses answers on purpose, so you can watch Docket find out.
first-practice-title = No service at hand?
first-skip = Skip
first-step-checks = Five checks
first-step-service = Add a service
first-step-sign-in = Sign in
first-step-welcome = Welcome
first-title = Set up Docket
first-welcome-about = Docket saves each request on this computer before it is sent. If an answer is lost on the way, it finds out what became of it, and never asks twice.
first-welcome-title = Where do your exports come from?

## Hints beside the button

hint-check = Checking doesn’t send it again.
hint-close = You can close this window.
hint-edit = Starts a new request; the old one stays in history.
hint-late = Docket still checks now and then and will correct this if it learns more.
hint-resend = The same number, so it can’t run twice.
hint-stays = The file stays on { $svc }.
hint-unsent = Nothing was sent, so editing or cancelling is safe.

## Holds: what keeps an export from going on

hold-access_withdrawn = Access withdrawn
hold-access_withdrawn-sentence = { $svc } no longer lets you download this file.
hold-cannot_write = Can’t save there
hold-cannot_write-sentence = { $folder }: { $reason }.
hold-check_failed = File check failed
hold-check_failed-sentence = The file doesn’t match what { $svc } announced, so it wasn’t kept.
hold-download_interrupted = Download interrupted
hold-download_interrupted-sentence = { $done } of { $total } kept. Resuming in { $wait }.
hold-download_interrupted-waits = { $done } of { $total } kept.
hold-no_progress = No progress
hold-no_progress-sentence = { $svc } has reported nothing new for { $span }. Checking every 30 min.
hold-no_space = Not enough disk space
hold-no_space-sentence = Needs { $need }, { $free } free. Continues by itself when there is room.
hold-no_space-waits = Needs { $need }, { $free } free.
hold-other_account = Another account
hold-other_account-sentence = This was requested as { $subject }. Sign in as { $subject } to go on.
hold-paused = Paused
hold-paused-sentence = What is here is kept. The download goes on where it stopped.
hold-restored_store = Restored from a copy
hold-restored_store-sentence = This history comes from a backup or another computer. Looking it up before anything is sent.
hold-sign_in = Sign-in needed
hold-sign_in-sentence = Sign in so Docket can keep checking. Nothing will be sent twice.
hold-sign_in-sentence-unsent = Sign in so Docket can send it. Nothing has been sent yet.

## Inspector

inspector-call = Call
inspector-candidates = Exports that could be it
inspector-close = Close
inspector-export = Export
inspector-field-errors = What to change
inspector-label = Export details
inspector-not-yet-service_cannot = { $svc } can’t do this
inspector-not-yet-until_result_known = Available once the result is known
inspector-progress-left = about { $span } left
inspector-progress-none = started { $span } ago
inspector-progress-of = of { $total } { $unit }
inspector-progress-valuetext = { $p } percent, about { $span } left
inspector-progress-valuetext-plain = { $p } percent
inspector-rate = { $rate }/s
inspector-timeline = Timeline
inspector-timeline-fold =
    { $n ->
        [one] { $n } step
       *[other] { $n } steps
    } · { $span }
inspector-warnings = Worth knowing

## Navigation

nav-exports = Exports
nav-label = Main
nav-new = New export
nav-service-answers = Answers in { $span }
nav-service-sign-in = Sign-in needed
nav-service-unchecked = Not asked yet
nav-services = Services
nav-settings = Settings

## Notices: what happened to the history

notice-copy = Copy the path
notice-dismiss = Dismiss
notice-label = About Docket’s history
notice-missing = { $n ->
    [one] one export could not be read
   *[other] { $n } exports could not be read
}
notice-missing-at-least = { $n ->
    [one] at least one export could not be read
   *[other] at least { $n } exports could not be read
}
notice-missing-none = nothing is missing
notice-missing-unknown = whether anything is missing can’t be told
notice-store_damaged = A part of Docket’s history can’t be read. Quit Docket and start it again: the file is set aside whole, and what can be read goes on.
notice-store_gone = The history that was here is gone, so Docket began a new one. What was sent before is still at the services.
notice-store_set_aside = Docket’s history was damaged and was set aside whole. { $open } open and { $over } finished exports were saved, { $missing }; each open one is looked up before anything is sent. The old file is here:

## Network weather: the practice service

weather-about = Make the practice service’s network misbehave and watch what Docket does.
weather-clear = Fair weather
weather-fair = Fair
weather-lose = Lose the next receipt
weather-lose-about = The service starts the export, its answer never arrives.
weather-lose-on = The next receipt will be lost
weather-refuse = Refuse connections for 20 s
weather-refuse-about = Nothing gets through, so nothing is sent.
weather-refuse-on = Refusing connections for { $wait }
weather-stall = Stall the next answer
weather-stall-about = The answer hangs until Docket stops waiting.
weather-stall-on = The next answer will stall
weather-title = Network weather

## Next step: the foot of the two facts, and the end of the timeline

next-abandon = withdrawing the number in { $wait }
next-abandon-now = withdrawing the number now
next-cancel = asking to cancel in { $wait }
next-cancel-now = asking to cancel now
next-checked =
    { $n ->
        [one] Checked { $n } time
       *[other] Checked { $n } times
    }
next-describe = connecting in { $wait }
next-describe-now = connecting now
next-download = download goes on in { $wait }
next-download-now = downloading now
next-event-abandon = Withdraw the number
next-event-cancel = Ask to cancel
next-event-describe = Connect
next-event-download = Download
next-event-lookup = Next look-up
next-event-person = Waits for you
next-event-poll = Next update
next-event-submit = Send
next-in = in { $wait }
next-lookup = next check in { $wait }
next-lookup-now = checking now
next-now = now
next-person = waits for you
next-poll = next update in { $wait }
next-poll-now = asking for news now
next-submit = sending in { $wait }
next-submit-again = same number again in { $wait }
next-submit-now = sending now
next-submit-waiting = waiting for the answer
next-until = until { $time }

## Phases of a call

phase-await = Await
phase-bar = { $kind }: reached { $phase }
phase-connect = Connect
phase-lost-here = lost here
phase-prepare = Prepare
phase-secure = Secure
phase-send = Send

## Proof: what an attempt's answer says, beside it in the timeline

proof-abandoned = no export, and none will be
proof-access_withdrawn = access withdrawn
proof-cannot_write = can’t write there
proof-deferred = asked us to wait
proof-described = answered
proof-file_gone = file no longer kept
proof-found = found
proof-interrupted = broke off
proof-key_expired = the number may have been forgotten
proof-listed = records compared
proof-no_space = not enough space
proof-not_cancellable = too late, it had ended
proof-not_seen = no record yet
proof-refused = refused
proof-saved = saved
proof-sign_in = sign-in needed
proof-stopped = stopped
proof-under-way = under way
proof-wrong_digest = didn’t match, thrown away

## Reasons why a result is not confirmed

unresolved-access_withdrawn = your access was withdrawn before we could check
unresolved-ambiguous_matches =
    { $n ->
        [one] { $svc } has { $n } record that could be it
       *[other] { $svc } has { $n } records that could be it
    }
unresolved-answer_unreadable = { $svc } answered, but we couldn’t understand it
unresolved-job_vanished = { $svc } no longer shows the export it accepted
unresolved-key_breached = { $svc } holds two exports under this number
unresolved-key_expired = { $svc } may have forgotten this request number
unresolved-lookup_unsupported = { $svc } can’t look requests up by number
unresolved-mismatched_answer = { $svc } answered about a different request
unresolved-no_progress = { $svc } has reported no progress for too long
unresolved-not_visible = { $svc } has no record of it yet, but can’t rule it out
unresolved-other = the reason is not known
unresolved-service_errors = { $svc } kept answering with errors
unresolved-service_unreachable = { $svc } couldn’t be reached
unresolved-sign_in_refused = your sign-in expired before we could check
unresolved-tail = The export may or may not have started.
unresolved-tail-accepted = It was accepted, so don’t submit it again.
unresolved-tail-breached = Both are listed below; say which one is yours.

## Request: the form of a new export

request-anyway = Export anyway
request-change = Change parameters
request-choose = Choose a report
request-close-after = You can close this window afterwards
request-custom = Custom
request-days =
    { $n ->
        [one] { $n } day
       *[other] { $n } days
    }
request-empty = { $svc } offers this account no reports.
request-error-choice = Choose one of the list.
request-error-date = Enter a date as YYYY-MM-DD.
request-error-integer = Enter a whole number.
request-error-items-max =
    { $n ->
        [one] Choose at most one.
       *[other] Choose at most { $n }.
    }
request-error-items-min =
    { $n ->
        [one] Choose at least one.
       *[other] Choose at least { $n }.
    }
request-error-length-max = At most { $n } characters.
request-error-length-min = At least { $n } characters.
request-error-maximum = At most { $n }.
request-error-minimum = At least { $n }.
request-error-number = Enter a number.
request-error-order = The last day is before the first.
request-error-pattern = This doesn’t have the form that is asked for.
request-error-required = This is needed.
request-error-summary =
    { $n ->
        [one] One field needs changes.
       *[other] { $n } fields need changes.
    }
request-find = Find a report
request-folder = Folder
request-folder-change = Change
request-format = Format
request-free = { $free } free
request-from = From
request-last-month = Last month
request-last-week = Last week
request-less = Fewer
request-more = { $n } more
request-no-catalogue = The reports of { $svc } could not be loaded.
request-none-found = No report matches “{ $q }”.
request-of = { $n } of { $total }
request-optional = optional
request-period = Period
request-reports = Reports
request-select-all = All
request-select-none = None
request-service = Service
request-step-file = { $svc } writes the file
request-step-file-about = Docket follows how far it is.
request-step-saved = Saved here, then sent
request-step-saved-about = A crash or a lost answer can’t lose it.
request-step-verified = Downloaded and checked
request-step-verified-about = Kept only if its digest matches.
request-steps = What happens next
request-submit = Request export
request-submitting = Saving the request
request-summary = Summary
request-title = New export
request-to = To
request-twin-body = { $report } with the same parameters is { $state } (request { $id }).
request-twin-show = Show it
request-twin-title = You already have this export

## Sentences in short: the second line of a row

brief-accepted = waiting to start
brief-accepted-ahead = { $n } ahead of you
brief-cancelled = { $svc } confirmed
brief-cancelled-by-service = by { $svc }
brief-cancelling = waiting for { $svc } to confirm
brief-confirming = checking whether it arrived
brief-confirming-checked =
    { $n ->
        [one] checked { $n } time
       *[other] checked { $n } times
    }
brief-confirming-next = next in { $wait }
brief-downloading = { $done } of { $total }
brief-downloading-starting = starting
brief-expired = the file is gone
brief-not_created-abandoned = confirmed, safe to ask again
brief-not_created-abandoned_elsewhere = withdrawn on another computer
brief-not_created-by_hand = as you noted
brief-not_created-never_sent = could not be sent in time
brief-not_created-withdrawn = withdrawn before it was sent
brief-ready = { $size }, until { $time }
brief-rejected-forbidden = not allowed for this account
brief-rejected-key-conflict = number used for other content
brief-rejected-plain = no export was started
brief-running = { $count } { $unit }
brief-running-left = { $count } { $unit }, about { $span } left
brief-running-plain = started
brief-sending = to { $svc }
brief-waiting = { $reason }, trying again in { $wait }
brief-waiting-now = { $reason }, trying again now

## Sentences: the line under the state

sentence-accepted = { $svc } has your request and will start soon. You can close Docket.
sentence-accepted-ahead = { $svc } has your request: { $n } ahead of you. You can close Docket.
sentence-cancelled = You cancelled it at { $time }; { $svc } confirmed.
sentence-cancelled-by-service = { $svc } cancelled it: { $reason }.
sentence-cancelled-by-service-plain = { $svc } cancelled it.
sentence-cancelling = Waiting for { $svc } to confirm. It may still finish first.
sentence-confirming = We sent this but didn’t get an answer. Checking with { $svc } whether it arrived. Please don’t submit it again.
sentence-downloading = Fetching the file from { $svc }. You can close this window.
sentence-downloading-held = Part of the file is here and is kept.
sentence-expired = { $svc } removed the file on { $time }.
sentence-expired-plain = { $svc } no longer keeps the file.
sentence-failed = { $svc } accepted it but couldn’t finish: { $reason }.
sentence-failed-plain = { $svc } accepted it but couldn’t finish.
sentence-not_created-abandoned = { $svc } confirmed that no export was started, and none will be under this number.
sentence-not_created-abandoned_elsewhere = This number was withdrawn on another computer.
sentence-not_created-by_hand = You noted that { $svc } has no such export.
sentence-not_created-never_sent = This could not be sent before { $time }, so nothing was started.
sentence-not_created-withdrawn = You withdrew it before it was sent.
sentence-ready = The file is finished and waits on { $svc }.
sentence-rejected = { $svc } didn’t accept it: { $reason }. No export was started.
sentence-rejected-forbidden = Your account can’t export { $report }. No export was started.
sentence-rejected-forbidden-ask = Your account can’t export { $report }. Ask { $owner } for “{ $permission }”. No export was started.
sentence-rejected-key-conflict = Request { $id } was already used for different content, so this one wasn’t accepted.
sentence-rejected-plain = { $svc } didn’t accept it. No export was started.
sentence-running = { $svc } is working on it. You can close this window.
sentence-running-silent = No news from { $svc } for { $span }; still checking.
sentence-running-step = { $svc }: { $step }. You can close this window.
sentence-saved-digest = In { $folder } · matches the digest from { $svc }
sentence-saved-size = In { $folder } · size checked
sentence-sending = Sending to { $svc }. You can close this window.
sentence-unresolved = Not confirmed: { $reason }. { $tail }
sentence-unresolved-by = Not confirmed by { $time }: { $reason }. { $tail }
sentence-waiting = Nothing has reached { $svc } ({ $reason }). Trying again in { $wait }.
sentence-waiting-deferred = { $svc } is busy and asked us to come back in { $wait }.
sentence-waiting-deferred-held = { $svc } asked us to wait.
sentence-waiting-held = Nothing has reached { $svc } ({ $reason }).
sentence-waiting-now = Nothing has reached { $svc } ({ $reason }). Trying again now.

## Services: adding and keeping them

service-add = Add a service
service-address = Address
service-address-about = Where the service lives, as https://reports.example.com
service-check = Check
service-credential-keychain = Token in the system keychain
service-credential-none = Sign-in needed
service-credential-session = Token in memory until Docket closes: no keychain here
service-error-address = Enter an address that begins with https:// or, on this computer, http://.
service-error-tenant = Enter the tenant that the service gave you.
service-name = Name
service-name-about = What you call it; the service’s own name where empty.
service-open =
    { $n ->
        [one] { $n } open export
       *[other] { $n } open exports
    }
service-practice-start = Start the practice service
service-remove = Remove
service-signed-in = Signed in as { $name }
service-tenant = Tenant
service-tenant-about = Your part of the service; it stands in the mail that gave you the token.
service-token = Token
service-token-about = It is never shown again, logged or sent anywhere but to this service.

## Settings

settings-density = List density
settings-density-comfortable = Comfortable
settings-density-compact = Compact
settings-general = General
settings-language = Language
settings-services = Services
settings-services-none = No service yet.
settings-theme = Theme
settings-theme-dark = Dark
settings-theme-light = Light
settings-theme-system = As the system
settings-title = Settings
settings-version = Docket { $version }

## Spans of time

span-days = { $n } d
span-hours = { $n } h
span-hours-minutes = { $h } h { $m } min
span-milliseconds = { $n } ms
span-minutes = { $n } min
span-minutes-seconds = { $m } min { $s } s
span-seconds = { $n } s
time-yesterday = Yesterday

## Stages: the one word

stage-accepted = Accepted
stage-cancelled = Cancelled
stage-cancelling = Cancelling
stage-confirming = Confirming result
stage-downloading = Downloading
stage-downloading-percent = Downloading { $p }
stage-expired = Expired
stage-failed = Failed on { $svc }
stage-not_created = Not started
stage-ready = Ready to download
stage-rejected = Needs changes
stage-rejected-forbidden = No permission
stage-rejected-key-conflict = Request number conflict
stage-running = Running
stage-running-percent = Running { $p }
stage-saved = Saved
stage-sending = Sending
stage-unresolved = Result not confirmed
stage-waiting_to_send = Waiting to send

## States inside a sentence: "… is being confirmed"

state-accepted = accepted
state-cancelled = cancelled
state-cancelling = being cancelled
state-confirming = being confirmed
state-downloading = downloading
state-expired = expired
state-failed = not finished
state-not_created = not started
state-ready = ready to download
state-rejected = not accepted
state-running = running
state-saved = saved
state-sending = being sent
state-unresolved = not confirmed
state-waiting_to_send = waiting to be sent

## Timeline events

event-abandon = Withdrew the number
event-accepted = Accepted
event-cancel = Asked to cancel
event-describe = Asked { $svc } what it can do
event-download = Download
event-lookup = Looked up #{ $n }
event-no-answer = No answer
event-not-sent = Not sent
event-poll-status-cancelled = Cancelled
event-poll-status-expired = File expired
event-poll-status-failed = Failed
event-poll-status-queued = Waiting to start
event-poll-status-running = Started
event-poll-status-succeeded = Finished on { $svc }
event-recorded = Saved on this computer
event-refused = Not accepted
event-saved = Saved and checked
event-submit = Sent to { $svc }
event-submit-again = Same number again to { $svc }
event-submit-under-way = Sending to { $svc }
event-times = × { $n }
event-waiting = Waiting for the answer
span-download = download { $span }
span-queued = queued { $span }
span-running = running { $span }

## Units that a service counts in

unit-bytes = bytes
unit-rows = rows


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
terminal-line-waiting_to_send-held = Nothing was accepted yet ({ $reason }).
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

## Whom a request waits for that follows another

terminal-turn-after_seal = It goes once the earlier request can't start an export any more, so that there are never two. Nothing was sent yet.
terminal-turn-person = The earlier request may have started this export after all. Send this one too with `docket resend { $id }`, or withdraw it with `docket cancel { $id }`.

## Holds

terminal-hold-other_account = This was requested by another account. Sign in as that one with `docket service sign-in { $service }`.
terminal-hold-restored_store = This history comes from a copy. It is looked up before anything is sent.
terminal-hold-sign_in = Sign-in needed: run `docket service sign-in { $service }`. Nothing will be sent twice.
terminal-hold-access_withdrawn = { $service } no longer lets you download this file.
terminal-hold-paused = Paused. Ask for the same export again to go on.
terminal-hold-cannot_write = The file can't be saved in { $folder }: { $problem }. Mend that or name another folder with --output, and ask for the same export again.
terminal-hold-no_space = Not enough disk space: { $needed } needed, { $free } free. Goes on by itself when there is room.
terminal-hold-no_space-waits = Not enough disk space: { $needed } needed, { $free } free. Make room, and ask for the same export again to go on.
terminal-hold-check_failed = The file doesn't match what { $service } announced, so it wasn't kept. Ask for the same export again to fetch it once more.
terminal-hold-download_interrupted = The download was interrupted. What is here is kept, and it goes on by itself.
terminal-hold-download_interrupted-waits = The download was interrupted, and no more tries are made. What is here is kept: ask for the same export again to go on.
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
terminal-call-access_refused = the service has no such tenant for this account
terminal-call-asked_to_wait = the service asked to wait
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

## What a person can find out where Docket can not

terminal-by-hand-lookup_unsupported = Look for it at { $service } yourself, then say what you found: `docket settle { $id } --job NUMBER`, or `--absent` if there is none and none will come.
terminal-by-hand-not_visible = Or look at { $service } yourself and say what you found: `docket settle { $id } --job NUMBER`, or `--absent`.
terminal-by-hand-ambiguous_matches = `docket show { $id }` lists them; say which one is yours: `docket settle { $id } --job NUMBER`.
terminal-by-hand-key_breached = `docket show { $id }` lists them; say which one is yours: `docket settle { $id } --job NUMBER`.
terminal-settle-not-there = { $service } has no export { $job } that this account may see. Check the number and settle it again.
terminal-settle-not-ours = { $job } is not this export: { $service } made it for something else. Check the number and settle it again.

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
terminal-error-invalid_address = That address or tenant can't be used. Give https://, or http:// on this computer, and the tenant's name alone.
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
terminal-error-store_damaged = The history file is damaged, and nothing more is written to it. Quit every Docket and start it again; the file is then set aside whole.
terminal-error-store_busy = Another program keeps the history locked. Close it and try again; nothing was recorded.
terminal-error-store_foreign = What lies at the place of the history belongs to another program and was left alone. Move it away, or set DOCKET_HOME to another folder.
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
terminal-error-token-environment = DOCKET_TOKEN holds no credential: it must be one word without spaces. Nothing was sent.
terminal-error-parameter-shape = Write a parameter as name=value, not “{ $text }”.
terminal-error-parameter-unknown = “{ $operation }” has no parameter “{ $name }”. It has: { $names }.
terminal-error-parameter-type = The parameter “{ $name }” must be { $expected }, not “{ $value }”.
terminal-error-parameter-choice = The parameter “{ $name }” must be one of { $choices }, not “{ $value }”.
terminal-error-parameter-twice = The parameter “{ $name }” takes one value and was given several.
terminal-error-parameter-missing = The parameter “{ $name }” is missing.
terminal-error-parameters-json = --params-json must be one JSON object: { $problem }. Nothing was recorded.
terminal-error-parameters-number = { $literal } can not be kept exactly as a number; give long ids and money as text, in quotes.
terminal-error-parameters-file = { $path } can't be read: { $problem }. Nothing was recorded.
terminal-error-field = { $field }: { $problem }
terminal-error-settle-open = Docket is still finding out what became of { $id }. Wait for its result, or look now with `docket check { $id }`.
terminal-error-settle-over = What became of { $id } is known already. `docket show { $id }` tells it.
terminal-error-near-twin = { $id } is the same report with other parameters and its result is not known yet. Wait for it with `docket check { $id }`, or ask with --anyway; nothing was recorded.
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
terminal-column-service = SERVICE
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
terminal-notice-missing = { $count ->
    [one] one export could not be read
   *[other] { $count } exports could not be read
}
terminal-notice-missing-at-least = { $count ->
    [one] at least one export could not be read
   *[other] at least { $count } exports could not be read
}
terminal-notice-missing-none = nothing is missing
terminal-notice-missing-unknown = whether anything is missing can't be told
terminal-notice-store_damaged = A part of the history { $path } can't be read: quit every Docket and start it again, and the file is set aside whole.
terminal-notice-store_gone = The history that lay at { $path } is gone, so a new one was begun; what was sent before is still at the services (`docket notices --dismiss` once you have read this).
terminal-notice-store_set_aside = The history was damaged and was set aside whole as { $path }: { $open } open and { $over } finished exports were saved, { $missing }; each open one is looked up before anything is sent (`docket notices --dismiss` once you have read this).
terminal-more = There are more. Narrow them with --stage.
terminal-unreadable =
    { $count ->
        [one] { $count } export can't be read now and is left out here.
       *[other] { $count } exports can't be read now and are left out here.
    } Quit every Docket and start it again: the history is set aside whole, and what can be read goes on.

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
terminal-fact-candidates = Could be it
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
terminal-twin = You already have this export: { $id } is “{ $stage }”. Nothing new was recorded; following that one.
terminal-recorded-only = Recorded. Docket sends it when it runs next: `docket run`, or open the window.
terminal-recorded-driven = Recorded. The Docket that is open sends it.
terminal-watching = Another Docket drives the exports; watching.
terminal-stopped = Stopped watching: { $id } is “{ $stage }”. { $line } Nothing is lost; { $where }
terminal-stopped-driven = the Docket that is open goes on with it.
terminal-stopped-here = it goes on with `docket run` or when the window opens.
terminal-still-open = { $id } is still open; { $where }
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
