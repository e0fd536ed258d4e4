import iconv from 'iconv-lite';
import type { Block } from '../../flow/block.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import { fontEncoding } from '../../flow/font-encoding.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { withRaisedDigits } from '../raised-digits.ts';
import { visibleCharacters } from '../visible-characters.ts';
import {
  bodyWords,
  codePages,
  firstGroup,
  inSymbolFont,
  isHalfCharacter,
  signs,
  silent,
  tables,
  type RtfGroup,
} from './rtf-group.ts';
import { RtfField } from './rtf-field.ts';
import { RtfLists } from './rtf-lists.ts';
import { RtfStories } from './rtf-stories.ts';

/** A document in Rich Text Format. */
export const openRtf: DocumentReader = async (bytes) => {
  const { blocks, hiddenText, unread } = readRtf(Buffer.from(bytes).toString('latin1'));
  return flowDocument(blocks, { hiddenText, unread });
};

const damaged = 'The file is damaged: text after its end was not read.';
const textWord = /\\(?:par|pard|cell)\b/u;
const maxGroups = 1_000;
const maxFontName = 100;
/** Destinations with text for people, or that say something of it. */
const readable = /^(?:shppict|shptxt|fldrslt|fldinst|formfield|ffl|footnote|do|ud|nesttableprops)$/;
const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi;

