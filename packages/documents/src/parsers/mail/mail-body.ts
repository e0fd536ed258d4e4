import { gap, textBlock, type Block } from '../../flow/block.ts';
import { textOfBlocks } from '../../flow/block-lines.ts';
import type { UnreadPart } from '../../page/unread.ts';
import { visibleCharacters } from '../visible-characters.ts';
import { decodeAs, decodeHtml } from '../html/decode-html.ts';
import { readHtml } from '../html/read-html.ts';
import { mimeLeaves, type MimePart } from './mime-part.ts';

/** What a person sees of a mail below its headers. */
export interface MailBody {
  blocks: Block[];
  hiddenText: number;
  unread: UnreadPart[];
  /** Parts whose content is in the blocks. */
  used: ReadonlySet<MimePart>;
}

/** A plain part with a smaller share of the words of the HTML part is a stub or another text. */
const minPlainShare = 0.6;
/** Numbers matter more than words. */
const minNumberShare = 0.9;

export function readMailBody(mail: MimePart): MailBody {
  const leaves = mimeLeaves(mail);
  const used = new Set<MimePart>();
  const body: MailBody = { blocks: [], hiddenText: 0, unread: [], used };
  const readPage = (part: MimePart): Block[] => {
    const read = readHtml(decodeHtml(part.content, part.parameters.get('charset')), (address) => {
      const found = pictureAt(leaves, address);
      if (found) used.add(found);
      return found?.content;
    });
    body.hiddenText += read.hiddenText;
    body.unread.push(...read.unread);
    return read.blocks;
  };
  const readEnriched = (part: MimePart): Block[] => {
    const { text, hiddenText } = enrichedText(decodeAs(part.content, part.parameters.get('charset')));
    body.hiddenText += hiddenText;
    return plainBlocks(text);
  };
  // Parts that follow each other are all shown. Of alternatives the one with the richest look is shown, unless the plain text says the same.
  for (const alternatives of bodyParts(mail)) {
    for (const part of alternatives) used.add(part);
    const isPlain = ({ type }: MimePart): boolean => type === 'text/plain';
    const isEnriched = ({ type }: MimePart): boolean => enrichedTypes.test(type);
    const plain = alternatives.filter(isPlain).map(plainText).join('\n');
    const before = { hiddenText: body.hiddenText, unread: body.unread.length };
    const page = alternatives.filter((part) => !isPlain(part) && !isEnriched(part)).flatMap(readPage);
    const hasPage = page.some(({ kind }) => kind !== 'gap');
    const rich = hasPage ? page : alternatives.filter(isEnriched).flatMap(readEnriched);
    if (plain.trim() !== '' && saysTheSame(plain, rich)) {
      body.blocks.push(...plainBlocks(plain), ...rich.filter(({ kind }) => kind === 'picture'), gap);
      body.hiddenText = before.hiddenText;
      body.unread.length = before.unread;
    } else body.blocks.push(...rich, gap);
  }
  // Many programs send one invitation twice: beside the text, and as a file.
  const invitations = new Set<string>();
  for (const calendar of leaves.filter(({ type }) => type === 'text/calendar')) {
    used.add(calendar);
    invitations.add(calendarLines(decodeAs(calendar.content, calendar.parameters.get('charset'))).join('\n'));
  }
  for (const text of invitations) body.blocks.push(gap, ...plainBlocks(text));
  for (const report of leaves.filter(({ type }) => reportTypes.test(type))) {
    used.add(report);
    body.blocks.push(gap, ...plainBlocks(decodeAs(report.content, report.parameters.get('charset'))));
  }
  for (const part of leaves.filter(isEncrypted)) {
    used.add(part);
    body.unread.push({
      kind: 'encrypted_part',
      ...(part.filename ? { name: part.filename } : {}),
      message: 'This mail is encrypted. Open it in a mail program, save it without encryption and upload that.',
    });
  }
  return body;
}

const bodyTypes = /^(?:text\/(?:plain|html|enriched|richtext)|application\/xhtml\+xml)$/;
/** Text with its look in marks, as some programs wrote it before HTML. */
const enrichedTypes = /^text\/(?:enriched|richtext)$/;

/** What became of a mail, in lines such as `Action: failed`. */
const reportTypes = /^message\/(?:(?:global-)?delivery-status|(?:global-)?disposition-notification|feedback-report)$/;

/** The parts that a mail program shows one after the other, each as its alternatives. */
function bodyParts(part: MimePart): MimePart[][] {
  const isText = ({ type, disposition, filename }: MimePart): boolean =>
    bodyTypes.test(type) && disposition !== 'attachment' && (filename === undefined || disposition === 'inline');
  if (part.parts.length === 0) return isText(part) ? [[part]] : [];
  if (part.type === 'multipart/alternative') return [mimeLeaves(part).filter(isText)];
  return part.parts.flatMap(bodyParts);
}

