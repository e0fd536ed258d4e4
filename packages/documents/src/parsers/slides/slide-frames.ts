import { textBlock, type Block } from '../../flow/block.ts';
import { drawnText } from '../drawn-paragraphs.ts';
import { numberText } from '../number-text.ts';
import { childElements, firstChild, type XmlElement } from '../office-archive.ts';
import type { SlidePlace } from './reading-order.ts';

/** A layout or a master, on which the frames of a slide are based. */
export interface SlideBase {
  layout: XmlElement | undefined;
  master: XmlElement | undefined;
  /** The colours of the theme by the names that slides use, in hexadecimal digits. */
  colors: ReadonlyMap<string, string>;
  /** The fills of the theme through which nothing is seen, by the numbers that styles of shapes use. */
  opaqueFills: ReadonlySet<number>;
}

/** What a frame takes from the frames of the layout and of the master that it is based on. */
export interface Inherited {
  /** The properties of the frames with a place, the nearest first. */
  places: XmlElement[];
  /** The styles of its paragraphs, the nearest first. */
  styles: XmlElement[];
}

export function placeholderOf(shape: XmlElement): XmlElement | undefined {
  const properties = childElements(shape).find(({ name }) => name.startsWith('p:nv'));
  return firstChild(firstChild(properties, 'p:nvPr'), 'p:ph');
}

/** What a shape of a slide takes from its layout and its master. */
export function inheritedBy(shape: XmlElement, { layout, master }: SlideBase): Inherited {
  const placeholder = placeholderOf(shape);
  const texts = firstChild(master, 'p:txStyles');
  if (placeholder === undefined) return { places: [], styles: [firstChild(texts, 'p:otherStyle') ?? []].flat() };
  const { type = 'obj', idx } = placeholder.attribs;
  const own = placeholdersOf(layout);
  const kind = kindOf(type);
  const inLayout =
    own.find(({ frame }) => idx !== undefined && frame.attribs['idx'] === idx) ??
    own.find(({ frame }) => kindOf(frame.attribs['type']) === kind);
  const masterKind = kindOf(inLayout?.frame.attribs['type'] ?? type);
  const inMaster = placeholdersOf(master).find(({ frame }) => kindOf(frame.attribs['type']) === masterKind);
  const bases = [inLayout, inMaster].flatMap((base) => base?.shape ?? []);
  const style = masterKind === 'title' ? 'p:titleStyle' : masterKind === 'body' ? 'p:bodyStyle' : 'p:otherStyle';
  return {
    places: bases.flatMap((base) => firstChild(base, 'p:spPr') ?? []),
    styles: [
      ...bases.flatMap((base) => firstChild(firstChild(base, 'p:txBody'), 'a:lstStyle') ?? []),
      ...[firstChild(texts, style) ?? []].flat(),
    ],
  };
}

/** The place of a shape: its own, or that of a frame that it is based on. One without a place keeps its order in the file. */
export function placeOf(properties: readonly (XmlElement | undefined)[], usualTop = 0): SlidePlace {
  const frames = properties.map((each) => firstChild(each, 'a:xfrm') ?? firstChild(each, 'p:xfrm'));
  const frame = frames.find((each) => firstChild(each, 'a:off') !== undefined);
  const { x = 0, y = usualTop } = firstChild(frame, 'a:off')?.attribs ?? {};
  const { cx = 0, cy = 0 } = firstChild(frame, 'a:ext')?.attribs ?? {};
  return { top: Number(y), left: Number(x), height: Number(cy), width: Number(cx) };
}

function placeholdersOf(slide: XmlElement | undefined): { frame: XmlElement; shape: XmlElement }[] {
  return childElements(firstChild(firstChild(slide, 'p:cSld'), 'p:spTree')).flatMap((shape) => {
    const frame = placeholderOf(shape);
    return frame ? [{ frame, shape }] : [];
  });
}

/** Frames of one kind are based on each other: those for a table or a picture are based on the one for text. */
function kindOf(type = 'obj'): string {
  if (/title$/i.test(type)) return 'title';
  return /^(?:dt|ftr|hdr|sldNum)$/.test(type) ? type : 'body';
}

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
