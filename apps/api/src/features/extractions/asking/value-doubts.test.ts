import { expect, it } from 'vitest';
import { valueDoubts } from './value-doubts.ts';

/** Pieces of an answer, each with its probability; one without is sure. */
function answer(...pieces: (string | [text: string, probability: number | undefined])[]) {
  const tokens = pieces.map((piece) => (typeof piece === 'string' ? ([piece, 1] as const) : piece));
  return [
    tokens.map(([text]) => text).join(''),
    tokens.map(([{ length }, probability]) => ({ length, probability })),
  ] as const;
}

it('takes the least probable token of each value, and none of a key', () => {
  const said = answer(
    '{"to',
    ['tal":', 0.1],
    ' 1',
    ['2.', 0.4],
    '5, "lines":[{"text": "',
    'a\\"',
    ['b ', 0.7],
    'c"',
    ',"n":',
    ['null', 0.5],
    '},',
    '{"text":',
    ['"x"', 0.9],
    '}], "currency":"',
    ['EUR', 0.99],
    '"}',
  );
  expect(valueDoubts(...said)).toEqual({ total: 0.6, 'lines.0.text': 0.3, 'lines.0.n': 0.5, 'lines.1.text': 0.1 });
});

it('counts a token that two values share for both, and one without a probability for none', () => {
  expect(valueDoubts(...answer('[{"a":1', ['},{"a":2', 0.5], '},{"a":', ['3', undefined], '}]'))).toEqual({
    '1.a': 0.5,
  });
  expect(valueDoubts(...answer('{"a":', ['1,"b":2', 0.2], '}'))).toEqual({ a: 0.8, b: 0.8 });
});

it('reads JSON with words around it, within a prefix, and comes to an end with what is no JSON', () => {
  expect(valueDoubts(...answer('Here:\n```json\n{"result":{"a":', ['5', 0.5], '},"x":1}\n```'), 'result.')).toEqual({
    a: 0.5,
  });
  const quotes = `{"a":"${'\\"'.repeat(200_000)}`;
  expect(valueDoubts(...answer([quotes, 0.5]))).toEqual({});
  for (const text of ['', 'nothing', '{"a":', '{]}[{', '"', '{"a" 5}', '}}}}', '[[[[']) {
    expect(Object.keys(valueDoubts(...answer([text, 0.5]))).length).toBeLessThan(2);
  }
});
