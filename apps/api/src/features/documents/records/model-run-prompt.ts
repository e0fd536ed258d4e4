import { outboxEvent, type OutboxEvent } from '../../event-log/index.ts';

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
