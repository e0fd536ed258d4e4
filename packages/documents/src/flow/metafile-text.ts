import iconv from 'iconv-lite';

/** What a metafile of Windows draws as text. */
export interface MetafileText {
  lines: string[];
  /** Whether it also draws pictures, whose text is not in the lines. */
  hasPictures: boolean;
}

interface Run {
  text: string;
  x: number;
  y: number;
  width: number;
}

/** A metafile with more records is no preview of a document. */
const maxRecords = 200_000;
const maxCharacters = 200_000;
/** Bytes: a smaller picture is a pattern with which an area is filled. */
const maxPattern = 2_000;

/**
 * The text of a metafile (EMF or WMF), as which programs store what embedded objects look like. Undefined for another kind of file.
 * A text that is drawn by the numbers of glyphs has no characters.
 */
export function readMetafile(bytes: Uint8Array): MetafileText | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length > 88 && data.readUInt32LE(0) === 1 && data.readUInt32LE(40) === 0x464d4520) return readEmf(data);
  const start = data.length > 40 && data.readUInt32LE(0) === 0x9ac6cdd7 ? 22 : 0;
  if (
    data.length > start + 18 &&
    data.readUInt16LE(start + 2) === 9 &&
    /^[12]$/u.test(String(data.readUInt16LE(start)))
  )
    return readWmf(data, start + 18);
  return undefined;
}

/** Options of the records: the text is the numbers of glyphs; no rectangle follows; characters of one byte. */
const [glyphs, noRectangle, smallCharacters] = [0x10, 0x100, 0x200];
const emf = { extTextA: 83, extTextW: 84, smallText: 108, pictures: new Set([76, 77, 78, 79, 80, 81, 114, 116]) };

function readEmf(data: Buffer): MetafileText {
  const runs: Run[] = [];
  let hasPictures = false;
  let left = maxCharacters;
  const add = (start: number, end: number, isWide: boolean, x: number, y: number, width: number): void => {
    const text = isWide
      ? data.toString('utf16le', start, end)
      : iconv.decode(data.subarray(start, end), 'windows-1252');
    left -= text.length;
    if (left > 0) runs.push({ text, x, y, width });
  };
  let at = 0;
  for (let count = 0; count < maxRecords && at + 8 <= data.length; count += 1) {
    const [type, size] = [data.readUInt32LE(at), data.readUInt32LE(at + 4)];
    const end = at + size;
    if (size < 8 || end > data.length) break;
    if (emf.pictures.has(type)) hasPictures ||= size > maxPattern;
    else if ((type === emf.extTextW || type === emf.extTextA) && size >= 76) {
      const [x, y, length] = [data.readInt32LE(at + 36), data.readInt32LE(at + 40), data.readUInt32LE(at + 44)];
      const [start, options] = [at + data.readUInt32LE(at + 48), data.readUInt32LE(at + 52)];
      const dx = at + data.readUInt32LE(at + 72);
      const isWide = type === emf.extTextW;
      const stop = start + length * (isWide ? 2 : 1);
      if ((options & glyphs) === 0 && stop <= end) {
        const width =
          dx > at && dx + 4 * length <= end ? sumOf(length, (index) => data.readUInt32LE(dx + 4 * index)) : 0;
        add(start, stop, isWide, x, y, width);
      }
    } else if (type === emf.smallText && size >= 36) {
      const [x, y, length] = [data.readInt32LE(at + 8), data.readInt32LE(at + 12), data.readUInt32LE(at + 16)];
      const options = data.readUInt32LE(at + 20);
      const start = at + 36 + ((options & noRectangle) === 0 ? 16 : 0);
      const isWide = (options & smallCharacters) === 0;
      const stop = start + length * (isWide ? 2 : 1);
      if ((options & glyphs) === 0 && stop <= end) add(start, stop, isWide, x, y, 0);
    }
    at = end;
  }
  return { lines: linesOf(runs), hasPictures };
}

const wmf = { text: 0x0521, extText: 0x0a32, pictures: new Set([0x0922, 0x0940, 0x0b23, 0x0b41, 0x0d33, 0x0f43]) };
const [opaque, clipped] = [0x2, 0x4];

function readWmf(data: Buffer, first: number): MetafileText {
  const runs: Run[] = [];
  let hasPictures = false;
  let left = maxCharacters;
  let at = first;
  for (let count = 0; count < maxRecords && at + 6 <= data.length; count += 1) {
    const [size, type] = [data.readUInt32LE(at) * 2, data.readUInt16LE(at + 4)];
    const end = at + size;
    if (size < 6 || end > data.length) break;
    if (wmf.pictures.has(type)) hasPictures ||= size > maxPattern;
    else if ((type === wmf.text || type === wmf.extText) && size >= 14) {
      const isPlain = type === wmf.text;
      const length = data.readUInt16LE(at + (isPlain ? 6 : 10));
      const options = isPlain ? 0 : data.readUInt16LE(at + 12);
      const start = at + (isPlain ? 8 : 14 + ((options & (opaque | clipped)) === 0 ? 0 : 8));
      const padded = start + length + (length % 2);
      if ((options & glyphs) === 0 && padded + (isPlain ? 4 : 0) <= end && left > length) {
        left -= length;
        const place = isPlain ? padded : at + 6;
        const hasWidths = !isPlain && padded + 2 * length <= end;
        const width = hasWidths ? sumOf(length, (index) => data.readInt16LE(padded + 2 * index)) : 0;
        runs.push({
          text: iconv.decode(data.subarray(start, start + length), 'windows-1252'),
          x: data.readInt16LE(place + 2),
          y: data.readInt16LE(place),
          width,
        });
      }
    }
    at = end;
  }
  return { lines: linesOf(runs), hasPictures };
}

function sumOf(count: number, valueOf: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += valueOf(index);
  return sum;
}

/** Of the width of a letter: a wider gap is a space. */
const minGap = 0.3;

/** Runs in the order in which they are drawn, those of the same height on one line. */
function linesOf(runs: readonly Run[]): string[] {
  const lines: string[] = [];
  let before: Run | undefined;
  for (const run of runs) {
    const letter = run.width / Math.max(1, run.text.length);
    if (before === undefined || before.y !== run.y || run.x < before.x) lines.push(run.text);
    else {
      const isApart = before.width === 0 || run.x - before.x - before.width > minGap * letter;
      lines.push(`${lines.pop() ?? ''}${isApart ? ' ' : ''}${run.text}`);
    }
    before = run;
  }
  return lines.map((line) => line.replaceAll(/[\0\s]+/gu, ' ').trim()).filter((line) => line !== '');
}
