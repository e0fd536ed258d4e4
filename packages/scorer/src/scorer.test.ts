import { describe, expect, it } from 'vitest';
import { accuracy, equalLeaves, sumFields, sumTotals } from './index.ts';
import { compareAtOnce, scoreAtOnce } from './testing/compare-at-once.ts';

const text = { type: 'string' };
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const list = (items: unknown) => ({ type: 'array', items });

describe('leaves', () => {
  it.each([
    [null, undefined],
    [null, ''],
    [undefined, '   '],
    ['Zürich', 'Zu\u0308rich'],
    [' a \n b ', 'a b'],
    [0.1 + 0.2, 0.3],
    [1e12, 1e12 + 1],
    [true, true],
  ])('%j equals %j in both orders', (a, b) => {
    expect(equalLeaves(a, b)).toBe(true);
    expect(equalLeaves(b, a)).toBe(true);
  });

  it.each([
    [0, null],
    [0, ''],
    [false, null],
    [12, '12'],
    [true, 'true'],
    [1, true],
    ['a', 'A'],
    [1, 1.000001],
    [0, 1e-12],
  ])('%j does not equal %j', (a, b) => {
    expect(equalLeaves(a, b)).toBe(false);
    expect(equalLeaves(b, a)).toBe(false);
  });
});

describe('one result', () => {
  it('is scored by the leaves of the truth, null included', () => {
    expect(scoreAtOnce({ truth: { a: 1, b: null, c: { d: 'x' } }, result: { a: 1, c: { d: 'y' } } })).toMatchObject({
      values: 3,
      correct: 2,
      spurious: 0,
      accuracy: 2 / 3,
    });
  });

  it('has only wrong leaves in a missing row, null included', () => {
    const truth = {
      rows: [
        { a: 1, b: null },
        { a: 2, b: null },
      ],
    };
    expect(scoreAtOnce({ truth, result: { rows: [{ a: 2, b: null }] } })).toMatchObject({ values: 4, correct: 2 });
  });

  it('has a spurious leaf for each value of an extra row', () => {
    const truth = { rows: [{ a: 1, b: 2 }] };
    const result = {
      rows: [
        { a: 9, b: null },
        { a: 1, b: 2 },
      ],
    };
    expect(scoreAtOnce({ truth, result })).toMatchObject({ values: 2, correct: 2, spurious: 1, accuracy: 2 / 3 });
  });

  it('is aligned in lists of scalars, whose field ends with []', () => {
    expect(scoreAtOnce({ truth: { tags: ['a', 'b', 'c'] }, result: { tags: ['b', 'c', 'd'] } })).toMatchObject({
      correct: 2,
      spurious: 1,
      fields: [{ field: 'tags[]', values: 3, correct: 2, spurious: 1, accuracy: 0.5 }],
    });
  });

  it('pairs a wrong row with the row in its place instead of calling it spurious', () => {
    const truth = { rows: [{ a: 1 }, { a: 2 }] };
    expect(scoreAtOnce({ truth, result: { rows: [{ a: 1 }, { a: 3 }] } })).toMatchObject({ correct: 1, spurious: 0 });
  });

  it('is aligned in lists within rows', () => {
    const truth = { groups: [{ lines: [{ x: 1 }, { x: 2 }] }, { lines: [{ x: 3 }] }] };
    const result = { groups: [{ lines: [{ x: 2 }] }, { lines: [{ x: 3 }, { x: 4 }] }] };
    expect(scoreAtOnce({ truth, result })).toMatchObject({ values: 3, correct: 2, spurious: 1 });
  });

  it('has a wrong and a spurious leaf if it has a row where the truth is null', () => {
    expect(scoreAtOnce({ truth: { rows: null }, result: { rows: [{ a: 1 }] } })).toMatchObject({
      values: 1,
      correct: 0,
      spurious: 1,
    });
    expect(scoreAtOnce({ truth: { rows: null }, result: { rows: [] } })).toMatchObject({ values: 1, correct: 1 });
  });

  it('has no accuracy if nothing was compared', () => {
    expect(scoreAtOnce({ truth: {}, result: {} }).accuracy).toBeNull();
    expect(accuracy({ values: 0, correct: 0, spurious: 2 })).toBe(0);
  });
});

