import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { flowDocument } from './flow-document.ts';
import { readMetafile } from './metafile-text.ts';

function record(type: number, ...parts: (number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part !== 'number') return part;
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(part | 0);
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

function wmf(...records: (Buffer | [string, number, number])[]): Buffer {
  const drawn = records.map((one) => {
    if (Buffer.isBuffer(one)) return one;
    const [words, x, y] = one;
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
  return Buffer.concat([header, ...drawn, Buffer.from([3, 0, 0, 0, 0, 0])]);
}

/** A record of a WMF: type and words. */
function small(type: number, ...words: number[]): Buffer {
  const bytes = Buffer.alloc(6 + 2 * words.length);
  bytes.writeUInt32LE(bytes.length / 2);
  bytes.writeUInt16LE(type, 4);
  for (const [index, word] of words.entries()) bytes.writeUInt16LE(word, 6 + 2 * index);
  return bytes;
}

function smallFont(charset: number, name: string): Buffer {
  const bytes = small(0x02fb, ...Array.from({ length: 25 }, () => 0));
  bytes.writeUInt8(charset, 19);
  bytes.write(name, 24, 'latin1');
  return bytes;
}

function largeFont(number: number, charset: number, name: string): Buffer {
  const font = Buffer.alloc(92);
  font.writeUInt8(charset, 23);
  font.write(name, 28, 'utf16le');
  return record(82, number, font);
}

/** The text of single bytes of an EMF. */
function bytesText(bytes: Buffer, y: number): Buffer {
  const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  const fixed = [0, 0, 0, 0, 1, 0, 0, 0, y, bytes.length, 76, 0, 0, 0, 0, 0, 0];
  return record(83, ...fixed, padded);
}

/** A comment of an EMF with a record of EMF+ that draws a text. */
function plusText(words: string, y: number): Buffer {
  const letters = Buffer.from(words, 'utf16le');
  const data = Buffer.alloc(28);
  data.writeUInt32LE(words.length, 8);
  data.writeFloatLE(y, 16);
  const head = Buffer.alloc(12);
  head.writeUInt16LE(0x401c);
  head.writeUInt32LE(12 + 28 + letters.length, 4);
  const body = Buffer.concat([Buffer.from('EMF+'), head, data, letters]);
  return record(70, body.length, body);
}

it('has the text that a metafile draws, its runs joined to words and lines', () => {
  const drawn = emf(text('quick b', 0, 0), text('rown', 70, 0), text('fox', 120, 0), text('12,50 €', 0, 20));
  expect(readMetafile(drawn)).toEqual({ lines: ['quick brown fox', '12,50 €'], hasPictures: false });
  expect(readMetafile(wmf(['Caf\xe9', 0, 0], ['Total', 0, 12]))?.lines).toEqual(['Café', 'Total']);
  // Numbers of glyphs are no characters.
  expect(readMetafile(emf(text('abc', 0, 0, 0x10)))?.lines).toEqual([]);
  expect(readMetafile(emf(record(81, Buffer.alloc(4_000)), text('Seal', 0, 0)))).toMatchObject({ hasPictures: true });
});

it('has a text once that is drawn with its shadow, and twice where two stand apart', () => {
  expect(readMetafile(emf(text('Open', 11, 11), text('Open', 10, 10)))?.lines).toEqual(['Open']);
  expect(readMetafile(wmf(['Open', 11, 11], ['Open', 10, 10], ['Open', 10, 30]))?.lines).toEqual(['Open', 'Open']);
});

it('reads texts of single bytes in the code page of the font that is selected', () => {
  const greek = Buffer.from([0xc1, 0xe8, 0xde, 0xed, 0xe1]);
  const russian = Buffer.from([0xc8, 0xf2, 0xee, 0xe3, 0xee]);
  const fonts = [largeFont(1, 161, 'Arial'), largeFont(2, 0, 'Times New Roman Cyr'), largeFont(3, 2, 'Symbol')];
  const select = (number: number): Buffer => record(37, number);
  const texts = [
    [select(1), bytesText(greek, 0)],
    [select(2), bytesText(russian, 20)],
    [select(3), bytesText(Buffer.from('a\xb3', 'latin1'), 40)],
    // A stock pen is no font.
    [select(1), select(0x80000007), bytesText(greek, 60)],
  ];
  expect(readMetafile(emf(...fonts, ...texts.flat()))?.lines).toEqual(['Αθήνα', 'Итого', 'α≥', 'Αθήνα']);
  const [pen, selectSmall] = [small(0x02fa, 0, 0, 0, 0, 0), (number: number) => small(0x012d, number)];
  const drawn = wmf(
    pen,
    smallFont(161, 'Arial'),
    smallFont(204, 'Arial'),
    selectSmall(1),
    [greek.toString('latin1'), 0, 0],
    selectSmall(2),
    selectSmall(0),
    [russian.toString('latin1'), 0, 12],
    // A new font takes the number of the deleted one.
    small(0x01f0, 1),
    smallFont(238, 'Arial'),
    selectSmall(1),
    ['\xa3\xf3d\x9f', 0, 24],
  );
  expect(readMetafile(drawn)?.lines).toEqual(['Αθήνα', 'Итого', 'Łódź']);
});

it('reads a drawing that is only in EMF+, one that is compressed, and says what has no characters', () => {
  const only = emf(plusText('Total 12,50', 0), plusText('paid', 20));
  expect(readMetafile(only)).toEqual({ lines: ['Total 12,50', 'paid'], hasPictures: false });
  expect(readMetafile(gzipSync(only))?.lines).toEqual(['Total 12,50', 'paid']);
  // Both forms of one drawing.
  expect(readMetafile(emf(plusText('Total', 0), text('Total', 0, 0)))?.lines).toEqual(['Total']);
  expect(readMetafile(emf(text('Total', 0, 0), text('abc', 0, 20, 0x10)))).toMatchObject({ hasPictures: true });
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

it('runs that are drawn at the same place, because the drawing moves its origin, are apart', () => {
  expect(readMetafile(emf(text('120', 0, 0), text('100', 0, 0), text('Sum', 0, 0), text('med', 30, 0)))?.lines).toEqual(
    ['120', '100', 'Summed'],
  );
});
