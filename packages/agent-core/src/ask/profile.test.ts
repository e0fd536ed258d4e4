import { expect, it } from 'vitest';
import { drain, pendingOf, practiceInput } from '../testing/practice-turn.ts';
import { scriptedLlm } from '../testing/scripted-llm.ts';
import { createAskProfile } from './profile.ts';
import { rowsBehind } from './rows-behind.ts';
import { nothingShown, type AskResult, type AskServices } from './services.ts';

const profile = createAskProfile({ maxRounds: 6, timeoutMs: 5000 });
const promptId = 'a'.repeat(24);
const idAt = (at: number) => String(at).padStart(24, '0');

const results: AskResult[] = [
  { supplier: 'Contoso GmbH', total: 500, currency: 'EUR', due: '2026-03-01' },
  { supplier: 'Contoso GmbH', total: 700.5, currency: 'EUR', due: '2026-04-01' },
  { supplier: 'Fabrikam Ltd', total: 900, currency: 'USD', due: '2026-05-01' },
  { supplier: 'Fabrikam Ltd', total: null, currency: 'USD', due: '2026-06-01' },
].map((result, at) => ({
  document_id: idAt(at),
  document_name: `invoice-${at}.pdf`,
  result,
  at_risk: [],
  is_complete: true,
}));

const services = (): AskServices => ({
  size: async () => ({ documents: 5, unread: 1, hidden: 0 }),
  documents: async () => [
    ...results.map(({ document_id, document_name }) => ({ id: document_id, name: document_name })),
    { id: idAt(9), name: 'unread.pdf' },
  ],
  prompts: async () => [{ prompt_id: promptId, name: 'Invoices' }],
  results: async () => results,
  places: async () => new Map(),
  runs: {
    estimate: async () => ({ name: 'Invoices', requests: 1, spu: 1 }),
    start: async (_promptId, ids) => ({ run_id: 'r', documents: ids.length }),
    startedBy: async () => undefined,
  },
  views: {
    list: async () => [],
    save: async (_promptId, { name }) => ({ id: 'v', name }),
  },
  search: async () => ({
    passages: [
      { document_id: idAt(0), document_name: 'invoice-0.pdf', page_num: 1, text: 'The deposit is not refundable.' },
    ],
    matched_documents: 1,
  }),
  pages: async () => [],
  hold: (work) => work(),
  locale: 'en',
  shown: nothingShown(),
});

