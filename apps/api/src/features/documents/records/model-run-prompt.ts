import type { DocumentState } from '@docwright/contract';
import { outboxEvent, toOutbox, type OutboxEvent } from '../../event-log/index.ts';

/** The revision of a prompt that a model runs on a document. */
export interface ModelRunPrompt {
  prompt_id: string;
  prompt_revid: string;
}

/** Without the other fields of the prompt. */
export const runPrompt = ({ prompt_id, prompt_revid }: ModelRunPrompt): ModelRunPrompt => ({ prompt_id, prompt_revid });

/** The event of a run that stored no result. */
export const extractionFailed = (code: string, prompt?: ModelRunPrompt): OutboxEvent =>
  outboxEvent('extraction.failed', { ...(prompt && runPrompt(prompt)), code });

export type StateError = { code: string; message: string };

interface ChangeOfState {
  $set: { state: DocumentState; state_error?: StateError };
  $unset?: { state_error: 1 };
  $push?: never;
}

export function changeOfState(state: DocumentState, error?: StateError, prompt?: ModelRunPrompt): ChangeOfState {
  if (error === undefined) return { $set: { state }, $unset: { state_error: 1 } };
  const failed = state === 'llm_failed' ? [extractionFailed(error.code, prompt)] : [];
  return { $set: { state, state_error: error }, ...toOutbox(...failed) };
}

/** During a run that makes a proposal an extraction is only a step: the document is done when the run is. */
export function exceptWithinRun(state: DocumentState): { 'auto_create.status'?: { $ne: 'running' } } {
  const isStep = state === 'llm_completed' || state === 'llm_failed';
  return isStep ? { 'auto_create.status': { $ne: 'running' } } : {};
}
