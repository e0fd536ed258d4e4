import iconv from 'iconv-lite';
import { symbolText } from '../../flow/symbol-text.ts';
import type { RaisedPlace } from '../raised-digits.ts';
import type { RtfField } from './rtf-field.ts';
import type { RtfListPlace } from './rtf-lists.ts';

/** What holds within a group, and in the groups in it until they say otherwise. */
export interface RtfGroup {
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
  isCapital: boolean;
  raised: RaisedPlace | undefined;
  /** The field that it is in. */
  field?: RtfField;
  /** Whether a text for programs without Unicode stands before the same text in Unicode. */
  hasTwin: boolean;
  /** The table at the start of the document, or the data of a shape, that it is in: no paragraph stands there. */
  table: string;
  /** The list that its paragraphs are in. */
  list?: RtfListPlace | undefined;
  /** Takes the text of the group, which is not shown as it is. */
  capture?: ((text: string) => void) | undefined;
}

/** What holds at the start of a document. */
export const firstGroup: RtfGroup = {
  isShown: true,
  isHidden: false,
  encoding: 'windows-1252',
  replacements: 1,
  isPicture: false,
  isShape: false,
  font: '',
  isCapital: false,
  raised: undefined,
  hasTwin: false,
  table: '',
};

/** Control words and signs that stand for characters. */
export const signs: Readonly<Record<string, string>> = {
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
  qmspace: ' ',
  '~': '\u00a0',
  _: '-',
};

/** Encodings of a whole document by the words for old systems. */
export const codePages: Readonly<Record<string, string>> = { mac: 'macroman', pc: 'cp437', pca: 'cp850' };

/** Groups whose text is no part of the page. Those that begin with `\*` and are not known are none either. */
export const silent = new Set(
  'fonttbl colortbl stylesheet info listtable listoverridetable listname leveltext levelnumbers rsidtbl generator xmlnstbl themedata colorschememapping latentstyles datastore filetbl revtbl pgptbl mmathPr nonshppict objdata bkmkstart bkmkend xe tc userprops docvar operator author title company listpicture annotation atnid atnauthor nonesttables shpinst'.split(
    ' ',
  ),
);

/** Tables at the start of a document, and words that stand in its texts alone: they end a table that a damaged file leaves open. */
export const tables = /^(?:fonttbl|colortbl|stylesheet|listtable|listoverridetable)$/u;
export const bodyWords = /^(?:sectd|par|sect|page|trowd|cell|row|header[lrf]?|footer[lrf]?)$/u;

/** The signs that a symbol font draws for a text. Bullets have codes for private use in other fonts too. */
export function inSymbolFont(text: string, font: string): string {
  const isSymbol = /^(?:symbol|wingdings|webdings)/iu.test(font);
  return text.replaceAll(isSymbol ? /[!-ÿ\uf021-\uf0ff]/gu : /[\uf021-\uf0ff]/gu, (sign) =>
    symbolText(isSymbol ? font : 'Symbol', sign.codePointAt(0)!),
  );
}

const doubleBytes = /^(?:shift_jis|gbk|big5|euc-kr|cp9(?:32|36|49|50))$/;

/** Whether bytes end within a character of an encoding. */
export function isHalfCharacter(bytes: readonly number[], encoding: string): boolean {
  return (
    bytes.length > 0 && doubleBytes.test(encoding) && iconv.decode(Buffer.from(bytes), encoding).endsWith('\ufffd')
  );
}
