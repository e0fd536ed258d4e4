import type { Conversation } from '../conversation.ts';
import { readResult } from '../extraction-result.ts';
import { idOf } from '../outcome-id.ts';
import { type Plan, use } from '../plan.ts';
import { stopped } from '../stopped.ts';
import { readStoredSchema } from './stored-schema.ts';
import { summarizeExtraction } from '../summarize-extraction.ts';
import { bold, plainText } from '../plain-text.ts';

const showing =
  /(?<![\p{L}])(?:show|display|see|what(?:'s|’s| is)|print|read|describe|wh(?:ich|at) fields|zeig\p{L}*|affiche\p{L}*)(?![\p{L}])/iu;

/** Shows the current schema, prompt or extraction; undefined when the message asks for none of them. */
export function showArtifact(conversation: Conversation): Plan | undefined {
  const { request } = conversation;
  if (!showing.test(request)) return undefined;
  if (/\b(?:schema|fields)\b/iu.test(request)) return showSchema(conversation);
  if (/\bprompt\b/iu.test(request)) return showPrompt(conversation);
  return /\b(?:extraction|results?|values|ergebnis)\b/iu.test(request) ? showResult(conversation) : undefined;
}

function* showSchema(conversation: Conversation): Plan {
  const stored = yield* readStoredSchema(conversation);
  if (typeof stored === 'string') return stored;
  const lines = Object.entries(stored.schema.properties).map(([name, { description, items }]) => {
    const columns = Object.keys(items?.properties ?? {});
    const of = columns.length > 0 ? ` (rows of ${columns.join(', ')})` : '';
    return `- \`${name}\`${of}${description === undefined ? '' : `: ${plainText(description)}`}`;
  });
  return `The schema ${bold(stored.name)} has these fields:\n${lines.join('\n')}`;
}

function* showPrompt({ workingState }: Conversation): Plan {
  if (workingState.promptRevid === null)
    return 'There is no prompt here that I worked with. Say “list prompts” to see all.';
  const prompt = yield* use('get_prompt', { prompt_revid: workingState.promptRevid });
  return prompt.kind === 'done'
    ? `The prompt ${bold(idOf(prompt, 'name'))}:\n\n${plainText(idOf(prompt, 'content'))}`
    : stopped('read the prompt', prompt);
}

function* showResult(conversation: Conversation): Plan {
  const extraction = yield* readResult(conversation);
  return typeof extraction === 'string' ? extraction : summarizeExtraction(extraction.value);
}
