import type { Extraction } from '@docwright/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { readStored, writeStored } from '../../shared/ui/browser/stored-value.ts';
import { draftOver, newDraft, readDraft, writeDraft, type FormDraft } from './form-draft.ts';
import { sameValue, withValueAt } from './form-value.ts';
import { valueAt } from '../../shared/values/value-path.ts';

interface DraftHandle {
  draft: FormDraft;
  dirty: boolean;
  /** Whether it was restored from an earlier visit. */
  restored: boolean;
  set: (path: string, value: unknown) => void;
  /** Resolves a conflict with the other user's value. */
  take: (path: string) => void;
  /** Resolves a conflict with the user's own value. */
  keep: (path: string) => void;
  discard: () => void;
}

const keyOf = ({ document_id, prompt_revid }: Extraction) => `docwright.form.${document_id}.${prompt_revid}`;

/** The draft of one extraction's form; it is stored in the browser and merged with changes by others. */
export function useFormDraft(extraction: Extraction): DraftHandle {
  const key = keyOf(extraction);
  const [{ draft, restored }, setState] = useState(() => {
    const stored = readDraft(readStored(key), extraction);
    return { draft: stored ?? newDraft(extraction), restored: stored !== undefined };
  });
  if (draft.version !== extraction.version || draft.base !== extraction.result) {
    // The result has changed: by a run, by someone else, or by saving this form.
    setState((last) => ({ ...last, draft: draftOver(last.draft, extraction) }));
  }
  const dirty = !sameValue(draft.base, draft.mine);

  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
    const timer = setTimeout(() => writeStored(key, writeDraft(draft)), 300);
    return () => clearTimeout(timer);
  }, [key, draft]);
  useEffect(() => {
    const flush = () => writeStored(key, writeDraft(latest.current));
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [key]);

  const actions = useMemo(() => {
    const change = (next: (last: FormDraft) => FormDraft) => setState((last) => ({ ...last, draft: next(last.draft) }));
    const without = (conflicts: string[], path: string) => conflicts.filter((each) => each !== path);
    return {
      set: (path: string, value: unknown) =>
        change((last) => ({ ...last, mine: withValueAt(last.mine, path, value) ?? last.mine })),
      take: (path: string) =>
        change((last) => ({
          ...last,
          mine: withValueAt(last.mine, path, valueAt(last.base, path)) ?? last.mine,
          conflicts: without(last.conflicts, path),
        })),
      keep: (path: string) => change((last) => ({ ...last, conflicts: without(last.conflicts, path) })),
      discard: () =>
        setState((last) => ({
          draft: newDraft({ version: last.draft.version, result: last.draft.base }),
          restored: false,
        })),
    };
  }, []);
  return { draft, dirty, restored: restored && dirty, ...actions };
}
