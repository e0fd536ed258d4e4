import { isRecord, parseJson } from '../shared/http/json-value.ts';
import { useStoredValue, writeStored } from '../shared/ui/stored-value.ts';

interface AnswerDraft {
  /** By question: ids of options. */
  picked: Record<string, string[]>;
  /** By question: the answer in the person's own words. */
  others: Record<string, string>;
}

const keyOf = (callId: string) => `docwright.answers.${callId}`;

/** Once the answers are on their way. */
export const forgetAnswerDraft = (callId: string): void => writeStored(keyOf(callId), null);

type Change<Value> = (next: (present: Value) => Value) => void;

/** What has been picked and written about the questions of a call; it is there again after leaving, until it is sent. */
export function useAnswerDraft(callId: string): AnswerDraft & {
  setPicked: Change<AnswerDraft['picked']>;
  setOthers: Change<AnswerDraft['others']>;
} {
  const [stored, store] = useStoredValue(keyOf(callId));
  const draft = readDraft(stored);
  return {
    ...draft,
    setPicked: (next) => store(JSON.stringify({ ...draft, picked: next(draft.picked) })),
    setOthers: (next) => store(JSON.stringify({ ...draft, others: next(draft.others) })),
  };
}

function readDraft(stored: string | null): AnswerDraft {
  const kept = parseJson(stored ?? '');
  const isDraft = isRecord(kept) && isRecord(kept['picked']) && isRecord(kept['others']);
  return isDraft ? (kept as unknown as AnswerDraft) : { picked: {}, others: {} };
}
