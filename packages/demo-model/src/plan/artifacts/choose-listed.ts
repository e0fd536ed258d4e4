import { wordsOf } from '../../page/fold.ts';
import type { Conversation, Outcome } from '../conversation.ts';
import { listedIn, type ListedThing, listTool } from './listed-things.ts';
import { type Move, use } from '../plan.ts';
import { stopped } from '../stopped.ts';

const maxOptions = 10;

/**
 * The schema or prompt to use when no other rule decides: named in the request, the only one, or chosen by the user.
 */
export function* chooseListed(
  kind: 'schemas' | 'prompts',
  conversation: Conversation,
): Generator<Move, ListedThing | string, Outcome[]> {
  const outcome = yield* use(listTool(kind), { limit: 100 });
  if (outcome.kind !== 'done') return stopped(`list the ${kind}`, outcome);
  const things = listedIn(kind, outcome);
  const one = kind.slice(0, -1);
  if (things.length === 0)
    return `There is no ${one} yet. Say “create a schema for this document and extract it”, and I make one.`;
  const request = wordsOf(conversation.request);
  const named = things.filter((thing) => request.includes(wordsOf(thing.name)));
  const [only] = named.length === 1 ? named : things;
  if (only && (named.length === 1 || things.length === 1)) return only;
  if (!conversation.tools.has('ask_questions'))
    return `Which ${one} do you mean? There are ${things.map((thing) => thing.name).join(', ')}.`;
  return yield* ask(one, things.slice(0, maxOptions));
}

function* ask(one: string, things: readonly ListedThing[]): Generator<Move, ListedThing | string, Outcome[]> {
  const question = {
    id: 'which',
    header: `Which ${one}`,
    question_text: `Which ${one} do you mean?`,
    options: things.map((thing, index) => ({ id: `option_${index}`, label: thing.name.slice(0, 200) })),
    multi_select: false,
    allow_other: false,
  };
  const outcome = yield* use('ask_questions', { questions: [question] });
  if (outcome.kind !== 'done') return stopped(`learn which ${one} you mean`, outcome);
  const chosen = /option_(\d+)/u.exec(JSON.stringify(outcome.value.answers ?? null));
  return (
    things[Number(chosen?.[1] ?? -1)] ??
    `Then I leave everything as it is. Name the ${one} when you know which one it shall be.`
  );
}
