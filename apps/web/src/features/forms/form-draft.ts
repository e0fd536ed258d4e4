import { isRecord } from '../../shared/http/json-value.ts';
import { changesBetween, rebase, sameValue, type FormChange } from './form-value.ts';

/** A form being filled: the result on the server and the user's version of it. */
export interface FormDraft {
  /** The version of the extraction that `base` is. */
  version: number;
  base: unknown;
  mine: unknown;
  /** Paths of fields that someone else has set to another value meanwhile. */
  conflicts: string[];
  /** Changes whose field no longer exists, to be shown to the user. */
  lost: FormChange[];
}

interface Saved {
  version: number;
  result: unknown;
}

export const newDraft = ({ version, result }: Saved): FormDraft => ({
  version,
  base: result,
  mine: result,
  conflicts: [],
  lost: [],
});

/** Applies the draft to the newest result: typed values stay, and fields that both changed are conflicts. */
export function draftOver(draft: FormDraft, { version, result }: Saved): FormDraft {
  const { value, conflicts, lost } = rebase(draft.base, changesBetween(draft.base, draft.mine), result);
  const unresolved = draft.conflicts.filter((path) => !conflicts.includes(path));
  const changed = new Set(changesBetween(result, value).map((change) => change.path));
  return {
    version,
    base: result,
    mine: value,
    conflicts: [...unresolved, ...conflicts].filter((path) => changed.has(path)),
    lost: [...draft.lost, ...lost],
  };
}

/** The draft as text for the browser's storage; null if nothing is unsaved. */
export function writeDraft({ base, mine, conflicts }: FormDraft): string | null {
  return sameValue(base, mine) ? null : JSON.stringify({ base, changes: changesBetween(base, mine), conflicts });
}

/** Applies a stored draft to the newest result; undefined without one, or if it changes nothing. */
export function readDraft(text: string | null, now: Saved): FormDraft | undefined {
  if (text === null) return undefined;
  try {
    const stored: unknown = JSON.parse(text);
    if (!isRecord(stored) || !Array.isArray(stored['changes'])) return undefined;
    const changes = stored['changes'].filter(isChange);
    const { value, conflicts, lost } = rebase(stored['base'], changes, now.result);
    const former = Array.isArray(stored['conflicts'])
      ? stored['conflicts'].filter((path) => typeof path === 'string')
      : [];
    const draft: FormDraft = {
      version: now.version,
      base: now.result,
      mine: value,
      conflicts: [...new Set([...former, ...conflicts])],
      lost,
    };
    return sameValue(draft.base, draft.mine) ? undefined : draft;
  } catch {
    return undefined;
  }
}

const isChange = (value: unknown): value is FormChange =>
  isRecord(value) && typeof value['path'] === 'string' && 'value' in value;