/** Whether the plain text has nearly all words of the page. */
export function saysTheSame(plain: string, page: readonly Block[]): boolean {
  const own = new Set(wordsOf(plain));
  const others = [...new Set(wordsOf(textOfBlocks(page)))];
  if (others.length === 0) return true;
  const numbers = others.filter((word) => /\d/.test(word));
  const share = (words: readonly string[]): number =>
    words.length === 0 ? 1 : words.filter((word) => own.has(word)).length / words.length;
  return share(others) >= minPlainShare && share(numbers) >= minNumberShare;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function plainText({ content, parameters }: MimePart): string {
  const text = decodeAs(content, parameters.get('charset'));
  if (parameters.get('format')?.toLowerCase() !== 'flowed') return text;
  // A space at the end of a line continues it; `-- ` begins the signature.
  const joint = parameters.get('delsp')?.toLowerCase() === 'yes' ? '' : ' ';
  // Lines continue those of the same depth of quotation alone.
  return text
    .replace(/^(>*) /gm, '$1')
    .replace(/ (?=\n)(?<=^(>*)(?!>).*)(?<!^>*-- )\n\1(?!>)/gm, joint)
    .replace(/^>+(?=[^\s>])/gm, '$& ');
}

/** Arguments of marks, and remarks that are not shown. Both can be inside of each other. */
const unshownMarks = /^(?:param|comment)$/;
const shownMarks = new Map([
  ['nl', '\n'],
  ['np', '\n'],
  ['lt', '<'],
]);

/** Single ends of lines are spaces, and each one more ends a line. `<<` is the sign itself. */
function enrichedText(source: string): { text: string; hiddenText: number } {
  let [text, unshown, hiddenText] = ['', '', 0];
  let skipped: { name: string; depth: number } | undefined;
  let unfilled = 0;
  for (const [token, sign, end, written] of source.matchAll(/<(<)|<(\/?)([\w-]+)>|[^<]+|</g)) {
    const name = written?.toLowerCase();
    const step = end === '/' ? -1 : 1;
    if (skipped !== undefined) {
      if (name === undefined) unshown += token;
      if (name !== skipped.name) continue;
      skipped.depth += step;
      if (skipped.depth > 0) continue;
      if (name === 'comment') hiddenText += visibleCharacters(unshown);
      skipped = undefined;
      unshown = '';
    } else if (name === undefined) {
      text += sign ?? (unfilled > 0 ? token : filled(token));
    } else if (unshownMarks.test(name) && step === 1) skipped = { name, depth: 1 };
    else if (name === 'nofill') unfilled = Math.max(0, unfilled + step);
    else text += shownMarks.get(name) ?? '';
  }
  return { text, hiddenText: hiddenText + visibleCharacters(unshown) };
}

const filled = (text: string): string =>
  text.replace(/\r?\n((?:\r?\n)*)/g, (_, more: string) => (more === '' ? ' ' : more));

/** Lines of plain text as blocks. */
export function plainBlocks(text: string): Block[] {
  if (text.trim() === '') return [];
  return text.split('\n').map((line) => (line.trim() === '' ? gap : textBlock(line)));
}

/** The part that an address inside of a page names: by its id, or by its place. */
function pictureAt(leaves: readonly MimePart[], address: string): MimePart | undefined {
  const [, id] = /^cid:(.*)$/i.exec(address) ?? [];
  if (id === undefined) return leaves.find((part) => part.headers.get('content-location') === address);
  const wanted = new Set([id, id.replace(/%40/g, '@')]);
  return leaves.find((part) => wanted.has(part.headers.get('content-id')?.replace(/^<|>$/g, '') ?? ''));
}

/** Kinds that are not encrypted. Those that could be opened are no longer of this type. */
const openKinds = /^(?:signed-data|compressed-data|certs-only)$/i;

function isEncrypted({ type, parameters, content }: MimePart): boolean {
  if (/^application\/(?:x-)?pkcs7-mime$/.test(type)) return !openKinds.test(parameters.get('smime-type') ?? '');
  if (type === 'application/pgp-encrypted') return true;
  return Buffer.from(content.subarray(0, 40)).toString('latin1').startsWith('-----BEGIN PGP MESSAGE-----');
}

/** The properties of an invitation that people see, with their names. */
const shownProperties: Readonly<Record<string, string>> = {
  SUMMARY: 'Event',
  DTSTART: 'Starts',
  DTEND: 'Ends',
  DUE: 'Due',
  RRULE: 'Repeats',
  LOCATION: 'Location',
  ORGANIZER: 'Organizer',
  ATTENDEE: 'Attendee',
  STATUS: 'Status',
  DESCRIPTION: 'Description',
};

/** An invitation or a calendar in lines of text. */
function calendarLines(text: string): string[] {
  const lines: string[] = [];
  // Alarms and time zones have properties of the same names.
  let skipped = '';
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, name = '', parameters = '', value = ''] = /^([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line) ?? [];
    const property = name.toUpperCase();
    if (property === 'BEGIN' && skipped === '' && /^(?:VALARM|VTIMEZONE)$/i.test(value)) skipped = value;
    else if (property === 'END' && value === skipped) skipped = '';
    const label = skipped === '' ? shownProperties[property] : undefined;
    if (label !== undefined) lines.push(`${label}: ${shownValue(property, parameters, value)}`);
  }
  return lines;
}

function shownValue(property: string, parameters: string, value: string): string {
  const [, year, month, day, hour, minute, zone] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year !== undefined) {
    const named = /;TZID="?([^;":]+)"?/i.exec(parameters)?.[1] ?? (zone === 'Z' ? 'UTC' : '');
    return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute} ${named}`}`.trim();
  }
  if (property === 'ORGANIZER' || property === 'ATTENDEE') {
    const name = /;CN="?([^;":]+)"?/i.exec(parameters)?.[1];
    const address = value.replace(/^mailto:/i, '');
    return name === undefined || name === address ? address : `${name} <${address}>`;
  }
  return value.replace(/\\n/gi, '\n').replace(/\\([,;\\])/g, '$1');
}
