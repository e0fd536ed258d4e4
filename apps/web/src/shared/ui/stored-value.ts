import { useCallback, useState } from 'react';

/** A string that outlives the page in this browser; private windows may refuse, then it lives as long as the page. */
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
    // Storage is refused or full: the choice holds until the page is left.
  }
}

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
