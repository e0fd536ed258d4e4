import { expect, it } from 'vitest';
import { createRowCounter, type ExportFormat } from './count-rows.ts';

const count = (format: ExportFormat, ...pieces: string[]) => {
  const counter = createRowCounter(format);
  return pieces.map((piece) => counter(new TextEncoder().encode(piece))).at(-1);
};

it('counts the rows of a file in pieces, without the header and line ends in quotes', () => {
  expect(count('csv', 'a,b\r\n1,"x\n', 'y ""z"""\r\n2,', 'q\r\n')).toBe(2);
  expect(count('csv', 'a,')).toBe(0);
  expect(count('ndjson', '{"a":"b"}\n{"a"', ':1}\n')).toBe(2);
  expect(count('xlsx', 'PK')).toBeUndefined();
});
