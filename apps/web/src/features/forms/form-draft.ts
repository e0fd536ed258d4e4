import { isRecord } from '../../shared/http/json-value.ts';
import { changesBetween, rebase, sameValue, type FormChange } from './form-value.ts';

/** A form being filled: what the server has, and what somebody is making of it. */
export interface FormDraft {
  /** The version of the extraction that `base` is. */
  version: number;
  base: unknown;
  mine: unknown;
  /** Fields that somebody else has set to something else meanwhile. */
  conflicts: string[];
  /** Changes that have lost their place: kept to be told. */
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

/** The draft over what the server has now; what was typed stays, and where both have written it is told. */
export function draftOver(draft: FormDraft, { version, result }: Saved): FormDraft {
  const { value, conflicts, lost } = rebase(draft.base, changesBetween(draft.base, draft.mine), result);
  const standing = draft.conflicts.filter((path) => !conflicts.includes(path));
  const changed = new Set(changesBetween(result, value).map((change) => change.path));
  return {
    version,
    base: result,
    mine: value,
    conflicts: [...standing, ...conflicts].filter((path) => changed.has(path)),
    lost: [...draft.lost, ...lost],
  };
}

/** The draft as text, to be kept where the page is left; null where nothing is unsaved. */
export function writeDraft({ base, mine, conflicts }: FormDraft): string | null {
  return sameValue(base, mine) ? null : JSON.stringify({ base, changes: changesBetween(base, mine), conflicts });
}

/** A kept draft over what the server has now; undefined where there is none, or nothing of it is left to do. */
export function readDraft(text: string | null, now: Saved): FormDraft | undefined {
  if (text === null) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    if (!isRecord(kept) || !Array.isArray(kept['changes'])) return undefined;
    const changes = kept['changes'].filter(isChange);
    const { value, conflicts, lost } = rebase(kept['base'], changes, now.result);
    const former = Array.isArray(kept['conflicts']) ? kept['conflicts'].filter((path) => typeof path === 'string') : [];
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
