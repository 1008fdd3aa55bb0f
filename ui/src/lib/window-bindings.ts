// The window's own types, as src-tauri/src/view.rs gives them. Made by its test; not edited by hand.

/**
 * Where files go, and how much room there is.
 */
export type FreeSpace = { 
/**
 * The folder.
 */
folder: string, 
/**
 * Bytes.
 */
free: number, };

/**
 * A language that Docket speaks.
 */
export type Language = "en" | "zh-CN";

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
all_counted: boolean, };

/**
 * Who drives the store.
 */
export type RoleView = "driver" | "observer";

/**
 * What the window must know before it draws anything.
 */
export type StartState = { 
/**
 * The language.
 */
language: Language, 
/**
 * Light, dark, or as the system.
 */
theme: Theme, 
/**
 * The practice service runs in this program.
 */
practice: boolean, 
/**
 * No service was ever added.
 */
first_run: boolean, 
/**
 * Whether this program drives the store.
 */
role: RoleView, 
/**
 * What happened to the store and was not dismissed.
 */
notices: Array<NoticeView>, 
/**
 * The program's version.
 */
version: string, };

/**
 * How the window looks.
 */
export type Theme = "system" | "light" | "dark";

/**
 * One wish for the practice service's network.
 */
export type Weather = { "weather": "lose_next_receipt" } | { "weather": "refuse", 
/**
 * Seconds.
 */
seconds: number, } | { "weather": "stall_next", 
/**
 * Seconds.
 */
seconds: number, } | { "weather": "clear" };

/**
 * What is wrong with the practice service's network, on purpose.
 */
export type WeatherView = { 
/**
 * The next receipt is lost after the service has committed.
 */
lose_next_receipt: boolean, 
/**
 * Connections are refused until then (RFC 3339, UTC).
 */
refuse_until: string | null, 
/**
 * The next answer to a request is held back.
 */
stall_next: boolean, };
