import iconv from 'iconv-lite';
import { fontEncoding } from '../../flow/font-encoding.ts';
import { isHalfCharacter, signs } from '../rtf/rtf-group.ts';

const token = /\\([a-z]+)(-?\d+)? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giu;
/** Groups whose text is no part of the page; those that begin with `\*` are none either, save the page's own tags. */
const silent = /^(?:fonttbl|colortbl|stylesheet|info|pntext|pict|mhtmltag)$/u;
const maxGroups = 500;

interface Group {
  isSilent: boolean;
  /** What follows is for programs that show RTF alone. */
  isForRtf: boolean;
  isInFonts: boolean;
  encoding: string;
  /** Number of characters after `\u` that old programs show instead. */
  replacements: number;
}

/**
 * The page of the web that Outlook keeps inside of RTF: its tags stand in groups of their own, and what only RTF needs is marked.
 * Undefined if the RTF holds none.
 */
export function htmlInRtf(rtf: string): string | undefined {
  if (!/\\fromhtml1(?!\d)/u.test(rtf.slice(0, 1_000))) return undefined;
  const [, page] = /\\ansicpg(\d+)/u.exec(rtf) ?? [];
  const usual = page !== undefined && iconv.encodingExists(`cp${page}`) ? `cp${page}` : 'windows-1252';
  const fonts = new Map<number, string>();
  const groups: Group[] = [];
  let group: Group = { isSilent: false, isForRtf: false, isInFonts: false, encoding: usual, replacements: 1 };
  let html = '';
  let bytes: number[] = [];
  let font = 0;
  let skip = 0;
  let isStarred = false;
  const add = (text: string): void => {
    if (!group.isSilent && !group.isForRtf) html += text;
  };
  const endBytes = (): void => {
    if (bytes.length > 0) add(iconv.decode(Buffer.from(bytes), group.encoding));
    bytes = [];
  };
  const word = (name: string, value: number | undefined): void => {
    if (silent.test(name) || (isStarred && name !== 'htmltag')) group.isSilent = true;
    isStarred = false;
    if (name === 'fonttbl') group.isInFonts = true;
    else if (name === 'htmlrtf') group.isForRtf = value !== 0;
    else if (name === 'f') {
      font = value ?? 0;
      if (!group.isInFonts) group.encoding = fonts.get(font) ?? usual;
    } else if (name === 'fcharset' && group.isInFonts) fonts.set(font, fontEncoding(value ?? 0) ?? usual);
    else if (name === 'uc') group.replacements = value ?? 1;
    else if (name === 'u') {
      add(String.fromCharCode((value ?? 0) & 0xffff));
      skip = group.replacements;
    } else if (name === 'par' || name === 'line') add('\n');
    else if (signs[name] !== undefined) add(signs[name]);
  };
  for (const [, name, value, hex, sign, brace, letters] of rtf.matchAll(token)) {
    if (hex !== undefined) {
      if (skip > 0) skip -= 1;
      else bytes.push(Number.parseInt(hex, 16));
      continue;
    }
    let plain = letters;
    if (plain !== undefined && isHalfCharacter(bytes, group.encoding)) {
      bytes.push(plain.charCodeAt(0));
      plain = plain.slice(1);
    }
    endBytes();
    if (brace === '{') {
      groups.push(group);
      if (groups.length > maxGroups) break;
      group = { ...group };
      skip = 0;
    } else if (brace === '}') {
      const outer = groups.pop();
      if (outer === undefined || groups.length === 0) break;
      group = outer;
      skip = 0;
    } else if (sign === '*') isStarred = true;
    else if (sign !== undefined) add(signs[sign] ?? (/[\\{}]/u.test(sign) ? sign : ''));
    else if (name !== undefined) word(name, value === undefined ? undefined : Number(value));
    else if (plain !== undefined) {
      const rest = plain.slice(skip);
      skip = Math.max(0, skip - plain.length);
      // Some programs write the bytes of other alphabets as they are.
      if (/[\u0080-\u00ff]/u.test(rest)) bytes.push(...Buffer.from(rest, 'latin1'));
      else add(rest);
    }
  }
  endBytes();
  return html.toWellFormed();
}
