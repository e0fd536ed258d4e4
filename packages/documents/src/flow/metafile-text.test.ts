import { expect, it } from 'vitest';
import { flowDocument } from './flow-document.ts';
import { readMetafile } from './metafile-text.ts';

function record(type: number, ...parts: (number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part !== 'number') return part;
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(part);
      return bytes;
    }),
  );
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type);
  head.writeUInt32LE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

function text(words: string, x: number, y: number, options = 0): Buffer {
  const letters = Buffer.from(words, 'utf16le');
  const padded = Buffer.concat([letters, Buffer.alloc((4 - (letters.length % 4)) % 4)]);
  const widths = Array.from(words, () => 10);
  const fixed = [0, 0, 0, 0, 1, 0, 0, x, y, words.length, 76, options, 0, 0, 0, 0, 76 + padded.length];
  return record(84, ...fixed, padded, ...widths);
}

function emf(...records: Buffer[]): Buffer {
  const header = record(1, Buffer.alloc(80));
  header.write(' EMF', 40, 'latin1');
  return Buffer.concat([header, ...records, record(14, 0, 0, 20)]);
}

function wmf(...texts: [string, number, number][]): Buffer {
  const records = texts.map(([words, x, y]) => {
    const letters = Buffer.from(words + (words.length % 2 === 0 ? '' : '\0'), 'latin1');
    const bytes = Buffer.alloc(14 + letters.length);
    bytes.writeUInt32LE(bytes.length / 2);
    bytes.writeUInt16LE(0x0a32, 4);
    bytes.writeInt16LE(y, 6);
    bytes.writeInt16LE(x, 8);
    bytes.writeUInt16LE(words.length, 10);
    letters.copy(bytes, 14);
    return bytes;
  });
  const header = Buffer.alloc(18);
  header.writeUInt16LE(1);
  header.writeUInt16LE(9, 2);
  return Buffer.concat([header, ...records, Buffer.from([3, 0, 0, 0, 0, 0])]);
}

it('has the text that a metafile draws, its runs joined to words and lines', () => {
  const drawn = emf(text('quick b', 0, 0), text('rown', 70, 0), text('fox', 120, 0), text('12,50 €', 0, 20));
  expect(readMetafile(drawn)).toEqual({ lines: ['quick brown fox', '12,50 €'], hasPictures: false });
  expect(readMetafile(wmf(['Caf\xe9', 0, 0], ['Total', 0, 12]))?.lines).toEqual(['Café', 'Total']);
  // Numbers of glyphs are no characters.
  expect(readMetafile(emf(text('abc', 0, 0, 0x10)))?.lines).toEqual([]);
  expect(readMetafile(emf(record(81, Buffer.alloc(4_000)), text('Seal', 0, 0)))).toMatchObject({ hasPictures: true });
});

it('reads no other file, and a damaged one as far as it goes', () => {
  expect(readMetafile(Buffer.from('%PDF-1.7'))).toBeUndefined();
  const whole = emf(text('Before', 0, 0), text('After', 0, 20));
  for (let cut = 0; cut < whole.length; cut += 7) readMetafile(whole.subarray(0, cut));
  const damaged = Buffer.from(whole);
  damaged.writeUInt32LE(0xffffffff, 88 + 48);
  expect(readMetafile(damaged)?.lines).toEqual(['After']);
  damaged.writeUInt32LE(3, 88 + 4);
  expect(readMetafile(damaged)?.lines).toEqual([]);
});

it('puts the text of a metafile where it stands, and names one without text as unread', () => {
  const picture = (bytes: Buffer) => ({ kind: 'picture' as const, bytes, name: 'image1.emf' });
  const { pages, unread } = flowDocument([
    { kind: 'text', text: 'Above' },
    picture(emf(text('Inside', 0, 0))),
    { kind: 'text', text: 'Below' },
    picture(emf()),
  ]);
  const read = [...pages];
  expect(read.map((page) => page.text)).toEqual(['Above\nInside\nBelow']);
  expect(unread?.map(({ kind }) => kind)).toEqual(['picture']);
});
