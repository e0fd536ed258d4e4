import type { RuleInput } from '../../conversation/conversation.ts';
import { describeRefusal } from '../../conversation/outcome.ts';
import { type BatchSteps, use } from '../../conversation/plan.ts';
import { wordsOf } from '../../page/fold.ts';
import { listedIn, type ListedItem, listTool } from './listed-items.ts';

const maxOptions = 10;

/** The schema or prompt that the request names, otherwise the only one, otherwise the one that the user chooses. */
export function* chooseListed(kind: 'schemas' | 'prompts', conversation: RuleInput): BatchSteps<ListedItem | string> {
  const outcome = yield* use(listTool(kind), { limit: 100 });
  if (outcome.kind !== 'done') return describeRefusal(`list the ${kind}`, outcome);
  const items = listedIn(kind, outcome);
  const singular = kind.slice(0, -1);
  if (items.length === 0)
    return `There is no ${singular} yet. Say “create a schema for this document and extract it”, and I make one.`;
  const request = wordsOf(conversation.request);
  const named = items.filter((item) => request.includes(wordsOf(item.name)));
  const [only] = named.length === 1 ? named : items;
  if (only && (named.length === 1 || items.length === 1)) return only;
  if (!conversation.tools.has('ask_questions'))
    return `Which ${singular} do you mean? There are ${items.map((item) => item.name).join(', ')}.`;
  return yield* askWhich(singular, items.slice(0, maxOptions));
}

function* askWhich(singular: string, items: readonly ListedItem[]): BatchSteps<ListedItem | string> {
  const question = {
    id: 'which',
    header: `Which ${singular}`,
    question_text: `Which ${singular} do you mean?`,
    options: items.map((item, index) => ({ id: `option_${index}`, label: item.name.slice(0, 200) })),
    multi_select: false,
    allow_other: false,
  };
  const outcome = yield* use('ask_questions', { questions: [question] });
  if (outcome.kind !== 'done') return describeRefusal(`learn which ${singular} you mean`, outcome);
  const chosen = /option_(\d+)/u.exec(JSON.stringify(outcome.value.answers ?? null));
  return (
    items[Number(chosen?.[1] ?? -1)] ??
    `Then I leave everything as it is. Name the ${singular} when you know which one to use.`
  );
}
