import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';

const agesKey = 'docwright.draft-ages';
/** Keys that belong to the browser, not to one of its users: the theme, news for its other windows, and the ages of drafts. */
const ofBrowser: ReadonlySet<string> = new Set([
  'docwright.theme',
  'docwright.turn-news',
  'docwright.undo-news',
  agesKey,
]);
const ownerKey = 'docwright.user';
/** What a user has typed and not sent, in contrast to choices such as the width of a panel. */
const draftName = /^docwright\.(?:answers|designer|draft|edit|form|reason|setup-draft|split|task-draft|value)\./u;
/** A draft that nobody has changed for so long is removed. */
const draftDays = 30;
const dayMs = 86_400_000;
/** Set by a sign-out, which nothing is stored after. */
let isEnded = false;
let owner: string | undefined;

/** The name of a key in local storage. What one user has written or chosen is not another's who uses the same browser. */
export const storedName = (key: string): string =>
  owner === undefined || ofBrowser.has(key) ? key : `${key}@${owner}`;

/** The user whose drafts and choices this page reads and writes. */
export const storageOwner = (): string | undefined => owner;

/**
 * Gives the drafts and choices of this page to a user, until it is loaded again. What a former release stored without a user goes to
 * the first one who signs in, except for approvals in advance, which somebody else may have given.
 */
export function claimStorage(userId: string): void {
  if (owner !== undefined && owner !== userId) return;
  const isFirst = owner === undefined;
  owner = userId;
  isEnded = false;
  try {
    const storage = window.localStorage;
    // Other windows notice that another user has signed in. An unchanged value tells them nothing.
    storage.setItem(ownerKey, userId);
    if (!isFirst) return;
    const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    for (const name of names) {
      if (!name.startsWith('docwright.') || name.includes('@') || name === ownerKey || ofBrowser.has(name)) continue;
      const value = storage.getItem(name);
      storage.removeItem(name);
      if (value !== null && !name.startsWith('docwright.approval')) storage.setItem(storedName(name), value);
    }
    expireDrafts(storage, Date.now());
  } catch {
    // Storage is blocked or full: nothing is kept.
  }
}

const namesIn = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');

/** Removes the drafts of all users that have not changed for long. Each start notes when it saw a draft change. */
function expireDrafts(storage: Storage, now: number): void {
  const known = agesOf(storage.getItem(agesKey));
  const ages = new Map<string, DraftAge>();
  for (const name of namesIn(storage)) {
    if (!draftName.test(name)) continue;
    const print = printOf(storage.getItem(name) ?? '');
    const before = known.get(name);
    if (before?.print !== print) ages.set(name, { since: now, print });
    else if (now - before.since < draftDays * dayMs) ages.set(name, before);
    else storage.removeItem(name);
  }
  if (ages.size > 0) storage.setItem(agesKey, JSON.stringify([...ages]));
  else storage.removeItem(agesKey);
}

/** Since when a draft has been as it is. */
interface DraftAge {
  since: number;
  print: number;
}

function agesOf(stored: string | null): Map<string, DraftAge> {
  try {
    return new Map(JSON.parse(stored ?? '[]') as [string, DraftAge][]);
  } catch {
    return new Map();
  }
}

/** A number that another text hardly ever has. */
function printOf(text: string): number {
  let print = text.length;
  for (let at = 0; at < text.length; at += 1) print = Math.imul(print, 31) + text.charCodeAt(at);
  return print;
}

/** The names of the user's drafts in this browser. */
function ownDrafts(): string[] {
  try {
    return namesIn(window.localStorage).filter((name) => draftName.test(name) && name.endsWith(`@${owner ?? ''}`));
  } catch {
    return [];
  }
}

/** How many drafts a sign-out removes. */
export const countDrafts = (): number => ownDrafts().length;

/** Removes the drafts of the user, who signs out. Nothing of this page is stored any more. */
export function endStorage(): void {
  for (const name of ownDrafts()) window.localStorage.removeItem(name);
  isEnded = true;
}

/** Whether the user has signed out, so that nothing more is stored. */
export const isStorageEnded = (): boolean => isEnded;

/** Calls back when a user signs in in another window of this browser. Returns a function that ends it. */
export function onOtherUser(callback: () => void): () => void {
  const onStored = ({ key, newValue }: StorageEvent) => {
    if (key === ownerKey && newValue !== owner) callback();
  };
  window.addEventListener('storage', onStored);
  return () => window.removeEventListener('storage', onStored);
}

/** Reads a string from local storage; null if storage is blocked, as in some private windows. */
export function readStored(key: string): string | null {
  try {
    return window.localStorage.getItem(storedName(key));
  } catch {
    return null;
  }
}

/** The keys below a key at which something is stored for the user, without that key. */
export function storedBelow(key: string): string[] {
  const [start, end] = [`${key}.`, storedName('')];
  try {
    const names = namesIn(window.localStorage).filter((name) => name.startsWith(start) && name.endsWith(end));
    return names.map((name) => name.slice(start.length, name.length - end.length));
  } catch {
    return [];
  }
}

export function writeStored(key: string, value: string | null): void {
  if (isEnded) return;
  try {
    if (value === null || value === '') window.localStorage.removeItem(storedName(key));
    else window.localStorage.setItem(storedName(key), value);
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
