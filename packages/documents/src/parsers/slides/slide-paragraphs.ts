import { textBlock, type Block } from '../../flow/block.ts';
import { drawnText } from '../drawn-paragraphs.ts';
import { numberText } from '../number-text.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';

const maxLevel = 8;

/** The paragraphs of a shape or a cell, with the numbers of its lists. `inherited` are styles of its paragraphs, the nearest first. */
export function slideParagraphs(body: XmlElement | undefined, inherited: readonly XmlElement[] = []): Block[] {
  const own = firstChild(body, 'a:lstStyle');
  const styles = [...(own ? [own] : []), ...inherited];
  const counted: Counted[] = [];
  return childElements(body, 'a:p').flatMap((paragraph): Block[] => {
    const properties = firstChild(paragraph, 'a:pPr');
    const level = Math.min(Math.max(Number(properties?.attribs['lvl'] ?? 0), 0), maxLevel);
    const ofLevel = styles.flatMap((style) => firstChild(style, `a:lvl${level + 1}pPr`) ?? []);
    const usual = ofLevel.flatMap((style) => firstChild(style, 'a:defRPr')?.attribs['cap'] ?? [])[0];
    const text = drawnText(paragraph, usual === 'all').trim();
    if (text === '') return [];
    const mark = [properties, ...ofLevel].map(markOf).find((found) => found !== undefined);
    const number = mark?.name === 'a:buAutoNum' ? nextNumber(counted, level, mark) : undefined;
    // A paragraph without a number ends the lists of its level and below.
    if (number === undefined) counted.length = Math.min(counted.length, level);
    return [textBlock(number === undefined ? text : `${number} ${text}`, level)];
  });
}

interface Counted {
  scheme: string;
  value: number;
}

function markOf(properties: XmlElement | undefined): XmlElement | undefined {
  return childElements(properties).find(({ name }) => /^a:bu(?:None|Char|Blip|AutoNum)$/u.test(name));
}

function nextNumber(counted: Counted[], level: number, { attribs }: XmlElement): string {
  const scheme = attribs['type'] ?? 'arabicPeriod';
  const before = counted[level];
  const first = Number(attribs['startAt'] ?? 1);
  const value = before?.scheme === scheme ? before.value + 1 : first;
  counted.length = level;
  counted[level] = { scheme, value };
  const [, kind = '', sign = ''] = /^(arabic|alphaLc|alphaUc|romanLc|romanUc)(\w*)$/u.exec(scheme) ?? [];
  const text = numberText(value, formats[kind] ?? 'decimal');
  if (sign === 'ParenBoth') return `(${text})`;
  if (sign === 'ParenR') return `${text})`;
  return sign === 'Plain' ? text : `${text}.`;
}

const formats: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
};
