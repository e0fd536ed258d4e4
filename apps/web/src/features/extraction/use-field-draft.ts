import { useCallback, useState } from 'react';
import { readStored, writeStored } from '../../shared/ui/stored-value.ts';
import { useExtractionView } from './extraction-view.tsx';

export interface FieldDraft {
  /** A value that was half written when the page was left is there again, being edited. */
  editing: boolean;
  begin: () => void;
  end: () => void;
  /** What was written before. */
  written: string | undefined;
  onWrite: (text: string) => void;
}

/** Whether a value is being edited, and what is written for it; kept until it is saved or given up. */
export function useFieldDraft(path: string): FieldDraft {
  const { drafts } = useExtractionView();
  const key = drafts === undefined ? undefined : `${drafts}.${path}`;
  const [state, setState] = useState(() => draftUnder(key));
  // Another extraction in the same place has drafts of its own.
  if (state.key !== key) setState(draftUnder(key));
  const onWrite = useCallback(
    (text: string) => {
      if (key !== undefined) writeStored(key, text);
    },
    [key],
  );
  return {
    editing: state.editing,
    begin: () => setState({ key, written: undefined, editing: true }),
    end: () => {
      if (key !== undefined) writeStored(key, null);
      setState({ key, written: undefined, editing: false });
    },
    written: state.written,
    onWrite,
  };
}

function draftUnder(key: string | undefined) {
  const written = key === undefined ? undefined : (readStored(key) ?? undefined);
  return { key, written, editing: written !== undefined };
}
