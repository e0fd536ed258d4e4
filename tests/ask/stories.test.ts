import type { AskRows, Citation, documentWords, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { runCaptured } from '../../packages/sdk/src/testing/run-captured.ts';
import { askedDocuments, contracts, invoices } from './asked-documents.ts';
import { startAskedProduct, type AskedProduct } from './asked-product.ts';
import { readStories, stepsOf, type Story } from './stories.ts';

/** What a right answer must say. */
const expected: Readonly<Record<string, readonly string[]>> = expectedAnswers();

let product: AskedProduct;
beforeAll(async () => void (product = await startAskedProduct()), 60_000);
afterAll(async () => product.stop());

const stories = readStories();

async function ask({ question, language, steps }: Story): Promise<{ answer: TurnAnswer; requests: number }> {
  const model = product.script(...stepsOf({ steps }));
  const { accessToken, organizationId } = product.admin;
  const response = await fetch(`${product.address}/v0/orgs/${organizationId}/ask`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      'accept-language': language,
    },
    body: JSON.stringify({ messages: [{ role: 'user', content: question }], stream: false }),
  });
  const answer = (await response.json()) as TurnAnswer;
  return { answer, requests: model.requests.length };
}

it('has ten stories over sixty documents', () => {
  expect([stories.length, askedDocuments.length]).toEqual([10, 60]);
  expect(Object.keys(expected).toSorted()).toEqual(stories.map(({ name }) => name));
});

describe.each(stories)('$name', (story) => {
  it('is answered rightly in at most three requests, and its citations open where the values stand', async () => {
    const { answer, requests } = await ask(story);
    expect(answer.status).toBe('completed');
    expect(requests).toBe(story.steps.length);
    expect(requests).toBeLessThanOrEqual(3);
    const claims = answer.claims ?? [];
    expect(claims.filter(({ support }) => support === 'unsupported')).toEqual([]);
    expect(claims.filter(({ support }) => support === 'supported').length).toBeGreaterThan(0);
    expect(expected[story.name]!.filter((part) => !answer.text.includes(part))).toEqual([]);
    expect(answer.coverage).toMatchObject({ documents: 60, unread: 0, hidden: 0 });

    const citations = claims.flatMap((claim) => claim.citations);
    const places = (await Promise.all(citations.map((each) => placesOf(each, answer.thread_id)))).flat();
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter(({ value, there }) => !isAt(value, there))).toEqual([]);
  });
});

it('is answered the same over HTTP, the command and MCP, with totals, cells and passages', async () => {
  const env = {
    DOCWRIGHT_URL: product.address,
    DOCWRIGHT_TOKEN: product.admin.accessToken,
    DOCWRIGHT_ORG: product.admin.organizationId,
  };
  for (const story of stories.filter(({ language }) => language === 'en').slice(0, 3)) {
    const { answer } = await ask(story);
    // Opening a citation can store the places of its result, which is then added to the index again.
    const { unindexed: _, ...coverage } = answer.coverage!;
    const checked = { text: answer.text, claims: answer.claims, coverage };
    product.script(...stepsOf(story));
    const { call } = await product.connect(product.admin);
    expect((await call('ask_documents', { question: story.question })).value).toMatchObject(checked);
    product.script(...stepsOf(story));
    const ran = await runCaptured(['ask', story.question, '--json'], env);
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject(checked);
  }
});

interface Place {
  value: unknown;
  /** The words in the boxes of the place. */
  there: string;
}

/** The places that a citation opens: its own, or those of the rows behind a total. A yes or no is printed nowhere. */
async function placesOf(citation: Citation, threadId: string): Promise<Place[]> {
  if (citation.document_id !== undefined) return await placeOf(citation, citation.document_id);
  const { body } = await product.admin.get<AskRows>(`./ask/threads/${threadId}/rows/${citation.id}?limit=1000`);
  if (citation.kind === 'aggregate') expect(body.rows).toHaveLength(citation.cell_count!);
  const found = await Promise.all(
    body.rows.flatMap(({ document_id, cells }) => cells.map((cell) => placeOf(cell, document_id))),
  );
  return found.flat();
}

