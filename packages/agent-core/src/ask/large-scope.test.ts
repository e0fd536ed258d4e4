import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { longestTurn } from '../../../../tests/timing/longest-turn.ts';
import { createAskProfile } from './profile.ts';
import { sortedInSteps } from './in-steps.ts';
import { rowsBehind } from './rows-behind.ts';
import { nothingShown, type AskResult, type AskServices } from './services.ts';

const promptId = 'a'.repeat(24);
const idAt = (at: number) => at.toString(16).padStart(24, '0');
const results: AskResult[] = Array.from({ length: 100_000 }, (_, at) => ({
  document_id: idAt(at),
  document_name: `invoice-${at}.pdf`,
  result: { supplier: `Supplier ${at % 1_000}`, total: (at * 7_919) % 100_003, currency: at % 3 === 0 ? 'USD' : 'EUR' },
  at_risk: at % 50 === 0 ? ['total'] : [],
  is_complete: true,
}));
const documents = results.map(({ document_id, document_name }) => ({ id: document_id, name: document_name }));

const services = () =>
  ({
    size: async () => ({ documents: results.length, unread: 0, hidden: 0 }),
    documents: async () => documents,
    prompts: async () => [{ prompt_id: promptId, name: 'Invoices' }],
    results: async () => results,
    places: async () => new Map(),
    hold: (work) => work(),
    locale: 'en',
    shown: nothingShown(),
  }) as Partial<AskServices> as AskServices;

const profile = createAskProfile({ maxRounds: 6, timeoutMs: 5000 });
const query = {
  prompt_id: promptId,
  where: 'total>=10',
  columns: ['total', 'supplier'],
  group_by: ['supplier'],
  aggregate: ['sum', 'distinct', 'max', 'count'].map((op) => ({ op, path: 'total' })),
  sort: '-total',
};

async function call(own: AskServices, name: string, args: object): Promise<{ aggregates?: unknown }> {
  const tool = profile.tools.get(name)!;
  const context = { services: own, origin: { call_id: 'c' } } as never;
  return (await tool.execute(context, tool.parameters.parse(args))) as { aggregates?: unknown };
}

// A turn of 100,000 results takes 40 to 200 ms without steps.
it('a question about 100,000 results holds up others by milliseconds', { retry: 2, timeout: 60_000 }, async () => {
  const own = services();
  const answers: { id: string; op: string }[] = [];
  const { longest } = await longestTurn(async () => {
    await call(own, 'list_fields', {});
    const { aggregates } = await call(own, 'query_results', query);
    answers.push(...(aggregates as { id: string; op: string }[]));
    const all = await call(own, 'query_results', { ...query, group_by: [] });
    answers.push(...(all.aggregates as { id: string; op: string }[]));
    await profile.buildTail?.({ services: own, history: [], mentions: [] } as never);
    const text = `The sum is large [[${answers.at(-1)!.id}]]. Supplier 7 billed much.`;
    const checked = await profile.checkAnswer!({ services: own, text });
    expect(checked.coverage).toMatchObject({ with_result: 100_000, without_value: [], at_risk: 2_000 });
    await nextTurn();
    await rowsBehind(own, answers.at(-1)!.id, { limit: 10 });
    await nextTurn();
  });
  // Sums and largest values by currency, for the first 200 suppliers and for all.
  expect(answers).toHaveLength(201 * 6);
  expect(longest).toBeLessThan(50);
});

it('sorts in steps as at once', async () => {
  const rows = Array.from({ length: 5_003 }, (_, at) => ({ key: (at * 7_919) % 100, at }));
  const order = (one: { key: number }, other: { key: number }) => one.key - other.key;
  expect(await sortedInSteps(rows, order)).toEqual(rows.toSorted(order));
  expect(await sortedInSteps([], order)).toEqual([]);
});

it('totals over the same results are kept once, and more of them are refused', { timeout: 60_000 }, async () => {
  const own = services();
  const total = async (where: string, op: string) =>
    call(own, 'query_results', { prompt_id: promptId, where, aggregate: [{ op, path: 'total' }] });
  for (const op of ['sum', 'avg', 'min', 'sum', 'avg', 'sum']) await total('', op);
  for (const least of [1_000, 2_000, 3_000, 4_000]) await total(`total>=${least}`, 'sum');
  const refused = { code: 'scope_too_large' };
  await expect(total('total>=5000', 'sum')).rejects.toMatchObject(refused);
  expect(await total('total>=4000', 'max')).toMatchObject({ aggregates: [{}, {}] });
});
