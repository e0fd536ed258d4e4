import { createAskProfile, createOpenAiLlmClient, defaultDecide, runTurn } from '@docwright/agent-core';
import type { AskCoverage, Claim } from '@docwright/contract';
import { startDemoModel } from '@docwright/demo-model';
import { runQuery } from '../../packages/agent-core/src/ask/run-query.ts';
import { checkAtOnce } from '../../packages/claims/src/testing/check-at-once.ts';
import { allCases } from '../../packages/claims/src/testing/render.ts';
import { documents as namedDocuments, evidenceWith } from '../../packages/claims/src/testing/world.ts';
import {
  id,
  invoices,
  isGerman,
  next,
  notes,
  pick,
  promptId,
  results,
  services,
  suppliers,
  topicOf,
  type Invoice,
} from './ask/organization.ts';
import { size } from './short/size.ts';

/**
 * Questions over generated documents, answered by the demo model with the product's loop, tools and check: whether numbers are
 * exact, passages found, and what cannot be answered said to be so. Then the check alone on true and untrue sentences in four
 * languages; "set aside" are those of templates that were not looked at while it was written. At the end the time of a query.
 *
 * The services of the tools are in memory here; the tools, the loop and the check are the product's.
 */
const demo = await startDemoModel({ chunkDelayMs: 0 });
const llm = createOpenAiLlmClient({ baseUrl: demo.baseUrl });
const profile = createAskProfile({ maxRounds: 12, timeoutMs: 60_000 });

interface Answered {
  text: string;
  claims: readonly Claim[];
  coverage: AskCoverage | undefined;
}

