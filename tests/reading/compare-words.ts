import { commonOrder } from './common-order.ts';
import { foldWord, isRounded, touches, type Place, type PlacedWord } from './words.ts';

/** What two readings of one page, or of a document without pages, do not have in common. */
export interface Difference {
  /** Number of words that people are shown. */
  shown: number;
  /** Number of words of the product, save for those of pictures that nobody else reads. */
  read: number;
  missing: PlacedWord[];
  tooMany: PlacedWord[];
  /** Words that both have, and how many of them are in the same order. */
  shared: number;
  inOrder: number;
}

/** Glyphs without a meaning. */
const meaningless = /[\p{Co}\p{Cc}\p{Cs}\ufffd]/u;

/**
 * Compares what the product read with what people are shown. `unprinted` are words that the file shows, but not in print, with the
 * reason.
 */
export function compareWords(
  ours: readonly PlacedWord[],
  theirs: readonly PlacedWord[],
  unprinted: readonly PlacedWord[] = [],
): Difference {
  const own = ours.flatMap(withoutLeader).map(folded).filter(isWord);
  const shown = theirs
    .flatMap(withoutLeader)
    .map(folded)
    .filter((word) => isWord(word) && !meaningless.test(word.text));
  const free = Map.groupBy(own, ({ text }) => text);
  const taken = new Set<PlacedWord>();
  const found = new Set<PlacedWord>();
  // Those at the same place first: otherwise a word that is missing takes the next one of the same text, which then seems to be missing.
  // Then those that the product must have: a number along the axis of a chart does not take one that stands beside a column.
  const expected = [
    ...shown.filter(({ reason }) => reason === undefined),
    ...shown.filter(({ reason }) => reason !== undefined),
  ];
  for (const isAtPlace of [true, false]) {
    for (const word of expected) {
      const same = found.has(word) ? undefined : takeNearest(free.get(word.text), word, isAtPlace);
      if (!same) continue;
      taken.add(same);
      found.add(word);
    }
  }
  const missing = shown.filter((word) => !found.has(word));
  const left = own.filter((word) => !taken.has(word));
  markDivided(shown, missing, own, left);
  markUnprinted(left, unprinted);
  markCapitals(missing, left);
  markReversed(missing, left);
  if (shown.every(({ place }) => place === undefined)) markReplaced(shown, new Set(missing), own, new Set(left));
  const read = own.filter((word) => word.isRecognised !== true || taken.has(word));
  return {
    shown: shown.length,
    read: read.length,
    missing,
    tooMany: left.filter(({ isRecognised }) => isRecognised !== true),
    shared: taken.size,
    inOrder: commonOrder(
      own.filter((word) => taken.has(word)).map(({ text }) => text),
      withoutAll(shown, missing).map(({ text }) => text),
    ).length,
  };
}

function folded(word: PlacedWord): PlacedWord {
  return { ...word, text: foldWord(word.text).replaceAll(drawnSigns, '').replaceAll(markOfEndnote, '$1') };
}

/** Dots before the number of a page, which a tab draws, part two words. */
function withoutLeader(word: PlacedWord): PlacedWord[] {
  if (word.place !== undefined || !leader.test(word.text)) return [word];
  return word.text.split(leader).flatMap((text) => (text === '' ? [] : [{ ...word, text }]));
}

const leader = /[.…]{4,}/u;
/** The product writes the mark of an endnote in brackets, because it cannot raise it. */
const markOfEndnote = /\[([ivxlcdm]+)\]/gu;

/** Ticks and bullets, which the product writes for what is drawn, and lines of signs. */
const drawnSigns = /[☐☑☒✓✔✗]|^[•·▪■●○◦➢❖◆]+$|^_{3,}$/gu;

function isWord({ text }: PlacedWord): boolean {
  return text !== '';
}

function withoutAll<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  const left = new Set(others);
  return items.filter((item) => !left.has(item));
}

