import type { Outcome } from '../../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../../conversation/plan.ts';
import { summarizeExtraction } from './summarize-extraction.ts';

/** Runs a prompt and summarizes the result, after a text about the previous steps. */
export function* runExtraction(promptRevid: string, before: string): PlanOfSteps {
  return describeExtraction(yield* use('run_extraction', { prompt_revid: promptRevid }), before);
}

/** The outcome of an extraction, after a text about the previous steps. */
export function describeExtraction(extraction: Outcome, before: string): string {
  const lead = before === '' ? '' : `${before}\n\n`;
  if (extraction.kind === 'rejected')
    return `${lead}The extraction was not run, as you rejected it. Say “run the extraction” when it should.`;
  if (extraction.kind === 'failed') return `${lead}The extraction failed: ${extraction.error}`;
  return lead + summarizeExtraction(extraction.value);
}
