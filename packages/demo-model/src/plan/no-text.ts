import type { Conversation } from './conversation.ts';

/** The line in the document agent's system prompt. */
const missing = /^There is no text to read: state (?<state>\w+)(?:, (?<reason>.+)|\.)$/mu;

/** The reason why the pages have no text; undefined when the pages were read but are empty. */
export function whyNoText({ system }: Conversation): string | undefined {
  const { state, reason } = missing.exec(system)?.groups ?? {};
  if (reason !== undefined) return `The text of this document could not be read: ${reason}`;
  if (state === 'uploaded' || state === 'ocr_processing')
    return 'The text of this document is still being read. Ask me again in a moment.';
  return undefined;
}