/** Takes the word out of `candidates` that is nearest to `word`; with `isAtPlace`, only one at the same place. */
function takeNearest(
  candidates: PlacedWord[] | undefined,
  { place }: PlacedWord,
  isAtPlace: boolean,
): PlacedWord | undefined {
  if (!candidates || candidates.length === 0) return undefined;
  let best = 0;
  for (let at = 1; at < candidates.length; at += 1) {
    if (distance(candidates[at]!.place, place) < distance(candidates[best]!.place, place)) best = at;
  }
  if (isAtPlace && !(place && candidates[best]!.place && touches(candidates[best]!.place!, place))) return undefined;
  return candidates.splice(best, 1)[0];
}

function distance(one: Place | undefined, other: Place | undefined): number {
  if (!one || !other) return Infinity;
  return Math.hypot(one.x0 + one.x1 - other.x0 - other.x1, one.y0 + one.y1 - other.y0 - other.y1);
}

/** Marks the words whose letters both have, divided otherwise: at the same place, or one after the other where there are no places. */
function markDivided(
  shown: readonly PlacedWord[],
  missing: readonly PlacedWord[],
  own: readonly PlacedWord[],
  left: readonly PlacedWord[],
): void {
  const withPlace = (words: readonly PlacedWord[]): PlacedWord[] => words.filter(({ place }) => place !== undefined);
  for (const [words, others] of [
    [withPlace(missing), withPlace(left)],
    [withPlace(left), withPlace(missing)],
  ] as const) {
    for (const word of words) {
      const near = others.filter((other) => touches(other.place!, word.place!));
      if (hasLetters(near.map(({ text }) => text).join(''), word.text)) word.reason ??= 'divided';
    }
  }
  const withoutPlace = ({ place, reason }: PlacedWord): boolean => place === undefined && reason === undefined;
  markJoined(left.filter(withoutPlace), shown, new Set(missing.filter(withoutPlace)));
  markJoined(missing.filter(withoutPlace), own, new Set(left.filter(withoutPlace)));
  markScattered(left.filter(withoutPlace), shown, new Set(missing.filter(withoutPlace)));
  markScattered(missing.filter(withoutPlace), own, new Set(left.filter(withoutPlace)));
}

const maxParts = 14;
/** Slanted words are read letter by letter, in any order. */
const minSlanted = 3;

/** Marks each word that is made of words of `sequence` that follow each other and are all free, and those too. */
function markJoined(words: readonly PlacedWord[], sequence: readonly PlacedWord[], free: Set<PlacedWord>): void {
  const starts = new Set([...free].map((word) => sequence.indexOf(word)));
  for (const word of words) {
    const letters = sortedLetters(word.text);
    for (const start of starts) {
      const parts: PlacedWord[] = [];
      let joined = '';
      for (let at = start; at < sequence.length && parts.length < maxParts; at += 1) {
        const part = sequence[at]!;
        if (!free.has(part) || joined.length + part.text.length > word.text.length) break;
        parts.push(part);
        joined += part.text;
      }
      const isSame = joined === word.text || (parts.length >= minSlanted && sortedLetters(joined) === letters);
      if (parts.length < 2 || !isSame) continue;
      for (const part of [word, ...parts]) part.reason = 'divided';
      for (const part of parts) free.delete(part);
      break;
    }
  }
}

/** Marks each word that is made of free words which stand near each other in `sequence`, in any order: raised numbers are lines of their own. */
function markScattered(words: readonly PlacedWord[], sequence: readonly PlacedWord[], free: Set<PlacedWord>): void {
  const places = new Map(sequence.map((word, index) => [word, index]));
  for (const word of words) {
    if (word.reason !== undefined) continue;
    for (const first of free) {
      if (!word.text.toLowerCase().startsWith(first.text.toLowerCase())) continue;
      const parts = partsOf(
        word.text.toLowerCase(),
        [first],
        [...free].filter((part) => Math.abs(places.get(part)! - places.get(first)!) <= maxScattered),
      );
      if (parts === undefined) continue;
      const isSame = parts.map(({ text }) => text).join('') === word.text;
      for (const part of [word, ...parts]) part.reason = isSame ? 'divided' : 'capitals';
      for (const part of parts) free.delete(part);
      break;
    }
  }
}

const maxScattered = 400;
/** Texts with many parts of one letter have more ways than can be tried. */
const maxTries = 300;