async function placeOf(
  { value, page_num, boxes = [] }: Pick<Citation, 'value' | 'page_num' | 'boxes'>,
  documentId: string,
): Promise<Place[]> {
  if (typeof value === 'boolean') return [];
  const { body } = await product.admin.get<z.infer<typeof documentWords>>(
    `./documents/${documentId}/words?page_num=${page_num}`,
  );
  // Boxes are shares of the page.
  const { width, height } = body.page;
  const words = body.words.filter(({ x0, x1, y0, y1 }) => {
    const [x, y] = [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height];
    return boxes.some((box) => x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1);
  });
  return [{ value, there: words.map(({ text }) => text).join(' ') }];
}

/** Whether the words of a place are those of the value, in the notation of the document. */
function isAt(value: unknown, there: string): boolean {
  const plain = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
  const [year, month, day] = String(value).split('-');
  const forms = [String(value), `${day}.${month}.${year}`];
  if (typeof value === 'number') for (const locale of ['en', 'de']) forms.push(...numberForms(value, locale));
  return (
    there !== '' &&
    forms.some((form) => plain(there).includes(plain(form)) && plain(there).length < 2 * plain(form).length + 4)
  );
}

const numberForms = (value: number, locale: string): string[] =>
  [0, 2].map((digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits }).format(value));

function expectedAnswers(): Record<string, string[]> {
  const known = invoices.flatMap((each) => (each.total === null ? [] : [{ ...each, total: each.total }]));
  const sum = (some: readonly { total: number }[]) =>
    Math.round(100 * some.reduce((all, { total }) => all + total, 0)) / 100;
  const shown = (value: number, locale: string) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);
  const thirdQuarter = known.filter(
    ({ supplier, invoice_date }) =>
      supplier.startsWith('Kestrel') && invoice_date >= '2026-07-01' && invoice_date < '2026-10-01',
  );
  const inCurrency = (some: typeof known, code: string) => some.filter(({ currency }) => currency === code);
  const dueless = invoices.filter(({ due_date }) => due_date === null);
  const euros = inCurrency(known, 'EUR')
    .map(({ total }) => total)
    .toSorted((one, other) => other - one);
  const fees = contracts.flatMap(({ monthly_fee }) => monthly_fee ?? []);
  const ending = contracts.filter(
    ({ ends_on, renews_automatically }) => ends_on < '2027-03-01' && renews_automatically,
  );
  const francs = inCurrency(known, 'CHF');
  const largestInFrancs = francs.toSorted((one, other) => other.total - one.total)[0]!;
  const euroText = (value: number) => shown(value, 'en');
  return {
    'third-quarter-en': [
      ...[...new Set(thirdQuarter.map(({ currency }) => currency))].map((code) =>
        euroText(sum(inCurrency(thirdQuarter, code))),
      ),
      ...thirdQuarter.map(({ invoice_number }) => invoice_number),
    ],
    'no-due-date-en': dueless.map(({ invoice_number }) => invoice_number),
    'kuendigung-de': ending.map(({ party }) => party),
    'subletting-en': ['written consent', 'not permitted'],
    // The two largest are equal.
    'largest-en': [euroText(euros[0]!), `${euros[0]! - euros[1]!} EUR`],
    'fee-en': [
      'Three contracts',
      euroText(Math.round((100 * fees.reduce((all, fee) => all + fee, 0)) / fees.length) / 100),
    ],
    'forklift-en': ['inspection'],
    'most-invoices-en': ['Kestrel', 'Orchard Press', 'Halden & Co', euroText(4870.5)],
    'francs-fr': [shown(sum(francs), 'fr').replaceAll(/\s/gu, ' '), largestInFrancs.invoice_number],
    'haftung-de': ['entgangenen Gewinn'],
  };
}
