import iconv from 'iconv-lite';
import { gap, textBlock, type Block, type TableCell } from '../../flow/block.ts';
import { flowDocument } from '../../flow/flow-document.ts';
import { fontEncoding } from '../../flow/font-encoding.ts';
import { symbolText } from '../../flow/symbol-text.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { DocumentReader } from '../../reader/document-reader.ts';
import { visibleCharacters } from '../visible-characters.ts';

/** A document in Rich Text Format. */
export const openRtf: DocumentReader = async (bytes) => {
  const { blocks, hiddenText, unread } = readRtf(Buffer.from(bytes).toString('latin1'));
  return flowDocument(blocks, { hiddenText, unread });
};

interface Group {
  /** Text here is seen: it is not in a list of fonts or another destination. */
  isShown: boolean;
  isHidden: boolean;
  encoding: string;
  /** Number of characters after `\u` that old programs show instead. */
  replacements: number;
  isPicture: boolean;
  /** The data of a shape that is shown: a floating picture is a property in it. */
  isShape: boolean;
  /** The name of its font. */
  font: string;
}

/** Groups whose text is part of the page. Others that begin with `\*` or name data are not. */
const silent = new Set(
  'fonttbl colortbl stylesheet info fldinst listtable listoverridetable rsidtbl generator xmlnstbl themedata colorschememapping latentstyles datastore filetbl revtbl pgptbl mmathPr nonshppict objdata bkmkstart bkmkend xe tc userprops docvar operator author title company listpicture annotation atnid atnauthor headerf footerf shpinst'.split(
    ' ',
  ),
);
const signs: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '-',
};
const maxGroups = 1_000;
const maxFontName = 100;
const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi;

