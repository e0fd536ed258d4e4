import { readStored, writeStored } from '../ui/browser/stored-value.ts';

export type Theme = 'system' | 'light' | 'dark';
const key = 'docwright.theme';

export function storedTheme(): Theme {
  const stored = readStored(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies and stores the theme; `system` follows the device. */
export function applyTheme(theme: Theme): void {
  writeStored(key, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
