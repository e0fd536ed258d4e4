import { isRecord, parseJson } from '../../shared/http/json-value.ts';
import { keepUnsent } from './unsent-drafts.ts';
import { useStoredValue, writeStored } from '../../shared/ui/browser/stored-value.ts';

interface AnswerDraft {
  /** Option ids by question id. */
  picked: Record<string, string[]>;
  /** Free answer by question id. */
  others: Record<string, string>;
}

const keyOf = (callId: string) => `docwright.answers.${callId}`;

/** Deletes the draft once the answers are sent. */
export const clearAnswerDraft = (callId: string): void => writeStored(keyOf(callId), null);

type Change<Value> = (next: (present: Value) => Value) => void;

/** The unsent answers to a call's questions, kept in local storage. */
export function useAnswerDraft(callId: string): AnswerDraft & {
  setPicked: Change<AnswerDraft['picked']>;
  setOthers: Change<AnswerDraft['others']>;
} {
  const [stored, store] = useStoredValue(keyOf(callId));
  const draft = readDraft(stored);
  const keep = (answers: AnswerDraft) => {
    keepUnsent(callId, { answers });
    store(JSON.stringify(answers));
  };
  return {
    ...draft,
    setPicked: (next) => keep({ ...draft, picked: next(draft.picked) }),
    setOthers: (next) => keep({ ...draft, others: next(draft.others) }),
  };
}

function readDraft(stored: string | null): AnswerDraft {
  const value = parseJson(stored ?? '');
  const isDraft = isRecord(value) && isRecord(value['picked']) && isRecord(value['others']);
  return isDraft ? (value as unknown as AnswerDraft) : { picked: {}, others: {} };
}
