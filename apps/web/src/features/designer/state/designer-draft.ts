import { parseJson, isRecord } from '../../../shared/http/json-value.ts';
import { readStored } from '../../../shared/ui/stored-value.ts';
import { withNewestImages } from './example-image.ts';
import type { DesignerState } from './designer-state.ts';

/** What is kept in the browser of a design that is not saved. */
interface Draft {
  form: 1;
  /** The revision that it began from. */
  schemaRevid: string | undefined;
  state: DesignerState;
}

export const draftKey = (orgId: string, schemaId: string | undefined) =>
  `docwright.designer.${orgId}.${schemaId ?? 'new'}`;

export interface KeptDraft {
  schemaRevid: string | undefined;
  state: DesignerState;
}

/** The draft of an earlier visit; what was under way then has ended. */
export function readDraft(key: string): KeptDraft | undefined {
  const kept = parseJson(readStored(key) ?? '');
  if (!isRecord(kept) || kept['form'] !== 1 || !isRecord(kept['state'])) return undefined;
  const { schemaRevid, state } = kept as unknown as Draft;
  if (state.phase === 'idle') return { schemaRevid, state };
  const waiting = state.waiting.map(({ id, function: called }) => ({ id, function: called }));
  const notice = state.phase === 'applying' ? undefined : ({ kind: 'interrupted' } as const);
  return { schemaRevid, state: { ...state, phase: 'idle', waiting, notice } };
}

export function writeDraft(key: string, schemaRevid: string | undefined, state: DesignerState): void {
  const write = (kept: DesignerState) =>
    window.localStorage.setItem(key, JSON.stringify({ form: 1, schemaRevid, state: kept } satisfies Draft));
  try {
    write(state);
  } catch {
    try {
      // Images are what fills the storage; the words about them stay.
      write({ ...state, history: withNewestImages(state.history, 0), chosenImages: {} });
    } catch {
      // Storage is refused: the design lives as long as the page.
    }
  }
}
