import { expect, it } from 'vitest';
import { valueDoubts } from './value-doubts.ts';

/** An answer made of tokens, each with its probability: 1 by default. */
function answer(...pieces: (string | [text: string, probability: number | undefined])[]) {
  const tokens = pieces.map((piece) => (typeof piece === 'string' ? ([piece, 1] as const) : piece));
  return [
    tokens.map(([text]) => text).join(''),
    tokens.map(([{ length }, probability]) => ({ length, probability })),
  ] as const;
}

it('uses the least probable token of each value, and ignores those of keys', () => {
  const written = answer(
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
  expect(valueDoubts(...written)).toEqual({ total: 0.6, 'lines.0.text': 0.3, 'lines.0.n': 0.5, 'lines.1.text': 0.1 });
});

it('counts a token shared by two values for both, and ignores tokens without a probability', () => {
  expect(valueDoubts(...answer('[{"a":1', ['},{"a":2', 0.5], '},{"a":', ['3', undefined], '}]'))).toEqual({
    '1.a': 0.5,
  });
  expect(valueDoubts(...answer('{"a":', ['1,"b":2', 0.2], '}'))).toEqual({ a: 0.8, b: 0.8 });
});

it('reads JSON with words around it and within a prefix, and terminates on text that is not JSON', () => {
  expect(valueDoubts(...answer('Here:\n```json\n{"result":{"a":', ['5', 0.5], '},"x":1}\n```'), 'result.')).toEqual({
    a: 0.5,
  });
  const quotes = `{"a":"${'\\"'.repeat(200_000)}`;
  expect(valueDoubts(...answer([quotes, 0.5]))).toEqual({});
  for (const text of ['', 'nothing', '{"a":', '{]}[{', '"', '{"a" 5}', '}}}}', '[[[[']) {
    expect(Object.keys(valueDoubts(...answer([text, 0.5]))).length).toBeLessThan(2);
  }
});
