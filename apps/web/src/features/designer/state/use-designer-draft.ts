import { useEffect, useMemo, useRef } from 'react';
import { writeStored } from '../../../shared/ui/stored-value.ts';
import { writeDraft } from './designer-draft.ts';
import type { DesignerState } from './designer-state.ts';

interface DraftOptions {
  key: string;
  schemaRevid: string | undefined;
  state: DesignerState;
  /** Whether there is anything that is not stored elsewhere. */
  dirty: boolean;
}

/** Keeps the design in this browser as it changes, and when the page is left. */
export function useDesignerDraft({ key, schemaRevid, state, dirty }: DraftOptions): void {
  const kept = useMemo(() => ({ key, schemaRevid, state, dirty }), [key, schemaRevid, state, dirty]);
  const latest = useRef(kept);
  useEffect(() => {
    latest.current = kept;
    const timer = setTimeout(() => write(kept), 300);
    return () => clearTimeout(timer);
  }, [kept]);
  useEffect(() => {
    const flush = () => write(latest.current);
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
}

function write({ key, schemaRevid, state, dirty }: DraftOptions): void {
  if (dirty) writeDraft(key, schemaRevid, state);
  else writeStored(key, null);
}
