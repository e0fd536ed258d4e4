import type { Conversation } from '../conversation.ts';
import { idOf } from '../outcome-id.ts';
import { type Plan, use } from '../plan.ts';
import { runExtraction } from '../run-extraction.ts';
import { stopped } from '../stopped.ts';
import { bold } from '../plain-text.ts';

/** The new text that a message gives the prompt; undefined when it gives none. */
export function promptContentIn(request: string): string | undefined {
  const match =
    /\b(?:change|set|update|rewrite|replace)\s+(?:the\s+|this\s+)?(?:content of the\s+|text of the\s+)?prompt(?:'s (?:text|content))?\s*(?:to|with|as)?\s*:?\s+["“]?(?<content>[\s\S]{10,}?)["”]?\s*$/iu.exec(
      request,
    );
  return match?.groups?.content;
}

/** Writes a new revision of the current prompt and extracts with it. */
export function* changePrompt(content: string, { workingState }: Conversation): Plan {
  if (workingState.promptRevid === null)
    return 'There is no prompt here that I worked with. Say “create a schema for this document and extract it” first.';
  const prompt = yield* use('get_prompt', { prompt_revid: workingState.promptRevid });
  if (prompt.kind !== 'done') return stopped('read the prompt', prompt);
  const updated = yield* use('update_prompt', { prompt_id: idOf(prompt, 'prompt_id'), content });
  if (updated.kind !== 'done') return stopped('change the prompt', updated);
  return yield* runExtraction(
    idOf(updated, 'prompt_revid'),
    `The prompt ${bold(idOf(prompt, 'name'))} is changed. My rules fill the schema and do not read the prompt’s wording; a language model will.`,
  );
}
