import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';

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

/** A message that goes back into its field, before what was typed there since. */
export const beforeStored = (message: string, key: string): string =>
  [message, readStored(key)].filter(Boolean).join('\n\n');

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

/**
 * The draft of a conversation, which goes with the conversation when that gets another key: a new one gets its own with its
 * first turn, and what was typed until then belongs to it.
 */
export function useStoredDraft(key: string): [string, (value: string | null) => void] {
  const [state, setState] = useState(() => ({ key, value: readStored(key) ?? '' }));
  const storedAs = useRef(key);
  if (state.key !== key) setState({ key, value: state.value || (readStored(key) ?? '') });
  const { value } = state;
  useEffect(() => {
    const former = storedAs.current;
    storedAs.current = key;
    if (former === key || value === '') return;
    writeStored(key, value);
    // Another window can have another draft there.
    if (readStored(former) === value) writeStored(former, null);
  }, [key, value]);
  const set = useCallback(
    (next: string | null) => {
      writeStored(key, next);
      setState({ key, value: next ?? '' });
    },
    [key],
  );
  return [value, set];
}

/**
 * Keeps a message that did not reach the server in the browser, and gives it back after the page was left or loaded again:
 * until then it stands only in the conversation of this page.
 *
 * @param draftKey local storage key of the conversation's draft
 * @param refused the message, as long as it can be sent again
 */
export function useKeptMessage(
  draftKey: string,
  refused: string | undefined,
  giveBack: (message: string) => void,
): void {
  const key = `${draftKey}.unsent`;
  const onKept = useEffectEvent(giveBack);
  useEffect(() => {
    const kept = readStored(key);
    writeStored(key, null);
    if (kept !== null) onKept(kept);
  }, [key]);
  useEffect(() => writeStored(key, refused ?? null), [key, refused]);
}
