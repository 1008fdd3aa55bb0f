// What the window remembers by itself: density and the like. Nothing of an export, and nothing that matters.
const PREFIX = 'docket.';

export function kept<T extends string>(name: string, is: (value: string) => value is T): T | null {
  const value = localStorage.getItem(PREFIX + name);
  return value !== null && is(value) ? value : null;
}

export function keep(name: string, value: string): void {
  localStorage.setItem(PREFIX + name, value);
}
