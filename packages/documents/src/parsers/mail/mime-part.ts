import { decodeWords, firstCharset, percentBytes, readHeaders, structured } from './mail-headers.ts';
import { isMailPart, signedContent } from './signed-content.ts';

/** One part of a mail: its headers, and its content or its own parts. */
export interface MimePart {
  /** By name in lower case. Of several with one name, the first. */
  headers: ReadonlyMap<string, string>;
  /** In lower case, such as `text/html`. */
  type: string;
  parameters: ReadonlyMap<string, string>;
  disposition: string;
  filename: string | undefined;
  /** The content without its transfer encoding; empty for a part with parts. */
  content: Uint8Array;
  parts: MimePart[];
}

const maxDepth = 20;
const maxParts = 1_000;

/** What the parts of one mail share: how much was read, and the encoding of headers that have no other. */
interface MimeCount {
  parts: number;
  bytes: number;
  charset?: string;
}

/** Reads a mail, or an HTML archive, which has the same form. */
export function parseMime(
  bytes: Uint8Array,
  count: MimeCount = { parts: 0, bytes: 0 },
  depth = 0,
  usualType = 'text/plain',
): MimePart {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  count.charset ??= firstCharset(source);
  const { headers, bodyAt } = readHeaders(source, count.charset);
  const { value, parameters } = structured(headers.get('content-type') ?? '');
  const disposition = structured(headers.get('content-disposition') ?? '');
  const part: MimePart = {
    headers,
    type: /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value : usualType,
    parameters,
    disposition: disposition.value,
    filename: decodeWords(disposition.parameters.get('filename') ?? parameters.get('name') ?? '') || undefined,
    content: new Uint8Array(),
    parts: [],
  };
  const body = source.subarray(bodyAt);
  const boundary = parameters.get('boundary');
  if (!part.type.startsWith('multipart/') || boundary === undefined || depth >= maxDepth) {
    const content = decodeTransfer(body, headers.get('content-transfer-encoding') ?? '');
    const signed = isSigned(part) ? signedContent(content, count) : undefined;
    if (signed === undefined) return withFilesApart({ ...part, content }, count);
    if (isMailPart(signed) && depth < maxDepth) return { ...part, parts: [parseMime(signed, count, depth + 1)] };
    return { ...part, type: usualFile, filename: part.filename?.replace(/\.p7m$/iu, ''), content: signed };
  }
  const innerType = part.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
  for (const piece of splitParts(body, boundary)) {
    count.parts += 1;
    if (count.parts > maxParts) break;
    part.parts.push(parseMime(piece, count, depth + 1, innerType));
  }
  return part;
}

const usualFile = 'application/octet-stream';

/** A text with files in it as its text and each file. */
function withFilesApart(part: MimePart, count: { parts: number }): MimePart {
  if (part.type !== 'text/plain') return part;
  const { text, files } = takeUuencoded(part.content);
  if (files.length === 0 || count.parts + files.length > maxParts) return part;
  count.parts += files.length;
  const apart = { headers: new Map(), parameters: new Map(), disposition: 'attachment', type: usualFile, parts: [] };
  return {
    ...part,
    type: 'multipart/mixed',
    content: new Uint8Array(),
    parts: [
      { ...part, content: text },
      ...files.map(({ name, bytes }) => ({ ...apart, filename: name, content: bytes })),
    ],
  };
}

function isSigned({ type, filename }: MimePart): boolean {
  return /^application\/(?:x-)?pkcs7-mime$/u.test(type) || /\.p7m$/iu.test(filename ?? '');
}

/** All parts that are no containers, in their order. */
export function mimeLeaves(part: MimePart): MimePart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(mimeLeaves);
}

function* splitParts(body: Buffer, boundary: string): Generator<Buffer> {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let start: number | undefined;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    const after = at + mark.length;
    const isLast = body[after] === 0x2d && body[after + 1] === 0x2d;
    const end = body.indexOf(0x0a, after);
    const rest = body.subarray(after, end === -1 ? body.length : end).toString('latin1');
    // A boundary that only begins like this one belongs to a part inside.
    if (!isLast && rest.trim() !== '') continue;
    if (start !== undefined) yield withoutLineEnd(body.subarray(start, at));
    if (isLast) return;
    start = end === -1 ? body.length : end + 1;
  }
  if (start !== undefined && start < body.length) yield body.subarray(start);
}

