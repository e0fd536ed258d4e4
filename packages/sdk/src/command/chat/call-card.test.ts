import type { Preview, ProposedCall } from '@docwright/contract';
import { expect, test } from 'vitest';
import { cardLines } from './call-card.ts';

const plain = { style: (_: string, text: string) => text };

function card(preview: Preview | undefined, args: object = {}, everything = false): string[] {
  const call: ProposedCall = {
    id: 'c1',
    name: 'update_schema',
    arguments: JSON.stringify(args),
    effect: 'read_write',
    summary: 'Change \u001b[2Jit',
    needs_approval: true,
    ...(preview && { preview }),
  };
  return cardLines(call, plain, { place: 'asks', everything });
}

test('a difference shows removed and added lines, without the arguments', () => {
  const lines = card({ kind: 'difference', title: 'Invoice', before: 'a\nb', after: 'a\nc\u0007' }, { secret: 1 });
  expect(lines).toEqual([
    '┌ update_schema asks',
    '│ Change ␛[2Jit',
    '│ Invoice',
    '│ @@ -1,2 +1,2 @@',
    '│  a',
    '│ -b',
    '│ +c␇',
    '└',
  ]);
});

test('a field shows both values and its page', () => {
  const field = { kind: 'field', path: 'total', old_value: '5', new_value: { a: 1 }, page_num: 2 } as const;
  expect(card(field).slice(2, -1)).toEqual(['│ total (page 2)', '│ - 5', '│ + {"a":1}']);
});

test('a deletion lists dependents, and counts all of them', () => {
  const dependents = [{ kind: 'prompt', id: 'p', name: 'Read' }];
  const lines = card({ kind: 'delete', name: 'Invoice', dependents, dependent_count: 7 });
  expect(lines.slice(2, 4)).toEqual(['│ Deletes Invoice. 7 depend on it:', '│   prompt Read']);
});

test('a schema is shown as a list of fields, or in full as JSON', () => {
  const item = { type: 'object', properties: { amount: { type: ['number', 'null'], description: 'Sum' } } };
  const schema = {
    properties: {
      total: { type: 'number' },
      unit: { enum: ['EUR', null], type: ['string', 'null'] },
      items: { type: 'array', items: item },
    },
  };
  const args = { name: 'Invoice', response_format: { json_schema: { schema } } };
  expect(card(undefined, args).slice(2, -1)).toEqual([
    '│ total  number',
    '│ unit   one of ["EUR",null]?',
    '│ items  array',
    '│   amount  number?  Sum',
  ]);
  expect(card(undefined, args, true)).toContain('│   "name": "Invoice",');
});

test('a preview of an unknown kind is omitted, and a long one is cut', () => {
  expect(card({ kind: 'new' } as unknown as Preview)).toHaveLength(4);
  const lines = card(undefined, { rows: Array.from({ length: 100 }, (_, at) => at) });
  expect(lines.at(-2)).toBe('│ … 81 more lines');
  expect(card(undefined, { rows: Array.from({ length: 100 }, (_, at) => at) }, true).length).toBeGreaterThan(100);
});
