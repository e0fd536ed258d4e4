import type { RuleInput } from '../conversation/conversation.ts';
import type { Outcome } from '../conversation/outcome.ts';
import { type PlanOfSteps, type BatchSteps, use } from '../conversation/plan.ts';
import { answerSmallTalk, describeNotUnderstood, type SmallTalk } from '../conversation/small-talk.ts';
import { nameFields, readQuestion, type ListedField, type ResultQuestion } from './read-question.ts';

const smallTalk: SmallTalk = {
  greeting: /^\W*(?:hi|hello|hey|hallo|moin|bonjour|hola|help(?: me)?|what can you do)\W*$/iu,
  thanks: /^\W*(?:thanks?|thank you|great|perfect|ok(?:ay)?|danke)\W*$/iu,
  refusal: /^\W*(?:never ?mind|forget it|no(?: thanks?)?|stop)\W*$/iu,
  abilities: 'I answer questions over many documents, such as:',
  examples: [
    'what did we pay Contoso?',
    'how many invoices are over 1,000?',
    'which invoices are due before 1 March?',
    'what is the largest invoice?',
    'what is said about subletting?',
  ],
};

const cannot = 'I cannot answer that from these documents.';

/** Whether the request is a question over many documents. */
export const asksDocuments = ({ tools }: RuleInput): boolean => tools.has('query_results') && tools.has('list_fields');

interface Cell {
  id: string;
  path: string;
  value: unknown;
  currency?: string;
}
interface Aggregate extends Cell {
  cell_count: number;
  without_value: number;
}
interface Found {
  matched_documents: number;
  rows: { document_name: string; cells: Cell[] }[];
  aggregates: Aggregate[];
}

/** Answers from the results, else from a passage, else says that it cannot. */
export function* planAsk({ request }: RuleInput): PlanOfSteps {
  const talk = answerSmallTalk(request, smallTalk);
  if (talk !== undefined) return talk;
  if (request.startsWith('The product checked each sentence')) return cannot;
  if (request.trim().length < 4) return describeNotUnderstood(smallTalk);
  const listed = yield* use('list_fields', {});
  const [prompt] =
    listed.kind === 'done' ? (listed.value['prompts'] as { prompt_id: string; fields: ListedField[] }[]) : [];
  if (prompt === undefined) return yield* fromPassages(request);
  const question = readQuestion(request, prompt.fields);
  if (question.unknown.length > 0) return yield* fromPassages(request);
  const where = yield* conditionsOf(question, prompt.prompt_id, nameFields(prompt.fields));
  if (where === undefined) return yield* fromPassages(request);
  return yield* fromResults(question, prompt.prompt_id, where, nameFields(prompt.fields));
}

/** The conditions of a question, with each name in the first field that holds it; undefined if none does. */
function* conditionsOf(
  { names, conditions }: ResultQuestion,
  prompt_id: string,
  fields: string[],
): BatchSteps<string | undefined> {
  const all = [...conditions];
  for (const name of names) {
    let found: string | undefined;
    for (const field of fields) {
      const where = `${field}~${name}`;
      if (
        found === undefined &&
        (foundIn(yield* use('query_results', { prompt_id, where, limit: 1 }))?.matched_documents ?? 0) > 0
      )
        found = where;
    }
    if (found === undefined) return undefined;
    all.push(found);
  }
  return all.join(' and ');
}

const foundIn = (outcome: Outcome): Found | undefined =>
  outcome.kind === 'done' ? (outcome.value as unknown as Found) : undefined;

function* fromResults(
  { intent, field }: ResultQuestion,
  prompt_id: string,
  where: string,
  names: string[],
): PlanOfSteps {
  const label = names[0];
  if (intent === 'count') {
    const path = label ?? field;
    if (path === undefined) return cannot;
    const counted = foundIn(yield* use('query_results', { prompt_id, where, aggregate: [{ op: 'count', path }] }));
    const [count] = counted?.aggregates ?? [];
    return count === undefined ? cannot : `There are ${count.value as number} documents [[${count.id}]].`;
  }
  if (intent === 'sum' || intent === 'average') {
    if (field === undefined) return cannot;
    const op = intent === 'sum' ? 'sum' : 'avg';
    const added = foundIn(yield* use('query_results', { prompt_id, where, aggregate: [{ op, path: field }] }));
    const used = added?.aggregates ?? [];
    if (used.length === 0) return 'I found no values for that.';
    const start = intent === 'sum' ? 'The total is' : 'The average is';
    const lines = used.map((each) => `${start} ${shown(each)} [[${each.id}]].`);
    return lines.join('\n');
  }
  const columns = [...new Set([...(label === undefined ? [] : [label]), ...(field === undefined ? [] : [field])])];
  if (columns.length === 0) return cannot;
  const isSorted = intent !== 'list' && field !== undefined;
  const isDown = intent === 'largest' || intent === 'latest';
  const rows = yield* use('query_results', {
    prompt_id,
    where,
    columns,
    ...(isSorted && { sort: `${isDown ? '-' : ''}${field}` }),
    limit: isSorted ? 1 : 20,
  });
  const found = foundIn(rows);
  if (found === undefined) return cannot;
  if (found.rows.length === 0) return 'No document fits that.';
  return found.rows
    .map(
      ({ document_name, cells }) =>
        `- ${document_name}: ${cells.map((cell) => `${shown(cell)} [[${cell.id}]]`).join(', ')}`,
    )
    .join('\n');
}

/** A value with its currency; numbers with a point and without separators, which every locale reads alike. */
function shown({ value, currency }: Cell): string {
  const text = typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value);
  return currency === undefined ? text : `${text} ${currency}`;
}

/** Share of the words of a question that a passage must hold. */
const minShare = 0.6;
const maxQuote = 300;

function* fromPassages(request: string): PlanOfSteps {
  const found = yield* use('search_passages', { query: request.slice(0, 500), limit: 5 });
  if (found.kind !== 'done') return cannot;
  const words = contentOf(request);
  const share = (text: string) => {
    const held = contentOf(text);
    return (
      words.filter((word) => held.some((other) => other.startsWith(word.slice(0, 5)))).length /
      Math.max(1, words.length)
    );
  };
  const sentences = (found.value['passages'] as { id: string; text: string }[]).flatMap(({ id, text }) =>
    (text.match(/[^.!?\n]+[.!?]?/gu) ?? []).map((sentence) => ({ id, text: sentence.trim(), share: share(sentence) })),
  );
  const [best] = sentences.toSorted((one, other) => other.share - one.share);
  if (best === undefined || best.share < minShare || best.text.length > maxQuote) return cannot;
  return `“${best.text.replaceAll(/["“”]/gu, '')}” [[${best.id}]]`;
}

const small = new Set(
  'what which said say says about does there anything with from that this they have documents document contract invoice'.split(
    ' ',
  ),
);
const contentOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !small.has(word));
