import { expect, test } from 'vitest';
import { csvLine, extractionCsv, leavesOf, withExactNumbers } from './extraction-csv.ts';

test('every value of a result has a path as in its grounding', () => {
  const result = { total: 5, items: [{ name: 'a' }, { name: null }], none: {} };
  expect(leavesOf(result)).toEqual([
    { path: 'total', value: 5 },
    { path: 'items.0.name', value: 'a' },
    { path: 'items.1.name', value: null },
  ]);
});

test.each([
  ['quotes and commas', ['a,"b"', 1, true, null], '"a,""b""",1,true,'],
  ['lines', ['a\nb'], '"a\nb"'],
  ['formulas', ['=cmd()', '@x', '+1 (2)', '-a'], "'=cmd(),'@x,'+1 (2),'-a"],
  [
    'formulas behind the separator of another language',
    ['a;=b', 'a|@b', 'a;"=b', 'a\n=b', 'a;b'],
    `a;'=b,a|'@b,"a;'""=b","a\n'=b",a;b`,
  ],
  [
    'formulas in wide letters and behind hidden signs',
    ['＝1+1', '\u200b=1', '\ufeff@x', '"=1'],
    `'＝1+1,'\u200b=1,'\ufeff@x,"'""=1"`,
  ],
  ['lines', ['- one\n- two', 'a - b'], `"'- one\n'- two",a - b`],
  ['numbers that look like formulas', ['-5.00', '+3', -7], '-5.00,+3,-7'],
])('writes %s', (_what, cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

test('a value with a place has its page, match and quote in the same line', () => {
  const grounding = { total: { page_num: 2, quote: 'Total, 5', match: 'exact' as const, boxes: [] } };
  expect(extractionCsv({ result: { total: 5, note: '=x' }, grounding })).toEqual([
    'path,value,page,match,quote',
    'total,5,2,exact,"Total, 5"',
    "note,'=x,,,",
  ]);
});

test('an incomplete result has comment lines before the header, and codes for each value', () => {
  const issue = {
    code: 'rows_missing' as const,
    path: 'rows',
    pages: [2],
    counted: 2,
    got: 1,
    message: 'Rows are\nmissing.',
  };
  const lines = extractionCsv({
    result: { a: 1, rows: [{ b: 2 }] },
    grounding: {},
    issues: [issue],
    is_complete: false,
  });
  expect(lines).toEqual([
    '# is_complete: false',
    '# rows_missing rows: Rows are missing.',
    'path,value,page,match,quote,issues',
    'a,1,,,,',
    'rows.0.b,2,,,,rows_missing',
  ]);
});

test('values of a document are no formulas in a comment', () => {
  const message = 'Parts of the document say different things: "x,=HYPERLINK()", "@a;-b".';
  const conflict = { code: 'conflicting_values' as const, path: 'a', pages: [1], message };
  const [, comment] = extractionCsv({ result: {}, grounding: {}, issues: [conflict], is_complete: true });
  expect(comment).toBe(
    `# conflicting_values a: Parts of the document say different things: "x,'=HYPERLINK()", "'@a;'-b".`,
  );
});

test('writes every digit of a number that a JSON number cannot hold', () => {
  const raw = '-12345678901234567890';
  const place = { page_num: 1, quote: raw, boxes: [], match: 'exact' as const, raw };
  const extraction = { result: { rows: [{ account: Number(raw) }] }, grounding: { 'rows.0.account': place } };
  expect(extractionCsv(extraction)[1]).toBe(`rows.0.account,${raw},1,exact,${raw}`);
  expect(withExactNumbers(extraction)).toEqual({ rows: [{ account: raw }] });
});
