import { gunzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { fontEncoding } from './font-encoding.ts';
import { textInFont } from './symbol-text.ts';

/** What a metafile of Windows draws as text. */
export interface MetafileText {
  lines: string[];
  /** Whether it also draws pictures, or texts without characters, which are not in the lines. */
  hasPictures: boolean;
}

interface Run {
  text: string;
  x: number;
  y: number;
  width: number;
  /** The height of the font; 0 if it is not known. */
  height: number;
}

/** A metafile with more records is no preview of a document. */
const maxRecords = 200_000;
const maxCharacters = 200_000;
/** Bytes: a smaller picture is a pattern with which an area is filled. */
const maxPattern = 2_000;
/** Bytes of a metafile that is stored compressed. */
const maxUnpacked = 64 * 1024 * 1024;

/**
 * The text of a metafile (EMF or WMF), as which programs store what embedded objects look like. Undefined for another kind of file.
 * A text that is drawn by the numbers of glyphs has no characters.
 */
export function readMetafile(bytes: Uint8Array): MetafileText | undefined {
  const data = unpacked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
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

/** Compressed metafiles (EMZ, WMZ) are GZIP files. */
function unpacked(data: Buffer): Buffer {
  if (data.length < 20 || data.readUInt16BE(0) !== 0x1f8b) return data;
  try {
    return gunzipSync(data, { maxOutputLength: maxUnpacked });
  } catch {
    return data;
  }
}

/** A font decides the code page of texts of single bytes. */
interface Font {
  name: string;
  height: number;
  encoding: string | undefined;
}

const system: Font = { name: '', height: 0, encoding: undefined };
const encodingOfSystem = 'windows-1252';
/** The character set of fonts of signs, whose codes are no letters. */
const symbols = 2;

function decode(bytes: Buffer, { name, encoding = encodingOfSystem }: Font): string {
  return textInFont(iconv.decode(bytes, encoding), name);
}

function fontOf(charset: number, height: number, name: string): Font {
  const [plain = ''] = name.split('\0');
  // A negative height is that of the letters, a positive one that of the line.
  return {
    name: plain,
    height: Math.abs(height),
    encoding: charset === symbols ? 'latin1' : fontEncoding(charset, plain),
  };
}

/** Options of the records: the text is the numbers of glyphs; no rectangle follows; characters of one byte. */
const [glyphs, noRectangle, smallCharacters] = [0x10, 0x100, 0x200];
const emf = {
  select: 37,
  delete: 40,
  comment: 70,
  createFont: 82,
  extTextA: 83,
  extTextW: 84,
  smallText: 108,
  pictures: new Set([76, 77, 78, 79, 80, 81, 114, 116]),
};

function readEmf(data: Buffer): MetafileText {
  const runs: Run[] = [];
  const plusRuns: Run[] = [];
  const fonts = new Map<number, Font>();
  let font = system;
  let hasPictures = false;
  let left = maxCharacters;
  const add = (start: number, end: number, isWide: boolean, x: number, y: number, width: number): void => {
    const text = isWide
      ? textInFont(data.toString('utf16le', start, end), font.name)
      : decode(data.subarray(start, end), font);
    left -= text.length;
    if (left > 0) runs.push({ text, x, y, width, height: font.height });
  };
  let at = 0;
  for (let count = 0; count < maxRecords && at + 8 <= data.length; count += 1) {
    const [type, size] = [data.readUInt32LE(at), data.readUInt32LE(at + 4)];
    const end = at + size;
    if (size < 8 || end > data.length) break;
    if (emf.pictures.has(type)) hasPictures ||= size > maxPattern;
    else if (type === emf.createFont && size >= 12 + 92) {
      const name = data.toString('utf16le', at + 40, at + 104);
      fonts.set(data.readUInt32LE(at + 8), fontOf(data.readUInt8(at + 35), data.readInt32LE(at + 12), name));
    } else if (type === emf.select && size >= 12) font = fonts.get(data.readUInt32LE(at + 8)) ?? font;
    else if (type === emf.delete && size >= 12) fonts.delete(data.readUInt32LE(at + 8));
    else if (type === emf.comment && size >= 16 && data.toString('latin1', at + 12, at + 16) === 'EMF+') {
      for (const run of plusTexts(data.subarray(at + 16, end))) {
        left -= run.text.length;
        if (left > 0) plusRuns.push(run);
      }
    } else if ((type === emf.extTextW || type === emf.extTextA) && size >= 76) {
      const [x, y, length] = [data.readInt32LE(at + 36), data.readInt32LE(at + 40), data.readUInt32LE(at + 44)];
      const [start, options] = [at + data.readUInt32LE(at + 48), data.readUInt32LE(at + 52)];
      const dx = at + data.readUInt32LE(at + 72);
      const isWide = type === emf.extTextW;
      const stop = start + length * (isWide ? 2 : 1);
      if ((options & glyphs) !== 0) hasPictures ||= length > 0;
      else if (stop <= end) {
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
      if ((options & glyphs) !== 0) hasPictures ||= length > 0;
      else if (stop <= end) add(start, stop, isWide, x, y, 0);
    }
    at = end;
  }
  // Most programs write both forms, each with the whole drawing.
  return { lines: linesOf(runs.length > 0 ? runs : plusRuns), hasPictures };
}

const plus = { drawString: 0x401c, drawDriverString: 0x4036 };
/** An option of a driver's string: its numbers are characters. */
const areCharacters = 1;

/** The texts in a comment that holds records of EMF+. */
function plusTexts(data: Buffer): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at + 12 <= data.length;) {
    const [type, size] = [data.readUInt16LE(at), data.readUInt32LE(at + 4)];
    const [start, end] = [at + 12, at + size];
    if (size < 12 || end > data.length) break;
    if (type === plus.drawString && size >= 40) {
      const stop = start + 28 + 2 * data.readUInt32LE(start + 8);
      const [x, y] = [data.readFloatLE(start + 12), data.readFloatLE(start + 16)];
      if (stop <= end) runs.push({ text: data.toString('utf16le', start + 28, stop), x, y, width: 0, height: 0 });
    } else if (type === plus.drawDriverString && size >= 28 && (data.readUInt32LE(start + 4) & areCharacters) !== 0) {
      const count = data.readUInt32LE(start + 12);
      const places = start + 16 + 2 * count + (count % 2) * 2;
      if (places + 8 * count <= end && count > 0) {
        const [x, y] = [data.readFloatLE(places), data.readFloatLE(places + 4)];
        const last = data.readFloatLE(places + 8 * (count - 1));
        const width = count > 1 ? ((last - x) * count) / (count - 1) : 0;
        runs.push({ text: data.toString('utf16le', start + 16, start + 16 + 2 * count), x, y, width, height: 0 });
      }
    }
    at = end;
  }
  return runs;
}

const wmf = {
  select: 0x012d,
  delete: 0x01f0,
  createFont: 0x02fb,
  /** Pens, brushes, palettes, patterns and regions share the numbers of fonts. */
  create: new Set([0x00f7, 0x0142, 0x01f9, 0x02fa, 0x02fb, 0x02fc, 0x06ff]),
  text: 0x0521,
  extText: 0x0a32,
  pictures: new Set([0x0922, 0x0940, 0x0b23, 0x0b41, 0x0d33, 0x0f43]),
};
const [opaque, clipped] = [0x2, 0x4];
const maxObjects = 2_000;

function readWmf(data: Buffer, first: number): MetafileText {
  const runs: Run[] = [];
  const objects: (Font | 'other' | undefined)[] = [];
  let font = system;
  let hasPictures = false;
  let left = maxCharacters;
  let at = first;
  for (let count = 0; count < maxRecords && at + 6 <= data.length; count += 1) {
    const [size, type] = [data.readUInt32LE(at) * 2, data.readUInt16LE(at + 4)];
    const end = at + size;
    if (size < 6 || end > data.length) break;
    if (wmf.pictures.has(type)) hasPictures ||= size > maxPattern;
    else if (wmf.create.has(type) && objects.length < maxObjects) {
      const isFont = type === wmf.createFont && size >= 24;
      const free = objects.indexOf(undefined);
      objects[free === -1 ? objects.length : free] = isFont
        ? fontOf(
            data.readUInt8(at + 19),
            data.readInt16LE(at + 6),
            data.toString('latin1', at + 24, Math.min(end, at + 56)),
          )
        : 'other';
    } else if (type === wmf.select && size >= 8) {
      const chosen = objects[data.readUInt16LE(at + 6)];
      if (chosen !== undefined && chosen !== 'other') font = chosen;
    } else if (type === wmf.delete && size >= 8) {
      const number = data.readUInt16LE(at + 6);
      if (number < objects.length) objects[number] = undefined;
    } else if ((type === wmf.text || type === wmf.extText) && size >= 14) {
      const isPlain = type === wmf.text;
      const length = data.readUInt16LE(at + (isPlain ? 6 : 10));
      const options = isPlain ? 0 : data.readUInt16LE(at + 12);
      const start = at + (isPlain ? 8 : 14 + ((options & (opaque | clipped)) === 0 ? 0 : 8));
      const padded = start + length + (length % 2);
      if ((options & glyphs) !== 0) hasPictures ||= length > 0;
      else if (padded + (isPlain ? 4 : 0) <= end && left > length) {
        left -= length;
        const place = isPlain ? padded : at + 6;
        const hasWidths = !isPlain && padded + 2 * length <= end;
        const width = hasWidths ? sumOf(length, (index) => data.readInt16LE(padded + 2 * index)) : 0;
        runs.push({
          text: decode(data.subarray(start, start + length), font),
          x: data.readInt16LE(place + 2),
          y: data.readInt16LE(place),
          width,
          height: font.height,
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

/** A wider gap is a space: shares of the width of a letter, and of the height of the font. */
const [minGap, minGapOfHeight] = [0.3, 0.2];

/** Units, and a share of the height of the font: a text is drawn again so near to itself as its shadow, or to look engraved. */
const [maxShadow, maxShadowOfHeight] = [2, 0.15];

function isShadow(run: Run, before: Run): boolean {
  const distance = Math.max(Math.abs(run.x - before.x), Math.abs(run.y - before.y));
  const isNear = distance > 0 && distance <= Math.max(maxShadow, maxShadowOfHeight * run.height);
  return isNear && run.text === before.text;
}

/** Runs in the order in which they are drawn, those of the same height on one line. */
function linesOf(runs: readonly Run[]): string[] {
  const lines: string[] = [];
  let before: Run | undefined;
  for (const run of runs) {
    if (before && isShadow(run, before)) continue;
    const letter = run.width / Math.max(1, run.text.length);
    const space = Math.max(minGap * letter, minGapOfHeight * run.height);
    const gap = before === undefined ? 0 : run.x - before.x - before.width;
    // Drawings that move their origin draw each run at the same place.
    const isOver = before !== undefined && before.width > 0 && gap < -Math.max(letter, before.width / 2);
    if (before === undefined || before.y !== run.y || run.x < before.x || isOver) lines.push(run.text);
    else {
      const isApart = before.width === 0 || gap > space;
      lines.push(`${lines.pop() ?? ''}${isApart ? ' ' : ''}${run.text}`);
    }
    before = run;
  }
  return lines.map((line) => line.replaceAll(/[\0\s]+/gu, ' ').trim()).filter((line) => line !== '');
}
