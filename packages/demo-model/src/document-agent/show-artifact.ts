import type { RuleInput } from '../conversation/conversation.ts';
import { bold, plainText } from '../conversation/markdown.ts';
import { describeRefusal, textIn } from '../conversation/outcome.ts';
import { type PlanOfSteps, use } from '../conversation/plan.ts';
import { readResult } from './results/extraction-result.ts';
import { summarizeExtraction } from './results/summarize-extraction.ts';
import { readStoredSchema } from './schemas/stored-schema.ts';

const asksToShow =
  /(?<![\p{L}])(?:show|display|see|what(?:'s|’s| is)|print|read|describe|wh(?:ich|at) fields|zeig\p{L}*|affiche\p{L}*)(?![\p{L}])/iu;

/** Shows the current schema, prompt or extraction; undefined when the message asks for none of them. */
export function showArtifact(conversation: RuleInput): PlanOfSteps | undefined {
  const { request } = conversation;
  if (!asksToShow.test(request)) return undefined;
  if (/\b(?:schema|fields)\b/iu.test(request)) return showSchema(conversation);
  if (/\bprompt\b/iu.test(request)) return showPrompt(conversation);
  return /\b(?:extraction|results?|values|ergebnis)\b/iu.test(request) ? showResult(conversation) : undefined;
}

function* showSchema(conversation: RuleInput): PlanOfSteps {
  const stored = yield* readStoredSchema(conversation);
  if (typeof stored === 'string') return stored;
  const lines = Object.entries(stored.schema.properties).map(([name, { description, items }]) => {
    const columns = Object.keys(items?.properties ?? {});
    const rows = columns.length > 0 ? ` (rows of ${columns.join(', ')})` : '';
    return `- \`${name}\`${rows}${description === undefined ? '' : `: ${plainText(description)}`}`;
  });
  return `The schema ${bold(stored.name)} has these fields:\n${lines.join('\n')}`;
}

function* showPrompt({ workingState }: RuleInput): PlanOfSteps {
  if (workingState.promptRevid === null) return 'This conversation has no prompt yet. Say “list prompts” to see all.';
  const prompt = yield* use('get_prompt', { prompt_revid: workingState.promptRevid });
  return prompt.kind === 'done'
    ? `The prompt ${bold(textIn(prompt, 'name'))}:\n\n${plainText(textIn(prompt, 'content'))}`
    : describeRefusal('read the prompt', prompt);
}

function* showResult(conversation: RuleInput): PlanOfSteps {
  const extraction = yield* readResult(conversation);
  return typeof extraction === 'string' ? extraction : summarizeExtraction(extraction.value);
}
