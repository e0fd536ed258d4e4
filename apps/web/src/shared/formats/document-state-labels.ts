import type { Document, DocumentStage, DocumentState, IncompleteResults } from '@docwright/contract';

export interface StateLabel {
  label: string;
  tone: 'busy' | 'neutral' | 'waiting' | 'good' | 'warn' | 'bad';
}

/** The states of processing. */
export const stateNames: Record<DocumentState, StateLabel> = {
  uploaded: { label: 'Queued', tone: 'busy' },
  ocr_processing: { label: 'Reading pages', tone: 'busy' },
  ocr_completed: { label: 'Ready', tone: 'neutral' },
  ocr_failed: { label: 'Can’t be read', tone: 'bad' },
  llm_processing: { label: 'Extracting', tone: 'busy' },
  llm_completed: { label: 'Extracted', tone: 'good' },
  llm_failed: { label: 'Extraction failed', tone: 'bad' },
};

/** The agent's proposal is pending. */
const proposalReady: StateLabel = { label: 'Proposal ready', tone: 'waiting' };

/** Its text is ready, without some part of it. */
export const readInPart: StateLabel = { label: 'Read in part', tone: 'warn' };

const duplicate: StateLabel = { label: 'Duplicate', tone: 'neutral' };
const verified: StateLabel = { label: 'Verified', tone: 'good' };
const released: StateLabel = { label: 'Released', tone: 'good' };

const incomplete: StateLabel = { label: 'Incomplete', tone: 'warn' };

/** The label of a document's state; during recognition it names the current page. The filters by stage follow the same order. */
export function stateLabel({
  state,
  ocr,
  auto_create,
  incomplete_results,
  duplicate_of,
  results,
  releases = [],
  waiting_calls = 0,
  unread,
}: Pick<
  Document,
  | 'state'
  | 'ocr'
  | 'auto_create'
  | 'incomplete_results'
  | 'duplicate_of'
  | 'results'
  | 'releases'
  | 'waiting_calls'
  | 'unread'
>): StateLabel {
  if (duplicate_of !== undefined) return duplicate;
  if (waiting_calls > 0)
    return { label: waiting_calls === 1 ? 'Approval waits' : `${waiting_calls} approvals wait`, tone: 'waiting' };
  // A verified result asks nothing of the user anymore, whatever it began with.
  if (auto_create?.status === 'proposed' && !results?.is_verified && idleStates.has(state)) return proposalReady;
  if (state === 'llm_completed' && incomplete_results) return incomplete;
  const toCheck = state === 'llm_completed' ? (results?.to_check ?? 0) : 0;
  // Whoever released a result with open values has decided that it can be used.
  if (idleStates.has(state) && releases.some((release) => release.state === 'released'))
    return toCheck === 0 ? released : { ...released, label: `Released, ${toCheck} to check` };
  if (toCheck > 0) return { label: `${toCheck} to check`, tone: 'warn' };
  if (idleStates.has(state) && results?.is_verified) return verified;
  if (state === 'ocr_completed' && unread?.length) return readInPart;
  if (state !== 'ocr_processing' || !ocr) return stateNames[state];
  const page = Math.min(ocr.pages_done + 1, ocr.page_count);
  return { ...stateNames[state], label: `Reading page ${page} of ${ocr.page_count}` };
}

/** Neither work nor a failure is shown instead. */
const idleStates = new Set<DocumentState>(['ocr_completed', 'llm_completed']);

const reasons: Record<IncompleteResults['codes'][number], string> = {
  rows_missing: 'rows are missing',
  rows_duplicate: 'rows appear twice',
  text_cut: 'text was not read',
  piece_failed: 'pages could not be read',
  near_unread: 'a value can stand in a part that was not read',
};

/** "A result is incomplete: rows are missing." */
export function incompleteReason({ count, codes }: IncompleteResults): string {
  const which = count === 1 ? 'A result is' : `${count} results are`;
  return `${which} incomplete: ${codes.map((code) => reasons[code]).join(', ')}.`;
}

/** Options of the state filter: what comes next for a document, in the order of its life. */
export const stageOptions: { value: DocumentStage; label: string }[] = [
  { value: 'reading', label: 'Reading' },
  { value: 'ready', label: 'Ready' },
  { value: 'proposal', label: proposalReady.label },
  { value: 'needs_you', label: 'Needs you' },
  { value: 'verified', label: verified.label },
  { value: 'released', label: released.label },
];
