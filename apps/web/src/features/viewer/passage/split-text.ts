import { hasIndexedText, type LinkedPassage, type Offsets } from './passage.ts';

export interface TextPart {
  text: string;
  quoted: boolean;
  /** The index of the hit that contains the part. */
  hit?: number | undefined;
  /** Set if the part is in the passage of the URL: a match, or the text around it. */
  passage?: 'around' | 'match';
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The first place of a quote in the text; any white space can be between its words. */
export function findQuote(text: string, quote: string | null): Offsets | undefined {
  const words = (quote ?? '').split(/\s+/).filter(Boolean).map(escaped);
  const found = words.length === 0 ? null : new RegExp(words.join('\\s+'), 'iu').exec(text);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

/** Splits the text at the edges of quote, hits and passage. Hits are in order. */
export function splitText(
  text: string,
  quote: Offsets | undefined,
  hits: readonly Offsets[],
  passage?: LinkedPassage,
): TextPart[] {
  const inside = (range: Offsets | undefined, offset: number) =>
    range !== undefined && range.start <= offset && offset < range.end;
  const range = passage && hasIndexedText(text, passage) ? passage.range : undefined;
  const matches = passage?.found?.matches ?? [];
  const passageRanges = range ? [range, ...matches] : [];
  const edges = [...(quote ? [quote] : []), ...hits, ...passageRanges]
    .flatMap(({ start, end }) => [start, end])
    // The range of a URL can lie outside the text.
    .filter((edge) => edge < text.length);
  const cuts = [...new Set([0, ...edges, text.length])].toSorted((one, other) => one - other);
  const parts: TextPart[] = [];
  let hit = 0;
  for (const [index, start] of cuts.entries()) {
    const end = cuts[index + 1];
    if (end === undefined) break;
    while (hit < hits.length && hits[hit]!.end <= start) hit += 1;
    const found = inside(hits[hit], start) ? { hit } : {};
    const isMatch = matches.some((match) => inside(match, start));
    const passagePart = inside(range, start) ? { passage: isMatch ? ('match' as const) : ('around' as const) } : {};
    parts.push({ text: text.slice(start, end), quoted: inside(quote, start), ...found, ...passagePart });
  }
  return parts;
}
