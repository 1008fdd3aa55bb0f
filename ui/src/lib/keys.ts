// Which keys mean what. Pure: an event comes in, a command comes out.
//
// A key that an input method is composing with is never ours: Enter then chooses a character. `isComposing` says so,
// and where it does not (WebKit ends the composition before the key), the key code 229 does.

export type Command = 'new' | 'submit' | 'search' | 'settings' | 'copy-request-no' | 'open-file' | 'show-in-folder' | 'close' | `tab-${1 | 2 | 3 | 4}`;

/** The code that browsers give a key while an input method has it. */
const COMPOSING_KEY_CODE = 229;

export type KeyLike = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'isComposing' | 'keyCode'>;

export function isComposing(event: Pick<KeyLike, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === COMPOSING_KEY_CODE;
}

/** Whether the key is typed into something that takes text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
}

export function commandOf(event: KeyLike, typing: boolean): Command | null {
  if (isComposing(event) || event.altKey) return null;
  if (event.key === 'Escape') return 'close';
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (event.shiftKey) return key === 'c' ? 'copy-request-no' : key === 'o' ? 'show-in-folder' : null;
    if (event.key === 'Enter') return 'submit';
    return ({ n: 'new', ',': 'settings', o: 'open-file' } as const)[key as 'n' | ',' | 'o'] ?? null;
  }
  if (typing) return null;
  if (event.key === '/') return 'search';
  return ['1', '2', '3', '4'].includes(event.key) && !event.shiftKey ? (`tab-${event.key}` as Command) : null;
}

const isMac = (): boolean => navigator.platform.startsWith('Mac');

/** `Ctrl N` or `⌘ N`. */
export const keyHint = (key: string): string => `${isMac() ? '⌘' : 'Ctrl'} ${key}`;
