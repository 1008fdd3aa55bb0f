// Light, dark, or as the system has it. The tokens hang on `data-theme`, so no component asks which theme it is in.
import type { ThemeChoice } from './api';

const DARK = '(prefers-color-scheme: dark)';
let stop: (() => void) | null = null;

export function applyTheme(choice: ThemeChoice): void {
  stop?.();
  stop = null;
  if (choice !== 'system') {
    document.documentElement.dataset['theme'] = choice;
    return;
  }
  const query = matchMedia(DARK);
  const apply = (): void => void (document.documentElement.dataset['theme'] = query.matches ? 'dark' : 'light');
  apply();
  query.addEventListener('change', apply);
  stop = () => query.removeEventListener('change', apply);
}
