import type { DocumentState } from '@docwright/contract';

export interface StateWords {
  label: string;
  tone: 'busy' | 'neutral' | 'good' | 'bad';
}

const words: Record<DocumentState, StateWords> = {
  uploaded: { label: 'Queued', tone: 'busy' },
  ocr_processing: { label: 'Reading pages', tone: 'busy' },
  ocr_completed: { label: 'Text read', tone: 'neutral' },
  ocr_failed: { label: 'Not readable', tone: 'bad' },
  llm_processing: { label: 'Extracting', tone: 'busy' },
  llm_completed: { label: 'Extracted', tone: 'good' },
  llm_failed: { label: 'Extraction failed', tone: 'bad' },
};

export const stateWords = (state: DocumentState): StateWords => words[state];

/** States to filter by, in the order a document goes through them. */
export const stateOptions = Object.entries(words).map(([value, { label }]) => ({ value, label }));