describe('a comparison of two results', () => {
  const schema = object({ total: { type: 'number' }, lines: list(object({ text, amount: { type: 'number' } })) });
  const truth = {
    total: 84,
    lines: [
      { text: 'Chain', amount: 70 },
      { text: 'Oil', amount: 14 },
    ],
  };

  it('lists fixed, broken and changed values, broken ones first', () => {
    const { totals, differences } = compareAtOnce({
      truth,
      before: {
        total: 48,
        lines: [
          { text: 'Chain', amount: 70 },
          { text: 'Oi', amount: 14 },
        ],
      },
      after: {
        total: 84,
        lines: [
          { text: 'Chain', amount: 7 },
          { text: 'Olive', amount: 14 },
        ],
      },
      truthSchema: schema,
      candidateSchema: schema,
    });
    expect(totals).toMatchObject({ values: 5, correct_before: 3, correct_after: 3, fixed: 1, broken: 1, changed: 1 });
    expect(differences.map(({ kind, path, truth: is, before, after }) => [kind, path, is, before, after])).toEqual([
      ['broken', 'lines.0.amount', 70, 70, 7],
      ['fixed', 'total', 84, 48, 84],
      ['changed', 'lines.1.text', 'Oil', 'Oi', 'Olive'],
    ]);
  });

  it('has the new path of a value whose row has moved', () => {
    const { differences } = compareAtOnce({
      truth,
      before: truth,
      after: { total: 84, lines: [{ text: 'Freight', amount: 5 }, truth.lines[0], { text: 'Oil', amount: 41 }] },
    });
    expect(differences).toContainEqual(
      expect.objectContaining({ kind: 'broken', path: 'lines.1.amount', after_path: 'lines.2.amount' }),
    );
    expect(differences.filter(({ kind }) => kind === 'spurious')).toHaveLength(2);
  });

  it('lists an extra row that is removed, and omits one that remains', () => {
    const extra = { total: 84, lines: [...truth.lines, { text: 'Carriage', amount: null }] };
    const gone = compareAtOnce({ truth, before: extra, after: truth });
    expect(gone.totals).toMatchObject({ spurious_before: 1, spurious_after: 0 });
    expect(gone.differences).toMatchObject([
      { kind: 'spurious', path: 'lines.2.text', before: 'Carriage', after: null, absent: ['truth', 'after'] },
    ]);
    expect(compareAtOnce({ truth, before: extra, after: extra }).differences).toEqual([]);
  });

  it('does not score fields that only one schema has', () => {
    const candidateSchema = object({ vat: text, lines: list(object({ text, unit: text })) });
    const { totals, fields } = compareAtOnce({
      truth,
      before: truth,
      after: {
        vat: null,
        lines: [
          { text: 'Chain', unit: 'm' },
          { text: 'Oil', unit: 'l' },
        ],
      },
      truthSchema: schema,
      candidateSchema,
    });
    expect(totals).toMatchObject({ values: 2, correct_before: 2, correct_after: 2, unknown: 3, removed: 3, broken: 0 });
    expect(fields.map(({ field, unknown, removed }) => [field, unknown, removed])).toEqual([
      ['lines[].text', 0, 0],
      ['vat', 1, 0],
      ['lines[].unit', 2, 0],
      ['total', 0, 1],
      ['lines[].amount', 0, 2],
    ]);
  });

  it('treats a field that becomes an object as another field', () => {
    const { totals } = compareAtOnce({
      truth: { total: 84 },
      before: { total: 84 },
      after: { total: { net: 70 } },
      truthSchema: object({ total: { type: ['number', 'null'] } }),
      candidateSchema: object({ total: object({ net: { type: 'number' } }) }),
    });
    expect(totals).toMatchObject({ values: 0, accuracy_after: null, unknown: 1, removed: 1 });
  });

  it('follows references, nullable objects and schemas that refer to themselves', () => {
    const recursive = {
      type: 'object',
      properties: { node: { $ref: '#/definitions/node' } },
      definitions: {
        node: { anyOf: [{ type: 'null' }, object({ name: text, next: { $ref: '#/definitions/node' } })] },
        loop: { $ref: '#/definitions/loop' },
      },
    };
    const result = { node: { name: 'a', next: { name: 'b', next: null } } };
    expect(scoreAtOnce({ truth: result, result, schema: recursive })).toMatchObject({ values: 3, correct: 3 });
    expect(scoreAtOnce({ truth: { node: null }, result, schema: recursive })).toMatchObject({ values: 1, correct: 0 });
  });

  it('does not count ignored leaves, also where rows have moved or the schema lacks the field', () => {
    const before = { lines: ['a', 'b', 'c'], note: 'x' };
    const ignored = new Set(['lines.0', 'lines.1', 'note']);
    const listed = object({ lines: list(text) });
    const input = { truth: { lines: ['b', 'c'], note: 'x' }, before, after: before, truthSchema: listed, ignored };
    const { totals, fields } = compareAtOnce({ ...input, candidateSchema: listed });
    expect(totals).toMatchObject({ values: 0, correct_after: 0, spurious_after: 1 });
    expect(fields.find(({ field }) => field === 'lines[]')).toMatchObject({ values: 0, correct_after: 0 });
  });

  it('works without schemas: fields that the truth does not have are unknown', () => {
    const { totals } = compareAtOnce({ truth, before: truth, after: { ...truth, note: 'paid' } });
    expect(totals).toMatchObject({ values: 5, correct_after: 5, unknown: 1, removed: 0, spurious_after: 0 });
  });

  it('does not mistake inherited keys for fields', () => {
    const after = JSON.parse('{"total": 84, "__proto__": {"x": 1}, "constructor": "y"}') as unknown;
    expect(compareAtOnce({ truth: { total: 84 }, before: {}, after, truthSchema: schema }).totals).toMatchObject({
      correct_after: 1,
      unknown: 2,
    });
  });

  it('can be added over several documents', () => {
    const documents = [
      compareAtOnce({ truth, before: truth, after: { ...truth, total: 1 } }),
      compareAtOnce({ truth, before: { ...truth, total: 1 }, after: truth }),
    ];
    expect(sumTotals(documents.map(({ totals }) => totals))).toMatchObject({ values: 10, fixed: 1, broken: 1 });
    expect(sumFields(documents.map(({ fields }) => fields))[0]).toMatchObject({
      field: 'total',
      values: 2,
      accuracy_before: 0.5,
      accuracy_after: 0.5,
    });
  });
});