/** Free words that make up a text, each once, beginning with those taken, the longest first. Undefined if none do. */
function partsOf(
  text: string,
  taken: PlacedWord[],
  free: readonly PlacedWord[],
  tries = { left: maxTries },
): PlacedWord[] | undefined {
  const joined = taken.map((part) => part.text.toLowerCase()).join('');
  tries.left -= 1;
  if (tries.left < 0 || !text.startsWith(joined) || taken.length > maxParts) return undefined;
  if (joined.length === text.length) return taken.length > 1 ? taken : undefined;
  const next = free.filter((part) => !taken.includes(part) && text.startsWith(part.text.toLowerCase(), joined.length));
  const each = new Map(next.map((part) => [part.text, part]));
  for (const part of [...each.values()].sort((one, other) => other.text.length - one.text.length)) {
    const found = partsOf(text, [...taken, part], free, tries);
    if (found) return found;
  }
  return undefined;
}

/** Whether `letters` has all the letters of `text`. */
function hasLetters(letters: string, text: string): boolean {
  const free = Array.from(letters);
  return Array.from(text).every((letter) => {
    const at = free.indexOf(letter);
    if (at !== -1) free.splice(at, 1);
    return at !== -1;
  });
}

function sortedLetters(text: string): string {
  return Array.from(text).sort().join('');
}

function markUnprinted(left: readonly PlacedWord[], unprinted: readonly PlacedWord[]): void {
  const free = Map.groupBy(unprinted, ({ text }) => foldWord(text));
  for (const word of left) {
    const reason = word.reason === undefined ? free.get(word.text)?.pop()?.reason : undefined;
    if (reason) word.reason = reason;
  }
}

function markCapitals(missing: readonly PlacedWord[], left: readonly PlacedWord[]): void {
  const free = Map.groupBy(left, ({ text }) => text.toUpperCase());
  for (const word of missing) {
    const same = free.get(word.text.toUpperCase())?.pop();
    if (same && (same.text === word.text.toUpperCase() || word.text === word.text.toUpperCase()))
      word.reason = same.reason = 'capitals';
  }
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Marks words without places whose letters one side has from the left: of a right-to-left script, with signs at either end. */
function markReversed(missing: readonly PlacedWord[], left: readonly PlacedWord[]): void {
  const reversed = (text: string): string =>
    Array.from(text.replaceAll(/[\p{P}\p{S}]/gu, ''))
      .reverse()
      .join('');
  const free = Map.groupBy(
    left.filter(({ place, text }) => place === undefined && rightToLeft.test(text)),
    ({ text }) => text.replaceAll(/[\p{P}\p{S}]/gu, ''),
  );
  for (const word of missing) {
    const same = rightToLeft.test(word.text) ? free.get(reversed(word.text))?.pop() : undefined;
    if (same) word.reason = same.reason = 'order';
  }
}

/**
 * Gives the words of the product that stand where words with a reason are missing the same reason, and numbers that are rounded one of
 * their own.
 */
function markReplaced(
  shown: readonly PlacedWord[],
  missing: ReadonlySet<PlacedWord>,
  own: readonly PlacedWord[],
  left: ReadonlySet<PlacedWord>,
): void {
  const texts = (words: readonly PlacedWord[]): string[] => words.map(({ text }) => text);
  for (const gap of commonOrder(texts(own), texts(shown)).gaps ?? []) {
    const lacking = shown.slice(...gap.other).filter((word) => missing.has(word));
    const instead = own.slice(...gap.one).filter((word) => left.has(word) && word.reason === undefined);
    for (const number of lacking.filter(({ reason }) => reason === undefined || reason === 'computed')) {
      const rounded = instead.find(({ text, reason }) => reason === undefined && isRounded(number.text, text));
      if (rounded) number.reason = rounded.reason = 'rounded';
    }
    const reasons = new Set(lacking.map(({ reason }) => reason));
    reasons.delete('rounded');
    const [only] = reasons;
    if (reasons.size === 1 && only) for (const word of instead) word.reason ??= only;
    const known = own.slice(...gap.one).filter((word) => left.has(word));
    const [first] = known;
    if (first?.reason === 'today' && known.every(({ reason }) => reason === 'today'))
      for (const word of lacking) word.reason ??= 'today';
  }
}
