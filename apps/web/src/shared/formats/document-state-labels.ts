import type { Document, DocumentState, IncompleteResults } from '@docwright/contract';

export interface StateLabel {
  label: string;
  tone: 'busy' | 'neutral' | 'waiting' | 'good' | 'warn' | 'bad';
}

const labels: Record<DocumentState, StateLabel> = {
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

const duplicate: StateLabel = { label: 'Duplicate', tone: 'neutral' };
const verified: StateLabel = { label: 'Verified', tone: 'good' };
const released: StateLabel = { label: 'Released', tone: 'good' };

const incomplete: StateLabel = { label: 'Incomplete', tone: 'warn' };

/** The label of a document's state; during recognition it names the current page. */
export function stateLabel({
  state,
  ocr,
  auto_create,
  incomplete_results,
  duplicate_of,
  results,
  releases = [],
}: Pick<
  Document,
  'state' | 'ocr' | 'auto_create' | 'incomplete_results' | 'duplicate_of' | 'results' | 'releases'
>): StateLabel {
  if (duplicate_of !== undefined) return duplicate;
  // A verified result asks nothing of the user anymore, whatever it began with.
  if (auto_create?.status === 'proposed' && !results?.is_verified) return proposalReady;
  if (state === 'llm_completed' && incomplete_results) return incomplete;
  if (state === 'llm_completed' && results && results.to_check > 0) {
    return { label: `${results.to_check} to check`, tone: 'warn' };
  }
  if (state === 'llm_completed' && releases.some((release) => release.state === 'released')) return released;
  if (state === 'llm_completed' && results?.is_verified) return verified;
  if (state !== 'ocr_processing' || !ocr) return labels[state];
  const page = Math.min(ocr.pages_done + 1, ocr.page_count);
  return { ...labels[state], label: `Reading page ${page} of ${ocr.page_count}` };
}

const reasons: Record<IncompleteResults['codes'][number], string> = {
  rows_missing: 'rows are missing',
  rows_duplicate: 'rows appear twice',
  text_cut: 'text was not read',
  piece_failed: 'pages could not be read',
};

/** "A result is incomplete: rows are missing." */
export function incompleteReason({ count, codes }: IncompleteResults): string {
  const which = count === 1 ? 'A result is' : `${count} results are`;
  return `${which} incomplete: ${codes.map((code) => reasons[code]).join(', ')}.`;
}

/** Options of the state filter, in processing order. */
export const stateOptions = [
  ...Object.entries(labels).map(([value, { label }]) => ({ value, label })),
  { value: 'proposed', label: proposalReady.label },
];
