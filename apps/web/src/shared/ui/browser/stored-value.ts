import { useCallback, useState } from 'react';

/** Reads a string from local storage; null if storage is blocked, as in some private windows. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null || value === '') window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, value);
  } catch {
    // Storage is blocked or full: the value lasts as long as the page.
  }
}

/** State that is also kept in local storage. */
export function useStoredValue(key: string): [string | null, (value: string | null) => void] {
  const [state, setState] = useState(() => ({ key, value: readStored(key) }));
  if (state.key !== key) setState({ key, value: readStored(key) });
  const set = useCallback(
    (value: string | null) => {
      writeStored(key, value);
      setState({ key, value });
    },
    [key],
  );
  return [state.value, set];
}
