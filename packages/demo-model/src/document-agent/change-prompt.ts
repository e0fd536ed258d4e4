import type { RuleInput } from '../conversation/conversation.ts';
import { bold } from '../conversation/markdown.ts';
import { describeRefusal, textIn } from '../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../conversation/plan.ts';
import { runExtraction } from './results/run-extraction.ts';

/** The new text of the prompt in a message; undefined when it has none. */
export function promptContentIn(request: string): string | undefined {
  const match =
    /\b(?:change|set|update|rewrite|replace)\s+(?:the\s+|this\s+)?(?:content of the\s+|text of the\s+)?prompt(?:'s (?:text|content))?\s*(?:to|with|as)?\s*:?\s+["“]?(?<content>[\s\S]{10,}?)["”]?\s*$/iu.exec(
      request,
    );
  return match?.groups?.content;
}

/** Writes a new revision of the current prompt and extracts with it. */
export function* changePrompt(content: string, { workingState }: RuleInput): PlanOfSteps {
  if (workingState.promptRevid === null)
    return 'This conversation has no prompt yet. Say “create a schema for this document and extract it” first.';
  const prompt = yield* use('get_prompt', { prompt_revid: workingState.promptRevid });
  if (prompt.kind !== 'done') return describeRefusal('read the prompt', prompt);
  const updated = yield* use('update_prompt', { prompt_id: textIn(prompt, 'prompt_id'), content });
  if (updated.kind !== 'done') return describeRefusal('change the prompt', updated);
  return yield* runExtraction(
    textIn(updated, 'prompt_revid'),
    `The prompt ${bold(textIn(prompt, 'name'))} is changed. My rules fill the schema and do not read the prompt’s wording; a language model will.`,
  );
}
