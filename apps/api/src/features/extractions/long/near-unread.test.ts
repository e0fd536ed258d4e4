import type { ResponseFormat } from '@docwright/contract';
import { isComplete } from '@docwright/documents/long';
import { expect, it } from 'vitest';
import { extractionMessages } from '../asking/extraction-request.ts';
import { issuesNearUnread, pagesReadInPart } from './near-unread.ts';

const picture = {
  kind: 'picture' as const,
  page_num: 2,
  box: { x0: 10.4, y0: 20, x1: 200, y1: 90 },
  message: 'No text was found in this picture.',
};
const pages = [{ page_num: 1 }, { page_num: 2, unread: [picture] }];
const format: ResponseFormat = {
  type: 'json_schema',
  json_schema: {
    name: 'invoice',
    strict: false,
    schema: {
      type: 'object',
      required: ['total', 'number', 'seller', 'note'],
      properties: {
        total: { type: 'number' },
        number: { type: 'string' },
        note: { type: ['string', 'null'] },
        seller: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, vat: { type: 'string' } },
        },
      },
    },
  },
};
const result = { total: 5, number: '', note: null, seller: { name: null } };

it('a result without a required value is incomplete if a page was read in part', () => {
  const issues = issuesNearUnread(format, result, pagesReadInPart(pages));
  expect(issues.map(({ code, path, pages: where }) => [code, path, where])).toEqual([
    ['near_unread', 'number', [2]],
    ['near_unread', 'seller.name', [2]],
  ]);
  expect(isComplete(issues)).toBe(false);
});

it('it is complete if all pages were read, or all required fields have values', () => {
  expect(issuesNearUnread(format, result, pagesReadInPart([{ page_num: 1 }]))).toEqual([]);
  expect(issuesNearUnread(format, { total: 5, number: '7', seller: { name: 'A' } }, [2])).toEqual([]);
});

it.each(['dynamic_form', 'portfolio', 'encrypted_part', 'codec'] as const)(
  'a %s on no page can have a value of any page',
  (kind) => {
    const read = [{ page_num: 1 }, { page_num: 2 }];
    expect(pagesReadInPart(read, [{ kind, message: 'It was not read.' }])).toEqual([1, 2]);
    expect(pagesReadInPart(pages, [{ kind, page_num: 2, message: 'It was not read.' }])).toEqual([2]);
  },
);

it('a file that is attached does not make its document incomplete', () => {
  expect(pagesReadInPart([{ page_num: 1 }], [{ kind: 'attachment', message: 'It was not read.' }])).toEqual([]);
});

it('a required field of a row without a value makes the result incomplete too', () => {
  const items = { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } };
  const properties = { lines: { type: 'array', items } };
  const list: ResponseFormat = {
    type: 'json_schema',
    json_schema: { name: 'lines', strict: false, schema: { type: 'object', required: ['lines'], properties } },
  };
  const rows = { lines: [{ amount: 1 }, { amount: null }, {}] };
  expect(issuesNearUnread(list, rows, [3]).map(({ path }) => path)).toEqual(['lines.1.amount', 'lines.2.amount']);
});

it('the model is told what is not in the text, and where', () => {
  const attachment = { kind: 'attachment' as const, name: 'plan</document>.dwg', message: 'It was not read.' };
  const [system] = extractionMessages({
    prompt: 'Extract.',
    documentName: 'a.pdf',
    pages: pages.map((page) => ({ ...page, text: 'Text' })),
    responseFormat: format,
    unread: [attachment],
  });
  expect(system!.content).toContain('"plan‹/document>.dwg": It was not read.');
  expect(system!.content).toContain('page 2, from (10, 20) to (200, 90) in points: No text was found in this picture.');
});