export function readRtf(rtf: string): { blocks: Block[]; hiddenText: number; unread: UnreadPart[] } {
  const blocks: Block[] = [];
  const unread: UnreadPart[] = [];
  const fonts = new Map<number, string>();
  const fontNames = new Map<number, string>();
  let hiddenText = 0;
  let group: Group = {
    isShown: true,
    isHidden: false,
    encoding: 'windows-1252',
    replacements: 1,
    isPicture: false,
    isShape: false,
    font: '',
  };
  const groups: Group[] = [];
  let isInFonts = false;
  let codePage = 'windows-1252';
  let font = 0;
  let defaultFont = 0;
  let text = '';
  /** Bytes that wait for the rest of their character. */
  let pending: number[] = [];
  let skip = 0;
  let picture = { hex: '', isKnown: false };
  let hasShapePicture = false;
  let rows: TableCell[][] = [];
  let cells: TableCell[] = [];
  let isInTable = false;

  const flushBytes = (): void => {
    if (pending.length === 0) return;
    const bytes = Buffer.from(pending);
    const decoded = iconv.decode(bytes, group.encoding);
    pending = [];
    // Some programs name a character set for a font that its bytes are not of.
    add(decoded.includes('\ufffd') ? iconv.decode(bytes, codePage) : decoded);
  };
  const add = (more: string): void => {
    if (!group.isShown) return;
    if (group.isHidden) hiddenText += visibleCharacters(more);
    else text += inSymbolFont(more, group.font);
  };
  const endTable = (): void => {
    if (rows.length > 0) blocks.push({ kind: 'table', rows });
    rows = [];
  };
  const endRow = (): void => {
    rows.push(cells);
    cells = [];
  };
  const endParagraph = (): void => {
    if (isInTable) {
      text += '\n';
      return;
    }
    // A file can end within a row.
    if (cells.length > 0) endRow();
    endTable();
    if (text.trim() !== '') blocks.push(textBlock(text.trimEnd()));
    blocks.push(gap);
    text = '';
  };
  const endPicture = (): void => {
    if (picture.isKnown) blocks.push({ kind: 'picture', bytes: Buffer.from(picture.hex, 'hex'), name: 'picture' });
    else
      unread.push({ kind: 'picture', message: 'A picture was not read: it is of a kind that cannot be recognised.' });
  };
  const setFont = (number: number): void => {
    group.encoding = fonts.get(number) ?? codePage;
    group.font = fontNames.get(number) ?? '';
  };
  const word = (name: string, value: number | undefined): void => {
    if (silent.has(name) && name !== 'shpinst') group.isShown = group.isShape = false;
    if (name === 'fonttbl') isInFonts = true;
    else if (name === 'shp') hasShapePicture = false;
    else if (name === 'shpinst') group.isShape = groups.at(-1)?.isShown ?? false;
    // The same shape for old programs.
    else if (name === 'shprslt' && hasShapePicture) group.isShown = false;
    else if (name === 'f') {
      font = value ?? 0;
      if (!isInFonts) setFont(font);
    } else if (name === 'fcharset' && isInFonts) {
      const encoding = fontEncoding(value ?? 0);
      if (encoding !== undefined) fonts.set(font, encoding);
    } else if (name === 'ansicpg' && value !== undefined && iconv.encodingExists(`cp${value}`))
      group.encoding = codePage = `cp${value}`;
    else if (name === 'mac') group.encoding = codePage = 'macroman';
    else if (name === 'uc') group.replacements = value ?? 1;
    else if (name === 'u') {
      add(String.fromCharCode((value ?? 0) & 0xffff));
      skip = group.replacements;
    } else if (name === 'v') group.isHidden = value !== 0;
    else if (name === 'deleted') group.isHidden = value !== 0;
    else if (name === 'deff') defaultFont = value ?? 0;
    else if (name === 'plain') {
      group.isHidden = false;
      setFont(defaultFont);
    } else if (name === 'par' || name === 'sect') endParagraph();
    else if (name === 'page') {
      endParagraph();
      blocks.push({ kind: 'page_break' });
    } else if (name === 'trowd') isInTable = true;
    else if (name === 'intbl') isInTable = true;
    else if (name === 'pard') isInTable = false;
    else if (name === 'cell') {
      cells.push({ blocks: text.trim() === '' ? [] : [textBlock(text.trim())] });
      text = '';
    } else if (name === 'row') endRow();
    else if (name === 'nestcell') add('\t');
    else if (name === 'nestrow') add('\n');
    else if (name === 'shptxt') {
      // The text of a box is within data about its shape.
      group.isShown = true;
      if (text.trim() !== '') add('\n');
    } else if (name === 'pict') {
      // A group for old programs has the same picture again.
      group.isPicture = group.isShown || group.isShape;
      hasShapePicture ||= group.isShape;
      group.isShown = false;
      picture = { hex: '', isKnown: false };
    } else if (/^(?:png|jpeg|emf)blip$|^wmetafile$/.test(name)) picture.isKnown = true;
    else if (name === 'object') unread.push({ kind: 'embedded_file', message: 'An embedded object was not read.' });
    else if (signs[name] !== undefined) add(signs[name]);
  };

  token.lastIndex = 0;
  let isDestination = false;
  let isGroupStart = false;
  for (let found = token.exec(rtf); found; found = token.exec(rtf)) {
    const [whole, name, value, hex, sign, brace, plain] = found;
    if (hex !== undefined) {
      if (skip > 0) skip -= 1;
      else pending.push(Number.parseInt(hex, 16));
      continue;
    }
    if (/^[\r\n]/.test(whole)) continue;
    flushBytes();
    const isFirst = isGroupStart;
    isGroupStart = brace === '{';
    if (brace === '{') {
      groups.push(group);
      if (groups.length > maxGroups) break;
      group = { ...group, isPicture: false };
      skip = 0;
    } else if (brace === '}') {
      if (group.isPicture) endPicture();
      const outer = groups.pop();
      if (outer === undefined) break;
      if (isInFonts && outer.isShown) isInFonts = false;
      group = outer;
      skip = 0;
    } else if (sign === '*') isDestination = isFirst; // Elsewhere than at the start of a group the sign says nothing.
    else if (sign !== undefined) add(signs[sign] ?? (/[\\{}]/.test(sign) ? sign : ''));
    else if (name === 'bin') {
      // Bytes as they are, braces among them.
      const end = token.lastIndex + Math.max(0, Number(value ?? 0));
      if (group.isPicture) picture.hex += Buffer.from(rtf.slice(token.lastIndex, end), 'latin1').toString('hex');
      token.lastIndex = end;
    } else if (name !== undefined) {
      // A destination that this reader does not know has no text for people.
      if (isDestination && !/^(?:shppict|shptxt|fldrslt)$/.test(name)) group.isShown = false;
      isDestination = false;
      word(name, value === undefined ? undefined : Number(value));
    } else if (plain !== undefined) {
      if (isInFonts) fontNames.set(font, `${fontNames.get(font) ?? ''}${plain}`.split(';')[0]!.slice(0, maxFontName));
      if (group.isPicture) picture.hex += plain.replace(/[^0-9a-f]/gi, '');
      const rest = plain.slice(skip);
      skip = Math.max(0, skip - plain.length);
      add(rest);
    }
  }
  flushBytes();
  isInTable = false;
  endParagraph();
  return { blocks, hiddenText, unread };
}

/** The signs that a symbol font draws for a text. Bullets have codes for private use in other fonts too. */
function inSymbolFont(text: string, font: string): string {
  const isSymbol = /^(?:symbol|wingdings|webdings)/iu.test(font);
  return text.replaceAll(isSymbol ? /[!-ÿ\uf021-\uf0ff]/gu : /[\uf021-\uf0ff]/gu, (sign) =>
    symbolText(isSymbol ? font : 'Symbol', sign.codePointAt(0)!),
  );
}
