import { type Move, use } from './plan.ts';
import type { Outcome } from './conversation.ts';
import { summarizeExtraction } from './summarize-extraction.ts';

/** Runs a prompt and summarizes the result, after a text about the previous steps. */
export function* runExtraction(promptRevid: string | null, before: string): Generator<Move, string, Outcome[]> {
  const args = promptRevid === null ? {} : { prompt_revid: promptRevid };
  return told(yield* use('run_extraction', args), before);
}

/** The end of an extraction in words, after a text about the previous steps. */
export function told(extraction: Outcome, before: string): string {
  const lead = before === '' ? '' : `${before}\n\n`;
  if (extraction.kind === 'rejected')
    return `${lead}The extraction was not run, as you rejected it. Say “run the extraction” when it should.`;
  if (extraction.kind === 'failed') return `${lead}The extraction failed: ${extraction.error}`;
  return lead + summarizeExtraction(extraction.value);
}
