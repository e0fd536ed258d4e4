import type { Document, DocumentState, IncompleteResults } from '@docwright/contract';

export interface StateLabel {
  label: string;
  tone: 'busy' | 'neutral' | 'waiting' | 'good' | 'warn' | 'bad';
}

const words: Record<DocumentState, StateLabel> = {
  uploaded: { label: 'Queued', tone: 'busy' },
  ocr_processing: { label: 'Reading pages', tone: 'busy' },
  ocr_completed: { label: 'Ready', tone: 'neutral' },
  ocr_failed: { label: 'Can’t be read', tone: 'bad' },
  llm_processing: { label: 'Extracting', tone: 'busy' },
  llm_completed: { label: 'Extracted', tone: 'good' },
  llm_failed: { label: 'Extraction failed', tone: 'bad' },
};

/** What the agent has prepared waits for a decision. */
const proposalReady: StateLabel = { label: 'Proposal ready', tone: 'waiting' };

/** Of which a result lacks something. */
const incomplete: StateLabel = { label: 'Incomplete', tone: 'warn' };

/** What a document's state is called; while its pages are recognised, with the page that is being read. */
export function stateLabel({
  state,
  ocr,
  auto_create,
  incomplete_results,
}: Pick<Document, 'state' | 'ocr' | 'auto_create' | 'incomplete_results'>): StateLabel {
  if (auto_create?.status === 'proposed') return proposalReady;
  if (state === 'llm_completed' && incomplete_results) return incomplete;
  if (state !== 'ocr_processing' || !ocr) return words[state];
  const page = Math.min(ocr.pages_done + 1, ocr.page_count);
  return { ...words[state], label: `Reading page ${page} of ${ocr.page_count}` };
}

const reasons: Record<IncompleteResults['codes'][number], string> = {
  rows_missing: 'rows are missing',
  rows_duplicate: 'rows stand in it twice',
  text_cut: 'text was not read',
  piece_failed: 'pages could not be read',
};

/** Why results are incomplete: “A result is incomplete: rows are missing.” */
export function incompleteReason({ count, codes }: IncompleteResults): string {
  const which = count === 1 ? 'A result is' : `${count} results are`;
  return `${which} incomplete: ${codes.map((code) => reasons[code]).join(', ')}.`;
}

/** States to filter by, in the order a document goes through them. */
export const stateOptions = [
  ...Object.entries(words).map(([value, { label }]) => ({ value, label })),
  { value: 'proposed', label: proposalReady.label },
];
