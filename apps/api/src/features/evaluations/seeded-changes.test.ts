import type { Evaluation, EvaluationTotals, PermissionRule, Prompt, Schema } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatOf, type EvaluationTestBench } from '../../testing/evaluation-test-bench.ts';
import { contentOf, evaluationOn, propose, startEvidenceTestBench } from '../../testing/evidence-test-bench.ts';

/**
 * Generated changes are proposed under a rule that allows changes that break nothing. The figures on each card are
 * compared with those of an independent scorer, which tries every alignment of rows. The large form is
 * `EVALUATION_CHANGES=40`, with 20 documents.
 */
const changes = Number(process.env['EVALUATION_CHANGES'] ?? 3);
const documentCount = changes > 10 ? 20 : 4;

let bench: EvaluationTestBench;
beforeAll(async () => {
  bench = await startEvidenceTestBench();
});
afterAll(() => bench.stop());

interface Row {
  text: string | null;
  amount: number | null;
}
interface Letter {
  number: string | null;
  total: number | null;
  paid: boolean | null;
  tags: (string | null)[];
  lines: Row[];
}

const nullable = (type: string) => ({ type: [type, 'null'] });
const row = {
  type: 'object',
  properties: { text: nullable('string'), amount: nullable('number') },
  required: ['text', 'amount'],
  additionalProperties: false,
};
const response_format = formatOf({
  number: nullable('string'),
  total: nullable('number'),
  paid: nullable('boolean'),
  tags: { type: 'array', items: nullable('string') },
  lines: { type: 'array', items: row },
});

it(`${changes} changes: the figures on the cards are right, and none that breaks a value runs without approval`, async () => {
  const client = await bench.addOrganization();
  const { schema_id } = (await client.post<Schema>('./schemas', { name: 'Letter', response_format })).body;
  const prompt = (await client.post<Prompt>('./prompts', { name: 'Letter', content: 'Read.', schema_id })).body;
  const numbers = Array.from({ length: documentCount }, (_, at) => String(100 + at));
  // The current prompt makes some errors, which users have corrected.
  bench.answer(({ document, prompt: content }) => answerOf(content, document));
  const documents = [];
  for (const number of numbers)
    documents.push(await bench.addVerifiedDocument(client, prompt, number, truthOf(number)));
  const rule = { tool: 'update_prompt', effect: 'allow', scope: 'organization' };
  const when = { evaluation: { broken_at_most: 0 } };
  expect((await client.post<PermissionRule>('./permission_rules', { ...rule, when })).status).toBe(201);

  const scene = { client, prompt, documents, chat: `./documents/${documents[0]}/chat` };
  const outcomes = { applied: 0, pending: 0 };
  for (let change = 1; change <= changes; change++) {
    const content = `Change ${change}`;
    const turn = await propose(scene, 'update_prompt', { prompt_id: prompt.prompt_id, content });
    const { evaluations } = (
      await client.get<{ evaluations: Evaluation[] }>(`./evaluations?prompt_id=${prompt.prompt_id}&limit=1`)
    ).body;
    const { totals, documents: counted } = evaluations[0]!;
    const expected = scoreAll(
      numbers.map((number) => ({
        truth: truthOf(number),
        before: answerOf('Read.', number),
        after: answerOf(content, number),
      })),
    );
    expect([change, counted.done, totals]).toEqual([change, documentCount, { ...totals, ...expected }]);
    if (expected.broken > 0) {
      expect([change, turn.status]).toEqual([change, 'awaiting_approval']);
      expect(evaluationOn(turn)?.evaluation?.totals).toEqual(totals);
      expect(await contentOf(scene)).toBe('Read.');
      outcomes.pending += 1;
    } else {
      expect([change, turn.status]).toEqual([change, 'completed']);
      expect(await contentOf(scene)).toBe(content);
      await client.put(`./prompts/${prompt.prompt_id}`, { content: 'Read.' });
      outcomes.applied += 1;
    }
  }
  expect(outcomes.pending).toBeGreaterThan(0);
  expect(outcomes.applied).toBeGreaterThan(0);
}, 240_000);

/** A random number generator seeded with words. */
function randomOf(...words: string[]): (below: number) => number {
  let state = 0;
  for (const character of words.join(' ')) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return (state >>> 8) % below;
  };
}

function truthOf(number: string): Letter {
  const random = randomOf('truth', number);
  return {
    number,
    total: Number(number) * 1.1,
    paid: random(3) === 0 ? null : random(2) === 0,
    tags: Array.from({ length: random(4) }, () => ['red', 'green', 'blue'][random(3)]!),
    lines: Array.from({ length: random(4) }, () => ({
      text: random(5) === 0 ? null : `Article  ${random(4)}`,
      amount: random(5) === 0 ? null : random(4),
    })),
  };
}

/** The model's answer. Every third change only corrects current errors, or changes nothing. */
function answerOf(content: string, number: string): Letter {
  if (content === 'Read.') return damaged(truthOf(number), randomOf('base', number), 3);
  const change = Number(content.split(' ')[1]);
  const random = randomOf('change', String(change), number);
  if (change % 3 === 0) return random(2) === 0 ? reformatted(truthOf(number)) : answerOf('Read.', number);
  return damaged(truthOf(number), random, 4);
}

