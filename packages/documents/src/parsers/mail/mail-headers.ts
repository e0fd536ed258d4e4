import { canDecode, decodeIn, decodeText, isUtf8 } from '../../detect/decode-text.ts';

/** The headers of a mail or of a part by name in lower case, of several with one name the first, and where its content begins. */
export function readHeaders(source: Buffer, charset: string): { headers: Map<string, string>; bodyAt: number } {
  const headers = new Map<string, string>();
  const lines: string[] = [];
  let at = 0;
  while (at < source.length) {
    const end = source.indexOf(0x0a, at);
    const line = headerText(source.subarray(at, end === -1 ? source.length : end), charset).replace(/\r$/, '');
    at = end === -1 ? source.length : end + 1;
    if (line === '') break;
    if (/^[ \t]/.test(line) && lines.length > 0) lines[lines.length - 1] += ` ${line.trim()}`;
    else lines.push(line);
  }
  for (const line of lines) {
    const [, name, value = ''] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    // A line without a name, such as the first one in a mailbox file, is no header.
    if (name !== undefined && !headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value.trim());
  }
  return { headers, bodyAt: at };
}

/** Headers are ASCII by rule; some programs write them in the encoding of their system, which is that of the text below. */
function headerText(line: Buffer, charset: string): string {
  return isUtf8(line) ? line.toString('utf8') : decodeIn(line, charset);
}

const usualCharset = 'windows-1252';
const charsetBytes = 64 * 1024;

/** The encoding that a mail declares first, if it is one that letters beyond ASCII without a declaration can be in. */
export function firstCharset(source: Buffer): string {
  const [, declared = usualCharset] =
    /^content-type:.*(?:\r?\n[ \t].*)*?;\s*charset\s*=\s*"?([\w.:-]+)/im.exec(
      source.toString('latin1', 0, charsetBytes),
    ) ?? [];
  return /^(?:utf-?8|us-ascii|iso-8859-1$|iso-2022-)/i.test(declared) || !canDecode(declared) ? usualCharset : declared;
}

const parameter = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;

/** A header such as `text/html; charset="utf-8"`, with parameters in the forms of RFC 2231. */
export function structured(header: string): { value: string; parameters: Map<string, string> } {
  const [value = ''] = header.split(';', 1);
  const parameters = new Map<string, string>();
  const pieces = new Map<string, { text: string; isEncoded: boolean }[]>();
  for (const [, name = '', quoted, plain = ''] of header.slice(value.length).matchAll(parameter)) {
    const text = quoted?.replace(/\\(.)/g, '$1') ?? plain.trim();
    const [, base = name, index, star] = /^([^*]+)(?:\*(\d+))?(\*)?$/.exec(name.toLowerCase()) ?? [];
    if (index === undefined && star === undefined) {
      parameters.set(base, text);
      continue;
    }
    const list = pieces.get(base) ?? [];
    list[Math.min(Number(index ?? 0), 100)] = { text, isEncoded: star !== undefined };
    pieces.set(base, list);
  }
  for (const [name, list] of pieces) parameters.set(name, joinPieces(list.filter(Boolean)));
  return { value: value.trim().toLowerCase(), parameters };
}

function joinPieces(pieces: readonly { text: string; isEncoded: boolean }[]): string {
  const [first] = pieces;
  const [prefix = '', charset = 'utf-8'] = (first?.isEncoded && /^([^']*)'[^']*'/.exec(first.text)) || [];
  const bytes = pieces.map(({ text, isEncoded }, index) =>
    isEncoded ? percentBytes(index === 0 ? text.slice(prefix.length) : text, /%([0-9a-f]{2})/gi) : Buffer.from(text),
  );
  return decodeBytes(Buffer.concat(bytes), charset);
}

const encodedWord = /=\?([^?\s*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi;

/** The words of a header in their own encodings (RFC 2047). Neighbours in one encoding can share a character. */
export function decodeWords(text: string): string {
  return withoutGaps(text).replace(wordRuns, decodeRun);
}

/** A header with a number between two marks in place of its encoded words, and those words decoded. */
export function setWordsAside(header: string, mark: string): { text: string; words: string[] } {
  const words: string[] = [];
  const text = withoutGaps(header).replace(wordRuns, (run) => `${mark}${words.push(decodeRun(run)) - 1}${mark}`);
  return { text, words };
}

const wordRuns = /(?:=\?[^?\s]+\?[bq]\?[^?]*\?=)+/gi;

/** Without the spaces between encoded words, which belong to none of them. */
function withoutGaps(text: string): string {
  return text.replace(/(\?=)\s+(?==\?[^?\s]+\?[bq]\?)/gi, '$1');
}

function decodeRun(words: string): string {
  const runs: { charset: string; bytes: Buffer[] }[] = [];
  for (const [, charset = '', kind = '', content = ''] of words.matchAll(encodedWord)) {
    if (runs.at(-1)?.charset.toLowerCase() !== charset.toLowerCase()) runs.push({ charset, bytes: [] });
    const isBase64 = kind.toLowerCase() === 'b';
    const bytes = isBase64
      ? Buffer.from(content, 'base64')
      : percentBytes(content.replaceAll('_', ' '), /=([0-9a-f]{2})/gi);
    runs.at(-1)!.bytes.push(bytes);
  }
  return runs.map(({ charset, bytes }) => decodeBytes(Buffer.concat(bytes), charset)).join('');
}

function decodeBytes(bytes: Buffer, charset: string): string {
  return canDecode(charset) ? decodeIn(bytes, charset) : decodeText(bytes);
}

/** Bytes that a text writes as hexadecimal digits after a sign. */
export function percentBytes(text: string, escaped: RegExp): Buffer {
  return Buffer.from(
    text.replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
