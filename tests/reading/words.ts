/** A word of a document, with its place where the document has places. Points, origin top left. */
export interface PlacedWord {
  text: string;
  place?: { x0: number; y0: number; x1: number; y1: number };
  /** Whether it was recognised in a picture, which no other reader does. */
  isRecognised?: boolean;
}

/** What two readings of one page, or of a document without pages, do not have in common. */
export interface Difference {
  /** Number of words that people are shown. */
  shown: number;
  /** Number of words of the product, save for those of pictures that nobody else reads. */
  read: number;
  missing: PlacedWord[];
  tooMany: PlacedWord[];
  /** Those of `missing` whose letters the product has at their place, with other limits of words. */
  divided: number;
  /** Words that both have, and how many of them are in the same order. */
  shared: number;
  inOrder: number;
}

const invisible = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]/gu;
/** Glyphs without a meaning. */
const meaningless = /[\p{Co}\p{Cc}\p{Cs}\ufffd]/u;

/** A word as it is compared: ligatures and full-width letters are their letters. */
export function foldWord(text: string): string {
  return text.normalize('NFKC').replaceAll(invisible, '');
}

/** The words of a text without places. */
export function wordsOf(text: string): PlacedWord[] {
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => ({ text: word }));
}

/** Compares what the product read with what people are shown. */
export function compareWords(ours: readonly PlacedWord[], theirs: readonly PlacedWord[]): Difference {
  const own = ours.map(folded).filter(isWord);
  const shown = theirs.map(folded).filter((word) => isWord(word) && !meaningless.test(word.text));
  const free = Map.groupBy(own, ({ text }) => text);
  const missing: PlacedWord[] = [];
  const taken = new Set<PlacedWord>();
  for (const word of shown) {
    const same = takeNearest(free.get(word.text), word);
    if (same) taken.add(same);
    else missing.push(word);
  }
  const left = own.filter((word) => !taken.has(word));
  const read = own.filter((word) => word.isRecognised !== true || taken.has(word));
  return {
    shown: shown.length,
    read: read.length,
    missing,
    tooMany: left.filter(({ isRecognised }) => isRecognised !== true),
    divided: missing.filter((word) => isDividedOtherwise(word, left)).length,
    shared: taken.size,
    inOrder: longestCommon(
      own.filter((word) => taken.has(word)).map(({ text }) => text),
      withoutAll(shown, missing).map(({ text }) => text),
    ),
  };
}

function folded(word: PlacedWord): PlacedWord {
  return { ...word, text: foldWord(word.text) };
}

/** Ticks and bullets, which the product writes for what is drawn. */
const drawnSigns = /^[☐☑☒•▪◦]+$/u;

function isWord({ text }: PlacedWord): boolean {
  return text !== '' && !drawnSigns.test(text);
}

function withoutAll<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  const left = new Set(others);
  return items.filter((item) => !left.has(item));
}

/** Takes the word out of `candidates` that is nearest to `word`. */
function takeNearest(candidates: PlacedWord[] | undefined, { place }: PlacedWord): PlacedWord | undefined {
  if (!candidates || candidates.length === 0) return undefined;
  let best = 0;
  for (let at = 1; at < candidates.length; at += 1) {
    if (distance(candidates[at]!.place, place) < distance(candidates[best]!.place, place)) best = at;
  }
  return candidates.splice(best, 1)[0];
}

type Place = NonNullable<PlacedWord['place']>;

function distance(one: Place | undefined, other: Place | undefined): number {
  if (!one || !other) return Infinity;
  return Math.hypot(one.x0 + one.x1 - other.x0 - other.x1, one.y0 + one.y1 - other.y0 - other.y1);
}

/** Whether words at the place of `word` have its letters, joined or divided differently. */
function isDividedOtherwise({ text, place }: PlacedWord, left: readonly PlacedWord[]): boolean {
  if (!place) return left.some((other) => other.text.includes(text) && text.length > 1);
  const near = left.filter((other) => other.place && touches(other.place, place));
  const joined = near.map((word) => word.text).join('');
  if (joined === '') return false;
  return joined.includes(text) || text.includes(joined) || sortedLetters(joined) === sortedLetters(text);
}

function sortedLetters(text: string): string {
  return Array.from(text).sort().join('');
}

function touches(one: Place, other: Place): boolean {
  const height = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0);
  const width = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
  return height > 0.3 * Math.min(one.y1 - one.y0, other.y1 - other.y0) && width > -1;
}

/** Longer lists are compared in parts of this length, because the time grows with its square. */
const maxCompared = 4_000;

/** The length of the longest common subsequence of two lists. */
export function longestCommon(one: readonly string[], other: readonly string[]): number {
  let sum = 0;
  for (let at = 0; at < Math.max(one.length, other.length); at += maxCompared) {
    sum += commonLength(one.slice(at, at + maxCompared), other.slice(at, at + maxCompared));
  }
  return sum;
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let before = new Uint32Array(other.length + 1);
  let here = new Uint32Array(other.length + 1);
  for (const word of one) {
    for (let at = 0; at < other.length; at += 1) {
      here[at + 1] = word === other[at] ? before[at]! + 1 : Math.max(before[at + 1]!, here[at]!);
    }
    [before, here] = [here, before];
  }
  return before[other.length]!;
}