/** Equal values in another form. */
const reformatted = ({ number, total, lines, ...rest }: Letter): Letter => ({
  ...rest,
  number: ` ${number} `,
  total: (total ?? 0) * (1 + 1e-12),
  lines: lines.map(({ text, amount }) => ({ text: text === null ? '' : text.replaceAll(/\s+/g, ' '), amount })),
});

function damaged(letter: Letter, random: (below: number) => number, often: number): Letter {
  const hits = () => random(often) === 0;
  const lines = letter.lines.flatMap((line) => {
    if (hits()) return [];
    const changed = hits() ? { ...line, amount: random(4) } : line;
    return hits() ? [{ text: `Extra ${random(3)}`, amount: null }, changed] : [changed];
  });
  return {
    number: hits() ? null : letter.number,
    total: hits() ? random(3) : letter.total,
    paid: hits() ? !letter.paid : letter.paid,
    tags: hits() ? [...letter.tags, 'green'] : letter.tags.slice(hits() ? 1 : 0),
    lines: hits() ? [...lines, { text: 'Article 1', amount: random(4) }] : lines,
  };
}

type Sides = Record<'truth' | 'before' | 'after', Letter>;
type Value = string | number | boolean | null;

/** Scores by the definitions of the contract, independently of the scorer. */
function scoreAll(all: Sides[]): Omit<EvaluationTotals, 'unknown' | 'removed'> {
  const sums = { values: 0, correct_before: 0, correct_after: 0, fixed: 0, broken: 0, changed: 0 };
  const spurious = { before: 0, after: 0 };
  for (const { truth, before, after } of all) {
    const was = foundLeaves(truth, before);
    const is = foundLeaves(truth, after);
    spurious.before += was.spurious;
    spurious.after += is.spurious;
    for (const [at, leafBefore] of was.leaves.entries()) {
      const leafAfter = is.leaves[at]!;
      const rightBefore = isRight(leafBefore.truth, leafBefore.found);
      const rightAfter = isRight(leafAfter.truth, leafAfter.found);
      sums.values += 1;
      if (rightBefore) sums.correct_before += 1;
      if (rightAfter) sums.correct_after += 1;
      if (rightBefore && !rightAfter) sums.broken += 1;
      else if (!rightBefore && rightAfter) sums.fixed += 1;
      else if (!rightBefore && !equal(leafBefore.found, leafAfter.found)) sums.changed += 1;
    }
  }
  return {
    ...sums,
    spurious_before: spurious.before,
    spurious_after: spurious.after,
    accuracy_before: sums.correct_before / (sums.values + spurious.before),
    accuracy_after: sums.correct_after / (sums.values + spurious.after),
  };
}

interface Found {
  leaves: { truth: Value; found: Value | undefined }[];
  spurious: number;
}

function foundLeaves(truth: Letter, result: Letter): Found {
  const scalars = (['number', 'total', 'paid'] as const).map((name) => ({ truth: truth[name], found: result[name] }));
  const tags = aligned(
    truth.tags.map((tag) => [tag]),
    result.tags.map((tag) => [tag]),
  );
  const cells = ({ text, amount }: Row): Value[] => [text, amount];
  const lines = aligned(truth.lines.map(cells), result.lines.map(cells));
  return {
    leaves: [...scalars, ...tags.leaves, ...lines.leaves],
    spurious: tags.spurious + lines.spurious,
  };
}

/** Tries every alignment in order. Among equally good ones the first is used, which prefers to pair the first rows. */
function aligned(truth: Value[][], found: Value[][]): Found {
  const [first, ...rest] = truth;
  const [other, ...others] = found;
  if (first === undefined) return { leaves: [], spurious: found.flat().filter((value) => !equal(value, null)).length };
  const missing = aligned(rest, found);
  const withMissing = {
    leaves: [...first.map((value) => ({ truth: value, found: undefined })), ...missing.leaves],
    spurious: missing.spurious,
  };
  if (other === undefined) return withMissing;
  const pair = aligned(rest, others);
  const paired = {
    leaves: [...first.map((value, at) => ({ truth: value, found: other[at] })), ...pair.leaves],
    spurious: pair.spurious,
  };
  const extra = aligned(truth, others);
  const withExtra = {
    leaves: extra.leaves,
    spurious: extra.spurious + other.filter((value) => !equal(value, null)).length,
  };
  let best = paired;
  for (const candidate of [withMissing, withExtra]) {
    const gain = rightOf(candidate) - rightOf(best);
    if (gain > 0 || (gain === 0 && candidate.spurious < best.spurious)) best = candidate;
  }
  return best;
}

/** All leaves of a missing row are wrong, even empty ones. */
const rightOf = ({ leaves }: Found): number => leaves.filter(({ truth, found }) => isRight(truth, found)).length;
const isRight = (truth: Value, found: Value | undefined): boolean => found !== undefined && equal(truth, found);

function equal(one: Value | undefined, other: Value | undefined): boolean {
  const [a, b] = [one ?? '', other ?? ''];
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  }
  if (typeof a === 'string' && typeof b === 'string') return plain(a) === plain(b);
  return a === b;
}
const plain = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