async function ask(content: string): Promise<Answered> {
  const run = runTurn({
    profile,
    llm,
    services: services(),
    decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
    recordCalls: async () => undefined,
    signal: new AbortController().signal,
    turn: {
      turnId: 'd'.repeat(24),
      threadId: 'e'.repeat(24),
      owner: { organizationId: 'a'.repeat(24), documentId: '0'.repeat(24), userId: 'c'.repeat(24) },
      settings: { model: demo.model, mentions: [], autoApprove: false, autoApprovedTools: [] },
      messages: [{ role: 'user', content }],
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  });
  for (;;) {
    const step = await run.next();
    if (step.done === true)
      return { text: step.value.text, claims: step.value.claims ?? [], coverage: step.value.coverage };
  }
}

const isClean = ({ claims }: Answered): boolean =>
  claims.length > 0 && claims.every(({ support }) => support !== 'unsupported');
const cents = (value: number): string =>
  Number.isInteger(Math.round(value * 100) / 100) ? String(Math.round(value)) : value.toFixed(2);
const known = (each: Invoice): each is Invoice & { total: number } => each.total !== null;

/** A question, and the texts that its answer must have. */
function numberQuestion(at: number): { question: string; expected: string[] } {
  const supplier = suppliers[next(suppliers.length)]!;
  const own = invoices.filter((each) => each.supplier === supplier);
  const name = supplier.split(' ')[0]!;
  const month = 1 + next(12);
  const inMonth = (each: Invoice) => Number(each.due_date.slice(5, 7)) === month;
  const monthName = new Intl.DateTimeFormat('en', { month: 'long' }).format(new Date(2026, month - 1, 1));
  const sums = (list: Invoice[]) =>
    [...new Set(list.filter(known).map(({ currency }) => currency))].map((code) => {
      const sum = list
        .filter(known)
        .filter(({ currency }) => currency === code)
        .reduce((whole, { total }) => whole + total, 0);
      return `${cents(sum)} ${code}`;
    });
  const limit = 1000 * (1 + next(9));
  const inMonthOf = new Intl.DateTimeFormat('de', { month: 'long' }).format(new Date(2026, month - 1, 1));
  const say = (english: string, german: string) => (isGerman(Math.floor(at / 5)) ? german : english);
  switch (at % 5) {
    case 0:
      return {
        question: say(`What did we pay ${name} in all?`, `Was haben wir ${name} insgesamt bezahlt?`),
        expected: sums(own),
      };
    case 1:
      return {
        question: say(
          `How many invoices are over ${limit.toLocaleString('en')}?`,
          `Wie viele Rechnungen sind über ${limit.toLocaleString('de')}?`,
        ),
        expected: [` ${invoices.filter(known).filter(({ total }) => total > limit).length} `],
      };
    case 2:
      return {
        question: say(
          `How much ${pick(['was paid to', 'did we spend with'])} ${name} in ${monthName} 2026?`,
          `Wie viel haben wir ${name} im ${inMonthOf} 2026 bezahlt?`,
        ),
        expected: sums(own.filter(inMonth)),
      };
    case 3:
      return {
        question: say(`What is the largest invoice from ${name}?`, `Was ist die größte Rechnung von ${name}?`),
        expected: [cents(Math.max(...own.filter(known).map(({ total }) => total)))],
      };
    default:
      return {
        question: say(
          `How many invoices of ${name} are due before 1 ${monthName} 2026?`,
          `Wie viele Rechnungen von ${name} sind vor dem 1. ${inMonthOf} 2026 fällig?`,
        ),
        expected: [` ${own.filter(({ due_date }) => due_date < `2026-${String(month).padStart(2, '0')}-01`).length} `],
      };
  }
}

const kinds = { exact: [0, 0], passages: [0, 0], unanswerable: [0, 0] };
const note = (kind: keyof typeof kinds, isRight: boolean, question: string, { text }: Answered) => {
  kinds[kind][0]! += Number(isRight);
  kinds[kind][1]! += 1;
  if (!isRight && process.env['BENCH_SHOW'] !== undefined) console.log({ kind, question, text });
};
for (let at = 0; at < size(100, 10); at++) {
  const { question, expected } = numberQuestion(at);
  const answered = await ask(question);
  const isEmpty = expected.length === 0 && /found no/u.test(answered.text);
  note(
    'exact',
    isEmpty || (expected.length > 0 && expected.every((part) => answered.text.includes(part)) && isClean(answered)),
    question,
    answered,
  );
}
for (let at = 0; at < size(50, 5); at++) {
  const { text } = notes[at]!;
  const question = isGerman(at)
    ? `Ist ${topicOf(at)} in Gebäude ${at} erlaubt?`
    : `Is ${topicOf(at)} permitted in building ${at}?`;
  const answered = await ask(question);
  note('passages', answered.text.includes(text.split('.')[0]!) && isClean(answered), question, answered);
}
const strange = [
  'How many employees work in Berlin?',
  'What did we pay Initech?',
  'Who is the chief executive of Contoso?',
  'What is the weather tomorrow?',
  'How many invoices of Umbrella are over 100?',
  'Wie viele Mitarbeiter hat Contoso in Berlin?',
  'Wer ist Geschäftsführer von Fabrikam in Berlin?',
  'Was haben wir Initech bezahlt?',
];
const places = ['Lisbon', 'Oslo', 'Vienna', 'Madrid', 'Porto', 'Turin', 'Ghent', 'Leeds', 'Basel', 'Lyon'];
for (let at = 0; at < size(50, 5); at++) {
  const question = strange[at % strange.length]!.replace('Berlin', places[at % places.length]!).replace(
    'Initech',
    `${places[at % places.length]!} Motors`,
  );
  const answered = await ask(question);
  note('unanswerable', /cannot|found no|No document/u.test(answered.text), question, answered);
}
await demo.close();
console.table(
  Object.entries(kinds).map(([kind, [right, all]]) => ({
    kind,
    right,
    of: all,
    share: `${((100 * right!) / all!).toFixed(1)} %`,
  })),
);

const judged = [...allCases()]
  .filter((_, at) => at % size(1, 10) === 0)
  .map((each) => {
    const claims = checkAtOnce({
      text: each.text,
      evidence: evidenceWith(each.more),
      documents: namedDocuments,
      locale: each.locale,
    });
    const isStruck = claims.some(({ support }) => support === 'unsupported');
    return { ...each, isStruck, isShown: claims.some(({ support }) => support === 'supported') && !isStruck };
  });
console.table(
  [false, true].map((isAside) => {
    const some = judged.filter((each) => each.isAside === isAside);
    const lies = some.filter(({ lie }) => lie !== undefined);
    const truths = some.filter(({ lie }) => lie === undefined);
    return {
      sentences: isAside ? 'set aside' : 'the rest',
      lies: lies.length,
      'shown as supported': lies.filter(({ isShown }) => isShown).length,
      true: truths.length,
      'struck or not supported': truths.filter(({ isShown }) => !isShown).length,
    };
  }),
);

const many = Array.from({ length: size(100_000, 5000) }, (_, at) => ({
  ...results[at % results.length]!,
  document_id: id(10_000 + at),
}));
const started = performance.now();
await runQuery(many, {
  prompt_id: promptId,
  where: 'total>1000 and supplier~contoso',
  columns: ['total'],
  group_by: [],
  aggregate: [{ op: 'sum', path: 'total' }],
  sort: '-total',
  limit: 50,
});
console.table([{ query: `over ${many.length} results in memory`, ms: Math.round(performance.now() - started) }]);
