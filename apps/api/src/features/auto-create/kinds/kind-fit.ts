import { folded, isClosedKind, kindKeyNamed, noWords, type KindFeatures, type KindWords } from './kind-words.ts';

/** A kind to compare a document with. */
interface KnownKind {
  name: string;
  /** Names and titles of its fields. */
  fields: readonly string[];
  /** Absent if the kind has no known document. */
  words?: KindWords;
}

/** From this fit on, a kind is offered to the agent. */
export const minFit = 0.55;
/** From this likeness on, a document waits for another one that might be of the same kind. */
export const minLikeness = 0.4;

/** A prompt with fewer fields describes its documents too little. */
const minFields = 3;
const minFieldShare = 0.7;

/** The least fit of two documents that a person would call the same. Their words order the kinds that fit. */
const sameKind = 0.6;
/** The same, if their kind consists of documents with the same title: their words must be similar, too. */
const sameTitle = 0.35;

/**
 * How well a document fits a kind, from 0 to 1. What a person would call the document decides, not who issued it. If that
 * is unclear, the words and headings that documents of the kind share decide, or the words of the kind's fields.
 *
 * @example
 * fitOf(documentWords(text), { name: 'Invoice', fields: ['total'], words }) // 0.83
 */
export function fitOf(document: KindFeatures, { name, fields, words = noWords }: KnownKind): number {
  const fit = likeness(document, withName(words, name));
  return words.documents === 0 && fit === 0 && !isOtherKind(document.kind, kindKeyNamed(name))
    ? fitOfFields(document, fields)
    : fit;
}

/** The name of a kind counts more than the words of its documents: a `Credit note` is not an invoice. */
function withName(words: KindWords, name: string): KindWords {
  const key = kindKeyNamed(name);
  return key === undefined ? words : { ...words, kinds: { [key]: Math.max(1, words.documents) } };
}

/** How similar a document is to those of a kind, from 0 to 1. */
export function likeness(document: KindFeatures, kind: KindWords): number {
  const usual = usualKind(kind);
  if (isOtherKind(document.kind, usual)) return 0;
  const body = overlap(document.words, common(kind.words, kind.documents), 20);
  const heading = overlap(document.heading, common(kind.heading, kind.documents), 4);
  if (document.kind !== undefined && document.kind === usual && !document.kind.endsWith(':')) {
    const least = isClosedKind(usual) ? sameKind : sameTitle;
    return least + (1 - least) * (0.8 * body + 0.2 * heading);
  }
  return heading < minHeading ? Math.min(body, minLikeness - 0.01) * heading : 0.6 * body + 0.4 * heading;
}

/** Without a common kind, documents with other headings are of another kind, however similar the rest is. */
const minHeading = 0.34;

/** The kind that more than half of the documents have. */
function usualKind({ kinds, documents }: KindWords): string | undefined {
  return Object.entries(kinds).find(([, count]) => count * 2 > documents)?.[0];
}

/** Whether both kinds are known and differ, and one of them has a fixed meaning. */
function isOtherKind(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return false;
  return isClosedKind(one) || isClosedKind(other) || one.split(':')[0] !== other.split(':')[0];
}

/** The values that at least half of the documents have. */
function common(counts: Record<string, number>, documents: number): Set<string> {
  const minCount = Math.max(1, documents / 2);
  return new Set(Object.entries(counts).flatMap(([value, count]) => (count >= minCount ? [value] : [])));
}

/** The share of the smaller set that is in the other one. The smaller set counts as at least `minSize` values. */
function overlap(values: readonly string[], others: ReadonlySet<string>, minSize: number): number {
  const shared = values.filter((value) => others.has(value)).length;
  return Math.min(1, shared / Math.max(minSize, Math.min(values.length, others.size)));
}

function fitOfFields(document: KindFeatures, fields: readonly string[]): number {
  if (fields.length < minFields) return 0;
  const has = new Set(document.words);
  const found = fields.filter((field) => {
    const words = folded(field.replaceAll(/[_\d]+/gu, ' ')).match(/\p{L}{3,}/gu) ?? [];
    return words.length > 0 && words.every((word) => has.has(word));
  });
  const share = found.length / fields.length;
  return found.length >= minFields && share >= minFieldShare ? share : 0;
}
