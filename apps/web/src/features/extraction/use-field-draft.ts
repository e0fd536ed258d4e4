import type { Extraction } from '@docwright/contract';
import { useCallback, useState } from 'react';
import { fieldsOf, resultTree } from '../../shared/values/result-tree.ts';
import { pathLabel } from '../../shared/values/review-labels.ts';
import { readStored, storedBelow, writeStored } from '../../shared/ui/browser/stored-value.ts';
import { useExtractionView } from './extraction-view.tsx';

/** The key in the browser below which unsaved texts of the values are stored. */
export const draftsOf = ({ document_id, prompt_revid }: Pick<Extraction, 'document_id' | 'prompt_revid'>): string =>
  `docwright.value.${document_id}.${prompt_revid}`;

/** Says which values the user has typed and not saved; undefined if there are none. */
export function unsavedSentence(
  extraction: Pick<Extraction, 'document_id' | 'prompt_revid' | 'result'>,
): string | undefined {
  const stored = storedBelow(draftsOf(extraction));
  const paths = stored.length === 0 ? [] : shownOf(stored, extraction.result);
  if (paths.length === 0) return undefined;
  return `What you have typed at ${paths.map(pathLabel).join(', ')} is not saved and does not count.`;
}

/** The paths that the page shows. A text at a row that is gone could not be cleared. A row also shows columns without a value. */
function shownOf(paths: readonly string[], result: unknown): string[] {
  const fields = new Set(fieldsOf(resultTree(result, undefined)).map(({ path }) => path));
  const groups = new Set([...fields].map(groupOf));
  return paths.filter((path) => fields.has(path) || (groups.has(groupOf(path)) && !/\.\d+$/u.test(path)));
}

const groupOf = (path: string) => path.slice(0, path.lastIndexOf('.') + 1);

export type FieldDraft = ReturnType<typeof useFieldDraft>;

/** The unsaved text of one value, stored in the browser until it is saved or cancelled. */
export function useFieldDraft(path: string) {
  const { drafts } = useExtractionView();
  const key = drafts === undefined ? undefined : `${drafts}.${path}`;
  const [state, setState] = useState(() => readDraft(key));
  // Another extraction shown in the same place has its own drafts.
  if (state.key !== key) setState(readDraft(key));
  const store = useCallback(
    (text: string) => {
      if (key !== undefined) writeStored(key, text);
    },
    [key],
  );
  return {
    /** True also for a value that was not saved when the page was closed. */
    editing: state.editing,
    start: () => setState({ key, text: undefined, editing: true }),
    finish: () => {
      if (key !== undefined) writeStored(key, null);
      setState({ key, text: undefined, editing: false });
    },
    /** The stored text; undefined without one. */
    text: state.text,
    store,
  };
}

function readDraft(key: string | undefined) {
  const text = key === undefined ? undefined : (readStored(key) ?? undefined);
  return { key, text, editing: text !== undefined };
}