/** Asks with a model that queries and then writes; `write` gets the ids by what they hold. */
async function answer(
  calls: { name: string; args: Record<string, unknown> }[],
  texts: ((ids: (key: string) => string) => string)[],
  changed: Partial<AskServices> = {},
) {
  const own = { ...services(), ...changed };
  const ids = (key: string) => {
    const found = [...own.shown.evidence.values()].find(
      (each) =>
        `${each.kind} ${each.kind === 'aggregate' ? `${each.op} ${each.currency ?? ''}`.trim() : ''}`.trim() === key,
    );
    return `[[${found?.id ?? 'none'}]]`;
  };
  const steps = texts.map((write) => ({
    get text() {
      return write(ids);
    },
  }));
  const llm = scriptedLlm([{ calls }, ...steps]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  return { ...(await drain({ ...input, profile, services: own })), llm };
}

const sums = { name: 'query_results', args: { prompt_id: promptId, aggregate: [{ op: 'sum', path: 'total' }] } };

it('answers a sum over two currencies by currency, and says what it covers', async () => {
  const { result, events } = await answer(
    [sums],
    [(ids) => `The total is 1,200.50 EUR ${ids('aggregate sum EUR')} and 900 USD ${ids('aggregate sum USD')}.`],
  );
  expect(result.claims?.map(({ support }) => support)).toEqual(['supported']);
  expect(result.coverage).toMatchObject({
    documents: 5,
    with_result: 4,
    with_value: 3,
    unread: 1,
    without_value: [idAt(3), idAt(9)],
  });
  expect(events.at(-1)).toMatchObject({ type: 'claims' });
});

it('says in each answer what is in the trash and not indexed yet', async () => {
  const size = { documents: 5, unread: 1, hidden: 0, trashed: 2, unindexed: 3 };
  const { result } = await answer([sums], [() => 'Hello.'], { size: async () => size });
  expect(result.coverage).toMatchObject(size);
});

it('reads numbers as the organization does, where the request names no language', async () => {
  const german = { locale: undefined, organizationLocale: async () => ({ language: 'de' }) };
  const supportOf = async (sum: string) => {
    const text = (ids: (key: string) => string) => `Contoso: ${sum} EUR ${ids('aggregate sum EUR')}.`;
    return (await answer([sums], [text, text], german)).result.claims?.[0]?.support;
  };
  expect(await supportOf('1.200,50')).toBe('supported');
  expect(await supportOf('1.200,5')).toBe('supported');
  expect(await supportOf('1,201')).toBe('unsupported');
});

it('names prompts and fields in the first request, and counts documents that a condition could not judge', async () => {
  const query = { name: 'query_results', args: { prompt_id: promptId, where: 'total>=600', columns: ['supplier'] } };
  const { result, llm } = await answer([query], [() => 'The table shows them.']);
  const tail = llm.requests[0]!.messages.at(-1)?.content;
  expect(tail).toContain(`{"prompt_id":"${promptId}","name":"Invoices","documents":4,"fields":["supplier","total",`);
  expect(result.coverage).toMatchObject({ with_result: 4, with_value: 3, without_value: [idAt(3), idAt(9)] });
});

it('lets an answer cite that nothing matches', async () => {
  const args = { prompt_id: promptId, where: 'supplier~contoso and due>=2026-10-01 and due<2026-11-01' };
  const text = (ids: (key: string) => string) =>
    `Contoso GmbH has no invoice due in October ${ids('aggregate count')}.`;
  const { result } = await answer([{ name: 'query_results', args: { ...args, columns: ['total'] } }], [text]);
  expect(result.claims).toMatchObject([{ support: 'supported', citations: [{ kind: 'aggregate', value: 0 }] }]);
  for (const start of ['Fabrikam Ltd has no invoice', 'Contoso GmbH has an invoice']) {
    const lie = (ids: (key: string) => string) => `${start} due in October ${ids('aggregate count')}.`;
    const lied = await answer([{ name: 'query_results', args: { ...args, columns: ['total'] } }], [lie, lie]);
    expect(lied.result.claims).toMatchObject([{ support: 'unsupported' }]);
  }
});

it('sends what is unsupported back once, and shows what still is', async () => {
  const wrong = (ids: (key: string) => string) => `All invoices add up to 2,100.50 EUR ${ids('aggregate sum EUR')}.`;
  const { result, events, llm } = await answer([sums], [wrong, wrong]);
  expect(llm.requests).toHaveLength(3);
  expect(llm.requests[2]!.messages.at(-2)?.content).toContain('2,100.50 EUR');
  expect(result.claims).toMatchObject([{ support: 'unsupported', why: expect.stringContaining('2,100.50') }]);
  expect(events.filter(({ type }) => type === 'claims')).toHaveLength(1);
  expect(result.messages.filter(({ role }) => role === 'user')).toEqual([]);
});

it('shows the corrected answer as the only one', async () => {
  const { result } = await answer(
    [sums],
    [() => 'Contoso billed 1,200.50 EUR.', (ids) => `Contoso billed 1,200.50 EUR ${ids('aggregate sum EUR')}.`],
  );
  expect(result.text).toContain('[[');
  expect(result.claims).toMatchObject([{ support: 'supported' }]);
  expect(result.messages.filter(({ role }) => role === 'assistant')).toHaveLength(2);
});

it('strikes a dropped “not” of a passage', async () => {
  const search = { name: 'search_passages', args: { query: 'deposit' } };
  const lie = (ids: (key: string) => string) => `The deposit is refundable ${ids('passage')}.`;
  const { result } = await answer([search], [lie, lie]);
  expect(result.claims).toMatchObject([{ support: 'unsupported', citations: [{ kind: 'passage', page_num: 1 }] }]);
});

it('refuses to calculate over two currencies', async () => {
  const own = services();
  const llm = scriptedLlm([
    { calls: [sums] },
    {
      get calls() {
        const [one, two] = [...own.shown.evidence.values()];
        return [{ name: 'calculate', args: { expression: `v("${one!.id}") + v("${two!.id}")` } }];
      },
    },
    { text: 'I cannot add them up.' },
  ]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  const { result } = await drain({ ...input, profile, services: own });
  expect(JSON.stringify(result.executedRounds[1])).toContain('EUR and USD cannot be calculated with each other');
  expect(result.claims).toMatchObject([{ support: 'not_checkable' }]);
});

it('checks what an earlier turn has shown, and the part of a turn before a pause', async () => {
  const first = await answer([sums], [(ids) => `The total is 1,200.50 EUR ${ids('aggregate sum EUR')}.`]);
  const cited = /\[\[(a[0-9a-f]+)\]\]/u.exec(first.result.text)![1]!;
  const llm = scriptedLlm([
    { calls: [{ name: 'calculate', args: { expression: `v("${cited}") / 2.0` } }] },
    { text: `As I said, it is 1,200.50 EUR [[${cited}]], not 1,300 EUR.` },
    { text: `As I said, it is 1,200.50 EUR [[${cited}]].` },
  ]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  const turn = input.turn as Extract<typeof input.turn, { messages: unknown }>;
  const earlier = [{ role: 'user' as const, content: 'What did we pay?' }, ...first.result.messages, ...turn.messages];
  const own = services();
  const { result } = await drain({ ...input, turn: { ...turn, messages: earlier }, profile, services: own });
  expect(result.executedRounds[0]?.tool_calls[0]).toMatchObject({ success: true, result: { value: 600.25 } });
  expect(result.claims).toMatchObject([{ support: 'supported', citations: [{ id: cited, value: 1200.5 }] }]);
  expect(result.coverage).toMatchObject({ with_value: 3 });
});

it('gives the rows that a sum or a calculation was computed from', async () => {
  const own = services();
  const llm = scriptedLlm([
    { calls: [{ ...sums, args: { ...sums.args, columns: ['supplier'] } }] },
    {
      get calls() {
        const [sum] = [...own.shown.evidence.values()].filter(({ kind }) => kind === 'aggregate');
        return [{ name: 'calculate', args: { expression: `v("${sum!.id}") * 2` } }];
      },
    },
    { text: 'Done.' },
  ]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  await drain({ ...input, profile, services: own });
  const evidence = [...own.shown.evidence.values()];
  const sum = evidence.find((each) => each.kind === 'aggregate' && each.currency === 'EUR')!;
  const twice = evidence.find(({ kind }) => kind === 'calculation')!;
  const rows = await rowsBehind(own, sum.id);
  expect(rows).toMatchObject({
    columns: ['total', 'supplier'],
    rows: [
      { document_name: 'invoice-0.pdf', cells: [{ path: 'total', value: 500, currency: 'EUR' }, { path: 'supplier' }] },
      { document_name: 'invoice-1.pdf', cells: [{ value: 700.5 }, { value: 'Contoso GmbH' }] },
    ],
  });
  expect((await rowsBehind(own, twice.id))?.rows.map(({ document_id }) => document_id)).toEqual([idAt(0), idAt(1)]);
  expect(await rowsBehind(own, 'unknown')).toBeUndefined();
});

it('waits for the embedding of a query before it takes a place, and stops waiting with its turn', async () => {
  let held = 0;
  const [heldBySearch, signals]: [number[], unknown[]] = [[], []];
  const own: AskServices = {
    ...services(),
    async hold(work, signal) {
      held += 1;
      signals.push(signal);
      return await work().finally(() => (held -= 1));
    },
    async search(query, limit, signal) {
      heldBySearch.push(held);
      signals.push(signal);
      return await services().search(query, limit);
    },
  };
  const search = { name: 'search_passages', arguments: '{"query":"deposit"}', isOfTurn: true };
  const sum = { name: 'query_results', arguments: JSON.stringify(sums.args), isOfTurn: true };
  own.shown.earlier = [search, sum];
  const { signal } = new AbortController();
  const answered = await profile.checkAnswer!({ services: own, text: 'It is not refundable.', signal });
  expect(answered.coverage).toMatchObject({ with_value: 3 });
  own.shown.earlier = [search];
  const context = { services: own, origin: { call_id: 'c' }, signal } as never;
  const calculate = profile.tools.get('calculate')!;
  const sumId = [...own.shown.evidence.values()].find(({ kind }) => kind === 'aggregate')!.id;
  await calculate.execute(context, { expression: `v("${sumId}") * 2` });
  const tool = profile.tools.get('search_passages')!;
  await tool.execute(context, { query: 'deposit', limit: 8 });
  await profile.tools
    .get('query_results')!
    .execute(context, profile.tools.get('query_results')!.parameters.parse(sums.args));
  await profile.buildTail!({ services: own, history: [], mentions: [], signal } as never);
  expect(heldBySearch).toEqual([0, 0, 0]);
  expect(new Set(signals)).toEqual(new Set([signal]));
  own.shown.earlier = [search];
  expect(await rowsBehind(own, 'unknown')).toBeUndefined();
  expect(heldBySearch).toEqual([0, 0, 0, 0]);
});

it('extracts nothing if more documents lack a result than the approved cost was of', async () => {
  const documents = [{ id: idAt(9), name: 'unread.pdf' }];
  const started: unknown[] = [];
  const own: AskServices = {
    ...services(),
    documents: async () => documents,
    runs: {
      ...services().runs,
      start: async (_promptId, ids) => ({ run_id: 'r', documents: started.push(...ids) }),
    },
  };
  const llm = scriptedLlm([{ calls: [{ name: 'run_prompt', args: { prompt_id: promptId } }] }, { text: 'Again?' }]);
  const { profile: _p, services: _s, ...input } = practiceInput(llm, { ran: [] });
  const pending = pendingOf((await drain({ ...input, profile, services: own })).result);
  documents.push({ id: idAt(8), name: 'later.pdf' });
  const approvals = pending.batch.calls.map(({ id }) => ({ call_id: id, approved: true }));
  const turn = { pending, approvals, answers: [] };
  const { result } = await drain({ ...input, profile, services: own, turn });
  const error = expect.stringMatching(
    /^stale_proposal: .*result of “Invoices” has changed \(documents was 1 and is 2\)/u,
  );
  expect(result.executedRounds[0]?.tool_calls).toMatchObject([{ success: false, error }]);
  expect(started).toEqual([]);
});