export function readRtf(rtf: string): { blocks: Block[]; hiddenText: number; unread: UnreadPart[] } {
  const stories = new RtfStories();
  const lists = new RtfLists();
  const unread: UnreadPart[] = [];
  const fonts = new Map<number, string>();
  const fontNames = new Map<number, string>();
  let hiddenText = 0;
  let group: RtfGroup = { ...firstGroup };
  const groups: RtfGroup[] = [];
  let isInFonts = false;
  let codePage = 'windows-1252';
  let font = 0;
  let defaultFont = 0;
  /** Bytes that wait for the rest of their character. */
  let pending: number[] = [];
  let skip = 0;
  let picture = { hex: '', isKnown: false };
  /** Whether the shape was read, so that its copy for old programs is not. */
  let isShapeRead = false;
  let property = '';

  const flushBytes = (): void => {
    if (pending.length === 0) return;
    const bytes = Buffer.from(pending);
    const decoded = iconv.decode(bytes, group.encoding);
    pending = [];
    // Some programs name a character set for a font that its bytes are not of.
    add(decoded.includes('\ufffd') ? iconv.decode(bytes, codePage) : decoded);
  };
  const add = (more: string): void => {
    if (group.capture) group.capture(more);
    else if (!group.isShown) return;
    else if (group.isHidden) hiddenText += visibleCharacters(more);
    else {
      const shown = inSymbolFont(more, group.font);
      const { current } = stories;
      current.add(withRaisedDigits(current.text, group.isCapital ? shown.toUpperCase() : shown, group.raised));
    }
  };
  /** Writes the number of a paragraph that ends: that of its list, else the one that is stored before it. */
  const endNumber = (): void => {
    stories.current.endNumber(group.list && lists.next(group.list));
  };
  /** The text has begun: a table before it that does not end is damaged. */
  const leaveTables = (): void => {
    for (const open of [...groups, group]) {
      if (open.table !== '') open.isShown = true;
      if (open.table !== '') open.capture = undefined;
      open.table = '';
      isInFonts = false;
    }
  };
  const newLine = (): void => {
    if (stories.current.text.trim() !== '') add('\n');
  };
  /** Writes what a field shows instead of its result. */
  const endField = ({ field }: RtfGroup): void => {
    if (!field || field.isWritten) return;
    field.isWritten = true;
    if (field.value !== undefined) add(field.value);
  };
  const capture = (take: (text: string) => void): void => {
    group.isShown = false;
    group.capture = take;
  };
  const endPicture = (): void => {
    if (picture.isKnown)
      stories.current.addBlock({ kind: 'picture', bytes: Buffer.from(picture.hex, 'hex'), name: 'picture' });
    else
      unread.push({ kind: 'picture', message: 'A picture was not read: it is of a kind that cannot be recognised.' });
  };
  const setFont = (number: number): void => {
    group.encoding = fonts.get(number) ?? fontEncoding(0, fontNames.get(number)) ?? codePage;
    group.font = fontNames.get(number) ?? '';
  };
  const word = (name: string, value: number | undefined): void => {
    const isOn = value !== 0;
    if (group.table !== '' && bodyWords.test(name)) leaveTables();
    if (silent.has(name) && name !== 'shpinst') group.isShown = group.isShape = false;
    if (tables.test(name)) group.table = name;
    if (name === 'fonttbl') isInFonts = true;
    // Comments stand beside the text on a screen, and nowhere on its pages.
    else if (name === 'annotation') capture((more) => void (hiddenText += visibleCharacters(more)));
    else if (name.startsWith('atn')) group.capture = undefined;
    else if (name === 'leveltext') capture((more) => lists.addText(more));
    else if (group.table.startsWith('list') && /^(?:list|level|lfo|ls$)/u.test(name)) lists.word(name, value ?? 1);
    else if (name === 'ls') group.list = { level: 0, ...group.list, list: value ?? 0 };
    else if (name === 'ilvl') group.list = { list: 0, ...group.list, level: value ?? 0 };
    else if (name === 'listtext') {
      if (group.isShown && !group.isHidden)
        capture((more) => stories.current.addNumber(inSymbolFont(more, group.font)));
    } else if (name === 'shp') isShapeRead = false;
    else if (name === 'shpinst') group.isShape = groups.at(-1)?.isShown ?? false;
    // The same shape for old programs.
    else if (name === 'shprslt' && isShapeRead) group.isShown = false;
    else if (name === 'sp') group.table = name;
    else if (name === 'sn') capture((more) => (property = more.trim()));
    else if (name === 'sv' && property === 'gtextUNICODE' && group.isShape) {
      isShapeRead = true;
      capture((more) => stories.current.add(more));
    } else if (name === 'f') {
      font = value ?? 0;
      if (!isInFonts) setFont(font);
    } else if (name === 'fcharset' && isInFonts) {
      const encoding = fontEncoding(value ?? 0);
      if (encoding !== undefined) fonts.set(font, encoding);
    } else if (/^(?:ansicpg|cpg)$/.test(name) && value !== undefined && iconv.encodingExists(`cp${value}`)) {
      if (name === 'cpg') fonts.set(font, `cp${value}`);
      else group.encoding = codePage = `cp${value}`;
    } else if (codePages[name] !== undefined) group.encoding = codePage = codePages[name];
    else if (name === 'uc') group.replacements = value ?? 1;
    else if (name === 'u') {
      add(String.fromCharCode((value ?? 0) & 0xffff));
      skip = group.replacements;
    } else if (name === 'v' || name === 'deleted') group.isHidden = isOn;
    else if (name === 'caps') group.isCapital = isOn;
    else if (name === 'super' || name === 'sub') group.raised = isOn ? name : undefined;
    else if (name === 'nosupersub') group.raised = undefined;
    // In half points.
    else if (name === 'up' || name === 'dn') group.raised = !isOn ? undefined : name === 'up' ? 'super' : 'sub';
    else if (name === 'deff') defaultFont = value ?? 0;
    else if (name === 'plain') {
      group.isHidden = group.isCapital = false;
      group.raised = undefined;
      setFont(defaultFont);
    } else if (name === 'upr') {
      group.hasTwin = group.isShown;
      group.isShown = false;
    } else if (name === 'ud') group.isShown = group.hasTwin;
    else if (name === 'titlepg') stories.hasFirst = true;
    else if (name === 'facingp') stories.hasLeft = true;
    else if (RtfStories.begins(name) && group.isShown) {
      stories.begin(name, groups.length);
      group.list = undefined;
    } else if (name === 'ftnalt') stories.moveToEnd();
    else if (name === 'chftn' && group.isShown) stories.addNumber();
    else if (name === 'field') group.field = new RtfField();
    else if (name === 'fldinst') {
      const { field } = group;
      // A field in the instruction writes its result there.
      capture((more) => {
        if (field && !group.isHidden) field.instruction += more;
      });
    } else if (name === 'ffl' && group.field) {
      const { choices } = group.field;
      const at = choices.push('') - 1;
      capture((more) => (choices[at] += more));
    } else if (name === 'formfield') capture(() => undefined);
    else if (/^ff(?:type|res|defres)$/.test(name)) group.field?.set(name, value ?? 0);
    else if (name === 'fldrslt') {
      if (group.field?.value !== undefined) group.isShown = false;
    } else if (!group.isShown && /^(?:par|sect|page|cell|row|nestcell)$/.test(name)) add('\n');
    else if (name === 'par' || name === 'sect') {
      endNumber();
      stories.current.endParagraph();
    } else if (name === 'page') {
      stories.current.endParagraph();
      stories.current.addBlock({ kind: 'page_break' });
    } else if (name === 'trowd' || name === 'intbl') stories.current.isInTable = true;
    else if (name === 'pard') {
      stories.current.isInTable = false;
      group.list = undefined;
    } else if (name === 'cell') {
      endNumber();
      stories.current.endCell();
    } else if (name === 'row') stories.current.endRow();
    else if (name === 'nestcell') {
      endNumber();
      add('\t');
      stories.current.beginParagraph();
    } else if (name === 'nestrow') stories.current.add('\n');
    else if (name === 'shptxt' || name === 'dptxbxtext') {
      // The text of a box is within data about its shape.
      group.isShown = name === 'shptxt' || group.isShape;
      isShapeRead = true;
      newLine();
    } else if (name === 'do') {
      group.isShape = group.isShown;
      group.isShown = false;
    } else if (name === 'pict') {
      // A group for old programs has the same picture again.
      group.isPicture = group.isShown || group.isShape;
      isShapeRead ||= group.isShape;
      group.isShown = false;
      picture = { hex: '', isKnown: false };
    } else if (/^(?:png|jpeg|emf)blip$|^wmetafile$/.test(name)) picture.isKnown = true;
    else if (name === 'object') unread.push({ kind: 'embedded_file', message: 'An embedded object was not read.' });
    else if (signs[name] !== undefined) add(signs[name]);
  };

  token.lastIndex = 0;
  let isDestination = false;
  let isGroupStart = false;
  let [inTooDeep, hasTooDeep] = [0, false];
  for (let found = token.exec(rtf); found; found = token.exec(rtf)) {
    const [whole, name, value, hex, sign, brace, letters] = found;
    if (inTooDeep > 0 || (brace === '{' && groups.length === maxGroups)) {
      inTooDeep += brace === '{' ? 1 : brace === '}' ? -1 : 0;
      hasTooDeep ||= letters !== undefined || hex !== undefined;
      continue;
    }
    let plain = letters;
    if (hex !== undefined) {
      if (skip > 0) skip -= 1;
      else pending.push(Number.parseInt(hex, 16));
      continue;
    }
    if (/^[\r\n]/.test(whole)) continue;
    if (plain !== undefined && isHalfCharacter(pending, group.encoding)) {
      // The second byte of a character can be that of a letter, which is written as it is.
      pending.push(plain.charCodeAt(0));
      plain = plain.slice(1);
    }
    flushBytes();
    const isFirst = isGroupStart;
    isGroupStart = brace === '{';
    if (brace === '{') {
      groups.push(group);
      group = { ...group, isPicture: false };
      skip = 0;
    } else if (brace === '}') {
      if (group.isPicture) endPicture();
      if (groups.length === 1) break;
      stories.endGroup(groups.length);
      const outer = groups.pop();
      if (outer === undefined) break;
      if (isInFonts && outer.isShown) isInFonts = false;
      const ended = group;
      group = outer;
      if (ended.field !== outer.field) endField(ended);
      skip = 0;
    } else if (sign === '\n' || sign === '\r') word('par', undefined);
    else if (sign === '*') isDestination = isFirst; // Elsewhere than at the start of a group the sign says nothing.
    else if (sign !== undefined) add(signs[sign] ?? (/[\\{}]/.test(sign) ? sign : ''));
    else if (name === 'bin') {
      // Bytes as they are, braces among them.
      const end = token.lastIndex + Math.max(0, Number(value ?? 0));
      if (group.isPicture) picture.hex += Buffer.from(rtf.slice(token.lastIndex, end), 'latin1').toString('hex');
      token.lastIndex = end;
    } else if (name !== undefined) {
      // A destination that this reader does not know has no text for people.
      if (isDestination && !readable.test(name)) group.isShown = false;
      isDestination = false;
      word(name, value === undefined ? undefined : Number(value));
    } else if (plain !== undefined) {
      if (isInFonts) fontNames.set(font, `${fontNames.get(font) ?? ''}${plain}`.split(';')[0]!.slice(0, maxFontName));
      if (group.isPicture) picture.hex += plain.replace(/[^0-9a-f]/gi, '');
      const rest = plain.slice(skip);
      skip = Math.max(0, skip - plain.length);
      // Some programs write the bytes of other alphabets as they are.
      if (/[\u0080-\u00ff]/.test(rest)) pending.push(...Buffer.from(rest, 'latin1'));
      else add(rest);
    }
  }
  flushBytes();
  if (stories.current.text.trim() !== '') endNumber();
  // A search that came to the end of the file begins anew at 0.
  const rest = token.lastIndex === 0 ? '' : rtf.slice(token.lastIndex);
  if (textWord.test(rest)) unread.push({ kind: 'other', message: damaged });
  if (hasTooDeep) unread.push({ kind: 'other', message: `Text inside of more than ${maxGroups} groups was not read.` });
  return { blocks: stories.finish(), hiddenText, unread };
}
