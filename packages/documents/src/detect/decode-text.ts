import iconv from 'iconv-lite';
import { guessEncoding } from './guess-encoding.ts';

/** The first part of a text determines its encoding, at a bounded cost. */
const maxSampleBytes = 64 * 1024;

/**
 * Decodes text of unknown encoding: byte order mark, then valid UTF-8, then UTF-16 by its zero bytes, then the
 * likeliest legacy encoding. Line ends become `\n`.
 */
export function decodeText(bytes: Uint8Array): string {
  return decodeIn(bytes, encodingOf(bytes)).replace(/\r\n?/g, '\n');
}

/** The Japanese encoding of mail, which switches between alphabets with escape codes. */
const japaneseMail = 'iso-2022-jp';
const japaneseCode = Buffer.from('\u001b$');

const [shiftOut, shiftIn] = ['\u000e', '\u000f'];
const koreanCode = '\u001b$)C';
const koreanShift = new RegExp(`${RegExp.escape(koreanCode)}|${shiftOut}([^${shiftIn}\\n]*)${shiftIn}?`, 'gu');
/** Encodings of mail in which signs of seven bits switch to two bytes a letter and back, with the encoding that has these bytes above 127. */
const shiftedMail: ReadonlyMap<string, { shift: RegExp; encoding: string }> = new Map([
  ['iso-2022-kr', { shift: koreanShift, encoding: 'euc-kr' }],
  ['hz-gb-2312', { shift: /~\n|~~|~\{((?:[!-}][!-~])*)(?:~\})?/gu, encoding: 'gb2312' }],
]);

/** Whether bytes in this encoding can be decoded. */
export function canDecode(encoding: string): boolean {
  const name = encoding.toLowerCase();
  return (
    name === japaneseMail ||
    shiftedMail.has(name) ||
    iconv.encodingExists(encoding) ||
    webDecoder(encoding) !== undefined
  );
}

/** Encodings that browsers know by more names. */
function webDecoder(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    return undefined;
  }
}

/** Decodes bytes in an encoding that can be decoded. */
export function decodeIn(bytes: Uint8Array, encoding: string): string {
  const shifted = shiftedMail.get(encoding.toLowerCase());
  if (shifted) return decodeShifted(bytes, shifted);
  const isKnown = encoding.toLowerCase() !== japaneseMail && iconv.encodingExists(encoding);
  return (isKnown ? undefined : webDecoder(encoding)?.decode(bytes)) ?? iconv.decode(bytes, encoding);
}

function decodeShifted(bytes: Uint8Array, { shift, encoding }: { shift: RegExp; encoding: string }): string {
  const text = Buffer.from(bytes).toString('latin1');
  return text.replaceAll(shift, (found, pairs: string | undefined) => {
    if (found === '~~') return '~';
    const raised = Buffer.from(pairs ?? '', 'latin1').map((byte) => (byte > 0x20 ? byte | 0x80 : byte));
    return iconv.decode(raised, encoding);
  });
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf16be';
  const sample = bytes.subarray(0, maxSampleBytes);
  const wide = wideEncodingOf(sample);
  if (wide) return wide;
  if (isUtf8(bytes)) {
    if (Buffer.from(sample).includes(koreanCode)) return 'iso-2022-kr';
    return Buffer.from(sample).includes(japaneseCode) ? japaneseMail : 'utf8';
  }
  return isMostlyUtf8(sample) ? 'utf8' : guessEncoding(sample);
}

/** UTF-16 without a byte order mark: Latin text has a zero in nearly every second byte. */
function wideEncodingOf(sample: Uint8Array): 'utf16le' | 'utf16be' | undefined {
  let evenZeros = 0;
  let oddZeros = 0;
  for (let index = 0; index < sample.length; index += 1) {
    if (sample[index] !== 0) continue;
    if (index % 2 === 0) evenZeros += 1;
    else oddZeros += 1;
  }
  const half = sample.length / 2;
  if (sample.length < 4) return undefined;
  if (oddZeros > half * 0.4 && evenZeros < half * 0.05) return 'utf16le';
  if (evenZeros > half * 0.4 && oddZeros < half * 0.05) return 'utf16be';
  return undefined;
}

/** Whether nearly all signs beyond ASCII are valid UTF-8: programs cut signs, and paste bytes of other encodings among them. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const beyond = Buffer.from(sample)
    .toString('utf8')
    .replaceAll(/[\0-\x7f]/g, '');
  const damaged = beyond.split('\ufffd').length - 1;
  return beyond.length - damaged > damaged * 4;
}

/** Whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