function withoutLineEnd(part: Buffer): Buffer {
  let end = part.length;
  if (part[end - 1] === 0x0a) end -= 1;
  if (part[end - 1] === 0x0d) end -= 1;
  return part.subarray(0, end);
}

function decodeTransfer(body: Buffer, encoding: string): Uint8Array {
  const name = encoding.trim().toLowerCase();
  if (name === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  if (/^(?:x-)?uu(?:encode)?$/.test(name)) return takeUuencoded(body).files[0]?.bytes ?? body;
  return name === 'quoted-printable' ? decodeQuoted(body.toString('latin1')) : body;
}

function decodeQuoted(text: string): Buffer {
  return percentBytes(text.replace(/[ \t]+(?=\r?\n|$)/g, '').replace(/=\r?\n/g, ''), /=([0-9a-f]{2})/gi);
}

const uuBegin = /^begin [0-7]{3,4} (?<name>[^\r\n]{1,255})\r?\n/gmu;
const uuLine = /([\x20-\x60]{1,120})\r?(?:\n|$)/uy;
const uuEnd = /end *\r?(?:\n|$)/uy;

/**
 * The whole files that a text holds between the lines `begin 644 name` and `end`, as programs before MIME wrote attachments, and the text
 * without them. A file whose lines are not of this form stays in the text.
 */
function takeUuencoded(content: Uint8Array): { text: Buffer; files: { name: string; bytes: Buffer }[] } {
  const source = Buffer.from(content.buffer, content.byteOffset, content.length);
  const files: { name: string; bytes: Buffer }[] = [];
  if (!source.includes('begin ')) return { text: source, files };
  const text = source.toString('latin1');
  const kept: string[] = [];
  let from = 0;
  for (const found of text.matchAll(uuBegin)) {
    if (found.index < from) continue;
    const file = linesFrom(text, found.index + found[0].length);
    if (file === undefined) continue;
    kept.push(text.slice(from, found.index));
    files.push({
      name: Buffer.from(found.groups!['name']!.trim(), 'latin1').toString(),
      bytes: Buffer.concat(file.lines),
    });
    from = file.end;
  }
  return { text: files.length === 0 ? source : Buffer.from([...kept, text.slice(from)].join(''), 'latin1'), files };
}

/** The bytes of the lines up to `end`, which every line has the length for; undefined if one has not. */
function linesFrom(text: string, start: number): { lines: Buffer[]; end: number } | undefined {
  const lines: Buffer[] = [];
  for (let at = start; ;) {
    uuEnd.lastIndex = at;
    if (uuEnd.test(text)) return lines.length === 0 ? undefined : { lines, end: uuEnd.lastIndex };
    uuLine.lastIndex = at;
    const [, signs] = uuLine.exec(text) ?? [];
    const bytes = signs === undefined ? undefined : bytesOfLine(signs);
    if (bytes === undefined) return undefined;
    lines.push(bytes);
    at = uuLine.lastIndex;
  }
}

/** The first sign of a line is its number of bytes, and each of the others six bits. Spaces at the end can be cut. */
function bytesOfLine(signs: string): Buffer | undefined {
  const bits = (at: number): number => ((at < signs.length ? signs.charCodeAt(at) : 0x20) - 0x20) & 0x3f;
  const size = bits(0);
  const expected = 1 + Math.ceil(size / 3) * 4;
  // Some programs add a sign that proves the others.
  if (signs.slice(expected + 1).trim() !== '' || signs.trimEnd().length < expected - 4) return undefined;
  const bytes = Buffer.alloc(Math.ceil(size / 3) * 3);
  for (let at = 1, to = 0; to < bytes.length; at += 4, to += 3)
    bytes.writeUIntBE((bits(at) << 18) | (bits(at + 1) << 12) | (bits(at + 2) << 6) | bits(at + 3), to, 3);
  return bytes.subarray(0, size);
}
