import type { Document, DocumentState } from '@docwright/contract';

export interface StateLabel {
  label: string;
  tone: 'busy' | 'neutral' | 'waiting' | 'good' | 'bad';
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

/** What a document's state is called; while its pages are recognised, with the page that is being read. */
export function stateLabel({ state, ocr, auto_create }: Pick<Document, 'state' | 'ocr' | 'auto_create'>): StateLabel {
  if (auto_create?.status === 'proposed') return proposalReady;
  if (state !== 'ocr_processing' || !ocr) return words[state];
  const page = Math.min(ocr.pages_done + 1, ocr.page_count);
  return { ...words[state], label: `Reading page ${page} of ${ocr.page_count}` };
}

/** States to filter by, in the order a document goes through them. */
export const stateOptions = [
  ...Object.entries(words).map(([value, { label }]) => ({ value, label })),
  { value: 'proposed', label: proposalReady.label },
];
